//! References: uses of names with their receivers, what only looks like a use left out.

use tree_sitter::Node;

use super::{
    Expr, RefRole,
    captures::{Captured, CapturedRef},
    grammar::named,
    harvest::{DraftRef, Harvest},
    reader::{Reader, span},
};
use crate::text::Span;

/// Disjoint ranges by start.
struct Regions(Vec<Span>);

impl Regions {
    fn new<'t>(nodes: impl Iterator<Item = &'t Node<'t>>) -> Regions {
        let mut spans: Vec<Span> = nodes.map(|node| span(*node)).collect();
        spans.sort();
        let mut merged: Vec<Span> = Vec::new();
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        Regions(merged)
    }

    fn contain(&self, at: u32) -> bool {
        let before = self.0.partition_point(|span| span.start <= at);
        before > 0 && self.0[before - 1].contains(at)
    }
}

impl Harvest {
    pub(super) fn refer(&mut self, reader: &Reader<'_>, found: &Captured<'_>) {
        let silent = Regions::new(found.imports.iter().chain(&found.macros).chain(&found.opaques));
        let types = Regions::new(found.type_regions.iter());
        self.claimed.extend(found.ignored.iter().map(|node| span(*node).start));
        self.claimed.sort_unstable();
        let self_types = reader.grammar.spec.syntax.self_types;
        for captured in &found.refs {
            let at = captured.name.start_byte() as u32;
            if silent.contain(at) || self.claimed.binary_search(&at).is_ok() {
                continue;
            }
            let role = match captured.role {
                RefRole::Value if types.contain(at) => RefRole::Type,
                role => role,
            };
            let name = reader.name(captured.name);
            if reader.grammar.spec.syntax.keywords.contains(&name) {
                self.errors.push(span(captured.name));
                continue;
            }
            let own = matches!(role, RefRole::Type | RefRole::Value) && self_types.contains(&name);
            let instance = captured.receiver.is_none() && reader.is_instance(captured.name);
            let instance = instance && role != RefRole::Call;
            if !own && !instance && !name.is_empty() && name != "_" {
                self.refs.push(reference(reader, captured, role, name));
            }
        }
        for node in &found.text_regions {
            self.text_types(reader, *node);
        }
    }

    /// The names in a type that is written as a string.
    fn text_types(&mut self, reader: &Reader<'_>, node: Node<'_>) {
        let Some(ty) = reader.ty(node) else { return };
        let here = span(node);
        let text = here.of(reader.text);
        let mut waiting = vec![ty];
        let mut from = 0;
        let mut names = Vec::new();
        while let Some(ty) = waiting.pop() {
            names.push(ty.path);
            waiting.extend(ty.args.into_iter().rev());
        }
        for mut path in names {
            let Some(name) = path.pop() else { continue };
            let written = path.iter().map(|part| part.len() + 1).sum::<usize>();
            let whole = if path.is_empty() { name.clone() } else { format!("{}.{name}", path.join(".")) };
            let Some(found) = text.get(from..).and_then(|rest| rest.find(&whole)) else { continue };
            let start = here.start + (from + found + written) as u32;
            from += found + whole.len();
            self.refs.push(DraftRef {
                span: Span::new(start, start + name.len() as u32),
                receiver: receiver_of(path),
                name,
                role: RefRole::Type,
                arguments: None,
            });
        }
    }
}

/// `a.b` before a name, as an expression.
fn receiver_of(path: Vec<String>) -> Option<Expr> {
    path.into_iter().fold(None, |base, name| {
        Some(match base {
            None => Expr::Name(name),
            Some(base) => Expr::Member(Box::new(base), name),
        })
    })
}

fn reference(reader: &Reader<'_>, captured: &CapturedRef<'_>, role: RefRole, name: &str) -> DraftRef {
    DraftRef {
        name: name.to_owned(),
        span: span(captured.name),
        role,
        receiver: captured.receiver.map(|node| match (captured.receiver_is_path, captured.receiver_rest) {
            (false, _) => reader.expr(node),
            (true, None) => reader.path_receiver(node),
            (true, Some(rest)) => Expr::Path([node, rest].map(|part| reader.name(part).to_owned()).into()),
        }),
        arguments: captured.arguments.and_then(|list| count_arguments(reader, list)),
    }
}

/// The number of arguments; `None` where one stands for any number.
fn count_arguments(reader: &Reader<'_>, list: Node<'_>) -> Option<u8> {
    let grammar = reader.grammar;
    if grammar.argument_lists.get(list).is_none() {
        // A generator expression or a lambda as the only argument.
        return Some(1);
    }
    let mut count = 0u32;
    for child in named(list) {
        if grammar.argument_lists.get(child).is_some() {
            count += u32::from(count_arguments(reader, child)?);
        } else if grammar.argument_splats.get(child).is_some() {
            return None;
        } else if grammar.argument_extras.get(child).is_none() {
            count += 1;
        }
    }
    u8::try_from(count).ok()
}
