//! Places that say what a function is one of: arguments that are a name by itself, and arms of statements that
//! choose by a value.

use std::collections::BTreeMap;

use super::{Arm, Binding, Handed, Ref, RefRole, harvest::Harvest};
use crate::text::Span;

/// As many arms that call something tell of a choice between functions.
const MIN_ARMS: usize = 3;

/// The names that are handed on, of those that no local name hides. `refs` are in order.
pub(super) fn handed(harvest: &mut Harvest, refs: &[Ref], bindings: &[Binding]) -> Vec<Handed> {
    let mut local: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for binding in bindings {
        local.entry(&binding.name).or_default().push(binding.scope);
    }
    let is_local = |reference: &Ref| {
        let scopes = local.get(reference.name.as_str());
        scopes.is_some_and(|scopes| scopes.iter().any(|scope| scope.contains(reference.span.start)))
    };
    let of = |start: u32| refs.binary_search_by_key(&start, |reference| reference.span.start).ok();
    let mut all: Vec<Handed> = std::mem::take(&mut harvest.handed)
        .into_iter()
        .filter_map(|(at, to, nth)| {
            let (at, to) = (of(at)?, of(to)?);
            let name = &refs[at];
            let hidden = name.receiver.is_none() && is_local(name);
            let kept = name.role == RefRole::Value && refs[to].role == RefRole::Call && !hidden;
            kept.then_some(Handed { at: at as u32, to: to as u32, nth })
        })
        .collect();
    all.sort();
    all.dedup_by_key(|handed| handed.at);
    all
}

/// The arms that call something, of statements with several such.
pub(super) fn arms(harvest: &mut Harvest, refs: &[Ref]) -> Vec<Arm> {
    let calls: Vec<u32> =
        refs.iter().filter(|reference| reference.role == RefRole::Call).map(|call| call.span.start).collect();
    let mut all = std::mem::take(&mut harvest.arms);
    all.retain(|arm| {
        let next = calls.partition_point(|&at| at < arm.span.start);
        calls.get(next).is_some_and(|&at| at < arm.span.end)
    });
    all.sort();
    all.dedup();
    all.chunk_by(|one, other| one.of == other.of)
        .filter(|arms| arms.len() >= MIN_ARMS)
        .flatten()
        .copied()
        .collect()
}
