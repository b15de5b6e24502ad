//! Evidence: what the query's words say for each symbol by itself, whatever file ranks first.
//!
//! A flow passes through files that no word of the question names; a step with words of the question in its
//! name, its type's name or its body is likelier to be on it than its neighbours.

use std::collections::BTreeMap;

use super::Repository;
use super::query::Query;
use super::rounds::word_forms;
use crate::lexical::Field;
use crate::resolve::SymbolId;

/// What speaks for one symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// The share of the query's weight that it holds, relative to the best symbol.
    pub score: f32,
    /// (term, its part of the score) for each term that it holds.
    pub terms: Vec<(usize, f32)>,
}

/// Terms that are looked at, the weightiest first.
pub(super) const TERMS: usize = 24;

/// The evidence for every symbol that holds a term of the query and that `allowed` lets pass.
pub(super) fn words(
    repo: &dyn Repository,
    query: &Query,
    allowed: &dyn Fn(SymbolId) -> bool,
) -> BTreeMap<SymbolId, Words> {
    let postings = repo.postings();
    let chunks = postings.chunks();
    let total = chunks.len().max(1) as f32;
    let mut terms: Vec<(f32, &str)> = query
        .terms
        .iter()
        .map(|term| {
            let found = postings.postings(&term.text).len();
            let rarity = (total / (found.max(1) as f32)).ln().max(0.1);
            (term.weight * rarity, term.text.as_str())
        })
        .collect();
    terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    terms.truncate(TERMS);
    let whole: f32 = terms.iter().map(|term| term.0).sum::<f32>().max(f32::MIN_POSITIVE);
    let mut out: BTreeMap<SymbolId, Words> = BTreeMap::new();
    for (nth, &(weight, term)) in terms.iter().enumerate() {
        let mut hits: BTreeMap<SymbolId, f32> = BTreeMap::new();
        let forms = word_forms(term).into_iter().map(|form| (form, 0.7));
        for (form, trust) in std::iter::once((term.to_owned(), 1.0)).chain(forms) {
            for posting in postings.postings(&form) {
                let Some(chunk) = chunks.get(posting.chunk.0 as usize) else { continue };
                let Some(symbol) = chunk.symbol else { continue };
                let has = |field: Field| f32::from(u8::from(posting.counts[field as usize] > 0));
                let body = f32::from(posting.counts[Field::Body as usize]);
                let long = 1.0 + chunk.lengths[Field::Body as usize] as f32 / 300.0;
                let hit = has(Field::Name)
                    + 0.6 * has(Field::Qualifier)
                    + 0.2 * has(Field::Stem)
                    + 0.1 * has(Field::Directory)
                    + 0.15 * has(Field::Comment)
                    + 0.5 * body / (body + long);
                let best = hits.entry(symbol).or_default();
                *best = best.max(hit.min(1.3) * trust);
            }
        }
        for (symbol, hit) in hits {
            if allowed(symbol) {
                let share = hit * weight / whole;
                let words = out.entry(symbol).or_default();
                words.score += share;
                words.terms.push((nth, share));
            }
        }
    }
    let best = out.values().map(|words| words.score).fold(f32::MIN_POSITIVE, f32::max);
    for words in out.values_mut() {
        words.score /= best;
        words.terms.iter_mut().for_each(|term| term.1 /= best);
    }
    out
}
