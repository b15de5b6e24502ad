//! Postings read from tantivy, exact for the live documents.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tantivy::index::SegmentId;
use tantivy::postings::Postings as _;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Searcher, SegmentReader, TERMINATED, Term};

use super::stored::{Columns, LexicalError};
use super::{Chunk, ChunkId, FIELDS, Posting, Postings, Statistics};
use crate::resolve::{FileId, Graph, SymbolId};

/// A deleted document in the table of a segment.
const DEAD: u32 = u32::MAX;

/// So many postings of the terms that were asked for last are kept. A call asks for each of its terms several
/// times, and the calls of one reader for the same words.
const KEPT_POSTINGS: usize = 1 << 18;

/// One commit of the inverted index, numbered as one graph is.
pub struct Reader {
    searcher: Searcher,
    columns: Columns,
    chunks: Vec<Chunk>,
    statistics: OnceLock<Arc<Statistics>>,
    segments: Vec<Arc<SegmentDocs>>,
    /// For each segment: the chunk of each document, or `DEAD`.
    numbers: Vec<Vec<u32>>,
    kept: Mutex<Kept>,
    /// Something could not be read since.
    damaged: AtomicBool,
}

/// The postings of terms that were asked for.
#[derive(Default)]
struct Kept {
    by_term: HashMap<String, Arc<[Posting]>>,
    postings: usize,
}

impl Kept {
    fn add(&mut self, term: &str, postings: &Arc<[Posting]>) {
        // A term that nothing holds takes room, too.
        let room = postings.len() + 1;
        if self.postings + room > KEPT_POSTINGS {
            *self = Kept::default();
        }
        if room <= KEPT_POSTINGS && self.by_term.insert(term.to_owned(), postings.clone()).is_none() {
            self.postings += room;
        }
    }
}

/// What the documents of a segment are, by path. It never changes; documents can only die.
struct SegmentDocs {
    id: SegmentId,
    files: Vec<(String, Vec<Document>)>,
}

#[derive(Clone, Copy)]
struct Document {
    doc: u32,
    place: u32,
    symbol: u32,
    lengths: [u32; FIELDS],
}

/// A live document on its way to a number.
struct Found {
    file: FileId,
    segment: u32,
    document: Document,
}

impl Reader {
    /// `before` is a reader of an earlier commit.
    pub(super) fn open(
        searcher: Searcher,
        columns: Columns,
        graph: &Graph,
        before: Option<&Reader>,
    ) -> Result<Self, LexicalError> {
        let mut found = Vec::new();
        let mut numbers = Vec::new();
        let mut segments = Vec::new();
        for (at, segment) in searcher.segment_readers().iter().enumerate() {
            let known = before.and_then(|before| {
                before.segments.iter().find(|known| known.id == segment.segment_id()).cloned()
            });
            let docs = match known {
                Some(known) => known,
                None => Arc::new(read_segment(segment, columns)?),
            };
            find_live(segment, at as u32, &docs, graph, &mut found)?;
            numbers.push(vec![DEAD; segment.max_doc() as usize]);
            segments.push(docs);
        }
        // The documents of a segment are in order of path already: runs, which this sort joins.
        found.sort_by_key(|found| (found.file, found.document.place));
        let mut chunks: Vec<Chunk> = Vec::with_capacity(found.len());
        let mut next = (FileId(0), 0);
        // The first of a file's symbols, and their number.
        let symbols = |file| {
            let first = graph.symbols_in(file).next().map_or(0, |first| first.0);
            (first, graph.symbols_of(file).len() as u32)
        };
        let mut own = (0, 0);
        for Found { file, segment, document: doc } in found {
            if chunks.last().is_some_and(|last| last.file != file) {
                next = (FileId(next.0.0 + 1), 0);
            }
            if doc.place == 0 {
                own = symbols(file);
            }
            if next != (file, doc.place) {
                return Err(inconsistent(graph, next.0, "its chunks are incomplete"));
            }
            next.1 += 1;
            let symbol = match doc.symbol.checked_sub(1) {
                None => None,
                Some(at) if at < own.1 => Some(SymbolId(own.0 + at)),
                Some(_) => return Err(inconsistent(graph, file, "it has a chunk of an unknown symbol")),
            };
            numbers[segment as usize][doc.doc as usize] = chunks.len() as u32;
            chunks.push(Chunk { file, symbol, lengths: doc.lengths });
        }
        let files = chunks.last().map_or(0, |last| last.file.0 as usize + 1);
        if files != graph.files().len() {
            return Err(inconsistent(graph, FileId(files as u32), "it is missing"));
        }
        let (kept, damaged) = (Mutex::default(), AtomicBool::new(false));
        let statistics = OnceLock::new();
        Ok(Reader { searcher, columns, chunks, statistics, segments, numbers, kept, damaged })
    }

