//! Names as other files see them: what a name means in a module, a package or a type, and what an
//! import brings in.

use std::collections::BTreeSet;

use super::{
    module_tree::Tree,
    modules::Place,
    order::{Said, View, said},
    symbols::Gid,
    trail::Key,
    world::World,
};
use crate::{
    extract::{Expr, Import, Name, SymbolKind, Visibility},
    lang::ModuleSystem,
};

/// Re-exports are followed this far.
const IMPORT_DEPTH: usize = 12;

/// A scope or package that defines a name more often means nothing by it.
const MAX_NAMESAKES: usize = 256;

/// What one look for a name is inside of and has looked through, so that it ends and does nothing twice.
#[derive(Default)]
pub(super) struct Guard {
    /// Imports and wildcards that are being followed, as (file, import).
    inside: Vec<(u32, u32)>,
    /// Wildcards that were looked through for a name; all that they bring in is found the first time.
    seen: BTreeSet<(u32, u32, Name)>,
}

impl Guard {
    /// Whether an import may be followed from here.
    fn may_follow(&self, import: (u32, u32)) -> bool {
        self.inside.len() < IMPORT_DEPTH && !self.inside.contains(&import)
    }
}

impl<'a> World<'a> {
    /// What an import names: like `import`, except that a dotted import means its last module.
    pub fn imported(&self, file: u32, at: u32) -> Vec<Place> {
        let Some(facts) = self.defs.facts(file) else { return Vec::new() };
        let import = &facts.imports[at as usize];
        let places = self.import(file, at).to_vec();
        if import.binds_root && import.alias.is_none() {
            return self.walk(places, &import.path[1..], &mut Guard::default());
        }
        places
    }

    /// The module that a text names where a file loads it.
    pub fn loaded(&self, file: u32, text: &str) -> Vec<Place> {
        self.trail().of_file(file, || self.defs.key(file).whole());
        let Some(facts) = self.defs.facts(file) else { return Vec::new() };
        let loads = |import: &Import| import.path.len() == 1 && import.path[0] == text;
        match facts.imports.iter().position(loads) {
            Some(at) => self.import_target(file, at as u32, &mut Guard::default()),
            None => Vec::new(),
        }
    }

    pub fn import_target(&self, file: u32, at: u32, guard: &mut Guard) -> Vec<Place> {
        if let Some(known) = self.tables.targets(file) {
            return known[at as usize].clone();
        }
        if !guard.may_follow((file, at)) {
            return Vec::new();
        }
        guard.inside.push((file, at));
        // The names of its path are other looks.
        let seen = std::mem::take(&mut guard.seen);
        let mut places = self.import_path(file, at, guard);
        guard.seen = seen;
        guard.inside.pop();
        if places.is_empty() && guard.inside.is_empty() {
            places.push(Place::Foreign);
        }
        places
    }

    fn import_path(&self, file: u32, at: u32, guard: &mut Guard) -> Vec<Place> {
        let Some(facts) = self.defs.facts(file) else { return Vec::new() };
        let import = &facts.imports[at as usize];
        let (Some(tree), Some(system)) = (self.modules.tree(file), self.system(file)) else {
            return Vec::new();
        };
        let path = &import.path;
        match system {
            ModuleSystem::Paths(system) => {
                let Some((text, rest)) = path.split_first() else { return Vec::new() };
                if text.is_empty() {
                    // A name of the file itself.
                    let scope = self.defs.gid(file, import.scope);
                    return match rest.first() {
                        Some(name) => self.in_scope(scope, name, guard),
                        None => Vec::new(),
                    };
                }
                let from = self.defs.input(file).file.path.as_str();
                let Some(module) = tree.specifiers.module(from, text) else { return vec![Place::Foreign] };
                let whole = self.lookup(Place::Def(module), system.whole, guard);
                let Some(name) = rest.first() else {
                    return if whole.is_empty() { vec![Place::Def(module)] } else { whole };
                };
                let found = self.lookup(Place::Def(module), name, guard);
                if whole.is_empty() {
                    return found;
                }
                if name == system.default {
                    return if found.is_empty() { whole } else { found };
                }
                // The one value that the module is has the names, not the module, unless it gives on what the
                // module calls so.
                let held = self.walk(whole, rest, guard);
                let given_on = |place: &Place| match place {
                    Place::Def(gid) => match &self.defs.def(*gid).value {
                        Some(Expr::At(_, value)) => matches!(&**value, Expr::Name(own) if own == name),
                        Some(Expr::Name(own)) => own == name,
                        _ => false,
                    },
                    _ => true,
                };
                if found.is_empty() || !held.iter().all(given_on) { held } else { found }
            }
            ModuleSystem::Files { .. } => {
                let directory = self.defs.input(file).file.path.directory();
                if import.level > 0 {
                    let mut folder = directory;
                    for _ in 1..import.level {
                        folder = folder.rfind('/').map_or("", |at| &folder[..at]);
                    }
                    let Some(start) = self.folder_place(file, folder) else { return Vec::new() };
                    return self.walk(vec![start], path, guard);
                }
                let Some(first) = path.first() else { return Vec::new() };
                let Some(start) = self.absolute(file, first) else { return vec![Place::Foreign] };
                let end = if import.binds_root && import.alias.is_none() { 1 } else { path.len() };
                self.walk(vec![start], &path[1..end], guard)
            }
            ModuleSystem::Packages { .. } => {
                match self.longest_package(tree, path) {
                    // A package of this name, unless the last segment is what is imported.
                    Some((end, place)) => self.walk(vec![place], &path[end..], guard),
                    None => vec![Place::Foreign],
                }
            }
            ModuleSystem::Crates { .. } => {
                let scope = self.defs.gid(file, import.scope);
                self.crate_path(scope, path, guard)
            }
        }
    }

