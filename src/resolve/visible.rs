//! Visible traits: members that a trait adds to a type are there where the trait is in scope.

use super::{
    infer::{Infer, Site},
    modules::Place,
    names::Guard,
    symbols::Gid,
    types::Ty,
    world::World,
};
use crate::extract::SymbolKind;

impl World<'_> {
    /// Whether a member belongs to the type that it was found on, or to a bound of it, rather than
    /// being added to it from elsewhere.
    pub fn is_native(&self, member: Gid, found: &Ty) -> bool {
        if !self.defs.rules(member).traits_in_scope {
            return true;
        }
        let Some(holder) = self.defs.container(member) else { return true };
        match found {
            // A block for a type from outside.
            Ty::Foreign(..) => false,
            Ty::Instance(gid, _) | Ty::Class(gid, _) => {
                *gid == holder
                    || self.families.owner(holder).is_some()
                    || self.families.order(*gid).contains(&holder)
            }
            _ => true,
        }
    }
}

impl Infer<'_, '_> {
    /// Whether the trait that a member comes from is in scope.
    pub fn sees_trait(&self, site: Site, member: Gid) -> bool {
        let defs = &self.world.defs;
        let Some(holder) = defs.container(member) else { return true };
        let of = match defs.kind(holder) {
            SymbolKind::Extension => match defs.def(holder).supertypes.first() {
                Some(above) => self.type_expr(Site { def: holder, at: above.site.start }, &above.ty),
                None => return true,
            },
            _ => self.own_instance(holder),
        };
        // What a block does for a trait from outside, blocks outside do, too.
        let Ty::Instance(of, _) = of else { return false };
        let module = defs.module_of(site.def);
        self.seen(module, of)
    }

    /// Whether a module, or one around it in its file, declares or imports a trait under any name.
    fn seen(&self, module: Gid, of: Gid) -> bool {
        if let Some(&known) = self.memo.traits.borrow().get(&(module, of)) {
            return known;
        }
        let world = self.world;
        let file = world.defs.file(module);
        let name = world.defs.def(of).name.as_str();
        let seen = world.defs.module_of(of) == module
            || world.lookup(Place::Def(module), name, &mut Guard::default()).contains(&Place::Def(of))
            || world.in_scope(module, name, &mut Guard::default()).contains(&Place::Def(of))
            || world.imports_of(file).any(|at| world.import(file, at).contains(&Place::Def(of)));
        self.memo.traits.borrow_mut().insert((module, of), seen);
        seen
    }
}
