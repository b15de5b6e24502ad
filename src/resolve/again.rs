//! One resolution after another: what an edit leaves as it was is taken over.
//!
//! Where the files and modules are those of before, the tables' entries are carried over ([`super::carried`]); else
//! the tables are built anew. A file's references are resolved anew where the file was edited, where an entry of
//! its own in the tables differs, or where something on its trail has changed. All other edges come from the graph
//! of before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Edge, FileId, Graph, ResolveInput, Symbol, SymbolId, SymbolKind,
    carried::{Carried, Kept},
    digests::{Difference, Digests},
    edges::{Made, file_tables, resolved, tables},
    module_answers,
    relations::Relations,
    surface,
    symbols::{Gid, Known, Symbols, symbols},
    taken::{Related, Renumbering, Taken, is_of_file, is_own, is_relation},
    trail::{Key, Keys},
};
use crate::{extract::FileFacts, text::RepoPath};

/// A graph, and what the next resolution needs to know of it.
#[derive(Clone)]
pub struct Resolution {
    pub graph: Arc<Graph>,
    pub(super) digests: Arc<Digests>,
    pub(super) kept: Kept,
    /// By file.
    pub(super) trails: Vec<Arc<[Key]>>,
    /// The number of files whose references were resolved, not taken over.
    pub resolved: usize,
    /// By file, whether its symbols or the edges that leave them may differ from those of the resolution before;
    /// `None` where those of any file may.
    pub differing: Option<Vec<bool>>,
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
    let touched: BTreeSet<&RepoPath> = edited.iter().map(|file| file.path).collect();
    let is_touched: Vec<bool> = inputs.iter().map(|input| touched.contains(&input.file.path)).collect();
    let files = files_before(inputs, &before.graph);
    let same_files = inputs.len() == before.graph.files().len() && files.iter().all(Option::is_some);
    let kept = |at: usize| files[at].filter(|_| !is_touched[at]);
    let made = file_tables(inputs, &|at| kept(at).map(|old| before.kept.files[old.0 as usize].clone()));
    let changed = edited.iter().map(|file| surface::changed(file.path, file.before, file.after));
    let mut keys = Keys::new(changed.flatten());
    tracing::debug!("edits compared");
    let carried = same_files.then(|| Carried::new(inputs, &before.kept, edited, &made)).flatten();
    let carried = carried.as_ref();
    let (tables, kinship) = tables(inputs, made, carried, &mut keys);
    let old = &before.kept;
    let same_kin = carried.is_some() && kinship.reused;
    let digests = Digests::new(&tables, same_kin.then_some(&*before.digests));
    tracing::debug!("digests made");
    // Modules that are carried over mean what they did.
    let mut difference = match carried {
        Some(_) => Difference::default(),
        None => module_answers::difference(old, &before.graph, &tables),
    };
    digests.since(&before.digests, &mut difference);
    keys.extend(difference.keys);
    let differs = |at: usize| difference.all || difference.files.contains(&tables.file(at as u32).key);
    let symbols = symbols(&tables, &|at| {
        let old = kept(at).filter(|_| !differs(at))?;
        let first = before.graph.symbols_in(old).next()?.0;
        Some(Known { list: before.graph.symbols_of(old), first })
    });
    tracing::debug!("symbols made");
    let affected = |at: usize| match kept(at) {
        Some(old) => differs(at) || keys.hit(&before.trails[old.0 as usize]),
        None => true,
    };
    let mut anew: Vec<bool> = (0..inputs.len()).map(affected).collect();
    let relation = |at: usize| {
        let known = carried.filter(|_| !differs(at));
        let held = known.and_then(|carried| carried.holding(&old.relations, at, &keys));
        held.unwrap_or_else(|| Arc::new(Relations::new(&tables, at as u32)))
    };
    let relations: Vec<Arc<Relations>> = (0..inputs.len()).into_par_iter().map(relation).collect();
    tracing::debug!("relations made");
    let matched = Old::new(&before.graph, &symbols, &files, &is_touched);
    matched.mark_lost(&before.graph, &mut anew);
    let taken = Taken::new(Renumbering {
        graph: &before.graph,
        files: &matched.files,
        symbols: &matched.symbols,
        anew: &anew,
        related: carried.map(|carried| Related::new(carried, old, &relations)),
    });
    tracing::debug!(
        changed = keys.len(),
        files = anew.iter().filter(|&&anew| anew).count(),
        carried = carried.is_some(),
        "resolving again"
    );
    // A type that is another one now has another number wherever an edge leads to it.
    let local = (0..inputs.len()).all(|at| is_touched[at] || !differs(at));
    let trails = |at: usize| files[at].map(|old| before.trails[old.0 as usize].clone());
    let made = Made { tables, kinship: Arc::new(kinship), symbols, digests, relations };
    let mut after = resolved(inputs, made, &anew, &taken, &trails);
    after.differing = local.then(|| {
        match carried {
            Some(carried) => mark_related(carried, &before.graph, &after, &mut anew),
            None => matched.mark_related(&before.graph, &after.graph, &mut anew),
        }
        anew
    });
    after
}

/// By file, its number before.
fn files_before(inputs: &[ResolveInput<'_>], graph: &Graph) -> Vec<Option<FileId>> {
    let mut old = graph.file_ids().peekable();
    let find = |input: &ResolveInput<'_>| {
        let path = &input.file.path;
        while old.next_if(|&at| graph.file(at).path < *path).is_some() {}
        old.next_if(|&at| graph.file(at).path == *path)
    };
    inputs.iter().map(find).collect()
}

