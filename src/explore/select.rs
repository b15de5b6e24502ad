//! The lines worth citing: a small, ranked, disjoint set of ranges in the ranked files.

use super::bm25f::normalize;
use super::lines::{LineHits, TermFinder};
use super::rank::Ranking;
use super::signals::{self, RANGE_SIGNALS};
use super::{Citation, Knob, Repository, Tuning};
use crate::lexical::chunk_lines;
use crate::resolve::{EdgeKind, FileId, SymbolId};
use crate::text::{LineRange, notice_lines};

/// A range that may be cited.
#[derive(Clone, Debug)]
pub struct Piece {
    pub file: FileId,
    pub symbol: Option<SymbolId>,
    pub lines: LineRange,
    /// All lines of the chunk that the range is of.
    pub segments: Vec<LineRange>,
    pub signals: [f32; RANGE_SIGNALS.len()],
    pub score: f32,
}

/// The files to cite among those found: few where one stands out, more where the ranking is unsure.
pub fn cited_files(files: &[(FileId, f32)], tuning: &Tuning) -> Vec<(FileId, f32)> {
    let Some(&(_, best)) = files.first() else { return Vec::new() };
    let floor = best - tuning[Knob::FileGap];
    files.iter().copied().take(tuning[Knob::MaxFiles] as usize).filter(|(_, s)| *s >= floor).collect()
}

/// A window of a piece with what it is worth per line of its cost.
#[derive(Clone, Debug)]
struct Window {
    /// The file's place among those cited.
    rank: usize,
    file: FileId,
    symbol: Option<SymbolId>,
    lines: LineRange,
    value: f32,
}

/// Ranges of the ranked files by relevance: files in their order, in each file the best range first; and
/// ranges that are worth a citation only. `read` holds the files whose text was read, by file.
pub fn select(
    repo: &dyn Repository,
    ranking: &Ranking,
    tuning: &Tuning,
    files: &[(FileId, f32)],
    read: &[(FileId, LineHits)],
) -> (Vec<Citation>, Vec<Citation>) {
    let files = cited_files(files, tuning);
    let finder = TermFinder::new(&ranking.evidence);
    let best = files.first().map_or(0.0, |(_, score)| *score);
    let weight = |score: f32| (tuning[Knob::FileSharpness] * (score - best)).exp();
    let total: f32 = files.iter().map(|(_, score)| weight(*score)).sum();
    let mut windows: Vec<Window> = Vec::new();
    for (rank, &(file, score)) in files.iter().enumerate() {
        let Ok(at) = read.binary_search_by_key(&file, |(file, _)| *file) else { continue };
        let pieces = file_pieces(repo, ranking, &finder, tuning, file, &read[at].1);
        windows.extend(cut(repo, &pieces, &finder, &read[at].1, tuning, rank, weight(score) / total));
    }
    windows.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.file.cmp(&b.file)).then(a.lines.cmp(&b.lines)));
    let (main, rest) = fill(&windows, tuning);
    let cite = |windows: Vec<Window>| windows.iter().map(|window| citation(repo, window)).collect();
    (cite(main), cite(rest))
}

/// Chooses among windows in the order of their value: the main ones within the lines there are, in the order
/// of their files, then one for each other file and what else is worth a line.
fn fill(windows: &[Window], tuning: &Tuning) -> (Vec<Window>, Vec<Window>) {
    let main_files = tuning[Knob::MainFiles] as usize;
    let (max_ranges, max_lines) = (tuning[Knob::MaxRanges] as usize, tuning[Knob::MaxLines] as u32);
    let files = windows.iter().map(|window| window.rank + 1).max().unwrap_or(0);
    let mut taken = vec![false; windows.len()];
    let (mut count, mut lines) = (0, 0);
    // A file's best window is always cited, whatever the lines of better files cost.
    for rank in 0..files.min(main_files) {
        if let Some(at) = windows.iter().position(|window| window.rank == rank) {
            taken[at] = true;
            count += 1;
            lines += windows[at].lines.count();
        }
    }
    for (at, window) in windows.iter().enumerate() {
        let fits = count < max_ranges && lines + window.lines.count() <= max_lines;
        if !taken[at] && window.rank < main_files && fits {
            taken[at] = true;
            count += 1;
            lines += window.lines.count();
        }
    }
    let mut main: Vec<Window> = Vec::new();
    for rank in 0..files.min(main_files) {
        let chosen = windows.iter().zip(&taken).filter(|(window, taken)| **taken && window.rank == rank);
        main.extend(joined(chosen.map(|(window, _)| window.clone()).collect()));
    }
    let mut tail: Vec<Window> = Vec::new();
    for rank in main_files..files {
        tail.extend(windows.iter().find(|window| window.rank == rank).cloned());
    }
    let (mut left, mut lines) = (tuning[Knob::TailRanges] as usize, tuning[Knob::TailLines] as u32);
    for (window, taken) in windows.iter().zip(&taken) {
        if !taken && window.rank < main_files && left > 0 && window.lines.count() <= lines {
            left -= 1;
            lines -= window.lines.count();
            tail.push(window.clone());
        }
    }
    (main, tail)
}