    /// The module of a folder where it has one, else the folder.
    fn folder_place(&self, file: u32, folder: &str) -> Option<Place> {
        let tree = self.modules.tree(file)?;
        let place = tree.folder(folder)?;
        let Place::Folder(..) = place else { return Some(place) };
        let name = &folder[folder.rfind('/').map_or(0, |at| at + 1)..];
        let parent = folder.rfind('/').map_or("", |at| &folder[..at]);
        if folder.is_empty() {
            return Some(place);
        }
        match tree.folder(parent) {
            Some(Place::Folder(_, parent)) => self.in_folder(tree, parent, name),
            _ => Some(place),
        }
    }

    /// The first segment of an absolute import.
    pub fn absolute(&self, file: u32, first: &str) -> Option<Place> {
        self.trail().key(|| Key::module(first));
        let input = self.defs.input(file);
        let foreign = input.rules.is_some_and(|rules| rules.foreign_roots.contains(&first));
        self.modules.tree(file)?.absolute(input.file.path.directory(), first, foreign, input.file.test)
    }

    /// What a path means that begins in the scope of a definition, in a language with crates.
    pub fn crate_path(&self, scope: Gid, path: &[Name], guard: &mut Guard) -> Vec<Place> {
        let file = self.defs.file(scope);
        let Some(ModuleSystem::Crates { crate_word, self_word, super_word, .. }) = self.system(file) else {
            return Vec::new();
        };
        let Some(tree) = self.modules.tree(file) else { return Vec::new() };
        let module = self.defs.module_of(scope);
        let Some(first) = path.first() else { return Vec::new() };
        let mut rest = &path[1..];
        let start = if first == crate_word {
            tree.crate_root(module).map(Place::Def).into_iter().collect()
        } else if first == self_word {
            vec![Place::Def(module)]
        } else if first == super_word {
            let mut at = tree.parent(module);
            while let Some((word, tail)) = rest.split_first()
                && word == super_word
            {
                at = at.and_then(|at| tree.parent(at));
                rest = tail;
            }
            at.map(Place::Def).into_iter().collect()
        } else {
            let mut found = Vec::new();
            for at in self.defs.chain(scope) {
                let kind = self.defs.kind(at);
                if kind == SymbolKind::Module || kind.is_callable() {
                    found = self.in_scope(at, first, guard);
                    if !found.is_empty() || kind == SymbolKind::Module {
                        break;
                    }
                }
            }
            // A module or type that goes on, else a crate.
            if found.iter().all(|place| *place == Place::Foreign) || !rest.is_empty() {
                found.retain(|place| match place {
                    Place::Def(gid) => rest.is_empty() || self.holds_names(*gid),
                    _ => true,
                });
            }
            if found.is_empty() {
                let rules = self.defs.rules(scope);
                let path = self.defs.input(file).file.path.as_str();
                self.trail().key(|| Key::module(first));
                found = match tree.crate_named(first, path, &self.defs) {
                    Some(root) if !rules.foreign_roots.contains(&first.as_str()) => vec![Place::Def(root)],
                    _ => vec![Place::Foreign],
                };
            }
            found
        };
        self.walk(start, rest, guard)
    }

    fn holds_names(&self, gid: Gid) -> bool {
        let kind = self.defs.kind(gid);
        kind == SymbolKind::Module || kind.is_type()
    }

