//! What paths and types mean as they are written.

use super::{
    infer::{Infer, Site, Task},
    modules::Place,
    names::Guard,
    scopes::{Named, Want},
    types::{SELF, Ty},
};
use crate::{
    extract::{Expr, Name, SymbolKind, TypeExpr, TypeForm},
    lang::ModuleSystem,
};

impl Infer<'_, '_> {
    /// The type of a path whose segments syntax marks as one.
    pub fn path_type(&self, site: Site, path: &[Name]) -> Ty {
        let Some((first, rest)) = path.split_first() else { return Ty::Unknown };
        let rules = self.world.defs.rules(site.def);
        if Some(first.as_str()) == rules.self_type {
            let own = self.self_type(site).class();
            return self.walk_members(site, own, rest);
        }
        if !rest.is_empty() || matches!(rules.modules, ModuleSystem::Crates { .. }) {
            // A type parameter begins a path, too.
            if let Named::TypeParam(owner, index) = self.name(site, first, Want::Type) {
                return self.walk_members(site, Ty::Param(owner, index), rest);
            }
        }
        // As far as modules and types reach, by places; then by members.
        for end in (1..=path.len()).rev() {
            let places =
                self.path_places(site, &path[..end], if end < path.len() { Want::Any } else { Want::Value });
            let ty = self.places_type(&places);
            if ty.is_known() {
                return self.walk_members(site, ty, &path[end..]);
            }
        }
        Ty::Unknown
    }

    pub fn walk_members(&self, site: Site, start: Ty, rest: &[Name]) -> Ty {
        rest.iter().fold(start, |ty, name| self.member_type(site, &ty, name, Want::Any))
    }

    /// The type that `Self` means at a site.
    pub fn self_type(&self, site: Site) -> Ty {
        let defs = &self.world.defs;
        let holder = defs
            .chain(site.def)
            .find(|&at| defs.kind(at) == SymbolKind::Extension || defs.kind(at).is_type());
        holder.map_or(Ty::Unknown, |at| self.holder_type(at))
    }

    /// What a written path means.
    pub fn path_places(&self, site: Site, path: &[Name], want: Want) -> Vec<Place> {
        let world = self.world;
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let rules = world.defs.rules(site.def);
        let places = match &rules.modules {
            ModuleSystem::Crates { crate_word, self_word, super_word, .. } => {
                let keyword = [crate_word, self_word, super_word].contains(&&first.as_str());
                if rest.is_empty() && !keyword {
                    return match self.name(site, first, want) {
                        Named::Found(places, _) => places,
                        Named::Foreign => vec![Place::Foreign],
                        _ => Vec::new(),
                    };
                }
                world.crate_path(site.def, path, &mut Guard::default())
            }
            _ => {
                let mut named = false;
                let start = match self.name(site, first, if rest.is_empty() { want } else { Want::Any }) {
                    Named::Found(places, _) => {
                        named = true;
                        places
                    }
                    Named::Members(gids, ..) => gids.into_iter().map(Place::Def).collect(),
                    Named::Foreign => return vec![Place::Foreign],
                    Named::Binding(_) | Named::TypeParam(..) => return Vec::new(),
                    Named::Nothing => self.package_prefix(site, path),
                };
                if matches!(start.first(), Some(Place::Package(..))) && !named {
                    return self.fully_qualified(site, path);
                }
                rest.iter().fold(start, |places, segment| {
                    let mut next: Vec<Place> = Vec::new();
                    for found in places.iter().flat_map(|&place| self.inside(place, segment)) {
                        if !next.contains(&found) {
                            next.push(found);
                        }
                    }
                    next
                })
            }
        };
        if rest.is_empty() || places.len() < 2 {
            return places;
        }
        let fits = |place: &Place| match place {
            Place::Def(gid) => world.fits(*gid, want),
            _ => true,
        };
        places.iter().copied().filter(fits).collect()
    }

