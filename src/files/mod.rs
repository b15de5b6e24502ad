//! The files under the root: listed with their stats, read as bytes, told text from what is not.
//!
//! A listing names regular files only. Links are never followed and never listed: what they point at
//! inside the root is listed at its own place, what they point at outside is none of ours.

mod disk;
mod kind;
mod known;
mod memory;
mod outside;
mod watch;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use disk::{Disk, RootError};
pub use kind::{MAX_FILE_BYTES, MAX_LINE_BYTES, decode, is_generated};
pub use memory::Memory;

use crate::text::RepoPath;

/// Where files come from: the disk, or memory in tests.
pub trait Files: Send + Sync {
    /// All files, and what was passed over; the same value where nothing has changed. Fails only where the root
    /// itself cannot be listed.
    fn list(&self) -> Result<Arc<Listing>, RootError>;

    /// The stat of one file, reached in the same way; `None` where there is none, or a change could leave it as it
    /// is.
    fn settled(&self, _path: &RepoPath) -> Option<Stat> {
        None
    }

    /// There will be many listings: worth what makes the next ones faster.
    fn watch(&self) {}

    /// A file was not as it was listed: the next listing looks at all of them.
    fn doubt(&self) {}

    /// Looks, unless it is to stop, whether the last listing was right; whether it was wrong. For when there is
    /// time: between the calls of a server.
    fn look_again(&self, _stop: &(dyn Fn() -> bool + Sync)) -> bool {
        false
    }

    /// The bytes of one file: a regular file below the root, reached without a link.
    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason>;
}

/// The files under a root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Regular files that no ignore rule excludes, by path.
    pub entries: Vec<Entry>,
    /// What was passed over though no ignore rule excludes it, by path.
    pub skipped: Vec<Skipped>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub path: RepoPath,
    pub stat: Stat,
}

/// What tells, without reading, that a file may have changed. Times are nanoseconds since the epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    pub size: u64,
    pub mtime: i64,
    pub ctime: i64,
    pub inode: u64,
}

impl Stat {
    /// Whether a change after `now` shows, whatever clock the file system has.
    pub fn is_settled(&self, now: i64) -> bool {
        /// A change within this time of its times being read may not show in them (coarse clocks, same tick).
        const YOUNG_NANOS: i64 = 2_000_000_000;
        self.mtime.max(self.ctime).saturating_add(YOUNG_NANOS) < now
    }
}

/// A file or folder that is not indexed, and why. The path is as printed: bytes that are not UTF-8 are
/// replaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub path: String,
    pub why: SkipReason,
}

/// Why something is not indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error)]
pub enum SkipReason {
    #[error("a link; links are not followed")]
    Link,
    #[error("not a regular file")]
    Special,
    #[error("its name is not UTF-8")]
    NameNotUtf8,
    #[error("another repository or worktree inside this one")]
    Repository,
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("larger than {} MiB", MAX_FILE_BYTES >> 20)]
    TooLarge,
    #[error("binary")]
    Binary,
    #[error("not UTF-8")]
    NotUtf8,
    #[error("minified: most of it is in lines of more than {MAX_LINE_BYTES} bytes")]
    Minified,
}

impl SkipReason {
    fn unreadable(error: &std::io::Error) -> Self {
        SkipReason::Unreadable(error.kind().to_string())
    }
}
