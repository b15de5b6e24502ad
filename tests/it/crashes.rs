//! Whatever ends a process while it writes the index: the next one ends in the right index.
//!
//! A process that dies is this test binary once more, told by an environment variable what to refresh and
//! at which of the index's own reports to end itself. Dying at each report in turn until none is left
//! covers every stage of a build. What a crash can leave of two generations is tried file by file too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use ctx_explore::index::{Index, IndexOptions, Part, Progress, Silent, Snapshot, Stage};
use ctx_explore::render::dump::dump;

use crate::support::{Project, Run};

/// The variable: how many reports to live through.
const LIVES: &str = "CTX_EXPLORE_TEST_LIVES";

/// The clock of these tests: so late that no file is too young to be known by its times.
fn late() -> i64 {
    i64::MAX
}

fn options(cache: Option<PathBuf>) -> IndexOptions {
    IndexOptions { cache_dir: cache, now: late, ..IndexOptions::default() }
}

fn open(root: &Path, cache: &Path) -> Index {
    Index::open(root, options(Some(cache.to_owned()))).unwrap()
}

/// The graph and what some words find.
fn said(snapshot: &Snapshot) -> String {
    let words = ["sink", "dispatch", "event", "emit", "late", "moved"];
    let postings = words.map(|word| format!("{word} {:?}\n", snapshot.postings().postings(word)));
    format!("{}{}", dump(&snapshot.graph), postings.concat())
}

/// What an index of the same files that is built in memory says.
fn fresh(root: &Path) -> String {
    let index = Index::open(root, options(None)).unwrap();
    said(&index.refresh(&Silent).unwrap())
}

/// Ends the process at a report.
struct Dying {
    left: AtomicU32,
}

impl Dying {
    fn report(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 0 {
            std::process::abort();
        }
    }
}

impl Progress for Dying {
    fn stage(&self, _: Stage) {
        self.report();
    }

    fn parsed(&self, _: u32, _: u32) {
        self.report();
    }

    fn wrote(&self, _: Part) {
        self.report();
    }
}

/// The process that dies, where the variable is set; else nothing.
#[test]
fn a_process_that_dies() {
    let Ok(given) = std::env::var(LIVES) else { return };
    let [lives, root, cache] = given.split('\n').collect::<Vec<_>>()[..] else { panic!("{given}") };
    let index = open(Path::new(root), Path::new(cache));
    index.refresh(&Dying { left: AtomicU32::new(lives.parse().unwrap()) }).unwrap();
}

/// Refreshes in a process of its own that dies at a report; whether it came to its end.
fn refresh_and_die(root: &Path, cache: &Path, lives: u32) -> bool {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "crashes::a_process_that_dies"]);
    command.env(LIVES, format!("{lives}\n{}\n{}", root.display(), cache.display()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().success()
}

fn bytes(folder: &Path) -> u64 {
    let size = |path: PathBuf| if path.is_dir() { bytes(&path) } else { fs::metadata(&path).unwrap().len() };
    fs::read_dir(folder).unwrap().map(|entry| size(entry.unwrap().path())).sum()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(path, target).unwrap();
        }
    }
}

/// A refresh after a crash gives the right index, and leaves one that the next process takes as it is.
#[track_caller]
fn recovers(root: &Path, cache: &Path, expected: &str, limit: u64, when: &str) {
    let index = open(root, cache);
    assert!(said(&index.refresh(&Silent).unwrap()) == expected, "another index {when}");
    assert_eq!(index.notices(), Vec::<String>::new(), "{when}");
    drop(index);
    let again = open(root, cache);
    assert!(said(&again.refresh(&Silent).unwrap()) == expected, "another index later, {when}");
    assert_eq!((again.work().read, again.notices()), (0, Vec::new()), "{when}");
    assert!(bytes(cache) <= limit, "{} bytes {when}", bytes(cache));
}

fn edit(project: &Project) {
    let (from, to) = ("src/sink/socket.rs", "src/sink/moved.rs");
    project.rename(from, to);
    project.write("src/late.rs", "pub fn late() {\n    crate::dispatch();\n}\n");
    let text = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("// one line more\n{text}\nmod late;\n"));
    project.remove("Cargo.toml");
}

#[test]
fn a_build_that_dies_anywhere_is_finished_by_the_next_process() {
    let project = Project::fixture("rust/dispatch");
    let root = project.root();
    let expected = fresh(&root);
    let whole = project.beside("whole");
    open(&root, &whole).refresh(&Silent).unwrap();
    let mut lives = 0;
    loop {
        let cache = project.beside(&format!("cold-{lives}"));
        let ended = refresh_and_die(&root, &cache, lives);
        recovers(&root, &cache, &expected, 2 * bytes(&whole), &format!("after {lives} reports"));
        if ended {
            break;
        }
        lives += 1;
    }
    assert!(lives > 12, "only {lives} places to die at");
}

