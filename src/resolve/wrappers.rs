//! What is in a wrapper, a container or an iterator.

use super::{
    infer::{Infer, Site},
    types::Ty,
};
use crate::extract::SymbolKind;

impl Infer<'_, '_> {
    pub fn is_wrapper(&self, site: Site, ty: &Ty) -> bool {
        let rules = self.world.defs.rules(site.def);
        matches!(ty, Ty::Foreign(name, _) if rules.wrapper_types.contains(&name.as_str()))
    }

    /// What is in a wrapper.
    pub fn unwrap(&self, site: Site, ty: &Ty) -> Ty {
        let rules = self.world.defs.rules(site.def);
        match ty {
            Ty::Foreign(name, args) if rules.wrapper_types.contains(&name.as_str()) => {
                args.first().cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Foreign(name, args)
                if rules.transparent_types.contains(&name.as_str()) && args.len() == 1 =>
            {
                self.unwrap(site, &args[0])
            }
            Ty::Instance(..) => {
                if let Some(alias) = rules.unwrap_alias {
                    let output = self.associated_of(ty, alias);
                    if output.is_known() {
                        return output;
                    }
                }
                for name in rules.enter_members {
                    for (gid, receiver) in self.members(ty, name) {
                        let raw = self.result(gid);
                        let entered = self.unwrap_foreign(site, &self.substitute(&raw, &receiver));
                        if entered.is_known() {
                            return entered;
                        }
                    }
                }
                ty.clone()
            }
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.unwrap(site, part))),
            other => other.clone(),
        }
    }

    pub fn unwrap_foreign(&self, site: Site, ty: &Ty) -> Ty {
        if self.is_wrapper(site, ty) { self.unwrap(site, ty) } else { ty.clone() }
    }

    pub fn associated_of(&self, ty: &Ty, alias: &str) -> Ty {
        for (gid, receiver) in self.members(ty, alias) {
            if self.world.defs.kind(gid) == SymbolKind::TypeAlias {
                let raw = self.alias(gid);
                return self.substitute(&raw, &receiver);
            }
        }
        Ty::Unknown
    }

    /// What indexing or iterating gives.
    pub fn element(&self, ty: &Ty) -> Ty {
        match ty {
            // What a generator yields comes before what it takes and returns.
            Ty::Foreign(name, args) if self.world.families.is_generator(name) => {
                args.first().cloned().unwrap_or(Ty::Unknown)
            }
            Ty::Foreign(_, args) => args.last().cloned().unwrap_or(Ty::Unknown),
            Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.element(part))),
            Ty::Class(gid, _) if self.world.defs.kind(*gid) == SymbolKind::Enum => self.own_instance(*gid),
            Ty::Instance(gid, _) if let Some(made) = self.underlying(*gid) => self.element(&made),
            Ty::Instance(gid, _) | Ty::Param(gid, _) => {
                let rules = self.world.defs.rules(*gid);
                if let Some(alias) = rules.element_alias {
                    let item = self.associated_of(ty, alias);
                    if item.is_known() {
                        return item;
                    }
                }
                for name in rules.element_members {
                    for (gid, receiver) in self.members(ty, name) {
                        let raw = self.result(gid);
                        let given = match self.substitute(&raw, &receiver) {
                            Ty::Foreign(_, args) => args.last().cloned().unwrap_or(Ty::Unknown),
                            other => other,
                        };
                        if given.is_known() && given != *ty {
                            return given;
                        }
                    }
                }
                Ty::Unknown
            }
            _ => Ty::Unknown,
        }
    }
}
