//! Symbols by name, as people write names: without regard to case, `_` and `-`.

use crate::resolve::{Graph, SymbolId};

/// Every symbol of a graph but modules and anonymous ones, by folded name. Made once for a graph.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    /// By (folded name, symbol).
    entries: Vec<(Box<str>, SymbolId)>,
}

impl NameIndex {
    pub fn new(graph: &Graph) -> Self {
        let mut entries: Vec<(Box<str>, SymbolId)> = graph
            .symbol_ids()
            .filter(|&id| graph.symbol(id).container.is_some() && !graph.symbol(id).name.starts_with('<'))
            .map(|id| (fold(&graph.symbol(id).name).into_boxed_str(), id))
            .collect();
        entries.sort();
        NameIndex { entries }
    }

    /// The symbols of a folded name, by path and position.
    pub fn find(&self, folded: &str) -> impl ExactSizeIterator<Item = SymbolId> + use<'_> {
        let start = self.entries.partition_point(|(name, _)| &**name < folded);
        let count = self.entries[start..].partition_point(|(name, _)| &**name == folded);
        self.entries[start..start + count].iter().map(|(_, id)| *id)
    }

    /// Each folded name once, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.chunk_by(|a, b| a.0 == b.0).map(|same| &*same[0].0)
    }
}

/// A name without case, `_` and `-`: `get_response`, `getResponse` and `GetResponse` are one.
pub fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_separators_do_not_matter() {
        assert_eq!(fold("get_response"), fold("GetResponse"));
        assert_ne!(fold("get_response"), fold("get_responses"));
    }
}
