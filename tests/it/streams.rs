//! The three pipes of a server: readers that are slow or gone, an error stream that nobody reads, and whole
//! protocol lines on stdout whatever happens to the others.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::support::{Project, greeting};

fn line(id: u64, method: &str, params: &Value) -> String {
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}

/// The greeting and `count` calls with large answers.
fn session(count: u64) -> String {
    let mut lines = line(0, "initialize", &greeting(json!({})));
    lines += "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    let call = json!({"name": "ctx_explore", "arguments": {"query": "how does a call run through its interceptors"}});
    (1..=count).for_each(|id| lines += &line(id, "tools/call", &call));
    lines
}

fn serve(project: &Project, log: Option<&str>) -> Child {
    let mut command = project.command();
    command.arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(log) = log {
        command.env("CTX_EXPLORE_LOG", log);
    }
    command.spawn().unwrap()
}

/// The ids that were answered with a result; every line is a message.
fn answered(stdout: impl std::io::Read, until: usize) -> Vec<u64> {
    let mut ids = Vec::new();
    for line in BufReader::new(stdout).lines().take(until) {
        let message: Value = serde_json::from_str(&line.unwrap()).expect("a line is a message");
        assert_eq!(message["jsonrpc"], "2.0");
        assert!(message.get("result").is_some(), "{message}");
        ids.push(message["id"].as_u64().unwrap());
    }
    ids.sort_unstable();
    ids
}

#[test]
fn a_reader_that_is_slow_gets_every_answer_whole() {
    let project = Project::fixture("kotlin/interceptors");
    let mut child = serve(&project, None);
    let mut stdin = child.stdin.take().unwrap();
    // More than fits into all buffers on the way; the server may stop reading before it has all of it.
    let writer = thread::spawn(move || {
        stdin.write_all(session(400).as_bytes()).unwrap();
        stdin
    });
    // Reading begins once the pipes are full.
    thread::sleep(std::time::Duration::from_millis(500));
    let ids = answered(child.stdout.take().unwrap(), 401);
    assert_eq!(ids, (0..=400).collect::<Vec<u64>>());
    drop(writer.join().unwrap());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_is_gone_does_not_bring_the_server_down_before_its_input_ends() {
    let project = Project::fixture("kotlin/interceptors");
    let mut child = serve(&project, None);
    drop(child.stdout.take());
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(session(40).as_bytes()).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_error_stream_that_nobody_reads_holds_nothing_up() {
    let project = Project::fixture("kotlin/interceptors");
    let mut child = serve(&project, Some("trace"));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(session(100).as_bytes()).unwrap();
    let ids = answered(child.stdout.take().unwrap(), 101);
    assert_eq!(ids, (0..=100).collect::<Vec<u64>>());
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let mut said = Vec::new();
    std::io::Read::read_to_end(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    // A pipe holds so much; what came later was dropped.
    assert!(said.len() > 40_000, "the error stream was never full: {} bytes", said.len());
}
