//! Overloads: which of several functions of a name a call means, by the arguments that it gives.

use super::{
    infer::{Infer, Site},
    symbols::Gid,
    types::Ty,
};
use crate::extract::{Def, Expr, Given, Param, Ref, RefRole, SymbolKind};

/// How well an argument suits a parameter of a known type.
const EXACT: u32 = 30;
const SUBTYPE: u32 = 20;
const ANYTHING: u32 = 10;

/// How parameters take a call's arguments.
#[derive(Clone, Copy, PartialEq)]
struct Fit {
    score: u32,
    /// Whether a parameter may take an argument of a known type or not.
    doubtful: bool,
    /// Whether a parameter takes an argument because it takes everything.
    loose: bool,
}

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
    pub fn may_take(&self, site: Site, gid: Gid, reference: &Ref) -> bool {
        let defs = &self.world.defs;
        if reference.role != RefRole::Call || reference.arguments.is_none() || !defs.rules(gid).overloads {
            return true;
        }
        let def = defs.def(gid);
        if def.kind.is_type() || def.kind == SymbolKind::EnumMember {
            return true;
        }
        if let Some(reads) = self.may_read(site, gid, reference) {
            return reads;
        }
        if !def.kind.is_callable() && def.traits.accessor && defs.rules(gid).functions_apart {
            return reference.given.is_empty();
        }
        if !def.kind.is_callable() || def.traits.accessor {
            return match self.result(gid) {
                Ty::Unknown | Ty::Callable(..) | Ty::Function(..) | Ty::Union(_) => true,
                ty @ (Ty::Instance(..) | Ty::Param(..)) => self.call_member(&ty).is_some(),
                _ => false,
            };
        }
        assign(&def.params, self.given(site, gid, reference), inherits_defaults(def)).is_some()
    }

    /// The arguments that are for a function's parameters: another language hands the receiver over as the first.
    fn given<'r>(&self, site: Site, gid: Gid, reference: &'r Ref) -> &'r [Given] {
        let first = self.world.defs.def(gid).receiver.is_some() && self.is_apart(site, gid);
        reference.given.get(usize::from(first)..).unwrap_or_default()
    }

    /// The functions among some that take the arguments best.
    pub fn overloads(&self, site: Site, reference: &Ref, gids: &[Gid]) -> Vec<Gid> {
        let defs = &self.world.defs;
        let function = |gid: &&Gid| defs.kind(**gid).is_callable() && !defs.def(**gid).traits.accessor;
        if reference.arguments.is_none() || gids.iter().filter(function).count() < 2 {
            return gids.to_vec();
        }
        let mut fits: Vec<(Gid, Fit)> = gids
            .iter()
            .filter(function)
            .filter_map(|&gid| Some((gid, self.score_params(site, reference, gid, &defs.def(gid).params)?)))
            .collect();
        let strict = defs.rules(site.def).strict_overloads;
        // Where none takes the arguments, what is known of them is not enough.
        let none = if strict { Vec::new() } else { gids.to_vec() };
        // What takes as many as are given comes before what takes any number.
        let fixed = |gid: &Gid| !defs.def(*gid).params.iter().any(|param| param.many);
        let known = |given: &Given| {
            matches!(given.value, Expr::Lambda(_)) || self.expr(site, &given.value).is_known()
        };
        if strict
            && fits.iter().any(|(gid, fit)| fixed(gid) && !fit.doubtful)
            && reference.given.iter().all(known)
        {
            fits.retain(|(gid, _)| fixed(gid));
        }
        let Some(best) = fits.iter().map(|(_, fit)| fit.score).max() else { return none };
        // What takes everything is not meant where another one may be.
        let loose = fits.iter().any(|(_, fit)| fit.score == best && fit.loose);
        if strict && loose && fits.iter().any(|(_, fit)| fit.doubtful && !fit.loose) {
            return none;
        }
        let mut kept: Vec<Gid> =
            fits.into_iter().filter(|(_, fit)| fit.score == best).map(|(gid, _)| gid).collect();
        // Of equals what is to be used.
        if !strict && kept.iter().any(|&gid| !defs.def(gid).traits.deprecated) {
            kept.retain(|&gid| !defs.def(gid).traits.deprecated);
        }
        kept
    }

    /// The written constructor of a type that a call runs; `None` where it runs the type's own.
    pub fn written_constructor(&self, site: Site, reference: &Ref, made: Gid, name: &str) -> Option<Gid> {
        reference.arguments?;
        let defs = &self.world.defs;
        let written = defs.named(made, name).iter().filter(|&&gid| defs.kind(gid).is_callable());
        let scores: Vec<(u32, std::cmp::Reverse<Gid>)> = written
            .filter_map(|&gid| {
                let fit = self.score_params(site, reference, gid, &defs.def(gid).params)?;
                Some((fit.score, std::cmp::Reverse(gid)))
            })
            .collect();
        let best = *scores.iter().max()?;
        let best = match defs.rules(site.def).strict_overloads {
            false => best,
            true => {
                let all: Vec<Gid> = scores.iter().map(|(_, gid)| gid.0).collect();
                let kept = self.overloads(site, reference, &all);
                let gid = kept.first().filter(|_| kept.len() == 1)?;
                *scores.iter().find(|(_, scored)| scored.0 == *gid)?
            }
        };
        // Without parameters there is none but the written ones, or the call fits these just as well.
        let params = &defs.def(made).params;
        let own = self.score_params(site, reference, made, params);
        // One with the parameters that the type writes is the type's own, written out.
        let same = defs.def(best.1.0).params == *params;
        (params.is_empty() || same || own.is_none_or(|own| own.score < best.0)).then_some(best.1.0)
    }

    /// How well parameters take a call's arguments; `None` where they do not.
    fn score_params(&self, site: Site, reference: &Ref, gid: Gid, params: &[Param]) -> Option<Fit> {
        let defs = &self.world.defs;
        let inside = Site { def: gid, at: defs.def(gid).name_span.start };
        let arguments = self.given(site, gid, reference);
        let assigned = assign(params, arguments, inherits_defaults(defs.def(gid)))?;
        let mut score = 0;
        let (mut doubtful, mut loose) = (false, false);
        if let Some(first) = reference.given.first().filter(|_| arguments.len() < reference.given.len()) {
            let wanted = self.common_name(site, gid, self.holder_type(gid));
            let given = self.common_name(site, gid, self.expr(site, &first.value));
            if given.is_known() && wanted.is_known() {
                score += self.suits_argument(site, &wanted, &given)?;
            }
        }
        for (param, argument) in assigned.into_iter().zip(arguments) {
            let Some(written) = &param.ty else { continue };
            let mut wanted = self.common_name(site, gid, self.type_expr(inside, written));
            let list = wanted.clone();
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
            let given = self.calculated(site, &argument.value, self.expr(site, &argument.value));
            let given = self.common_name(site, gid, given);
            // A list that is handed over as it is.
            if param.many
                && matches!((&list, &given), (Ty::Foreign(one, _), Ty::Foreign(other, _)) if one == other)
            {
                wanted = list;
            }
            if !given.is_known() || !wanted.is_known() {
                doubtful |= given.is_known();
                continue;
            }
            let suits = self.suits_argument(site, &wanted, &given)?;
            doubtful |= suits == 0;
            loose |= suits == ANYTHING;
            score += suits;
        }
        Some(Fit { score, doubtful, loose })
    }

    fn value_types(&self, site: Site, name: &str) -> Option<&'static [&'static str]> {
        let rules = self.world.defs.rules(site.def);
        rules.value_types.iter().find(|(known, _)| *known == name).map(|(_, above)| *above)
    }

    /// What a calculation with numbers gives: of the types of its parts the one that takes all others.
    fn calculated(&self, site: Site, value: &Expr, ty: Ty) -> Ty {
        let (Expr::Either(_), Ty::Union(parts)) = (value, &ty) else { return ty };
        let number = |part: &Ty| match part {
            Ty::Foreign(name, _) if name.starts_with(char::is_lowercase) => self.value_types(site, name),
            _ => None,
        };
        let takes = |wide: &Ty, part: &Ty| {
            let above = number(part)
                .is_some_and(|above| matches!(wide, Ty::Foreign(name, _) if above.contains(&name.as_str())));
            part == wide || above
        };
        let wide =
            parts.iter().find(|wide| number(wide).is_some() && parts.iter().all(|part| takes(wide, part)));
        wide.cloned().unwrap_or(ty)
    }

    /// How well a list takes the elements of another one: of values only the same.
    fn suits_list(&self, site: Site, wanted: &Ty, given: &Ty) -> Option<u32> {
        let value = |ty: &Ty| matches!(ty, Ty::Foreign(name, _) if name.starts_with(char::is_lowercase));
        match wanted == given {
            true => Some(EXACT),
            false if value(wanted) || value(given) => None,
            false if !given.is_known() || !wanted.is_known() => Some(SUBTYPE),
            false => self.suits_argument(site, wanted, given),
        }
    }

    /// How well a type takes a value of another; `None` where it does not.
    fn suits_argument(&self, site: Site, wanted: &Ty, given: &Ty) -> Option<u32> {
        match (wanted, given) {
            // One that takes less comes before what takes everything.
            (Ty::Param(owner, index), _) => {
                if self.accepts(wanted, given) == Some(false) {
                    return None;
                }
                let bounds = self.bounds(*owner, *index);
                let bounds = bounds.iter().filter(|bound| !matches!(bound, Ty::Param(..)));
                let suits: Option<Vec<u32>> =
                    bounds.map(|bound| self.suits_argument(site, bound, given)).collect();
                Some(suits?.into_iter().min().unwrap_or(ANYTHING).max(ANYTHING))
            }
            (Ty::Foreign(wanted, parts), Ty::Foreign(given, held)) if wanted == given => {
                match (wanted.as_str(), parts.as_slice(), held.as_slice()) {
                    ("[]", [wanted], [given]) => self.suits_list(site, wanted, given),
                    ("[]", ..) => Some(SUBTYPE),
                    _ => Some(EXACT),
                }
            }
            (Ty::Foreign(wanted, _), Ty::Foreign(given, _)) => {
                let place = |above: &[&str]| above.iter().position(|name| name == wanted);
                match (self.value_types(site, given), self.value_types(site, wanted)) {
                    // The nearest stand first.
                    (Some(above), _) if let Some(place) = place(above) => {
                        Some(SUBTYPE - (place as u32).min(SUBTYPE - ANYTHING - 1))
                    }
                    _ if self.world.families.is_top(wanted) => Some(ANYTHING),
                    (Some(_), _) => None,
                    // Nothing else is a number or a text.
                    (None, Some(_)) => None,
                    (None, None) => Some(0),
                }
            }
            (Ty::Foreign(wanted, _), _) if self.world.families.is_top(wanted) => Some(ANYTHING),
            (Ty::Foreign(wanted, _), Ty::Instance(given, _)) => {
                let order = self.world.families.order(*given);
                let above = |at: &Gid| self.world.families.foreign_names(*at).contains(wanted);
                match self
                    .accepts(&Ty::Foreign(wanted.clone(), Vec::new()), &Ty::Instance(*given, Vec::new()))
                {
                    Some(false) => None,
                    _ if order.iter().any(above) => Some(SUBTYPE),
                    // Nothing here is a number or a text.
                    _ if self.value_types(site, wanted).is_some() => None,
                    _ => Some(0),
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
