//! What the query names, and what belongs to it: its types' members, its values, and where they meet.

use std::collections::{BTreeMap, BTreeSet};

use super::called::CALLED_FROM_THERE;
use super::callers::{CALLERS, JOINING};
use super::findings::NamedSymbol;
use super::plan::{LONG, Plan, WHOLE};
use super::skeleton;
use crate::resolve::{EdgeKind, SymbolId};

/// Symbols of one name that are shown because they stand by the flow.
const NEAR: usize = 2;
/// A name that means more types says nothing of which.
const MEANT: usize = 3;
/// Lines of all members of the types that are named.
const MEMBERS: u32 = 400;

/// The stages of what is named.
impl Plan<'_> {
    pub fn named(&mut self) {
        for named in &self.findings.named {
            let meant = named.symbols.iter().copied();
            let callables: Vec<SymbolId> = meant.filter(|id| self.spine.named.contains(id)).collect();
            for id in callables {
                self.view(id);
            }
        }
        for named in &self.findings.named {
            let meant = named.symbols.iter().copied();
            let types: Vec<SymbolId> = meant.filter(|&id| self.graph.symbol(id).kind.is_type()).collect();
            if types.len() > MEANT {
                continue;
            }
            for id in types {
                let file = self.graph.symbol(id).file;
                let short = self.graph.symbol(id).lines.count() <= WHOLE;
                if short || self.is_skeleton(file) || self.redundant(id).is_some() {
                    self.view(id);
                } else {
                    let sign = skeleton::signature(self.graph, id);
                    self.add(id, (sign.start..=sign.end).collect());
                }
            }
        }
    }

    /// The values that the query names, by their lines.
    pub fn named_values(&mut self) {
        let clear = self.findings.named.iter().filter(|named| named.symbols.len() <= MEANT);
        let values: Vec<SymbolId> = clear.flat_map(|named| &named.symbols).copied().collect();
        for id in values {
            if self.is_short_value(id) {
                self.view(id);
            }
        }
    }

    /// Names of the query that nothing shown answers to: what stands by the flow under such a name, in a type
    /// that a step belongs to or that the query names as well, and what that calls under another.
    pub fn near(&mut self) -> Vec<SymbolId> {
        if !self.spine.exists() {
            return Vec::new();
        }
        let graph = self.graph;
        let mut types: BTreeSet<SymbolId> = BTreeSet::new();
        types.extend(self.spine.paths.iter().flatten().filter_map(|&id| graph.symbol(id).container));
        let named = self.findings.named.iter().flat_map(|named| &named.symbols);
        types.extend(named.filter(|&&id| graph.symbol(id).kind.is_type()));
        types.retain(|&id| graph.symbol(id).kind.is_type());
        let mut open: Vec<&NamedSymbol> = self.findings.named.iter().collect();
        let shown = |id: &SymbolId| self.spine.contains(*id) || self.spine.named.contains(id);
        open.retain(|named| !named.symbols.iter().any(shown));
        let mut near: Vec<SymbolId> = Vec::new();
        for _ in 0..2 {
            let called: BTreeSet<SymbolId> = near
                .iter()
                .flat_map(|&id| graph.outgoing(id))
                .filter(|edge| edge.kind == EdgeKind::Calls)
                .map(|edge| edge.to)
                .collect();
            open.retain(|named| {
                let is_near = |&&id: &&SymbolId| {
                    let symbol = graph.symbol(id);
                    let held = symbol.container.is_some_and(|container| types.contains(&container));
                    symbol.kind.is_callable() && !symbol.test && (held || called.contains(&id))
                };
                let before = near.len();
                near.extend(named.symbols.iter().filter(is_near).take(NEAR));
                near.len() == before
            });
        }
        for &id in &near {
            self.view(id);
        }
        near
    }

    /// Where what the query names meets, the other members of its types with what those call, and where the flow is
    /// called from.
    pub fn rest_of_named(&mut self, on_flow: &[SymbolId]) {
        let types = self.named_types();
        let mut meant: Vec<Vec<SymbolId>> = types.iter().map(|&owner| self.members_of(owner)).collect();
        let held: BTreeSet<SymbolId> = meant.iter().flatten().copied().collect();
        meant.extend(self.by_name(self.spine.named.difference(&held).copied()));
        self.joining(&meant, JOINING);
        let members = self.members(&types);
        self.callees(&members, &CALLED_FROM_THERE);
        self.callers(on_flow, CALLERS);
    }

    /// The types that the query names, as far as it can be told which are meant.
    fn named_types(&self) -> Vec<SymbolId> {
        let clear = self.findings.named.iter().filter(|named| named.symbols.len() <= MEANT);
        let types = clear.flat_map(|named| &named.symbols).copied();
        let types = types.filter(|&id| self.graph.symbol(id).kind.is_type() && !self.graph.is_test(id));
        let mut seen = BTreeSet::new();
        types.filter(|&id| seen.insert(id)).collect()
    }

    /// The members of the types that the query names, those first that it speaks of.
    fn members(&mut self, types: &[SymbolId]) -> Vec<SymbolId> {
        let mut members: Vec<SymbolId> = Vec::new();
        for &owner in types {
            if !self.is_skeleton(self.graph.symbol(owner).file) && self.redundant(owner).is_none() {
                members.extend(self.members_of(owner));
            }
        }
        members.sort_by(|&a, &b| self.evidence(b).total_cmp(&self.evidence(a)).then(a.cmp(&b)));
        members.retain(|&id| self.graph.symbol(id).lines.count() <= LONG && !self.hands_on(id));
        let mut left = MEMBERS;
        members.retain(|&id| {
            let lines = self.graph.symbol(id).lines.count();
            let fits = lines <= left && !self.is_one_more(id);
            if fits {
                left -= lines;
                self.view(id);
                self.long_body(id);
            }
            fits
        });
        members
    }

    /// Callables by their names, in order.
    pub fn by_name(&self, all: impl Iterator<Item = SymbolId>) -> Vec<Vec<SymbolId>> {
        let mut groups: BTreeMap<&str, Vec<SymbolId>> = BTreeMap::new();
        for id in all {
            groups.entry(&self.graph.symbol(id).name).or_default().push(id);
        }
        groups.into_values().collect()
    }
}
