//! References → edges, each with a reason and a confidence.

mod graph;

pub use graph::*;
