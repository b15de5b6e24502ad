//! Instances: which parameter of a method is the instance, and where its name means it.

use std::collections::BTreeSet;

use super::{
    BindingKind, Expr, TypeExpr, TypeForm,
    captures::{Manner, Whose},
    definitions::attribute_name,
    harvest::{DraftBinding, Harvest},
    reader::{Meaning, Reader, span},
    tree::{Node, named},
};
use crate::{
    lang::{Instance, Mark},
    text::Span,
};

impl Harvest {
    /// Finds what names the instance in the methods among the drafts from `first`, and takes it off
    /// their parameters.
    pub(super) fn find_instances(&mut self, reader: &mut Reader<'_>, first: usize, lambdas: &[Node<'_>]) {
        if reader.grammar.spec.syntax.instance != Instance::First {
            return;
        }
        let marks = reader.grammar.spec.syntax.decorators;
        self.leading.settle();
        let mut around: Vec<usize> = Vec::new();
        for at in first..self.drafts.len() {
            let full = self.drafts[at].def.full;
            while around.last().is_some_and(|&outer| !self.drafts[outer].def.full.encloses(full)) {
                around.pop();
            }
            let in_type = match around.last() {
                Some(&outer) => self.drafts[outer].def.kind.is_type(),
                None => self.in_type,
            };
            if self.drafts[at].manner == Manner::Definition {
                around.push(at);
            }
            if !in_type || !self.drafts[at].def.kind.is_callable() {
                continue;
            }
            let attributes = self.leading.before(reader.text, full.start).attributes;
            // `@staticmethod` has no instance; `@classmethod` has the type, which serves as well.
            let is_static = attributes.iter().any(|attribute| {
                attribute_name(attribute.of(reader.text)) == "staticmethod"
                    && marks.contains(&("staticmethod", Mark::Associated))
            });
            let draft = &mut self.drafts[at];
            if is_static || draft.def.params.is_empty() {
                continue;
            }
            let name = draft.def.params.remove(0).name;
            draft.has_instance = true;
            let own = self.bindings.iter_mut().find(|b| b.open_parameter(full, &name));
            if let Some(DraftBinding { binding, .. }) = own {
                binding.ty = Some(TypeExpr { path: Vec::new(), args: Vec::new(), form: TypeForm::SelfType });
                binding.value = Some(Expr::This(None));
                let token = binding.name_span.of(reader.text);
                reader.instances.push((full, Some(token)));
            }
        }
        self.hide_instances(reader, lambdas);
    }

    /// A function in a method, or a lambda, with a parameter of the instance's name has its own.
    fn hide_instances(&mut self, reader: &mut Reader<'_>, lambdas: &[Node<'_>]) {
        let names: BTreeSet<&str> = reader.instances.iter().filter_map(|(_, name)| *name).collect();
        if names.is_empty() {
            return;
        }
        let mut hiding: Vec<Span> = Vec::new();
        for DraftBinding { binding, .. } in &self.bindings {
            let own = binding.kind == BindingKind::Parameter && binding.value != Some(Expr::This(None));
            if own && names.contains(binding.name.as_str()) {
                hiding.push(binding.scope);
            }
        }
        for lambda in lambdas {
            let list = reader.grammar.shapes.get(*lambda).and_then(|shape| shape.parameters.follow(*lambda));
            if list.is_some_and(|list| named(list).any(|part| names.contains(reader.slice(part)))) {
                hiding.push(span(*lambda));
            }
        }
        reader.instances.extend(hiding.into_iter().map(|span| (span, None)));
        reader
            .instances
            .sort_by_key(|(span, name)| (span.start, std::cmp::Reverse(span.end), name.is_some()));
    }
}

/// What the keyword of the instance means, from place to place: the innermost node around a place counts, and
/// of what is said of one node that it keeps its instance.
pub(super) fn meanings(found: &[(Node<'_>, Whose)]) -> Vec<(u32, Meaning)> {
    let mut spans: Vec<(Span, Whose)> = found.iter().map(|(node, whose)| (span(*node), *whose)).collect();
    spans.sort_by_key(|(span, whose)| (span.start, std::cmp::Reverse(span.end), *whose));
    spans.dedup_by_key(|(span, _)| *span);
    let mut edges: Vec<(u32, Meaning)> = Vec::new();
    let mut around: Vec<(u32, Meaning)> = Vec::new();
    let outer = |around: &[(u32, Meaning)]| around.last().map_or(Meaning::Here, |&(_, meaning)| meaning);
    let leave = |around: &mut Vec<(u32, Meaning)>, edges: &mut Vec<_>, at: u32| {
        while let Some((end, _)) = around.pop_if(|(end, _)| *end <= at) {
            edges.push((end, outer(around)));
        }
    };
    for (next, whose) in spans {
        leave(&mut around, &mut edges, next.start);
        let meaning = match (whose, outer(&around)) {
            (Whose::Member, _) => Meaning::Here,
            (Whose::Untold, _) => Meaning::Untold,
            (Whose::Outer, Meaning::Here) => Meaning::At(next.start.saturating_sub(1)),
            (Whose::Outer | Whose::Kept, around) => around,
        };
        edges.push((next.start, meaning));
        around.push((next.end, meaning));
    }
    leave(&mut around, &mut edges, u32::MAX);
    edges
}

impl DraftBinding {
    fn open_parameter(&self, scope: Span, name: &str) -> bool {
        self.binding.kind == BindingKind::Parameter
            && self.binding.scope == scope
            && self.binding.name == name
    }
}