    /// The places that a path leads to from any of some places.
    pub fn walk(&self, start: Vec<Place>, path: &[Name], guard: &mut Guard) -> Vec<Place> {
        let mut places = start;
        for segment in path {
            let mut next = Vec::new();
            for &place in &places {
                for found in self.lookup(place, segment, guard) {
                    if !next.contains(&found) {
                        next.push(found);
                    }
                }
            }
            places = next;
        }
        places
    }

    /// What a name means in a place, as seen from outside of it.
    pub fn lookup(&self, place: Place, name: &str, guard: &mut Guard) -> Vec<Place> {
        match place {
            Place::Foreign => vec![Place::Foreign],
            Place::Package(tree, id) => {
                self.trail().key(|| Key::member(name));
                let tree = self.modules.by_id(tree);
                let mut found: Vec<Place> =
                    tree.in_package(id, name).iter().map(|&gid| Place::Def(gid)).collect();
                if found.is_empty() {
                    found.extend(self.package(tree, &tree.below(id, name)));
                }
                found
            }
            Place::Folder(tree, id) => {
                self.in_folder(self.modules.by_id(tree), id, name).into_iter().collect()
            }
            Place::Def(gid) => match self.defs.kind(gid) {
                SymbolKind::Module => self.in_scope_from(gid, name, guard, View::Outside),
                kind if kind.is_type() => self.in_type(gid, name),
                _ => Vec::new(),
            },
        }
    }

    /// A nested type, constant, variant or function of a type, without its supertypes.
    fn in_type(&self, gid: Gid, name: &str) -> Vec<Place> {
        let mut found: Vec<Place> = self.defs.named(gid, name).iter().map(|&gid| Place::Def(gid)).collect();
        if found.is_empty() {
            for &child in self.defs.children(gid) {
                if self.defs.def(child).traits.companion {
                    found.extend(self.defs.named(child, name).iter().map(|&gid| Place::Def(gid)));
                }
            }
        }
        if found.is_empty() {
            for &block in self.families.extensions(gid) {
                found.extend(self.defs.named(block, name).iter().map(|&gid| Place::Def(gid)));
            }
        }
        found
    }

    /// What a module or a function declares or imports under a name, as seen from inside.
    pub fn in_scope(&self, scope: Gid, name: &str, guard: &mut Guard) -> Vec<Place> {
        self.in_scope_from(scope, name, guard, View::Inside(None))
    }

    /// The same, as seen by code that runs where it stands in the scope.
    pub fn in_scope_at(&self, scope: Gid, name: &str, at: Option<u32>) -> Vec<Place> {
        self.in_scope_from(scope, name, &mut Guard::default(), View::Inside(at))
    }

