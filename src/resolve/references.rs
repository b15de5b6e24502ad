//! References: the definitions that a use of a name can mean, by the tiers of evidence.

use super::{
    Reason,
    infer::{Infer, Site},
    modules::Place,
    names::Guard,
    scopes::{Named, Want},
    symbols::Gid,
    types::Ty,
};
use crate::{
    extract::{Expr, Name, Ref, RefRole, SymbolKind, TypeForm},
    lang::ModuleSystem,
};

/// A definition that a reference means, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub gid: Gid,
    pub reason: Reason,
    pub confidence: u8,
}

impl Target {
    fn of_enclosing_type(&mut self) {
        self.reason = Reason::EnclosingType;
        self.confidence = confidence(Reason::EnclosingType);
    }
}

/// Names shorter than this are never bound by the name alone.
const DISTINCTIVE: usize = 8;

fn confidence(reason: Reason) -> u8 {
    match reason {
        Reason::Declared => 100,
        Reason::Scope => 98,
        Reason::Import => 97,
        Reason::EnclosingType => 95,
        Reason::Package => 93,
        Reason::ReceiverType => 90,
        Reason::Unique => 60,
    }
}

pub(super) fn want(role: RefRole) -> Want {
    match role {
        RefRole::Call => Want::Call,
        RefRole::MacroCall => Want::Macro,
        RefRole::Instantiate | RefRole::Type => Want::Type,
        RefRole::Decorator | RefRole::Value => Want::Value,
    }
}

impl Infer<'_, '_> {
    pub fn targets(&self, from: Gid, reference: &Ref) -> Vec<Target> {
        let site = Site { def: from, at: reference.span.start };
        if let Some(reference) = self.of_local(site, reference) {
            return self.targets(from, &reference);
        }
        let want = want(reference.role);
        let targets = match &reference.receiver {
            None => self.plain(site, reference, want),
            Some(Expr::Path(path)) => self.by_path(site, path, reference, want),
            Some(receiver) => self.by_receiver(site, receiver, reference, want),
        };
        self.pick(site, reference, targets)
    }

    /// A use of a member of a local value, where the parser took it for a type: `c.list[c.at](x)` in Go.
    pub fn of_local(&self, site: Site, reference: &Ref) -> Option<Ref> {
        let Some(Expr::Path(path)) = &reference.receiver else { return None };
        let (first, rest) = path.split_first()?;
        let rules = self.world.defs.rules(site.def);
        if matches!(rules.modules, ModuleSystem::Crates { .. })
            || !matches!(self.name(site, first, Want::Value), Named::Binding(_))
        {
            return None;
        }
        let member = |base, name: &Name| Expr::Member(Box::new(base), name.clone());
        let receiver = rest.iter().fold(Expr::Name(first.clone()), member);
        let role = if reference.role == RefRole::Type { RefRole::Value } else { reference.role };
        Some(Ref { receiver: Some(receiver), role, ..reference.clone() })
    }

    fn plain(&self, site: Site, reference: &Ref, want: Want) -> Vec<Target> {
        let rules = self.world.defs.rules(site.def);
        let name = reference.name.as_str();
        if Some(name) == rules.self_type {
            return match self.self_type(site) {
                Ty::Instance(gid, _) if want != Want::Value => vec![target(gid, Reason::EnclosingType)],
                _ => Vec::new(),
            };
        }
        // Variants and structs share a place with types where an instance is made.
        let lookup = if reference.role == RefRole::Instantiate { Want::Call } else { want };
        // What a test narrows is still read where it is declared; its type says what a call runs.
        let called = reference.role == RefRole::Call;
        // Where functions are apart, a plain name means none.
        let value = rules.functions_apart && reference.role == RefRole::Value;
        let accept = |gid: Gid| {
            self.may_take(site, gid, reference) && !(value && self.world.defs.kind(gid).is_callable())
        };
        match self.name_where(site, name, lookup, called, &accept) {
            Named::Binding(binding) => {
                let file = self.world.defs.file(site.def);
                if reference.role != RefRole::Call {
                    return Vec::new();
                }
                let called = self.value_called(&self.value_type(site, binding));
                // The instance itself: a class method calls its class.
                let facts = self.world.defs.facts(file);
                let value = facts.and_then(|facts| facts.bindings[binding as usize].value.as_ref());
                if !matches!(value, Some(Expr::This(_))) {
                    return called;
                }
                called.into_iter().map(|found| target(found.gid, Reason::EnclosingType)).collect()
            }
            Named::Found(places, reason) => {
                let found = self.bare(site, gids(&places).collect());
                found.into_iter().map(|gid| target(gid, reason)).collect()
            }
            Named::Members(members, _, reason) => {
                members.into_iter().map(|gid| target(gid, reason)).collect()
            }
            Named::TypeParam(..) | Named::Foreign | Named::Nothing => Vec::new(),
        }
    }

