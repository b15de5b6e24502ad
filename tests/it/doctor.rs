//! The doctor: each check turns when what it looks at is broken.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Project, Run};

const BINARY: &str = env!("CARGO_BIN_EXE_ctx-explore");

/// The exit code and the checks.
fn examine(project: &Project, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    of(project.run(&[&["doctor", "--json"], arguments].concat()))
}

fn of(run: Run) -> (Option<i32>, Vec<Value>) {
    let Ok(Value::Object(found)) = serde_json::from_str(&run.stdout) else {
        panic!("{}\n{}", run.stdout, run.stderr);
    };
    (run.code, found["checks"].as_array().unwrap().clone())
}

/// The checks of a name: state, what it says with its details, and what to do.
fn named<'c>(checks: &'c [Value], name: &str) -> (&'c str, String, &'c str) {
    let found: Vec<&Value> = checks.iter().filter(|check| check["check"] == name).collect();
    let [check] = found[..] else { panic!("{name}: {checks:#?}") };
    let details = check["details"].as_array().map_or(&[][..], Vec::as_slice);
    let details = details.iter().map(|detail| format!("\n{}", detail.as_str().unwrap()));
    let says = check["says"].as_str().unwrap().to_owned() + &details.collect::<String>();
    (check["state"].as_str().unwrap(), says, check["do"].as_str().unwrap_or_default())
}

/// The folder of the only index.
fn index_folder(project: &Project) -> PathBuf {
    let mut folders = fs::read_dir(project.cache().join("ctx-explore")).unwrap();
    folders.next().unwrap().unwrap().path()
}

#[test]
fn ce_27_a_sound_installation_has_no_warning() {
    let project = Project::fixture("rust/dispatch");
    project.run(&["install", "claude-code"]).ends(0);
    let first = project.run(&["doctor"]);
    assert!(first.ends(0).ends_with("\nProblems: 0. Warnings: 0.\n"), "{}", first.stdout);
    let (code, checks) = examine(&project, &[]);
    assert_eq!(code, Some(0));
    for check in &checks {
        assert_eq!(check["state"], "ok", "{check}");
        assert!(check.get("do").is_none(), "{check}");
    }
    assert!(named(&checks, "root").1.ends_with("(the working directory; there is no .git at or above it)"));
    assert!(named(&checks, "index").1.contains("generation 1, "), "{checks:#?}");
    assert!(named(&checks, "index").1.ends_with("; of this version"), "{checks:#?}");
    assert!(named(&checks, "files").1.contains("\nrust: 9 files, "), "{checks:#?}");
    assert!(named(&checks, "server").1.contains("ctx_explore, ctx_symbol, ctx_search, ctx_status"));
    assert!(named(&checks, "claude code (local scope)").1.ends_with(&format!("starts {BINARY}")));
    // Once the index is there, the same is said each time.
    assert_eq!(project.run(&["doctor"]).ends(0), project.run(&["doctor"]).ends(0));
}

#[test]
fn ce_27_the_way_to_the_root_is_told_and_no_root_is_a_problem() {
    let project = Project::fixture("rust/dispatch");
    let says = |run: Run| named(&of(run).1, "root").1;
    assert!(says(project.run(&["doctor", "--json", "--root", "src"])).ends_with("src (named with --root)"));
    fs::create_dir(project.root().join(".git")).unwrap();
    assert!(
        says(project.run(&["doctor", "--json"])).ends_with("(the repository around the working directory)")
    );
    let mut command = project.command();
    command.env("CLAUDE_PROJECT_DIR", project.root()).args(["doctor", "--json"]);
    assert!(says(Run::of(command)).ends_with("(CLAUDE_PROJECT_DIR)"));

    let (code, checks) = examine(&project, &["--root", "no/such/folder"]);
    assert_eq!(code, Some(2));
    let (state, says, _) = named(&checks, "root");
    assert!(state == "problem" && says.contains("does not exist"), "{says}");
    assert_eq!(checks.len(), 2, "{checks:#?}");
}

