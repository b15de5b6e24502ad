//! Bindings: which of the values that a local name is given a use can see.

use super::{scopes::Want, world::World};
use crate::extract::{Binding, BindingKind, Def};

/// More values than this are not kept for one name.
const MAX_REACHING: usize = 8;

/// A name with more values than this in one scope is looked up by their order alone.
const LONG: usize = 64;

impl World<'_> {
    /// The binding that a name means, of all of the name: of the narrowest scope, and there the last one that
    /// reaches the use. Tests of its type count as such where `tested` says so.
    pub fn binding(
        &self,
        file: u32,
        all: &[u32],
        at: u32,
        within: &Def,
        want: Want,
        tested: bool,
    ) -> Option<u32> {
        let (best, narrowed) = self.bindings_at(file, all, at, within, want);
        narrowed.filter(|_| tested).or(best)
    }

    /// Whether anything in a file binds a name.
    pub fn is_bound(&self, file: u32, name: &str) -> bool {
        !self.bindings_of(file, name).is_empty()
    }

    /// The binding that a name means as it was assigned, of all of the name, and the test of its type that holds.
    pub fn bindings_at(
        &self,
        file: u32,
        all: &[u32],
        at: u32,
        within: &Def,
        want: Want,
    ) -> (Option<u32>, Option<u32>) {
        let none = (None, None);
        let Some(facts) = self.defs.facts(file) else { return none };
        let of = |at: u32| -> &Binding { &facts.bindings[at as usize] };
        let mut best: Option<u32> = None;
        let mut narrowed: Option<u32> = None;
        if want == Want::Type {
            return none;
        }
        let mut left = &all[..all.partition_point(|&index| of(index).scope.start <= at)];
        // From behind: the innermost scopes come first, and in each what stands last.
        while let Some((&index, before)) = left.split_last() {
            let binding = of(index);
            let start = binding.scope.start;
            if best.is_some_and(|best| start < of(best).scope.start.min(of(best).from)) {
                break;
            }
            left = before;
            if left.len() >= LONG && of(left[left.len() - LONG]).scope.start == start {
                let first = left.partition_point(|&index| of(index).scope.start < start);
                if binding.name_span.start > at {
                    // Does not reach the use, and neither is it the first.
                    let early = left[first..].partition_point(|&index| of(index).name_span.start <= at);
                    left = &left[..first + early.max(1)];
                    continue;
                }
                if best.is_some_and(|best| of(best).scope.start == start && of(best).reaches(at)) {
                    left = &left[..first];
                }
            }
            let receiver = binding.kind == BindingKind::Receiver;
            if receiver || !binding.scope.contains(at) || !within.full.encloses(binding.scope) {
                continue;
            }
            if binding.kind == BindingKind::Narrowed {
                // The later it begins, the narrower it is.
                narrowed = narrowed.or(Some(index));
                continue;
            }
            let Some(known) = best.map(of) else {
                best = Some(index);
                continue;
            };
            if binding.scope != known.scope {
                if known.scope.encloses(binding.scope) {
                    best = Some(index);
                }
                continue;
            }
            // Of one scope: the last that reaches the use; where none does, the first.
            let rank = |binding: &Binding| {
                let start = i64::from(binding.name_span.start);
                if binding.reaches(at) { (true, start) } else { (false, -start) }
            };
            if rank(binding) >= rank(known) {
                best = Some(index);
            }
        }
        // What is assigned after a test of the type is not what was tested; the name that a test itself binds is.
        let later = |narrowed: u32| {
            let tested = of(narrowed).name_span;
            best.is_none_or(|best| of(best).from <= tested.start || of(best).name_span == tested)
        };
        (best, narrowed.filter(|&narrowed| later(narrowed)))
    }

    /// A binding, and the ones before it that it leaves standing because it is in a branch.
    pub fn reaching(&self, file: u32, index: u32, at: u32) -> Vec<u32> {
        let mut found = vec![index];
        let Some(facts) = self.defs.facts(file) else { return found };
        let of = |at: u32| -> &Binding { &facts.bindings[at as usize] };
        let passed = |binding: &Binding| binding.branch.is_none_or(|branch| branch.contains(at));
        let mut last = of(index);
        if passed(last) {
            return found;
        }
        let same: Vec<u32> = self
            .bindings_of(file, &last.name)
            .iter()
            .copied()
            .filter(|&other| {
                let binding = of(other);
                binding.scope == last.scope
                    && binding.kind != BindingKind::Narrowed
                    && binding.name_span < last.name_span
                    && binding.reaches(at)
            })
            .collect();
        for &other in same.iter().rev() {
            if passed(last) || found.len() == MAX_REACHING {
                break;
            }
            last = of(other);
            found.push(other);
        }
        found
    }

    /// The receivers that lambdas put in scope at an offset, innermost first.
    pub fn receivers_at(&self, file: u32, at: u32) -> Vec<u32> {
        let Some(facts) = self.defs.facts(file) else { return Vec::new() };
        let all = self.bindings_of(file, "");
        let begun = all.partition_point(|&index| facts.bindings[index as usize].scope.start <= at);
        let mut found: Vec<u32> = all[..begun]
            .iter()
            .copied()
            .filter(|&index| {
                let binding = &facts.bindings[index as usize];
                binding.kind == BindingKind::Receiver && binding.scope.contains(at)
            })
            .collect();
        found.reverse();
        found
    }

    /// Whether the scope of a binding is inside a definition.
    pub fn is_within(&self, file: u32, index: u32, within: &Def) -> bool {
        let facts = self.defs.facts(file);
        facts.is_some_and(|facts| within.full.encloses(facts.bindings[index as usize].scope))
    }

    /// Those inside a definition.
    pub fn receivers(&self, file: u32, at: u32, within: &Def) -> Vec<u32> {
        let mut found = self.receivers_at(file, at);
        found.retain(|&index| self.is_within(file, index, within));
        found
    }
}
