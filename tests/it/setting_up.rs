//! What sets the tool up: the block for `CLAUDE.md`.

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
