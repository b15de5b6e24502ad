//! Places that say what a function is one of: arguments that are a name by itself, arms of statements that choose by
//! a value, and what is asked for an element.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Arm, Asked, Binding, BindingKind, Def, Expr, Handed, Name, Ref, RefRole, SymbolKind,
    captures::Captured,
    grammar::Grammar,
    harvest::Harvest,
    reader::{Reader, span},
    tree::{Node, named},
};
use crate::text::Span;

/// As many arms that call something tell of a choice between functions.
const MIN_ARMS: usize = 3;
/// The value that a statement chooses by stands no further than so many nodes around its arms.
const STATEMENT: usize = 3;

/// The names that are handed on, of those that no local name hides. `refs` are in order.
pub(super) fn handed(harvest: &mut Harvest, refs: &[Ref], bindings: &[Binding]) -> Vec<Handed> {
    let mut local: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for binding in bindings {
        local.entry(&binding.name).or_default().push(binding.scope);
    }
    let is_local = |reference: &Ref| {
        let scopes = local.get(reference.name.as_str());
        scopes.is_some_and(|scopes| scopes.iter().any(|scope| scope.contains(reference.span.start)))
    };
    let of = |start: u32| refs.binary_search_by_key(&start, |reference| reference.span.start).ok();
    let mut all: Vec<Handed> = std::mem::take(&mut harvest.handed)
        .into_iter()
        .filter_map(|(at, to, nth)| {
            let (at, to) = (of(at)?, of(to)?);
            let name = &refs[at];
            let hidden = name.receiver.is_none() && is_local(name);
            let kept = name.role == RefRole::Value && refs[to].role == RefRole::Call && !hidden;
            kept.then_some(Handed { at: at as u32, to: to as u32, nth })
        })
        .collect();
    all.sort();
    all.dedup_by_key(|handed| handed.at);
    all
}

/// An arm whose calls are not looked at yet.
#[derive(Debug)]
pub(super) struct DraftArm {
    of: u32,
    pub(super) span: Span,
    /// The name of what the statement chooses by, or of what that is a mark of. None for a number, which counts, and
    /// tells no kinds of things apart.
    subject: Option<Name>,
}

/// The arms in a tree.
pub(super) fn drafts(reader: &Reader<'_>, found: &Captured<'_>) -> Vec<DraftArm> {
    let mut values: BTreeMap<u32, Node<'_>> = BTreeMap::new();
    for value in &found.chosen_by {
        values.extend(value.parent().map(|statement| (statement.id(), *value)));
    }
    let arm = |arm: &Node<'_>| {
        let mut around = std::iter::successors(arm.parent(), Node::parent).take(STATEMENT);
        let around = around.find_map(|node| values.get(&node.id()));
        let written = span(*arm).of(reader.text);
        let label = written.strip_prefix("case").unwrap_or(written).trim_start();
        let counted =
            label.trim_start_matches(['-', '+', '(']).starts_with(|first: char| first.is_ascii_digit());
        // Words of the statement may stand around the value.
        let value = |node: Node<'_>| match reader.expr(node) {
            Expr::Opaque => named(node).last().map_or(Expr::Opaque, |last| reader.expr(last)),
            value => value,
        };
        let subject = around.filter(|_| !counted).and_then(|node| subject(&value(*node)));
        DraftArm { of: arm.parent().map_or(0, |parent| span(parent).start), span: span(*arm), subject }
    };
    found.arms.iter().map(arm).collect()
}

/// The name of a value, or of what it is asked of: `node` of `node.kind`, `kindOf(node)`.
fn subject(value: &Expr) -> Option<Name> {
    match value {
        Expr::Name(name) => Some(name.clone()),
        Expr::Call(callee, arguments) => match &**callee {
            Expr::Member(base, _) => subject(base),
            _ => arguments.first().and_then(subject),
        },
        Expr::Member(base, _)
        | Expr::Unwrap(base)
        | Expr::Element(base)
        | Expr::Part(base, _)
        | Expr::At(_, base)
        | Expr::Inside(_, base) => subject(base),
        _ => None,
    }
}

/// Whether a value is what a pattern takes out of another one, of a variant that the repository can declare.
fn is_part(grammar: &Grammar, value: &Expr) -> bool {
    match value {
        Expr::Matched(_, ty) => {
            let outside = grammar.spec.resolution.foreign_variants;
            !ty.path.last().is_some_and(|name| outside.iter().any(|(variant, ..)| variant == name))
        }
        Expr::Part(base, _) | Expr::Member(base, _) | Expr::At(_, base) | Expr::Inside(_, base) => {
            is_part(grammar, base)
        }
        _ => false,
    }
}

