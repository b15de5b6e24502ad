//! The transport: one JSON-RPC message a line, each direction.
//!
//! rmcp's own line transport drops what it cannot read, and ends the session where it expects something
//! else first. This one hands over only what rmcp can serve and answers the rest itself: a line that is
//! no JSON, no message, too long or not UTF-8; a request whose parameters do not fit its method; an id that
//! is in use. Nothing but whole message lines is ever written.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

/// The most bytes of a line: more than any call needs.
const MAX_LINE: usize = 16 * 1024 * 1024;
const PARSE_ERROR: i32 = -32_700;
const INVALID_REQUEST: i32 = -32_600;
const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;

/// What the reading task found.
enum Incoming {
    Line(Vec<u8>),
    TooLong,
}

pub struct Lines {
    incoming: mpsc::Receiver<Incoming>,
    /// Lines to write; `None` once closed.
    outgoing: Option<mpsc::Sender<Vec<u8>>>,
    /// Replies of the transport's own that are not handed to the writer yet. They live here because
    /// `receive` may be dropped at any point where it waits.
    replies: VecDeque<Vec<u8>>,
    /// Ids of requests that were handed over and neither answered nor cancelled.
    in_use: Arc<Mutex<BTreeSet<String>>>,
    /// A request that opens the session was handed over.
    opened: bool,
}

impl Lines {
    /// Starts to read and write. `ended` becomes true when the input ends; the task ends when the transport is
    /// gone and what it had to say is written.
    pub fn new(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        ended: watch::Sender<bool>,
    ) -> (Self, JoinHandle<()>) {
        let (found, incoming) = mpsc::channel(64);
        tokio::spawn(async move {
            read(BufReader::new(input), &found).await;
            ended.send_replace(true);
        });
        let (outgoing, lines) = mpsc::channel(256);
        let writer = tokio::spawn(write(output, lines));
        let lines = Lines {
            incoming,
            outgoing: Some(outgoing),
            replies: VecDeque::new(),
            in_use: Arc::default(),
            opened: false,
        };
        (lines, writer)
    }

    /// The message of a line; `None` for a line that needs no more than the reply that was queued for it.
    fn message(&mut self, line: &[u8]) -> Option<ClientJsonRpcMessage> {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        let mut value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => {
                let text = match std::str::from_utf8(line) {
                    Ok(_) => format!("The line is not JSON: {error}. Send one JSON-RPC message per line."),
                    Err(_) => {
                        "The line is not UTF-8. Send one JSON-RPC message per line, in UTF-8.".to_owned()
                    }
                };
                self.refuse(None, PARSE_ERROR, &text);
                return None;
            }
        };
        let Some(object) = value.as_object_mut() else {
            let text = if value.is_array() {
                "Batches are not supported. Send one JSON-RPC message per line."
            } else {
                "A message is a JSON object. Send one JSON-RPC message per line."
            };
            self.refuse(None, INVALID_REQUEST, text);
            return None;
        };
        if object.get("params").is_some_and(Value::is_null) {
            object.remove("params");
        }
        let id = object.get("id").cloned();
        let method = object.get("method").and_then(Value::as_str).map(str::to_owned);
        let reply_id = id.clone().filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        if id.is_some() && reply_id.is_none() {
            self.refuse(None, INVALID_REQUEST, "An id is a text or a whole number.");
            return None;
        }
        if let (Some(method), Some(version)) = (&method, version_of(object))
            && id.is_some()
            && !version.has_initialize()
            && REMOVED.contains(&method.as_str())
        {
            let text = format!("Version {version} of the protocol has no method {method}.");
            self.refuse(reply_id, METHOD_NOT_FOUND, &text);
            return None;
        }
        let message = match serde_json::from_value::<ClientJsonRpcMessage>(value) {
            Ok(message) => message,
            // A notification that does not fit is not answered: nobody waits for it.
            Err(_) if method.is_some() && id.is_none() => return None,
            Err(_) => {
                let text = "Not a JSON-RPC 2.0 message: it needs jsonrpc: \"2.0\", a method and an id.";
                self.refuse(reply_id, INVALID_REQUEST, text);
                return None;
            }
        };
        match &message {
            JsonRpcMessage::Request(request) => {
                if let ClientRequest::CustomRequest(custom) = &request.request
                    && let Some(needed) = needed_params(&custom.method)
                {
                    let text = format!("The params of {} do not fit: it needs {needed}.", custom.method);
                    self.refuse(reply_id, INVALID_PARAMS, &text);
                    return None;
                }
                let opens = opens(&request.request);
                if !self.opened && !opens && !before_opening(&request.request) {
                    self.refuse(reply_id, INVALID_REQUEST, NOT_OPEN);
                    return None;
                }
                let mut in_use = self.in_use.lock().unwrap_or_else(PoisonError::into_inner);
                if !in_use.insert(key(&request.id)) {
                    drop(in_use);
                    let text = "This id belongs to a request that is not answered yet. Use a new one.";
                    self.refuse(reply_id, INVALID_REQUEST, text);
                    return None;
                }
                drop(in_use);
                self.opened |= opens;
            }
            // Before the session is open, rmcp takes anything but a request for the end of it.
            _ if !self.opened => return None,
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.in_use.lock().unwrap_or_else(PoisonError::into_inner).remove(&key(id));
                }
            }
            _ => {}
        }
        Some(message)
    }

    /// Queues an error. Where the id is unknown there is none in the reply, as MCP has it.
    fn refuse(&mut self, id: Option<Value>, code: i32, text: &str) {
        let mut reply = json!({"jsonrpc": "2.0", "error": {"code": code, "message": text}});
        if let Some(id) = id {
            reply["id"] = id;
        }
        let mut line = reply.to_string().into_bytes();
        line.push(b'\n');
        self.replies.push_back(line);
    }
}

