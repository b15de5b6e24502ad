//! The engine: one root, its index, and a call of a tool on it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::fresh::{Failure, Fresh, Progress, Refreshed, Work};
use super::partial::{Precedence, part};
use super::registry::{EXPLORE, SEARCH, STATUS, SYMBOL, Tool};
use super::search::{self, Search};
use super::view::{Once, Reading, View};
use super::wanted::Wanted;
use super::{Arguments, root};
use crate::explore::{self, Answer, Coverage, Note, Repository, Request, Trace, TraceEvent, Tuning, layout};
use crate::files::Listing;
use crate::index::{self, Index, IndexError, IndexOptions, Stage};
use crate::render::{self, StatusReport};

/// What an engine is made of. The edges read the environment and pass it in.
#[derive(Clone, Debug)]
pub struct Options {
    /// A real folder, as [`root::resolve`] gives it.
    pub root: PathBuf,
    /// The folder below which each root has its index; `None` keeps the index in memory.
    pub index_dir: Option<PathBuf>,
    /// Threads for indexing, at least 1.
    pub threads: usize,
    /// The wall clock, in nanoseconds since the epoch.
    pub now: fn() -> i64,
    /// Redundant siblings are shown as signatures.
    pub adaptive: bool,
}

/// How a call is made.
pub struct Call<'c> {
    /// Asked now and then how much time is left; it never becomes more.
    pub time: &'c (dyn Fn() -> Time + Sync),
    /// Hears what exploration does; changes nothing.
    pub trace: &'c mut dyn Trace,
    pub form: Form,
}

/// How much time a call has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Time {
    /// It may wait for the index.
    Plenty,
    /// It does not wait for the index, but looks for the files that hold what it asks for.
    Short,
    /// It looks for no more of them.
    Little,
    /// It ends soon, with what it has.
    Over,
    /// It ends soon, and nobody wants what it has, nor what it waits for.
    Cancelled,
}

/// What a result is printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text,
    /// The result's value on one line, for programs.
    Json,
    /// A page for people; only answers of `ctx_explore` have one, other results are text.
    Html,
}

/// What a call says and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub ending: Ending,
    /// The result for the caller; ends in a line break.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// An answer.
    Found,
    /// Nothing in the repository fits; the text says what was looked for.
    NothingFound,
    /// The index is not ready yet, or the time ran out before anything was found.
    Unfinished,
    /// The caller must correct something.
    Invalid,
    /// Something around the tool is broken; the text says what to do.
    Failed,
}

impl Outcome {
    /// A sentence in place of a result.
    fn message(ending: Ending, form: Form, text: &str) -> Self {
        #[derive(Serialize)]
        struct Message<'m> {
            message: &'m str,
        }
        let text = match form {
            Form::Html if ending == Ending::NothingFound => {
                let notes = vec![Note::Text(text.to_owned())];
                render::html(&Answer { notes, ..Answer::default() }, "Nothing found")
            }
            Form::Text | Form::Html => format!("{}\n", text.trim_end()),
            Form::Json => render::json(&Message { message: text.trim_end() }),
        };
        Outcome { ending, text }
    }

    fn report<R>(
        found: bool,
        form: Form,
        report: &R,
        text: impl FnOnce(&R) -> String,
        json: impl FnOnce(&R) -> String,
    ) -> Self {
        let ending = if found { Ending::Found } else { Ending::NothingFound };
        let text = match form {
            Form::Text | Form::Html => text(report),
            Form::Json => json(report),
        };
        Outcome { ending, text }
    }
}

/// What a call on one state of the files says.
struct Answered {
    outcome: Outcome,
    /// Some file that it read has changed since.
    outdated: bool,
}

/// Runs calls on one root. Each call sees the files as they are when it comes.
pub struct Engine {
    options: Options,
    index: Arc<Index>,
    fresh: Fresh<View>,
    precedence: Arc<Precedence>,
}

impl Engine {
    /// An engine on a root. Nothing is indexed before the first call or [`Engine::begin`].
    pub fn new(options: &Options) -> Result<Self, String> {
        let index = Index::open(
            &options.root,
            IndexOptions {
                cache_dir: options.index_dir.clone(),
                threads: options.threads,
                refused: Vec::new(),
                now: options.now,
            },
        );
        let index = Arc::new(index.map_err(|error| trouble(&error))?);
        let last: Mutex<Option<Arc<View>>> = Mutex::default();
        let refreshed = index.clone();
        let precedence = Arc::new(Precedence::default());
        let gives_way = precedence.clone();
        let fresh = Fresh::new(move |work| {
            let snapshot = refreshed.refresh(&Listener::new(work, &gives_way));
            gives_way.forget();
            let snapshot = snapshot.map_err(|error| match error {
                IndexError::Cancelled => Failure::Stopped,
                error => Failure::Failed(trouble(&error)),
            })?;
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            match &*last {
                Some(view) if view.is_of(&snapshot) => Ok(view.clone()),
                before => {
                    let view = Arc::new(View::new(snapshot, before.as_deref()));
                    Ok(last.insert(view).clone())
                }
            }
        });
        Ok(Engine { options: options.clone(), index, fresh, precedence })
    }

