//! The names that a query writes, and the symbols that each can mean.

use strsim::osa_distance;

use super::query::{Mention, Query};
use super::{NameIndex, NamedSymbol, fold};
use crate::resolve::{Graph, SymbolId};

/// A name that more symbols share is not narrowed further: the likeliest stay.
const MAX_SYMBOLS_PER_NAME: usize = 24;

/// The most near names that are offered for an unknown one.
const MAX_NEAR: usize = 3;

/// Each distinct mention in query order with what it can mean, the likeliest first.
pub fn resolve_mentions(graph: &Graph, names: &NameIndex, query: &Query) -> Vec<NamedSymbol> {
    // Words that may name the owner of another mention.
    let owners: Vec<String> =
        query.mentions.iter().flat_map(|mention| &mention.segments).map(|segment| fold(segment)).collect();
    let mut out: Vec<NamedSymbol> = Vec::new();
    for mention in &query.mentions {
        let name = mention.segments.join(".");
        if out.iter().any(|seen| seen.name == name) {
            continue;
        }
        let mut symbols = candidates(graph, names, mention, &owners, query.wants_tests);
        if mention.guessed {
            symbols.retain(|&id| graph.symbol(id).kind.is_callable() && graph.symbol(id).name == name);
            if symbols.is_empty() {
                continue;
            }
        }
        let callable = mention.called
            || (!symbols.is_empty() && symbols.iter().all(|&id| graph.symbol(id).kind.is_callable()));
        out.push(NamedSymbol { name, symbols, callable });
    }
    out
}

fn candidates(
    graph: &Graph,
    names: &NameIndex,
    mention: &Mention,
    owners: &[String],
    tests: bool,
) -> Vec<SymbolId> {
    let Some((last, qualifiers)) = mention.segments.split_last() else { return Vec::new() };
    let folded = fold(last);
    let mut found: Vec<SymbolId> = names.find(&folded).collect();
    if !qualifiers.is_empty() {
        found.retain(|&id| qualifies(graph, id, qualifiers));
    }
    let rank = |id: SymbolId| {
        let symbol = graph.symbol(id);
        let test = graph.is_test(id) && !tests;
        let exact = symbol.name == *last;
        let owned = symbol.container.is_some_and(|owner| {
            let owner = graph.symbol(owner);
            owner.container.is_some() && owners.contains(&fold(&owner.name))
        });
        let value = !symbol.kind.is_callable() && !symbol.kind.is_type();
        (test, !exact, !owned, value, symbol.without_body, id)
    };
    found.sort_by_key(|&id| rank(id));
    found.truncate(MAX_SYMBOLS_PER_NAME);
    found
}

/// Whether the qualifiers of a mention name the symbol's containers or the end of its module path, the
/// innermost last.
pub fn qualifies(graph: &Graph, id: SymbolId, qualifiers: &[String]) -> bool {
    let symbol = graph.symbol(id);
    let path = &graph.file(symbol.file).path;
    let mut around: Vec<String> = path.directory().split('/').map(fold).collect();
    around.push(fold(path.stem()));
    let mut inner = Vec::new();
    let mut at = symbol.container;
    while let Some(container) = at {
        let symbol = graph.symbol(container);
        if symbol.container.is_some() {
            inner.push(fold(&symbol.name));
        }
        at = symbol.container;
    }
    inner.reverse();
    around.extend(inner);
    // In order, gaps allowed (`pkg.Type.member` skips the file; a re-export skips a folder).
    let mut wanted = qualifiers.iter().map(|qualifier| fold(qualifier)).rev().peekable();
    for name in around.iter().rev() {
        if wanted.peek() == Some(name) {
            wanted.next();
        }
    }
    let unmatched = wanted.count();
    // The innermost qualifier must match; outer ones may be import aliases.
    unmatched == 0 || (qualifiers.len() > 1 && unmatched < qualifiers.len())
}

/// Defined names that an unknown one, asked for by itself, may have meant: those of its last word, else those
/// close to it, else those of the word before it.
pub fn near_symbols(graph: &Graph, names: &NameIndex, asked: &str) -> Vec<String> {
    let before_call = asked.split('(').next().unwrap_or(asked);
    let words: Vec<String> = before_call
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map(fold)
        .filter(|word| !word.is_empty())
        .collect();
    let Some((last, around)) = words.split_last() else { return Vec::new() };
    let named = |word: &str| {
        let mut found: Vec<SymbolId> = names.find(word).collect();
        let within = |id: SymbolId| {
            let owner = graph.symbol(id).container.map(|owner| fold(&graph.symbol(owner).name));
            owner.is_some_and(|owner| around.contains(&owner))
        };
        found.sort_by_key(|&id| (!within(id), graph.is_test(id), id));
        found.into_iter().map(|id| graph.symbol(id).qualified.to_string())
    };
    let mut near: Vec<String> = named(last).collect();
    if near.is_empty() && last.chars().count() > 2 {
        near = close(names, last).into_iter().flat_map(|known| named(known).take(MAX_NEAR)).collect();
    }
    if near.is_empty() {
        near = around.last().map_or_else(Vec::new, |word| named(word).collect());
    }
    let mut seen = Vec::new();
    near.retain(|name| {
        !seen.contains(name) && seen.len() < MAX_NEAR && {
            seen.push(name.clone());
            true
        }
    });
    near
}

/// Defined names close to an unknown one, the closest first.
pub fn near_names(graph: &Graph, names: &NameIndex, name: &str) -> Vec<String> {
    close(names, &fold(name))
        .into_iter()
        .filter_map(|known| names.find(known).next())
        .map(|id| graph.symbol(id).qualified.to_string())
        .collect()
}

/// Folded names close to another, the closest first.
fn close<'n>(names: &'n NameIndex, folded: &str) -> Vec<&'n str> {
    let length = folded.chars().count();
    let limit = (length / 4).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = names
        .names()
        .filter(|known| known.chars().count().abs_diff(length) <= limit)
        .map(|known| (osa_distance(known, folded), known))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.truncate(MAX_NEAR);
    near.into_iter().map(|(_, known)| known).collect()
}
