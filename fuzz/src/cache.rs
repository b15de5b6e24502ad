//! The cache: its files damaged in any way, then a refresh that must end in the right index.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ctx_explore::index::{Index, IndexOptions, Silent, Snapshot};
use ctx_explore::render::dump::dump;
use tempfile::TempDir;

/// Files of one edit: where, and the bytes there.
struct Good {
    root: TempDir,
    /// By path below the cache folder.
    files: Vec<(PathBuf, Vec<u8>)>,
    answer: String,
}

/// What is caught is no crash: reading a damaged file may panic inside of the index, which then is built anew.
pub fn init() {
    std::panic::set_hook(Box::new(|_| {}));
    good();
}

/// Each edit takes six bytes: a file, a kind, a place and a length.
pub fn run(bytes: &[u8]) {
    let good = good();
    let mut files = good.files.clone();
    for edit in bytes.chunks_exact(6).take(8) {
        let &[file, kind, a, b, c, with] = edit else { return };
        if files.is_empty() {
            break;
        }
        let at = usize::from(file) % files.len();
        let content = &mut files[at].1;
        let place = usize::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]) % (content.len() + 1);
        match kind % 8 {
            0 => content.truncate(place),
            1 => drop(content.drain(..place)),
            2 => content.insert(place, with),
            3 => {
                let end = (place + usize::from(with)).min(content.len());
                content[place..end].fill(0);
            }
            4 => {
                files.remove(at);
            }
            5 => {
                let other = files[usize::from(with) % files.len()].1.clone();
                files[at].1 = other;
            }
            _ => {
                if let Some(byte) = content.get_mut(place) {
                    *byte ^= with.max(1);
                }
            }
        }
    }
    let cache = tempfile::tempdir().expect("a folder");
    for (path, content) in &files {
        let path = cache.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    // The second finds what the first has mended.
    for round in 0..2 {
        let (index, snapshot) = refreshed(good.root.path(), cache.path());
        assert!(answer(&snapshot) == good.answer, "another answer");
        assert!(round == 0 || index.notices().is_empty(), "{:?}", index.notices());
    }
}

fn good() -> &'static Good {
    static GOOD: OnceLock<Good> = OnceLock::new();
    GOOD.get_or_init(Good::new)
}

impl Good {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        for (path, text) in [
            (
                "a.py",
                "from b import Base\n\nclass One(Base):\n    def run(self):\n        return self.step()\n",
            ),
            ("b.py", "class Base:\n    def step(self):\n        return 1\n"),
            (
                "src/lib.rs",
                "pub trait Sink { fn put(&self); }\nstruct File;\nimpl Sink for File { fn put(&self) {} }\n",
            ),
            ("notes.md", "A sink takes what is put into it.\n"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let cache = tempfile::tempdir().expect("a folder");
        let (_, snapshot) = refreshed(root.path(), cache.path());
        let answer = answer(&snapshot);
        let mut files = Vec::new();
        collect(cache.path(), cache.path(), &mut files);
        files.sort();
        Good { root, files, answer }
    }
}

fn refreshed(root: &Path, cache: &Path) -> (Index, std::sync::Arc<Snapshot>) {
    // Long after the edits: no file is too young.
    let options =
        IndexOptions { cache_dir: Some(cache.to_owned()), now: || i64::MAX, ..IndexOptions::default() };
    let index = Index::open(root, options).expect("an index");
    let snapshot = index.refresh(&Silent).expect("a snapshot");
    (index, snapshot)
}

fn answer(snapshot: &Snapshot) -> String {
    let words = ["sink", "step", "put", "base", "one", "taken"];
    let postings = words.map(|word| format!("{word} {:?}\n", snapshot.postings().postings(word)));
    format!("{}{}", dump(&snapshot.graph), postings.concat())
}

fn collect(folder: &Path, below: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, below, files);
        } else {
            files.push((
                path.strip_prefix(below).expect("below").to_owned(),
                fs::read(&path).expect("a file"),
            ));
        }
    }
}
