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
    Ok(())
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