    /// What a name means in a place; in a type, of its supertypes, too, where it inherits what they hold.
    fn inside(&self, place: Place, name: &str) -> Vec<Place> {
        let world = self.world;
        let found = world.lookup(place, name, &mut Guard::default());
        let Place::Def(gid) = place else { return found };
        if !found.is_empty() || !world.defs.kind(gid).is_type() || !world.defs.rules(gid).inherited_types {
            return found;
        }
        let order = world.families.order(gid);
        if !order.is_empty() {
            let above =
                order[1..].iter().map(|&above| world.lookup(Place::Def(above), name, &mut Guard::default()));
            return above.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        }
        // While the families are worked out, supertypes are looked up as they are written.
        self.unless_busy(Task::Nested(gid), || {
            let above = world.defs.def(gid).supertypes.iter().flat_map(|above| {
                let site = Site { def: gid, at: above.site.start };
                self.path_places(site, &above.ty.path, Want::Type)
            });
            let mut types = above.filter(|place| matches!(place, Place::Def(_)));
            types.find_map(|place| Some(self.inside(place, name)).filter(|found| !found.is_empty()))
        })
        .flatten()
        .unwrap_or_default()
    }

    pub fn package_prefix(&self, site: Site, path: &[Name]) -> Vec<Place> {
        let file = self.world.defs.file(site.def);
        let tree = self.world.modules.tree(file);
        let first = tree.and_then(|tree| self.world.longest_package(tree, &path[..1]));
        first.map(|(_, place)| place).into_iter().collect()
    }

    pub fn fully_qualified(&self, site: Site, path: &[Name]) -> Vec<Place> {
        let file = self.world.defs.file(site.def);
        let Some(tree) = self.world.modules.tree(file) else { return Vec::new() };
        match self.world.longest_package(tree, path) {
            Some((end, place)) => self.world.walk(vec![place], &path[end..], &mut Guard::default()),
            None => Vec::new(),
        }
    }

    /// What a type that is written as a value stands for, as far as it is the repository's.
    pub fn alias_class(&self, site: Site, ty: &TypeExpr) -> Ty {
        let defs = &self.world.defs;
        if defs.chain(site.def).any(|at| defs.kind(at).is_callable()) {
            // In a function it is an operation on values.
            return Ty::Unknown;
        }
        match self.type_expr(site, ty) {
            Ty::Union(parts) => {
                Ty::union(parts.into_iter().filter(|part| matches!(part, Ty::Instance(..)))).class()
            }
            known @ (Ty::Instance(..) | Ty::Callable(..)) => known.class(),
            _ => Ty::Unknown,
        }
    }

    /// The type that a written type means.
    pub fn type_expr(&self, site: Site, ty: &TypeExpr) -> Ty {
        self.deeper(|| self.type_expr_inner(site, ty))
    }

    pub fn type_expr_inner(&self, site: Site, ty: &TypeExpr) -> Ty {
        let args = || -> Vec<Ty> { ty.args.iter().map(|arg| self.type_expr(site, arg)).collect() };
        match ty.form {
            TypeForm::SelfType => {
                let defs = &self.world.defs;
                let holder = self.enclosing_type(site);
                match holder {
                    Some(holder) if defs.kind(holder) != SymbolKind::Object => Ty::Param(holder, SELF),
                    _ => self.self_type(site),
                }
            }
            TypeForm::Tuple => Ty::Tuple(args()),
            TypeForm::Union => Ty::union(args()),
            TypeForm::Sequence => Ty::Foreign("[]".into(), args()),
            TypeForm::Record => Ty::Record(ty.path.iter().cloned().zip(args()).collect()),
            TypeForm::Member => match (ty.path.first(), args().first()) {
                (Some(name), Some(base)) => self.member_type(site, base, name, Want::Value),
                _ => Ty::Unknown,
            },
            TypeForm::OfValue => {
                let value = ty.path.iter().fold(None, |base, name| {
                    Some(match base {
                        None => Expr::Name(name.clone()),
                        Some(base) => Expr::Member(Box::new(base), name.clone()),
                    })
                });
                value.map_or(Ty::Unknown, |value| self.expr(site, &value))
            }
            TypeForm::Result => args().first().map_or(Ty::Unknown, |function| self.called(function)),
            TypeForm::Instance => args().into_iter().next().unwrap_or_default().instance(),
            TypeForm::Function | TypeForm::ReceiverFunction => {
                let mut parts = args();
                let result = parts.pop().unwrap_or(Ty::Unknown);
                let receiver = (ty.form == TypeForm::ReceiverFunction && !parts.is_empty())
                    .then(|| Box::new(parts.remove(0)));
                Ty::Callable(receiver, parts, Box::new(result))
            }
            TypeForm::Named | TypeForm::Bound => {
                if ty.path.is_empty() {
                    return Ty::union(args());
                }
                self.named_type_expr(site, ty, &args)
            }
        }
    }

