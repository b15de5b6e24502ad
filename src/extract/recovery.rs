//! Recovery: declarations that the parser lost in or next to what it could not read.
//!
//! A lost declaration is found by its first line and ends with its braces or its indentation. Only names
//! that the tree knows as no definition count, and only outside of comments, strings and macro bodies.

use super::{
    Def, DefTraits,
    captures::Manner,
    grammar::Grammar,
    harvest::{Draft, Harvest},
    macros::Expander,
    parse,
    tree::{Node, Tree},
};
use crate::{lang::SymbolKind, text::Span};

/// No more declarations of one file are recovered than this.
const MAX_RECOVERED: usize = 2_000;
/// A text is parsed again as often as this at most, in pieces; lost declarations inside of each other would
/// be parsed once for each that is around them.
const MAX_PARSES: usize = 4;
/// So many bytes are parsed again of any text.
const PARSES_FLOOR: usize = 64 << 10;
/// How far above a name a node is looked for that is prose.
const MAX_ABOVE: usize = 3;

/// Adds drafts of the declarations that the tree of a faulty text does not hold.
pub(super) fn recover(grammar: &'static Grammar, text: &str, tree: Option<&Tree>, harvest: &mut Harvest) {
    let mut known: Vec<u32> = harvest.drafts.iter().map(|draft| draft.def.name_span.start).collect();
    known.sort_unstable();
    let mut lost: Vec<(Span, u32, usize, SymbolKind)> = Vec::new();
    for (order, (pattern, kind)) in grammar.declarations.iter().enumerate() {
        for found in pattern.captures_iter(text) {
            let (Some(start), Some(name)) = (found.name("start"), found.name("name")) else { continue };
            let name = Span::new(name.start() as u32, name.end() as u32);
            if known.binary_search(&name.start).is_ok()
                || harvest.silent.iter().any(|region| region.contains(name.start))
                || tree.is_some_and(|tree| is_prose(grammar, tree.root(), name.start as usize))
            {
                continue;
            }
            lost.push((name, start.start() as u32, order, *kind));
            if lost.len() == MAX_RECOVERED {
                break;
            }
        }
    }
    if lost.is_empty() {
        return;
    }
    lost.sort_by_key(|(name, start, order, _)| (*start, *name, *order));
    lost.dedup_by_key(|(name, ..)| *name);
    let braces = if grammar.spec.syntax.recovery.braces { pairs(text) } else { Vec::new() };
    let mut read: Vec<Span> = Vec::new();
    let mut left = PARSES_FLOOR + MAX_PARSES * text.len();
    for (name, start, _, kind) in lost {
        if read.iter().any(|done| done.contains(name.start)) {
            continue;
        }
        let (signature, end) = if grammar.spec.syntax.recovery.braces {
            braced(text, &braces, name.end)
        } else {
            indented(text, start, name.end)
        };
        close_around(text, harvest, start);
        let full = Span::new(start, end.max(name.end));
        let around = harvest.drafts.iter().filter(|draft| {
            let outer = draft.def.full;
            draft.manner == Manner::Definition && outer.start < full.start && full.end <= outer.end
        });
        let in_type =
            around.max_by_key(|draft| draft.def.full.start).is_some_and(|draft| draft.def.kind.is_type());
        let affordable = full.len() as usize <= left;
        left -= if affordable { full.len() as usize } else { 0 };
        let again = affordable.then(|| parse_again(grammar, text, full, name, in_type));
        if let Some(inner) = again.flatten() {
            harvest.forget(full);
            harvest.merge(inner);
            read.push(full);
            continue;
        }
        let signature = Span::new(start, signature.max(name.end));
        let signature = Span::new(start, start + signature.of(text).trim_end().len() as u32);
        let end = end.max(signature.end);
        harvest.drafts.push(Draft {
            def: Def {
                kind,
                name: unquoted(grammar, name.of(text)).into(),
                name_span: name,
                full: Span::new(start, end),
                signature,
                doc: None,
                container: None,
                visibility: grammar.spec.syntax.visibility.default,
                traits: DefTraits::default(),
                params: Vec::new(),
                ty: None,
                value: None,
                receiver: None,
                supertypes: Vec::new(),
                type_params: Vec::new(),
                file: None,
                known_as: None,
                within: None,
            },
            manner: Manner::Definition,
            body: (end > signature.end).then(|| Span::new(signature.end, end)),
            declared_at: end,
            has_instance: true,
            visibility_written: false,
            constant: false,
            bare: false,
        });
        harvest.claimed.push(name.start);
        harvest.refs.retain(|reference| reference.span.start != name.start);
    }
}

/// What a lost declaration holds, parsed by itself; `None` where that does not help.
fn parse_again(
    grammar: &'static Grammar,
    text: &str,
    full: Span,
    name: Span,
    in_type: bool,
) -> Option<Harvest> {
    let tree = parse::part(grammar, text, full)?;
    let mut inner = Harvest { in_type, ..Harvest::default() };
    let bodies = inner.add(grammar, &tree, text);
    let is_code = inner.errors.iter().all(|error| error.is_empty() && error.start >= full.end);
    if !is_code || !inner.drafts.iter().any(|draft| draft.def.name_span == name) {
        return None;
    }
    inner.errors.clear();
    if let Some(syntax) = &grammar.spec.syntax.macros {
        Expander { grammar, text, syntax }.expand(&mut inner, &tree, &bodies, 0);
    }
    Some(inner)
}

