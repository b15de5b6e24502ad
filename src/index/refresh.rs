//! One refresh after another: the state between them, and the steps of each.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering as Memory};

use rayon::ThreadPool;
use rayon::prelude::*;
use smol_str::SmolStr;

use super::IndexError;
use super::cache::{Access, Cache, CacheError, Opened};
use super::options::{IndexOptions, Part, Progress, Stage};
use super::parse::{self, AllFacts, Parsed};
use super::report::{Report, Work};
use super::seal::DatabaseSum;
use super::snapshot::Snapshot;
use crate::extract::FileFacts;
use crate::files::{Entry, Files, Listing, SkipReason, Stat};
use crate::lexical::{Reader, TextWriter};
use crate::resolve::{Edited, FileNode, Graph, Resolution, resolve, resolve_again};
use crate::store::{Change, FactsBlob, FileRow, StoreError};
use crate::text::RepoPath;

/// How often another process may change the index between two steps of one refresh.
const ATTEMPTS: u32 = 8;

/// What one refresh leaves for the next.
pub(super) struct State {
    cache: Cache,
    /// The files of one generation of the cache, by path; `None` before they are loaded.
    known: Option<Known>,
    /// A listing that differs in nothing from those files, for good.
    same: Option<Arc<Listing>>,
    /// The snapshot of that generation.
    snapshot: Option<Arc<Snapshot>>,
    work: Work,
}

struct Known {
    generation: u64,
    rows: Vec<FileRow>,
    /// What the next resolution goes on from; `None` where this process has made none yet.
    resolved: Option<Resolved>,
}

/// A resolution and the facts that it was made of.
struct Resolved {
    facts: AllFacts,
    resolution: Resolution,
}

/// How the listing differs from the files known.
#[derive(Default)]
struct Delta {
    /// New files, and those whose bytes have changed.
    read: Vec<Entry>,
    /// Files whose bytes are as before, with their new stats; indices into the known rows.
    touched: Vec<(usize, Option<Stat>)>,
    removed: Vec<RepoPath>,
    hashed: u32,
}

impl Delta {
    fn is_empty(&self) -> bool {
        self.read.is_empty() && self.touched.is_empty() && self.removed.is_empty()
    }
}

/// Why a refresh does not go on.
enum Stop {
    /// Another process has changed the index: start again from what is there now.
    Again(String),
    /// The index is damaged: start again from nothing.
    Damaged(String),
    /// The cache cannot be used.
    Cache(String),
    Cancelled,
}

impl From<CacheError> for Stop {
    fn from(error: CacheError) -> Self {
        match error {
            // Another process is about to build it anew.
            CacheError::Stale(why) => Stop::Again(why),
            CacheError::Damaged(why) => Stop::Damaged(why),
            CacheError::Failed(why) => Stop::Cache(why),
            CacheError::Cancelled => Stop::Cancelled,
        }
    }
}

/// One refresh.
struct Run<'a> {
    files: &'a Arc<dyn Files>,
    pool: &'a ThreadPool,
    progress: &'a dyn Progress,
    listing: Arc<Listing>,
    /// When the listing began.
    now: i64,
}

impl State {
    pub fn new(cache: Cache) -> Self {
        State { cache, known: None, same: None, snapshot: None, work: Work::default() }
    }

    pub fn work(&self) -> Work {
        self.work
    }

    pub fn refresh(
        &mut self,
        files: &Arc<dyn Files>,
        options: &IndexOptions,
        pool: &ThreadPool,
        progress: &dyn Progress,
    ) -> Result<Arc<Snapshot>, IndexError> {
        progress.stage(Stage::Listing);
        let now = (options.now)();
        let run = Run { files, pool, progress, listing: files.list()?, now };
        progress.listed(&run.listing);
        let mut attempts = 0;
        if self.snapshot.as_ref().is_some_and(|snapshot| snapshot.is_damaged()) {
            self.mend("its text cannot be read", progress)?;
        }
        loop {
            attempts += 1;
            // What is read from a damaged index may be anything.
            let attempt = catch_unwind(AssertUnwindSafe(|| self.attempt(&run)));
            let attempt = match attempt {
                Err(_) if attempts == 1 && self.cache.can_fall_back() => {
                    Err(Stop::Damaged("it cannot be read".into()))
                }
                Err(panic) => resume_unwind(panic),
                Ok(attempt) => attempt,
            };
            let why = match attempt {
                Ok(snapshot) => return Ok(snapshot),
                Err(Stop::Cancelled) => return Err(IndexError::Cancelled),
                Err(Stop::Again(why)) if attempts < ATTEMPTS => {
                    tracing::debug!(%why, "the index has changed under this refresh");
                    self.forget();
                    continue;
                }
                Err(Stop::Damaged(why)) if attempts < ATTEMPTS => match self.mend(&why, progress)? {
                    None => continue,
                    Some(why) => why,
                },
                Err(Stop::Again(why) | Stop::Damaged(why) | Stop::Cache(why)) => why,
            };
            if !self.cache.can_fall_back() {
                return Err(IndexError::Failed(why));
            }
            tracing::warn!(%why, "the cache cannot be used; the index is kept in memory");
            self.cache.fall_back(why);
            self.forget();
            attempts = 0;
        }
    }

