//! `completions`: the script by which a shell completes the commands and options.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::{Shell, generate};

use super::command::{self, examples};

pub fn command() -> Command {
    Command::new("completions")
        .about("Print the completion script of a shell")
        .arg(Arg::new("SHELL").required(true).value_parser(value_parser!(Shell)).help("The shell"))
        .after_help(examples([
            "ctx-explore completions bash > ~/.local/share/bash-completion/completions/ctx-explore",
            "ctx-explore completions fish > ~/.config/fish/completions/ctx-explore.fish",
        ]))
}

/// The script of the shell that was asked for.
pub fn script(matches: &ArgMatches) -> String {
    let mut script = Vec::new();
    let Some(shell) = matches.get_one::<Shell>("SHELL") else { return String::new() };
    generate(*shell, &mut command::command(), "ctx-explore", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        // clap_complete spells a name with a hyphen in two ways, so that no subcommand's options are found.
        Shell::Bash => script.replace("ctx__subcmd__explore", "ctx__explore"),
        _ => script,
    }
}
