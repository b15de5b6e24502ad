//! Plain values → text, pure: the same value gives the same bytes.

mod answer;
pub mod dump;
mod html;
mod page;
mod search;
mod status;
mod symbol;
mod within;

use serde::Serialize;

pub use answer::answer;
pub use html::html;
pub use search::search;
pub use status::{StatusReport, status};
pub use symbol::symbol;
pub use within::{search_json, symbol_json};

/// A report or an answer as JSON on one line: its fields by their names.
pub fn json(value: &impl Serialize) -> String {
    let mut out = serde_json::to_string(value).expect("the values have no maps and no fallible parts");
    out.push('\n');
    out
}
