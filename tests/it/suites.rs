//! The committed suites: the rank of each case is kept, so that a change of the ranking is seen in review.

use std::path::Path;

use expect_test::{ExpectFile, expect_file};
use serde_json::Value;

use crate::support::Project;

fn evaluated(suite: &str, arguments: &[&str]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(suite);
    let project = Project::empty();
    let arguments: Vec<&str> =
        ["eval", "--suite", path.to_str().unwrap()].into_iter().chain(arguments.iter().copied()).collect();
    project.run(&arguments).ends(0).to_owned()
}

/// The rank of each case for each arm, without figures that depend on the machine.
#[track_caller]
fn check(suite: &str, ranks: ExpectFile) {
    let text = evaluated(suite, &[]);
    let (_, rows) = text.rsplit_once("\n\n").expect("a table, then the ranks");
    ranks.assert_eq(rows);
}

#[test]
fn ranks_over_the_fixtures() {
    check("fixtures.ndjson", expect_file!["golden/ranks_fixtures.txt"]);
}

#[test]
fn ranks_over_this_source() {
    check("own.ndjson", expect_file!["golden/ranks_own.txt"]);
}

#[test]
fn signals_are_dumped_and_switched_off() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("signals.ndjson");
    let dump_path = dump.to_str().unwrap();
    let arguments = ["--arm", "explore", "--json", "--without", "signal.stem", "--features", dump_path];
    let report: Value = serde_json::from_str(&evaluated("fixtures.ndjson", &arguments)).unwrap();
    let figures = report["figures"].as_array().unwrap();
    assert!(figures.iter().all(|line| line["arm"] == "explore"));
    assert!(figures.last().unwrap()["hit5"].as_f64().unwrap() > 0.5);
    assert_eq!(report["loop"]["zero_signal_rate"], 0.0);
    let text = std::fs::read_to_string(&dump).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let weights = lines[0]["signals"].as_array().unwrap();
    let stem = weights.iter().position(|signal| signal[0] == "stem").unwrap();
    assert_eq!(weights[stem][1], 0.0);
    let first = &lines[1]["files"][0];
    assert_eq!(first["signals"].as_array().unwrap().len(), weights.len());
    assert!(!first["ranges"].as_array().unwrap().is_empty());
}

#[test]
fn what_is_wrong_with_an_evaluation_is_said() {
    let project = Project::empty();
    assert!(project.run(&["eval", "--suite", "none.ndjson"]).ends(2).contains("none.ndjson cannot be read"));
    std::fs::write(project.root().join("s.ndjson"), "{}\n").unwrap();
    assert!(project.run(&["eval", "--suite", "s.ndjson"]).ends(2).contains("line 1: missing field"));
    let unknown = project.run(&["eval", "--suite", "s.ndjson", "--without", "signal.nothing"]);
    assert!(unknown.ends(2).contains("there is no constant `signal.nothing`"));
    let constants = project.run(&["eval", "--suite", "s.ndjson", "--set", "help"]);
    assert!(constants.ends(0).contains("signal.best_chunk=0.4  "));
}
