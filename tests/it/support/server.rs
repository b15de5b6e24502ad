//! A client of `ctx-explore serve` over real pipes, as bare as a test of a protocol needs it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::Project;

/// A server that says nothing for so long is taken to hang. Not a measure of speed.
const HANGS: Duration = Duration::from_secs(120);

pub struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: u64,
    /// All that was said in both directions, for a failure to show.
    transcript: String,
    /// Messages that came while another was waited for.
    kept: Vec<Value>,
}

impl Project {
    /// A server in the project's folder, not yet greeted.
    pub fn serve(&self) -> Server {
        let mut command = self.command();
        command.arg("serve");
        Server::of(command)
    }

    /// A server that has been greeted.
    pub fn greeted(&self) -> Server {
        let mut server = self.serve();
        server.greet();
        server
    }
}

impl Server {
    pub fn of(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().unwrap();
        let (found, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if found.send(line).is_err() {
                    return;
                }
            }
        });
        Server { child, stdin, lines, next_id: 1, transcript: String::new(), kept: Vec::new() }
    }

    pub fn greet(&mut self) -> Value {
        let answer = self.request("initialize", greeting(json!({})));
        self.notify("notifications/initialized");
        answer
    }

    /// Writes bytes as they are.
    #[track_caller]
    pub fn write(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(300)]);
        self.transcript += &format!("> {}\n", shown.trim_end());
        let stdin = self.stdin.as_mut().expect("stdin is open");
        if let Err(error) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            panic!("the server does not read: {error}\n{}", self.transcript);
        }
    }

    #[track_caller]
    pub fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    #[track_caller]
    pub fn notify(&mut self, method: &str) {
        self.send(&json!({"jsonrpc": "2.0", "method": method}));
    }

    /// Sends a request and gives its id.
    #[track_caller]
    pub fn post(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its answer: the whole message.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.post(method, params);
        self.answer(&json!(id))
    }

    /// The answer to an id.
    #[track_caller]
    pub fn answer(&mut self, id: &Value) -> Value {
        self.wait(&format!("an answer to {id}"), |message| {
            message.get("method").is_none() && &message["id"] == id
        })
    }

    /// The next message that fits.
    #[track_caller]
    pub fn wait(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&fits) {
            return self.kept.remove(at);
        }
        loop {
            match self.lines.recv_timeout(HANGS) {
                Ok(line) => {
                    let message = self.parsed(&line);
                    if fits(&message) {
                        return message;
                    }
                    self.kept.push(message);
                }
                Err(RecvTimeoutError::Timeout) => panic!("no {what}\n{}", self.transcript),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("stdout ended before {what}\n{}", self.transcript)
                }
            }
        }
    }

    /// stdout carries messages and nothing else.
    #[track_caller]
    fn parsed(&mut self, line: &str) -> Value {
        let shown: String = line.chars().take(300).collect();
        self.transcript += &format!("< {shown}\n");
        match serde_json::from_str::<Value>(line) {
            Ok(message) if message["jsonrpc"] == "2.0" => message,
            _ => panic!("stray line on stdout: {line:?}\n{}", self.transcript),
        }
    }

    /// Calls a tool, again while the index is being built: its text, and whether it is an error for the
    /// caller to correct.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        loop {
            let (text, error) = self.call_once(tool, &arguments);
            if !text.contains("is still being built") && !text.starts_with("Index: being built") {
                return (text, error);
            }
        }
    }

    #[track_caller]
    pub fn call_once(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        self.text(&answer)
    }

    /// The one text block of a tool's answer.
    #[track_caller]
    pub fn text(&self, answer: &Value) -> (String, bool) {
        let result = &answer["result"];
        let Some([block]) = result["content"].as_array().map(Vec::as_slice) else {
            panic!("not one block: {answer}\n{}", self.transcript);
        };
        assert_eq!(block["type"], "text", "{answer}");
        assert!(result.get("structuredContent").is_none(), "{answer}");
        let text = block["text"].as_str().unwrap().to_owned();
        (text, result["isError"] == json!(true))
    }

    /// The server still answers.
    #[track_caller]
    pub fn is_alive(&mut self) {
        let answer = self.request("tools/list", json!({}));
        assert!(answer["result"]["tools"].is_array(), "{answer}\n{}", self.transcript);
    }

    /// Ends the process as the system would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes stdin; gives what was said since and how the server ended.
    pub fn end(mut self) -> (Vec<Value>, ExitStatus) {
        drop(self.stdin.take());
        let mut said = std::mem::take(&mut self.kept);
        loop {
            match self.lines.recv_timeout(HANGS) {
                Ok(line) => {
                    let message = self.parsed(&line);
                    said.push(message);
                }
                Err(RecvTimeoutError::Timeout) => panic!("does not end\n{}", self.transcript),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait().unwrap();
        (said, status)
    }
}

/// The params of `initialize`.
pub fn greeting(capabilities: Value) -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "clientInfo": {"name": "test", "version": "1"},
    })
}

impl Drop for Server {
    fn drop(&mut self) {
        // Ends what a failed test leaves behind.
        drop(self.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
