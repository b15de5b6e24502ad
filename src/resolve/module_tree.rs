//! `Tree`: the modules of one family of languages, found by paths, packages or crates.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    bridges::file_type,
    file::Quick,
    modules::Place,
    specifiers::Specifiers,
    symbols::{Defs, Gid},
};
use crate::{
    extract::{Def, Name, SymbolKind},
    lang::{FolderPackages, ModuleSystem, ResolutionRules},
};

/// The modules of one family of languages.
#[derive(Clone, Default)]
pub(super) struct Tree {
    pub id: u16,
    pub family: &'static str,
    /// Declared packages by name (`a.b`), and the top-level definitions of each by name.
    pub packages: Quick<String, u32>,
    pub package_names: Vec<String>,
    pub package_members: Quick<(u32, Name), Vec<Gid>>,
    /// The package of each file, and the name that a package's files declare, where that is another matter
    /// than its path.
    pub package_of: Quick<u32, u32>,
    pub declared_names: Quick<u32, String>,
    /// Folders that hold modules, at any depth.
    pub folders: Quick<String, u32>,
    pub folder_names: Vec<String>,
    /// The file's module by its path without extension.
    pub files: Quick<String, Gid>,
    /// Modules of test files.
    tests: BTreeSet<Gid>,
    /// Folders from which absolute imports start, by the first segment that they offer.
    pub roots: Quick<String, Vec<String>>,
    /// A crate's module tree.
    /// Several of one name are alternatives.
    pub child_module: Quick<Gid, Quick<Name, Vec<Gid>>>,
    pub parent: Quick<Gid, Gid>,
    pub crate_root: Quick<Gid, Gid>,
    pub crates: Quick<String, Vec<Gid>>,
    /// Where files are named by the texts of imports.
    pub specifiers: Specifiers,
}

impl Tree {
    /// That of some files, of `count` in all.
    pub fn new(
        id: u16,
        defs: &Defs<'_>,
        files: &[u32],
        rules: &'static ResolutionRules,
        count: usize,
    ) -> Self {
        let tree = match &rules.modules {
            ModuleSystem::Paths(system) => {
                Tree { specifiers: Specifiers::new(defs, files, system, count), ..Tree::default() }
            }
            ModuleSystem::Files { folder_stem } => file_tree(defs, files, folder_stem),
            ModuleSystem::Packages { folders, .. } => package_tree(defs, files, *folders, count),
            system @ ModuleSystem::Crates { .. } => crate_tree(defs, files, system, count),
        };
        Tree { id, family: rules.family, ..tree }
    }

    /// The names under which a package has a file's definitions, with them.
    fn members_of(defs: &Defs<'_>, file: u32) -> Vec<(Name, Gid)> {
        let (Some(facts), Some(module)) = (defs.facts(file), defs.module(file)) else { return Vec::new() };
        let path = &defs.input(file).file.path;
        let stands = file_type(defs.rules(module), path, facts).map(|name| (name, module));
        let held = defs.children(module).iter().map(|&child| (defs.def(child).name.clone(), child));
        stands.into_iter().chain(held).collect()
    }

    /// Whether a file's package has its definitions, and no others of the file.
    pub fn has_members(&self, defs: &Defs<'_>, file: u32) -> bool {
        let Some(id) = self.package_of(file) else { return true };
        let members = Self::members_of(defs, file);
        let has = |(name, gid): &(Name, Gid)| self.in_package(id, name).contains(gid);
        let known = |(at, gids): (&(u32, Name), &Vec<Gid>)| match at.0 == id {
            true => gids.iter().filter(|&&gid| defs.file(gid) == file).count(),
            false => 0,
        };
        members.iter().all(has) && self.package_members.iter().map(known).sum::<usize>() == members.len()
    }

    /// Puts a file's definitions in the place of those of before.
    pub fn put_members(&mut self, defs: &Defs<'_>, file: u32) {
        let Some(id) = self.package_of(file) else { return };
        self.package_members.values_mut().for_each(|gids| gids.retain(|&gid| defs.file(gid) != file));
        for (name, gid) in Self::members_of(defs, file) {
            let gids = self.package_members.entry((id, name)).or_default();
            // In order of files, and of what stands in them.
            gids.insert(gids.partition_point(|&other| other <= gid), gid);
        }
    }

