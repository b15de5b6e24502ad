//! Callers: where what is shown is called from, as windows around the calls.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::plan::Plan;
use super::skeleton;
use crate::resolve::{EdgeKind, SymbolId};

/// What more call than these says nothing of where it belongs.
const FEW: usize = 2;
/// A caller up to this is shown whole.
const SHORT: u32 = 24;
/// Lines before and behind a call: what comes behind uses what it gives.
const BEFORE: u32 = 4;
const BEHIND: u32 = 8;
/// Lines of all callers of what is shown, and of all that call several of the named types.
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
            let sites = self.sites(id);
            if sites.len() <= FEW && !sites.keys().any(|&from| self.is_begun(from)) {
                self.calls(sites, &mut left);
            }
        }
    }

    /// Shows the calls of those that call callables of several groups: where they meet. What is in a group, or in a
    /// type with members in one, is no such place.
    pub fn joining(&mut self, groups: &[Vec<SymbolId>], most: u32) {
        let graph = self.graph;
        let mut found: BTreeMap<SymbolId, (BTreeSet<usize>, BTreeSet<u32>)> = BTreeMap::new();
        for (nth, group) in groups.iter().enumerate() {
            for &member in group {
                for (from, lines) in self.sites(member) {
                    let own = found.entry(from).or_default();
                    own.0.insert(nth);
                    own.1.extend(lines);
                }
            }
        }
        let holder = |id: SymbolId| graph.symbol(id).container.filter(|&at| graph.symbol(at).kind.is_type());
        let several = groups.iter().filter(|group| group.len() > 1).flatten();
        let types: BTreeSet<SymbolId> = several.filter_map(|&id| holder(id)).collect();
        let inside = |id: SymbolId| holder(id).is_some_and(|holder| types.contains(&holder));
        found.retain(|&id, own| own.0.len() > 1 && !inside(id) && !self.is_begun(id));
        let key = |(id, own): &(SymbolId, (BTreeSet<usize>, BTreeSet<u32>))| {
            (Reverse(own.0.len()), graph.symbol(*id).lines.count(), *id)
        };
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(key);
        let mut left = most;
        for (from, (_, lines)) in found {
            self.calls(Sites::from([(from, lines)]), &mut left);
        }
    }

    /// The callables declared in a type, tests left out.
    pub fn members_of(&self, owner: SymbolId) -> Vec<SymbolId> {
        let members = self.graph.symbols_in(self.graph.symbol(owner).file).filter(|&id| {
            let symbol = self.graph.symbol(id);
            symbol.container == Some(owner) && self.graph.has_code(id) && !symbol.test
        });
        members.collect()
    }

    /// Where production code calls a callable or what it overrides, itself left out.
    fn sites(&self, id: SymbolId) -> Sites {
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
            }
        }
        sites
    }

    /// Shows callers by their calls as far as there is room.
    fn calls(&mut self, sites: Sites, left: &mut u32) {
        for (from, at) in sites {
            let symbol = self.graph.symbol(from);
            if self.hands_on(from) || self.is_skeleton(symbol.file) || self.redundant(from).is_some() {
                continue;
            }
            let mut lines = self.holders(from);
            if symbol.lines.count() <= SHORT {
                lines.extend(symbol.lines.start..=symbol.lines.end);
            } else {
                let sign = skeleton::signature(self.graph, from);
                lines.extend(sign.start..=sign.end);
                for site in at.into_iter().take(CALLS) {
                    let around = site.saturating_sub(BEFORE)..=site + BEHIND;
                    lines.extend(around.filter(|&line| symbol.lines.contains(line)));
                }
            }
            let count = lines.len() as u32;
            if count <= *left {
                *left -= count;
                self.add(from, lines);
            }
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
    use crate::resolve::EdgeKind::{Calls, Overrides};
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
        // Functions meet likewise.
        let alone = ["Kept.load", "Sender.send"].map(|name| vec![repo.id(name)]);
        assert_eq!(shown(&repo, &|plan| plan.joining(&alone, JOINING)), met);
    }
}
