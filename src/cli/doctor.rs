//! `doctor`: looks at everything that has to be right before an answer comes, and says what to do about the rest.
//!
//! A check is ok, a warning (answers come, but not as they could) or a problem (something does not work).

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::{ArgMatches, Command};
use serde::Serialize;
use serde_json::Value;

use super::command::{examples, index_dir, json, root, threads};
use super::registration::{NAME, Place, Scope, program};
use super::{Environment, probe, progress};
use crate::explore::layout;
use crate::index::{FolderState, Inspection, inspect};
use crate::lang;
use crate::render::StatusReport;
use crate::tools::registry::TOOLS;
use crate::tools::{Engine, Options, resolve_root};

pub fn command() -> Command {
    Command::new("doctor")
        .about("Check root, index, server and registrations, and say what to do")
        .args([root(), index_dir(), threads(), json()])
        .after_help(examples(["ctx-explore doctor", "ctx-explore doctor --root path/to/repository --json"]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warning,
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    check: String,
    state: State,
    says: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    details: Vec<String>,
    #[serde(rename = "do", skip_serializing_if = "Option::is_none")]
    todo: Option<String>,
}

impl Check {
    fn ok(check: &str, says: impl Into<String>) -> Self {
        let (check, says) = (check.to_owned(), says.into());
        Check { check, state: State::Ok, says, details: Vec::new(), todo: None }
    }

    fn warning(check: &str, says: impl Into<String>, todo: impl Into<String>) -> Self {
        Check { state: State::Warning, todo: Some(todo.into()), ..Check::ok(check, says) }
    }

    fn problem(check: &str, says: impl Into<String>, todo: impl Into<String>) -> Self {
        Check { state: State::Problem, ..Check::warning(check, says, todo) }
    }

    fn with(self, details: impl IntoIterator<Item = String>) -> Self {
        Check { details: details.into_iter().collect(), ..self }
    }
}

/// What the doctor found.
#[derive(Debug, Serialize)]
pub struct Findings {
    checks: Vec<Check>,
    warnings: usize,
    problems: usize,
}

impl Findings {
    pub fn has_problems(&self) -> bool {
        self.problems > 0
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for Check { check, state, says, details, todo } in &self.checks {
            let state = match state {
                State::Ok => "ok",
                State::Warning => "warning",
                State::Problem => "problem",
            };
            text += &format!("{state:<8} {check}: {}\n", layout::one_line(says));
            details.iter().for_each(|detail| text += &format!("           {}\n", layout::one_line(detail)));
            todo.iter().for_each(|todo| text += &format!("         > {}\n", layout::one_line(todo)));
        }
        text + &format!("Problems: {}. Warnings: {}.\n", self.problems, self.warnings)
    }

    pub fn json(&self) -> String {
        crate::render::json(self)
    }
}

/// Looks at everything. `options` hold all but the root.
pub fn run(matches: &ArgMatches, options: &Options, environment: &Environment) -> Findings {
    let languages: Vec<&str> = lang::all().iter().map(|language| language.name).collect();
    let version = format!("{NAME} {}; languages: {}", env!("CARGO_PKG_VERSION"), languages.join(", "));
    let grammars = Some(env!("GRAMMARS")).filter(|grammars| !grammars.is_empty());
    let mut checks =
        vec![Check::ok("version", version).with(grammars.map(|names| format!("grammars: {names}")))];
    let explicit = super::given_root(matches);
    let how = how(explicit.is_some(), environment);
    match resolve_root(&environment.surroundings(explicit)) {
        Err(error) => {
            checks.push(Check::problem("root", error.to_string(), "Start again with another root."))
        }
        Ok(root) => {
            checks.push(Check::ok("root", format!("{} ({})", root.display(), how(&root))));
            let options = Options { root: root.clone(), ..options.clone() };
            index(&options, &mut checks);
            checks.push(server(&options, environment));
            registrations(&root, environment, &mut checks);
        }
    }
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    Findings { warnings: count(State::Warning), problems: count(State::Problem), checks }
}

/// How a root comes to be the root.
fn how(explicit: bool, environment: &Environment) -> impl Fn(&Path) -> &'static str {
    let offered = environment.project.is_some();
    move |root| match (explicit, offered) {
        (true, _) => "named with --root",
        (_, true) => "CLAUDE_PROJECT_DIR",
        _ if root.join(".git").exists() => "the repository around the working directory",
        _ => "the working directory; there is no .git at or above it",
    }
}

/// While another process writes the index, it is waited for so long.
const PATIENCE: Duration = Duration::from_secs(5);

/// The index folder, and what the refreshed index holds.
fn index(options: &Options, checks: &mut Vec<Check>) {
    let before = options.index_dir.as_ref().map(|folder| inspect(folder, &options.root));
    let locked = before.as_ref().is_some_and(|before| before.state == FolderState::Locked);
    checks.push(if locked {
        Check::warning(
            "lock",
            "another process is writing the index",
            "Wait until it has ended, or end it; then ask again.",
        )
    } else {
        Check::ok("lock", "no other process is writing the index")
    });
    let engine = match Engine::new(options) {
        Ok(engine) => engine,
        Err(error) => {
            checks.push(Check::problem("index", error, "Correct that and ask again."));
            return;
        }
    };
    let bar = progress::Bar::new();
    let until = Instant::now() + PATIENCE;
    let viewed = engine.view(&|| {
        bar.show(engine.progress());
        locked && Instant::now() > until
    });
    bar.clear();
    let status = match viewed {
        Ok(view) => view.status(),
        Err(error) if locked => {
            checks.push(Check::warning("index", error, "Ask again when the lock is free."));
            return;
        }
        Err(error) => {
            checks.push(Check::problem("index", error, "Give a writable folder with --index-dir."));
            return;
        }
    };
    let after = options.index_dir.as_ref().map(|folder| inspect(folder, &options.root));
    checks.push(kept(&status, before, after));
    checks.push(files(&status));
    checks.push(skipped(&status));
    checks.push(parsed(&status));
}

fn kept(status: &StatusReport, before: Option<Inspection>, after: Option<Inspection>) -> Check {
    let (Some(before), Some(after)) = (before, after) else {
        return Check::warning("index", status.kept.as_str(), "Set HOME, or give a folder with --index-dir.");
    };
    let folder = after.folder.display();
    let was = match &before.state {
        FolderState::Absent => "built now for the first time".to_owned(),
        FolderState::Usable(_) => "of this version".to_owned(),
        FolderState::Stale(why) => format!("built anew now, because what was there is no use ({why})"),
        FolderState::Locked => "written by another process when it was looked at".to_owned(),
        FolderState::Failed(why) => format!("unreadable when it was looked at ({why})"),
    };
    match after.state {
        FolderState::Usable(generation) if status.kept.is_empty() => {
            let size = after.bytes.div_ceil(1024);
            Check::ok("index", format!("{folder}, generation {generation}, {size} KiB; {was}"))
        }
        _ => {
            let says = format!("{folder} cannot be used. {}", status.kept);
            Check::warning(
                "index",
                says.trim_end(),
                "Make the folder writable, or give another with --index-dir.",
            )
        }
    }
}

fn files(status: &StatusReport) -> Check {
    let says = format!("{} files, {} symbols, {} edges", status.files, status.symbols, status.edges);
    let languages = status
        .languages
        .iter()
        .map(|(name, files, symbols)| format!("{name}: {files} files, {symbols} symbols"));
    let text = status.text_only.iter().map(|(_, files)| files).sum::<u32>();
    let text = (text > 0).then(|| format!("text only: {text} files"));
    let check = if status.files == 0 {
        Check::warning(
            "files",
            "there is no text file here",
            "Name the folder of the repository with --root.",
        )
    } else if status.symbols == 0 {
        Check::warning(
            "files",
            says,
            "No file is in a language with a grammar: questions find text, but no calls.",
        )
    } else {
        Check::ok("files", says)
    };
    check.with(languages.chain(text))
}

/// How many of a kind are named.
const NAMED: usize = 3;

fn skipped(status: &StatusReport) -> Check {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, why) in &status.skipped {
        reasons.entry(why).or_default().push(path.to_string());
    }
    let unreadable = reasons.keys().any(|why| why.starts_with("cannot be read"));
    let details: Vec<String> =
        reasons.iter().map(|(why, paths)| format!("{why}: {}", named(paths))).collect();
    let says = format!("{} files and folders are not indexed", status.skipped.len());
    let check = if unreadable {
        Check::warning("skipped", says, "Make readable what cannot be read, or have .gitignore exclude it.")
    } else {
        Check::ok("skipped", says)
    };
    check.with(details)
}

