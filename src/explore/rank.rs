//! Files ranked for a question: the signals of the table, computed from postings, names and text.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::bm25f::{Evidence, Scheme, TermEvidence, normalize};
use super::lines::{LineHits, TermFinder, WINDOW};
use super::paths::named_paths;
use super::query::{Place, Query};
use super::signals::{self, SIGNALS};
use super::{Knob, NameIndex, Repository, Tuning, fold};
use crate::lexical::{Chunk, Field};
use crate::resolve::{FileId, FileNode, Graph, SymbolId};
use crate::text::{LineRange, RepoPath, is_test_support};

/// A name that more files define says nothing about where to look.
const MAX_FILES_PER_NAME: usize = 15;
/// A name that more test files define does not ask for them.
const MAX_NAMED_TESTS: usize = 3;

/// On code that is no test, where tests are asked for.
const NO_TEST: f32 = 0.25;

/// On a file that no path names, where paths are all that is asked for.
const NOT_ASKED_FOR: f32 = 0.2;

/// All that searching says about the files and chunks of a repository, for one query.
#[derive(Debug)]
pub struct Ranking {
    pub evidence: Evidence,
    /// By chunk: BM25F on all terms, the best is 1.
    pub chunks: Vec<f32>,
    /// By chunk: BM25F on the title's terms, the best is 1.
    pub chunk_titles: Vec<f32>,
    /// Symbols that the query's words name, with the weight of the best of them.
    pub named: BTreeMap<SymbolId, f32>,
    /// By file: the signals, in the order of the table.
    signals: Vec<[f32; SIGNALS.len()]>,
    /// By file: the factor on the sum; 0 leaves a file out.
    priors: Vec<f32>,
    weights: [f32; SIGNALS.len()],
}

impl Ranking {
    /// Searches: every signal that needs no text.
    pub fn new(repo: &dyn Repository, query: &Query, folder: &str, tuning: &Tuning) -> Self {
        let (chunk_scheme, file_scheme) = (Scheme::chunk(tuning), Scheme::file(tuning));
        let graph = repo.graph();
        let chunks = repo.postings().chunks();
        let files = graph.files().len();
        let evidence = Evidence::gather(repo.postings(), files, &query.terms, &query.title_terms);
        let texts = || {
            let score = |weight: fn(&TermEvidence) -> f32| {
                let mut scores = evidence.chunk_scores(chunks, &chunk_scheme, weight);
                weigh_tests(graph, chunks, query, tuning, &mut scores);
                scores
            };
            let (chunk_scores, chunk_titles) = (score(|term| term.weight), score(|term| term.title_weight));
            let mut best_chunk = vec![0.0f32; files];
            for (at, chunk) in chunks.iter().enumerate() {
                let best = &mut best_chunk[chunk.file.0 as usize];
                *best = best.max(chunk_scores[at]);
            }
            (chunk_scores, chunk_titles, best_chunk)
        };
        let fields = || {
            let whole = evidence.file_scores(chunks, &file_scheme, |term| term.weight);
            let title = evidence.file_scores(chunks, &file_scheme, |term| term.title_weight);
            let stem = evidence.path_scores(chunks, Field::Stem);
            (whole, title, stem, evidence.path_scores(chunks, Field::Directory))
        };
        let paths = || {
            let paths = named_paths(graph, query);
            (priors(repo, query, folder, tuning, &paths), paths, named_symbols(graph, repo.names(), query))
        };
        let (texts, (fields, paths)) = rayon::join(texts, || rayon::join(fields, paths));
        let (mut chunk_scores, mut chunk_titles, mut best_chunk) = texts;
        let (mut whole, mut title, mut stem, mut directory) = fields;
        let (priors, paths, (mut names, named)) = paths;
        let all = [&mut best_chunk, &mut whole, &mut title, &mut stem, &mut directory, &mut names];
        for scores in all {
            // The best file that can be an answer sets the scale.
            let likely =
                scores.iter().zip(&priors).filter(|(_, prior)| **prior >= 0.5).map(|(score, _)| *score);
            let best = likely.fold(0.0f32, f32::max);
            if best > 0.0 {
                scores.iter_mut().for_each(|score| *score = (*score / best).min(1.0));
            } else {
                normalize(scores);
            }
        }
        normalize(&mut chunk_scores);
        normalize(&mut chunk_titles);
        let signals = (0..files)
            .map(|at| {
                let mut row = [0.0; SIGNALS.len()];
                row[signals::BEST_CHUNK] = best_chunk[at];
                row[signals::WHOLE_FILE] = whole[at];
                row[signals::TITLE] = title[at];
                row[signals::STEM] = stem[at];
                row[signals::DIRECTORY] = directory[at];
                row[signals::SYMBOL_NAMES] = names[at];
                row[signals::NAMED_PATH] = paths[at];
                row[signals::SIZE] = (1.0 + graph.files()[at].lines as f32).ln() / 8.0;
                row
            })
            .collect();
        let weights = tuning.signals;
        Ranking { evidence, chunks: chunk_scores, chunk_titles, named, signals, priors, weights }
    }

