//! MCP over pipes: what clients send, in order and out of it, and how a session ends.

use serde_json::{Value, json};

use crate::support::{Project, Server, greeting};

fn small() -> Project {
    Project::with(&[("a.py", "def alpha():\n    return beta()\n\ndef beta():\n    return 1\n")])
}

/// Lines that no client should send. Each must leave the session as it was.
fn bad_lines() -> Vec<(&'static str, Vec<u8>)> {
    let text = |line: &str| line.as_bytes().to_vec();
    vec![
        ("not JSON", text("hello")),
        ("half an object", text("{\"jsonrpc\": \"2.0\", \"id\": 900,")),
        ("an empty line", text("")),
        ("blanks", text("   ")),
        ("a number", text("42")),
        ("null", text("null")),
        ("an empty batch", text("[]")),
        ("a batch", text("[{\"jsonrpc\":\"2.0\",\"id\":901,\"method\":\"ping\"}]")),
        ("an empty object", text("{}")),
        ("no version", text("{\"id\":902,\"method\":\"tools/list\"}")),
        ("another version", text("{\"jsonrpc\":\"1.0\",\"id\":903,\"method\":\"tools/list\"}")),
        ("a null id", text("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"tools/list\"}")),
        ("an id that is a fraction", text("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/list\"}")),
        ("an id that is a list", text("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"tools/list\"}")),
        ("a method that is a number", text("{\"jsonrpc\":\"2.0\",\"id\":904,\"method\":5}")),
        ("no method", text("{\"jsonrpc\":\"2.0\",\"id\":905}")),
        (
            "params that are a text",
            text("{\"jsonrpc\":\"2.0\",\"id\":906,\"method\":\"tools/call\",\"params\":\"x\"}"),
        ),
        (
            "null params of a call",
            text("{\"jsonrpc\":\"2.0\",\"id\":907,\"method\":\"tools/call\",\"params\":null}"),
        ),
        (
            "arguments that are a list",
            text(
                "{\"jsonrpc\":\"2.0\",\"id\":908,\"method\":\"tools/call\",\"params\":{\"name\":\"ctx_status\",\"arguments\":[1]}}",
            ),
        ),
        (
            "an unknown tool",
            text("{\"jsonrpc\":\"2.0\",\"id\":909,\"method\":\"tools/call\",\"params\":{\"name\":\"nope\"}}"),
        ),
        ("an unknown method", text("{\"jsonrpc\":\"2.0\",\"id\":910,\"method\":\"no/such\"}")),
        ("an unknown notification", text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/no_such\"}")),
        (
            "a notification that does not fit",
            text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":7}"),
        ),
        (
            "a cancellation of nothing",
            text(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99999}}",
            ),
        ),
        ("an answer to nothing", text("{\"jsonrpc\":\"2.0\",\"id\":911,\"result\":{}}")),
        (
            "an error for nothing",
            text("{\"jsonrpc\":\"2.0\",\"id\":912,\"error\":{\"code\":1,\"message\":\"m\"}}"),
        ),
        (
            "server/discover without its metadata",
            text("{\"jsonrpc\":\"2.0\",\"id\":913,\"method\":\"server/discover\"}"),
        ),
        ("bytes that are not UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":914,\"method\":\"\xFF\xFE\"}".to_vec()),
        ("a NUL", b"\0".to_vec()),
        ("a carriage return", b"\r".to_vec()),
        ("nesting without end", text(&"[".repeat(100_000))),
        ("ten megabytes of text", vec![b'x'; 10 << 20]),
        ("twenty megabytes of text", vec![b'x'; 20 << 20]),
        ("a call of ten megabytes", {
            let query = "x".repeat(10 << 20);
            let call = json!({"jsonrpc": "2.0", "id": 915, "method": "tools/call",
                              "params": {"name": "ctx_explore", "arguments": {"query": query}}});
            call.to_string().into_bytes()
        }),
    ]
}