    /// The package with a name: `a.b`.
    pub fn package(&self, name: &str) -> Option<Place> {
        self.packages.get(name).map(|&id| Place::Package(self.id, id))
    }

    /// The package that a file is part of.
    pub fn package_of(&self, file: u32) -> Option<u32> {
        self.package_of.get(&file).copied()
    }

    /// The name by which an import of a package is used, where its files declare one.
    pub fn declared_name(&self, package: u32) -> Option<&str> {
        self.declared_names.get(&package).map(String::as_str)
    }

    /// The definitions of a name in a package.
    pub fn in_package(&self, package: u32, name: &str) -> &[Gid] {
        self.package_members.get(&(package, name.into())).map_or(&[], Vec::as_slice)
    }

    /// What a package of a name in another package is called.
    pub fn below(&self, package: u32, name: &str) -> String {
        format!("{}.{name}", self.package_names[package as usize])
    }

    /// The module or folder of a name in a folder.
    pub fn in_folder(&self, folder: u32, name: &str) -> Option<Place> {
        self.at_path(&join(&self.folder_names[folder as usize], name))
    }

    pub fn folder(&self, path: &str) -> Option<Place> {
        self.folders.get(path).map(|&id| Place::Folder(self.id, id))
    }

    fn at_path(&self, path: &str) -> Option<Place> {
        self.files.get(path).map(|&gid| Place::Def(gid)).or_else(|| self.folder(path))
    }

    /// What the first segment of an absolute import means for a file in `directory`. `None` where
    /// nothing in the repository or several things equally near could be meant.
    pub fn absolute(&self, directory: &str, first: &str, foreign: bool, test: bool) -> Option<Place> {
        let roots = self.roots.get(first)?;
        let above = |root: &&String| root.is_empty() || is_under(directory, root);
        if let Some(root) = roots.iter().filter(above).max_by_key(|root| root.len()) {
            // A script next to a module named like one of the standard library does not hide it for
            // the rest of the repository.
            if !foreign || root == directory {
                return self.at_path(&join(root, first));
            }
            return None;
        }
        if foreign {
            return None;
        }
        // Elsewhere only a real module is meant, and of tests only by tests.
        let real = |root: &&String| {
            let module = self.files.get(&join(root, first));
            module.is_some_and(|module| test || !self.tests.contains(module))
        };
        let near = |root: &String| common(directory, root);
        let best = roots.iter().filter(real).map(near).max()?;
        let mut nearest = roots.iter().filter(real).filter(|root| near(root) == best);
        let root = nearest.next()?;
        if nearest.next().is_some() {
            return None;
        }
        self.at_path(&join(root, first))
    }

