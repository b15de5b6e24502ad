//! The surface of a file: what other files can see of it, as digests by name.
//!
//! Positions count by their order alone, so that text which moves without changing does not show. What a
//! digest takes in too much makes more be resolved anew than needs to be; nothing that another file can see
//! may be left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    file::bound_name,
    trail::{FileKey, Key},
};
use crate::{
    extract::{Binding, Branch, Def, Expr, FileFacts, Import, Name, SymbolKind},
    text::{RepoPath, Span},
};

/// What other files can see of a file.
#[derive(Default)]
struct Surface<'a> {
    /// What is called so.
    names: BTreeMap<&'a str, u64>,
    /// What the definitions of a name hold.
    held: BTreeMap<&'a str, u64>,
    /// How many callables and macros of a name there are.
    callables: BTreeMap<&'a str, u64>,
    /// How many definitions of a name the file's module holds.
    members: BTreeMap<&'a str, u64>,
    /// Wildcards and the public surface.
    whole: u64,
    /// What modules and types hold and import, in the order of the text.
    order: Vec<(&'a str, u64)>,
}

/// The keys of all that differs between two texts of a file; of none where there is no file. What there being a
/// file of a path, its package and the modules that it declares mean for others, the trees of modules say
/// ([`super::module_answers`]).
pub(super) fn changed(
    path: &RepoPath,
    before: Option<&FileFacts>,
    after: Option<&FileFacts>,
) -> BTreeSet<Key> {
    if before.is_none() && after.is_none() {
        return BTreeSet::new();
    }
    let old = before.map_or_else(Surface::default, Surface::new);
    let new = after.map_or_else(Surface::default, Surface::new);
    let file = FileKey::new(path);
    let mut keys = BTreeSet::new();
    let mut differing =
        |one: &BTreeMap<&str, u64>, other: &BTreeMap<&str, u64>, key: &dyn Fn(&str) -> Key| {
            let names: BTreeSet<&&str> = one.keys().chain(other.keys()).collect();
            keys.extend(
                names.into_iter().filter(|name| one.get(**name) != other.get(**name)).map(|name| key(name)),
            );
        };
    differing(&old.names, &new.names, &|name| file.named(name));
    differing(&old.held, &new.held, &|name| file.held(name));
    differing(&old.callables, &new.callables, &Key::callable);
    differing(&old.members, &new.members, &Key::member);
    if old.whole != new.whole || !same_order(&old, &new) {
        keys.insert(file.whole());
        // What stands before what decides what a name means.
        keys.extend(old.names.keys().chain(new.names.keys()).map(|name| file.named(name)));
    }
    keys
}

/// Whether all that both have stands in the same order.
fn same_order(old: &Surface<'_>, new: &Surface<'_>) -> bool {
    let common = |one: &'_ [(&str, u64)], other: &[(&str, u64)]| -> Vec<u64> {
        let there: BTreeSet<(&str, u64)> = other.iter().copied().collect();
        one.iter().filter(|item| there.contains(item)).map(|(_, digest)| *digest).collect()
    };
    common(&old.order, &new.order) == common(&new.order, &old.order)
}

fn digest<T: Serialize + ?Sized>(value: &T) -> u64 {
    let bytes = postcard::to_stdvec(value).unwrap_or_default();
    let mut first = [0; 8];
    first.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Something that stands in the text of a module or a type.
struct Item<'a> {
    at: u32,
    name: &'a str,
    digest: u64,
}

