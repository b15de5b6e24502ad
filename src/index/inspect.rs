//! An inspection: what stands in the folder of a root's index, found without waiting for anyone.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::cache::{CacheError, LOCK, generation};
use super::seal::DATABASE;

/// The folder of one index, as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection {
    pub folder: PathBuf,
    /// Bytes of all files in it; 0 where there is no folder.
    pub bytes: u64,
    pub state: FolderState,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderState {
    /// There is no index yet.
    Absent,
    /// An index of this version, with its generation.
    Usable(u64),
    /// Damaged or of another version, and how: the next refresh builds it anew.
    Stale(String),
    /// Another process is writing it.
    Locked,
    /// It cannot be read, and why.
    Failed(String),
}

/// Looks at the folder in which the index of a root is kept below `cache_dir`.
pub fn inspect(cache_dir: &Path, root: &Path) -> Inspection {
    let folder = super::folder(cache_dir, root);
    let state = state(&folder);
    Inspection { bytes: bytes(&folder), folder, state }
}

fn state(folder: &Path) -> FolderState {
    if !folder.join(DATABASE).exists() {
        return FolderState::Absent;
    }
    // Nobody writes while it is held.
    let lock = match shared(&folder.join(LOCK)) {
        Ok(lock) => lock,
        Err(state) => return state,
    };
    match generation(folder, lock) {
        Ok(0) => FolderState::Absent,
        Ok(generation) => FolderState::Usable(generation),
        Err(CacheError::Stale(why) | CacheError::Damaged(why)) => FolderState::Stale(why),
        Err(error) => FolderState::Failed(error.to_string()),
    }
}

fn shared(path: &Path) -> Result<File, FolderState> {
    let failed = |error: std::io::Error| FolderState::Failed(error.to_string());
    let lock = OpenOptions::new().read(true).open(path).map_err(failed)?;
    match lock.try_lock_shared() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(FolderState::Locked),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// The bytes of the files in a folder and its folders.
fn bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