#[test]
fn a_change_that_dies_anywhere_is_finished_by_the_next_process() {
    let project = Project::fixture("rust/dispatch");
    let root = project.root();
    let before = project.beside("before");
    open(&root, &before).refresh(&Silent).unwrap();
    edit(&project);
    let expected = fresh(&root);
    let limit = 3 * bytes(&before);
    let mut lives = 0;
    loop {
        let cache = project.beside(&format!("warm-{lives}"));
        copy(&before, &cache);
        let ended = refresh_and_die(&root, &cache, lives);
        recovers(&root, &cache, &expected, limit, &format!("after {lives} reports"));
        if ended {
            break;
        }
        lives += 1;
    }
    assert!(lives > 8, "only {lives} places to die at");
}

/// One process after another dies at the same place, as under a supervisor that starts it again.
#[test]
fn dying_again_and_again_leaves_nothing_behind() {
    let project = Project::fixture("rust/dispatch");
    let (root, cache) = (project.root(), project.beside("cache"));
    open(&root, &cache).refresh(&Silent).unwrap();
    let limit = 3 * bytes(&cache);
    for round in 0..20 {
        project.write("src/late.rs", format!("pub fn late_{round}() {{}}\n"));
        refresh_and_die(&root, &cache, 3 + round % 5);
        assert!(bytes(&cache) <= limit, "{} bytes in round {round}", bytes(&cache));
    }
    recovers(&root, &cache, &fresh(&root), limit, "after twenty deaths");
}

/// Every mix of the files of two generations, as a crash or a copy may leave it.
#[test]
fn any_mix_of_two_generations_is_noticed() {
    let project = Project::fixture("rust/dispatch");
    let (root, cache) = (project.root(), project.beside("cache"));
    open(&root, &cache).refresh(&Silent).unwrap();
    let before = project.beside("before");
    copy(&cache, &before);
    edit(&project);
    let expected = fresh(&root);
    open(&root, &cache).refresh(&Silent).unwrap();
    let after = project.beside("after");
    copy(&cache, &after);
    let folder = |side: &Path| fs::read_dir(side).unwrap().next().unwrap().unwrap().path();
    let mut names: Vec<_> = [&before, &after]
        .iter()
        .flat_map(|side| fs::read_dir(folder(side)).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name != "lock")
        .collect();
    names.sort();
    names.dedup();
    assert!((3..=6).contains(&names.len()), "{names:?}");
    for mix in 0..1u32 << names.len() {
        let _ = fs::remove_dir_all(&cache);
        let target = cache.join(folder(&before).file_name().unwrap());
        fs::create_dir_all(&target).unwrap();
        for (at, name) in names.iter().enumerate() {
            let from = folder(if mix >> at & 1 == 0 { &before } else { &after }).join(name);
            match fs::metadata(&from) {
                Ok(meta) if meta.is_dir() => copy(&from, &target.join(name)),
                Ok(_) => drop(fs::copy(&from, target.join(name)).unwrap()),
                Err(_) => {}
            }
        }
        for turn in 0..2 {
            let index = open(&root, &cache);
            assert!(said(&index.refresh(&Silent).unwrap()) == expected, "mix {mix:b}, turn {turn}");
        }
    }
}

/// The binary under a limit on the size of a file. `ignored`: writing fails as on a full disk; otherwise the
/// system ends the process in the middle of a write.
fn limited(project: &Project, blocks: u32, ignored: bool) -> Run {
    let trap = if ignored { "trap '' XFSZ; " } else { "" };
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{trap}ulimit -f {blocks}; exec \"$0\" \"$@\""));
    command.arg(env!("CARGO_BIN_EXE_ctx-explore")).args(["explore", "how does an event reach a sink"]);
    command.current_dir(project.root()).env_clear();
    command.env("HOME", project.home()).env("XDG_CACHE_HOME", project.cache());
    Run::of(command)
}

#[test]
fn where_the_disk_is_full_the_answer_is_the_same_with_a_notice() {
    let question = ["explore", "how does an event reach a sink"];
    let project = Project::fixture("rust/dispatch");
    let expected = Project::fixture("rust/dispatch").run(&question);
    let mut told = 0;
    for blocks in [0, 1, 2, 8, 32, 64, 128, 100_000] {
        let run = limited(&project, blocks, true);
        assert_eq!((run.code, &run.stdout), (Some(0), &expected.stdout), "{blocks} blocks: {}", run.stderr);
        told += usize::from(run.stderr.contains("kept in memory"));
        assert!(run.stderr.lines().count() <= 1, "{}", run.stderr);
    }
    assert!(told >= 4, "{told}");
    let after = project.run(&question);
    assert_eq!(after.ends(0), expected.stdout);
}

#[test]
fn a_process_ended_in_the_middle_of_a_write_leaves_a_usable_place() {
    let question = ["explore", "how does an event reach a sink"];
    let project = Project::fixture("rust/dispatch");
    let mut ended = 0;
    for (at, blocks) in [0, 1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128].into_iter().enumerate() {
        project.write("src/late.rs", format!("fn filler_{blocks}() {{}}\n"));
        ended += usize::from(limited(&project, blocks, false).code.is_none());
        let after = project.run(&question);
        let elsewhere = project.beside(&format!("elsewhere-{at}"));
        let fresh = project.run(&[question[0], question[1], "--index-dir", elsewhere.to_str().unwrap()]);
        assert_eq!((after.code, &after.stdout), (Some(0), &fresh.stdout), "{}", after.stderr);
    }
    assert!(ended >= 4, "{ended}");
}