/// The windows of one file with those that touch and are of one symbol made one, in the place of the better.
fn joined(mut windows: Vec<Window>) -> Vec<Window> {
    let touch = |a: &Window, b: &Window| {
        a.symbol == b.symbol && (a.lines.end + 1 == b.lines.start || b.lines.end + 1 == a.lines.start)
    };
    let pair = |windows: &[Window]| {
        let pairs = (0..windows.len()).flat_map(|a| (a + 1..windows.len()).map(move |b| (a, b)));
        pairs.into_iter().find(|&(a, b)| touch(&windows[a], &windows[b]))
    };
    while let Some((first, second)) = pair(&windows) {
        let other = windows.remove(second).lines;
        let lines = &mut windows[first].lines;
        *lines = LineRange::new(lines.start.min(other.start), lines.end.max(other.end));
    }
    windows
}

fn citation(repo: &dyn Repository, piece: &Window) -> Citation {
    let graph = repo.graph();
    Citation {
        path: graph.file(piece.file).path.clone(),
        lines: piece.lines,
        label: piece
            .symbol
            .map(|id| graph.symbol(id))
            .filter(|symbol| symbol.container.is_some())
            .map(|symbol| (symbol.qualified.to_string(), symbol.kind)),
    }
}

/// The pieces of one file: per chunk the lines to cite and their score.
pub fn file_pieces(
    repo: &dyn Repository,
    ranking: &Ranking,
    finder: &TermFinder<'_>,
    tuning: &Tuning,
    file: FileId,
    hits: &LineHits,
) -> Vec<Piece> {
    let graph = repo.graph();
    let chunks = repo.postings().chunks();
    let first = chunks.partition_point(|chunk| chunk.file < file);
    let shapes = chunk_lines(graph, file);
    let source = repo.read(file).filter(|_| graph.file(file).language.is_some());
    let notice = source.map_or(0, |source| notice_lines(&source.text));
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, mut shape) in shapes.into_iter().enumerate() {
        let id = first + at;
        shape.segments.retain_mut(|segment| {
            segment.start = segment.start.max(notice + 1);
            segment.start <= segment.end
        });
        let Some(chunk) = chunks.get(id).filter(|chunk| chunk.file == file) else { break };
        let function = chunk.symbol.is_some_and(|symbol| graph.symbol(symbol).kind.is_callable());
        let height = tuning[if function { Knob::MaxFunction } else { Knob::MaxLeftover }] as u32;
        let Some((lines, gain)) = shape
            .segments
            .iter()
            .filter(|segment| segment.end <= hits.line_count())
            .map(|&segment| finder.best_window(hits, segment, height))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
        else {
            continue;
        };
        let line = (lines.start..=lines.end).map(|line| finder.line_gain(hits, line)).fold(0.0f32, f32::max);
        let named = chunk.symbol.and_then(|symbol| ranking.named.get(&symbol)).copied().unwrap_or(0.0);
        let count: u32 = shape.segments.iter().map(|segment| segment.count()).sum();
        let mut row = [0.0; RANGE_SIGNALS.len()];
        row[signals::CHUNK] = ranking.chunks[id];
        row[signals::CHUNK_TITLE] = ranking.chunk_titles[id];
        row[signals::RANGE_WINDOW] = gain;
        row[signals::RANGE_LINE] = line;
        row[signals::RANGE_NAMED] = named.min(1.0);
        row[signals::LENGTH] = (1.0 + count as f32).ln() / 8.0;
        let symbol = chunk.symbol;
        pieces.push(Piece { file, symbol, lines, segments: shape.segments, signals: row, score: 0.0 });
    }
    for signal in [signals::CHUNK, signals::CHUNK_TITLE, signals::RANGE_WINDOW, signals::RANGE_LINE] {
        let mut column: Vec<f32> = pieces.iter().map(|piece| piece.signals[signal]).collect();
        normalize(&mut column);
        for (piece, value) in pieces.iter_mut().zip(column) {
            piece.signals[signal] = value;
        }
    }
    let score = |piece: &Piece| -> f32 {
        piece.signals.iter().zip(&tuning.range_signals).map(|(value, weight)| value * weight).sum()
    };
    for piece in &mut pieces {
        piece.score = score(piece);
    }
    if tuning[Knob::Graph] > 0.0 {
        neighbours(repo, &mut pieces);
        for piece in &mut pieces {
            piece.score = score(piece);
        }
    }
    let evidence = |piece: &Piece| {
        piece.signals.iter().enumerate().any(|(at, value)| at != signals::LENGTH && *value > 0.0)
    };
    pieces.retain(evidence);
    pieces
}