    pub fn child(&self, module: Gid, name: &str) -> &[Gid] {
        self.child_module.get(&module).and_then(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }

    pub fn parent(&self, module: Gid) -> Option<Gid> {
        self.parent.get(&module).copied()
    }

    pub fn crate_root(&self, module: Gid) -> Option<Gid> {
        self.crate_root.get(&module).copied()
    }

    /// The root module of the crate with a name, the nearest to `path` where there are several.
    pub fn crate_named(&self, name: &str, path: &str, defs: &Defs<'_>) -> Option<Gid> {
        let roots = self.crates.get(name)?;
        let near = |gid: Gid| common(path, defs.input(defs.file(gid)).file.path.as_str());
        let best = roots.iter().map(|&gid| near(gid)).max()?;
        let mut nearest = roots.iter().filter(|&&gid| near(gid) == best);
        let root = *nearest.next()?;
        nearest.next().is_none().then_some(root)
    }
}

pub(super) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn is_under(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The number of leading path components that two paths share.
pub(super) fn common(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}

fn parent_folder(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

fn without_extension(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path[name..].rfind('.') {
        Some(at) if at > 0 => &path[..name + at],
        _ => path,
    }
}

fn file_tree(defs: &Defs<'_>, files: &[u32], folder_stem: &str) -> Tree {
    let mut tree = Tree::default();
    let mut packages = BTreeSet::new();
    for &file in files {
        let path = &defs.input(file).file.path;
        let Some(module) = defs.module(file) else { continue };
        if defs.input(file).file.test {
            tree.tests.insert(module);
        }
        let key = if path.stem() == folder_stem {
            packages.insert(path.directory().to_owned());
            path.directory().to_owned()
        } else {
            without_extension(path.as_str()).to_owned()
        };
        // A folder's own file wins over a module of its name; a source over its stub.
        let stub = path.extension().ends_with('i');
        match tree.files.get(&key) {
            Some(_) if stub || path.stem() != folder_stem => {}
            _ => {
                tree.files.insert(key, module);
            }
        }
        let mut folder = path.directory();
        loop {
            if !tree.folders.contains_key(folder) {
                tree.folders.insert(folder.to_owned(), tree.folder_names.len() as u32);
                tree.folder_names.push(folder.to_owned());
            }
            if folder.is_empty() {
                break;
            }
            folder = parent_folder(folder);
        }
    }
    let mut roots: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let paths = tree.files.keys().chain(tree.folders.keys());
    for path in paths.filter(|path| !path.is_empty()) {
        let folder = parent_folder(path);
        if !packages.contains(folder) {
            let name = &path[path.rfind('/').map_or(0, |at| at + 1)..];
            roots.entry(name.to_owned()).or_default().insert(folder.to_owned());
        }
    }
    // A bare folder of a name gives way to a module or package of it.
    for (name, folders) in roots {
        let real: Vec<String> =
            folders.iter().filter(|folder| tree.files.contains_key(&join(folder, &name))).cloned().collect();
        let chosen = if real.is_empty() { folders.into_iter().collect() } else { real };
        tree.roots.insert(name, chosen);
    }
    tree
}

/// The name of a folder's package: the path that the nearest manifest above gives its own folder, and the way
/// from there.
fn folder_package(
    folder: &str,
    manifests: &[(&str, &str)],
    system: &FolderPackages,
    declared: &str,
) -> String {
    let nearest = manifests.iter().filter(|(at, _)| at.is_empty() || is_under(folder, at));
    let (at, path) = nearest.max_by_key(|(at, _)| at.len()).copied().unwrap_or_default();
    let below = folder[at.len()..].trim_start_matches('/');
    let parts = path.split(system.divider).chain(below.split('/')).filter(|part| !part.is_empty());
    let mut name = parts.collect::<Vec<_>>().join(".");
    if declared.ends_with(system.outside) {
        name.push_str(system.outside);
    }
    name
}

/// The name that most of a package's files declare, of how many each; of equally many none. Files of a folder that
/// no build takes into its package may declare what they want.
fn declared_name<'n>(names: &BTreeMap<&'n str, usize>, system: &FolderPackages) -> Option<&'n str> {
    let rank = |name: &str, files: usize| (!system.not_imported.contains(&name), files);
    let best = names.iter().map(|(name, &files)| rank(name, files)).max()?;
    let mut most = names.iter().filter(|(name, files)| rank(name, **files) == best);
    let (&name, _) = most.next()?;
    most.next().is_none().then_some(name)
}

fn package_tree(defs: &Defs<'_>, files: &[u32], folders: Option<&FolderPackages>, count: usize) -> Tree {
    let mut tree = Tree::default();
    // By package, the names that its files declare, each with the number of the files.
    let mut names: BTreeMap<u32, BTreeMap<&str, usize>> = BTreeMap::new();
    let manifests: Vec<(&str, &str)> = (0..count as u32)
        .filter_map(|file| {
            let path = &defs.input(file).file.path;
            let named = folders.is_some_and(|system| path.name() == system.manifest);
            let module = defs.facts(file).filter(|_| named)?.package.first()?;
            Some((path.directory(), module.as_str()))
        })
        .collect();
    for &file in files {
        let (Some(facts), Some(_)) = (defs.facts(file), defs.module(file)) else { continue };
        let declared = facts.package.last().map_or("", Name::as_str);
        let name = match folders {
            Some(system) => {
                folder_package(defs.input(file).file.path.directory(), &manifests, system, declared)
            }
            None => facts.package.join("."),
        };
        // Every prefix is a package, so that a path can be walked segment by segment.
        let mut ends: Vec<usize> = name.match_indices('.').map(|(at, _)| at).collect();
        ends.push(name.len());
        for end in ends {
            if !tree.packages.contains_key(&name[..end]) {
                tree.packages.insert(name[..end].to_owned(), tree.package_names.len() as u32);
                tree.package_names.push(name[..end].to_owned());
            }
        }
        let id = tree.packages[&name];
        tree.package_of.insert(file, id);
        if !declared.is_empty() {
            *names.entry(id).or_default().entry(declared).or_default() += 1;
        }
        for (name, gid) in Tree::members_of(defs, file) {
            tree.package_members.entry((id, name)).or_default().push(gid);
        }
    }
    if let Some(system) = folders {
        let chosen = names.iter().map(|(&id, names)| (id, declared_name(names, system)));
        tree.declared_names = chosen.filter_map(|(id, name)| Some((id, name?.to_owned()))).collect();
    }
    tree
}

fn crate_tree(defs: &Defs<'_>, files: &[u32], system: &ModuleSystem, count: usize) -> Tree {
    let ModuleSystem::Crates { manifest, sources, library, root_stems, folder_stem, .. } = system else {
        return Tree::default();
    };
    let mut tree = Tree::default();
    let by_path: Quick<&str, Gid> = files
        .iter()
        .filter_map(|&file| {
            let module = defs.module(file)?;
            Some((without_extension(defs.input(file).file.path.as_str()), module))
        })
        .collect();
    let declared = declared(defs, files, &by_path, folder_stem);
    // Roots first, then what no other file declares, shallow ones before deep ones, the library before
    // the program beside it.
    let mut order: Vec<(bool, bool, usize, &str, Gid)> = files
        .iter()
        .filter_map(|&file| {
            let path = &defs.input(file).file.path;
            let root = root_stems.contains(&path.stem());
            let depth = path.as_str().matches('/').count();
            let module = defs.module(file)?;
            Some((!root, declared.contains(&module), depth, path.as_str(), module))
        })
        .collect();
    order.sort();
    let mut claimed: BTreeSet<Gid> = BTreeSet::new();
    for &(not_root, _, _, path, module) in &order {
        if claimed.contains(&module) {
            continue;
        }
        claimed.insert(module);
        let stem = defs.input(defs.file(module)).file.path.stem();
        // A file that nobody declares lies in the tree where its path says, if there is a root above.
        if not_root
            && let Some(parent) =
                parent_by_path(&by_path, path, stem == *folder_stem, root_stems, folder_stem)
            && let Some(&root) = tree.crate_root.get(&parent)
        {
            tree.parent.insert(module, parent);
            let name = name_by_path(path, stem == *folder_stem);
            let children = tree.child_module.entry(parent).or_default();
            children.entry(name.into()).or_insert_with(|| vec![module]);
            claim(defs, &by_path, &mut tree, &mut claimed, module, root, folder_stem, false);
            continue;
        }
        claim(defs, &by_path, &mut tree, &mut claimed, module, module, folder_stem, true);
    }
    // Crates have the name of their manifest, else of its folder.
    for file in 0..count as u32 {
        let input = defs.input(file);
        if input.file.path.name() != *manifest {
            continue;
        }
        let folder = input.file.path.directory();
        let named = input.facts.and_then(|facts| facts.package.first()).map(Name::as_str);
        let name = named.unwrap_or_else(|| folder.rsplit('/').next().unwrap_or(folder));
        let root = join(&join(folder, sources), library);
        if let Some(&module) = by_path.get(root.as_str())
            && !name.is_empty()
        {
            tree.crates.entry(name.replace('-', "_")).or_default().push(module);
        }
    }
    tree
}

/// The files that another file may declare as its module, be that file a crate's root or not.
fn declared(defs: &Defs<'_>, files: &[u32], by_path: &Quick<&str, Gid>, folder_stem: &str) -> BTreeSet<Gid> {
    let mut found = BTreeSet::new();
    for &file in files {
        let Some(module) = defs.module(file) else { continue };
        let path = &defs.input(file).file.path;
        let elsewhere = |at: &&Gid| {
            let def = defs.def(**at);
            def.kind == SymbolKind::Module && def.traits.elsewhere
        };
        for &child in defs.children(module).iter().filter(elsewhere) {
            let def = defs.def(child);
            for folder in [path.directory(), without_extension(path.as_str())] {
                let below = join(folder, &def.name);
                let file = body_file(by_path, def, path.directory(), below, folder_stem);
                found.extend(file.map(|(file, _)| file));
            }
        }
    }
    found
}

fn name_by_path(path: &str, folder: bool) -> &str {
    let path = if folder { parent_folder(path) } else { without_extension(path) };
    &path[path.rfind('/').map_or(0, |at| at + 1)..]
}

fn parent_by_path(
    by_path: &Quick<&str, Gid>,
    path: &str,
    folder: bool,
    root_stems: &[&str],
    folder_stem: &str,
) -> Option<Gid> {
    let directory = if folder { parent_folder(parent_folder(path)) } else { parent_folder(path) };
    let own = by_path.get(without_extension(path));
    let mut candidates = vec![directory.to_owned(), join(directory, folder_stem)];
    candidates.extend(root_stems.iter().map(|stem| join(directory, stem)));
    candidates.iter().filter_map(|path| by_path.get(path.as_str())).find(|gid| Some(*gid) != own).copied()
}

/// Puts a file's module and all that it declares below a crate's root.
#[allow(clippy::too_many_arguments)]
fn claim(
    defs: &Defs<'_>,
    by_path: &Quick<&str, Gid>,
    tree: &mut Tree,
    claimed: &mut BTreeSet<Gid>,
    module: Gid,
    root: Gid,
    folder_stem: &str,
    is_root: bool,
) {
    let path = &defs.input(defs.file(module)).file.path;
    let own = is_root || path.stem() == folder_stem;
    let folder = if own { path.directory() } else { without_extension(path.as_str()) };
    // Each with the folder of its submodules, and the one that files are named from.
    let mut pending = vec![(module, folder.to_owned(), path.directory().to_owned())];
    while let Some((at, folder, base)) = pending.pop() {
        tree.crate_root.insert(at, root);
        for &child in defs.children(at) {
            let def = defs.def(child);
            if def.kind != SymbolKind::Module {
                continue;
            }
            let below = join(&folder, &def.name);
            if !def.traits.elsewhere {
                tree.parent.insert(child, at);
                pending.push((child, below.clone(), below));
                continue;
            }
            let Some((file, below)) = body_file(by_path, def, &base, below, folder_stem) else { continue };
            let children = tree.child_module.entry(at).or_default().entry(def.name.clone()).or_default();
            if !children.contains(&file) {
                children.push(file);
            }
            if claimed.insert(file) {
                tree.parent.insert(file, at);
                let base = defs.input(defs.file(file)).file.path.directory().to_owned();
                pending.push((file, below, base));
            }
        }
    }
}

/// The file that a module's body is in, and the folder of that file's own submodules.
fn body_file(
    by_path: &Quick<&str, Gid>,
    def: &Def,
    base: &str,
    below: String,
    folder_stem: &str,
) -> Option<(Gid, String)> {
    let Some(named) = &def.file else {
        let file = by_path.get(below.as_str()).or_else(|| by_path.get(join(&below, folder_stem).as_str()));
        return file.map(|&file| (file, below));
    };
    let mut folder = base;
    let mut rest = named.as_str();
    loop {
        if let Some(inside) = rest.strip_prefix("../") {
            folder = parent_folder(folder);
            rest = inside;
        } else if let Some(inside) = rest.strip_prefix("./") {
            rest = inside;
        } else {
            break;
        }
    }
    let path = join(folder, rest);
    let file = by_path.get(without_extension(&path))?;
    Some((*file, parent_folder(&path).to_owned()))
}
