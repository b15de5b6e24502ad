//! Overloads: which of several functions of a name a call means, by the arguments that it gives.

use super::{
    infer::{Infer, Site},
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Def, Expr, Given, Param, Ref, RefRole, SymbolKind};

/// How well an argument suits a parameter of a known type.
const EXACT: u32 = 3;
const SUBTYPE: u32 = 2;
const ANYTHING: u32 = 1;

/// The parameter that each argument is for; `None` where the arguments are too many, too few, or of a name
/// that no parameter has. An `inheriting` function has the defaults of another one, which are not written.
fn assign<'p>(params: &'p [Param], given: &[Given], inheriting: bool) -> Option<Vec<&'p Param>> {
    let mut taken = vec![false; params.len()];
    let mut next = 0;
    let mut assigned = Vec::new();
    for argument in given {
        let at = match &argument.name {
            Some(name) => params.iter().position(|param| param.name == *name)?,
            None if argument.trailing => params.len().checked_sub(1)?,
            None => next,
        };
        let param = params.get(at)?;
        if taken[at] && !param.many {
            return None;
        }
        taken[at] = true;
        assigned.push(param);
        if !param.many && !argument.trailing {
            next = at + 1;
        }
    }
    let missing = params.iter().zip(&taken).any(|(param, taken)| !taken && !param.optional && !inheriting);
    (!missing).then_some(assigned)
}

impl Infer<'_, '_> {
    /// Whether a function has the parameters that a call names and counts, or a value can be called.
    pub fn may_take(&self, gid: Gid, reference: &Ref) -> bool {
        let defs = &self.world.defs;
        if reference.role != RefRole::Call || reference.arguments.is_none() || !defs.rules(gid).overloads {
            return true;
        }
        let def = defs.def(gid);
        if def.kind.is_type() || def.kind == SymbolKind::EnumMember {
            return true;
        }
        if !def.kind.is_callable() || def.traits.accessor {
            return match self.result(gid) {
                Ty::Unknown | Ty::Callable(..) | Ty::Function(..) | Ty::Union(_) => true,
                ty @ (Ty::Instance(..) | Ty::Param(..)) => self.call_member(&ty).is_some(),
                _ => false,
            };
        }
        assign(&def.params, &reference.given, inherits_defaults(def)).is_some()
    }

    /// The functions among some that take the arguments best.
    pub fn overloads(&self, site: Site, reference: &Ref, gids: &[Gid]) -> Vec<Gid> {
        let defs = &self.world.defs;
        let function = |gid: &&Gid| defs.kind(**gid).is_callable() && !defs.def(**gid).traits.accessor;
        if reference.arguments.is_none() || gids.iter().filter(function).count() < 2 {
            return gids.to_vec();
        }
        let scores: Vec<(Gid, u32)> = gids
            .iter()
            .filter(function)
            .filter_map(|&gid| Some((gid, self.score_params(site, reference, gid, &defs.def(gid).params)?)))
            .collect();
        let Some(best) = scores.iter().map(|(_, score)| *score).max() else { return gids.to_vec() };
        let mut kept: Vec<Gid> =
            scores.into_iter().filter(|(_, score)| *score == best).map(|(gid, _)| gid).collect();
        // Of equals what is to be used.
        if kept.iter().any(|&gid| !defs.def(gid).traits.deprecated) {
            kept.retain(|&gid| !defs.def(gid).traits.deprecated);
        }
        kept
    }

    /// The written constructor of a type that a call runs; `None` where it runs the type's own.
    pub fn written_constructor(&self, site: Site, reference: &Ref, made: Gid, name: &str) -> Option<Gid> {
        reference.arguments?;
        let defs = &self.world.defs;
        let written = defs.named(made, name).iter().filter(|&&gid| defs.kind(gid).is_callable());
        let best = written
            .filter_map(|&gid| {
                let score = self.score_params(site, reference, gid, &defs.def(gid).params)?;
                Some((score, std::cmp::Reverse(gid)))
            })
            .max()?;
        // Without parameters there is none but the written ones, or the call fits these just as well.
        let params = &defs.def(made).params;
        let own = self.score_params(site, reference, made, params);
        (params.is_empty() || own.is_none_or(|own| own < best.0)).then_some(best.1.0)
    }

