//! A question → `Answer`: the bounded forage-focus-deepen loop, the spine, the sizing.

mod anchors;
mod answer;
mod asked;
mod baseline;
mod bm25f;
mod budget;
mod called;
mod callers;
mod evidence;
mod features;
mod findings;
mod handing;
mod hops;
mod knobs;
pub mod layout;
mod lines;
mod lookup;
mod mention;
mod named;
mod names;
mod notes;
mod paths;
mod phrasing;
mod plan;
mod query;
mod rank;
mod repository;
mod rounds;
mod search;
mod sections;
mod select;
mod siblings;
mod signals;
mod sizing;
mod skeleton;
mod spine;
mod storing;
mod symbol;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod testing_project;
mod tokens;
mod trace;
mod values;
mod ways;
mod words;

pub use answer::*;
pub use baseline::{bm25, grep};
pub use budget::answer;
pub use features::{FileFeatures, RangeFeatures, features};
pub use findings::{Findings, Named, NamedSymbol, Scored};
pub use knobs::{KNOBS, Knob, Tuning};
pub use mention::near_names;
pub use names::{NameIndex, fold};
pub use query::Query;
pub use repository::{Repository, Source};
pub use search::{SearchHit, SearchReport, holder};
pub use signals::{RANGE_SIGNALS, SIGNALS, Signal};
pub use symbol::{Coverage, Neighbour, SymbolEntry, SymbolReport, symbol};
pub use trace::{NoTrace, Phase, Trace, TraceEvent};
pub use words::is_stop_word;

/// A question and its options.
#[derive(Clone, Debug)]
pub struct Request {
    pub query: String,
    /// The caller's own search terms; they come before those of the query.
    pub keywords: Vec<String>,
    /// Only files at or below this path are cited; empty for the whole repository.
    pub path: String,
    /// The most rounds of the loop.
    pub max_turns: u32,
    /// The most bytes of the rendered answer, everything included.
    pub max_bytes: usize,
    /// The answer will be rendered as its citation block alone.
    pub citation: bool,
    /// Redundant siblings are shown as signatures.
    pub adaptive: bool,
    /// The constants of searching; other than the product's own only in an evaluation.
    pub tuning: Tuning,
}

impl Default for Request {
    fn default() -> Self {
        Request {
            query: String::new(),
            keywords: Vec::new(),
            path: String::new(),
            max_turns: 3,
            max_bytes: 24_000,
            citation: false,
            adaptive: true,
            tuning: Tuning::default(),
        }
    }
}

/// Answers a question. The answer is a function of the repository's snapshot, the request and the product
/// version; `trace` hears of each stage and changes nothing.
pub fn explore(repo: &dyn Repository, request: &Request, trace: &mut dyn Trace) -> Answer {
    explore_within(repo, request, trace, &|_| 0)
}

/// The same for a reader to whom an answer is of another size than its text.
pub fn explore_within(
    repo: &dyn Repository,
    request: &Request,
    trace: &mut dyn Trace,
    size: &dyn Fn(&Answer) -> usize,
) -> Answer {
    let mut query = Query::with(&request.query, &request.keywords, &request.tuning);
    query.wants_tests |= repo.graph().is_mostly_tests();
    asked::settle_paths(repo.graph(), &mut query);
    if query.is_empty() {
        return Answer { notes: vec![Note::EmptyQuery], ..Answer::default() };
    }
    let findings = rounds::run(repo, request, &query, trace);
    budget::answer_within(repo, request, &findings, size)
}