    pub fn root(&self) -> &Path {
        &self.options.root
    }

    /// There will be many calls: begins to build or refresh the index without waiting for it, and makes what
    /// comes after faster.
    pub fn begin(&self) {
        self.index.watch();
        self.fresh.begin();
    }

    /// What the user should know of where the index is kept. Waits for a refresh that is being made.
    pub fn notices(&self) -> Vec<String> {
        self.index.notices()
    }

    /// Looks, unless it is to stop, whether files have changed without a sign of it. For when there is time.
    pub fn look_again(&self, stop: &(dyn Fn() -> bool + Sync)) {
        self.index.look_again(stop);
    }

    /// How far a running build or refresh is; `None` where none runs.
    pub fn progress(&self) -> Option<Progress> {
        self.fresh.progress()
    }

    #[cfg(test)]
    pub fn precedence(&self) -> &Precedence {
        &self.precedence
    }

    /// Whether an index was ever made.
    #[cfg(test)]
    pub fn is_ready(&self) -> bool {
        self.fresh.last().is_some()
    }

    /// Runs one call. Where the call gives up before the index is ready, the text says how far it is; where it is
    /// cancelled, what it began or waited for stops, unless another call counts on it.
    pub fn call(&self, tool: &Tool, arguments: &Arguments, call: Call<'_>) -> Outcome {
        let form = call.form;
        let path = match root::filter(&self.options.root, arguments.text("path")) {
            Ok(path) => path,
            Err(error) => return Outcome::message(Ending::Invalid, form, &error),
        };
        if tool.name == STATUS.name {
            self.fresh.resume();
            if let Some(progress) = self.fresh.first() {
                return building(progress, form);
            }
        }
        let cancelled = || (call.time)() == Time::Cancelled;
        if cancelled() {
            return Outcome::message(Ending::Unfinished, form, "The call was cancelled.");
        }
        let _caller = self.fresh.caller(&cancelled);
        let asked = self.fresh.ask();
        // Mostly nothing has changed since the last call: its view gives the answer while the refresh looks.
        let likely = (tool.name == EXPLORE.name).then(|| self.fresh.likely(asked)).flatten();
        let early = likely.map(|view| {
            let mut heard: Vec<TraceEvent> = Vec::new();
            let answered = self.answer(&view, tool, arguments, &path, Call { trace: &mut heard, ..call });
            (view, answered, heard)
        });
        let view = match self.fresh.wait(asked, &|| (call.time)() > Time::Plenty) {
            Refreshed::Ready(view) => view,
            Refreshed::Failed(error) => return Outcome::message(Ending::Failed, form, &error),
            Refreshed::Unfinished(progress) => {
                let again = Call { trace: &mut *call.trace, ..call };
                let partly = self.partly(tool, arguments, &path, again, progress);
                let ready = || if cancelled() { None } else { self.fresh.made(asked) };
                match (partly, ready()) {
                    (Some(partly), _) => return partly,
                    // It has become ready meanwhile.
                    (None, Some(view)) => view,
                    (None, None) => {
                        return Outcome::message(Ending::Unfinished, form, &unfinished(progress));
                    }
                }
            }
        };
        let answered = match early {
            Some((of, answered, heard)) if Arc::ptr_eq(&of, &view) => {
                heard.into_iter().for_each(|event| call.trace.event(event));
                answered
            }
            _ => self.answer(&view, tool, arguments, &path, Call { trace: &mut *call.trace, ..call }),
        };
        let outdated = answered.outdated && (call.time)() == Time::Plenty;
        if !outdated && !view.is_damaged() {
            return answered.outcome;
        }
        // A file has changed since the refresh looked, or without a sign of it; or the files of the index were
        // damaged after they were opened. The next refresh sees it.
        self.index.doubt();
        match self.fresh.get(&|| (call.time)() > Time::Plenty) {
            Refreshed::Ready(view) => self.answer(&view, tool, arguments, &path, call).outcome,
            _ if !view.is_damaged() => answered.outcome,
            Refreshed::Failed(error) => Outcome::message(Ending::Failed, form, &error),
            Refreshed::Unfinished(progress) => {
                Outcome::message(Ending::Unfinished, form, &unfinished(progress))
            }
        }
    }