/// The arms that call something, of statements with several such. `refs` are in order.
pub(super) fn arms(grammar: &Grammar, harvest: &mut Harvest, refs: &[Ref], bindings: &[Binding]) -> Vec<Arm> {
    let mut all = std::mem::take(&mut harvest.arms);
    let mut lists = std::mem::take(&mut harvest.lists);
    if all.len() < MIN_ARMS {
        return Vec::new();
    }
    lists.sort_unstable();
    all.sort_by_key(|arm| (arm.of, arm.span));
    all.dedup_by_key(|arm| (arm.of, arm.span));
    let mut by_place: Vec<&Binding> = bindings.iter().collect();
    by_place.sort_by_key(|binding| binding.name_span);
    let mut narrowed: Vec<&Binding> =
        bindings.iter().filter(|one| one.kind == BindingKind::Narrowed).collect();
    narrowed.sort_by_key(|binding| binding.scope);
    let of_arm = |arm: &DraftArm| -> Option<Arm> {
        let within = |span: Span| {
            let from = refs.partition_point(|reference| reference.span.start < span.start);
            let until = refs.partition_point(|reference| reference.span.start < span.end);
            from..until.max(from)
        };
        let calls: Vec<usize> = within(arm.span).filter(|&at| refs[at].role == RefRole::Call).collect();
        let first = refs[*calls.first()?].span.start;
        // What its pattern binds stands in front of all that it calls.
        let from = by_place.partition_point(|binding| binding.name_span.start < arm.span.start);
        let bound = by_place[from..].iter().take_while(|binding| binding.name_span.start < first);
        let taken = bound.filter(|binding| match &binding.value {
            Some(value) => is_part(grammar, value),
            None => binding.ty.is_some() && binding.kind == BindingKind::Local,
        });
        let from = narrowed.partition_point(|binding| binding.scope.start < arm.span.start);
        let tested = narrowed[from..].iter().take_while(|binding| binding.scope.start < arm.span.end);
        let tested = tested.filter(|binding| arm.span.encloses(binding.scope));
        let parts: BTreeSet<&Name> = taken.chain(tested).map(|binding| &binding.name).collect();
        let handed = |call: usize, is_one: &dyn Fn(&Name) -> bool| {
            let start = refs[call].span.start;
            let list = lists.binary_search_by_key(&start, |(at, _)| *at).ok().map(|at| lists[at].1);
            let given = |at: usize| refs[at].receiver.is_none() && is_one(&refs[at].name);
            let on = refs[call].receiver.as_ref().and_then(subject);
            on.is_some_and(|name| is_one(&name)) || list.is_some_and(|list| within(list).any(given))
        };
        let of = |is_one: &dyn Fn(&Name) -> bool| {
            calls.iter().filter(|&&call| handed(call, is_one)).map(|&call| call as u32).collect()
        };
        Some(Arm {
            of: arm.of,
            span: arm.span,
            parts: of(&|name| parts.contains(name)),
            wholes: of(&|name| arm.subject.as_ref() == Some(name)),
        })
    };
    let all: Vec<Arm> = all.iter().filter_map(of_arm).collect();
    let several = |arms: &[Arm]| {
        arms.iter().filter(|arm| !arm.parts.is_empty() || !arm.wholes.is_empty()).count() >= MIN_ARMS
    };
    all.chunk_by(|one, other| one.of == other.of).filter(|arms| several(arms)).flatten().cloned().collect()
}

/// What is asked for an element, of what has the name of a definition that holds several values by name or place.
pub(super) fn asked(harvest: &mut Harvest, defs: &[Def]) -> Vec<Asked> {
    let holds = |def: &&Def| {
        let several = matches!(def.value, Some(Expr::Record(_) | Expr::Tuple(_) | Expr::Typed(_)));
        several || def.kind == SymbolKind::Object
    };
    let names: BTreeSet<&Name> = defs.iter().filter(holds).map(|def| &def.name).collect();
    let mut all = std::mem::take(&mut harvest.asked);
    all.retain(|(_, value)| match value {
        Expr::Name(name) | Expr::Member(_, name) => names.contains(name),
        _ => false,
    });
    all.sort_by_key(|(at, _)| *at);
    all.dedup();
    all.into_iter().map(|(at, value)| Asked { at, value }).collect()
}