    /// Whether some postings could not be read, so that they were missing.
    pub fn is_damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Chunk, field and count in one number, so that they sort quickly.
    fn collect(&self, term: &str, out: &mut Vec<u64>) -> Result<(), LexicalError> {
        for (segment, numbers) in self.searcher.segment_readers().iter().zip(&self.numbers) {
            for (field, &column) in self.columns.terms.iter().enumerate() {
                let inverted = segment.inverted_index(column)?;
                let term = Term::from_field_text(column, term);
                let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else {
                    continue;
                };
                while postings.doc() != TERMINATED {
                    let chunk = numbers[postings.doc() as usize];
                    if chunk != DEAD {
                        let count = u64::from(postings.term_freq().min(u16::MAX.into()));
                        out.push(u64::from(chunk) << 32 | (field as u64) << 16 | count);
                    }
                    postings.advance();
                }
            }
        }
        Ok(())
    }
}

fn inconsistent(graph: &Graph, file: FileId, what: &str) -> LexicalError {
    let path = graph.files().get(file.0 as usize).map_or("a file beyond the last", |f| f.path.as_str());
    LexicalError::Inconsistent(format!("{path}: {what}"))
}

/// The documents of a segment, dead or alive.
fn read_segment(segment: &SegmentReader, columns: Columns) -> Result<SegmentDocs, LexicalError> {
    let column = |column| {
        let name = segment.schema().get_field_name(column);
        segment.fast_fields().column_first_or_default::<u64>(name)
    };
    let (place, symbol) = (column(columns.place)?, column(columns.symbol)?);
    let mut lengths = Vec::with_capacity(FIELDS);
    for field in columns.lengths {
        lengths.push(column(field)?);
    }
    let paths = segment.inverted_index(columns.path)?;
    let mut terms = paths.terms().stream()?;
    let mut files = Vec::new();
    while let Some((path, info)) = terms.next() {
        let mut docs = paths.read_postings_from_terminfo(info, IndexRecordOption::Basic)?;
        let mut documents = Vec::new();
        while docs.doc() != TERMINATED {
            let doc = docs.doc();
            docs.advance();
            documents.push(Document {
                doc,
                place: place.get_val(doc) as u32,
                symbol: symbol.get_val(doc) as u32,
                lengths: std::array::from_fn(|field| lengths[field].get_val(doc) as u32),
            });
        }
        files.push((String::from_utf8_lossy(path).into_owned(), documents));
    }
    Ok(SegmentDocs { id: segment.segment_id(), files })
}

/// The live documents of a segment.
fn find_live(
    segment: &SegmentReader,
    at: u32,
    docs: &SegmentDocs,
    graph: &Graph,
    found: &mut Vec<Found>,
) -> Result<(), LexicalError> {
    // Paths come in order, as the graph's files do.
    let mut rest = graph.files();
    for (path, documents) in &docs.files {
        let mut live = documents.iter().filter(|document| !segment.is_deleted(document.doc)).peekable();
        if live.peek().is_none() {
            continue;
        }
        let before = rest.iter().take_while(|file| file.path.as_str() < path.as_str()).count();
        rest = &rest[before..];
        if rest.first().is_none_or(|file| file.path.as_str() != path.as_str()) {
            return Err(LexicalError::Inconsistent(format!("{path}: not a file of the graph")));
        }
        let file = FileId((graph.files().len() - rest.len()) as u32);
        found.extend(live.map(|&document| Found { file, segment: at, document }));
    }
    Ok(())
}

impl Postings for Reader {
    fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    fn statistics(&self) -> Arc<Statistics> {
        self.statistics.get_or_init(|| Arc::new(Statistics::new(&self.chunks))).clone()
    }

    fn postings(&self, term: &str) -> Arc<[Posting]> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().by_term.get(term).cloned();
        if let Some(known) = known {
            return known;
        }
        let mut found = Vec::new();
        // The files are mapped: what damages them later makes tantivy fail or panic.
        let collected = catch_unwind(AssertUnwindSafe(|| self.collect(term, &mut found)));
        if !matches!(collected, Ok(Ok(()))) {
            tracing::error!("a term's postings cannot be read");
            self.damaged.store(true, Ordering::Relaxed);
            return Arc::default();
        }
        found.sort_unstable();
        let same_chunk = |a: &u64, b: &u64| a >> 32 == b >> 32;
        let mut postings: Vec<Posting> = Vec::with_capacity(found.chunk_by(same_chunk).count());
        for same in found.chunk_by(same_chunk) {
            let mut counts = [0; FIELDS];
            for packed in same {
                counts[(packed >> 16) as usize & 0xffff] = *packed as u16;
            }
            postings.push(Posting { chunk: ChunkId((same[0] >> 32) as u32), counts });
        }
        let postings: Arc<[Posting]> = postings.into();
        kept().add(term, &postings);
        postings
    }
}
