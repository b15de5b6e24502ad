//! Skeletons: the signature lines of a file or a type, bodies left out.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::resolve::{EdgeKind, FileId, Graph, SymbolId, SymbolKind};
use crate::text::LineRange;

/// Lines of one signature that are shown at most.
const SIGNATURE: u32 = 8;
/// Lines of signatures of one file that are shown whatever they belong to.
const MOST: usize = 40;
/// Functions of one file whose signatures are shown beside code.
const BESIDE: usize = 16;
/// Lines of a body that is shown with its signature.
const SHORT: u32 = 3;
/// What takes no more lines only hands on.
const ACCESSOR: u32 = 2;

/// The lines of a symbol's signature, past its decorators and annotations.
pub(super) fn signature(graph: &Graph, id: SymbolId) -> LineRange {
    let range = graph.symbol(id).signature;
    LineRange::new(range.start, range.end.min(range.start + SIGNATURE - 1))
}

/// The signatures of a file's types and callables, nested ones included, those inside of a callable not. Of a
/// file with more than `MOST` lines of them only `chosen`, each with its members, as far as there is room, of a type
/// with too many those first that `worth` says most for; the first lines of its types where nothing was chosen.
pub(super) fn of_file(
    graph: &Graph,
    file: FileId,
    chosen: &[SymbolId],
    worth: &dyn Fn(SymbolId) -> f32,
) -> BTreeSet<u32> {
    let module = graph.symbols_in(file).next();
    let outline: Vec<SymbolId> = graph.symbols_in(file).filter(|&id| outlined(graph, id, module)).collect();
    let whole: BTreeSet<u32> = outline.iter().flat_map(|&id| lines(graph, id)).collect();
    if whole.len() <= MOST {
        return whole;
    }
    let mut shown = BTreeSet::new();
    let types = outline.iter().copied().filter(|&id| graph.symbol(id).kind.is_type());
    let parts: Vec<SymbolId> = if chosen.is_empty() {
        types.collect()
    } else {
        let members = |&id: &SymbolId| {
            let mut members: Vec<SymbolId> = members(graph, id).collect();
            members.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
            std::iter::once(id).chain(members)
        };
        chosen.iter().flat_map(members).collect()
    };
    for part in parts {
        let room = MOST.saturating_sub(shown.len());
        shown.extend(lines(graph, part).take(room));
    }
    shown
}

/// Signatures of the functions of a file beside those whose signatures are among the `shown` lines, short ones
/// whole: those that call such a one or are called by it come first, then those of the same types, then those
/// that call most. Those that are `elided` are left out.
pub(super) fn beside(
    graph: &Graph,
    file: FileId,
    shown: &BTreeSet<u32>,
    elided: &BTreeSet<SymbolId>,
) -> BTreeSet<u32> {
    let module = graph.symbols_in(file).next();
    let functions = graph.symbols_in(file).filter(|&id| outlined(graph, id, module));
    let functions = functions.filter(|&id| graph.symbol(id).kind.is_callable() && !graph.symbol(id).test);
    let (told, others): (BTreeSet<_>, BTreeSet<_>) =
        functions.partition(|&id| shown.contains(&graph.symbol(id).name_line));
    let types: BTreeSet<SymbolId> = told.iter().filter_map(|&id| graph.symbol(id).container).collect();
    let place = |id: SymbolId| {
        let symbol = graph.symbol(id);
        let calls = || graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Calls);
        let mut callers = graph.incoming(id).filter(|edge| edge.kind == EdgeKind::Calls);
        let joined =
            calls().any(|edge| told.contains(&edge.to)) || callers.any(|edge| told.contains(&edge.from));
        let held = symbol.container.is_some_and(|holder| types.contains(&holder));
        (!joined, !held, Reverse(calls().count()), id)
    };
    let mut others: Vec<_> = others
        .into_iter()
        .filter(|&id| !graph.symbol(id).without_body && graph.symbol(id).lines.count() > ACCESSOR)
        .filter(|id| !elided.contains(id))
        .map(place)
        .collect();
    others.sort_unstable();
    let lines_of = |id: SymbolId| {
        let (sign, end) = (signature(graph, id), graph.symbol(id).lines.end);
        sign.start..=if end <= sign.end + SHORT { end } else { sign.end }
    };
    // Of functions of one name in one place one is enough.
    let name = |id: SymbolId| (graph.symbol(id).container, graph.symbol(id).name.as_str());
    let mut names: BTreeSet<_> = told.into_iter().map(name).collect();
    let others = others.into_iter().map(|(.., id)| id).filter(|&id| names.insert(name(id)));
    others.take(BESIDE).flat_map(lines_of).collect()
}

