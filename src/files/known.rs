//! The known tree: the last listing, and what tells that listing again would name the same files.
//!
//! A folder's times change whenever a name in it is made, removed or replaced. Where the times of every
//! folder and of every ignore file are as they were, the names are too, and only the files' own stats have
//! to be read again. That holds on file systems that keep such times; elsewhere, and wherever a time is too
//! young to show a change in the same tick of the clock, the tree is walked. A watch over those folders may say
//! which files alone have to be looked at.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::disk::stat;
use super::outside::Outside;
use super::watch::{Told, Watch};
use super::{Entry, Listing, Stat};

/// Names of the files that hold ignore rules.
pub(super) const RULES: [&str; 2] = [".gitignore", ".ignore"];

/// What one walk saw of folders and rules.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Each folder with its stat, below the root.
    pub folders: Vec<(PathBuf, Stat)>,
    /// The ignore files inside the root.
    pub rules: Vec<(PathBuf, Stat)>,
    /// Something could not be looked at, or lies on another file system.
    pub doubtful: bool,
}

impl Seen {
    /// Notes a folder and the rules in it. `device` is the root's.
    pub fn folder(&mut self, path: &Path, device: u64) {
        match fs::symlink_metadata(path) {
            Ok(meta) if device_of(&meta) == device => self.folders.push((path.to_owned(), stat(&meta))),
            _ => self.doubtful = true,
        }
        for name in RULES {
            let path = path.join(name);
            if let Ok(meta) = fs::symlink_metadata(&path) {
                // A link's target has times of its own.
                self.doubtful |= !meta.is_file();
                self.rules.push((path, stat(&meta)));
            }
        }
    }

    pub fn append(&mut self, other: &mut Seen) {
        self.folders.append(&mut other.folders);
        self.rules.append(&mut other.rules);
        self.doubtful |= other.doubtful;
    }
}

/// A listing that may be repeated without a walk.
#[derive(Debug)]
pub(super) struct Known {
    seen: Seen,
    outside: Outside,
    listing: Arc<Listing>,
    /// The files that have other names too, by which they change without a word: places in the listing.
    linked: BTreeSet<usize>,
    watch: Option<Watch>,
    /// The files that have changed since the listing was made as the watch told so far; `None` where there is no
    /// watch, or it could not tell.
    told: Option<BTreeSet<PathBuf>>,
}

/// What came of looking at everything again.
pub(super) struct Looked {
    pub listing: Arc<Listing>,
    /// Something had changed that the watch had not told.
    pub untold: bool,
}

impl Known {
    /// What a walk saw, where nothing of it is in doubt. `began` is when the walk began and `outside` was
    /// read before it.
    pub fn new(
        root: &Path,
        mut seen: Seen,
        outside: Outside,
        listing: Arc<Listing>,
        began: i64,
    ) -> Option<Self> {
        let old = |stat: &Stat| stat.is_settled(began);
        let mut inside = seen.folders.iter().chain(&seen.rules).map(|(_, stat)| stat);
        let settled = inside.all(old) && outside.stats().all(old);
        for (path, _) in seen.folders.iter_mut().chain(&mut seen.rules) {
            *path = path.strip_prefix(root).ok()?.to_owned();
        }
        (settled && !seen.doubtful).then(|| Known {
            seen,
            outside,
            listing,
            linked: BTreeSet::new(),
            watch: None,
            told: None,
        })
    }

    /// Has the folders watched from the next look on, unless they are already; whether they are.
    pub fn watch(&mut self, root: &Path) -> bool {
        if self.watch.is_none() {
            let folders = self.seen.folders.iter().map(|(path, _)| path.as_path());
            self.watch = Watch::new(root, folders);
        }
        self.watch.is_some()
    }

    /// Whether the watch tells what has changed since the listing was made.
    #[cfg(test)]
    pub fn is_told(&self) -> bool {
        self.told.is_some()
    }

    /// Has nothing watched any more.
    pub fn unwatch(&mut self) {
        (self.watch, self.told) = (None, None);
    }

