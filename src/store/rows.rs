//! Rows of files and facts as values.

use rusqlite::Row;

use super::{Store, StoreError};
use crate::extract::FileFacts;
use crate::files::{SkipReason, Stat};
use crate::text::{LineRange, RepoPath};

/// What claims to be longer is no facts.
const MAX_FACTS: usize = 1 << 30;

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRow {
    pub path: RepoPath,
    /// The stat taken before the bytes were read; `None` where the next look must read them again,
    /// because the file could have changed since without its times showing it.
    pub stat: Option<Stat>,
    /// The blake3 hash of the bytes; zeros where they could not be read.
    pub hash: [u8; 32],
    /// What the file is as text, or why it is not indexed.
    pub text: Result<TextInfo, SkipReason>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TextInfo {
    pub lines: u32,
    /// The registry's name of the language.
    pub language: Option<String>,
    pub test: bool,
    pub generated: bool,
    /// Lines that did not parse, in order.
    pub errors: Vec<LineRange>,
}

/// Facts as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsBlob(pub(super) Vec<u8>);

impl FactsBlob {
    pub fn encode(facts: &FileFacts) -> Self {
        // Facts hold nothing that postcard refuses, and memory is its only sink.
        let bytes = postcard::to_stdvec(facts).expect("facts are plain data");
        FactsBlob(lz4_flex::compress_prepend_size(&bytes))
    }

    /// # Errors
    /// `Stale` where the bytes are damaged.
    pub fn decode(&self) -> Result<FileFacts, StoreError> {
        let stale = |error: &dyn std::fmt::Display| StoreError::Stale(format!("facts: {error}"));
        let (length, bytes) = lz4_flex::block::uncompressed_size(&self.0).map_err(|error| stale(&error))?;
        if length > MAX_FACTS {
            return Err(stale(&format!("{length} bytes")));
        }
        let bytes = lz4_flex::decompress(bytes, length).map_err(|error| stale(&error))?;
        postcard::from_bytes(&bytes).map_err(|error| stale(&error))
    }
}

/// Size, times and inode as columns; a size of -1 stands for no stat.
pub(super) fn stat_columns(stat: Option<Stat>) -> (i64, i64, i64, i64) {
    stat.map_or((-1, 0, 0, 0), |stat| (stat.size as i64, stat.mtime, stat.ctime, stat.inode as i64))
}

fn stat_of((size, mtime, ctime, inode): (i64, i64, i64, i64)) -> Option<Stat> {
    (size >= 0).then_some(Stat { size: size as u64, mtime, ctime, inode: inode as u64 })
}

pub(super) fn path(text: &str) -> Result<RepoPath, StoreError> {
    RepoPath::new(text).ok_or_else(|| StoreError::Stale(format!("no path: {text:?}")))
}

pub(super) fn hash(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Stale("a hash of another length".into()))
}

pub(super) fn blob<T: serde::Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).expect("rows are plain data")
}

fn unblob<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    postcard::from_bytes(bytes).map_err(|error| StoreError::Stale(error.to_string()))
}

impl Store {
    /// All files that were read, by path.
    pub fn files(&self) -> Result<Vec<FileRow>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT path, hash, size, mtime, ctime, inode, skipped, lines, language, test, generated, errors
             FROM files ORDER BY path",
        )?;
        let mut rows = statement.query([])?;
        let mut files = Vec::new();
        while let Some(row) = rows.next()? {
            files.push(file_row(row)?);
        }
        Ok(files)
    }

    /// The facts of all parsed files, by path.
    pub fn facts(&self) -> Result<Vec<(RepoPath, FactsBlob)>, StoreError> {
        let mut statement = self
            .connection
            .prepare("SELECT path, facts FROM facts JOIN files ON files.id = facts.file ORDER BY path")?;
        let mut rows = statement.query([])?;
        let mut facts = Vec::new();
        while let Some(row) = rows.next()? {
            facts.push((
                path(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?,
                FactsBlob(row.get(1)?),
            ));
        }
        Ok(facts)
    }
}

fn file_row(row: &Row<'_>) -> Result<FileRow, StoreError> {
    let text =
        |at| -> Result<&str, StoreError> { Ok(row.get_ref(at)?.as_str().map_err(rusqlite::Error::from)?) };
    let bytes =
        |at| -> Result<&[u8], StoreError> { Ok(row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from)?) };
    let stat = stat_of((row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?));
    let skipped: Option<Vec<u8>> = row.get(6)?;
    Ok(FileRow {
        path: path(text(0)?)?,
        stat,
        hash: hash(bytes(1)?)?,
        text: match skipped {
            Some(why) => Err(unblob(&why)?),
            None => Ok(TextInfo {
                lines: row.get(7)?,
                language: row.get(8)?,
                test: row.get(9)?,
                generated: row.get(10)?,
                errors: unblob(bytes(11)?)?,
            }),
        },
    })
}
