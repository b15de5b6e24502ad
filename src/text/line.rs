//! Byte offsets to lines and back, for one text.

use super::{LineRange, Span};

/// Where each line of a text starts. A line ends after `\n`; `\r` belongs to its line.
/// A text that ends in `\n` has no empty last line; the empty text has one line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let inner = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1);
        let mut starts = vec![0];
        starts.extend(inner.filter(|&start| (start as usize) < text.len()));
        LineIndex { starts, len: text.len() as u32 }
    }

    /// That of a text whose lines are known to start there.
    pub fn known(text: &str, starts: &[u32]) -> Self {
        LineIndex { starts: starts.to_vec(), len: text.len() as u32 }
    }

    /// The offset at which each line starts.
    pub fn into_starts(self) -> Vec<u32> {
        self.starts
    }

    /// The offset at which each line starts; the first is 0.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The number of lines, at least 1.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The 1-based line that holds `offset`; an offset past the end is on the last line.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// The 1-based line and 0-based byte column of `offset`.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        (line, offset - self.starts[line as usize - 1])
    }

    /// The lines that `span` touches; a span that ends right after a line break ends on the line before.
    pub fn lines(&self, span: Span) -> LineRange {
        let last = if span.is_empty() { span.start } else { span.end - 1 };
        LineRange::new(self.line(span.start), self.line(last))
    }

    /// The bytes of a 1-based line, its line break included; empty past the last line.
    pub fn span(&self, line: u32) -> Span {
        let at = line as usize - 1;
        match self.starts.get(at) {
            None => Span::new(self.len, self.len),
            Some(&start) => Span::new(start, self.starts.get(at + 1).copied().unwrap_or(self.len)),
        }
    }

    /// The bytes from the first to the last line of `range`.
    pub fn span_of(&self, range: LineRange) -> Span {
        Span::new(self.span(range.start).start, self.span(range.end).end)
    }

    /// A 1-based line's text without its line break.
    pub fn text<'t>(&self, text: &'t str, line: u32) -> &'t str {
        self.span(line).of(text).trim_end_matches(['\n', '\r'])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = "a\r\nbc\n\nd";
        let lines = LineIndex::new(text);
        assert_eq!(lines.count(), 4);
        assert_eq!(lines.line_col(4), (2, 1));
        assert_eq!(lines.text(text, 1), "a");
        assert_eq!(lines.text(text, 3), "");
        assert_eq!(lines.text(text, 4), "d");
        assert_eq!(lines.text(text, 9), "");
        assert_eq!(lines.lines(Span::new(3, 6)), LineRange::new(2, 2));
        assert_eq!(lines.span_of(LineRange::new(2, 3)), Span::new(3, 7));
    }

    #[test]
    fn a_final_line_break_adds_no_line() {
        assert_eq!(LineIndex::new("").count(), 1);
        assert_eq!(LineIndex::new("a\n").count(), 1);
        assert_eq!(LineIndex::new("a\n").line(9), 1);
    }
}