    /// What a plain name can mean: an extension function needs a receiver in scope that it takes. Without
    /// one that surely is, those that may be.
    fn bare(&self, site: Site, found: Vec<Gid>) -> Vec<Gid> {
        let defs = &self.world.defs;
        let extends = |gid: Gid| defs.def(gid).receiver.is_some() && defs.rules(gid).extension_functions;
        if !found.iter().any(|&gid| extends(gid)) {
            return found;
        }
        let receivers = self.implicit_receivers(site);
        let takes = |gid: Gid| -> Option<bool> {
            if !extends(gid) {
                return Some(true);
            }
            let all: Vec<Option<bool>> = receivers.iter().map(|ty| self.takes(gid, ty)).collect();
            if all.contains(&Some(true)) { Some(true) } else { all.into_iter().min().unwrap_or(Some(false)) }
        };
        let known: Vec<(Gid, Option<bool>)> = found.into_iter().map(|gid| (gid, takes(gid))).collect();
        let sure = known.iter().any(|(_, takes)| *takes == Some(true));
        let kept = |takes: Option<bool>| if sure { takes == Some(true) } else { takes.is_none() };
        known.into_iter().filter(|(_, takes)| kept(*takes)).map(|(gid, _)| gid).collect()
    }

    fn by_path(&self, site: Site, path: &[Name], reference: &Ref, want: Want) -> Vec<Target> {
        let world = self.world;
        let rules = world.defs.rules(site.def);
        let name = reference.name.as_str();
        let first = path.first().map_or("", Name::as_str);
        let crates = matches!(rules.modules, ModuleSystem::Crates { .. });
        let lookup = if reference.role == RefRole::Instantiate { Want::Call } else { want };
        if path.is_empty() {
            return self.plain(site, reference, want);
        }
        let own = Some(first) == rules.self_type;
        let param = crates && !own && matches!(self.name(site, first, Want::Type), Named::TypeParam(..));
        if crates && !own && !param {
            let mut full = path.to_vec();
            full.push(name.into());
            let places = self.path_places(site, &full, lookup);
            let found: Vec<Target> = gids(&places)
                .filter(|&gid| world.fits(gid, lookup))
                .map(|gid| {
                    let module = world.defs.kind(gid) != SymbolKind::Module
                        && world
                            .defs
                            .container(gid)
                            .is_some_and(|at| world.defs.kind(at) == SymbolKind::Module);
                    target(gid, if module { Reason::Import } else { Reason::ReceiverType })
                })
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        let ty = self.path_type(site, path);
        if !ty.is_known()
            && !own
            && !param
            && self.path_places(site, path, Want::Type).contains(&Place::Foreign)
        {
            // What blocks here add to a type from outside.
            let last = path.last().map_or("", Name::as_str);
            return self.members_of(site, &Ty::Foreign(last.into(), Vec::new()), reference, lookup);
        }
        let mut found = self.members_of(site, &ty, reference, lookup);
        if own && path.len() == 1 {
            found.iter_mut().for_each(Target::of_enclosing_type);
        }
        found
    }

    fn by_receiver(&self, site: Site, receiver: &Expr, reference: &Ref, want: Want) -> Vec<Target> {
        let ty = self.expr(site, receiver);
        let mut found = self.members_of(site, &ty, reference, want);
        if found.is_empty() {
            let fields = self.variant_fields(site, receiver, &reference.name);
            found.extend(fields.into_iter().map(|gid| target(gid, Reason::ReceiverType)));
        }
        if found.is_empty() && reference.role == RefRole::Call {
            found.extend(self.value_called(&ty.record_member(&reference.name)));
        }
        if found.is_empty()
            && reference.role == RefRole::Value
            && let Some(Ty::Instance(gid, _)) = self.embedded(&ty, &reference.name)
        {
            found.push(target(gid, Reason::ReceiverType));
        }
        let own = match receiver {
            Expr::This(label) => self.is_own_instance(site, label.as_deref()),
            Expr::Super(_) => true,
            Expr::Typed(ty) => ty.form == TypeForm::SelfType,
            _ => false,
        };
        if own && matches!(ty, Ty::Foreign(..)) && found.iter().all(|target| target.gid == site.def) {
            // In a block for a box the same member of `self` is that of what is in the box.
            let inner = self.looked_through(ty.clone());
            if inner != ty {
                found = self.members_of(site, &inner, reference, want);
            }
        }
        if own {
            found.iter_mut().for_each(Target::of_enclosing_type);
        }
        if found.is_empty()
            && !ty.is_known()
            && reference.role == RefRole::Call
            && !self.comes_from_outside(site, receiver)
        {
            found.extend(self.unique(site, reference));
        }
        found
    }

    fn members_of(&self, site: Site, ty: &Ty, reference: &Ref, want: Want) -> Vec<Target> {
        if let Ty::Module(place) = ty {
            let places = self.world.lookup(*place, &reference.name, &mut Guard::default());
            let fits = |gid: &Gid| self.world.fits(*gid, want);
            return gids(&places).filter(fits).map(|gid| target(gid, Reason::Import)).collect();
        }
        let accept = |gid| self.may_take(site, gid, reference);
        let (members, sure) = self.members_or_extensions(site, ty, &reference.name, want, &accept);
        let mut found: Vec<Target> =
            members.iter().map(|(gid, _)| target(*gid, Reason::ReceiverType)).collect();
        if !sure {
            for target in &mut found {
                target.reason = Reason::Import;
                target.confidence = 75;
            }
        }
        found
    }

    /// The only method of a distinctive name in the repository.
    fn unique(&self, site: Site, reference: &Ref) -> Option<Target> {
        let name = reference.name.as_str();
        let rules = self.world.defs.rules(site.def);
        let humps = name.contains('_') || name.bytes().any(|byte| byte.is_ascii_uppercase());
        // Where functions can be added to any type, a name alone says nothing.
        if name.len() < DISTINCTIVE
            || rules.extension_functions
            || rules.strict_overloads
            || !humps
            || name.starts_with("__")
            || rules.common_members.contains(&name)
        {
            return None;
        }
        let defs = &self.world.defs;
        let gid = self.world.only_method(defs.file(site.def), name)?;
        let arguments = reference.arguments.map_or(0, usize::from);
        let fits = defs.def(gid).params.len() >= arguments;
        // What a block does for a trait from outside, other types do, too.
        let block = defs.container(gid).map(|at| defs.def(at));
        let of_trait =
            block.is_some_and(|block| block.kind == SymbolKind::Extension && !block.supertypes.is_empty());
        (fits && !of_trait).then_some(target(gid, Reason::Unique))
    }

    /// What a call of a value runs.
    pub fn value_called(&self, ty: &Ty) -> Vec<Target> {
        match ty {
            Ty::Function(gid, _) | Ty::Class(gid, _) => {
                vec![Target { gid: *gid, reason: Reason::ReceiverType, confidence: 85 }]
            }
            Ty::Instance(..) | Ty::Param(..) => {
                let member = self.call_member(ty).map(|(gid, _)| target(gid, Reason::ReceiverType));
                member.into_iter().collect()
            }
            Ty::Union(parts) => parts.iter().flat_map(|part| self.value_called(part)).collect(),
            _ => Vec::new(),
        }
    }

    /// Of several definitions of a name the one that the reference's shape decides for; twins under
    /// different conditions: the first; unrelated ones: none.
    fn pick(&self, site: Site, reference: &Ref, mut targets: Vec<Target>) -> Vec<Target> {
        let defs = &self.world.defs;
        targets.retain(|target| self.suits(target.gid, reference.role));
        if targets.len() < 2 {
            return targets;
        }
        if targets.iter().any(|target| !defs.def(target.gid).traits.yields) {
            targets.retain(|target| !defs.def(target.gid).traits.yields);
        }
        if reference.role == RefRole::Call && defs.rules(site.def).overloads {
            let gids: Vec<Gid> = targets.iter().map(|target| target.gid).collect();
            let chosen = self.overloads(site, reference, &gids);
            targets.retain(|target| chosen.contains(&target.gid));
        }
        if reference.role == RefRole::Value {
            let value = |target: &Target| !self.by_use(target.gid, Want::Value);
            if targets.iter().any(value) {
                targets.retain(value);
            }
        }
        if reference.role == RefRole::Call {
            // A variable beside a function or a class of its name stands in for it where that is not there.
            let value = |target: &Target| {
                use SymbolKind::{Constant, Field, Property, Variable};
                matches!(defs.kind(target.gid), Variable | Constant | Field | Property)
            };
            let definition = targets.iter().find(|target| !value(target)).map(|target| target.gid);
            if let Some(definition) = definition {
                let apart = |gid: Gid| defs.container(gid) != defs.container(definition);
                targets.retain(|target| {
                    let holds = || !self.value_called(&self.result(target.gid)).is_empty();
                    !value(target) || apart(target.gid) && holds()
                });
            }
        }
        if reference.role == RefRole::Value {
            // Setting a property runs its setter, reading it the getter.
            let given = reference.arguments.map_or(0, usize::from);
            let runs = |target: &Target| {
                let def = defs.def(target.gid);
                def.traits.accessor && def.params.len() == given
            };
            let accessor = |target: &Target| defs.def(target.gid).traits.accessor;
            let merged = defs.rules(site.def).merged_declarations && targets.iter().all(accessor);
            if merged && targets.iter().any(runs) {
                targets.retain(runs);
            }
        }
        if !defs.rules(site.def).by_arguments {
            // What is defined in any case comes before what is defined under a condition.
            let sure = |target: &Target| !defs.def(target.gid).traits.conditional;
            if targets.iter().any(sure) {
                targets.retain(sure);
            }
        } else if reference.role == RefRole::Call
            && let Some(arguments) = reference.arguments.map(usize::from)
        {
            let callable = |target: &Target| defs.kind(target.gid).is_callable();
            // A function of the name is what a call means, before a value of it.
            if targets.iter().any(callable) && !targets.iter().any(|t| defs.kind(t.gid).is_type()) {
                targets.retain(callable);
            }
            let parameters = |target: &Target| defs.def(target.gid).params.len();
            let exact: Vec<Target> =
                targets.iter().filter(|target| parameters(target) == arguments).copied().collect();
            let roomy: Vec<Target> =
                targets.iter().filter(|target| parameters(target) > arguments).copied().collect();
            if !exact.is_empty() {
                targets = exact;
            } else if !roomy.is_empty() {
                let least = roomy.iter().map(parameters).min().unwrap_or(0);
                targets = roomy.into_iter().filter(|target| parameters(target) == least).collect();
            }
        }
        // An overload that the shape does not single out is more likely another one than itself.
        let others = targets.iter().filter(|target| target.gid != site.def).count();
        if others > 0 {
            targets.retain(|target| target.gid != site.def);
        }
        let Some(first) = targets.first().copied() else { return targets };
        let related = |target: &Target| {
            let same_file = defs.file(target.gid) == defs.file(first.gid);
            let holder = |gid: Gid| {
                let container = defs.container(gid);
                container.map(|at| self.world.families.owner(at).unwrap_or(at))
            };
            same_file && holder(target.gid) == holder(first.gid)
        };
        if targets.iter().all(related) {
            // Blocks of different traits may have one name each; that is no set of overloads.
            let traits = |gid: Gid| {
                let block = defs.container(gid)?;
                let def = defs.def(block);
                let ty = &def.supertypes.first()?.ty;
                Some((def.kind == SymbolKind::Extension).then_some(&ty.path))
            };
            let one = targets.iter().all(|target| traits(target.gid) == traits(first.gid));
            let unsure = targets.len() > 1
                && defs.rules(site.def).strict_overloads
                && targets.iter().all(|target| defs.kind(target.gid).is_callable());
            return match one && !unsure {
                true if defs.rules(site.def).alternatives => self.alternatives(targets),
                true => vec![first],
                false => Vec::new(),
            };
        }
        // Members of a union's parts are all meant; other namesakes contradict each other.
        let union = targets.iter().all(|target| target.reason == Reason::ReceiverType);
        if union && reference.receiver.is_some() && !defs.rules(site.def).implicit_this {
            return targets;
        }
        let same = targets.iter().all(|target| defs.kind(target.gid) == defs.kind(first.gid));
        let free = |target: &Target| {
            defs.container(target.gid).is_some_and(|at| defs.kind(at) == SymbolKind::Module)
        };
        if same && defs.rules(site.def).alternatives && targets.iter().all(free) {
            return targets;
        }
        if same { Vec::new() } else { vec![first] }
    }

    /// Definitions of one name in one scope are alternatives of different builds, and all are meant;
    /// in blocks for different instances of a type they are different things, and none is.
    fn alternatives(&self, targets: Vec<Target>) -> Vec<Target> {
        let defs = &self.world.defs;
        let head = |target: &Target| {
            let block = defs.container(target.gid).map(|at| defs.def(at))?;
            let types: Vec<_> = block.supertypes.iter().map(|above| &above.ty).collect();
            (block.kind == SymbolKind::Extension).then_some((&block.receiver, types))
        };
        let first = targets.first().and_then(head);
        if targets.iter().all(|target| head(target) == first) { targets } else { Vec::new() }
    }

    fn suits(&self, gid: Gid, role: RefRole) -> bool {
        let kind = self.world.defs.kind(gid);
        match role {
            RefRole::MacroCall => kind == SymbolKind::Macro,
            RefRole::Type => kind.is_type() || kind == SymbolKind::EnumMember,
            RefRole::Instantiate => kind.is_type() || kind == SymbolKind::EnumMember,
            RefRole::Call | RefRole::Decorator | RefRole::Value => {
                !matches!(kind, SymbolKind::Module | SymbolKind::Extension | SymbolKind::Macro)
            }
        }
    }
}

fn target(gid: Gid, reason: Reason) -> Target {
    Target { gid, reason, confidence: confidence(reason) }
}

pub(super) fn gids(places: &[Place]) -> impl Iterator<Item = Gid> + '_ {
    places.iter().filter_map(|place| match place {
        Place::Def(gid) => Some(*gid),
        _ => None,
    })
}

/// What a sequence holds, where that is one.
pub(super) fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
