//! The BM25 index: chunks of files in tantivy, read back as exact postings.

mod chunk;
mod postings;

pub use chunk::{ChunkLines, Outline, chunk_lines, cut};
pub use postings::*;
