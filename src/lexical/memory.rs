//! The inverted index in memory: for tests, and to compare the stored one with.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::document::FileTerms;
use super::{Chunk, ChunkId, FIELDS, Field, Posting, Postings};
use crate::resolve::{Graph, SymbolId};

/// Postings of a list of files.
#[derive(Clone, Debug, Default)]
pub struct MemoryPostings {
    chunks: Vec<Chunk>,
    postings: BTreeMap<String, Vec<Posting>>,
}

impl MemoryPostings {
    /// The postings of the files of `graph` that `files` give; the others have none.
    pub fn new(graph: &Graph, files: &[FileTerms]) -> Self {
        let mut files: Vec<(_, &FileTerms)> =
            files.iter().filter_map(|file| Some((graph.find_file(file.path.as_str())?, file))).collect();
        files.sort_by_key(|(id, _)| *id);
        let mut memory = MemoryPostings::default();
        for (id, file) in files {
            let first = graph.symbols_in(id).next().unwrap_or(SymbolId(0));
            for chunk in &file.chunks {
                let at = ChunkId(memory.chunks.len() as u32);
                memory.chunks.push(Chunk {
                    file: id,
                    symbol: chunk.symbol.map(|symbol| SymbolId(first.0 + symbol)),
                    lengths: chunk.lengths,
                });
                for field in Field::ALL {
                    for term in chunk.field(field) {
                        memory.count(term, at, field as usize);
                    }
                }
            }
        }
        memory
    }

    /// All terms, sorted.
    pub fn terms(&self) -> impl Iterator<Item = &str> {
        self.postings.keys().map(String::as_str)
    }

    fn count(&mut self, term: &str, chunk: ChunkId, field: usize) {
        if !self.postings.contains_key(term) {
            self.postings.insert(term.to_owned(), Vec::new());
        }
        let Some(postings) = self.postings.get_mut(term) else { return };
        if postings.last().is_none_or(|last| last.chunk != chunk) {
            postings.push(Posting { chunk, counts: [0; FIELDS] });
        }
        if let Some(last) = postings.last_mut() {
            last.counts[field] = last.counts[field].saturating_add(1);
        }
    }
}

impl Postings for MemoryPostings {
    fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    fn postings(&self, term: &str) -> Arc<[Posting]> {
        self.postings.get(term).map_or(&[][..], Vec::as_slice).into()
    }
}