    /// Empties a damaged cache; `Some` says why it cannot be emptied.
    fn mend(&mut self, why: &str, progress: &dyn Progress) -> Result<Option<String>, IndexError> {
        self.forget();
        self.cache.damaged(why);
        match self.cache.wipe(progress) {
            Ok(()) => Ok(None),
            Err(CacheError::Cancelled) => Err(IndexError::Cancelled),
            Err(error) => Ok(Some(error.to_string())),
        }
    }

    pub fn notices(&self) -> Vec<String> {
        self.cache.notices()
    }

    fn forget(&mut self) {
        self.known = None;
        self.same = None;
        self.snapshot = None;
    }

    fn attempt(&mut self, run: &Run<'_>) -> Result<Arc<Snapshot>, Stop> {
        if self.known.is_none() {
            self.known = Some(self.load(run)?);
        }
        let Some(known) = &mut self.known else { return Err(Stop::Again("not loaded".into())) };
        tracing::debug!("listed");
        let is_same = self.same.as_ref().is_some_and(|same| Arc::ptr_eq(same, &run.listing));
        let delta = if is_same { Delta::default() } else { run.compare(&known.rows)? };
        self.same = delta.is_empty().then(|| run.listing.clone());
        tracing::debug!("compared");
        self.work = Work {
            listed: run.listing.entries.len() as u32,
            hashed: delta.hashed,
            removed: delta.removed.len() as u32,
            ..Work::default()
        };
        for (at, stat) in &delta.touched {
            known.rows[*at].stat = *stat;
        }
        // An empty tree has a first generation too.
        if delta.read.is_empty() && delta.removed.is_empty() && known.generation > 0 {
            return self.unchanged(run, &delta);
        }
        self.change(run, &delta)
    }

    /// The files of the cache's generation. A damaged cache counts as an empty one.
    fn load(&mut self, run: &Run<'_>) -> Result<Known, Stop> {
        let opened = match self.cache.acquire(Access::Read, run.progress) {
            Err(CacheError::Stale(_) | CacheError::Damaged(_)) => {
                self.cache.acquire(Access::Write, run.progress)?
            }
            result => result?,
        };
        let known = Known {
            generation: opened.generation,
            rows: opened.store.files().map_err(CacheError::from)?,
            resolved: None,
        };
        self.cache.release(opened);
        Ok(known)
    }

    /// No bytes have changed: the snapshot of before, or the one in the cache.
    fn unchanged(&mut self, run: &Run<'_>, delta: &Delta) -> Result<Arc<Snapshot>, Stop> {
        let Some(known) = &self.known else { return Err(Stop::Again("not loaded".into())) };
        let settled: Vec<(RepoPath, Option<Stat>)> = delta
            .touched
            .iter()
            .filter(|(_, stat)| stat.is_some())
            .map(|(at, stat)| (known.rows[*at].path.clone(), *stat))
            .collect();
        if self.snapshot.is_some() && settled.is_empty() {
            return self.current(run);
        }
        let access = if settled.is_empty() { Access::Read } else { Access::Write };
        let mut opened = self.cache.acquire(access, run.progress)?;
        if opened.generation != known.generation {
            self.cache.release(opened);
            return Err(Stop::Again("another process has written".into()));
        }
        if !settled.is_empty() {
            self.cache.lift_seal(opened.is_sealed())?;
            opened.store.touch(&settled).map_err(CacheError::from)?;
            run.progress.wrote(Part::Graph);
            let begun = self.cache.begin_seal(opened.is_sealed())?;
            self.cache.seal(begun)?;
            run.progress.wrote(Part::Seal);
        }
        if self.snapshot.is_none() {
            let graph = Arc::new(opened.store.graph().map_err(CacheError::from)?);
            let postings = opened.text.reader(&graph, None).map_err(CacheError::from)?;
            let report = Report::new(&graph, &known.rows, &run.listing.skipped, self.cache.kept());
            self.snapshot = Some(snapshot(run, &opened, graph, report, postings));
        }
        self.cache.release(opened);
        self.current(run)
    }