    /// A file has evidence of its own: without any, its size alone would rank it.
    fn has_evidence(&self, at: usize) -> bool {
        let row = &self.signals[at];
        row.iter().enumerate().any(|(signal, value)| signal != signals::SIZE && *value > 0.0)
    }

    /// A file's signals and prior.
    pub fn signals(&self, file: FileId) -> (&[f32; SIGNALS.len()], f32) {
        (&self.signals[file.0 as usize], self.priors[file.0 as usize])
    }

    pub fn score(&self, file: FileId) -> f32 {
        let at = file.0 as usize;
        let sum: f32 = self.signals[at].iter().zip(&self.weights).map(|(value, weight)| value * weight).sum();
        sum * self.priors[at]
    }

    /// The best `limit` files by (score descending, path).
    pub fn top(&self, limit: usize) -> Vec<(FileId, f32)> {
        let mut files: Vec<(FileId, f32)> = (0..self.signals.len())
            .filter(|&at| self.priors[at] > 0.0 && self.has_evidence(at))
            .map(|at| (FileId(at as u32), self.score(FileId(at as u32))))
            .collect();
        // Files are numbered by path.
        files.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        files.truncate(limit);
        files
    }

    /// Reads files and adds the signal that needs their text. Gives what was read, by file, and the bytes of
    /// the best windows: what a reader of the candidates would see of them.
    pub fn read(
        &mut self,
        repo: &dyn Repository,
        files: &[(FileId, f32)],
    ) -> (Vec<(FileId, LineHits)>, usize) {
        let finder = TermFinder::new(&self.evidence);
        let read: Vec<(FileId, LineHits, f32, usize)> = files
            .par_iter()
            .filter_map(|&(file, _)| {
                let source = repo.read(file)?;
                let hits = finder.read(&source);
                let whole = LineRange::new(1, hits.line_count());
                let (window, gain) = finder.best_window(&hits, whole, WINDOW);
                let shown = source.lines.span_of(window);
                Some((file, hits, gain, (shown.end - shown.start) as usize))
            })
            .collect();
        let best = read.iter().map(|(_, _, gain, _)| *gain).fold(0.0f32, f32::max);
        let bytes = read.iter().map(|(_, _, _, bytes)| bytes).sum();
        for (file, _, gain, _) in &read {
            if best > 0.0 {
                self.signals[file.0 as usize][signals::PROXIMITY] = gain / best;
            }
        }
        let mut read: Vec<(FileId, LineHits)> =
            read.into_iter().map(|(file, hits, _, _)| (file, hits)).collect();
        read.sort_by_key(|(file, _)| *file);
        (read, bytes)
    }

    /// The terms on the lines of files, by file; what cannot be read as indexed is left out.
    pub fn lines(&self, repo: &dyn Repository, files: &BTreeSet<FileId>) -> Vec<(FileId, LineHits)> {
        let finder = TermFinder::new(&self.evidence);
        let lines = |&file: &FileId| Some((file, finder.read(repo.read(file)?.as_ref())));
        files.iter().filter_map(lines).collect()
    }
}

/// Lowers the scores of what is not asked for: tests among code, or code where tests are asked for.
fn weigh_tests(graph: &Graph, chunks: &[Chunk], query: &Query, tuning: &Tuning, scores: &mut [f32]) {
    for (chunk, score) in chunks.iter().zip(scores).filter(|(_, score)| **score != 0.0) {
        let test = chunk.symbol.is_some_and(|symbol| graph.symbol(symbol).test);
        match (test, graph.file(chunk.file).test) {
            (false, false) if query.asks_for_tests => *score *= NO_TEST,
            (true, false) if !query.wants_tests && !query.asks_for_tests => {
                *score *= tuning[Knob::PriorTestChunk];
            }
            _ => {}
        }
    }
}

