//! Query terms on the lines of a file: which line holds which, and where most stand together.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, Input};

use super::Source;
use super::bm25f::Evidence;
use crate::lexical::MAX_TERM_BYTES;
use crate::text::{LineRange, terms};

/// The height of the window in which words count as standing together.
pub const WINDOW: u32 = 8;

/// The terms of a query, ready to be found in text.
#[derive(Debug)]
pub struct TermFinder<'e> {
    by_text: HashMap<&'e str, u16>,
    /// By first byte: the lengths of the terms that begin with it, as bits. Most words are none of them.
    lengths: [u32; 256],
    /// Finds what may be a term: most words hold none. `None` where it cannot be built.
    candidates: Option<AhoCorasick>,
    /// By term: weight times rarity.
    gains: Vec<f32>,
}

impl<'e> TermFinder<'e> {
    pub fn new(evidence: &'e Evidence) -> Self {
        let by_text =
            evidence.terms.iter().enumerate().map(|(at, term)| (term.text.as_str(), at as u16)).collect();
        let mut lengths = [0; 256];
        for term in &evidence.terms {
            if let Some(&first) = term.text.as_bytes().first() {
                lengths[first as usize] |= length_bit(&term.text);
            }
        }
        let gains = evidence.terms.iter().map(|term| term.weight * term.file_idf).collect();
        // A term that no index has is not looked for: the automaton grows with the square of its length.
        let sought = |text: &&String| (1..=MAX_TERM_BYTES).contains(&text.len());
        let texts = evidence.terms.iter().map(|term| &term.text).filter(sought);
        let candidates = AhoCorasick::builder().ascii_case_insensitive(true).build(texts).ok();
        TermFinder { by_text, lengths, candidates, gains }
    }

    /// The parts of a line that hold all its terms of the query: the words in which one may be, or the line.
    fn likely<'l>(&'l self, line: &'l str) -> impl Iterator<Item = &'l str> {
        // What is no ASCII has other lower-case forms than the automaton knows.
        let candidates = self.candidates.as_ref().filter(|_| line.is_ascii());
        let bytes = line.as_bytes();
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mut at = 0;
        std::iter::from_fn(move || {
            let Some(candidates) = candidates else {
                let rest = line.get(at..).filter(|rest| !rest.is_empty())?;
                at = line.len();
                return Some(rest);
            };
            let found = candidates.find(Input::new(line).range(at..))?;
            let before = bytes[at..found.start()].iter().rposition(|byte| !is_word(byte));
            let start = before.map_or(at, |before| at + before + 1);
            let after = bytes[found.end()..].iter().position(|byte| !is_word(byte));
            at = after.map_or(line.len(), |after| found.end() + after);
            Some(&line[start..at])
        })
    }

    /// Reads a file once.
    pub fn read(&self, source: &Source) -> LineHits {
        let mut hits = Vec::new();
        let mut starts = vec![0u32];
        for line in 1..=source.lines.count() {
            let begin = hits.len();
            let mut hit = |term: &str| {
                let first = term.as_bytes().first().copied().unwrap_or_default();
                if self.lengths[first as usize] & length_bit(term) != 0
                    && let Some(&at) = self.by_text.get(term)
                {
                    hits.push(at);
                }
            };
            for part in self.likely(source.lines.text(&source.text, line)) {
                terms(part, &mut hit);
            }
            hits[begin..].sort_unstable();
            let mut kept = begin;
            for at in begin..hits.len() {
                if at == begin || hits[at] != hits[at - 1] {
                    hits[kept] = hits[at];
                    kept += 1;
                }
            }
            hits.truncate(kept);
            starts.push(hits.len() as u32);
        }
        LineHits { hits, starts }
    }

    /// The gain of the distinct terms on one line.
    pub fn line_gain(&self, lines: &LineHits, line: u32) -> f32 {
        lines.on(line).iter().map(|&at| self.gains[at as usize]).sum()
    }

    /// The window of at most `height` lines inside `range` whose distinct terms weigh most, the first of
    /// equals; and what they weigh.
    pub fn best_window(&self, lines: &LineHits, range: LineRange, height: u32) -> (LineRange, f32) {
        let mut counts = vec![0u32; self.gains.len()];
        let mut distinct: f64 = 0.0;
        let mut best = (LineRange::new(range.start, range.end.min(range.start + height - 1)), 0.0f64);
        for line in range.start..=range.end {
            for &at in lines.on(line) {
                if counts[at as usize] == 0 {
                    distinct += f64::from(self.gains[at as usize]);
                }
                counts[at as usize] += 1;
            }
            if line >= range.start + height {
                for &at in lines.on(line - height) {
                    counts[at as usize] -= 1;
                    if counts[at as usize] == 0 {
                        distinct -= f64::from(self.gains[at as usize]);
                    }
                }
            }
            // Sums that differ only by rounding are equal: the first window stays.
            if distinct > best.1 + 1e-6 {
                let start = (line + 1).saturating_sub(height).max(range.start);
                best = (LineRange::new(start, (start + height - 1).min(range.end)), distinct);
            }
        }
        (best.0, best.1 as f32)
    }
}

fn length_bit(term: &str) -> u32 {
    1 << term.len().min(31)
}

/// The distinct query terms on each line of one file.
#[derive(Debug, PartialEq)]
pub struct LineHits {
    hits: Vec<u16>,
    starts: Vec<u32>,
}

impl LineHits {
    /// The terms on a 1-based line, as indices into the evidence, ascending.
    pub fn on(&self, line: u32) -> &[u16] {
        &self.hits[self.starts[line as usize - 1] as usize..self.starts[line as usize] as usize]
    }

    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::query::Term;
    use crate::lexical::MemoryPostings;

    fn evidence(terms: &[&str]) -> Evidence {
        let term = |text: &&str| Term { text: (*text).to_owned(), weight: 1.0 };
        let terms: Vec<Term> = terms.iter().map(term).collect();
        Evidence::gather(&MemoryPostings::default(), 0, &terms, &[])
    }

    #[test]
    fn each_line_has_the_terms_that_its_words_have() {
        let wanted = ["http", "timeout", "größe", "wait_for", "id", "waitfor"];
        let text = "open_HTTPTimeout(id)\nvalid idle\n// GRÖSSE größe ID\nwaitFor(x); wait_for(y)\nno";
        let evidence = evidence(&wanted);
        let finder = TermFinder::new(&evidence);
        let hits = finder.read(&Source::new(text.into()));
        let on = |line| -> Vec<&str> { hits.on(line).iter().map(|&at| wanted[at as usize]).collect() };
        assert_eq!(on(1), ["http", "timeout", "id"]);
        // A term is a part of a word, not of a part.
        assert_eq!(on(2), [""; 0]);
        assert_eq!(on(3), ["größe", "id"]);
        assert_eq!(on(4), ["wait_for", "waitfor"]);
        assert_eq!(on(5), [""; 0]);
        // With the automaton or without it.
        let plain = TermFinder { candidates: None, ..finder }.read(&Source::new(text.into()));
        assert!((1..=5).all(|line| hits.on(line) == plain.on(line)));
    }

    #[test]
    fn without_terms_no_line_has_any() {
        let evidence = evidence(&[]);
        let hits = TermFinder::new(&evidence).read(&Source::new("a b\n".into()));
        assert!(hits.on(1).is_empty());
    }
}