/// Gives each piece the score of the best piece of the file that it calls or is called by.
fn neighbours(repo: &dyn Repository, pieces: &mut [Piece]) {
    let graph = repo.graph();
    let mut gains = vec![0.0f32; pieces.len()];
    let by_symbol: Vec<(SymbolId, usize)> = {
        let mut all: Vec<_> =
            pieces.iter().enumerate().filter_map(|(at, piece)| Some((piece.symbol?, at))).collect();
        all.sort_unstable();
        all
    };
    let find = |symbol| by_symbol.binary_search_by_key(&symbol, |(symbol, _)| *symbol).ok();
    for &(symbol, at) in &by_symbol {
        for edge in graph.outgoing(symbol) {
            if matches!(edge.kind, EdgeKind::Contains | EdgeKind::Fills | EdgeKind::Invokes) {
                continue;
            }
            if let Some(to) = find(edge.to).map(|to| by_symbol[to].1).filter(|&to| to != at) {
                gains[to] = gains[to].max(pieces[at].score);
                gains[at] = gains[at].max(pieces[to].score);
            }
        }
    }
    for (piece, gain) in pieces.iter_mut().zip(gains) {
        piece.signals[signals::NEIGHBOUR] = gain;
    }
}

/// The windows of a file's pieces: a short chunk is one, of a tall one each part.
fn cut(
    repo: &dyn Repository,
    pieces: &[Piece],
    finder: &TermFinder<'_>,
    hits: &LineHits,
    tuning: &Tuning,
    rank: usize,
    file_weight: f32,
) -> Vec<Window> {
    let graph = repo.graph();
    let best = pieces.iter().map(|piece| piece.score).fold(0.0f32, f32::max);
    let weight = |score: f32| (tuning[Knob::ChunkSharpness] * (score - best)).exp();
    let total: f32 = pieces.iter().map(|piece| weight(piece.score)).sum();
    let mut out = Vec::new();
    for piece in pieces {
        let function = piece.symbol.is_some_and(|symbol| graph.symbol(symbol).kind.is_callable());
        let (whole, height) = if function {
            (tuning[Knob::MaxFunction] as u32, tuning[Knob::FunctionWindow] as u32)
        } else {
            (tuning[Knob::MaxLeftover] as u32, tuning[Knob::MaxLeftover] as u32)
        };
        let inside = piece.segments.iter().filter(|segment| segment.end <= hits.line_count());
        let parts: Vec<LineRange> = inside.flat_map(|&segment| parts(segment, whole, height)).collect();
        let worth = |part: &LineRange| -> f32 {
            let said: f32 = (part.start..=part.end).map(|line| finder.line_gain(hits, line)).sum();
            said + tuning[Knob::LineFloor] * part.count() as f32
        };
        let all: f32 = parts.iter().map(&worth).sum();
        for part in parts {
            let cost = (part.count().max(8) as f32).powf(tuning[Knob::CostPower]);
            let value = file_weight * weight(piece.score) / total * worth(&part) / all / cost;
            out.push(Window { rank, file: piece.file, symbol: piece.symbol, lines: part, value });
        }
    }
    out
}

