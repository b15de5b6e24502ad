//! What calls give, and what they hand to their lambdas.

use super::{
    infer::{Infer, Site, Task},
    modules::Place,
    scopes::{Named, Want},
    symbols::Gid,
    types::{SELF, Ty},
};
use crate::{
    extract::{Expr, Name, SymbolKind, TypeExpr},
    lang::LambdaSubject,
};

impl Infer<'_, '_> {
    /// What a call of an expression gives.
    pub fn call_type(&self, site: Site, callee: &Expr, arguments: &[Expr]) -> Ty {
        let rules = self.world.defs.rules(site.def);
        let called = |ty: &Ty| match self.called_with(ty, site, arguments) {
            // Where functions are apart, what is called and no function is read.
            Ty::Unknown if rules.functions_apart && matches!(ty, Ty::Foreign(..)) => ty.clone(),
            given => given,
        };
        // Of several functions that a call may mean, what any of them gives.
        let any_of = |list: Vec<(Gid, Ty)>| -> Ty {
            Ty::union(list.iter().map(|(gid, receiver)| called(&self.through(*gid, receiver))))
        };
        match callee {
            Expr::Name(name) => {
                let named = self.name(site, name, Want::Call);
                if rules.implicit_this
                    && matches!(named, Named::Foreign | Named::Nothing)
                    && rules.identity_methods.contains(&name.as_str())
                {
                    return self.this(site, None);
                }
                let foreign = match &named {
                    Named::Foreign | Named::Nothing => true,
                    Named::Found(places, _) => places.iter().all(|place| *place == Place::Foreign),
                    _ => false,
                };
                if foreign && rules.types_by_case && name.starts_with(char::is_uppercase) {
                    return Ty::Foreign(name.clone(), Vec::new());
                }
                let ty = match named {
                    Named::Members(gids, receiver, _) if rules.strict_overloads && gids.len() > 1 => {
                        return any_of(gids.into_iter().map(|gid| (gid, receiver.clone())).collect());
                    }
                    Named::Found(mut places, _) => {
                        places.sort_by_key(|place| match place {
                            Place::Def(gid) => self.by_use(*gid, Want::Call),
                            _ => false,
                        });
                        self.places_type(&places)
                    }
                    Named::Members(mut gids, receiver, _) => {
                        gids.sort_by_key(|gid| self.by_use(*gid, Want::Call));
                        self.members_type(&gids, &receiver)
                    }
                    other => self.named_type(site, other),
                };
                let given = called(&ty);
                if given.is_known() {
                    return given;
                }
                self.foreign_made(site, std::slice::from_ref(name), arguments)
            }
            Expr::Member(base, name) => {
                let foreign = match &**base {
                    Expr::Name(name) if rules.types_by_case && name.starts_with(char::is_uppercase) => {
                        self.foreign_class(site, name)
                    }
                    _ => None,
                };
                if let Some(of) = foreign
                    && rules.foreign_constructors.contains(&name.as_str())
                {
                    return Ty::Foreign(of, Vec::new());
                }
                let base = self.expr(site, base);
                if rules.strict_overloads && !matches!(base, Ty::Union(_) | Ty::Module(_)) {
                    let members = self.members_or_extensions(site, &base, name, Want::Call, &|_| true).0;
                    if members.len() > 1 {
                        return any_of(members);
                    }
                }
                let member = self.member_type(site, &base, name, Want::Call);
                if member.is_known() {
                    return called(&member);
                }
                self.foreign_result(site, &base, name, arguments)
            }
            Expr::Super(_) => self.expr(site, callee),
            Expr::Path(path) => {
                let ty = self.path_type(site, path);
                let given = called(&ty);
                if given.is_known() {
                    return given;
                }
                self.foreign_made(site, path, arguments)
            }
            other => {
                let ty = self.expr(site, other);
                called(&ty)
            }
        }
    }

    /// The name of a type from outside that a plain name means.
    pub fn foreign_class(&self, site: Site, name: &Name) -> Option<Name> {
        match self.name(site, name, Want::Any) {
            Named::Foreign | Named::Nothing => Some(name.clone()),
            Named::Found(places, _) if places.iter().all(|place| *place == Place::Foreign) => {
                Some(name.clone())
            }
            _ => None,
        }
    }

    /// The type of a constant of a type from outside.
    pub fn foreign_constant(&self, site: Site, of: &Name, name: &Name) -> Option<Ty> {
        let constants = self.world.defs.rules(site.def).foreign_constants;
        let known = |(ty, names, _): &&(&str, &[&str], _)| ty == of && names.contains(&name.as_str());
        let (.., ty) = constants.iter().find(known)?;
        self.foreign_class(site, of)?;
        Some(Ty::Foreign((*ty).into(), Vec::new()))
    }

