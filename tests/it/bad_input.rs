//! Whatever is handed in: a clear text that says what to do, nothing crashes, nothing outside is read.

use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::{Value, json};

use crate::support::{Project, Run};

#[test]
fn ce_13_what_the_caller_must_correct_is_an_error_that_says_how() {
    let project = Project::fixture("rust/dispatch");
    let mut server = project.greeted();
    let refused: &[(&str, Value, &[&str])] = &[
        ("ctx_explore", json!({}), &["needs the argument `query`"]),
        ("ctx_explore", json!({"query": ""}), &["`query`", "is empty"]),
        ("ctx_explore", json!({"query": " \n\t"}), &["`query`", "is empty"]),
        ("ctx_explore", json!({"query": "x".repeat(1_000_000)}), &["1000000 bytes", "at most 65536"]),
        ("ctx_explore", json!({"query": "q", "max_byte": 1}), &["no argument `max_byte`", "`max_bytes`"]),
        ("ctx_explore", json!({"query": "q", "max_turns": "many"}), &["from 1 to 10", "\"many\""]),
        ("ctx_explore", json!({"query": "q", "path": "../.."}), &["`../..`", "outside of the root"]),
        ("ctx_search", json!({"pattern": "x", "path": "/etc"}), &["`/etc`", "outside of the root"]),
        ("ctx_search", json!({"pattern": "(", "regex": true}), &["not a regular expression"]),
        ("ctx_search", json!({"pattern": "(".repeat(1_000), "regex": true}), &["not a regular expression"]),
        ("ctx_status", json!({"verbose": true}), &["takes no arguments", "`verbose`"]),
    ];
    for (tool, arguments, expected) in refused {
        let (text, error) = server.call(tool, arguments.clone());
        assert!(error, "{tool}: {text}");
        for part in *expected {
            assert!(text.contains(part), "{tool}: {text}");
        }
        assert!(text.len() < 1_000, "{tool}: {text}");
    }
    server.is_alive();
}

#[test]
fn ce_14_what_is_not_there_is_an_ordinary_answer() {
    let project = Project::fixture("rust/dispatch");
    let mut server = project.greeted();
    for (tool, arguments, expected) in [
        ("ctx_explore", json!({"query": "zyzzyva quux"}), "nothing"),
        ("ctx_symbol", json!({"name": "Dispacher"}), "Dispatcher"),
        ("ctx_search", json!({"pattern": "zyzzyva"}), "Nothing matches"),
        (
            "ctx_explore",
            json!({"query": "x".repeat(30_000), "max_bytes": 1_000}),
            "nothing in this repository",
        ),
        (
            "ctx_explore",
            json!({"query": "x".repeat(30_000), "max_bytes": 1_000, "citation": true}),
            "nothing in",
        ),
        ("ctx_symbol", json!({"name": "z".repeat(1_024), "max_bytes": 1_000}), "is not defined"),
        ("ctx_search", json!({"pattern": "z".repeat(1_024), "max_bytes": 1_000}), "Nothing matches"),
        (
            "ctx_search",
            json!({"pattern": "x", "path": "nowhere"}),
            "No indexed file is at or below `nowhere`",
        ),
    ] {
        let (text, error) = server.call(tool, arguments);
        assert!(!error && text.contains(expected), "{tool}: {text}");
    }
}

