//! The watch: what the kernel tells of changes in the folders of a tree, so that not every file has to be
//! looked at for each listing.
//!
//! Linux alone tells in time: what a call has changed is told before that call returns. A watch says where to
//! look; what is there the listing asks the files themselves. Three ways of changing a file are not told: through
//! a mapping that stays open, by a name outside of the tree that it got later, and by what is mounted over it. So
//! whoever lists by a watch looks at everything again when there is time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a watch tells of the time since it was asked last.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// At most these files have changed, and none has come or gone: paths below the root.
    Files(BTreeSet<PathBuf>),
    /// Anything may have changed.
    Unsure,
}

/// Folders that are watched, until it is dropped.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) struct Watch {
    inotify: std::os::fd::OwnedFd,
    /// By watch descriptor: paths below the root.
    folders: std::collections::HashMap<i32, PathBuf>,
}

#[cfg(target_os = "linux")]
impl Watch {
    /// Watches folders below a root; `None` where the system does not let it, or they are too many.
    pub fn new<'p>(root: &Path, folders: impl ExactSizeIterator<Item = &'p Path>) -> Option<Self> {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        if folders.len() > most_folders() {
            return None;
        }
        let events = WatchFlags::ATTRIB
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MODIFY
            | WatchFlags::MOVE
            | WatchFlags::MOVE_SELF
            | WatchFlags::DONT_FOLLOW
            | WatchFlags::ONLYDIR;
        let inotify = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let mut watched = std::collections::HashMap::with_capacity(folders.len());
        for folder in folders {
            let descriptor = add_watch(&inotify, root.join(folder), events).ok()?;
            // One folder at two places: what is told of it would be told of one of them.
            if watched.insert(descriptor, folder.to_owned()).is_some() {
                return None;
            }
        }
        Some(Watch { inotify, folders: watched })
    }

    /// What has changed since it was made, or asked last.
    pub fn told(&self) -> Told {
        use rustix::fs::inotify::{ReadFlags, Reader};
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let content = ReadFlags::ATTRIB | ReadFlags::CLOSE_WRITE | ReadFlags::MODIFY;
        let mut files = BTreeSet::new();
        let mut sure = true;
        let mut buffer = [std::mem::MaybeUninit::uninit(); 16 << 10];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(rustix::io::Errno::AGAIN) => break,
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return Told::Unsure,
            };
            // A folder's own events, names that come and go, a queue that ran over: none is of content alone.
            let place = self.folders.get(&event.wd()).zip(event.file_name());
            match place.filter(|_| content.contains(event.events())) {
                Some((folder, name)) => {
                    files.insert(folder.join(OsStr::from_bytes(name.to_bytes())));
                }
                None => sure = false,
            }
        }
        if sure { Told::Files(files) } else { Told::Unsure }
    }
}

/// A quarter of what the user's programs may watch together: others want to as well.
#[cfg(target_os = "linux")]
fn most_folders() -> usize {
    let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches");
    limit.ok().and_then(|limit| limit.trim().parse::<usize>().ok()).map_or(0, |limit| limit / 4)
}

#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(super) enum Watch {}

#[cfg(not(target_os = "linux"))]
impl Watch {
    pub fn new<'p>(_: &Path, _: impl ExactSizeIterator<Item = &'p Path>) -> Option<Self> {
        None
    }

    pub fn told(&self) -> Told {
        match *self {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File, OpenOptions};
    use std::io::Write;

    use super::*;

    fn files(told: &[&str]) -> Told {
        Told::Files(told.iter().map(PathBuf::from).collect())
    }

    #[test]
    fn what_has_changed_is_told_once_and_before_the_change_returns() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        fs::create_dir(at("pkg")).unwrap();
        for path in ["a.py", "pkg/b.py"] {
            fs::write(at(path), "x = 1\n").unwrap();
        }
        let watch = Watch::new(dir.path(), ["", "pkg"].map(Path::new).into_iter()).unwrap();
        assert_eq!(watch.told(), files(&[]));
        fs::read(at("a.py")).unwrap();
        assert_eq!(watch.told(), files(&[]));
        fs::write(at("pkg/b.py"), "y").unwrap();
        File::options().write(true).open(at("a.py")).unwrap().set_len(1).unwrap();
        assert_eq!(watch.told(), files(&["a.py", "pkg/b.py"]));
        assert_eq!(watch.told(), files(&[]));
        // Told while the file is still open.
        let mut open = OpenOptions::new().append(true).open(at("a.py")).unwrap();
        open.write_all(b"z").unwrap();
        assert_eq!(watch.told(), files(&["a.py"]));
        drop(open);
        File::open(at("a.py")).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(watch.told(), files(&["a.py"]));

        let unsure: [(&str, &dyn Fn()); 5] = [
            ("a new file", &|| fs::write(at("c.py"), "").unwrap()),
            ("a renamed file", &|| fs::rename(at("c.py"), at("pkg/c.py")).unwrap()),
            ("a file that is gone", &|| fs::remove_file(at("pkg/c.py")).unwrap()),
            ("another name of a file", &|| fs::hard_link(at("a.py"), at("pkg/a.py")).unwrap()),
            ("a renamed folder", &|| fs::rename(at("pkg"), at("lib")).unwrap()),
        ];
        for (what, change) in unsure {
            change();
            assert_eq!(watch.told(), Told::Unsure, "{what}");
            assert_eq!(watch.told(), files(&[]), "after {what}");
        }
    }

    #[test]
    fn what_is_too_much_to_tell_leaves_it_unsure() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str| fs::write(dir.path().join(name), "x").unwrap();
        ["a", "b"].into_iter().for_each(write);
        let watch = Watch::new(dir.path(), [Path::new("")].into_iter()).unwrap();
        let queue = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
        // Each write is three events: cut, written, closed. Like ones in a row are told as one, these are not.
        for _ in 0..=queue.trim().parse::<u32>().unwrap() / 4 {
            ["a", "b"].into_iter().for_each(write);
        }
        assert_eq!(watch.told(), Told::Unsure);
    }

    #[test]
    fn what_cannot_be_watched_is_not_watched_in_part() {
        let dir = tempfile::tempdir().unwrap();
        let watch = |folders: &[&str]| Watch::new(dir.path(), folders.iter().map(Path::new)).is_some();
        assert!(watch(&[""]));
        assert!(!watch(&["", "gone"]));
        assert!(!watch(&["", "."]), "one folder by two names");
    }
}
