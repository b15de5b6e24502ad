//! Callers: where what is shown is called from, as windows around the calls.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::plan::Plan;
use super::skeleton;
use crate::resolve::{EdgeKind, SymbolId};

/// With more callers it is not told where something belongs, and with more yet where things meet.
const FEW: usize = 2;
const MANY: usize = 48;
/// A caller up to this is shown whole.
const SHORT: u32 = 24;
/// Lines behind a call: they use what it gives.
const BEHIND: u32 = 8;
/// Lines of one stage of callers, and of one that looks for where named things meet.
pub(super) const CALLERS: u32 = 40;
pub(super) const JOINING: u32 = 120;
/// A caller's calls that are shown.
const CALLS: usize = 4;

/// The lines of calls by the callable that holds them.
type Sites = BTreeMap<SymbolId, BTreeSet<u32>>;

impl Plan<'_> {
    /// Shows the calls of callables that only few call, in their order, where none of those is shown.
    pub fn callers(&mut self, of: &[SymbolId], most: u32) {
        let mut left = most;
        for &id in of {
            let Some(sites) = self.sites(id, FEW) else { continue };
            if !sites.keys().any(|&from| self.is_begun(from)) {
                for (from, lines) in sites {
                    self.calls(from, lines.into_iter().collect(), &mut left);
                }
            }
        }
    }

    /// Shows the calls of those that call callables of several groups, each on a line of its own: where they meet. No
    /// such place is in a type with several members in a group.
    pub fn joining(&mut self, groups: &[Vec<SymbolId>], most: u32) {
        let graph = self.graph;
        let mut found: BTreeMap<SymbolId, BTreeMap<usize, BTreeSet<u32>>> = BTreeMap::new();
        for (nth, group) in groups.iter().enumerate() {
            for sites in group.iter().filter_map(|&member| self.sites(member, MANY)) {
                for (from, lines) in sites {
                    found.entry(from).or_default().entry(nth).or_default().extend(lines);
                }
            }
        }
        let holder = |id: SymbolId| graph.symbol(id).container.filter(|&at| graph.symbol(at).kind.is_type());
        let several = groups.iter().filter(|group| group.len() > 1).flatten();
        let types: BTreeSet<SymbolId> = several.filter_map(|&id| holder(id)).collect();
        let inside = |id: SymbolId| holder(id).is_some_and(|holder| types.contains(&holder));
        let all =
            |own: &BTreeMap<usize, BTreeSet<u32>>| own.values().flatten().copied().collect::<BTreeSet<_>>();
        found.retain(|&id, own| own.len() > 1 && all(own).len() > 1 && !inside(id) && !self.is_begun(id));
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(id, own)| (Reverse(own.len()), graph.symbol(*id).lines.count(), *id));
        let mut left = most;
        for (from, own) in found {
            // A call of each group before more of one.
            let mut lines: Vec<u32> = own.values().filter_map(|lines| lines.first().copied()).collect();
            lines.extend(own.values().flatten());
            self.calls(from, lines, &mut left);
        }
    }

    /// The code declared in a type, in whatever file; tests left out.
    pub fn members_of(&self, owner: SymbolId) -> Vec<SymbolId> {
        let held = self.graph.outgoing(owner).iter().filter(|edge| edge.kind == EdgeKind::Contains);
        let mut members: Vec<SymbolId> = held
            .map(|edge| edge.to)
            .filter(|&id| self.graph.has_code(id) && !self.graph.is_test(id))
            .collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Where production code calls a callable or what it overrides, itself left out; `None` where more than `most` do.
    fn sites(&self, id: SymbolId, most: usize) -> Option<Sites> {
        let graph = self.graph;
        let over = graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Overrides);
        let mut sites = Sites::new();
        for to in std::iter::once(id).chain(over.map(|edge| edge.to)) {
            for edge in graph.incoming(to).filter(|edge| edge.kind == EdgeKind::Calls) {
                let from = graph.symbol(edge.from);
                let own = edge.file == from.file && graph.has_code(edge.from);
                if own && edge.from != id && !graph.is_test(edge.from) {
                    sites.entry(edge.from).or_default().insert(edge.line);
                }
                if sites.len() > most {
                    return None;
                }
            }
        }
        Some(sites)
    }

    /// Shows a caller by its calls, as many as there is room for.
    fn calls(&mut self, from: SymbolId, at: Vec<u32>, left: &mut u32) {
        let symbol = self.graph.symbol(from);
        if self.hands_on(from) || self.is_skeleton(symbol.file) || self.redundant(from).is_some() {
            return;
        }
        let mut lines = self.holders(from);
        if symbol.lines.count() <= SHORT {
            lines.extend(symbol.lines.start..=symbol.lines.end);
        } else {
            let sign = skeleton::signature(self.graph, from);
            lines.extend(sign.start..=sign.end);
            for (nth, site) in at.into_iter().take(CALLS).enumerate() {
                let mut more = lines.clone();
                more.extend(self.window(from, site, BEHIND));
                if nth == 0 || self.fresh(symbol.file, more.iter().copied()).len() as u32 <= *left {
                    lines = more;
                }
            }
        }
        let count = self.fresh(symbol.file, lines.iter().copied()).len() as u32;
        if count <= *left {
            *left -= count;
            self.add(from, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::Repository;
    use crate::explore::findings::Findings;
    use crate::explore::spine::Spine;
    use crate::explore::testing::{Memory, Sketch};
    use crate::resolve::EdgeKind::{Calls, Contains, Overrides};
    use crate::resolve::SymbolKind::{Class, Function, Method};

    fn shown(repo: &Memory, show: &dyn Fn(&mut Plan<'_>)) -> Vec<(String, Vec<u32>)> {
        let (findings, spine) = (Findings::default(), Spine::default());
        let mut plan = Plan::new(repo.graph(), &findings, &spine, true);
        show(&mut plan);
        let path = |file| repo.graph().file(file).path.to_string();
        plan.units.into_iter().map(|unit| (path(unit.file), unit.lines.into_iter().collect())).collect()
    }

    #[test]
    fn a_caller_is_shown_by_its_calls_where_few_call() {
        let sketch = Sketch::default()
            .file("src/a.py", &"x\n".repeat(100))
            .symbol(Function, "read", 1, 5)
            .symbol(Function, "long", 10, 60)
            .symbol(Function, "short", 70, 74)
            .edge("long", Calls, "read", 30);
        let of_read = |repo: &Memory| shown(repo, &|plan| plan.callers(&[repo.id("read")], CALLERS));
        let long: Vec<u32> = [10].into_iter().chain(26..=38).collect();
        assert_eq!(of_read(&sketch.clone().build()), [("src/a.py".to_owned(), long.clone())]);
        let two = sketch.clone().edge("short", Calls, "read", 71);
        let short: Vec<u32> = (70..=74).collect();
        assert_eq!(
            of_read(&two.clone().build()),
            [("src/a.py".to_owned(), long), ("src/a.py".to_owned(), short)]
        );
        // What many call says nothing of where it belongs.
        let third = two.symbol(Function, "third", 80, 84).edge("third", Calls, "read", 81).build();
        assert_eq!(of_read(&third), []);
        // Where a caller is shown, the others are not missed.
        let repo = sketch.edge("short", Calls, "read", 71).build();
        let show = |plan: &mut Plan<'_>| {
            plan.view(repo.id("short"));
            plan.callers(&[repo.id("read")], CALLERS);
        };
        assert_eq!(shown(&repo, &show).len(), 1);
    }

    #[test]
    fn named_types_meet_where_members_of_both_are_called() {
        let repo = Sketch::default()
            .file("src/kept.py", &"x\n".repeat(20))
            .symbol(Class, "Kept", 1, 10)
            .symbol(Method, "Kept.load", 2, 6)
            .file("src/sent.py", &"x\n".repeat(40))
            .symbol(Class, "Sender", 1, 5)
            .symbol(Method, "Sender.send", 2, 3)
            .symbol(Class, "Cookie", 11, 20)
            .symbol(Method, "Cookie.send", 12, 16)
            .edge("Kept", Contains, "Kept.load", 2)
            .edge("Cookie", Contains, "Cookie.send", 12)
            .edge("Cookie.send", Overrides, "Sender.send", 12)
            .file("src/meet.py", &"x\n".repeat(20))
            .symbol(Function, "both", 1, 6)
            .symbol(Function, "one", 10, 14)
            .edge("both", Calls, "Kept.load", 2)
            .edge("both", Calls, "Sender.send", 4)
            .edge("one", Calls, "Kept.load", 11)
            .build();
        let joining = |types: &[&str]| {
            shown(&repo, &|plan| {
                let members = types.iter().map(|name| plan.members_of(repo.id(name)));
                plan.joining(&members.collect::<Vec<_>>(), JOINING);
            })
        };
        let met = vec![("src/meet.py".to_owned(), (1..=6).collect::<Vec<u32>>())];
        assert_eq!(joining(&["Kept", "Cookie"]), met);
        assert_eq!(joining(&["Kept"]), []);
        // What one call means to both is no meeting.
        let base = ["Sender.send", "Cookie.send"].map(|name| vec![repo.id(name)]);
        assert_eq!(shown(&repo, &|plan| plan.joining(&base, JOINING)), []);
        // Functions meet likewise.
        let alone = ["Kept.load", "Sender.send"].map(|name| vec![repo.id(name)]);
        assert_eq!(shown(&repo, &|plan| plan.joining(&alone, JOINING)), met);
    }
}
