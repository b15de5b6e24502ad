//! Rust as data.

pub mod resolution;
