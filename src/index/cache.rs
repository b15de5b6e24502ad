//! Where the index of one root is kept: a folder with the graph database, the text index and a lock.
//!
//! Whoever reads the folder holds the lock shared, whoever writes holds it alone; the system takes it
//! back from a process that dies. Both parts carry a generation. A crash between their commits leaves
//! two numbers, which is the same as damage: the folder is emptied and built anew. So does whatever does not
//! fit the seal that the last writer left.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::options::Progress;
use super::report::Kept;
use super::seal::{self, DATABASE, DatabaseSum, Seal, TEXT};
use crate::lexical::{LexicalError, TextIndex};
use crate::store::{Store, StoreError};

/// How long to wait for another process that writes, in all and at a time.
const WAIT: Duration = Duration::from_secs(60);
const WAIT_STEP: Duration = Duration::from_millis(10);

/// Held by whoever reads or writes the folder.
pub(super) const LOCK: &str = "lock";
const JOURNAL: &str = "graph.sqlite-journal";
const IN_MEMORY: &str = "The index is kept in memory, and built anew each time:";

/// Why the index cannot be read or written where it is kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum CacheError {
    /// Not there, unfinished or of another version: to be built anew.
    #[error("{0}")]
    Stale(String),
    /// Not what was written: to be built anew, and to be told.
    #[error("{0}")]
    Damaged(String),
    /// The place itself fails.
    #[error("{0}")]
    Failed(String),
    #[error("cancelled")]
    Cancelled,
}

impl From<StoreError> for CacheError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stale(_) => CacheError::Damaged(error.to_string()),
            StoreError::Failed(_) => CacheError::Failed(error.to_string()),
        }
    }
}

impl From<LexicalError> for CacheError {
    fn from(error: LexicalError) -> Self {
        if error.is_damage() {
            CacheError::Damaged(error.to_string())
        } else {
            CacheError::Failed(error.to_string())
        }
    }
}

impl From<io::Error> for CacheError {
    fn from(error: io::Error) -> Self {
        CacheError::Failed(error.to_string())
    }
}

/// Both parts of the index, open.
pub(super) struct Opened {
    pub store: Store,
    pub text: TextIndex,
    /// The generation of both.
    pub generation: u64,
    /// Held while the parts are open; `None` in memory.
    _lock: Option<File>,
}

