//! Results: what functions give that declare nothing of it, and which give functions.

use std::collections::BTreeMap;

use super::{
    Def, DefId, Expr,
    grammar::Grammar,
    harvest::Harvest,
    nest::{Nest, pre_order},
};
use crate::text::Span;

/// A value has no more possible forms than this; further ones are left out.
const MAX_OPTIONS: usize = 8;

/// The results of functions that declare none: what their `return`s, or `yield`s, give.
pub(super) fn returns(grammar: &Grammar, defs: &mut [Def], harvest: &mut Harvest) {
    // A function literal that is no definition keeps what it returns for itself.
    let mut owners: Vec<(Span, Option<usize>)> = (0..defs.len())
        .filter(|&at| defs[at].kind.is_callable())
        .map(|at| (defs[at].full, Some(at)))
        .chain(harvest.literals.iter().map(|&span| (span, None)))
        .collect();
    owners.sort_by_key(|(span, at)| (pre_order(*span), at.is_none()));
    let (spans, callables): (Vec<Span>, Vec<Option<usize>>) = owners.into_iter().unzip();
    let mut around = Nest::new(&spans);
    harvest.yields.sort_by_key(|(at, _)| *at);
    let mut generators: BTreeMap<usize, Option<Expr>> = BTreeMap::new();
    for (at, value) in std::mem::take(&mut harvest.yields) {
        let Some(at) = around.innermost(at).and_then(|at| callables[at]) else { continue };
        let known = generators.entry(at).or_default();
        also(known, value);
    }
    let mut around = Nest::new(&spans);
    harvest.returns.sort_by_key(|(at, _)| *at);
    for (at, value) in std::mem::take(&mut harvest.returns) {
        // What is returned may be a function itself.
        let Some(at) = around.innermost(at.saturating_sub(1)).and_then(|at| callables[at]) else { continue };
        defs[at].traits.gives_function |= is_function(defs, at, &value);
        if defs[at].ty.is_none() && !generators.contains_key(&at) {
            also(&mut defs[at].value, value);
        }
    }
    for (at, value) in generators {
        if defs[at].ty.is_none() {
            let name = grammar.spec.syntax.generator_type.into();
            defs[at].value = value.map(|value| Expr::Filled(name, Box::new(value)));
        }
    }
    for def in defs.iter_mut().filter(|def| def.kind.is_callable()) {
        def.traits.gives_function |= def.value.as_ref().is_some_and(|value| value.is_function(&|_| false));
    }
}

/// Whether what a callable returns is a function that is written in it.
fn is_function(defs: &[Def], callable: usize, value: &Expr) -> bool {
    let inside = |def: &&Def| defs[callable].full.encloses(def.full);
    let own = |def: &Def| def.kind.is_callable() && def.container == Some(callable as DefId);
    let names =
        |name: &str| defs[callable + 1..].iter().take_while(inside).any(|def| own(def) && def.name == name);
    value.is_function(&names)
}

/// Adds one more possible value.
pub(super) fn also(known: &mut Option<Expr>, value: Expr) {
    let mut options = match known.take() {
        None => Vec::new(),
        Some(Expr::Either(options)) => options,
        Some(one) => vec![one],
    };
    for value in match value {
        Expr::Either(more) => more,
        one => vec![one],
    } {
        if value != Expr::Opaque && !options.contains(&value) && options.len() < MAX_OPTIONS {
            options.push(value);
        }
    }
    *known = match options.len() {
        0 => None,
        1 => options.pop(),
        _ => Some(Expr::Either(options)),
    };
}
