//! Modules: what the segments of a path mean before any name inside a file is looked at.
//!
//! A `Place` holds names: a definition, a declared package, a folder of modules. Each family of languages
//! has its own tree; paths never cross from one family into another.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{
    bridges::file_type,
    carried::Carried,
    module_tree::Tree,
    symbols::{Defs, Gid},
};
use crate::{
    extract::{FileFacts, Name, SymbolKind},
    lang::{ModuleSystem, ResolutionRules},
    text::RepoPath,
};

/// Something that a path can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    Def(Gid),
    /// A declared package, by its tree's and its own number.
    Package(u16, u32),
    /// A folder of modules, by its tree's and its own number.
    Folder(u16, u32),
    /// Something outside the repository.
    Foreign,
}

/// The modules of all families of languages.
pub(super) struct Modules {
    trees: Vec<Arc<Tree>>,
    /// By file; `usize::MAX` without a language.
    tree_of: Arc<[usize]>,
}

/// A module that a file declares.
#[derive(PartialEq)]
struct Declaration<'f> {
    /// The names of what holds it, innermost first.
    holders: Vec<&'f Name>,
    name: &'f Name,
    elsewhere: bool,
    file: Option<&'f Name>,
}

fn declarations(facts: &FileFacts) -> Vec<Declaration<'_>> {
    let modules = facts.defs.iter().filter(|def| def.kind == SymbolKind::Module);
    let each = modules.map(|def| {
        let holders = std::iter::successors(def.container, |&at| facts.defs[at as usize].container);
        Declaration {
            holders: holders.map(|at| &facts.defs[at as usize].name).collect(),
            name: &def.name,
            elsewhere: def.traits.elsewhere,
            file: def.file.as_ref(),
        }
    });
    each.collect()
}

/// Whether an edit of a file leaves what modules there are as it was, but for the numbers of definitions and what
/// packages hold.
pub(super) fn same(rules: &ResolutionRules, path: &RepoPath, before: &FileFacts, after: &FileFacts) -> bool {
    match &rules.modules {
        _ if before.defs.is_empty() != after.defs.is_empty() => false,
        ModuleSystem::Paths(_) | ModuleSystem::Files { .. } => true,
        ModuleSystem::Packages { .. } => {
            before.package == after.package && file_type(rules, path, before) == file_type(rules, path, after)
        }
        ModuleSystem::Crates { .. } => declarations(before) == declarations(after),
    }
}

impl Modules {
    pub fn new(defs: &Defs<'_>, count: usize) -> Self {
        let mut by_family: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for file in 0..count as u32 {
            let input = defs.input(file);
            if let (Some(rules), Some(_)) = (input.rules, defs.module(file)) {
                by_family.entry(rules.family).or_default().push(file);
            }
        }
        let mut trees = Vec::new();
        let mut tree_of = vec![usize::MAX; count];
        for files in by_family.values() {
            for &file in files {
                tree_of[file as usize] = trees.len();
            }
            let rules = defs.input(files[0]).rules.expect("grouped by having rules");
            let tree = Tree::new(trees.len() as u16, defs, files, rules, count);
            trees.push(Arc::new(tree));
        }
        Modules { trees, tree_of: tree_of.into() }
    }

    /// The modules after edits that leave them as they were.
    pub fn again(self: &Arc<Self>, defs: &Defs<'_>, carried: &Carried<'_>) -> Arc<Self> {
        let mut trees = self.trees.clone();
        for &file in &carried.files {
            let (Some(rules), Some(tree)) =
                (defs.input(file).rules, trees.get_mut(self.tree_of[file as usize]))
            else {
                continue;
            };
            match &rules.modules {
                ModuleSystem::Paths(_) | ModuleSystem::Files { .. } => {}
                ModuleSystem::Packages { .. } => {
                    if !tree.has_members(defs, file) {
                        Arc::make_mut(tree).put_members(defs, file);
                    }
                }
                ModuleSystem::Crates { .. } => {
                    let stays = |&gid: &Gid| carried.moves.keeps(gid);
                    if !tree.crate_root.keys().all(stays) {
                        let own = |other: &u32| self.tree_of[*other as usize] == self.tree_of[file as usize];
                        let files: Vec<u32> = (0..self.tree_of.len() as u32).filter(own).collect();
                        *tree = Arc::new(Tree::new(tree.id, defs, &files, rules, self.tree_of.len()));
                    }
                }
            }
        }
        if trees.iter().zip(&self.trees).all(|(new, old)| Arc::ptr_eq(new, old)) {
            return self.clone();
        }
        Arc::new(Modules { trees, tree_of: self.tree_of.clone() })
    }

    pub fn tree(&self, file: u32) -> Option<&Tree> {
        self.trees.get(self.tree_of[file as usize]).map(|tree| &**tree)
    }

    /// The name of a package or a folder.
    pub fn name_of(&self, place: Place) -> Option<&str> {
        let (tree, id) = match place {
            Place::Package(tree, id) | Place::Folder(tree, id) => (self.by_id(tree), id as usize),
            Place::Def(_) | Place::Foreign => return None,
        };
        let names =
            if matches!(place, Place::Package(..)) { &tree.package_names } else { &tree.folder_names };
        names.get(id).map(String::as_str)
    }

    pub fn by_id(&self, id: u16) -> &Tree {
        &self.trees[id as usize]
    }

    /// Those of each family, in order of the families.
    pub fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.trees.iter().map(|tree| &**tree)
    }
}
