//! Symbols by name, as people write names: without regard to case, `_` and `-`.

use rayon::prelude::*;
use smol_str::SmolStr;

use crate::resolve::{Graph, Symbol, SymbolId};

/// Every symbol of a graph but modules and anonymous ones, by folded name. Made once for a graph.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// By (folded name, symbol).
    entries: Vec<(SmolStr, SymbolId)>,
}

impl NameIndex {
    pub fn new(graph: &Graph) -> Self {
        let entry = |(at, symbol): (usize, &Symbol)| {
            let has_name = symbol.container.is_some() && !symbol.name.starts_with('<');
            has_name.then(|| {
                let folded: SmolStr = folded(&symbol.name).collect();
                (first_bytes(&folded), folded, SymbolId(at as u32))
            })
        };
        // Most names differ in their first bytes, which are compared as one number.
        let mut sorted: Vec<(u64, SmolStr, SymbolId)> =
            graph.symbols().par_iter().enumerate().filter_map(entry).collect();
        sorted.par_sort_unstable();
        let entries = sorted.into_iter().map(|(_, name, id)| (name, id)).collect();
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

/// A name without case, `_` and `-`: `get_response`, `getResponse` and `GetResponse` are one.
pub fn fold(name: &str) -> String {
    folded(name).collect()
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase)
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
    fn the_first_bytes_order_as_the_text_does() {
        let mut names = ["", "a", "a\0", "aa", "abcdefgh", "abcdefghi", "abcdefgi", "b", "ä"];
        assert!(names.is_sorted_by_key(|name| (first_bytes(name), name.to_string())));
        names.sort_by_key(|name| (first_bytes(name), name.to_string()));
        assert!(names.is_sorted());
    }
}
