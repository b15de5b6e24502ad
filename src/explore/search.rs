//! The hits of a text search, each with the symbol that holds it.

use serde::Serialize;

use super::Note;
use crate::resolve::{FileId, Graph, SymbolKind};
use crate::text::RepoPath;

/// What a literal or regular expression was found in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchReport {
    pub pattern: String,
    /// By path and line; not all where there are too many.
    pub hits: Vec<SearchHit>,
    /// Matching lines and files in all.
    pub total: u32,
    pub files: u32,
    /// Files searched to their end and files in all, where the time ran out before all were.
    pub unfinished: Option<(u32, u32)>,
    pub notes: Vec<Note>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchHit {
    pub path: RepoPath,
    pub line: u32,
    /// The line without its line break.
    pub text: String,
    /// The innermost symbol around it.
    pub symbol: Option<(String, SymbolKind)>,
}

/// The innermost symbol that holds a line.
pub fn holder(graph: &Graph, file: FileId, line: u32) -> Option<(String, SymbolKind)> {
    let holding = graph.symbols_in(file).filter(|&id| {
        let symbol = graph.symbol(id);
        symbol.kind != SymbolKind::Module && symbol.lines.contains(line)
    });
    holding.last().map(|id| (graph.symbol(id).qualified.to_string(), graph.symbol(id).kind))
}