const NOT_OPEN: &str = "The session is not open yet. Send initialize first (or, in the versions of the \
                        protocol without it, the _meta that they ask for with each request).";

/// Methods that the versions without a greeting do not have.
const REMOVED: [&str; 5] =
    ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// The known version of the protocol that a request names for itself.
fn version_of(message: &Map<String, Value>) -> Option<ProtocolVersion> {
    let version = message.get("params")?.get("_meta")?.get(VERSION_KEY)?.as_str()?;
    ProtocolVersion::KNOWN_VERSIONS.iter().find(|known| known.as_str() == version).cloned()
}

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// Whether a request is served before the session is open.
fn before_opening(request: &ClientRequest) -> bool {
    matches!(request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_))
}

/// Whether a request opens a session: the greeting, or a request that brings the metadata of the versions
/// without one.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
                && meta.protocol_version().is_some_and(|v| ProtocolVersion::KNOWN_VERSIONS.contains(&v))
        }
    }
}

fn key(id: &RequestId) -> String {
    // A number and a text of the same digits are different ids.
    match id {
        RequestId::Number(number) => number.to_string(),
        RequestId::String(text) => format!("\"{text}"),
    }
}

/// What the standard methods need in `params`; rmcp hands a request that does not fit on as a custom one.
fn needed_params(method: &str) -> Option<&'static str> {
    Some(match method {
        "initialize" => "protocolVersion, capabilities and clientInfo {name, version}",
        "tools/call" => "name (a text) and arguments (an object)",
        "tools/list" => "nothing, or a cursor",
        "ping" | "server/discover" => "nothing",
        "logging/setLevel" => "level",
        "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        "completion/complete" => "ref and argument",
        _ => return None,
    })
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let outgoing = self.outgoing.clone();
        let in_use = self.in_use.clone();
        async move {
            let answered = match &item {
                JsonRpcMessage::Response(response) => Some(&response.id),
                JsonRpcMessage::Error(error) => error.id.as_ref(),
                _ => None,
            };
            if let Some(id) = answered {
                in_use.lock().unwrap_or_else(PoisonError::into_inner).remove(&key(id));
            }
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let gone = || io::Error::new(io::ErrorKind::NotConnected, "the client is gone");
            outgoing.ok_or_else(gone)?.send(line).await.map_err(|_| gone())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while !self.replies.is_empty() {
                let room = self.outgoing.as_ref()?.reserve().await.ok()?;
                if let Some(reply) = self.replies.pop_front() {
                    room.send(reply);
                }
            }
            match self.incoming.recv().await? {
                Incoming::Line(line) => {
                    if let Some(message) = self.message(&line) {
                        return Some(message);
                    }
                }
                Incoming::TooLong => {
                    let text = format!("The line is longer than {MAX_LINE} bytes and was not read.");
                    self.refuse(None, INVALID_REQUEST, &text);
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outgoing = None;
        Ok(())
    }
}

/// Reads lines until the input ends or nobody takes them. A last line without a line break counts.
async fn read(mut input: impl AsyncBufReadExt + Unpin, found: &mpsc::Sender<Incoming>) {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf().await {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let end = available.is_empty();
        let break_at = available.iter().position(|&byte| byte == b'\n');
        let taken = break_at.map_or(available.len(), |at| at + 1);
        if !too_long {
            line.extend_from_slice(&available[..taken]);
            too_long = line.len() > MAX_LINE;
        }
        input.consume(taken);
        if break_at.is_none() && !end {
            if too_long {
                line = Vec::new();
            }
            continue;
        }
        let whole = std::mem::take(&mut line);
        let incoming = if too_long { Incoming::TooLong } else { Incoming::Line(whole) };
        too_long = false;
        if found.send(incoming).await.is_err() || end {
            return;
        }
    }
}

/// Writes whole lines until there are no more or the output is gone; then it only takes them.
async fn write(mut output: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<Vec<u8>>) {
    let mut gone = false;
    while let Some(line) = lines.recv().await {
        if !gone {
            gone = output.write_all(&line).await.is_err() || output.flush().await.is_err();
        }
    }
}
