//! What holds of every refresh: it equals a fresh build, it does no more than it must, and it comes
//! through whatever happens to the cache.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::files::{Memory, SkipReason};
use crate::text::{self, RepoPath};

fn options(cache: Option<&Path>, threads: usize) -> IndexOptions {
    // Long after every test: no file is too young.
    IndexOptions { cache_dir: cache.map(PathBuf::from), threads, now: || i64::MAX, ..IndexOptions::default() }
}

fn path(path: &str) -> RepoPath {
    RepoPath::new(path).unwrap()
}

/// Everything that a snapshot says, but for the generation and the place of the cache.
fn dump(snapshot: &Snapshot) -> String {
    let graph = &snapshot.graph;
    let mut out = Vec::new();
    let mut terms = BTreeSet::new();
    for id in graph.file_ids() {
        let file = graph.file(id);
        out.push(format!("{file:?}"));
        text::terms(&snapshot.read(id).unwrap(), |term| {
            terms.insert(term.to_owned());
        });
        text::terms(file.path.as_str(), |term| {
            terms.insert(term.to_owned());
        });
    }
    out.extend(graph.symbols().iter().map(|symbol| format!("{symbol:?}")));
    out.extend(graph.edges().iter().map(|edge| format!("{edge:?}")));
    out.extend(snapshot.postings().chunks().iter().map(|chunk| format!("{chunk:?}")));
    for term in &terms {
        out.push(format!("{term} {:?}", snapshot.postings().postings(term)));
    }
    let report = Report { kept: Kept::Memory, ..snapshot.report.clone() };
    out.push(format!("{report:?}"));
    out.join("\n")
}

/// A fresh index of the same files in memory, on one thread.
fn fresh(files: &Arc<dyn Files>) -> String {
    let index = Index::over(files.clone(), options(None, 1)).unwrap();
    dump(&index.refresh(&Silent).unwrap())
}

/// The fixtures, by path.
fn fixtures() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let disk = Disk::open(&root, 1, &[], || 0).unwrap();
    let listing = disk.list().unwrap();
    let read = |path: &RepoPath| String::from_utf8(disk.read(path).unwrap()).unwrap();
    listing.entries.iter().map(|entry| (entry.path.to_string(), read(&entry.path))).collect()
}

fn memory(files: &[(String, String)]) -> Arc<Memory> {
    Arc::new(Memory::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))))
}

fn on_disk(root: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A fixed sequence of random-looking numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }
}

/// Some word of a text that begins like a name.
fn word<'t>(text: &'t str, dice: &mut Dice) -> &'t str {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: Vec<&str> = words.filter(|word| word.starts_with(|c: char| c.is_alphabetic())).collect();
    if names.is_empty() { "none" } else { names[dice.roll(names.len())] }
}

/// What files beside the sources are called that say what modules mean.
const MANIFESTS: &[&str] = &["go.mod", "Cargo.toml", "package.json", "tsconfig.json"];

/// Packages, crates and modules whose names other files decide than those that use them.
const NAMED: &[(&str, &str)] = &[
    ("named/go.mod", "module m\n"),
    ("named/a/go.mod", "module m/b\n"),
    ("named/a/x.go", "package b\n\nfunc X() { Foo() }\n"),
    ("named/b/y.go", "package b\n\nfunc Foo() {}\n"),
    ("named/b-old/z.go", "package old\n\nfunc Old() {}\n"),
    ("named/c/z.go", "package c\n\nimport (\n\t\"m/b\"\n\t\"m/b-old\"\n)\n\nfunc Z() { b.X(); old.Old() }\n"),
    ("named/my-one/Cargo.toml", "[package]\nversion = \"1\"\n"),
    ("named/my-one/src/lib.rs", "pub fn run() {}\n"),
    (
        "named/two/src/lib.rs",
        "#[path = \"sys/odd.rs\"]\nmod imp;\nmod user;\npub fn go() { my_one::run(); }\n",
    ),
    ("named/two/src/sys/odd.rs", "pub fn run() {}\n"),
    ("named/two/src/user.rs", "pub fn go() { super::imp::run(); }\n"),
];

