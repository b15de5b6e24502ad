//! The graph read back whole, and the ids of its symbols.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use rusqlite::Row;

use super::names;
use super::rows;
use super::{Store, StoreError};
use crate::resolve::{Confidence, Edge, EdgeKind, FileId, FileNode, Graph, Reason, Symbol, SymbolId};
use crate::text::{LineRange, Span};

/// Ids are hashes already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_i64(&mut self, id: i64) {
        self.0 = id as u64;
    }
}

type IdMap<T> = HashMap<i64, T, BuildHasherDefault<Identity>>;

/// The lasting ids of a graph's symbols: from path, qualified name, kind and the place among equals. Those of a
/// file are worked out when the first is asked for.
pub(super) struct SymbolIds<'g> {
    graph: &'g Graph,
    files: Vec<OnceLock<Vec<i64>>>,
}

impl<'g> SymbolIds<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        SymbolIds { graph, files: graph.files().iter().map(|_| OnceLock::new()).collect() }
    }

    pub fn of(&self, symbol: SymbolId) -> i64 {
        let file = self.graph.symbol(symbol).file;
        let ids = self.files[file.0 as usize].get_or_init(|| ids_in(self.graph, file));
        let first = self.graph.symbols_in(file).next().map_or(0, |first| first.0);
        ids[(symbol.0 - first) as usize]
    }
}

fn ids_in(graph: &Graph, file: FileId) -> Vec<i64> {
    let path = graph.file(file).path.as_str();
    let mut equals: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let id = |symbol: &'_ Symbol, place: u32| {
        let mut hasher = blake3::Hasher::new();
        for part in [path, symbol.qualified.as_str(), symbol.kind.name()] {
            hasher.update(part.as_bytes()).update(&[0]);
        }
        hasher.update(&place.to_le_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        i64::from_le_bytes(first)
    };
    let each = graph.symbols_of(file).iter().map(|symbol| {
        let place = equals.entry((&symbol.qualified, symbol.kind.name())).or_insert(0);
        *place += 1;
        id(symbol, *place - 1)
    });
    each.collect()
}

impl Store {
    /// The graph of the last change.
    ///
    /// # Errors
    /// `Stale` where rows do not fit together.
    pub fn graph(&self) -> Result<Graph, StoreError> {
        let (files, numbers) = self.file_nodes()?;
        let mut ids: IdMap<SymbolId> = IdMap::default();
        let (symbols, mut edges) = self.symbols(files.len(), &numbers, &mut ids)?;
        self.edges(&numbers, (&symbols, &ids), &mut edges)?;
        Ok(Graph::new(files, symbols, edges))
    }

