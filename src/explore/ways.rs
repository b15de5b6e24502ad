//! Ways: the cheapest connections between anchors, strung together to the path of most value.
//!
//! From each anchor a search of bounded cost finds the anchors next to it; a beam then grows paths so that
//! what is visited outweighs what the way costs. Ties go to the smaller symbols, which is path and position.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::rc::Rc;

use super::anchors::Anchors;
use super::evidence::TERMS;
use super::hops::{Hops, Move};
use crate::resolve::SymbolId;

/// The most steps that a path has before some are elided.
const LONGEST: usize = 12;
/// Symbols visited on the way from one anchor.
const VISITS: usize = 300;
/// Partial paths kept per end.
const BEAM: usize = 3;
/// What a term of the query is still worth each time that a further step holds it.
const AGAIN: f32 = 0.9;
/// A step that nothing speaks for costs this on top of its hop.
const STRANGER: f32 = 0.2;

/// A path through anchors.
#[derive(Clone)]
pub(super) struct Found {
    /// All symbols on it, fields and types included, in order.
    pub nodes: Vec<SymbolId>,
    /// `moves[i]` leads from `nodes[i]` to `nodes[i + 1]`.
    pub moves: Vec<Move>,
    /// Steps among the nodes.
    steps: usize,
    pub tally: Tally,
    last: usize,
}

/// What a path has visited so far. Bit `n` of a set is anchor or name `n`.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    pub names: u128,
    /// What was visited is worth.
    pub gain: f32,
    /// The gain without what the way cost.
    value: f32,
    /// How many steps are named and were not on an earlier flow.
    pub fresh: u32,
    /// How many steps held each term.
    terms: [u8; TERMS],
    /// The latest name of the query that was visited.
    order: usize,
}

impl Tally {
    /// Visits an anchor: each name is worth something once, those in `taken` nothing.
    fn visit(&mut self, anchors: &Anchors, at: usize, taken: u128) {
        let anchor = &anchors.list[at];
        let mut gain = anchor.base;
        let mut order = None;
        for &(term, worth) in &anchor.terms {
            let seen = &mut self.terms[term];
            gain += worth * AGAIN.powi(i32::from(*seen));
            *seen = seen.saturating_add(1);
        }
        for &(name, worth) in &anchor.shares {
            let bit = 1u128 << name;
            if self.names & bit == 0 && taken & bit == 0 {
                gain += worth;
                order = Some(order.map_or(name, |old: usize| old.min(name)));
            }
            self.names |= bit;
        }
        // People write names in the order of the call.
        if let Some(order) = order {
            self.fresh += 1;
            self.value += if order >= self.order { 0.03 } else { -0.12 };
            self.order = self.order.max(order);
        }
        self.gain += gain;
        self.value += gain;
    }
}

/// The cheapest ways between anchors.
pub(super) struct Ways {
    /// For each anchor its ways to others, by anchor.
    to: Vec<Vec<Way>>,
}

/// The cheapest way to an anchor.
struct Way {
    to: usize,
    cost: f32,
    moves: Vec<Move>,
    /// Steps on it, the anchor included.
    steps: usize,
}

