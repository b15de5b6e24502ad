//! Lineage: what one file says of the families of its types, before it is put together with what the others say.

use std::sync::Arc;

use super::{
    carried::Entry,
    infer::{Infer, Site},
    moves::Moves,
    symbols::{Defs, Gid},
    trail::{Key, Trail},
    types::Ty,
    world::{Tables, World},
};
use crate::{
    extract::{Name, Supertype, SymbolKind, TypeForm},
    lang::ModuleSystem,
    text::Span,
};

/// A resolved supertype, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Super {
    pub ty: Ty,
    pub written: Written,
}

/// Where an edge between types or members is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Written {
    /// At the name of a definition.
    Name(Gid),
    /// Among the supertypes of a definition, by its index.
    Supertype(Gid, u32),
}

impl Super {
    pub fn moved(&self, moves: &Moves) -> Option<Self> {
        Some(Super { ty: moves.ty(&self.ty)?, written: self.written.moved(moves)? })
    }
}

impl Written {
    pub fn gid(self) -> Gid {
        match self {
            Written::Name(gid) | Written::Supertype(gid, _) => gid,
        }
    }

    pub fn site(self, defs: &Defs<'_>) -> Span {
        match self {
            Written::Name(gid) => defs.def(gid).name_span,
            Written::Supertype(gid, at) => defs.def(gid).supertypes[at as usize].site,
        }
    }

    pub fn moved(self, moves: &Moves) -> Option<Self> {
        Some(match self {
            Written::Name(gid) => Written::Name(moves.gid(gid)?),
            Written::Supertype(gid, at) => Written::Supertype(moves.gid(gid)?, at),
        })
    }
}

/// A block that gives a trait to every type with some bounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Blanket {
    pub block: Gid,
    /// The trait that it gives.
    pub of: Gid,
    pub bounds: Vec<Gid>,
    /// Bounds from outside the repository, by their simple names.
    pub foreign: Vec<Name>,
}

/// What the blocks of a file extend.
pub(super) struct Receivers {
    pub list: Vec<(Gid, Ty)>,
    /// Whether the file has types that may be defined once for each platform.
    pub conditional: bool,
    trail: Arc<[Key]>,
}

/// What a definition says of what is above it.
#[derive(PartialEq)]
pub(super) struct Said {
    pub gid: Gid,
    pub supers: Vec<Super>,
    /// The simple names of those outside the repository.
    pub foreign: Vec<Name>,
}

/// What the definitions of a file say of what is above them.
pub(super) struct Lineage {
    pub types: Vec<Said>,
    /// The variants of enums.
    pub members: Vec<Said>,
    /// The blocks whose type is the repository's.
    pub blocks: Vec<Said>,
    pub blankets: Vec<Blanket>,
    trail: Arc<[Key]>,
}

/// Whether a file has types that may be defined once for each platform.
pub(super) fn has_conditional(world: &World<'_>, file: u32) -> bool {
    let defs = &world.defs;
    let conditional = |gid: Gid| defs.kind(gid).is_type() && defs.def(gid).traits.conditional;
    let packages = matches!(world.system(file), Some(ModuleSystem::Packages { .. }));
    packages && defs.of_file(file).any(conditional)
}

impl Receivers {
    /// Those of a file, where the families know twins alone.
    pub fn new(tables: &Tables<'_>, file: u32) -> Self {
        let trail = Trail::of(file);
        let world = &tables.world(&trail);
        let defs = &world.defs;
        let blocks = defs.of_file(file).filter(|&gid| defs.kind(gid) == SymbolKind::Extension);
        // One inference per definition: what it finds out never depends on who else is asked.
        let list = blocks.map(|block| (block, Infer::new(world).holder_type(block))).collect();
        let conditional = has_conditional(world, file);
        Receivers { list, conditional, trail: trail.keys().into() }
    }
}

impl Entry for Receivers {
    fn trail(&self) -> &[Key] {
        &self.trail
    }

    fn stays(&self, moves: &Moves) -> bool {
        self.list.iter().all(|(block, ty)| moves.keeps(*block) && moves.keeps_ty(ty))
    }

    fn renumbered(&self, moves: &Moves) -> Option<Self> {
        let moved = |(block, ty): &(Gid, Ty)| Some((moves.gid(*block)?, moves.ty(ty)?));
        let list: Option<Vec<(Gid, Ty)>> = self.list.iter().map(moved).collect();
        Some(Receivers { list: list?, conditional: self.conditional, trail: self.trail.clone() })
    }
}