/// By file: the factor on its score. `paths` says how far the query gives its path.
fn priors(repo: &dyn Repository, query: &Query, folder: &str, tuning: &Tuning, paths: &[f32]) -> Vec<f32> {
    let graph = repo.graph();
    let named_tests = named_tests(graph, repo.names(), query);
    let mut priors: Vec<f32> = Vec::with_capacity(named_tests.len());
    // Files are in the order of their paths: those of a folder stand together.
    let (mut directory, mut vendored) = ("", false);
    for (file, named) in graph.files().iter().zip(&named_tests) {
        if file.path.directory() != directory {
            directory = file.path.directory();
            vendored = is_vendored(directory);
        }
        let under = file.path.is_under(folder);
        priors.push(if under { prior(file, *named, vendored, query, tuning) } else { 0.0 });
    }
    if query.asks_for_tests {
        // Tests may stand in the file of what they test.
        let mut holds: Vec<bool> = graph.files().iter().map(|file| file.test).collect();
        graph.symbols().iter().filter(|symbol| symbol.test).for_each(|s| holds[s.file.0 as usize] = true);
        let others = priors.iter_mut().zip(&holds).filter(|(_, holds)| !**holds);
        others.for_each(|(prior, _)| *prior *= NO_TEST);
    }
    if query.only_paths && paths.iter().any(|named| *named > 0.0) {
        let others = priors.iter_mut().zip(paths).filter(|(_, named)| **named == 0.0);
        others.for_each(|(prior, _)| *prior *= NOT_ASKED_FOR);
    }
    priors
}

fn prior(file: &FileNode, named: bool, vendored: bool, query: &Query, tuning: &Tuning) -> f32 {
    let mut prior = 1.0;
    if file.language.is_none() {
        prior *= if signals::is_source_extension(file.path.extension()) {
            tuning[Knob::PriorNoGrammar]
        } else {
            tuning[Knob::PriorData]
        };
    }
    if file.test {
        let by_path = if query.asks_for_tests {
            1.0
        } else if query.wants_tests {
            tuning[Knob::PriorAskedTest]
        } else if is_test_support(&file.path) {
            tuning[Knob::PriorSupport]
        } else {
            tuning[Knob::PriorTest]
        };
        prior *= if named { by_path.max(tuning[Knob::PriorNamedTest]) } else { by_path };
    } else if is_build_script(&file.path) {
        prior *= tuning[Knob::PriorBuild];
    }
    if vendored {
        prior *= tuning[Knob::PriorVendored];
    }
    if file.generated {
        prior *= tuning[Knob::PriorGenerated];
    }
    prior
}

fn is_build_script(path: &RepoPath) -> bool {
    path.as_str().ends_with(".gradle.kts") || matches!(path.name(), "setup.py" | "build.rs")
}

/// A copy of somebody else's code, by the folder that holds it.
fn is_vendored(directory: &str) -> bool {
    let mut folders = directory.split('/').enumerate();
    folders.any(|(depth, folder)| match folder {
        "vendor" | "vendored" | "_vendor" | "third_party" | "thirdparty" | "extern" | "node_modules" => true,
        // At the top it is where a repository of several packages keeps its own.
        "packages" => depth > 0,
        _ => false,
    })
}

/// Whether a symbol is of a test; a library for tests is none.
fn is_test(graph: &Graph, id: SymbolId) -> bool {
    let file = graph.file(graph.symbol(id).file);
    graph.is_test(id) && !(file.test && is_test_support(&file.path))
}

/// By file: how far the query names symbols defined there; and the symbols.
fn named_symbols(graph: &Graph, names: &NameIndex, query: &Query) -> (Vec<f32>, BTreeMap<SymbolId, f32>) {
    let mut scores = vec![0.0f32; graph.files().len()];
    let mut named: BTreeMap<SymbolId, f32> = BTreeMap::new();
    for candidate in &query.names {
        let mut symbols: Vec<SymbolId> = names.find(&candidate.folded).collect();
        if let Some(singular) =
            candidate.folded.strip_suffix('s').filter(|s| s.len() > 2 && symbols.is_empty())
        {
            symbols.extend(names.find(singular));
        }
        symbols.retain(|&id| !is_test(graph, id));
        let mut files: Vec<FileId> = symbols.iter().map(|&id| graph.symbol(id).file).collect();
        files.sort_unstable();
        files.dedup();
        if files.is_empty() || files.len() > MAX_FILES_PER_NAME {
            continue;
        }
        let gain = candidate.weight / (files.len() as f32).sqrt();
        for file in files {
            scores[file.0 as usize] += gain;
        }
        for id in symbols {
            let best = named.entry(id).or_default();
            *best = best.max(gain);
        }
    }
    (scores, named)
}

/// By file: whether it is a test that alone defines what the title writes as code.
fn named_tests(graph: &Graph, names: &NameIndex, query: &Query) -> Vec<bool> {
    let mut named = vec![false; graph.files().len()];
    let titled = |place: Place| matches!(place, Place::Title | Place::Keyword);
    for mention in query.mentions.iter().filter(|mention| titled(mention.place)) {
        let Some(last) = mention.segments.last() else { continue };
        let symbols: Vec<SymbolId> = names.find(&fold(last)).collect();
        if symbols.iter().any(|&id| !is_test(graph, id)) {
            continue;
        }
        let mut files: Vec<FileId> = symbols.into_iter().map(|id| graph.symbol(id).file).collect();
        files.sort_unstable();
        files.dedup();
        if files.len() <= MAX_NAMED_TESTS {
            for file in files {
                named[file.0 as usize] = true;
            }
        }
    }
    named
}

