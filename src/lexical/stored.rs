//! The inverted index in tantivy: one document per chunk.
//!
//! Each searchable part of a chunk is a field of its own with term counts. The number of terms in each
//! part, the chunk's place in its file and its symbol are columns, because BM25 needs exact lengths
//! where tantivy keeps rounded ones. Documents are found again by their file's path alone.

use std::mem;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use tantivy::index::SegmentId;
use tantivy::indexer::{NoMergePolicy, UserOperation};
use tantivy::schema::{
    FAST, Field as Column, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexWriter, Term};

use super::document::FileTerms;
use super::entry::{Added, Entry, Terms};
use super::folder::Folder;
use super::{FIELDS, Reader};
use crate::resolve::Graph;
use crate::text::RepoPath;

/// The memory in which a segment is built before it is written. A part of it is cleared at once.
const ARENA_BYTES: usize = 40 << 20;
/// The same where so few files are written that one segment holds them. Tantivy takes no less.
const SMALL_ARENA_BYTES: usize = 15 << 20;
const FEW_FILES: usize = 32;
/// So many chunks are handed to tantivy's thread together. Where it is woken for each file, it and those that parse
/// take turns, and the caches of the processors serve none of them.
const TOGETHER: usize = 256;
/// More segments than this are merged after a commit, the smallest first.
const MAX_SEGMENTS: usize = 8;
const TOKENIZER: &str = "terms";
const FIELD_NAMES: [&str; FIELDS] = ["body", "comment", "name", "qualifier", "directory", "stem"];
const LENGTH_NAMES: [&str; FIELDS] = ["bodies", "comments", "names", "qualifiers", "directories", "stems"];

/// Why the inverted index cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum LexicalError {
    #[error("the text index failed: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
    #[error("the text index cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The documents are not those of the graph's files: the index is damaged or of another generation.
    #[error("the text index does not fit the graph: {0}")]
    Inconsistent(String),
}

impl LexicalError {
    /// Whether building the index anew helps: not where the disk or the folder refuses.
    pub fn is_damage(&self) -> bool {
        use std::io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
        use tantivy::TantivyError::*;
        let kind = |kind| matches!(kind, InvalidData | NotFound | UnexpectedEof);
        match self {
            LexicalError::Inconsistent(_) => true,
            LexicalError::Io(error) => kind(error.kind()),
            LexicalError::Tantivy(IoError(error)) => kind(error.kind()),
            LexicalError::Tantivy(OpenWriteError(_) | OpenDirectoryError(_) | LockFailure(..)) => false,
            LexicalError::Tantivy(_) => true,
        }
    }
}

/// The columns of the schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub path: Column,
    pub terms: [Column; FIELDS],
    /// The chunk's place in its file.
    pub place: Column,
    /// The index of its symbol among the file's symbols plus 1; 0 for none.
    pub symbol: Column,
    pub lengths: [Column; FIELDS],
}

fn schema() -> (Schema, Columns) {
    let mut builder = Schema::builder();
    let terms = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::WithFreqs),
    );
    let columns = Columns {
        path: builder.add_text_field("path", STRING),
        terms: FIELD_NAMES.map(|name| builder.add_text_field(name, terms.clone())),
        place: builder.add_u64_field("place", FAST),
        symbol: builder.add_u64_field("symbol", FAST),
        lengths: LENGTH_NAMES.map(|name| builder.add_u64_field(name, FAST)),
    };
    (builder.build(), columns)
}

/// The inverted index on disk or in memory. It holds what was committed last.
pub struct TextIndex {
    index: Index,
    columns: Columns,
}

impl TextIndex {
    /// An empty index in memory.
    pub fn memory() -> Result<Self, LexicalError> {
        let (schema, columns) = schema();
        Ok(Self::with(Index::create_in_ram(schema), columns))
    }