/// A file with a name of a file, in the folder of another one.
fn beside(other: &str, name: &str) -> RepoPath {
    let folder = other.rfind('/').map_or("", |at| &other[..=at]);
    path(&format!("{folder}{}", name.rsplit('/').next().unwrap()))
}

/// Puts a file there, or takes away what is there.
fn turn(memory: &Memory, target: &RepoPath, text: &str) {
    match memory.read(target) {
        Ok(_) => memory.remove(target),
        Err(_) => memory.set(target, text.as_bytes().to_vec()),
    }
}

/// One edit: cut lines, double lines, drop or repeat one, rename, remove, bring back, break, or write another name
/// for one wherever it stands in a file. Files and manifests come to other folders and go from there.
fn edit(memory: &Memory, originals: &[(String, String)], dice: &mut Dice) {
    let (name, text) = &originals[dice.roll(originals.len())];
    let target = path(name);
    // On top of earlier edits, so that they add up.
    let now = memory.read(&target).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = now.as_ref().filter(|_| dice.roll(3) > 0).unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let cut = dice.roll(lines.len().max(1));
    match dice.roll(16) {
        0 => memory.remove(&target),
        1 => memory.set(&target, lines[..cut].join("\n").into_bytes()),
        2 => memory.set(&target, [&lines[..cut], &lines[..]].concat().join("\n").into_bytes()),
        3 => memory.set(&target, [&lines[cut..], &lines[..cut]].concat().join("\r\n").into_bytes()),
        4 => {
            memory.remove(&target);
            memory.set(&path(&format!("moved/{name}")), text.clone().into_bytes());
        }
        5 => memory.set(&target, b"\0".to_vec()),
        6 => memory.set(
            &target,
            [&lines[..cut], &lines[(cut + 1).min(lines.len())..]].concat().join("\n").into_bytes(),
        ),
        7 => memory
            .set(&target, [&lines[..cut], &lines[cut.saturating_sub(1)..]].concat().join("\n").into_bytes()),
        8..=10 => {
            let one = word(text, dice);
            let other = word(&originals[dice.roll(originals.len())].1, dice);
            memory.set(&target, text.replace(one, other).into_bytes());
        }
        // To another folder, and within its own before all others.
        13 => turn(memory, &beside(&originals[dice.roll(originals.len())].0, name), text),
        14 => turn(memory, &beside(name, &format!("a_{}", target.name())), text),
        15 => {
            let is_manifest =
                |(path, _): &&(String, String)| MANIFESTS.iter().any(|name| path.ends_with(name));
            let manifests: Vec<_> = originals.iter().filter(is_manifest).collect();
            let (manifest, text) = manifests[dice.roll(manifests.len())];
            let above = beside(name, "x")
                .directory()
                .rsplit_once('/')
                .map_or("x".into(), |(at, _)| format!("{at}/x"));
            turn(memory, &beside(if dice.roll(2) == 0 { name } else { &above }, manifest), text);
        }
        _ => memory.set(&target, text.clone().into_bytes()),
    }
}

#[test]
fn after_any_edits_an_index_equals_a_fresh_one() {
    let named = NAMED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
    let originals: Vec<(String, String)> = fixtures().into_iter().chain(named).collect();
    let cache = tempfile::tempdir().unwrap();
    // For longer runs; another number begins elsewhere, too.
    let rounds = option_env!("CTX_EXPLORE_TEST_ROUNDS").map_or(12, |given| given.parse().unwrap());
    for (seed, threads) in [(1 + rounds - 12, 1), (2 + rounds - 12, 8)] {
        let files = memory(&originals);
        let dynamic: Arc<dyn Files> = files.clone();
        let kept = Index::over(dynamic.clone(), options(None, threads)).unwrap();
        let folder = Some(cache.path().join(seed.to_string()));
        let mut stored = Index::with(dynamic.clone(), folder.clone(), options(None, threads)).unwrap();
        let mut dice = Dice(seed);
        for round in 0..rounds {
            let expected = fresh(&dynamic);
            assert_eq!(dump(&kept.refresh(&Silent).unwrap()), expected, "round {round}");
            assert_eq!(dump(&stored.refresh(&Silent).unwrap()), expected, "round {round}");
            if round % 3 == 0 {
                // Another process goes on from the cache.
                stored = Index::with(dynamic.clone(), folder.clone(), options(None, threads)).unwrap();
            }
            for _ in 0..=dice.roll(4) {
                edit(&files, &originals, &mut dice);
            }
        }
    }
}

