//! Lexical scopes: what a plain name means where it stands.

use std::collections::HashMap;

use super::{
    infer::{Infer, Site},
    module_tree::common,
    modules::Place,
    symbols::Gid,
    types::Ty,
    world::World,
};
use crate::{extract::SymbolKind, lang::ModuleSystem, resolve::Reason};

/// What a name is wanted for: some languages keep types, values and macros apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Type,
    Call,
    Value,
    Macro,
    /// The beginning of a longer path or chain.
    Any,
}

/// What a plain name means.
#[derive(Debug)]
pub(super) enum Named {
    /// A parameter or a local name, by its index in the file's bindings.
    Binding(u32),
    Found(Vec<Place>, Reason),
    /// Members of an implicit receiver, and the receiver.
    Members(Vec<Gid>, Ty, Reason),
    TypeParam(Gid, u32),
    /// Something outside the repository.
    Foreign,
    Nothing,
}

impl World<'_> {
    /// Whether a definition can be meant.
    pub fn fits(&self, gid: Gid, want: Want) -> bool {
        let (def, rules) = (self.defs.def(gid), self.defs.rules(gid));
        let kind = def.kind;
        if def.traits.hidden {
            return false;
        }
        if rules.types_apart {
            use SymbolKind::{Class, Enum, EnumMember, Interface, Macro, Module, TypeAlias};
            return match want {
                Want::Any => true,
                Want::Macro => false,
                Want::Type => matches!(kind, Class | Enum | EnumMember | Interface | TypeAlias | Module),
                Want::Call => !matches!(kind, Interface | TypeAlias | Module | Macro),
                Want::Value => !matches!(kind, Interface | TypeAlias),
            };
        }
        if rules.functions_apart {
            match want {
                Want::Any if kind.is_callable() => return false,
                // A value that is read by a call.
                Want::Call if !kind.is_callable() && !kind.is_type() => {
                    return def.traits.accessor;
                }
                _ => {}
            }
        }
        match want {
            Want::Any => true,
            Want::Macro => kind == SymbolKind::Macro,
            Want::Type => kind.is_type() || kind == SymbolKind::Variable,
            Want::Call => !matches!(kind, SymbolKind::Module | SymbolKind::Macro),
            Want::Value => kind != SymbolKind::Macro,
        }
    }

    fn keep(&self, mut places: Vec<Place>, want: Want) -> Vec<Place> {
        places.retain(|place| match place {
            Place::Def(gid) => self.fits(*gid, want),
            Place::Foreign => true,
            _ => matches!(want, Want::Any | Want::Value),
        });
        places
    }

    /// Of definitions that are one by their shape, in several source sets, the one that is meant from
    /// a file: the common declaration, else the one in the file itself, else the nearest.
    fn nearest(&self, file: u32, gids: &[Gid]) -> Vec<Gid> {
        // Definitions of one file stand beside each other.
        if gids.windows(2).all(|pair| self.defs.file(pair[0]) == self.defs.file(pair[1])) {
            return gids.to_vec();
        }
        let shape = |gid: Gid| {
            let def = self.defs.def(gid);
            let receiver = def.receiver.as_ref().map(|ty| &ty.path);
            let params: Vec<_> =
                def.params.iter().map(|param| param.ty.as_ref().map(|ty| &ty.path)).collect();
            (def.kind.is_type(), receiver, params)
        };
        let path = self.defs.input(file).file.path.as_str();
        let rank = |gid: Gid| {
            let def = self.defs.def(gid);
            let other = self.defs.file(gid);
            let expected = def.traits.without_body && def.traits.conditional;
            let near = common(path, self.defs.input(other).file.path.as_str());
            (!def.traits.yields, other == file, expected, near)
        };
        let mut kept: Vec<Gid> = Vec::new();
        // The first that was kept of each shape.
        let mut first: HashMap<_, usize> = HashMap::new();
        for &gid in gids {
            let at = *first.entry(shape(gid)).or_insert(kept.len());
            let Some(known) = kept.get_mut(at) else {
                kept.push(gid);
                continue;
            };
            let other = self.defs.file(*known) != self.defs.file(gid);
            if other && rank(gid) > rank(*known) {
                *known = gid;
            } else if !other {
                kept.push(gid);
            }
        }
        kept
    }
}