    /// The index in an existing folder, created where there is none.
    ///
    /// # Errors
    /// `Tantivy` where the folder holds something else, or an index that does not open.
    pub fn open(folder: &Path) -> Result<Self, LexicalError> {
        let (schema, columns) = schema();
        Ok(Self::with(Index::open_or_create(Folder::open(folder)?, schema)?, columns))
    }

    fn with(index: Index, columns: Columns) -> Self {
        index.tokenizers().register(TOKENIZER, TextAnalyzer::builder(Terms::default()).build());
        TextIndex { index, columns }
    }

    /// The generation of the last commit; 0 before the first.
    pub fn generation(&self) -> Result<u64, LexicalError> {
        let payload = self.index.load_metas()?.payload;
        Ok(payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
    }

    /// The one writer, of about so many files. Until it commits, readers see what was.
    pub fn writer(&self, files: usize) -> Result<TextWriter, LexicalError> {
        let arena = if files <= FEW_FILES { SMALL_ARENA_BYTES } else { ARENA_BYTES };
        let writer = self.index.writer_with_num_threads(1, arena)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        Ok(TextWriter { writer, columns: self.columns, waiting: Mutex::default() })
    }

    /// The postings of the last commit. It must hold exactly the files of `graph`. What `before`, a reader of an
    /// earlier commit, knows is not read again.
    ///
    /// # Errors
    /// `Inconsistent` where it does not.
    pub fn reader(&self, graph: &Graph, before: Option<&Reader>) -> Result<Reader, LexicalError> {
        let reader = self.index.reader_builder().reload_policy(tantivy::ReloadPolicy::Manual).try_into()?;
        Reader::open(reader.searcher(), self.columns, graph, before)
    }
}

/// Changes to the inverted index that are yet to be committed.
pub struct TextWriter {
    writer: IndexWriter<Entry>,
    columns: Columns,
    /// What is put in, until it is worth to wake tantivy for it.
    waiting: Mutex<Vec<UserOperation<Entry>>>,
}

impl TextWriter {
    /// Takes a file out, which was not put in by this writer.
    pub fn remove(&self, path: &RepoPath) {
        self.writer.delete_term(Term::from_field_text(self.columns.path, path.as_str()));
    }

    /// Takes all files out.
    pub fn clear(&self) -> Result<(), LexicalError> {
        self.writer.delete_all_documents()?;
        Ok(())
    }

    /// Puts a file in; it must not be in already.
    pub fn add(&self, file: FileTerms) -> Result<(), LexicalError> {
        let places = 0..file.chunks.len();
        let of = Arc::new(Added { columns: self.columns, file });
        let entry = |place| UserOperation::Add(Entry { of: of.clone(), place: place as u32 });
        let full = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.extend(places.map(entry));
            if waiting.len() < TOGETHER {
                return Ok(());
            }
            mem::take(&mut *waiting)
        };
        self.writer.run(full)?;
        Ok(())
    }

    /// Makes the changes the content of the index under a generation's number, if what goes on while they are
    /// prepared succeeds. Then `beside` goes on while they are made.
    ///
    /// # Errors
    /// The outer ones are the index's own, the inner ones those of `before` and `beside`. Where the latter fails the
    /// changes are made all the same.
    pub fn commit<T, U, E>(
        self,
        generation: u64,
        before: impl FnOnce() -> Result<T, E>,
        beside: impl FnOnce(T) -> Result<U, E>,
    ) -> Result<Result<U, E>, LexicalError> {
        let (go, wait) = mpsc::channel::<()>();
        let (written, done) = thread::scope(|scope| {
            let written = scope.spawn(move || self.written(generation, &wait));
            let done = before().and_then(|made| {
                // Where nobody hears it, the preparation has failed.
                let _ = go.send(());
                beside(made)
            });
            drop(go);
            (written.join(), done)
        });
        written.unwrap_or_else(|panic| resume_unwind(panic))?;
        Ok(done)
    }

