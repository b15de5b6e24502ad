//! The lines worth citing: a small, ranked, disjoint set of ranges in the ranked files.

use super::bm25f::normalize;
use super::lines::{LineHits, TermFinder};
use super::rank::Ranking;
use super::{Citation, Repository};
use crate::lexical::chunk_lines;
use crate::resolve::{FileId, SymbolId};
use crate::text::LineRange;

/// Files whose score is below this share of the best are not cited.
pub const FILE_SHARE: f32 = 0.6;
/// The most files cited.
pub const MAX_FILES: usize = 5;
/// The most lines cited in all.
const MAX_LINES: u32 = 300;
/// The most ranges cited in all.
const MAX_RANGES: usize = 14;
/// A function up to this height is cited whole, of a taller one its best window.
const MAX_FUNCTION: u32 = 60;
/// The most lines of a class's or module's leftovers.
const MAX_LEFTOVER: u32 = 25;
/// How sharply better files and better chunks are preferred.
const FILE_SHARPNESS: f32 = 6.0;
const CHUNK_SHARPNESS: f32 = 5.0;

/// A range that may be cited.
#[derive(Debug)]
struct Piece {
    file: FileId,
    symbol: Option<SymbolId>,
    lines: LineRange,
    score: f32,
    value: f32,
}

/// Ranges of the ranked files by relevance: files in their order, in each file the best range first.
/// `read` holds the files whose text was read, by file.
pub fn select(
    repo: &dyn Repository,
    ranking: &Ranking,
    files: &[(FileId, f32)],
    read: &[(FileId, LineHits)],
) -> Vec<Citation> {
    let Some(&(_, best)) = files.first() else { return Vec::new() };
    let files: Vec<(FileId, f32)> =
        files.iter().copied().take(MAX_FILES).filter(|(_, score)| *score >= FILE_SHARE * best).collect();
    let finder = TermFinder::new(&ranking.evidence);
    let weight = |score: f32| (FILE_SHARPNESS * (score - best) / best.max(f32::MIN_POSITIVE)).exp();
    let total: f32 = files.iter().map(|(_, score)| weight(*score)).sum();
    let mut pieces = Vec::new();
    for &(file, score) in &files {
        let Ok(at) = read.binary_search_by_key(&file, |(file, _)| *file) else { continue };
        pieces.extend(file_pieces(repo, ranking, &finder, file, &read[at].1, weight(score) / total));
    }
    // A file's best piece is always cited, whatever the lines of better files cost.
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&pieces[a], &pieces[b]);
        b.value.total_cmp(&a.value).then(a.file.cmp(&b.file)).then(a.lines.cmp(&b.lines))
    });
    let mut chosen: Vec<usize> = Vec::new();
    let mut lines = 0;
    for &(file, _) in &files {
        if let Some(&first) = order.iter().find(|&&at| pieces[at].file == file) {
            lines += pieces[first].lines.count();
            chosen.push(first);
        }
    }
    for &at in &order {
        if chosen.contains(&at) {
            continue;
        }
        if chosen.len() >= MAX_RANGES || lines + pieces[at].lines.count() > MAX_LINES {
            continue;
        }
        lines += pieces[at].lines.count();
        chosen.push(at);
    }
    let mut out = Vec::new();
    for &(file, _) in &files {
        let mut of_file: Vec<&Piece> =
            chosen.iter().map(|&at| &pieces[at]).filter(|p| p.file == file).collect();
        of_file.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.lines.cmp(&b.lines)));
        for piece in of_file {
            out.push(citation(repo, piece));
        }
    }
    out
}

fn citation(repo: &dyn Repository, piece: &Piece) -> Citation {
    let graph = repo.graph();
    Citation {
        path: graph.file(piece.file).path.clone(),
        lines: piece.lines,
        label: piece
            .symbol
            .map(|id| graph.symbol(id))
            .filter(|symbol| symbol.container.is_some())
            .map(|symbol| (symbol.qualified.clone(), symbol.kind)),
    }
}

/// The pieces of one file: per chunk the lines to cite and their score, per line of cost their value.
fn file_pieces(
    repo: &dyn Repository,
    ranking: &Ranking,
    finder: &TermFinder<'_>,
    file: FileId,
    hits: &LineHits,
    file_weight: f32,
) -> Vec<Piece> {
    let graph = repo.graph();
    let chunks = repo.postings().chunks();
    let first = chunks.partition_point(|chunk| chunk.file < file);
    let shapes = chunk_lines(graph, file);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut scores: Vec<[f32; 4]> = Vec::new();
    for (at, shape) in shapes.iter().enumerate() {
        let Some(chunk) = chunks.get(first + at).filter(|chunk| chunk.file == file) else { break };
        let function = chunk.symbol.is_some_and(|symbol| graph.symbol(symbol).kind.is_callable());
        let height = if function { MAX_FUNCTION } else { MAX_LEFTOVER };
        let Some((lines, gain)) = shape
            .segments
            .iter()
            .filter(|segment| segment.end <= hits.line_count())
            .map(|&segment| finder.best_window(hits, segment, height))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
        else {
            continue;
        };
        let line = (lines.start..=lines.end)
            .map(|line| finder.gain(hits, LineRange::new(line, line)))
            .fold(0.0f32, f32::max);
        let named = chunk.symbol.and_then(|symbol| ranking.named.get(&symbol)).copied().unwrap_or(0.0);
        let id = first + at;
        if ranking.chunks[id] == 0.0 && gain == 0.0 && named == 0.0 {
            continue;
        }
        scores.push([ranking.chunks[id], ranking.chunk_titles[id], gain, line]);
        pieces.push(Piece { file, symbol: chunk.symbol, lines, score: 0.3 * named.min(1.0), value: 0.0 });
    }
    for (signal, weight) in [(0, 0.5), (1, 0.2), (2, 0.3), (3, 0.1)] {
        let mut column: Vec<f32> = scores.iter().map(|row| row[signal]).collect();
        normalize(&mut column);
        for (piece, value) in pieces.iter_mut().zip(column) {
            piece.score += weight * value;
        }
    }
    let best = pieces.iter().map(|piece| piece.score).fold(0.0f32, f32::max);
    let weight = |score: f32| (CHUNK_SHARPNESS * (score - best)).exp();
    let total: f32 = pieces.iter().map(|piece| weight(piece.score)).sum();
    for piece in &mut pieces {
        let cost = (piece.lines.count().max(8) as f32).powf(0.75);
        piece.value = file_weight * weight(piece.score) / total / cost;
    }
    pieces
}
