//! The BM25 index: chunks of files in tantivy, read back as exact postings.

mod chunk;
mod document;
mod entry;
mod folder;
mod memory;
mod postings;
mod reader;
mod stored;

pub use chunk::{ChunkLines, Outline, chunk_lines, cut};
pub use document::{ChunkTerms, FileTerms, MAX_TERM_BYTES, Packed, symbol_defs};
pub use memory::MemoryPostings;
pub use postings::*;
pub use reader::Reader;
pub use stored::{LexicalError, TextIndex, TextWriter};