impl Said {
    fn stays(&self, moves: &Moves) -> bool {
        let stays = |above: &Super| moves.keeps_ty(&above.ty) && moves.keeps(above.written.gid());
        moves.keeps(self.gid) && self.supers.iter().all(stays)
    }

    fn moved(&self, moves: &Moves) -> Option<Self> {
        let supers: Option<Vec<Super>> = self.supers.iter().map(|above| above.moved(moves)).collect();
        Some(Said { gid: moves.gid(self.gid)?, supers: supers?, foreign: self.foreign.clone() })
    }
}

impl Lineage {
    /// That of a file, where the families know blocks and what they extend, too.
    pub fn new(tables: &Tables<'_>, file: u32) -> Self {
        let trail = Trail::of(file);
        let world = &tables.world(&trail);
        let defs = &world.defs;
        let said = |gid: Gid| {
            let (supers, foreign) = supertypes(&Infer::new(world), gid);
            Said { gid, supers, foreign }
        };
        let (mut types, mut members, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let mut blankets = Vec::new();
        for gid in defs.of_file(file) {
            match defs.kind(gid) {
                kind if kind.is_type() => types.push(said(gid)),
                SymbolKind::EnumMember => {
                    let mut said = said(gid);
                    // A variant with members of its own extends its enum; fields are no members in that sense.
                    if let Some(holder) = defs.container(gid)
                        && defs.children(gid).iter().any(|&child| defs.kind(child).is_callable())
                    {
                        let ty = Ty::Instance(holder, Vec::new());
                        said.supers.push(Super { ty, written: Written::Name(gid) });
                    }
                    members.push(said);
                }
                SymbolKind::Extension => {
                    if world.families.owner(gid).is_some() {
                        blocks.push(said(gid));
                    }
                    blankets.extend(blanket(&Infer::new(world), gid));
                }
                _ => {}
            }
        }
        Lineage { types, members, blocks, blankets, trail: trail.keys().into() }
    }

    /// Whether both say the same.
    pub fn same(&self, other: &Self) -> bool {
        self.types == other.types
            && self.members == other.members
            && self.blocks == other.blocks
            && self.blankets == other.blankets
    }
}

impl Entry for Lineage {
    fn trail(&self) -> &[Key] {
        &self.trail
    }

    fn stays(&self, moves: &Moves) -> bool {
        let mut lists = [&self.types, &self.members, &self.blocks].into_iter().flatten();
        let of = |blanket: &Blanket| [blanket.block, blanket.of].into_iter().chain(blanket.bounds.clone());
        lists.all(|said| said.stays(moves)) && self.blankets.iter().flat_map(of).all(|gid| moves.keeps(gid))
    }

    fn renumbered(&self, moves: &Moves) -> Option<Self> {
        let all = |list: &[Said]| list.iter().map(|said| said.moved(moves)).collect::<Option<Vec<_>>>();
        let blankets: Option<Vec<Blanket>> =
            self.blankets.iter().map(|blanket| blanket.moved(moves)).collect();
        Some(Lineage {
            types: all(&self.types)?,
            members: all(&self.members)?,
            blocks: all(&self.blocks)?,
            blankets: blankets?,
            trail: self.trail.clone(),
        })
    }
}

impl Blanket {
    pub fn moved(&self, moves: &Moves) -> Option<Self> {
        let (block, of) = (moves.gid(self.block)?, moves.gid(self.of)?);
        Some(Blanket { block, of, bounds: moves.gids(&self.bounds)?, foreign: self.foreign.clone() })
    }
}

/// The supertypes that a definition declares, and the names of those outside the repository.
pub(super) fn supertypes(infer: &Infer<'_, '_>, gid: Gid) -> (Vec<Super>, Vec<Name>) {
    let defs = &infer.world.defs;
    let def = defs.def(gid);
    // A supertype is written in the scope around the type, where only the type's parameters are new.
    let mut list = Vec::new();
    let mut foreign = Vec::new();
    for (at, Supertype { ty, site, .. }) in (0..).zip(&def.supertypes) {
        let written = Written::Supertype(gid, at);
        if ty.form == TypeForm::Union && defs.rules(gid).implicit_interfaces {
            // One of several types is what fulfils it, not each of them what it is.
            foreign.push(Name::default());
            continue;
        }
        let all = match infer.type_expr(Site { def: gid, at: site.start }, ty) {
            Ty::Union(parts) => parts,
            one => vec![one],
        };
        for ty in all {
            match ty {
                Ty::Instance(above, args) if above != gid => {
                    list.push(Super { ty: Ty::Instance(above, args), written });
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
