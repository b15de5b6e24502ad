//! Calls of slots: where what is called is a value of a named function type, so that any function that fills
//! the slot may run.

use super::{
    EdgeKind, Reason,
    infer::{Infer, Site},
    links::Link,
    modules::Place,
    references::{gids, only},
    scopes::{Named, Want},
    slots::{MAX_STEPS, takes_something},
    symbols::Gid,
    types::Ty,
};
use crate::{
    extract::{Expr, Name, Ref, RefRole, TypeExpr, TypeForm},
    text::Span,
};

/// A call of a value of a slot's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlotCall {
    pub from: Gid,
    pub slot: Gid,
    pub site: Span,
}

/// How sure such a call is.
pub(super) const REASON: Reason = Reason::ReceiverType;
pub(super) const CONFIDENCE: u8 = 85;

/// A type that is read in another scope than where it is used.
struct Written<'w> {
    site: Site,
    ty: &'w TypeExpr,
}

/// The calls of slots in a file. `links` are those of its references, in order.
pub(super) fn slot_calls(infer: &Infer<'_, '_>, file: u32, links: &[Link]) -> Vec<SlotCall> {
    let Some(facts) = infer.world.defs.facts(file) else { return Vec::new() };
    let mut all = Vec::new();
    for call in &facts.value_calls {
        let from = infer.world.defs.gid(file, call.from);
        infer.refuel();
        if let Some(slot) = infer.slot_of(Site { def: from, at: call.span.start }, &call.callee, false) {
            all.push(SlotCall { from, slot, site: call.span });
        }
    }
    for (at, reference) in (0..).zip(&facts.refs) {
        if reference.role != RefRole::Call || !calls_a_value(infer, file, links, at, reference) {
            continue;
        }
        let from = infer.world.defs.gid(file, reference.from);
        infer.refuel();
        let site = Site { def: from, at: reference.span.start };
        let misread = infer.of_local(site, reference);
        let callee = match &misread.as_ref().unwrap_or(reference).receiver {
            None => Expr::Name(reference.name.clone()),
            Some(base) => Expr::Member(Box::new(base.clone()), reference.name.clone()),
        };
        let takes = reference.arguments.is_some_and(|count| count > 0);
        if let Some(slot) = infer.slot_of(site, &callee, takes) {
            all.push(SlotCall { from, slot, site: reference.span });
        }
    }
    all
}

/// Whether a call may be one of a value: of a local name, or of what holds one.
fn calls_a_value(infer: &Infer<'_, '_>, file: u32, links: &[Link], at: u32, reference: &Ref) -> bool {
    use crate::extract::SymbolKind::{Constant, Field, Property, Variable};
    let start = links.partition_point(|link| link.at < at);
    let mut own = links[start..].iter().take_while(|link| link.at == at).peekable();
    if own.peek().is_none() {
        return reference.receiver.is_none() && infer.world.is_bound(file, &reference.name);
    }
    // What is known to run says more than the type of what holds it.
    own.all(|link| {
        let value = matches!(infer.world.defs.kind(link.to), Field | Property | Variable | Constant);
        value && link.kind == EdgeKind::References
    })
}

impl Infer<'_, '_> {
    /// The slot that a called expression is a value of. The call is known to hand something to what `takes` it.
    fn slot_of(&self, site: Site, callee: &Expr, takes: bool) -> Option<Gid> {
        if let Some(written) = self.written_type(site, callee, MAX_STEPS)
            && let Some(slot) = self.function_slot(written.site, written.ty, takes)
        {
            return Some(slot);
        }
        // A function type may be one of its own.
        let Ty::Instance(gid, _) = self.expr(site, callee) else { return None };
        let something = self.world.defs.def(gid).ty.as_ref().and_then(takes_something);
        something.filter(|something| *something).map(|_| gid)
    }