/// A range as it is where it is not taller than `whole`, else in even parts of at most `height` lines.
fn parts(range: LineRange, whole: u32, height: u32) -> Vec<LineRange> {
    let lines = range.count();
    if lines <= whole.max(1) {
        return vec![range];
    }
    let count = lines.div_ceil(height.max(1));
    let step = lines.div_ceil(count);
    (range.start..=range.end)
        .step_by(step as usize)
        .map(|start| LineRange::new(start, (start + step - 1).min(range.end)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(rank: usize, start: u32, end: u32, value: f32) -> Window {
        let symbol = Some(SymbolId(rank as u32));
        Window { rank, file: FileId(rank as u32), symbol, lines: LineRange::new(start, end), value }
    }

    fn lines(windows: &[Window]) -> Vec<(usize, u32, u32)> {
        windows.iter().map(|w| (w.rank, w.lines.start, w.lines.end)).collect()
    }

    #[test]
    fn more_files_are_cited_where_the_ranking_is_unsure() {
        let tuning = Tuning::default();
        let files = |scores: &[f32]| -> usize {
            let files: Vec<_> = scores.iter().enumerate().map(|(at, &s)| (FileId(at as u32), s)).collect();
            cited_files(&files, &tuning).len()
        };
        assert_eq!(files(&[]), 0);
        assert_eq!(files(&[1.9, 0.9, 0.8]), 1);
        assert_eq!(files(&[1.2, 1.1, 1.0, 0.9, 0.1]), 4);
        assert_eq!(files(&[1.0; 30]), 10);
    }

    #[test]
    fn tall_ranges_are_cut_evenly() {
        let heights = |lines: u32, whole: u32, height: u32| -> Vec<u32> {
            parts(LineRange::new(11, 10 + lines), whole, height).iter().map(|part| part.count()).collect()
        };
        assert_eq!(heights(60, 60, 30), [60]);
        assert_eq!(heights(61, 60, 30), [21, 21, 19]);
        assert_eq!(heights(1, 0, 0), [1]);
        assert_eq!(parts(LineRange::new(5, 130), 60, 30).last().unwrap().end, 130);
    }

    #[test]
    fn windows_that_touch_are_one() {
        let one = joined(vec![window(0, 31, 60, 3.0), window(0, 90, 99, 2.0), window(0, 1, 30, 1.0)]);
        assert_eq!(lines(&one), [(0, 1, 60), (0, 90, 99)]);
        let bridged = joined(vec![window(0, 1, 10, 3.0), window(0, 21, 30, 2.0), window(0, 11, 20, 1.0)]);
        assert_eq!(lines(&bridged), [(0, 1, 30)]);
        let other = Window { symbol: None, ..window(0, 11, 20, 1.0) };
        assert_eq!(joined(vec![window(0, 1, 10, 2.0), other]).len(), 2);
    }

    #[test]
    fn each_file_is_cited_and_the_lines_go_to_the_best() {
        let mut tuning = Tuning::default();
        for (name, value) in [("cite.main_files", 2.0), ("cite.lines", 50.0), ("cite.tail_ranges", 1.0)] {
            tuning.set(name, value).unwrap();
        }
        let windows = [
            window(0, 1, 20, 9.0),
            window(0, 50, 60, 8.0),
            window(0, 100, 130, 7.0),
            window(1, 1, 10, 1.0),
            window(2, 5, 9, 0.5),
        ];
        let (main, tail) = fill(&windows, &tuning);
        assert_eq!(lines(&main), [(0, 1, 20), (0, 50, 60), (1, 1, 10)]);
        assert_eq!(lines(&tail), [(2, 5, 9), (0, 100, 130)]);
        assert_eq!(fill(&[], &tuning).0.len(), 0);
    }
}