impl<'a> Surface<'a> {
    fn new(facts: &'a FileFacts) -> Self {
        let mut surface = Surface::default();
        let mut items: Vec<Item<'a>> = Vec::new();
        let (bodies, begins) = (Bodies::new(facts), Begins::new(facts));
        let mut held: BTreeMap<u32, Vec<(&str, SymbolKind)>> = BTreeMap::new();
        for (at, def) in facts.defs.iter().enumerate() {
            let name = def.name.as_str();
            let seen = Content::of(facts, &begins, at).digest(facts);
            combine(&mut surface.names, name, seen);
            if def.kind.is_callable() || def.kind == SymbolKind::Macro {
                *surface.callables.entry(name).or_default() += 1;
            }
            if let Some(container) = def.container {
                held.entry(container).or_default().push((name, def.kind));
                if container == 0 {
                    *surface.members.entry(name).or_default() += 1;
                }
                if !bodies.hold(def.name_span) || !bodies.hold(def.full) {
                    items.push(Item { at: def.full.start, name, digest: seen });
                }
            }
        }
        for (holder, mut children) in held {
            children.sort();
            combine(&mut surface.held, &facts.defs[holder as usize].name, digest(&children));
        }
        let mut wildcards = Vec::new();
        for import in &facts.imports {
            let seen = digest(&alone(facts, import));
            if import.wildcard {
                wildcards.push(seen);
            } else if let Some(name) = bound_name(import) {
                combine(&mut surface.names, name, seen);
            }
            if !bodies.hold(import.span) {
                items.push(Item {
                    at: import.span.start,
                    name: bound_name(import).unwrap_or(""),
                    digest: seen,
                });
            }
        }
        for binding in facts.bindings.iter().filter(|binding| !bodies.hold(binding.name_span)) {
            let alone = Content { bindings: vec![binding.clone()], ..Content::default() };
            let seen = alone.digest(facts);
            combine(&mut surface.names, &binding.name, seen);
            items.push(Item { at: binding.name_span.start, name: &binding.name, digest: seen });
        }
        items.sort_by(|a, b| (a.at, a.name, a.digest).cmp(&(b.at, b.name, b.digest)));
        surface.whole = digest(&(&facts.exports, &wildcards));
        let places: Vec<u32> = items.iter().map(|item| item.at).collect();
        let branches: Vec<&Branch> =
            facts.branches.iter().filter(|branch| !bodies.hold(branch.span)).collect();
        for (place, item) in items.iter().enumerate() {
            let round =
                branches.iter().filter(|branch| branch.span.contains(item.at) || branch.until > item.at);
            let index = |at: u32| places.partition_point(|&place| place < at);
            let round: Vec<(i64, i64, i64)> = round
                .filter(|branch| branch.span.start <= item.at)
                .map(|branch| {
                    let of = |at: u32| index(at) as i64 - place as i64;
                    (of(branch.span.start), of(branch.span.end), of(branch.until))
                })
                .collect();
            let seen = digest(&(item.digest, &round));
            combine(&mut surface.names, item.name, seen);
            surface.order.push((item.name, seen));
        }
        surface
    }
}

/// Adds a digest to those of a name; their order shows.
fn combine<'a>(names: &mut BTreeMap<&'a str, u64>, name: &'a str, seen: u64) {
    let known = names.entry(name).or_default();
    *known = known.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seen;
}

/// The names of a definition and of what holds it.
fn chain(facts: &FileFacts, def: u32) -> Vec<Name> {
    let next = |at: &u32| facts.defs.get(*at as usize).and_then(|def| def.container);
    let all = std::iter::successors(Some(def), next);
    all.filter_map(|at| facts.defs.get(at as usize)).map(|def| def.name.clone()).collect()
}

fn alone(facts: &FileFacts, import: &Import) -> (Import, Vec<Name>) {
    (Import { span: Span::default(), scope: 0, ..import.clone() }, chain(facts, import.scope))
}

/// The bodies of callables, outermost ones, in order.
struct Bodies(Vec<Span>);

impl Bodies {
    fn new(facts: &FileFacts) -> Self {
        let mut spans: Vec<Span> = Vec::new();
        let callables = facts.defs.iter().filter(|def| def.kind.is_callable());
        for def in callables {
            if spans.last().is_none_or(|last| !last.encloses(def.full)) {
                spans.push(def.full);
            }
        }
        spans.sort();
        Bodies(spans)
    }

    /// Whether a place is inside of a body, and not the body itself.
    fn hold(&self, span: Span) -> bool {
        let end = self.0.partition_point(|body| body.start <= span.start);
        let around = end.checked_sub(1).map(|at| self.0[at]);
        around.is_some_and(|body| body.encloses(span) && body != span)
    }
}

/// The facts of a file by where they begin.
struct Begins {
    defs: Vec<(u32, u32)>,
    bindings: Vec<(u32, u32)>,
    imports: Vec<(u32, u32)>,
    branches: Vec<(u32, u32)>,
}

impl Begins {
    fn new(facts: &FileFacts) -> Self {
        fn sorted(starts: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
            let mut all: Vec<(u32, u32)> = starts.zip(0..).collect();
            all.sort_unstable();
            all
        }
        Begins {
            defs: sorted(facts.defs.iter().map(|def| def.name_span.start)),
            bindings: sorted(facts.bindings.iter().map(|binding| binding.name_span.start)),
            imports: sorted(facts.imports.iter().map(|import| import.span.start)),
            branches: sorted(facts.branches.iter().map(|branch| branch.span.start)),
        }
    }
}

/// The indices of what begins in a span.
fn within(all: &[(u32, u32)], span: Span) -> impl Iterator<Item = usize> {
    let from = all.partition_point(|(start, _)| *start < span.start);
    all[from..].iter().take_while(move |(start, _)| *start < span.end).map(|(_, at)| *at as usize)
}

/// A definition and what its text holds, or a binding alone.
#[derive(Default, Serialize)]
struct Content {
    defs: Vec<(Def, Vec<Name>)>,
    bindings: Vec<Binding>,
    imports: Vec<(Import, Vec<Name>)>,
    branches: Vec<Branch>,
}