#[test]
fn ce_16_each_bad_line_leaves_the_session_as_it_was() {
    let project = small();
    let mut server = project.greeted();
    for (what, mut line) in bad_lines() {
        line.push(b'\n');
        server.write(&line);
        let answer = server.request("tools/list", json!({}));
        assert!(answer["result"]["tools"].is_array(), "after {what}: {answer}");
    }
    let (_, status) = server.end();
    assert!(status.success());
}

#[test]
fn ce_16_each_bad_line_before_the_greeting_leaves_it_possible() {
    let project = small();
    for (what, mut line) in bad_lines() {
        let mut server = project.serve();
        line.push(b'\n');
        server.write(&line);
        let greeted = server.greet();
        assert_eq!(greeted["result"]["serverInfo"]["name"], "ctx-explore", "after {what}: {greeted}");
    }
}

#[test]
fn bad_requests_are_answered_under_their_ids() {
    let project = small();
    let mut server = project.greeted();
    for (line, id, code, part) in [
        (r#"{"jsonrpc":"2.0","id":"x","method":"no/such"}"#, json!("x"), -32601, "no/such"),
        (r#"{"jsonrpc":"2.0","id":7001,"method":"tools/call","params":null}"#, json!(7001), -32602, "name"),
        (
            r#"{"jsonrpc":"2.0","id":7002,"method":"tools/call","params":{"name":"ctx_explor"}}"#,
            json!(7002),
            -32602,
            "ctx_explore",
        ),
        (r#"{"jsonrpc":"1.0","id":7003,"method":"tools/list"}"#, json!(7003), -32600, "2.0"),
        (
            r#"{"jsonrpc":"2.0","id":7004,"method":"initialize","params":{}}"#,
            json!(7004),
            -32602,
            "protocolVersion",
        ),
        (r#"{"jsonrpc":"2.0","id":7005}"#, json!(7005), -32600, "method"),
    ] {
        server.write(format!("{line}\n").as_bytes());
        let answer = server.answer(&id);
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(part), "{line}: {answer}");
    }
    for (line, code, part) in [
        ("{", -32700, "not JSON"),
        ("[]", -32600, "Batches"),
        ("7", -32600, "object"),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "id"),
    ] {
        server.write(format!("{line}\n").as_bytes());
        let answer = server.wait("an error", |message| message.get("error").is_some());
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert!(answer.get("id").is_none(), "{line}: {answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(part), "{line}: {answer}");
    }
    let null_params = r#"{"jsonrpc":"2.0","id":7006,"method":"tools/list","params":null}"#;
    server.write(format!("{null_params}\n").as_bytes());
    assert!(server.answer(&json!(7006))["result"]["tools"].is_array());
}

#[test]
fn the_greeting_names_the_version_the_tools_and_what_they_are_for() {
    let project = small();
    let mut server = project.serve();
    let greeted = server.greet();
    let result = &greeted["result"];
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert!(result["capabilities"]["tools"].is_object());
    let instructions = result["instructions"].as_str().unwrap();
    assert!(instructions.is_ascii() && instructions.len() < 2048 && instructions.contains("ctx_explore"));
}

#[test]
fn every_version_of_the_protocol_can_open_a_session() {
    let project = small();
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut server = project.serve();
        let mut params = greeting(json!({}));
        params["protocolVersion"] = json!(asked);
        let greeted = server.request("initialize", params);
        assert_eq!(greeted["result"]["protocolVersion"], answered, "{asked}");
        server.notify("notifications/initialized");
        let (text, error) = server.call("ctx_symbol", json!({"name": "beta"}));
        assert!(!error && text.contains("a.py:4-5"), "{text}");
    }
}

#[test]
fn a_client_without_a_greeting_discovers_and_calls() {
    let project = small();
    let mut server = project.serve();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = server.request("server/discover", json!({"_meta": meta}));
    assert!(
        found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")),
        "{found}"
    );
    let answer = server
        .request("tools/call", json!({"_meta": meta, "name": "ctx_symbol", "arguments": {"name": "beta"}}));
    let (text, error) = server.text(&answer);
    assert!(!error && text.contains("a.py:4-5"), "{text}");
}

#[test]
fn a_request_before_the_greeting_is_told_what_to_send_first() {
    let mut server = small().serve();
    let answer = server.request("tools/list", json!({}));
    assert!(answer["error"]["message"].as_str().unwrap().contains("Send initialize first"), "{answer}");
    server.greet();
    server.is_alive();
}

#[test]
fn methods_that_a_version_does_not_have_are_not_found() {
    let project = small();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "no/such"] {
        let mut server = project.serve();
        let answer = server.request(method, json!({"_meta": meta}));
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
        server.request("tools/list", json!({"_meta": meta}));
        let answer = server.request(method, json!({"_meta": meta}));
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

#[test]
fn what_is_refused_before_the_greeting_is_answered_though_the_input_ends() {
    let project = small();
    for _ in 0..20 {
        let mut server = project.serve();
        let id = server.post("tools/list", json!({}));
        let (said, status) = server.end();
        assert!(status.success());
        assert!(said.iter().any(|message| message["id"] == id), "{said:?}");
    }
}

#[test]
fn discovering_first_does_not_prevent_a_greeting() {
    let project = small();
    let mut server = project.serve();
    server.request("server/discover", json!({}));
    server.greet();
    server.is_alive();
}

#[test]
fn everything_in_one_write_is_answered() {
    let project = small();
    let mut server = project.serve();
    let mut lines = String::new();
    let mut put = |message: Value| lines.push_str(&format!("{message}\n"));
    put(json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": greeting(json!({}))}));
    put(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for at in 0..40 {
        let name = if at % 2 == 0 { "alpha" } else { "beta" };
        put(json!({"jsonrpc": "2.0", "id": format!("call {at}"), "method": "tools/call",
                   "params": {"name": "ctx_symbol", "arguments": {"name": name}}}));
    }
    server.write(lines.as_bytes());
    assert_eq!(server.answer(&json!("hello"))["result"]["serverInfo"]["name"], "ctx-explore");
    for at in 0..40 {
        let answer = server.answer(&json!(format!("call {at}")));
        let expected = if at % 2 == 0 { "a.py:1-2" } else { "a.py:4-5" };
        assert!(server.text(&answer).0.contains(expected), "{answer}");
    }
}

#[test]
fn a_last_line_without_a_line_break_counts() {
    let project = small();
    let mut server = project.greeted();
    let call = json!({"jsonrpc": "2.0", "id": "last", "method": "tools/list"});
    server.write(call.to_string().as_bytes());
    let (said, status) = server.end();
    assert!(status.success());
    assert!(
        said.iter().any(|message| message["id"] == "last" && message.get("result").is_some()),
        "{said:?}"
    );
}

#[test]
fn an_id_in_use_is_refused_and_its_first_request_answered() {
    let project = Project::large(300);
    let mut server = project.greeted();
    let call = json!({"jsonrpc": "2.0", "id": "twice", "method": "tools/call",
                      "params": {"name": "ctx_search", "arguments": {"pattern": "helper"}}});
    server.write(format!("{call}\n{call}\n").as_bytes());
    let refused = server.wait("a refusal", |message| message.get("error").is_some());
    assert_eq!(refused["id"], "twice");
    let answered =
        server.wait("an answer", |message| message["id"] == "twice" && message.get("result").is_some());
    assert!(server.text(&answered).0.contains("helper"));
}

#[test]
fn ce_17_a_cancelled_call_ends_and_the_session_goes_on() {
    let project = Project::large(300);
    let mut server = project.greeted();
    let id = server
        .post("tools/call", json!({"name": "ctx_explore", "arguments": {"query": "how does helper step"}}));
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    server.is_alive();
    let (text, error) = server.call("ctx_symbol", json!({"name": "step_7_3"}));
    assert!(!error && text.contains("module_7.py"), "{text}");
    let (said, status) = server.end();
    assert!(status.success());
    assert!(said.iter().all(|message| message["id"] != id), "a cancelled call was answered: {said:?}");
}

#[test]
fn ce_18_the_end_of_input_while_indexing_answers_what_was_accepted_and_ends() {
    let project = Project::large(500);
    let mut server = project.serve();
    let mut lines = String::new();
    let mut put = |message: Value| lines.push_str(&format!("{message}\n"));
    put(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting(json!({}))}));
    put(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    put(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}));
    put(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
               "params": {"name": "ctx_explore", "arguments": {"query": "how does helper step"}}}));
    server.write(lines.as_bytes());
    let (said, status) = server.end();
    assert!(status.success());
    for id in 1..=3 {
        assert!(
            said.iter().any(|message| message["id"] == id && message.get("result").is_some()),
            "{id}: {said:?}"
        );
    }
}

