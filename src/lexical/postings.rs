//! The inverted index as values: what ranking reads, whoever stores it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::resolve::{FileId, SymbolId};

/// The searchable parts of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Field {
    /// Code without comments, doc comments and docstrings.
    Body,
    /// Comments, doc comments and docstrings.
    Comment,
    /// The symbol's own name.
    Name,
    /// The names of its containers.
    Qualifier,
    /// The folders of the file's path.
    Directory,
    /// The file's name without its extension.
    Stem,
}

pub const FIELDS: usize = 6;

impl Field {
    pub const ALL: [Field; FIELDS] =
        [Field::Body, Field::Comment, Field::Name, Field::Qualifier, Field::Directory, Field::Stem];
}

/// The index of a chunk in `Postings::chunks`. Valid for one generation of the index only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub u32);

/// A chunk: the lines whose innermost function, class or module is one symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub file: FileId,
    /// The symbol whose lines these are; `None` in a file without a grammar.
    pub symbol: Option<SymbolId>,
    /// The number of terms in each field.
    pub lengths: [u32; FIELDS],
}

impl Chunk {
    /// The number of terms in the text fields.
    pub fn text_length(&self) -> u32 {
        self.lengths[Field::Body as usize] + self.lengths[Field::Comment as usize]
    }
}

/// The sizes that scores are relative to: those of chunks with a symbol; in a repository without any, those of all
/// chunks.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Chunks without a symbol do not count.
    pub symbols_alone: bool,
    pub chunks: u32,
    pub average_chunk: f32,
    pub files: u32,
    pub average_file: f32,
    /// By file, up to the last one with a chunk: the number of terms in its text fields.
    pub file_lengths: Vec<u32>,
}

impl Statistics {
    pub fn new(chunks: &[Chunk]) -> Self {
        let symbols_alone = chunks.iter().any(|chunk| chunk.symbol.is_some());
        let (mut count, mut total) = (0u32, 0u64);
        let (mut files, mut files_total) = (0u32, 0u64);
        let mut file_lengths = vec![0u32; chunks.last().map_or(0, |chunk| chunk.file.0 as usize + 1)];
        for of_file in chunks.chunk_by(|a, b| a.file == b.file) {
            let length: u32 = of_file.iter().map(Chunk::text_length).sum();
            file_lengths[of_file[0].file.0 as usize] = length;
            let counted = of_file.iter().filter(|chunk| !symbols_alone || chunk.symbol.is_some());
            let before = count;
            for chunk in counted {
                count += 1;
                total += u64::from(chunk.text_length());
            }
            if count > before {
                files += 1;
                files_total += u64::from(length);
            }
        }
        let average = |total: u64, count: u32| (total as f32 / count.max(1) as f32).max(1.0);
        Statistics {
            symbols_alone,
            chunks: count,
            average_chunk: average(total, count),
            files,
            average_file: average(files_total, files),
            file_lengths,
        }
    }

    /// Whether a chunk counts.
    pub fn counts(&self, chunk: &Chunk) -> bool {
        !self.symbols_alone || chunk.symbol.is_some()
    }
}

/// One chunk that holds a term, and how often in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub chunk: ChunkId,
    pub counts: [u16; FIELDS],
}

/// Reads of the inverted index. Exact for the live chunks: no deleted chunk is counted.
pub trait Postings: Sync {
    /// All chunks by (file, position).
    fn chunks(&self) -> &[Chunk];

    /// The sizes of all chunks and files.
    fn statistics(&self) -> Arc<Statistics> {
        Arc::new(Statistics::new(self.chunks()))
    }

    /// The chunks that hold a term (lower case, as `text::terms` gives it), by chunk; empty for an
    /// unknown term.
    fn postings(&self, term: &str) -> Arc<[Posting]>;
}
