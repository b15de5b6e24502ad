//! The root: which folder a session is about, and which folders it must not be by accident.

use std::fs;
use std::path::{Path, PathBuf};

use crate::explore::layout;

/// What the surroundings offer for a root. The edges read them and pass them in.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder that the user named (`--root`).
    pub explicit: Option<PathBuf>,
    /// The folders that an MCP client offers, in its order.
    pub offered: Vec<PathBuf>,
    /// The project folder that the client put into the environment (`CLAUDE_PROJECT_DIR`).
    pub project: Option<PathBuf>,
    /// The working directory.
    pub working: PathBuf,
    pub home: Option<PathBuf>,
}

/// Why a folder cannot be the root. Each text says what to do.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RootError {
    #[error("The root {0} does not exist. Name an existing folder with --root.")]
    Missing(String),
    #[error("The root {0} is not a folder. Name the folder of the repository with --root.")]
    NotAFolder(String),
    #[error("The root {0} cannot be read ({1}). Check its permissions, or name another with --root.")]
    Unreadable(String, String),
    #[error(
        "{0} is {1}, not a repository: it is not indexed by accident. Start in the repository's folder, \
         name it with --root, or force this one with --root {0}."
    )]
    TooWide(String, &'static str),
}

/// The root by the first that applies: the explicit folder; the first folder that the client offers; the
/// client's project folder; the nearest folder at or above the working directory that holds `.git`, else
/// the working directory itself. The home folder and `/` must be named explicitly. The result is real
/// (links resolved), exists and can be listed.
pub fn resolve(around: &Surroundings) -> Result<PathBuf, RootError> {
    if let Some(explicit) = &around.explicit {
        return usable(explicit);
    }
    let home = around.home.as_deref().and_then(|home| fs::canonicalize(home).ok());
    let too_wide = |root: &Path| {
        if root.parent().is_none() {
            Some("the top of the file system")
        } else if home.as_deref() == Some(root) {
            Some("the home folder")
        } else {
            None
        }
    };
    let root = match around.offered.first().or(around.project.as_ref()) {
        Some(named) => usable(named)?,
        None => {
            let working = usable(&around.working)?;
            let repository = working
                .ancestors()
                .take_while(|folder| too_wide(folder).is_none())
                .find(|folder| folder.join(".git").exists());
            repository.map(Path::to_path_buf).unwrap_or(working)
        }
    };
    match too_wide(&root) {
        Some(what) => Err(RootError::TooWide(root.display().to_string(), what)),
        None => Ok(root),
    }
}

fn usable(folder: &Path) -> Result<PathBuf, RootError> {
    let shown = folder.display().to_string();
    let real = match fs::canonicalize(folder) {
        Ok(real) => real,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(RootError::Missing(shown)),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(RootError::NotAFolder(shown));
        }
        Err(error) => return Err(RootError::Unreadable(shown, error.to_string())),
    };
    if !real.is_dir() {
        return Err(RootError::NotAFolder(shown));
    }
    match fs::read_dir(&real) {
        Ok(_) => Ok(real),
        Err(error) => Err(RootError::Unreadable(shown, error.to_string())),
    }
}

/// Bytes of a path that is said back.
const ECHO: usize = 200;

