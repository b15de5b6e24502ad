//! Colours for a result on a terminal: headings stand out, line numbers stand back. The words are the same.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

const HEADING: Style = Style::new().bold();
const STEP: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// A text result with its colours.
pub fn painted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        match split(line) {
            (style, painted, rest) if !painted.is_empty() => {
                let _ = write!(out, "{style}{painted}{style:#}{rest}{end}");
            }
            _ => {
                let _ = write!(out, "{line}{end}");
            }
        }
    }
    out
}

/// The style of a line's beginning, that beginning, and the rest of the line.
fn split(line: &str) -> (Style, &str, &str) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    if digits > 0 && (rest.is_empty() || rest.starts_with('\t')) {
        return (QUIET, number, rest);
    }
    if digits > 0 && rest.starts_with(". ") {
        let end = line.find("  ").unwrap_or(line.len());
        return (STEP, &line[..end], &line[end..]);
    }
    if line.starts_with("#### ") || (line.ends_with(':') && !line.starts_with(' ')) {
        return (HEADING, line, "");
    }
    if line.starts_with("Note: ") {
        return (NOTE, line, "");
    }
    if line.starts_with("  ") || matches!(line, "<final_answer>" | "</final_answer>") {
        return (QUIET, line, "");
    }
    (HEADING, "", line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_painted_by_what_they_are() {
        let text = "Call flow:\n1. A.b  a.rs:1-2\n     calls, a.rs:2\n\n#### a.rs — A\n12\tlet x = \"1. a\";\n13\n\n\
                    Note: more.\n<final_answer>\na.rs:1-2  A.b (method)\n</final_answer>\n";
        let painted = painted(text);
        let bold = "\u{1b}[1m";
        assert!(painted.starts_with(&format!("{bold}Call flow:\u{1b}[0m\n")), "{painted:?}");
        assert!(painted.contains("\u{1b}[2m12\u{1b}[0m\tlet x = \"1. a\";\n"), "{painted:?}");
        assert!(painted.contains("A.b\u{1b}[0m  a.rs:1-2\n"), "{painted:?}");
        assert!(painted.contains("\na.rs:1-2  A.b (method)\n"), "{painted:?}");
        // Without the colours it is the same text.
        let mut plain = String::new();
        for (at, part) in painted.split('\u{1b}').enumerate() {
            plain += if at == 0 { part } else { part.split_once('m').unwrap().1 };
        }
        assert_eq!(plain, text);
    }
}