    /// Runs a call on the files that hold what it asks for, and says so. `None` where nothing is found there, or
    /// the result is for programs.
    fn partly(
        &self,
        tool: &Tool,
        arguments: &Arguments,
        path: &str,
        call: Call<'_>,
        progress: Progress,
    ) -> Option<Outcome> {
        let wanted = match tool.name {
            name if name == EXPLORE.name => {
                let keywords = arguments.texts("keywords").iter().map(String::as_str);
                let texts: Vec<&str> = keywords.chain([arguments.text("query")]).collect();
                Wanted::words(&texts)
            }
            name if name == SYMBOL.name => Wanted::name(arguments.text("name")),
            name if name == SEARCH.name => {
                Wanted::Lines(search::matcher(&asked_lines(arguments, path)).ok()?)
            }
            _ => return None,
        };
        if call.form != Form::Text {
            return None;
        }
        let looks = || (call.time)() <= Time::Short && self.fresh.progress().is_some();
        let listing = self.precedence.listing(&looks)?;
        let _first = self.precedence.take();
        let part = part(&self.options, &listing, path, &wanted, call.time)?;
        let label = partial_label(progress, part.files, part.of);
        let arguments = arguments.with_less("max_bytes", label.len() as u64);
        let outcome = self.answer(&part.view, tool, &arguments, path, call).outcome;
        let found = outcome.ending == Ending::Found;
        found.then(|| Outcome { ending: Ending::Found, text: format!("{label}{}", outcome.text) })
    }

    /// Runs a call on one state of the files.
    fn answer(
        &self,
        view: &View,
        tool: &Tool,
        arguments: &Arguments,
        path: &str,
        call: Call<'_>,
    ) -> Answered {
        let reading = Reading::new(view);
        let outcome = self.outcome(view, &reading, tool, arguments, path, call);
        Answered { outcome, outdated: reading.has_missed() }
    }

    fn outcome(
        &self,
        view: &View,
        repository: &Reading<'_>,
        tool: &Tool,
        arguments: &Arguments,
        path: &str,
        call: Call<'_>,
    ) -> Outcome {
        let form = call.form;
        if !path.is_empty() && !repository.graph().files().iter().any(|file| file.path.is_under(path)) {
            let path = layout::beginning(path, PATH);
            let text = format!(
                "No indexed file is at or below `{path}`. Leave out `path`, or see ctx_status for what is \
                 indexed and what is not."
            );
            return Outcome::message(Ending::NothingFound, form, &text);
        }
        let max_bytes = arguments.integer("max_bytes") as usize;
        match tool.name {
            name if name == EXPLORE.name => {
                let request = Request {
                    query: arguments.text("query").to_owned(),
                    keywords: arguments.texts("keywords").to_vec(),
                    path: path.to_owned(),
                    max_turns: arguments.integer("max_turns") as u32,
                    max_bytes,
                    citation: arguments.flag("citation"),
                    adaptive: self.options.adaptive,
                    tuning: Tuning::default(),
                };
                let size = |answer: &Answer| match form {
                    Form::Text | Form::Html => 0,
                    Form::Json => render::json(answer).len(),
                };
                let answer = explore::explore_within(repository, &request, call.trace, &size);
                let text = |answer: &Answer| match form {
                    Form::Html => render::html(answer, &request.query),
                    _ => render::answer(answer),
                };
                Outcome::report(!answer.citations.is_empty(), form, &answer, text, render::json)
            }
            name if name == SYMBOL.name => {
                let coverage = Coverage { broken: view.broken(), building: None, under: path };
                let report = explore::symbol(repository, arguments.text("name"), coverage);
                let found = !report.symbols.is_empty();
                Outcome::report(
                    found,
                    form,
                    &report,
                    |report| render::symbol(report, max_bytes),
                    |report| render::symbol_json(report, max_bytes),
                )
            }
            name if name == SEARCH.name => {
                let search = asked_lines(arguments, path);
                let matcher = match search::matcher(&search) {
                    Ok(matcher) => matcher,
                    Err(error) => return Outcome::message(Ending::Invalid, form, &error),
                };
                let report =
                    search::run(&Once(repository), &search, &matcher, &|| (call.time)() >= Time::Over);
                let found = report.total > 0;
                let shown = Outcome::report(
                    found,
                    form,
                    &report,
                    |report| render::search(report, max_bytes),
                    |report| render::search_json(report, max_bytes),
                );
                match report.unfinished {
                    Some(_) if !found => Outcome { ending: Ending::Unfinished, ..shown },
                    _ => shown,
                }
            }
            name if name == STATUS.name => {
                let report = view.status();
                let text = |report: &StatusReport| render::status(report, STATUS_BYTES);
                Outcome::report(true, form, &report, text, render::json)
            }
            other => Outcome::message(Ending::Invalid, form, &format!("There is no tool `{other}`.")),
        }
    }

