//! Build and refresh: what changed, in which order it is rebuilt, under which lock.
//!
//! A refresh lists the files, compares their stats with those of the last one, hashes what could have
//! changed, parses what did, resolves what that can affect and writes graph and postings as one generation.
//! What comes out is a function of the files' bytes: the order and number of refreshes, edits, threads
//! and processes before it leave no trace.

mod cache;
mod inspect;
mod manifest;
mod options;
mod parse;
mod refresh;
mod report;
mod seal;
mod snapshot;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use inspect::{FolderState, Inspection, inspect};
pub use options::{IndexOptions, Part, Progress, Silent, Stage};
pub use parse::{MAX_PARSE_BYTES, facts_of};
pub use report::{Kept, LanguageCount, Report, Work};
pub use snapshot::Snapshot;

use crate::files::{Disk, Files, RootError};
use refresh::State;

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error(transparent)]
    Root(#[from] RootError),
    #[error("cancelled")]
    Cancelled,
    /// The index cannot even be kept in memory.
    #[error("the index cannot be built: {0}")]
    Failed(String),
}

/// The index of one root. Refreshes are made one at a time; snapshots are for any number of threads.
pub struct Index {
    files: Arc<dyn Files>,
    options: IndexOptions,
    pool: rayon::ThreadPool,
    state: Mutex<State>,
    current: Mutex<Option<Arc<Snapshot>>>,
}

impl Index {
    /// The index of a folder. Nothing is read or built before the first refresh.
    ///
    /// # Errors
    /// `Root` where the folder is missing, a file, unreadable or refused.
    pub fn open(root: &Path, options: IndexOptions) -> Result<Self, IndexError> {
        let disk = Disk::open(root, options.threads, &options.refused, options.now)?;
        let folder = options.cache_dir.as_ref().map(|cache| folder(cache, disk.root()));
        Self::with(Arc::new(disk), folder, options)
    }

    /// The index of any files, kept in memory.
    pub fn over(files: Arc<dyn Files>, options: IndexOptions) -> Result<Self, IndexError> {
        Self::with(files, None, options)
    }

    fn with(
        files: Arc<dyn Files>,
        folder: Option<PathBuf>,
        options: IndexOptions,
    ) -> Result<Self, IndexError> {
        // Deep syntax trees are walked by recursion within stated bounds; the stack holds them.
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.max(1))
            .stack_size(16 << 20)
            .thread_name(|at| format!("index-{at}"))
            .build()
            .map_err(|error| IndexError::Failed(error.to_string()))?;
        let state = Mutex::new(State::new(cache::Cache::new(folder)));
        Ok(Index { files, options, pool, state, current: Mutex::new(None) })
    }

    /// Brings the index up to date and gives its content. Where no file has changed since the last
    /// refresh, that is the same snapshot, and nothing is parsed, written or loaded.
    ///
    /// # Errors
    /// `Root` where the root is gone, `Cancelled` where `progress` asked for it; the index is then as before.
    pub fn refresh(&self, progress: &dyn Progress) -> Result<Arc<Snapshot>, IndexError> {
        let snapshot = self.lock().refresh(&self.files, &self.options, &self.pool, progress)?;
        *lock(&self.current) = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// Has the next refresh look at every file, whatever the system has told of changes.
    pub fn doubt(&self) {
        self.files.doubt();
    }

    /// There will be many refreshes: worth what makes the next ones faster.
    pub fn watch(&self) {
        self.files.watch();
    }

    /// Looks, unless it is to stop, whether the last refresh saw all that had changed. For when there is time.
    pub fn look_again(&self, stop: &(dyn Fn() -> bool + Sync)) {
        self.files.look_again(stop);
    }

    /// The snapshot of the last refresh, at once, even while another is made.
    pub fn current(&self) -> Option<Arc<Snapshot>> {
        lock(&self.current).clone()
    }

    /// What the last refresh did. Waits for one that is being made.
    pub fn work(&self) -> Work {
        self.lock().work()
    }

    /// What the user should know of where the index is kept: that it was damaged, or cannot be used. Waits
    /// for a refresh that is being made.
    pub fn notices(&self) -> Vec<String> {
        self.lock().notices()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

/// The folder of a root's index.
fn folder(cache_dir: &Path, root: &Path) -> PathBuf {
    let key = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
    cache_dir.join(&key.as_str()[..32])
}

/// A refresh that panicked leaves its state as it was before or not loaded: both can be gone on from.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