    /// The snapshot, with the report of this run's listing where that passed over something else.
    fn current(&mut self, run: &Run<'_>) -> Result<Arc<Snapshot>, Stop> {
        let (Some(snapshot), Some(known)) = (&self.snapshot, &self.known) else {
            return Err(Stop::Again("not loaded".into()));
        };
        if snapshot.passed_over == run.listing.skipped {
            return Ok(snapshot.clone());
        }
        let report = Report::new(&snapshot.graph, &known.rows, &run.listing.skipped, self.cache.kept());
        let snapshot = Arc::new(Snapshot {
            report,
            passed_over: run.listing.skipped.clone(),
            graph: snapshot.graph.clone(),
            postings: snapshot.postings.clone(),
            files: snapshot.files.clone(),
            generation: snapshot.generation,
        });
        self.snapshot = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// Parses what has changed and writes the next generation.
    fn change(&mut self, run: &Run<'_>, delta: &Delta) -> Result<Arc<Snapshot>, Stop> {
        let Some(known) = &mut self.known else { return Err(Stop::Again("not loaded".into())) };
        let mut opened = self.cache.acquire(Access::Write, run.progress)?;
        if opened.generation != known.generation {
            self.cache.release(opened);
            return Err(Stop::Again("another process has written".into()));
        }
        // From here on, the loss of `opened` is the loss of an index in memory.
        let result = write(run, delta, known, &self.cache, &mut opened);
        let before = self.snapshot.as_ref().map(|snapshot| snapshot.postings.as_ref());
        let kept = self.cache.kept();
        let result = result.and_then(|mut written| {
            // The text of before is read, whatever the seal says.
            let Written { begun, rows, resolved, .. } = &mut written;
            let (begun, text, graph) = (begun.take(), &opened.text, &resolved.resolution.graph);
            let seal = || {
                let report = Report::new(graph, rows, &run.listing.skipped, kept);
                self.cache.seal(begun).map(|()| report)
            };
            let (sealed, postings) = run.pool.install(|| rayon::join(seal, || text.reader(graph, before)));
            let report = sealed?;
            Ok((written, report, postings))
        });
        let (Written { rows, resolved, parsed, .. }, report, postings) = match result {
            Ok(written) => written,
            // Nothing is written yet.
            Err(Stop::Cancelled) => {
                self.cache.release(opened);
                return Err(Stop::Cancelled);
            }
            Err(stop) => {
                self.forget();
                return Err(stop);
            }
        };
        run.progress.wrote(Part::Seal);
        self.work.read = delta.read.len() as u32;
        self.work.parsed = parsed;
        opened.generation += 1;
        let graph = resolved.resolution.graph.clone();
        let made = postings.map_err(CacheError::from);
        let made = made.map(|postings| snapshot(run, &opened, graph, report, postings));
        self.known = Some(Known { generation: opened.generation, rows, resolved: Some(resolved) });
        self.cache.release(opened);
        self.snapshot = Some(made?);
        tracing::debug!("sealed and read");
        self.current(run)
    }
}

fn snapshot(
    run: &Run<'_>,
    opened: &Opened,
    graph: Arc<Graph>,
    report: Report,
    postings: Reader,
) -> Arc<Snapshot> {
    Arc::new(Snapshot {
        graph,
        report,
        passed_over: run.listing.skipped.clone(),
        generation: opened.generation,
        postings: Arc::new(postings),
        files: run.files.clone(),
    })
}

/// What a write leaves.
struct Written {
    rows: Vec<FileRow>,
    resolved: Resolved,
    /// The number of files parsed.
    parsed: u32,
    /// The seal, as far as it is.
    begun: Option<DatabaseSum>,
}

/// Writes the next generation of both parts.
fn write(
    run: &Run<'_>,
    delta: &Delta,
    known: &mut Known,
    cache: &Cache,
    opened: &mut Opened,
) -> Result<Written, Stop> {
    run.progress.stage(Stage::Parsing);
    let sealed = opened.is_sealed();
    let writer = opened.text.writer(delta.read.len()).map_err(CacheError::from)?;
    tracing::debug!("text writer made");
    for path in &delta.removed {
        writer.remove(path);
    }
    let read = run.parse(&delta.read, known, &writer)?;
    let is_parsed = |row: &FileRow| row.text.as_ref().is_ok_and(|text| text.language.is_some());
    let parsed = read.iter().filter(|(row, facts)| facts.is_some() && is_parsed(row)).count() as u32;

    tracing::debug!("parsed");
    run.progress.stage(Stage::Resolving);
    let mut stored: Vec<(FileRow, Option<FactsBlob>)> = Vec::with_capacity(read.len());
    let mut new: AllFacts = Vec::new();
    for (row, parts) in read {
        let blob = parts.map(|(file, blob)| {
            new.push((row.path.clone(), Arc::new(file)));
            blob
        });
        stored.push((row, blob));
    }
    let gone: BTreeSet<&RepoPath> =
        delta.removed.iter().chain(delta.read.iter().map(|entry| &entry.path)).collect();
    let before = known.resolved.take();
    let old = match &before {
        Some(before) => before.facts.iter().filter(|(path, _)| !gone.contains(path)).cloned().collect(),
        None => run.load_facts(opened, &gone)?,
    };
    let mut facts: AllFacts = old;
    facts.extend(new);
    facts.sort_by(|a, b| a.0.cmp(&b.0));

    tracing::debug!("facts loaded");
    let kept = known.rows.iter().filter(|row| !gone.contains(&row.path));
    let mut rows: Vec<&FileRow> = kept.chain(stored.iter().map(|(row, _)| row)).collect();
    rows.sort_by(|a, b| a.path.cmp(&b.path));
    let files = nodes(&rows);
    let generation = opened.generation + 1;
    let store = &mut opened.store;
    let resolved = || -> Result<Resolution, Stop> {
        let inputs = parse::inputs(&files, &facts);
        let resolution = run.pool.install(|| match &before {
            None => resolve(&inputs),
            Some(before) => {
                let edited = gone.iter().map(|&path| Edited {
                    path,
                    before: parse::find(&before.facts, path),
                    after: parse::find(&facts, path),
                });
                resolve_again(&inputs, &before.resolution, &edited.collect::<Vec<_>>())
            }
        });
        tracing::debug!("resolved");
        if run.progress.cancelled() {
            return Err(Stop::Cancelled);
        }
        run.progress.stage(Stage::Writing);
        cache.lift_seal(sealed)?;
        Ok(resolution)
    };
    // Two parts of different generations have no seal either.
    let written = |resolution: Resolution| -> Result<(Resolution, Option<DatabaseSum>), Stop> {
        let change = Change {
            generation,
            read: &stored,
            removed: &delta.removed,
            graph: &resolution.graph,
            differing: resolution.differing.as_deref(),
        };
        store.write(&change).map_err(CacheError::from)?;
        run.progress.wrote(Part::Graph);
        tracing::debug!("graph written");
        Ok((resolution, cache.begin_seal(sealed)?))
    };
    match writer.commit(generation, resolved, written).map_err(CacheError::from)? {
        Err(Stop::Cancelled) => {
            known.resolved = before;
            Err(Stop::Cancelled)
        }
        Err(stop) => Err(stop),
        Ok((resolution, begun)) => {
            run.progress.wrote(Part::Text);
            tracing::debug!("text written");
            // It takes a while, for which nobody waits.
            run.pool.spawn(move || drop(before));
            let mut rows = std::mem::take(&mut known.rows);
            rows.retain(|row| !gone.contains(&row.path));
            rows.extend(stored.into_iter().map(|(row, _)| row));
            rows.sort_by(|a, b| a.path.cmp(&b.path));
            Ok(Written { rows, resolved: Resolved { facts, resolution }, parsed, begun })
        }
    }
}

/// The text files among the rows.
fn nodes(rows: &[&FileRow]) -> Vec<FileNode> {
    let node = |row: &&FileRow| {
        let text = row.text.as_ref().ok()?;
        Some(FileNode {
            path: row.path.clone(),
            hash: row.hash,
            lines: text.lines,
            language: text.language.as_deref().map(SmolStr::new),
            test: text.test,
            generated: text.generated,
        })
    };
    rows.iter().filter_map(node).collect()
}

type Facts = Option<(FileFacts, FactsBlob)>;

impl Run<'_> {
    /// The facts in the cache, but for those of files that are gone.
    fn load_facts(&self, opened: &Opened, gone: &BTreeSet<&RepoPath>) -> Result<AllFacts, Stop> {
        let cached = opened.store.facts().map_err(CacheError::from)?;
        let decoded: Result<AllFacts, StoreError> = self.pool.install(|| {
            let kept = cached.into_par_iter().filter(|(path, _)| !gone.contains(path));
            kept.map(|(path, blob)| Ok((path, Arc::new(blob.decode()?)))).collect()
        });
        Ok(decoded.map_err(CacheError::from)?)
    }

