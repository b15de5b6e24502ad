//! Expected types: what a function's place says of the parameters that it writes without a type.

use super::{
    infer::{Infer, Site, Task},
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Expr, SymbolKind};

impl Infer<'_, '_> {
    /// The type of a parameter of the function at a site, from where the function stands: as a value of a
    /// written type, as a member of an object or a class that has a supertype, as a member of what a call is
    /// given.
    pub fn expected_parameter(&self, site: Site, name: &str) -> Ty {
        let defs = &self.world.defs;
        if !defs.rules(site.def).expected_types {
            return Ty::Unknown;
        }
        let def = defs.def(site.def);
        let Some(index) = def.params.iter().position(|param| param.name == name) else { return Ty::Unknown };
        if !def.kind.is_callable() || def.params[index].ty.is_some() {
            return Ty::Unknown;
        }
        let expected = self.unless_busy(Task::Expected(site.def), || self.expected(site.def));
        expected.unwrap_or_default().into_iter().nth(index).unwrap_or_default()
    }

    /// The types of the parameters that a function's place expects.
    fn expected(&self, gid: Gid) -> Vec<Ty> {
        let defs = &self.world.defs;
        let def = defs.def(gid);
        let site = Site { def: gid, at: def.name_span.start };
        if let Some(written) = def.supertypes.first() {
            return self.parameters(self.type_expr(site, &written.ty));
        }
        let Some(holder) = defs.container(gid) else { return Vec::new() };
        let outer = defs.def(holder);
        if outer.kind.is_type() {
            let above = self.world.families.order(holder).iter().skip(1);
            return above.copied().find_map(|above| self.of_member(above, &def.name)).unwrap_or_default();
        }
        let Some(Expr::Call(callee, _) | Expr::Passed(callee, _)) = &outer.value else { return Vec::new() };
        if !matches!(outer.kind, SymbolKind::Variable | SymbolKind::Constant) {
            return Vec::new();
        }
        let Ty::Function(function, _) = self.expr(Site { def: holder, at: outer.name_span.end }, callee)
        else {
            return Vec::new();
        };
        let inside = Site { def: function, at: defs.def(function).name_span.start };
        let types = defs.def(function).params.iter().filter_map(|param| param.ty.as_ref());
        let taken = types.map(|ty| self.type_expr(inside, ty));
        taken.into_iter().find_map(|ty| self.of_value(&ty, &def.name)).unwrap_or_default()
    }

    /// The parameters of the member of a name of a value of a type.
    fn of_value(&self, ty: &Ty, name: &str) -> Option<Vec<Ty>> {
        match ty {
            Ty::Instance(gid, _) => self.of_member(*gid, name),
            Ty::Param(owner, index) => {
                self.bounds(*owner, *index).iter().find_map(|bound| self.of_value(bound, name))
            }
            Ty::Union(parts) => parts.iter().find_map(|part| self.of_value(part, name)),
            Ty::Record(_) => Some(self.parameters(ty.record_member(name))).filter(|list| !list.is_empty()),
            _ => None,
        }
    }

    fn of_member(&self, holder: Gid, name: &str) -> Option<Vec<Ty>> {
        let defs = &self.world.defs;
        let member = *self.in_order(holder, name, 0).first()?;
        let def = defs.def(member);
        if !def.kind.is_callable() {
            return Some(self.parameters(self.result(member)));
        }
        let site = Site { def: member, at: def.name_span.start };
        let ty = |ty: &_| self.type_expr(site, ty);
        Some(def.params.iter().map(|param| param.ty.as_ref().map_or(Ty::Unknown, ty)).collect())
    }

    /// The parameters of a function type; of one of several the first.
    fn parameters(&self, ty: Ty) -> Vec<Ty> {
        match self.function_type(ty) {
            Some(Ty::Callable(_, params, _)) => params,
            _ => Vec::new(),
        }
    }
}