/// Whether a symbol's name is exactly a word of the query, case aside.
pub fn is_named(name: &str, query: &Query) -> bool {
    let folded = fold(name);
    query.names.binary_search_by(|candidate| candidate.folded.as_str().cmp(&folded)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::testing_project::Project;
    use super::*;

    fn ranked(project: &Project, query: &str) -> Vec<String> {
        let query = Query::new(query, &[]);
        let ranking = Ranking::new(project, &query, "", &Tuning::default());
        let path = |(file, _): &(FileId, f32)| project.graph().file(*file).path.as_str().to_owned();
        ranking.top(10).iter().map(path).collect()
    }

    const POOL: &str = "class Pool:\n    def evict(self, entry):\n        self.entries.remove(entry)\n";
    const OTHER: &str = "def load(path):\n    return open(path).read()\n";

    #[test]
    fn production_stands_before_its_tests() {
        let project = Project::new(&[
            ("app/pool.py", POOL),
            ("app/other.py", OTHER),
            (
                "tests/test_pool.py",
                "def test_evict():\n    pool = Pool()\n    pool.evict(entry)\n    assert pool\n",
            ),
        ]);
        assert_eq!(ranked(&project, "pool does not evict an entry")[0], "app/pool.py");
        for asked in ["which tests check that the pool can evict", "test for the pool"] {
            assert_eq!(ranked(&project, asked)[0], "tests/test_pool.py", "{asked}");
        }
        // What only a test defines is meant by its name.
        assert_eq!(ranked(&project, "test_evict fails")[0], "tests/test_pool.py");
    }

    #[test]
    fn copies_and_build_scripts_stand_behind() {
        let project =
            Project::new(&[("app/third_party/pool.py", POOL), ("app/web/pool.py", POOL), ("setup.py", POOL)]);
        assert_eq!(ranked(&project, "pool evict entry")[0], "app/web/pool.py");
    }

    #[test]
    fn the_deepest_frame_counts_most() {
        let project = Project::new(&[("app/a.py", OTHER), ("app/b.py", OTHER), ("app/c.py", OTHER)]);
        let python =
            "It stops\n```\n  File \"x/app/a.py\", line 1, in f\n  File \"x/app/b.py\", line 2, in g\n```";
        assert_eq!(ranked(&project, python)[..2], ["app/b.py", "app/a.py"]);
        let first = "It stops\n```\nat app/c.py:2\nat app/a.py:1\n```";
        assert_eq!(ranked(&project, first)[..2], ["app/c.py", "app/a.py"]);
    }

    #[test]
    fn a_name_written_with_its_owner_means_the_member() {
        let project = Project::new(&[
            ("app/flow.py", "class Flow:\n    def size(self):\n        return 1\n"),
            ("app/ops.py", "def conflate(source):\n    return source\n"),
        ]);
        let query = Query::new("`Flow.conflate` is wrong", &[]);
        let weight = |name: &str| query.names.iter().find(|n| n.folded == name).unwrap().weight;
        assert!(weight("conflate") > weight("flow"));
        let ranking = Ranking::new(&project, &query, "", &Tuning::default());
        assert!(ranking.named.contains_key(&project.symbol("conflate")));
    }

    #[test]
    fn where_paths_alone_are_asked_for_other_files_count_little() {
        // `pool.py` and what it defines say "pool" more often than the file that is asked for.
        let project = Project::new(&[("app/pool.py", POOL), ("pool/main.py", OTHER)]);
        let score = |query: &str, path: &str| {
            let query = Query::new(query, &[]);
            Ranking::new(&project, &query, "", &Tuning::default()).score(project.file(path))
        };
        assert!(score("pool/main.py", "pool/main.py") > 2.0 * score("pool/main.py", "app/pool.py"));
        assert!(score("what is in pool/main.py", "app/pool.py") > score("pool/main.py", "app/pool.py"));
        // A path that no file has leaves all as they are.
        assert!(score("pool/none.py", "app/pool.py") > 2.0 * score("pool/main.py", "app/pool.py"));
    }

    #[test]
    fn a_signal_switched_off_adds_nothing() {
        let project = Project::new(&[("app/pool.py", POOL), ("app/other.py", OTHER)]);
        let query = Query::new("pool evict", &[]);
        let mut tuning = Tuning::default();
        for signal in SIGNALS {
            tuning.set(&format!("signal.{}", signal.name), 0.0).unwrap();
        }
        let file = project.file("app/pool.py");
        assert_eq!(Ranking::new(&project, &query, "", &tuning).score(file), 0.0);
        assert!(Ranking::new(&project, &query, "", &Tuning::default()).score(file) > 0.5);
        assert_eq!(Ranking::new(&project, &query, "docs", &Tuning::default()).score(file), 0.0);
    }
}
