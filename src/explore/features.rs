//! What the ranking sees of each candidate: the values that weights are fitted on.

use serde::Serialize;

use super::lines::TermFinder;
use super::query::Query;
use super::rounds::rounds;
use super::select::file_pieces;
use super::trace::NoTrace;
use super::{Repository, Request};
use crate::text::LineRange;

/// A candidate file.
#[derive(Clone, Debug, Serialize)]
pub struct FileFeatures {
    pub path: String,
    pub score: f32,
    pub prior: f32,
    /// In the order of the table of signals.
    pub signals: Vec<f32>,
    /// Of the best files only.
    pub ranges: Vec<RangeFeatures>,
    /// Of the best files: the weight of the distinct query words on each line.
    pub lines: Vec<f32>,
}

/// A range that may be cited in a candidate file.
#[derive(Clone, Debug, Serialize)]
pub struct RangeFeatures {
    pub lines: [u32; 2],
    /// All lines of the chunk that it is of.
    pub segments: Vec<[u32; 2]>,
    pub symbol: String,
    pub kind: &'static str,
    pub score: f32,
    /// In the order of the table of range signals.
    pub signals: Vec<f32>,
}

/// Files whose ranges are given.
const WITH_RANGES: usize = 10;

/// The candidates of a request by (score descending, path), with what the ranking sees of them.
pub fn features(repo: &dyn Repository, request: &Request) -> Vec<FileFeatures> {
    let query = Query::with(&request.query, &request.keywords, &request.tuning);
    if query.is_empty() {
        return Vec::new();
    }
    let explored = rounds(repo, request, &query, &mut NoTrace);
    let graph = repo.graph();
    let finder = TermFinder::new(&explored.ranking.evidence);
    let pair = |lines: &LineRange| [lines.start, lines.end];
    let files = explored.files.iter().enumerate().map(|(nth, &(file, score))| {
        let (signals, prior) = explored.ranking.signals(file);
        let hits = explored.read.binary_search_by_key(&file, |(file, _)| *file).ok();
        let hits = hits.map(|at| &explored.read[at].1).filter(|_| nth < WITH_RANGES);
        let pieces =
            hits.map(|hits| file_pieces(repo, &explored.ranking, &finder, &request.tuning, file, hits));
        let ranges = pieces.unwrap_or_default().into_iter().map(|piece| {
            let symbol = piece.symbol.map(|id| graph.symbol(id));
            RangeFeatures {
                lines: pair(&piece.lines),
                segments: piece.segments.iter().map(pair).collect(),
                symbol: symbol.map_or(String::new(), |symbol| symbol.qualified.to_string()),
                kind: symbol.map_or("", |symbol| symbol.kind.name()),
                score: piece.score,
                signals: piece.signals.to_vec(),
            }
        });
        let lines = hits.map_or(Vec::new(), |hits| {
            (1..=hits.line_count()).map(|line| finder.line_gain(hits, line)).collect()
        });
        FileFeatures {
            path: graph.file(file).path.as_str().to_owned(),
            score,
            prior,
            signals: signals.to_vec(),
            ranges: ranges.collect(),
            lines,
        }
    });
    files.collect()
}
