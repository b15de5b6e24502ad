//! Two plain searchers to compare with: BM25 over whole files, and counting matches as grep does.

use super::bm25f::{Evidence, Scheme};
use super::lines::TermFinder;
use super::query::Term;
use super::{Citation, Query, Repository, Request};
use crate::resolve::FileId;
use crate::text::LineRange;

/// Files that a searcher gives.
const FILES: usize = 10;
/// Lines shown on both sides of a match.
const CONTEXT: u32 = 2;
/// Ranges of one file.
const RANGES: usize = 8;
/// The factor of a test.
const TEST: f32 = 0.5;

fn gather(repo: &dyn Repository, request: &Request) -> Evidence {
    let query = Query::new(&request.query, &request.keywords);
    let plain: Vec<Term> = query.terms.iter().map(|term| Term { weight: 1.0, ..term.clone() }).collect();
    Evidence::gather(repo.postings(), repo.graph().files().len(), &plain, &[])
}

/// The best files by score, then path.
fn best(repo: &dyn Repository, scores: &[f32]) -> Vec<FileId> {
    let graph = repo.graph();
    let score = |id: FileId| scores[id.0 as usize] * if graph.file(id).test { TEST } else { 1.0 };
    let source = |id: &FileId| graph.file(*id).language.is_some() && scores[id.0 as usize] > 0.0;
    let mut files: Vec<FileId> = graph.file_ids().filter(source).collect();
    files.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    files.truncate(FILES);
    files
}

fn cited(repo: &dyn Repository, file: FileId, lines: LineRange) -> Citation {
    Citation { path: repo.graph().file(file).path.clone(), lines, label: None }
}

/// Whole files by BM25 with its usual constants.
pub fn bm25(repo: &dyn Repository, request: &Request) -> Vec<Citation> {
    let evidence = gather(repo, request);
    let scheme = Scheme { weights: [1.0, 1.0, 0.0, 0.0, 3.0, 3.0], k1: 1.2, b: 0.75 };
    let scores = evidence.file_scores(repo.postings().chunks(), &scheme, |term| term.weight);
    let whole = |file: FileId| LineRange::new(1, repo.graph().file(file).lines.max(1));
    best(repo, &scores).into_iter().map(|file| cited(repo, file, whole(file))).collect()
}

/// The files that hold most of the query's words, with the lines that hold any.
pub fn grep(repo: &dyn Repository, request: &Request) -> Vec<Citation> {
    let evidence = gather(repo, request);
    let chunks = repo.postings().chunks();
    let mut scores = vec![0.0f32; repo.graph().files().len()];
    for term in &evidence.terms {
        let files = term.postings.iter().map(|posting| chunks[posting.chunk.0 as usize].file);
        let mut files: Vec<FileId> = files.collect();
        files.dedup();
        for file in files {
            scores[file.0 as usize] += 1.0;
        }
    }
    let finder = TermFinder::new(&evidence);
    let mut out = Vec::new();
    for file in best(repo, &scores) {
        let Some(source) = repo.read(file) else { continue };
        let hits = finder.read(&source);
        let mut ranges: Vec<LineRange> = Vec::new();
        for line in (1..=hits.line_count()).filter(|&line| !hits.on(line).is_empty()) {
            let end = (line + CONTEXT).min(hits.line_count());
            match ranges.last_mut() {
                Some(last) if line.saturating_sub(CONTEXT) <= last.end + 1 => last.end = end,
                _ => ranges.push(LineRange::new(line.saturating_sub(CONTEXT).max(1), end)),
            }
        }
        out.extend(ranges.into_iter().take(RANGES).map(|lines| cited(repo, file, lines)));
    }
    out
}
