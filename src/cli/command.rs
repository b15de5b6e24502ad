//! The shape of the command line, as clap has it: subcommands of the tools from the registry.

use std::path::PathBuf;

use clap::builder::TypedValueParser as _;
use clap::{Arg, ArgAction, Command, value_parser};

use serde_json::{Map, Value};

use crate::tools::registry::{EXPLORE, Kind, Need, OnCommandLine, Param, TOOLS, Tool};

pub fn command() -> Command {
    let mut command = Command::new("ctx-explore")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Answers a question about a repository in one call: call flow, code, citations.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .after_help(
            "Examples:\n  \
             ctx-explore explore how does a request pass through its interceptors\n  \
             ctx-explore symbol RealCall.execute\n  \
             ctx-explore search 'connect timeout' --path src\n  \
             ctx-explore install claude-code\n\n\
             Exit codes: 0 an answer, 1 nothing found, 2 usage or environment.",
        )
        .subcommand(
            Command::new("serve")
                .about("Serve the tools over MCP on stdin and stdout")
                .args([root(), index_dir(), threads()])
                .after_help(examples(["ctx-explore serve --root path/to/repository"])),
        );
    for tool in TOOLS {
        let mut tool_command = subcommand(tool).args([root(), index_dir(), threads(), json()]);
        if tool.name == EXPLORE.name {
            tool_command = tool_command.arg(
                Arg::new("format")
                    .long("format")
                    .value_name("FORMAT")
                    .value_parser(["text", "json", "html"])
                    .default_value("text")
                    .conflicts_with("json")
                    .help("text; json, as --json; html: one page for people, with the flow as a diagram"),
            );
            tool_command = tool_command.arg(
                Arg::new("trace")
                    .long("trace")
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Write what the exploration did, stage by stage, as JSON lines"),
            );
        }
        command = command.subcommand(tool_command);
    }
    command
        .subcommand(
            Command::new("index")
                .about("Build or refresh the index and print what is in it")
                .args([
                    Arg::new("ROOT").value_parser(value_parser!(PathBuf)).help("The repository"),
                    Arg::new("dump")
                        .long("dump")
                        .action(ArgAction::SetTrue)
                        .help("Print the whole symbol graph as sorted JSON lines"),
                ])
                .args([index_dir(), threads()])
                .after_help(examples([
                    "ctx-explore index path/to/repository",
                    "ctx-explore index --dump > graph.jsonl",
                ])),
        )
        .subcommand(
            super::eval::command()
                .args([index_dir(), threads(), json()])
                .after_help(examples(["ctx-explore eval --suite questions.jsonl --arm explore"])),
        )
        .subcommand(
            Command::new("tools")
                .about("Print the tools and their parameters")
                .args([
                    Arg::new("markdown")
                        .long("markdown")
                        .action(ArgAction::SetTrue)
                        .help("As Markdown (the default)"),
                    json().conflicts_with("markdown"),
                ])
                .after_help(examples(["ctx-explore tools --json"])),
        )
        .subcommand(super::install::command())
        .subcommand(super::doctor::command())
        .subcommand(super::instructions::command())
        .subcommand(super::completions::command())
}

/// The end of a `--help`.
pub fn examples<'e>(lines: impl IntoIterator<Item = &'e str>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}")).collect();
    format!("Examples:\n{}", lines.join("\n"))
}

pub fn root() -> Arg {
    Arg::new("root")
        .long("root")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("The repository [default: the nearest folder with .git at or above the working directory, else that directory]")
}

pub fn index_dir() -> Arg {
    Arg::new("index-dir")
        .long("index-dir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("The folder below which each repository has its index [default: ctx-explore in the user's cache folder]")
}

pub fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(value_parser!(u16).range(1..=256).map(usize::from))
        .help("Threads for indexing [default: one per processor]; the result does not depend on it")
}

pub fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print as JSON")
}

fn subcommand(tool: &Tool) -> Command {
    let mut command = Command::new(tool.command).about(tool.about);
    for param in tool.params {
        command = command.arg(argument(param));
    }
    command.after_help(examples([example(tool).as_str()]))
}

/// The example of a tool's description as a shell takes it.
fn example(tool: &Tool) -> String {
    let given = tool.description.rsplit("Example: ").next().unwrap_or_default();
    let given: Map<String, Value> = serde_json::from_str(given).unwrap_or_default();
    let mut words = vec!["ctx-explore".to_owned(), tool.command.to_owned()];
    for param in tool.params {
        let Some(value) = given.get(param.name) else { continue };
        let values = match value {
            Value::Array(values) => values.as_slice(),
            single => std::slice::from_ref(single),
        };
        for value in values {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match param.on_command_line {
                OnCommandLine::Words(_) => words.push(quoted(&value)),
                OnCommandLine::Option(option, _) => words.extend([format!("--{option}"), quoted(&value)]),
                OnCommandLine::Switch(option) => words.push(format!("--{option}")),
            }
        }
    }
    words.join(" ")
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn argument(param: &Param) -> Arg {
    let help = match (param.kind, param.need) {
        (Kind::Integer { min, max }, Need::Integer(default)) => {
            format!("{} [{min} to {max}, default: {default}]", param.description)
        }
        _ => param.description.to_owned(),
    };
    let arg = Arg::new(param.name).help(help);
    match param.on_command_line {
        OnCommandLine::Words(words) => {
            arg.value_name(words).num_args(1..).required(param.need == Need::Required)
        }
        OnCommandLine::Option(option, value) => {
            let action = match param.kind {
                Kind::Texts { .. } => ArgAction::Append,
                _ => ArgAction::Set,
            };
            arg.long(option).value_name(value).action(action).allow_hyphen_values(true)
        }
        OnCommandLine::Switch(option) => arg.long(option).action(ArgAction::SetTrue),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// The words of an example up to a redirection.
    fn split(line: &str) -> Vec<String> {
        let (mut words, mut word, mut inside) = (Vec::new(), String::new(), false);
        for c in line.chars().chain([' ']) {
            match c {
                '\'' => inside = !inside,
                '>' | '|' if !inside => break,
                ' ' if !inside => {
                    if !word.is_empty() {
                        words.push(std::mem::take(&mut word));
                    }
                }
                c => word.push(c),
            }
        }
        words
    }

    fn check(help: &str, path: &str) {
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{path}: {help}"));
        assert!((1..=2).contains(&examples.lines().count()), "{path}: {examples}");
        for line in examples.lines() {
            let line = line.trim();
            assert!(line.starts_with(&format!("ctx-explore {path}")), "{path}: {line}");
            if let Err(error) = command().try_get_matches_from(split(line)) {
                panic!("{line}: {error}");
            }
        }
    }

    #[test]
    fn each_help_ends_in_examples_that_are_valid_calls() {
        let mut command = command();
        command.build();
        for sub in command.get_subcommands_mut().filter(|sub| sub.get_name() != "help") {
            let name = sub.get_name().to_owned();
            check(&sub.render_help().to_string(), &name);
            for inner in sub.get_subcommands_mut().filter(|inner| inner.get_name() != "help") {
                let path = format!("{name} {}", inner.get_name());
                check(&inner.render_help().to_string(), &path);
            }
        }
    }

    #[test]
    fn an_example_of_a_tool_is_written_for_a_shell() {
        use crate::tools::registry::SEARCH;
        assert_eq!(example(&SEARCH), r"ctx-explore search 'fn \w+_timeout' --regex --path src");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
