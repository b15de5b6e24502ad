//! What an index holds, in numbers, and what it does not hold, and why.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::files::Skipped;
use crate::resolve::{EdgeKind, Graph};
use crate::store::FileRow;
use crate::text::{LineRange, RepoPath};

/// What is in a snapshot. The same for the same files, but for `kept`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Text files.
    pub files: u32,
    pub symbols: u32,
    pub edges: u32,
    /// By name of the language.
    pub languages: Vec<LanguageCount>,
    /// Numbers of edges in the order of the kinds; kinds without an edge are left out.
    pub edge_kinds: Vec<(EdgeKind, u32)>,
    /// Extensions of text files without a grammar, and their number; by number, descending, then name.
    pub text_only: Vec<(String, u32)>,
    /// Files with lines that did not parse, by path.
    pub errors: Vec<(RepoPath, Vec<LineRange>)>,
    /// Files with a grammar that are too large to parse: searchable as text, by path.
    pub unparsed: Vec<RepoPath>,
    /// What is not indexed, and why, by path.
    pub skipped: Vec<Skipped>,
    pub kept: Kept,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageCount {
    pub name: String,
    pub files: u32,
    pub symbols: u32,
}

/// Where the index is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// In memory, because no cache folder was given.
    #[default]
    Memory,
    /// In this folder.
    Folder(PathBuf),
    /// In memory, because the cache folder cannot be used: why.
    Fallback(String),
}

/// What one refresh did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Files listed.
    pub listed: u32,
    /// Files read to see whether they have changed, and that had not.
    pub hashed: u32,
    /// Files read as new or changed.
    pub read: u32,
    /// Of those, files parsed.
    pub parsed: u32,
    /// Files of before that are no more.
    pub removed: u32,
}

impl Report {
    /// `rows` by path; `listed` are what the listing passed over.
    pub(super) fn new(graph: &Graph, rows: &[FileRow], listed: &[Skipped], kept: Kept) -> Self {
        let mut languages: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        let mut extensions: BTreeMap<&str, u32> = BTreeMap::new();
        let mut unparsed = Vec::new();
        for id in graph.file_ids() {
            let file = graph.file(id);
            let symbols = graph.symbols_in(id).count() as u32;
            match &file.language {
                Some(language) => {
                    let count = languages.entry(language).or_default();
                    *count = (count.0 + 1, count.1 + symbols);
                    if symbols == 0 {
                        unparsed.push(file.path.clone());
                    }
                }
                None => *extensions.entry(file.path.extension()).or_default() += 1,
            }
        }
        let mut counts = [0u32; EdgeKind::ALL.len()];
        graph.edges().iter().for_each(|edge| counts[edge.kind as usize] += 1);
        let kinds = EdgeKind::ALL.map(|kind| (kind, counts[kind as usize]));
        let kinds = kinds.into_iter().filter(|(_, count)| *count > 0);
        let mut text_only: Vec<(String, u32)> =
            extensions.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        text_only.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let broken = |row: &FileRow| {
            let text = row.text.as_ref().ok().filter(|text| !text.errors.is_empty())?;
            Some((row.path.clone(), text.errors.clone()))
        };
        let unread = |row: &FileRow| {
            let why = row.text.as_ref().err()?.clone();
            Some(Skipped { path: row.path.to_string(), why })
        };
        let mut skipped: Vec<Skipped> =
            rows.iter().filter_map(unread).chain(listed.iter().cloned()).collect();
        skipped.sort();
        Report {
            files: graph.files().len() as u32,
            symbols: graph.symbols().len() as u32,
            edges: graph.edges().len() as u32,
            languages: languages
                .into_iter()
                .map(|(name, (files, symbols))| LanguageCount { name: name.to_owned(), files, symbols })
                .collect(),
            edge_kinds: kinds.collect(),
            text_only,
            errors: rows.iter().filter_map(broken).collect(),
            unparsed,
            skipped,
            kept,
        }
    }
}