    /// What methods of foreign types give, by their names.
    pub fn foreign_result(&self, site: Site, base: &Ty, name: &str, arguments: &[Expr]) -> Ty {
        let rules = self.world.defs.rules(site.def);
        if let Some((_, result)) = rules.fixed_results.iter().find(|(method, _)| *method == name) {
            return Ty::Foreign((*result).into(), Vec::new());
        }
        if let Some((_, result)) = rules.lambda_results.iter().find(|(method, _)| *method == name) {
            return self.lambda_result(site, base, arguments, *result);
        }
        if !base.is_known() {
            return Ty::Unknown;
        }
        if let Ty::Foreign(of, args) = self.looked_through(base.clone())
            && let Some((.., result)) = rules
                .foreign_methods
                .iter()
                .find(|(ty, method, _)| (ty.is_empty() || *ty == of) && *method == name)
        {
            return Ty::Foreign((*result).into(), args);
        }
        if rules.unwrap_methods.contains(&name) && self.is_wrapper(site, base) {
            return self.unwrap(site, base);
        }
        if rules.identity_methods.contains(&name) {
            return base.clone();
        }
        if rules.numbering_methods.contains(&name) {
            let pair = Ty::Tuple(vec![Ty::Unknown, self.element(base)]);
            return Ty::Foreign(name.into(), vec![pair]);
        }
        match base {
            Ty::Foreign(_, args) if rules.pair_methods.contains(&name) => {
                let key = if args.len() == 2 { args[0].clone() } else { Ty::Unknown };
                let value = args.last().cloned().unwrap_or(Ty::Unknown);
                Ty::Foreign(name.into(), vec![Ty::Tuple(vec![key, value])])
            }
            Ty::Foreign(..) if rules.element_methods.contains(&name) => self.element(base),
            _ if rules.unwrap_methods.contains(&name) => base.clone(),
            Ty::Instance(gid, _) | Ty::Class(gid, _) if rules.constructors.contains(&name) => {
                Ty::Instance(*gid, Vec::new())
            }
            _ => Ty::Unknown,
        }
    }

