//! Symbols by name, as people write names: without regard to case, `_` and `-`.

use rayon::prelude::*;
use smol_str::SmolStr;

use crate::resolve::{FileId, FileNode, Graph, Symbol, SymbolId};

/// Every symbol of a graph but modules and anonymous ones, by folded name. Made once for a graph.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// By (folded name, symbol).
    entries: Vec<(SmolStr, SymbolId)>,
}

impl NameIndex {
    pub fn new(graph: &Graph) -> Self {
        let ids = (0..graph.symbols().len() as u32).into_par_iter().map(SymbolId);
        // Most names differ in their first bytes, which are compared as one number.
        let mut sorted: Vec<(u64, SmolStr, SymbolId)> = ids.filter_map(|id| entry(graph, id)).collect();
        sorted.par_sort_unstable();
        let entries = sorted.into_iter().map(|(_, name, id)| (name, id)).collect();
        NameIndex { entries }
    }

    /// The names of a graph that came after `before`, whose names these are. Only those of files that name other
    /// symbols than before are sorted.
    pub fn again(&self, before: &Graph, graph: &Graph) -> Self {
        let known = files_before(before, graph);
        let same = |file: &FileId| {
            let known = known[file.0 as usize].map(|known| before.symbols_of(known));
            known.is_some_and(|known| same_names(known, graph.symbols_of(*file)))
        };
        let is_same: Vec<bool> =
            (0..known.len() as u32).into_par_iter().map(|file| same(&FileId(file))).collect();
        // By symbol of before, its number now.
        let mut now: Vec<Option<SymbolId>> = vec![None; before.symbols().len()];
        let mut new: Vec<(SmolStr, SymbolId)> = Vec::new();
        for ((file, known), same) in graph.file_ids().zip(known).zip(is_same) {
            match known.filter(|_| same) {
                Some(known) => {
                    let pairs = before.symbols_in(known).zip(graph.symbols_in(file));
                    pairs.for_each(|(old, id)| now[old.0 as usize] = Some(id));
                }
                None => new.extend(
                    graph.symbols_in(file).filter_map(|id| entry(graph, id)).map(|(_, name, id)| (name, id)),
                ),
            }
        }
        new.sort_unstable();
        let kept = |(name, old): &(SmolStr, SymbolId)| Some((name.clone(), now[old.0 as usize]?));
        let mut entries = Vec::with_capacity(self.entries.len() + new.len());
        let mut rest = self.entries.as_slice();
        for (name, id) in new {
            let less = rest.partition_point(|(other, _)| *other < name);
            let before = |old: &SymbolId| now[old.0 as usize].is_none_or(|at| at < id);
            let same = rest[less..].iter().take_while(|(other, old)| *other == name && before(old));
            let (before, after) = rest.split_at(less + same.count());
            entries.extend(before.iter().filter_map(kept));
            entries.push((name, id));
            rest = after;
        }
        entries.extend(rest.iter().filter_map(kept));
        NameIndex { entries }
    }

    /// The symbols of a folded name, by path and position.
    pub fn find(&self, folded: &str) -> impl ExactSizeIterator<Item = SymbolId> + use<'_> {
        let start = self.entries.partition_point(|(name, _)| name.as_str() < folded);
        let count = self.entries[start..].partition_point(|(name, _)| name == folded);
        self.entries[start..start + count].iter().map(|(_, id)| *id)
    }

    /// Each folded name once, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.chunk_by(|a, b| a.0 == b.0).map(|same| same[0].0.as_str())
    }
}

/// The entry of a symbol, with the first bytes of its name; `None` where it has none.
fn entry(graph: &Graph, id: SymbolId) -> Option<(u64, SmolStr, SymbolId)> {
    let symbol = graph.symbol(id);
    has_name(symbol).then(|| {
        let folded = SmolStr::new(fold(&symbol.name));
        (first_bytes(&folded), folded, id)
    })
}