    pub fn named_type_expr(&self, site: Site, ty: &TypeExpr, args: &dyn Fn() -> Vec<Ty>) -> Ty {
        let world = self.world;
        let rules = world.defs.rules(site.def);
        let first = &ty.path[0];
        if Some(first.as_str()) == rules.self_type {
            let own = self.self_type(site);
            return ty.path[1..].iter().fold(own, |ty, name| self.associated_type(site, &ty, name));
        }
        if let Named::TypeParam(owner, index) = self.name(site, first, Want::Type) {
            let param = Ty::Param(owner, index);
            return ty.path[1..].iter().fold(param, |ty, name| self.associated_type(site, &ty, name));
        }
        let places = self.path_places(site, &ty.path, Want::Type);
        let last = ty.path.last().unwrap_or(first);
        let mut foreign = places.is_empty();
        let is_type = |place: &&Place| matches!(place, Place::Def(gid) if world.defs.kind(*gid).is_type());
        if rules.alternatives && places.iter().filter(is_type).count() > 1 {
            // Alternatives of different builds.
            let each = places.iter().filter(is_type).map(|place| self.place_type(*place, &args));
            return Ty::union(each.collect::<Vec<_>>());
        }
        // A value beside a type stands in for it where that is not there.
        let values = places.iter().filter(|place| !is_type(place));
        for place in places.iter().filter(is_type).chain(values) {
            match place {
                Place::Def(gid) => match world.defs.kind(*gid) {
                    kind if kind.is_type() => return self.place_type(*place, &args),
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                        return match self.result(*gid) {
                            class @ (Ty::Class(..) | Ty::Union(_) | Ty::Callable(..)) => class.instance(),
                            _ => Ty::Unknown,
                        };
                    }
                    SymbolKind::EnumMember => return self.def_type(*gid),
                    _ => {}
                },
                Place::Foreign => foreign = true,
                _ => {}
            }
        }
        if !foreign {
            return Ty::Unknown;
        }
        let mut args = args();
        if rules.class_types.contains(&last.as_str()) && args.len() == 1 {
            return args.remove(0).class();
        }
        Ty::Foreign(last.clone(), args)
    }

    /// The instance of a type, or what an alias stands for.
    pub fn place_type(&self, place: Place, args: &dyn Fn() -> Vec<Ty>) -> Ty {
        let Place::Def(gid) = place else { return Ty::Unknown };
        if self.world.defs.kind(gid) != SymbolKind::TypeAlias {
            return Ty::Instance(gid, args());
        }
        let args = args();
        self.alias(gid).replace(&mut |owner, index| {
            (owner == gid).then(|| args.get(index as usize).cloned().unwrap_or(Ty::Unknown))
        })
    }

    pub fn associated_type(&self, site: Site, base: &Ty, name: &str) -> Ty {
        // Within its own block an alias means that block's.
        let defs = &self.world.defs;
        let block = defs.chain(site.def).find(|&at| defs.kind(at) == SymbolKind::Extension);
        if let Some(block) = block
            && let Some(&alias) = defs.named(block, name).first()
            && defs.kind(alias) == SymbolKind::TypeAlias
        {
            return self.alias(alias);
        }
        for (gid, receiver) in self.members(base, name) {
            if defs.kind(gid) == SymbolKind::TypeAlias {
                let ty = self.alias(gid);
                return self.substitute(&ty, &receiver);
            }
        }
        Ty::Unknown
    }
}