impl Content {
    /// Of types and modules the head alone: what they hold has names of its own.
    fn of(facts: &FileFacts, begins: &Begins, at: usize) -> Self {
        let def = &facts.defs[at];
        let mut content = Content::default();
        content.add(facts, at);
        if def.kind.is_type() || matches!(def.kind, SymbolKind::Module | SymbolKind::Extension) {
            return content;
        }
        within(&begins.defs, def.full)
            .filter(|other| *other != at)
            .for_each(|other| content.add(facts, other));
        content.bindings = within(&begins.bindings, def.full).map(|at| facts.bindings[at].clone()).collect();
        let import = |at| {
            let import: &Import = &facts.imports[at];
            (Import { scope: 0, ..import.clone() }, chain(facts, import.scope))
        };
        content.imports = within(&begins.imports, def.full).map(import).collect();
        content.branches = within(&begins.branches, def.full).map(|at| facts.branches[at]).collect();
        content
    }

    fn add(&mut self, facts: &FileFacts, at: usize) {
        let def = Def { doc: None, container: None, ..facts.defs[at].clone() };
        self.defs.push((def, chain(facts, at as u32)));
    }

    /// Its digest, with positions as their ranks.
    fn digest(mut self, facts: &FileFacts) -> u64 {
        let mut positions = Vec::new();
        self.each(&mut |number| {
            if let Number::Position(at) = number {
                positions.push(*at);
            }
        });
        positions.sort_unstable();
        positions.dedup();
        self.each(&mut |number| match number {
            Number::Position(at) => *at = positions.partition_point(|position| position < at) as u32,
            Number::Def(def) => *def = digest(&chain(facts, *def)) as u32,
        });
        digest(&self)
    }

    fn each(&mut self, with: &mut dyn FnMut(Number<'_>)) {
        for (def, _) in &mut self.defs {
            let spans = [&mut def.name_span, &mut def.full, &mut def.signature];
            spans.into_iter().chain(&mut def.within).for_each(|span| each_end(span, with));
            def.value.iter_mut().for_each(|value| each_number(value, with));
            for above in &mut def.supertypes {
                each_end(&mut above.site, with);
                above.delegated.iter_mut().for_each(|value| each_number(value, with));
            }
        }
        for binding in &mut self.bindings {
            with(Number::Position(&mut binding.from));
            let spans = [&mut binding.name_span, &mut binding.scope].into_iter();
            let spans = spans.chain(&mut binding.branch).chain(&mut binding.hidden);
            spans.for_each(|span| each_end(span, with));
            binding.value.iter_mut().for_each(|value| each_number(value, with));
        }
        for (import, _) in &mut self.imports {
            each_end(&mut import.span, with);
        }
        for branch in &mut self.branches {
            each_end(&mut branch.span, with);
            with(Number::Position(&mut branch.until));
        }
    }
}

/// A number in facts that changes with text elsewhere in the file.
enum Number<'a> {
    Position(&'a mut u32),
    Def(&'a mut u32),
}

fn each_end(span: &mut Span, with: &mut dyn FnMut(Number<'_>)) {
    with(Number::Position(&mut span.start));
    with(Number::Position(&mut span.end));
}

fn each_number(expr: &mut Expr, with: &mut dyn FnMut(Number<'_>)) {
    match expr {
        Expr::At(at, _) => with(Number::Position(at)),
        Expr::Inside(def, _) => with(Number::Def(def)),
        _ => {}
    }
    match expr {
        Expr::Member(one, _)
        | Expr::Element(one)
        | Expr::Unwrap(one)
        | Expr::Part(one, _)
        | Expr::Matched(one, _)
        | Expr::LambdaParameter(one, _)
        | Expr::LambdaReceiver(one)
        | Expr::Filled(_, one)
        | Expr::At(_, one)
        | Expr::Lambda(Some(one))
        | Expr::Inside(_, one) => each_number(one, with),
        Expr::Passed(one, other) => {
            each_number(one, with);
            each_number(other, with);
        }
        Expr::Call(callee, arguments) => {
            each_number(callee, with);
            arguments.iter_mut().for_each(|argument| each_number(argument, with));
        }
        Expr::Record(parts) => parts.iter_mut().for_each(|(_, value)| each_number(value, with)),
        Expr::Tuple(parts) | Expr::Either(parts) => parts.iter_mut().for_each(|part| each_number(part, with)),
        Expr::Name(_)
        | Expr::This(_)
        | Expr::Super(_)
        | Expr::Path(_)
        | Expr::Typed(_)
        | Expr::Class(_)
        | Expr::Literal(_)
        | Expr::Module(_)
        | Expr::Lambda(None)
        | Expr::Opaque => {}
    }
}
