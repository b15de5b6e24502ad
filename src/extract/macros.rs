//! Macro bodies: token trees that are parsed again in place, or read token by token where they are no
//! code.
//!
//! A body is parsed with its delimiters, so that `(a, b)` is a tuple, `[a]` an array and `{ … }` a block
//! or a list of items. A body that is not code by itself (`select! { x = f() => … }`) yields only calls,
//! macro calls and struct literals, which a token sequence shows without doubt; braces inside of it are
//! tried as blocks. What can bind nothing, a path or a name in upper case, is a use there, too. Macros that
//! are known to take patterns are read as such.

use super::{
    Expr, RefRole,
    grammar::Grammar,
    harvest::{DraftRef, Harvest},
    parse,
    reader::{Reader, span},
    tree::{Node, Tree, children},
};
use crate::{
    lang::{MacroSyntax, MacroValue},
    text::Span,
};

/// Macros nested deeper than this are not looked into.
const MAX_DEPTH: u32 = 8;
/// Token trees nested deeper than this are not read.
const MAX_TREES: u32 = 64;

/// What a body is parsed and read with.
pub(super) struct Expander<'t> {
    pub grammar: &'static Grammar,
    pub text: &'t str,
    pub syntax: &'static MacroSyntax,
}

impl Expander<'_> {
    /// Adds what the macro bodies of a tree hold.
    pub(super) fn expand(&self, harvest: &mut Harvest, tree: &Tree, bodies: &[Span], depth: u32) {
        harvest.macro_bodies.extend(bodies);
        let field = self.grammar.language.field_id_for_name(self.syntax.name).map_or(0, |field| field.get());
        for body in bodies {
            let (start, end) = (body.start as usize, body.end as usize);
            let node = tree.root().descendant_for_byte_range(start, end);
            let reader = Reader {
                grammar: self.grammar,
                text: self.text,
                instances: Vec::new(),
                meanings: Vec::new(),
            };
            let plain = Level { depth, trees: 0, values: true, pattern: false };
            let name = node.parent().and_then(|call| call.child_by_field_id(field));
            if name.is_some_and(|name| self.takes_pattern(reader.segments(name).pop().as_deref())) {
                self.read_pattern_macro(harvest, &reader, node, plain);
                continue;
            }
            // Without blocks and closures nothing is bound: the tokens tell all, and faster.
            if !binds(body.of(self.text)) {
                self.read_tokens(harvest, &reader, &mut children(node), plain);
                continue;
            }
            let Err(partial) = self.parse_again(harvest, *body, depth) else { continue };
            let mut tokens = Harvest::default();
            let unsure = Level { values: false, ..plain };
            self.read_tokens(&mut tokens, &reader, &mut children(node), unsure);
            // What defines something is shown by its tree, though the tree has faults.
            let better = tokens.drafts.is_empty() && !partial.drafts.is_empty();
            harvest.merge(if better { *partial } else { tokens });
        }
    }

    /// Parses a body as code and adds what it holds. Where it is no code, nothing is added; what was
    /// understood of it comes back.
    fn parse_again(&self, harvest: &mut Harvest, body: Span, depth: u32) -> Result<(), Box<Harvest>> {
        if depth == MAX_DEPTH {
            return Err(Box::default());
        }
        let Some(tree) = parse::part(self.grammar, self.text, body) else {
            return Err(Box::default());
        };
        let mut inner = Harvest::default();
        let bodies = inner.add(self.grammar, &tree, self.text);
        // The end of a statement may be missing; nothing else.
        let is_code = inner.errors.iter().all(|error| error.is_empty() && error.start >= body.end);
        inner.errors.clear();
        if !is_code {
            for draft in &mut inner.drafts {
                let signature = draft.def.signature;
                let head = signature.of(self.text);
                let head = head.split('{').next().unwrap_or(head).trim_end();
                draft.def.signature = Span::new(signature.start, signature.start + head.len() as u32);
            }
            return Err(Box::new(inner));
        }
        harvest.merge(inner);
        self.expand(harvest, &tree, &bodies, depth + 1);
        Ok(())
    }

    fn takes_pattern(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.syntax.pattern_macros.contains(&name))
    }

    /// Reads the body of a macro that takes a value, a pattern and maybe a guard.
    fn read_pattern_macro(&self, harvest: &mut Harvest, reader: &Reader<'_>, tree: Node<'_>, level: Level) {
        let tokens: Vec<Node<'_>> = children(tree).collect();
        let comma = tokens.iter().position(|token| token.kind() == ",").unwrap_or(tokens.len());
        let (value, rest) = tokens.split_at(comma);
        let guard = rest.iter().position(|token| token.kind() == self.syntax.guard).unwrap_or(rest.len());
        let (pattern, guard) = rest.split_at(guard);
        let text = match (value.first(), value.last()) {
            (Some(first), Some(last)) => Span::new(span(*first).start, span(*last).end).of(self.text),
            _ => "",
        };
        // A guard sees what the pattern binds.
        for (part, values, pattern) in
            [(value, !binds(text), false), (pattern, false, true), (guard, false, false)]
        {
            let level = Level { values, pattern, ..level };
            self.read_tokens(harvest, reader, &mut part.iter().copied(), level);
        }
    }

    /// Whether what a token tree ends is a pattern, as far as the tokens around show.
    fn is_pattern(&self, tree: Node<'_>) -> bool {
        let after = tree.next_sibling().is_some_and(|next| self.syntax.after_patterns.contains(&next.kind()));
        let last = children(tree).count().checked_sub(2);
        let rest = last.and_then(|last| children(tree).nth(last));
        after || rest.is_some_and(|token| token.kind() == self.syntax.rest)
    }

    /// Whether braces hold fields, or nothing, and so are no block.
    fn holds_fields(&self, tree: Node<'_>) -> bool {
        let mut tokens = children(tree).skip(1).filter(|token| !token.is_extra());
        match (tokens.next(), tokens.next()) {
            (Some(first), Some(second)) if first.kind() == self.syntax.identifier => {
                matches!(second.kind(), ":" | "," | "}")
            }
            (Some(first), second) => second.is_none() || first.kind() == self.syntax.rest,
            (None, _) => false,
        }
    }

    /// Reads a sequence of tokens: names with what stands before them.
    fn read_tokens<'n>(
        &self,
        harvest: &mut Harvest,
        reader: &Reader<'_>,
        tokens: &mut dyn Iterator<Item = Node<'n>>,
        level: Level,
    ) {
        if level.trees == MAX_TREES {
            return;
        }
        let mut chain = Chain::default();
        for token in tokens {
            let kind = token.kind();
            if kind == self.syntax.token_tree {
                let open = self.text.as_bytes().get(token.start_byte()).copied().unwrap_or(b' ');
                let called = chain.role_before(open);
                let made = matches!(called, RefRole::Call | RefRole::Instantiate);
                let role = match called {
                    RefRole::Instantiate if !self.holds_fields(token) => RefRole::Value,
                    _ if made && chain.refers() && (level.pattern || self.is_pattern(token)) => {
                        RefRole::Value
                    }
                    role => role,
                };
                let inner = Level { trees: level.trees + 1, ..level };
                let last = chain.last.take();
                let patterns = called == RefRole::MacroCall
                    && last.as_ref().is_some_and(|(name, _)| self.takes_pattern(Some(reader.name(*name))));
                let count = (role == RefRole::Call).then(|| arguments(token)).flatten();
                self.refer(harvest, reader, last, role, count, level);
                if patterns {
                    self.read_pattern_macro(harvest, reader, token, inner);
                } else if open != b'{'
                    || level.pattern
                    || self.parse_again(harvest, span(token), level.depth + 1).is_err()
                {
                    self.read_tokens(harvest, reader, &mut children(token), inner);
                }
                chain.after_tree(open, called);
            } else if chain.skips(kind) {
                continue;
            } else if kind == self.syntax.identifier {
                let before = chain.last.take();
                self.refer(harvest, reader, before, RefRole::Value, None, level);
                chain.name(token, reader.name(token));
            } else if kind == self.syntax.this {
                chain = Chain { value: Some(Expr::This(None)), ..Chain::default() };
            } else if !token.is_extra() {
                if !matches!(kind, "!" | "::") {
                    // `name = value` names an argument of a format.
                    let before = chain.last.take().filter(|_| kind != "=");
                    self.refer(harvest, reader, before, RefRole::Value, None, level);
                }
                chain.punctuation(kind);
            }
        }
    }

    /// Adds the use of a name in a token sequence.
    fn refer(
        &self,
        harvest: &mut Harvest,
        reader: &Reader<'_>,
        name: Option<(Node<'_>, Option<Expr>)>,
        role: RefRole,
        arguments: Option<u8>,
        level: Level,
    ) {
        let Some((node, receiver)) = name else { return };
        let name = reader.name(node);
        // A path and a name in upper case never bind.
        let fixed = matches!(receiver, Some(Expr::Path(_))) || name.starts_with(char::is_uppercase);
        if role == RefRole::Value && !level.values && !fixed {
            return;
        }
        let own = role == RefRole::Value && self.grammar.spec.syntax.self_types.contains(&name);
        if !own && name != "_" {
            let (name, span) = (name.into(), span(node));
            harvest.refs.push(DraftRef { name, span, role, receiver, arguments, given: Vec::new() });
        }
    }
}

