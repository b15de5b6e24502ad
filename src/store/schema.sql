-- The symbol graph of one repository, and what was read to make it.

-- `format`, `product`, `generation`.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every file that was read, text or not. The numbers are of this database only.
CREATE TABLE files (
    id        INTEGER PRIMARY KEY,
    path      TEXT    NOT NULL UNIQUE,
    hash      BLOB    NOT NULL, -- blake3 of the bytes
    size      INTEGER NOT NULL, -- -1 where the file was too young to be told by its times
    mtime     INTEGER NOT NULL, -- nanoseconds
    ctime     INTEGER NOT NULL,
    inode     INTEGER NOT NULL,
    skipped   BLOB,             -- why the file is not indexed; NULL for text
    lines     INTEGER NOT NULL,
    language  TEXT,
    test      INTEGER NOT NULL,
    generated INTEGER NOT NULL,
    errors    BLOB    NOT NULL, -- line ranges that did not parse
    digest    BLOB    NOT NULL  -- of the file's symbols and of the edges that leave them
) STRICT;

-- What each parsed file says by itself.
CREATE TABLE facts (
    file  INTEGER PRIMARY KEY REFERENCES files,
    facts BLOB NOT NULL
) STRICT;

-- `id` lasts: it is made from path, qualified name, kind and the place among equals.
CREATE TABLE symbols (
    file       INTEGER NOT NULL REFERENCES files,
    place      INTEGER NOT NULL, -- among the file's symbols, by position
    id         INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    qualified  TEXT    NOT NULL,
    container  INTEGER,          -- a symbol's id
    line       INTEGER NOT NULL, -- of the name
    first      INTEGER NOT NULL, -- lines of the definition
    last       INTEGER NOT NULL,
    signature_first INTEGER NOT NULL,
    signature_last  INTEGER NOT NULL,
    doc_first  INTEGER,
    doc_last   INTEGER,
    name_start INTEGER NOT NULL, -- bytes
    name_end   INTEGER NOT NULL,
    full_start INTEGER NOT NULL,
    full_end   INTEGER NOT NULL,
    visibility TEXT    NOT NULL,
    flags      INTEGER NOT NULL, -- 1 test, 2 without a body
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;

-- `file` is the file of the source symbol; `site` is the file of the site where that is another one.
CREATE TABLE edges (
    file       INTEGER NOT NULL REFERENCES files,
    place      INTEGER NOT NULL,
    source     INTEGER NOT NULL, -- symbol ids
    target     INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    site       INTEGER,
    start      INTEGER NOT NULL, -- bytes
    end        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    col        INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    confidence INTEGER NOT NULL,
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;

-- Who extends or implements a type.
CREATE INDEX inheritance ON edges (target, kind, source) WHERE kind IN ('extends', 'implements');
