//! The spine: the call path that answers the question, drawn from hops that the graph can show.
//!
//! From each anchor the cheapest ways to the other anchors are searched; a beam then strings them together
//! so that what is visited outweighs what the way costs. What nothing connects stays apart: two half-flows
//! are two. All ties are broken by the symbols' order, which is path and position.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, BinaryHeap, HashMap};
use std::rc::Rc;

use super::anchors::Anchors;
use super::answer::{Flow, FlowStep, Hop, HopKind, Via};
use super::findings::Findings;
use super::hops::{Hops, Move, MoveKind};
use crate::resolve::{Graph, SymbolId};

/// The flows of an answer and what sizing needs to know of them.
#[derive(Debug, Default)]
pub(super) struct Spine {
    pub flows: Vec<Flow>,
    /// The steps of each flow, those elided included, in order.
    pub paths: Vec<Vec<SymbolId>>,
    /// Lines that hold a hop of the flow: (symbol that holds it, line).
    pub sites: Vec<(SymbolId, u32)>,
    /// Declarations that the flows dispatch through.
    pub dispatched: Vec<SymbolId>,
    /// The callables that the query names, as far as it can be told which are meant.
    pub named: BTreeSet<SymbolId>,
    /// The flow visits most of what the query names: it leads the citations.
    pub strong: bool,
}

impl Spine {
    pub fn contains(&self, id: SymbolId) -> bool {
        self.paths.iter().any(|path| path.contains(&id))
    }

    pub fn exists(&self) -> bool {
        !self.flows.is_empty()
    }
}

/// The most steps that a flow shows.
const SHOWN: usize = 8;
/// The most steps that a path has before some are elided.
const LONGEST: usize = 12;
/// Symbols visited on the way from one anchor.
const VISITS: usize = 300;
/// What a way between two anchors may cost.
const FARTHEST: f32 = 1.9;
/// Partial paths kept per end.
const BEAM: usize = 3;
/// A step that nothing speaks for costs this on top of its hop.
const STRANGER: f32 = 0.2;

pub(super) fn spine(graph: &Graph, findings: &Findings) -> Spine {
    let hops = Hops::new(graph, findings.wants_tests);
    let anchors = Anchors::new(graph, findings, &hops);
    let ways = Ways::new(&hops, &anchors);
    let mut spine = Spine::default();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
    for round in 0..3 {
        let Some(found) = ways.best(&anchors, &taken, &seen) else { break };
        let enough = if round == 0 {
            found.gain >= 0.8
        } else {
            // A further flow has to be about further names of the query.
            found.fresh >= 2 && found.gain >= 1.4
        };
        if !enough {
            break;
        }
        taken.extend(found.names.iter().copied());
        seen.extend(found.nodes.iter().copied());
        if round == 0 {
            let told = found.names.len();
            spine.strong = told >= 2 && told * 2 >= anchors.names;
        }
        add_flow(graph, &hops, &anchors, &found, &mut spine);
    }
    spine.named = resolved(&anchors, &spine);
    spine
}

/// Of the symbols a name can mean those on the spine are meant, else all that it clearly means.
fn resolved(anchors: &Anchors, spine: &Spine) -> BTreeSet<SymbolId> {
    let mut named = BTreeSet::new();
    for meant in &anchors.callables {
        let on: Vec<SymbolId> = meant.iter().copied().filter(|&id| spine.contains(id)).collect();
        if !on.is_empty() {
            named.extend(on);
        } else if meant.len() <= 3 {
            named.extend(meant.iter().copied());
        }
    }
    named
}

/// A path through anchors.
#[derive(Clone)]
struct Found {
    /// All symbols on it, fields and types included, in order.
    nodes: Vec<SymbolId>,
    /// `moves[i]` leads from `nodes[i]` to `nodes[i + 1]`.
    moves: Vec<Move>,
    visited: u128,
    names: BTreeSet<usize>,
    /// How many names were not on an earlier flow.
    fresh: usize,
    /// What was visited is worth.
    gain: f32,
    value: f32,
    last: usize,
    order: usize,
}

