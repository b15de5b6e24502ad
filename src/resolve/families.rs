//! Families: supertypes, the order in which they are asked, blocks that add members; put together of each file's
//! lineage.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    carried::{Carried, Entry},
    file::{Quick, QuickSet},
    implicit,
    infer::{Infer, Site},
    inheritance,
    lineage::{Blanket, Lineage, Receivers, Said, Super, Written, has_conditional},
    moves::Moves,
    symbols::Gid,
    trail::{Key, Keys, Trail},
    types::Ty,
    world::{Tables, World},
};
use crate::{
    extract::Name,
    lang::{Linearization, ModuleSystem, ResolutionRules},
};

/// What is known of all types together.
#[derive(Clone, Default)]
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

impl Families {
    /// Adds a block for a type.
    fn extend(&mut self, block: Gid, receiver: &Ty) {
        let extended = boxed(self, receiver);
        if let Some(&owner) = extended.first() {
            self.owner.insert(block, owner);
            for gid in extended {
                self.extensions.entry(gid).or_default().push(block);
            }
        } else if let Ty::Foreign(name, _) = receiver {
            self.foreign.entry(name.clone()).or_default().push(block);
        }
    }

    /// Adds what is above a type.
    fn add(&mut self, gid: Gid, supers: &[Super], foreign: &[Name]) {
        if !foreign.is_empty() {
            self.foreign_supers.insert(gid);
            self.foreign_names.entry(gid).or_default().extend(foreign.iter().cloned());
        }
        if !supers.is_empty() {
            self.supers.entry(gid).or_default().extend(supers.iter().cloned());
        }
    }

    /// What is known before blocks are.
    fn twins_only(&self) -> Self {
        Families {
            owner: Quick::default(),
            extensions: Quick::default(),
            foreign: Quick::default(),
            ..self.clone()
        }
    }

    /// The same after definitions have moved; `None` where something is no more.
    fn moved(&self, moves: &Moves) -> Option<Self> {
        fn each<V, M>(map: &Quick<Gid, V>, moves: &Moves, moved: M) -> Option<Quick<Gid, V>>
        where
            M: Fn(&V) -> Option<V>,
        {
            map.iter().map(|(gid, value)| Some((moves.gid(*gid)?, moved(value)?))).collect()
        }
        let gids = |list: &Vec<Gid>| moves.gids(list);
        let supers = |list: &Vec<Super>| list.iter().map(|above| above.moved(moves)).collect();
        let foreign = self.foreign.iter().map(|(name, blocks)| Some((name.clone(), moves.gids(blocks)?)));
        let blankets = self.blankets.iter().map(|blanket| blanket.moved(moves));
        Some(Families {
            owner: each(&self.owner, moves, |owner| moves.gid(*owner))?,
            extensions: each(&self.extensions, moves, gids)?,
            foreign: foreign.collect::<Option<_>>()?,
            blankets: blankets.collect::<Option<_>>()?,
            supers: each(&self.supers, moves, supers)?,
            order: each(&self.order, moves, gids)?,
            depths: each(&self.depths, moves, |depths| Some(depths.clone()))?,
            deref: each(&self.deref, moves, |ty| moves.ty(ty))?,
            foreign_supers: self.foreign_supers.iter().map(|&gid| moves.gid(gid)).collect::<Option<_>>()?,
            foreign_names: each(&self.foreign_names, moves, |names| Some(names.clone()))?,
            transparent: self.transparent.clone(),
            twins: each(&self.twins, moves, gids)?,
            nothing: self.nothing.clone(),
            top: self.top.clone(),
            generators: self.generators.clone(),
        })
    }
}

/// The families, and what they were put together of.
pub(super) struct Kinship {
    /// By file.
    receivers: Vec<Arc<Receivers>>,
    /// By file.
    lineages: Vec<Arc<Lineage>>,
    /// Blocks and what they extend alone.
    early: Arc<Families>,
    families: Arc<Families>,
    /// What they were put together by, in any file.
    trail: Arc<[Key]>,
    /// Whether the families are those of before, but for the numbers of definitions.
    pub reused: bool,
}