/// A caller's path filter, relative to the root: `/`-separated, without `.`, `..` and a final `/`; empty for
/// the root itself. An absolute path below the root is taken relative to it, under whatever name it has the
/// root; only links that lead to the root are followed.
///
/// `Err` says what to write instead, for a path that leaves the root.
pub fn filter(root: &Path, path: &str) -> Result<String, String> {
    let outside = || {
        let path = layout::beginning(path, ECHO);
        format!(
            "The path `{path}` is outside of the root. Give a path relative to the root, such as `src`; \
             nothing outside of it is read."
        )
    };
    let path = path.trim();
    let normal = path.replace('\\', "/");
    let root_text = root.to_string_lossy();
    let relative = match normal.strip_prefix(root_text.as_ref()) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
        _ if normal.starts_with('/') => below(root, &normal).ok_or_else(outside)?,
        _ => &normal,
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return Err(outside()),
            ".." => {}
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// What follows the root in an absolute path that comes to it through links.
fn below<'p>(root: &Path, path: &'p str) -> Option<&'p str> {
    let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
    let root_at = |&end: &usize| fs::canonicalize(&path[..end]).is_ok_and(|real| real == root);
    ends.into_iter().find(root_at).map(|end| path[end..].trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(working: &Path) -> Surroundings {
        Surroundings { working: working.to_path_buf(), ..Surroundings::default() }
    }

    #[test]
    fn the_order_is_explicit_offered_project_repository_working() {
        let base = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(base.path()).unwrap();
        for folder in ["a", "b", "c", "repo/.git", "repo/src/deep", "plain"] {
            fs::create_dir_all(real.join(folder)).unwrap();
        }
        let mut around = around(&real.join("repo/src/deep"));
        assert_eq!(resolve(&around).unwrap(), real.join("repo"));
        around.project = Some(real.join("c"));
        assert_eq!(resolve(&around).unwrap(), real.join("c"));
        around.offered = vec![real.join("b"), real.join("a")];
        assert_eq!(resolve(&around).unwrap(), real.join("b"));
        around.explicit = Some(real.join("a"));
        assert_eq!(resolve(&around).unwrap(), real.join("a"));
        assert_eq!(resolve(&super::tests::around(&real.join("plain"))).unwrap(), real.join("plain"));
    }

    #[test]
    fn the_home_folder_and_the_top_need_to_be_named() {
        let home = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(home.path()).unwrap();
        // A repository in the home folder (kept for dotfiles) does not make it the root of what is below.
        fs::create_dir_all(real.join(".git")).unwrap();
        fs::create_dir_all(real.join("work")).unwrap();
        let mut at_home = Surroundings { home: Some(real.clone()), ..around(&real) };
        assert!(matches!(resolve(&at_home), Err(RootError::TooWide(_, "the home folder"))));
        at_home.working = real.join("work");
        assert_eq!(resolve(&at_home).unwrap(), real.join("work"));
        at_home.explicit = Some(real.clone());
        assert_eq!(resolve(&at_home).unwrap(), real);
        let top = around(Path::new("/"));
        assert!(matches!(resolve(&top), Err(RootError::TooWide(_, "the top of the file system"))));
    }

    #[test]
    fn a_root_that_cannot_be_one_is_refused_with_its_reason() {
        let base = tempfile::tempdir().unwrap();
        fs::write(base.path().join("file"), "").unwrap();
        let explicit = |name: &str| {
            resolve(&Surroundings { explicit: Some(base.path().join(name)), ..around(base.path()) })
        };
        assert!(matches!(explicit("missing"), Err(RootError::Missing(_))));
        assert!(matches!(explicit("file"), Err(RootError::NotAFolder(_))));
        assert!(matches!(explicit("file/x"), Err(RootError::NotAFolder(_))));
    }

    #[test]
    fn an_absolute_path_may_come_through_links_to_the_root_but_not_leave_it() {
        use std::os::unix::fs::symlink;
        let base = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(base.path()).unwrap();
        let root = real.join("repo");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir(real.join("beside")).unwrap();
        symlink("repo", real.join("link")).unwrap();
        symlink("link", real.join("again")).unwrap();
        symlink("../beside", root.join("out")).unwrap();
        let ask = |path: &str| filter(&root, real.join(path).to_str().unwrap());
        for (path, expected) in
            [("link/src", "src"), ("again/src/a.rs", "src/a.rs"), ("link", ""), ("beside/../link/src", "src")]
        {
            assert_eq!(ask(path).as_deref(), Ok(expected), "{path}");
        }
        // What leads out of the root is a path of it that no indexed file has.
        assert_eq!(ask("link/out/x").as_deref(), Ok("out/x"));
        for path in ["beside", "link/../beside", "link/src/../../beside", "repo/../beside", "linked"] {
            assert!(ask(path).unwrap_err().contains("outside of the root"), "{path}");
        }
    }

    #[test]
    fn filters_stay_below_the_root() {
        let root = Path::new("/r/repo");
        for (path, expected) in [
            ("", ""),
            (".", ""),
            ("src/", "src"),
            ("./src//a/../b.rs", "src/b.rs"),
            ("/r/repo/src", "src"),
            ("/r/repo", ""),
            ("src\\win", "src/win"),
        ] {
            assert_eq!(filter(root, path).as_deref(), Ok(expected), "{path}");
        }
        let long = filter(root, &format!("/{}", "x".repeat(4_000))).unwrap_err();
        assert!(long.len() < 400, "{long}");
        for path in ["..", "../x", "src/../../x", "/etc/passwd", "/r/repository"] {
            assert!(filter(root, path).unwrap_err().contains("outside of the root"), "{path}");
        }
    }
}
