//! Depth: what is nested deeper than programs nest is left out and reported, so that no later step walks
//! outward without end.
//!
//! Resolution asks each definition, block and lambda round a use what a name means there; in text that does
//! nothing but nest, that takes the square of its length. Compilers stop at a few hundred levels.

use super::{captures::Manner, harvest::Harvest};
use crate::text::Span;

/// The most definitions, blocks and lambdas round anything that is kept.
pub const MAX_DEPTH: usize = 256;

impl Harvest {
    /// Leaves out what is nested too deeply, and reports where that is.
    pub(super) fn bound_depth(&mut self) {
        let deep = self.too_deep();
        if deep.is_empty() {
            return;
        }
        let kept = |at: u32| {
            let next = deep.partition_point(|span| span.end <= at);
            deep.get(next).is_none_or(|span| at < span.start)
        };
        self.drafts.retain(|draft| kept(draft.def.name_span.start) && kept(draft.def.full.start));
        self.bindings.retain(|draft| kept(draft.binding.name_span.start));
        self.refs.retain(|reference| kept(reference.span.start));
        self.imports.retain(|(at, _)| kept(*at));
        self.scopes.retain(|span| kept(span.start));
        self.outers.retain(|(at, _)| kept(*at));
        self.conditionals.retain(|span| kept(span.start));
        self.branches.retain(|(span, _)| kept(span.start));
        self.closed.retain(|span| kept(span.start));
        self.arms.retain(|arm| kept(arm.span.start));
        self.value_calls.retain(|(span, _)| kept(span.start));
        self.asked.retain(|(at, _)| kept(*at));
        self.inner_docs.retain(|span| kept(span.start));
        self.accessors.retain(|(span, ..)| kept(span.start));
        self.returns.retain(|(at, _)| kept(at.start));
        self.yields.retain(|(at, _)| kept(*at));
        self.errors.extend(deep);
    }

    /// The outermost spans that are too deep: ascending and disjoint.
    fn too_deep(&self) -> Vec<Span> {
        let defs = self.drafts.iter().filter(|draft| draft.manner == Manner::Definition);
        let lambdas = self.bindings.iter().filter(|draft| !draft.open);
        let mut spans: Vec<Span> = defs.map(|draft| draft.def.full).collect();
        spans.extend(lambdas.map(|draft| draft.binding.scope));
        spans.extend(&self.scopes);
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        spans.dedup();
        let mut around: Vec<u32> = Vec::new();
        let mut deep: Vec<Span> = Vec::new();
        for span in spans {
            if deep.last().is_some_and(|deep| span.start < deep.end) {
                continue;
            }
            while around.last().is_some_and(|&end| end <= span.start) {
                around.pop();
            }
            if around.len() < MAX_DEPTH {
                around.push(span.end);
            } else if !span.is_empty() {
                deep.push(span);
            }
        }
        deep
    }
}
