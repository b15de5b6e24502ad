//! Files in memory, for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::{Entry, Files, Listing, RootError, SkipReason, Stat};
use crate::text::RepoPath;

/// A tree of files in memory. Each write gives its file a new time, as a clock would.
#[derive(Debug, Default)]
pub struct Memory {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<RepoPath, (Vec<u8>, i64)>,
    writes: i64,
}

impl Memory {
    /// A tree of these files. Paths that are no repository paths are left out.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let memory = Memory::default();
        for (path, text) in files {
            if let Some(path) = RepoPath::new(path) {
                memory.set(&path, text.as_bytes().to_vec());
            }
        }
        memory
    }

    pub fn set(&self, path: &RepoPath, bytes: Vec<u8>) {
        let mut state = self.lock();
        state.writes += 1;
        let time = state.writes;
        state.files.insert(path.clone(), (bytes, time));
    }

    pub fn remove(&self, path: &RepoPath) {
        self.lock().files.remove(path);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Files for Memory {
    fn list(&self) -> Result<Arc<Listing>, RootError> {
        let entries = self
            .lock()
            .files
            .iter()
            .map(|(path, (bytes, time))| Entry {
                path: path.clone(),
                stat: Stat { size: bytes.len() as u64, mtime: *time, ctime: *time, inode: 0 },
            })
            .collect();
        Ok(Arc::new(Listing { entries, skipped: Vec::new() }))
    }

    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason> {
        let missing = || SkipReason::unreadable(&std::io::ErrorKind::NotFound.into());
        self.lock().files.get(path).map(|(bytes, _)| bytes.clone()).ok_or_else(missing)
    }
}
