//! Files on disk, through the ignore rules.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::known::{Known, Looked, Seen, device_of, keeps_times};
use super::outside::Outside;
use super::{Entry, Files, Listing, MAX_FILE_BYTES, SkipReason, Skipped, Stat};
use crate::text::RepoPath;

/// Folders of version control systems: never text of the repository.
const CONTROL: &[&str] = &[".git", ".hg", ".jj", ".svn"];

/// A folder on disk as a root.
///
/// `.gitignore`, `.ignore`, `.git/info/exclude` and the user's global excludes apply, those of the
/// enclosing repository too where the root is inside one; no file can take them back for `.git`. Hidden
/// files are listed. Folders that hold a `.git` of their own (submodules, worktrees, vendored clones)
/// are passed over.
#[derive(Debug)]
pub struct Disk {
    root: PathBuf,
    threads: usize,
    /// The wall clock, in nanoseconds since the epoch.
    now: fn() -> i64,
    tree: Mutex<Tree>,
    /// The number of callers that wait for the tree.
    waiting: AtomicU32,
    keeps_times: bool,
}

/// What is known of the tree from one listing to the next.
#[derive(Debug, Default)]
struct Tree {
    /// The last listing, on file systems that tell when it is out of date.
    known: Option<Known>,
    watching: Watching,
    /// The number of listings made by what the watch told, without a look at everything.
    told: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Watching {
    /// Perhaps nobody comes back for another listing.
    #[default]
    Not,
    Wanted,
    /// It cannot be done, or a watch has missed something: not to be tried again.
    GivenUp,
}

/// After so many listings by what the watch told, everything is looked at.
const MOST_TOLD: u32 = 100;

/// Why a folder cannot be a root.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    #[error("{0}: no such folder")]
    Missing(String),
    #[error("{0} is a file; give the folder of the repository")]
    NotAFolder(String),
    #[error("{0} cannot be listed: {1}")]
    Unreadable(String, String),
    #[error(
        "{0} is a home folder or the whole disk; give the folder of one repository, or allow it explicitly"
    )]
    Refused(String),
}

impl Disk {
    /// A root, resolved. `refused` are folders that nobody means to index; they are compared resolved.
    /// `threads` walk the tree, at least one.
    pub fn open(
        root: &Path,
        threads: usize,
        refused: &[PathBuf],
        now: fn() -> i64,
    ) -> Result<Self, RootError> {
        let shown = || root.display().to_string();
        let real = fs::canonicalize(root).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => RootError::Missing(shown()),
            io::ErrorKind::NotADirectory => RootError::NotAFolder(shown()),
            kind => RootError::Unreadable(shown(), kind.to_string()),
        })?;
        if refused.iter().filter_map(|folder| fs::canonicalize(folder).ok()).any(|folder| folder == real) {
            return Err(RootError::Refused(shown()));
        }
        let keeps_times = keeps_times(&real);
        let (threads, waiting) = (threads.max(1), AtomicU32::new(0));
        let disk = Disk { root: real, threads, now, tree: Mutex::default(), waiting, keeps_times };
        disk.check()?;
        Ok(disk)
    }

    /// The root's real path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn check(&self) -> Result<(), RootError> {
        let shown = || self.root.display().to_string();
        match fs::read_dir(&self.root) {
            Ok(_) => Ok(()),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::NotFound => RootError::Missing(shown()),
                io::ErrorKind::NotADirectory => RootError::NotAFolder(shown()),
                kind => RootError::Unreadable(shown(), kind.to_string()),
            }),
        }
    }

    /// Whether the next listing may do without a walk.
    #[cfg(test)]
    pub(super) fn is_known(&self) -> bool {
        self.tree().known.is_some()
    }

    /// Whether the next listing may do without a look at every file.
    #[cfg(test)]
    pub(super) fn is_watched(&self) -> bool {
        self.tree().known.as_ref().is_some_and(Known::is_told)
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at everything that is known, watched where that is wanted.
    fn look(&self, tree: &mut Tree, stop: &(dyn Fn() -> bool + Sync)) -> Option<Looked> {
        let known = tree.known.as_mut()?;
        let unwatched = tree.watching == Watching::Wanted && !known.watch(&self.root);
        let looked = known.look(&self.root, self.threads, stop)?;
        // It is not for want of a folder.
        if unwatched {
            tree.watching = Watching::GivenUp;
        }
        tree.told = 0;
        if looked.untold {
            tracing::warn!("files have changed without a sign: every file is looked at from now on");
            known.unwatch();
            tree.watching = Watching::GivenUp;
        }
        Some(looked)
    }

    /// Walks the whole tree. `parents`: the rules of the enclosing folders apply.
    fn walk(&self, parents: bool) -> (Listing, Seen) {
        let found = Mutex::new((Listing::default(), Seen::default()));
        let device = fs::symlink_metadata(&self.root).as_ref().map_or(0, device_of);
        let walk = WalkBuilder::new(&self.root)
            .threads(self.threads)
            .hidden(false)
            .parents(parents)
            .require_git(false)
            .follow_links(false)
            .build_parallel();
        walk.run(|| {
            let (listing, seen) = (Listing::default(), Seen::default());
            let mut visitor = Visitor { disk: self, device, listing, seen, found: &found };
            Box::new(move |entry| visitor.visit(entry))
        });
        let (mut listing, seen) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        listing.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        listing.skipped.sort_unstable();
        listing.skipped.dedup();
        (listing, seen)
    }

    /// The path below the root, as UTF-8, and as printed.
    fn relative(&self, path: &Path) -> (Option<RepoPath>, String) {
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        (below.to_str().and_then(RepoPath::new), below.to_string_lossy().into_owned())
    }
}