#[test]
fn the_place_of_the_root_leaves_no_trace() {
    let files = fixtures();
    let dumps: Vec<String> = [("a", 1), ("some/other/place", 8)]
        .iter()
        .map(|(name, threads)| {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().join(name);
            on_disk(&root, &files);
            let index = Index::open(&root, options(Some(&dir.path().join("cache")), *threads)).unwrap();
            dump(&index.refresh(&Silent).unwrap())
        })
        .collect();
    assert_eq!(dumps[0], dumps[1]);
    let files: Arc<dyn Files> = memory(&files);
    assert_eq!(dumps[0], fresh(&files));
}

#[test]
fn nothing_is_done_twice() {
    let files = memory(&fixtures());
    let dynamic: Arc<dyn Files> = files.clone();
    let cache = tempfile::tempdir().unwrap();
    let open = || Index::with(dynamic.clone(), Some(cache.path().join("x")), options(None, 2)).unwrap();
    let index = open();
    let first = index.refresh(&Silent).unwrap();
    let listed = index.work().listed;
    assert_eq!(index.work(), Work { listed, read: listed, parsed: index.work().parsed, ..Work::default() });
    let again = index.refresh(&Silent).unwrap();
    assert!(Arc::ptr_eq(&first, &again));
    assert_eq!(index.work(), Work { listed, ..Work::default() });
    // Another process finds it all in the cache.
    let other = open();
    assert_eq!(dump(&other.refresh(&Silent).unwrap()), dump(&first));
    assert_eq!(other.work(), Work { listed, ..Work::default() });
    // A new time alone: read, not parsed, and the same snapshot.
    let touched = first.graph.files()[0].path.clone();
    files.set(&touched, files.read(&touched).unwrap());
    assert!(Arc::ptr_eq(&first, &index.refresh(&Silent).unwrap()));
    assert_eq!(index.work(), Work { listed, hashed: 1, ..Work::default() });
    index.refresh(&Silent).unwrap();
    assert_eq!(index.work(), Work { listed, ..Work::default() });
    // One edit: one file.
    files.set(&touched, b"changed\n".to_vec());
    let changed = index.refresh(&Silent).unwrap();
    assert_eq!((index.work().read, changed.generation), (1, first.generation + 1));
    // The other process still has the older generation and must not take it for its own.
    assert_eq!(dump(&other.refresh(&Silent).unwrap()), dump(&changed));
    assert_eq!(other.work().read, 0);
}

#[test]
fn young_files_are_read_again_until_their_times_tell() {
    let files = memory(&[("a.txt".into(), "one\n".into())]);
    let dynamic: Arc<dyn Files> = files.clone();
    let index = Index::over(dynamic, IndexOptions { now: || 5, ..IndexOptions::default() }).unwrap();
    index.refresh(&Silent).unwrap();
    index.refresh(&Silent).unwrap();
    assert_eq!(index.work().hashed, 1);
}

#[test]
fn two_writers_on_one_cache_take_turns() {
    let originals = fixtures();
    let files = memory(&originals);
    let dynamic: Arc<dyn Files> = files.clone();
    let cache = tempfile::tempdir().unwrap();
    let open = || Index::with(dynamic.clone(), Some(cache.path().join("x")), options(None, 1)).unwrap();
    let (one, other) = (open(), open());
    let mut dice = Dice(7);
    for _ in 0..6 {
        edit(&files, &originals, &mut dice);
        let expected = fresh(&dynamic);
        std::thread::scope(|scope| {
            let both = [&one, &other].map(|index| scope.spawn(|| dump(&index.refresh(&Silent).unwrap())));
            for dumped in both {
                assert_eq!(dumped.join().unwrap(), expected);
            }
        });
    }
}

