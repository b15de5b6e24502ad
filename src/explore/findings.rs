//! `Findings`: what the loop found, before anything is shown. Retrieval makes it, the spine, the sizing
//! and the budget read it.

use super::{Citation, Note};
use crate::resolve::{FileId, SymbolId};

/// The seam between searching and showing. A plain value: the same findings over the same repository give
/// the same answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Candidate symbols by (score descending, path, line). No symbol is twice in it; modules are not.
    pub symbols: Vec<Scored>,
    /// Files by (score descending, path); the best first.
    pub files: Vec<(FileId, f32)>,
    /// The code-shaped names of the query in its order.
    pub named: Vec<NamedSymbol>,
    /// What the query asks for by an exact name, a place or a path, in the order in which it is to be shown.
    pub asked: Vec<SymbolId>,
    /// The first of the ranges that are of what is asked for.
    pub leading: usize,
    /// The ranges worth citing by relevance, with their symbols.
    pub ranges: Vec<Citation>,
    /// Ranges that are worth a line of a citation block, but no code.
    pub tail: Vec<Citation>,
    /// The question asks for the way from one thing to another.
    pub directed: bool,
    /// The first line asks how something works.
    pub question: bool,
    /// The query is a list of names: a flow through them is what is asked for.
    pub names_only: bool,
    /// The question is about tests: test code may be shown and may join a flow.
    pub wants_tests: bool,
    pub notes: Vec<Note>,
}

impl Findings {
    /// The score of the best file, above 0.
    pub fn best_file(&self) -> f32 {
        self.files.first().map_or(1.0, |file| file.1.max(f32::MIN_POSITIVE))
    }
}

/// A symbol that the loop thinks relevant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub symbol: SymbolId,
    /// Above 0; the best of a query is about 1.
    pub score: f32,
    pub named: Named,
}

/// How far the query names a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// Not at all: found by words.
    #[default]
    No,
    /// By plain words that together make up its name ("error code" for `ErrorCode`).
    Words,
    /// By its own name.
    Name,
    /// By its name together with its container's (`RealCall.execute`).
    Qualified,
}

/// A code-shaped name of the query.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSymbol {
    /// As the query writes it: `execute`, `RealCall.execute`, `http2::Stream`.
    pub name: String,
    /// What it can mean, the likeliest first; empty for a name that is defined nowhere.
    pub symbols: Vec<SymbolId>,
    /// The query names it as something that is called: `run()`, or all it can mean is callable.
    pub callable: bool,
}
