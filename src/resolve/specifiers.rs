//! Specifiers: which file the text of an import means, in languages whose imports name files.
//!
//! A text that begins with a dot is a path from the importing file. Another one is what the settings above
//! the file say that it stands for, else a package of the repository and a path in it; else it is from
//! outside. Nothing is read here: manifests and settings come as facts (`index::manifest`), a package's as
//! its name and what its texts lead to, settings as what texts stand for.

use std::collections::{BTreeMap, HashMap};

use super::{
    module_tree::{common, join},
    symbols::{Defs, Gid},
};
use crate::lang::PathSystem;

/// What a text, which may have one `*`, stands for: paths from the root, tried in order.
#[derive(Clone, Debug)]
struct Alias {
    text: String,
    paths: Vec<String>,
}

#[derive(Clone, Debug)]
struct Package {
    folder: String,
    entries: Vec<Alias>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Specifiers {
    system: Option<&'static PathSystem>,
    /// Modules by the path of their file.
    files: HashMap<String, Gid>,
    /// Packages by name, each with where it lies, in order of path.
    packages: BTreeMap<String, Vec<Package>>,
    /// What texts stand for below a folder.
    settings: BTreeMap<String, Vec<Alias>>,
}

impl Specifiers {
    pub fn new(defs: &Defs<'_>, files: &[u32], system: &'static PathSystem, count: usize) -> Self {
        let mut all = Specifiers { system: Some(system), ..Specifiers::default() };
        for &file in files {
            if let Some(module) = defs.module(file) {
                all.files.insert(defs.input(file).file.path.as_str().to_owned(), module);
            }
        }
        for file in 0..count as u32 {
            let input = defs.input(file);
            let (path, Some(facts), None) = (&input.file.path, input.facts, input.rules) else { continue };
            let folder = path.directory();
            let mut aliases: Vec<Alias> = Vec::new();
            for import in &facts.imports {
                let (Some(text), Some(to)) = (&import.alias, import.path.first()) else { continue };
                let Some(to) = normal(folder, to) else { continue };
                match aliases.iter_mut().find(|alias| alias.text == text.as_str()) {
                    Some(alias) => alias.paths.push(to),
                    None => aliases.push(Alias { text: text.to_string(), paths: vec![to] }),
                }
            }
            if path.name() == system.manifest {
                let Some(name) = facts.package.first() else { continue };
                let package = Package { folder: folder.to_owned(), entries: aliases };
                all.packages.entry(name.to_string()).or_default().push(package);
            } else if !aliases.is_empty() {
                all.settings.entry(folder.to_owned()).or_default().extend(aliases);
            }
        }
        // The longest text that fits says most.
        let entries = all.packages.values_mut().flatten().map(|package| &mut package.entries);
        for aliases in all.settings.values_mut().chain(entries) {
            aliases.sort_by_key(|alias| std::cmp::Reverse(alias.text.find('*').unwrap_or(usize::MAX)));
        }
        all
    }

    /// The module that a text means in a file; `None` for what is not the repository's.
    pub fn module(&self, from: &str, text: &str) -> Option<Gid> {
        let system = self.system?;
        let folder = parent(from);
        if text == "." || text == ".." || text.starts_with("./") || text.starts_with("../") {
            return self.at(system, &normal(folder, text)?);
        }
        let mut above = Some(folder);
        while let Some(at) = above {
            for alias in self.settings.get(at).into_iter().flatten() {
                if let Some(module) = self.alias(system, alias, text) {
                    return Some(module);
                }
            }
            above = (!at.is_empty()).then(|| parent(at));
        }
        self.in_package(system, from, text)
    }

    fn alias(&self, system: &PathSystem, alias: &Alias, text: &str) -> Option<Gid> {
        let part = fits(&alias.text, text)?;
        alias.paths.iter().find_map(|path| self.at(system, &path.replacen('*', part, 1)))
    }

    fn in_package(&self, system: &PathSystem, from: &str, text: &str) -> Option<Gid> {
        // `name/path`, `@scope/name/path`.
        let slashes = usize::from(text.starts_with('@'));
        let end = text.match_indices('/').nth(slashes).map_or(text.len(), |(at, _)| at);
        let (name, below) = (&text[..end], text[end..].trim_start_matches('/'));
        let packages = self.packages.get(name)?;
        // The nearest of a name; equally near ones are none.
        let near = |package: &&Package| common(from, &package.folder);
        let best = packages.iter().map(|package| near(&package)).max()?;
        let mut nearest = packages.iter().filter(|package| near(package) == best);
        let package = nearest.next()?;
        if nearest.next().is_some() {
            return None;
        }
        let written = if below.is_empty() { ".".to_owned() } else { format!("./{below}") };
        let entry = package.entries.iter().find_map(|entry| self.alias(system, entry, &written));
        let sources = join(&package.folder, system.sources);
        let inside = |folder: &str| {
            self.at(system, &if below.is_empty() { folder.to_owned() } else { join(folder, below) })
        };
        entry.or_else(|| inside(&package.folder)).or_else(|| inside(&sources))
    }

    /// The module of a path that may lack its ending, name a folder, or name what a build makes.
    fn at(&self, system: &PathSystem, path: &str) -> Option<Gid> {
        let file = |path: &str| self.files.get(path).copied();
        let with_ending = |path: &str| {
            let mut endings = system.extensions.iter();
            endings.find_map(|ending| file(&format!("{path}.{ending}")))
        };
        let written_from = |path: &str| {
            let (built, sources) = system.built.iter().find(|(built, _)| path.ends_with(built))?;
            let stem = path.strip_suffix(built)?;
            sources.iter().find_map(|ending| file(&format!("{stem}{ending}")))
        };
        let exact = |path: &str| {
            file(path)
                .or_else(|| written_from(path))
                .or_else(|| with_ending(path))
                .or_else(|| with_ending(&join(path, system.folder_stem)))
        };
        if let Some(found) = exact(path) {
            return Some(found);
        }
        // `dist/x.js` is written from `src/x.ts`.
        let folders: Vec<&str> = path.split('/').collect();
        let at = folders.iter().position(|folder| system.built_folders.contains(folder))?;
        let head = folders[..at].join("/");
        let rest = (at + 1..folders.len()).map(|from| folders[from..].join("/"));
        rest.into_iter().find_map(|rest| exact(&join(&join(&head, system.sources), &rest)))
    }
}

/// What the star of a pattern stands for in a text.
fn fits<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((head, tail)) => {
            let rest = text.strip_prefix(head)?;
            rest.strip_suffix(tail)
        }
    }
}

fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// A path from a folder without its dots; `None` where it leaves the root.
fn normal(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_without_dots() {
        assert_eq!(normal("a/b", "../c/./d.ts").as_deref(), Some("a/c/d.ts"));
        assert_eq!(normal("a", "..").as_deref(), Some(""));
        assert_eq!(normal("", "../x"), None);
    }

    #[test]
    fn a_star_stands_for_any_text() {
        assert_eq!(fits("@app/*", "@app/a/b"), Some("a/b"));
        assert_eq!(fits("./*.js", "./a.js"), Some("a"));
        assert_eq!(fits("@app", "@app"), Some(""));
        assert_eq!(fits("@app", "@app/a"), None);
    }
}
