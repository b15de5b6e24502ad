//! Families: supertypes, the order in which they are asked, blocks that add members, overriding.

use rayon::prelude::*;

use super::{
    EdgeKind,
    file::{Quick, QuickSet},
    implicit,
    infer::{Infer, Site},
    inheritance,
    symbols::Gid,
    trail::Trail,
    types::Ty,
    world::{Tables, World},
};
use crate::{
    extract::{Name, Supertype, SymbolKind, TypeForm, Visibility},
    lang::{Linearization, ModuleSystem, OverrideRule, ResolutionRules},
    text::Span,
};

/// A resolved supertype, and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Super {
    pub ty: Ty,
    pub file: u32,
    pub site: Span,
}

/// A block that gives a trait to every type with some bounds.
#[derive(Clone, Debug)]
pub(super) struct Blanket {
    pub block: Gid,
    /// The trait that it gives.
    pub of: Gid,
    pub bounds: Vec<Gid>,
    /// Bounds from outside the repository, by their simple names.
    pub foreign: Vec<Name>,
}

/// What is known of all types together.
#[derive(Default)]
pub(super) struct Families {
    owner: Quick<Gid, Gid>,
    extensions: Quick<Gid, Vec<Gid>>,
    foreign: Quick<Name, Vec<Gid>>,
    blankets: Vec<Blanket>,
    supers: Quick<Gid, Vec<Super>>,
    /// The type itself first.
    order: Quick<Gid, Vec<Gid>>,
    /// How deep each in the order lies, where that decides; what is implemented without a word has no depth.
    depths: Quick<Gid, Vec<u32>>,
    deref: Quick<Gid, Ty>,
    /// Types with a supertype anywhere above that is outside the repository.
    foreign_supers: QuickSet<Gid>,
    /// The simple names of the direct ones.
    foreign_names: Quick<Gid, Vec<Name>>,
    /// Transparent types with the members that they have themselves.
    transparent: Quick<&'static str, &'static [&'static str]>,
    /// Types that are declared once and defined for each platform: the others of the same name.
    twins: Quick<Gid, Vec<Gid>>,
    nothing: QuickSet<&'static str>,
    top: QuickSet<&'static str>,
    generators: QuickSet<&'static str>,
}

impl Families {
    /// The blocks that add members to a type, in order of files.
    pub fn extensions(&self, gid: Gid) -> &[Gid] {
        self.extensions.get(&gid).map_or(&[], Vec::as_slice)
    }

    /// The type that a block extends.
    pub fn owner(&self, block: Gid) -> Option<Gid> {
        self.owner.get(&block).copied()
    }

