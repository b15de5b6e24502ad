//! Plain values → text, pure: the same value gives the same bytes.

mod answer;

pub use answer::{answer, answer_json};
