//! One file from bytes to everything that the index keeps of it.

use crate::extract::FileFacts;
use crate::files::{self, Entry, Files, SkipReason};
use crate::lexical::FileTerms;
use crate::resolve::{FileNode, Graph};
use crate::store::{FactsBlob, FileRow, TextInfo};
use crate::text::{LineIndex, LineRange, RepoPath, is_test_path};

/// A larger file with a grammar is not parsed; its text is searchable.
pub const MAX_PARSE_BYTES: usize = 1 << 20;

/// A file that was read.
pub(super) struct Parsed {
    pub row: FileRow,
    /// `None` where the file is no text, has no grammar or is too large to parse.
    pub facts: Option<(FileFacts, FactsBlob)>,
    /// `None` where the file is no text.
    pub terms: Option<FileTerms>,
}

/// Reads and parses a file. What cannot be read or parsed is part of the result.
pub(super) fn parse(files: &dyn Files, entry: &Entry) -> Parsed {
    let path = &entry.path;
    let unread = |hash, why| Parsed {
        // What could not be read may be readable next time without any sign of it.
        row: FileRow {
            path: path.clone(),
            stat: (!matches!(why, SkipReason::Unreadable(_))).then_some(entry.stat),
            hash,
            text: Err(why),
        },
        facts: None,
        terms: None,
    };
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(why) => return unread([0; 32], why),
    };
    let hash = *blake3::hash(&bytes).as_bytes();
    let text = match files::decode(bytes) {
        Ok(text) => text,
        Err(why) => return unread(hash, why),
    };
    let lines = LineIndex::new(&text);
    let (language, facts) = facts_of(path, &text);
    let errors = facts.as_ref().map_or(&[][..], |facts| &facts.errors);
    let info = TextInfo {
        lines: lines.count(),
        language,
        test: is_test_path(path),
        generated: files::is_generated(path, &text),
        errors: joined(errors.iter().map(|&span| lines.lines(span))),
    };
    let none = FileFacts::default();
    let terms = FileTerms::new(path, &text, &lines, facts.as_ref().unwrap_or(&none));
    let facts = facts.map(|facts| {
        let blob = FactsBlob::encode(&facts);
        (facts, blob)
    });
    let row = FileRow { path: path.clone(), stat: Some(entry.stat), hash, text: Ok(info) };
    Parsed { row, facts, terms: Some(terms) }
}

/// Sorted ranges with overlapping and touching ones made one.
fn joined(ranges: impl Iterator<Item = LineRange>) -> Vec<LineRange> {
    let mut ranges: Vec<LineRange> = ranges.collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut out: Vec<LineRange> = Vec::new();
    for range in ranges {
        match out.last_mut() {
            Some(last) if range.start <= last.end + 1 => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// The name of the path's language and the facts of the text.
fn facts_of(_path: &RepoPath, _text: &str) -> (Option<String>, Option<FileFacts>) {
    (None, None)
}

/// The graph of all text files. `facts` are those of the parsed ones, by path.
pub(super) fn graph_of(files: Vec<FileNode>, _facts: Vec<(RepoPath, FileFacts)>) -> Graph {
    Graph::new(files, Vec::new(), Vec::new())
}