fn has_name(symbol: &Symbol) -> bool {
    symbol.container.is_some() && !symbol.name.starts_with('<')
}

/// Whether two lists of symbols have the same entries, one for one.
fn same_names(some: &[Symbol], others: &[Symbol]) -> bool {
    let same = |(one, other): (&Symbol, &Symbol)| one.name == other.name && has_name(one) == has_name(other);
    some.len() == others.len() && some.iter().zip(others).all(same)
}

/// By file of a graph, its number in the graph of before.
fn files_before(before: &Graph, graph: &Graph) -> Vec<Option<FileId>> {
    let mut old = before.file_ids().peekable();
    let find = |file: &FileNode| {
        while old.next_if(|&at| before.file(at).path < file.path).is_some() {}
        old.next_if(|&at| before.file(at).path == file.path)
    };
    graph.files().iter().map(find).collect()
}

/// A name without case, `_` and `-`: `get_response`, `getResponse` and `GetResponse` are one.
pub fn fold(name: &str) -> String {
    let is_part = |c: &char| !matches!(c, '_' | '-');
    if name.is_ascii() {
        return name.chars().filter(is_part).map(|c| c.to_ascii_lowercase()).collect();
    }
    name.chars().filter(is_part).flat_map(char::to_lowercase).collect()
}

/// Orders names as their text does, as far as it goes.
fn first_bytes(name: &str) -> u64 {
    let mut first = [0; 8];
    let length = name.len().min(8);
    first[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_separators_do_not_matter() {
        assert_eq!(fold("get_response"), fold("GetResponse"));
        assert_ne!(fold("get_response"), fold("get_responses"));
        assert_eq!(fold("Größe_neu"), fold("größeNeu"));
    }

    #[test]
    fn names_after_an_edit_are_those_of_the_whole_graph() {
        use crate::explore::Repository;
        use crate::explore::testing::Sketch;
        use crate::resolve::SymbolKind::{Class, Function};
        type File<'a> = (&'a str, &'a [(crate::resolve::SymbolKind, &'a str)]);
        let sketch = |files: &[File]| {
            let mut sketch = Sketch::default();
            for (path, symbols) in files {
                sketch = sketch.file(path, "a\nb\nc\nd\n");
                for (line, (kind, name)) in (1..).zip(*symbols) {
                    sketch = sketch.symbol(*kind, name, line, line);
                }
            }
            sketch.build()
        };
        let a: File = ("a.py", &[(Class, "Get_It"), (Function, "run"), (Function, "<anonymous>")]);
        let b: File = ("b.py", &[(Function, "run"), (Function, "getIt")]);
        let c: File = ("c.py", &[(Function, "Run"), (Function, "stop")]);
        let more: File = ("b.py", &[(Function, "again"), (Function, "run"), (Function, "Run")]);
        let less: File = ("b.py", &[(Function, "zoo")]);
        let states = [
            vec![a, b, c],
            vec![a, more, c],
            vec![a, less, c],
            vec![a, c],
            vec![b, c],
            vec![("0.py", b.1), c],
            vec![],
            vec![a, b, c],
        ];
        let mut before: Option<(crate::explore::testing::Memory, NameIndex)> = None;
        for files in states {
            let now = sketch(&files);
            let wanted = NameIndex::new(now.graph());
            if let Some((old, names)) = &before {
                assert_eq!(names.again(old.graph(), now.graph()).entries, wanted.entries, "{files:?}");
            }
            before = Some((now, wanted));
        }
    }

    #[test]
    fn the_first_bytes_order_as_the_text_does() {
        let mut names = ["", "a", "a\0", "aa", "abcdefgh", "abcdefghi", "abcdefgi", "b", "ä"];
        assert!(names.is_sorted_by_key(|name| (first_bytes(name), name.to_string())));
        names.sort_by_key(|name| (first_bytes(name), name.to_string()));
        assert!(names.is_sorted());
    }
}
