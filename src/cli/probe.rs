//! A probe: does a server answer over its pipes as a client would ask it?

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A client that loads the tools at its start waits so long.
const WAIT: Duration = Duration::from_secs(5);
/// A server that was told to end by the end of its input has so long.
const LEAVES: Duration = Duration::from_secs(3);

/// Starts a program with these arguments, greets it, asks for its tools and ends it: the tools' names.
///
/// # Errors
/// What a client would see instead.
pub fn tools(program: &Path, arguments: &[OsString]) -> Result<Vec<String>, String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("it cannot be started: {error}"))?;
    let answer = talk(&mut child);
    end(&mut child);
    let answer = answer?;
    let tools = answer["result"]["tools"].as_array();
    let tools = tools.ok_or_else(|| format!("it answers tools/list with {}", shown(&answer.to_string())))?;
    Ok(tools.iter().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect())
}

/// Ends a child whose pipes are closed: a sound server leaves by itself, another one is not waited for.
fn end(child: &mut Child) {
    let until = Instant::now() + LEAVES;
    while Instant::now() < until {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn talk(child: &mut Child) -> Result<Value, String> {
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("it has no pipes".to_owned());
    };
    let (found, lines) = channel();
    // Ends with the child's stdout.
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines() {
            let Ok(line) = line else { return };
            if found.send(line).is_err() {
                return;
            }
        }
    });
    let mut send = |message: &Value| {
        let written = stdin.write_all(format!("{message}\n").as_bytes()).and_then(|()| stdin.flush());
        written.map_err(|error| format!("it does not read its stdin: {error}"))
    };
    let until = Instant::now() + WAIT;
    let client = json!({"name": "ctx-explore doctor", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))?;
    let greeted = answer(&lines, 1, "initialize", until)?;
    if greeted["result"]["serverInfo"].is_null() {
        return Err(format!("it answers initialize with {}", shown(&greeted.to_string())));
    }
    send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    send(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}))?;
    answer(&lines, 2, "tools/list", until)
}

/// The answer to a request; what comes before it must be messages as well.
fn answer(lines: &Receiver<String>, id: u64, method: &str, until: Instant) -> Result<Value, String> {
    loop {
        match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => match serde_json::from_str::<Value>(&line) {
                Ok(message) if message["id"] == id && message["method"].is_null() => return Ok(message),
                Ok(message) if message["jsonrpc"] == "2.0" => {}
                _ => return Err(format!("it writes what is no message: {}", shown(&line))),
            },
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("it does not answer {method} within {} seconds", WAIT.as_secs()));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(format!("it ends instead of answering {method}"));
            }
        }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(120).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Vec<String>, String> {
        tools(Path::new("/bin/sh"), &["-c".into(), script.into()])
    }

    #[test]
    fn what_a_client_would_see_is_said() {
        let greeting = r#"{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"x"}}}"#;
        let listed = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"},{"name":"b"}]}}"#;
        let read = "read line";
        let good = format!("{read}; echo '{greeting}'; {read}; {read}; echo '{listed}'; {read}");
        assert_eq!(shell(&good), Ok(vec!["a".to_owned(), "b".to_owned()]));
        for (script, says) in [
            (read.to_owned(), "it ends instead of answering initialize"),
            (format!("{read}; echo hello; {read}"), "it writes what is no message: hello"),
            (format!("{read}; echo '{greeting}'; {read}; {read}"), "it ends instead of answering tools/list"),
            (
                format!("{read}; echo '{}'; {read}", r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#),
                r#"it answers initialize with {"error":{"code":1},"id":1,"jsonrpc":"2.0"}"#,
            ),
        ] {
            assert_eq!(shell(&script), Err(says.to_owned()), "{script}");
        }
        assert!(tools(Path::new("no-such-program"), &[]).unwrap_err().starts_with("it cannot be started"));
    }
}
