//! Hops: where control can go from a symbol, each with the place that says so and a cost.
//!
//! A hop is never a guess: it follows an edge of the graph (a call, a reference, an instantiation), an
//! override below the declaration that is called, or what is stored in a field on the line that names both.

use std::collections::BTreeSet;

use super::Repository;
use super::handing;
use super::siblings::is_clause;
use super::storing::{self, Stored};
use crate::resolve::{Edge, EdgeKind, FileId, Graph, SymbolId, SymbolKind};
use crate::text::Span;

/// One way on from a symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move {
    pub to: SymbolId,
    pub kind: MoveKind,
    /// Where the hop is written.
    pub file: FileId,
    pub line: u32,
    /// The name there.
    pub site: Span,
    pub wiring: Option<Wiring>,
    /// Above 0; a sure call of a named target is the cheapest.
    pub cost: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    Call,
    /// A call on a declaration that the target overrides.
    Dynamic,
    /// The target is named as a value.
    Reference,
    Instantiate,
    /// From a type to a member of it.
    Member,
}

/// What makes the target of an indirect hop a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wiring {
    /// The declaration that is called, or the field that holds the target.
    pub through: SymbolId,
    pub edge: EdgeKind,
    pub file: FileId,
    pub line: u32,
    /// The part of the target that runs, where it is only a function that the target gives.
    pub part: Option<Span>,
}

/// The hops of one graph.
pub(super) struct Hops<'g> {
    repo: &'g dyn Repository,
    graph: &'g Graph,
    tests: bool,
}

/// More overriders than this are an interface that everything implements: it says nothing of the path.
const MOST_OVERRIDERS: usize = 64;
/// With so many others beside it an implementation is one of interchangeable siblings.
const SIBLINGS: usize = 2;
/// Uses of a field that are looked at for what is stored in it.
const MOST_USES: usize = 48;

impl<'g> Hops<'g> {
    /// `tests`: test code may be reached.
    pub fn new(repo: &'g dyn Repository, tests: bool) -> Self {
        Hops { repo, graph: repo.graph(), tests }
    }

    /// Whether a flow may pass through a symbol.
    pub fn allowed(&self, id: SymbolId) -> bool {
        self.tests || !self.graph.is_test(id)
    }

    /// Whether a symbol is a step that a flow shows: something with a body of its own.
    pub fn is_step(&self, id: SymbolId) -> bool {
        self.graph.has_code(id)
    }

    /// Whether a sentence's flow may begin with a symbol: the code of a value runs once, whatever happens then.
    pub fn may_begin(&self, id: SymbolId) -> bool {
        self.graph.symbol(id).kind.is_callable()
    }

    /// What stepping on a symbol costs beside the hop: making a value is seldom what a flow is about.
    pub fn toll(&self, id: SymbolId) -> f32 {
        if self.graph.symbol(id).kind == SymbolKind::Constructor { 0.6 } else { 0.0 }
    }

    /// Whether a move only mentions a type, as a test, a cast or an annotation does; an object is there to be
    /// used.
    pub fn mentions_a_type(&self, step: &Move) -> bool {
        let kind = self.graph.symbol(step.to).kind;
        step.kind == MoveKind::Reference && kind.is_type() && kind != SymbolKind::Object
    }

    /// Whether code that is not here may call a member: it overrides a declaration, or nothing here calls it.
    pub fn called_from_outside(&self, id: SymbolId) -> bool {
        let overrides = self.graph.outgoing(id).iter().any(|edge| edge.kind == EdgeKind::Overrides);
        let used =
            |edge: &Edge| matches!(edge.kind, EdgeKind::Calls | EdgeKind::References) && edge.from != id;
        overrides || !self.graph.incoming(id).any(used)
    }

