//! Gives the library the hash of what indexing is made of, so that an index that other code built is built
//! anew even where the version is the same.

#![allow(clippy::print_stdout, reason = "that is how a build script speaks")]

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The modules whose code decides what an index holds, and the versions of the packages below them.
const SOURCES: &[&str] = &[
    "Cargo.lock",
    "src/text",
    "src/files",
    "src/lang",
    "src/extract",
    "src/resolve",
    "src/store",
    "src/lexical",
    "src/index",
];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        list(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        hasher.write(file.to_string_lossy().as_bytes());
        hasher.write(&fs::read(&file)?);
    }
    println!("cargo::rustc-env=INDEX_SOURCES={:016x}", hasher.finish());
    println!("cargo::rustc-env=GRAMMARS={}", grammars(&fs::read_to_string("Cargo.lock").unwrap_or_default()));
    Ok(())
}

/// The packages of grammars with their versions, from the lock file; empty where there is none.
fn grammars(lock: &str) -> String {
    let value =
        |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches([' ', '=', '"']).to_owned());
    let mut found = Vec::new();
    for package in lock.split("[[package]]") {
        let name = package.lines().find_map(|line| value(line, "name"));
        let version = package.lines().find_map(|line| value(line, "version"));
        if let (Some(name), Some(version)) = (name, version)
            && name.starts_with("tree-sitter-")
            && name != "tree-sitter-language"
        {
            found.push(format!("{name} {version}"));
        }
    }
    found.join(", ")
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        // Not packaged: a lock file may be left out.
        files.extend(path.exists().then(|| path.to_owned()));
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}
