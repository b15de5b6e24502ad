//! One change of the database: the files that changed, and the rows of the graph that differ.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rusqlite::{OptionalExtension, Transaction, params};

use super::graph::SymbolIds;
use super::graph_rows::{GraphWriter, rows_of};
use super::rows::{self, FactsBlob, FileRow};
use super::{Store, StoreError};
use crate::files::Stat;
use crate::resolve::{FileId, Graph};
use crate::text::RepoPath;

/// The rows of so many files are held in memory to be compared.
const AT_A_TIME: usize = 256;
/// Where less than one file in so many may differ, what is stored of the others is not looked at.
const FEW: usize = 8;

/// What a refresh found.
#[derive(Debug)]
pub struct Change<'a> {
    /// The number that the database has afterwards.
    pub generation: u64,
    /// Files that are new or were read again, each with its facts if it was parsed.
    pub read: &'a [(FileRow, Option<FactsBlob>)],
    /// Files that are no more.
    pub removed: &'a [RepoPath],
    /// The whole graph; its files are the text files of the database after the change.
    pub graph: &'a Graph,
    /// By file of the graph, whether its symbols or the edges that leave them may differ from the rows; `None`
    /// where those of any file may.
    pub differing: Option<&'a [bool]>,
}

impl Store {
    /// Makes a change in one transaction. Of the graph, only the rows of files whose symbols or leaving
    /// edges differ are written.
    pub fn write(&mut self, change: &Change<'_>) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let tables = &transaction;
            for path in change.removed {
                remove(tables, path)?;
            }
            for (row, facts) in change.read {
                put_file(tables, row, facts.as_ref())?;
            }
            put_graph(tables, change)?;
            tables.execute(
                "UPDATE meta SET value = ?1 WHERE key = 'generation'",
                [change.generation.to_string()],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Notes the stats of files whose bytes are those of before.
    pub fn touch(&mut self, files: &[(RepoPath, Option<Stat>)]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut update = transaction.prepare_cached(
                "UPDATE files SET size = ?2, mtime = ?3, ctime = ?4, inode = ?5 WHERE path = ?1",
            )?;
            for (path, stat) in files {
                let (size, mtime, ctime, inode) = rows::stat_columns(*stat);
                update.execute(params![path.as_str(), size, mtime, ctime, inode])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }
}

fn remove(tables: &Transaction<'_>, path: &RepoPath) -> Result<(), StoreError> {
    for table in ["facts", "symbols", "edges"] {
        tables
            .prepare_cached(&format!(
                "DELETE FROM {table} WHERE file = (SELECT id FROM files WHERE path = ?1)"
            ))?
            .execute([path.as_str()])?;
    }
    tables.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path.as_str()])?;
    Ok(())
}

fn put_file(tables: &Transaction<'_>, row: &FileRow, facts: Option<&FactsBlob>) -> Result<(), StoreError> {
    let (size, mtime, ctime, inode) = rows::stat_columns(row.stat);
    let text = row.text.as_ref().ok();
    let id: i64 = tables
        .prepare_cached(
            "INSERT INTO files (path, hash, size, mtime, ctime, inode, skipped, lines, language, test,
                                generated, errors, digest)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, x'')
             ON CONFLICT (path) DO UPDATE SET
                 hash = excluded.hash, size = excluded.size, mtime = excluded.mtime,
                 ctime = excluded.ctime, inode = excluded.inode, skipped = excluded.skipped,
                 lines = excluded.lines, language = excluded.language, test = excluded.test,
                 generated = excluded.generated, errors = excluded.errors
             RETURNING id",
        )?
        .query_row(
            params![
                row.path.as_str(),
                &row.hash[..],
                size,
                mtime,
                ctime,
                inode,
                row.text.as_ref().err().map(rows::blob),
                text.map_or(0, |text| text.lines),
                text.and_then(|text| text.language.as_deref()),
                text.is_some_and(|text| text.test),
                text.is_some_and(|text| text.generated),
                rows::blob(text.map_or(&[][..], |text| &text.errors)),
            ],
            |row| row.get(0),
        )?;
    match facts {
        Some(facts) => tables
            .prepare_cached("INSERT OR REPLACE INTO facts VALUES (?1, ?2)")?
            .execute(params![id, &facts.0])?,
        None => tables.prepare_cached("DELETE FROM facts WHERE file = ?1")?.execute([id])?,
    };
    Ok(())
}

