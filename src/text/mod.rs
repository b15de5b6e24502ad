//! Text as bytes and lines: spans, the line index, repository paths, identifier terms.
//!
//! The lowest layer: it imports nothing of this crate.

mod ident;
mod line;
mod notice;
mod path;
mod span;

pub use ident::{code_shaped, parts, terms};
pub use line::LineIndex;
pub use notice::notice_lines;
pub use path::{RepoPath, is_test_path, is_test_support};
pub use span::{LineRange, Span};
