//! `install`: registers the server with a client, or takes the registration out again.
//!
//! One member of one file is written, every other byte stays. The file as it was before is kept beside it,
//! and `--undo` reads there which of the objects around the entry were put in with it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::Environment;
use super::command::{examples, root};
use super::json_text::JsonText;
use super::registration::{Entry, NAME, Place, Scope, program};
use crate::tools::resolve_root;

pub fn command() -> Command {
    let claude = Command::new("claude-code")
        .about("Register with Claude Code, as `claude mcp add` does")
        .args([
            Arg::new("scope")
                .long("scope")
                .value_name("SCOPE")
                .value_parser(["local", "project", "user"])
                .default_value("local")
                .help("local: you, here; project: all who work here (.mcp.json); user: you, everywhere"),
            root(),
            Arg::new("undo")
                .long("undo")
                .action(ArgAction::SetTrue)
                .help("Take out what an installation put in, and nothing else"),
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Say what would be done, and do nothing"),
        ])
        .after_help(examples([
            "ctx-explore install claude-code --scope user",
            "ctx-explore install claude-code --scope project --undo",
        ]));
    Command::new("install")
        .about("Register the server with a client")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(claude)
        .after_help(examples(["ctx-explore install claude-code"]))
}

/// What is to be done with the file.
enum Step {
    Nothing,
    /// Write a text; with a copy of what was there before, where this is the first change.
    Write {
        text: JsonText,
        keep: bool,
    },
    /// The file was made by an installation and holds nothing else.
    Delete,
}

/// A step and what there is to say about it.
struct Plan {
    step: Step,
    says: String,
}

/// How often another program may write the file while it is being changed.
const ATTEMPTS: u32 = 5;

/// Installs or takes out, and gives what to print.
pub fn run(matches: &ArgMatches, environment: &Environment) -> anyhow::Result<String> {
    let Some(("claude-code", matches)) = matches.subcommand() else {
        bail!("no client given; see `ctx-explore install --help`");
    };
    let scope = matches.get_one::<String>("scope").map(String::as_str).unwrap_or_default();
    let scope = Scope::ALL.into_iter().find(|known| known.name() == scope).unwrap_or(Scope::Local);
    let root = match scope {
        Scope::User => PathBuf::new(),
        _ => resolve_root(&environment.surroundings(super::given_root(matches)))?,
    };
    let place = Place::of(scope, &root, environment)?;
    let file = place.file.display();
    let _alone = alone(&place.file);
    for _ in 0..ATTEMPTS {
        let before = place.read()?;
        let Plan { step, mut says } = if matches.get_flag("undo") {
            undone(&place, before.as_ref(), scope, environment)?
        } else {
            installed(&place, before.as_ref(), scope, environment)?
        };
        if matches.get_flag("dry-run") {
            let what = match &step {
                Step::Nothing => "Nothing would be done.",
                Step::Write { .. } => "Nothing was done. Without --dry-run:",
                Step::Delete => "Nothing was done. Without --dry-run the file would be deleted:",
            };
            return Ok(format!("{what}\n{says}"));
        }
        let backup = backup(&place.file);
        match step {
            Step::Nothing => return Ok(says),
            Step::Write { text, keep } => {
                // A copy from before the entry of another scope says more than one from after it.
                let kept =
                    |before: &JsonText| backup.exists() && before.as_str().contains(&format!("\"{NAME}\""));
                if let (true, Some(before)) = (keep, before.as_ref().filter(|before| !kept(before))) {
                    replace(&backup, before.as_str(), &place.file, None)?;
                    says += &format!("The file as it was before: {}\n", backup.display());
                }
                let before = before.as_ref().map(JsonText::as_str);
                if !replace(&place.file, text.as_str(), &place.file, Some(before))? {
                    continue;
                }
                if matches.get_flag("undo")
                    && fs::read_to_string(&backup).ok().as_deref() == Some(text.as_str())
                {
                    fs::remove_file(&backup)
                        .with_context(|| format!("{} cannot be removed", backup.display()))?;
                }
                return Ok(says);
            }
            Step::Delete => {
                fs::remove_file(&place.file).with_context(|| format!("{file} cannot be removed"))?;
                return Ok(says);
            }
        }
    }
    bail!("{file} is being changed by another program all the time: end Claude Code and try again")
}

/// An installation waits so often, and so long each time, for another to end.
const WAITS: (u32, Duration) = (250, Duration::from_millis(20));

