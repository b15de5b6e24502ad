//! Where a value comes from: what is from outside the repository has no members here.

use super::{
    infer::{Infer, Site},
    modules::Place,
    references::gids,
    scopes::{Named, Want},
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Expr, Name};

/// How far a value's origin is followed.
const PROVENANCE: u32 = 8;

impl Infer<'_, '_> {
    /// Whether what an expression gives is nobody's here.
    pub fn comes_from_outside(&self, site: Site, expr: &Expr) -> bool {
        self.is_foreign(site, expr, PROVENANCE)
    }

    /// Whether what an expression gives comes from outside the repository: then nobody here is meant.
    fn is_foreign(&self, site: Site, expr: &Expr, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let world = self.world;
        let rules = world.defs.rules(site.def);
        match expr {
            Expr::Name(name) => match self.name(site, name, Want::Any) {
                Named::Foreign => true,
                Named::Binding(index) => {
                    let file = world.defs.file(site.def);
                    let Some(facts) = world.defs.facts(file) else { return false };
                    world.reaching(file, index, site.at).into_iter().any(|index| {
                        let value = facts.bindings[index as usize].value.as_ref();
                        value.is_some_and(|value| {
                            self.is_foreign(self.binding_site(file, index), value, depth)
                        })
                    })
                }
                Named::Found(places, _) => gids(&places).any(|gid| self.is_foreign_value(gid, depth)),
                Named::Members(gids, ..) => gids.iter().any(|&gid| self.is_foreign_value(gid, depth)),
                Named::TypeParam(..) | Named::Nothing => false,
            },
            Expr::Path(path) => {
                // What is put into a box comes out of it again.
                let boxes = |name: &Name| {
                    rules.transparent_types.contains(&name.as_str())
                        || rules.wrapper_types.contains(&name.as_str())
                };
                !path.iter().any(boxes) && self.path_places(site, path, Want::Any).contains(&Place::Foreign)
            }
            Expr::Member(base, name) => {
                let ty = self.expr(site, base);
                if !ty.is_known() {
                    return self.is_foreign(site, base, depth);
                }
                if name.parse::<usize>().is_ok() {
                    return matches!(self.member_type(site, &ty, name, Want::Any), Ty::Foreign(..));
                }
                let members = self.members_or_extensions(site, &ty, name, Want::Any, &|_| true).0;
                match members.first() {
                    Some((gid, _)) => self.is_foreign_value(*gid, depth),
                    // A known type without the member has it from outside.
                    None => matches!(ty, Ty::Foreign(..) | Ty::Instance(..)),
                }
            }
            Expr::Call(base, _)
            | Expr::Element(base)
            | Expr::Unwrap(base)
            | Expr::Part(base, _)
            | Expr::Matched(base, _)
            | Expr::LambdaParameter(base, _) => self.is_foreign(site, base, depth),
            Expr::At(at, value) => {
                self.is_foreign(self.site_at(world.defs.file(site.def), *at), value, depth)
            }
            Expr::Passed(callee, given) => {
                self.is_foreign(site, callee, depth) && self.is_foreign(site, given, depth)
            }
            // What is put into a row or a container comes out of it again.
            Expr::Tuple(parts) => parts.iter().all(|part| self.is_foreign(site, part, depth)),
            Expr::Filled(_, element) => self.is_foreign(site, element, depth),
            Expr::Module(path) => world.loaded(world.defs.file(site.def), path).contains(&Place::Foreign),
            Expr::Literal(_) | Expr::Class(_) | Expr::Lambda(_) => true,
            Expr::Inside(at, inner) => self.is_foreign(Site { at: *at, ..site }, inner, depth),
            _ => false,
        }
    }

    fn is_foreign_value(&self, gid: Gid, depth: u32) -> bool {
        let def = self.world.defs.def(gid);
        let Some(value) = &def.value else { return false };
        !def.kind.is_type() && self.is_foreign(Site { def: gid, at: def.name_span.end }, value, depth)
    }
}
