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

/// One chunk that holds a term, and how often in each field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub chunk: ChunkId,
    pub counts: [u16; FIELDS],
}

/// Reads of the inverted index. Exact for the live chunks: no deleted chunk is counted.
pub trait Postings {
    /// All chunks by (file, position).
    fn chunks(&self) -> &[Chunk];

    /// The chunks that hold a term (lower case, as `text::terms` gives it), by chunk; empty for an
    /// unknown term.
    fn postings(&self, term: &str) -> Arc<[Posting]>;
}
