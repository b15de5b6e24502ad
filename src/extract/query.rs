//! `Query`: the patterns of a language's query, and what they find in a tree.
//!
//! The language of patterns is tree-sitter's, of which this reads what the queries here need: nodes and tokens,
//! `(_)`, `ERROR` and `MISSING`, fields and their absence, alternatives, anchors, `. (kind)*` without captures, and
//! the predicates of `Test`. A pattern finds all ways in which a node can match that differ in their captures. A
//! test compares this with tree-sitter's own engine, which looks at each node with all patterns that have begun
//! around it; here each node is asked for what may begin at it.

use regex::Regex;
use tree_sitter::Language;

use super::captures::Capture;
use super::tree::{Children, ERROR, Node, Tree, children};

/// What a node must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Is(u16),
    /// Any that has a name.
    Named,
    Missing,
}

/// One way in which a node can match.
#[derive(Debug)]
struct Step {
    kind: Kind,
    /// Fields that it must not have.
    without: Vec<u16>,
    /// Of the query's captures.
    captures: Vec<u16>,
    parts: Vec<Part>,
}

/// A node that a pattern asks for among the children of another.
#[derive(Debug)]
struct Part {
    field: u16,
    options: Vec<Step>,
    /// No named node stands between it and the one before it.
    adjoins: bool,
    /// No named node comes after it.
    last: bool,
    /// It may be there any number of times.
    many: bool,
    /// It, or what is in it, is captured.
    captures: bool,
}

/// A condition on the text of what is captured.
#[derive(Debug)]
struct Test {
    capture: u16,
    text: Wanted,
    /// The text must be so, or must not.
    holds: bool,
}

#[derive(Debug)]
enum Wanted {
    OneOf(Vec<String>),
    Match(Regex),
}

#[derive(Debug)]
struct Pattern {
    root: Part,
    tests: Vec<Test>,
    /// What the query sets for `name`.
    name: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct Query {
    patterns: Vec<Pattern>,
    /// By capture.
    captures: Vec<Capture>,
    /// The patterns that may begin at a node, with the option, by its kind; those of errors come last.
    starts: Vec<Vec<(u16, u16)>>,
    /// The patterns that begin at what is missing.
    missing: Vec<(u16, u16)>,
}

/// What one pattern found at one node.
pub(super) struct Found<'a, 't> {
    /// The number of the pattern.
    pub pattern: usize,
    /// What the query sets for `name`.
    pub name: Option<&'static str>,
    query: &'a Query,
    taken: &'a [Taken<'t>],
}

type Taken<'t> = (u16, Node<'t>);

impl<'t> Found<'_, 't> {
    pub(super) fn captures(&self) -> impl Iterator<Item = (Capture, Node<'t>)> {
        self.taken.iter().map(|(capture, node)| (self.query.captures[*capture as usize], *node))
    }
}

/// What is still to be matched: parts among some children, and then what is above them.
#[derive(Clone, Copy)]
struct Rest<'r, 't> {
    parts: &'r [Part],
    among: Children<'t>,
    above: Option<&'r Rest<'r, 't>>,
}

impl Query {
    /// # Errors
    /// What is wrong with the query.
    pub(super) fn new(language: &Language, text: &'static str) -> Result<Query, String> {
        let mut reading = Reading { language, tokens: tokens(text)?, at: 0, names: Vec::new() };
        let mut patterns = Vec::new();
        while reading.at < reading.tokens.len() {
            patterns.push(reading.pattern()?);
        }
        let capture = |name: &&str| Capture::named(name).ok_or_else(|| format!("unknown capture @{name}"));
        let captures = reading.names.iter().map(capture).collect::<Result<_, _>>()?;
        let kinds = language.node_kind_count();
        let (mut starts, mut missing) = (vec![Vec::new(); kinds + 1], Vec::new());
        for (pattern, at) in patterns.iter().zip(0u16..) {
            for (option, place) in pattern.root.options.iter().zip(0u16..) {
                match option.kind {
                    Kind::Is(kind) => starts[(kind as usize).min(kinds)].push((at, place)),
                    Kind::Missing => missing.push((at, place)),
                    Kind::Named => return Err("a pattern begins at any node".to_owned()),
                }
            }
        }
        Ok(Query { patterns, captures, starts, missing })
    }