#[test]
fn a_damaged_cache_is_built_anew() {
    let dynamic: Arc<dyn Files> = memory(&fixtures());
    let expected = fresh(&dynamic);
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("x");
    let refreshed = || {
        let index = Index::with(dynamic.clone(), Some(folder.clone()), options(None, 1)).unwrap();
        let snapshot = index.refresh(&Silent).unwrap();
        assert_eq!(snapshot.report.kept, Kept::Folder(folder.clone()));
        dump(&snapshot)
    };
    assert_eq!(refreshed(), expected);
    let mut names: Vec<PathBuf> = vec![folder.join("graph.sqlite")];
    names.extend(fs::read_dir(folder.join("text")).unwrap().map(|entry| entry.unwrap().path()));
    names.retain(|name| name.is_file());
    assert!(names.len() > 5);
    for name in names {
        // The name of a segment changes with each rebuild.
        let name = if name.exists() { name } else { folder.join("text/meta.json") };
        let bytes = fs::read(&name).unwrap();
        for damage in [Vec::new(), bytes[..bytes.len() / 2].to_vec(), vec![b'x'; bytes.len()]] {
            fs::write(&name, &damage).unwrap();
            assert_eq!(refreshed(), expected, "{}", name.display());
        }
        let _ = fs::remove_file(&name);
        assert_eq!(refreshed(), expected, "without {}", name.display());
    }
}

#[test]
fn no_damage_goes_unnoticed() {
    let small = fixtures()
        .into_iter()
        .filter(|(path, _)| path.starts_with("rust/dispatch/src/sink"))
        .collect::<Vec<_>>();
    let dynamic: Arc<dyn Files> = memory(&small);
    let expected = fresh(&dynamic);
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("x");
    let open = || Index::with(dynamic.clone(), Some(folder.clone()), options(None, 1)).unwrap();
    assert_eq!(dump(&open().refresh(&Silent).unwrap()), expected);
    // By their endings: the names of segments change with each rebuild.
    let ending = |name: &Path| {
        let name = name.file_name().unwrap().to_str().unwrap();
        if name.len() > 32 { name[32..].to_owned() } else { name.to_owned() }
    };
    let files = || {
        let within = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> = within(&folder).chain(within(&folder.join("text"))).collect();
        files.retain(|name| name.is_file() && fs::metadata(name).unwrap().len() > 0);
        files
    };
    let mut endings: Vec<_> = files().iter().map(|name| ending(name)).collect();
    endings.sort();
    assert!(endings.len() >= 8, "{endings:?}");
    for wanted in endings {
        let find = || files().into_iter().find(|name| ending(name) == wanted).unwrap();
        let length = fs::metadata(find()).unwrap().len() as usize;
        let last = [1, 50, 139].into_iter().map(|back| length.saturating_sub(back));
        let spread = (0..4).map(|part| length * part / 4);
        for (nth, at) in last.chain(spread).enumerate() {
            let name = find();
            let mut bytes = fs::read(&name).unwrap();
            let at = at.min(bytes.len() - 1);
            bytes[at] ^= [0x01, 0x80, 0xff][nth % 3];
            fs::write(&name, bytes).unwrap();
            let index = open();
            let snapshot = index.refresh(&Silent).unwrap();
            let place = format!("{} at {at}", name.display());
            assert_eq!(snapshot.report.kept, Kept::Folder(folder.clone()), "{place}");
            assert!(dump(&snapshot) == expected, "{place}");
            assert!(!snapshot.is_damaged(), "{place}");
            let told = index.notices().iter().any(|notice| notice.contains("was damaged"));
            // The seal of another version, and tantivy's list of its own files, are no damage.
            assert!(told || index.work().read == 0 || wanted == "seal", "{place}");
            let again = open();
            assert!(dump(&again.refresh(&Silent).unwrap()) == expected, "{place}");
            assert_eq!((again.work().read, again.notices()), (0, Vec::new()), "{place}");
        }
    }
}