impl Opened {
    /// Whether the parts are in a folder, which is sealed.
    pub fn is_sealed(&self) -> bool {
        self._lock.is_some()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The place.
pub(super) struct Cache {
    folder: Option<PathBuf>,
    /// The parts of an index in memory between two uses.
    memory: Option<Opened>,
    /// Why the folder is not used although there is one.
    fallback: Option<String>,
    /// The seal that the folder's files were found to fit, or that was put on them, by this process.
    sealed: Option<Seal>,
    /// The damage that was found last.
    damage: Option<String>,
}

impl Cache {
    pub fn new(folder: Option<PathBuf>) -> Self {
        Cache { folder, memory: None, fallback: None, sealed: None, damage: None }
    }

    pub fn kept(&self) -> Kept {
        match (&self.fallback, &self.folder) {
            (Some(why), _) => Kept::Fallback(why.clone()),
            (None, Some(folder)) => Kept::Folder(folder.clone()),
            (None, None) => Kept::Memory,
        }
    }

    /// Whether there is still memory to fall back to.
    pub fn can_fall_back(&self) -> bool {
        self.folder.is_some() && self.fallback.is_none()
    }

    /// Leaves the folder alone from now on.
    pub fn fall_back(&mut self, why: String) {
        let folder = self.folder.as_deref().unwrap_or(Path::new(""));
        self.fallback = Some(format!("{} cannot be used: {why}", folder.display()));
        self.memory = None;
    }

    /// What the user should know.
    pub fn notices(&self) -> Vec<String> {
        let folder = self.folder.as_deref().unwrap_or(Path::new("")).display();
        let damage = self
            .damage
            .as_ref()
            .map(|why| format!("The index in {folder} was damaged ({why}) and has been built anew."));
        let fallback = self.fallback.as_ref().map(|why| format!("{IN_MEMORY} {why}."));
        damage.into_iter().chain(fallback).collect()
    }

    /// Notes that the folder is damaged.
    pub fn damaged(&mut self, why: &str) {
        tracing::warn!(%why, "the index is damaged and built anew");
        self.damage = Some(why.to_owned());
        self.sealed = None;
    }

    /// Takes the seal off opened parts that have one: they are about to be written to.
    pub fn lift_seal(&self, is_sealed: bool) -> Result<(), CacheError> {
        if let (Some(folder), true) = (&self.folder, is_sealed) {
            Seal::lift(folder)?;
        }
        Ok(())
    }

    /// Begins to seal what was written to the database of opened parts that are sealed.
    pub fn begin_seal(&self, is_sealed: bool) -> Result<Option<DatabaseSum>, CacheError> {
        match (&self.folder, is_sealed) {
            (Some(folder), true) => Ok(Some(DatabaseSum::begin(folder)?)),
            _ => Ok(None),
        }
    }

    /// Seals what was written to opened parts that are sealed.
    pub fn seal(&mut self, begun: Option<DatabaseSum>) -> Result<(), CacheError> {
        if let (Some(folder), Some(begun)) = (&self.folder, begun) {
            self.sealed = Some(Seal::set(folder, self.sealed.as_ref(), begun)?);
        }
        Ok(())
    }

    /// Opens both parts. To be given back by `release`.
    ///
    /// # Errors
    /// `Stale` and `Damaged` for reading only: whoever writes gets an empty index in the place of a damaged one.
    pub fn acquire(&mut self, access: Access, progress: &dyn Progress) -> Result<Opened, CacheError> {
        match &self.folder {
            Some(folder) if self.fallback.is_none() => {
                let (opened, damage) = open_folder(folder, access, &mut self.sealed, progress)?;
                if let Some(why) = damage {
                    self.damaged(&why);
                }
                Ok(opened)
            }
            _ => match self.memory.take() {
                Some(opened) => Ok(opened),
                None => Ok(Opened {
                    store: Store::memory()?,
                    text: TextIndex::memory()?,
                    generation: 0,
                    _lock: None,
                }),
            },
        }
    }

    /// Empties the place.
    pub fn wipe(&mut self, progress: &dyn Progress) -> Result<(), CacheError> {
        self.memory = None;
        self.sealed = None;
        if let (Some(folder), None) = (&self.folder, &self.fallback) {
            let _lock = lock_folder(folder, Access::Write, progress)?;
            empty(folder)?;
        }
        Ok(())
    }

    /// Takes back what `acquire` gave. Parts in memory that are not given back are lost, which is right
    /// after a failed write.
    pub fn release(&mut self, opened: Opened) {
        if opened._lock.is_none() {
            self.memory = Some(opened);
        }
    }
}

fn lock_folder(folder: &Path, access: Access, progress: &dyn Progress) -> Result<File, CacheError> {
    fs::create_dir_all(folder)?;
    let lock =
        OpenOptions::new().create(true).truncate(false).read(true).write(true).open(folder.join(LOCK))?;
    wait(&lock, access, progress)?;
    Ok(lock)
}

/// Opens the parts in a folder. `sealed` is the seal that they are known to fit, before and after. Whoever
/// writes learns what was damaged.
fn open_folder(
    folder: &Path,
    access: Access,
    sealed: &mut Option<Seal>,
    progress: &dyn Progress,
) -> Result<(Opened, Option<String>), CacheError> {
    let lock = lock_folder(folder, access, progress)?;
    let damage = match open_sealed(folder, sealed, lock.try_clone()?) {
        Err(CacheError::Stale(why)) if access == Access::Write => {
            tracing::info!(%why, "building the index anew");
            None
        }
        Err(CacheError::Damaged(why)) if access == Access::Write => Some(why),
        result => return result.map(|opened| (opened, None)),
    };
    *sealed = None;
    empty(folder)?;
    Ok((open_parts(folder, lock)?, damage))
}

fn open_sealed(folder: &Path, sealed: &mut Option<Seal>, lock: File) -> Result<Opened, CacheError> {
    if folder.join(JOURNAL).exists() {
        // Takes back what a process that died has begun.
        drop(Store::open(&folder.join(DATABASE))?);
    }
    let seal = match Seal::read(folder)? {
        Some(seal) if sealed.as_ref() == Some(&seal) => seal,
        Some(seal) => {
            seal.check(folder)?;
            seal
        }
        None => Seal::unbroken(folder)
            .ok_or_else(|| CacheError::Stale("there is no finished index of this version".into()))?,
    };
    let opened = open_parts(folder, lock)?;
    *sealed = Some(seal);
    Ok(opened)
}

/// Leaves a folder with the lock alone, which the caller holds for writing.
fn empty(folder: &Path) -> io::Result<()> {
    for name in [seal::NAME, seal::ASIDE, seal::BEFORE, DATABASE, JOURNAL] {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let text = folder.join(TEXT);
    match fs::remove_dir_all(&text) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::create_dir_all(&text)
}

fn open_parts(folder: &Path, lock: File) -> Result<Opened, CacheError> {
    let store = Store::open(&folder.join(DATABASE))?;
    let text = TextIndex::open(&folder.join(TEXT))?;
    let (generation, other) = (store.generation()?, text.generation()?);
    if generation != other {
        return Err(CacheError::Stale(format!("generations {generation} and {other}")));
    }
    Ok(Opened { store, text, generation, _lock: Some(lock) })
}

/// The generation of the index in a folder whose lock is held.
pub(super) fn generation(folder: &Path, lock: File) -> Result<u64, CacheError> {
    open_sealed(folder, &mut None, lock).map(|opened| opened.generation)
}

fn wait(lock: &File, access: Access, progress: &dyn Progress) -> Result<(), CacheError> {
    let mut waited = Duration::ZERO;
    loop {
        let tried = match access {
            Access::Read => lock.try_lock_shared(),
            Access::Write => lock.try_lock(),
        };
        match tried {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error.into()),
            Err(TryLockError::WouldBlock) if waited >= WAIT => {
                return Err(CacheError::Failed("another process has been writing it for too long".into()));
            }
            Err(TryLockError::WouldBlock) => {
                if progress.cancelled() {
                    return Err(CacheError::Cancelled);
                }
                thread::sleep(WAIT_STEP);
                waited += WAIT_STEP;
            }
        }
    }
}