    /// The listing as of now by what the watch tells; `None` where everything has to be looked at.
    pub fn told(&mut self, root: &Path) -> Option<Arc<Listing>> {
        let mut changed = self.told_so_far()?;
        let place = self.seen.folders.iter().find(|(path, _)| path.as_os_str().is_empty());
        let folder = Folder::open(root)?;
        let same_root =
            place.is_some_and(|(path, stat)| folder.stat(path).is_some_and(|now| now.stat == *stat));
        if !same_root || !self.outside.is_same(root) {
            return None;
        }
        changed.extend(self.linked.iter().map(|at| PathBuf::from(self.listing.entries[*at].path.as_str())));
        self.update(&folder, &changed)?;
        self.told = Some(BTreeSet::new());
        Some(self.listing.clone())
    }

    /// Looks at everything: the listing as of now, `None` where only a walk can tell, or it is to stop. What it
    /// had been told before it stopped is still known after.
    pub fn look(&mut self, root: &Path, threads: usize, stop: &(dyn Fn() -> bool + Sync)) -> Option<Looked> {
        let told = self.told_so_far();
        let Some((entries, linked)) = self.entries(root, threads, stop) else {
            self.told = if stop() { told } else { None };
            return None;
        };
        let before = self.listing.clone();
        if entries != before.entries {
            self.listing = Arc::new(Listing { entries, skipped: before.skipped.clone() });
        }
        let were_linked = std::mem::replace(&mut self.linked, linked);
        // What changed meanwhile may have been looked at before or after.
        let Some(meanwhile) = self.ask() else { return Some(self.looked(false)) };
        self.update(&Folder::open(root)?, &meanwhile)?;
        let untold = told.is_some_and(|told| {
            let is_told = |path: &Path| told.contains(path) || meanwhile.contains(path);
            let mut pairs = before.entries.iter().zip(&self.listing.entries).enumerate();
            pairs.any(|(at, (old, new))| {
                // What has another name is looked at each time.
                let linked = were_linked.contains(&at) || self.linked.contains(&at);
                old.stat != new.stat && !linked && !is_told(Path::new(old.path.as_str()))
            })
        });
        self.told = Some(BTreeSet::new());
        Some(self.looked(untold))
    }

    fn looked(&self, untold: bool) -> Looked {
        Looked { listing: self.listing.clone(), untold }
    }

    /// The files that have changed since the listing was made, all of them; `None` where that is not known. It
    /// is not known any more until somebody has brought the listing up to date.
    fn told_so_far(&mut self) -> Option<BTreeSet<PathBuf>> {
        let before = self.told.take();
        let mut files = self.ask()?;
        files.extend(before?);
        Some(files)
    }

    /// The files that have changed since the watch was asked last.
    fn ask(&self) -> Option<BTreeSet<PathBuf>> {
        let Told::Files(files) = self.watch.as_ref()?.told() else { return None };
        let is_rules = |path: &PathBuf| RULES.iter().any(|rules| path.ends_with(rules));
        (!files.iter().any(is_rules)).then_some(files)
    }

    /// The files as they are, with their stats, and which have other names. `None` where names or rules may have
    /// changed.
    fn entries(
        &self,
        root: &Path,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<(Vec<Entry>, BTreeSet<usize>)> {
        if !self.outside.is_same(root) {
            return None;
        }
        let folder = Folder::open(root)?;
        let same =
            |(path, known): &(PathBuf, Stat)| (!stop() && folder.stat(path)?.stat == *known).then_some(());
        let unchanged = |part: &[(PathBuf, Stat)]| part.iter().map(same).collect::<Option<Vec<()>>>();
        in_parts(&self.seen.folders, threads, unchanged)?;
        in_parts(&self.seen.rules, threads, unchanged)?;
        let again = |entry: &Entry| {
            let now = folder.stat(Path::new(entry.path.as_str()))?;
            (now.regular && !stop()).then(|| (Entry { path: entry.path.clone(), stat: now.stat }, now.linked))
        };
        let found = in_parts(&self.listing.entries, threads, |part| part.iter().map(again).collect())?;
        let linked = (0..found.len()).filter(|at| found[*at].1).collect();
        Some((found.into_iter().map(|(entry, _)| entry).collect(), linked))
    }

    /// Looks at these files again; `None` where one is no file any more. Others than those listed do not count.
    fn update(&mut self, folder: &Folder, files: &BTreeSet<PathBuf>) -> Option<()> {
        for path in files {
            let place = path
                .to_str()
                .map(|path| self.listing.entries.binary_search_by(|entry| entry.path.as_str().cmp(path)));
            let Some(Ok(at)) = place else { continue };
            let now = folder.stat(path).filter(|now| now.regular)?;
            if now.linked {
                self.linked.insert(at);
            }
            if self.listing.entries[at].stat != now.stat {
                Arc::make_mut(&mut self.listing).entries[at].stat = now.stat;
            }
        }
        Some(())
    }
}

/// What is at a path.
struct Found {
    regular: bool,
    /// It has another name too.
    linked: bool,
    stat: Stat,
}

/// A folder held open: what is below it is found without the way to it.
#[cfg(unix)]
struct Folder(std::os::fd::OwnedFd);

#[cfg(unix)]
impl Folder {
    fn open(root: &Path) -> Option<Self> {
        use rustix::fs::{Mode, OFlags, open};
        open(root, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).ok().map(Folder)
    }

