//! One state of the repository: its graph, its postings, and reading that is checked against both.

use std::sync::Arc;

use super::report::Report;
use crate::files::{Files, Skipped, Stat};
use crate::lexical::{Postings, Reader};
use crate::resolve::{FileId, Graph};

/// What one refresh saw. It stays as it is while later refreshes go on.
pub struct Snapshot {
    pub graph: Arc<Graph>,
    pub report: Report,
    /// Grows with each change of the index; no other meaning.
    pub generation: u64,
    pub(super) postings: Arc<Reader>,
    /// What the listing passed over.
    pub(super) passed_over: Vec<Skipped>,
    pub(super) files: Arc<dyn Files>,
}

impl Snapshot {
    /// The postings, numbered as the graph is.
    pub fn postings(&self) -> &dyn Postings {
        self.postings.as_ref()
    }

    /// The postings turned out to be unreadable: what was found by them may lack something.
    pub fn is_damaged(&self) -> bool {
        self.postings.is_damaged()
    }

    /// By what the text of a file is known to be as it was; `None` where only reading tells.
    pub fn settled(&self, file: FileId) -> Option<Stat> {
        self.files.settled(&self.graph.file(file).path)
    }

    /// The text of a file, if its bytes are still those of the snapshot; `None` where the file has
    /// changed, vanished or cannot be read.
    pub fn read(&self, file: FileId) -> Option<String> {
        let node = self.graph.file(file);
        let bytes = self.files.read(&node.path).ok()?;
        if *blake3::hash(&bytes).as_bytes() != node.hash {
            return None;
        }
        String::from_utf8(bytes).ok()
    }
}
