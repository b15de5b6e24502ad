//! Parsing with a bound on work: a parser per thread and language, and a limit that depends on the text
//! alone, so that the same bytes give the same tree everywhere.

use std::{cell::RefCell, collections::BTreeMap, ops::ControlFlow};

use tree_sitter::{ParseOptions, Parser, Point, Range};

use super::{
    grammar::Grammar,
    reader::span,
    tree::{Node, Tree, children},
};
use crate::text::Span;

/// The parser reports progress every hundred operations. A clean parse needs about one operation for
/// each byte; error recovery may need many. Past this many reports for each byte, and a floor, the
/// parser has lost its way.
const REPORTS_PER_BYTE: usize = 2;
const REPORTS_FLOOR: usize = 100_000;

/// Brackets nested deeper than this are reported: what is in them may not be read. No program has them.
pub const MAX_NESTING: u32 = 10_000;

/// The spans of a text in which brackets are nested too deeply to be read in full.
pub(super) fn too_deep(text: &str) -> Vec<Span> {
    let (mut depth, mut start, mut spans) = (0u32, 0, Vec::new());
    let opens = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    if text.len() < 2 * MAX_NESTING as usize
        || text.as_bytes().iter().filter(|byte| opens(byte)).count() < MAX_NESTING as usize
    {
        return spans;
    }
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth == MAX_NESTING {
                    start = at as u32;
                }
            }
            b')' | b']' | b'}' if depth > 0 => {
                if depth == MAX_NESTING {
                    spans.push(Span::new(start, at as u32 + 1));
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    if depth >= MAX_NESTING {
        spans.push(Span::new(start, text.len() as u32));
    }
    spans
}

/// More expressions in strings open at once than this are not parsed where the grammar cannot bear it; its
/// scanner holds about 500.
pub const MAX_TEMPLATES: u32 = 200;

/// Whether more than `MAX_TEMPLATES` expressions in strings may be open at once.
fn too_many_templates(text: &str, open: &str) -> bool {
    let (mut depth, mut rest) = (0u32, text);
    while let Some(at) = rest.find([open.as_bytes()[0] as char, '}']) {
        if rest[at..].starts_with(open) {
            depth += 1;
            rest = &rest[at + open.len()..];
        } else {
            depth = depth.saturating_sub(u32::from(rest[at..].starts_with('}')));
            rest = &rest[at + 1..];
        }
        if depth > MAX_TEMPLATES {
            return true;
        }
    }
    false
}

/// Where a tree that has errors has them, for those that no query sees: a token that is missing and has no
/// node of its own. One place of them.
pub(super) fn unseen(tree: &Tree, text: &str) -> Option<Span> {
    let mut node = tree.root();
    if !node.has_error() {
        return None;
    }
    loop {
        if node.is_error() || node.is_missing() {
            return Some(span(node));
        }
        let Some(inner) = children(node).find(Node::has_error) else { break };
        node = inner;
    }
    // The end of a line is missing where two children stand in one line with no token between them. What is
    // missing before a closing token is only what a grammar asks for: languages do not.
    let mut before: Option<Node<'_>> = None;
    for child in children(node).filter(|child| !child.is_extra()) {
        if let Some(before) = before
            && before.is_named()
            && child.is_named()
            && text.get(before.end_byte()..child.start_byte()).is_some_and(|between| !between.contains('\n'))
        {
            let at = span(before).end;
            return Some(Span::new(at, at));
        }
        before = Some(child);
    }
    None
}

thread_local! {
    static PARSERS: RefCell<BTreeMap<&'static str, Parser>> = const { RefCell::new(BTreeMap::new()) };
}

/// The tree of a whole text; `None` where the bound was reached.
pub(super) fn whole(grammar: &'static Grammar, text: &str) -> Option<Tree> {
    parse(grammar, text, &[])
}

/// The tree of a part of a text, with the byte offsets of the whole. Rows and columns are the part's own.
pub(super) fn part(grammar: &'static Grammar, text: &str, part: Span) -> Option<Tree> {
    let read = part.of(text);
    let last = read.rfind('\n').map_or(0, |at| at + 1);
    let range = Range {
        start_byte: part.start as usize,
        end_byte: part.end as usize,
        start_point: Point::new(0, 0),
        // The parser's costs of errors are wrong, and it ends the process, where this is not the true end.
        end_point: Point::new(read.bytes().filter(|&byte| byte == b'\n').count(), read.len() - last),
    };
    parse(grammar, text.get(..part.end as usize)?, &[range])
}

fn parse(grammar: &'static Grammar, text: &str, ranges: &[Range]) -> Option<Tree> {
    let read = ranges.first().map_or(text, |range| &text[range.start_byte..]);
    if grammar.spec.syntax.recovery.fatal_template.is_some_and(|open| too_many_templates(read, open)) {
        return None;
    }
    PARSERS.with_borrow_mut(|parsers| {
        let parser = parsers.entry(grammar.spec.name).or_insert_with(|| {
            let mut parser = Parser::new();
            // An unusable language leaves the parser without one; every parse then gives no tree.
            let _ = parser.set_language(&grammar.language);
            parser
        });
        parser.set_included_ranges(ranges).ok()?;
        let bytes = text.as_bytes();
        let length = ranges.first().map_or(bytes.len(), |range| range.end_byte - range.start_byte);
        let mut left = REPORTS_FLOOR + REPORTS_PER_BYTE * length;
        let mut progress = |_: &tree_sitter::ParseState| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree =
            parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree.map(|tree| Tree::new(&grammar.kinds, &tree))
    })
}
