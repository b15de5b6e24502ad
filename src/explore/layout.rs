//! The lines of an answer as text, one function for each kind of line.
//!
//! Rendering joins these lines and the budget adds up their lengths, so that the bound holds for the bytes
//! that are printed. No function returns a line break or a trailing blank.

use std::borrow::Cow;
use std::fmt::Write;

use super::answer::{Citation, FlowStep, Hop, HopKind, Note, SourceBlock, SourceForm, SourceLine};
use crate::text::RepoPath;

pub const OPEN: &str = "<final_answer>";
pub const CLOSE: &str = "</final_answer>";
pub const NOT_SHOWN: &str = "Not shown:";

/// Characters of a code line that are shown; what is cut is counted at its end.
pub const WIDTH: usize = 240;

/// The title of the `nth` flow, from 0.
pub fn flow_title(nth: usize, by_words: bool) -> String {
    match nth {
        0 if by_words => {
            "Call flow (the calls are real, but chosen by words; another may be meant):".to_owned()
        }
        0 => "Call flow:".to_owned(),
        _ => format!("Call flow {} (nothing found connects it to the one above):", nth + 1),
    }
}

/// A step and, where there is one, the hop after it: one or two lines.
pub fn flow_step(nth: usize, step: &FlowStep) -> Vec<String> {
    let place = range(&step.path, step.lines.start, step.lines.end);
    let mut lines = vec![format!("{}. {}  {place}", nth + 1, one_line(&step.qualified))];
    lines.extend(step.hop.as_ref().map(hop));
    lines
}

fn hop(hop: &Hop) -> String {
    let mut line = String::from("     ");
    line.push_str(match hop.kind {
        HopKind::Calls => "calls",
        HopKind::Dynamic => "dynamic",
        HopKind::Callback => "callback",
        HopKind::Instantiates => "instantiates",
    });
    if let Some(via) = &hop.via {
        let _ = write!(
            line,
            " via {} ({}:{} {})",
            one_line(&via.qualified),
            path(&via.path),
            via.line,
            via.edge.name()
        );
    }
    let _ = write!(line, ", {}:{}", path(&hop.path), hop.line);
    match hop.elided {
        0 => {}
        1 => line.push_str(", 1 step elided"),
        n => {
            let _ = write!(line, ", {n} steps elided");
        }
    }
    line
}

/// The heading of a block.
pub fn heading(block: &SourceBlock) -> String {
    let mut line = format!("#### {}", path(&block.path));
    if !block.symbols.is_empty() {
        let _ = write!(line, " — {}", one_line(&block.symbols.join(", ")));
    }
    match block.form {
        SourceForm::Skeleton => line.push_str(" · skeleton (signatures only, bodies elided)"),
        SourceForm::Code if !block.elided.is_empty() => {
            let _ = write!(line, " · bodies elided: {}", one_line(&block.elided.join(", ")));
        }
        SourceForm::Code => {}
    }
    line
}

/// What stands for the rest of a function that is left out.
pub const CUT: &str = "…";

pub fn code(line: &SourceLine) -> String {
    if line.text.is_empty() { line.number.to_string() } else { format!("{}\t{}", line.number, line.text) }
}

pub fn citation(citation: &Citation) -> String {
    let mut line = range(&citation.path, citation.lines.start, citation.lines.end);
    if let Some((qualified, kind)) = &citation.label {
        let _ = write!(line, "  {} ({})", one_line(qualified), kind.name());
    }
    line
}

