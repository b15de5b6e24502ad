//! The handler that rmcp drives: the list of tools and their calls.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig,
    Tool as ToolModel, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, Peer, RoleServer, ServerHandler};
use tokio::sync::{OnceCell, watch};

use super::{GRACE, HURRY};
use crate::explore::NoTrace;
use crate::tools::registry::{INSTRUCTIONS, TOOLS, Tool, find};
use crate::tools::{
    Arguments, Call, Ending, Engine, Form, Options, Outcome, Surroundings, Time, document, resolve_root,
};

/// A call waits this long for the index, then answers from the files that hold what it asks for.
const HASTE: Duration = Duration::from_secs(10);
/// It looks for these files until then.
const LOOKED: Duration = Duration::from_secs(15);
/// After this long it ends: with what it has, or by saying how far the index is.
const PATIENCE: Duration = Duration::from_secs(20);
/// So long after an answer there is time for what no call waits for.
const IDLE: Duration = Duration::from_millis(200);
/// A client that offers roots is asked for them this long.
const ROOTS: Duration = Duration::from_secs(2);
/// How often a waiting call reports progress.
const REPORT: Duration = Duration::from_millis(200);
/// How often it looks whether there is any, before the first report.
const FIRST_REPORT: Duration = Duration::from_millis(20);

pub struct Server {
    surroundings: Surroundings,
    options: Options,
    /// Made once the root is known: at the start where it is explicit, else after the client's greeting.
    engine: OnceCell<Result<Arc<Engine>, String>>,
    input_ended: watch::Receiver<bool>,
    /// The number of calls that have come.
    calls: Arc<AtomicU64>,
}

impl Server {
    pub fn new(surroundings: Surroundings, options: Options, input_ended: watch::Receiver<bool>) -> Self {
        Server { surroundings, options, engine: OnceCell::new(), input_ended, calls: Arc::default() }
    }

    /// Begins to index where no client is needed to know the root.
    pub fn begin(&self) {
        if self.surroundings.explicit.is_some() {
            // Only the first to set it counts, and nobody else has begun.
            let _ = self.engine.set(self.open(Vec::new()));
        }
    }

    fn open(&self, offered: Vec<PathBuf>) -> Result<Arc<Engine>, String> {
        let surroundings = Surroundings { offered, ..self.surroundings.clone() };
        let root = resolve_root(&surroundings).map_err(|error| error.to_string())?;
        let engine = Engine::new(&Options { root, ..self.options.clone() })?;
        engine.begin();
        Ok(Arc::new(engine))
    }

    async fn engine(&self, peer: &Peer<RoleServer>) -> Result<Arc<Engine>, String> {
        let make = async { self.open(self.offered(peer).await) };
        self.engine.get_or_init(|| make).await.clone()
    }

    /// The folders that the client offers as roots; none where it does not say in time.
    #[expect(deprecated, reason = "clients of earlier protocol versions offer roots")]
    async fn offered(&self, peer: &Peer<RoleServer>) -> Vec<PathBuf> {
        // Newer protocol versions have no requests from server to client, and no stored greeting either.
        let offers = peer.peer_info().is_some_and(|info| info.capabilities.roots.is_some());
        if !offers {
            return Vec::new();
        }
        let mut input_ended = self.input_ended.clone();
        let asked = tokio::time::timeout(ROOTS, peer.list_roots());
        let answer = tokio::select! {
            answer = asked => answer,
            () = super::end_of(&mut input_ended) => return Vec::new(),
        };
        let Ok(Ok(result)) = answer else { return Vec::new() };
        result.roots.iter().filter_map(|root| file_path(&root.uri)).collect()
    }

    /// Runs a call on a blocking thread. It ends early where the client cancels it, the input ends or its
    /// patience is used up.
    async fn run(
        &self,
        engine: Arc<Engine>,
        tool: &'static Tool,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Outcome {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        let cancelled = context.ct.clone();
        let begun = Instant::now();
        let mut work = {
            let (stop, engine) = (stop.clone(), engine.clone());
            tokio::task::spawn_blocking(move || {
                let time = || match begun.elapsed() {
                    _ if cancelled.is_cancelled() => Time::Cancelled,
                    _ if stop.load(Ordering::Relaxed) => Time::Over,
                    elapsed if elapsed < HASTE => Time::Plenty,
                    elapsed if elapsed < LOOKED => Time::Short,
                    elapsed if elapsed < PATIENCE => Time::Little,
                    _ => Time::Over,
                };
                let call = Call { time: &time, trace: &mut NoTrace, form: Form::Text };
                engine.call(tool, &arguments, call)
            })
        };
        let mut input_ended = self.input_ended.clone();
        let mut ended = None;
        let token = context.meta.get_progress_token();
        let mut reported = None;
        loop {
            tokio::select! {
                done = &mut work => {
                    self.look_again_later(engine);
                    return done.unwrap_or_else(|_| broken(tool));
                }
                () = super::end_of(&mut input_ended), if ended.is_none() => {
                    ended = Some(tokio::time::Instant::now());
                }
                () = after(ended, HURRY) , if !stop.load(Ordering::Relaxed) => {
                    stop.store(true, Ordering::Relaxed);
                }
                () = after(ended, GRACE) => return given_up(tool),
                () = tokio::time::sleep(reported.map_or(FIRST_REPORT, |_| REPORT)), if token.is_some() => {
                    if let Some(token) = &token {
                        report(&context.peer, token, &engine, &mut reported).await;
                    }
                }
            }
        }
    }

