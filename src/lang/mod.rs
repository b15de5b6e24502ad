//! The languages: one folder each, data only; the registry.

mod resolution;

pub use resolution::*;
pub mod kotlin;
pub mod python;
pub mod rust;
