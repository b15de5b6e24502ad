//! The known tree: the last listing, and what tells that listing again would name the same files.
//!
//! A folder's times change whenever a name in it is made, removed or replaced. Where the times of every
//! folder and of every ignore file are as they were, the names are too, and only the files' own stats have
//! to be read again. That holds on file systems that keep such times; elsewhere, and wherever a time is too
//! young to show a change in the same tick of the clock, the tree is walked.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::thread;

use ignore::gitignore::gitconfig_excludes_path;

use super::disk::stat;
use super::{Entry, Listing, Stat};
use crate::text::RepoPath;

/// Names of the files that hold ignore rules.
pub(super) const RULES: [&str; 2] = [".gitignore", ".ignore"];

/// A change within this time of its times being read may not show in them.
const YOUNG_NANOS: i64 = 2_000_000_000;

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
    /// Rules from outside of the tree, present or not.
    outside: Vec<(PathBuf, Option<Stat>)>,
    /// The user's global excludes.
    excludes: Option<PathBuf>,
    listing: Listing,
}

impl Known {
    /// What a walk saw, where nothing of it is in doubt. `began` is when the walk began and `outside` was
    /// read before it.
    pub fn new(seen: Seen, outside: Outside, listing: &Listing, began: i64) -> Option<Self> {
        let old = |stat: &Stat| stat.mtime.max(stat.ctime) <= began.saturating_sub(YOUNG_NANOS);
        let mut inside = seen.folders.iter().chain(&seen.rules).map(|(_, stat)| stat);
        let settled = inside.all(old) && outside.rules.iter().filter_map(|rule| rule.1.as_ref()).all(old);
        (settled && !seen.doubtful).then(|| Known {
            seen,
            outside: outside.rules,
            excludes: outside.excludes,
            listing: listing.clone(),
        })
    }

    /// The listing as of now, `None` where only a walk can tell.
    pub fn list(&self, root: &Path, threads: usize) -> Option<Listing> {
        if gitconfig_excludes_path() != self.excludes {
            return None;
        }
        let same_rule = |(path, known): &(PathBuf, Option<Stat>)| stat_of(path) == *known;
        if !self.outside.iter().all(same_rule) {
            return None;
        }
        let same = |(path, known): &(PathBuf, Stat)| stat_of(path).as_ref() == Some(known);
        let unchanged = |part: &[(PathBuf, Stat)]| part.iter().all(same).then(Vec::<()>::new);
        in_parts(&self.seen.folders, threads, unchanged)?;
        in_parts(&self.seen.rules, threads, unchanged)?;
        let entries = in_parts(&self.listing.entries, threads, |part| {
            part.iter().map(|entry| restat(root, &entry.path)).collect()
        })?;
        Some(Listing { entries, skipped: self.listing.skipped.clone() })
    }
}

/// The ignore rules that apply to a root from outside of it.
#[derive(Debug)]
pub(super) struct Outside {
    rules: Vec<(PathBuf, Option<Stat>)>,
    excludes: Option<PathBuf>,
}

impl Outside {
    /// `parents`: those of the enclosing folders apply.
    pub fn read(root: &Path, parents: bool) -> Self {
        let excludes = gitconfig_excludes_path();
        let mut paths: Vec<PathBuf> = excludes.iter().cloned().collect();
        for folder in root.ancestors().take(if parents { usize::MAX } else { 1 }) {
            paths.extend(RULES.map(|name| folder.join(name)));
            paths.extend(repository_excludes(folder));
        }
        let rules = paths.into_iter().map(|path| (path.clone(), stat_of(&path))).collect();
        Outside { rules, excludes }
    }
}

/// Where a folder's repository keeps excludes of its own, with the files that say where that is.
fn repository_excludes(folder: &Path) -> Vec<PathBuf> {
    let git = folder.join(".git");
    let mut paths = vec![git.join("info").join("exclude")];
    // A worktree's `.git` is a file that names its folder, and that names the repository's.
    if let Ok(text) = fs::read_to_string(&git)
        && let Some(place) = text.trim().strip_prefix("gitdir:")
    {
        let place = folder.join(place.trim());
        let common = place.join("commondir");
        if let Ok(text) = fs::read_to_string(&common) {
            paths.push(place.join(text.trim()).join("info").join("exclude"));
        }
        paths.extend([git, common, place.join("info").join("exclude")]);
    }
    paths
}

fn restat(root: &Path, path: &RepoPath) -> Option<Entry> {
    let meta = fs::symlink_metadata(root.join(path.as_str())).ok()?;
    meta.is_file().then(|| Entry { path: path.clone(), stat: stat(&meta) })
}

fn stat_of(path: &Path) -> Option<Stat> {
    fs::symlink_metadata(path).ok().map(|meta| stat(&meta))
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

    #[test]
    fn a_known_tree_lists_like_a_walk_whatever_changes() {
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
        type Change<'c> = (&'c str, Box<dyn Fn() + 'c>);
        let changes: Vec<Change> = vec![
            ("nothing", Box::new(|| {})),
            ("an edit", Box::new(|| write(&at("pkg/deep/d.py"), "x = 23\n"))),
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
        for (what, change) in changes {
            disk.list().unwrap();
            assert_eq!(disk.is_known(), keeps_times(&root), "before {what}");
            std::thread::sleep(TICK);
            change();
            let walked = Disk::open(&root, 1, &[], late).unwrap().list().unwrap();
            assert_eq!(disk.list().unwrap(), walked, "after {what}");
        }
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
