//! The atomic operations that exploration is given: graph, postings, reading.

use std::sync::Arc;

use super::NameIndex;
use crate::lexical::Postings;
use crate::resolve::{FileId, Graph};
use crate::text::LineIndex;

/// A file's text with its lines.
#[derive(Debug)]
pub struct Source {
    pub text: String,
    pub lines: LineIndex,
}

impl Source {
    pub fn new(text: String) -> Self {
        let lines = LineIndex::new(&text);
        Source { text, lines }
    }
}

/// What the loop may do to a repository. The embedded index, a repository in memory and another engine
/// are interchangeable behind it. All answers are of one snapshot and do not depend on earlier calls.
pub trait Repository: Sync {
    /// The symbol graph (neighbours).
    fn graph(&self) -> &Graph;

    /// The graph's symbols by name.
    fn names(&self) -> &NameIndex;

    /// The inverted index (search).
    fn postings(&self) -> &dyn Postings;

    /// The text of a file, if its bytes are still those that the graph and the postings were made from;
    /// `None` where the file has changed, vanished or cannot be read.
    fn read(&self, file: FileId) -> Option<Arc<Source>>;
}
