//! The edges that a resolution takes over from the graph of before.

use super::{
    Edge, EdgeKind, FileId, Graph, SymbolId,
    carried::{Carried, Kept},
    relations::{Relation, Relations},
    symbols::Gid,
};

/// The edges taken over, in order.
#[derive(Default)]
pub(super) enum Taken<'t> {
    #[default]
    None,
    /// Those of the graph of before that have a place in the numbers of now.
    Renumbered(Renumbering<'t>),
    /// The same where the symbols of an edited file stand in another order.
    Sorted(Renumbering<'t>, Vec<Edge>),
}

/// What becomes of the edges of before.
pub(super) struct Renumbering<'t> {
    pub graph: &'t Graph,
    /// By old file: its number now.
    pub files: &'t [Option<FileId>],
    /// By old symbol: its number now.
    pub symbols: &'t [Option<SymbolId>],
    /// By file, whether its references are resolved anew.
    pub anew: &'t [bool],
    /// What relations are taken over; `None` where all are made anew.
    pub related: Option<Related<'t>>,
}

/// The relations that are what they were: between files that were not edited, written in such a file, where all that
/// is written there is what it was. Files have the numbers of before.
pub(super) struct Related<'t> {
    /// By file.
    edited: &'t [bool],
    /// By file, whether a relation that is written there is another one.
    differing: Vec<bool>,
}

impl<'t> Related<'t> {
    pub fn new(carried: &'t Carried<'_>, before: &Kept, relations: &[std::sync::Arc<Relations>]) -> Self {
        let mut differing = vec![false; carried.edited.len()];
        for (old, new) in before.relations.iter().zip(relations) {
            if !carried.is_again(old, new, |old, new| old.list == new.list) {
                for relation in old.list.iter().chain(&new.list) {
                    differing[before.layout.place(relation.written.gid()).0 as usize] = true;
                }
            }
        }
        Related { edited: &carried.edited, differing }
    }

    /// Whether the relations between two files that a third one says are those of before.
    fn stays(&self, from: usize, to: usize, written: usize) -> bool {
        !(self.edited[from] || self.edited[to] || self.differing[written])
    }
}

impl Renumbering<'_> {
    /// An edge of before under the numbers of now, where it is taken over.
    fn edge(&self, edge: &Edge) -> Option<Edge> {
        let file = self.files[edge.file.0 as usize]?;
        if self.anew[file.0 as usize] {
            return None;
        }
        let of = |symbol: SymbolId| self.graph.symbol(symbol).file;
        let is_taken = is_own(self.graph, edge)
            || is_relation(edge.kind) && {
                let [from, to, written] = [of(edge.from), of(edge.to), edge.file].map(|file| file.0 as usize);
                self.related.as_ref().is_some_and(|related| related.stays(from, to, written))
            };
        if !is_taken {
            return None;
        }
        let (from, to) = (self.symbols[edge.from.0 as usize]?, self.symbols[edge.to.0 as usize]?);
        Some(Edge { from, to, file, ..*edge })
    }

    fn edges(&self) -> impl Iterator<Item = Edge> {
        self.graph.edges().iter().filter_map(|edge| self.edge(edge))
    }
}

impl<'t> Taken<'t> {
    pub fn new(renumbering: Renumbering<'t>) -> Self {
        let Renumbering { symbols, files, .. } = &renumbering;
        if symbols.iter().flatten().is_sorted() && files.iter().flatten().is_sorted() {
            return Taken::Renumbered(renumbering);
        }
        let mut edges: Vec<Edge> = renumbering.edges().collect();
        edges.sort_by(Edge::order);
        Taken::Sorted(renumbering, edges)
    }

    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        let (from, sorted) = match self {
            Taken::None => (None, &[][..]),
            Taken::Renumbered(renumbering) => (Some(renumbering), renumbering.graph.edges()),
            Taken::Sorted(_, edges) => (None, edges.as_slice()),
        };
        sorted.iter().filter_map(move |edge| match from {
            Some(renumbering) => renumbering.edge(edge),
            None => Some(*edge),
        })
    }

    /// Whether the edge of a relation of now is among them. `file` gives the file of a definition.
    pub fn holds(&self, file: impl Fn(Gid) -> usize, relation: &Relation) -> bool {
        let (Taken::Renumbered(renumbering) | Taken::Sorted(renumbering, _)) = self else { return false };
        let Some(related) = &renumbering.related else { return false };
        let written = file(relation.written.gid());
        !renumbering.anew[written] && related.stays(file(relation.from), file(relation.to), written)
    }
}

/// Whether an edge comes from the references, the imports or the definitions of the file where it stands.
pub(super) fn is_own(graph: &Graph, edge: &Edge) -> bool {
    match edge.kind {
        EdgeKind::Contains => graph.symbol(edge.from).file == edge.file,
        kind => is_of_file(kind),
    }
}

/// Whether edges of a kind come from a file's references and imports, and not from the tables.
pub(super) fn is_of_file(kind: EdgeKind) -> bool {
    match kind {
        EdgeKind::Calls
        | EdgeKind::Instantiates
        | EdgeKind::References
        | EdgeKind::Imports
        | EdgeKind::Decorates
        | EdgeKind::Fills
        | EdgeKind::Invokes => true,
        EdgeKind::Contains | EdgeKind::Extends | EdgeKind::Implements | EdgeKind::Overrides => false,
    }
}

/// Whether edges of a kind come from the tables, whatever files are resolved.
pub(super) fn is_relation(kind: EdgeKind) -> bool {
    !is_of_file(kind) && kind != EdgeKind::Contains
}
