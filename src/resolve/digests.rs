//! Digests of the tables over all files, to tell which of their entries differ between two resolutions.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;

use super::{
    file::Lasting,
    lineage::Super,
    modules::Place,
    symbols::Gid,
    targets::Targets,
    trail::{FileKey, Key, Mixed, Trail},
    types::Ty,
    world::{Tables, World},
};
use crate::extract::SymbolKind;

/// Entries in order of their keys, each key once.
type Table<K, V> = Vec<(K, V)>;

/// What an entry was, for all entries that files are resolved by.
pub(super) struct Digests {
    targets: Table<FileKey, Arc<Targets>>,
    kin: Arc<KinDigests>,
}

/// What the families were.
#[derive(Default)]
pub(super) struct KinDigests {
    families: Table<Lasting, Entry>,
    /// The blocks for types from outside, by the key of the type's name.
    foreign: Table<Key, u64>,
    blankets: u64,
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
#[derive(Default)]
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
    /// `before` are those of a resolution whose families are the tables', but for the numbers of definitions.
    pub fn new(tables: &Tables<'_>, before: Option<&Digests>) -> Self {
        let files = tables.files().iter().zip(&tables.targets);
        let mut targets: Table<FileKey, Arc<Targets>> =
            files.map(|(file, targets)| (file.key, targets.clone())).collect();
        targets.sort_by_key(|(file, _)| *file);
        let kin = before.map(|before| before.kin.clone());
        Digests { targets, kin: kin.unwrap_or_else(|| Arc::new(KinDigests::new(tables))) }
    }

    /// Adds what differs from the digests of before.
    pub fn since(&self, before: &Digests, difference: &mut Difference) {
        let Difference { keys, files, .. } = difference;
        each_pair(&before.targets, &self.targets, |file, old, new| {
            let same = |(old, new): (&Arc<Targets>, &Arc<Targets>)| {
                Arc::ptr_eq(old, new) || old.digests == new.digests
            };
            if !old.zip(new).is_some_and(same) {
                files.insert(*file);
                keys.extend(strangers(*file, old.into_iter().chain(new)));
            }
        });
        if !Arc::ptr_eq(&before.kin, &self.kin) {
            self.kin.since(&before.kin, keys, files);
        }
    }
}

/// The keys of a file whose imports do not all mean what they did.
pub(super) fn strangers<'t>(
    file: FileKey,
    all: impl Iterator<Item = &'t Arc<Targets>>,
) -> impl Iterator<Item = Key> {
    let names = all.flat_map(|targets| targets.digests.iter().filter_map(|(name, _)| *name));
    names.chain([file.whole()])
}

impl KinDigests {
    fn new(tables: &Tables<'_>) -> Self {
        let foreign = tables
            .families
            .all_foreign()
            .map(|(name, blocks)| (Key::foreign(name), digest(|hash| lasting_gids(tables, hash, blocks))));
        // Two names of one key change together.
        let mut merged: BTreeMap<Key, u64> = BTreeMap::new();
        foreign.for_each(|(key, seen)| *merged.entry(key).or_default() ^= seen);
        let blankets = digest(|hash| {
            for blanket in tables.families.blankets() {
                lasting_gids(tables, hash, &[blanket.block, blanket.of]);
                lasting_gids(tables, hash, &blanket.bounds);
                blanket.foreign.hash(hash);
            }
        });
        KinDigests { families: entries(tables), foreign: merged.into_iter().collect(), blankets }
    }

    fn since(&self, before: &Self, keys: &mut BTreeSet<Key>, files: &mut BTreeSet<FileKey>) {
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
    }
}

