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
const AGAIN: f32 = 0.7;
/// A step that nothing speaks for costs this on top of its hop.
const STRANGER: f32 = 0.2;

/// Where the query is a sentence each step costs this: words fit more than names do.
const STEP: f32 = 0.05;
/// And a flow that begins with what the sentence says is called is worth this more.
const BEGINS: f32 = 0.4;
/// But a flow does not begin with one of interchangeable siblings: what calls them comes before.
const SIBLING_BEGINS: f32 = 0.4;
/// And after one of them a second one is no further step.
const SIBLING_AGAIN: f32 = 0.3;
/// So sure is an anchor of a name that a flow may begin with it.
const NAMED: f32 = 0.3;

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
    /// The anchors on it, in order.
    visited: Vec<usize>,
}

impl Found {
    /// A path that has visited nothing.
    #[cfg(test)]
    pub fn through(nodes: Vec<SymbolId>, moves: Vec<Move>) -> Self {
        Found { steps: nodes.len(), nodes, moves, tally: Tally::default(), visited: Vec::new() }
    }

    fn last(&self) -> usize {
        self.visited[self.visited.len() - 1]
    }
}

/// What a path has visited so far. Bit `n` of a set is anchor or name `n`.
#[derive(Clone, Copy, Default)]
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
    /// Bit `n`: a step was in the file of rank `n`.
    files: u64,
}

impl Tally {
    /// Visits an anchor: each name is worth something once, those in `taken` nothing.
    fn visit(&mut self, anchors: &Anchors, at: usize, taken: u128) {
        let anchor = &anchors.list[at];
        let mut gain = anchor.base;
        let mut order = None;
        if let Some((rank, worth)) = anchor.file.filter(|file| file.0 < 64) {
            gain += if self.files & 1 << rank == 0 { worth } else { 0.0 };
            self.files |= 1 << rank;
        }
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

/// What the searches share: each symbol reached, its moves found once.
struct Net<'h> {
    hops: &'h Hops<'h>,
    anchors: &'h Anchors,
    nodes: Vec<Node>,
    /// Index into `nodes` by symbol.
    known: HashMap<SymbolId, u32>,
}

struct Node {
    symbol: SymbolId,
    anchor: Option<usize>,
    /// What stepping on it costs beside the hop.
    strange: f32,
    moves: Option<Rc<[(u32, Move)]>>,
}

impl<'h> Net<'h> {
    fn new(hops: &'h Hops<'h>, anchors: &'h Anchors) -> Self {
        let mut net = Net { hops, anchors, nodes: Vec::new(), known: HashMap::new() };
        for (at, anchor) in anchors.list.iter().enumerate() {
            net.known.insert(anchor.symbol, at as u32);
            let strange = hops.toll(anchor.symbol);
            net.nodes.push(Node { symbol: anchor.symbol, anchor: Some(at), strange, moves: None });
        }
        net
    }

    fn node(&mut self, symbol: SymbolId) -> u32 {
        let (next, hops, anchors) = (self.nodes.len() as u32, self.hops, self.anchors);
        let at = *self.known.entry(symbol).or_insert(next);
        if at == next {
            let seen = || anchors.evidence(symbol);
            let strange = if hops.is_step(symbol) { STRANGER * (1.0 - seen()) } else { 0.0 };
            let strange = strange + hops.toll(symbol);
            self.nodes.push(Node { symbol, anchor: None, strange, moves: None });
        }
        at
    }

    fn moves(&mut self, at: u32) -> Rc<[(u32, Move)]> {
        if let Some(moves) = &self.nodes[at as usize].moves {
            return moves.clone();
        }
        let anchors = self.anchors.list.len();
        let (known, hops, plain) = (&self.known, self.hops, self.anchors.plain());
        // A member runs because there is an instance only where something outside may call it.
        let wanted = |id: SymbolId| {
            known.get(&id).is_some_and(|&at| (at as usize) < anchors) && hops.called_from_outside(id)
        };
        let mut found = self.hops.from(self.nodes[at as usize].symbol, &wanted);
        found.retain(|step| !plain || !hops.mentions_a_type(step));
        let moves: Rc<[(u32, Move)]> = found.into_iter().map(|step| (self.node(step.to), step)).collect();
        self.nodes[at as usize].moves = Some(moves.clone());
        moves
    }
}

/// How a node was reached in one search; out of date where `search` is another's number.
#[derive(Clone, Copy, Default)]
struct Reached {
    search: u32,
    done: bool,
    cost: f32,
    /// The node before and the index of the move there.
    from: (u32, u32),
}

#[derive(PartialEq)]
struct Open {
    cost: f32,
    symbol: SymbolId,
    node: u32,
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
        let mut net = Net::new(hops, anchors);
        let mut reached: Vec<Reached> = Vec::new();
        let to = (0..anchors.list.len()).map(|at| Self::search(&mut net, &mut reached, at as u32)).collect();
        Ways { to }
    }

