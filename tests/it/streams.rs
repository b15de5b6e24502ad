//! The three pipes of a server: readers that are slow or gone, an error stream that nobody reads, and whole
//! protocol lines on stdout whatever happens to the others.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use ctx_explore::tools::{Options, Surroundings};

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
    child.stderr.take().unwrap().read_to_end(&mut said).unwrap();
    // A pipe holds so much; what came later was dropped.
    assert!(said.len() > 40_000, "the error stream was never full: {} bytes", said.len());
}

/// The root of the server that panics, and the file that makes it panic, in lines.
const PANICS: &str = "CTX_EXPLORE_TEST_PANICS";

fn given() -> Option<(PathBuf, PathBuf)> {
    let given = std::env::var(PANICS).ok()?;
    let (root, file) = given.split_once('\n')?;
    Some((root.into(), file.into()))
}

/// The server that panics as long as a file is there, where the variable is set; else nothing.
#[test]
fn a_server_that_panics() {
    let Some((root, _)) = given() else { return };
    fn now() -> i64 {
        let (_, file) = given().unwrap();
        assert!(!file.exists(), "the clock is broken");
        0
    }
    let _reports = ctx_explore::cli::reports();
    let surroundings = Surroundings { explicit: Some(root.clone()), ..Surroundings::default() };
    let options = Options { root, index_dir: None, threads: 1, now, adaptive: true };
    ctx_explore::mcp::serve(surroundings, options).unwrap();
}

#[test]
fn a_panic_is_told_to_the_caller_and_on_stderr_and_the_next_call_works() {
    let project = Project::fixture("kotlin/interceptors");
    let file = project.beside("broken");
    std::fs::write(&file, "").unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "streams::a_server_that_panics", "--quiet"]);
    command.env(PANICS, format!("{}\n{}", project.root().display(), Path::new(&file).display()));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // What the harness of the tests says comes before the server's first line.
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut messages = lines
        .skip_while(|line| !line.starts_with('{'))
        .map(|line| serde_json::from_str::<Value>(&line).unwrap_or_else(|_| panic!("no message: {line}")));
    stdin.write_all(session(1).as_bytes()).unwrap();
    assert_eq!(messages.next().unwrap()["id"], 0);
    let broken = messages.next().unwrap();
    assert_eq!((&broken["id"], &broken["result"]["isError"]), (&json!(1), &json!(true)), "{broken}");
    assert!(broken.to_string().contains("internal error, reported on stderr"), "{broken}");
    std::fs::remove_file(&file).unwrap();
    let call = json!({"name": "ctx_symbol", "arguments": {"name": "ForwardingChain"}});
    stdin.write_all(line(2, "tools/call", &call).as_bytes()).unwrap();
    let answer = messages.next().unwrap();
    assert!(answer["id"] == 2 && answer["result"]["isError"] != true, "{answer}");
    assert!(answer.to_string().contains("ForwardingChain (class)"), "{answer}");
    drop(stdin);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("the clock is broken") && said.contains("thread 'refresh'"), "{said}");
    assert!(child.wait().unwrap().success());
}
