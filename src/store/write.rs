//! One change of the database: the files that changed, and the rows of the graph that differ.

use std::collections::BTreeMap;

use rusqlite::{CachedStatement, Connection, Transaction, params};
use serde::Serialize;

use super::graph::symbol_ids;
use super::names::visibility_name;
use super::rows::{self, FactsBlob, FileRow};
use super::{Store, StoreError};
use crate::files::Stat;
use crate::resolve::{FileId, Graph};
use crate::text::RepoPath;

/// What a refresh found.
#[derive(Debug)]
pub struct Change<'a> {
    /// The number that the database has afterwards.
    pub generation: u64,
    /// Files that are new or were read again, each with its facts if it was parsed.
    pub read: &'a [(FileRow, Option<FactsBlob>)],
    /// Files that are no more.
    pub removed: &'a [RepoPath],
    /// The whole graph; its files are the text files of the database after the change.
    pub graph: &'a Graph,
}

#[derive(Serialize)]
struct SymbolRow<'a> {
    id: i64,
    kind: &'static str,
    name: &'a str,
    qualified: &'a str,
    container: Option<i64>,
    line: u32,
    lines: (u32, u32),
    signature: (u32, u32),
    doc: Option<(u32, u32)>,
    name_span: (u32, u32),
    full: (u32, u32),
    visibility: &'static str,
    flags: u8,
}

#[derive(Serialize)]
struct EdgeRow {
    source: i64,
    target: i64,
    kind: &'static str,
    site: Option<i64>,
    start: u32,
    end: u32,
    line: u32,
    col: u32,
    reason: &'static str,
    confidence: u8,
}

impl Store {
    /// Makes a change in one transaction. Of the graph, only the rows of files whose symbols or leaving
    /// edges differ are written.
    pub fn write(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let tables = &transaction;
            for path in change.removed {
                remove(tables, path)?;
            }
            for (row, facts) in change.read {
                put_file(tables, row, facts.as_ref())?;
            }
            put_graph(tables, change.graph)?;
            tables.execute(
                "UPDATE meta SET value = ?1 WHERE key = 'generation'",
                [change.generation.to_string()],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Notes the stats of files whose bytes are those of before.
    pub fn touch(&mut self, files: &[(RepoPath, Option<Stat>)]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut update = transaction.prepare_cached(
                "UPDATE files SET size = ?2, mtime = ?3, ctime = ?4, inode = ?5 WHERE path = ?1",
            )?;
            for (path, stat) in files {
                let (size, mtime, ctime, inode) = rows::stat_columns(*stat);
                update.execute(params![path.as_str(), size, mtime, ctime, inode])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

fn remove(tables: &Transaction<'_>, path: &RepoPath) -> Result<(), StoreError> {
    for table in ["facts", "symbols", "edges"] {
        tables
            .prepare_cached(&format!(
                "DELETE FROM {table} WHERE file = (SELECT id FROM files WHERE path = ?1)"
            ))?
            .execute([path.as_str()])?;
    }
    tables.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path.as_str()])?;
    Ok(())
}

fn put_file(tables: &Transaction<'_>, row: &FileRow, facts: Option<&FactsBlob>) -> Result<(), StoreError> {
    let (size, mtime, ctime, inode) = rows::stat_columns(row.stat);
    let text = row.text.as_ref().ok();
    let id: i64 = tables
        .prepare_cached(
            "INSERT INTO files (path, hash, size, mtime, ctime, inode, skipped, lines, language, test,
                                generated, errors, digest)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, x'')
             ON CONFLICT (path) DO UPDATE SET
                 hash = excluded.hash, size = excluded.size, mtime = excluded.mtime,
                 ctime = excluded.ctime, inode = excluded.inode, skipped = excluded.skipped,
                 lines = excluded.lines, language = excluded.language, test = excluded.test,
                 generated = excluded.generated, errors = excluded.errors
             RETURNING id",
        )?
        .query_row(
            params![
                row.path.as_str(),
                &row.hash[..],
                size,
                mtime,
                ctime,
                inode,
                row.text.as_ref().err().map(rows::blob),
                text.map_or(0, |text| text.lines),
                text.and_then(|text| text.language.as_deref()),
                text.is_some_and(|text| text.test),
                text.is_some_and(|text| text.generated),
                rows::blob(text.map_or(&[][..], |text| &text.errors)),
            ],
            |row| row.get(0),
        )?;
    match facts {
        Some(facts) => tables
            .prepare_cached("INSERT OR REPLACE INTO facts VALUES (?1, ?2)")?
            .execute(params![id, &facts.0])?,
        None => tables.prepare_cached("DELETE FROM facts WHERE file = ?1")?.execute([id])?,
    };
    Ok(())
}

/// Brings the rows of the graph up to date.
fn put_graph(tables: &Transaction<'_>, graph: &Graph) -> Result<(), StoreError> {
    let mut stored: BTreeMap<String, (i64, Vec<u8>)> = BTreeMap::new();
    {
        let mut statement = tables.prepare_cached("SELECT path, id, digest FROM files")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            stored.insert(row.get(0)?, (row.get(1)?, row.get(2)?));
        }
    }
    let file_ids: Vec<i64> =
        graph.files().iter().map(|file| stored.get(file.path.as_str()).map_or(0, |(id, _)| *id)).collect();
    let symbol_ids = symbol_ids(graph);
    let mut writer = GraphWriter::new(tables)?;
    for file in graph.file_ids() {
        let Some((id, digest)) = stored.remove(graph.file(file).path.as_str()) else { continue };
        let (symbols, edges) = rows_of(graph, file, &symbol_ids, &file_ids);
        let now = blake3::hash(&rows::blob(&(&symbols, &edges)));
        if digest[..] != now.as_bytes()[..] {
            writer.put(id, now.as_bytes(), &symbols, &edges)?;
        }
    }
    // Files that are no text, or no more.
    for (id, digest) in stored.into_values() {
        if !digest.is_empty() {
            writer.put(id, &[], &[], &[])?;
        }
    }
    Ok(())
}