/// What the families say of each type, variant and block.
fn entries(tables: &Tables<'_>) -> Table<Lasting, Entry> {
    let trail = Trail::none();
    let defs = tables.numbers.defs(&trail);
    let is_known =
        |kind: SymbolKind| kind.is_type() || matches!(kind, SymbolKind::EnumMember | SymbolKind::Extension);
    let all = (0..tables.files().len() as u32).flat_map(|file| defs.of_file(file));
    let known: Vec<Gid> = all.filter(|&gid| is_known(defs.kind(gid))).collect();
    let one = |&gid: &Gid| (tables.numbers.lasting(gid), entry(&tables.world(&Trail::none()), gid));
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

pub(super) fn digest(with: impl FnOnce(&mut Mixed)) -> u64 {
    let mut hash = Mixed::default();
    with(&mut hash);
    hash.finish()
}

fn entry(world: &World<'_>, gid: Gid) -> Entry {
    let (defs, families, tables) = (&world.defs, &world.families, world.tables);
    let file = defs.key(defs.file(gid));
    let supers: &[Super] = families.supers(gid);
    let digest = digest(|hash| {
        for above in supers {
            lasting_ty(tables, hash, &above.ty);
            defs.key(defs.file(above.written.gid())).hash(hash);
        }
        families.deref(gid).iter().for_each(|ty| lasting_ty(tables, hash, ty));
        families.owner(gid).iter().for_each(|&owner| lasting_gids(tables, hash, &[owner]));
        for list in [families.order(gid), families.extensions(gid), families.twins(gid)] {
            lasting_gids(tables, hash, list);
        }
        families.depths(gid).hash(hash);
        families.has_foreign_supertype(gid).hash(hash);
        families.foreign_names(gid).hash(hash);
    });
    let written = supers.iter().map(|above| defs.key(defs.file(above.written.gid())));
    let blocks = families.extensions(gid).iter().map(|&block| defs.key(defs.file(block)));
    let files: BTreeSet<FileKey> = written.chain(blocks).chain([file]).collect();
    Entry { digest, name: file.named(&defs.def(gid).name), files: files.into_iter().collect() }
}

fn lasting_gids(tables: &Tables<'_>, hash: &mut Mixed, gids: &[Gid]) {
    gids.len().hash(hash);
    gids.iter().for_each(|&gid| tables.numbers.lasting(gid).hash(hash));
}

pub(super) fn lasting_places(tables: &Tables<'_>, hash: &mut Mixed, places: &[Place]) {
    for place in places {
        match place {
            Place::Def(gid) => lasting_gids(tables, hash, &[*gid]),
            Place::Foreign => 0u8.hash(hash),
            named => tables.modules.name_of(*named).hash(hash),
        }
    }
}

fn lasting_ty(tables: &Tables<'_>, hash: &mut Mixed, ty: &Ty) {
    std::mem::discriminant(ty).hash(hash);
    let all = |hash: &mut Mixed, list: &[Ty]| {
        list.len().hash(hash);
        list.iter().for_each(|ty| lasting_ty(tables, hash, ty));
    };
    match ty {
        Ty::Unknown => {}
        Ty::Foreign(name, args) => {
            name.hash(hash);
            all(hash, args);
        }
        Ty::Instance(gid, args) | Ty::Class(gid, args) => {
            lasting_gids(tables, hash, &[*gid]);
            all(hash, args);
        }
        Ty::Function(gid, through) => {
            lasting_gids(tables, hash, &[*gid]);
            through.iter().for_each(|ty| lasting_ty(tables, hash, ty));
        }
        Ty::Module(place) => lasting_places(tables, hash, &[*place]),
        Ty::Param(gid, index) => {
            lasting_gids(tables, hash, &[*gid]);
            index.hash(hash);
        }
        Ty::Tuple(list) | Ty::Union(list) => all(hash, list),
        Ty::Record(parts) => {
            parts.len().hash(hash);
            for (name, ty) in parts {
                name.hash(hash);
                lasting_ty(tables, hash, ty);
            }
        }
        Ty::Callable(receiver, params, result) => {
            receiver.iter().for_each(|ty| lasting_ty(tables, hash, ty));
            all(hash, params);
            lasting_ty(tables, hash, result);
        }
        Ty::Super(gid) => lasting_gids(tables, hash, &[*gid]),
    }
}