#[test]
fn ce_27_what_is_not_indexed_is_counted_by_reason() {
    let project = Project::with(&[("a.py", "def a():\n    pass\n"), ("broken.py", "def (:\n")]);
    for name in ["1.bin", "2.bin", "3.bin", "4.bin"] {
        project.write(name, b"\0\0\0");
    }
    let (code, checks) = examine(&project, &[]);
    assert_eq!(code, Some(0));
    let (state, says, _) = named(&checks, "skipped");
    assert_eq!(state, "ok");
    assert_eq!(says, "4 files and folders are not indexed\nbinary: 4 (1.bin, 2.bin, 3.bin, ...)");
    let (state, says, todo) = named(&checks, "parsed");
    assert_eq!((state, says.as_str()), ("warning", "parse errors in 1 (broken.py)"));
    assert!(!todo.is_empty());
    let (state, _, todo) = named(&checks, "claude code");
    assert!(state == "warning" && todo.contains("ctx-explore install claude-code"), "{todo}");

    assert_eq!(named(&examine(&Project::empty(), &[]).1, "files").0, "warning");
    let text = Project::with(&[("notes.txt", "text\n")]);
    assert_eq!(named(&examine(&text, &[]).1, "files").0, "warning");
}

#[test]
fn ce_27_the_index_folder_is_looked_at_as_it_was_found() {
    let project = Project::with(&[("a.py", "def a():\n    pass\n")]);
    assert!(named(&examine(&project, &[]).1, "index").1.ends_with("built now for the first time"));
    fs::write(index_folder(&project).join("graph.sqlite"), "no database, and long enough to see that")
        .unwrap();
    let (code, checks) = examine(&project, &[]);
    assert_eq!(code, Some(0));
    assert!(
        named(&checks, "index").1.contains("built anew now, because what was there is no use"),
        "{checks:#?}"
    );
    assert!(named(&examine(&project, &[]).1, "index").1.ends_with("of this version"));

    let file = project.beside("a-file");
    fs::write(&file, "").unwrap();
    let (code, checks) = examine(&project, &["--index-dir", file.to_str().unwrap()]);
    assert_eq!(code, Some(0));
    let (state, says, todo) = named(&checks, "index");
    assert!(state == "warning" && says.contains("kept in memory") && todo.contains("--index-dir"), "{says}");
}

#[test]
fn ce_27_a_lock_that_is_held_is_told_and_not_waited_for() {
    let project = Project::with(&[("a.py", "def a():\n    pass\n")]);
    examine(&project, &[]);
    let lock = fs::File::options().write(true).open(index_folder(&project).join("lock")).unwrap();
    lock.lock().unwrap();
    let (code, checks) = examine(&project, &[]);
    assert_eq!(code, Some(0), "{checks:#?}");
    assert_eq!(named(&checks, "lock").0, "warning");
    assert_eq!(named(&checks, "index").0, "warning");
    // The server answers all the same.
    assert_eq!(named(&checks, "server").0, "ok");
    drop(lock);
    assert_eq!(named(&examine(&project, &[]).1, "lock").0, "ok");
}

#[test]
fn ce_27_a_registration_that_starts_nothing_is_a_problem() {
    let project = Project::with(&[("a.py", "def a():\n    pass\n")]);
    let entry =
        |command: &str| json!({"mcpServers": {"ctx-explore": {"command": command, "args": ["serve"]}}});
    let settings = project.home().join(".claude.json");
    for command in ["/no/such/ctx-explore", "ctx-explore", "./ctx-explore"] {
        fs::write(&settings, entry(command).to_string()).unwrap();
        let (code, checks) = examine(&project, &[]);
        assert_eq!(code, Some(2), "{command}");
        let (state, says, todo) = named(&checks, "claude code (user scope)");
        assert!(state == "problem" && says.contains(command) && !todo.is_empty(), "{says}");
    }
    fs::write(&settings, json!({"mcpServers": {"mine": {"command": BINARY}}}).to_string()).unwrap();
    let (code, checks) = examine(&project, &[]);
    assert_eq!(code, Some(0));
    assert!(named(&checks, "claude code (user scope)").1.contains("`mine` starts"), "{checks:#?}");

    project.write(".mcp.json", "{");
    let run = project.run(&["doctor"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains("\nproblem  claude code (project scope): "), "{}", run.stdout);
    assert!(run.stdout.ends_with("\nProblems: 1. Warnings: 0.\n"), "{}", run.stdout);
}
