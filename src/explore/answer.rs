//! The answer as a plain value: what exploration makes and rendering prints.

use serde::Serialize;

use crate::resolve::{EdgeKind, Graph, SymbolId, SymbolKind};
use crate::text::{LineRange, RepoPath};

/// Everything that one call of `ctx_explore` says, in the order in which it is said.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Answer {
    /// Call flows, the main one first. Two half-flows that nothing connects are two.
    pub flows: Vec<Flow>,
    /// Code, by relevance.
    pub sources: Vec<SourceBlock>,
    /// Relevant symbols whose code is not shown, by relevance.
    pub not_shown: Vec<Citation>,
    /// What the reader must know to read the rest rightly.
    pub notes: Vec<Note>,
    /// The `<final_answer>` block: disjoint within a file, by relevance.
    pub citations: Vec<Citation>,
}

/// A path of calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flow {
    pub steps: Vec<FlowStep>,
    /// The question names fewer than two of its steps: the calls are real, but words chose them, and another
    /// flow may be meant.
    pub by_words: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlowStep {
    pub qualified: String,
    pub path: RepoPath,
    pub lines: LineRange,
    /// How control gets from this step to the next; `None` on the last.
    pub hop: Option<Hop>,
}

/// One hop of a flow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hop {
    pub kind: HopKind,
    /// Where the hop is written: the call site; for a dynamic hop the call on the declaration.
    pub path: RepoPath,
    pub line: u32,
    /// For a dynamic hop: the declaration that is called (`Interceptor.intercept`) and what makes the
    /// target one of its implementations.
    pub via: Option<Via>,
    /// Steps left out between the two, to keep the flow short.
    pub elided: u32,
}

/// How one step leads to the next, from the surest to the least sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HopKind {
    /// A call that names its target.
    Calls,
    /// A call on an interface, trait or base method that the next step implements or overrides.
    Dynamic,
    /// The next step is handed over as a value (callback, function reference, decorator).
    Callback,
    /// An instance of the next step's type is made.
    Instantiates,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Via {
    pub qualified: String,
    pub edge: EdgeKind,
    pub path: RepoPath,
    pub line: u32,
}

/// Code of one file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceBlock {
    pub path: RepoPath,
    /// The symbols that the block is about, qualified, by relevance.
    pub symbols: Vec<String>,
    pub form: SourceForm,
    /// Interchangeable types of the file that are shown as signatures amid its code.
    pub elided: Vec<String>,
    /// Lines in ascending order; a gap in the numbers is a gap in the code.
    pub lines: Vec<SourceLine>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceForm {
    /// The whole file, or whole definitions and windows of it.
    Code,
    /// Signature lines only: bodies are elided.
    Skeleton,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceLine {
    pub number: u32,
    /// Without its line break.
    pub text: String,
    /// The rest of its function is left out up to the next line that is shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A line of the citation block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Citation {
    pub path: RepoPath,
    pub lines: LineRange,
    /// The symbol that holds the range; `None` outside of any.
    pub label: Option<(String, SymbolKind)>,
}

impl Citation {
    /// All lines of a symbol.
    pub(super) fn of(graph: &Graph, id: SymbolId) -> Self {
        let symbol = graph.symbol(id);
        let label = (symbol.kind != SymbolKind::Module).then(|| (symbol.qualified.to_string(), symbol.kind));
        Citation { path: graph.path(id).clone(), lines: symbol.lines, label }
    }
}

/// Something the reader must know. Each is one line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Nothing in the repository matches the query.
    NothingFound { terms: Vec<String> },
    /// The query has no searchable word.
    EmptyQuery,
    /// A code-shaped name in the query is defined nowhere; the nearest defined names.
    UnknownName { name: String, near: Vec<String> },
    /// More such names: some of them, and how many there are besides.
    UnknownNames { names: Vec<String>, more: u32 },
    /// Files that have parse errors among those shown: symbols may be missing.
    ParseErrors { path: RepoPath },
    /// Files whose bytes changed while answering; their ranges were withheld.
    Changed { path: RepoPath },
    /// A file's language has no grammar: it is searchable as text only.
    NoSymbols { extension: String },
    /// Code was left out to stay in the budget.
    Truncated { left_out: u32 },
    /// The index is still being built: the answer covers `done` of `total` files.
    Building { done: u32, total: u32 },
    /// Anything else, as a sentence.
    Text(String),
}