fn accepted(place: &Place, accept: &dyn Fn(Gid) -> bool) -> bool {
    match place {
        Place::Def(gid) => accept(*gid),
        _ => true,
    }
}

impl Infer<'_, '_> {
    /// What a plain name means at a site.
    pub fn name(&self, site: Site, name: &str, want: Want) -> Named {
        self.name_where(site, name, want, true, &|_| true)
    }

    /// Like `name`, of what is accepted only. Without `narrowed` past the tests that narrow a name's type:
    /// to what declares it.
    pub fn name_where(
        &self,
        site: Site,
        name: &str,
        want: Want,
        narrowed: bool,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Named {
        let world = self.world;
        let defs = &world.defs;
        let file = defs.file(site.def);
        let rules = defs.rules(site.def);
        let mut inner: Option<Gid> = None;
        // Where the site is reached while the scope runs; `None` for what runs later, in a body.
        let mut runs = Some(site.at);
        // Whether a type around the site may have the name from a type outside of the repository.
        let mut hidden = false;
        let bound = world.bindings_of(file, name);
        let mut lambdas: Option<Vec<u32>> = None;
        for at in defs.chain(site.def) {
            let def = defs.def(at);
            if !bound.is_empty()
                && let Some(binding) = world.binding(file, bound, site.at, def, want, narrowed)
                && !(want == Want::Call
                    && rules.implicit_this
                    && (rules.functions_apart || !self.may_be_called(file, binding)))
            {
                let places = self.in_block(site, at, name, want, runs, binding, accept);
                return if places.is_empty() {
                    Named::Binding(binding)
                } else {
                    self.found(places, Reason::Scope)
                };
            }
            // Receivers bring members into scope, no types.
            let receivers = rules.implicit_this && want != Want::Type;
            if receivers {
                let all = lambdas.get_or_insert_with(|| world.receivers_at(file, site.at)).iter();
                for &receiver in all.filter(|&&receiver| world.is_within(file, receiver, def)) {
                    let ty = self.binding_type(file, receiver);
                    if let Some(found) = self.implicit(site, &ty, name, want, Reason::ReceiverType, accept) {
                        return found;
                    }
                }
            }
            if def.kind == SymbolKind::Module {
                let named = match self.in_module(at, name, want, runs, accept) {
                    Named::Found(places, reason) => match self.reached(site, places) {
                        places if places.is_empty() => Named::Nothing,
                        places => Named::Found(places, reason),
                    },
                    named => named,
                };
                let open = rules.nested_modules && def.container.is_some();
                if open && matches!(named, Named::Nothing | Named::Foreign) {
                    continue;
                }
                return named;
            }
            if want != Want::Macro
                && let Some(index) = def.type_params.iter().position(|param| param.name == name)
            {
                return Named::TypeParam(at, index as u32);
            }
            if def.kind.is_type() {
                if rules.implicit_this {
                    if let Some(found) = self.implicit_static(site, at, name, want, accept) {
                        return if hidden { Named::Foreign } else { found };
                    }
                    hidden |= want == Want::Call && self.may_inherit(at, name);
                } else if self.in_class_body(site, at, inner) {
                    // A variable is not yet there in its own initializer.
                    let found: Vec<Place> = defs
                        .named(at, name)
                        .iter()
                        .filter(|&&gid| gid != site.def || defs.kind(gid).is_callable())
                        .map(|&gid| Place::Def(gid))
                        .collect();
                    let found = world.keep(found, want);
                    if !found.is_empty() {
                        return Named::Found(found, Reason::Scope);
                    }
                }
            } else if def.kind != SymbolKind::Extension {
                let mut found = world.keep(world.in_scope_at(at, name, runs), want);
                found.retain(|place| accepted(place, accept));
                let found = self.reached(site, found);
                if !found.is_empty() {
                    return self.found(found, Reason::Scope);
                }
                if receivers && def.receiver.is_some() {
                    let ty = self.holder_type(at);
                    if let Some(found) = self.implicit(site, &ty, name, want, Reason::ReceiverType, accept) {
                        return found;
                    }
                }
            }
            if def.kind.is_callable() && site.at >= def.signature.end {
                runs = None;
            }
            inner = Some(at);
        }
        Named::Nothing
    }

    /// What a block of a function defines under a name that a binding of a wider scope has.
    #[allow(clippy::too_many_arguments)]
    fn in_block(
        &self,
        site: Site,
        function: Gid,
        name: &str,
        want: Want,
        runs: Option<u32>,
        binding: u32,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Vec<Place> {
        let defs = &self.world.defs;
        let Some(facts) = defs.facts(defs.file(site.def)) else { return Vec::new() };
        let scope = facts.bindings[binding as usize].scope;
        let narrower = |gid: Gid| {
            let block = defs.def(gid).within;
            block.is_some_and(|block| block != scope && scope.encloses(block)) && accept(gid)
        };
        if !defs.named(function, name).iter().any(|&gid| narrower(gid)) {
            return Vec::new();
        }
        let mut found = self.world.keep(self.world.in_scope_at(function, name, runs), want);
        found.retain(|place| matches!(place, Place::Def(gid) if narrower(*gid)));
        self.reached(site, found)
    }

    /// Without what a function literal or a block of the file holds that does not hold the site; what the innermost
    /// one holds comes before all else.
    fn reached(&self, site: Site, mut places: Vec<Place>) -> Vec<Place> {
        let defs = &self.world.defs;
        let file = defs.file(site.def);
        let within = |place: &Place| match place {
            Place::Def(gid) if defs.file(*gid) == file => defs.def(*gid).within,
            _ => None,
        };
        places.retain(|place| within(place).is_none_or(|literal| literal.contains(site.at)));
        if let Some(start) = places.iter().filter_map(|place| Some(within(place)?.start)).max() {
            places.retain(|place| within(place).is_some_and(|literal| literal.start == start));
        }
        places
    }

    /// Names of a class body are visible in the body itself and in its members' heads.
    fn in_class_body(&self, site: Site, class: Gid, inner: Option<Gid>) -> bool {
        if !self.world.defs.rules(class).body_scope {
            return false;
        }
        match inner {
            // Supertypes and decorators are worked out before there is a body.
            None => site.def == class && site.at >= self.world.defs.def(class).signature.end,
            Some(member) => {
                let def = self.world.defs.def(member);
                member == site.def && (site.at < def.signature.end || !def.kind.is_callable())
            }
        }
    }

    fn found(&self, places: Vec<Place>, reason: Reason) -> Named {
        // A definition under a condition beside an import from outside is what is used without it.
        let stands_in = |place: &Place| match place {
            Place::Def(gid) => self.world.defs.def(*gid).traits.conditional,
            _ => true,
        };
        if places.contains(&Place::Foreign) && places.iter().all(stands_in) {
            return Named::Foreign;
        }
        Named::Found(places, reason)
    }

    /// Members of an implicit receiver.
    fn implicit(
        &self,
        site: Site,
        ty: &Ty,
        name: &str,
        want: Want,
        reason: Reason,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Option<Named> {
        self.accepted(self.members_at(site, ty, name), want, reason, accept)
    }

    /// What is accepted of the members of an implicit receiver.
    fn accepted(
        &self,
        mut members: Vec<(Gid, Ty)>,
        want: Want,
        reason: Reason,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Option<Named> {
        members.retain(|&(gid, _)| self.world.fits(gid, want) && accept(gid));
        let (_, receiver) = members.first().cloned()?;
        Some(Named::Members(members.into_iter().map(|(gid, _)| gid).collect(), receiver, reason))
    }

    /// Whether a type can have a function of a name from a supertype outside of the repository.
    fn may_inherit(&self, gid: Gid, name: &str) -> bool {
        let families = &self.world.families;
        let rules = self.world.defs.rules(gid);
        let known = rules.foreign_members;
        if known.is_empty() {
            return false;
        }
        let has = |of: &str| match known.iter().find(|(types, _)| types.contains(&of)) {
            Some((_, members)) => members.contains(&name),
            None => true,
        };
        let order = families.order(gid);
        rules.top_types.iter().any(|top| has(top))
            || std::iter::once(&gid)
                .chain(order)
                .any(|&at| families.foreign_names(at).iter().any(|of| has(of)))
    }

    /// Members of an enclosing type, of its companion, and its nested types.
    fn implicit_static(
        &self,
        site: Site,
        gid: Gid,
        name: &str,
        want: Want,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Option<Named> {
        let key = (self.world.defs.file(site.def), gid);
        if self.memo.absent.borrow().get(&key).is_some_and(|names| names.contains(name)) {
            return None;
        }
        let mut absent = true;
        for ty in [self.own_instance(gid), Ty::Class(gid, Vec::new())] {
            let members = self.members_at(site, &ty, name);
            absent &= members.is_empty();
            let found = self.accepted(members, want, Reason::EnclosingType, accept);
            if found.is_some() {
                return found;
            }
        }
        // What a type derefs to is looked for as long as there is fuel.
        if absent && self.world.families.deref(gid).is_none() {
            self.memo.absent.borrow_mut().entry(key).or_default().insert(name.into());
        }
        None
    }

    /// What a name means at the level of a module and beyond.
    fn in_module(
        &self,
        module: Gid,
        name: &str,
        want: Want,
        runs: Option<u32>,
        accept: &dyn Fn(Gid) -> bool,
    ) -> Named {
        let world = self.world;
        let defs = &world.defs;
        let file = defs.file(module);
        let rules = defs.rules(module);
        let builtin = rules.builtins.contains(&name);
        match &rules.modules {
            ModuleSystem::Packages { .. } => {
                let keep = |places: Vec<Place>| {
                    let mut places = world.keep(places, want);
                    places.retain(|place| accepted(place, &|gid| world.sees(file, gid) && accept(gid)));
                    places
                };
                let (explicit, opened) = world.named_in_file(module, name);
                let explicit = keep(explicit);
                if !explicit.is_empty() {
                    return self.nearest_of(file, explicit, Reason::Import);
                }
                let own = keep(world.in_own_package(file, name).iter().map(|&gid| Place::Def(gid)).collect());
                if !own.is_empty() {
                    let same = own.iter().any(|p| matches!(p, Place::Def(gid) if defs.file(*gid) == file));
                    return self.nearest_of(file, own, if same { Reason::Scope } else { Reason::Package });
                }
                let opened = keep(opened);
                if !opened.is_empty() {
                    return self.nearest_of(file, opened, Reason::Import);
                }
            }
            ModuleSystem::Paths(_) | ModuleSystem::Files { .. } | ModuleSystem::Crates { .. } => {
                let found = world.keep(world.in_scope_at(module, name, runs), want);
                if !found.is_empty() {
                    let own = |place: &Place| matches!(place, Place::Def(gid) if defs.container(*gid) == Some(module));
                    let reason = if found.iter().any(own) { Reason::Scope } else { Reason::Import };
                    return self.found(found, reason);
                }
                if want == Want::Macro
                    && let Some(found) = self.textual_macro(module, name)
                {
                    return Named::Found(vec![Place::Def(found)], Reason::Scope);
                }
            }
        }
        if builtin { Named::Foreign } else { Named::Nothing }
    }

    /// What a name can mean in a file of a language with packages, by the levels at which it is looked for.
    /// `None` where an import says that it comes from outside.
    pub fn levels(&self, file: u32, name: &str) -> Option<Vec<Vec<Gid>>> {
        let world = self.world;
        let module = world.defs.module(file)?;
        let (explicit, opened) = world.named_in_file(module, name);
        if !explicit.is_empty() && explicit.iter().all(|place| *place == Place::Foreign) {
            return None;
        }
        let own = world.in_own_package(file, name).to_vec();
        let gids = |places: Vec<Place>| -> Vec<Gid> {
            let gid = |place| match place {
                Place::Def(gid) => Some(gid),
                _ => None,
            };
            places.into_iter().filter_map(gid).collect()
        };
        let seen = |mut gids: Vec<Gid>| {
            gids.retain(|&gid| world.sees(file, gid) && world.fits(gid, Want::Any));
            self.nearest(file, &gids)
        };
        Some([gids(explicit), own, gids(opened)].into_iter().map(seen).collect())
    }

    /// The types of what a plain name may be a member of: the receivers of lambdas and functions around a
    /// site, and the types that enclose it. A lambda's may not be known.
    pub fn implicit_receivers(&self, site: Site) -> Vec<Ty> {
        let world = self.world;
        let file = world.defs.file(site.def);
        let mut types = Vec::new();
        for at in world.defs.chain(site.def) {
            let def = world.defs.def(at);
            let lambdas = world.receivers(file, site.at, def);
            types.extend(lambdas.into_iter().map(|binding| self.binding_type(file, binding)));
            if def.kind.is_type() {
                types.push(self.own_instance(at));
            } else if def.receiver.is_some() {
                types.push(self.holder_type(at));
            }
        }
        types
    }

    /// Like the world's, except that a declaration stays what is meant where an alias that stands in for it
    /// leads out of the repository.
    fn nearest(&self, file: u32, gids: &[Gid]) -> Vec<Gid> {
        let defs = &self.world.defs;
        let leads_out = |gid: Gid| {
            defs.kind(gid) == SymbolKind::TypeAlias
                && defs.def(gid).traits.conditional
                && !matches!(self.alias(gid), Ty::Instance(..) | Ty::Class(..) | Ty::Union(_))
        };
        let nearest = self.world.nearest(file, gids);
        if !nearest.iter().any(|&gid| leads_out(gid)) {
            return nearest;
        }
        let declared = |gid: &Gid| defs.def(*gid).traits.expected && defs.kind(*gid).is_type();
        let declared: Vec<Gid> = gids.iter().copied().filter(declared).collect();
        match self.world.nearest(file, &declared) {
            declared if declared.is_empty() => nearest,
            declared => nearest.into_iter().filter(|&gid| !leads_out(gid)).chain(declared).collect(),
        }
    }

    fn nearest_of(&self, file: u32, places: Vec<Place>, reason: Reason) -> Named {
        let gids: Vec<Gid> = places
            .iter()
            .filter_map(|place| match place {
                Place::Def(gid) => Some(*gid),
                _ => None,
            })
            .collect();
        let rest = places.iter().copied().filter(|place| !matches!(place, Place::Def(_)));
        let defs = &self.world.defs;
        // Files of different builds define a name once each.
        let alternatives = gids.iter().all(|&gid| defs.rules(gid).alternatives && defs.file(gid) != file);
        let nearest = if alternatives { gids } else { self.nearest(file, &gids) };
        self.found(nearest.into_iter().map(Place::Def).chain(rest).collect(), reason)
    }

    /// A macro of the same crate: in a module above, else the only one of its name.
    fn textual_macro(&self, module: Gid, name: &str) -> Option<Gid> {
        let world = self.world;
        let tree = world.modules.tree(world.defs.file(module))?;
        let macros = world.macros(name);
        let root = tree.crate_root(module)?;
        let mut at = Some(module);
        while let Some(above) = at {
            if let Some(&found) = macros.iter().find(|&&gid| world.defs.module_of(gid) == above) {
                return Some(found);
            }
            at = tree.parent(above);
        }
        let mut own = macros.iter().filter(|&&gid| tree.crate_root(world.defs.module_of(gid)) == Some(root));
        let found = *own.next()?;
        // Twins under different conditions stand in one file.
        own.all(|&gid| world.defs.file(gid) == world.defs.file(found)).then_some(found)
    }
}
