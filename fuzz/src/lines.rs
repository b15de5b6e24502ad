//! The transport of the server: any bytes, then a request that must still be understood.

use std::time::Duration;

use ctx_explore::mcp::Lines;
use rmcp::model::JsonRpcMessage;
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// No reply may take so long. Not a measure of speed.
const HANGS: Duration = Duration::from_secs(60);

pub fn run(bytes: &[u8]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        tokio::time::timeout(HANGS, session(bytes)).await.expect("the session ends");
    });
}

async fn session(bytes: &[u8]) {
    let mut id = "last".to_owned();
    while bytes.windows(id.len()).any(|part| part == id.as_bytes()) {
        id.push('x');
    }
    let last = json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let input = [bytes, b"\n", last.to_string().as_bytes()].concat();

    // Narrow pipes, so that both sides have to wait.
    let (mut client, server) = tokio::io::duplex(64);
    let (output, mut replies) = tokio::io::duplex(64);
    let (ended, input_ended) = tokio::sync::watch::channel(false);
    let (mut lines, written) = Lines::new(server, output, ended);
    let write = async move {
        client.write_all(&input).await.expect("the server reads to the end");
        drop(client);
    };
    let read = async {
        let mut said = String::new();
        replies.read_to_string(&mut said).await.expect("replies are UTF-8");
        said
    };
    let serve = async {
        let mut pinged = false;
        while let Some(message) = lines.receive().await {
            pinged |= matches!(&message, JsonRpcMessage::Request(request) if request.id.to_string() == id);
        }
        assert!(pinged, "the last request is lost");
        assert!(*input_ended.borrow());
        let _ = lines.close().await;
        drop(lines);
        written.await.expect("the writer ends with its lines");
    };
    let ((), said, ()) = tokio::join!(write, read, serve);
    for line in said.split_terminator('\n') {
        let reply: Value = serde_json::from_str(line).expect("a reply is JSON");
        assert_eq!(reply["jsonrpc"], "2.0");
        assert!(reply["error"]["code"].is_i64() && reply["error"]["message"].is_string(), "{line}");
    }
}