    /// All moves from a symbol, by target. `wanted` are the members that a type is entered for.
    pub fn from(&self, id: SymbolId, wanted: &dyn Fn(SymbolId) -> bool) -> Vec<Move> {
        let symbol = self.graph.symbol(id);
        let mut moves = Vec::new();
        // A type in a signature says what goes in and out, not where control goes.
        let names_a_type = |edge: &&Edge| {
            edge.kind == EdgeKind::References
                && symbol.kind.is_callable()
                && edge.file == symbol.file
                && symbol.signature.contains(edge.line)
                && self.graph.symbol(edge.to).kind.is_type()
        };
        // A field that is named while an object is made is set, not read.
        let sets_a_field = |edge: &&Edge| {
            let target = self.graph.symbol(edge.to);
            edge.kind == EdgeKind::References
                && target.kind == SymbolKind::Field
                && self.graph.outgoing(id).iter().any(|made| {
                    made.kind == EdgeKind::Instantiates
                        && Some(made.to) == target.container
                        && made.file == edge.file
                        && made.site < edge.site
                })
        };
        let outgoing = self.graph.outgoing(id).iter();
        for edge in outgoing.filter(|edge| !names_a_type(edge) && !sets_a_field(edge)) {
            self.along(edge, &mut moves);
        }
        if symbol.kind.is_callable() {
            self.handed_over(id, &mut moves);
        }
        if symbol.kind.is_type() {
            // Members of a type run because an instance of it was made or handed over.
            for member in self.graph.symbols_in(symbol.file) {
                let inside = self.graph.symbol(member).container == Some(id);
                if inside && self.graph.symbol(member).kind.is_callable() && wanted(member) {
                    let line = symbol.name_line;
                    moves.push(Move {
                        to: member,
                        kind: MoveKind::Member,
                        file: symbol.file,
                        line,
                        site: symbol.name_span,
                        wiring: None,
                        cost: 0.15,
                    });
                }
            }
        } else if is_value(symbol.kind) {
            self.stored_in(id, &mut moves);
        }
        moves.retain(|step| step.to != id && self.allowed(step.to));
        moves.sort_by(|a, b| {
            (a.to, a.kind as u8, a.file, a.line)
                .cmp(&(b.to, b.kind as u8, b.file, b.line))
                .then(a.cost.total_cmp(&b.cost))
        });
        moves.dedup_by(|b, a| a.to == b.to && a.kind == b.kind);
        moves
    }

