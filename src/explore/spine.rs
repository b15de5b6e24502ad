//! The spine: the call path that answers the question, drawn from hops that the graph can show.
//!
//! From each anchor the cheapest ways to the other anchors are searched; a beam then strings them together
//! so that what is visited outweighs what the way costs. What nothing connects stays apart: two half-flows
//! are two. All ties are broken by the symbols' order, which is path and position.

use std::collections::BTreeSet;

use super::Repository;
use super::anchors::{Anchors, names_in};
use super::answer::{Flow, FlowStep, Hop, HopKind, Via};
use super::evidence::Words;
use super::findings::Findings;
use super::hops::{Hops, Move, MoveKind};
use super::ways::{Found, Ways};
use crate::resolve::{EdgeKind, Graph, SymbolId};

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
    /// The callables that a sentence's words and files speak for, the best first.
    pub relevant: Vec<SymbolId>,
    /// What the query says for each symbol, the best 1.
    pub evidence: Vec<f32>,
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

/// What the visited steps of a flow have to be worth to be shown: by words as much as several steps that
/// hold most of the query, because a wrong flow is worse than none.
const SHOWN_BY_WORDS: f32 = 2.8;
const SURE_BY_NAMES: f32 = 0.8;
/// The most steps that a flow shows.
const SHOWN: usize = 8;

pub(super) fn spine(repo: &dyn Repository, findings: &Findings, words: &Words) -> Spine {
    let graph = repo.graph();
    let hops = Hops::new(repo, findings.wants_tests);
    let anchors = Anchors::new(graph, findings, words, &hops);
    let ways = Ways::new(&hops, &anchors);
    let mut spine = Spine { relevant: anchors.relevant(), ..Spine::default() };
    let mut taken = 0u128;
    let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
    let mut drawn: Vec<Found> = Vec::new();
    for round in 0..3 {
        let Some(found) = ways.best(&hops, &anchors, taken, &seen) else { break };
        let enough = if round == 0 {
            found.tally.gain >= if names(&found) >= 2 { SURE_BY_NAMES } else { SHOWN_BY_WORDS }
        } else {
            // A further flow has to be about further names of the query.
            found.tally.fresh >= 2 && found.tally.gain >= 1.4
        };
        if !enough {
            break;
        }
        taken |= names_in(found.tally.names);
        seen.extend(found.nodes.iter().copied());
        if round == 0 {
            let told = told(&found);
            spine.strong = told >= 2 && told * 2 >= anchors.names;
        }
        drawn.push(without_overrides(graph, &anchors, found));
    }
    // People name things in the order of the call, the main flow leads where that says nothing.
    drawn.sort_by_key(|found| names_in(found.tally.names).trailing_zeros());
    for found in &drawn {
        add_flow(graph, &hops, &anchors, found, &mut spine);
    }
    spine.named = resolved(graph, &anchors, &spine);
    spine.evidence = anchors.into_evidence();
    spine
}

/// A path without overrides that only call what they override, where nothing in the question names them: it need not
/// be that subtype's.
fn without_overrides(graph: &Graph, anchors: &Anchors, mut found: Found) -> Found {
    let overrides = |from: SymbolId, to: SymbolId| {
        graph.outgoing(from).iter().any(|edge| edge.kind == EdgeKind::Overrides && edge.to == to)
    };
    let named = |id: SymbolId| anchors.list.iter().any(|a| a.symbol == id && !a.shares.is_empty());
    if let [first, second, _, ..] = found.nodes[..]
        && overrides(first, second)
        && !named(first)
    {
        found.nodes.remove(0);
        found.moves.remove(0);
    }
    let mut at = 0;
    while at + 1 < found.moves.len() {
        let (there, back) = (found.moves[at], found.moves[at + 1]);
        let through = there.wiring.map(|wiring| wiring.through);
        if there.kind == MoveKind::Dynamic && through == Some(back.to) && !named(there.to) {
            found.moves[at] = Move { to: back.to, kind: MoveKind::Call, wiring: None, ..there };
            found.moves.remove(at + 1);
            found.nodes.remove(at + 1);
        } else {
            at += 1;
        }
    }
    found
}

/// How many names of the query a path visits.
fn names(found: &Found) -> usize {
    names_in(found.tally.names).count_ones() as usize
}

/// The same, each at a step of its own: a member and its type may both be named.
fn told(found: &Found) -> usize {
    names(found).min(found.tally.fresh as usize)
}

/// What each name of the query means: the symbols of it on the spine, and of the others those whose type
/// is not represented on it by another type of the same name.
fn resolved(graph: &Graph, anchors: &Anchors, spine: &Spine) -> BTreeSet<SymbolId> {
    let holder = |id: SymbolId| {
        let container = graph.symbol(id).container;
        container.map_or("", |at| if graph.symbol(at).kind.is_type() { &graph.symbol(at).name } else { "" })
    };
    let mut named = BTreeSet::new();
    for meant in &anchors.callables {
        let on = |id: &SymbolId| spine.contains(*id);
        let shown: BTreeSet<&str> = meant.iter().copied().filter(on).map(holder).collect();
        named.extend(meant.iter().copied().filter(|id| on(id) || !shown.contains(holder(*id))));
    }
    named
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
    let shown = shown_steps(graph, anchors, &path);
    let mut flow = Flow { steps: Vec::new(), by_words: told(found) < 2 };
    for (nth, &at) in shown.iter().enumerate() {
        let symbol = graph.symbol(path[at]);
        let hop = shown.get(nth + 1).map(|&next| {
            let mut hop = hop_of(graph, &steps[at].1);
            hop.elided = (next - at - 1) as u32;
            // What is left out is said by its least certain part.
            let passed = steps[at + 1..next].iter().map(|(_, moves)| hop_of(graph, moves).kind);
            hop.kind = passed.fold(hop.kind, |kind, other| kind.max(other));
            hop
        });
        flow.steps.push(FlowStep {
            qualified: symbol.qualified.to_string(),
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
fn shown_steps(graph: &Graph, anchors: &Anchors, path: &[SymbolId]) -> Vec<usize> {
    let mut shown: Vec<usize> = (0..path.len()).collect();
    let name = |at: usize| &graph.symbol(path[at]).name;
    let worth = |at: usize| {
        let id = path[at];
        // A step that is followed by another of its name only hands on.
        if path.get(at + 1).is_some() && name(at) == name(at + 1) {
            return -1.0;
        }
        let anchor = anchors.list.iter().find(|anchor| anchor.symbol == id);
        anchor.map_or(0.0, |a| 1.0 + a.worth()) + anchors.evidence(id)
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
    let first = &moves[0];
    let direct = moves.len() == 1;
    let kind = match first.kind {
        MoveKind::Call if direct => HopKind::Calls,
        MoveKind::Dynamic if direct => HopKind::Dynamic,
        MoveKind::Instantiate => HopKind::Instantiates,
        _ => HopKind::Callback,
    };
    let wiring = moves.iter().find_map(|m| m.wiring);
    let via = wiring.map(|wiring| Via {
        qualified: graph.symbol(wiring.through).qualified.to_string(),
        edge: wiring.edge,
        path: graph.file(wiring.file).path.clone(),
        line: wiring.line,
    });
    Hop { kind, path: graph.file(first.file).path.clone(), line: first.line, via, elided: 0 }
}

#[cfg(test)]
mod tests;