/// The number of a file in the database, and the digest of its rows.
type Stored = (i64, Vec<u8>);

/// Those of all files, by path.
fn all_stored(tables: &Transaction<'_>) -> Result<BTreeMap<String, Stored>, StoreError> {
    let mut stored = BTreeMap::new();
    let mut statement = tables.prepare_cached("SELECT path, id, digest FROM files")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        stored.insert(row.get(0)?, (row.get(1)?, row.get(2)?));
    }
    Ok(stored)
}

/// Those of some files.
fn some_stored<'p>(
    tables: &Transaction<'_>,
    paths: impl Iterator<Item = &'p RepoPath>,
) -> Result<BTreeMap<String, Stored>, StoreError> {
    let mut stored = BTreeMap::new();
    let mut statement = tables.prepare_cached("SELECT id, digest FROM files WHERE path = ?1")?;
    for path in paths {
        let found = statement.query_row([path.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        stored.extend(found.map(|found| (path.to_string(), found)));
    }
    Ok(stored)
}

/// Brings the rows of the graph up to date.
fn put_graph(tables: &Transaction<'_>, change: &Change<'_>) -> Result<(), StoreError> {
    let graph = change.graph;
    let may_differ = |file: &FileId| change.differing.is_none_or(|differing| differing[file.0 as usize]);
    let files: Vec<FileId> = graph.file_ids().filter(may_differ).collect();
    // The rows of other files say what they said.
    let mut stored = if files.len() * FEW <= graph.files().len() {
        let sites = files.iter().flat_map(|&file| graph.symbols_in(file)).flat_map(|at| graph.outgoing(at));
        let mut named: BTreeSet<FileId> = sites.map(|edge| edge.file).collect();
        named.extend(&files);
        let named = named.iter().map(|&file| &graph.file(file).path);
        some_stored(tables, named.chain(change.read.iter().map(|(row, _)| &row.path)))?
    } else {
        all_stored(tables)?
    };
    let mut file_ids: Vec<i64> = vec![0; graph.files().len()];
    for (path, (id, _)) in &stored {
        if let Some(file) = graph.find_file(path) {
            file_ids[file.0 as usize] = *id;
        }
    }
    let symbol_ids = SymbolIds::new(graph);
    let mut writer = GraphWriter::new(tables)?;
    for some in files.chunks(AT_A_TIME) {
        let changed = |&file: &FileId| {
            let (id, digest) = stored.get(graph.file(file).path.as_str())?;
            let (symbols, edges) = rows_of(graph, file, &symbol_ids, &file_ids);
            let now = *blake3::hash(&rows::blob(&(&symbols, &edges))).as_bytes();
            (digest[..] != now).then_some((*id, now, symbols, edges))
        };
        let changed: Vec<_> = some.par_iter().filter_map(changed).collect();
        for (id, digest, symbols, edges) in changed {
            writer.put(id, &digest, &symbols, &edges)?;
        }
    }
    // Files that are no text, or no more.
    stored.retain(|path, _| graph.find_file(path).is_none());
    for (id, digest) in stored.into_values() {
        if !digest.is_empty() {
            writer.put(id, &[], &[], &[])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::extract::FileFacts;
    use crate::files::SkipReason;
    use crate::resolve::{
        Confidence, Edge, EdgeKind, FileNode, Reason, Symbol, SymbolId, SymbolKind, Visibility,
    };
    use crate::store::TextInfo;
    use crate::text::{LineRange, Span};

    fn row(path: &str, text: Result<(), SkipReason>) -> FileRow {
        let path = RepoPath::new(path).unwrap();
        FileRow {
            hash: *blake3::hash(path.as_str().as_bytes()).as_bytes(),
            stat: Some(Stat { size: 3, mtime: -5, ctime: 7, inode: u64::MAX }),
            text: text.map(|()| TextInfo {
                lines: 40,
                language: Some("python".into()),
                test: true,
                generated: false,
                errors: vec![LineRange::new(2, 3)],
            }),
            path,
        }
    }

    fn node(row: &FileRow) -> Option<FileNode> {
        let text = row.text.as_ref().ok()?;
        Some(FileNode {
            path: row.path.clone(),
            hash: row.hash,
            lines: text.lines,
            language: text.language.as_deref().map(Into::into),
            test: text.test,
            generated: text.generated,
        })
    }

    fn symbol(file: u32, kind: SymbolKind, qualified: &str, line: u32, container: Option<u32>) -> Symbol {
        Symbol {
            file: FileId(file),
            kind,
            name: qualified.rsplit('.').next().unwrap().into(),
            qualified: qualified.into(),
            container: container.map(SymbolId),
            lines: LineRange::new(line, line + 4),
            signature: LineRange::new(line, line),
            doc: (line > 9).then(|| LineRange::new(line - 1, line - 1)),
            name_line: line,
            name_span: Span::new(line * 10, line * 10 + 5),
            full: Span::new(line * 10, line * 10 + 45),
            visibility: Visibility::Protected,
            test: line > 9,
            without_body: line > 19,
        }
    }

    fn edge(from: u32, to: u32, kind: EdgeKind, file: u32, line: u32) -> Edge {
        Edge {
            from: SymbolId(from),
            to: SymbolId(to),
            kind,
            file: FileId(file),
            site: Span::new(line * 10 + 1, line * 10 + 4),
            line,
            col: 1,
            reason: Reason::ReceiverType,
            confidence: Confidence(90),
        }
    }

    fn graph(rows: &[FileRow], line: u32) -> Graph {
        let files = rows.iter().filter_map(node).collect();
        let symbols = vec![
            symbol(0, SymbolKind::Module, "a", 1, None),
            symbol(0, SymbolKind::Class, "Base", 10, Some(0)),
            symbol(0, SymbolKind::Method, "Base.run", 20, Some(1)),
            // Equal in name and kind: their ids differ by their place.
            symbol(0, SymbolKind::Method, "Base.run", 21, Some(1)),
            symbol(1, SymbolKind::Module, "b", 1, None),
            symbol(1, SymbolKind::Class, "Child", line, Some(1)),
        ];
        let mut edges = vec![
            edge(5, 1, EdgeKind::Extends, 1, 5),
            edge(2, 3, EdgeKind::Calls, 0, 20),
            edge(2, 5, EdgeKind::Calls, 1, 8),
        ];
        let contains = |(at, symbol): (usize, &Symbol)| {
            let (from, to) = (symbol.container?, SymbolId(at as u32));
            let (reason, confidence) = (Reason::Declared, Confidence(100));
            let (file, site, line) = (symbol.file, symbol.name_span, symbol.name_line);
            Some(Edge { from, to, kind: EdgeKind::Contains, file, site, line, col: 3, reason, confidence })
        };
        edges.extend(symbols.iter().enumerate().filter_map(contains));
        Graph::new(files, symbols, edges)
    }

    fn same(one: &Graph, other: &Graph) {
        assert_eq!(one.files(), other.files());
        assert_eq!(one.symbols(), other.symbols());
        assert_eq!(one.edges(), other.edges());
    }

    fn changed_rows(store: &Store) -> i64 {
        store.connection.total_changes() as i64
    }

    #[test]
    fn what_is_written_is_read() {
        let mut store = Store::memory().unwrap();
        // Numbers of files that are not in the order of their paths.
        let rows = vec![row("a.py", Ok(())), row("b.py", Ok(())), row("c.bin", Err(SkipReason::Binary))];
        let facts = FileFacts { package: vec!["a".into()], ..FileFacts::default() };
        let blob = FactsBlob::encode(&facts);
        let read: Vec<(FileRow, Option<FactsBlob>)> = [&rows[2], &rows[1], &rows[0]]
            .map(|row| (row.clone(), row.text.is_ok().then(|| blob.clone())))
            .into();
        let wanted = graph(&rows, 11);
        store
            .write(&Change { generation: 3, read: &read, removed: &[], graph: &wanted, differing: None })
            .unwrap();
        same(&store.graph().unwrap(), &wanted);
        assert_eq!(store.files().unwrap(), rows);
        assert_eq!(store.generation().unwrap(), 3);
        let stored = store.facts().unwrap();
        assert_eq!(stored.len(), 2);
        assert_eq!(stored[1].1.decode().unwrap(), facts);

        let heirs: i64 = store
            .connection
            .query_row(
                "SELECT count(*) FROM edges JOIN symbols ON symbols.id = edges.target
                 JOIN codes ON codes.of = 'edge kind' AND codes.code = edges.kind
                 WHERE codes.name = 'extends' AND symbols.before || symbols.name = 'Base'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(heirs, 1);
    }

    #[test]
    fn only_files_that_differ_are_written() {
        let mut store = Store::memory().unwrap();
        let rows = vec![row("a.py", Ok(())), row("b.py", Ok(()))];
        let read: Vec<(FileRow, Option<FactsBlob>)> = rows.iter().map(|row| (row.clone(), None)).collect();
        let mut generation = 0;
        let mut write = |store: &mut Store, read: &[(FileRow, Option<FactsBlob>)], graph: &Graph| {
            let before = changed_rows(store);
            generation += 1;
            store.write(&Change { generation, read, removed: &[], graph, differing: None }).unwrap();
            same(&store.graph().unwrap(), graph);
            changed_rows(store) - before
        };
        write(&mut store, &read, &graph(&rows, 11));
        // The generation alone.
        assert_eq!(write(&mut store, &[], &graph(&rows, 11)), 1);
        // Two symbols and one edge out, two and one in, the digest, the generation.
        assert_eq!(write(&mut store, &[], &graph(&rows, 12)), 8);
    }

    #[test]
    fn files_that_go_take_their_rows_along() {
        let mut store = Store::memory().unwrap();
        let rows = vec![row("a.py", Ok(())), row("b.py", Ok(()))];
        let read: Vec<(FileRow, Option<FactsBlob>)> = rows.iter().map(|row| (row.clone(), None)).collect();
        store
            .write(&Change {
                generation: 1,
                read: &read,
                removed: &[],
                graph: &graph(&rows, 11),
                differing: None,
            })
            .unwrap();
        let alone = Graph::new(
            vec![node(&rows[0]).unwrap()],
            vec![symbol(0, SymbolKind::Module, "a", 1, None)],
            Vec::new(),
        );
        // One is removed, the other is no text any more; then text again.
        let removed = [rows[1].path.clone()];
        store
            .write(&Change { generation: 2, read: &[], removed: &removed, graph: &alone, differing: None })
            .unwrap();
        same(&store.graph().unwrap(), &alone);
        let binary = [(row("a.py", Err(SkipReason::Binary)), None)];
        store
            .write(&Change {
                generation: 3,
                read: &binary,
                removed: &[],
                graph: &Graph::default(),
                differing: None,
            })
            .unwrap();
        assert_eq!(store.graph().unwrap().symbols(), []);
        assert_eq!(store.files().unwrap(), [binary[0].0.clone()]);
        store
            .write(&Change { generation: 4, read: &read[..1], removed: &[], graph: &alone, differing: None })
            .unwrap();
        same(&store.graph().unwrap(), &alone);
    }

    #[test]
    fn touched_files_keep_all_but_their_stat() {
        let mut store = Store::memory().unwrap();
        let rows = vec![row("a.py", Ok(())), row("b.py", Ok(()))];
        let read: Vec<(FileRow, Option<FactsBlob>)> = rows.iter().map(|row| (row.clone(), None)).collect();
        store
            .write(&Change {
                generation: 1,
                read: &read,
                removed: &[],
                graph: &graph(&rows, 11),
                differing: None,
            })
            .unwrap();
        store.touch(&[(rows[0].path.clone(), None)]).unwrap();
        let files = store.files().unwrap();
        assert_eq!(files[0], FileRow { stat: None, ..rows[0].clone() });
        assert_eq!(files[1], rows[1]);
    }

    #[test]
    fn damage_and_other_versions_are_told_from_failures() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.sqlite");
        drop(Store::open(&path).unwrap());
        let connection = Connection::open(&path).unwrap();
        connection.execute("UPDATE meta SET value = '0.0.0' WHERE key = 'product'", []).unwrap();
        drop(connection);
        assert!(matches!(Store::open(&path), Err(StoreError::Stale(_))));
        std::fs::write(&path, "not a database at all, but long enough to be taken for one").unwrap();
        assert!(matches!(Store::open(&path), Err(StoreError::Stale(_))));
        let missing = dir.path().join("none/graph.sqlite");
        assert!(matches!(Store::open(&missing), Err(StoreError::Failed(_))));
        assert!(FactsBlob(vec![0xFF; 9]).decode().is_err());
    }
}
