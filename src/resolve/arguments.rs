//! Arguments of calls: what they say of the type parameters of what is called.

use super::{
    infer::{Infer, Site},
    modules::Place,
    scopes::Want,
    symbols::Gid,
    types::{SELF, Ty},
};
use crate::{
    extract::{Expr, Name},
    lang::LambdaResult,
};

impl Infer<'_, '_> {
    /// The type that a call with these arguments gives.
    pub fn called_with(&self, ty: &Ty, site: Site, arguments: &[Expr]) -> Ty {
        let given = self.called(ty);
        let known = arguments.iter().any(|argument| *argument != Expr::Opaque);
        let (gid, given) = match (ty, given) {
            (Ty::Function(gid, _), given) if known && given.has_params() => (*gid, given),
            // A constructor is generic in its type's parameters.
            (Ty::Class(gid, args), given) if known && args.is_empty() => {
                let own = self.own_instance(*gid);
                (*gid, if own.has_params() { own } else { given })
            }
            (_, given) => return given,
        };
        if !given.has_params() {
            return given;
        }
        let mut bound: Vec<((Gid, u32), Ty)> = Vec::new();
        let def = self.world.defs.def(gid);
        let declared = Site { def: gid, at: def.name_span.start };
        // A method that is called by its type is handed the instance before all else.
        let by_type = |receiver: &Ty| matches!(receiver, Ty::Class(..)) && !def.traits.associated;
        let first = match ty {
            Ty::Function(_, Some(receiver)) => usize::from(by_type(receiver)),
            _ => 0,
        };
        for (param, argument) in def.params.iter().zip(arguments.iter().skip(first)) {
            let Some(ty) = param.ty.as_ref().filter(|_| *argument != Expr::Opaque) else { continue };
            let wanted = self.type_expr(declared, ty);
            if wanted.has_params() {
                self.bind(&wanted, &self.expr(site, argument), &mut bound);
            }
        }
        given.replace(&mut |owner, index| {
            bound.iter().find(|(param, _)| *param == (owner, index)).map(|(_, ty)| ty.clone())
        })
    }

    /// What a method from outside gives that runs the function among its arguments.
    pub fn lambda_result(&self, site: Site, base: &Ty, arguments: &[Expr], result: LambdaResult) -> Ty {
        let function = arguments.iter().rev().find(|argument| **argument != Expr::Opaque);
        let given = match function.map(|function| self.expr(site, function)) {
            Some(function @ (Ty::Callable(..) | Ty::Function(..) | Ty::Class(..))) => self.called(&function),
            _ => Ty::Unknown,
        };
        let held = match result {
            LambdaResult::Given => return given,
            LambdaResult::Held => given,
            LambdaResult::Unwrapped => self.unwrap(site, &given),
            LambdaResult::Element => self.element(&given),
        };
        match self.looked_through(base.clone()) {
            Ty::Foreign(name, _) => Ty::Foreign(name, vec![held]),
            _ => Ty::Unknown,
        }
    }

    /// What a constructor outside the repository makes of its argument: `Arc::new(x)`, `Some(x)`.
    pub fn foreign_made(&self, site: Site, path: &[Name], arguments: &[Expr]) -> Ty {
        let rules = self.world.defs.rules(site.def);
        let Some((name, before)) = path.split_last() else { return Ty::Unknown };
        if let Some((_, of, at)) = rules.foreign_variants.iter().find(|(variant, ..)| variant == name)
            && before.len() < 2
        {
            let mut args = vec![Ty::Unknown; usize::from(*at)];
            args.push(arguments.first().map_or(Ty::Unknown, |argument| self.expr(site, argument)));
            return Ty::Foreign((*of).into(), args);
        }
        let Some(of) = before.last().filter(|_| rules.foreign_constructors.contains(&name.as_str())) else {
            return Ty::Unknown;
        };
        if !self.path_places(site, before, Want::Type).contains(&Place::Foreign) {
            return Ty::Unknown;
        }
        let argument = arguments.first().map(|argument| self.expr(site, argument));
        Ty::Foreign(of.clone(), argument.into_iter().collect())
    }
}

impl Infer<'_, '_> {
    /// Binds the parameters of a written type to what a given type has in their places.
    fn bind(&self, wanted: &Ty, given: &Ty, bound: &mut Vec<((Gid, u32), Ty)>) {
        let each = |parts: &[Ty], args: &[Ty], bound: &mut Vec<_>| {
            parts.iter().zip(args).for_each(|(part, arg)| self.bind(part, arg, bound));
        };
        match (wanted, given) {
            (_, Ty::Unknown) => {}
            (Ty::Param(owner, index), _) if *index != SELF => {
                if bound.iter().any(|(param, _)| *param == (*owner, *index)) {
                    return;
                }
                bound.push(((*owner, *index), given.clone()));
                // What a function gives says what its bound names as the result.
                let function = matches!(given, Ty::Callable(..) | Ty::Function(..));
                for wanted in self.bounds(*owner, *index).iter().filter(|_| function) {
                    self.bind(wanted, given, bound);
                }
            }
            (Ty::Callable(.., wanted), Ty::Callable(..) | Ty::Function(..) | Ty::Class(..)) => {
                self.bind(wanted, &self.called(given), bound);
            }
            (Ty::Instance(wanted, parts), Ty::Instance(given, args)) if wanted == given => {
                each(parts, args, bound);
            }
            (Ty::Foreign(wanted, parts), Ty::Foreign(given, args)) if wanted == given => {
                each(parts, args, bound);
            }
            (Ty::Tuple(parts), Ty::Tuple(args)) if parts.len() == args.len() => each(parts, args, bound),
            _ => {}
        }
    }
}
