//! Relations: from types to their supertypes, from members to what they override.

use std::sync::Arc;

use super::{
    EdgeKind,
    carried::Entry,
    infer::Infer,
    lineage::{Written, supertypes},
    moves::Moves,
    symbols::Gid,
    trail::{Key, Trail},
    types::Ty,
    world::{Tables, World},
};
use crate::{
    extract::{Name, SymbolKind, Visibility},
    lang::OverrideRule,
};

/// An edge between types or their members, before it has symbols.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Relation {
    pub from: Gid,
    pub to: Gid,
    pub kind: EdgeKind,
    pub written: Written,
}

/// Those of one file's types, and of its blocks that are no one type's.
pub(super) struct Relations {
    pub list: Vec<Relation>,
    /// What in other files they were worked out from.
    trail: Arc<[Key]>,
}

impl Relations {
    pub fn new(tables: &Tables<'_>, file: u32) -> Self {
        let trail = Trail::of(file);
        let world = &tables.world(&trail);
        let defs = &world.defs;
        let mut list = Vec::new();
        for gid in defs.of_file(file) {
            let kind = defs.kind(gid);
            if kind.is_type() || kind == SymbolKind::EnumMember {
                of_type(world, gid, &mut list);
            }
            if kind != SymbolKind::Extension {
                continue;
            }
            for blanket in world.families.blankets().iter().filter(|blanket| blanket.block == gid) {
                block_overrides(world, gid, blanket.of, &mut list);
            }
            // A block for a foreign type still fulfils the trait.
            if world.families.owner(gid).is_none() {
                for above in supertypes(&Infer::new(world), gid).0 {
                    if let Ty::Instance(of, _) = above.ty {
                        block_overrides(world, gid, of, &mut list);
                    }
                }
            }
        }
        Relations { list, trail: trail.keys().into() }
    }
}

impl Entry for Relations {
    fn trail(&self) -> &[Key] {
        &self.trail
    }

    fn stays(&self, moves: &Moves) -> bool {
        let ends = |relation: &Relation| [relation.from, relation.to, relation.written.gid()];
        self.list.iter().flat_map(ends).all(|gid| moves.keeps(gid))
    }

    fn renumbered(&self, moves: &Moves) -> Option<Self> {
        let list: Option<Vec<Relation>> = self.list.iter().map(|relation| relation.moved(moves)).collect();
        Some(Relations { list: list?, trail: self.trail.clone() })
    }
}

impl Relation {
    pub fn moved(&self, moves: &Moves) -> Option<Self> {
        let (from, to) = (moves.gid(self.from)?, moves.gid(self.to)?);
        Some(Relation { from, to, kind: self.kind, written: self.written.moved(moves)? })
    }
}

/// Extends, implements and overrides: from a type to its supertypes, from a member to what it overrides.
fn of_type(world: &World<'_>, gid: Gid, all: &mut Vec<Relation>) {
    let defs = &world.defs;
    let infer = Infer::new(world);
    // The bounds of an associated type make it no subtype.
    let supers = if defs.kind(gid) == SymbolKind::TypeAlias { &[] } else { world.families.supers(gid) };
    for above in supers {
        let Ty::Instance(to, _) = above.ty else { continue };
        let kind = if defs.kind(to).is_interface() && !defs.kind(gid).is_interface() {
            EdgeKind::Implements
        } else {
            EdgeKind::Extends
        };
        all.push(Relation { from: gid, to, kind, written: above.written });
    }
    match defs.rules(gid).overrides {
        OverrideRule::InExtension => {
            for &block in world.families.extensions(gid) {
                for above in supertypes(&infer, block).0 {
                    if let Ty::Instance(of, _) = above.ty {
                        block_overrides(world, block, of, all);
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
                    if defs.rules(gid).embedded_supertypes && !defs.kind(base).is_interface() {
                        continue;
                    }
                    let found = infer.in_order(base, &def.name, 0);
                    if signed {
                        let to = found
                            .into_iter()
                            .find(|&to| overridable(world, to) && same_parameters(world, member, to));
                        all.extend(to.map(|to| overrides(member, to)));
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
                        all.push(overrides(member, to));
                    }
                }
            }
        }
    }
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
            all.push(overrides(member, to));
        }
    }
}

fn overrides(from: Gid, to: Gid) -> Relation {
    Relation { from, to, kind: EdgeKind::Overrides, written: Written::Name(from) }
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
