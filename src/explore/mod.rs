//! A question → `Answer`: the bounded forage-focus-deepen loop, the spine, the sizing.

mod answer;
mod findings;
mod names;
mod repository;

pub use answer::*;
pub use findings::{Findings, Named, NamedSymbol, Scored};
pub use names::{NameIndex, fold};
pub use repository::{Repository, Source};

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
        }
    }
}