/// The symbols of a file and the edges that leave them.
fn rows_of<'a>(
    graph: &'a Graph,
    file: FileId,
    ids: &[i64],
    files: &[i64],
) -> (Vec<SymbolRow<'a>>, Vec<EdgeRow>) {
    let mut symbols = Vec::new();
    let mut edges = Vec::new();
    for at in graph.symbols_in(file) {
        let symbol = graph.symbol(at);
        symbols.push(SymbolRow {
            id: ids[at.0 as usize],
            kind: symbol.kind.name(),
            name: &symbol.name,
            qualified: &symbol.qualified,
            container: symbol.container.map(|container| ids[container.0 as usize]),
            line: symbol.name_line,
            lines: (symbol.lines.start, symbol.lines.end),
            signature: (symbol.signature.start, symbol.signature.end),
            doc: symbol.doc.map(|doc| (doc.start, doc.end)),
            name_span: (symbol.name_span.start, symbol.name_span.end),
            full: (symbol.full.start, symbol.full.end),
            visibility: visibility_name(symbol.visibility),
            flags: u8::from(symbol.test) | u8::from(symbol.without_body) << 1,
        });
        edges.extend(graph.outgoing(at).iter().map(|edge| EdgeRow {
            source: ids[edge.from.0 as usize],
            target: ids[edge.to.0 as usize],
            kind: edge.kind.name(),
            site: (edge.file != file).then(|| files[edge.file.0 as usize]),
            start: edge.site.start,
            end: edge.site.end,
            line: edge.line,
            col: edge.col,
            reason: edge.reason.name(),
            confidence: edge.confidence.0,
        }));
    }
    (symbols, edges)
}

/// The prepared statements that replace the rows of a file.
struct GraphWriter<'c> {
    remove_symbols: CachedStatement<'c>,
    remove_edges: CachedStatement<'c>,
    symbol: CachedStatement<'c>,
    edge: CachedStatement<'c>,
    digest: CachedStatement<'c>,
}

impl<'c> GraphWriter<'c> {
    fn new(tables: &'c Connection) -> Result<Self, StoreError> {
        Ok(GraphWriter {
            remove_symbols: tables.prepare_cached("DELETE FROM symbols WHERE file = ?1")?,
            remove_edges: tables.prepare_cached("DELETE FROM edges WHERE file = ?1")?,
            symbol: tables.prepare_cached(
                "INSERT INTO symbols VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,
                                             ?15, ?16, ?17, ?18, ?19, ?20)",
            )?,
            edge: tables.prepare_cached(
                "INSERT INTO edges VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?,
            digest: tables.prepare_cached("UPDATE files SET digest = ?2 WHERE id = ?1")?,
        })
    }

    fn put(
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
                row.name,
                row.qualified,
                row.container,
                row.line,
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
        for (place, row) in (0u32..).zip(edges) {
            self.edge.execute(params![
                file,
                place,
                row.source,
                row.target,
                row.kind,
                row.site,
                row.start,
                row.end,
                row.line,
                row.col,
                row.reason,
                row.confidence,
            ])?;
        }
        self.digest.execute(params![file, digest])?;
        Ok(())
    }
}
