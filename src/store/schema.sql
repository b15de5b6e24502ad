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

-- What each parsed file says by itself, compressed.
CREATE TABLE facts (
    file  INTEGER PRIMARY KEY REFERENCES files,
    facts BLOB NOT NULL
) STRICT;

-- The names of the codes in the columns `kind`, `visibility` and `reason`.
CREATE TABLE codes (
    of   TEXT    NOT NULL, -- symbol kind, edge kind, visibility, reason
    code INTEGER NOT NULL,
    name TEXT    NOT NULL,
    PRIMARY KEY (of, code)
) STRICT, WITHOUT ROWID;

-- `id` lasts: it is made from path, qualified name, kind and the place among equals. A symbol's holder contains
-- it; such edges are not among the edges.
CREATE TABLE symbols (
    file       INTEGER NOT NULL REFERENCES files,
    place      INTEGER NOT NULL, -- among the file's symbols, by position
    id         INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    before     TEXT    NOT NULL, -- with the name, the qualified name
    name       TEXT    NOT NULL,
    holder     INTEGER,          -- a place in the file
    elsewhere  INTEGER,          -- the id of a holder in another file
    line       INTEGER NOT NULL, -- of the name
    col        INTEGER NOT NULL, -- of the name, in bytes
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
    visibility INTEGER NOT NULL,
    flags      INTEGER NOT NULL, -- 1 test, 2 without a body
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;

-- `file` is the file of the source symbol; `site` is the file of the site where that is another one.
CREATE TABLE edges (
    file       INTEGER NOT NULL REFERENCES files,
    place      INTEGER NOT NULL,
    source     INTEGER NOT NULL, -- a symbol's place
    target     INTEGER NOT NULL, -- a symbol's id
    kind       INTEGER NOT NULL,
    site       INTEGER,
    start      INTEGER NOT NULL, -- bytes
    length     INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    col        INTEGER NOT NULL,
    reason     INTEGER NOT NULL,
    confidence INTEGER NOT NULL,
    PRIMARY KEY (file, place)
) STRICT, WITHOUT ROWID;
