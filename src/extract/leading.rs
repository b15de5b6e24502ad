//! `Leading`: doc comments, comments and attributes by position, to find what stands before a definition.

use crate::text::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeadingKind {
    Attribute,
    Doc,
    Comment,
}

/// What stands before (and, for annotations among modifiers, at the start of) definitions.
#[derive(Debug, Default)]
pub(super) struct Leading {
    /// By end; without their trailing line breaks.
    items: Vec<(Span, LeadingKind)>,
    /// A doc comment is one only where no empty line follows it.
    pub touching: bool,
}

/// What was found before one definition.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Before {
    /// The first attribute's start, or the definition's own.
    pub start: u32,
    pub doc: Option<Span>,
    pub attributes: Vec<Span>,
}

impl Leading {
    pub(super) fn add(&mut self, text: &str, span: Span, kind: LeadingKind) {
        let kept = span.of(text).trim_end().len() as u32;
        self.items.push((Span::new(span.start, span.start + kept), kind));
    }

    pub(super) fn merge(&mut self, other: Leading) {
        self.items.extend(other.items);
    }

    /// Puts the items in order; to be called once, before the questions.
    pub(super) fn settle(&mut self) {
        self.items.sort_by_key(|(span, kind)| (span.end, std::cmp::Reverse(span.start), *kind));
        self.items.dedup_by_key(|(span, _)| *span);
    }

    /// What stands right before `start`: only white space and comments may lie between.
    pub(super) fn before(&self, text: &str, start: u32) -> Before {
        let mut found = Before { start, ..Before::default() };
        let mut at = start;
        // A doc comment of several line comments grows upward while its lines touch.
        let mut growing = true;
        loop {
            let end = text.get(..at as usize).map_or(0, |before| before.trim_end().len()) as u32;
            let Ok(hit) = self.items.binary_search_by_key(&end, |(span, _)| span.end) else { break };
            let (span, kind) = self.items[hit];
            let gap = Span::new(span.end, at.max(span.end)).of(text);
            if self.touching && kind == LeadingKind::Doc && gap.matches('\n').count() > 1 {
                break;
            }
            match kind {
                LeadingKind::Attribute => {
                    found.attributes.push(span);
                    found.start = span.start;
                    growing = found.doc.is_none();
                }
                LeadingKind::Doc if growing => {
                    let end = found.doc.map_or(span.end, |doc| doc.end);
                    found.doc = Some(Span::new(span.start, end));
                }
                LeadingKind::Doc => break,
                LeadingKind::Comment => growing = found.doc.is_none(),
            }
            at = span.start;
        }
        found.attributes.reverse();
        found
    }

    /// The end of what stands before a place, comments and white space left out.
    pub(super) fn before_comments(&self, text: &str, start: u32) -> u32 {
        let mut at = start;
        loop {
            let end = text.get(..at as usize).map_or(0, |before| before.trim_end().len()) as u32;
            match self.items.binary_search_by_key(&end, |(span, _)| span.end) {
                Ok(hit) if self.items[hit].1 != LeadingKind::Attribute => at = self.items[hit].0.start,
                _ => return end,
            }
        }
    }

    /// The attributes inside `span`, in order.
    pub(super) fn attributes_in(&self, span: Span) -> impl Iterator<Item = Span> {
        let from = self.items.partition_point(|(item, _)| item.end <= span.start);
        self.items[from..]
            .iter()
            .take_while(move |(item, _)| item.end <= span.end)
            .filter(move |(item, kind)| *kind == LeadingKind::Attribute && span.encloses(*item))
            .map(|(item, _)| *item)
    }

    /// Where the text after attributes and comments begins that stand at the start of `span`.
    pub(super) fn after_attributes(&self, text: &str, span: Span) -> u32 {
        let mut at = span.start;
        loop {
            let rest = Span::new(at, span.end).of(text);
            let next = at + (rest.len() - rest.trim_start().len()) as u32;
            // Few items end within a definition's head; those that begin at `next` are among them.
            let from = self.items.partition_point(|(item, _)| item.end <= next);
            let item = self.items[from..]
                .iter()
                .take_while(|(item, _)| item.end <= span.end)
                .take(32)
                .find(|(item, _)| item.start == next);
            match item {
                Some((item, _)) if item.end < span.end => at = item.end,
                _ => return next,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docs_and_attributes_stand_before_a_definition() {
        let text = "/// a\n/// b\n#[x]\n// note\nfn f() {}\n";
        let mut leading = Leading::default();
        leading.add(text, Span::new(0, 6), LeadingKind::Doc);
        leading.add(text, Span::new(6, 12), LeadingKind::Doc);
        leading.add(text, Span::new(12, 16), LeadingKind::Attribute);
        leading.add(text, Span::new(17, 24), LeadingKind::Comment);
        leading.settle();
        let before = leading.before(text, 25);
        assert_eq!(before.start, 12);
        assert_eq!(before.doc, Some(Span::new(0, 11)));
        assert_eq!(before.attributes, [Span::new(12, 16)]);
        assert_eq!(leading.before(text, 12).doc, Some(Span::new(0, 11)));
    }
}