#[test]
fn ce_19_while_the_first_index_is_built_the_status_says_how_far_it_is() {
    let project = Project::large(500);
    let mut server = project.greeted();
    let (text, error) = server.call_once("ctx_status", &json!({}));
    assert!(!error && text.contains("being built"), "{text}");
    server.is_alive();
    let (text, error) = server.call("ctx_symbol", json!({"name": "step_7_3"}));
    assert!(!error && text.contains("module_7.py"), "{text}");
    let (text, _) = server.call("ctx_status", json!({}));
    assert!(text.contains("Index: complete.") && text.contains("500 files"), "{text}");
}

#[test]
fn progress_is_reported_to_a_client_that_asks_for_it() {
    let project = Project::large(500);
    let mut server = project.greeted();
    let id = server.post(
        "tools/call",
        json!({"name": "ctx_search", "arguments": {"pattern": "helper"}, "_meta": {"progressToken": "p"}}),
    );
    let notice = server.wait("progress", |message| message["method"] == "notifications/progress");
    assert_eq!(notice["params"]["progressToken"], "p");
    assert_eq!(notice["params"]["total"], 500.0);
    server.answer(&json!(id));
    let (rest, _) = server.end();
    let notices = rest.iter().filter(|message| message["method"] == "notifications/progress");
    let done: Vec<f64> = [&notice]
        .into_iter()
        .chain(notices)
        .map(|notice| notice["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(
        done.is_sorted_by(|before, after| before < after) && done.iter().all(|&n| n <= 500.0),
        "{done:?}"
    );
}

#[test]
fn the_root_that_the_client_offers_comes_before_the_working_directory() {
    let project = small();
    let mut command = project.command();
    command.current_dir(project.home()).arg("serve");
    let mut server = Server::of(command);
    server.request("initialize", greeting(json!({"roots": {}})));
    server.notify("notifications/initialized");
    let asked = server.wait("a request for roots", |message| message["method"] == "roots/list");
    let uri = format!("file://{}", project.root().display());
    server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": uri}]}}));
    let (text, error) = server.call("ctx_symbol", json!({"name": "beta"}));
    assert!(!error && text.contains("a.py:4-5"), "{text}");
}

#[test]
fn the_end_of_input_before_the_greeting_ends_the_server() {
    let project = small();
    let (said, status) = project.serve().end();
    assert!(status.success() && said.is_empty(), "{said:?}");
}

#[test]
fn three_servers_on_one_repository_answer_alike() {
    let project = Project::fixture("kotlin/interceptors");
    let mut servers: Vec<Server> = (0..3).map(|_| project.greeted()).collect();
    let ids: Vec<u64> = servers
        .iter_mut()
        .map(|server| {
            let arguments = json!({"query": "how does a call run through its interceptors"});
            server.post("tools/call", json!({"name": "ctx_explore", "arguments": arguments}))
        })
        .collect();
    let texts: Vec<String> = servers
        .iter_mut()
        .zip(ids)
        .map(|(server, id)| {
            let answer = server.answer(&json!(id));
            server.text(&answer).0
        })
        .collect();
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0], texts[2]);
    assert!(texts[0].contains("<final_answer>"));
}
