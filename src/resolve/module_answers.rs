//! Module answers: what the trees of modules say to each look-up, as digests by the key that the look-up notes.
//!
//! Files that come or go, manifests and declarations can give another meaning to names that they do not have
//! themselves: a crate is named by its manifest, a package by most of its files, a module's file by an attribute
//! elsewhere. So what has changed is not told from the edits: all answers of before are compared with those of now.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::sync::Arc;

use super::{
    Graph,
    carried::Kept,
    digests::{Difference, digest},
    file::{FileTables, Lasting, Quick},
    module_tree::Tree,
    modules::Modules,
    symbols::{Gid, Layout},
    trail::{FileKey, Key},
    world::Tables,
};

/// The modules of one resolution, with what tells its definitions from those of another one.
struct Numbered<'t> {
    modules: &'t Modules,
    layout: &'t Layout,
    files: &'t [Arc<FileTables>],
}

/// All that look-ups give, under keys that last.
#[derive(Default)]
struct Answers {
    by_key: Quick<Key, u64>,
    /// The package of each file.
    packages: BTreeMap<FileKey, u64>,
    /// Where each module is in the tree of a crate.
    places: BTreeMap<Lasting, u64>,
    families: Vec<&'static str>,
}

/// What tells two look-ups that note one key.
#[derive(Hash)]
enum Question {
    Package,
    Member,
    Declared,
    File,
    Folder,
    Root,
    Child,
    Crate,
}

/// What the modules of some tables, which were built anew, mean otherwise than those of before.
pub(super) fn difference(before: &Kept, graph: &Graph, tables: &Tables<'_>) -> Difference {
    let old = Numbered { modules: &before.modules, layout: &before.layout, files: &before.files };
    let numbers = &tables.numbers;
    let new = Numbered { modules: &tables.modules, layout: &numbers.layout, files: &numbers.files };
    let (old, new) = rayon::join(|| Answers::new(&old), || Answers::new(&new));
    let spoken: BTreeSet<&str> = graph.files().iter().filter_map(|file| file.language.as_deref()).collect();
    let now = (0..tables.files().len() as u32).map(|file| numbers.input(file).file);
    let speaking: BTreeSet<&str> = now.filter_map(|file| file.language.as_deref()).collect();
    let elsewhere =
        |(module, place): (&Lasting, &u64)| new.places.get(module).is_some_and(|now| now != place);
    let mut difference = Difference {
        all: spoken != speaking || old.families != new.families || old.places.iter().any(elsewhere),
        ..Difference::default()
    };
    let differing = |key: &&Key| old.by_key.get(*key) != new.by_key.get(*key);
    difference.keys.extend(old.by_key.keys().chain(new.by_key.keys()).filter(differing));
    let moved = |file: &&FileKey| old.packages.get(*file) != new.packages.get(*file);
    difference.files.extend(old.packages.keys().chain(new.packages.keys()).filter(moved));
    difference.keys.extend(difference.files.iter().map(|file| file.package()));
    difference
}

impl Answers {
    fn new(numbered: &Numbered<'_>) -> Self {
        let mut answers = Answers::default();
        for tree in numbered.modules.trees() {
            answers.families.push(tree.family);
            answers.of_packages(numbered, tree);
            answers.of_folders(numbered, tree);
            answers.of_crates(numbered, tree);
        }
        answers
    }

    /// Adds what a look-up with a key gives. Look-ups with one key come in no order.
    fn add(&mut self, key: Key, tree: &Tree, question: Question, answer: impl Hash) {
        let seen = digest(|hash| (tree.family, question, answer).hash(hash));
        let all = self.by_key.entry(key).or_default();
        *all = all.wrapping_add(seen);
    }

    fn of_packages(&mut self, numbered: &Numbered<'_>, tree: &Tree) {
        let name = |package: u32| tree.package_names[package as usize].as_str();
        let packages = tree.package_names.iter();
        packages.for_each(|name| self.add(Key::package(name), tree, Question::Package, name));
        tree.package_members.iter().for_each(|((package, member), gids)| {
            // What a file held may be all gone.
            if !gids.is_empty() {
                let answer = (name(*package), numbered.lasting(gids));
                self.add(Key::member(member), tree, Question::Member, answer);
            }
        });
        tree.declared_names.iter().for_each(|(package, declared)| {
            self.add(Key::module(declared), tree, Question::Declared, name(*package));
        });
        let of = |(file, package): (&u32, &u32)| {
            (numbered.files[*file as usize].key, digest(|hash| name(*package).hash(hash)))
        };
        self.packages.extend(tree.package_of.iter().map(of));
    }

    fn of_folders(&mut self, numbered: &Numbered<'_>, tree: &Tree) {
        let key = |path: &str| Key::module(path.rsplit('/').next().unwrap_or(path));
        tree.files.iter().for_each(|(path, module)| {
            self.add(key(path), tree, Question::File, (path, numbered.lasting(&[*module])));
        });
        tree.folders.keys().for_each(|path| self.add(key(path), tree, Question::Folder, path));
        tree.roots
            .iter()
            .for_each(|(name, roots)| self.add(Key::module(name), tree, Question::Root, (name, roots)));
    }

    fn of_crates(&mut self, numbered: &Numbered<'_>, tree: &Tree) {
        tree.child_module.iter().for_each(|(holder, names)| {
            names.iter().for_each(|(name, modules)| {
                let answer = (numbered.lasting(&[*holder]), numbered.lasting(modules));
                self.add(Key::module(name), tree, Question::Child, answer);
            });
        });
        tree.crates.iter().for_each(|(name, roots)| {
            self.add(Key::module(name), tree, Question::Crate, (name, numbered.lasting(roots)));
        });
        let place = |(&module, &root): (&Gid, &Gid)| {
            let ends =
                (tree.parent(module).map(|parent| numbered.lasting(&[parent])), numbered.lasting(&[root]));
            (numbered.lasting(&[module])[0], digest(|hash| ends.hash(hash)))
        };
        self.places.extend(tree.crate_root.iter().map(place));
    }
}

impl Numbered<'_> {
    fn lasting(&self, gids: &[Gid]) -> Vec<Lasting> {
        let one = |&gid: &Gid| {
            let (file, def) = self.layout.place(gid);
            self.files[file as usize].lasting[def as usize]
        };
        gids.iter().map(one).collect()
    }
}