/// Ends the definitions round a lost one that begin in its column or right of it: they were not closed.
fn close_around(text: &str, harvest: &mut Harvest, start: u32) {
    let line = |at: u32| text[..at as usize].rfind('\n').map_or(0, |at| at as u32 + 1);
    let (own_line, column) = (line(start), start - line(start));
    for draft in &mut harvest.drafts {
        let full = draft.def.full;
        let around = full.start < own_line && start < full.end;
        let end = text[..start as usize].trim_end().len() as u32;
        // Of what has its name behind that, nobody knows where it ends.
        let named = draft.def.name_span.end <= end;
        if around && named && full.start - line(full.start) >= column {
            draft.def.full = Span::new(full.start, end.max(draft.def.signature.end));
            draft.body = draft.body.map(|body| Span::new(body.start.min(end), body.end.min(end)));
        }
    }
}

fn unquoted<'t>(grammar: &Grammar, name: &'t str) -> &'t str {
    let quotes = grammar.spec.syntax.name_quotes;
    quotes.iter().fold(name, |name, quote| {
        let name = name.strip_prefix(quote).unwrap_or(name);
        name.strip_suffix(quote).unwrap_or(name)
    })
}

fn is_prose(grammar: &Grammar, root: Node<'_>, at: usize) -> bool {
    let mut node = Some(root.descendant_for_byte_range(at, at));
    for _ in 0..=MAX_ABOVE {
        match node {
            Some(here) if grammar.prose.get(here).is_some() => return true,
            Some(here) => node = here.parent(),
            None => return false,
        }
    }
    false
}

/// Where a declaration's signature and the declaration end, by the first brace after its name.
fn braced(text: &str, pairs: &[(u32, u32)], from: u32) -> (u32, u32) {
    let rest = Span::new(from, text.len() as u32).of(text);
    let mut depth = 0i32;
    for (at, c) in rest.char_indices() {
        let here = from + at as u32;
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth <= 0 => {
                let found = pairs.binary_search_by_key(&here, |(open, _)| *open);
                return (here, found.map_or(text.len() as u32, |at| pairs[at].1));
            }
            ';' if depth <= 0 => return (here + 1, here + 1),
            '\n' if depth <= 0 => {
                let next = rest[at..].trim_start().chars().next();
                if !matches!(next, Some('{' | ':' | 'w' | '-' | '.')) {
                    return (here, here);
                }
            }
            _ => {}
        }
    }
    (text.len() as u32, text.len() as u32)
}

/// The braces of a text with the end of each; strings and comments are skipped.
fn pairs(text: &str) -> Vec<(u32, u32)> {
    let bytes = text.as_bytes();
    let mut pairs = Vec::new();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let skip = |end: &[u8], from: usize| {
            rest.windows(end.len())
                .skip(from)
                .position(|window| window == end)
                .map(|found| found + from + end.len())
        };
        at += match rest {
            [b'/', b'/', ..] => skip(b"\n", 2).unwrap_or(rest.len()),
            [b'/', b'*', ..] => skip(b"*/", 2).unwrap_or(rest.len()),
            [b'"', b'"', b'"', ..] => skip(b"\"\"\"", 3).unwrap_or(rest.len()),
            [b'"', ..] => {
                let mut end = 1;
                while end < rest.len() && rest[end] != b'"' && rest[end] != b'\n' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(rest.len())
            }
            [b'\'', b'\\', _, b'\'', ..] => 4,
            [b'\'', _, b'\'', ..] => 3,
            [b'{', ..] => {
                open.push(at as u32);
                1
            }
            [b'}', ..] => {
                if let Some(start) = open.pop() {
                    pairs.push((start, at as u32 + 1));
                }
                1
            }
            _ => 1,
        };
    }
    pairs.extend(open.into_iter().map(|start| (start, text.len() as u32)));
    pairs.sort_unstable();
    pairs
}

/// Where a declaration's signature and the declaration end, by the indentation of the lines below.
fn indented(text: &str, start: u32, from: u32) -> (u32, u32) {
    let (start, from) = (start as usize, from as usize);
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = start - line;
    let mut at = text[from..].find('\n').map_or(text.len(), |end| from + end + 1);
    let first = text[..at].trim_end().len();
    let mut end = first;
    for line in text[at..].split_inclusive('\n') {
        let content = line.trim();
        let inner = line.len() - line.trim_start().len() > indent;
        if !content.is_empty() && !inner && !content.starts_with(')') {
            break;
        }
        at += line.len();
        if !content.is_empty() {
            end = at - (line.len() - line.trim_end().len());
        }
    }
    let mut depth = 0i32;
    let colon = text[from..end].char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        *c == ':' && depth <= 0
    });
    let signature = colon.map_or(first, |(at, _)| from + at + 1);
    (signature as u32, end as u32)
}
