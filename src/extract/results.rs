//! Results: what functions give that declare nothing of it, and which give functions.

use std::collections::BTreeMap;

use super::{
    Def, DefId, Expr, Returned,
    grammar::Grammar,
    harvest::Harvest,
    nest::{Nest, pre_order},
};
use crate::text::Span;

/// A value has no more possible forms than this; further ones are left out.
const MAX_OPTIONS: usize = 8;

/// The results of functions that declare none: what their `return`s, or `yield`s, give. Says which functions they
/// give.
pub(super) fn returns(grammar: &Grammar, defs: &mut [Def], harvest: &mut Harvest) -> Vec<Returned> {
    let mut returned: Vec<Returned> = Vec::new();
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
    harvest.returns.sort_by_key(|(place, _)| place.start);
    for (place, value) in std::mem::take(&mut harvest.returns) {
        // What is returned may be a function itself.
        let Some(at) = around.innermost_around(place).and_then(|at| callables[at]) else { continue };
        returned.extend(functions(defs, at, &value, place, &harvest.literals));
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
    // Where the result is declared, a value is a body that is an expression.
    let declared = |(_, def): &(usize, &Def)| def.kind.is_callable() && def.ty.is_some();
    for (at, def) in defs.iter().enumerate().filter(declared) {
        let body = Span::new(def.signature.end.clamp(def.full.start, def.full.end), def.full.end);
        if let Some(value) = &def.value {
            returned.extend(functions(defs, at, value, body, &harvest.literals));
        }
    }
    returned.sort();
    returned.dedup();
    returned
}

/// The functions written in a callable that are what it returns: a value at a place. `literals` are in pre-order.
fn functions(defs: &[Def], callable: usize, value: &Expr, place: Span, literals: &[Span]) -> Vec<Returned> {
    let by = callable as DefId;
    let inside = |def: &&Def| defs[callable].full.encloses(def.full);
    let own = |def: &&Def| def.kind.is_callable() && def.container == Some(by);
    let mut found = Vec::new();
    for name in value.function_names() {
        let Some(name) = name else {
            // The outermost literals of the place.
            let from = literals.partition_point(|literal| literal.start < place.start);
            let there = literals[from..].iter().copied().take_while(|literal| literal.start < place.end);
            let mut here: Vec<Span> = there.filter(|literal| place.encloses(*literal)).collect();
            here.dedup_by(|next, first| first.encloses(*next));
            found.extend(here);
            continue;
        };
        let within = defs[callable + 1..].iter().take_while(inside).filter(own);
        found.extend(within.filter(|def| def.name == *name).map(|def| def.full));
    }
    found.into_iter().map(|span| Returned { by, span }).collect()
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

#[cfg(test)]
mod tests {
    use crate::{extract::extract, lang};

    #[test]
    fn what_a_broken_function_does_not_hold_is_not_returned_by_it() {
        let broken = "package router\n\nfunc Timed(tell func(path string)) Handler {\n\treturn func(c *Context) {\n\t\tbegan := now()\n\t\t\
                      tell/ of a number.\nfunc Limited(mo\n\tseen := 0\n\treturn func(c *Context) {\n\t\tseen++\n\t}\n}\n";
        let facts = extract(lang::by_name("go").unwrap(), broken);
        for returned in &facts.returned {
            assert!(facts.defs[returned.by as usize].full.encloses(returned.span), "{returned:?}");
        }
    }
}
