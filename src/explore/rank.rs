//! Files ranked for a question: the signals of the table, computed from postings, names and text.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::bm25f::{CHUNK_SCHEME, Evidence, FILE_SCHEME, normalize};
use super::lines::{LineHits, TermFinder, WINDOW};
use super::query::{PathMention, Query};
use super::signals::{self, SIGNALS};
use super::{NameIndex, Repository, fold};
use crate::lexical::Field;
use crate::resolve::{FileId, FileNode, Graph, SymbolId};
use crate::text::LineRange;

/// A name that more files define says nothing about where to look.
const MAX_FILES_PER_NAME: usize = 15;

/// The factor of a test's chunk inside a production file.
const TEST_CHUNK_PRIOR: f32 = 0.3;

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
}

impl Ranking {
    /// Searches: every signal that needs no text.
    pub fn new(repo: &dyn Repository, query: &Query, folder: &str) -> Self {
        let graph = repo.graph();
        let chunks = repo.postings().chunks();
        let files = graph.files().len();
        let evidence = Evidence::gather(repo.postings(), files, &query.terms, &query.title_terms);
        let mut chunk_scores = evidence.chunk_scores(chunks, &CHUNK_SCHEME, |term| term.weight);
        let mut chunk_titles = evidence.chunk_scores(chunks, &CHUNK_SCHEME, |term| term.title_weight);
        if !query.wants_tests {
            for (at, chunk) in chunks.iter().enumerate() {
                let test = chunk.symbol.is_some_and(|symbol| graph.symbol(symbol).test);
                if test && !graph.file(chunk.file).test {
                    chunk_scores[at] *= TEST_CHUNK_PRIOR;
                    chunk_titles[at] *= TEST_CHUNK_PRIOR;
                }
            }
        }
        let mut best_chunk = vec![0.0f32; files];
        for (at, chunk) in chunks.iter().enumerate() {
            let best = &mut best_chunk[chunk.file.0 as usize];
            *best = best.max(chunk_scores[at]);
        }
        let mut whole = evidence.file_scores(chunks, &FILE_SCHEME, |term| term.weight);
        let mut title = evidence.file_scores(chunks, &FILE_SCHEME, |term| term.title_weight);
        let mut stem = evidence.path_scores(chunks, Field::Stem);
        let mut directory = evidence.path_scores(chunks, Field::Directory);
        let (mut names, named) = named_symbols(graph, repo.names(), query);
        let paths = named_paths(graph, query);
        let priors: Vec<f32> = graph.files().iter().map(|file| prior(file, query, folder)).collect();
        for scores in [&mut best_chunk, &mut whole, &mut title, &mut stem, &mut directory, &mut names] {
            // The best file that can be an answer sets the scale.
            for (score, prior) in scores.iter_mut().zip(&priors) {
                if *prior == 0.0 {
                    *score = 0.0;
                }
            }
            normalize(scores);
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
        Ranking { evidence, chunks: chunk_scores, chunk_titles, named, signals, priors }
    }

    /// A file has evidence of its own: without any, its size alone would rank it.
    fn has_evidence(&self, at: usize) -> bool {
        let row = &self.signals[at];
        row.iter().enumerate().any(|(signal, value)| signal != signals::SIZE && *value > 0.0)
    }

    pub fn score(&self, file: FileId) -> f32 {
        let at = file.0 as usize;
        let sum: f32 =
            self.signals[at].iter().zip(&SIGNALS).map(|(value, signal)| value * signal.weight).sum();
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

    /// Reads files and adds the signal that needs their text. Gives what was read, by file.
    pub fn read(&mut self, repo: &dyn Repository, files: &[(FileId, f32)]) -> Vec<(FileId, LineHits)> {
        let finder = TermFinder::new(&self.evidence);
        let read: Vec<(FileId, LineHits, f32)> = files
            .par_iter()
            .filter_map(|&(file, _)| {
                let source = repo.read(file)?;
                let hits = finder.read(&source);
                let whole = LineRange::new(1, hits.line_count());
                let (_, gain) = finder.best_window(&hits, whole, WINDOW);
                Some((file, hits, gain))
            })
            .collect();
        let best = read.iter().map(|(_, _, gain)| *gain).fold(0.0f32, f32::max);
        for (file, _, gain) in &read {
            if best > 0.0 {
                self.signals[file.0 as usize][signals::PROXIMITY] = gain / best;
            }
        }
        let mut read: Vec<(FileId, LineHits)> =
            read.into_iter().map(|(file, hits, _)| (file, hits)).collect();
        read.sort_by_key(|(file, _)| *file);
        read
    }
}

fn prior(file: &FileNode, query: &Query, folder: &str) -> f32 {
    if !file.path.is_under(folder) {
        return 0.0;
    }
    let mut prior = 1.0;
    if file.language.is_none() {
        prior *= if signals::is_source_extension(file.path.extension()) {
            signals::NO_GRAMMAR_PRIOR
        } else {
            signals::DATA_PRIOR
        };
    }
    if file.test && !query.wants_tests {
        prior *= signals::TEST_PRIOR;
    }
    if file.generated {
        prior *= signals::GENERATED_PRIOR;
    }
    prior
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
        symbols.retain(|&id| !graph.symbol(id).test && !graph.file(graph.symbol(id).file).test);
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

/// By file: whether the query gives its path (1), or a dotted module path or file name that few share.
fn named_paths(graph: &Graph, query: &Query) -> Vec<f32> {
    let mut scores = vec![0.0f32; graph.files().len()];
    let dotted = query.mentions.iter().filter(|mention| mention.segments.len() > 1).flat_map(|mention| {
        // `a.b.c` may be a module, or a member of module `a.b`.
        let all = mention.segments.join("/");
        let but_last = mention.segments[..mention.segments.len() - 1].join("/");
        let module = (mention.segments.len() > 2).then_some(but_last);
        [Some((all, true)), module.map(|path| (path, true))].into_iter().flatten()
    });
    let written = query.paths.iter().map(|PathMention { path, .. }| (path.clone(), false));
    let mut seen = Vec::new();
    for (path, module) in written.chain(dotted) {
        if seen.contains(&path) {
            continue;
        }
        let found = longest_suffix(graph, &path, module);
        if !found.is_empty() && found.len() <= 4 {
            for file in &found {
                let score = &mut scores[file.0 as usize];
                *score = score.max(1.0 / (found.len() as f32).sqrt());
            }
        }
        seen.push(path);
    }
    scores
}

/// The files whose path ends in `path` or, where none does, in a tail of it with at least two parts (a
/// stack frame's path begins on another machine); a plain file name must be the whole mention.
fn longest_suffix(graph: &Graph, path: &str, module: bool) -> Vec<FileId> {
    let mut tail = path;
    loop {
        let found: Vec<FileId> = graph
            .file_ids()
            .filter(|&id| {
                let file = graph.file(id).path.as_str();
                let file = if module { file.rsplit_once('.').map_or(file, |(stem, _)| stem) } else { file };
                file.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('/'))
            })
            .collect();
        if !found.is_empty() {
            return found;
        }
        match tail.split_once('/') {
            Some((_, rest)) if rest.contains('/') => tail = rest,
            _ => return Vec::new(),
        }
    }
}

/// Whether a symbol's name is exactly a word of the query, case aside.
pub fn is_named(name: &str, query: &Query) -> bool {
    let folded = fold(name);
    query.names.binary_search_by(|candidate| candidate.folded.as_str().cmp(&folded)).is_ok()
}
