//! What sets the tool up: the block for `CLAUDE.md`, the completions of shells.

use std::path::Path;
use std::process::Command;

use ctx_explore::tools::registry::{INSTRUCTIONS, TOOLS};

use crate::support::Project;

#[test]
fn ce_22_the_block_for_agents_says_what_the_registry_says() {
    let project = Project::empty();
    let run = project.run(&["instructions"]);
    let block = run.ends(0);
    assert!(block.contains(INSTRUCTIONS), "{block}");
    for tool in TOOLS {
        let line = block.lines().find(|line| line.starts_with(&format!("- `ctx-explore {}", tool.command)));
        assert!(line.is_some_and(|line| line.ends_with(tool.about)), "{}: {block}", tool.name);
    }
    assert!(block.len() < 2_048 && block.is_ascii(), "{} bytes", block.len());
    let lines: Vec<&str> = block.lines().collect();
    assert!(lines[0].starts_with("<!-- ctx-explore: begin"), "{block}");
    assert_eq!(*lines.last().unwrap(), "<!-- ctx-explore: end -->");
    assert_eq!(project.run(&["instructions"]).ends(0), block);
}

#[test]
fn ce_23_each_shell_gets_all_commands_and_options() {
    let project = Project::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = project.run(&["completions", shell]);
        let script = run.ends(0);
        let own = ["serve", "index", "eval", "tools", "completions", "max-bytes", "index-dir"];
        for word in TOOLS.iter().map(|tool| tool.command).chain(own) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    project.run(&["completions", "tcsh"]).ends(2);
}

#[test]
fn ce_23_bash_completes_with_the_script() {
    // The shell itself is the judge where there is one.
    let Some(bash) = ["/bin/bash", "/usr/bin/bash"].map(Path::new).into_iter().find(|bash| bash.exists())
    else {
        return;
    };
    let project = Project::empty();
    let run = project.run(&["completions", "bash"]);
    let script = project.beside("completions");
    std::fs::write(&script, run.ends(0)).unwrap();
    let complete = |words: &str| {
        let ask = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); \
             f=$(complete -p ctx-explore); f=${{f#*-F }}; ${{f%% *}} ctx-explore \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             echo \"${{COMPREPLY[*]}}\"",
            script.display()
        );
        let output = Command::new(bash).args(["--norc", "-c", &ask]).output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete("ctx-explore sy"), "symbol");
    assert_eq!(complete("ctx-explore explore --cit"), "--citation");
}
