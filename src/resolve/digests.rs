//! Digests of the tables over all files, to tell which of their entries differ between two resolutions.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rayon::prelude::*;

use super::{
    families::Super,
    file::{Lasting, bound_name},
    modules::Place,
    symbols::Gid,
    trail::{FileKey, Key, Mixed, Trail},
    types::Ty,
    world::{Tables, World},
};
use crate::extract::SymbolKind;

/// Entries in order of their keys, each key once.
type Table<K, V> = Vec<(K, V)>;

/// What an entry was, for all entries that files are resolved by.
#[derive(Default)]
pub(super) struct Digests {
    /// What each import of a file means, with the key of the name that it binds.
    targets: Table<FileKey, Vec<(Option<Key>, u64)>>,
    families: Table<Lasting, Entry>,
    /// The blocks for types from outside, by the key of the type's name.
    foreign: Table<Key, u64>,
    blankets: u64,
    /// Where each module of a tree of modules is.
    modules: Table<Lasting, u64>,
    languages: BTreeSet<String>,
}

/// Everything that the families say of a definition.
struct Entry {
    digest: u64,
    /// The key of its name.
    name: Key,
    /// The files that it is written in.
    files: Vec<FileKey>,
}

/// What differs between two resolutions' tables.
pub(super) struct Difference {
    pub keys: BTreeSet<Key>,
    /// Files whose own entries differ.
    pub files: BTreeSet<FileKey>,
    /// Everything may differ.
    pub all: bool,
}

/// Calls `with` for each key that one of two tables has, with its entries.
fn each_pair<'t, K: Ord, V>(
    old: &'t [(K, V)],
    new: &'t [(K, V)],
    mut with: impl FnMut(&'t K, Option<&'t V>, Option<&'t V>),
) {
    let (mut at_old, mut at_new) = (0, 0);
    loop {
        let order = match (old.get(at_old), new.get(at_new)) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((one, _)), Some((other, _))) => one.cmp(other),
        };
        let before = (order != Ordering::Greater).then(|| &old[at_old]);
        let after = (order != Ordering::Less).then(|| &new[at_new]);
        at_old += usize::from(before.is_some());
        at_new += usize::from(after.is_some());
        if let Some((key, _)) = before.or(after) {
            with(key, before.map(|(_, value)| value), after.map(|(_, value)| value));
        }
    }
}

impl Digests {
    pub fn new(tables: &Tables<'_>) -> Self {
        let trail = Trail::none();
        let world = tables.world(&trail);
        let lasting = Names::new(tables);
        let defs = &world.defs;
        let targets = world.files().map(|file| {
            let key = defs.key(file);
            let imports = defs.facts(file).map_or(&[][..], |facts| &facts.imports);
            let each =
                imports.iter().zip(tables.targets(file).unwrap_or_default()).map(|(import, places)| {
                    let name = bound_name(import).map(|name| key.named(name));
                    (name, digest(|hash| lasting.places(hash, places)))
                });
            (key, each.collect())
        });
        let mut digests = Digests { targets: targets.collect(), ..Digests::default() };
        digests.targets.sort_by_key(|(file, _)| *file);
        digests.families = entries(tables, &lasting);
        let foreign = tables
            .families
            .all_foreign()
            .map(|(name, blocks)| (Key::foreign(name), digest(|hash| lasting.gids(hash, blocks))));
        // Two names of one key change together.
        let mut merged: BTreeMap<Key, u64> = BTreeMap::new();
        foreign.for_each(|(key, seen)| *merged.entry(key).or_default() ^= seen);
        digests.foreign = merged.into_iter().collect();
        digests.blankets = digest(|hash| {
            for blanket in tables.families.blankets() {
                lasting.gids(hash, &[blanket.block, blanket.of]);
                lasting.gids(hash, &blanket.bounds);
                blanket.foreign.hash(hash);
            }
        });
        for file in world.files() {
            if let Some(language) = &defs.input(file).file.language
                && !digests.languages.contains(language)
            {
                digests.languages.insert(language.clone());
            }
        }
        let place = |(module, parent, root): (Gid, Option<Gid>, Option<Gid>)| {
            let ends: Vec<Gid> = parent.into_iter().chain(root).collect();
            let seen = digest(|hash| {
                parent.is_some().hash(hash);
                lasting.gids(hash, &ends);
            });
            (lasting.of(module), seen)
        };
        digests.modules = world.modules.all_modules().map(place).collect();
        digests.modules.sort_unstable();
        digests
    }

    /// What differs from the digests of before.
    pub fn since(&self, before: &Digests) -> Difference {
        let mut keys = BTreeSet::new();
        let mut files = BTreeSet::new();
        each_pair(&before.targets, &self.targets, |file, old, new| {
            if old != new {
                files.insert(*file);
                keys.insert(file.whole());
                keys.extend(old.into_iter().chain(new).flatten().filter_map(|(name, _)| *name));
            }
        });
        each_pair(&before.families, &self.families, |_, old, new| {
            if old.map(|old| old.digest) != new.map(|new| new.digest) {
                for entry in old.into_iter().chain(new) {
                    keys.insert(entry.name);
                    files.extend(&entry.files);
                }
            }
        });
        each_pair(&before.foreign, &self.foreign, |key, old, new| {
            if old != new {
                keys.insert(*key);
            }
        });
        if self.blankets != before.blankets {
            keys.insert(Key::blankets());
        }
        let mut all = self.languages != before.languages;
        each_pair(&before.modules, &self.modules, |_, old, new| {
            all |= old.is_some() && new.is_some() && old != new;
        });
        Difference { keys, files, all }
    }
}

