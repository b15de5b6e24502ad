//! Rules of the source that the compiler does not keep.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the lowest; modules of one row do not import each other.
const LAYERS: &[&[&str]] = &[
    &["text"],
    &["files", "lang"],
    &["extract"],
    &["resolve"],
    &["store", "lexical"],
    &["index", "explore"],
    &["render"],
    &["tools"],
    &["mcp", "eval"],
    &["cli"],
];

/// What only some modules may name.
const CONFINED: &[(&str, &[&str])] = &[
    ("rusqlite", &["store"]),
    ("tantivy", &["lexical"]),
    ("rmcp", &["mcp"]),
    ("schemars", &["mcp"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("indicatif", &["cli"]),
    ("anstream", &["cli"]),
    ("anstyle", &["cli"]),
    ("anyhow", &["cli", "mcp"]),
    ("tokio", &["mcp"]),
    ("std::env", &["cli"]),
    ("env::var", &["cli"]),
    ("Instant::now", &["cli", "mcp", "eval"]),
    ("SystemTime::now", &["cli"]),
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// The source files with their module and their text without comments.
fn sources() -> Vec<(String, String, String)> {
    let root = repository();
    let mut files = Vec::new();
    walk(&root.join("src"), &mut files);
    files.sort();
    let rust = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| {
        let shown = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let module = shown.split('/').nth(1).unwrap().trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        (shown, module, code.join("\n"))
    })
    .filter(|(_, module, _)| module != "main" && module != "lib")
    .collect()
}

/// The modules that follow `crate::` in the code, grouped imports included.
fn imported(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        let names = match rest.strip_prefix('{') {
            Some(group) => group.split(';').next().unwrap_or(""),
            None => rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or(""),
        };
        let mut depth = 0;
        let mut name = String::new();
        for c in names.chars().chain([',']) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth <= 0 => {
                    let first = name.trim().split("::").next().unwrap_or("").to_owned();
                    found.push(first);
                    name.clear();
                }
                c if depth == 0 => name.push(c),
                _ => {}
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

#[test]
fn imports_run_downward_only() {
    let rank = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let mut seen = 0;
    for (path, module, code) in sources() {
        // Sources that tests hold as text import what they like.
        if path.contains("/tests/") {
            continue;
        }
        let own = rank(&module).unwrap_or_else(|| panic!("{path} is in no layer"));
        for name in imported(&code) {
            let other =
                rank(&name).unwrap_or_else(|| panic!("{path} imports crate::{name}, which is in no layer"));
            assert!(name == module || other < own, "{path}: {module} imports {name}");
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} imports were seen");
}

#[test]
fn imports_are_found_in_groups_and_paths() {
    assert_eq!(imported("use crate::text::Span;"), ["text"]);
    assert_eq!(
        imported("use crate::{text::{Span, Line}, resolve::Graph, files};"),
        ["text", "resolve", "files"]
    );
    assert_eq!(imported("let x = crate::mcp::serve();"), ["mcp"]);
}

#[test]
fn crates_and_the_outside_stay_in_their_modules() {
    for (path, module, code) in sources() {
        // What stands below the mark of the tests is not part of the product.
        let code = code.split("#[cfg(test)]").next().unwrap_or("");
        for (name, allowed) in CONFINED {
            let named = code.match_indices(name).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                let after = code[at + name.len()..].chars().next();
                let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !part(before) && !part(after)
            });
            assert!(!named || allowed.contains(&module.as_str()), "{path} names {name}");
        }
    }
}

#[test]
fn generic_code_names_no_language() {
    // `go` is a word, `java` and `tsx` are file extensions, too.
    let names = ["\"javascript\"", "\"kotlin\"", "\"python\"", "\"rust\"", "\"typescript\""];
    for (path, module, code) in sources() {
        let code = code.split("#[cfg(test)]").next().unwrap_or("");
        if module != "lang" && !path.contains("testing") && !path.contains("tests") {
            for name in names {
                assert!(!code.contains(name), "{path} names the language {name}");
            }
        }
    }
}

#[test]
fn files_say_what_they_hold() {
    for (path, _, _) in sources() {
        let text = fs::read_to_string(repository().join(&path)).unwrap();
        assert!(text.starts_with("//! "), "{path} does not open with what it holds");
        // About 500 is what to aim at.
        let lines = text.lines().count();
        assert!(lines <= 900, "{path} has {lines} lines");
    }
}

#[test]
fn no_place_of_a_machine_is_in_the_repository() {
    let root = repository();
    let mut files = vec![root.join("Cargo.toml"), root.join("README.md")];
    for folder in ["src", "tests", "specs", "fixtures", "scripts", "benches", ".ci"] {
        if root.join(folder).is_dir() {
            walk(&root.join(folder), &mut files);
        }
    }
    // Put together here so that this file does not hold them.
    let places: Vec<String> =
        ["tmp", "work", "root", "home", "Users"].iter().map(|f| format!("/{f}/")).collect();
    for path in files {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (number, line) in text.lines().enumerate() {
            for place in &places {
                let found = line.match_indices(place.as_str()).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    !before.is_some_and(|c| {
                        c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '/' | '}' | '*')
                    })
                });
                assert!(!found, "{}:{}: {line}", path.display(), number + 1);
            }
        }
    }
}
