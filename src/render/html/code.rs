//! The code of an answer in a page, and where each line of it is.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::page::{attribute, escape, reference};
use crate::explore::{SourceBlock, SourceForm, SourceLine, layout};
use crate::extract::{TokenKind, tokens};
use crate::lang;
use crate::text::RepoPath;

/// The lines that a page shows, each with the number of its file in the page.
pub struct Places<'a> {
    files: BTreeMap<&'a RepoPath, (usize, Vec<u32>)>,
}

impl<'a> Places<'a> {
    pub fn of(blocks: &'a [SourceBlock]) -> Self {
        let mut files: BTreeMap<&RepoPath, (usize, Vec<u32>)> = BTreeMap::new();
        for block in blocks {
            let next = files.len();
            let (_, lines) = files.entry(&block.path).or_insert((next, Vec::new()));
            lines.extend(block.lines.iter().map(|line| line.number));
        }
        files.values_mut().for_each(|(_, lines)| lines.sort_unstable());
        Places { files }
    }

    /// Where a range of lines is: its first line in the page, else its file.
    pub fn link(&self, path: &RepoPath, start: u32, end: u32) -> String {
        let shown = self.files.get(path).and_then(|(file, lines)| {
            let line = lines.get(lines.partition_point(|&line| line < start))?;
            (*line <= end).then(|| format!("#{}", id(*file, *line)))
        });
        shown.unwrap_or_else(|| format!("{}#L{start}", reference(path.as_str())))
    }

    fn file(&self, path: &RepoPath) -> usize {
        self.files.get(path).map_or(0, |(file, _)| *file)
    }
}

/// The id of a line.
fn id(file: usize, line: u32) -> String {
    format!("f{file}-{line}")
}

/// A block: folded where only its signatures are shown.
pub fn block(block: &SourceBlock, places: &Places<'_>) -> String {
    let open = if block.form == SourceForm::Code { " open" } else { "" };
    let mut out = format!("<details{open}><summary><b>{}</b>", breakable(&layout::path(&block.path)));
    if !block.symbols.is_empty() {
        let _ = write!(out, " {}", escape(&layout::one_line(&block.symbols.join(", "))));
    }
    if block.form == SourceForm::Skeleton {
        out += " <small>signatures only</small>";
    } else if !block.elided.is_empty() {
        let elided = layout::one_line(&block.elided.join(", ")).into_owned();
        let _ = write!(out, " <small>bodies left out: {}</small>", escape(&elided));
    }
    out += "</summary>\n<pre>";
    let file = places.file(&block.path);
    let mut last = None;
    for (line, code) in block.lines.iter().zip(coloured(block)) {
        if last.is_some_and(|last| line.number > last + 1) {
            out += "<span class=\"gap\">&#8943;</span>";
        }
        last = Some(line.number);
        let id = id(file, line.number);
        let id = attribute(&id);
        let number = line.number;
        let _ = write!(
            out,
            "<span class=\"row\" id=\"{id}\"><a class=\"number\" href=\"#{id}\">{number}</a>{code}\n</span>"
        );
    }
    out + "</pre>\n</details>\n"
}

/// A path that a narrow window breaks behind its folders rather than before it.
fn breakable(path: &str) -> String {
    escape(path).replace('/', "/<wbr>")
}

/// The lines of a block with their tokens marked. They are read as one text, so that a line is read as what the
/// lines around it make it.
fn coloured(block: &SourceBlock) -> Vec<String> {
    let Some(spec) = lang::for_path(&block.path) else {
        return block.lines.iter().map(|line| escape(&line.text).into_owned()).collect();
    };
    let texts: Vec<&str> = block.lines.iter().map(|line: &SourceLine| line.text.as_str()).collect();
    let text = texts.join("\n");
    let mut tokens = tokens(spec, &text).into_iter().peekable();
    let mut start = 0;
    let mut coloured = Vec::with_capacity(texts.len());
    for line in texts {
        let end = start + line.len();
        let mut out = String::new();
        let mut at = start;
        while let Some((span, kind)) = tokens.peek() {
            let (from, to) = (at.max(span.start as usize), end.min(span.end as usize));
            if from < to {
                let class = class(*kind);
                out += &escape(&text[at..from]);
                let _ = write!(out, "<span class=\"{class}\">{}</span>", escape(&text[from..to]));
                at = to;
            }
            // What goes on in the next line is needed again.
            if span.end as usize > end {
                break;
            }
            tokens.next();
        }
        out += &escape(&text[at..end]);
        coloured.push(out);
        start = end + 1;
    }
    coloured
}

fn class(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Comment => "c",
        TokenKind::Text => "s",
        TokenKind::Number => "n",
        TokenKind::Keyword => "k",
        TokenKind::Type => "t",
    }
}