    /// Dijkstra from one anchor that stops at each other anchor.
    fn search(net: &mut Net<'_>, reached: &mut Vec<Reached>, start: u32) -> Vec<Way> {
        let search = start + 1;
        let mut heap = BinaryHeap::new();
        let mut found = Vec::new();
        let mut visits = 0;
        reached.resize(net.nodes.len().max(reached.len()), Reached::default());
        reached[start as usize] = Reached { search, ..Reached::default() };
        heap.push(Reverse(Open { cost: 0.0, symbol: net.nodes[start as usize].symbol, node: start }));
        while let Some(Reverse(Open { cost, node, .. })) = heap.pop() {
            if std::mem::replace(&mut reached[node as usize].done, true) {
                continue;
            }
            visits += 1;
            if node != start
                && let Some(to) = net.nodes[node as usize].anchor
            {
                let mut moves = Vec::new();
                let mut back = node;
                while back != start {
                    let (before, step) = reached[back as usize].from;
                    moves.push(net.moves(before)[step as usize].1);
                    back = before;
                }
                moves.reverse();
                let steps = moves.iter().filter(|m| net.hops.is_step(m.to)).count();
                found.push(Way { to, cost, moves, steps });
                continue;
            }
            if visits > VISITS {
                break;
            }
            let moves = net.moves(node);
            let (last, at) = reached[node as usize].from;
            let before = (node != start).then(|| net.moves(last)[at as usize].1);
            reached.resize(net.nodes.len(), Reached::default());
            for (nth, &(to, step)) in moves.iter().enumerate() {
                if !net.hops.goes_on(before.as_ref(), &step) {
                    continue;
                }
                let next = cost + step.cost + net.nodes[to as usize].strange;
                let old = &mut reached[to as usize];
                if old.search != search {
                    *old = Reached { search, done: false, cost: f32::INFINITY, from: (0, 0) };
                }
                if next > net.anchors.reach || old.done || next.total_cmp(&old.cost).is_ge() {
                    continue;
                }
                old.cost = next;
                old.from = (node, nth as u32);
                heap.push(Reverse(Open { cost: next, symbol: step.to, node: to }));
            }
        }
        found.sort_by_key(|way| way.to);
        found
    }

    /// The path of most value whose steps are not on an earlier one.
    pub fn best(
        &self,
        hops: &Hops<'_>,
        anchors: &Anchors,
        taken: u128,
        seen: &BTreeSet<SymbolId>,
    ) -> Option<Found> {
        let mut beam: Vec<Found> = Vec::new();
        for (at, anchor) in anchors.list.iter().enumerate() {
            if seen.contains(&anchor.symbol) || anchors.plain() && !hops.may_begin(anchor.symbol) {
                continue;
            }
            let mut tally = Tally::default();
            tally.visit(anchors, at, taken);
            if anchors.plain() && anchor.shares.iter().any(|share| share.1 >= NAMED) {
                tally.value += BEGINS;
            }
            if anchor.family.is_some() {
                tally.value -= SIBLING_BEGINS;
            }
            beam.push(Found {
                nodes: vec![anchor.symbol],
                moves: Vec::new(),
                steps: 1,
                tally,
                visited: vec![at],
            });
        }
        let mut best: Option<Found> = None;
        while !beam.is_empty() {
            // (end, tally, index into the beam, way) of each longer path.
            let mut next: Vec<(usize, Tally, usize, &Way)> = Vec::new();
            for (from, state) in beam.iter().enumerate() {
                for way in &self.to[state.last()] {
                    let clear = |id: &SymbolId| !state.nodes.contains(id) && !seen.contains(id);
                    let goes_on = hops.goes_on(state.moves.last(), &way.moves[0]);
                    if !goes_on
                        || state.steps + way.steps > LONGEST
                        || !way.moves.iter().all(|m| clear(&m.to))
                    {
                        continue;
                    }
                    let mut tally = state.tally;
                    tally.value -= way.cost + if anchors.plain() { STEP * way.steps as f32 } else { 0.0 };
                    let family = anchors.list[way.to].family;
                    let siblings = state
                        .visited
                        .iter()
                        .filter(|&&at| family.is_some() && anchors.list[at].family == family);
                    tally.value -= SIBLING_AGAIN * siblings.count() as f32;
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
                    path.visited.push(last);
                    kept.push(Found { steps: path.steps + way.steps, tally, ..path });
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
