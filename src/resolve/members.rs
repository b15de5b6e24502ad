//! Members: what a name means on a value of a known type, and what the type's arguments make of it.

use super::{
    infer::{Infer, Site},
    lineage::Blanket,
    modules::Place,
    names::Guard,
    relations::same_parameters,
    scopes::{Named, Want},
    symbols::Gid,
    types::{SELF, Ty},
};
use crate::extract::{Expr, Name, SymbolKind, Visibility};

/// Transparent types and blanket blocks are looked through this often.
const LAYERS: u32 = 6;

impl Infer<'_, '_> {
    /// The members of a name on a value of a type, each with the type that it was found on. All come
    /// from the first type in the order of inheritance that has the name.
    pub fn members(&self, ty: &Ty, name: &str) -> Vec<(Gid, Ty)> {
        self.members_in(ty, name, LAYERS)
    }

    fn members_in(&self, ty: &Ty, name: &str, layers: u32) -> Vec<(Gid, Ty)> {
        let Some(layers) = layers.checked_sub(1) else { return Vec::new() };
        let world = self.world;
        let on = |gids: Vec<Gid>, ty: &Ty| gids.into_iter().map(|gid| (gid, ty.clone())).collect();
        match ty {
            Ty::Instance(gid, _) => {
                let mut found = self.in_order(*gid, name, 0);
                found.retain(|&member| !self.is_of_other(member, false));
                if !found.is_empty() {
                    return on(found, ty);
                }
                if let Some(target) = world.families.deref(*gid) {
                    let target = self.substitute(target, ty);
                    if target != *ty {
                        return self.members_in(&target, name, layers);
                    }
                }
                on(self.in_blankets(*gid, name), ty)
            }
            Ty::Class(gid, _) => {
                let mut found = self.in_order(*gid, name, 0);
                found.retain(|&member| !self.is_of_other(member, true));
                if !found.is_empty() {
                    return on(found, ty);
                }
                for companion in self.companions(*gid) {
                    let found = self.in_order(companion, name, 0);
                    if !found.is_empty() {
                        return on(found, &Ty::Instance(companion, Vec::new()));
                    }
                }
                on(self.in_blankets(*gid, name), ty)
            }
            // A constructor is that of the class right above.
            Ty::Super(gid) if self.is_constructor(*gid, name) => {
                let above = world.families.order(*gid).get(1).copied();
                let above = above.filter(|&above| world.defs.kind(above) == SymbolKind::Class);
                on(above.map_or_else(Vec::new, |above| self.own_members(above, name)), ty)
            }
            Ty::Super(gid) => {
                let found = self.in_order(*gid, name, 1);
                on(found, &self.own_instance(*gid))
            }
            Ty::Param(owner, SELF) => {
                let own = self.own_instance(*owner);
                self.members_in(&own, name, layers)
            }
            Ty::Param(owner, index) => {
                let bounds = self.bounds(*owner, *index);
                for bound in &bounds {
                    let found = self.members_in(bound, name, layers);
                    if !found.is_empty() {
                        return found.into_iter().map(|(gid, _)| (gid, bound.clone())).collect();
                    }
                }
                Vec::new()
            }
            Ty::Module(place) => world
                .lookup(*place, name, &mut Guard::default())
                .into_iter()
                .filter_map(|place| match place {
                    Place::Def(gid) => Some((gid, ty.clone())),
                    _ => None,
                })
                .collect(),
            Ty::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    for found in self.members_in(part, name, layers) {
                        if !all.iter().any(|(gid, _)| *gid == found.0) {
                            all.push(found);
                        }
                    }
                }
                all
            }
            Ty::Foreign(known, args) => {
                let blocks = world.families.foreign(known);
                let mut found = Vec::new();
                for &block in blocks {
                    found.extend_from_slice(world.defs.named(block, name));
                }
                let transparent = world.families.shows(known, name);
                // What takes its instance in a box is meant of what is in the box, before the box.
                let in_box = |gid: &Gid| world.defs.def(*gid).traits.boxed_instance;
                if transparent
                    && found.iter().any(in_box)
                    && let Some(inner) = args.first()
                {
                    let inner = self.members_in(inner, name, layers);
                    if !inner.is_empty() {
                        return inner;
                    }
                }
                if !found.is_empty() {
                    return on(found, ty);
                }
                match args.first() {
                    Some(inner) if transparent => self.members_in(inner, name, layers),
                    _ => on(self.in_foreign_blankets(known, name), ty),
                }
            }
            Ty::Function(gid, _) if world.defs.rules(*gid).merged_declarations => {
                on(self.merged(*gid, name), ty)
            }
            Ty::Unknown | Ty::Function(..) | Ty::Tuple(_) | Ty::Record(_) | Ty::Callable(..) => Vec::new(),
        }
    }

    /// Whether a member is only one of the class, or where the class is asked only one of its instances, in
    /// languages that hold the two apart.
    fn is_of_other(&self, member: Gid, class: bool) -> bool {
        let defs = &self.world.defs;
        let def = defs.def(member);
        let holder = defs.container(member);
        def.kind == SymbolKind::Method
            && def.traits.associated != class
            && defs.rules(member).merged_declarations
            && holder.is_some_and(|holder| defs.kind(holder) == SymbolKind::Class)
    }

    /// Whether members of a name make instances of one type only, and not of those below it.
    fn is_constructor(&self, gid: Gid, name: &str) -> bool {
        let rules = self.world.defs.rules(gid);
        rules.overloads && rules.constructors.contains(&name)
    }

    /// Like `members`, at a site; with what only the definition of a type for the site's platform declares.
    pub fn members_at(&self, site: Site, ty: &Ty, name: &str) -> Vec<(Gid, Ty)> {
        let found = self.bridged(site, ty, name, self.members(ty, name));
        let Ty::Instance(gid, _) = ty else { return found };
        if !found.is_empty() {
            return found;
        }
        let world = self.world;
        let file = world.defs.file(site.def);
        let order = world.families.order(*gid);
        for &twin in order.iter().flat_map(|&at| world.families.twins(at)) {
            if world.sees(file, twin) {
                let mut found = self.own_members(twin, name);
                found.retain(|&gid| world.defs.def(gid).visibility != Visibility::Private);
                if !found.is_empty() {
                    return found.into_iter().map(|gid| (gid, ty.clone())).collect();
                }
            }
        }
        found
    }

    /// The companions of a type and of those above it, in the order of inheritance.
    fn companions(&self, gid: Gid) -> Vec<Gid> {
        if let Some(known) = self.memo.companions.borrow().get(&gid) {
            return known.clone();
        }
        let defs = &self.world.defs;
        let all = self.world.families.order(gid).iter().flat_map(|&at| defs.children(at));
        let found: Vec<Gid> = all.copied().filter(|&child| defs.def(child).traits.companion).collect();
        self.memo.companions.borrow_mut().insert(gid, found.clone());
        found
    }

    /// A name along the order of inheritance, from a place in it.
    pub fn in_order(&self, gid: Gid, name: &str, skip: usize) -> Vec<Gid> {
        if skip > 0 {
            return self.in_order_from(gid, name, skip);
        }
        if let Some(known) = self.memo.inherited.borrow().get(&gid).and_then(|names| names.get(name)) {
            return known.clone();
        }
        let found = self.in_order_from(gid, name, 0);
        self.memo.inherited.borrow_mut().entry(gid).or_default().insert(Name::from(name), found.clone());
        found
    }

    fn in_order_from(&self, gid: Gid, name: &str, skip: usize) -> Vec<Gid> {
        let families = &self.world.families;
        let order = families.order(gid);
        if order.is_empty() {
            return if skip == 0 { self.own_members(gid, name) } else { Vec::new() };
        }
        let mut assigned: Vec<Gid> = Vec::new();
        for (place, &at) in order.iter().enumerate().skip(skip) {
            let found = self.own_members(at, name);
            if found.is_empty() {
                continue;
            }
            if self.is_contested(gid, place, name) {
                return Vec::new();
            }
            if !assigned.is_empty() {
                // Until a method assigns the name, a function that it replaces is what is there.
                let function = |gid: &Gid| self.world.defs.kind(*gid).is_callable();
                assigned.extend(found.into_iter().filter(function));
                return assigned;
            }
            if !found.iter().all(|&gid| self.assigned_in(gid).is_some()) {
                return self.with_inherited(gid, name, found, order);
            }
            assigned = found;
        }
        assigned
    }

    /// Whether a type holds another one, as deep as that at a place of its order, with members of the name.
    fn is_contested(&self, gid: Gid, place: usize, name: &str) -> bool {
        // An interface has a method once, from however many it has it.
        self.world.defs.kind(gid) != SymbolKind::Interface
            && self.world.families.rivals(gid, place).any(|at| !self.own_members(at, name).is_empty())
    }

    /// Functions of a name, with those of types above that they do not override.
    fn with_inherited(&self, gid: Gid, name: &str, mut found: Vec<Gid>, order: &[Gid]) -> Vec<Gid> {
        let world = self.world;
        let defs = &world.defs;
        let callable = |gid: &Gid| defs.kind(*gid).is_callable();
        let apart = !defs.rules(gid).overloads || self.is_constructor(gid, name);
        if apart || order.len() < 2 || !found.iter().all(callable) {
            return found;
        }
        let holder = defs.container(found[0]);
        let above = order.iter().skip_while(|&&at| Some(at) != holder).skip(1);
        for &at in above {
            for other in self.own_members(at, name).into_iter().filter(callable) {
                if !found.iter().any(|&own| same_parameters(world, own, other)) {
                    found.push(other);
                }
            }
        }
        found
    }

    /// The members of a name that a type itself and its blocks declare, the type's own first.
    pub fn own_members(&self, gid: Gid, name: &str) -> Vec<Gid> {
        let world = self.world;
        let mut found = world.defs.named(gid, name).to_vec();
        found.retain(|&child| world.defs.kind(child) != SymbolKind::Extension);
        let blocks = world.families.extensions(gid);
        for of_trait in [false, true] {
            for &block in blocks {
                if world.defs.def(block).supertypes.is_empty() != of_trait {
                    found.extend_from_slice(world.defs.named(block, name));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        if found.is_empty() && world.defs.rules(gid).merged_declarations {
            found = self.merged(gid, name);
        }
        found
    }

    /// The members of a name that other declarations of a definition's own name add to it.
    fn merged(&self, gid: Gid, name: &str) -> Vec<Gid> {
        let defs = &self.world.defs;
        let Some(container) = defs.container(gid) else { return Vec::new() };
        let merges = |at: &Gid| {
            use SymbolKind::{Class, Enum, Interface, Module};
            *at != gid && matches!(defs.kind(*at), Class | Enum | Interface | Module)
        };
        let others = defs.named(container, &defs.def(gid).name).iter().copied().filter(merges);
        others.flat_map(|at| defs.named(at, name)).copied().collect()
    }

    /// Members that a block for every type with some bounds gives.
    fn in_blankets(&self, gid: Gid, name: &str) -> Vec<Gid> {
        let families = &self.world.families;
        let mut covering = families.blankets().iter().filter(|blanket| families.covers(blanket, gid));
        covering.find_map(|blanket| self.of_blanket(blanket, name)).unwrap_or_default()
    }

    /// Members that a block gives to everything with a bound from outside the repository.
    fn in_foreign_blankets(&self, bound: &str, name: &str) -> Vec<Gid> {
        let families = &self.world.families;
        let mut covering = families.blankets().iter().filter(|blanket| {
            blanket.bounds.is_empty()
                && !blanket.foreign.is_empty()
                && blanket.foreign.iter().all(|at| at == bound)
        });
        covering.find_map(|blanket| self.of_blanket(blanket, name)).unwrap_or_default()
    }

    fn of_blanket(&self, blanket: &Blanket, name: &str) -> Option<Vec<Gid>> {
        let own = self.world.defs.named(blanket.block, name);
        let found = if own.is_empty() { self.in_order(blanket.of, name, 0) } else { own.to_vec() };
        (!found.is_empty()).then_some(found)
    }

    /// The fields of a name that a variant declares, where an expression names the variant as its type.
    pub fn variant_fields(&self, site: Site, expr: &Expr, name: &str) -> Vec<Gid> {
        let Expr::Typed(ty) = expr else { return Vec::new() };
        let Some((last, path)) = ty.path.split_last() else { return Vec::new() };
        let defs = &self.world.defs;
        let named: Vec<Gid> = if path.is_empty() {
            match self.name(site, last, Want::Call) {
                Named::Found(places, _) => places
                    .into_iter()
                    .filter_map(|place| match place {
                        Place::Def(gid) => Some(gid),
                        _ => None,
                    })
                    .collect(),
                Named::Members(gids, ..) => gids,
                _ => Vec::new(),
            }
        } else {
            let holder = self.path_type(site, path);
            self.members(&holder, last).into_iter().map(|(gid, _)| gid).collect()
        };
        let variants = named.into_iter().filter(|&gid| defs.kind(gid) == SymbolKind::EnumMember);
        variants.flat_map(|gid| defs.named(gid, name).to_vec()).collect()
    }

    /// Definitions of one name in the order in which a use means them: a call a function before a
    /// value, other uses a value before a function.
    pub fn by_use(&self, gid: Gid, want: Want) -> bool {
        let def = self.world.defs.def(gid);
        let called = (def.kind.is_callable() && !def.traits.accessor) || def.kind.is_type();
        called != (want == Want::Call)
    }

    /// The type of a member of a value, as something to call or to read.
    pub fn member_type(&self, site: Site, base: &Ty, name: &str, want: Want) -> Ty {
        let rules = self.world.defs.rules(site.def);
        if rules.class_members.contains(&name) && base.is_known() {
            return base.clone().class();
        }
        if let Ty::Module(place) = base {
            let places = self.world.lookup(*place, name, &mut Guard::default());
            return self.places_type(&places);
        }
        if let Ty::Foreign(_, args) = base
            && rules.element_fields.contains(&name)
            && !args.is_empty()
        {
            return self.element(base);
        }
        if let Ty::Instance(gid, _) = base
            && rules.object_instance == Some(name)
            && self.world.defs.kind(*gid) == SymbolKind::Object
        {
            return base.clone();
        }
        let written = base.record_member(name);
        if written.is_known() {
            return written;
        }
        if let Ok(index) = name.parse() {
            return self.unnamed_field(base, index).unwrap_or(Ty::Unknown);
        }
        let mut members = self.members_or_extensions(site, base, name, want, &|_| true).0;
        if !matches!(base, Ty::Union(_)) {
            members.sort_by_key(|(gid, _)| self.by_use(*gid, want));
        }
        if members.is_empty()
            && let Some(held) = self.embedded(base, name)
        {
            return held;
        }
        let mut types = Vec::new();
        for (gid, receiver) in &members {
            let mut ty = self.through(*gid, receiver);
            if want != Want::Call && self.reads_across(site, *gid, name, want) {
                ty = self.called(&ty);
            }
            if matches!(ty, Ty::Function(..)) || !matches!(base, Ty::Union(_)) {
                // Of overloads the first one speaks for all.
                if ty.is_known() {
                    types.push(ty);
                    if !matches!(base, Ty::Union(_)) {
                        break;
                    }
                }
            } else {
                types.push(ty);
            }
        }
        Ty::union(types)
    }

    /// What a value's type extends under a name, where that is a member of it.
    pub fn embedded(&self, base: &Ty, name: &str) -> Option<Ty> {
        let Ty::Instance(gid, _) = base else { return None };
        let world = self.world;
        if !world.defs.rules(*gid).embedded_supertypes {
            return None;
        }
        let named = |ty: &Ty| matches!(ty, Ty::Instance(above, _) if world.defs.def(*above).name == name);
        let order = world.families.order(*gid).iter();
        let above = order.flat_map(|&at| world.families.supers(at)).find(|above| named(&above.ty))?;
        Some(self.substitute(&above.ty, base))
    }

    /// A member's type with the parameters of the types that declare it replaced by what the receiver
    /// gives them.
    pub fn substitute(&self, ty: &Ty, receiver: &Ty) -> Ty {
        if !ty.has_params() {
            return ty.clone();
        }
        ty.replace(&mut |owner, index| {
            let given = self.argument(receiver, owner, index, LAYERS);
            given.filter(Ty::is_known)
        })
    }

    fn argument(&self, receiver: &Ty, owner: Gid, index: u32, layers: u32) -> Option<Ty> {
        let layers = layers.checked_sub(1)?;
        let world = self.world;
        match receiver {
            Ty::Instance(gid, args) | Ty::Class(gid, args) => {
                let (gid, args) = (*gid, args);
                let order = world.families.order(gid);
                if index == SELF {
                    let related = gid == owner || order.contains(&owner);
                    return related.then(|| Ty::Instance(gid, args.clone()));
                }
                if owner == gid {
                    return args.get(index as usize).cloned();
                }
                if world.families.owner(owner) == Some(gid) {
                    // `impl<T> Foo<T>`: the block's parameter is the type's argument at its place.
                    let block = world.defs.def(owner);
                    let name = &block.type_params.get(index as usize)?.name;
                    let written = block.receiver.as_ref()?;
                    let at =
                        written.args.iter().position(|arg| arg.path.len() == 1 && arg.path[0] == *name)?;
                    return args.get(at).cloned();
                }
                for supertype in world.families.supers(gid) {
                    let Ty::Instance(above, _) = &supertype.ty else { continue };
                    let leads = *above == owner
                        || world.families.order(*above).contains(&owner)
                        || world.families.owner(owner).is_some_and(|owner| {
                            owner == *above || world.families.order(*above).contains(&owner)
                        });
                    if leads {
                        let above = self.substitute(&supertype.ty, receiver);
                        return self.argument(&above, owner, index, layers);
                    }
                }
                None
            }
            Ty::Param(..) | Ty::Super(_) if index == SELF => match receiver {
                Ty::Super(gid) => Some(self.own_instance(*gid)),
                other => Some(other.clone()),
            },
            Ty::Param(of, at) => {
                let bounds = self.bounds(*of, *at);
                bounds.iter().find_map(|bound| self.argument(bound, owner, index, layers))
            }
            Ty::Foreign(_, args) if index != SELF => {
                // A block for a foreign type, or a type looked through.
                args.first().and_then(|inner| self.argument(inner, owner, index, layers))
            }
            _ => None,
        }
    }
}
