//! What is called: the code behind the calls on lines that are shown, the most telling first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::plan::{LONG, Plan, WHOLE};
use crate::resolve::{Edge, EdgeKind, FileId, SymbolId};

/// How much is shown of what is called.
pub(super) struct Called {
    /// Lines of all callees.
    most: u32,
    /// Lines of one.
    longest: u32,
    /// What one must be worth.
    floor: f32,
}

/// What the flow calls, and what that calls.
pub(super) const CALLED: Called = Called { most: 160, longest: WHOLE, floor: 0.0 };
pub(super) const CALLED_FROM_THERE: Called = Called { most: 80, ..CALLED };
/// What of it the question speaks of.
pub(super) const SPOKEN_OF: Called = Called { most: 60, longest: WHOLE, floor: 0.8 };
/// What of it is short, and spoken of in the same file.
pub(super) const BESIDE: Called = Called { most: 40, longest: 30, floor: 0.6 };
/// What there may be room for at the end.
pub(super) const LEFT: Called = Called { most: 400, longest: LONG, floor: 0.0 };

/// What a callee in the file of a caller is worth beside its words.
const NEAR_BY: f32 = 0.3;
/// A declaration that more implement says nothing of what runs.
const BODIES: usize = 4;
/// A function with more callers is a helper.
const HELPER: usize = 12;
/// Lines behind the signature of a function that only hands on.
const HANDS_ON: u32 = 4;

impl Plan<'_> {
    /// Shows what the lines that are shown of `from` call: what the question speaks of and what is near first. Gives
    /// what is shown.
    pub fn callees(&mut self, from: &[SymbolId], reach: &Called) -> Vec<SymbolId> {
        let mut found: BTreeMap<SymbolId, (usize, u32)> = BTreeMap::new();
        for (nth, &id) in from.iter().enumerate() {
            let own = self.graph.symbol(id);
            let Some(planned) = self.planned.get(&own.file) else { continue };
            let calls = self.graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Calls);
            for edge in calls.filter(|edge| edge.file == own.file && planned.contains(&edge.line)) {
                if let Some(target) = self.body(edge.to) {
                    let symbol = self.graph.symbol(target);
                    let short = (2..=reach.longest).contains(&symbol.lines.count());
                    if short && symbol.kind.is_callable() && !symbol.test && !self.is_helper(target) {
                        let known = found.entry(target).or_insert((nth, edge.line));
                        *known = (nth, edge.line).min(*known);
                    }
                }
            }
        }
        let near: BTreeSet<FileId> = from.iter().map(|&id| self.graph.symbol(id).file).collect();
        let worth = |id: SymbolId| {
            let own = if near.contains(&self.graph.symbol(id).file) { NEAR_BY } else { 0.0 };
            self.evidence(id) + own
        };
        let mut order: Vec<(f32, (usize, u32), SymbolId)> = found
            .into_iter()
            .map(|(id, key)| (worth(id), key, id))
            .filter(|found| found.0 >= reach.floor)
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut left = reach.most;
        let mut viewed = Vec::new();
        for (.., id) in order {
            let lines = self.graph.symbol(id).lines.count();
            if !self.is_whole(id) && lines <= left && !self.is_one_more(id) {
                left -= lines;
                self.view(id);
                self.long_body(id);
                viewed.push(id);
            }
        }
        viewed
    }

    /// What runs where a callable is called: itself, or one of the few that a declaration stands for, where none of
    /// them is shown.
    fn body(&self, id: SymbolId) -> Option<SymbolId> {
        if !self.graph.symbol(id).without_body {
            return Some(id);
        }
        let over =
            self.graph.incoming(id).filter(|edge| edge.kind == EdgeKind::Overrides).map(|edge| edge.from);
        let over: BTreeSet<SymbolId> =
            over.filter(|&id| !self.graph.is_test(id) && !self.graph.symbol(id).without_body).collect();
        if over.len() > BODIES || over.iter().any(|&id| self.is_begun(id)) {
            return None;
        }
        // What refuses and what hands on is short.
        over.into_iter().max_by_key(|&id| (self.graph.symbol(id).lines.count(), Reverse(id)))
    }

    /// What the question says for a symbol, the best 1.
    pub fn evidence(&self, id: SymbolId) -> f32 {
        self.spine.evidence.get(id.0 as usize).copied().unwrap_or(0.0)
    }

    /// What everything calls, and a value that everything reads, is a helper.
    pub fn is_helper(&self, id: SymbolId) -> bool {
        let value = !self.graph.symbol(id).kind.is_callable();
        let uses = |edge: &&Edge| edge.kind == EdgeKind::Calls || value && edge.kind == EdgeKind::References;
        let mut users: BTreeSet<SymbolId> = BTreeSet::new();
        let mut all = self.graph.incoming(id).filter(uses).filter(|edge| !self.graph.is_test(edge.from));
        all.any(|edge| users.insert(edge.from) && users.len() > HELPER)
    }

    /// The callables of which something is shown.
    pub fn shown_callables(&self) -> Vec<SymbolId> {
        let shown = |id: &SymbolId| self.is_begun(*id) && self.graph.has_code(*id);
        let files =
            self.findings.files.iter().map(|file| file.0).filter(|file| self.planned.contains_key(file));
        files.flat_map(|file| self.graph.symbols_in(file)).filter(shown).collect()
    }

    /// The callables of which something is shown and that hold what was found, by rank.
    pub fn found_callables(&self) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = Vec::new();
        for range in &self.findings.ranges {
            let file = self.graph.find_file(range.path.as_str());
            let Some(id) = file.and_then(|file| self.holder(file, range.lines)) else { continue };
            if self.graph.has_code(id) && self.is_begun(id) && !found.contains(&id) {
                found.push(id);
            }
        }
        found
    }

    /// Whether a function is short and calls another of its name: it hands on what it is asked.
    pub fn hands_on(&self, id: SymbolId) -> bool {
        let own = self.graph.symbol(id);
        let same = |edge: &Edge| {
            edge.kind == EdgeKind::Calls && edge.to != id && self.graph.symbol(edge.to).name == own.name
        };
        let body = own.lines.end.saturating_sub(own.signature.end);
        own.kind.is_callable() && body <= HANDS_ON && self.graph.outgoing(id).iter().any(same)
    }
}
