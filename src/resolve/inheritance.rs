//! Inheritance: the order in which a type and its supertypes are asked for a member.

use std::collections::BTreeSet;

use super::{families::Families, symbols::Gid, types::Ty};
use crate::lang::Linearization;

/// So many supertypes of a type are asked for its members, the nearest ones.
const MAX_SUPERTYPES: usize = 256;

/// A type and its supertypes by the rule of its language.
pub(super) fn linearize(families: &Families, gid: Gid, rule: Linearization, path: &mut Vec<Gid>) -> Vec<Gid> {
    if path.contains(&gid) || path.len() > 64 {
        return Vec::new();
    }
    if let Some(known) = families.known_order(gid) {
        return known.to_vec();
    }
    path.push(gid);
    let mut bases: Vec<Gid> = Vec::new();
    for above in families.supers(gid) {
        if let Ty::Instance(base, _) = above.ty
            && !bases.contains(&base)
        {
            bases.push(base);
        }
    }
    let orders: Vec<Vec<Gid>> = bases.iter().map(|&base| linearize(families, base, rule, path)).collect();
    path.pop();
    let merged = match rule {
        Linearization::C3 => merge(orders.iter().cloned().chain([bases.clone()]).collect()),
        Linearization::Declared | Linearization::Nearest => None,
    };
    let tail = merged.unwrap_or_else(|| orders.into_iter().flatten().collect());
    let mut order = vec![gid];
    let mut seen: BTreeSet<Gid> = BTreeSet::from([gid]);
    order.extend(tail.into_iter().filter(|&above| seen.insert(above)).take(MAX_SUPERTYPES));
    order
}

/// A type and its supertypes by depth, and the depth of each.
pub(super) fn nearest(families: &Families, gid: Gid) -> (Vec<Gid>, Vec<u32>) {
    let (mut order, mut depths) = (vec![gid], vec![0]);
    let mut seen: BTreeSet<Gid> = BTreeSet::from([gid]);
    let mut at = 0;
    while at < order.len() {
        for above in families.supers(order[at]) {
            if let Ty::Instance(base, _) = above.ty
                && order.len() <= MAX_SUPERTYPES
                && seen.insert(base)
            {
                order.push(base);
                depths.push(depths[at] + 1);
            }
        }
        at += 1;
    }
    (order, depths)
}

/// The merge of C3; `None` where the bases contradict each other.
fn merge(mut lists: Vec<Vec<Gid>>) -> Option<Vec<Gid>> {
    let mut merged = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return Some(merged);
        }
        let next = lists
            .iter()
            .map(|list| list[0])
            .find(|head| !lists.iter().any(|list| list[1..].contains(head)))?;
        merged.push(next);
        for list in &mut lists {
            if list[0] == next {
                list.remove(0);
            }
        }
    }
}