/// The cheapest ways between anchors.
struct Ways<'g> {
    hops: &'g Hops<'g>,
    /// For each anchor those it reaches: (anchor, cost, moves), by anchor.
    to: Vec<Vec<(usize, f32, Vec<Move>)>>,
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

impl<'g> Ways<'g> {
    fn new(hops: &'g Hops<'g>, anchors: &Anchors) -> Self {
        let index: HashMap<SymbolId, usize> =
            anchors.list.iter().enumerate().map(|(at, anchor)| (anchor.symbol, at)).collect();
        let mut cache: HashMap<SymbolId, Rc<[Move]>> = HashMap::new();
        let mut to = Vec::new();
        for anchor in &anchors.list {
            to.push(Self::search(hops, anchors, &index, &mut cache, anchor.symbol));
        }
        Ways { hops, to }
    }

    /// Dijkstra from one anchor that stops at each other anchor.
    fn search(
        hops: &Hops<'_>,
        anchors: &Anchors,
        index: &HashMap<SymbolId, usize>,
        cache: &mut HashMap<SymbolId, Rc<[Move]>>,
        start: SymbolId,
    ) -> Vec<(usize, f32, Vec<Move>)> {
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
                found.push((at, cost, moves));
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
                if next > FARTHEST || done.contains(&step.to) {
                    continue;
                }
                let better = best.get(&step.to).is_none_or(|(old, _)| next.total_cmp(old).is_lt());
                if better {
                    best.insert(step.to, (next, Some((symbol, *step))));
                    heap.push(Reverse(Open { cost: next, symbol: step.to }));
                }
            }
        }
        found.sort_by_key(|way| way.0);
        found
    }

    /// The path of most value whose steps are not on an earlier one.
    fn best(&self, anchors: &Anchors, taken: &BTreeSet<usize>, seen: &BTreeSet<SymbolId>) -> Option<Found> {
        let mut beam: Vec<Found> = Vec::new();
        for (at, anchor) in anchors.list.iter().enumerate() {
            if seen.contains(&anchor.symbol) {
                continue;
            }
            let mut state = Found {
                nodes: vec![anchor.symbol],
                moves: Vec::new(),
                visited: 1 << at,
                names: BTreeSet::new(),
                fresh: 0,
                gain: 0.0,
                value: 0.0,
                last: at,
                order: 0,
            };
            self.collect(anchors, at, taken, &mut state);
            beam.push(state);
        }
        let mut best: Option<Found> = None;
        while !beam.is_empty() {
            let mut next: Vec<Found> = Vec::new();
            for state in &beam {
                for (to, cost, moves) in &self.to[state.last] {
                    let steps =
                        |nodes: &[SymbolId]| nodes.iter().filter(|&&id| self.hops.is_step(id)).count();
                    let clear = moves.iter().all(|m| !state.nodes.contains(&m.to) && !seen.contains(&m.to));
                    if state.visited >> to & 1 == 1 || !clear {
                        continue;
                    }
                    let mut longer = state.clone();
                    longer.nodes.extend(moves.iter().map(|m| m.to));
                    if steps(&longer.nodes) > LONGEST {
                        continue;
                    }
                    longer.moves.extend(moves.iter().copied());
                    longer.visited |= 1 << to;
                    longer.value -= cost;
                    longer.last = *to;
                    self.collect(anchors, *to, taken, &mut longer);
                    next.push(longer);
                }
            }
            next.sort_by(|a, b| {
                (a.last.cmp(&b.last)).then(b.value.total_cmp(&a.value)).then(a.nodes.cmp(&b.nodes))
            });
            let mut kept = Vec::new();
            for same in next.chunk_by(|a, b| a.last == b.last) {
                kept.extend(same.iter().take(BEAM).cloned());
            }
            for state in &kept {
                let better = best.as_ref().is_none_or(|old| {
                    state.value.total_cmp(&old.value).then_with(|| old.nodes.cmp(&state.nodes)).is_gt()
                });
                if better {
                    best = Some(state.clone());
                }
            }
            beam = kept;
        }
        best
    }

    /// Adds what an anchor is worth to a path: each name once.
    fn collect(&self, anchors: &Anchors, at: usize, taken: &BTreeSet<usize>, state: &mut Found) {
        let anchor = &anchors.list[at];
        let mut gain = anchor.base;
        let mut order = None;
        for &(name, worth) in &anchor.shares {
            if state.names.insert(name) && !taken.contains(&name) {
                gain += worth;
                state.fresh += 1;
                order = Some(order.map_or(name, |old: usize| old.min(name)));
            }
        }
        // People write names in the order of the call.
        if let Some(order) = order {
            state.value += if order >= state.order { 0.03 } else { -0.12 };
            state.order = state.order.max(order);
        }
        state.gain += gain;
        state.value += gain;
    }
}