    #[cfg(test)]
    pub(super) fn captures(&self) -> &[Capture] {
        &self.captures
    }

    /// Calls `found` for each match, in the order of the nodes at which patterns begin.
    pub(super) fn run<'t>(&self, tree: &'t Tree, text: &str, found: &mut dyn FnMut(&Found<'_, 't>)) {
        let mut taken = Vec::new();
        let errors = self.starts.len() - 1;
        for node in tree.nodes() {
            let missing = if node.is_missing() { &self.missing[..] } else { &[] };
            for &(at, option) in self.starts[(node.kind_id() as usize).min(errors)].iter().chain(missing) {
                let pattern = &self.patterns[at as usize];
                let root = &pattern.root.options[option as usize];
                if !fits(&pattern.root, root, node) {
                    continue;
                }
                taken.extend(root.captures.iter().map(|&capture| (capture, node)));
                let rest = Rest { parts: &root.parts, among: children(node), above: None };
                walk(Some(&rest), &mut taken, &mut |taken| {
                    if pattern.tests.iter().all(|test| test.passes(taken, text)) {
                        found(&Found { pattern: at.into(), name: pattern.name, query: self, taken });
                    }
                    false
                });
                taken.clear();
            }
        }
    }
}

fn fits(part: &Part, step: &Step, node: Node<'_>) -> bool {
    let kind = match step.kind {
        Kind::Is(kind) => node.kind_id() == kind,
        Kind::Named => node.is_named() && !node.is_error(),
        Kind::Missing => node.is_missing(),
    };
    kind && (part.field == 0 || part.field == node.field_id())
        && step.without.iter().all(|&field| node.child_by_field_id(field).is_none())
        && !(part.last
            && std::iter::successors(node.next_sibling(), Node::next_sibling).any(|node| node.is_named()))
}