impl Files for Disk {
    fn list(&self) -> Result<Arc<Listing>, RootError> {
        self.check()?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let mut tree = self.tree();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        if tree.told < MOST_TOLD
            && let Some(listing) = tree.known.as_mut().and_then(|known| known.told(&self.root))
        {
            tree.told += 1;
            return Ok(listing);
        }
        if let Some(looked) = self.look(&mut tree, &|| false) {
            return Ok(looked.listing);
        }
        tree.known = None;
        let began = (self.now)();
        let outside = Outside::read(&self.root);
        let (listing, seen) = self.walk(outside.applies());
        let outside = self.keeps_times.then_some(outside);
        let listing = Arc::new(listing);
        tree.known =
            outside.and_then(|outside| Known::new(&self.root, seen, outside, listing.clone(), began));
        Ok(listing)
    }

    #[cfg(unix)]
    fn settled(&self, path: &RepoPath) -> Option<Stat> {
        let place = find_below(&self.root, path).ok()?;
        let meta = place.metadata().ok()?;
        let stat = stat(&meta);
        (meta.is_file() && stat.is_settled((self.now)())).then_some(stat)
    }

    fn watch(&self) {
        let mut tree = self.tree();
        if tree.watching == Watching::Not {
            tree.watching = Watching::Wanted;
        }
    }

    fn doubt(&self) {
        self.tree().told = MOST_TOLD;
    }

    fn look_again(&self, stop: &(dyn Fn() -> bool + Sync)) -> bool {
        // Somebody is listing: there is no time.
        let Ok(mut tree) = self.tree.try_lock() else { return false };
        let stop = || stop() || self.waiting.load(Ordering::Relaxed) > 0;
        self.look(&mut tree, &stop).is_some_and(|looked| looked.untold)
    }

    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason> {
        let file = open_below(&self.root, path).map_err(|error| SkipReason::unreadable(&error))?;
        let meta = file.metadata().map_err(|error| SkipReason::unreadable(&error))?;
        if !meta.is_file() {
            return Err(SkipReason::Special);
        }
        if meta.len() > MAX_FILE_BYTES {
            return Err(SkipReason::TooLarge);
        }
        // The file may grow while it is read.
        let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
        file.take(MAX_FILE_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| SkipReason::unreadable(&error))?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(SkipReason::TooLarge);
        }
        Ok(bytes)
    }
}

/// Opens a file so that no component below the root is a link, whatever happened since the listing.
/// Never waits for the other end of a FIFO.
#[cfg(target_os = "linux")]
fn open_below(root: &Path, path: &RepoPath) -> io::Result<File> {
    use rustix::fs::OFlags;
    reach_below(root, path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)
}

/// Opens a file in the same way, but for what can be read of it without its content.
#[cfg(target_os = "linux")]
fn find_below(root: &Path, path: &RepoPath) -> io::Result<File> {
    reach_below(root, path, rustix::fs::OFlags::PATH)
}

