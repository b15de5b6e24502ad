//! Skeletons: the signature lines of a file or a type, bodies left out.

use std::collections::BTreeSet;

use crate::resolve::{FileId, Graph, SymbolId, SymbolKind};
use crate::text::LineRange;

/// Lines of one signature that are shown at most.
const SIGNATURE: u32 = 8;

/// The lines of a symbol's signature, past its decorators and annotations.
pub(super) fn signature(graph: &Graph, id: SymbolId) -> LineRange {
    let range = graph.symbol(id).signature;
    LineRange::new(range.start, range.end.min(range.start + SIGNATURE - 1))
}

/// The signatures of a file's types and callables, nested ones included, those inside of a callable not.
pub(super) fn of_file(graph: &Graph, file: FileId) -> BTreeSet<u32> {
    let module = graph.symbols_in(file).next();
    graph.symbols_in(file).filter(|&id| outlined(graph, id, module)).flat_map(|id| lines(graph, id)).collect()
}

/// The signatures of a type and of its members.
pub(super) fn of_type(graph: &Graph, owner: SymbolId) -> BTreeSet<u32> {
    let symbol = graph.symbol(owner);
    let inside = graph.symbols_in(symbol.file).filter(|&id| {
        id == owner || graph.symbol(id).container == Some(owner) && outlined(graph, id, Some(owner))
    });
    inside.flat_map(|id| lines(graph, id)).collect()
}

fn lines(graph: &Graph, id: SymbolId) -> std::ops::RangeInclusive<u32> {
    let range = signature(graph, id);
    range.start..=range.end
}

fn outlined(graph: &Graph, id: SymbolId, top: Option<SymbolId>) -> bool {
    let symbol = graph.symbol(id);
    let told = symbol.kind.is_type() || symbol.kind.is_callable();
    let mut at = symbol.container;
    while let Some(holder) = at
        && Some(holder) != top
    {
        let kind = graph.symbol(holder).kind;
        if kind.is_callable() {
            return false;
        }
        at = graph.symbol(holder).container;
    }
    told && symbol.kind != SymbolKind::Module
}