    /// Compares the listing with the files known, both by path.
    fn compare(&self, rows: &[FileRow]) -> Result<Delta, Stop> {
        let mut delta = Delta::default();
        let mut doubtful: Vec<(usize, &Entry)> = Vec::new();
        let mut entries = self.listing.entries.iter().peekable();
        for (at, row) in rows.iter().enumerate() {
            while let Some(entry) = entries.next_if(|entry| entry.path < row.path) {
                delta.read.push(entry.clone());
            }
            match entries.next_if(|entry| entry.path.cmp(&row.path) == Ordering::Equal) {
                None => delta.removed.push(row.path.clone()),
                Some(entry) if row.stat != Some(entry.stat) => doubtful.push((at, entry)),
                Some(_) => {}
            }
        }
        delta.read.extend(entries.cloned());
        let same = |(at, entry): &(usize, &Entry)| {
            if self.progress.cancelled() {
                return Err(Stop::Cancelled);
            }
            let row = &rows[*at];
            match (self.files.read(&entry.path), &row.text) {
                (Err(now), Err(before)) => Ok(now == *before),
                (Ok(bytes), _) => Ok(*blake3::hash(&bytes).as_bytes() == row.hash),
                (Err(_), Ok(_)) => Ok(false),
            }
        };
        let same: Result<Vec<bool>, Stop> = self.pool.install(|| doubtful.par_iter().map(same).collect());
        for ((at, entry), same) in doubtful.into_iter().zip(same?) {
            if same {
                delta.hashed += 1;
                // What could not be read may be readable next time without any sign of it.
                let unreadable = matches!(rows[at].text, Err(SkipReason::Unreadable(_)));
                delta.touched.push((at, if unreadable { None } else { self.settled(entry) }));
            } else {
                delta.read.push(entry.clone());
            }
        }
        delta.read.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(delta)
    }

