//! The rules that apply to a root from outside of it, and whether they are as they were.

use std::fs;
use std::path::{Path, PathBuf};

use ignore::gitignore::gitconfig_excludes_path;

use super::Stat;
use super::disk::stat;
use super::known::RULES;

/// The ignore rules that apply to a root from outside of it.
#[derive(Debug)]
pub(super) struct Outside {
    /// Files with rules, present or not.
    rules: Vec<(PathBuf, Option<Stat>)>,
    /// The user's global excludes.
    excludes: Option<PathBuf>,
    /// Which folders are repositories, the root first.
    repositories: Vec<bool>,
}

impl Outside {
    /// Whether the rules of the enclosing folders apply: the root is inside a repository.
    pub fn applies(&self) -> bool {
        let [own, around @ ..] = &self.repositories[..] else { return false };
        !own && around.contains(&true)
    }

    pub fn read(root: &Path) -> Self {
        let excludes = gitconfig_excludes_path();
        let mut paths: Vec<PathBuf> = excludes.iter().cloned().collect();
        let mut outside = Outside { rules: Vec::new(), excludes, repositories: repositories(root) };
        for folder in root.ancestors().take(if outside.applies() { usize::MAX } else { 1 }) {
            paths.extend(RULES.map(|name| folder.join(name)));
            paths.extend(repository_excludes(folder));
        }
        outside.rules = paths.into_iter().map(|path| (path.clone(), stat_of(&path))).collect();
        outside
    }

    /// Whether all of it is as it was.
    pub fn is_same(&self, root: &Path) -> bool {
        let same = |(path, known): &(PathBuf, Option<Stat>)| stat_of(path) == *known;
        gitconfig_excludes_path() == self.excludes
            && repositories(root) == self.repositories
            && self.rules.iter().all(same)
    }

    /// The stats of the rules that are present.
    pub fn stats(&self) -> impl Iterator<Item = &Stat> {
        self.rules.iter().filter_map(|rule| rule.1.as_ref())
    }
}

/// Which of a root and the folders around it are repositories.
fn repositories(root: &Path) -> Vec<bool> {
    root.ancestors().map(|folder| folder.join(".git").exists()).collect()
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

/// The stat of what is read at a path: of a link that of what it leads to.
fn stat_of(path: &Path) -> Option<Stat> {
    fs::metadata(path).ok().map(|meta| stat(&meta))
}
