//! Trees and queries against the parser's own tree and engine.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tree_sitter::StreamingIterator;

use super::{fixtures, properties::mutilated};
use crate::{
    extract::{
        captures::Capture,
        grammar,
        query::Query,
        tree::{Kinds, Node, Tree, children},
    },
    lang::{self, LanguageSpec},
};

/// A match: the number of its pattern, and what is captured where.
type Match = (usize, Vec<(String, usize, usize)>);

fn parsed(language: &tree_sitter::Language, text: &str) -> tree_sitter::Tree {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(language).unwrap();
    parser.parse(text, None).unwrap()
}

fn ours(query: &Query, tree: &Tree, text: &str) -> BTreeSet<Match> {
    let mut found = BTreeSet::new();
    query.run(tree, text, &mut |hit| {
        let captures = hit.captures();
        let captures = captures.map(|(name, node)| (format!("{name:?}"), node.start_byte(), node.end_byte()));
        found.insert((hit.pattern, captures.collect()));
    });
    found
}

fn theirs(query: &tree_sitter::Query, tree: &tree_sitter::Tree, text: &str) -> BTreeSet<Match> {
    let mut found = BTreeSet::new();
    let mut cursor = tree_sitter::QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(hit) = matches.next() {
        let captures = hit.captures().iter().map(|capture| {
            let name = Capture::named(query.capture_names()[capture.index as usize]).unwrap();
            (format!("{name:?}"), capture.node.start_byte(), capture.node.end_byte())
        });
        found.insert((hit.pattern_index, captures.collect()));
    }
    found
}

/// Whether a child with the same field stands before the node of a range.
fn is_later_of_its_field(tree: &tree_sitter::Tree, start: usize, end: usize) -> bool {
    let mut node = tree.root_node().descendant_for_byte_range(start, end).unwrap();
    // Of nodes of one range the outermost has the field.
    while let Some(outer) = node.parent().filter(|outer| outer.byte_range() == (start..end)) {
        node = outer;
    }
    let Some(parent) = node.parent() else { return false };
    let mut cursor = parent.walk();
    cursor.goto_first_child();
    let mut before = BTreeSet::new();
    while cursor.node() != node {
        before.extend(cursor.field_name());
        assert!(cursor.goto_next_sibling());
    }
    cursor.field_name().is_some_and(|field| before.contains(field))
}

#[track_caller]
fn compare(spec: &'static LanguageSpec, query: &tree_sitter::Query, text: &str) {
    let grammar = grammar::of(spec);
    let tree = parsed(&grammar.language, text);
    let row = Tree::new(&grammar.kinds, &tree);
    let (mut ours, theirs) = (ours(&grammar.query, &row, text), theirs(query, &tree, text));
    // The parser's own engine may give up a field at its first child, where its cursor names it at others as well.
    let given_up = |hit: &Match| hit.1.iter().any(|part| is_later_of_its_field(&tree, part.1, part.2));
    ours.retain(|hit| theirs.contains(hit) || !given_up(hit));
    let only = |some: &BTreeSet<Match>, others: &BTreeSet<Match>| -> Vec<Match> {
        some.difference(others).cloned().collect()
    };
    assert_eq!((only(&ours, &theirs), only(&theirs, &ours)), (vec![], vec![]), "{}: {text}", spec.name);
}

fn queries() -> Vec<tree_sitter::Query> {
    let query = |spec: &&LanguageSpec| tree_sitter::Query::new(&(spec.language)(), spec.query).unwrap();
    lang::all().iter().map(query).collect()
}