fn parsed(status: &StatusReport) -> Check {
    if status.broken.is_empty() {
        return Check::ok("parsed", "no file has parse errors");
    }
    let paths: Vec<String> = status.broken.iter().map(ToString::to_string).collect();
    let says = format!("parse errors in {}", named(&paths));
    Check::warning(
        "parsed",
        says,
        "Symbols of these files may be missing; their text is searched all the same.",
    )
}

/// The number of paths, and the first of them.
fn named(paths: &[String]) -> String {
    let more = if paths.len() > NAMED { ", ..." } else { "" };
    format!("{} ({}{more})", paths.len(), paths[..paths.len().min(NAMED)].join(", "))
}

/// What a client sees that starts this program.
fn server(options: &Options, environment: &Environment) -> Check {
    const TODO: &str = "Run `CTX_EXPLORE_LOG=debug ctx-explore serve` by hand and see what it says.";
    let Some(program) = &environment.program else {
        return Check::warning("server", "the path of this program is not known", TODO);
    };
    let mut arguments: Vec<OsString> = vec!["serve".into(), "--root".into(), options.root.clone().into()];
    if let Some(folder) = &options.index_dir {
        arguments.extend(["--index-dir".into(), folder.clone().into()]);
    }
    match probe::tools(program, &arguments) {
        Ok(tools) if tools.iter().eq(TOOLS.iter().map(|tool| tool.name)) => {
            Check::ok("server", format!("answers initialize and tools/list ({})", tools.join(", ")))
        }
        Ok(tools) => Check::problem("server", format!("lists other tools: {}", tools.join(", ")), TODO),
        Err(why) => Check::problem("server", why, TODO),
    }
}

