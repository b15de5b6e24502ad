//! `Reader`: one tree's text and grammar, with which nodes become names, spans and paths.

use super::{
    Name,
    grammar::Grammar,
    tree::{Node, named},
};
use crate::{lang::Instance, text::Span};

/// A path has no more segments than this; what is longer is cut.
const MAX_SEGMENTS: usize = 32;

/// What the keyword of the instance means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The instance of the type or object around.
    Here,
    /// What it means at another place.
    At(u32),
    /// Nothing that is written here tells.
    Untold,
}

pub(super) struct Reader<'t> {
    pub grammar: &'static Grammar,
    pub text: &'t str,
    /// Where a name means the instance, by start: Python's first parameters; without a name where it is
    /// another parameter's. Inner spans come later.
    pub instances: Vec<(Span, Option<&'t str>)>,
    /// What the keyword of the instance means from a place on, by place.
    pub meanings: Vec<(u32, Meaning)>,
}

pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

impl<'t> Reader<'t> {
    pub(super) fn slice(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// A node's text as a name, without the quotes of the language.
    pub(super) fn name(&self, node: Node<'_>) -> &'t str {
        let mut name = self.slice(node);
        for quote in self.grammar.spec.syntax.name_quotes {
            name = name.strip_prefix(quote).unwrap_or(name);
            name = name.strip_suffix(quote).unwrap_or(name);
        }
        name
    }

    /// Whether a plain name means the instance at its place.
    pub(super) fn is_instance(&self, node: Node<'_>) -> bool {
        if self.grammar.spec.syntax.instance != Instance::First {
            return false;
        }
        let at = node.start_byte() as u32;
        let before = self.instances.partition_point(|(span, _)| span.start <= at);
        // The innermost method around counts; methods of nested classes are few.
        self.instances[..before]
            .iter()
            .rev()
            .find(|(span, _)| span.contains(at))
            .is_some_and(|(_, name)| *name == Some(self.slice(node)))
    }

    /// What the keyword of the instance means at its place.
    pub(super) fn meaning(&self, node: Node<'_>) -> Meaning {
        let at = node.start_byte() as u32;
        let before = self.meanings.partition_point(|&(from, _)| from <= at);
        before.checked_sub(1).map_or(Meaning::Here, |last| self.meanings[last].1)
    }

    /// The segments of a dotted or `::` path: its leaves, type arguments left out.
    pub(super) fn segments(&self, node: Node<'_>) -> Vec<Name> {
        let mut segments = Vec::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if segments.len() == MAX_SEGMENTS || waiting.len() > 4 * MAX_SEGMENTS {
                break;
            }
            if self.grammar.path_extras.get(node).is_some() {
                continue;
            }
            let before = waiting.len();
            match self.grammar.path_heads.get(node) {
                Some(()) => waiting.extend(named(node).next()),
                None => waiting.extend(named(node)),
            }
            if waiting.len() == before {
                if !node.is_extra() && !node.is_missing() {
                    segments.push(self.name(node).into());
                }
            } else {
                waiting[before..].reverse();
            }
        }
        segments
    }
}