    fn in_scope_from(&self, scope: Gid, name: &str, guard: &mut Guard, view: View) -> Vec<Place> {
        let file = self.defs.file(scope);
        let local = self.defs.local(scope);
        let Some(facts) = self.defs.facts(file) else { return Vec::new() };
        let tree = self.modules.tree(file);
        let mut found = Vec::new();
        let defs = self.defs.named(scope, name);
        let imports = self.tables.file(file).imports(local, name).unwrap_or_default();
        let exported = self.exported(file, scope, defs, imports, view);
        let (defs, imports) = match &exported {
            Some((defs, imports)) => (defs.as_slice(), imports.as_slice()),
            None => (defs, imports),
        };
        let said = match self.defs.rules(scope).in_order && defs.len() + imports.len() > 1 {
            true => self.standing(scope, defs, imports, view),
            false if defs.len() + imports.len() > MAX_NAMESAKES => return vec![Place::Foreign],
            false => said(defs, imports),
        };
        let mut add = |place: Place| {
            if !found.contains(&place) {
                found.push(place);
            }
        };
        // What an object without a name of its own holds is no name of the scope; a variant's members are.
        let members = self.defs.kind(scope) == SymbolKind::EnumMember;
        let own = |&child: &Gid| match self.defs.kind(child) {
            SymbolKind::Extension => false,
            SymbolKind::Method | SymbolKind::Field => members,
            _ => members || !self.defs.def(child).traits.part,
        };
        if !defs.iter().any(own)
            && self.defs.kind(scope) == SymbolKind::Module
            && let Some(tree) = tree
        {
            self.trail().key(|| Key::module(name));
            tree.child(scope, name).iter().for_each(|&child| add(Place::Def(child)));
        }
        for one in said {
            match one {
                Said::Def(child) if !own(&child) => {}
                Said::Def(child) => {
                    let def = self.defs.def(child);
                    if def.kind == SymbolKind::Module && def.traits.elsewhere {
                        self.trail().key(|| Key::module(name));
                        let bodies = tree.map_or(&[][..], |tree| tree.child(scope, name));
                        bodies.iter().for_each(|&body| add(Place::Def(body)));
                    } else {
                        add(Place::Def(child));
                    }
                }
                Said::Import(at) => self.import_target(file, at, guard).into_iter().for_each(&mut add),
            }
        }
        // What is imported but not found is outside, and still hides what is further out.
        if found.is_empty() && !imports.is_empty() && guard.inside.is_empty() {
            found.push(Place::Foreign);
        }
        if found.is_empty() && self.defs.def(scope).container.is_none() {
            found.extend(self.submodule(file, name));
            found.extend(self.exported_macro(scope, name));
        }
        if !found.is_empty() {
            return found;
        }
        let Some(wild) = self.tables.file(file).wildcards.get(&local) else { return found };
        self.trail().of_file(file, || self.defs.key(file).whole());
        for &at in wild {
            let import = &facts.imports[at as usize];
            let hidden = if view == View::Outside { !import.reexport } else { import.outward };
            if hidden {
                continue;
            }
            // A wildcard is entered once: the second visit finds nothing new.
            if !guard.may_follow((file, at)) || !guard.seen.insert((file, at, name.into())) {
                continue;
            }
            for opened in self.import_target(file, at, guard) {
                if opened == Place::Foreign || !self.is_public(opened, name) {
                    continue;
                }
                guard.inside.push((file, at));
                let inner = match opened {
                    // What a module imports for itself, the modules in it see, too.
                    Place::Def(above) if self.is_around(above, scope) => {
                        self.in_scope_from(above, name, guard, View::Inside(None))
                    }
                    _ => self.lookup(opened, name, guard),
                };
                guard.inside.pop();
                for place in inner {
                    if place != Place::Foreign && !found.contains(&place) {
                        found.push(place);
                    }
                }
            }
        }
        found
    }

    /// Of the definitions and imports of a name in a module those that are seen from where it is looked at:
    /// from outside what is given to others, where that is said of any; from inside what is not for others
    /// only. `None`: all.
    fn exported(
        &self,
        file: u32,
        scope: Gid,
        defs: &[Gid],
        imports: &[u32],
        view: View,
    ) -> Option<(Vec<Gid>, Vec<u32>)> {
        let Some(ModuleSystem::Paths(_)) = self.system(file) else { return None };
        let facts = self.defs.facts(file)?;
        let outward = |at: &u32| facts.imports[*at as usize].outward;
        if view != View::Outside {
            if !imports.iter().any(outward) {
                return None;
            }
            return Some((defs.to_vec(), imports.iter().copied().filter(|at| !outward(at)).collect()));
        }
        let public = |gid: &Gid| self.defs.def(*gid).visibility == Visibility::Public;
        if self.defs.kind(scope) != SymbolKind::Module
            || !defs.iter().any(public) && !imports.iter().any(outward)
        {
            return None;
        }
        let defs = defs.iter().copied().filter(public).collect();
        Some((defs, imports.iter().copied().filter(outward).collect()))
    }

    /// Whether a module is above another scope in the tree of a crate.
    fn is_around(&self, above: Gid, scope: Gid) -> bool {
        let Some(tree) = self.modules.tree(self.defs.file(scope)) else { return false };
        let module = self.defs.module_of(scope);
        std::iter::successors(tree.parent(module), |&at| tree.parent(at)).any(|at| at == above)
    }

    /// A module in the folder that a module stands for.
    fn submodule(&self, file: u32, name: &str) -> Option<Place> {
        let Some(ModuleSystem::Files { folder_stem }) = self.system(file) else { return None };
        let path = &self.defs.input(file).file.path;
        if path.stem() != *folder_stem {
            return None;
        }
        let tree = self.modules.tree(file)?;
        match tree.folder(path.directory())? {
            Place::Folder(_, folder) => self.in_folder(tree, folder, name),
            _ => None,
        }
    }

    /// A macro that a crate exports stands in its root.
    fn exported_macro(&self, module: Gid, name: &str) -> Option<Place> {
        let tree = self.modules.tree(self.defs.file(module))?;
        if tree.crate_root(module) != Some(module) {
            return None;
        }
        let macros = self.macros(name);
        let own = |gid: &&Gid| {
            self.defs.def(**gid).traits.exported_macro
                && tree.crate_root(self.defs.module_of(**gid)) == Some(module)
        };
        macros.iter().find(own).map(|&gid| Place::Def(gid))
    }