    /// The type of an expression as it is written where the value is declared.
    fn written_type(&self, site: Site, expr: &Expr, steps: u32) -> Option<Written<'_>> {
        let steps = steps.checked_sub(1)?;
        let defs = &self.world.defs;
        match expr {
            Expr::Name(name) => match self.name(site, name, Want::Value) {
                Named::Binding(binding) => {
                    let facts = defs.facts(defs.file(site.def))?;
                    let binding = facts.bindings.get(binding as usize)?;
                    let site = Site { def: site.def, at: binding.name_span.start };
                    match (&binding.ty, &binding.value) {
                        (Some(ty), _) => Some(Written { site, ty }),
                        (None, Some(value)) => self.written_type(site, value, steps),
                        (None, None) => None,
                    }
                }
                Named::Found(places, _) => self.declared(only(gids(&places))?),
                Named::Members(members, ..) => self.declared(only(members.into_iter())?),
                _ => None,
            },
            Expr::Member(base, name) => {
                let base = self.expr(site, base);
                let member = match base {
                    Ty::Module(Place::Def(module)) => only(defs.named(module, name).iter().copied())?,
                    base => only(self.members(&base, name).into_iter().map(|(gid, _)| gid))?,
                };
                self.declared(member)
            }
            Expr::Element(base) => {
                let list = self.written_type(site, base, steps)?;
                self.element_type(list, steps)
            }
            // An element at a place that is written.
            Expr::Part(base, at) => {
                let list = self.written_type(site, base, steps)?;
                match list.ty.form {
                    TypeForm::Tuple => Some(Written { ty: list.ty.args.get(usize::from(*at))?, ..list }),
                    _ => self.element_type(list, steps),
                }
            }
            Expr::Unwrap(inner) => self.written_type(site, inner, steps),
            Expr::At(at, inner) | Expr::Inside(at, inner) => {
                self.written_type(Site { def: site.def, at: *at }, inner, steps)
            }
            _ => None,
        }
    }

    /// The type that a value is declared with.
    fn declared(&self, gid: Gid) -> Option<Written<'_>> {
        let def = self.world.defs.def(gid);
        if def.kind.is_callable() || def.kind.is_type() {
            return None;
        }
        Some(Written { site: Site { def: gid, at: def.name_span.start }, ty: def.ty.as_ref()? })
    }

    /// The type of the elements of a list or a map, as it is written.
    fn element_type<'w>(&'w self, list: Written<'w>, steps: u32) -> Option<Written<'w>> {
        let steps = steps.checked_sub(1)?;
        let Written { site, ty } = list;
        if ty.form == TypeForm::Sequence {
            return Some(Written { site, ty: ty.args.last()? });
        }
        if ty.form != TypeForm::Named {
            return None;
        }
        let places = self.path_places(site, &ty.path, Want::Type);
        let Some(named) = only(gids(&places)) else {
            // Of a collection from outside the last argument.
            return Some(Written { site, ty: ty.args.last()? }).filter(|_| gids(&places).next().is_none());
        };
        // A name for a list, or what has a member that gives its elements.
        let defs = &self.world.defs;
        let def = defs.def(named);
        let inside = Site { def: named, at: def.name_span.start };
        let element = match &def.ty {
            Some(ty) => self.element_type(Written { site: inside, ty }, steps)?,
            None => {
                let own = self.own_instance(named);
                let names = defs.rules(named).element_members;
                let mut members = names.iter().flat_map(|name| self.members(&own, name));
                let (member, _) = members.find(|(member, _)| defs.kind(*member).is_callable())?;
                let given = defs.def(member).ty.as_ref()?;
                let site = Site { def: member, at: defs.def(member).name_span.start };
                // An iterator of them, or one of them.
                Written { site, ty: given.args.last().unwrap_or(given) }
            }
        };
        // Where it is a parameter of the type, what is written in its place.
        let param = |name: &Name| def.type_params.iter().position(|param| param.name == *name);
        match element.ty.path.as_slice() {
            [name] if let Some(at) = param(name) => Some(Written { site, ty: ty.args.get(at)? }),
            _ => Some(element),
        }
    }
}
