//! Any repository: odd names, odd places, odd files, and trees that change under the reader. Each is indexed,
//! what cannot be is reported, and a refreshed index equals a fresh one.

use std::fs;
use std::os::unix::fs::{FileExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ctx_explore::files::{Files, Listing, Memory, RootError, SkipReason};
use ctx_explore::index::{Index, Silent};
use ctx_explore::text::RepoPath;
use rustix::fs::{Mode, OFlags};

use crate::support::Project;
use crate::support::follow::{clock, follows, fresh, options, said, skipped};

fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn source(name: &str, value: u32) -> String {
    format!("def {name}():\n    return target({value})\n")
}

#[test]
fn names_and_kinds_that_change_places() {
    let project = Project::empty();
    follows(
        &project,
        &[
            ("files", &|root| {
                write(&root.join("a.py"), "from pkg.b import value\n\ndef target(x):\n    return value()\n");
                write(&root.join("pkg/b.py"), source("value", 1));
                write(&root.join("thing"), "target\n");
            }),
            ("a name in another case", &|root| fs::rename(root.join("a.py"), root.join("A.py")).unwrap()),
            ("and back", &|root| fs::rename(root.join("A.py"), root.join("a.py")).unwrap()),
            ("a folder in another case", &|root| fs::rename(root.join("pkg"), root.join("Pkg")).unwrap()),
            ("and back", &|root| fs::rename(root.join("Pkg"), root.join("pkg")).unwrap()),
            ("a file becomes a folder", &|root| {
                fs::remove_file(root.join("thing")).unwrap();
                write(&root.join("thing/inner.py"), source("moved", 2));
            }),
            ("a folder becomes a file", &|root| {
                fs::remove_dir_all(root.join("thing")).unwrap();
                write(&root.join("thing"), "moved\n");
            }),
            ("a file becomes a link", &|root| {
                fs::remove_file(root.join("thing")).unwrap();
                symlink("a.py", root.join("thing")).unwrap();
            }),
            ("a link becomes a file", &|root| {
                fs::remove_file(root.join("thing")).unwrap();
                write(&root.join("thing"), "value\n");
            }),
            ("a module becomes a package", &|root| {
                fs::remove_file(root.join("pkg/b.py")).unwrap();
                write(&root.join("pkg/b/__init__.py"), source("value", 3));
            }),
            ("two files change names", &|root| {
                write(&root.join("one.py"), source("one", 1));
                write(&root.join("two.py"), source("two", 2));
                fs::rename(root.join("one.py"), root.join("three")).unwrap();
                fs::rename(root.join("two.py"), root.join("one.py")).unwrap();
                fs::rename(root.join("three"), root.join("two.py")).unwrap();
            }),
            ("a second name for a file", &|root| {
                fs::hard_link(root.join("one.py"), root.join("also.py")).unwrap();
            }),
            ("an edit through the other name", &|root| {
                let file = fs::OpenOptions::new().write(true).open(root.join("also.py")).unwrap();
                file.write_all_at(b"def owt", 0).unwrap();
            }),
            ("everything gone", &|root| {
                for name in ["a.py", "one.py", "two.py", "also.py", "thing"] {
                    fs::remove_file(root.join(name)).unwrap();
                }
                fs::remove_dir_all(root.join("pkg")).unwrap();
            }),
            ("and one file back", &|root| write(&root.join("a.py"), source("target", 4))),
        ],
    );
}

/// What names mean that stand in files which stay as they are.
#[test]
fn manifests_and_files_that_others_name() {
    let project = Project::empty();
    let gone = |root: &Path, name: &str| fs::remove_file(root.join(name)).unwrap();
    follows(
        &project,
        &[
            ("files", &|root| {
                write(&root.join("go.mod"), "module m\n");
                write(&root.join("a/x.go"), "package b\n\nfunc X() { Foo() }\n");
                write(&root.join("b/y.go"), "package b\n\nfunc Foo() {}\n");
                write(&root.join("c/z.go"), "package c\n\nimport \"m/b\"\n\nfunc Z() { b.X() }\n");
                write(&root.join("one/Cargo.toml"), "[package]\nname = \"bar-baz\"\n");
                write(&root.join("two/src/lib.rs"), "pub fn go() { bar_baz::run(); one::run() }\n");
                write(&root.join("two/src/main.rs"), "#[path = \"sys/odd.rs\"]\nmod imp;\nmod user;\n");
                write(&root.join("two/src/user.rs"), "pub fn go() { crate::imp::run(); }\n");
            }),
            ("a manifest makes two folders one package", &|root| {
                write(&root.join("a/go.mod"), "module m/b\n");
            }),
            ("and no more", &|root| gone(root, "a/go.mod")),
            ("the root of a crate", &|root| write(&root.join("one/src/lib.rs"), "pub fn run() {}\n")),
            ("a crate without a name", &|root| write(&root.join("one/Cargo.toml"), "[package]\n")),
            ("a crate no more", &|root| gone(root, "one/Cargo.toml")),
            ("a file that an attribute names", &|root| {
                write(&root.join("two/src/sys/odd.rs"), "pub fn run() {}\n");
            }),
            ("and no more", &|root| gone(root, "two/src/sys/odd.rs")),
        ],
    );
}

/// Edits that leave size and, within the clock's tick or set back by hand, times as they were.
#[test]
fn edits_that_stats_hardly_show() {
    let project = Project::empty();
    let same_times = |root: &Path, text: &str| {
        let path = root.join("a.py");
        let times = fs::metadata(&path).unwrap();
        fs::write(&path, text).unwrap();
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_times(fs::FileTimes::new().set_modified(times.modified().unwrap())).unwrap();
    };
    follows(
        &project,
        &[
            ("a file", &|root| write(&root.join("a.py"), source("one", 1))),
            ("the same size at once", &|root| write(&root.join("a.py"), source("two", 2))),
            ("again", &|root| write(&root.join("a.py"), source("six", 3))),
            ("with the time set back", &|root| same_times(root, &source("ten", 4))),
            ("a new file of an old time", &|root| {
                fs::remove_file(root.join("a.py")).unwrap();
                write(&root.join("a.py"), source("old", 5));
                let file = fs::File::options().write(true).open(root.join("a.py")).unwrap();
                file.set_times(fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH)).unwrap();
            }),
            ("another of that time", &|root| same_times(root, &source("new", 6))),
        ],
    );
}