    /// The whole symbol graph as sorted JSON lines.
    pub fn dump(&self, give_up: &dyn Fn() -> bool) -> Result<String, String> {
        self.view(give_up).map(|view| render::dump::dump(view.graph()))
    }

    /// What is in the index and what is not, whole.
    pub fn summary(&self, give_up: &dyn Fn() -> bool) -> Result<String, String> {
        self.view(give_up).map(|view| render::status(&view.status(), usize::MAX / 4))
    }

    /// The index's content as it is when the call comes.
    pub fn view(&self, give_up: &dyn Fn() -> bool) -> Result<Arc<View>, String> {
        match self.fresh.get(give_up) {
            Refreshed::Ready(view) => Ok(view),
            Refreshed::Failed(error) => Err(error),
            Refreshed::Unfinished(progress) => Err(unfinished(progress)),
        }
    }
}

/// Bytes of a path that is said back.
const PATH: usize = 200;
/// The most bytes of `ctx_status`.
const STATUS_BYTES: usize = 12_000;

/// What `ctx_search` is asked for.
fn asked_lines(arguments: &Arguments, path: &str) -> Search {
    Search {
        pattern: arguments.text("pattern").to_owned(),
        regex: arguments.flag("regex"),
        ignore_case: arguments.flag("ignore_case"),
        path: path.to_owned(),
        max_results: arguments.integer("max_results") as usize,
    }
}

/// What comes before an answer from a part of the files.
fn partial_label(progress: Progress, files: usize, of: usize) -> String {
    format!(
        "Partial answer: the index is still being built ({}). This is from {files} of {of} files, chosen \
         by what was asked for; calls through other files, and names in them, are missing. The same call is answered \
         from the whole once the index is built; ctx_status says how far it is.\n\n",
        how_far(progress)
    )
}

fn how_far(progress: Progress) -> String {
    let Progress { stage, done, total } = progress;
    match stage {
        Stage::Listing => "its files are being listed".to_owned(),
        Stage::Parsing => format!("{done} of {total} files are parsed"),
        Stage::Resolving => format!("all {total} files are parsed, their references are being resolved"),
        Stage::Writing => format!("all {total} files are parsed, the index is being written"),
    }
}

fn unfinished(progress: Progress) -> String {
    let far = how_far(progress);
    format!(
        "The index of this repository is still being built: {far}. The work goes on; ctx_status says how \
         far it is. Until then, read or grep the files directly."
    )
}

/// The status while the first index is being built.
fn building(progress: Progress, form: Form) -> Outcome {
    let report = StatusReport { building: Some((progress.done, progress.total)), ..StatusReport::default() };
    let text = |report: &StatusReport| render::status(report, STATUS_BYTES);
    let shown = Outcome::report(true, form, &report, text, render::json);
    Outcome { ending: Ending::Unfinished, ..shown }
}

fn trouble(error: &IndexError) -> String {
    match error {
        IndexError::Root(root) => format!("The root cannot be indexed: {root}."),
        IndexError::Cancelled => "The index was not finished. Ask again to begin anew.".to_owned(),
        IndexError::Failed(_) => format!("{error}. Make room or give another folder with --index-dir."),
    }
}

/// Passes on how far a refresh is and what it found, and lets it give way.
struct Listener<'r> {
    work: &'r dyn Work,
    precedence: &'r Precedence,
    last: Mutex<Progress>,
}

impl<'r> Listener<'r> {
    fn new(work: &'r dyn Work, precedence: &'r Precedence) -> Self {
        Listener { work, precedence, last: Mutex::default() }
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut last);
        self.work.report(*last);
    }
}

impl index::Progress for Listener<'_> {
    fn stage(&self, stage: Stage) {
        self.change(|last| last.stage = stage);
    }

    fn listed(&self, listing: &Arc<Listing>) {
        self.precedence.listed(listing);
    }

    fn parsed(&self, done: u32, total: u32) {
        // Threads report out of order; what is done stays done.
        self.change(|last| (last.done, last.total) = (last.done.max(done), total));
        self.precedence.give_way(&|| self.work.is_unwanted());
    }

    fn cancelled(&self) -> bool {
        self.work.is_unwanted()
    }
}
