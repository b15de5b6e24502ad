//! Tests of the extractor: one inline source for each shape, the fixtures as a whole, and properties that
//! hold for any text.

mod contract;
mod go;
mod java;
mod kotlin;
mod properties;
mod python;
mod queries;
mod rust;
mod typescript;

use expect_test::Expect;

use super::{FileFacts, extract, print::print, sound};
use crate::lang;

/// The facts of a source without its common indentation.
fn facts(language: &str, source: &str) -> (FileFacts, String) {
    let indent = source
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = source.lines().skip(1).map(|line| line.get(indent..).unwrap_or("")).collect();
    let text = lines.join("\n").trim_end().to_owned() + "\n";
    let facts = extract(lang::by_name(language).unwrap(), &text);
    sound(&facts, &text);
    (facts, text)
}

/// Compares everything that is said of a source.
#[track_caller]
fn check(language: &str, source: &str, expected: Expect) {
    let (facts, text) = facts(language, source);
    expected.assert_eq(&print(&facts, &text));
}

/// Compares the definitions only.
#[track_caller]
fn check_defs(language: &str, source: &str, expected: Expect) {
    let (facts, text) = facts(language, source);
    let facts = FileFacts { defs: facts.defs, errors: facts.errors, ..FileFacts::default() };
    expected.assert_eq(&print(&facts, &text));
}

/// Compares the uses and bindings only.
#[track_caller]
fn check_uses(language: &str, source: &str, expected: Expect) {
    let (mut facts, text) = facts(language, source);
    facts.imports.clear();
    let text = print(&facts, &text);
    let uses: String = text
        .lines()
        .filter(|line| {
            let word = line.split(' ').next().unwrap_or("");
            word.contains(':') || matches!(word, "parameter" | "local" | "narrowed" | "receiver" | "error")
        })
        .map(|line| format!("{line}\n"))
        .collect();
    expected.assert_eq(&uses);
}

/// Every file of a language's fixtures with its text, by path.
fn fixtures(spec: &lang::LanguageSpec) -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(spec.name);
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_source =
                path.extension().is_some_and(|ext| spec.extensions.contains(&ext.to_str().unwrap()));
            if path.is_dir() {
                folders.push(path);
            } else if is_source {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                files.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "fixtures/{} has no source", spec.name);
    files
}
