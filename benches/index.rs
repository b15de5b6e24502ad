//! What indexing costs beside its floor, which is reading every file and parsing those with a grammar,
//! with the same grammars on the same threads; and what resolving the facts of all files costs by itself.
//!
//! `CTX_EXPLORE_BENCH_ROOT` names the repository (this one by default), `CTX_EXPLORE_BENCH_THREADS` the
//! threads (2). CPU times are of the whole process; the ratio is of the smallest of the rounds.

// A benchmark reports on stdout.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ctx_explore::extract::FileFacts;
use ctx_explore::files::{Disk, Files, decode};
use ctx_explore::index::{self, Index, IndexOptions, Silent, Snapshot};
use ctx_explore::lang;
use ctx_explore::resolve::{FileNode, ResolveInput, resolve};
use ctx_explore::text::{LineIndex, RepoPath, is_test_path};
use rayon::prelude::*;
use rustix::time::{ClockId, clock_gettime};

const ROUNDS: usize = 3;

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i64)
}

/// The smallest CPU time and wall time of some rounds.
fn measured(mut round: impl FnMut()) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let (start, wall) = (cpu(), Instant::now());
        round();
        best = (best.0.min(cpu() - start), best.1.min(wall.elapsed()));
    }
    best
}

fn grammar(path: &str) -> Option<tree_sitter::Language> {
    match path.rsplit_once('.')?.1 {
        "go" => Some(tree_sitter_go::LANGUAGE.into()),
        "java" => Some(tree_sitter_java::LANGUAGE.into()),
        "js" | "jsx" | "mjs" | "cjs" | "tsx" => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
        "rs" => Some(tree_sitter_rust::LANGUAGE.into()),
        "ts" | "mts" | "cts" => Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
        "py" | "pyi" => Some(tree_sitter_python::LANGUAGE.into()),
        "kt" | "kts" => Some(tree_sitter_kotlin::LANGUAGE.into()),
        _ => None,
    }
}

/// Lists, reads and parses every file, and keeps nothing.
fn floor(disk: &Disk, pool: &rayon::ThreadPool) -> usize {
    let listing = disk.list().expect("the root can be listed");
    let one = |parser: &mut tree_sitter::Parser, path: &ctx_explore::text::RepoPath| -> usize {
        let Ok(bytes) = disk.read(path) else { return 0 };
        let Some(grammar) = grammar(path.as_str()) else { return bytes.len() };
        parser.set_language(&grammar).expect("the grammar fits the parser");
        parser.parse(&bytes, None).map_or(0, |tree| tree.root_node().end_byte())
    };
    pool.install(|| {
        listing
            .entries
            .par_iter()
            .map_init(tree_sitter::Parser::new, |parser, entry| one(parser, &entry.path))
            .sum()
    })
}

/// The facts of every file that has some, by path.
fn all_facts(disk: &Disk, pool: &rayon::ThreadPool) -> Vec<(FileNode, FileFacts)> {
    let listing = disk.list().expect("the root can be listed");
    let one = |path: &RepoPath| {
        let text = decode(disk.read(path).ok()?).ok()?;
        let (language, facts) = index::facts_of(path, &text);
        let node = FileNode {
            path: path.clone(),
            hash: [0; 32],
            lines: LineIndex::new(&text).count(),
            language: language.map(Into::into),
            test: is_test_path(path),
            generated: false,
        };
        Some((node, facts?))
    };
    let mut facts: Vec<_> =
        pool.install(|| listing.entries.par_iter().filter_map(|entry| one(&entry.path)).collect());
    facts.sort_by(|a, b| a.0.path.cmp(&b.0.path));
    facts
}

/// Resolves the facts of all files, and says how many edges come out.
fn resolved(facts: &[(FileNode, FileFacts)], pool: &rayon::ThreadPool) -> usize {
    let inputs: Vec<ResolveInput<'_>> = facts
        .iter()
        .map(|(file, facts)| {
            let rules = lang::for_path(&file.path).map(|spec| spec.resolution);
            ResolveInput { file, rules, facts: Some(facts) }
        })
        .collect();
    pool.install(|| resolve(&inputs)).graph.edges().len()
}

fn folder_bytes(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => folder_bytes(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

/// The most memory that the process has held, in MiB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn main() {
    let root = std::env::var_os("CTX_EXPLORE_BENCH_ROOT")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let threads = std::env::var("CTX_EXPLORE_BENCH_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    let disk = Disk::open(&root, threads, &[], now).expect("the root is a folder");
    let cache = tempfile::tempdir().expect("a temporary folder can be made");
    let options =
        || IndexOptions { cache_dir: Some(cache.path().into()), threads, now, ..IndexOptions::default() };

    let mut bytes = 0;
    let before = peak_memory();
    let base = measured(|| bytes = floor(&disk, &pool));
    let floor_memory = peak_memory();
    let mut last: Option<Arc<Snapshot>> = None;
    let full = measured(|| {
        last = None;
        std::fs::remove_dir_all(cache.path()).expect("the cache can be emptied");
        let index = Index::open(&root, options()).expect("the root is a folder");
        last = Some(index.refresh(&Silent).expect("the root can be indexed"));
    });
    let index_memory = peak_memory();
    let loaded = measured(|| {
        let index = Index::open(&root, options()).expect("the root is a folder");
        index.refresh(&Silent).expect("the root can be indexed");
    });
    let facts = all_facts(&disk, &pool);
    let mut edges = 0;
    let resolving = measured(|| edges = resolved(&facts, &pool));
    drop(facts);
    let snapshot = last.expect("a round was run");
    let size = folder_bytes(cache.path());
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{} on {threads} threads", root.display());
    println!(
        "files {}  symbols {}  edges {}  chunks {}  parse errors {}",
        snapshot.report.files,
        snapshot.report.symbols,
        snapshot.report.edges,
        snapshot.postings().chunks().len(),
        snapshot.report.errors.len(),
    );
    println!("floor         cpu {:7.0} ms  wall {:7.0} ms  {bytes} bytes", ms(base.0), ms(base.1));
    println!("full index    cpu {:7.0} ms  wall {:7.0} ms", ms(full.0), ms(full.1));
    println!(
        "resolution    cpu {:7.0} ms  wall {:7.0} ms  {:.1} us of CPU for each of {edges} edges",
        ms(resolving.0),
        ms(resolving.1),
        resolving.0.as_secs_f64() * 1e6 / edges.max(1) as f64
    );
    println!("load          cpu {:7.0} ms  wall {:7.0} ms", ms(loaded.0), ms(loaded.1));
    println!("ratio of CPU times: {:.2}", full.0.as_secs_f64() / base.0.as_secs_f64());
    println!("peak memory: start {before} MiB, floor {floor_memory} MiB, index {index_memory} MiB");
    println!("index size: {size} bytes, {:.2} of the source", size as f64 / bytes.max(1) as f64);
}
