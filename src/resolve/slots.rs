//! Slots: places that any of several functions can be put in, and the functions that fill them.
//!
//! A slot is a named function type, for functions that are declared with it, those that give a value of it and
//! those that are handed to a parameter of it; a variable that lists functions; a function that chooses between
//! functions of one shape by a value. Functions of one slot stand for each other like the implementers of an
//! interface do; the operations of one object do not.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    EdgeKind, Reason,
    infer::{Infer, Site},
    links::Link,
    references::{gids, only},
    scopes::Want,
    symbols::Gid,
    types::Ty,
};
use crate::{
    extract::{Def, Expr, FileFacts, Param, Ref, RefRole, SymbolKind, TypeExpr, TypeForm},
    text::Span,
};

/// As many functions of one shape make a list or a choice a slot.
const MIN_FILLED: usize = 3;
/// Names of a type are followed through so many declarations.
pub(super) const MAX_STEPS: u32 = 8;

/// A function that fills a slot, and where that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub function: Gid,
    pub slot: Gid,
    pub site: Span,
    pub reason: Reason,
    pub confidence: u8,
}

impl Fill {
    fn by(link: &Link, facts: &FileFacts, function: Gid, slot: Gid) -> Fill {
        let site = facts.refs[link.at as usize].span;
        Fill { function, slot, site, reason: link.reason, confidence: link.confidence }
    }
}

/// What a file says of functions and slots. `links` are those of its references, in order.
pub(super) fn fills(infer: &Infer<'_, '_>, file: u32, links: &[Link]) -> Vec<Fill> {
    let Some(facts) = infer.world.defs.facts(file) else { return Vec::new() };
    let mut all = Vec::new();
    declared(infer, file, facts, &mut all);
    given(infer, file, facts, &mut all);
    handed(infer, facts, links, &mut all);
    listed(infer, facts, links, &mut all);
    chosen(infer, facts, links, &mut all);
    all
}

/// Functions that are the value of a variable of a named function type.
fn declared(infer: &Infer<'_, '_>, file: u32, facts: &FileFacts, all: &mut Vec<Fill>) {
    for (at, def) in (0..).zip(&facts.defs) {
        let Some(written) = def.supertypes.first().filter(|_| def.kind.is_callable()) else { continue };
        let function = infer.world.defs.gid(file, at);
        infer.refuel();
        if let Some(slot) = infer.function_slot(Site { def: function, at: def.name_span.start }, &written.ty)
        {
            all.push(Fill { function, slot, site: written.site, reason: Reason::Declared, confidence: 100 });
        }
    }
}

/// Functions that return a function literal of a named function type.
fn given(infer: &Infer<'_, '_>, file: u32, facts: &FileFacts, all: &mut Vec<Fill>) {
    for (at, def) in (0..).zip(&facts.defs) {
        let Some(ty) = def.ty.as_ref().filter(|_| def.kind.is_callable() && def.traits.gives_function) else {
            continue;
        };
        let function = infer.world.defs.gid(file, at);
        let site = Site { def: function, at: def.name_span.start };
        infer.refuel();
        let Some(slot) = infer.function_slot(site, ty) else { continue };
        // The last use of the type's name in the signature.
        let named =
            |reference: &&Ref| reference.role == RefRole::Type && ty.path.last() == Some(&reference.name);
        let from = facts.refs.partition_point(|reference| reference.span.start < def.signature.start);
        let until = facts.refs.partition_point(|reference| reference.span.start < def.signature.end);
        let mut uses = facts.refs[from..until].iter().rev();
        let site = uses.find(named).map_or(def.name_span, |reference| reference.span);
        all.push(Fill { function, slot, site, reason: Reason::Declared, confidence: 100 });
    }
}

/// Functions that are handed to parameters of a named function type.
fn handed(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[Link], all: &mut Vec<Fill>) {
    let defs = &infer.world.defs;
    let of = |at: u32| {
        let start = links.partition_point(|link| link.at < at);
        links[start..].iter().take_while(move |link| link.at == at)
    };
    for handed in &facts.handed {
        let functions: Vec<&Link> = of(handed.at).filter(|link| is_function(infer, link)).collect();
        if functions.is_empty() {
            continue;
        }
        let called = of(handed.to).filter(|link| link.kind == EdgeKind::Calls);
        let slots: BTreeSet<Gid> = called
            .filter_map(|call| {
                let callee = defs.def(call.to);
                let param = callee.params.get(usize::from(handed.nth?));
                let param = param.or_else(|| callee.params.last().filter(|last| last.many))?;
                infer.refuel();
                infer.function_slot(Site { def: call.to, at: callee.name_span.start }, taken(param)?)
            })
            .collect();
        // Of callees that disagree none tells.
        if let (Some(&slot), 1) = (slots.first(), slots.len()) {
            all.extend(functions.iter().map(|link| Fill::by(link, facts, link.to, slot)));
        }
    }
}