/// As a switch of branches, or a stash and its return: a thousand files at once.
#[test]
fn many_files_at_once() {
    let project = Project::empty();
    let branch = |root: &Path, turn: u32| {
        for at in 0..1_000u32 {
            let path = root.join(format!("pkg{}/m{at}.py", at % 20));
            match (at + turn) % 4 {
                0 if turn > 0 => drop(fs::remove_file(&path)),
                1 if turn > 0 => {}
                _ => write(&path, source(&format!("f{at}"), at + turn)),
            }
        }
    };
    follows(
        &project,
        &[
            ("a thousand files", &|root| branch(root, 0)),
            ("another branch", &|root| branch(root, 1)),
            ("back again", &|root| branch(root, 0)),
        ],
    );
}

/// The clock of an index stands still, runs ahead, or jumps between refreshes.
#[test]
fn clocks_change_no_answer() {
    for now in [|| 0, || i64::MIN, || i64::MAX, || clock() - (1 << 60), || clock() + (1 << 60), jumping] {
        let project = Project::empty();
        let root = project.root();
        let kept = Index::open(&root, options(Some(project.beside("kept")), now)).unwrap();
        for turn in 0..4u32 {
            // A tick of the coarsest clock: with a clock that runs ahead, a change within it does not show.
            std::thread::sleep(std::time::Duration::from_millis(25));
            write(&root.join("a.py"), source("target", turn));
            write(&root.join(format!("b{turn}.py")), source("value", turn));
            assert_eq!(said(&kept.refresh(&Silent).unwrap()), said(&fresh(&root)), "turn {turn}");
        }
    }
}

fn jumping() -> i64 {
    static AHEAD: AtomicBool = AtomicBool::new(false);
    if AHEAD.fetch_xor(true, Ordering::SeqCst) { 0 } else { i64::MAX }
}