    /// The stat by which the file is known from now on; `None` where its times are too young.
    fn settled(&self, entry: &Entry) -> Option<Stat> {
        entry.stat.is_settled(self.now).then_some(entry.stat)
    }

    /// Reads and parses files and puts their terms into the text index as they come.
    fn parse(
        &self,
        entries: &[Entry],
        known: &Known,
        writer: &TextWriter,
    ) -> Result<Vec<(FileRow, Facts)>, Stop> {
        let done = AtomicU32::new(0);
        let total = entries.len() as u32;
        let one = |entry: &Entry| -> Result<(FileRow, Facts), Stop> {
            if self.progress.cancelled() {
                return Err(Stop::Cancelled);
            }
            let Parsed { mut row, facts, terms } = parse::parse(self.files.as_ref(), entry);
            row.stat = row.stat.and_then(|_| self.settled(entry));
            if known.rows.binary_search_by(|row| row.path.cmp(&entry.path)).is_ok() {
                writer.remove(&entry.path);
            }
            if let Some(terms) = terms {
                writer.add(terms).map_err(CacheError::from)?;
            }
            self.progress.parsed(done.fetch_add(1, Memory::Relaxed) + 1, total);
            Ok((row, facts))
        };
        self.pool.install(|| entries.par_iter().map(one).collect())
    }
}