/// Functions that a variable lists.
fn listed(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[Link], all: &mut Vec<Fill>) {
    use SymbolKind::{Constant, Field, Object, Property, Variable};
    let defs = &infer.world.defs;
    let handed = |link: &&Link| facts.handed.binary_search_by_key(&link.at, |handed| handed.at).is_err();
    let mut lists: BTreeMap<Gid, Vec<&Link>> = BTreeMap::new();
    for link in links.iter().filter(|link| is_function(infer, link)).filter(handed) {
        // A part of an object is one of what the object lists.
        let holder = defs.container(link.from).filter(|&holder| defs.kind(holder) == Object);
        let list = holder.unwrap_or(link.from);
        if matches!(defs.kind(link.from), Variable | Constant | Field | Property | Object) {
            lists.entry(list).or_default().push(link);
        }
    }
    for (slot, links) in lists {
        if links.len() >= MIN_FILLED && is_list(infer, facts, slot) {
            alike(infer, facts, &links, slot, all);
        }
    }
}

/// Whether a value holds one of many at a place or a key. Where each has a name of its own, as the parts of an
/// object or a struct have, they are its operations, unless its type or a use says that it is a map.
fn is_list(infer: &Infer<'_, '_>, facts: &FileFacts, slot: Gid) -> bool {
    let def = infer.world.defs.def(slot);
    let site = Site { def: slot, at: def.name_span.start };
    let of_many = |ty: &TypeExpr| infer.is_of_many(site, ty, MAX_STEPS);
    let typed = || def.ty.as_ref().is_some_and(of_many);
    let keyed = || typed() || is_asked_by_key(facts, def);
    match &def.value {
        Some(Expr::Filled(..) | Expr::Tuple(_)) => true,
        Some(Expr::Typed(ty)) => of_many(ty) || keyed(),
        Some(Expr::Record(_)) => keyed(),
        _ if def.kind == SymbolKind::Object => keyed(),
        // Syntax that the extractor makes nothing of, as it does of an array.
        None | Some(Expr::Opaque) => typed(),
        _ => false,
    }
}

/// Whether the text of a file asks what a definition holds for an element.
fn is_asked_by_key(facts: &FileFacts, def: &Def) -> bool {
    fn asks(value: &Expr, name: &str) -> bool {
        match value {
            Expr::Element(base) => is_value(base, name) || asks(base, name),
            Expr::At(_, value) | Expr::Inside(_, value) | Expr::Unwrap(value) => asks(value, name),
            Expr::Call(callee, _) | Expr::Member(callee, _) => asks(callee, name),
            Expr::Either(options) => options.iter().any(|option| asks(option, name)),
            _ => false,
        }
    }
    fn is_value(value: &Expr, name: &str) -> bool {
        match value {
            Expr::Name(named) | Expr::Member(_, named) => named == name,
            Expr::At(_, value) | Expr::Inside(_, value) | Expr::Unwrap(value) => is_value(value, name),
            _ => false,
        }
    }
    let called = facts.value_calls.iter().map(|call| &call.callee);
    let bound = facts.bindings.iter().filter_map(|binding| binding.value.as_ref());
    let defined = facts.defs.iter().filter_map(|other| other.value.as_ref());
    let used = facts.refs.iter().filter_map(|reference| reference.receiver.as_ref());
    called.chain(bound).chain(defined).chain(used).any(|value| asks(value, &def.name))
}

/// Functions that the arms of a choice call, one each.
fn chosen(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[Link], all: &mut Vec<Fill>) {
    for arms in facts.arms.chunk_by(|one, other| one.of == other.of) {
        let mut called: Vec<&Link> = Vec::new();
        for arm in arms {
            let start =
                links.partition_point(|link| facts.refs[link.at as usize].span.start < arm.span.start);
            let inside = links[start..]
                .iter()
                .take_while(|link| facts.refs[link.at as usize].span.start < arm.span.end)
                .filter(|link| link.kind == EdgeKind::Calls && infer.world.defs.kind(link.to).is_callable());
            let mut one = inside.clone();
            if let Some(link) = one.next().filter(|first| inside.clone().all(|link| link.to == first.to)) {
                called.push(link);
            }
        }
        // What an object chooses of its own functions may be the steps of one work.
        let own = |link: &&Link| {
            let receiver = &facts.refs[link.at as usize].receiver;
            matches!(receiver, Some(Expr::This(_) | Expr::Super(_))) || link.reason == Reason::EnclosingType
        };
        called.retain(|link| !own(link) && link.to != link.from);
        // Nor may what it tells another object to do.
        let told = |link: &Link| {
            let on_value = facts.refs[link.at as usize].receiver.is_some();
            let associated = infer.world.defs.def(link.to).traits.associated;
            infer.holder(link.to).filter(|_| on_value && !associated)
        };
        let objects: Vec<(Gid, Gid)> =
            called.iter().filter_map(|link| Some((told(link)?, link.to))).collect();
        let one_of_several = |link: &&Link| {
            let object = told(link);
            objects.iter().any(|&(other, to)| Some(other) == object && to != link.to)
        };
        called.retain(|link| !one_of_several(link));
        let Some(slot) = called.first().map(|link| link.from) else { continue };
        if called.len() >= MIN_FILLED && called.iter().all(|link| link.from == slot) {
            alike(infer, facts, &called, slot, all);
        }
    }
}

