//! Chunks: the units of search. Each line of a file belongs to its innermost function, type or module.
//!
//! What a function or type leaves over of its container's lines is the container's chunk. Chunks follow
//! from the lines of a file's symbols alone, so that indexing and answering cut a file alike.

use crate::resolve::{FileId, Graph, SymbolId, SymbolKind};
use crate::text::LineRange;

/// A constant, property or variable of this many lines is a chunk of its own.
const TALL_VALUE: u32 = 8;

/// The height of the chunks of a file without symbols.
const WINDOW: u32 = 60;

/// What chunking needs of a symbol.
#[derive(Clone, Copy, Debug)]
pub struct Outline {
    pub kind: SymbolKind,
    pub lines: LineRange,
    pub doc: Option<LineRange>,
}

/// The lines of one chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkLines<S> {
    /// Whose lines these are; `None` in a file without symbols.
    pub symbol: Option<S>,
    /// Ascending, disjoint, not adjacent; at least one.
    pub segments: Vec<LineRange>,
}

/// Cuts a file: `symbols` in the order of the graph (the module first), `lines` of the file. Symbols are
/// given back as positions in `symbols`; the chunks are in their order.
pub fn cut(symbols: &[Outline], lines: u32) -> Vec<ChunkLines<usize>> {
    if symbols.is_empty() {
        return (1..=lines)
            .step_by(WINDOW as usize)
            .map(|start| ChunkLines {
                symbol: None,
                segments: vec![LineRange::new(start, (start + WINDOW - 1).min(lines))],
            })
            .collect();
    }
    // Pre-order: an inner symbol comes later and takes its lines from the outer one.
    let mut owners = vec![0usize; lines as usize];
    for (at, symbol) in symbols.iter().enumerate().skip(1) {
        if !is_chunk(symbol) {
            continue;
        }
        let doc = symbol.doc.unwrap_or(symbol.lines);
        let start = doc.start.min(symbol.lines.start).max(1) as usize;
        let end = doc.end.max(symbol.lines.end).min(lines) as usize;
        if start <= end {
            owners[start - 1..end].fill(at);
        }
    }
    let mut segments: Vec<Vec<LineRange>> = vec![Vec::new(); symbols.len()];
    let mut line = 1;
    for same in owners.chunk_by(|a, b| a == b) {
        let end = line + same.len() as u32;
        segments[same[0]].push(LineRange::new(line, end - 1));
        line = end;
    }
    symbols
        .iter()
        .enumerate()
        .zip(segments)
        .filter_map(|((at, symbol), mut segments)| {
            if segments.is_empty() && at > 0 && is_chunk(symbol) {
                // A symbol whose lines all belong to later ones keeps its first line, to be found by name.
                segments.push(LineRange::new(symbol.lines.start.min(lines), symbol.lines.start.min(lines)));
            }
            (!segments.is_empty()).then_some(ChunkLines { symbol: Some(at), segments })
        })
        .collect()
}

fn is_chunk(symbol: &Outline) -> bool {
    symbol.kind.is_callable()
        || (symbol.kind.is_type() && symbol.kind != SymbolKind::TypeAlias)
        || symbol.kind == SymbolKind::Module
        || symbol.lines.count() >= TALL_VALUE
}

/// The chunks of a file of the graph, in the order in which the postings number them.
pub fn chunk_lines(graph: &Graph, file: FileId) -> Vec<ChunkLines<SymbolId>> {
    let ids: Vec<SymbolId> = graph.symbols_in(file).collect();
    let outlines: Vec<Outline> = ids
        .iter()
        .map(|&id| {
            let symbol = graph.symbol(id);
            Outline { kind: symbol.kind, lines: symbol.lines, doc: symbol.doc }
        })
        .collect();
    cut(&outlines, graph.file(file).lines)
        .into_iter()
        .map(|chunk| ChunkLines { symbol: chunk.symbol.map(|at| ids[at]), segments: chunk.segments })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(kind: SymbolKind, start: u32, end: u32) -> Outline {
        Outline { kind, lines: LineRange::new(start, end), doc: None }
    }

    #[test]
    fn lines_belong_to_the_innermost() {
        let symbols = [
            outline(SymbolKind::Module, 1, 12),
            outline(SymbolKind::Class, 2, 9),
            Outline { doc: Some(LineRange::new(4, 4)), ..outline(SymbolKind::Method, 5, 7) },
            outline(SymbolKind::Constant, 11, 11),
        ];
        let got: Vec<_> = cut(&symbols, 12)
            .into_iter()
            .map(|c| (c.symbol.unwrap(), c.segments.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>()))
            .collect();
        assert_eq!(got, [(0, vec![(1, 1), (10, 12)]), (1, vec![(2, 3), (8, 9)]), (2, vec![(4, 7)])]);
    }

    #[test]
    fn files_without_symbols_are_cut_into_windows() {
        let got: Vec<_> = cut(&[], 130).into_iter().map(|c| c.segments[0]).collect();
        assert_eq!(got, [LineRange::new(1, 60), LineRange::new(61, 120), LineRange::new(121, 130)]);
    }

    #[test]
    fn symbols_on_one_line_are_all_found() {
        let symbols = [
            outline(SymbolKind::Module, 1, 1),
            outline(SymbolKind::Function, 1, 1),
            outline(SymbolKind::Function, 1, 1),
        ];
        assert_eq!(cut(&symbols, 1).len(), 2);
    }
}