/// A lock on the folder of a file, which other installations wait for while it is held. Other programs do not:
/// for them the file is compared before it is replaced.
fn alone(file: &Path) -> Option<File> {
    let folder = File::open(file.parent()?).ok()?;
    for _ in 0..WAITS.0 {
        match folder.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(WAITS.1),
            Ok(()) => return Some(folder),
            // A system without such locks.
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

fn installed(
    place: &Place,
    before: Option<&JsonText>,
    scope: Scope,
    environment: &Environment,
) -> anyhow::Result<Plan> {
    let file = place.file.display();
    let empty = JsonText::empty();
    let text = before.unwrap_or(&empty);
    let (entry, note) = entry(scope, environment)?;
    let there = text.get(&place.path);
    let this = environment.program.as_deref();
    let known = there.and_then(|text| Entry::ours(text, this));
    match (&known, there) {
        // What others agreed on in a shared file is not made to fit this machine.
        (Some(known), _) if *known == entry || (scope == Scope::Project && known.command == NAME) => {
            let here = program(&known.command, environment);
            let note = if here.is_some() { String::new() } else { format!("{NOT_ON_PATH}\n") };
            let says = format!("{file}: {NAME} is registered already ({} scope).\n{note}", scope.name());
            return Ok(Plan { step: Step::Nothing, says });
        }
        (None, Some(_)) => bail!(
            "{file} has an entry `{NAME}` of another kind, which is left as it is. To have it replaced, take \
             it out first: claude mcp remove --scope {} {NAME}",
            scope.name()
        ),
        _ => {}
    }
    let after = text.set(&place.path, &entry).map_err(|why| anyhow::anyhow!("{file}: {why}"))?;
    let done = if known.is_some() { "registered anew" } else { "registered" };
    let command = &entry.command;
    let mut says = format!("{file}: {NAME} {done} ({} scope): {command} serve\n{note}", scope.name());
    if scope == Scope::Project {
        says += "Claude Code asks each user once whether to trust the servers of a project.\n";
    }
    says += "Sessions that begin from now on have the tools.\n";
    Ok(Plan { step: Step::Write { text: after, keep: known.is_none() }, says })
}

const NOT_ON_PATH: &str = "Note: there is no ctx-explore on PATH; put it there (`cargo install`).";

/// The entry for a scope, and what to note about it.
fn entry(scope: Scope, environment: &Environment) -> anyhow::Result<(Entry, String)> {
    let on_path = program(NAME, environment);
    if scope == Scope::Project && on_path.is_some() {
        return Ok((Entry::new(NAME.to_owned()), String::new()));
    }
    let own = environment.program.as_ref().context("the path of this program is not known")?;
    // The place on PATH outlives an update that moves what it links to.
    let same = on_path.filter(|found| fs::canonicalize(found).ok() == fs::canonicalize(own).ok());
    let own = same.as_ref().unwrap_or(own);
    let Some(command) = own.to_str() else { bail!("{} is not UTF-8, as JSON must be", own.display()) };
    let note = if scope == Scope::Project {
        "Note: the file is shared, and names this machine's path because there is no ctx-explore on PATH. Put \
         it there (`cargo install`) and install again.\n"
    } else {
        ""
    };
    Ok((Entry::new(command.to_owned()), note.to_owned()))
}

fn undone(
    place: &Place,
    before: Option<&JsonText>,
    scope: Scope,
    environment: &Environment,
) -> anyhow::Result<Plan> {
    let file = place.file.display();
    let scope = scope.name();
    let there = before.and_then(|text| Some((text, text.get(&place.path)?)));
    let Some((text, entry)) = there else {
        let says = format!("{file}: {NAME} is not registered ({scope} scope).\n");
        return Ok(Plan { step: Step::Nothing, says });
    };
    if Entry::ours(entry, environment.program.as_deref()).is_none() {
        bail!(
            "{file} has an entry `{NAME}` that was changed since or is of another kind, which is left as it \
             is. This takes it out: claude mcp remove --scope {scope} {NAME}"
        );
    }
    let kept = fs::read_to_string(backup(&place.file)).ok().and_then(|text| JsonText::new(&text).ok());
    let mut after = text.remove(&place.path);
    for end in (1..place.path.len()).rev() {
        let around = &place.path[..end];
        let was_there = kept.as_ref().is_some_and(|kept| kept.get(around).is_some());
        if was_there || !after.is_empty_object(around) {
            break;
        }
        after = after.remove(around);
    }
    let says = format!("{file}: {NAME} is not registered any more ({scope} scope).\n");
    let step = if kept.is_none() && after.is_empty_object::<&str>(&[]) {
        Step::Delete
    } else {
        Step::Write { text: after, keep: false }
    };
    Ok(Plan { step, says })
}

/// Where the file as it was before is kept.
fn backup(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".before-ctx-explore");
    file.with_file_name(name)
}

/// Puts a text in the place of a file in one step, with the permissions of `like`, or those that Claude Code
/// gives a new one. Where `expected` is no longer what the file holds, nothing is done: `false`.
fn replace(file: &Path, text: &str, like: &Path, expected: Option<Option<&str>>) -> anyhow::Result<bool> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = file.with_file_name(name);
    let written = write_new(&new, text, like).and_then(|()| match expected {
        Some(expected) if fs::read_to_string(file).ok().as_deref() != expected => Ok(false),
        _ => fs::rename(&new, file).map(|()| true),
    });
    if !matches!(written, Ok(true)) {
        // What was half written is of no use to anyone.
        let _ = fs::remove_file(&new);
    }
    written.with_context(|| format!("{} cannot be written", file.display()))
}

fn write_new(new: &Path, text: &str, like: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Other entries of the user's own file hold secrets.
        options.mode(if like.file_name().is_some_and(|name| name == ".mcp.json") { 0o666 } else { 0o600 });
    }
    let mut out = options.open(new)?;
    if let Ok(found) = fs::metadata(like) {
        out.set_permissions(found.permissions())?;
    }
    out.write_all(text.as_bytes())?;
    out.sync_all()
}
