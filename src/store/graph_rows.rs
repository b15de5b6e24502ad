//! The rows of the graph: what a file's symbols and the edges that leave them are in the database.

use rusqlite::{CachedStatement, Connection, params};
use serde::Serialize;

use super::StoreError;
use super::graph::SymbolIds;
use super::names;
use crate::resolve::{EdgeKind, FileId, Graph};

#[derive(Serialize)]
pub(super) struct SymbolRow<'a> {
    id: i64,
    kind: u8,
    before: &'a str,
    name: &'a str,
    holder: Option<u32>,
    elsewhere: Option<i64>,
    line: u32,
    col: u32,
    lines: (u32, u32),
    signature: (u32, u32),
    doc: Option<(u32, u32)>,
    name_span: (u32, u32),
    full: (u32, u32),
    visibility: u8,
    flags: u8,
}

#[derive(Serialize)]
pub(super) struct EdgeRow {
    source: u32,
    target: i64,
    kind: u8,
    site: Option<i64>,
    start: u32,
    length: u32,
    line: u32,
    col: u32,
    reason: u8,
    confidence: u8,
}

/// The symbols of a file and the edges that leave them.
pub(super) fn rows_of<'a>(
    graph: &'a Graph,
    file: FileId,
    ids: &SymbolIds<'_>,
    files: &[i64],
) -> (Vec<SymbolRow<'a>>, Vec<EdgeRow>) {
    let first = graph.symbols_in(file).next().map_or(0, |id| id.0);
    let mut symbols = Vec::new();
    let mut edges = Vec::new();
    for (place, at) in (0u32..).zip(graph.symbols_in(file)) {
        let symbol = graph.symbol(at);
        let holder = symbol.container.map(|holder| (holder, graph.symbol(holder).file == file));
        let containing = graph.incoming(at).find(|edge| edge.kind == EdgeKind::Contains);
        symbols.push(SymbolRow {
            id: ids.of(at),
            kind: names::symbol_kind_code(symbol.kind),
            before: symbol.qualified.strip_suffix(symbol.name.as_str()).unwrap_or_default(),
            name: &symbol.name,
            holder: holder.filter(|(_, here)| *here).map(|(holder, _)| holder.0 - first),
            elsewhere: holder.filter(|(_, here)| !here).map(|(holder, _)| ids.of(holder)),
            line: symbol.name_line,
            col: containing.map_or(0, |edge| edge.col),
            lines: (symbol.lines.start, symbol.lines.end),
            signature: (symbol.signature.start, symbol.signature.end),
            doc: symbol.doc.map(|doc| (doc.start, doc.end)),
            name_span: (symbol.name_span.start, symbol.name_span.end),
            full: (symbol.full.start, symbol.full.end),
            visibility: names::visibility_code(symbol.visibility),
            flags: u8::from(symbol.test) | u8::from(symbol.without_body) << 1,
        });
        let stored = graph.outgoing(at).iter().filter(|edge| edge.kind != EdgeKind::Contains);
        edges.extend(stored.map(|edge| EdgeRow {
            source: place,
            target: ids.of(edge.to),
            kind: names::edge_kind_code(edge.kind),
            site: (edge.file != file).then(|| files[edge.file.0 as usize]),
            start: edge.site.start,
            length: edge.site.len(),
            line: edge.line,
            col: edge.col,
            reason: names::reason_code(edge.reason),
            confidence: edge.confidence.0,
        }));
    }
    (symbols, edges)
}

/// So many edges are put in by one statement, which takes less time than one for each.
const TOGETHER: usize = 16;
const EDGE_COLUMNS: usize = 12;

/// Binds the columns of an edge after so many other parameters.
fn bind(
    statement: &mut CachedStatement<'_>,
    after: usize,
    file: i64,
    place: u32,
    row: &EdgeRow,
) -> rusqlite::Result<()> {
    let columns: [Option<i64>; EDGE_COLUMNS] = [
        Some(file),
        Some(place.into()),
        Some(row.source.into()),
        Some(row.target),
        Some(row.kind.into()),
        row.site,
        Some(row.start.into()),
        Some(row.length.into()),
        Some(row.line.into()),
        Some(row.col.into()),
        Some(row.reason.into()),
        Some(row.confidence.into()),
    ];
    for (at, column) in (after + 1..).zip(columns) {
        statement.raw_bind_parameter(at, column)?;
    }
    Ok(())
}

/// The prepared statements that replace the rows of a file.
pub(super) struct GraphWriter<'c> {
    remove_symbols: CachedStatement<'c>,
    remove_edges: CachedStatement<'c>,
    symbol: CachedStatement<'c>,
    edge: CachedStatement<'c>,
    /// As many edges at once as are put in together.
    edges: CachedStatement<'c>,
    digest: CachedStatement<'c>,
}

impl<'c> GraphWriter<'c> {
    pub(super) fn new(tables: &'c Connection) -> Result<Self, StoreError> {
        Ok(GraphWriter {
            remove_symbols: tables.prepare_cached("DELETE FROM symbols WHERE file = ?1")?,
            remove_edges: tables.prepare_cached("DELETE FROM edges WHERE file = ?1")?,
            symbol: tables.prepare_cached(
                "INSERT INTO symbols VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
                                             ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
            )?,
            edge: tables.prepare_cached(
                "INSERT INTO edges VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?,
            edges: tables.prepare_cached(&format!(
                "INSERT INTO edges VALUES {}",
                vec!["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"; TOGETHER].join(", ")
            ))?,
            digest: tables.prepare_cached("UPDATE files SET digest = ?2 WHERE id = ?1")?,
        })
    }

    pub(super) fn put(
        &mut self,
        file: i64,
        digest: &[u8],
        symbols: &[SymbolRow<'_>],
        edges: &[EdgeRow],
    ) -> Result<(), StoreError> {
        self.remove_symbols.execute([file])?;
        self.remove_edges.execute([file])?;
        for (place, row) in (0u32..).zip(symbols) {
            self.symbol.execute(params![
                file,
                place,
                row.id,
                row.kind,
                row.before,
                row.name,
                row.holder,
                row.elsewhere,
                row.line,
                row.col,
                row.lines.0,
                row.lines.1,
                row.signature.0,
                row.signature.1,
                row.doc.map(|doc| doc.0),
                row.doc.map(|doc| doc.1),
                row.name_span.0,
                row.name_span.1,
                row.full.0,
                row.full.1,
                row.visibility,
                row.flags,
            ])?;
        }
        let (together, rest) = edges.as_chunks::<TOGETHER>();
        let mut places = 0u32..;
        for rows in together {
            for (at, (row, place)) in rows.iter().zip(&mut places).enumerate() {
                bind(&mut self.edges, at * EDGE_COLUMNS, file, place, row)?;
            }
            self.edges.raw_execute()?;
        }
        for (row, place) in rest.iter().zip(places) {
            bind(&mut self.edge, 0, file, place, row)?;
            self.edge.raw_execute()?;
        }
        self.digest.execute(params![file, digest])?;
        Ok(())
    }
}