/// Works the families out: blocks, then supertypes, then orders, each on what the one before gave. `strange` says
/// whose imports do not mean what they did.
pub(super) fn families(
    tables: &mut Tables<'_>,
    carried: Option<&Carried<'_>>,
    keys: &Keys,
    strange: &[bool],
) -> Kinship {
    let trail = Trail::none();
    let count = tables.files().len();
    let known = |at: usize| carried.filter(|_| !strange[at]);
    let stays = carried.is_some_and(all_stays);
    // After definitions have moved; `None` where something is no more.
    let moved = |families: &Arc<Families>, carried: &Carried<'_>| {
        if stays { Some(families.clone()) } else { families.moved(&carried.moves).map(Arc::new) }
    };

    let early = carried.filter(|carried| {
        let kept = &carried.before.kinship.receivers;
        let world = tables.world(&trail);
        let twinned = |&file: &u32| kept[file as usize].conditional || has_conditional(&world, file);
        !carried.files.iter().any(twinned)
    });
    let early = early.and_then(|carried| moved(&carried.before.kinship.early, carried));
    tables.families = Arc::new(match &early {
        // Receivers are worked out before there are any.
        Some(early) => early.twins_only(),
        None => beginnings(&tables.world(&trail)),
    });
    let one = |at: usize| {
        let known = known(at).filter(|_| early.is_some());
        let held = known.and_then(|carried| carried.holding(&carried.before.kinship.receivers, at, keys));
        held.unwrap_or_else(|| Arc::new(Receivers::new(tables, at as u32)))
    };
    let receivers: Vec<Arc<Receivers>> = (0..count).into_par_iter().map(one).collect();
    let same = |at: usize| {
        carried.is_some_and(|carried| {
            let old = &carried.before.kinship.receivers[at];
            carried.is_again(old, &receivers[at], |old, new| old.list == new.list)
        })
    };
    let early = early.filter(|_| (0..count).all(same));
    let blocks_stay = early.is_some();
    let early = early.unwrap_or_else(|| {
        let mut families = beginnings(&tables.world(&trail));
        receivers
            .iter()
            .flat_map(|receivers| &receivers.list)
            .for_each(|(block, ty)| families.extend(*block, ty));
        Arc::new(families)
    });
    tables.families = early.clone();

    let one = |at: usize| {
        let known = known(at).filter(|_| blocks_stay);
        let held = known.and_then(|carried| carried.holding(&carried.before.kinship.lineages, at, keys));
        held.unwrap_or_else(|| Arc::new(Lineage::new(tables, at as u32)))
    };
    let lineages: Vec<Arc<Lineage>> = (0..count).into_par_iter().map(one).collect();
    let same = |at: usize| {
        carried.is_some_and(|carried| {
            carried.is_again(&carried.before.kinship.lineages[at], &lineages[at], Lineage::same)
        })
    };
    let reused = carried.filter(|_| blocks_stay && (0..count).all(same)).and_then(|carried| {
        let kinship = &carried.before.kinship;
        let families = Some(&kinship.families).filter(|_| !keys.hit(&kinship.trail))?;
        Some((moved(families, carried)?, kinship.trail.clone()))
    });
    let is_reused = reused.is_some();
    let (families, trail) = reused.unwrap_or_else(|| put_together(tables, &lineages));
    tables.families = families.clone();
    Kinship { receivers, lineages, early, families, trail, reused: is_reused }
}

/// Whether all that the families of before know of has the number that it had: they know of nothing but what they
/// were put together of.
fn all_stays(carried: &Carried<'_>) -> bool {
    let (moves, kinship) = (&carried.moves, &carried.before.kinship);
    moves.stays()
        || kinship.receivers.par_iter().all(|receivers| receivers.stays(moves))
            && kinship.lineages.par_iter().all(|lineage| lineage.stays(moves))
            && kinship.families.deref.values().all(|ty| moves.keeps_ty(ty))
}

/// What is known before anything is worked out.
fn beginnings(world: &World<'_>) -> Families {
    let mut families = Families::default();
    for rules in all_rules(world) {
        let boxes = rules.transparent_types.iter().map(|&name| (name, &[][..]));
        families.transparent.extend(boxes.chain(rules.box_members.iter().copied()));
        families.nothing.extend(rules.nothing_types);
        families.top.extend(rules.top_types);
        families.generators.extend(rules.generator_types);
    }
    families.twins = twins(world);
    families
}

