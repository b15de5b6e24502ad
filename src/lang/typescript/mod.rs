//! TypeScript as data: what JavaScript is, with types. A grammar for each of the two dialects, of which one
//! has elements (`<A />`) and the other casts (`<A>x`).

use super::{LanguageSpec, Recovery, SymbolKind, Syntax, javascript};

const SYNTAX: Syntax = Syntax {
    recovery: Recovery {
        declarations: &[
            javascript::DECLARATIONS[0],
            javascript::DECLARATIONS[1],
            javascript::DECLARATIONS[2],
            (
                r"(?m)^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?P<start>interface)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[^=\n]*$",
                SymbolKind::Interface,
            ),
            (
                r"(?m)^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?P<start>(?:const[ \t]+)?enum)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[ \t]*\{",
                SymbolKind::Enum,
            ),
            (
                r"(?m)^[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?(?P<start>type)[ \t]+(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)[ \t]*(?:<[^=\n]*>)?[ \t]*=",
                SymbolKind::TypeAlias,
            ),
        ],
        ..javascript::SYNTAX.recovery
    },
    ..javascript::SYNTAX
};

pub(super) static SPEC: LanguageSpec = LanguageSpec {
    name: "typescript",
    extensions: &["ts", "mts", "cts"],
    file_names: &[],
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    query: concat!(include_str!("typescript.scm"), include_str!("../javascript/javascript.scm")),
    syntax: SYNTAX,
    resolution: &javascript::RULES,
};

pub(super) static TSX: LanguageSpec = LanguageSpec {
    name: "tsx",
    extensions: &["tsx"],
    file_names: &[],
    language: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    query: concat!(
        include_str!("typescript.scm"),
        include_str!("../javascript/jsx.scm"),
        include_str!("../javascript/javascript.scm")
    ),
    syntax: SYNTAX,
    resolution: &javascript::RULES,
};
