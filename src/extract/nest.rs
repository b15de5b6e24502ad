//! Nests: spans in pre-order, and which of them is around a place.

use crate::text::Span;

/// Spans that nest, in pre-order; answers which is the innermost round a place, for growing places.
pub(super) struct Nest<'s> {
    spans: &'s [Span],
    next: usize,
    around: Vec<usize>,
}

impl<'s> Nest<'s> {
    pub(super) fn new(spans: &'s [Span]) -> Self {
        Nest { spans, next: 0, around: Vec::new() }
    }

    /// The innermost span that holds `at`. Calls must not go back.
    pub(super) fn innermost(&mut self, at: u32) -> Option<usize> {
        while self.next < self.spans.len() && self.spans[self.next].start <= at {
            let span = self.spans[self.next];
            while self.around.last().is_some_and(|&top| self.spans[top].end <= span.start) {
                self.around.pop();
            }
            self.around.push(self.next);
            self.next += 1;
        }
        while self.around.last().is_some_and(|&top| self.spans[top].end <= at) {
            self.around.pop();
        }
        self.around.last().copied()
    }

    /// The innermost span that encloses another and is not it. Calls must not go back.
    pub fn innermost_around(&mut self, inner: Span) -> Option<usize> {
        self.innermost(inner.start);
        let outer = |&&at: &&usize| self.spans[at] != inner && self.spans[at].encloses(inner);
        self.around.iter().rev().find(outer).copied()
    }
}

/// The outer ones first.
pub(super) fn pre_order(span: Span) -> (u32, std::cmp::Reverse<u32>) {
    (span.start, std::cmp::Reverse(span.end))
}