/// Where in nested macros and token trees one is.
#[derive(Clone, Copy)]
struct Level {
    depth: u32,
    trees: u32,
    /// Plain names count as uses: nothing here binds one.
    values: bool,
    /// The tokens are a pattern.
    pattern: bool,
}

/// What the tokens before the current one amount to.
#[derive(Default)]
struct Chain<'t> {
    /// The expression so far.
    value: Option<Expr>,
    /// The name that ends it and is no use yet, with what stands before the name.
    last: Option<(Node<'t>, Option<Expr>)>,
    dot: bool,
    colons: bool,
    bang: bool,
    /// Open angle brackets of type arguments after `::`.
    angles: u32,
}

impl<'t> Chain<'t> {
    /// Whether a token is one of the type arguments after `::`.
    fn skips(&mut self, kind: &str) -> bool {
        if self.angles == 0 {
            if !(kind == "<" && self.colons) {
                return false;
            }
            self.colons = false;
            self.angles = 1;
            return true;
        }
        match kind {
            "<" => self.angles += 1,
            ">" => self.angles -= 1,
            ">>" => self.angles = self.angles.saturating_sub(2),
            _ => {}
        }
        true
    }

    fn name(&mut self, token: Node<'t>, name: &str) {
        let (value, receiver) = match self.value.take() {
            Some(before) if self.dot => (Expr::Member(Box::new(before.clone()), name.into()), Some(before)),
            Some(Expr::Path(path)) if self.colons => {
                let longer = path.iter().cloned().chain([name.into()]).collect();
                (Expr::Path(longer), Some(Expr::Path(path)))
            }
            Some(Expr::Name(first)) if self.colons => {
                (Expr::Path(vec![first.clone(), name.into()]), Some(Expr::Path(vec![first])))
            }
            _ => (Expr::Name(name.into()), None),
        };
        *self = Chain { value: Some(value), last: Some((token, receiver)), ..Chain::default() };
    }