    /// What runs where a method gives its own object to code that is not here.
    fn handed_over(&self, id: SymbolId, moves: &mut Vec<Move>) {
        let symbol = self.graph.symbol(id);
        let Some(owner) = symbol.container.filter(|&owner| self.graph.symbol(owner).kind.is_type()) else {
            return;
        };
        let runs = |&member: &SymbolId| {
            let symbol = self.graph.symbol(member);
            let own = symbol.container == Some(owner) && symbol.kind.is_callable() && !symbol.without_body;
            own && handing::runs(&symbol.name) && self.called_from_outside(member)
        };
        let run: Vec<SymbolId> = self.graph.symbols_in(symbol.file).filter(runs).collect();
        if run.is_empty() {
            return;
        }
        let Some(source) = self.repo.read(symbol.file) else { return };
        for (line, site) in handing::given(&source, symbol.signature.end, symbol.lines.end) {
            let mut calls = self.graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Calls);
            if calls.any(|edge| edge.file == symbol.file && edge.line == line) {
                continue;
            }
            let (file, kind, cost) = (symbol.file, MoveKind::Reference, 0.35);
            moves.extend(run.iter().map(|&to| Move { to, kind, file, line, site, wiring: None, cost }));
        }
    }

    fn along(&self, edge: &Edge, moves: &mut Vec<Move>) {
        let doubt = f32::from(100 - edge.confidence.0.min(100)) / 100.0 * 0.5;
        let target = self.graph.symbol(edge.to);
        let (file, line, site) = (edge.file, edge.line, edge.site);
        let plain =
            |kind, cost: f32| Move { to: edge.to, kind, file, line, site, wiring: None, cost: cost + doubt };
        match edge.kind {
            EdgeKind::Calls if target.kind.is_callable() => {
                let mut overriders = self.overriders(edge.to);
                if !overriders.is_empty() && self.is_on_what_is_made(edge) {
                    overriders.clear();
                }
                let bodiless = target.without_body && !overriders.is_empty();
                moves.push(plain(MoveKind::Call, if bodiless { 0.3 } else { 0.15 }));
                let open = if target.without_body { 0.0 } else { 0.1 };
                let wired = overriders.iter().map(|&to| (to, self.wiring(to, edge.to)));
                dynamic(edge, wired, open, doubt, moves);
            }
            EdgeKind::Invokes => {
                let fills = self.fills(edge.to);
                let wired = fills.iter().map(|fill| {
                    let (through, file, line) = (edge.to, fill.file, fill.line);
                    (fill.from, Wiring { through, edge: EdgeKind::Fills, file, line, part: self.given(fill) })
                });
                dynamic(edge, wired, 0.0, doubt, moves);
            }
            EdgeKind::Calls if target.kind.is_type() => moves.push(plain(MoveKind::Instantiate, 0.6)),
            EdgeKind::Instantiates => moves.push(plain(MoveKind::Instantiate, 0.6)),
            EdgeKind::Calls if is_value(target.kind) => moves.push(plain(MoveKind::Reference, 0.2)),
            EdgeKind::References | EdgeKind::Decorates if target.kind.is_callable() => {
                moves.push(plain(MoveKind::Reference, 0.4));
            }
            EdgeKind::References
                if (is_value(target.kind) || target.kind.is_type())
                    && (target.kind != SymbolKind::Enum || !self.is_qualifier(edge)) =>
            {
                moves.push(plain(MoveKind::Reference, 0.35));
            }
            _ => {}
        }
    }

    /// Whether a name only stands before one of its own members: `Mode::Fast` as a pattern hands over no `Mode`.
    fn is_qualifier(&self, edge: &Edge) -> bool {
        let Some(source) = self.repo.read(edge.file) else { return false };
        let behind = source.text.get(edge.site.end as usize..).unwrap_or_default();
        behind.starts_with("::") || behind.starts_with('.')
    }

    /// What a field, property or constant holds: what its initializer names, and what a line that names it stores
    /// in it.
    fn stored_in(&self, id: SymbolId, moves: &mut Vec<Move>) {
        let symbol = self.graph.symbol(id);
        let mut push = |edge: &Edge, name: Span, cost: f32| {
            let target = self.graph.symbol(edge.to);
            if !(target.kind.is_callable() || target.kind.is_type()) || edge.to == id {
                return;
            }
            let kind = match edge.kind {
                EdgeKind::Instantiates => MoveKind::Instantiate,
                EdgeKind::Calls if target.kind.is_type() => MoveKind::Instantiate,
                // A type that is only mentioned, as that of the elements of a list, makes no instance.
                EdgeKind::References if target.kind.is_type() && target.kind != SymbolKind::Object => return,
                EdgeKind::References | EdgeKind::Calls => MoveKind::Reference,
                _ => return,
            };
            let Some(stored) = self.stored(edge, name) else { return };
            // What a call gives is stored, not what it runs.
            if edge.kind == EdgeKind::Calls && kind == MoveKind::Reference && stored == Stored::Value {
                return;
            }
            let (file, line, site) = (edge.file, edge.line, edge.site);
            let wiring = Some(Wiring { through: id, edge: edge.kind, file, line, part: None });
            moves.push(Move { to: edge.to, kind, file, line, site, wiring, cost });
        };
        if let Some(holder) = symbol.container {
            for edge in self.graph.outgoing(holder) {
                let inside = edge.file == symbol.file && symbol.full.encloses(edge.site);
                if inside && edge.to != id && edge.site.start >= symbol.name_span.end {
                    push(edge, symbol.name_span, 0.15);
                }
            }
        }
        // Nothing is stored in a constant where it is used.
        if matches!(symbol.kind, SymbolKind::Constant | SymbolKind::EnumMember) {
            return;
        }
        for used in self.graph.incoming(id).take(MOST_USES) {
            if !matches!(used.kind, EdgeKind::References | EdgeKind::Calls) || !self.allowed(used.from) {
                continue;
            }
            for edge in self.graph.outgoing(used.from) {
                if edge.file == used.file && edge.line == used.line && edge.col > used.col {
                    push(edge, used.site, 0.35);
                }
            }
        }
    }

    /// What the text from a field's name to what an edge names stores in the field.
    fn stored(&self, edge: &Edge, name: Span) -> Option<Stored> {
        let source = self.repo.read(edge.file)?;
        let start = source.lines.span(source.lines.line(name.start)).start;
        let text = |from: u32, to: u32| source.text.get(from as usize..to as usize);
        storing::stored(text(start, name.start)?, text(name.end, edge.site.start)?)
    }

    /// Whether a call is on a local variable that the same function makes an instance for, once and nowhere else:
    /// its type is that one and no subtype.
    fn is_on_what_is_made(&self, call: &Edge) -> bool {
        let makes = |edge: &&Edge| {
            let kind = self.graph.symbol(edge.to).kind;
            matches!(edge.kind, EdgeKind::Instantiates | EdgeKind::Calls)
                && (kind.is_type() || kind == SymbolKind::Constructor)
                && edge.file == call.file
                && edge.site.start < call.site.start
        };
        let made: Vec<&Edge> = self.graph.outgoing(call.from).iter().filter(makes).collect();
        if made.is_empty() {
            return false;
        }
        let Some(source) = self.repo.read(call.file) else { return false };
        let text = |start: u32, end: u32| source.text.get(start as usize..end as usize).unwrap_or_default();
        let before = |at: u32| text(source.lines.span(source.lines.line(at)).start, at);
        let Some(variable) = storing::receiver(before(call.site.start)) else { return false };
        let function = self.graph.symbol(call.from).full;
        let body = text(function.start, function.end);
        made.iter().any(|edge| storing::declares(before(edge.site.start), variable))
            && body.lines().filter(|line| storing::assigns(line, variable)).count() == 1
    }

    /// What says that a function fills a slot that is called, for each function once.
    fn fills(&self, slot: SymbolId) -> Vec<&'g Edge> {
        let fills = self.graph.incoming(slot).filter(|edge| edge.kind == EdgeKind::Fills);
        let mut fills: Vec<&Edge> = fills.filter(|edge| self.allowed(edge.from)).collect();
        fills.sort_by_key(|edge| (edge.from, self.graph.file(edge.file).test));
        fills.dedup_by_key(|edge| edge.from);
        if fills.len() > MOST_OVERRIDERS { Vec::new() } else { fills }
    }

    /// The function in a filling function that is what fills the slot: it is where the edge is written, while a
    /// type or a name that says so is a reference of its own.
    fn given(&self, fill: &Edge) -> Option<Span> {
        let own = self.graph.symbol(fill.from);
        let named = |edge: &Edge| edge.site == fill.site && edge.kind != EdgeKind::Fills;
        let inside = fill.file == own.file && own.full.encloses(fill.site) && fill.site != own.name_span;
        (inside && !self.graph.outgoing(fill.from).iter().any(named)).then_some(fill.site)
    }

    /// Whether control that came by one move can go on by the next: of what gives a function only that function
    /// runs where a slot is called.
    pub fn goes_on(&self, before: Option<&Move>, next: &Move) -> bool {
        let part = before.and_then(|before| before.wiring).and_then(|wiring| wiring.part);
        part.is_none_or(|part| part.encloses(next.site))
    }

    /// The methods that override a declaration, at any depth, by path and position.
    pub fn overriders(&self, declaration: SymbolId) -> Vec<SymbolId> {
        let mut found = BTreeSet::new();
        let mut open = vec![declaration];
        while let Some(at) = open.pop() {
            for edge in self.graph.incoming(at).filter(|e| e.kind == EdgeKind::Overrides) {
                if edge.from != declaration && self.allowed(edge.from) && found.insert(edge.from) {
                    open.push(edge.from);
                }
            }
            if found.len() > MOST_OVERRIDERS {
                return Vec::new();
            }
        }
        found.into_iter().filter(|&id| !self.graph.symbol(id).without_body).collect()
    }

    /// The topmost declaration that a symbol overrides, where at least `SIBLINGS` others do too.
    pub fn family(&self, id: SymbolId) -> Option<SymbolId> {
        let mut top = id;
        let mut seen = BTreeSet::from([id]);
        let above = |at| self.graph.outgoing(at).iter().find(|edge| edge.kind == EdgeKind::Overrides);
        while let Some(edge) = above(top).filter(|edge| seen.insert(edge.to)) {
            top = edge.to;
        }
        (top != id && self.overriders(top).len() > SIBLINGS).then_some(top)
    }

    /// Where it is written that `target` implements `declaration`: the supertype clause of its type, or
    /// the override itself.
    fn wiring(&self, target: SymbolId, declaration: SymbolId) -> Wiring {
        let own = self.graph.symbol(target);
        let clause = own.container.and_then(|container| {
            let to = self.graph.symbol(declaration).container;
            let clauses = || {
                let outgoing = self.graph.outgoing(container).iter();
                outgoing.filter(|e| is_clause(e.kind))
            };
            clauses().find(|e| Some(e.to) == to).or_else(|| clauses().next())
        });
        let (edge, file, line) = match clause {
            Some(edge) => (edge.kind, edge.file, edge.line),
            None => (EdgeKind::Overrides, own.file, own.name_line),
        };
        Wiring { through: declaration, edge, file, line, part: None }
    }
}

/// The moves from a call of a declaration or a slot to each of what may run, which costs the more the more there is.
fn dynamic(
    call: &Edge,
    wired: impl ExactSizeIterator<Item = (SymbolId, Wiring)>,
    open: f32,
    doubt: f32,
    moves: &mut Vec<Move>,
) {
    let spread = (wired.len().max(1) as f32).log2() * 0.03;
    let cost = 0.15 + open + spread + doubt;
    moves.extend(wired.map(|(to, wiring)| Move {
        to,
        kind: MoveKind::Dynamic,
        file: call.file,
        line: call.line,
        site: call.site,
        wiring: Some(wiring),
        cost,
    }));
}

/// Something that holds a value.
pub(super) fn is_value(kind: SymbolKind) -> bool {
    use SymbolKind::*;
    matches!(kind, Property | Field | Constant | Variable | EnumMember)
}