    fn stat(&self, below: &Path) -> Option<Found> {
        use rustix::fs::{AtFlags, FileType, statat};
        let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        let found = statat(&self.0, below, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let time = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        let stat = Stat {
            size: found.st_size as u64,
            mtime: time(found.st_mtime, found.st_mtime_nsec as i64),
            ctime: time(found.st_ctime, found.st_ctime_nsec as i64),
            inode: found.st_ino,
        };
        let regular = FileType::from_raw_mode(found.st_mode).is_file();
        Some(Found { regular, linked: found.st_nlink > 1, stat })
    }
}

#[cfg(not(unix))]
struct Folder(PathBuf);

#[cfg(not(unix))]
impl Folder {
    fn open(root: &Path) -> Option<Self> {
        Some(Folder(root.to_owned()))
    }

    fn stat(&self, below: &Path) -> Option<Found> {
        let meta = fs::symlink_metadata(self.0.join(below)).ok()?;
        Some(Found { regular: meta.is_file(), linked: false, stat: stat(&meta) })
    }
}

/// Runs `one` on parts of a list on several threads; `None` as soon as one part gives none.
fn in_parts<T: Sync, R: Send>(
    all: &[T],
    threads: usize,
    one: impl Fn(&[T]) -> Option<Vec<R>> + Sync,
) -> Option<Vec<R>> {
    let size = all.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = all.chunks(size).map(|part| scope.spawn(|| one(part))).collect();
        let mut whole = Vec::with_capacity(all.len());
        for part in parts {
            whole.extend(part.join().ok().flatten()?);
        }
        Some(whole)
    })
}

/// The device that holds a file.
#[cfg(unix)]
pub(super) fn device_of(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::dev(meta)
}

#[cfg(not(unix))]
pub(super) fn device_of(_: &Metadata) -> u64 {
    0
}