    /// Whether a wildcard brings in the name: the declared public surface, else what has no underscore.
    fn is_public(&self, place: Place, name: &str) -> bool {
        let Place::Def(gid) = place else { return true };
        let file = self.defs.file(gid);
        match self.system(file) {
            Some(ModuleSystem::Files { .. }) => {}
            Some(ModuleSystem::Paths(system)) => {
                let public = |at: &Gid| self.defs.def(*at).visibility == Visibility::Public;
                let own = self.defs.local(gid);
                self.trail().of_file(file, || self.defs.key(file).whole());
                let names = self.tables.file(file).imports(own, name);
                let given = || {
                    let facts = self.defs.facts(file);
                    names.zip(facts).is_some_and(|(names, facts)| {
                        names.iter().any(|at| facts.imports[*at as usize].outward)
                    })
                };
                let defs = self.defs.named(gid, name);
                // What it opens itself may have the name.
                let opened = defs.is_empty() && self.tables.file(file).wildcards.contains_key(&own);
                return name != system.default && (defs.iter().any(public) || given() || opened);
            }
            _ => return true,
        }
        self.trail().of_file(file, || self.defs.key(file).whole());
        match self.defs.facts(file).and_then(|facts| facts.exports.as_ref()) {
            Some(exports) => exports.iter().any(|export| export == name),
            None => !name.starts_with('_'),
        }
    }

    /// What the wildcard imports of a file's module bring in under a name, and where nothing does,
    /// nothing. Only for languages whose wildcards rank below their own package.
    pub fn named_in_file(&self, module: Gid, name: &str) -> (Vec<Place>, Vec<Place>) {
        let file = self.defs.file(module);
        self.trail().of_file(file, || self.defs.key(file).named(name));
        let mut explicit = Vec::new();
        if let Some(imports) = self.tables.file(file).imports(0, name) {
            for &at in imports {
                explicit.extend_from_slice(self.import(file, at));
            }
        } else {
            explicit.extend(self.declared_package(file, name));
        }
        let mut opened = Vec::new();
        if let Some(wild) = self.tables.file(file).wildcards.get(&0) {
            self.trail().of_file(file, || self.defs.key(file).whole());
            for &at in wild {
                for &place in self.import(file, at) {
                    if place != Place::Foreign {
                        opened.extend(self.lookup(place, name, &mut Guard::default()));
                    }
                }
            }
        }
        (explicit, opened)
    }

    /// The package that a file imports and that calls itself so, where its path ends in another name.
    fn declared_package(&self, file: u32, name: &str) -> Option<Place> {
        let Some(ModuleSystem::Packages { folders: Some(_), .. }) = self.system(file) else { return None };
        self.trail().of_file(file, || self.defs.key(file).whole());
        self.trail().key(|| Key::module(name));
        let (tree, facts) = (self.modules.tree(file)?, self.defs.facts(file)?);
        (0..).zip(&facts.imports).filter(|(_, import)| import.alias.is_none()).find_map(|(at, _)| {
            self.import(file, at).iter().copied().find(|place| match place {
                Place::Package(_, id) => tree.declared_name(*id) == Some(name),
                _ => false,
            })
        })
    }

    /// The definitions of a name in a file's declared package.
    pub fn in_own_package(&self, file: u32, name: &str) -> &[Gid] {
        let (Some(tree), Some(id)) = (self.modules.tree(file), self.package_of(file)) else { return &[] };
        self.trail().key(|| Key::member(name));
        let found = tree.in_package(id, name);
        if found.len() > MAX_NAMESAKES { &[] } else { found }
    }

    /// The number of the package that a file is part of.
    pub fn package_of(&self, file: u32) -> Option<u32> {
        self.trail().of_file(file, || self.defs.key(file).package());
        self.modules.tree(file)?.package_of(file)
    }

    fn package(&self, tree: &Tree, name: &str) -> Option<Place> {
        self.trail().key(|| Key::package(name));
        tree.package(name)
    }

    /// The longest beginning of a path that is a package, and its length.
    pub fn longest_package(&self, tree: &Tree, path: &[Name]) -> Option<(usize, Place)> {
        (1..=path.len()).rev().find_map(|end| Some((end, self.package(tree, &path[..end].join("."))?)))
    }

    fn in_folder(&self, tree: &Tree, folder: u32, name: &str) -> Option<Place> {
        self.trail().key(|| Key::module(name));
        tree.in_folder(folder, name)
    }
}
