//! One file from bytes to everything that the index keeps of it.

use std::sync::Arc;

use super::manifest;
use crate::extract::{FileFacts, extract};
use crate::files::{self, Entry, Files, SkipReason};
use crate::lang;
use crate::lexical::FileTerms;
use crate::resolve::{FileNode, ResolveInput};
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
    let (language, facts) = facts_of(path, &text);
    let lines = match &facts {
        Some(facts) if !facts.line_starts.is_empty() => LineIndex::known(&text, &facts.line_starts),
        _ => LineIndex::new(&text),
    };
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
    let facts = facts.map(|mut facts| {
        let blob = FactsBlob::encode(&facts);
        // The text index has them by now.
        facts.comments = Vec::new();
        facts.shrink();
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

/// The name of the path's language, and what the text says by itself.
pub fn facts_of(path: &RepoPath, text: &str) -> (Option<String>, Option<FileFacts>) {
    match lang::for_path(path) {
        Some(spec) => {
            let facts = (text.len() <= MAX_PARSE_BYTES).then(|| extract(spec, text));
            (Some(spec.name.to_owned()), facts)
        }
        None => (None, manifest::facts(path, text)),
    }
}

/// What all parsed files say, in order of path.
pub(super) type AllFacts = Vec<(RepoPath, Arc<FileFacts>)>;

pub(super) fn find<'f>(facts: &'f AllFacts, path: &RepoPath) -> Option<&'f FileFacts> {
    let at = facts.binary_search_by(|(other, _)| other.cmp(path)).ok()?;
    Some(&facts[at].1)
}

/// What resolution sees of all text files, which are in order of path, and of the facts that there are of
/// them.
pub(super) fn inputs<'f>(files: &'f [FileNode], facts: &'f AllFacts) -> Vec<ResolveInput<'f>> {
    let mut rest = facts.iter().peekable();
    let input = |file: &'f FileNode| {
        let spec = file.language.as_deref().and_then(lang::by_name);
        while rest.next_if(|(path, _)| *path < file.path).is_some() {}
        let own = rest.next_if(|(path, _)| *path == file.path).map(|(_, facts)| &**facts);
        ResolveInput { file, rules: spec.map(|spec| spec.resolution), facts: own }
    };
    files.iter().map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined() {
        let range = |start, end| LineRange::new(start, end);
        let given = [range(7, 9), range(1, 2), range(3, 3), range(8, 8)];
        assert_eq!(joined(given.into_iter()), [range(1, 3), range(7, 9)]);
    }
}
