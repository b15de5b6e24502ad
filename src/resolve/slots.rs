//! Slots: places that any of several functions can be put in, and the functions that fill them.
//!
//! A slot is a named function type, for functions that are declared with it, those that give a value of it and
//! those that are handed to a parameter of it; a variable that lists functions; a function that chooses between
//! functions of one shape by what it hands to them. Functions of one slot stand for each other like the implementers
//! of an interface do; the operations of one object and the steps of one work do not.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    EdgeKind, Reason,
    infer::{Infer, Site},
    links::Link,
    modules::Place,
    references::{gids, only},
    scopes::{Named, Want},
    symbols::Gid,
    types::{SELF, Ty},
};
use crate::{
    extract::{Expr, FileFacts, Param, Ref, SymbolKind, TypeExpr, TypeForm},
    text::{Span, terms},
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
        let site = Site { def: function, at: def.name_span.start };
        if let Some(slot) = infer.function_slot(site, &written.ty, !def.params.is_empty()) {
            all.push(Fill { function, slot, site: written.site, reason: Reason::Declared, confidence: 100 });
        }
    }
}

/// Functions that return a function of a named function type that is written in them. What fills the slot is that
/// function: it is the site, inside of the definition that is said to fill, whose other parts do not run when the slot
/// is invoked.
fn given(infer: &Infer<'_, '_>, file: u32, facts: &FileFacts, all: &mut Vec<Fill>) {
    for returned in &facts.returned {
        let def = &facts.defs[returned.by as usize];
        let Some(ty) = &def.ty else { continue };
        let function = infer.world.defs.gid(file, returned.by);
        infer.refuel();
        if let Some(slot) = infer.function_slot(Site { def: function, at: def.name_span.start }, ty, false) {
            let site = returned.span;
            all.push(Fill { function, slot, site, reason: Reason::Declared, confidence: 100 });
        }
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
        let takes = functions.iter().all(|link| !defs.def(link.to).params.is_empty());
        let called = of(handed.to).filter(|link| link.kind == EdgeKind::Calls);
        let slots: BTreeSet<Gid> = called
            .filter_map(|call| {
                let callee = defs.def(call.to);
                infer.refuel();
                let before = infer.instances_before(call, &facts.refs[handed.to as usize]);
                let param = parameter(&callee.params, usize::from(handed.nth?).checked_sub(before)?)?;
                infer.function_slot(Site { def: call.to, at: callee.name_span.start }, taken(param)?, takes)
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

/// Whether a value holds one of many at a place or a key. Where each has a name or a place of its own, as the parts of
/// an object, a struct or a tuple have, they are its operations, unless its type or a use says that any may be meant.
fn is_list(infer: &Infer<'_, '_>, facts: &FileFacts, slot: Gid) -> bool {
    let def = infer.world.defs.def(slot);
    let site = Site { def: slot, at: def.name_span.start };
    let of_many = |ty: &TypeExpr| infer.is_of_many(site, ty, MAX_STEPS);
    let typed = || def.ty.as_ref().is_some_and(of_many);
    let keyed = || typed() || is_asked_by_key(infer, facts, slot);
    match &def.value {
        Some(Expr::Filled(..)) => true,
        // The rows of a table.
        Some(Expr::Tuple(parts)) if parts.iter().all(|part| matches!(part, Expr::Tuple(_))) => true,
        Some(Expr::Typed(ty)) => of_many(ty) || keyed(),
        Some(Expr::Record(_) | Expr::Tuple(_)) => keyed(),
        _ if def.kind == SymbolKind::Object => keyed(),
        // Syntax that the extractor makes nothing of, as it does of an array.
        None | Some(Expr::Opaque) => typed(),
        _ => false,
    }
}

/// Whether the text of a file asks a definition for an element by a key that is no constant.
fn is_asked_by_key(infer: &Infer<'_, '_>, facts: &FileFacts, slot: Gid) -> bool {
    let defs = &infer.world.defs;
    let name = &defs.def(slot).name;
    facts.asked.iter().any(|asked| {
        let (Expr::Name(named) | Expr::Member(_, named)) = &asked.value else { return false };
        if named != name {
            return false;
        }
        infer.refuel();
        infer.means(infer.site_at(defs.file(slot), asked.at), &asked.value) == Some(slot)
    })
}

/// Functions that the arms of a choice call, one each, and hand to what they chose by.
fn chosen(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[Link], all: &mut Vec<Fill>) {
    for arms in facts.arms.chunk_by(|one, other| one.of == other.of) {
        let mut called: Vec<&Link> = Vec::new();
        // Those that are handed the value as a whole: only it is what tells them apart.
        let mut wholes: BTreeSet<Gid> = BTreeSet::new();
        // Those that are handed nothing of it.
        let mut others: BTreeSet<Gid> = BTreeSet::new();
        for arm in arms {
            let start =
                links.partition_point(|link| facts.refs[link.at as usize].span.start < arm.span.start);
            let inside = links[start..]
                .iter()
                .take_while(|link| facts.refs[link.at as usize].span.start < arm.span.end)
                .filter(|link| link.kind == EdgeKind::Calls && infer.world.defs.kind(link.to).is_callable());
            let Some(first) = inside.clone().next() else { continue };
            if inside.clone().any(|link| link.to != first.to) {
                continue;
            }
            let handed = |calls: &[u32]| inside.clone().find(|link| calls.contains(&link.at));
            if let Some(link) = handed(&arm.parts) {
                called.push(link);
            } else if let Some(link) = handed(&arm.wholes) {
                called.push(link);
                wholes.insert(link.to);
            } else {
                called.push(first);
                others.insert(first.to);
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
        // A mark may say how far a work is. What does the same for each kind of thing says so in its name, too.
        let words = |function: Gid| {
            let mut words: BTreeSet<String> = BTreeSet::new();
            terms(&infer.world.defs.def(function).name, |word| words.extend([word.to_owned()]));
            words
        };
        let handed = called.iter().filter(|link| !others.contains(&link.to));
        let names: BTreeMap<Gid, BTreeSet<String>> = handed.map(|link| (link.to, words(link.to))).collect();
        let alike_named = |function: Gid| {
            let own = words(function);
            names.values().filter(|other| !other.is_disjoint(&own)).count() >= MIN_FILLED
        };
        let by_name = |link: &Link| wholes.contains(&link.to) || others.contains(&link.to);
        called.retain(|link| !by_name(link) || alike_named(link.to));
        let Some(slot) = called.first().map(|link| link.from) else { continue };
        if called.len() >= MIN_FILLED && called.iter().all(|link| link.from == slot) {
            alike(infer, facts, &called, slot, all);
        }
    }
}

/// What a function gives, as far as it tells shapes apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Given {
    /// A type of the repository.
    Def(Gid),
    Written(String),
    Nothing,
}

/// Of the functions that links lead to those that share their shape with enough others.
fn alike(infer: &Infer<'_, '_>, facts: &FileFacts, links: &[&Link], slot: Gid, all: &mut Vec<Fill>) {
    let given = |function: Gid| {
        let def = infer.world.defs.def(function);
        let Some(ty) = &def.ty else { return Given::Nothing };
        infer.refuel();
        match infer.type_expr(Site { def: function, at: def.name_span.start }, ty) {
            Ty::Instance(gid, _) | Ty::Class(gid, _) => Given::Def(gid),
            Ty::Param(of, SELF) => Given::Def(infer.world.families.owner(of).unwrap_or(of)),
            _ => Given::Written(ty.path.join(".")),
        }
    };
    let mut shapes: BTreeMap<(usize, Given), BTreeMap<Gid, &Link>> = BTreeMap::new();
    for link in links {
        let def = infer.world.defs.def(link.to);
        shapes.entry((def.params.len(), given(link.to))).or_default().entry(link.to).or_insert(link);
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

/// The parameter that takes an argument by its place.
fn parameter(params: &[Param], nth: usize) -> Option<&Param> {
    // What takes any number takes all that follow; parameters behind it are given by their names.
    let many = params.iter().position(|param| param.many);
    params.get(many.map_or(nth, |many| nth.min(many)))
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

    /// How many arguments of a call stand before those of the parameters: the instance, where a method is called by
    /// its type.
    fn instances_before(&self, call: &Link, reference: &Ref) -> usize {
        let def = self.world.defs.def(call.to);
        let Some(receiver) = &reference.receiver else { return 0 };
        if !def.kind.is_callable() || def.traits.associated || self.holder(call.to).is_none() {
            return 0;
        }
        let by_type = match receiver {
            Expr::Path(_) => true,
            receiver => {
                let site = Site { def: call.from, at: reference.span.start };
                matches!(self.expr(site, receiver), Ty::Class(..))
            }
        };
        usize::from(by_type)
    }

    /// The definition that a plain name or a member means.
    fn means(&self, site: Site, value: &Expr) -> Option<Gid> {
        match value {
            Expr::Name(name) => match self.name(site, name, Want::Value) {
                Named::Found(places, _) => only(gids(&places)),
                Named::Members(members, ..) => only(members.into_iter()),
                _ => None,
            },
            Expr::Member(base, name) => match self.expr(site, base) {
                Ty::Module(Place::Def(module)) => only(self.world.defs.named(module, name).iter().copied()),
                base => only(self.members(&base, name).into_iter().map(|(gid, _)| gid)),
            },
            _ => None,
        }
    }

    /// The function type of the repository that a written type names; of several function types none, unless the
    /// function `takes` something and only one of them does. One that takes nothing is no slot: what gives a function
    /// that ends or undoes something has nothing in common with others that do.
    pub fn function_slot(&self, site: Site, ty: &TypeExpr, takes: bool) -> Option<Gid> {
        self.function_slots(site, ty, takes).flatten()
    }

    /// Like `function_slot`; `Some(None)` for a function that is of no slot, or of one of several.
    fn function_slots(&self, site: Site, ty: &TypeExpr, takes: bool) -> Option<Option<Gid>> {
        if let Some(something) = takes_something(ty) {
            return (something || !takes).then_some(None);
        }
        if ty.form == TypeForm::Union {
            let mut parts = ty.args.iter().filter_map(|part| self.function_slots(site, part, takes));
            let first = parts.next()?;
            return Some(first.filter(|_| parts.all(|part| part == first)));
        }
        if ty.form != TypeForm::Named || ty.path.is_empty() {
            return None;
        }
        let defs = &self.world.defs;
        let places = self.path_places(site, &ty.path, Want::Type);
        let Some(slot) = only(gids(&places)) else {
            // What is in a box is called like what is not.
            let boxes = defs.rules(site.def).transparent_types;
            let boxed = ty.path.last().is_some_and(|name| boxes.contains(&name.as_str()));
            let inner = ty.args.first().filter(|_| boxed && places.iter().all(is_foreign));
            return self.function_slots(site, inner?, takes);
        };
        let written = defs.def(slot).ty.as_ref().and_then(takes_something);
        let something = written.or_else(|| match self.function_type(self.type_expr(site, ty))? {
            Ty::Callable(receiver, params, _) => Some(receiver.is_some() || !params.is_empty()),
            _ => None,
        })?;
        (something || !takes).then(|| something.then_some(slot))
    }
}

fn is_foreign(place: &Place) -> bool {
    *place == Place::Foreign
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