    /// How well parameters take a call's arguments; `None` where they do not.
    fn score_params(&self, site: Site, reference: &Ref, gid: Gid, params: &[Param]) -> Option<u32> {
        let defs = &self.world.defs;
        let inside = Site { def: gid, at: defs.def(gid).name_span.start };
        let assigned = assign(params, &reference.given, inherits_defaults(defs.def(gid)))?;
        let mut score = 0;
        for (param, argument) in assigned.into_iter().zip(&reference.given) {
            let Some(written) = &param.ty else { continue };
            let mut wanted = self.type_expr(inside, written);
            if let (true, Ty::Foreign(_, element)) = (param.many, &wanted) {
                wanted = element.first().cloned().unwrap_or(Ty::Unknown);
            }
            if matches!(argument.value, Expr::Lambda(_)) {
                match &wanted {
                    Ty::Callable(..) => score += EXACT,
                    Ty::Instance(gid, _) if !defs.def(*gid).traits.functional => return None,
                    Ty::Foreign(name, _) if self.value_types(site, name).is_some() => return None,
                    _ => {}
                }
                continue;
            }
            let given = self.expr(site, &argument.value);
            if !given.is_known() || !wanted.is_known() {
                continue;
            }
            score += self.suits_argument(site, &wanted, &given)?;
        }
        Some(score)
    }

    fn value_types(&self, site: Site, name: &str) -> Option<&'static [&'static str]> {
        let rules = self.world.defs.rules(site.def);
        rules.value_types.iter().find(|(known, _)| *known == name).map(|(_, above)| *above)
    }

    /// How well a type takes a value of another; `None` where it does not.
    fn suits_argument(&self, site: Site, wanted: &Ty, given: &Ty) -> Option<u32> {
        match (wanted, given) {
            (Ty::Param(..), _) => match self.accepts(wanted, given) {
                Some(false) => None,
                _ => Some(ANYTHING),
            },
            (Ty::Foreign(wanted, _), _) if wanted == "Any" => Some(ANYTHING),
            (Ty::Foreign(wanted, _), Ty::Foreign(given, _)) => {
                if wanted == given {
                    return Some(EXACT);
                }
                match (self.value_types(site, given), self.value_types(site, wanted)) {
                    (Some(above), _) => above.contains(&wanted.as_str()).then_some(SUBTYPE),
                    // Nothing else is a number or a text.
                    (None, Some(_)) => None,
                    (None, None) => Some(0),
                }
            }
            (Ty::Instance(wanted, _), Ty::Instance(given, _)) if wanted == given => Some(EXACT),
            _ => match self.accepts(wanted, given) {
                Some(true) => Some(SUBTYPE),
                Some(false) => None,
                None => Some(0),
            },
        }
    }
}

/// What overrides another function, or stands for one that is declared elsewhere, writes no defaults.
fn inherits_defaults(def: &Def) -> bool {
    def.traits.marked_override || def.traits.conditional
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(name: &str, optional: bool, many: bool) -> Param {
        Param { name: name.into(), ty: None, optional, many }
    }

    fn given(name: Option<&str>, trailing: bool) -> Given {
        Given { name: name.map(Into::into), value: Expr::Opaque, trailing }
    }

    #[test]
    fn arguments_find_their_parameters() {
        let params = [param("a", false, false), param("b", true, false), param("block", false, false)];
        let names = |given: &[Given]| {
            assign(&params, given, false)
                .map(|found| found.iter().map(|param| param.name.clone()).collect::<Vec<_>>())
        };
        let found = |list: &[&str]| Some(list.iter().map(|name| (*name).into()).collect::<Vec<_>>());
        assert_eq!(names(&[given(None, false), given(None, true)]), found(&["a", "block"]));
        assert_eq!(names(&[given(Some("block"), false), given(Some("a"), false)]), found(&["block", "a"]));
        assert_eq!(names(&[given(None, true)]), None, "`a` is missing");
        assert_eq!(names(&[given(Some("c"), false), given(None, true)]), None, "there is no `c`");
        let many = [param("list", true, true), param("last", true, false)];
        let found =
            assign(&many, &[given(None, false), given(None, false), given(Some("last"), false)], false);
        assert_eq!(found.map(|found| found.len()), Some(3));
    }
}
