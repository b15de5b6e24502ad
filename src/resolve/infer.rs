//! What type an expression has, as far as declarations, assignments and returns say.
//!
//! Answers are kept per `Infer`, which serves one file, so that they depend on that file and the
//! read-only tables alone.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
};

use super::{
    modules::Place,
    names::World,
    scopes::{Named, Want},
    symbols::Gid,
    types::{SELF, Ty},
};
use crate::{
    extract::{Expr, SymbolKind, TypeExpr, TypeForm},
    lang::ModuleSystem,
};

/// Expressions are followed this deep, over all the definitions that they lead to.
const DEPTH: u32 = 40;

/// One question looks at no more expressions and types than this: what nests in each other could
/// otherwise cost without bound.
const FUEL: u32 = 20_000;

/// Where something is written: the innermost definition and the byte offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub def: Gid,
    pub at: u32,
}

/// What is being worked out, to end circles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Task {
    Binding(u32, u32),
    Def(Gid),
    Alias(Gid),
    Holder(Gid),
    Bounds(Gid, u32),
}

/// Type inference for one file.
pub(super) struct Infer<'w, 'a> {
    pub world: &'w World<'a>,
    known: RefCell<HashMap<Task, Ty>>,
    busy: RefCell<Vec<Task>>,
    /// Whether a module sees a trait.
    pub traits: RefCell<HashMap<(Gid, Gid), bool>>,
    depth: Cell<u32>,
    fuel: Cell<u32>,
}

impl<'w, 'a> Infer<'w, 'a> {
    pub fn new(world: &'w World<'a>) -> Self {
        Infer {
            world,
            known: RefCell::default(),
            busy: RefCell::default(),
            traits: RefCell::default(),
            depth: Cell::new(0),
            fuel: Cell::new(FUEL),
        }
    }

    /// Begins a new question.
    pub fn refuel(&self) {
        self.fuel.set(FUEL);
    }

    /// The bounds of a type parameter.
    pub fn bounds(&self, owner: Gid, index: u32) -> Vec<Ty> {
        let def = self.world.defs.def(owner);
        let Some(param) = def.type_params.get(index as usize) else { return Vec::new() };
        let site = Site { def: owner, at: def.name_span.start };
        let all = self.once(Task::Bounds(owner, index), || {
            Ty::Tuple(param.bounds.iter().map(|bound| self.type_expr(site, bound)).collect())
        });
        match all {
            Ty::Tuple(bounds) => bounds,
            _ => Vec::new(),
        }
    }

    /// Works a task out once; a circle or too deep a nesting gives `Unknown`.
    fn once(&self, task: Task, work: impl FnOnce() -> Ty) -> Ty {
        if let Some(known) = self.known.borrow().get(&task) {
            return known.clone();
        }
        if self.busy.borrow().contains(&task) || self.depth.get() >= DEPTH {
            return Ty::Unknown;
        }
        self.busy.borrow_mut().push(task);
        let ty = self.deeper(work);
        self.busy.borrow_mut().pop();
        self.known.borrow_mut().insert(task, ty.clone());
        ty
    }

    fn deeper(&self, work: impl FnOnce() -> Ty) -> Ty {
        if self.depth.get() >= DEPTH || self.fuel.get() == 0 {
            return Ty::Unknown;
        }
        self.fuel.set(self.fuel.get() - 1);
        self.depth.set(self.depth.get() + 1);
        let ty = work();
        self.depth.set(self.depth.get() - 1);
        ty
    }

    /// The instance of a type with its own parameters.
    pub fn own_instance(&self, gid: Gid) -> Ty {
        let params = self.world.defs.def(gid).type_params.len() as u32;
        Ty::Instance(gid, (0..params).map(|index| Ty::Param(gid, index)).collect())
    }

    /// The type whose members a definition holds: of a type its instance, of an extension block what
    /// it extends.
    pub fn holder_type(&self, gid: Gid) -> Ty {
        let def = self.world.defs.def(gid);
        match (&def.receiver, def.kind) {
            // In its own receiver's type there is no receiver yet: the circle ends here.
            (Some(receiver), _) => self.once(Task::Holder(gid), || {
                self.type_expr(Site { def: gid, at: def.name_span.start }, receiver)
            }),
            (None, kind) if kind.is_type() => self.own_instance(gid),
            _ => Ty::Unknown,
        }
    }

