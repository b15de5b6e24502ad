//! One resolution after another: what an edit leaves as it was is taken over.
//!
//! The tables over all files are built anew each time; they are cheap. A file's references are resolved
//! anew where the file was edited, where an entry of its own in the tables differs, or where something on its
//! trail has changed. All other edges come from the graph of before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{
    Edge, EdgeKind, FileId, Graph, ResolveInput, SymbolId, SymbolKind,
    digests::Digests,
    edges::{Resolving, resolved},
    surface,
    trail::{FileKey, Key},
};
use crate::{extract::FileFacts, text::RepoPath};

/// A graph, and what the next resolution needs to know of it.
#[derive(Clone)]
pub struct Resolution {
    pub graph: Arc<Graph>,
    pub(super) digests: Arc<Digests>,
    /// By file.
    pub(super) trails: Vec<Arc<[Key]>>,
    /// The number of files whose references were resolved, not taken over.
    pub resolved: usize,
}

impl Resolution {
    /// The graph alone.
    pub fn into_graph(self) -> Graph {
        Arc::unwrap_or_clone(self.graph)
    }
}

/// A file that is not what it was.
#[derive(Clone, Copy, Debug)]
pub struct Edited<'a> {
    pub path: &'a RepoPath,
    /// What it said before; `None` where it was not there or said nothing.
    pub before: Option<&'a FileFacts>,
    pub after: Option<&'a FileFacts>,
}

/// Resolves all files after some were edited. The graph is the one that `resolve` makes of the same input.
pub fn resolve_again(inputs: &[ResolveInput<'_>], before: &Resolution, edited: &[Edited<'_>]) -> Resolution {
    let resolving = Resolving::new(inputs);
    let digests = Digests::new(&resolving.tables);
    let difference = digests.since(&before.digests);
    let mut keys: BTreeSet<Key> = difference.keys;
    for file in edited {
        keys.extend(surface::changed(file.path, file.before, file.after));
    }
    let old = Old::new(&before.graph, &resolving, edited);
    let touched: BTreeSet<&RepoPath> = edited.iter().map(|file| file.path).collect();
    let affected = |at: usize| {
        let path = &inputs[at].file.path;
        let trail = old.files[at].map(|old| &before.trails[old.0 as usize]);
        difference.all
            || touched.contains(path)
            || difference.files.contains(&FileKey::new(path))
            || trail.is_none_or(|trail| trail.iter().any(|key| keys.contains(key)))
    };
    let mut anew: Vec<bool> = (0..inputs.len()).map(affected).collect();
    let taken = old.edges(&before.graph, &mut anew);
    tracing::debug!(
        changed = keys.len(),
        files = anew.iter().filter(|&&anew| anew).count(),
        taken = taken.len(),
        "resolving again"
    );
    let trails = |at: usize| old.files[at].map(|old| before.trails[old.0 as usize].clone());
    resolved(resolving, digests, &anew, taken, &trails)
}

/// The graph of before, seen from the new numbering.
struct Old {
    /// By new file: its number before.
    files: Vec<Option<FileId>>,
    /// By old file: its number now.
    now: Vec<Option<FileId>>,
    /// By old symbol: its number now.
    symbols: Vec<Option<SymbolId>>,
}

impl Old {
    fn new(graph: &Graph, resolving: &Resolving<'_>, edited: &[Edited<'_>]) -> Self {
        let touched: BTreeSet<&str> = edited.iter().map(|file| file.path.as_str()).collect();
        let mut old = Old { files: Vec::new(), now: vec![None; graph.files().len()], symbols: Vec::new() };
        old.symbols.resize(graph.symbols().len(), None);
        let mut starts: BTreeMap<u32, u32> = BTreeMap::new();
        for (at, symbol) in resolving.symbols.list.iter().enumerate() {
            starts.entry(symbol.file.0).or_insert(at as u32);
        }
        for (at, input) in resolving.inputs.iter().enumerate() {
            let path = input.file.path.as_str();
            let Some(before) = graph.find_file(path) else {
                old.files.push(None);
                continue;
            };
            old.files.push(Some(before));
            old.now[before.0 as usize] = Some(FileId(at as u32));
            let Some(&start) = starts.get(&(at as u32)) else { continue };
            if touched.contains(path) {
                old.match_symbols(graph, before, resolving, start);
                continue;
            }
            for (offset, id) in graph.symbols_in(before).enumerate() {
                let now = SymbolId(start + offset as u32);
                debug_assert_eq!(graph.symbol(id).name, resolving.symbols.list[now.0 as usize].name);
                old.symbols[id.0 as usize] = Some(now);
            }
        }
        old
    }

    /// The symbols of an edited file, by their names and kinds and their place among equals.
    fn match_symbols(&mut self, graph: &Graph, before: FileId, resolving: &Resolving<'_>, start: u32) {
        let mut known: BTreeMap<(&str, SymbolKind), Vec<SymbolId>> = BTreeMap::new();
        for id in graph.symbols_in(before) {
            let symbol = graph.symbol(id);
            known.entry((&symbol.qualified, symbol.kind)).or_default().push(id);
        }
        let mut places: BTreeMap<(&str, SymbolKind), usize> = BTreeMap::new();
        let list = &resolving.symbols.list[start as usize..];
        let file = list.first().map(|symbol| symbol.file);
        for (offset, symbol) in list.iter().take_while(|symbol| Some(symbol.file) == file).enumerate() {
            let name = (symbol.qualified.as_str(), symbol.kind);
            let place = places.entry(name).or_default();
            if let Some(&id) = known.get(&name).and_then(|ids| ids.get(*place)) {
                self.symbols[id.0 as usize] = Some(SymbolId(start + offset as u32));
            }
            *place += 1;
        }
    }

    /// The edges of the files that are not resolved anew. A file of which an end is gone is.
    fn edges(&self, graph: &Graph, anew: &mut [bool]) -> Vec<Edge> {
        let mut taken: Vec<Edge> = Vec::with_capacity(graph.edges().len());
        let mut lost: BTreeSet<FileId> = BTreeSet::new();
        for edge in graph.edges() {
            let Some(file) = self.now[edge.file.0 as usize] else { continue };
            if anew[file.0 as usize] || !is_of_file(edge.kind) {
                continue;
            }
            let ends = (self.symbols[edge.from.0 as usize], self.symbols[edge.to.0 as usize]);
            let (Some(from), Some(to)) = ends else {
                lost.insert(file);
                continue;
            };
            taken.push(Edge { from, to, file, ..*edge });
        }
        if !lost.is_empty() {
            taken.retain(|edge| !lost.contains(&edge.file));
            lost.into_iter().for_each(|file| anew[file.0 as usize] = true);
        }
        taken
    }
}

/// Whether edges of a kind come from a file's references and imports, and not from the tables.
fn is_of_file(kind: EdgeKind) -> bool {
    match kind {
        EdgeKind::Calls
        | EdgeKind::Instantiates
        | EdgeKind::References
        | EdgeKind::Imports
        | EdgeKind::Decorates => true,
        EdgeKind::Contains | EdgeKind::Extends | EdgeKind::Implements | EdgeKind::Overrides => false,
    }
}