/// The signatures of a type and of its members.
pub(super) fn of_type(graph: &Graph, owner: SymbolId) -> BTreeSet<u32> {
    std::iter::once(owner).chain(members(graph, owner)).flat_map(|id| lines(graph, id)).collect()
}

/// The types and callables declared in a type.
fn members(graph: &Graph, owner: SymbolId) -> impl Iterator<Item = SymbolId> {
    let inside = graph.symbols_in(graph.symbol(owner).file);
    inside.filter(move |&id| graph.symbol(id).container == Some(owner) && outlined(graph, id, Some(owner)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Repository;
    use crate::explore::testing::{Memory, Sketch};
    use crate::resolve::EdgeKind::Calls;
    use crate::resolve::SymbolKind::{Class, Method};

    /// A file of two types with methods of three lines.
    fn two_types(first: u32, second: u32) -> Memory {
        let mut sketch = Sketch::default().file("src/types.py", &"x\n".repeat(400));
        let mut start = 1;
        for (name, methods) in [("First", first), ("Second", second)] {
            sketch = sketch.symbol(Class, name, start, start + 1 + methods * 3);
            for at in 0..methods {
                let line = start + 2 + at * 3;
                sketch = sketch.symbol(Method, &format!("{name}.run{at}"), line, line + 2);
            }
            start += 3 + methods * 3;
        }
        sketch.build()
    }

    #[test]
    fn of_a_large_file_what_was_chosen_is_shown() {
        let file = FileId(0);
        let small = two_types(10, 10);
        assert_eq!(of_file(small.graph(), file, &[], &|_| 0.0).len(), 22);
        let large = two_types(50, 20);
        let second = large.id("Second");
        let shown = of_file(large.graph(), file, &[second], &|_| 0.0);
        assert_eq!(shown.len(), 21);
        assert_eq!(shown, of_type(large.graph(), second));
        // Nothing chosen: the types alone.
        assert_eq!(of_file(large.graph(), file, &[], &|_| 0.0), BTreeSet::from([1, 154]));
        // A type that is too large by itself ends where the room does, and begins with what says most.
        let both = [large.id("First"), second];
        let last = |worth: &dyn Fn(SymbolId) -> f32| {
            let shown = of_file(large.graph(), file, &both, worth);
            assert_eq!(shown.len(), MOST);
            shown.last().copied()
        };
        assert_eq!(last(&|_| 0.0), Some(117));
        let told = large.id("First.run49");
        assert_eq!(last(&|id| if id == told { 1.0 } else { 0.0 }), Some(150));
    }

    #[test]
    fn beside_what_is_shown_stands_first_what_calls_it_or_is_called() {
        let sketch = |calls: &[(&str, &str)]| {
            let mut sketch = Sketch::default()
                .file("src/types.py", &"x\n".repeat(220))
                .symbol(Class, "First", 1, 200)
                .symbol(Method, "First.shown", 2, 5)
                .symbol(Method, "First.short", 6, 7);
            for at in 0..=BESIDE as u32 {
                sketch = sketch.symbol(Method, &format!("First.run{at}"), 8 + at * 6, 13 + at * 6);
            }
            sketch = sketch.symbol(Class, "Second", 201, 220).symbol(Method, "Second.far", 202, 205);
            for (from, to) in calls {
                sketch = sketch.edge(from, Calls, to, 203);
            }
            sketch.build()
        };
        let lines = |repo: &Memory| {
            beside(repo.graph(), FileId(0), &BTreeSet::from([1, 2, 3, 4, 5]), &BTreeSet::new())
        };
        // Those of the type that is shown, as far as there is room; no accessor.
        let own: BTreeSet<u32> = (0..BESIDE as u32).map(|at| 8 + at * 6).collect();
        assert_eq!(lines(&sketch(&[])), own);
        let caller = lines(&sketch(&[("Second.far", "First.shown")]));
        // With a body of three lines.
        assert!(caller.is_superset(&BTreeSet::from([202, 203, 204, 205])));
        assert_eq!(caller.len(), BESIDE + 3);
        assert!(lines(&sketch(&[("First.shown", "Second.far")])).contains(&202));
    }
}