/// Of the functions that links lead to those that share their shape with enough others.
fn alike(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[&Link], slot: Gid, all: &mut Vec<Fill>) {
    let mut shapes: BTreeMap<(usize, Option<String>), BTreeMap<Gid, &Link>> = BTreeMap::new();
    for link in links {
        let def = infer.world.defs.def(link.to);
        let result = def.ty.as_ref().map(|ty| ty.path.join("."));
        shapes.entry((def.params.len(), result)).or_default().entry(link.to).or_insert(link);
    }
    for functions in shapes.into_values().filter(|functions| functions.len() >= MIN_FILLED) {
        all.extend(functions.into_iter().map(|(function, link)| Fill::by(link, facts, function, slot)));
    }
}

/// A function that is meant as a value.
fn is_function(infer: &Infer<'_, '_>, link: &Link) -> bool {
    let def = infer.world.defs.def(link.to);
    link.kind == EdgeKind::References && def.kind.is_callable() && !def.traits.accessor
}

/// The type of one argument of a parameter.
fn taken(param: &Param) -> Option<&TypeExpr> {
    let ty = param.ty.as_ref()?;
    match ty.form {
        TypeForm::Sequence if param.many => ty.args.first(),
        _ => Some(ty),
    }
}

impl Infer<'_, '_> {
    /// The type whose member a function is.
    fn holder(&self, function: Gid) -> Option<Gid> {
        let world = self.world;
        let holder = world.defs.container(function)?;
        let holder = world.families.owner(holder).unwrap_or(holder);
        world.defs.kind(holder).is_type().then_some(holder)
    }

    /// Whether a written type is that of a list or a map.
    fn is_of_many(&self, site: Site, ty: &TypeExpr, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        match (ty.form, ty.args.as_slice()) {
            (TypeForm::Sequence, _) => true,
            // Members by names that the type does not know.
            (TypeForm::Record, []) => true,
            (TypeForm::Named, args) if !ty.path.is_empty() => {
                let places = self.path_places(site, &ty.path, Want::Type);
                let mut named = gids(&places);
                match (named.next(), args) {
                    (Some(alias), _) => {
                        let def = self.world.defs.def(alias);
                        let site = Site { def: alias, at: def.name_span.start };
                        def.ty.as_ref().is_some_and(|ty| self.is_of_many(site, ty, steps))
                    }
                    (None, [_, _, ..]) => true,
                    (None, [one]) => self.is_of_many(site, one, steps),
                    (None, []) => false,
                }
            }
            _ => false,
        }
    }

    /// The function type of the repository that a written type names. One that takes nothing is no slot: what
    /// gives a function that ends or undoes something has nothing in common with others that do.
    pub fn function_slot(&self, site: Site, ty: &TypeExpr) -> Option<Gid> {
        if ty.form == TypeForm::Union {
            return ty.args.iter().find_map(|part| self.function_slot(site, part));
        }
        if ty.form != TypeForm::Named || ty.path.is_empty() {
            return None;
        }
        let defs = &self.world.defs;
        let places = self.path_places(site, &ty.path, Want::Type);
        let slot = only(gids(&places))?;
        let written = defs.def(slot).ty.as_ref().and_then(takes_something);
        let takes = written.unwrap_or_else(|| match self.function_type(self.type_expr(site, ty)) {
            Some(Ty::Callable(receiver, params, _)) => receiver.is_some() || !params.is_empty(),
            _ => false,
        });
        takes.then_some(slot)
    }
}

/// Whether a written function type has a receiver or a parameter; `None` for what is none.
pub(super) fn takes_something(written: &TypeExpr) -> Option<bool> {
    match written.form {
        TypeForm::ReceiverFunction => Some(true),
        // The last part is the result.
        TypeForm::Function => Some(written.args.len() > 1),
        _ => None,
    }
}
