//! `Harvest`: everything that was read from a file's trees, before it is put in order.
//!
//! A file has one tree and, where macros are parsed again, more; all of them add to one harvest, in byte
//! offsets of the file. `outline` makes the facts of it.

use super::{
    Binding, Def, Expr, Given, Import, Name, RefRole,
    captures::{self, Captured, Manner},
    definitions::known_as,
    grammar::Grammar,
    instances,
    leading::{Leading, LeadingKind},
    places::{self, DraftArm},
    reader::{Reader, span},
    tree::{Node, Tree},
};
use crate::text::Span;

/// A definition whose place among the others is not known yet.
#[derive(Debug)]
pub(super) struct Draft {
    pub def: Def,
    pub manner: Manner,
    /// The body, where there is one.
    pub body: Option<Span>,
    /// Of a declaration: the end of the statement, from which a local name is visible.
    pub declared_at: u32,
    /// An instance parameter was there.
    pub has_instance: bool,
    /// The visibility is written, not the default.
    pub visibility_written: bool,
    /// A modifier makes a variable a constant.
    pub constant: bool,
    /// Definitions of its kind write no parameters.
    pub bare: bool,
}

/// A binding whose scope may still be open.
#[derive(Debug)]
pub(super) struct DraftBinding {
    /// With the scope that the syntax states, or an empty one at the place from which the name is visible.
    pub binding: Binding,
    /// The scope is the innermost block round it.
    pub open: bool,
}

#[derive(Debug)]
pub(super) struct DraftRef {
    pub name: Name,
    pub span: Span,
    pub role: RefRole,
    pub receiver: Option<Expr>,
    pub arguments: Option<u8>,
    pub given: Vec<Given>,
}

#[derive(Debug, Default)]
pub(super) struct Harvest {
    /// The text that is read stands in a type.
    pub in_type: bool,
    pub drafts: Vec<Draft>,
    pub bindings: Vec<DraftBinding>,
    pub refs: Vec<DraftRef>,
    /// Imports with the place where they stand; `scope` is not set yet.
    pub imports: Vec<(u32, Import)>,
    /// The end of each block of local names.
    pub scopes: Vec<Span>,
    /// Names that mean an outer variable, with their place.
    pub outers: Vec<(u32, Name)>,
    pub conditionals: Vec<Span>,
    /// Parts of statements that may not run, and the statement that each is an alternative of.
    pub branches: Vec<(Span, Option<Span>)>,
    /// Blocks that end by leaving the function.
    pub closed: Vec<Span>,
    /// Alternatives of statements that choose by a value.
    pub arms: Vec<DraftArm>,
    /// The start of each called name, and the list of the call's arguments.
    pub lists: Vec<(u32, Span)>,
    /// Elements that are asked for, with the place.
    pub asked: Vec<(u32, Expr)>,
    /// The starts of names of definitions that are visible beyond their block.
    pub unblocked: Vec<u32>,
    /// The starts of a use that is an argument and of the called name, and which argument it is.
    pub handed: Vec<(u32, u32, Option<u8>)>,
    /// Calls of elements: where the callee stands, and what it is.
    pub value_calls: Vec<(Span, Expr)>,
    pub leading: Leading,
    pub inner_docs: Vec<Span>,
    pub comments: Vec<Span>,
    pub package: Vec<Name>,
    pub exports: Option<Vec<Name>>,
    pub exports_unknown: bool,
    /// The name of the type that stands for the file.
    pub known_as: Option<Name>,
    pub errors: Vec<Span>,
    pub macro_bodies: Vec<Span>,
    /// Macro bodies and templates: text that a tree does not explain.
    pub silent: Vec<Span>,
    /// Accessors that stand apart from their property, with what a getter gives.
    pub accessors: Vec<(Span, bool, Option<Expr>)>,
    /// What functions return, and what generators yield, with the place.
    pub returns: Vec<(Span, Expr)>,
    pub yields: Vec<(u32, Expr)>,
    /// Function literals that are no definitions; in pre-order once all are gathered.
    pub literals: Vec<Span>,
    /// The starts of tokens that name a definition or a binding: no uses.
    pub claimed: Vec<u32>,
}

impl Harvest {
    /// Adds what one tree holds; returns the macro bodies in it, to be parsed again.
    pub(super) fn add(&mut self, grammar: &'static Grammar, tree: &Tree, text: &str) -> Vec<Span> {
        let found = captures::run(grammar, tree, text);
        let meanings = instances::meanings(&found.instances);
        let mut reader = Reader { grammar, text, instances: Vec::new(), meanings };
        self.texts(grammar, text, &found);
        let first_draft = self.drafts.len();
        for def in &found.defs {
            self.define(&reader, def);
        }
        self.find_instances(&mut reader, first_draft, &found.lambdas);
        for (def, draft) in found.defs.iter().zip(first_draft..) {
            // Values wait for the instances: `self.x` in them depends on the method around.
            self.evaluate(&reader, def, draft);
        }
        let literals = self.literals(grammar, &found.lambdas, first_draft);
        self.bind(&reader, &found, &literals);
        self.import(&reader, &found);
        self.refer(&reader, &found);
        self.arms.extend(places::drafts(&reader, &found));
        self.asked.extend(found.asked.iter().map(|node| (span(*node).start, reader.expr(*node))));
        let place = |node: &Node<'_>| span(*node).start;
        let returned = |node: &Node<'_>| (span(*node), reader.expr(*node).placed(place(node)));
        self.returns.extend(found.returns.iter().map(returned));
        let yielded = |node| (place(node), reader.yielded(*node).placed(place(node)));
        self.yields.extend(found.yields.iter().map(yielded));
        for node in &found.accessors {
            let shape = grammar.shapes.get(*node);
            let value = shape.and_then(|shape| shape.value.follow(*node)).map(|value| reader.expr(value));
            let reads = shape.is_some_and(|shape| shape.accessor.follow(*node).is_some());
            self.accessors.push((span(*node), reads, value));
        }
        found.macros.iter().map(|node| span(*node)).collect()
    }

