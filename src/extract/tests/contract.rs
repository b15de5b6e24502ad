//! What every language of the registry owes: a query that compiles and knows its captures, tables that the
//! grammar knows, fixtures that show each kind.

use std::collections::BTreeSet;

use super::{fixtures, sound};
use crate::{
    extract::{RefRole, captures::Capture, extract, grammar, query::Query},
    lang::{self, LanguageSpec, SymbolKind, Syntax},
};

#[test]
fn queries_compile_and_use_the_vocabulary() {
    for spec in lang::all() {
        let language = (spec.language)();
        // What tree-sitter refuses can never match.
        tree_sitter::Query::new(&language, spec.query)
            .unwrap_or_else(|error| panic!("{}: {error}", spec.name));
        Query::new(&language, spec.query).unwrap_or_else(|error| panic!("{}: {error}", spec.name));
    }
}

#[test]
fn tables_name_kinds_and_fields_of_the_grammar() {
    for spec in lang::all() {
        let language = (spec.language)();
        for kind in kinds(&spec.syntax) {
            let known = [true, false].iter().any(|&named| language.id_for_node_kind(kind, named) != 0);
            assert!(known, "{}: the grammar has no node kind {kind}", spec.name);
        }
        let broken = grammar::of(spec).broken();
        assert!(broken.is_empty(), "{}: routes lead nowhere: {broken:?}", spec.name);
    }
}

fn kinds(syntax: &Syntax) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    kinds.extend(syntax.shapes.iter().map(|row| row.0));
    kinds.extend(syntax.expressions.iter().map(|row| row.0));
    kinds.extend(syntax.types.iter().map(|row| row.0));
    kinds.extend(syntax.patterns.iter().map(|row| row.0));
    kinds.extend(syntax.parameters.iter().map(|row| row.0));
    kinds.extend(syntax.imports.iter().map(|row| row.0));
    kinds.extend(syntax.type_parameters.iter().map(|row| row.0));
    for list in [
        syntax.modifier_groups,
        syntax.path_extras,
        syntax.path_heads,
        syntax.argument_lists,
        syntax.argument_extras,
        syntax.argument_splats,
        syntax.recovery.prose,
    ] {
        kinds.extend(list);
    }
    kinds.extend(syntax.import_dots);
    kinds
}

#[test]
fn fixtures_show_each_kind_and_role() {
    for spec in lang::all() {
        let grammar = grammar::of(spec);
        let mut defs = BTreeSet::new();
        let mut roles = BTreeSet::new();
        for (_, text) in fixtures(spec) {
            let facts = extract(spec, &text);
            defs.extend(facts.defs.iter().map(|def| def.kind));
            roles.extend(facts.refs.iter().map(|reference| reference.role));
        }
        for capture in grammar.query.captures() {
            match capture {
                Capture::Definition(kind) => assert!(shown(&defs, *kind), "{}: no {kind:?}", spec.name),
                Capture::Declaration(_) => {
                    assert!(shown(&defs, spec.syntax.member_variable), "{}", spec.name)
                }
                Capture::Reference(role) => assert!(roles.contains(role), "{}: no {role:?}", spec.name),
                _ => {}
            }
        }
        assert!(roles.contains(&RefRole::Call));
    }
}

fn shown(defs: &BTreeSet<SymbolKind>, kind: SymbolKind) -> bool {
    defs.contains(&kind)
}

#[test]
fn fixtures_are_read_without_errors() {
    for spec in lang::all() {
        for (path, text) in fixtures(spec) {
            let facts = extract(spec, &text);
            sound(&facts, &text);
            assert_eq!(facts.errors, [], "{path}");
            assert_eq!(extract(spec, &text), facts, "{path} reads differently the second time");
        }
    }
}

/// Every line of a fixture that begins like a declaration has its definition.
#[test]
fn fixtures_lose_no_declaration() {
    for spec in lang::all() {
        let mut count = 0;
        for (path, text) in fixtures(spec) {
            let facts = extract(spec, &text);
            for (pattern, _) in &grammar::of(spec).declarations {
                for found in pattern.captures_iter(&text) {
                    let name = found.name("name").unwrap();
                    let at = name.start() as u32;
                    assert!(
                        // The signatures of an overloaded function are one definition.
                        facts.defs.iter().any(|def| {
                            def.name_span.start == at || def.name == name.as_str() && def.full.contains(at)
                        }),
                        "{path}: {} is lost",
                        name.as_str()
                    );
                    count += 1;
                }
            }
        }
        assert!(count > 20, "{}", spec.name);
    }
}

#[test]
fn files_are_found_by_language() {
    let unique: BTreeSet<&str> =
        lang::all().iter().flat_map(|spec: &&LanguageSpec| spec.extensions).copied().collect();
    assert_eq!(unique.len(), lang::all().iter().map(|spec| spec.extensions.len()).sum::<usize>());
}
