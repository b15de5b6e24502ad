//! The tokens of a text that a reader tells apart by colour.
//!
//! Grammars name their leaves by one convention: a keyword is a leaf whose kind is its own text, and the kinds
//! of comments, strings and literals say what they are. So no language has data of its own here.

use super::{
    grammar, parse,
    reader::span,
    tree::{Node, children},
};
use crate::{lang::LanguageSpec, text::Span};

/// What a token is. Names of values, operators and punctuation are no tokens here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Comment,
    Text,
    Number,
    Keyword,
    /// A name that begins in upper case, or stands where a type does.
    Type,
}

/// The tokens of a text or a part of one, in order and disjoint. What cannot be parsed has none.
pub fn tokens(spec: &'static LanguageSpec, text: &str) -> Vec<(Span, TokenKind)> {
    let Some(tree) = parse::whole(grammar::of(spec), text) else { return Vec::new() };
    let mut found = Vec::new();
    let mut nodes = tree.nodes();
    while let Some(node) = nodes.next() {
        let Some(kind) = kind_of(node, text) else { continue };
        found.extend((!node.byte_range().is_empty()).then(|| (span(node), kind)));
        nodes.skip_in(node);
    }
    found
}

fn kind_of(node: Node<'_>, text: &str) -> Option<TokenKind> {
    let kind = node.kind();
    if node.is_named() && kind.contains("comment") {
        return Some(TokenKind::Comment);
    }
    if node.is_named() && (kind.contains("string") || kind.starts_with("char")) {
        return Some(TokenKind::Text);
    }
    if children(node).next().is_some() {
        return None;
    }
    let own = text.get(node.byte_range()).unwrap_or("");
    if kind.eq_ignore_ascii_case(own) && own.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') {
        return Some(TokenKind::Keyword);
    }
    if !node.is_named() {
        return None;
    }
    if kind.ends_with("literal") || kind == "integer" || kind == "float" {
        return Some(TokenKind::Number);
    }
    let typed = node.parent().is_some_and(|around| around.kind() == "type");
    let named_type =
        typed || kind.contains("type") || kind.ends_with("identifier") && own.starts_with(char::is_uppercase);
    named_type.then_some(TokenKind::Type)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang;

    fn shown(language: &str, text: &str) -> String {
        let found = tokens(lang::by_name(language).unwrap(), text);
        assert!(found.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start), "{found:?}");
        let shown: Vec<String> = found.iter().map(|(at, kind)| format!("{kind:?} {}", at.of(text))).collect();
        shown.join("\n")
    }

    #[test]
    fn each_language_has_its_tokens() {
        expect_test::expect![[r#"
            Comment /// Doc.

            Keyword pub
            Keyword fn
            Keyword self
            Type Box
            Type u8
            Type Option
            Type char
            Keyword let
            Text "x"
            Type Some
            Text 'c'"#]]
        .assert_eq(&shown(
            "rust",
            "/// Doc.\npub fn go(self: Box<u8>) -> Option<char> { let a = \"x\"; Some('c') }",
        ));
        expect_test::expect![[r#"
            Keyword class
            Type A
            Type B
            Text """Doc."""
            Keyword def
            Type int
            Number 5
            Comment # why
            Keyword return
            Text f"{n}"
            Keyword if
            Keyword else
            Keyword None"#]].assert_eq(&shown("python", "class A(B):\n    \"\"\"Doc.\"\"\"\n    def go(self, n: int = 5):  # why\n        return f\"{n}\" if n else None\n"));
        expect_test::expect![[r#"
            Comment /** Doc. */
            Keyword override
            Keyword fun
            Type Int
            Type String
            Text "$n"
            Comment // why
            Keyword val
            Number 1.5"#]]
        .assert_eq(&shown(
            "kotlin",
            "/** Doc. */\noverride fun go(n: Int): String? = \"$n\" // why\nval a = 1.5\n",
        ));
    }

    #[test]
    fn a_part_and_what_is_no_code_are_no_trouble() {
        for text in ["", "}}} fn ((", "\"open", "  }\n  fn go() {\n", "\u{0}\u{1}é"] {
            for language in lang::all() {
                tokens(language, text);
            }
        }
    }
}
