//! Values: constants and the like, shown by the lines that tell them.

use super::plan::Plan;
use crate::resolve::{EdgeKind, SymbolId, SymbolKind};

/// Lines of a value that is shown with what reads it, and of all such.
const VALUE: u32 = 16;
const VALUES: u32 = 40;

impl Plan<'_> {
    /// What the lines that are shown of callables read: constants that are told in a few lines elsewhere.
    pub fn values(&mut self, of: &[SymbolId]) {
        let mut read: Vec<SymbolId> = Vec::new();
        for &id in of {
            let own = self.graph.symbol(id);
            let Some(planned) = self.planned.get(&own.file) else { continue };
            let reads = self.graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::References);
            let here = reads.filter(|edge| edge.file == own.file && planned.contains(&edge.line));
            let told = |&to: &SymbolId| self.is_constant(to) && self.is_short_value(to);
            read.extend(here.map(|edge| edge.to).filter(told));
        }
        let mut left = VALUES;
        for id in read {
            let lines = self.graph.symbol(id).lines.count();
            if !self.is_whole(id) && lines <= left && !self.is_helper(id) {
                left -= lines;
                self.view(id);
            }
        }
    }

    /// Whether a symbol is a value that takes a few lines: no local, and no field but a constant.
    pub fn is_short_value(&self, id: SymbolId) -> bool {
        let symbol = self.graph.symbol(id);
        let holder = symbol.container.map(|at| self.graph.symbol(at).kind);
        let value = match symbol.kind {
            SymbolKind::Constant => holder.is_some_and(|kind| !kind.is_callable()),
            SymbolKind::Variable | SymbolKind::Property | SymbolKind::Field => {
                holder == Some(SymbolKind::Module)
            }
            _ => false,
        };
        value && symbol.lines.count() <= VALUE && !self.graph.is_test(id)
    }

    /// Whether a value is a constant, by its kind or as constants are written.
    fn is_constant(&self, id: SymbolId) -> bool {
        let symbol = self.graph.symbol(id);
        symbol.kind == SymbolKind::Constant || !symbol.name.contains(char::is_lowercase)
    }
}
