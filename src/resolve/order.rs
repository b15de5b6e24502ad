//! Order: which of the definitions and imports of one name in a scope stand at an offset, in languages
//! whose scopes run in the order of their text.

use super::{symbols::Gid, world::World};
use crate::{
    extract::{Branch, SymbolKind},
    text::Span,
};

/// From where a scope is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// From an offset that is reached when the scope's text runs; without one, later.
    Inside(Option<u32>),
    Outside,
}

/// What a scope says of a name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said {
    Def(Gid),
    /// An import of the file, by its index.
    Import(u32),
}

/// Definitions and imports of a name, definitions first.
pub(super) fn said(defs: &[Gid], imports: &[u32]) -> Vec<Said> {
    defs.iter().map(|&gid| Said::Def(gid)).chain(imports.iter().map(|&at| Said::Import(at))).collect()
}

/// One of several, and its place in the text.
struct Placed {
    said: Said,
    /// Where the name stands.
    at: u32,
    /// Where the name begins to mean it.
    from: u32,
    /// A value: assignments of one name are one definition, so that it has no single place.
    value: bool,
    /// The next one goes on with it.
    continued: bool,
}

/// Of what says a name again and again, so much counts on each side of the place that looks.
const MAX_STANDING: usize = 64;

/// The last ones before a place and the first ones after it.
fn window<T>(all: &[T], before: impl Fn(&T) -> bool) -> &[T] {
    let at = all.partition_point(before);
    &all[at.saturating_sub(MAX_STANDING)..all.len().min(at + MAX_STANDING)]
}

impl World<'_> {
    /// Of what a scope says of a name, what stands where it is looked at: the last before it, and what
    /// that leaves standing because it is in a branch. Later and from outside, at the end of the scope. Where
    /// nothing stands, everything. In the order of the text.
    pub fn standing(&self, scope: Gid, defs: &[Gid], imports: &[u32], view: View) -> Vec<Said> {
        let Some(facts) = self.defs.facts(self.defs.file(scope)) else { return Vec::new() };
        let at = match view {
            View::Inside(Some(at)) => at,
            View::Inside(None) | View::Outside => u32::MAX,
        };
        // Both are in the order of the text.
        let defs = window(defs, |&gid| self.defs.def(gid).name_span.start <= at);
        let imports = window(imports, |&index| facts.imports[index as usize].span.start <= at);
        let mut all: Vec<Placed> = said(defs, imports)
            .into_iter()
            .map(|said| match said {
                Said::Def(gid) => {
                    let def = self.defs.def(gid);
                    let value =
                        !def.kind.is_callable() && !def.kind.is_type() || def.kind == SymbolKind::TypeAlias;
                    let (at, from) = (def.name_span.start, def.full.end);
                    Placed { said, at, from, value, continued: def.traits.continued }
                }
                Said::Import(index) => {
                    let span = facts.imports[index as usize].span;
                    Placed { said, at: span.start, from: span.end, value: false, continued: false }
                }
            })
            .collect();
        all.sort_by_key(|placed| placed.at);
        let ends = self.branch_ends(self.defs.file(scope));
        let within = self.defs.def(scope).full;
        let around = |at: u32| branches(&facts.branches, ends, within, at);
        let reaches = |placed: &Placed| {
            let hidden = |branch: &Branch| (branch.span.end..branch.until).contains(&at);
            placed.from <= at && !around(placed.at).any(hidden)
        };
        let passed = |placed: &Placed| around(placed.at).all(|branch| branch.span.contains(at));
        let (mut kept, mut any) = (Vec::new(), false);
        // Whether what is before the last one kept may stand, too; else only what goes on with it.
        let (mut open, mut joined) = (true, true);
        for placed in all.iter().rev() {
            if !placed.value {
                if !reaches(placed) {
                    continue;
                }
                joined &= open || placed.continued;
                if !joined {
                    continue;
                }
                open &= !passed(placed);
                any = true;
            }
            kept.push(placed.said);
        }
        if !any {
            return all.iter().map(|placed| placed.said).collect();
        }
        kept.reverse();
        kept
    }
}

/// The branches of a scope round an offset. `ends` are those of the file's tables.
fn branches<'f>(
    all: &'f [Branch],
    ends: &'f [u32],
    scope: Span,
    at: u32,
) -> impl Iterator<Item = &'f Branch> {
    let end = all.partition_point(|branch| branch.span.start <= at);
    let near = (0..end).rev().take_while(move |&index| ends[index] > at);
    near.map(|index| &all[index])
        .filter(move |branch| branch.span.contains(at) && scope.encloses(branch.span))
}