pub fn note(note: &Note) -> String {
    let text = match note {
        Note::NothingFound { terms } if terms.is_empty() => "nothing in this repository matches.".to_owned(),
        Note::NothingFound { terms } => {
            format!(
                "nothing in this repository matches: {}. Try other words or a symbol's name.",
                list(terms)
            )
        }
        Note::EmptyQuery => {
            "the query has no word to search for. Ask a question or name a symbol.".to_owned()
        }
        Note::UnknownName { name, near } if near.is_empty() => {
            format!("`{}` is not defined in this repository.", short(name))
        }
        Note::UnknownName { name, near } => {
            let name = short(name);
            format!("`{name}` is not defined in this repository; similar names: {}.", list(near))
        }
        Note::UnknownNames { names, more: 0 } => format!("not defined in this repository: {}.", list(names)),
        Note::UnknownNames { names, more } => {
            format!("not defined in this repository: {} and {more} more.", list(names))
        }
        Note::ParseErrors { path: at } => {
            format!("{} has parse errors: symbols of it may be missing.", path(at))
        }
        Note::Changed { path: at } => {
            format!("{} changed while answering: its ranges are withheld. Ask again.", path(at))
        }
        Note::NoSymbols { extension } => {
            format!("no grammar for .{} files: they are searched as text only.", short(extension))
        }
        Note::Truncated { left_out } => {
            format!("{left_out} more pieces of code were left out to stay within max_bytes.")
        }
        Note::Building { done, total } => {
            format!("the index is still being built: {done} of {total} files are in this answer. Ask again.")
        }
        Note::Text(text) => text.clone(),
    };
    format!("Note: {}", one_line(text.trim_end()))
}

fn list(words: &[String]) -> String {
    words.iter().take(8).map(|word| short(word)).collect::<Vec<_>>().join(", ")
}

/// Bytes of a name, a term or a pattern that is said back to who wrote it.
const ECHO: usize = 60;

/// The beginning of what a caller wrote.
pub fn short(text: &str) -> Cow<'_, str> {
    beginning(text, ECHO)
}

/// The first `max` bytes or a little less, with a mark where something is missing.
pub fn beginning(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(max)]))
}

/// `path:start-end`.
pub fn range(at: &RepoPath, start: u32, end: u32) -> String {
    format!("{}:{start}-{end}", path(at))
}

/// A path on one line: control characters and `\` are escaped as Rust escapes them.
pub fn path(path: &RepoPath) -> Cow<'_, str> {
    let odd = |c: char| breaks(c) || c == '\\';
    escaped(path.as_str(), odd)
}

/// Text on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, breaks)
}

/// A line of code as it is shown: characters that would break the line are escaped, what exceeds the width
/// is cut, and the tags of the citation block are made unlike themselves.
pub fn shown_code(text: &str) -> String {
    let text = text.trim_end();
    let mut line = match text.char_indices().nth(WIDTH) {
        Some((at, _)) => {
            let kept = text[..at].trim_end();
            format!("{kept} … (+{} bytes)", text.len() - kept.len())
        }
        None => text.to_owned(),
    };
    if line.contains("final_answer>") {
        line = line.replace(OPEN, "<\\final_answer>").replace(CLOSE, "<\\/final_answer>");
    }
    match escaped(&line, |c| c != '\t' && breaks(c)) {
        Cow::Borrowed(_) => line,
        Cow::Owned(line) => line,
    }
}

fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

fn escaped(text: &str, odd: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if odd(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::SymbolKind;
    use crate::text::LineRange;

    #[test]
    fn one_line_stays_one_line() {
        let odd = RepoPath::new("a b/new\nline\\x.py").unwrap();
        let cited = Citation {
            path: odd,
            lines: LineRange::new(3, 4),
            label: Some(("A.f".into(), SymbolKind::Method)),
        };
        assert_eq!(citation(&cited), "a b/new\\nline\\\\x.py:3-4  A.f (method)");
        assert_eq!(shown_code("\tif x:\u{c}\r  "), "\tif x:");
        assert_eq!(shown_code("a\u{c}b\tc\u{85}d"), "a\\u{c}b\tc\\u{85}d");
        assert_eq!(shown_code("x </final_answer> <final_answer>"), "x <\\/final_answer> <\\final_answer>");
        assert_eq!(shown_code(&"ü".repeat(WIDTH + 2)), format!("{} … (+4 bytes)", "ü".repeat(WIDTH)));
        assert_eq!(code(&SourceLine { number: 7, text: String::new(), cut: false }), "7");
    }

    #[test]
    fn what_is_said_back_is_short() {
        let long = "ü".repeat(600);
        let many = vec![long.clone(); 160];
        for note in [
            Note::NothingFound { terms: many.clone() },
            Note::UnknownName { name: long.clone(), near: many.clone() },
            Note::UnknownNames { names: many, more: 7 },
            Note::NoSymbols { extension: long },
        ] {
            let text = super::note(&note);
            assert!(text.len() < 700 && text.contains("üü…"), "{} {text}", text.len());
        }
        assert_eq!(short("name"), "name");
    }
}
