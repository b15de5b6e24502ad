//! What the edges hand to the index: folders, threads, the clock, a listener.

use std::path::PathBuf;
use std::sync::Arc;

use crate::files::Listing;

/// The options of an index. None of them changes what it says about a file.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// The folder under which each root has a folder of its own; `None` keeps the index in memory.
    pub cache_dir: Option<PathBuf>,
    /// Threads that list and parse, at least 1.
    pub threads: usize,
    /// Folders that nobody means to index: the home folder, the whole disk.
    pub refused: Vec<PathBuf>,
    /// The wall clock in nanoseconds since the epoch. It only decides which files are read again: those
    /// changed so lately that another change could leave their times alone. A clock that stands at 0
    /// makes every refresh read every file.
    pub now: fn() -> i64,
}

impl Default for IndexOptions {
    fn default() -> Self {
        IndexOptions { cache_dir: None, threads: 1, refused: Vec::new(), now: || 0 }
    }
}

/// The stages of a refresh, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Listing,
    Parsing,
    Resolving,
    Writing,
}

/// What a refresh that has something to write puts into the index's folder, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The database with the files, their facts and the graph.
    Graph,
    /// The text index.
    Text,
    /// The seal over both.
    Seal,
}

/// Hears how a refresh goes on. Called from any thread.
pub trait Progress: Sync {
    fn stage(&self, _stage: Stage) {}

    /// These files there are.
    fn listed(&self, _listing: &Arc<Listing>) {}

    /// `done` of `total` files to parse are done.
    fn parsed(&self, _done: u32, _total: u32) {}

    /// A part of the next generation is written; those after it are not.
    fn wrote(&self, _part: Part) {}

    /// Asked between files, and before anything is written: whether to give up.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody listens.
pub struct Silent;

impl Progress for Silent {}
