//! Branches: parts of statements that may not run, and what that says of the names bound in them.

use super::{Binding, Def, Import, facts, harvest::Harvest};
use crate::text::Span;

/// A branch, in the order of starts, the outer one first.
struct Branch {
    span: Span,
    /// The statement that the branch is one alternative of.
    of: Option<Span>,
    /// It ends by leaving the function.
    closed: bool,
}

impl Branch {
    /// How far behind the branch nothing sees what is bound in it.
    fn until(&self, scope: Span) -> u32 {
        match (self.closed, self.of) {
            (true, _) => scope.end,
            (false, Some(of)) => of.end,
            (false, None) => self.span.end,
        }
    }
}

pub(super) struct Branches(Vec<Branch>);

impl Branches {
    pub(super) fn new(harvest: &Harvest) -> Branches {
        let mut closed = harvest.closed.clone();
        closed.sort();
        let branch = |(span, of): &(Span, Option<Span>)| Branch {
            span: *span,
            of: *of,
            closed: closed.binary_search(span).is_ok(),
        };
        let mut all: Vec<Branch> = harvest.branches.iter().map(branch).collect();
        all.sort_by_key(|branch| {
            (branch.span.start, std::cmp::Reverse(branch.span.end), branch.of.is_none(), branch.of)
        });
        // Of two patterns for one branch the one that knows its statement counts.
        all.dedup_by_key(|branch| branch.span);
        Branches(all)
    }

    /// The branches of a scope round an offset, outermost first.
    fn around(&self, at: u32, scope: Span) -> impl DoubleEndedIterator<Item = &Branch> {
        let from = self.0.partition_point(|branch| branch.span.start < scope.start);
        let to = self.0.partition_point(|branch| branch.span.start <= at);
        self.0[from.min(to)..to].iter().filter(move |branch| branch.span.contains(at))
    }

    pub(super) fn innermost(&self, at: u32, scope: Span) -> Option<Span> {
        self.around(at, scope).next_back().map(|branch| branch.span)
    }

    /// Says where a binding of a scope may, and where it cannot, be what its name means.
    pub(super) fn place(&self, binding: &mut Binding, scope: Span) {
        for branch in self.around(binding.name_span.start, scope) {
            binding.branch = Some(branch.span);
            let end = branch.until(scope);
            if branch.span.end < end {
                binding.hidden.push(Span::new(branch.span.end, end));
            }
        }
    }

    /// The branches that hold definitions and imports, in order.
    pub(super) fn holding(&self, defs: &[Def], imports: &[Import]) -> Vec<facts::Branch> {
        let scope = |at: u32| defs[at as usize].full;
        let of_defs = defs.iter().filter_map(|def| Some((def.name_span.start, scope(def.container?))));
        let of_imports = imports.iter().map(|import| (import.span.start, scope(import.scope)));
        let mut found: Vec<facts::Branch> = of_defs
            .chain(of_imports)
            .flat_map(|(at, scope)| {
                let around = self.around(at, scope);
                around.map(move |branch| facts::Branch { span: branch.span, until: branch.until(scope) })
            })
            .collect();
        found.sort_by_key(|branch| (branch.span.start, std::cmp::Reverse(branch.span.end), branch.until));
        found.dedup_by_key(|branch| branch.span);
        found
    }
}