#[test]
fn damage_under_a_running_process_is_mended_by_its_next_change() {
    let files = memory(&fixtures());
    let dynamic: Arc<dyn Files> = files.clone();
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("x");
    let open = || Index::with(dynamic.clone(), Some(folder.clone()), options(None, 1)).unwrap();
    let index = open();
    index.refresh(&Silent).unwrap();
    let database = folder.join("graph.sqlite");
    let bytes = fs::read(&database).unwrap();
    fs::write(&database, vec![b'x'; bytes.len()]).unwrap();
    files.set(&path("new.txt"), b"word\n".to_vec());
    assert_eq!(dump(&index.refresh(&Silent).unwrap()), fresh(&dynamic));
    assert_eq!(dump(&open().refresh(&Silent).unwrap()), fresh(&dynamic));
}

#[test]
fn parts_of_two_generations_are_built_anew() {
    let files = memory(&fixtures());
    let dynamic: Arc<dyn Files> = files.clone();
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("x");
    let refreshed = || {
        let index = Index::with(dynamic.clone(), Some(folder.clone()), options(None, 1)).unwrap();
        dump(&index.refresh(&Silent).unwrap())
    };
    refreshed();
    let older = fs::read(folder.join("graph.sqlite")).unwrap();
    files.set(&path("new.txt"), b"word\n".to_vec());
    refreshed();
    fs::write(folder.join("graph.sqlite"), older).unwrap();
    assert_eq!(refreshed(), fresh(&dynamic));
}

#[test]
fn without_a_usable_cache_the_index_is_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    on_disk(&dir.path().join("root"), &fixtures());
    fs::write(dir.path().join("cache"), "a file").unwrap();
    let index = Index::open(&dir.path().join("root"), options(Some(&dir.path().join("cache")), 1)).unwrap();
    let snapshot = index.refresh(&Silent).unwrap();
    let place = dir.path().join("cache").display().to_string();
    assert!(matches!(&snapshot.report.kept, Kept::Fallback(why) if why.contains(&place)));
    assert!(index.notices().iter().any(|notice| notice.contains(&place)));
    let files: Arc<dyn Files> = memory(&fixtures());
    assert_eq!(dump(&snapshot), fresh(&files));
    fs::write(dir.path().join("root/new.txt"), "word\n").unwrap();
    assert!(index.refresh(&Silent).unwrap().graph.find_file("new.txt").is_some());
}

#[test]
fn roots_without_an_index() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let open = |name: &str| Index::open(&dir.path().join(name), options(None, 1)).map(|_| ()).unwrap_err();
    assert!(matches!(open("none"), IndexError::Root(RootError::Missing(_))));
    assert!(matches!(open("file"), IndexError::Root(RootError::NotAFolder(_))));
    let home = dir.path().join("home");
    fs::create_dir(&home).unwrap();
    let refused = IndexOptions { refused: vec![home.clone()], ..options(None, 1) };
    assert!(matches!(Index::open(&home, refused), Err(IndexError::Root(RootError::Refused(_)))));
    // Empty, then gone.
    let index = Index::open(&home, options(None, 1)).unwrap();
    let snapshot = index.refresh(&Silent).unwrap();
    assert_eq!((snapshot.report.files, snapshot.postings().chunks().len()), (0, 0));
    assert!(Arc::ptr_eq(&snapshot, &index.refresh(&Silent).unwrap()));
    fs::remove_dir(&home).unwrap();
    assert!(matches!(index.refresh(&Silent), Err(IndexError::Root(RootError::Missing(_)))));
}

