//! The shape of the command line, as clap has it: subcommands of the tools from the registry.

use std::path::PathBuf;

use clap::builder::TypedValueParser as _;
use clap::{Arg, ArgAction, Command, value_parser};

use crate::tools::registry::{EXPLORE, Kind, Need, OnCommandLine, Param, TOOLS, Tool};

pub fn command() -> Command {
    let root = || {
        Arg::new("root")
            .long("root")
            .value_name("DIR")
            .value_parser(value_parser!(PathBuf))
            .help("The repository [default: the nearest folder with .git at or above the working directory, else that directory]")
    };
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
             claude mcp add ctx-explore -- ctx-explore serve\n\n\
             Exit codes: 0 an answer, 1 nothing found, 2 usage or environment.",
        )
        .subcommand(Command::new("serve").about("Serve the tools over MCP on stdin and stdout").args([
            root(),
            index_dir(),
            threads(),
        ]));
    for tool in TOOLS {
        let mut tool_command = subcommand(tool).args([root(), index_dir(), threads(), json()]);
        if tool.name == EXPLORE.name {
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
                .args([index_dir(), threads()]),
        )
        .subcommand(super::eval::command().args([index_dir(), threads(), json()]))
        .subcommand(
            Command::new("tools").about("Print the tools and their parameters").args([
                Arg::new("markdown")
                    .long("markdown")
                    .action(ArgAction::SetTrue)
                    .help("As Markdown (the default)"),
                json().conflicts_with("markdown"),
            ]),
        )
}

fn index_dir() -> Arg {
    Arg::new("index-dir")
        .long("index-dir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("The folder below which each repository has its index [default: ctx-explore in the user's cache folder]")
}

fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .value_name("N")
        .value_parser(value_parser!(u16).range(1..=256).map(usize::from))
        .help("Threads for indexing [default: one per processor]; the result does not depend on it")
}

fn json() -> Arg {
    Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print as JSON")
}

fn subcommand(tool: &Tool) -> Command {
    let mut command = Command::new(tool.command).about(tool.about);
    for param in tool.params {
        command = command.arg(argument(param));
    }
    command
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
}
