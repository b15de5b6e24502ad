//! The client of rmcp over real pipes: the library that the server is built on, from its other end.

use std::sync::Mutex;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ContentBlock, ProgressNotificationParam,
    ProgressToken, ProtocolVersion, ServerResult,
};
use rmcp::service::{ClientLifecycleMode, serve_client_with_lifecycle};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestHandle, RunningService, ServiceError};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::process::Child;
use tokio::runtime::Runtime;

use crate::requests::interceptors;
use crate::support::Project;

/// Keeps the progress that is reported.
#[derive(Default)]
struct Client {
    progress: Mutex<Vec<ProgressNotificationParam>>,
}

impl ClientHandler for Client {
    async fn on_progress(&self, notice: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().unwrap().push(notice);
    }
}

type Session = RunningService<RoleClient, Client>;

/// The two ways to begin a session.
fn lifecycles() -> [ClientLifecycleMode; 2] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [ClientLifecycleMode::Initialize, ClientLifecycleMode::Discover { preferred_versions }]
}

/// A server that says nothing for so long is taken to hang. Not a measure of speed.
const HANGS: Duration = Duration::from_secs(120);

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async { tokio::time::timeout(HANGS, work).await.expect("the server hangs") })
}

async fn connect(project: &Project, lifecycle: ClientLifecycleMode) -> (Session, Child) {
    let mut command = tokio::process::Command::from(project.command());
    command.arg("serve").kill_on_drop(true);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    (serve_client_with_lifecycle(Client::default(), pipes, lifecycle).await.unwrap(), child)
}

fn params(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

/// Calls a tool, again while the index is being built: its text, and whether it is an error.
async fn call(session: &Session, tool: &'static str, arguments: &Value) -> (String, bool) {
    loop {
        let result = session.call_tool(params(tool, arguments)).await.unwrap();
        let [ContentBlock::Text(block)] = result.content.as_slice() else { panic!("{result:?}") };
        assert!(result.structured_content.is_none(), "{result:?}");
        if !block.text.contains("being built") {
            return (block.text.clone(), result.is_error == Some(true));
        }
    }
}

async fn begin(session: &Session, tool: &'static str, arguments: &Value) -> RequestHandle<RoleClient> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params(tool, arguments)));
    session.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap()
}

#[test]
fn tools_are_listed_and_called_as_on_the_command_line() {
    let project = Project::fixture("kotlin/interceptors");
    for lifecycle in lifecycles() {
        run(async {
            let (session, mut child) = connect(&project, lifecycle.clone()).await;
            let names: Vec<String> =
                session.list_all_tools().await.unwrap().iter().map(|tool| tool.name.to_string()).collect();
            assert_eq!(names, ["ctx_explore", "ctx_symbol", "ctx_search", "ctx_status"], "{lifecycle:?}");
            for (tool, arguments, words) in interceptors() {
                let (text, error) = call(&session, tool, &arguments).await;
                assert!(!error, "{text}");
                assert_eq!(text, project.run(words).stdout, "{lifecycle:?} {tool} {arguments}");
            }
            session.cancel().await.unwrap();
            assert!(child.wait().await.unwrap().success(), "{lifecycle:?}");
        });
    }
}

#[test]
fn what_must_be_corrected_is_said_and_the_session_goes_on() {
    let project = Project::fixture("kotlin/interceptors");
    for lifecycle in lifecycles() {
        run(async {
            let (session, _child) = connect(&project, lifecycle).await;
            for (tool, arguments, part) in [
                ("ctx_explore", json!({}), "needs the argument `query`"),
                ("ctx_symbol", json!({"nam": "Call"}), "`name`"),
                ("ctx_search", json!({"pattern": "x", "max_results": 0}), "from 1 to 1000"),
                ("ctx_status", json!({"a": 1}), "takes no arguments"),
            ] {
                let (text, error) = call(&session, tool, &arguments).await;
                assert!(error && text.contains(part), "{tool} {arguments}: {text}");
            }
            match session.call_tool(params("ctx_nothing", &json!({}))).await {
                Err(ServiceError::McpError(error)) => {
                    assert!(error.message.contains("ctx_explore"), "{error}");
                }
                other => panic!("{other:?}"),
            }
            assert!(!call(&session, "ctx_symbol", &json!({"name": "Call"})).await.1);
        });
    }
}

#[test]
fn forty_calls_at_once_while_the_first_index_is_built() {
    let project = Project::large(500);
    run(async {
        let (session, _child) = connect(&project, ClientLifecycleMode::Initialize).await;
        let mut calls = Vec::new();
        for at in 0..40 {
            let name = format!("step_{at}_{at}");
            calls.push((
                format!("module_{at}.py"),
                begin(&session, "ctx_symbol", &json!({"name": name})).await,
            ));
        }
        for (file, call) in calls {
            let answer = call.await_response().await.unwrap();
            let ServerResult::CallToolResult(result) = &answer else { panic!("{answer:?}") };
            let [ContentBlock::Text(block)] = result.content.as_slice() else { panic!("{result:?}") };
            assert!(block.text.contains(&file), "{file}: {}", block.text);
        }
    });
}

#[test]
fn progress_comes_under_the_token_of_the_call_and_a_cancelled_call_ends() {
    let project = Project::large(500);
    for lifecycle in lifecycles() {
        std::fs::remove_dir_all(project.cache()).unwrap();
        run(async {
            let (session, mut child) = connect(&project, lifecycle).await;
            let cancelled = begin(&session, "ctx_explore", &json!({"query": "how does helper step"})).await;
            let asked = begin(&session, "ctx_search", &json!({"pattern": "def step_7_3"})).await;
            let token: ProgressToken = asked.progress_token.clone();
            cancelled.cancel(Some("no longer wanted".to_owned())).await.unwrap();
            let answer = asked.await_response().await.unwrap();
            let ServerResult::CallToolResult(result) = &answer else { panic!("{answer:?}") };
            assert!(format!("{result:?}").contains("module_7.py"), "{result:?}");
            let mine = |notice: &&ProgressNotificationParam| notice.progress_token == token;
            let progress = session.service().progress.lock().unwrap().clone();
            let mut done: Vec<f64> = progress.iter().filter(mine).map(|notice| notice.progress).collect();
            assert!(!done.is_empty(), "{progress:?}");
            assert!(progress.iter().filter(mine).all(|notice| notice.total == Some(500.0)), "{progress:?}");
            let as_it_came = done.clone();
            done.sort_by(f64::total_cmp);
            done.dedup();
            assert_eq!(as_it_came, done, "progress rises with each notice");
            session.cancel().await.unwrap();
            assert!(child.wait().await.unwrap().success());
        });
    }
}