/// What the families say of each type, variant and block.
fn entries(tables: &Tables<'_>, lasting: &Names<'_>) -> Table<Lasting, Entry> {
    let trail = Trail::none();
    let defs = tables.numbers.defs(&trail);
    let is_known =
        |kind: SymbolKind| kind.is_type() || matches!(kind, SymbolKind::EnumMember | SymbolKind::Extension);
    let known: Vec<Gid> = defs.all().filter(|&gid| is_known(defs.kind(gid))).collect();
    let one = |&gid: &Gid| (lasting.of(gid), entry(&tables.world(&Trail::none()), lasting, gid));
    let mut entries: Table<Lasting, Entry> = known.par_iter().with_min_len(64).map(one).collect();
    entries.sort_by_key(|(key, _)| *key);
    // Two of one number count as one.
    entries.dedup_by(|(later, entry), (earlier, kept)| {
        let same = later == earlier;
        if same {
            kept.digest = kept.digest.rotate_left(9) ^ entry.digest;
            kept.files.append(&mut entry.files);
        }
        same
    });
    entries
}

fn digest(with: impl FnOnce(&mut Mixed)) -> u64 {
    let mut hash = Mixed::default();
    with(&mut hash);
    hash.finish()
}

fn entry(world: &World<'_>, lasting: &Names<'_>, gid: Gid) -> Entry {
    let (defs, families) = (&world.defs, &world.families);
    let file = defs.key(defs.file(gid));
    let supers: &[Super] = families.supers(gid);
    let digest = digest(|hash| {
        for above in supers {
            lasting.ty(hash, &above.ty);
            defs.key(above.file).hash(hash);
        }
        families.deref(gid).iter().for_each(|ty| lasting.ty(hash, ty));
        families.owner(gid).iter().for_each(|&owner| lasting.gids(hash, &[owner]));
        for list in [families.order(gid), families.extensions(gid), families.twins(gid)] {
            lasting.gids(hash, list);
        }
        families.depths(gid).hash(hash);
        families.has_foreign_supertype(gid).hash(hash);
        families.foreign_names(gid).hash(hash);
    });
    let written = supers.iter().map(|above| defs.key(above.file));
    let blocks = families.extensions(gid).iter().map(|&block| defs.key(defs.file(block)));
    let files: BTreeSet<FileKey> = written.chain(blocks).chain([file]).collect();
    Entry { digest, name: file.named(&defs.def(gid).name), files: files.into_iter().collect() }
}

/// The lasting numbers of definitions and places.
struct Names<'a> {
    tables: &'a Tables<'a>,
    packages: BTreeMap<Place, u64>,
}

impl<'a> Names<'a> {
    fn new(tables: &'a Tables<'a>) -> Self {
        let trail = Trail::none();
        let places = tables.world(&trail).modules.all_named_places();
        let place = |(place, name): (Place, &String)| (place, digest(|hash| name.hash(hash)));
        Names { tables, packages: places.map(place).collect() }
    }

    fn of(&self, gid: Gid) -> Lasting {
        let (file, def) = self.tables.numbers.place(gid);
        self.tables.file(file).lasting[def as usize]
    }

    fn gids(&self, hash: &mut Mixed, gids: &[Gid]) {
        gids.len().hash(hash);
        gids.iter().for_each(|&gid| self.of(gid).hash(hash));
    }

    fn places(&self, hash: &mut Mixed, places: &[Place]) {
        for place in places {
            match place {
                Place::Def(gid) => self.gids(hash, &[*gid]),
                Place::Foreign => 0u8.hash(hash),
                named => self.packages.get(named).hash(hash),
            }
        }
    }

    fn ty(&self, hash: &mut Mixed, ty: &Ty) {
        std::mem::discriminant(ty).hash(hash);
        let all = |hash: &mut Mixed, list: &[Ty]| {
            list.len().hash(hash);
            list.iter().for_each(|ty| self.ty(hash, ty));
        };
        match ty {
            Ty::Unknown => {}
            Ty::Foreign(name, args) => {
                name.hash(hash);
                all(hash, args);
            }
            Ty::Instance(gid, args) | Ty::Class(gid, args) => {
                self.gids(hash, &[*gid]);
                all(hash, args);
            }
            Ty::Function(gid, through) => {
                self.gids(hash, &[*gid]);
                through.iter().for_each(|ty| self.ty(hash, ty));
            }
            Ty::Module(place) => self.places(hash, &[*place]),
            Ty::Param(gid, index) => {
                self.gids(hash, &[*gid]);
                index.hash(hash);
            }
            Ty::Tuple(list) | Ty::Union(list) => all(hash, list),
            Ty::Record(parts) => {
                parts.len().hash(hash);
                for (name, ty) in parts {
                    name.hash(hash);
                    self.ty(hash, ty);
                }
            }
            Ty::Callable(receiver, params, result) => {
                receiver.iter().for_each(|ty| self.ty(hash, ty));
                all(hash, params);
                self.ty(hash, result);
            }
            Ty::Super(gid) => self.gids(hash, &[*gid]),
        }
    }
}