fn add_flow(graph: &Graph, hops: &Hops<'_>, anchors: &Anchors, found: &Found, spine: &mut Spine) {
    // Fields and types on the way are no steps: their moves make one hop with the step after them.
    let mut steps: Vec<(SymbolId, Vec<Move>)> = Vec::new();
    for (at, &node) in found.nodes.iter().enumerate() {
        if hops.is_step(node) || steps.is_empty() {
            steps.push((node, Vec::new()));
        }
        if let (Some(step), Some(way)) = (steps.last_mut(), found.moves.get(at)) {
            step.1.push(*way);
        }
    }
    let path: Vec<SymbolId> = steps.iter().map(|step| step.0).collect();
    let shown = shown_steps(anchors, &path);
    let mut flow = Flow { steps: Vec::new() };
    for (nth, &at) in shown.iter().enumerate() {
        let symbol = graph.symbol(path[at]);
        let hop = shown.get(nth + 1).map(|&next| {
            let mut hop = hop_of(graph, &steps[at].1);
            hop.elided = (next - at - 1) as u32;
            hop
        });
        flow.steps.push(FlowStep {
            qualified: symbol.qualified.clone(),
            path: graph.path(path[at]).clone(),
            lines: symbol.lines,
            hop,
        });
    }
    for (id, moves) in &steps {
        if let Some(first) = moves.first()
            && first.file == graph.symbol(*id).file
        {
            spine.sites.push((*id, first.line));
        }
        let through = moves.iter().filter_map(|m| m.wiring.filter(|_| m.kind == MoveKind::Dynamic));
        spine.dispatched.extend(through.map(|wiring| wiring.through));
    }
    spine.flows.push(flow);
    spine.paths.push(path);
}

/// The indices of the steps that are shown: the least telling ones inside go first.
fn shown_steps(anchors: &Anchors, path: &[SymbolId]) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..path.len()).collect();
    let worth = |at: usize| {
        let id = path[at];
        let anchor = anchors.list.iter().find(|anchor| anchor.symbol == id);
        anchor.map_or(0.0, |a| 1.0 + a.worth()) + anchors.evidence.get(&id).copied().unwrap_or(0.0)
    };
    while shown.len() > SHOWN {
        let inner = 1..shown.len() - 1;
        let least = inner.min_by(|&a, &b| worth(shown[a]).total_cmp(&worth(shown[b])).then(b.cmp(&a)));
        match least {
            Some(at) => shown.remove(at),
            None => break,
        };
    }
    shown
}

/// The moves between two steps as one hop.
fn hop_of(graph: &Graph, moves: &[Move]) -> Hop {
    let (first, last) = (&moves[0], &moves[moves.len() - 1]);
    let direct = moves.len() == 1;
    let kind = match first.kind {
        MoveKind::Call if direct => HopKind::Calls,
        MoveKind::Dynamic if direct => HopKind::Dynamic,
        MoveKind::Instantiate => HopKind::Instantiates,
        _ => HopKind::Callback,
    };
    let wiring = moves.iter().find_map(|m| m.wiring).or({
        // Handed over through a type or a field: say which.
        (!direct && last.kind == MoveKind::Member).then_some(super::hops::Wiring {
            through: first.to,
            edge: crate::resolve::EdgeKind::Contains,
            file: last.file,
            line: last.line,
        })
    });
    let via = wiring.map(|wiring| Via {
        qualified: graph.symbol(wiring.through).qualified.clone(),
        edge: wiring.edge,
        path: graph.file(wiring.file).path.clone(),
        line: wiring.line,
    });
    Hop { kind, path: graph.file(first.file).path.clone(), line: first.line, via, elided: 0 }
}