/// Puts the families together, and gives the trail of what else was looked at. The tables know blocks and what
/// they extend.
fn put_together(tables: &mut Tables<'_>, lineages: &[Arc<Lineage>]) -> (Arc<Families>, Arc<[Key]>) {
    let mut families = (*tables.families).clone();
    let each = |list: fn(&Lineage) -> &[Said]| lineages.iter().flat_map(move |lineage| list(lineage));
    families.blankets = lineages.iter().flat_map(|lineage| lineage.blankets.iter().cloned()).collect();
    for Said { gid, supers, foreign } in each(|file| &file.types).chain(each(|file| &file.members)) {
        families.add(*gid, supers, foreign);
    }
    for Said { gid, supers, foreign } in each(|file| &file.blocks) {
        if let Some(owner) = families.owner(*gid) {
            families.add(owner, supers, foreign);
        }
    }
    let trail = Trail::of_all();
    let none = Trail::none();
    let types: Vec<Gid> = each(|file| &file.types).map(|said| said.gid).collect();
    for gid in types.iter().copied().chain(each(|file| &file.members).map(|said| said.gid)) {
        let rule = tables.numbers.defs(&none).rules(gid).supertypes;
        if rule == Linearization::Nearest {
            let (order, depths) = inheritance::nearest(&families, gid);
            families.order.insert(gid, order);
            families.depths.insert(gid, depths);
            continue;
        }
        let order = inheritance::linearize(&families, gid, rule, &mut Vec::new());
        families.order.insert(gid, order);
    }
    for (gid, above) in implicit::implemented(&tables.world(&trail), &families, &types) {
        let above_all = Super { ty: Ty::Instance(above, Vec::new()), written: Written::Name(gid) };
        families.supers.entry(gid).or_default().push(above_all);
        families.order.entry(gid).or_default().push(above);
    }
    let unsure: Vec<Gid> = types
        .iter()
        .filter(|&&gid| families.order(gid).iter().any(|above| families.foreign_supers.contains(above)))
        .copied()
        .collect();
    families.foreign_supers.extend(unsure);
    tables.families = Arc::new(families);
    let (derefs, trails) = derefs(tables, lineages);
    let mut families = std::mem::take(&mut tables.families);
    Arc::make_mut(&mut families).deref.extend(derefs);
    let mut keys = trail.keys();
    keys.extend(trails);
    keys.sort_unstable();
    keys.dedup();
    (families, keys.into())
}

/// What instances deref to, and the keys of what that was worked out from.
fn derefs(tables: &Tables<'_>, lineages: &[Arc<Lineage>]) -> (Vec<(Gid, Ty)>, Vec<Key>) {
    let one = |lineage: &Arc<Lineage>| -> (Vec<(Gid, Ty)>, Vec<Key>) {
        let trail = Trail::of_all();
        let world = tables.world(&trail);
        let derefs = lineage.types.iter().filter_map(|said| Some((said.gid, deref(&world, said.gid)?)));
        (derefs.collect(), trail.keys())
    };
    let none = Trail::none();
    let aliases = |lineage: &&Arc<Lineage>| {
        let first = lineage.types.first();
        first.is_some_and(|said| tables.numbers.defs(&none).rules(said.gid).deref_alias.is_some())
    };
    let with: Vec<&Arc<Lineage>> = lineages.iter().filter(aliases).collect();
    let (mut all, mut keys) = (Vec::new(), Vec::new());
    for (list, trail) in with.into_par_iter().map(one).collect::<Vec<_>>() {
        all.extend(list.into_iter().filter(|(_, target)| target.is_known()));
        keys.extend(trail);
    }
    (all, keys)
}

/// What a type's instances deref to.
fn deref(world: &World<'_>, gid: Gid) -> Option<Ty> {
    let infer = Infer::new(world);
    let alias = world.defs.rules(gid).deref_alias?;
    let blocks = world.families.extensions(gid).iter();
    let found = blocks.flat_map(|&block| world.defs.named(block, alias)).next()?;
    let def = world.defs.def(*found);
    let site = Site { def: *found, at: def.name_span.start };
    Some(infer.type_expr(site, def.ty.as_ref()?))
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
fn twins(world: &World<'_>) -> Quick<Gid, Vec<Gid>> {
    let defs = &world.defs;
    let mut groups: Quick<(Vec<Name>, &str), Vec<Gid>> = Quick::default();
    let packages = |file: &u32| matches!(world.system(*file), Some(ModuleSystem::Packages { .. }));
    for gid in world.files().filter(packages).flat_map(|file| defs.of_file(file)) {
        let def = defs.def(gid);
        if !def.kind.is_type() {
            continue;
        }
        if def.traits.conditional && defs.container(gid) == defs.module(defs.file(gid)) {
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