/// Goes through the ways to match; `found` says whether one suffices, and so does the result.
fn walk<'t>(
    rest: Option<&Rest<'_, 't>>,
    taken: &mut Vec<Taken<'t>>,
    found: &mut dyn FnMut(&[Taken<'t>]) -> bool,
) -> bool {
    let Some(rest) = rest else { return found(taken) };
    let Some((part, parts)) = rest.parts.split_first() else { return walk(rest.above, taken, found) };
    if part.many && walk(Some(&Rest { parts, ..*rest }), taken, found) {
        return true;
    }
    let parts = if part.many { rest.parts } else { parts };
    let mut among = rest.among;
    while let Some(node) = among.next() {
        for step in part.options.iter().filter(|step| fits(part, step, node)) {
            let after = Rest { parts, among, above: rest.above };
            let inner = Rest { parts: &step.parts, among: children(node), above: None };
            if part.captures {
                let before = taken.len();
                taken.extend(step.captures.iter().map(|&capture| (capture, node)));
                if walk(Some(&Rest { above: Some(&after), ..inner }), taken, found) {
                    return true;
                }
                taken.truncate(before);
            } else if walk(Some(&inner), &mut Vec::new(), &mut |_| true) {
                if walk(Some(&after), taken, found) {
                    return true;
                }
                // What comes after another one comes after this one, too.
                if !parts.first().is_some_and(|next| next.adjoins) {
                    return false;
                }
                break;
            }
        }
        if part.adjoins && node.is_named() {
            break;
        }
    }
    false
}

impl Test {
    fn passes(&self, taken: &[Taken<'_>], text: &str) -> bool {
        let mut nodes = taken.iter().filter(|(capture, _)| *capture == self.capture);
        nodes.all(|(_, node)| {
            let text = text.get(node.byte_range()).unwrap_or("");
            self.holds
                == match &self.text {
                    Wanted::OneOf(all) => all.iter().any(|one| one == text),
                    Wanted::Match(pattern) => pattern.is_match(text),
                }
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A bracket or another mark.
    Mark(char),
    /// What stands between quotes, as it is written.
    Text(&'static str),
    Capture(&'static str),
    Predicate(&'static str),
    Word(&'static str),
    Field(&'static str),
}

fn tokens(text: &'static str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!');
    while let Some(first) = rest.chars().next() {
        let mut length = 1;
        match first {
            ';' => length = rest.find('\n').unwrap_or(rest.len()),
            '(' | ')' | '[' | ']' | '.' | '!' | '*' => found.push(Token::Mark(first)),
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|c| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                let end = end.ok_or("a text has no end")? + 1;
                found.push(Token::Text(&rest[1..end]));
                length = end + 1;
            }
            '@' | '#' => {
                length += rest[1..].find(|c| !is_word(c) && c != '.').unwrap_or(rest.len() - 1);
                let name = &rest[1..length];
                found.push(if first == '@' { Token::Capture(name) } else { Token::Predicate(name) });
            }
            _ if is_word(first) => {
                length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                let field = rest[length..].starts_with(':');
                let word = &rest[..length];
                found.push(if field { Token::Field(word) } else { Token::Word(word) });
                length += usize::from(field);
            }
            other => return Err(format!("{other} has no meaning")),
        }
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

fn unescaped(written: &str) -> String {
    let mut text = String::new();
    let mut chars = written.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            c => text.push(c),
        }
    }
    text
}

/// A query's text on its way to patterns.
struct Reading<'l> {
    language: &'l Language,
    tokens: Vec<Token>,
    at: usize,
    names: Vec<&'static str>,
}

impl Reading<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Result<Token, String> {
        let token = self.peek().ok_or("the query ends too soon")?;
        self.at += 1;
        Ok(token)
    }

    /// Whether the next token is a mark, which is passed by then.
    fn passes(&mut self, mark: char) -> bool {
        let is = self.peek() == Some(Token::Mark(mark));
        self.at += usize::from(is);
        is
    }

    fn capture(&mut self, name: &'static str) -> u16 {
        let known = self.names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }) as u16
    }

    fn pattern(&mut self) -> Result<Pattern, String> {
        let (mut tests, mut name) = (Vec::new(), None);
        let next = self.tokens.get(self.at + 1);
        let grouped = self.peek() == Some(Token::Mark('('))
            && matches!(next, Some(Token::Mark('(' | '[') | Token::Text(_)));
        self.at += usize::from(grouped);
        let root = self.part(&mut tests, &mut name)?;
        if root.many {
            return Err("what may be there many times stands anywhere".to_owned());
        }
        if grouped {
            while !self.passes(')') {
                self.predicate(&mut tests, &mut name)?;
            }
        }
        Ok(Pattern { root, tests, name })
    }

    fn part(&mut self, tests: &mut Vec<Test>, name: &mut Option<&'static str>) -> Result<Part, String> {
        let mut field = 0;
        if let Some(Token::Field(word)) = self.peek() {
            field = self.field(word)?;
            self.at += 1;
        }
        let mut options = Vec::new();
        if self.passes('[') {
            while !self.passes(']') {
                options.push(self.step(tests, name)?);
            }
        } else {
            options.push(self.step(tests, name)?);
        }
        let many = self.passes('*');
        while let Some(Token::Capture(word)) = self.peek() {
            self.at += 1;
            let capture = self.capture(word);
            options.iter_mut().for_each(|option| option.captures.push(capture));
        }
        let captures = options
            .iter()
            .any(|option| !option.captures.is_empty() || option.parts.iter().any(|part| part.captures));
        if many && captures {
            return Err("what may be there many times is captured".to_owned());
        }
        Ok(Part { field, options, adjoins: false, last: false, many, captures })
    }

    fn step(&mut self, tests: &mut Vec<Test>, name: &mut Option<&'static str>) -> Result<Step, String> {
        let mut step =
            Step { kind: Kind::Named, without: Vec::new(), captures: Vec::new(), parts: Vec::new() };
        match self.next()? {
            Token::Text(written) => step.kind = self.kind(&unescaped(written), false)?,
            Token::Mark('(') => {
                step.kind = match self.next()? {
                    Token::Word("_") => Kind::Named,
                    Token::Word("ERROR") => Kind::Is(ERROR),
                    Token::Word("MISSING") => Kind::Missing,
                    Token::Word(word) => self.kind(word, true)?,
                    other => return Err(format!("{other:?} is no kind")),
                };
                self.parts(&mut step, tests, name)?;
            }
            other => return Err(format!("{other:?} is no node")),
        }
        while let Some(Token::Capture(word)) = self.peek() {
            self.at += 1;
            step.captures.push(self.capture(word));
        }
        Ok(step)
    }

    /// What stands in the brackets of a node after its kind.
    fn parts(
        &mut self,
        step: &mut Step,
        tests: &mut Vec<Test>,
        name: &mut Option<&'static str>,
    ) -> Result<(), String> {
        let mut anchor = false;
        while !self.passes(')') {
            if self.passes('.') {
                anchor = true;
            } else if self.passes('!') {
                match self.next()? {
                    Token::Word(word) => step.without.push(self.field(word)?),
                    other => return Err(format!("{other:?} is no field")),
                }
            } else if let (Some(Token::Mark('(')), Some(Token::Predicate(_))) =
                (self.peek(), self.tokens.get(self.at + 1))
            {
                self.predicate(tests, name)?;
            } else {
                let part = Part { adjoins: std::mem::take(&mut anchor), ..self.part(tests, name)? };
                if part.many && !part.adjoins {
                    return Err("what may be there many times stands anywhere".to_owned());
                }
                step.parts.push(part);
            }
        }
        if let Some(part) = step.parts.last_mut() {
            part.last = anchor;
        }
        Ok(())
    }

    fn kind(&self, name: &str, named: bool) -> Result<Kind, String> {
        match self.language.id_for_node_kind(name, named) {
            0 => Err(format!("the grammar has no {name}")),
            id if self.language.node_kind_is_supertype(id) => Err(format!("{name} stands for other kinds")),
            id => Ok(Kind::Is(id)),
        }
    }

    fn field(&self, name: &str) -> Result<u16, String> {
        let field = self.language.field_id_for_name(name);
        field.map(|field| field.get()).ok_or_else(|| format!("the grammar has no field {name}"))
    }

    fn predicate(&mut self, tests: &mut Vec<Test>, name: &mut Option<&'static str>) -> Result<(), String> {
        let (Token::Mark('('), Token::Predicate(word)) = (self.next()?, self.next()?) else {
            return Err("a group holds more than one node".to_owned());
        };
        if word == "set!" {
            let (Token::Word("name"), Token::Text(text)) = (self.next()?, self.next()?) else {
                return Err("only a name is set".to_owned());
            };
            *name = Some(text);
            return self.passes(')').then_some(()).ok_or_else(|| "a name is all that is set".to_owned());
        }
        let Token::Capture(capture) = self.next()? else {
            return Err(format!("#{word} is about a capture"));
        };
        let mut texts = Vec::new();
        while !self.passes(')') {
            match self.next()? {
                Token::Text(text) => texts.push(unescaped(text)),
                other => return Err(format!("#{word} compares with texts, not {other:?}")),
            }
        }
        let (text, holds) = match (word, &texts[..]) {
            ("eq?" | "any-of?", _) => (Wanted::OneOf(texts), true),
            ("not-eq?", _) => (Wanted::OneOf(texts), false),
            ("match?" | "not-match?", [pattern]) => {
                let pattern = Regex::new(pattern).map_err(|error| error.to_string())?;
                (Wanted::Match(pattern), word == "match?")
            }
            _ => return Err(format!("#{word} has no meaning")),
        };
        tests.push(Test { capture: self.capture(capture), text, holds });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_meaning_is_refused() {
        let language = tree_sitter_go::LANGUAGE.into();
        let refused = |text| Query::new(&language, text).map(|_| ()).unwrap_err();
        assert_eq!(refused("(nothing) @scope"), "the grammar has no nothing");
        assert_eq!(refused("(block nothing: (_)) @scope"), "the grammar has no field nothing");
        assert_eq!(refused("(block) @scop"), "unknown capture @scop");
        assert_eq!(refused("(_) @scope"), "a pattern begins at any node");
        assert_eq!(refused("(_expression) @scope"), "_expression stands for other kinds");
        assert_eq!(refused("(block . (comment)* @comment)"), "what may be there many times is captured");
        assert_eq!(refused("(block (comment)* . (block))"), "what may be there many times stands anywhere");
        assert_eq!(refused("(block _ @scope)"), "Word(\"_\") is no node");
        assert_eq!(refused("((block) @scope (#is? @scope \"\"))"), "#is? has no meaning");
        assert_eq!(refused("((block) (block))"), "a group holds more than one node");
        assert_eq!(refused("(block) @scope)"), "Mark(')') is no node");
        assert_eq!(refused("(block"), "the query ends too soon");
        assert_eq!(refused("(block (comment)+)"), "+ has no meaning");
    }
}
