//! The registry, the server, the command line and the documents say the same.

use std::fs;
use std::path::{Path, PathBuf};

use ctx_explore::tools::document;
use ctx_explore::tools::registry::{Kind, TOOLS};
use expect_test::expect_file;
use serde_json::{Value, json};

use crate::support::Project;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn the_limits_of_the_readme_are_those_of_the_code() {
    let readme = fs::read_to_string(repository("README.md")).unwrap();
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    for limit in ctx_explore::tools::limits() {
        assert!(words.contains(&format!("- {limit}.")), "the README does not say: {limit}.");
    }
}

#[test]
fn ce_20_the_registry_holds_these_tools() {
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["ctx_explore", "ctx_symbol", "ctx_search", "ctx_status"]);
}

#[test]
fn ce_20_the_page_of_tools_is_generated() {
    expect_file!["../../specs/tools.md"].assert_eq(&document::markdown());
    let printed = Project::empty().run(&["tools", "--markdown"]);
    assert_eq!(printed.ends(0), document::markdown());
}

#[test]
fn ce_20_the_server_lists_the_registry_and_routes_ctx_explore() {
    let project = Project::fixture("rust/dispatch");
    let mut server = project.greeted();
    let listed = server.request("tools/list", json!({}));
    let printed = project.run(&["tools", "--json"]);
    let printed: Value = serde_json::from_str(printed.ends(0)).unwrap();
    assert_eq!(listed["result"]["tools"], printed["tools"]);
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), TOOLS.len());
    for (listed, tool) in tools.iter().zip(TOOLS) {
        assert_eq!(listed["name"], tool.name);
        assert!(listed.get("outputSchema").is_none());
        assert_eq!(listed["annotations"]["readOnlyHint"], true);
        assert_eq!(listed["annotations"]["idempotentHint"], true);
        assert_eq!(listed["annotations"]["openWorldHint"], false);
        for key in ["anyOf", "oneOf", "allOf", "$defs", "$ref"] {
            assert!(listed["inputSchema"].get(key).is_none());
        }
    }
    assert_eq!(tools[0]["_meta"]["anthropic/alwaysLoad"], true);
    let again = server.request("tools/list", json!({}));
    assert_eq!(again["result"], listed["result"]);

    let (text, error) = server.call("ctx_explore", json!({"query": "how does an event reach a sink"}));
    assert!(!error && text.contains("<final_answer>"), "{text}");
}

#[test]
fn ce_20_the_command_line_routes_every_tool() {
    let project = Project::fixture("rust/dispatch");
    for tool in TOOLS {
        let help = project.run(&[tool.command, "--help"]);
        let help = help.ends(0);
        assert!(help.contains(tool.about), "{help}");
        for param in tool.params.iter().filter(|param| matches!(param.kind, Kind::Flag)) {
            assert!(help.contains(&format!("--{}", param.name.replace('_', "-"))), "{help}");
        }
    }
    assert!(project.run(&["explore", "event", "sink"]).ends(0).contains("<final_answer>"));
}

#[test]
fn every_clause_of_the_contract_is_named_by_a_test() {
    let contract = fs::read_to_string(repository("specs/ctx-explore.md")).unwrap();
    let ids: Vec<String> = contract
        .lines()
        .filter_map(|line| line.strip_prefix("- **CE-")?.split("**").next().map(str::to_owned))
        .collect();
    assert!(ids.len() >= 20, "{ids:?}");
    let mut tests = String::new();
    for entry in fs::read_dir(repository("tests/it")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            tests += &fs::read_to_string(path).unwrap();
        }
    }
    for (at, id) in ids.iter().enumerate() {
        assert_eq!(*id, format!("{:02}", at + 1), "clauses are numbered in order");
        assert!(tests.contains(&format!("fn ce_{id}_")), "no test is named for CE-{id}");
    }
}

/// `UPDATE_EXPECT=1` writes the answer into the page, as it does with goldens.
#[test]
fn the_readme_shows_a_real_answer() {
    let readme = fs::read_to_string(repository("README.md")).unwrap();
    let mark = "<!-- answer -->\n```\n";
    let start = readme.find(mark).expect("the answer's start") + mark.len();
    let end = start + readme[start..].find("```\n").expect("the answer's end");
    let run = Project::fixture("kotlin/interceptors").run(&[
        "explore",
        "--max-bytes",
        "4000",
        "how does a call run through its interceptors",
    ]);
    let answer = run.ends(0);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let written = format!("{}{answer}{}", &readme[..start], &readme[end..]);
        fs::write(repository("README.md"), written).unwrap();
    } else {
        assert_eq!(&readme[start..end], answer);
    }
}

/// Every key of every value, by walking.
fn keys(value: &serde_json::Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        serde_json::Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        serde_json::Value::Object(members) => {
            for (name, value) in members {
                found.insert(name.clone());
                keys(value, found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_page_on_json_names_every_key() {
    let page = fs::read_to_string(repository("specs/json.md")).unwrap();
    let project = Project::fixture("kotlin/interceptors");
    let mut found = std::collections::BTreeSet::new();
    for arguments in [
        &["explore", "how does a call run through its interceptors"][..],
        &["explore", "zyzzyva Quux.nope", "--keyword", "NoSuch"],
        &["explore", "interceptors", "--max-bytes", "2000"],
        &["symbol", "Interceptor"],
        &["symbol", "Interceptr"],
        &["search", "proceed"],
        &["search", "proceed", "--max-bytes", "1000"],
        &["search", "x", "--path", "no/such"],
        &["status"],
        &["doctor"],
    ] {
        let run = project.run(&[arguments, &["--json"]].concat());
        let value: serde_json::Value = serde_json::from_str(&run.stdout).expect("one value");
        assert!(run.stdout.ends_with('\n') && run.stdout.matches('\n').count() == 1, "{arguments:?}");
        keys(&value, &mut found);
    }
    assert!(found.len() > 40, "{found:?}");
    // The words between back quotes.
    let code = page.split('`').skip(1).step_by(2);
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let named: std::collections::BTreeSet<&str> = code.flat_map(|code| code.split(|c| !word(c))).collect();
    for key in found {
        assert!(named.contains(key.as_str()), "specs/json.md says nothing of `{key}`");
    }
}