#[test]
fn long_names_and_deep_folders() {
    let project = Project::empty();
    let root = project.root();
    let long = format!("{}.py", "n".repeat(252));
    write(&root.join(&long), source("target", 1));
    let wide = format!("{}.py", "血".repeat(84));
    write(&root.join(&wide), source("value", 1));
    // Made step by step: below some depth a path is too long to be opened at once.
    let levels = 1_900;
    let deep: String = "d/".repeat(levels);
    let (readable, writable) = (OFlags::RDONLY | OFlags::DIRECTORY, OFlags::WRONLY | OFlags::CREATE);
    let mut folder = rustix::fs::open(&root, readable, Mode::empty()).unwrap();
    for level in 1..=levels + 400 {
        rustix::fs::mkdirat(&folder, "d", Mode::RWXU).unwrap();
        folder = rustix::fs::openat(&folder, "d", readable, Mode::empty()).unwrap();
        if level == levels || level == levels + 400 {
            let file = rustix::fs::openat(&folder, "deep.py", writable, Mode::RUSR).unwrap();
            rustix::io::write(&file, b"def moved(): pass\n").unwrap();
        }
    }
    let snapshot = fresh(&root);
    let file = |path: &str| snapshot.graph.find_file(path).is_some();
    let found = (file(&long), file(&wide), file(&format!("{deep}deep.py")), snapshot.report.files);
    let unreachable = skipped(&snapshot);
    // What removes temporary folders goes down as deep as there are file descriptors.
    Command::new("rm").arg("-rf").arg(root.join("d")).status().unwrap();
    assert_eq!(found, (true, true, true, 3));
    let named: Vec<&str> = unreachable.iter().map(|(_, why)| why.as_str()).collect();
    assert!(!named.is_empty() && named.iter().all(|why| why.starts_with("cannot be read")), "{named:?}");
}