    /// The type that a call of a value of this type gives.
    pub fn called(&self, ty: &Ty) -> Ty {
        match ty {
            Ty::Function(gid, receiver) => {
                let kind = self.world.defs.kind(*gid);
                let raw =
                    if kind == SymbolKind::EnumMember { self.def_type(*gid) } else { self.result(*gid) };
                match receiver {
                    Some(receiver) => self.substitute(&raw, receiver),
                    None => raw.replace(&mut |owner, index| {
                        // Without a receiver, the own type is the declaring one.
                        (index == SELF).then(|| self.own_instance(owner))
                    }),
                }
            }
            Ty::Class(gid, args) if args.is_empty() => Ty::Instance(*gid, args.clone()),
            Ty::Class(gid, args) => Ty::Instance(*gid, args.clone()),
            Ty::Callable(_, _, result) => (**result).clone(),
            Ty::Instance(..) | Ty::Param(..) => match self.call_member(ty) {
                Some((member, receiver)) => {
                    let raw = self.result(member);
                    self.substitute(&raw, &receiver)
                }
                None => match ty {
                    Ty::Instance(gid, _) if let Some(made) = self.underlying(*gid) => self.called(&made),
                    // An enum's variant is called like a function.
                    _ => ty.clone(),
                },
            },
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.called(part))),
            _ => Ty::Unknown,
        }
    }

    /// The member that a call of an instance runs.
    pub fn call_member(&self, ty: &Ty) -> Option<(Gid, Ty)> {
        let gid = match ty {
            Ty::Instance(gid, _) | Ty::Param(gid, _) => *gid,
            _ => return None,
        };
        let name = self.world.defs.rules(gid).call_member?;
        self.members(ty, name).into_iter().find(|(gid, _)| self.world.defs.kind(*gid).is_callable())
    }

    /// The function type of the last parameter of what a call runs.
    pub fn lambda_type(&self, site: Site, callee: &Expr) -> Option<Ty> {
        let callee = match callee {
            Expr::Name(name) => self.named_type(site, self.name(site, name, Want::Call)),
            Expr::Member(base, name) => {
                let base = self.expr(site, base);
                self.member_type(site, &base, name, Want::Call)
            }
            other => self.expr(site, other),
        };
        if let Ty::Class(gid, _) | Ty::Instance(gid, _) = &callee
            && let Some(function) = self.functional(*gid)
        {
            return Some(self.substitute(&function, &callee));
        }
        let Ty::Function(gid, receiver) = callee else { return None };
        let def = self.world.defs.def(gid);
        let site = Site { def: gid, at: def.name_span.start };
        // The last parameter that takes a function.
        let mut declared = def.params.iter().rev().filter_map(|param| param.ty.as_ref());
        let ty = declared.find_map(|ty| self.function_type(self.type_expr(site, ty)))?;
        Some(match &receiver {
            Some(receiver) => self.substitute(&ty, receiver),
            None => ty,
        })
    }

    /// What a type is as a function: itself, a bound, an interface with a single method.
    pub fn function_type(&self, ty: Ty) -> Option<Ty> {
        match ty {
            Ty::Callable(..) => Some(ty),
            Ty::Instance(gid, _) => self.functional(gid).map(|function| self.substitute(&function, &ty)),
            Ty::Union(parts) => parts.into_iter().find_map(|part| self.function_type(part)),
            Ty::Param(owner, index) if index != SELF => {
                self.bounds(owner, index).into_iter().find(|bound| matches!(bound, Ty::Callable(..)))
            }
            _ => None,
        }
    }

    /// The function that a lambda for an interface with a single method is.
    pub fn functional(&self, gid: Gid) -> Option<Ty> {
        let defs = &self.world.defs;
        if !defs.def(gid).traits.functional {
            return None;
        }
        let without_body = |at: &&Gid| {
            let def = defs.def(**at);
            def.kind.is_callable() && def.traits.without_body
        };
        let &method = defs.children(gid).iter().find(without_body)?;
        let def = defs.def(method);
        let site = Site { def: method, at: def.name_span.start };
        let ty = |ty: &TypeExpr| self.type_expr(site, ty);
        let params = def.params.iter().map(|param| param.ty.as_ref().map_or(Ty::Unknown, ty)).collect();
        let receiver = def.receiver.as_ref().map(|receiver| Box::new(ty(receiver)));
        Some(Ty::Callable(receiver, params, Box::new(self.result(method))))
    }

    pub fn lambda_parameter(&self, site: Site, callee: &Expr, index: u8) -> Ty {
        if let Some(Ty::Callable(_, params, _)) = self.lambda_type(site, callee) {
            return params.into_iter().nth(index as usize).unwrap_or(Ty::Unknown);
        }
        let Expr::Member(base, name) = callee else { return Ty::Unknown };
        let rules = self.world.defs.rules(site.def);
        let subject = rules.lambdas.iter().find(|(known, _)| known == name).map(|(_, subject)| *subject);
        let base = || self.expr(site, base);
        match subject {
            _ if index > 0 => Ty::Unknown,
            Some(LambdaSubject::Receiver) => base(),
            Some(LambdaSubject::Element) => {
                let base = base();
                if self.is_wrapper(site, &base) { self.unwrap(site, &base) } else { self.element(&base) }
            }
            Some(LambdaSubject::Unwrapped) => self.unwrap(site, &base()),
            _ => Ty::Unknown,
        }
    }

    pub fn lambda_receiver(&self, site: Site, callee: &Expr) -> Ty {
        if let Some(Ty::Callable(receiver, ..)) = self.lambda_type(site, callee) {
            return receiver.map_or(Ty::Unknown, |ty| *ty);
        }
        let rules = self.world.defs.rules(site.def);
        let subject = |name: &str| rules.lambdas.iter().find(|(known, _)| *known == name).map(|(_, s)| *s);
        match callee {
            Expr::Member(base, name) if subject(name) == Some(LambdaSubject::This) => self.expr(site, base),
            Expr::Name(name) if subject(name) == Some(LambdaSubject::This) && rules.implicit_this => {
                self.this(site, None)
            }
            _ => Ty::Unknown,
        }
    }

    /// The receiver that a plain `this` at a site inside of a definition may mean: that of the innermost lambda
    /// around it, those left out that surely have none.
    pub fn lambda_this(&self, site: Site, within: Gid) -> Option<u32> {
        let defs = &self.world.defs;
        if !defs.rules(within).implicit_this {
            return None;
        }
        let file = defs.file(site.def);
        let facts = defs.facts(file)?;
        let has_none = |receiver: &u32| match &facts.bindings[*receiver as usize].value {
            Some(Expr::LambdaReceiver(callee)) => {
                let lambda = || {
                    let site = self.binding_site(file, *receiver);
                    self.lambda_type(site, callee).unwrap_or(Ty::Unknown)
                };
                matches!(self.once(Task::Lambda(file, *receiver), lambda), Ty::Callable(None, ..))
            }
            _ => false,
        };
        self.world.receivers(file, site.at, defs.def(within)).into_iter().find(|receiver| !has_none(receiver))
    }
}