    /// Has everything looked at again, unless another call comes before.
    fn look_again_later(&self, engine: Arc<Engine>) {
        let (calls, input_ended) = (self.calls.clone(), self.input_ended.clone());
        let call = calls.load(Ordering::Relaxed);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            let stop = move || *input_ended.borrow() || calls.load(Ordering::Relaxed) != call;
            if !stop() {
                tokio::task::spawn_blocking(move || engine.look_again(&stop));
            }
        });
    }
}

/// Waits until so long after a moment; forever where there is none.
async fn after(moment: Option<tokio::time::Instant>, long: Duration) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment + long).await,
        None => std::future::pending().await,
    }
}

/// Tells how many files are done, where that are more than `reported`: what is reported must rise.
async fn report(peer: &Peer<RoleServer>, token: &ProgressToken, engine: &Engine, reported: &mut Option<u32>) {
    let rises = |done: u32| reported.is_none_or(|reported| done > reported);
    if let Some(progress) = engine.progress().filter(|progress| progress.total > 0 && rises(progress.done)) {
        *reported = Some(progress.done);
        let notice = ProgressNotificationParam::new(token.clone(), f64::from(progress.done))
            .with_total(f64::from(progress.total))
            .with_message("indexing files");
        // A client that is gone needs no progress.
        let _ = peer.notify_progress(notice).await;
    }
}

fn broken(tool: &Tool) -> Outcome {
    let text = format!(
        "{} failed by an internal error, reported on stderr. The server goes on: try other arguments, or \
         read and grep the files directly.\n",
        tool.name
    );
    Outcome { ending: Ending::Failed, text }
}

fn given_up(tool: &Tool) -> Outcome {
    let text = format!("{} was not finished: the input ended before the answer was ready.\n", tool.name);
    Outcome { ending: Ending::Unfinished, text }
}

/// The path of a `file://` URI.
fn file_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = path.bytes();
    while let Some(byte) = at.next() {
        if byte == b'%' {
            let hex = [at.next()?, at.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

fn model(tool: &'static Tool) -> ToolModel {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    ToolModel::new(tool.name, tool.description, Arc::new(document::input_schema(tool)))
        .with_title(tool.title)
        .with_annotations(annotations)
        .with_meta(rmcp::model::MetaObject(document::meta(tool)))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("ctx-explore", env!("CARGO_PKG_VERSION")).with_title("ctx-explore"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // Begins to index; a call that comes meanwhile waits for the same engine.
        let _ = self.engine(&context.peer).await;
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(model).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<ToolModel> {
        find(name).map(model)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = find(&request.name) else {
            let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let shown: String = request.name.chars().take(60).collect();
            let text = format!("There is no tool `{shown}`. The tools are: {}.", known.join(", "));
            return Err(ErrorData::invalid_params(Cow::Owned(text), None));
        };
        let arguments = match Arguments::check(tool, &request.arguments.unwrap_or_default()) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(refused(error.to_string())),
        };
        let engine = match self.engine(&context.peer).await {
            Ok(engine) => engine,
            Err(error) => return Ok(refused(error)),
        };
        let outcome = self.run(engine, tool, arguments, &context).await;
        Ok(match outcome.ending {
            Ending::Found | Ending::NothingFound | Ending::Unfinished => {
                CallToolResult::success(vec![ContentBlock::text(outcome.text)]).into()
            }
            Ending::Invalid | Ending::Failed => refused(outcome.text),
        })
    }
}

fn refused(text: String) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(text)]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_read_from_file_uris() {
        assert_eq!(file_path("file:///a/b%20c"), Some(PathBuf::from("/a/b c")));
        assert_eq!(file_path("file://localhost/a"), Some(PathBuf::from("/a")));
        assert_eq!(file_path("https://host/a"), None);
        assert_eq!(file_path("file://host/a"), None);
        assert_eq!(file_path("file:///a%2"), None);
    }
}
