//! Implicit interfaces: which types have all methods of an interface, in languages where that is enough.

use std::collections::BTreeMap;

use super::{families::Families, symbols::Gid, world::World};
use crate::{
    extract::{SymbolKind, TypeExpr},
    lang::ModuleSystem,
};

/// Each type with an interface that it implements and does not name, in order of types, then interfaces.
///
/// A method is one of the interface's where its name, its parameters' types and its result are as written
/// there. An interface that holds another one from outside the repository is no one's.
pub(super) fn implemented(world: &World<'_>, families: &Families, types: &[Gid]) -> Vec<(Gid, Gid)> {
    let defs = &world.defs;
    let ours: Vec<Gid> = types.iter().copied().filter(|&gid| defs.rules(gid).implicit_interfaces).collect();
    if ours.is_empty() {
        return Vec::new();
    }
    let (interfaces, others): (Vec<Gid>, Vec<Gid>) =
        ours.into_iter().partition(|&gid| defs.kind(gid) == SymbolKind::Interface);
    // The types that have a method of a name, with the method: the nearest of a name counts.
    let mut having: BTreeMap<&str, Vec<(Gid, Gid)>> = BTreeMap::new();
    for &gid in &others {
        for (name, method) in methods(world, families, gid) {
            having.entry(name).or_default().push((gid, method));
        }
    }
    let mut found = Vec::new();
    for &interface in &interfaces {
        let wanted = methods(world, families, interface);
        let order = families.order(interface);
        if wanted.is_empty() || order.iter().any(|&above| families.has_foreign_supertype(above)) {
            continue;
        }
        let mut left: Option<Vec<Gid>> = None;
        for (name, method) in wanted {
            let with = having.get(name).map_or(&[][..], Vec::as_slice);
            let fits = |&(holder, own): &(Gid, Gid)| {
                let known = left.as_ref().is_none_or(|left| left.binary_search(&holder).is_ok());
                (known && same_signature(world, own, method)).then_some(holder)
            };
            let next: Vec<Gid> = with.iter().filter_map(fits).collect();
            left = Some(next);
        }
        found.extend(left.unwrap_or_default().into_iter().map(|gid| (gid, interface)));
    }
    found.retain(|&(gid, interface)| !families.order(gid).contains(&interface));
    found.sort();
    found
}

/// The methods of a type by name, with those of what it holds.
fn methods<'w>(world: &'w World<'_>, families: &Families, gid: Gid) -> BTreeMap<&'w str, Gid> {
    let defs = &world.defs;
    let single = defs.kind(gid) != SymbolKind::Interface;
    // The nearest of a name, its depth, and the type that has it; `None` where two have it equally near.
    let mut all: BTreeMap<&str, (Option<Gid>, u32, Gid)> = BTreeMap::new();
    for (&at, &depth) in families.order(gid).iter().zip(families.depths(gid)) {
        let blocks = families.extensions(at).iter();
        for &member in std::iter::once(&at).chain(blocks).flat_map(|&holder| defs.children(holder)) {
            if defs.kind(member) == SymbolKind::Extension {
                continue;
            }
            let entry = all.entry(defs.def(member).name.as_str()).or_insert((Some(member), depth, at));
            if single && entry.1 == depth && entry.2 != at {
                entry.0 = None;
            }
        }
    }
    let method = |gid: &Gid| defs.kind(*gid).is_callable();
    all.into_iter().filter_map(|(name, (found, ..))| Some((name, found.filter(method)?))).collect()
}

fn same_signature(world: &World<'_>, own: Gid, wanted: Gid) -> bool {
    let (a, b) = (world.defs.def(own), world.defs.def(wanted));
    // What is not public is seen in its own package only.
    let public = b.name.starts_with(char::is_uppercase);
    let packages = |gid: Gid| world.package_of(world.defs.file(gid));
    let folders = matches!(world.defs.rules(own).modules, ModuleSystem::Packages { folders: Some(_), .. });
    if folders && !public && packages(own) != packages(wanted) {
        return false;
    }
    let same_type = |a: &Option<TypeExpr>, b: &Option<TypeExpr>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (None, None) => true,
        _ => false,
    };
    a.params.len() == b.params.len()
        && a.params.iter().zip(&b.params).all(|(a, b)| same_type(&a.ty, &b.ty))
        && same_type(&a.ty, &b.ty)
}

/// Whether two types are the same as they are written; another package's name may stand before one of them.
fn same(a: &TypeExpr, b: &TypeExpr) -> bool {
    a.form == b.form
        && a.path.last() == b.path.last()
        && a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(|(a, b)| same(a, b))
}