/// The registrations with Claude Code that start a ctx-explore.
fn registrations(root: &Path, environment: &Environment, checks: &mut Vec<Check>) {
    let before = checks.len();
    for scope in Scope::ALL {
        let name = format!("claude code ({} scope)", scope.name());
        let Ok(place) = Place::of(scope, root, environment) else { continue };
        let text = match place.read() {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(error) => {
                checks.push(Check::problem(&name, error.to_string(), "Correct the file."));
                continue;
            }
        };
        let servers = place.path.split_last().and_then(|(_, around)| text.get(around));
        let servers: BTreeMap<String, Value> =
            servers.and_then(|servers| serde_json::from_str(servers).ok()).unwrap_or_default();
        for (server, entry) in &servers {
            let command = entry["command"].as_str().unwrap_or_default();
            if server == NAME || Path::new(command).file_stem().is_some_and(|stem| stem == NAME) {
                checks.push(registration(&name, &place, server, command, root, environment, scope));
            }
        }
    }
    if checks.len() == before {
        checks.push(Check::warning(
            "claude code",
            "no registration for this root",
            "To have it in Claude Code: ctx-explore install claude-code",
        ));
    }
}

fn registration(
    name: &str,
    place: &Place,
    server: &str,
    command: &str,
    root: &Path,
    environment: &Environment,
    scope: Scope,
) -> Check {
    let file = place.file.display();
    if command.is_empty() || command.contains("${") {
        return Check::ok(
            name,
            format!("{file}, `{server}`: not looked at, for it names no program as it is"),
        );
    }
    let relative = command.contains('/') && !Path::new(command).is_absolute();
    let full = if relative { root.join(command).to_string_lossy().into_owned() } else { command.to_owned() };
    match program(&full, environment) {
        Some(_) => {
            let check = Check::ok(name, format!("{file}, `{server}` starts {command}"));
            // What a repository brings along is started by nobody's leave but the user's.
            let approval = "Claude Code asks each user once before it starts this server";
            if scope == Scope::Project { check.with([approval.to_owned()]) } else { check }
        }
        None => Check::problem(
            name,
            format!("{file}, `{server}` starts {command}, which is no program here"),
            if command == NAME {
                "Put ctx-explore on PATH: cargo install.".to_owned()
            } else {
                format!("Register this one instead: ctx-explore install claude-code --scope {}", scope.name())
            },
        ),
    }
}
