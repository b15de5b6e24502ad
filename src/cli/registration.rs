//! A registration: the entry by which Claude Code starts the server, and the files where it looks for one.
//!
//! Entry and places are those of `claude mcp add`: `.mcp.json` in the root (project scope), and
//! `.claude.json` in the home folder for all projects (user scope) or for one (local scope). Where several
//! hold an entry, local comes before project and project before user.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::Environment;
use super::json_text::JsonText;

/// The name of the entry, of the binary, and of the server.
pub const NAME: &str = "ctx-explore";

/// Who gets the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user, in one project.
    Local,
    /// Whoever works on the project.
    Project,
    /// The user, in all projects.
    User,
}

impl Scope {
    /// In the order in which they count.
    pub const ALL: [Scope; 3] = [Scope::Local, Scope::Project, Scope::User];

    pub fn name(self) -> &'static str {
        match self {
            Scope::Local => "local",
            Scope::Project => "project",
            Scope::User => "user",
        }
    }
}

/// An entry, its fields in the order in which `claude mcp add` writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    #[serde(rename = "type", default = "stdio")]
    kind: String,
    pub command: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: std::collections::BTreeMap<String, String>,
}

fn stdio() -> String {
    "stdio".to_owned()
}

impl Entry {
    pub fn new(command: String) -> Self {
        Entry { kind: stdio(), command, args: vec!["serve".to_owned()], env: Default::default() }
    }

    /// The entry in a text that is one of ours: it starts a ctx-explore, or this program under another name,
    /// with nothing added by hand.
    pub fn ours(text: &str, this: Option<&Path>) -> Option<Self> {
        let entry: Entry = serde_json::from_str(text).ok()?;
        let command = Path::new(&entry.command);
        let starts_us = command.file_stem()? == NAME || Some(command) == this;
        (starts_us && entry == Entry::new(entry.command.clone())).then_some(entry)
    }
}

/// Where the entry of one scope stands.
#[derive(Clone, Debug)]
pub struct Place {
    pub file: PathBuf,
    /// The names of the members around the entry, from the outermost inward, and its own.
    pub path: Vec<String>,
}

impl Place {
    /// # Errors
    /// No home folder is known.
    pub fn of(scope: Scope, root: &Path, environment: &Environment) -> anyhow::Result<Self> {
        let servers = ["mcpServers".to_owned(), NAME.to_owned()];
        if scope == Scope::Project {
            return Ok(Place { file: real(root.join(".mcp.json")), path: servers.to_vec() });
        }
        let folder = environment.claude.as_ref().or(environment.home.as_ref());
        let folder = folder.context("the home folder is not known; set HOME to an absolute path")?;
        let mut path = Vec::new();
        if scope == Scope::Local {
            path = vec!["projects".to_owned(), project(root).to_string_lossy().into_owned()];
        }
        path.extend(servers);
        Ok(Place { file: real(folder.join(".claude.json")), path })
    }

    /// The file's text; `None` where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else than a JSON object.
    pub fn read(&self) -> anyhow::Result<Option<JsonText>> {
        let shown = self.file.display();
        // Something else than a file may never end.
        if fs::metadata(&self.file).is_ok_and(|found| !found.is_file()) {
            bail!("{shown} is not a file: correct it first");
        }
        let bytes = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => bail!("{shown} cannot be read: {error}"),
        };
        let text = String::from_utf8(bytes).map_err(|error| error.to_string());
        match text.and_then(|text| JsonText::new(&text)) {
            Ok(text) => Ok(Some(text)),
            Err(why) => bail!("{shown} is not the JSON that Claude Code reads ({why}): correct it first"),
        }
    }
}

/// The most links that lead from one to the next.
const LINKS: usize = 40;

/// The file that a path leads to through links, so that they stay links when it is replaced; it need not exist.
fn real(file: PathBuf) -> PathBuf {
    let mut at = file.clone();
    for _ in 0..LINKS {
        match fs::read_link(&at) {
            Ok(target) => at = at.parent().map_or(target.clone(), |folder| folder.join(&target)),
            Err(_) => return fs::canonicalize(&at).unwrap_or(at),
        }
    }
    file
}

/// The folder by which Claude Code knows the project of a root: its repository, for a worktree the main one.
fn project(root: &Path) -> PathBuf {
    let Some(repository) = root.ancestors().find(|folder| folder.join(".git").exists()) else {
        return root.to_path_buf();
    };
    let main = fs::read_to_string(repository.join(".git")).ok().and_then(|link| {
        let git = repository.join(link.trim().strip_prefix("gitdir:")?.trim());
        let worktrees = git.parent()?;
        let main = worktrees.parent()?;
        let inside = worktrees.file_name()? == "worktrees" && main.file_name()? == ".git";
        fs::canonicalize(main.parent()?).ok().filter(|_| inside)
    });
    main.unwrap_or_else(|| repository.to_path_buf())
}

/// The file that a command starts: the first on `PATH` for a plain name. `None` where there is none.
pub fn program(command: &str, environment: &Environment) -> Option<PathBuf> {
    if command.contains(['/', '\\']) {
        return Some(PathBuf::from(command)).filter(|path| path.is_absolute() && is_program(path));
    }
    environment.path.iter().map(|folder| folder.join(command)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && executable(&found))
}

#[cfg(unix)]
fn executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_ours_as_long_as_nobody_has_added_to_it() {
        let this = Path::new("/opt/renamed");
        let ours = |text: &str| Entry::ours(text, Some(this)).map(|entry| entry.command);
        let written = serde_json::to_string(&Entry::new("/opt/ctx-explore".into())).unwrap();
        assert_eq!(written, r#"{"type":"stdio","command":"/opt/ctx-explore","args":["serve"],"env":{}}"#);
        assert_eq!(ours(&written), Some("/opt/ctx-explore".into()));
        assert_eq!(ours(r#"{"args":["serve"],"command":"ctx-explore"}"#), Some("ctx-explore".into()));
        assert_eq!(ours(r#"{"args":["serve"],"command":"/opt/renamed"}"#), Some("/opt/renamed".into()));
        for other in [
            r#"{"args":["serve"],"command":"/opt/another"}"#,
            r#"{"command":"ctx-explore","args":["serve","--root","."]}"#,
            r#"{"command":"ctx-explore","args":["serve"],"env":{"A":"b"}}"#,
            r#"{"command":"ctx-explore","args":["serve"],"timeout":5}"#,
            r#"{"command":"npx","args":["serve"]}"#,
            r#"{"type":"http","url":"https://example.com"}"#,
            "[]",
        ] {
            assert_eq!(ours(other), None, "{other}");
        }
    }

    #[test]
    fn a_project_is_its_repository_and_a_worktree_that_of_the_main_one() {
        let base = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(base.path()).unwrap();
        fs::create_dir_all(real.join("main/.git/worktrees/side")).unwrap();
        fs::create_dir_all(real.join("main/src")).unwrap();
        fs::create_dir_all(real.join("side/src")).unwrap();
        let link = format!("gitdir: {}\n", real.join("main/.git/worktrees/side").display());
        fs::write(real.join("side/.git"), link).unwrap();
        assert_eq!(project(&real.join("main/src")), real.join("main"));
        assert_eq!(project(&real.join("side/src")), real.join("main"));
        fs::write(real.join("side/.git"), "gitdir: ../main/.git/modules/side\n").unwrap();
        assert_eq!(project(&real.join("side")), real.join("side"));
    }
}
