//! Extensions: functions in scope that take a value as their receiver, and which types a type accepts.

use super::{
    infer::{Infer, Site},
    scopes::Want,
    symbols::Gid,
    types::{SELF, Ty},
};

impl Infer<'_, '_> {
    /// Members, and where there are none the extension functions in scope that take the type. With
    /// whether the receiver's type was what decided.
    pub fn members_or_extensions(
        &self,
        site: Site,
        base: &Ty,
        name: &str,
        want: Want,
        accept: &dyn Fn(Gid) -> bool,
    ) -> (Vec<(Gid, Ty)>, bool) {
        let mut members = self.members_at(site, base, name);
        members.retain(|(gid, found)| {
            self.world.fits(*gid, want)
                && accept(*gid)
                && (self.world.is_native(*gid, found) || self.sees_trait(site, *gid))
        });
        if !members.is_empty() || !self.world.defs.rules(site.def).extension_functions {
            return (members, true);
        }
        self.extension_functions(site, base, name, accept)
    }

    /// Functions in scope whose receiver takes a type. With an unknown type only one that is alone
    /// in scope is meant.
    fn extension_functions(
        &self,
        site: Site,
        base: &Ty,
        name: &str,
        accept: &dyn Fn(Gid) -> bool,
    ) -> (Vec<(Gid, Ty)>, bool) {
        let defs = &self.world.defs;
        let file = defs.file(site.def);
        let mut levels: Vec<Vec<Gid>> = Vec::new();
        for at in defs.chain(site.def).filter(|&at| defs.kind(at).is_type()) {
            for holder in [self.own_instance(at), Ty::Class(at, Vec::new())] {
                levels.push(self.members(&holder, name).into_iter().map(|(gid, _)| gid).collect());
            }
        }
        match self.levels(file, name) {
            Some(outside) => levels.extend(outside),
            None => return (Vec::new(), true),
        }
        let mut seen = Vec::new();
        for level in &mut levels {
            level.retain(|&gid| {
                let new = defs.def(gid).receiver.is_some() && !seen.contains(&gid);
                seen.push(gid);
                new
            });
        }
        let on = |gid: &Gid| (*gid, base.clone());
        // Many types have a member of a common name.
        let rules = defs.rules(site.def);
        let common = rules.common_members.contains(&name);
        if !base.is_known() {
            let first = levels.iter().find(|level| !level.is_empty());
            let alone = first.filter(|level| level.len() == 1 && !common);
            let list = alone.into_iter().flatten().filter(|gid| accept(**gid));
            return (list.map(on).collect(), false);
        }
        for level in &levels {
            let takes = |gid: &&Gid| accept(**gid) && self.takes(**gid, base) == Some(true);
            let exact: Vec<(Gid, Ty)> = level.iter().filter(takes).map(on).collect();
            if !exact.is_empty() {
                return (self.most_specific(exact), true);
            }
        }
        for level in levels.iter().filter(|_| !common) {
            let maybe = |gid: &&Gid| accept(**gid) && self.takes(**gid, base).is_none();
            let mut maybe: Vec<(Gid, Ty)> = level.iter().filter(maybe).map(on).collect();
            if maybe.len() > 1 {
                // A type from elsewhere is rather one from elsewhere than one of the language's own.
                maybe.retain(|(gid, _)| match self.holder_type(*gid) {
                    Ty::Foreign(name, _) => !rules.builtins.contains(&name.as_str()),
                    _ => true,
                });
            }
            if !maybe.is_empty() {
                return if maybe.len() == 1 { (maybe, false) } else { (Vec::new(), true) };
            }
        }
        (Vec::new(), true)
    }

    /// Without the functions whose receiver is a supertype of another one's.
    fn most_specific(&self, functions: Vec<(Gid, Ty)>) -> Vec<(Gid, Ty)> {
        let receiver = |gid: Gid| match self.holder_type(gid) {
            Ty::Instance(ty, _) => Some(ty),
            _ => None,
        };
        let receivers: Vec<Option<Gid>> = functions.iter().map(|(gid, _)| receiver(*gid)).collect();
        let below = |ty: Gid| {
            receivers
                .iter()
                .flatten()
                .any(|&other| other != ty && self.world.families.order(other).contains(&ty))
        };
        let kept = |at: &usize| !receivers[*at].is_some_and(below);
        let kept: Vec<usize> = (0..functions.len()).filter(kept).collect();
        kept.into_iter().map(|at| functions[at].clone()).collect()
    }

    /// Whether an extension function's receiver takes a type; `None` where nobody here knows.
    pub fn takes(&self, function: Gid, base: &Ty) -> Option<bool> {
        let defs = &self.world.defs;
        defs.def(function).receiver.as_ref()?;
        let wanted = self.holder_type(function);
        self.accepts(&wanted, base)
    }

    pub fn accepts(&self, wanted: &Ty, given: &Ty) -> Option<bool> {
        let families = &self.world.families;
        match (wanted, given) {
            (Ty::Foreign(wanted, _), _) if families.is_top(wanted) => Some(true),
            (_, Ty::Union(parts)) => {
                let all: Vec<Option<bool>> = parts.iter().map(|part| self.accepts(wanted, part)).collect();
                if all.contains(&Some(true)) { Some(true) } else { all.into_iter().min().flatten() }
            }
            (Ty::Param(owner, index), _) if *index != SELF => {
                let bounds = self.bounds(*owner, *index);
                if bounds.is_empty() {
                    return Some(true);
                }
                bounds.iter().map(|bound| self.accepts(bound, given)).min().flatten()
            }
            (Ty::Instance(wanted, _), Ty::Instance(given, _) | Ty::Super(given)) => {
                Some(wanted == given || families.order(*given).contains(wanted))
            }
            (Ty::Instance(wanted, _), Ty::Class(given, _)) => {
                // `Foo.Companion` is what a class name means as a value.
                Some(self.world.defs.container(*wanted) == Some(*given))
            }
            (Ty::Instance(..), Ty::Param(owner, index)) if *index != SELF => {
                let bounds = self.bounds(*owner, *index);
                Some(bounds.iter().any(|bound| self.accepts(wanted, bound) == Some(true)))
            }
            (Ty::Callable(receiver, params, _), Ty::Callable(given_receiver, given_params, _)) => {
                // A receiver is the first parameter under another name.
                let count = |receiver: &Option<Box<Ty>>, params: &Vec<Ty>| {
                    usize::from(receiver.is_some()) + params.len()
                };
                Some(count(receiver, params) == count(given_receiver, given_params))
            }
            (Ty::Callable(..), Ty::Instance(..) | Ty::Foreign(..)) => Some(false),
            (Ty::Instance(..) | Ty::Foreign(..), Ty::Callable(..)) => Some(false),
            (Ty::Foreign(wanted, _), Ty::Foreign(given, _)) => {
                if wanted == given {
                    Some(true)
                } else {
                    None
                }
            }
            (Ty::Foreign(..), Ty::Instance(given, _)) => {
                if families.has_foreign_supertype(*given) {
                    None
                } else {
                    Some(false)
                }
            }
            (Ty::Instance(..), Ty::Foreign(..)) => Some(false),
            _ => None,
        }
    }
}
