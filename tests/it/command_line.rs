//! The command line: the same bytes as the tools, exit codes, quiet pipes.

use std::io::Read;
use std::process::Stdio;

use crate::requests::interceptors;
use crate::support::{Project, Run};

#[test]
fn ce_07_subcommands_print_the_bytes_of_the_tools() {
    let project = Project::fixture("kotlin/interceptors");
    let mut server = project.greeted();
    for (tool, arguments, command) in interceptors() {
        let (text, error) = server.call(tool, arguments);
        let run = project.run(command);
        assert!(!error, "{tool}: {text}");
        assert_eq!(run.stdout, text, "{command:?}");
        assert_eq!(run.stderr, "", "{command:?}");
    }
}

#[test]
fn ce_08_exit_codes_tell_an_answer_nothing_found_and_trouble() {
    let project = Project::fixture("rust/dispatch");
    for (code, arguments) in [
        (0, &["explore", "dispatch an event"][..]),
        (0, &["symbol", "Sink"]),
        (0, &["search", "flush"]),
        (0, &["status"]),
        (0, &["index"]),
        (0, &["tools"]),
        (0, &["--version"]),
        (0, &["explore", "--help"]),
        (1, &["explore", "zyzzyva quux"]),
        (1, &["symbol", "zyzzyva"]),
        (1, &["search", "zyzzyva"]),
        (1, &["search", "flush", "--path", "no/such/folder"]),
        (2, &["explore"]),
        (2, &["explore", " "]),
        (2, &["explore", "q", "--max-turns", "99"]),
        (2, &["explore", "q", "--root", "no/such/folder"]),
        (2, &["search", "(", "--regex"]),
        (2, &["search", "flush", "--path", "../.."]),
        (2, &["frobnicate"]),
    ] {
        project.run(arguments).ends(code);
    }
}

#[test]
fn an_unknown_option_is_named_with_the_nearest_known_one() {
    let run = Project::fixture("rust/dispatch").run(&["explore", "--max-byte", "9000", "q"]);
    let said = run.ends(2);
    assert!(said.contains("--max-byte") && said.contains("--max-bytes"), "{said}");
}

#[test]
fn a_reader_that_goes_away_is_no_trouble() {
    let project = Project::fixture("kotlin/interceptors");
    let mut command = project.command();
    command.args(["explore", "how does a call run through its interceptors"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn logs_have_no_colours_where_no_terminal_reads_them() {
    let project = Project::fixture("rust/dispatch");
    let mut command = project.command();
    command.args(["status"]).env("CTX_EXPLORE_LOG", "debug");
    let run = Run::of(command);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("DEBUG") || run.stderr.contains("INFO"), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
}

#[test]
fn the_root_is_the_enclosing_repository() {
    let project = Project::fixture("rust/dispatch");
    std::fs::create_dir(project.root().join(".git")).unwrap();
    let mut command = project.command();
    command.current_dir(project.root().join("src/sink")).args(["search", "struct Dispatcher"]);
    assert!(Run::of(command).ends(0).contains("#### src/dispatcher.rs\n"));
}

#[test]
fn the_project_of_the_client_comes_before_the_working_directory() {
    let project = Project::fixture("rust/dispatch");
    let mut command = project.command();
    command.current_dir(project.home()).env("CLAUDE_PROJECT_DIR", project.root());
    command.args(["search", "struct Dispatcher"]);
    assert!(Run::of(command).ends(0).contains("#### src/dispatcher.rs\n"));
}

#[test]
fn ce_09_the_home_folder_is_not_indexed_by_accident() {
    let project = Project::empty();
    std::fs::write(project.home().join("letter.py"), "def secret():\n    pass\n").unwrap();
    let ask = |arguments: &[&str]| {
        let mut command = project.command();
        command.current_dir(project.home()).args(["symbol", "secret"]).args(arguments);
        Run::of(command)
    };
    let refused = ask(&[]);
    let refused = refused.ends(2);
    assert!(refused.contains("the home folder") && refused.contains("--root"), "{refused}");
    assert!(ask(&["--root", "."]).ends(0).contains("letter.py"));
}

#[test]
fn the_index_stays_out_of_the_repository() {
    let project = Project::fixture("rust/dispatch");
    project.run(&["index"]).ends(0);
    let in_root = |name: &str| project.root().join(name).exists();
    let entries: Vec<_> =
        std::fs::read_dir(project.root()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(in_root("Cargo.toml") && in_root("src"));
    assert_eq!(entries.len(), 2, "{entries:?}");
    assert!(project.cache().join("ctx-explore").is_dir());
    let elsewhere = project.beside("elsewhere");
    project.run(&["index", "--index-dir", elsewhere.to_str().unwrap()]).ends(0);
    assert!(elsewhere.is_dir());
}

#[test]
fn a_trace_tells_the_stages_and_changes_nothing() {
    let project = Project::fixture("kotlin/interceptors");
    let question = "how does a call run through its interceptors";
    let journal = project.beside("trace.jsonl");
    let plain = project.run(&["explore", question]);
    let traced = project.run(&["explore", "--trace", journal.to_str().unwrap(), question]);
    assert_eq!(plain.ends(0), traced.ends(0));
    let lines = std::fs::read_to_string(journal).unwrap();
    let phases: Vec<String> = lines
        .lines()
        .map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["phase"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(phases.first().map(String::as_str), Some("forage"), "{lines}");
    assert_eq!(phases.last().map(String::as_str), Some("stop"), "{lines}");
}

#[test]
fn ce_21_the_loop_ends_after_max_turns_or_when_nothing_is_new() {
    let project = Project::fixture("kotlin/interceptors");
    let stages = |turns: &str| -> Vec<(u64, String, Option<String>)> {
        let journal = project.beside("trace.jsonl");
        let question = "how does a call run through its interceptors";
        let words = ["explore", "--max-turns", turns, "--trace", journal.to_str().unwrap(), question];
        project.run(&words).ends(0);
        let lines = std::fs::read_to_string(journal).unwrap();
        let events = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        events
            .map(|event| {
                let outcome = event["outcome"].as_str().map(str::to_owned);
                (event["round"].as_u64().unwrap(), event["phase"].as_str().unwrap().to_owned(), outcome)
            })
            .collect()
    };
    let one = stages("1");
    assert!(one.iter().all(|(round, _, _)| *round == 1), "{one:?}");
    let ten = stages("10");
    let (last, phase, outcome) = ten.last().unwrap();
    assert!(*last < 10 && phase == "stop" && outcome.is_some(), "{ten:?}");
}
