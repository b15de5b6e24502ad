//! The whole graphs of the projects in `fixtures/`, as lines that were read one by one.

use std::{fs, path::Path};

use expect_test::expect_file;

use super::graph_of;
use crate::{render::dump::dump, text::RepoPath};

/// The files below a folder, as (path, text).
fn files(root: &Path, below: &Path, found: &mut Vec<(RepoPath, String)>) {
    let mut entries: Vec<_> = fs::read_dir(below).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(root, &path, found);
        } else if let Some(inside) = RepoPath::new(path.strip_prefix(root).unwrap().to_str().unwrap()) {
            found.push((inside, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn project(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path);
    let mut found = Vec::new();
    files(&root, &root, &mut found);
    found.retain(|(path, text)| crate::index::facts_of(path, text).1.is_some());
    dump(&graph_of(found))
}

#[test]
fn python() {
    expect_file!["golden/python.jsonl"].assert_eq(&project("python/compiler"));
}

#[test]
fn rust() {
    expect_file!["golden/rust.jsonl"].assert_eq(&project("rust/dispatch"));
}

#[test]
fn kotlin() {
    expect_file!["golden/kotlin.jsonl"].assert_eq(&project("kotlin/interceptors"));
}

#[test]
fn go() {
    expect_file!["golden/go.jsonl"].assert_eq(&project("go/relay"));
}

#[test]
fn java() {
    expect_file!["golden/java.jsonl"].assert_eq(&project("java/dispatch"));
}

#[test]
fn typescript() {
    expect_file!["golden/typescript.jsonl"].assert_eq(&project("typescript/sync"));
    expect_file!["golden/tsx.jsonl"].assert_eq(&project("tsx/board"));
}

#[test]
fn javascript() {
    expect_file!["golden/javascript.jsonl"].assert_eq(&project("javascript/gateway"));
}

#[test]
fn kinds() {
    expect_file!["golden/python-kinds.jsonl"].assert_eq(&project("python/kinds"));
    expect_file!["golden/rust-kinds.jsonl"].assert_eq(&project("rust/kinds"));
}
