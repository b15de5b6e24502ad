//! A tree that changes, followed by indexes that must say what a fresh one says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ctx_explore::index::{Index, IndexOptions, Silent, Snapshot};
use ctx_explore::render::dump::dump;

use super::Project;

pub fn options(cache: Option<PathBuf>, now: fn() -> i64) -> IndexOptions {
    IndexOptions { cache_dir: cache, now, threads: 2, ..IndexOptions::default() }
}

/// The clock of the machine, as the product has it.
pub fn clock() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    now.as_nanos() as i64
}

/// The files, the graph, and what a word finds.
pub fn said(snapshot: &Snapshot) -> String {
    let files: Vec<String> = snapshot.graph.files().iter().map(|file| format!("{file:?}\n")).collect();
    let words = ["target", "value", "moved"];
    let postings = words.map(|word| format!("{word} {:?}\n", snapshot.postings().postings(word)));
    format!("{}{}{}", files.concat(), dump(&snapshot.graph), postings.concat())
}

pub fn fresh(root: &Path) -> Arc<Snapshot> {
    Index::open(root, options(None, clock)).unwrap().refresh(&Silent).unwrap()
}

pub fn skipped(snapshot: &Snapshot) -> Vec<(&str, String)> {
    snapshot.report.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.why.to_string())).collect()
}

/// A change of a tree, with what it is called.
pub type Change<'c> = (&'c str, &'c dyn Fn(&Path));

/// Changes of a tree, one after another; after each, two indexes that went along, one in memory and one in
/// a folder, say what a fresh one says.
#[track_caller]
pub fn follows(project: &Project, changes: &[Change<'_>]) {
    let root = project.root();
    let cache = project.beside("kept");
    let open = |cache: Option<PathBuf>| Index::open(&root, options(cache, clock)).unwrap();
    let (memory, mut kept) = (open(None), open(Some(cache.clone())));
    for (at, (what, change)) in changes.iter().enumerate() {
        change(&root);
        let expected = fresh(&root);
        for (place, index) in [("memory", &memory), ("a folder", &kept)] {
            let found = index.refresh(&Silent).unwrap();
            assert_eq!(said(&found), said(&expected), "{what}, in {place}");
            assert_eq!(skipped(&found), skipped(&expected), "{what}, in {place}");
            assert_eq!(index.notices(), Vec::<String>::new(), "{what}, in {place}");
        }
        if at % 2 == 0 {
            kept = open(Some(cache.clone()));
        }
    }
}