#[test]
fn what_is_not_indexed_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("big.json"), vec![b'1'; 5 << 20]).unwrap();
    fs::write(dir.path().join("min.js"), "a=1;".repeat(20_000)).unwrap();
    fs::write(dir.path().join("latin.txt"), b"caf\xe9\n").unwrap();
    fs::write(dir.path().join("image.png"), b"\x89PNG\0\0").unwrap();
    fs::write(dir.path().join("kept.txt"), "kept\n").unwrap();
    std::os::unix::fs::symlink(dir.path(), dir.path().join("circle")).unwrap();
    let index = Index::open(dir.path(), options(None, 2)).unwrap();
    let snapshot = index.refresh(&Silent).unwrap();
    let skipped: Vec<(&str, &SkipReason)> =
        snapshot.report.skipped.iter().map(|skipped| (skipped.path.as_str(), &skipped.why)).collect();
    let expected = [
        ("big.json", &SkipReason::TooLarge),
        ("circle", &SkipReason::Link),
        ("image.png", &SkipReason::Binary),
        ("latin.txt", &SkipReason::NotUtf8),
        ("min.js", &SkipReason::Minified),
    ];
    assert_eq!(skipped, expected);
    assert_eq!((snapshot.report.files, &snapshot.report.text_only[..]), (1, &[("txt".into(), 1)][..]));
    // What the listing passes over is reported as it is now.
    fs::remove_file(dir.path().join("circle")).unwrap();
    let again = index.refresh(&Silent).unwrap();
    assert_eq!(again.report.skipped.len(), 4);
    assert!(Arc::ptr_eq(&again.graph, &snapshot.graph));
}

#[test]
fn reading_is_of_the_snapshot_or_not_at_all() {
    let files = memory(&[("a.txt".into(), "one\n".into())]);
    let dynamic: Arc<dyn Files> = files.clone();
    let index = Index::over(dynamic, options(None, 1)).unwrap();
    let snapshot = index.refresh(&Silent).unwrap();
    let id = snapshot.graph.find_file("a.txt").unwrap();
    assert_eq!(snapshot.read(id).as_deref(), Some("one\n"));
    files.set(&path("a.txt"), b"two\n".to_vec());
    assert_eq!(snapshot.read(id), None);
    files.remove(&path("a.txt"));
    assert_eq!(snapshot.read(id), None);
}

#[test]
fn a_cancelled_refresh_changes_nothing() {
    struct Impatient;
    impl Progress for Impatient {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let dynamic: Arc<dyn Files> = memory(&fixtures());
    let cache = tempfile::tempdir().unwrap();
    for folder in [None, Some(cache.path().join("x"))] {
        let index = Index::with(dynamic.clone(), folder, options(None, 2)).unwrap();
        assert!(matches!(index.refresh(&Impatient), Err(IndexError::Cancelled)));
        assert!(index.current().is_none());
        assert_eq!(dump(&index.refresh(&Silent).unwrap()), fresh(&dynamic));
    }
}

#[test]
fn a_refresh_may_be_cancelled_wherever_it_asks_and_the_next_one_goes_on_from_the_state_before() {
    /// Counts how often it is asked, and cancels from some time on.
    struct After(u32, AtomicU32);
    impl Progress for After {
        fn cancelled(&self) -> bool {
            self.1.fetch_add(1, Ordering::SeqCst) >= self.0
        }
    }
    let after = |asked| After(asked, AtomicU32::new(0));
    let cache = tempfile::tempdir().unwrap();
    for folder in [None, Some(cache.path().join("x"))] {
        let files = memory(&fixtures());
        let dynamic: Arc<dyn Files> = files.clone();
        let never = after(u32::MAX);
        Index::over(dynamic.clone(), options(None, 2)).unwrap().refresh(&never).unwrap();
        // Once for each file, and once before anything is written.
        let all = never.1.into_inner();
        assert_eq!(all as usize, fixtures().len() + 1);

        let index = Index::with(dynamic.clone(), folder, options(None, 2)).unwrap();
        for asked in [0, 1, all / 2, all - 1] {
            assert!(matches!(index.refresh(&after(asked)), Err(IndexError::Cancelled)), "{asked}");
        }
        assert_eq!(dump(&index.refresh(&Silent).unwrap()), fresh(&dynamic));

        files.set(&path("python/brand_new.py"), b"def brand_new():\n    return brand_new()\n".to_vec());
        for asked in [0, 1] {
            assert!(matches!(index.refresh(&after(asked)), Err(IndexError::Cancelled)), "{asked}");
        }
        assert_eq!(dump(&index.refresh(&Silent).unwrap()), fresh(&dynamic));
        assert_eq!((index.work().read, index.work().parsed), (1, 1));
    }
}
