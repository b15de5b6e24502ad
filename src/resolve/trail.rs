//! The trail of a file: keys of everything in other files that its edges were worked out from.
//!
//! A key stands for what a name means in a file, for what holds for a whole file, or for a name in one of the
//! tables over all files. As long as nothing with a key of the trail changes, the same edges come out again.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

use super::{file::QuickSet, symbols::Gid};
use crate::text::RepoPath;

/// Keys are hashes: two things of one key are looked at together, which costs time but no truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key(u32);

/// A number for a path, from which the keys of the file are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FileKey(u64);

/// A quick hash with the same result in each run.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Tells what keys stand for.
#[derive(Clone, Copy)]
enum Realm {
    File,
    Named,
    Held,
    Whole,
    Package,
    Module,
    Member,
    Callable,
    Foreign,
    Blankets,
}

fn mixed(within: u64, realm: Realm, name: &str) -> u64 {
    let mut hash = Mixed(within);
    (realm as u8, name).hash(&mut hash);
    hash.finish()
}

impl Key {
    fn new(within: u64, realm: Realm, name: &str) -> Key {
        let hash = mixed(within, realm, name);
        Key((hash ^ hash >> 32) as u32)
    }
}

impl FileKey {
    pub fn new(path: &RepoPath) -> Self {
        FileKey(mixed(0, Realm::File, path.as_str()))
    }

    /// What is called so in the file.
    pub fn named(self, name: &str) -> Key {
        Key::new(self.0, Realm::Named, name)
    }

    /// What the definitions of a name hold, taken together.
    pub fn held(self, name: &str) -> Key {
        Key::new(self.0, Realm::Held, name)
    }

    /// What holds for the whole file: order, wildcards, public surface.
    pub fn whole(self) -> Key {
        Key::new(self.0, Realm::Whole, "")
    }

    /// The package that the file is part of.
    pub fn package(self) -> Key {
        Key::new(self.0, Realm::Package, "")
    }
}

impl Key {
    /// The modules, folders and crates of a name, and the packages that call themselves so.
    pub fn module(name: &str) -> Key {
        Key::new(0, Realm::Module, name)
    }

    /// Whether there is a declared package of a name, which is its whole path: `a.b`.
    pub fn package(name: &str) -> Key {
        Key::new(0, Realm::Package, name)
    }

    /// What declared packages hold under a name.
    pub fn member(name: &str) -> Key {
        Key::new(0, Realm::Member, name)
    }

    /// The callables and macros of a name.
    pub fn callable(name: &str) -> Key {
        Key::new(0, Realm::Callable, name)
    }

    /// The blocks for the types of a name from outside the repository.
    pub fn foreign(name: &str) -> Key {
        Key::new(0, Realm::Foreign, name)
    }

    /// The blocks that are for every type with some bounds.
    pub fn blankets() -> Key {
        Key::new(0, Realm::Blankets, "")
    }
}

/// The keys of what has changed.
pub(super) struct Keys {
    all: QuickSet<Key>,
    /// A bit for each key by its end, so that most others are told at once.
    bits: Vec<u64>,
}

const KEY_BITS: u32 = 1 << 16;

impl Keys {
    pub fn new(keys: impl IntoIterator<Item = Key>) -> Self {
        let mut new = Keys { all: QuickSet::default(), bits: vec![0; KEY_BITS as usize / 64] };
        new.extend(keys);
        new
    }

    pub fn extend(&mut self, keys: impl IntoIterator<Item = Key>) {
        for key in keys {
            let bit = key.0 % KEY_BITS;
            self.bits[bit as usize / 64] |= 1 << (bit % 64);
            self.all.insert(key);
        }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether something on a trail has changed.
    pub fn hit(&self, trail: &[Key]) -> bool {
        let may = |key: &&Key| {
            let bit = key.0 % KEY_BITS;
            self.bits[bit as usize / 64] >> (bit % 64) & 1 == 1
        };
        trail.iter().filter(may).any(|key| self.all.contains(key))
    }
}

/// A cache of the keys that were noted last, so that each is noted few times.
const RECENT: usize = 1 << 10;
/// So many keys are kept before those that are there twice are taken out.
const CROWDED: usize = 1 << 14;

/// Notes keys while one file is resolved.
pub(super) struct Trail {
    /// `None` where nothing is noted.
    notes: Option<Box<Notes>>,
}

struct Notes {
    own: u32,
    gids: [Cell<u32>; RECENT],
    recent: [Cell<u32>; RECENT],
    keys: RefCell<Vec<Key>>,
}

impl Trail {
    /// Notes nothing.
    pub fn none() -> Self {
        Trail { notes: None }
    }

    /// A trail that notes everything, of no file.
    pub fn of_all() -> Self {
        Self::of(u32::MAX)
    }

    /// The trail of a file, which depends on itself anyway.
    pub fn of(file: u32) -> Self {
        let notes = Notes {
            own: file,
            gids: [const { Cell::new(u32::MAX) }; RECENT],
            recent: [const { Cell::new(0) }; RECENT],
            keys: RefCell::default(),
        };
        Trail { notes: Some(Box::new(notes)) }
    }

    /// Notes a definition in a file; `key` is asked for where it was not noted a moment ago.
    #[inline]
    pub fn definition(&self, gid: Gid, file: u32, key: impl FnOnce() -> Key) {
        if let Some(notes) = &self.notes
            && notes.own != file
        {
            let slot = &notes.gids[gid.0 as usize % RECENT];
            if slot.get() != gid.0 {
                slot.set(gid.0);
                notes.add(key());
            }
        }
    }

    /// Notes something of a file.
    #[inline]
    pub fn of_file(&self, file: u32, key: impl FnOnce() -> Key) {
        if let Some(notes) = &self.notes
            && notes.own != file
        {
            notes.add(key());
        }
    }

    /// Notes something that is no file's.
    #[inline]
    pub fn key(&self, key: impl FnOnce() -> Key) {
        if let Some(notes) = &self.notes {
            notes.add(key());
        }
    }

    /// The keys, sorted, each once.
    pub fn keys(self) -> Vec<Key> {
        let mut keys = self.notes.map_or_else(Vec::new, |notes| notes.keys.into_inner());
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        keys
    }
}

impl Notes {
    fn add(&self, key: Key) {
        let slot = &self.recent[key.0 as usize % RECENT];
        if slot.get() == key.0 && key.0 != 0 {
            return;
        }
        slot.set(key.0);
        let mut keys = self.keys.borrow_mut();
        if keys.len() >= CROWDED && keys.len().is_power_of_two() {
            keys.sort_unstable();
            keys.dedup();
        }
        keys.push(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_noted_once_and_nothing_of_the_file_itself() {
        let path = |path| FileKey::new(&RepoPath::new(path).unwrap());
        let (a, b) = (path("a.py"), path("b.py"));
        let trail = Trail::of(0);
        for round in 0..3 {
            trail.definition(Gid(1), 0, || unreachable!("its own file"));
            trail.definition(Gid(2), 1, || b.named("f"));
            trail.definition(Gid(2 + RECENT as u32), 1, || b.named("g"));
            trail.of_file(1, || b.held("f"));
            trail.key(|| Key::module(if round == 1 { "x" } else { "y" }));
        }
        let mut wanted = [b.named("f"), b.named("g"), b.held("f"), Key::module("x"), Key::module("y")];
        wanted.sort();
        assert_eq!(trail.keys(), wanted);
        assert_ne!(a.named("f"), b.named("f"));
        assert_ne!(b.named("w"), b.whole());
        assert_eq!(Trail::none().keys(), []);
    }
}
