//! Evidence: what the query's words say for each symbol by itself, whatever file ranks first.
//!
//! A flow passes through files that no word of the question names; a step with words of the question in its
//! name or its body is likelier to be on it than its neighbours, and so is one that stands between such.

use rayon::prelude::*;

use super::Repository;
use super::query::Query;
use super::rounds::word_forms;
use crate::lexical::Field;
use crate::resolve::{Edge, EdgeKind, Graph, SymbolId};

/// What the query's words say for each symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// By symbol: the share of the query's weight that it holds, the best symbol 1.
    own: Vec<f32>,
    /// By symbol: its share together with those of its neighbours.
    scores: Vec<f32>,
    /// Each term that a symbol holds with its part of the share, by term.
    held: Vec<Held>,
}

#[derive(Clone, Copy, Debug)]
struct Held {
    symbol: SymbolId,
    term: usize,
    share: f32,
}

/// Terms that are looked at, the weightiest first.
pub(super) const TERMS: usize = 24;

impl Words {
    /// The evidence for every symbol that holds a term of the query and that `allowed` lets pass.
    pub fn new(repo: &dyn Repository, query: &Query, allowed: &dyn Fn(SymbolId) -> bool) -> Self {
        let postings = repo.postings();
        let chunks = postings.chunks();
        let terms = weighty_terms(repo, query);
        let whole: f32 = terms.iter().map(|term| term.0).sum::<f32>().max(f32::MIN_POSITIVE);
        let symbols = repo.graph().symbol_ids().count();
        let mut words = Words { own: vec![0.0; symbols], scores: Vec::new(), held: Vec::new() };
        let hits = |hits: &mut Vec<f32>, &(_, text): &(f32, &str)| -> Vec<(SymbolId, f32)> {
            let mut hit: Vec<SymbolId> = Vec::new();
            let forms = word_forms(text).into_iter().map(|form| (form, 0.7));
            for (form, trust) in std::iter::once((text.to_owned(), 1.0)).chain(forms) {
                for posting in postings.postings(&form).iter() {
                    let Some(chunk) = chunks.get(posting.chunk.0 as usize) else { continue };
                    let Some(symbol) = chunk.symbol else { continue };
                    let has = |field: Field| f32::from(u8::from(posting.counts[field as usize] > 0));
                    let body = f32::from(posting.counts[Field::Body as usize]);
                    let long = 1.0 + chunk.lengths[Field::Body as usize] as f32 / 300.0;
                    let value = has(Field::Name)
                        + 0.6 * has(Field::Qualifier)
                        + 0.2 * has(Field::Stem)
                        + 0.1 * has(Field::Directory)
                        + 0.15 * has(Field::Comment)
                        + 0.5 * body / (body + long);
                    let best = &mut hits[symbol.0 as usize];
                    if *best == 0.0 {
                        hit.push(symbol);
                    }
                    *best = best.max(value.min(1.3) * trust);
                }
            }
            hit.into_iter().map(|symbol| (symbol, std::mem::take(&mut hits[symbol.0 as usize]))).collect()
        };
        let hits: Vec<_> = terms.par_iter().map_init(|| vec![0.0f32; symbols], hits).collect();
        for (term, (hits, (weight, _))) in hits.into_iter().zip(&terms).enumerate() {
            for (symbol, hit) in hits.into_iter().filter(|(symbol, _)| allowed(*symbol)) {
                let share = hit * weight / whole;
                words.own[symbol.0 as usize] += share;
                words.held.push(Held { symbol, term, share });
            }
        }
        let best = words.own.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        words.own.iter_mut().for_each(|share| *share /= best);
        words.held.iter_mut().for_each(|held| held.share /= best);
        words.scores = beside(repo.graph(), &words.own, allowed);
        words
    }

    /// The share of the query's weight that a symbol holds itself, the best symbol 1.
    pub fn own(&self, symbol: SymbolId) -> f32 {
        self.own.get(symbol.0 as usize).copied().unwrap_or(0.0)
    }

    /// What the words say for a symbol where it stands.
    pub fn score(&self, symbol: SymbolId) -> f32 {
        self.scores.get(symbol.0 as usize).copied().unwrap_or(0.0)
    }

    /// (term, its part of the share) for each term that a symbol holds, for some symbols in order.
    pub fn terms(&self, symbols: &[SymbolId]) -> Vec<Vec<(usize, f32)>> {
        let mut found = vec![Vec::new(); symbols.len()];
        for held in &self.held {
            if let Ok(at) = symbols.binary_search(&held.symbol) {
                found[at].push((held.term, held.share));
            }
        }
        found
    }

    /// Every symbol that holds a term, in order.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + use<'_> {
        let held = self.own.iter().enumerate().filter(|(_, share)| **share > 0.0);
        held.map(|(at, _)| SymbolId(at as u32))
    }
}

/// What stands beside a callable weighs against what it holds itself, of 1.
const BESIDE: f32 = 0.6;

/// Each symbol's score with those of its best caller and its best callee: a step of a flow stands between
/// others, whatever it is called.
fn beside(graph: &Graph, own: &[f32], allowed: &dyn Fn(SymbolId) -> bool) -> Vec<f32> {
    let steps = |id: SymbolId| graph.has_code(id) && allowed(id);
    let leads =
        |edge: &Edge| matches!(edge.kind, EdgeKind::Calls | EdgeKind::Overrides) && edge.to != edge.from;
    let mut callers = vec![0.0f32; own.len()];
    let mut callees = vec![0.0f32; own.len()];
    // Only those with a score of their own, and what stands beside them, have one.
    let mut scored: Vec<SymbolId> = Vec::new();
    for id in graph.symbol_ids().filter(|id| own[id.0 as usize] > 0.0) {
        let score = own[id.0 as usize];
        scored.push(id);
        if steps(id) {
            for edge in graph.outgoing(id).iter().filter(|edge| leads(edge)) {
                let above = &mut callers[edge.to.0 as usize];
                *above = above.max(score);
                scored.push(edge.to);
            }
        }
        for edge in graph.incoming(id).filter(|edge| leads(edge)) {
            let below = &mut callees[edge.from.0 as usize];
            *below = below.max(score);
            scored.push(edge.from);
        }
    }
    let mut scores = vec![0.0f32; own.len()];
    for id in scored {
        let at = id.0 as usize;
        let near = if steps(id) { 0.5 * (callers[at] + callees[at]) } else { own[at] };
        scores[at] = (1.0 - BESIDE) * own[at] + BESIDE * near;
    }
    scores
}

/// The weightiest terms of the query with their weights.
fn weighty_terms<'q>(repo: &dyn Repository, query: &'q Query) -> Vec<(f32, &'q str)> {
    let postings = repo.postings();
    let total = postings.chunks().len().max(1) as f32;
    let weigh = |term: &'q super::query::Term| {
        let found = postings.postings(&term.text).len();
        let rarity = (total / (found.max(1) as f32)).ln().max(0.1);
        (term.weight * rarity, term.text.as_str())
    };
    let mut terms: Vec<(f32, &str)> = query.terms.par_iter().map(weigh).collect();
    terms.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    terms.truncate(TERMS);
    terms
}