    fn punctuation(&mut self, kind: &str) {
        match kind {
            "." if self.value.is_some() => self.dot = true,
            "::" if self.value.is_some() => self.colons = true,
            "!" if self.last.is_some() => self.bang = true,
            "?" => self.unwrap(),
            "await" if self.dot => self.unwrap(),
            "crate" | "super" => {
                *self = Chain { value: Some(Expr::Name(kind.into())), ..Chain::default() };
            }
            _ => *self = Chain::default(),
        }
    }

    fn unwrap(&mut self) {
        let value = self.value.take().map(|value| Expr::Unwrap(Box::new(value)));
        *self = Chain { value, ..Chain::default() };
    }

    /// What a token tree after the chain makes of the chain's last name.
    fn role_before(&self, open: u8) -> RefRole {
        match (open, &self.value) {
            _ if self.bang => RefRole::MacroCall,
            (b'(', _) => RefRole::Call,
            (b'{', _) if self.refers() => RefRole::Instantiate,
            _ => RefRole::Value,
        }
    }

    /// Whether the chain is a path or a name that can only mean a type, a variant or a constant.
    fn refers(&self) -> bool {
        let last = match &self.value {
            Some(Expr::Name(name)) => Some(name),
            Some(Expr::Path(path)) => path.last(),
            _ => None,
        };
        last.is_some_and(|name| name.starts_with(char::is_uppercase))
    }