#[test]
fn fixtures_match_as_in_the_parsers_own_engine() {
    for (spec, query) in lang::all().iter().zip(queries()) {
        for (_, text) in fixtures(spec) {
            compare(spec, &query, &text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutilated_sources_match_as_in_the_parsers_own_engine((spec, text) in mutilated()) {
        static QUERIES: std::sync::OnceLock<Vec<tree_sitter::Query>> = std::sync::OnceLock::new();
        let at = lang::all().iter().position(|known| std::ptr::eq(*known, spec)).unwrap();
        compare(spec, &QUERIES.get_or_init(queries)[at], &text);
    }
}

/// Patterns of a kind that no language's query has.
#[test]
fn patterns_match_as_in_the_parsers_own_engine() {
    let language: tree_sitter::Language = tree_sitter_python::LANGUAGE.into();
    let kinds: &'static Kinds = Box::leak(Box::new(Kinds::new(&language)));
    let text = "# a\n# b\nf(a, b, 'c', *d)\nf('c')\nf(x=1, y=a)\n[a, # b\n c]\nif a: b\nelse: c\nif a: b\n";
    let tree = parsed(&language, text);
    let row = Tree::new(kinds, &tree);
    for pattern in [
        "(argument_list (_) @name (_) @part) @scope",
        "(argument_list (_) @name . (_) @part)",
        "(argument_list . (_) @name)",
        "(argument_list (_) @name .)",
        "(argument_list . [(identifier) (string)] @name .)",
        "(argument_list [(identifier) @name (string) @part])",
        "(argument_list (identifier) (string) @name)",
        "(argument_list (identifier) . (string) @name)",
        "(argument_list \",\" @name . (_) @part)",
        "(argument_list (keyword_argument name: (_) @name value: [(identifier) (integer)] @part) @scope)",
        "(list . (identifier) . (comment)* . (identifier) @name)",
        "(module . (comment)* . (expression_statement (call) @name))",
        "(if_statement condition: (_) @name !alternative) @scope",
        "[(integer) (string)] @name",
        "((identifier) @name (#any-of? @name \"a\" \"d\") (#not-eq? @name \"d\"))",
        "((identifier) @name (#match? @name \"^[a-c]$\") (#not-match? @name \"b\"))",
    ] {
        let query = tree_sitter::Query::new(&language, pattern).unwrap();
        let found = ours(&Query::new(&language, pattern).unwrap(), &row, text);
        assert!(!found.is_empty(), "{pattern}");
        assert_eq!(found, theirs(&query, &tree, text), "{pattern}");
    }
}

fn same(node: Node<'_>, other: tree_sitter::Node<'_>, parent: Option<u32>) {
    let own = |node: Node<'_>| {
        (
            node.kind_id(),
            node.byte_range(),
            node.is_named(),
            node.is_extra(),
            node.is_missing(),
            node.has_error(),
        )
    };
    let others = (
        other.kind_id(),
        other.byte_range(),
        other.is_named(),
        other.is_extra(),
        other.is_missing(),
        other.has_error(),
    );
    assert_eq!(own(node), others);
    assert_eq!(node.kind(), other.kind());
    assert_eq!(node.parent().map(|parent| parent.id()), parent);
    let inner: Vec<Node<'_>> = children(node).collect();
    let ids = |nodes: &[Node<'_>]| nodes.iter().map(Node::id).collect::<Vec<_>>();
    let next: Vec<Node<'_>> = inner.iter().filter_map(Node::next_sibling).collect();
    assert_eq!(ids(&next), ids(inner.get(1..).unwrap_or_default()));
    assert_eq!(inner.len(), other.child_count() as usize);
    for (child, other) in inner.into_iter().zip(other.children(&mut other.walk())) {
        same(child, other, Some(node.id()));
    }
}

#[test]
fn trees_are_those_of_the_parser() {
    for spec in lang::all() {
        let grammar = grammar::of(spec);
        for (_, mut text) in fixtures(spec) {
            for _ in 0..2 {
                let tree = parsed(&grammar.language, &text);
                let row = Tree::new(&grammar.kinds, &tree);
                same(row.root(), tree.root_node(), None);
                for at in (0..text.len()).step_by(97) {
                    let (found, other) = (
                        row.root().descendant_for_byte_range(at, at + 5),
                        tree.root_node().descendant_for_byte_range(at, at + 5).unwrap(),
                    );
                    assert_eq!((found.kind_id(), found.byte_range()), (other.kind_id(), other.byte_range()));
                }
                // And with an error in it.
                text = text.replacen(['(', '{', ':'], "", 1) + ")";
            }
        }
    }
}
