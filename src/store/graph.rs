//! The graph read back whole, and the ids of its symbols.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use rayon::prelude::*;
use rusqlite::Row;

use super::names;
use super::rows;
use super::{Store, StoreError};
use crate::resolve::{Confidence, Edge, FileId, FileNode, Graph, Symbol, SymbolId};
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

/// The lasting ids of a graph's symbols: from path, qualified name, kind and the place among equals.
pub(super) fn symbol_ids(graph: &Graph) -> Vec<i64> {
    let files: Vec<FileId> = graph.file_ids().collect();
    files.into_par_iter().flat_map_iter(|file| ids_in(graph, file)).collect()
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
        let symbols = self.symbols(files.len(), &numbers, &mut ids)?;
        let edges = self.edges(&numbers, &ids)?;
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
                language: row.get(4)?,
                test: row.get(5)?,
                generated: row.get(6)?,
            });
        }
        Ok((files, numbers))
    }

    fn symbols(
        &self,
        files: usize,
        numbers: &IdMap<FileId>,
        ids: &mut IdMap<SymbolId>,
    ) -> Result<Vec<Symbol>, StoreError> {
        // Rows come by the database's number of the file; the graph wants them by path.
        let mut by_file: Vec<Vec<(i64, Option<i64>, Symbol)>> = Vec::new();
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
            by_file[file.0 as usize].push((row.get(2)?, row.get(6)?, symbol(row, file)?));
        }
        let mut symbols = Vec::new();
        let mut containers = Vec::new();
        for (id, container, symbol) in by_file.into_iter().flatten() {
            ids.insert(id, SymbolId(symbols.len() as u32));
            containers.push(container);
            symbols.push(symbol);
        }
        for (symbol, container) in symbols.iter_mut().zip(containers) {
            symbol.container = container.map(|id| known(ids, id)).transpose()?;
        }
        Ok(symbols)
    }

    fn edges(&self, numbers: &IdMap<FileId>, ids: &IdMap<SymbolId>) -> Result<Vec<Edge>, StoreError> {
        let mut edges = Vec::new();
        let mut statement = self.connection.prepare("SELECT * FROM edges ORDER BY file, place")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let site: Option<i64> = row.get(5)?;
            let number: i64 = row.get(0)?;
            let file = numbers
                .get(&site.unwrap_or(number))
                .ok_or_else(|| StoreError::Stale("an edge without a file".into()))?;
            edges.push(Edge {
                from: known(ids, row.get(2)?)?,
                to: known(ids, row.get(3)?)?,
                kind: names::edge_kind(text(row, 4)?)?,
                file: *file,
                site: span(row.get(6)?, row.get(7)?)?,
                line: row.get(8)?,
                col: row.get(9)?,
                reason: names::reason(text(row, 10)?)?,
                confidence: Confidence(row.get(11)?),
            });
        }
        Ok(edges)
    }
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
    let doc: (Option<u32>, Option<u32>) = (row.get(12)?, row.get(13)?);
    let flags: u8 = row.get(19)?;
    Ok(Symbol {
        file,
        kind: names::symbol_kind(text(row, 3)?)?,
        name: text(row, 4)?.into(),
        qualified: text(row, 5)?.into(),
        container: None,
        name_line: row.get(7)?,
        lines: lines(row.get(8)?, row.get(9)?)?,
        signature: lines(row.get(10)?, row.get(11)?)?,
        doc: match doc {
            (Some(start), Some(end)) => Some(lines(start, end)?),
            _ => None,
        },
        name_span: span(row.get(14)?, row.get(15)?)?,
        full: span(row.get(16)?, row.get(17)?)?,
        visibility: names::visibility(text(row, 18)?)?,
        test: flags & 1 != 0,
        without_body: flags & 2 != 0,
    })
}
