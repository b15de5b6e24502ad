//! `instructions`: a block for a project's `CLAUDE.md` that says when to use which tool.
//!
//! Sub-agents and scripts see neither the server's instructions nor its tools; they do see this file. The
//! block says what the registry says, and stands between two marks so that a newer one can take its place.

use clap::Command;

use super::command::examples;
use crate::tools::registry::{INSTRUCTIONS, OnCommandLine, TOOLS, Tool};

/// The first line of the block.
const BEGIN: &str = "<!-- ctx-explore: begin, made by `ctx-explore instructions` -->";
/// The last line of the block.
const END: &str = "<!-- ctx-explore: end -->";

pub fn command() -> Command {
    Command::new("instructions")
        .about("Print a block for CLAUDE.md that tells agents when to use which tool")
        .after_help(examples(["ctx-explore instructions >> CLAUDE.md"]))
}

/// The block: plain ASCII below 2 KB, ending in a line break.
pub fn block() -> String {
    let shell: String = TOOLS.iter().map(line).collect();
    format!(
        "{BEGIN}\n## Questions about this code: ctx-explore\n\n{INSTRUCTIONS}\n\n\
         Where the tools are not at hand, the same from a shell:\n{shell}{END}\n"
    )
}

/// How a shell calls a tool, and what for.
fn line(tool: &Tool) -> String {
    let words = tool.params.iter().find_map(|param| match param.on_command_line {
        OnCommandLine::Words(words) => Some(format!(" {words}")),
        _ => None,
    });
    format!("- `ctx-explore {}{}`: {}\n", tool.command, words.unwrap_or_default(), tool.about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_short_plain_ascii_between_its_marks() {
        let block = block();
        assert!(block.len() < 2_048, "{} bytes", block.len());
        assert!(block.bytes().all(|b| b == b'\n' || (b' '..=b'~').contains(&b)), "{block}");
        assert!(block.starts_with(&format!("{BEGIN}\n")) && block.ends_with(&format!("\n{END}\n")));
        assert_eq!(block.matches("<!--").count(), 2, "{block}");
    }
}