#[cfg(target_os = "linux")]
fn reach_below(root: &Path, path: &RepoPath, flags: rustix::fs::OFlags) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, open, openat2};
    let folder = open(root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let opened = openat2(
        &folder,
        path.as_str(),
        flags | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    );
    match opened {
        Ok(file) => Ok(file.into()),
        // Kernels before 5.6, and sandboxes that refuse the call.
        Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => open_checked(root, path),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn open_below(root: &Path, path: &RepoPath) -> io::Result<File> {
    open_checked(root, path)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn find_below(root: &Path, path: &RepoPath) -> io::Result<File> {
    open_checked(root, path)
}

/// Opens a file whose resolved path is the path itself.
fn open_checked(root: &Path, path: &RepoPath) -> io::Result<File> {
    let full = root.join(path.as_str());
    if fs::canonicalize(&full)? != full {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if !fs::symlink_metadata(&full)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::open(full)
}

struct Visitor<'a> {
    disk: &'a Disk,
    /// The root's device.
    device: u64,
    listing: Listing,
    seen: Seen,
    found: &'a Mutex<(Listing, Seen)>,
}

impl Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                self.fail(&error);
                return WalkState::Continue;
            }
        };
        let Some(kind) = entry.file_type() else { return WalkState::Continue };
        if entry.depth() == 0 {
            self.look_at(&entry);
            return WalkState::Continue;
        }
        if entry.file_name().to_str().is_some_and(|name| CONTROL.contains(&name)) {
            return WalkState::Skip;
        }
        let why = if kind.is_dir() {
            self.look_at(&entry);
            if fs::symlink_metadata(entry.path().join(".git")).is_err() {
                return WalkState::Continue;
            }
            SkipReason::Repository
        } else if kind.is_symlink() {
            SkipReason::Link
        } else if !kind.is_file() {
            SkipReason::Special
        } else {
            match entry.metadata() {
                Err(error) => {
                    self.fail(&error);
                    return WalkState::Continue;
                }
                Ok(meta) => match self.disk.relative(entry.path()) {
                    (Some(path), _) => {
                        self.listing.entries.push(Entry { path, stat: stat(&meta) });
                        return WalkState::Continue;
                    }
                    (None, _) => SkipReason::NameNotUtf8,
                },
            }
        };
        self.listing.skipped.push(Skipped { path: self.disk.relative(entry.path()).1, why });
        WalkState::Skip
    }

    fn look_at(&mut self, folder: &DirEntry) {
        if self.disk.keeps_times {
            self.seen.folder(folder.path(), self.device);
        }
    }

    /// Reports a file or folder that cannot be reached. A rule that does not parse is no failure: the
    /// others of its file apply.
    fn fail(&mut self, error: &ignore::Error) {
        self.seen.doubtful = true;
        let mut at = error;
        let mut path = None;
        loop {
            match at {
                ignore::Error::WithPath { path: here, err } => {
                    path = Some(here.as_path());
                    at = err;
                }
                ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => at = err,
                _ => break,
            }
        }
        if let (Some(path), ignore::Error::Io(error)) = (path, at) {
            // What vanished since its folder was read is not there.
            if error.kind() != io::ErrorKind::NotFound {
                let path = self.disk.relative(path).1;
                self.listing.skipped.push(Skipped { path, why: SkipReason::unreadable(error) });
            }
        }
    }
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.0.entries.append(&mut self.listing.entries);
        found.0.skipped.append(&mut self.listing.skipped);
        found.1.append(&mut self.seen);
    }
}

#[cfg(unix)]
pub(super) fn stat(meta: &Metadata) -> Stat {
    use std::os::unix::fs::MetadataExt;
    let time = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
    Stat {
        size: meta.len(),
        mtime: time(meta.mtime(), meta.mtime_nsec()),
        ctime: time(meta.ctime(), meta.ctime_nsec()),
        inode: meta.ino(),
    }
}