#[test]
fn what_is_no_regular_file_is_named_and_never_opened() {
    let project = Project::with(&[("a.py", "def target(): pass\n")]);
    let root = project.root();
    let _socket = UnixListener::bind(root.join("socket.py")).unwrap();
    let fifo = Command::new("mkfifo").arg(root.join("fifo.py")).status().unwrap();
    assert!(fifo.success());
    symlink("/dev/zero", root.join("zero.py")).unwrap();
    symlink("/proc/self/environ", root.join("environ")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    let snapshot = fresh(&root);
    let link = "a link; links are not followed".to_owned();
    let special = "not a regular file".to_owned();
    assert_eq!(
        skipped(&snapshot),
        [
            ("environ", link.clone()),
            ("fifo.py", special.clone()),
            ("loop", link.clone()),
            ("socket.py", special),
            ("zero.py", link)
        ]
    );
    assert_eq!(snapshot.report.files, 1);
}

/// Lines are what editors count: byte order marks, form feeds, lone carriage returns and mixed line ends
/// change no number.
#[test]
fn texts_of_any_make_keep_their_lines() {
    let project = Project::with(&[
        ("bom.py", "\u{feff}def bom():\n    return 1\n"),
        ("crlf.py", "import os\r\n\r\ndef crlf():\r\n    return 1\r\n"),
        ("mixed.py", "x = 1\r\ny = 2\n\r\ndef mixed():\n    return 1\r\n"),
        ("feed.py", "x = 1\n\u{c}\ndef feed():\n    return 1\n"),
        ("bom.kt", "\u{feff}package a\r\n\r\nfun marked() = 1\r\n"),
        ("bom.rs", "\u{feff}//! Docs\r\nfn begun() {\r\n}\r\n"),
        ("separators.py", "x = '\u{2028}\u{85}\u{b}'\ndef separated():\n    return 1\n"),
        ("none.py", "def unended():\n    return 1"),
        ("late.py", &format!("{}x = '\0'\ndef late():\n    return 1\n", "# filler\n".repeat(1_000))),
    ]);
    project.write("surrogate.py", b"x = '\xed\xa0\x80'\ndef lost():\n    pass\n");
    project.write("early.py", "x = '\0'\ndef lost():\n    pass\n");
    for (name, place) in [
        ("bom", "bom.py:1-2"),
        ("crlf", "crlf.py:3-4"),
        ("mixed", "mixed.py:4-5"),
        ("feed", "feed.py:3-4"),
        ("marked", "bom.kt:3-3"),
        ("begun", "bom.rs:2-3"),
        ("separated", "separators.py:2-3"),
        ("unended", "none.py:1-2"),
        ("late", "late.py:1002-1003"),
    ] {
        let run = project.run(&["symbol", name]);
        assert!(run.ends(0).contains(place), "{name}: {}", run.stdout);
        assert!(!run.stdout.contains('\r'), "{name}: {}", run.stdout);
    }
    let snapshot = fresh(&project.root());
    assert_eq!(
        skipped(&snapshot),
        [("early.py", "binary".to_owned()), ("surrogate.py", "not UTF-8".to_owned())]
    );
}

/// Files that change between being listed and being read: they vanish, grow over the limit or are replaced.
struct Restless {
    files: Memory,
    listed: AtomicBool,
}

impl Files for Restless {
    fn list(&self) -> Result<Arc<Listing>, RootError> {
        let listing = self.files.list();
        if !self.listed.swap(true, Ordering::SeqCst) {
            let path = |name: &str| RepoPath::new(name).unwrap();
            self.files.remove(&path("gone.py"));
            self.files.set(&path("grown.py"), vec![b'#'; 5 << 20]);
            self.files.set(&path("other.py"), source("value", 2).into_bytes());
            self.files.set(&path("new.py"), source("moved", 3).into_bytes());
        }
        listing
    }

    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason> {
        self.files.read(path)
    }
}

#[test]
fn files_that_change_between_listing_and_reading() {
    let text = source("target", 1);
    let names = ["gone.py", "grown.py", "other.py", "same.py"];
    let files = Memory::new(names.map(|name| (name, text.as_str())));
    let restless = Arc::new(Restless { files, listed: AtomicBool::new(false) });
    let index = Index::over(restless.clone(), options(None, || i64::MAX)).unwrap();
    let first = index.refresh(&Silent).unwrap();
    let files: Vec<String> = first.graph.files().iter().map(|file| file.path.to_string()).collect();
    assert_eq!(files, ["other.py", "same.py"]);
    // What is shown is what was indexed, or nothing.
    let other = first.graph.find_file("other.py").unwrap();
    assert_eq!(first.read(other), Some(source("value", 2)));
    let settled = Index::over(restless, options(None, || i64::MAX)).unwrap();
    let expected = settled.refresh(&Silent).unwrap();
    let second = index.refresh(&Silent).unwrap();
    assert_eq!(said(&second), said(&expected));
    assert_eq!(skipped(&second), skipped(&expected));
    assert_eq!(skipped(&second), [("grown.py", "larger than 4 MiB".to_owned())]);
}

/// The same on disk: a writer that never rests, and indexes that follow until it does.
#[test]
fn a_writer_that_does_not_rest_leaves_no_trace() {
    let project = Project::empty();
    let root = project.root();
    let rests = AtomicBool::new(false);
    let kept = Index::open(&root, options(Some(project.beside("kept")), clock)).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut turn = 0u32;
            while !rests.load(Ordering::SeqCst) {
                turn += 1;
                let path = root.join(format!("pkg{}/m{}.py", turn % 3, turn % 11));
                match turn % 5 {
                    0 => drop(fs::remove_file(&path)),
                    1 => drop(fs::remove_dir_all(root.join(format!("pkg{}", turn % 3)))),
                    2 => write(&path, ""),
                    _ => write(&path, source("target", turn).repeat(1 + turn as usize % 50)),
                }
            }
        });
        for _ in 0..25 {
            let snapshot = kept.refresh(&Silent).unwrap();
            // Whatever was seen, each symbol lies inside of the file that it was read from.
            for id in snapshot.graph.symbol_ids() {
                let symbol = snapshot.graph.symbol(id);
                assert!(symbol.lines.end <= snapshot.graph.file(symbol.file).lines);
            }
        }
        rests.store(true, Ordering::SeqCst);
    });
    assert_eq!(said(&kept.refresh(&Silent).unwrap()), said(&fresh(&root)));
}
