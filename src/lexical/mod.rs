//! The BM25 index: chunks of files in tantivy, read back as exact postings.

mod postings;

pub use postings::*;