    /// The text files by path, and their numbers in the graph by their numbers in the database.
    fn file_nodes(&self) -> Result<(Vec<FileNode>, IdMap<FileId>), StoreError> {
        let mut files = Vec::new();
        let mut numbers = IdMap::default();
        let mut statement = self.connection.prepare(
            "SELECT id, path, hash, lines, language, test, generated FROM files
             WHERE skipped IS NULL ORDER BY path",
        )?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            numbers.insert(row.get(0)?, FileId(files.len() as u32));
            files.push(FileNode {
                path: rows::path(text(row, 1)?)?,
                hash: rows::hash(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?)?,
                lines: row.get(3)?,
                language: row.get_ref(4)?.as_str_or_null().map_err(rusqlite::Error::from)?.map(Into::into),
                test: row.get(5)?,
                generated: row.get(6)?,
            });
        }
        Ok((files, numbers))
    }

    /// The symbols, and the edges from what holds them.
    fn symbols(
        &self,
        files: usize,
        numbers: &IdMap<FileId>,
        ids: &mut IdMap<SymbolId>,
    ) -> Result<(Vec<Symbol>, Vec<Edge>), StoreError> {
        // Rows come by the database's number of the file; the graph wants them by path.
        let mut by_file: Vec<Vec<Stored>> = Vec::new();
        by_file.resize_with(files, Vec::new);
        let mut statement = self.connection.prepare("SELECT * FROM symbols ORDER BY file, place")?;
        let mut found = statement.query([])?;
        let mut last = (0, None);
        while let Some(row) = found.next()? {
            let number: i64 = row.get(0)?;
            if last.0 != number || last.1.is_none() {
                last = (number, numbers.get(&number).copied());
            }
            let Some(file) = last.1 else {
                return Err(StoreError::Stale("a symbol without a file".into()));
            };
            by_file[file.0 as usize].push(Stored {
                symbol: symbol(row, file)?,
                id: row.get(2)?,
                holder: row.get(6)?,
                elsewhere: row.get(7)?,
                col: row.get(9)?,
            });
        }
        let mut first = 0;
        for rows in &by_file {
            for (place, row) in (first..).zip(rows) {
                ids.insert(row.id, SymbolId(place));
            }
            first += rows.len() as u32;
        }
        let (mut symbols, mut edges) = (Vec::new(), Vec::new());
        for rows in by_file {
            let (first, count) = (symbols.len() as u32, rows.len() as u32);
            for row in rows {
                let container = match (row.holder, row.elsewhere) {
                    (Some(place), _) if place >= count => {
                        return Err(StoreError::Stale("a symbol in none".into()));
                    }
                    (Some(place), _) => Some(SymbolId(first + place)),
                    (None, Some(id)) => Some(known(ids, id)?),
                    (None, None) => None,
                };
                let symbol = Symbol { container, ..row.symbol };
                edges.extend(container.map(|from| Edge {
                    from,
                    to: SymbolId(symbols.len() as u32),
                    kind: EdgeKind::Contains,
                    file: symbol.file,
                    site: symbol.name_span,
                    line: symbol.name_line,
                    col: row.col,
                    reason: Reason::Declared,
                    confidence: Confidence(100),
                }));
                symbols.push(symbol);
            }
        }
        Ok((symbols, edges))
    }

    fn edges(
        &self,
        numbers: &IdMap<FileId>,
        (symbols, ids): (&[Symbol], &IdMap<SymbolId>),
        edges: &mut Vec<Edge>,
    ) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare("SELECT * FROM edges ORDER BY file, place")?;
        let mut found = statement.query([])?;
        // Rows of one file stand together.
        let mut last = (FileId(u32::MAX), 0);
        while let Some(row) = found.next()? {
            let (number, place, site): (i64, u32, Option<i64>) = (row.get(0)?, row.get(2)?, row.get(5)?);
            let file_of = |number: i64| {
                let file = numbers.get(&number).copied();
                file.ok_or_else(|| StoreError::Stale("an edge without a file".into()))
            };
            let file = file_of(number)?;
            if last.0 != file {
                last = (file, symbols.partition_point(|symbol| symbol.file < file) as u32);
            }
            let from = SymbolId(last.1.saturating_add(place));
            if symbols.get(from.0 as usize).is_none_or(|symbol| symbol.file != file) {
                return Err(StoreError::Stale("an edge from no symbol".into()));
            }
            let (start, length): (u32, u32) = (row.get(6)?, row.get(7)?);
            edges.push(Edge {
                from,
                to: known(ids, row.get(3)?)?,
                kind: names::edge_kind(row.get(4)?)?,
                file: site.map_or(Ok(file), file_of)?,
                site: span(start, start.saturating_add(length))?,
                line: row.get(8)?,
                col: row.get(9)?,
                reason: names::reason(row.get(10)?)?,
                confidence: Confidence(row.get(11)?),
            });
        }
        Ok(())
    }
}

/// A symbol on its way to its place.
struct Stored {
    symbol: Symbol,
    id: i64,
    holder: Option<u32>,
    elsewhere: Option<i64>,
    col: u32,
}

fn text<'r>(row: &'r Row<'_>, at: usize) -> Result<&'r str, StoreError> {
    Ok(row.get_ref(at)?.as_str().map_err(rusqlite::Error::from)?)
}

fn known(ids: &IdMap<SymbolId>, id: i64) -> Result<SymbolId, StoreError> {
    ids.get(&id).copied().ok_or_else(|| StoreError::Stale(format!("no symbol {id}")))
}

fn span(start: u32, end: u32) -> Result<Span, StoreError> {
    if start > end {
        return Err(StoreError::Stale("a span that ends before it starts".into()));
    }
    Ok(Span::new(start, end))
}

fn lines(start: u32, end: u32) -> Result<LineRange, StoreError> {
    if start == 0 || start > end {
        return Err(StoreError::Stale("lines that end before they start".into()));
    }
    Ok(LineRange::new(start, end))
}

fn symbol(row: &Row<'_>, file: FileId) -> Result<Symbol, StoreError> {
    let doc: (Option<u32>, Option<u32>) = (row.get(14)?, row.get(15)?);
    let flags: u8 = row.get(21)?;
    let (before, name) = (text(row, 4)?, text(row, 5)?);
    Ok(Symbol {
        file,
        kind: names::symbol_kind(row.get(3)?)?,
        name: name.into(),
        qualified: if before.is_empty() { name.into() } else { format!("{before}{name}").into() },
        container: None,
        name_line: row.get(8)?,
        lines: lines(row.get(10)?, row.get(11)?)?,
        signature: lines(row.get(12)?, row.get(13)?)?,
        doc: match doc {
            (Some(start), Some(end)) => Some(lines(start, end)?),
            _ => None,
        },
        name_span: span(row.get(16)?, row.get(17)?)?,
        full: span(row.get(18)?, row.get(19)?)?,
        visibility: names::visibility(row.get(20)?)?,
        test: flags & 1 != 0,
        without_body: flags & 2 != 0,
    })
}