#[cfg(not(unix))]
pub(super) fn stat(meta: &Metadata) -> Stat {
    let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
    let mtime = meta.modified().ok().and_then(since).map_or(0, |time| time.as_nanos() as i64);
    Stat { size: meta.len(), mtime, ctime: mtime, inode: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn paths(disk: &Disk) -> Vec<String> {
        disk.list().unwrap().entries.iter().map(|entry| entry.path.to_string()).collect()
    }

    fn open(dir: &tempfile::TempDir) -> Disk {
        Disk::open(dir.path(), 2, &[], || 0).unwrap()
    }

    #[test]
    fn ignore_rules_apply_without_a_repository_and_cannot_reach_control_folders() {
        let dir = tree(&[
            (".gitignore", "target/\n!.git\n"),
            (".ignore", "*.log\n!.git/\n"),
            ("sub/.gitignore", "/local.rs\n"),
            (".github/workflows/ci.yml", ""),
            (".git/config", ""),
            (".git/info/exclude", "private.rs\n"),
            ("target/a.rs", ""),
            ("b.log", ""),
            ("private.rs", ""),
            ("sub/local.rs", ""),
            ("sub/kept.rs", ""),
            ("脚本/血条 \"x\"\n.py", ""),
        ]);
        assert_eq!(
            paths(&open(&dir)),
            [
                ".github/workflows/ci.yml",
                ".gitignore",
                ".ignore",
                "sub/.gitignore",
                "sub/kept.rs",
                "脚本/血条 \"x\"\n.py"
            ]
        );
    }

    #[test]
    fn rules_above_the_root_apply_inside_a_repository_only() {
        let dir = tree(&[(".gitignore", "*.rs\n"), ("app/a.rs", ""), ("app/b.py", "")]);
        let app = dir.path().join("app");
        assert_eq!(paths(&Disk::open(&app, 1, &[], || 0).unwrap()), ["a.rs", "b.py"]);
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert_eq!(paths(&Disk::open(&app, 1, &[], || 0).unwrap()), ["b.py"]);
    }

    #[test]
    fn links_special_files_and_other_repositories_are_passed_over() {
        let outside = tree(&[("secret.py", "secret = 1\n")]);
        let dir = tree(&[
            ("a.py", "x = 1\n"),
            (".git/HEAD", ""),
            ("vendored/.git/HEAD", ""),
            ("vendored/a.py", ""),
            (".claude/worktrees/x/.git", "gitdir: elsewhere\n"),
            (".claude/worktrees/x/a.py", ""),
        ]);
        symlink(outside.path().join("secret.py"), dir.path().join("leak.py")).unwrap();
        symlink(dir.path(), dir.path().join("circle")).unwrap();
        let fifo = dir.path().join("fifo.py");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &fifo,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        let disk = open(&dir);
        let listing = disk.list().unwrap();
        assert_eq!(listing.entries.len(), 1);
        let skipped: Vec<_> = listing.skipped.iter().map(|s| (s.path.as_str(), s.why.clone())).collect();
        assert_eq!(
            skipped,
            [
                (".claude/worktrees/x", SkipReason::Repository),
                ("circle", SkipReason::Link),
                ("fifo.py", SkipReason::Special),
                ("leak.py", SkipReason::Link),
                ("vendored", SkipReason::Repository),
            ]
        );
        let read = |path| disk.read(&RepoPath::new(path).unwrap());
        assert_eq!(read("a.py").unwrap(), b"x = 1\n");
        assert!(read("leak.py").is_err() && read("circle/a.py").is_err());
        assert_eq!(read("fifo.py"), Err(SkipReason::Special));
    }

    #[test]
    fn a_link_put_in_place_of_a_folder_is_not_followed() {
        let outside = tree(&[("a.py", "secret = 1\n")]);
        let dir = tree(&[("pkg/a.py", "x = 1\n")]);
        let disk = open(&dir);
        fs::remove_dir_all(dir.path().join("pkg")).unwrap();
        symlink(outside.path(), dir.path().join("pkg")).unwrap();
        let path = RepoPath::new("pkg/a.py").unwrap();
        assert!(disk.read(&path).is_err());
        assert!(open_checked(disk.root(), &path).is_err());
    }

    #[test]
    fn names_that_are_not_utf8_are_reported() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tree(&[]);
        fs::write(dir.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.py")), "").unwrap();
        let listing = open(&dir).list().unwrap();
        assert_eq!(listing.entries, []);
        assert_eq!(
            listing.skipped,
            [Skipped { path: "caf\u{fffd}.py".into(), why: SkipReason::NameNotUtf8 }]
        );
    }

    #[test]
    fn roots_that_cannot_be() {
        let dir = tree(&[("a.py", "")]);
        let open = |path: &Path, refused: &[PathBuf]| Disk::open(path, 1, refused, || 0).map(|_| ());
        let shown = |name: &str| dir.path().join(name).display().to_string();
        assert_eq!(open(&dir.path().join("none"), &[]), Err(RootError::Missing(shown("none"))));
        assert_eq!(open(&dir.path().join("a.py"), &[]), Err(RootError::NotAFolder(shown("a.py"))));
        let refused = open(dir.path(), &[dir.path().join(".")]);
        assert_eq!(refused, Err(RootError::Refused(dir.path().display().to_string())));
        assert_eq!(open(dir.path(), &[dir.path().join("none")]), Ok(()));
    }

    #[test]
    fn any_number_of_threads_lists_the_same() {
        let files: Vec<(String, String)> =
            (0..300).map(|at| (format!("d{}/s{}/f{at}.rs", at % 7, at % 3), String::new())).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&path[..], &text[..])).collect();
        let dir = tree(&files);
        let one = Disk::open(dir.path(), 1, &[], || 0).unwrap().list().unwrap();
        let many = Disk::open(dir.path(), 8, &[], || 0).unwrap().list().unwrap();
        assert_eq!(one, many);
        assert_eq!(one.entries.len(), 300);
    }
}