    /// The type of an expression at a site.
    pub fn expr(&self, site: Site, expr: &Expr) -> Ty {
        self.deeper(|| match expr {
            Expr::Name(name) => match self.name(site, name, Want::Any) {
                // The beginning of a name that is written with its package.
                Named::Nothing => self.places_type(&self.package_prefix(site, std::slice::from_ref(name))),
                named => self.named_type(site, named),
            },
            Expr::This(label) => self.this(site, label.as_deref()),
            Expr::Super(_) => self.enclosing_type(site).map_or(Ty::Unknown, Ty::Super),
            Expr::Path(path) => self.path_type(site, path),
            Expr::Member(base, name) => match &**base {
                Expr::Matched(value, ty) => self.matched_member(site, value, ty, name),
                base => {
                    let ty = self.expr(site, base);
                    let member = self.member_type(site, &ty, name, Want::Any);
                    if member.is_known() {
                        return member;
                    }
                    let fields = self.variant_fields(site, base, name);
                    fields.first().map_or(Ty::Unknown, |&gid| self.def_type(gid))
                }
            },
            Expr::Call(callee, arguments) => self.call_type(site, callee, arguments),
            Expr::Element(base) => {
                let base = self.expr(site, base);
                self.element(&base)
            }
            Expr::Unwrap(inner) => {
                let inner = self.expr(site, inner);
                self.unwrap(site, &inner)
            }
            Expr::Part(base, index) => match &**base {
                Expr::Matched(value, ty) => self.matched_part(site, value, ty, usize::from(*index)),
                base => {
                    let base = self.expr(site, base);
                    self.part(&base, usize::from(*index))
                }
            },
            Expr::Matched(_, ty) => self.type_expr(site, ty),
            Expr::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.expr(site, part)).collect()),
            Expr::LambdaParameter(callee, index) => self.lambda_parameter(site, callee, *index),
            Expr::LambdaReceiver(callee) => self.lambda_receiver(site, callee),
            Expr::Typed(ty) => self.type_expr(site, ty),
            Expr::Literal(name) => Ty::Foreign(name.clone(), Vec::new()),
            Expr::Either(parts) => Ty::union(parts.iter().map(|part| self.expr(site, part))),
            Expr::Inside(at, inner) => self.expr(Site { at: *at, ..site }, inner),
            Expr::Lambda(Some(value)) => Ty::Callable(None, Vec::new(), Box::new(self.expr(site, value))),
            Expr::Lambda(None) | Expr::Opaque => Ty::Unknown,
        })
    }

    /// The innermost type around a site.
    pub fn enclosing_type(&self, site: Site) -> Option<Gid> {
        let defs = &self.world.defs;
        defs.chain(site.def).find(|&at| defs.kind(at).is_type())
    }

    pub fn this(&self, site: Site, label: Option<&str>) -> Ty {
        let world = self.world;
        let defs = &world.defs;
        let file = defs.file(site.def);
        let mut inner = None;
        for at in defs.chain(site.def) {
            let def = defs.def(at);
            if label.is_none()
                && defs.rules(at).implicit_this
                && let Some(receiver) = world.receivers(file, site.at, def).first()
            {
                return self.binding_type(file, *receiver);
            }
            let named = label.is_none_or(|label| def.name == label);
            if named && def.receiver.is_some() {
                return self.holder_type(at);
            }
            if named && def.kind.is_type() {
                let associated = inner.is_some_and(|inner: Gid| {
                    let member = defs.def(inner);
                    member.kind.is_callable() && member.traits.associated
                });
                let own = self.own_instance(at);
                return if associated { own.class() } else { own };
            }
            inner = Some(at);
        }
        Ty::Unknown
    }

    /// Whether the instance at a site is that of the type around it, and not what a lambda or a function
    /// with a receiver of its own is given.
    pub fn is_own_instance(&self, site: Site, label: Option<&str>) -> bool {
        let world = self.world;
        let defs = &world.defs;
        let file = defs.file(site.def);
        for at in defs.chain(site.def) {
            let def = defs.def(at);
            let given = label.is_none() && defs.rules(at).implicit_this;
            if given && !world.receivers(file, site.at, def).is_empty() {
                return false;
            }
            let named = label.is_none_or(|label| def.name == label);
            if named && (def.receiver.is_some() || def.kind.is_type()) {
                return def.kind.is_type() || def.kind == SymbolKind::Extension;
            }
        }
        false
    }

    /// The type of what a plain name means.
    pub fn named_type(&self, site: Site, named: Named) -> Ty {
        let file = self.world.defs.file(site.def);
        match named {
            Named::Binding(binding) => self.binding_type(file, binding),
            Named::Found(places, _) => self.places_type(&places),
            Named::Members(gids, receiver, _) => self.members_type(&gids, &receiver),
            Named::TypeParam(owner, index) => Ty::Param(owner, index),
            Named::Foreign | Named::Nothing => Ty::Unknown,
        }
    }

    pub fn places_type(&self, places: &[Place]) -> Ty {
        // The first that has a type: a module and a value may share a name. Types are alternatives.
        let mut best = Ty::Unknown;
        for place in places {
            let ty = match place {
                Place::Def(gid) => self.def_type(*gid),
                Place::Foreign => Ty::Unknown,
                other => Ty::Module(*other),
            };
            let (Ty::Class(gid, _) | Ty::Function(gid, _), Ty::Class(..) | Ty::Function(..) | Ty::Union(_)) =
                (&ty, &best)
            else {
                if ty.is_known() && (!best.is_known() || matches!(best, Ty::Module(_))) {
                    best = ty;
                }
                continue;
            };
            if self.world.defs.rules(*gid).alternatives {
                best = Ty::union([best, ty]);
            }
        }
        best
    }

    pub fn members_type(&self, gids: &[Gid], receiver: &Ty) -> Ty {
        gids.first().map_or(Ty::Unknown, |&gid| self.through(gid, receiver))
    }

    /// The type of a member as seen through a receiver.
    pub fn through(&self, gid: Gid, receiver: &Ty) -> Ty {
        match self.def_type(gid) {
            Ty::Function(gid, _) => Ty::Function(gid, Some(Box::new(receiver.clone()))),
            ty => self.substitute(&ty, receiver),
        }
    }

    /// The type of a parameter or a local name.
    pub fn binding_type(&self, file: u32, index: u32) -> Ty {
        let Some(facts) = self.world.defs.facts(file) else { return Ty::Unknown };
        let binding = &facts.bindings[index as usize];
        self.once(Task::Binding(file, index), || {
            let site = self.binding_site(file, index);
            if matches!(binding.value, Some(Expr::This(_))) {
                // The instance; in a member of the type itself, the type.
                return self.this(site, None);
            }
            let declared = binding.ty.as_ref().map_or(Ty::Unknown, |ty| self.type_expr(site, ty));
            if declared.is_known() {
                return declared;
            }
            match &binding.value {
                Some(value) => self.expr(site, value),
                None => Ty::Unknown,
            }
        })
    }

    /// The innermost definition that holds a binding, and its place.
    pub fn binding_site(&self, file: u32, index: u32) -> Site {
        let defs = &self.world.defs;
        let facts = defs.facts(file).expect("a binding comes from facts");
        let binding = &facts.bindings[index as usize];
        // What a call hands to a lambda is worked out in front of the lambda, where its names are not yet
        // in scope.
        let handed = matches!(binding.value, Some(Expr::LambdaParameter(..) | Expr::LambdaReceiver(_)));
        let at = if handed { binding.scope.start.saturating_sub(1) } else { binding.name_span.start };
        // Definitions are in pre-order, so the last one that holds the place is the innermost.
        let end = facts.defs.partition_point(|def| def.full.start <= at);
        let mut inner = 0;
        let mut candidate = end.checked_sub(1);
        while let Some(at_def) = candidate {
            let def = &facts.defs[at_def];
            if at_def == 0 || def.full.contains(at) {
                inner = at_def;
                break;
            }
            candidate = def.container.map(|container| container as usize);
        }
        Site { def: defs.gid(file, inner as u32), at }
    }

    /// Whether a call of a local name can mean its value: a function, or who knows.
    pub fn may_be_called(&self, file: u32, binding: u32) -> bool {
        let Some(facts) = self.world.defs.facts(file) else { return true };
        if matches!(facts.bindings[binding as usize].value, Some(Expr::Lambda(_))) {
            return true;
        }
        match self.binding_type(file, binding) {
            Ty::Unknown | Ty::Callable(..) | Ty::Function(..) | Ty::Union(_) => true,
            ty @ (Ty::Instance(..) | Ty::Param(..)) => self.call_member(&ty).is_some(),
            _ => false,
        }
    }

    /// The type of a definition where its name stands: of a type the class, of a function the function.
    pub fn def_type(&self, gid: Gid) -> Ty {
        let defs = &self.world.defs;
        let def = defs.def(gid);
        match def.kind {
            SymbolKind::Module => Ty::Module(Place::Def(gid)),
            SymbolKind::Object => Ty::Instance(gid, Vec::new()),
            SymbolKind::TypeAlias => self.alias(gid).class(),
            kind if kind.is_type() => Ty::Class(gid, Vec::new()),
            SymbolKind::EnumMember => match defs.container(gid) {
                Some(holder) if !def.supertypes.is_empty() || defs.children(gid).is_empty() => {
                    self.own_instance(holder)
                }
                Some(holder) => self.own_instance(holder),
                None => Ty::Unknown,
            },
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor if !def.traits.accessor => {
                Ty::Function(gid, None)
            }
            _ => self.result(gid),
        }
    }

    /// The declared or inferred type of a value, and of what a callable returns.
    pub fn result(&self, gid: Gid) -> Ty {
        self.once(Task::Def(gid), || {
            let def = self.world.defs.def(gid);
            let site = Site { def: gid, at: def.name_span.start };
            if def.kind == SymbolKind::Constructor {
                return self.enclosing_type(site).map_or(Ty::Unknown, |gid| self.own_instance(gid));
            }
            if let Some(ty) = &def.ty {
                let declared = self.type_expr(site, ty);
                if declared.is_known() {
                    return declared;
                }
            }
            let Some(value) = &def.value else { return Ty::Unknown };
            // What a body returns sees its locals; an expression as a body and an initializer see what is
            // around them.
            let expression = self.world.defs.rules(gid).implicit_this || !def.kind.is_callable();
            let at = if expression { def.name_span.end } else { def.full.end.saturating_sub(1) };
            self.returned(Site { def: self.assigned_in(gid).unwrap_or(gid), at }, value)
        })
    }

    /// The method that assigns an attribute of its instance.
    fn assigned_in(&self, gid: Gid) -> Option<Gid> {
        let defs = &self.world.defs;
        let def = defs.def(gid);
        if def.kind != SymbolKind::Field {
            return None;
        }
        let around = |at: &Gid| {
            let other = defs.def(*at);
            other.kind.is_callable() && other.full.encloses(def.name_span)
        };
        defs.children(defs.container(gid)?).iter().copied().find(around)
    }

    /// Like `expr`, except that the instance itself stays open: a subclass returns its own.
    fn returned(&self, site: Site, value: &Expr) -> Ty {
        match value {
            Expr::This(None) => match self.enclosing_type(site) {
                Some(holder) if matches!(self.this(site, None), Ty::Instance(gid, _) if gid == holder) => {
                    Ty::Param(holder, SELF)
                }
                _ => self.this(site, None),
            },
            Expr::Either(parts) => Ty::union(parts.iter().map(|part| self.returned(site, part))),
            other => self.expr(site, other),
        }
    }

    fn alias(&self, gid: Gid) -> Ty {
        self.once(Task::Alias(gid), || {
            let def = self.world.defs.def(gid);
            let site = Site { def: gid, at: def.name_span.start };
            match (&def.ty, &def.value) {
                (Some(ty), _) => self.type_expr(site, ty),
                (None, Some(value)) => self.expr(site, value).instance(),
                // Of an associated type the bounds are known.
                (None, None) if !def.supertypes.is_empty() => self.own_instance(gid),
                (None, None) => Ty::Unknown,
            }
        })
    }

    /// The type of a path whose segments syntax marks as one.
    pub fn path_type(&self, site: Site, path: &[String]) -> Ty {
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

    fn walk_members(&self, site: Site, start: Ty, rest: &[String]) -> Ty {
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
    pub fn path_places(&self, site: Site, path: &[String], want: Want) -> Vec<Place> {
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
                world.crate_path(site.def, path, &mut Vec::new())
            }
            _ => {
                let start = match self.name(site, first, if rest.is_empty() { want } else { Want::Any }) {
                    Named::Found(places, _) => places,
                    Named::Members(gids, ..) => gids.into_iter().map(Place::Def).collect(),
                    Named::Foreign => return vec![Place::Foreign],
                    Named::Binding(_) | Named::TypeParam(..) => return Vec::new(),
                    Named::Nothing => self.package_prefix(site, path),
                };
                if matches!(start.first(), Some(Place::Package(..))) {
                    return self.fully_qualified(site, path);
                }
                world.walk(start, rest, &mut Vec::new())
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

    fn package_prefix(&self, site: Site, path: &[String]) -> Vec<Place> {
        let file = self.world.defs.file(site.def);
        let tree = self.world.modules.tree(file);
        tree.and_then(|tree| tree.package(&path[..1])).into_iter().collect()
    }

    fn fully_qualified(&self, site: Site, path: &[String]) -> Vec<Place> {
        let file = self.world.defs.file(site.def);
        let Some(tree) = self.world.modules.tree(file) else { return Vec::new() };
        let longest = (1..=path.len()).rev().find_map(|end| Some((end, tree.package(&path[..end])?)));
        match longest {
            Some((end, place)) => self.world.walk(vec![place], &path[end..], &mut Vec::new()),
            None => Vec::new(),
        }
    }

    /// The type that a written type means.
    pub fn type_expr(&self, site: Site, ty: &TypeExpr) -> Ty {
        self.deeper(|| self.type_expr_inner(site, ty))
    }

    fn type_expr_inner(&self, site: Site, ty: &TypeExpr) -> Ty {
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
            TypeForm::Sequence => Ty::Foreign("[]".to_owned(), args()),
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

    fn named_type_expr(&self, site: Site, ty: &TypeExpr, args: &dyn Fn() -> Vec<Ty>) -> Ty {
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
        for place in &places {
            match place {
                Place::Def(gid) => match world.defs.kind(*gid) {
                    kind if kind.is_type() => return self.place_type(*place, &args),
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field => {
                        return match self.result(*gid) {
                            class @ (Ty::Class(..) | Ty::Union(_)) => class.instance(),
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
    fn place_type(&self, place: Place, args: &dyn Fn() -> Vec<Ty>) -> Ty {
        let Place::Def(gid) = place else { return Ty::Unknown };
        if self.world.defs.kind(gid) != SymbolKind::TypeAlias {
            return Ty::Instance(gid, args());
        }
        let args = args();
        self.alias(gid).replace(&mut |owner, index| {
            (owner == gid).then(|| args.get(index as usize).cloned().unwrap_or(Ty::Unknown))
        })
    }

    fn associated_type(&self, site: Site, base: &Ty, name: &str) -> Ty {
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

    fn unwrap_foreign(&self, site: Site, ty: &Ty) -> Ty {
        if self.is_wrapper(site, ty) { self.unwrap(site, ty) } else { ty.clone() }
    }

    fn associated_of(&self, ty: &Ty, alias: &str) -> Ty {
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
            Ty::Foreign(_, args) => args.last().cloned().unwrap_or(Ty::Unknown),
            Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| self.element(part))),
            Ty::Class(gid, _) if self.world.defs.kind(*gid) == SymbolKind::Enum => self.own_instance(*gid),
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
