//! What a server's calls cost beside their floor, which is a walk that reads the times of every file: a refresh with
//! nothing changed, with and without what the system tells of changes; a refresh after an edit; and an answer.
//!
//! `CTX_EXPLORE_BENCH_ROOT` names the repository (this one by default), which is copied, `CTX_EXPLORE_BENCH_THREADS` the
//! threads (2). Wall times are medians, and 95th percentiles.

// A benchmark reports on stdout.
#![allow(clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ctx_explore::explore::{NoTrace, Repository};
use ctx_explore::index::{Index, IndexOptions, Silent};
use ctx_explore::tools::registry::EXPLORE;
use ctx_explore::tools::{Arguments, Call, Engine, Form, Options, Time};
use ignore::{WalkBuilder, WalkState};
use serde_json::json;

const ROUNDS: usize = 30;
const EDITS: usize = 20;
const QUESTIONS: usize = 60;
/// What was changed longer ago is known by its times.
const SETTLED: Duration = Duration::from_millis(2_500);

fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i64)
}

/// Copies what a walk finds, without the control folder.
fn copy(from: &Path, to: &Path) {
    for entry in WalkBuilder::new(from).hidden(false).require_git(false).build().flatten() {
        let below = entry.path().strip_prefix(from).expect("a walk stays below its root");
        if below.starts_with(".git") {
            continue;
        }
        let target = to.join(below);
        match entry.file_type() {
            Some(kind) if kind.is_dir() => fs::create_dir_all(&target).expect("a folder can be made"),
            Some(kind) if kind.is_file() => {
                fs::copy(entry.path(), &target).expect("a file can be copied");
            }
            _ => {}
        }
    }
}

/// Walks a tree as a listing must, and reads the times of every file.
fn walk(root: &Path, threads: usize) -> u64 {
    let files = AtomicU64::new(0);
    let walk = WalkBuilder::new(root).threads(threads).hidden(false).require_git(false).build_parallel();
    walk.run(|| {
        Box::new(|entry| {
            if entry.is_ok_and(|entry| entry.metadata().is_ok_and(|meta| meta.is_file())) {
                files.fetch_add(1, Ordering::Relaxed);
            }
            WalkState::Continue
        })
    });
    files.into_inner()
}

/// Milliseconds of each round, in order.
fn timed(rounds: usize, mut round: impl FnMut(usize)) -> Vec<f64> {
    let mut times: Vec<f64> = (0..rounds)
        .map(|at| {
            let begun = Instant::now();
            round(at);
            begun.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn report(what: &str, times: &[f64], floor: f64) {
    let median = times[times.len() / 2];
    let most = times[times.len() * 95 / 100];
    println!("{what:<32} {median:8.1} ms  95 % {most:8.1} ms  times the walk {:6.2}", median / floor);
}

fn main() {
    let root = std::env::var_os("CTX_EXPLORE_BENCH_ROOT")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let threads = std::env::var("CTX_EXPLORE_BENCH_THREADS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (tree, cache) = (folder.path().join("tree"), folder.path().join("cache"));
    copy(&root, &tree);

    let options = IndexOptions { cache_dir: Some(cache.clone()), threads, now, ..IndexOptions::default() };
    let index = Index::open(&tree, options).expect("the root is a folder");
    index.refresh(&Silent).expect("the root can be indexed");
    thread::sleep(SETTLED);
    (0..3).for_each(|_| _ = index.refresh(&Silent).expect("the root can be indexed"));
    let mut files = 0;
    let floor = timed(ROUNDS, |_| files = walk(&tree, threads));
    let plain = timed(ROUNDS, |_| _ = index.refresh(&Silent).expect("the root can be indexed"));
    drop(index);

    let options = Options { root: tree.clone(), index_dir: Some(cache), threads, now, adaptive: true };
    let engine = Engine::new(&options).expect("the root is a folder");
    engine.begin();
    let refresh = || engine.view(&|| false).expect("the root can be indexed");
    (0..3).for_each(|_| _ = refresh());
    let told = timed(ROUNDS, |_| _ = refresh());

    let view = refresh();
    let graph = view.graph();
    let callables: Vec<_> = graph.symbols().iter().filter(|symbol| symbol.kind.is_callable()).collect();
    let name = |at: usize| callables[at * callables.len() / (QUESTIONS + 1)].name.clone();
    let ask = |at: usize| {
        let query = format!("how does {} reach {}", name(at), name(at + 1));
        let query = json!({ "query": query });
        let arguments = Arguments::check(&EXPLORE, query.as_object().expect("an object")).expect("arguments");
        let call = Call { time: &|| Time::Plenty, trace: &mut NoTrace, form: Form::Text };
        engine.call(&EXPLORE, &arguments, call).text.len()
    };
    let answers = if callables.is_empty() {
        Vec::new()
    } else {
        ask(0);
        timed(QUESTIONS, |at| _ = ask(at))
    };

    // The files with most symbols, one after the other.
    let mut largest: Vec<_> = graph.file_ids().collect();
    largest.sort_by_key(|&file| (std::cmp::Reverse(graph.symbols_of(file).len()), file));
    let paths: Vec<PathBuf> =
        largest.iter().take(5).map(|&file| tree.join(graph.file(file).path.as_str())).collect();
    drop(view);
    let mut edits = Vec::new();
    for at in 0..EDITS {
        let path = &paths[at % paths.len()];
        let mut text = fs::read_to_string(path).expect("a file can be read");
        // Every line moves.
        text.insert(0, '\n');
        fs::write(path, text).expect("a file can be written");
        let times = timed(1, |_| _ = refresh());
        // The first edit that a process sees has all tables built.
        edits.extend(times.into_iter().filter(|_| at > 0));
        thread::sleep(Duration::from_millis(500));
        refresh();
    }
    edits.sort_by(f64::total_cmp);

    let walked = floor[floor.len() / 2];
    println!("{} on {threads} threads, {files} files", root.display());
    report("walk that reads all times", &floor, walked);
    report("refresh, looking at every file", &plain, walked);
    report("refresh, told of changes", &told, walked);
    report("refresh after an edit", &edits, walked);
    if !answers.is_empty() {
        report("answer", &answers, walked);
    }
}