#[test]
fn a_root_that_cannot_be_one() {
    let project = Project::fixture("rust/dispatch");
    let closed = project.beside("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    let mut cases = vec![("missing", "does not exist"), ("repo/Cargo.toml", "is not a folder")];
    // Who may read everything is not stopped by permissions.
    if std::fs::read_dir(&closed).is_err() {
        cases.push(("closed", "cannot be read"));
    }
    for (root, expected) in cases {
        let root = project.beside(root);
        let run = project.run(&["explore", "q", "--root", root.to_str().unwrap()]);
        let said = run.ends(2);
        assert!(said.contains(expected) && said.contains("--root"), "{said}");

        let mut command = project.command();
        command.arg("serve").arg("--root").arg(&root);
        let mut server = crate::support::Server::of(command);
        server.greet();
        let (text, error) = server.call("ctx_status", json!({}));
        assert!(error && text.contains(expected), "{text}");
        server.is_alive();
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn an_empty_repository_and_one_without_a_known_language() {
    let empty = Project::empty();
    let run = empty.run(&["explore", "anything"]);
    assert!(run.ends(1).ends_with("<final_answer>\n</final_answer>\n"), "{}", run.stdout);
    assert!(empty.run(&["status"]).ends(0).contains("empty"));

    let prose = Project::with(&[("notes.txt", "the quick brown fox\n"), ("a.cob", "DISPLAY 'FOX'.\n")]);
    let run = prose.run(&["explore", "where is the fox"]);
    assert!(run.ends(0).contains("notes.txt:1-1"), "{}", run.stdout);
    assert!(prose.run(&["status"]).ends(0).contains("no grammar"));
    assert!(prose.run(&["search", "brown"]).ends(0).contains("#### notes.txt"));
}

#[test]
fn odd_files_are_reported_and_the_rest_is_indexed() {
    let project = Project::fixture("python/compiler");
    project.write("latin.py", b"def caf\xE9():\n    pass\n");
    project
        .write("broken.py", "def before():\n    pass\n\ndef broken(:\n    ((((\n\ndef after():\n    pass\n");
    project.write("line.js", format!("var a = [{}];\n", "1234567890,".repeat(480_000)));
    project.write("one line.json", format!("{{\"a\": [{}]}}\n", "1234567890,".repeat(48_000)));
    project.write("nested.py", format!("x = {}1{}\n", "(\n".repeat(100_000), "\n)".repeat(100_000)));
    project.write("脚本/血条.py", "def 血条():\n    return 1\n");
    let status = project.run(&["status"]);
    let status = status.ends(0);
    for expected in ["latin.py: not UTF-8", "broken.py", "line.js: larger than", "one line.json: minified"] {
        assert!(status.contains(expected), "{expected}\n{status}");
    }
    assert!(project.run(&["symbol", "before"]).ends(0).contains("broken.py:1-2"));
    assert!(project.run(&["symbol", "after"]).ends(0).contains("broken.py:7-8"));
    assert!(project.run(&["symbol", "血条"]).ends(0).contains("脚本/血条.py:1-2"));
    assert!(project.run(&["explore", "how does a query become SQL"]).ends(0).contains("SelectCompiler"));
}

#[test]
fn ce_15_links_do_not_lead_out_or_in_circles() {
    let project = Project::with(&[("src/a.py", "def inside():\n    pass\n")]);
    std::fs::write(project.beside("secret.py"), "def outside_secret():\n    pass\n").unwrap();
    let root = project.root();
    symlink("../../secret.py", root.join("src/leak.py")).unwrap();
    symlink(project.beside(""), root.join("up")).unwrap();
    symlink("..", root.join("src/circle")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    for command in [
        &["symbol", "outside_secret"][..],
        &["search", "outside_secret"],
        &["search", "outside_secret", "--path", "up"],
        &["explore", "outside_secret", "--path", "src/leak.py"],
    ] {
        let run = project.run(command);
        assert!(!run.ends(1).contains("def outside_secret"), "{}", run.stdout);
    }
    let found = project.run(&["search", "def inside"]);
    assert_eq!(found.ends(0).matches("def inside").count(), 2, "{}", found.stdout);
}

#[test]
fn nothing_in_the_repository_widens_what_is_indexed() {
    let project = Project::with(&[
        (".git/config", "[core]\n\tsecret = outside_secret\n"),
        (".gitignore", "private/\n"),
        (".ignore", "!.git/\n!.git/**\n!../**\n"),
        ("private/a.py", "def private_one():\n    pass\n"),
        ("b.py", "def public_one():\n    pass\n"),
    ]);
    project.run(&["search", "outside_secret"]).ends(1);
    project.run(&["search", "private_one"]).ends(1);
    project.run(&["search", "public_one"]).ends(0);
}

#[test]
fn arguments_that_are_no_text_are_refused_by_the_command_line() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let project = Project::fixture("rust/dispatch");
    let mut command = project.command();
    command.arg("explore").arg(OsStr::from_bytes(b"caf\xE9"));
    assert!(Run::of(command).ends(2).contains("UTF-8"));
}