    fn after_tree(&mut self, open: u8, role: RefRole) {
        let value = match (open, role, self.value.take()) {
            (b'(', RefRole::Call, Some(value)) => Some(Expr::Call(Box::new(value), Vec::new())),
            (b'[', RefRole::Value, Some(value)) => Some(Expr::Element(Box::new(value))),
            _ => None,
        };
        *self = Chain { value, ..Chain::default() };
    }
}

impl Reader<'_> {
    /// What the invocation of a macro gives, as far as the language says.
    pub(super) fn macro_value(&self, name: Node<'_>, body: Node<'_>) -> Expr {
        let Some(syntax) = &self.grammar.spec.syntax.macros else { return Expr::Opaque };
        let segments = self.segments(name);
        let known = syntax.values.iter().find(|(known, _)| segments.last().is_some_and(|last| last == known));
        match known.map(|(_, value)| value) {
            Some(MacroValue::Argument) => self.token_value(syntax, body),
            Some(MacroValue::Unwrapped) => match self.token_value(syntax, body) {
                Expr::Opaque => Expr::Opaque,
                value => Expr::Unwrap(Box::new(value)),
            },
            Some(MacroValue::Made(path)) => {
                let path = path.iter().map(|&segment| segment.into()).collect();
                let argument = Some(self.token_value(syntax, body)).filter(|value| *value != Expr::Opaque);
                Expr::Call(Box::new(Expr::Path(path)), argument.into_iter().collect())
            }
            Some(MacroValue::Literal(name)) => Expr::Literal((*name).into()),
            None => Expr::Opaque,
        }
    }

    /// The first argument in a token tree, where it is one chain of names, members and calls.
    fn token_value(&self, syntax: &MacroSyntax, tree: Node<'_>) -> Expr {
        let mut chain = Chain::default();
        let inside = children(tree).count().saturating_sub(2);
        for token in children(tree).skip(1).take(inside) {
            let kind = token.kind();
            let begun = chain.value.is_some();
            if matches!(kind, "," | ";") {
                break;
            }
            if kind == syntax.token_tree {
                let open = self.text.as_bytes().get(token.start_byte()).copied().unwrap_or(b' ');
                let role = chain.role_before(open);
                chain.after_tree(open, role);
            } else if chain.skips(kind) {
                continue;
            } else if kind == syntax.identifier {
                let joined = chain.dot || chain.colons;
                if begun && !joined {
                    return Expr::Opaque;
                }
                chain.name(token, self.name(token));
            } else if kind == syntax.this {
                chain = Chain { value: Some(Expr::This(None)), ..Chain::default() };
            } else if !token.is_extra() {
                chain.punctuation(kind);
            }
            if begun && chain.value.is_none() {
                return Expr::Opaque;
            }
        }
        chain.value.unwrap_or(Expr::Opaque)
    }
}

/// Whether a body may bind names: it has blocks, closures or items outside of its strings.
fn binds(body: &str) -> bool {
    let mut bytes = body.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'|' | b'#' => return true,
            b'"' => loop {
                match bytes.next() {
                    Some(b'\\') => _ = bytes.next(),
                    Some(b'"') | None => break,
                    Some(_) => {}
                }
            },
            _ => {}
        }
    }
    false
}

/// The number of arguments between a token tree's delimiters.
fn arguments(tree: Node<'_>) -> Option<u8> {
    let mut count = 0u8;
    let mut open = false;
    let inside = children(tree).count().saturating_sub(2);
    for token in children(tree).skip(1).take(inside) {
        if token.kind() == "," {
            open = false;
        } else if !open && !token.is_extra() {
            open = true;
            count = count.checked_add(1)?;
        }
    }
    Some(count)
}
