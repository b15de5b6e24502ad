//! What type an expression has, as far as declarations, assignments and returns say.
//!
//! Answers are kept per `Infer`, which serves one file, so that they depend on that file and the
//! read-only tables alone.

use std::cell::{Cell, RefCell};

use super::{
    file::Quick,
    memo::Memo,
    modules::Place,
    scopes::{Named, Want},
    symbols::Gid,
    types::{SELF, Ty},
    world::World,
};
use crate::extract::{Binding, BindingKind, Expr, SymbolKind};

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
pub(super) enum Task {
    Binding(u32, u32),
    /// What the lambda of a receiver is as a function.
    Lambda(u32, u32),
    Def(Gid),
    Alias(Gid),
    Holder(Gid),
    Bounds(Gid, u32),
    Nested(Gid),
    Expected(Gid),
}

/// Type inference for one file.
pub(super) struct Infer<'w, 'a> {
    pub world: &'w World<'a>,
    known: RefCell<Quick<Task, Ty>>,
    busy: RefCell<Vec<Task>>,
    pub memo: Memo,
    depth: Cell<u32>,
    fuel: Cell<u32>,
}

impl<'w, 'a> Infer<'w, 'a> {
    pub fn new(world: &'w World<'a>) -> Self {
        Infer {
            world,
            known: RefCell::default(),
            busy: RefCell::default(),
            memo: Memo::default(),
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
    pub fn once(&self, task: Task, work: impl FnOnce() -> Ty) -> Ty {
        if let Some(known) = self.known.borrow().get(&task) {
            return known.clone();
        }
        let Some(ty) = self.unless_busy(task, work) else { return Ty::Unknown };
        self.known.borrow_mut().insert(task, ty.clone());
        ty
    }

    /// Works on a task; `None` in a circle or too deep a nesting.
    pub fn unless_busy<T: Default>(&self, task: Task, work: impl FnOnce() -> T) -> Option<T> {
        if self.busy.borrow().contains(&task) || self.depth.get() >= DEPTH {
            return None;
        }
        self.busy.borrow_mut().push(task);
        let found = self.deeper(work);
        self.busy.borrow_mut().pop();
        Some(found)
    }

    /// Works one step deeper; nothing is found past the bounds.
    pub fn deeper<T: Default>(&self, work: impl FnOnce() -> T) -> T {
        if self.depth.get() >= DEPTH || self.fuel.get() == 0 {
            return T::default();
        }
        self.fuel.set(self.fuel.get() - 1);
        self.depth.set(self.depth.get() + 1);
        let found = work();
        self.depth.set(self.depth.get() - 1);
        found
    }

    /// The instance of a type with its own parameters.
    pub fn own_instance(&self, gid: Gid) -> Ty {
        let params = self.world.defs.def(gid).type_params.len() as u32;
        Ty::Instance(gid, (0..params).map(|index| Ty::Param(gid, index)).collect())
    }

    /// What a type of its own is made of, where it says so: `type Chain []Handler`.
    pub fn underlying(&self, gid: Gid) -> Option<Ty> {
        let def = self.world.defs.def(gid);
        if def.kind != SymbolKind::Class {
            return None;
        }
        let site = Site { def: gid, at: def.name_span.start };
        let made = self
            .once(Task::Alias(gid), || def.ty.as_ref().map_or(Ty::Unknown, |ty| self.type_expr(site, ty)));
        made.is_known().then_some(made)
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
            Expr::Name(name) => match self.name(site, name, self.value_wanted(site)) {
                // The beginning of a name that is written with its package.
                Named::Nothing => self.places_type(&self.package_prefix(site, std::slice::from_ref(name))),
                named => self.named_type(site, named),
            },
            Expr::This(label) => self.this(site, label.as_deref()),
            Expr::Super(_) => self.type_with_body(site).map_or(Ty::Unknown, Ty::Super),
            Expr::Path(path) => self.path_type(site, path),
            Expr::Member(base, name) => match &**base {
                Expr::Matched(value, ty) => self.matched_member(site, value, ty, name),
                Expr::Name(of) if let Some(ty) = self.foreign_constant(site, of, name) => ty,
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
            Expr::Passed(callee, given) => {
                let outside = match &**callee {
                    Expr::Name(name) => self.is_outside(site, name),
                    Expr::Member(base, _) => {
                        matches!(&**base, Expr::Name(name) if self.is_outside(site, name))
                    }
                    _ => false,
                };
                if outside { self.expr(site, given) } else { self.call_type(site, callee, &[]) }
            }
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
                Expr::Element(whole) if !self.world.defs.rules(site.def).pair_types.is_empty() => {
                    let whole = self.expr(site, whole);
                    let pairs = self.world.defs.rules(site.def).pair_types;
                    match &whole {
                        Ty::Foreign(name, args) if args.len() == 2 && pairs.contains(&name.as_str()) => {
                            args.get(usize::from(*index)).cloned().unwrap_or(Ty::Unknown)
                        }
                        whole => self.part(site, &self.element(whole), usize::from(*index)),
                    }
                }
                base => {
                    let base = self.expr(site, base);
                    self.part(site, &base, usize::from(*index))
                }
            },
            Expr::Matched(_, ty) => self.type_expr(site, ty),
            Expr::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.expr(site, part)).collect()),
            Expr::Filled(name, element) => {
                let element = Some(self.expr(site, element)).filter(Ty::is_known);
                Ty::Foreign(name.clone(), element.into_iter().collect())
            }
            Expr::LambdaParameter(callee, index) => self.lambda_parameter(site, callee, *index),
            Expr::LambdaReceiver(callee) => self.lambda_receiver(site, callee),
            Expr::Typed(ty) => self.type_expr(site, ty),
            Expr::Class(ty) => self.alias_class(site, ty),
            Expr::Literal(name) => Ty::Foreign(name.clone(), Vec::new()),
            Expr::Record(parts) => {
                Ty::Record(parts.iter().map(|(name, value)| (name.clone(), self.expr(site, value))).collect())
            }
            Expr::Module(path) => {
                let places = self.world.loaded(self.world.defs.file(site.def), path);
                self.places_type(&places)
            }
            Expr::Either(parts) => Ty::union(parts.iter().map(|part| self.expr(site, part))),
            Expr::At(at, value) => self.expr(self.placed(site, *at, value), value),
            Expr::Inside(at, inner) => self.expr(Site { at: *at, ..site }, inner),
            Expr::Lambda(Some(value)) => Ty::Callable(None, Vec::new(), Box::new(self.expr(site, value))),
            Expr::Lambda(None) | Expr::Opaque => Ty::Unknown,
        })
    }

    /// What the name of a value can mean: no type, where types have names of their own.
    fn value_wanted(&self, site: Site) -> Want {
        if self.world.defs.rules(site.def).types_apart { Want::Value } else { Want::Any }
    }

    /// Whether a plain name means something outside of the repository.
    pub fn is_outside(&self, site: Site, name: &str) -> bool {
        matches!(self.name(site, name, Want::Any), Named::Foreign)
    }

    /// The innermost type around a site.
    pub fn enclosing_type(&self, site: Site) -> Option<Gid> {
        let defs = &self.world.defs;
        defs.chain(site.def).find(|&at| defs.kind(at).is_type())
    }

    /// The innermost type around a site, or the variant of one that has a body of its own.
    fn type_with_body(&self, site: Site) -> Option<Gid> {
        let defs = &self.world.defs;
        let body =
            |at: Gid| defs.kind(at) == SymbolKind::EnumMember && !self.world.families.supers(at).is_empty();
        defs.chain(site.def).find(|&at| defs.kind(at).is_type() || body(at))
    }

    pub fn this(&self, site: Site, label: Option<&str>) -> Ty {
        let world = self.world;
        let defs = &world.defs;
        let file = defs.file(site.def);
        let mut inner = None;
        for at in defs.chain(site.def) {
            let def = defs.def(at);
            if label.is_none()
                && let Some(receiver) = self.lambda_this(site, at)
            {
                return self.binding_type(file, receiver);
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
        for at in defs.chain(site.def) {
            let def = defs.def(at);
            if label.is_none() && self.lambda_this(site, at).is_some() {
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
        match named {
            Named::Binding(binding) => self.value_type(site, binding),
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
                let better = match best {
                    Ty::Unknown => true,
                    // What stands in for something that is not there says nothing of it.
                    _ if self.is_nothing(&best) => true,
                    Ty::Module(_) => !self.is_nothing(&ty),
                    ref best => !best.is_known(),
                };
                if ty.is_known() && better {
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

    /// Whether a type is that of the empty value.
    pub fn is_nothing(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Foreign(name, args) if args.is_empty() && self.world.families.is_nothing(name))
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

    /// The type of a local name where it is used: of each value that it can have there.
    pub fn value_type(&self, site: Site, binding: u32) -> Ty {
        let world = self.world;
        let file = world.defs.file(site.def);
        let reaching = world.reaching(file, binding, site.at);
        let ty = Ty::union(reaching.into_iter().map(|index| self.binding_type(file, index)));
        let Some(facts) = world.defs.facts(file) else { return ty };
        let Binding { kind, name, .. } = &facts.bindings[binding as usize];
        if *kind != BindingKind::Narrowed {
            return ty;
        }
        // A test cannot take away what was known of the value before it.
        let all = world.bindings_of(file, name);
        let assigned = world
            .defs
            .chain(site.def)
            .find_map(|at| world.bindings_at(file, all, site.at, world.defs.def(at), Want::Any).0);
        match assigned {
            Some(assigned) => self.narrow(&self.value_type(site, assigned), ty),
            None => ty,
        }
    }

    /// Of what a value may be, what has passed a test for a type.
    fn narrow(&self, known: &Ty, tested: Ty) -> Ty {
        let order = |gid: &Gid| self.world.families.order(*gid);
        let passes = |part: &Ty| match (part, &tested) {
            (Ty::Instance(gid, _), Ty::Instance(above, _)) => order(gid).contains(above),
            (Ty::Instance(gid, _), Ty::Foreign(..)) => self.world.families.has_foreign_supertype(*gid),
            _ => false,
        };
        let parts = match known {
            Ty::Union(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let kept = Ty::union(parts.iter().filter(|part| passes(part)).cloned());
        if kept.is_known() { kept } else { tested }
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
            let given = binding.value.as_ref().map_or(Ty::Unknown, |value| self.expr(site, value));
            match given.is_known() || binding.kind != BindingKind::Parameter {
                true => given,
                false => self.expected_parameter(site, &binding.name),
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
        let handed = match binding.value {
            Some(Expr::LambdaParameter(..) | Expr::LambdaReceiver(_)) => true,
            // A parameter's default is written in front of the function's names.
            Some(Expr::This(_)) | None => false,
            Some(_) => binding.kind == BindingKind::Parameter,
        };
        let at = if handed { binding.scope.start.saturating_sub(1) } else { binding.name_span.start };
        self.site_at(file, at)
    }

    /// A place in a file, with the innermost definition that holds it.
    pub fn site_at(&self, file: u32, at: u32) -> Site {
        let defs = &self.world.defs;
        let facts = defs.facts(file).expect("a place is in a file with facts");
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

    /// Where a value is written that another place of a site's file has.
    fn placed(&self, site: Site, at: u32, value: &Expr) -> Site {
        let defs = &self.world.defs;
        let mut site = self.site_at(defs.file(site.def), at);
        // The instance in front of an object is no object's whose words of declaration begin earlier.
        while matches!(value, Expr::This(_))
            && defs.kind(site.def) == SymbolKind::Object
            && defs.def(site.def).name_span.start > at
            && let Some(around) = defs.container(site.def)
        {
            site.def = around;
        }
        site
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
    pub fn assigned_in(&self, gid: Gid) -> Option<Gid> {
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
    pub fn returned(&self, site: Site, value: &Expr) -> Ty {
        match value {
            Expr::This(None) => match self.enclosing_type(site) {
                Some(holder) if matches!(self.this(site, None), Ty::Instance(gid, _) if gid == holder) => {
                    Ty::Param(holder, SELF)
                }
                _ => self.this(site, None),
            },
            Expr::Either(parts) => Ty::union(parts.iter().map(|part| self.returned(site, part))),
            Expr::At(at, value) => self.returned(self.placed(site, *at, value), value),
            other => self.expr(site, other),
        }
    }

    pub fn alias(&self, gid: Gid) -> Ty {
        self.once(Task::Alias(gid), || {
            let def = self.world.defs.def(gid);
            let site = Site { def: gid, at: def.name_span.start };
            match (&def.ty, &def.value) {
                // What it writes out itself it has beside what it names.
                (ty, _) if !self.world.defs.children(gid).is_empty() => {
                    // Its written members are its own.
                    let named = match ty.as_ref().map(|ty| self.type_expr(site, ty)) {
                        Some(Ty::Union(parts)) => {
                            Ty::union(parts.into_iter().filter(|part| !matches!(part, Ty::Record(_))))
                        }
                        Some(Ty::Record(_)) | None => Ty::Unknown,
                        Some(one) => one,
                    };
                    Ty::union([self.own_instance(gid), named])
                }
                (Some(ty), _) => self.type_expr(site, ty),
                (None, Some(value)) => self.expr(site, value).instance(),
                // Of an associated type the bounds are known.
                (None, None) if !def.supertypes.is_empty() => self.own_instance(gid),
                (None, None) => Ty::Unknown,
            }
        })
    }
}
