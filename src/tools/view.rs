//! The index as exploration sees it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::limits;
use super::texts::Texts;
use crate::explore::{NameIndex, Repository, Source};
use crate::index::{Kept, Snapshot};
use crate::lexical::Postings;
use crate::render::StatusReport;
use crate::resolve::{FileId, Graph};
use crate::text::RepoPath;

/// One state of the repository, with what is derived from it once.
pub struct View {
    snapshot: Arc<Snapshot>,
    names: NameIndex,
    /// Files with parse errors, by path.
    broken: Vec<RepoPath>,
    texts: Texts,
}

impl View {
    /// What a view of an earlier state knows is not made again.
    pub fn new(snapshot: Arc<Snapshot>, before: Option<&View>) -> Self {
        let names = match before {
            Some(before) => before.names.again(&before.snapshot.graph, &snapshot.graph),
            None => NameIndex::new(&snapshot.graph),
        };
        let broken = snapshot.report.errors.iter().map(|(path, _)| path.clone()).collect();
        View { snapshot, names, broken, texts: Texts::default() }
    }

    /// Whether this is the view of that very snapshot.
    pub fn is_of(&self, snapshot: &Arc<Snapshot>) -> bool {
        Arc::ptr_eq(&self.snapshot, snapshot)
    }

    /// Whether part of the index turned out to be unreadable.
    pub fn is_damaged(&self) -> bool {
        self.snapshot.is_damaged()
    }

    pub fn broken(&self) -> &[RepoPath] {
        &self.broken
    }

    /// The text of a file as `read` gives it, kept for the calls after this one.
    fn kept(&self, file: FileId) -> Option<Arc<Source>> {
        self.texts.get(file, self.snapshot.settled(file), || self.read(file))
    }

    pub fn status(&self) -> StatusReport {
        let report = &self.snapshot.report;
        let unparsed = report.unparsed.iter().map(|path| (path.clone(), UNPARSED.to_owned()));
        // A name that is no path of a repository is still worth its reason: it stands for its folder.
        let skipped = report.skipped.iter().filter_map(|skipped| {
            let path = RepoPath::new(skipped.path.trim_matches('/'))?;
            Some((path, skipped.why.to_string()))
        });
        let mut skipped: Vec<(RepoPath, String)> = skipped.chain(unparsed).collect();
        skipped.sort();
        StatusReport {
            building: None,
            files: report.files,
            symbols: report.symbols,
            edges: report.edges,
            languages: report.languages.iter().map(|l| (l.name.clone(), l.files, l.symbols)).collect(),
            kinds: report.edge_kinds.iter().map(|(kind, n)| (kind.name().to_owned(), *n)).collect(),
            text_only: report.text_only.clone(),
            broken: self.broken.clone(),
            skipped,
            limits: limits(),
            kept: match &report.kept {
                Kept::Memory => "It is kept in memory: there is no cache folder.".to_owned(),
                Kept::Folder(_) => String::new(),
                Kept::Fallback(why) => format!("It is kept in memory, and built anew each time: {why}."),
            },
        }
    }
}

const UNPARSED: &str = "too large to parse; searched as text only";

impl Repository for View {
    fn graph(&self) -> &Graph {
        &self.snapshot.graph
    }

    fn names(&self) -> &NameIndex {
        &self.names
    }

    fn postings(&self) -> &dyn Postings {
        self.snapshot.postings()
    }

    fn read(&self, file: FileId) -> Option<Arc<Source>> {
        self.snapshot.read(file).map(|text| Arc::new(Source::new(text)))
    }
}

/// A view that reads each file once: for one call, so that all of it is from the same bytes.
pub struct Reading<'v> {
    view: &'v View,
    read: Mutex<BTreeMap<FileId, Option<Arc<Source>>>>,
    missed: AtomicBool,
}

impl<'v> Reading<'v> {
    pub fn new(view: &'v View) -> Self {
        Reading { view, read: Mutex::default(), missed: AtomicBool::new(false) }
    }

    /// Whether a file was not as the index knows it.
    pub fn has_missed(&self) -> bool {
        self.missed.load(Ordering::Relaxed)
    }

    fn noted(&self, source: Option<Arc<Source>>) -> Option<Arc<Source>> {
        self.missed.fetch_or(source.is_none(), Ordering::Relaxed);
        source
    }
}

impl Repository for Reading<'_> {
    fn graph(&self) -> &Graph {
        self.view.graph()
    }

    fn names(&self) -> &NameIndex {
        self.view.names()
    }

    fn postings(&self) -> &dyn Postings {
        self.view.postings()
    }

    fn read(&self, file: FileId) -> Option<Arc<Source>> {
        let known = |read: &BTreeMap<FileId, Option<Arc<Source>>>| read.get(&file).cloned();
        if let Some(source) = known(&self.read.lock().unwrap_or_else(PoisonError::into_inner)) {
            return source;
        }
        let source = self.noted(self.view.kept(file));
        // Of two threads that read at once the first counts for both.
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(file).or_insert(source).clone()
    }
}

/// What a call reads of a view and looks through once: it is kept neither for the call nor for those after it.
pub(super) struct Once<'r, 'v>(pub &'r Reading<'v>);

impl Repository for Once<'_, '_> {
    fn graph(&self) -> &Graph {
        self.0.graph()
    }

    fn names(&self) -> &NameIndex {
        self.0.names()
    }

    fn postings(&self) -> &dyn Postings {
        self.0.postings()
    }

    fn read(&self, file: FileId) -> Option<Arc<Source>> {
        self.0.noted(self.0.view.read(file))
    }
}