    /// Prepares the changes, and makes them once that is wanted.
    fn written(mut self, generation: u64, wanted: &mpsc::Receiver<()>) -> Result<(), LexicalError> {
        let waiting = mem::take(&mut self.waiting).into_inner().unwrap_or_else(PoisonError::into_inner);
        self.writer.run(waiting)?;
        let mut prepared = self.writer.prepare_commit()?;
        if wanted.recv().is_err() {
            return Ok(());
        }
        prepared.set_payload(&generation.to_string());
        prepared.commit()?;
        let crowded = self.crowded()?;
        if !crowded.is_empty() {
            self.writer.merge(&crowded).wait()?;
        }
        self.writer.garbage_collect_files().wait()?;
        self.writer.wait_merging_threads()?;
        Ok(())
    }

    /// The segments to make one of: those that are mostly deleted, and the smallest where there are too
    /// many.
    fn crowded(&self) -> Result<Vec<SegmentId>, LexicalError> {
        let mut segments = self.writer.index().searchable_segment_metas()?;
        segments.sort_by_key(|segment| (segment.num_docs(), segment.id()));
        let small = if segments.len() > MAX_SEGMENTS { segments.len() - MAX_SEGMENTS / 2 } else { 0 };
        let merged = segments
            .iter()
            .enumerate()
            .filter(|(at, segment)| *at < small || segment.num_deleted_docs() > segment.num_docs())
            .map(|(_, segment)| segment.id());
        Ok(merged.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::FileFacts;
    use crate::lexical::{MemoryPostings, Postings};
    use crate::resolve::FileNode;
    use crate::text::LineIndex;
    use std::collections::BTreeMap;

    fn file(path: &str, text: &str) -> FileTerms {
        let path = RepoPath::new(path).unwrap();
        FileTerms::new(&path, text, &LineIndex::new(text), &FileFacts::default())
    }

    fn graph(files: &BTreeMap<String, FileTerms>) -> Graph {
        let node = |file: &FileTerms| FileNode {
            path: file.path.clone(),
            hash: [0; 32],
            lines: 1,
            language: None,
            test: false,
            generated: false,
        };
        Graph::new(files.values().map(node).collect(), Vec::new(), Vec::new())
    }

    /// The stored index and one in memory must say the same about every term.
    fn check(index: &TextIndex, files: &BTreeMap<String, FileTerms>, before: &mut Option<Reader>) {
        let graph = graph(files);
        let all: Vec<FileTerms> = files.values().cloned().collect();
        let memory = MemoryPostings::new(&graph, &all);
        let reader = index.reader(&graph, before.as_ref()).unwrap();
        assert_eq!(reader.chunks(), memory.chunks());
        for term in memory.terms() {
            assert_eq!(reader.postings(term), memory.postings(term), "{term}");
        }
        // What was asked for before is kept.
        for term in memory.terms() {
            assert_eq!(reader.postings(term), memory.postings(term), "{term}");
        }
        assert!(reader.postings("absent").is_empty());
        *before = Some(reader);
    }

    fn put(
        index: &TextIndex,
        files: &mut BTreeMap<String, FileTerms>,
        generation: u64,
        edits: &[(&str, &str)],
    ) {
        let writer = index.writer(1).unwrap();
        for (path, text) in edits {
            writer.remove(&RepoPath::new(path).unwrap());
            files.remove(*path);
            if !text.is_empty() {
                let file = file(path, text);
                writer.add(file.clone()).unwrap();
                files.insert((*path).to_owned(), file);
            }
        }
        writer.commit(generation, || Ok::<_, ()>(()), Ok).unwrap().unwrap();
    }

    #[test]
    fn exact_where_chunks_are_handed_over_in_several_parts() {
        let index = TextIndex::memory().unwrap();
        let (mut files, mut last) = (BTreeMap::new(), None);
        let paths: Vec<String> = (0..2 * TOGETHER + 7).map(|at| format!("many/f{at}.txt")).collect();
        let all =
            |text: &'static str| -> Vec<(&str, &str)> { paths.iter().map(|path| (&**path, text)).collect() };
        put(&index, &mut files, 1, &all("retry once"));
        check(&index, &files, &mut last);
        put(&index, &mut files, 2, &all("call retry again"));
        check(&index, &files, &mut last);
        put(&index, &mut files, 3, &all(""));
        check(&index, &files, &mut last);
    }

    #[test]
    fn exact_after_updates_deletions_and_merges() {
        let index = TextIndex::memory().unwrap();
        let (mut files, mut last) = (BTreeMap::new(), None);
        let long = "wait_for retry(call)\n".repeat(150);
        put(&index, &mut files, 1, &[("a/b.txt", &long), ("a/c.txt", "retry once"), ("a/d.txt", "call\n")]);
        check(&index, &files, &mut last);
        put(&index, &mut files, 2, &[("a/b.txt", "retry retry"), ("a/c.txt", "")]);
        check(&index, &files, &mut last);
        for generation in 3..40 {
            let text = format!("retry {}", "again ".repeat(generation));
            let path = format!("many/f{}.txt", generation % 23);
            put(&index, &mut files, generation as u64, &[(&path, &text)]);
            check(&index, &files, &mut last);
        }
        assert!(index.index.searchable_segment_ids().unwrap().len() <= MAX_SEGMENTS);
        assert_eq!(index.generation().unwrap(), 39);
    }

    #[test]
    fn what_is_not_committed_is_not_there() {
        let index = TextIndex::memory().unwrap();
        let (mut files, mut last) = (BTreeMap::new(), None);
        put(&index, &mut files, 1, &[("a.txt", "alpha")]);
        let writer = index.writer(1).unwrap();
        writer.remove(&RepoPath::new("a.txt").unwrap());
        writer.add(file("b.txt", "beta")).unwrap();
        drop(writer);
        check(&index, &files, &mut last);
        put(&index, &mut files, 2, &[("c.txt", "gamma")]);
        check(&index, &files, &mut last);
    }

    #[test]
    fn what_fails_before_takes_the_changes_back_and_what_fails_beside_does_not() {
        let index = TextIndex::memory().unwrap();
        let (mut files, mut last) = (BTreeMap::new(), None);
        put(&index, &mut files, 1, &[("a.txt", "alpha")]);
        let change = |path: &str| {
            let writer = index.writer(1).unwrap();
            writer.add(file(path, "beta")).unwrap();
            writer
        };
        let fails = |()| -> Result<(), &str> { panic!("nothing is to be done beside") };
        assert_eq!(change("b.txt").commit(2, || Err("before"), fails).unwrap(), Err("before"));
        check(&index, &files, &mut last);
        assert_eq!(index.generation().unwrap(), 1);
        let beside = |made| if made == 7 { Err::<(), _>("beside") } else { Ok(()) };
        assert_eq!(change("c.txt").commit(3, || Ok(7), beside).unwrap(), Err("beside"));
        files.insert("c.txt".into(), file("c.txt", "beta"));
        check(&index, &files, &mut last);
        assert_eq!(index.generation().unwrap(), 3);
    }

    #[test]
    fn an_index_of_other_files_is_refused() {
        let index = TextIndex::memory().unwrap();
        let mut files = BTreeMap::new();
        put(&index, &mut files, 1, &[("a.txt", "alpha"), ("b.txt", "beta")]);
        let refused = |graph: &Graph| matches!(index.reader(graph, None), Err(LexicalError::Inconsistent(_)));
        let missing = files.remove("b.txt").unwrap();
        assert!(refused(&graph(&files)));
        files.insert("b.txt".into(), missing);
        files.insert("c.txt".into(), file("c.txt", "gamma"));
        assert!(refused(&graph(&files)));
    }
}