    /// The blocks for a type outside the repository, by its simple name.
    pub fn foreign(&self, name: &str) -> &[Gid] {
        self.foreign.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names of the types outside the repository that there are blocks for, with the blocks.
    pub fn all_foreign(&self) -> impl Iterator<Item = (&Name, &Vec<Gid>)> {
        self.foreign.iter()
    }

    /// The simple names of the direct supertypes outside the repository.
    pub fn foreign_names(&self, gid: Gid) -> &[Name] {
        self.foreign_names.get(&gid).map_or(&[], Vec::as_slice)
    }

    pub fn blankets(&self) -> &[Blanket] {
        &self.blankets
    }

    /// The direct supertypes, in order of declaration.
    pub fn supers(&self, gid: Gid) -> &[Super] {
        self.supers.get(&gid).map_or(&[], Vec::as_slice)
    }

    /// A type and its supertypes in the order in which they are asked for a member.
    pub fn order(&self, gid: Gid) -> &[Gid] {
        self.order.get(&gid).map_or(&[], Vec::as_slice)
    }

    /// The same, where it is worked out already.
    pub fn known_order(&self, gid: Gid) -> Option<&[Gid]> {
        self.order.get(&gid).map(Vec::as_slice)
    }

    /// How deep each in a type's order lies, where depth decides.
    pub fn depths(&self, gid: Gid) -> &[u32] {
        self.depths.get(&gid).map_or(&[], Vec::as_slice)
    }

    /// The others in a type's order that lie as deep as the one at a place.
    pub fn rivals(&self, gid: Gid, place: usize) -> impl Iterator<Item = Gid> {
        let depths = self.depths(gid);
        let own = depths.get(place).copied();
        let later = self.order(gid).iter().zip(depths).skip(place + 1);
        later.filter(move |&(_, depth)| Some(*depth) == own).map(|(&at, _)| at)
    }

    /// What a type's instances deref to.
    pub fn deref(&self, gid: Gid) -> Option<&Ty> {
        self.deref.get(&gid)
    }

    /// The other declarations of a type that is defined once for each platform.
    pub fn twins(&self, gid: Gid) -> &[Gid] {
        self.twins.get(&gid).map_or(&[], Vec::as_slice)
    }

    /// Whether a supertype anywhere above is outside the repository.
    pub fn has_foreign_supertype(&self, gid: Gid) -> bool {
        self.foreign_supers.contains(&gid)
    }

    /// Whether a blanket block is for a type.
    pub fn covers(&self, blanket: &Blanket, gid: Gid) -> bool {
        let order = self.order(gid);
        let named = |name: &Name| {
            let direct = |above: &Gid| self.foreign_names.get(above).is_some_and(|list| list.contains(name));
            order.iter().any(direct)
        };
        blanket.of != gid
            && blanket.bounds.iter().all(|bound| order.contains(bound))
            && blanket.foreign.iter().all(named)
    }

    /// Whether a foreign type's first argument, not its last, is what it yields.
    pub fn is_generator(&self, foreign: &str) -> bool {
        self.generators.contains(foreign)
    }

    /// Whether a foreign type's only value stands for a missing one.
    pub fn is_nothing(&self, foreign: &str) -> bool {
        self.nothing.contains(foreign)
    }

    /// Whether a foreign type takes every value.
    pub fn is_top(&self, foreign: &str) -> bool {
        self.top.contains(foreign)
    }

    pub fn is_transparent(&self, foreign: &str) -> bool {
        self.transparent.contains_key(foreign)
    }

    /// Whether a member of a transparent type is one of what is in it.
    pub fn shows(&self, foreign: &str, member: &str) -> bool {
        self.transparent.get(foreign).is_some_and(|own| !own.contains(&member))
    }
}

/// Works the families out: blocks, then supertypes, then orders, each on what the one before gave.
pub(super) fn families(tables: &mut Tables<'_>) {
    let trail = Trail::none();
    let mut families = Families::default();
    let world = tables.world(&trail);
    let defs = world.defs;
    for rules in all_rules(&world) {
        let boxes = rules.transparent_types.iter().map(|&name| (name, &[][..]));
        families.transparent.extend(boxes.chain(rules.box_members.iter().copied()));
        families.nothing.extend(rules.nothing_types);
        families.top.extend(rules.top_types);
        families.generators.extend(rules.generator_types);
    }
    let kinds =
        |is: fn(SymbolKind) -> bool| -> Vec<Gid> { defs.all().filter(|&gid| is(defs.kind(gid))).collect() };
    let blocks = kinds(|kind| kind == SymbolKind::Extension);
    let types = kinds(|kind| kind.is_type());
    let members = kinds(|kind| kind == SymbolKind::EnumMember);

    families.twins = twins(&world, &types);
    tables.families = families;
    let receivers: Vec<Ty> = parallel(tables, &blocks, |infer, block| infer.holder_type(block));
    let mut families = std::mem::take(&mut tables.families);
    for (&block, receiver) in blocks.iter().zip(&receivers) {
        let extended = boxed(&families, receiver);
        if let Some(&owner) = extended.first() {
            families.owner.insert(block, owner);
            for gid in extended {
                families.extensions.entry(gid).or_default().push(block);
            }
        } else if let Ty::Foreign(name, _) = receiver {
            families.foreign.entry(name.clone()).or_default().push(block);
        }
    }
    tables.families = families;

    let own: Vec<(Vec<Super>, Vec<Name>)> =
        parallel(tables, &types, |infer, gid| supertypes(infer, gid, gid));
    let from_members: Vec<(Vec<Super>, Vec<Name>)> = parallel(tables, &members, |infer, gid| {
        let (mut list, foreign) = supertypes(infer, gid, gid);
        // A variant with members of its own extends its enum; fields are no members in that sense.
        let defs = &infer.world.defs;
        if let Some(holder) = defs.container(gid)
            && defs.children(gid).iter().any(|&child| defs.kind(child).is_callable())
        {
            let file = infer.world.defs.file(gid);
            let site = infer.world.defs.def(gid).name_span;
            list.push(Super { ty: Ty::Instance(holder, Vec::new()), file, site });
        }
        (list, foreign)
    });
    let from_blocks: Vec<(Vec<Super>, Vec<Name>)> =
        parallel(tables, &blocks, |infer, block| match infer.world.families.owner(block) {
            Some(_) => supertypes(infer, block, block),
            None => (Vec::new(), Vec::new()),
        });
    let blankets: Vec<Option<Blanket>> = parallel(tables, &blocks, blanket);

    let mut families = std::mem::take(&mut tables.families);
    families.blankets = blankets.into_iter().flatten().collect();
    for (&gid, (list, foreign)) in types.iter().zip(own).chain(members.iter().zip(from_members)) {
        if !foreign.is_empty() {
            families.foreign_supers.insert(gid);
            families.foreign_names.entry(gid).or_default().extend(foreign);
        }
        if !list.is_empty() {
            families.supers.entry(gid).or_default().extend(list);
        }
    }
    for (block, (list, foreign)) in blocks.iter().zip(from_blocks) {
        let Some(&owner) = families.owner.get(block) else { continue };
        if !foreign.is_empty() {
            families.foreign_supers.insert(owner);
            families.foreign_names.entry(owner).or_default().extend(foreign);
        }
        families.supers.entry(owner).or_default().extend(list);
    }
    for &gid in types.iter().chain(&members) {
        let rule = tables.numbers.defs(&trail).rules(gid).supertypes;
        if rule == Linearization::Nearest {
            let (order, depths) = inheritance::nearest(&families, gid);
            families.order.insert(gid, order);
            families.depths.insert(gid, depths);
            continue;
        }
        let order = inheritance::linearize(&families, gid, rule, &mut Vec::new());
        families.order.insert(gid, order);
    }
    let world = tables.world(&trail);
    for (gid, above) in implicit::implemented(&world, &families, &types) {
        let (file, site) = (world.defs.file(gid), world.defs.def(gid).name_span);
        families.supers.entry(gid).or_default().push(Super {
            ty: Ty::Instance(above, Vec::new()),
            file,
            site,
        });
        families.order.entry(gid).or_default().push(above);
    }
    let unsure: Vec<Gid> = types
        .iter()
        .filter(|&&gid| families.order(gid).iter().any(|above| families.foreign_supers.contains(above)))
        .copied()
        .collect();
    families.foreign_supers.extend(unsure);
    tables.families = families;

    let derefs: Vec<Option<Ty>> = parallel(tables, &types, |infer, gid| {
        let alias = infer.world.defs.rules(gid).deref_alias?;
        let blocks = infer.world.families.extensions(gid).iter();
        let found = blocks.flat_map(|&block| infer.world.defs.named(block, alias)).next()?;
        let def = infer.world.defs.def(*found);
        let site = Site { def: *found, at: def.name_span.start };
        Some(infer.type_expr(site, def.ty.as_ref()?))
    });
    for (&gid, deref) in types.iter().zip(derefs) {
        if let Some(target) = deref.filter(Ty::is_known) {
            tables.families.deref.insert(gid, target);
        }
    }
}

/// The rules of all files, each once, in order of the first file that has them.
fn all_rules(world: &World<'_>) -> Vec<&'static ResolutionRules> {
    let mut all: Vec<&'static ResolutionRules> = Vec::new();
    for rules in world.files().filter_map(|file| world.defs.input(file).rules) {
        if !all.iter().any(|known| std::ptr::eq(*known, rules)) {
            all.push(rules);
        }
    }
    all
}

/// Conditional types of one name in one declared package.
fn twins(world: &World<'_>, types: &[Gid]) -> Quick<Gid, Vec<Gid>> {
    let defs = &world.defs;
    let mut groups: Quick<(Vec<Name>, &str), Vec<Gid>> = Quick::default();
    for &gid in types {
        let def = defs.def(gid);
        let packages = matches!(defs.rules(gid).modules, ModuleSystem::Packages { .. });
        if packages && def.traits.conditional && defs.container(gid) == defs.module(defs.file(gid)) {
            let package = defs.facts(defs.file(gid)).map_or(Vec::new(), |facts| facts.package.clone());
            groups.entry((package, def.name.as_str())).or_default().push(gid);
        }
    }
    let mut twins = Quick::default();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        for &gid in &group {
            twins.insert(gid, group.iter().copied().filter(|&other| other != gid).collect());
        }
    }
    twins
}

/// The types of the repository that a type is, or is a box of: what a block for `Arc<T>` adds, `T` has.
fn boxed(families: &Families, ty: &Ty) -> Vec<Gid> {
    match ty {
        Ty::Instance(gid, _) => vec![*gid],
        Ty::Union(parts) => parts.iter().flat_map(|part| boxed(families, part)).collect(),
        Ty::Foreign(name, args) if families.is_transparent(name) => {
            args.first().map_or_else(Vec::new, |inner| boxed(families, inner))
        }
        _ => Vec::new(),
    }
}

fn parallel<T: Send>(
    tables: &Tables<'_>,
    gids: &[Gid],
    work: impl Fn(&Infer<'_, '_>, Gid) -> T + Sync,
) -> Vec<T> {
    // One inference per definition: what it finds out never depends on who else is asked.
    let one = |&gid: &Gid| work(&Infer::new(&tables.world(&Trail::none())), gid);
    gids.par_iter().with_min_len(32).map(one).collect()
}

/// The supertypes that a definition declares, and the names of those outside the repository.
fn supertypes(infer: &Infer<'_, '_>, gid: Gid, at: Gid) -> (Vec<Super>, Vec<Name>) {
    let defs = &infer.world.defs;
    let def = defs.def(gid);
    let file = defs.file(gid);
    // A supertype is written in the scope around the type, where only the type's parameters are new.
    let mut list = Vec::new();
    let mut foreign = Vec::new();
    for Supertype { ty, site, .. } in &def.supertypes {
        if ty.form == TypeForm::Union && defs.rules(gid).implicit_interfaces {
            // One of several types is what fulfils it, not each of them what it is.
            foreign.push(Name::default());
            continue;
        }
        let all = match infer.type_expr(Site { def: at, at: site.start }, ty) {
            Ty::Union(parts) => parts,
            one => vec![one],
        };
        for ty in all {
            match ty {
                Ty::Instance(above, args) if above != gid => {
                    list.push(Super { ty: Ty::Instance(above, args), file, site: *site });
                }
                Ty::Foreign(name, _) => foreign.push(name),
                Ty::Unknown => foreign.push(Name::default()),
                _ => {}
            }
        }
    }
    (list, foreign)
}

fn blanket(infer: &Infer<'_, '_>, block: Gid) -> Option<Blanket> {
    let def = infer.world.defs.def(block);
    let receiver = def.receiver.as_ref()?;
    let site = Site { def: block, at: def.name_span.start };
    let Ty::Param(owner, index) = infer.type_expr(site, receiver) else { return None };
    if owner != block {
        return None;
    }
    let given = infer.type_expr(site, &def.supertypes.first()?.ty);
    let Ty::Instance(of, _) = given else { return None };
    let mut bounds = Vec::new();
    let mut foreign = Vec::new();
    for bound in infer.bounds(owner, index) {
        match bound {
            Ty::Instance(gid, _) => bounds.push(gid),
            // Bounds like `Sized` hold for what there is here.
            Ty::Foreign(name, _) if matches!(name.as_str(), "Sized" | "Send" | "Sync" | "Unpin") => {}
            Ty::Foreign(name, _) => foreign.push(name),
            _ => return None,
        }
    }
    Some(Blanket { block, of, bounds, foreign })
}

/// An edge between types or their members, before it has symbols.
pub(super) struct Relation {
    pub from: Gid,
    pub to: Gid,
    pub kind: EdgeKind,
    pub file: u32,
    pub site: Span,
}

/// Extends, implements and overrides: from a type to its supertypes, from a member to what it overrides.
pub(super) fn relations(tables: &Tables<'_>) -> Vec<Relation> {
    let trail = Trail::none();
    let world = &tables.world(&trail);
    let defs = &world.defs;
    let holders: Vec<Gid> = defs
        .all()
        .filter(|&gid| defs.kind(gid).is_type() || defs.kind(gid) == SymbolKind::EnumMember)
        .collect();
    let one = |&gid: &Gid| of_type(&tables.world(&Trail::none()), gid);
    let lists: Vec<Vec<Relation>> = holders.par_iter().map(one).collect();
    let mut all: Vec<Relation> = lists.into_iter().flatten().collect();
    for blanket in world.families.blankets() {
        block_overrides(world, blanket.block, blanket.of, &mut all);
    }
    // A block for a foreign type still fulfils the trait.
    for gid in defs.all().filter(|&gid| defs.kind(gid) == SymbolKind::Extension) {
        if world.families.owner(gid).is_none() {
            let infer = Infer::new(world);
            for above in supertypes(&infer, gid, gid).0 {
                if let Ty::Instance(of, _) = above.ty {
                    block_overrides(world, gid, of, &mut all);
                }
            }
        }
    }
    all
}

fn of_type(world: &World<'_>, gid: Gid) -> Vec<Relation> {
    let defs = &world.defs;
    let infer = Infer::new(world);
    let mut all = Vec::new();
    let interface = |kind| matches!(kind, SymbolKind::Interface | SymbolKind::Trait);
    // The bounds of an associated type make it no subtype.
    let supers = if defs.kind(gid) == SymbolKind::TypeAlias { &[] } else { world.families.supers(gid) };
    for above in supers {
        let Ty::Instance(to, _) = above.ty else { continue };
        let kind = if interface(defs.kind(to)) && !interface(defs.kind(gid)) {
            EdgeKind::Implements
        } else {
            EdgeKind::Extends
        };
        all.push(Relation { from: gid, to, kind, file: above.file, site: above.site });
    }
    match defs.rules(gid).overrides {
        OverrideRule::InExtension => {
            for &block in world.families.extensions(gid) {
                for above in supertypes(&infer, block, block).0 {
                    if let Ty::Instance(of, _) = above.ty {
                        block_overrides(world, block, of, &mut all);
                    }
                }
            }
        }
        rule => {
            let marked = rule == OverrideRule::Marked;
            // What stands apart from the type is a member as well.
            let blocks = world.families.extensions(gid).iter();
            for &member in std::iter::once(&gid).chain(blocks).flat_map(|&holder| defs.children(holder)) {
                let def = defs.def(member);
                let constructor = def.kind == SymbolKind::Constructor
                    || defs.rules(gid).constructors.contains(&def.name.as_str());
                let dispatched =
                    def.kind.is_callable() || matches!(def.kind, SymbolKind::Property | SymbolKind::Field);
                if constructor || !dispatched || marked && !def.traits.marked_override {
                    continue;
                }
                // Attributes are assigned, not overridden, unless reading them runs code.
                if !marked && !def.kind.is_callable() && !def.traits.accessor {
                    continue;
                }
                let signed = rule == OverrideRule::BySignature;
                if signed && !overridable(world, member) {
                    continue;
                }
                for above in world.families.supers(gid) {
                    let Ty::Instance(base, _) = above.ty else { continue };
                    // A call on what is embedded never comes to the one that embeds it.
                    if defs.rules(gid).embedded_supertypes && !interface(defs.kind(base)) {
                        continue;
                    }
                    let found = infer.in_order(base, &def.name, 0);
                    if signed {
                        let to = found
                            .into_iter()
                            .find(|&to| overridable(world, to) && same_parameters(world, member, to));
                        all.extend(to.map(|to| overrides(world, member, to)));
                        continue;
                    }
                    let found: Vec<Gid> = found
                        .into_iter()
                        .filter(|&to| {
                            let other = defs.def(to);
                            marked || other.kind.is_callable() || other.traits.accessor
                        })
                        .collect();
                    if let Some(to) = same_shape(world, member, &found) {
                        all.push(overrides(world, member, to));
                    }
                }
            }
        }
    }
    all
}

/// Whether a member can be, or be overridden by, another one's.
fn overridable(world: &World<'_>, gid: Gid) -> bool {
    let def = world.defs.def(gid);
    def.kind.is_callable() && !def.traits.associated && def.visibility != Visibility::Private
}

/// Whether a member has the parameters of another one, as they are written; a type parameter there can be
/// anything here.
pub(super) fn same_parameters(world: &World<'_>, member: Gid, to: Gid) -> bool {
    let defs = &world.defs;
    let (def, above) = (defs.def(member), defs.def(to));
    if def.params.len() != above.params.len() {
        return false;
    }
    // Languages write the same type in different words.
    if !std::ptr::eq(defs.rules(member), defs.rules(to)) {
        return true;
    }
    let holder = defs.container(to).map(|at| defs.def(at));
    let open = |name: &Name| {
        let mut params = above.type_params.iter().chain(holder.iter().flat_map(|at| &at.type_params));
        params.any(|param| param.name == *name)
    };
    def.params.iter().zip(&above.params).all(|(own, other)| match (&own.ty, &other.ty) {
        (Some(own), Some(other)) => {
            own.path.last() == other.path.last() || other.path.len() == 1 && open(&other.path[0])
        }
        _ => true,
    })
}

fn block_overrides(world: &World<'_>, block: Gid, of: Gid, all: &mut Vec<Relation>) {
    for &member in world.defs.children(block) {
        let name = &world.defs.def(member).name;
        if let Some(&to) = world.defs.named(of, name).first() {
            all.push(overrides(world, member, to));
        }
    }
}

fn overrides(world: &World<'_>, from: Gid, to: Gid) -> Relation {
    let site = world.defs.def(from).name_span;
    Relation { from, to, kind: EdgeKind::Overrides, file: world.defs.file(from), site }
}

/// Of overloads the one that a member overrides: with the same parameters' types, else the same number
/// of them, else the only one.
fn same_shape(world: &World<'_>, member: Gid, found: &[Gid]) -> Option<Gid> {
    let defs = &world.defs;
    let def = defs.def(member);
    let types = |gid: Gid| -> Vec<_> {
        let last = |ty: &crate::extract::TypeExpr| ty.path.last().cloned();
        defs.def(gid).params.iter().map(|param| param.ty.as_ref().and_then(last)).collect()
    };
    if found.len() == 1 {
        return found.first().copied();
    }
    let own = types(member);
    found
        .iter()
        .find(|&&to| types(to) == own)
        .or_else(|| found.iter().find(|&&to| defs.def(to).params.len() == def.params.len()))
        .copied()
}
