//! The command line: a subcommand for each tool, made from the registry, and the commands for people.
//!
//! Arguments go in as the tools take them and the tools' text comes out, so that a subcommand prints the
//! same bytes as its MCP tool. Only this module and `mcp` read the environment.

mod command;
mod completions;
mod doctor;
mod environment;
mod eval;
mod install;
mod instructions;
mod journal;
mod json_text;
mod paint;
mod probe;
mod progress;
mod registration;
mod stderr;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ArgMatches;
use serde_json::{Map, Value};

use crate::explore::{NoTrace, Trace};
use crate::tools::registry::{Kind, OnCommandLine, TOOLS, Tool};
use crate::tools::{Arguments, Call, Ending, Engine, Form, Options, Time, document, resolve_root};
use journal::Journal;

pub use environment::Environment;
pub use stderr::begin as reports;

/// An answer was printed.
const ANSWERED: u8 = 0;
/// Nothing in the repository fits.
const NOTHING_FOUND: u8 = 1;
/// The usage or the environment must be corrected.
const TROUBLE: u8 = 2;

/// Runs one command. An `Err` is for stderr and exit code 2; a usage error and `--help` are printed here.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
) -> anyhow::Result<ExitCode> {
    let matches = match command::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let code = if error.use_stderr() { TROUBLE } else { ANSWERED };
            error.print()?;
            return Ok(ExitCode::from(code));
        }
    };
    let Some((name, matches)) = matches.subcommand() else {
        bail!("no command given; see `ctx-explore --help`");
    };
    match name {
        "serve" => {
            crate::mcp::serve(environment.surroundings(given_root(matches)), options(matches, environment))?;
            Ok(ExitCode::from(ANSWERED))
        }
        "index" => index(matches, environment),
        "eval" => {
            print(&eval::run(matches, options(matches, environment), environment)?)?;
            Ok(ExitCode::from(ANSWERED))
        }
        "tools" => {
            let json = matches.get_flag("json");
            print(&if json { document::json() } else { document::markdown() })?;
            Ok(ExitCode::from(ANSWERED))
        }
        "instructions" => {
            print(&instructions::block())?;
            Ok(ExitCode::from(ANSWERED))
        }
        "doctor" => {
            let found = doctor::run(matches, &options(matches, environment), environment);
            print(&if matches.get_flag("json") { found.json() } else { found.text() })?;
            Ok(ExitCode::from(if found.has_problems() { TROUBLE } else { ANSWERED }))
        }
        "install" => {
            print(&install::run(matches, environment)?)?;
            Ok(ExitCode::from(ANSWERED))
        }
        "completions" => {
            print(&completions::script(matches))?;
            Ok(ExitCode::from(ANSWERED))
        }
        name => match TOOLS.iter().find(|tool| tool.command == name) {
            Some(tool) => call(tool, matches, environment),
            None => bail!("there is no command `{name}`; see `ctx-explore --help`"),
        },
    }
}

/// Calls a tool and prints what it says: an answer on stdout, what must be corrected on stderr.
fn call(tool: &'static Tool, matches: &ArgMatches, environment: &Environment) -> anyhow::Result<ExitCode> {
    let arguments = Arguments::check(tool, &given(tool, matches))?;
    let engine = engine(matches, given_root(matches), environment)?;
    let bar = progress::Bar::new();
    let wait = || {
        bar.show(engine.progress());
        Time::Plenty
    };
    let form = form(matches);
    let mut journal = match matches.try_get_one::<PathBuf>("trace") {
        Ok(Some(path)) => Some(Journal::create(path)?),
        _ => None,
    };
    let mut none = NoTrace;
    let trace: &mut dyn Trace = match &mut journal {
        Some(journal) => journal,
        None => &mut none,
    };
    let outcome = engine.call(tool, &arguments, Call { time: &wait, trace, form });
    bar.clear();
    tell(&engine);
    journal.map_or(Ok(()), Journal::finish)?;
    let code = match outcome.ending {
        Ending::Found => ANSWERED,
        Ending::NothingFound => NOTHING_FOUND,
        Ending::Unfinished | Ending::Invalid | Ending::Failed => {
            bail!("{}", outcome.text.trim_end());
        }
    };
    if form == Form::Text && has_colours() {
        print(&paint::painted(&outcome.text))?;
    } else {
        print(&outcome.text)?;
    }
    Ok(ExitCode::from(code))
}