    /// The function literals that are not the value of a definition.
    fn literals<'t>(&mut self, grammar: &Grammar, lambdas: &[Node<'t>], first_draft: usize) -> Vec<Node<'t>> {
        let mut bodies: Vec<Span> =
            self.drafts[first_draft..].iter().filter_map(|draft| draft.body).collect();
        bodies.sort();
        let own = |lambda: &Node<'t>| {
            let body = grammar.shapes.get(*lambda).and_then(|shape| shape.body.follow(*lambda));
            body.is_none_or(|body| bodies.binary_search(&span(body)).is_err())
        };
        let literals: Vec<Node<'t>> = lambdas.iter().copied().filter(own).collect();
        self.literals.extend(literals.iter().map(|node| span(*node)));
        literals
    }

    /// Comments, docs, attributes, scopes and errors: what is only a place.
    fn texts(&mut self, grammar: &Grammar, text: &str, found: &Captured<'_>) {
        self.leading.touching = grammar.spec.syntax.docs_touch;
        for node in &found.attributes {
            self.leading.add(text, span(*node), LeadingKind::Attribute);
        }
        for node in &found.docs {
            self.leading.add(text, span(*node), LeadingKind::Doc);
        }
        let mut prose: Vec<Span> =
            found.docs.iter().chain(&found.inner_docs).map(|node| span(*node)).collect();
        prose.sort();
        for node in &found.comments {
            let here = span(*node);
            if prose.binary_search(&here).is_err() {
                self.leading.add(text, here, LeadingKind::Comment);
                let kept = here.of(text).trim_end().len() as u32;
                self.comments.push(Span::new(here.start, here.start + kept));
            }
        }
        self.inner_docs.extend(found.inner_docs.iter().map(|node| {
            let here = span(*node);
            Span::new(here.start, here.start + here.of(text).trim_end().len() as u32)
        }));
        let stated = |node: &Node<'_>| known_as(grammar, span(*node).of(text));
        self.known_as = self.known_as.take().or_else(|| found.file_attributes.iter().find_map(stated));
        self.scopes.extend(found.scopes.iter().map(|node| span(*node)));
        self.conditionals.extend(found.conditionals.iter().map(|node| span(*node)));
        self.branches.extend(found.branches.iter().map(|(node, of)| (span(*node), of.map(span))));
        self.closed.extend(found.closed.iter().map(|node| span(*node)));
        self.unblocked.extend(found.unblocked.iter().map(|node| span(*node).start));
        self.errors.extend(found.errors.iter().map(|node| span(*node)));
        self.silent.extend(found.macros.iter().chain(&found.opaques).map(|node| span(*node)));
    }

    /// Drops the definitions, bindings and uses in a span that is read anew.
    pub(super) fn forget(&mut self, span: Span) {
        self.drafts.retain(|draft| !span.contains(draft.def.name_span.start));
        self.bindings.retain(|draft| !span.contains(draft.binding.name_span.start));
        self.refs.retain(|reference| !span.contains(reference.span.start));
        self.value_calls.retain(|(at, _)| !span.contains(at.start));
        self.asked.retain(|(at, _)| !span.contains(*at));
        self.returns.retain(|(at, _)| !span.contains(at.start));
        self.yields.retain(|(at, _)| !span.contains(*at));
    }

    /// Adds another harvest of the same text.
    pub(super) fn merge(&mut self, other: Harvest) {
        self.drafts.extend(other.drafts);
        self.bindings.extend(other.bindings);
        self.refs.extend(other.refs);
        self.imports.extend(other.imports);
        self.scopes.extend(other.scopes);
        self.outers.extend(other.outers);
        self.conditionals.extend(other.conditionals);
        self.branches.extend(other.branches);
        self.closed.extend(other.closed);
        self.arms.extend(other.arms);
        self.lists.extend(other.lists);
        self.asked.extend(other.asked);
        self.unblocked.extend(other.unblocked);
        self.handed.extend(other.handed);
        self.value_calls.extend(other.value_calls);
        self.leading.merge(other.leading);
        self.inner_docs.extend(other.inner_docs);
        self.comments.extend(other.comments);
        self.errors.extend(other.errors);
        self.macro_bodies.extend(other.macro_bodies);
        self.silent.extend(other.silent);
        self.accessors.extend(other.accessors);
        self.returns.extend(other.returns);
        self.yields.extend(other.yields);
        self.literals.extend(other.literals);
        self.claimed.extend(other.claimed);
    }
}
