//! The symbol graph in SQLite, with the facts and file stats it was made from.
//!
//! One database holds one generation. It is opened, read or written, and closed under the lock of the
//! index, so no journal outlives a crash by more than the next opening, and no reader meets a writer.
//! The tables `symbols` and `edges` are the graph itself, not a copy of it.

mod graph;
mod graph_rows;
mod names;
mod rows;
mod write;

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

pub use rows::{FactsBlob, FileRow, TextInfo};
pub use write::Change;

/// The number of the schema. Another number means another database.
const FORMAT: &str = "2";
/// The version, and the hash of the code that decides what an index holds.
pub const PRODUCT: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("INDEX_SOURCES"));

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Damaged, or made by another version: to be made anew.
    #[error("the graph database is unusable: {0}")]
    Stale(String),
    /// The disk, the folder or SQLite itself refuses.
    #[error("the graph database cannot be used: {0}")]
    Failed(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error::*;
        let damaged = match &error {
            SqliteFailure(failure, _) => {
                matches!(failure.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            }
            // A schema or a value that this version does not write.
            SqlInputError { .. }
            | InvalidColumnType(..)
            | FromSqlConversionFailure(..)
            | IntegralValueOutOfRange(..) => true,
            _ => false,
        };
        if damaged { StoreError::Stale(error.to_string()) } else { StoreError::Failed(error) }
    }
}

/// An open database.
pub struct Store {
    connection: Connection,
}

impl Store {
    /// An empty database in memory.
    pub fn memory() -> Result<Self, StoreError> {
        Self::with(Connection::open_in_memory()?)
    }

    /// The database in a file, created where there is none.
    ///
    /// # Errors
    /// `Stale` where the file is damaged or of another version.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        Self::with(Connection::open_with_flags(path, flags)?)
    }

    fn with(connection: Connection) -> Result<Self, StoreError> {
        connection.execute_batch(
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384;",
        )?;
        let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let mut store = Store { connection };
        if tables == 0 {
            let transaction = store.connection.transaction()?;
            transaction.execute_batch(include_str!("schema.sql"))?;
            for (key, value) in [("format", FORMAT), ("product", PRODUCT), ("generation", "0")] {
                transaction.execute("INSERT INTO meta VALUES (?1, ?2)", [key, value])?;
            }
            for (of, code, name) in names::codes() {
                transaction.execute("INSERT INTO codes VALUES (?1, ?2, ?3)", (of, code, name))?;
            }
            transaction.commit()?;
        }
        for (key, expected) in [("format", FORMAT), ("product", PRODUCT)] {
            let found = store.meta(key)?;
            if found.as_deref() != Some(expected) {
                let found = found.unwrap_or_else(|| "none".into());
                return Err(StoreError::Stale(format!("{key} {found} instead of {expected}")));
            }
        }
        Ok(store)
    }

    fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        let value = self
            .connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .optional()?;
        Ok(value)
    }

    /// The number of the last change; 0 before the first.
    pub fn generation(&self) -> Result<u64, StoreError> {
        let value = self.meta("generation")?.unwrap_or_default();
        value.parse().map_err(|_| StoreError::Stale(format!("generation {value:?}")))
    }
}