/// Whether stdout is a terminal that shows colours, and `NO_COLOR` and its kin do not speak against them.
fn has_colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// How the result is printed: `--json`, or `--format` where the tool has more forms.
fn form(matches: &ArgMatches) -> Form {
    let format = matches.try_get_one::<String>("format").ok().flatten();
    match format.map(String::as_str) {
        _ if matches.get_flag("json") => Form::Json,
        Some("json") => Form::Json,
        Some("html") => Form::Html,
        _ => Form::Text,
    }
}

/// Builds or refreshes the index, and prints what is in it.
fn index(matches: &ArgMatches, environment: &Environment) -> anyhow::Result<ExitCode> {
    let root = matches.get_one::<PathBuf>("ROOT").cloned();
    let engine = engine(matches, root, environment)?;
    let bar = progress::Bar::new();
    let wait = || {
        bar.show(engine.progress());
        false
    };
    let text = if matches.get_flag("dump") { engine.dump(&wait) } else { engine.summary(&wait) };
    bar.clear();
    tell(&engine);
    print(&text.map_err(anyhow::Error::msg)?)?;
    Ok(ExitCode::from(ANSWERED))
}

/// Tells what is the matter with the place of the index. The answer is the same without it.
fn tell(engine: &Engine) {
    for notice in engine.notices() {
        // Nothing is left to be told where stderr is gone.
        let _ = writeln!(io::stderr(), "ctx-explore: {notice}");
    }
}

fn given_root(matches: &ArgMatches) -> Option<PathBuf> {
    matches.get_one::<PathBuf>("root").cloned()
}

fn engine(matches: &ArgMatches, root: Option<PathBuf>, environment: &Environment) -> anyhow::Result<Engine> {
    let root = resolve_root(&environment.surroundings(root))?;
    Engine::new(&Options { root, ..options(matches, environment) }).map_err(anyhow::Error::msg)
}

/// The options but the root.
fn options(matches: &ArgMatches, environment: &Environment) -> Options {
    let index_dir = matches.get_one::<PathBuf>("index-dir").map(|folder| environment.working.join(folder));
    Options {
        root: PathBuf::new(),
        index_dir: index_dir.or_else(|| environment.cache.as_ref().map(|cache| cache.join("ctx-explore"))),
        threads: matches.get_one::<usize>("threads").copied().unwrap_or(environment.processors),
        now: environment::now,
        adaptive: environment.adaptive,
    }
}

/// A tool's arguments as the command line gives them, for the registry's check.
fn given(tool: &Tool, matches: &ArgMatches) -> Map<String, Value> {
    let mut arguments = Map::new();
    for param in tool.params {
        let value = match param.on_command_line {
            OnCommandLine::Switch(_) => matches.get_flag(param.name).then_some(Value::Bool(true)),
            _ => matches.get_many::<String>(param.name).map(|values| {
                let values: Vec<&str> = values.map(String::as_str).collect();
                match param.kind {
                    Kind::Texts { .. } => Value::from(values),
                    _ => Value::from(values.join(" ")),
                }
            }),
        };
        if let Some(value) = value {
            arguments.insert(param.name.to_owned(), value);
        }
    }
    arguments
}

/// Prints to stdout. A reader that has gone away is no trouble: there is nobody to tell.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the output cannot be written"),
    }
}

/// Whether stderr is a terminal that shows progress.
fn shows_progress() -> bool {
    io::stderr().is_terminal()
}