#[derive(PartialEq)]
struct Open {
    cost: f32,
    symbol: SymbolId,
}

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.symbol.cmp(&other.symbol))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ways {
    pub fn new(hops: &Hops<'_>, anchors: &Anchors) -> Self {
        let index: HashMap<SymbolId, usize> =
            anchors.list.iter().enumerate().map(|(at, anchor)| (anchor.symbol, at)).collect();
        let mut cache: HashMap<SymbolId, Rc<[Move]>> = HashMap::new();
        let mut to = Vec::new();
        for anchor in &anchors.list {
            to.push(Self::search(hops, anchors, &index, &mut cache, anchor.symbol));
        }
        Ways { to }
    }

    /// Dijkstra from one anchor that stops at each other anchor.
    fn search(
        hops: &Hops<'_>,
        anchors: &Anchors,
        index: &HashMap<SymbolId, usize>,
        cache: &mut HashMap<SymbolId, Rc<[Move]>>,
        start: SymbolId,
    ) -> Vec<Way> {
        let mut best: HashMap<SymbolId, (f32, Option<(SymbolId, Move)>)> = HashMap::new();
        let mut done: BTreeSet<SymbolId> = BTreeSet::new();
        let mut heap = BinaryHeap::new();
        let mut found = Vec::new();
        best.insert(start, (0.0, None));
        heap.push(Reverse(Open { cost: 0.0, symbol: start }));
        while let Some(Reverse(Open { cost, symbol })) = heap.pop() {
            if !done.insert(symbol) {
                continue;
            }
            if symbol != start
                && let Some(&at) = index.get(&symbol)
            {
                let mut moves = Vec::new();
                let mut back = symbol;
                while let Some((_, Some((from, step)))) = best.get(&back) {
                    moves.push(*step);
                    back = *from;
                }
                moves.reverse();
                let steps = moves.iter().filter(|m| hops.is_step(m.to)).count();
                found.push(Way { to: at, cost, moves, steps });
                continue;
            }
            if done.len() > VISITS {
                break;
            }
            let moves = cache
                .entry(symbol)
                .or_insert_with(|| hops.from(symbol, &|id| index.contains_key(&id)).into());
            for step in moves.iter() {
                let known = index.contains_key(&step.to) || !hops.is_step(step.to);
                let strange = if known {
                    0.0
                } else {
                    STRANGER * (1.0 - anchors.evidence.get(&step.to).copied().unwrap_or(0.0))
                };
                let next = cost + step.cost + strange;
                if next > anchors.reach || done.contains(&step.to) {
                    continue;
                }
                let better = best.get(&step.to).is_none_or(|(old, _)| next.total_cmp(old).is_lt());
                if better {
                    best.insert(step.to, (next, Some((symbol, *step))));
                    heap.push(Reverse(Open { cost: next, symbol: step.to }));
                }
            }
        }
        found.sort_by_key(|way| way.to);
        found
    }

    /// The path of most value whose steps are not on an earlier one.
    pub fn best(&self, anchors: &Anchors, taken: u128, seen: &BTreeSet<SymbolId>) -> Option<Found> {
        let mut beam: Vec<Found> = Vec::new();
        for (at, anchor) in anchors.list.iter().enumerate() {
            if seen.contains(&anchor.symbol) {
                continue;
            }
            let mut tally = Tally { names: 0, gain: 0.0, value: 0.0, fresh: 0, terms: [0; TERMS], order: 0 };
            tally.visit(anchors, at, taken);
            beam.push(Found { nodes: vec![anchor.symbol], moves: Vec::new(), steps: 1, tally, last: at });
        }
        let mut best: Option<Found> = None;
        while !beam.is_empty() {
            // (end, tally, index into the beam, way) of each longer path.
            let mut next: Vec<(usize, Tally, usize, &Way)> = Vec::new();
            for (from, state) in beam.iter().enumerate() {
                for way in &self.to[state.last] {
                    let clear = |id: &SymbolId| !state.nodes.contains(id) && !seen.contains(id);
                    if state.steps + way.steps > LONGEST || !way.moves.iter().all(|m| clear(&m.to)) {
                        continue;
                    }
                    let mut tally = state.tally;
                    tally.value -= way.cost;
                    tally.visit(anchors, way.to, taken);
                    next.push((way.to, tally, from, way));
                }
            }
            next.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.value.total_cmp(&a.1.value)).then(a.2.cmp(&b.2)));
            let mut kept = Vec::new();
            for same in next.chunk_by(|a, b| a.0 == b.0) {
                for &(last, tally, from, way) in same.iter().take(BEAM) {
                    let mut path = beam[from].clone();
                    path.nodes.extend(way.moves.iter().map(|m| m.to));
                    path.moves.extend_from_slice(&way.moves);
                    kept.push(Found { steps: path.steps + way.steps, tally, last, ..path });
                }
            }
            for state in &kept {
                let better = best.as_ref().is_none_or(|old| {
                    let by_value = state.tally.value.total_cmp(&old.tally.value);
                    by_value.then_with(|| old.nodes.cmp(&state.nodes)).is_gt()
                });
                if better {
                    best = Some(state.clone());
                }
            }
            beam = kept;
        }
        best
    }
}