/// Whether a file system changes a folder's times with the names in it.
#[cfg(target_os = "linux")]
pub(super) fn keeps_times(root: &Path) -> bool {
    /// ext2 to ext4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlayfs.
    const LOCAL: [u64; 7] =
        [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];
    rustix::fs::statfs(root).is_ok_and(|found| LOCAL.contains(&(found.f_type as u64)))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn keeps_times(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use super::*;
    use crate::files::{Disk, Files};

    /// After this even a coarse clock shows another time.
    const TICK: Duration = Duration::from_millis(25);

    /// So late that no time is too young.
    fn late() -> i64 {
        i64::MAX
    }

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a file by another name, outside of the tree, that it has for a moment.
    fn write_unseen(path: &Path, other: &Path, text: &str) {
        fs::hard_link(path, other).unwrap();
        write(other, text);
        fs::remove_file(other).unwrap();
    }

    #[test]
    fn a_known_tree_lists_like_a_walk_whatever_changes() {
        lists_like_a_walk(false);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_watched_tree_lists_like_a_walk_whatever_changes() {
        lists_like_a_walk(true);
    }

    fn lists_like_a_walk(watched: bool) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("outer/app");
        let at = |name: &str| root.join(name);
        fs::create_dir_all(dir.path().join("outer/.git/info")).unwrap();
        for name in ["a.py", "b.log", "pkg/c.py", "pkg/deep/d.py", "vendor/v.py", "venv/e.py", "local/f.py"] {
            write(&at(name), "x = 1\n");
        }
        write(&at(".gitignore"), "*.log\n");
        // Ignores itself with everything beside it.
        write(&at("venv/.gitignore"), "*\n");
        fs::hard_link(at("local/f.py"), dir.path().join("other.py")).unwrap();
        type Change<'c> = (&'c str, Box<dyn Fn() + 'c>);
        let changes: Vec<Change> = vec![
            ("nothing", Box::new(|| {})),
            ("an edit", Box::new(|| write(&at("pkg/deep/d.py"), "x = 23\n"))),
            ("an edit of the same size", Box::new(|| write(&at("pkg/deep/d.py"), "x = 45\n"))),
            ("an edit that is not listed", Box::new(|| write(&at("b.log"), "x = 2\n"))),
            ("an edit by another name", Box::new(|| write(&dir.path().join("other.py"), "x = 2\n"))),
            ("another name", Box::new(|| fs::hard_link(at("local/f.py"), at("local/g.py")).unwrap())),
            ("an edit by that other name", Box::new(|| write(&at("local/g.py"), "x = 3\n"))),
            ("a new file", Box::new(|| write(&at("pkg/deep/new.py"), "y = 1\n"))),
            ("a new folder", Box::new(|| write(&at("more/g.py"), "y = 1\n"))),
            ("a file that is gone", Box::new(|| fs::remove_file(at("pkg/c.py")).unwrap())),
            ("a file renamed", Box::new(|| fs::rename(at("a.py"), at("A.py")).unwrap())),
            ("a folder renamed", Box::new(|| fs::rename(at("pkg/deep"), at("pkg/deeper")).unwrap())),
            ("a rule edited", Box::new(|| write(&at(".gitignore"), "*.txt\n"))),
            ("a rule that hides itself edited", Box::new(|| write(&at("venv/.gitignore"), "*.log\n"))),
            ("a new rule", Box::new(|| write(&at("pkg/.ignore"), "deeper\n"))),
            ("a rule that is gone", Box::new(|| fs::remove_file(at("pkg/.ignore")).unwrap())),
            ("a rule of the folder above", Box::new(|| write(&root.join("../.gitignore"), "local\n"))),
            (
                "an exclude of the repository",
                Box::new(|| write(&root.join("../.git/info/exclude"), "vendor\n")),
            ),
            (
                "an exclude that is gone",
                Box::new(|| fs::remove_file(root.join("../.git/info/exclude")).unwrap()),
            ),
            (
                "an exclude that is a link",
                Box::new(|| {
                    write(&dir.path().join("excludes"), "vendor\n");
                    symlink(dir.path().join("excludes"), root.join("../.git/info/exclude")).unwrap();
                }),
            ),
            ("what that leads to edited", Box::new(|| write(&dir.path().join("excludes"), "venv\n"))),
            (
                "the repository around gone",
                Box::new(|| fs::rename(root.join("../.git"), root.join("../git")).unwrap()),
            ),
            (
                "the repository around back",
                Box::new(|| fs::rename(root.join("../git"), root.join("../.git")).unwrap()),
            ),
            ("a repository in between", Box::new(|| write(&root.join(".git/HEAD"), ""))),
            ("it is gone", Box::new(|| fs::remove_dir_all(root.join(".git")).unwrap())),
            ("a folder that becomes a repository", Box::new(|| write(&at("vendor/.git/HEAD"), ""))),
            (
                "a repository that becomes a folder",
                Box::new(|| fs::remove_dir_all(at("vendor/.git")).unwrap()),
            ),
            (
                "a file that becomes a link",
                Box::new(|| {
                    fs::remove_file(at("A.py")).unwrap();
                    symlink("pkg", at("A.py")).unwrap();
                }),
            ),
            (
                "a link that becomes a folder",
                Box::new(|| {
                    fs::remove_file(at("A.py")).unwrap();
                    write(&at("A.py/inside.py"), "z = 1\n");
                }),
            ),
        ];
        let disk = Disk::open(&root, 2, &[], late).unwrap();
        if watched {
            disk.watch();
        }
        for (what, change) in changes {
            disk.list().unwrap();
            assert_eq!(disk.is_known(), keeps_times(&root), "before {what}");
            if watched {
                assert!(!disk.look_again(&|| false), "before {what}");
            }
            assert_eq!(disk.is_watched(), watched && keeps_times(&root), "before {what}");
            std::thread::sleep(TICK);
            change();
            let walked = Disk::open(&root, 1, &[], late).unwrap().list().unwrap();
            assert_eq!(disk.list().unwrap(), walked, "after {what}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_listing_by_what_is_told_is_the_same_value_until_something_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        write(&at("pkg/a.py"), "x = 1\n");
        write(&at("pkg/b.py"), "x = 1\n");
        let disk = Disk::open(dir.path(), 2, &[], late).unwrap();
        disk.watch();
        let first = disk.list().unwrap();
        assert!(Arc::ptr_eq(&first, &disk.list().unwrap()));
        assert_eq!(disk.is_watched(), keeps_times(dir.path()));
        for _ in 0..300 {
            assert!(Arc::ptr_eq(&first, &disk.list().unwrap()));
        }
        // Leaving off forgets nothing that was told.
        write(&at("pkg/b.py"), "x = 23\n");
        assert!(!disk.look_again(&|| true));
        let second = disk.list().unwrap();
        let sizes = |listing: &Listing| listing.entries.iter().map(|e| e.stat.size).collect::<Vec<_>>();
        assert_eq!((sizes(&first), sizes(&second)), (vec![6, 6], vec![6, 7]));
        assert!(Arc::ptr_eq(&second, &disk.list().unwrap()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_watch_that_has_missed_a_change_is_not_believed_again() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("app");
        write(&root.join("a.py"), "x = 1\n");
        let disk = Disk::open(&root, 2, &[], late).unwrap();
        disk.watch();
        disk.list().unwrap();
        assert!(!disk.look_again(&|| false));
        assert_eq!(disk.is_watched(), keeps_times(&root));
        let change = |text: &str| write_unseen(&root.join("a.py"), &dir.path().join("b.py"), text);
        change("x = 23\n");
        assert_eq!(disk.look_again(&|| false), keeps_times(&root));
        assert!(!disk.is_watched());
        assert_eq!(disk.list().unwrap().entries[0].stat.size, 7);
        change("x = 456\n");
        assert_eq!(disk.list().unwrap().entries[0].stat.size, 8);
        assert!(!disk.look_again(&|| false) && !disk.is_watched());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_never_told_is_seen_now_and_then_and_where_there_is_doubt() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("app");
        write(&root.join("a.py"), "x = 1\n");
        let change = |text: &str| write_unseen(&root.join("a.py"), &dir.path().join("b.py"), text);
        for doubt in [false, true] {
            let disk = Disk::open(&root, 1, &[], late).unwrap();
            disk.watch();
            (0..2).for_each(|_| drop(disk.list().unwrap()));
            assert_eq!(disk.is_watched(), keeps_times(&root));
            change(&"x = 1\n".repeat(if doubt { 3 } else { 2 }));
            let size = || disk.list().unwrap().entries[0].stat.size;
            if doubt {
                disk.doubt();
                assert_eq!(size(), 18);
            } else {
                let sizes: Vec<u64> = (0..120).map(|_| size()).collect();
                assert_eq!(sizes.last(), Some(&12));
                assert!(!keeps_times(&root) || sizes[0] == 6);
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_is_gone_before_it_is_watched_does_not_end_watching() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("a.py"), "x = 1\n");
        write(&dir.path().join("pkg/b.py"), "x = 1\n");
        let disk = Disk::open(dir.path(), 1, &[], late).unwrap();
        disk.watch();
        disk.list().unwrap();
        std::thread::sleep(TICK);
        fs::remove_dir_all(dir.path().join("pkg")).unwrap();
        (0..2).for_each(|_| assert_eq!(disk.list().unwrap().entries.len(), 1));
        assert_eq!(disk.is_watched(), keeps_times(dir.path()));
    }

    #[test]
    fn a_tree_that_is_young_or_in_doubt_is_walked_again() {
        let dir = tempfile::tempdir().unwrap();
        write(&dir.path().join("a.py"), "x = 1\n");
        let known = |now: fn() -> i64| {
            let disk = Disk::open(dir.path(), 1, &[], now).unwrap();
            disk.list().unwrap();
            disk.is_known()
        };
        // By this clock the folder was changed in the future.
        assert!(!known(|| 0));
        assert_eq!(known(late), keeps_times(dir.path()));
        // What a link's target says may change without the link.
        symlink("a.py", dir.path().join(".ignore")).unwrap();
        assert!(!known(late));
    }
}