/// Marks the files from which an edge that another file says leads and is another one, or stands elsewhere. `files`
/// are those that were resolved anew; they are those of before.
fn mark_related(carried: &Carried<'_>, before: &Graph, after: &Resolution, files: &mut [bool]) {
    let file = |gid: Gid| carried.before.layout.place(gid).0 as usize;
    let mut related: BTreeSet<usize> = BTreeSet::new();
    for (old, new) in carried.before.relations.iter().zip(&after.kept.relations) {
        let written = new.list.iter().filter(|relation| carried.edited[file(relation.written.gid())]);
        related.extend(written.map(|relation| file(relation.from)));
        if !carried.is_again(old, new, |old, new| old.list == new.list) {
            related.extend(old.list.iter().chain(&new.list).map(|relation| file(relation.from)));
        }
    }
    for graph in [before, &after.graph] {
        let anew = graph.edges().iter().filter(|edge| files[edge.file.0 as usize] && is_of_file(edge.kind));
        related.extend(anew.map(|edge| graph.symbol(edge.from).file.0 as usize));
    }
    related.into_iter().for_each(|file| files[file] = true);
}

/// The graph of before, seen from the new numbering.
struct Old {
    /// By old file: its number now.
    files: Vec<Option<FileId>>,
    /// By old symbol: its number now.
    symbols: Vec<Option<SymbolId>>,
}

impl Old {
    /// `files` are the numbers before of the files now.
    fn new(graph: &Graph, symbols: &Symbols, files: &[Option<FileId>], touched: &[bool]) -> Self {
        let mut old =
            Old { files: vec![None; graph.files().len()], symbols: vec![None; graph.symbols().len()] };
        for (at, before) in files.iter().enumerate() {
            let Some(before) = *before else { continue };
            old.files[before.0 as usize] = Some(FileId(at as u32));
            let start = symbols.starts[at];
            if touched[at] {
                let end = symbols.starts.get(at + 1).map_or(symbols.list.len(), |end| *end as usize);
                old.match_symbols(graph, before, &symbols.list[start as usize..end], start);
                continue;
            }
            for (now, id) in (start..).zip(graph.symbols_in(before)) {
                debug_assert_eq!(graph.symbol(id).name, symbols.list[now as usize].name);
                old.symbols[id.0 as usize] = Some(SymbolId(now));
            }
        }
        old
    }

    /// The symbols of an edited file, by their names and kinds and their place among equals.
    fn match_symbols(&mut self, graph: &Graph, before: FileId, list: &[Symbol], start: u32) {
        let mut known: BTreeMap<(&str, SymbolKind), Vec<SymbolId>> = BTreeMap::new();
        for id in graph.symbols_in(before) {
            let symbol = graph.symbol(id);
            known.entry((&symbol.qualified, symbol.kind)).or_default().push(id);
        }
        let mut places: BTreeMap<(&str, SymbolKind), usize> = BTreeMap::new();
        for (now, symbol) in (start..).zip(list) {
            let name = (&*symbol.qualified, symbol.kind);
            let place = places.entry(name).or_default();
            if let Some(&id) = known.get(&name).and_then(|ids| ids.get(*place)) {
                self.symbols[id.0 as usize] = Some(SymbolId(now));
            }
            *place += 1;
        }
    }

    /// Marks the files from which an edge that another file says, or the tables, leads and is not in both graphs.
    fn mark_related(&self, before: &Graph, after: &Graph, files: &mut [bool]) {
        let related = |graph: &Graph| -> Vec<Edge> {
            let all = graph.edges().iter().copied();
            all.filter(|edge| graph.symbol(edge.from).file != edge.file || is_relation(edge.kind)).collect()
        };
        let new = related(after);
        let mut old: Vec<Edge> = Vec::with_capacity(new.len());
        for edge in related(before) {
            let (from, to) = (self.symbols[edge.from.0 as usize], self.symbols[edge.to.0 as usize]);
            let file = self.files[edge.file.0 as usize];
            match (from, to, file) {
                (Some(from), Some(to), Some(file)) => old.push(Edge { from, to, file, ..edge }),
                (Some(from), ..) => files[after.symbol(from).file.0 as usize] = true,
                _ => {}
            }
        }
        old.sort_by(Edge::order);
        let (mut one, mut other) = (old.iter().peekable(), new.iter().peekable());
        loop {
            let odd = match (one.peek(), other.peek()) {
                (None, None) => return,
                (Some(a), Some(b)) if a == b => {
                    one.next();
                    other.next();
                    continue;
                }
                (Some(a), Some(b)) if Edge::order(a, b).is_lt() => one.next(),
                (Some(_), None) => one.next(),
                _ => other.next(),
            };
            odd.iter().for_each(|edge| files[after.symbol(edge.from).file.0 as usize] = true);
        }
    }

    /// Marks the files that say an edge of which an end is gone: they are to be resolved anew.
    fn mark_lost(&self, graph: &Graph, anew: &mut [bool]) {
        let gone = (0..).map(SymbolId).zip(&self.symbols).filter(|(_, now)| now.is_none());
        for (id, _) in gone {
            let edges = graph.incoming(id).chain(graph.outgoing(id)).filter(|edge| is_own(graph, edge));
            let said = edges.filter_map(|edge| self.files[edge.file.0 as usize]);
            said.for_each(|file| anew[file.0 as usize] = true);
        }
    }
}
