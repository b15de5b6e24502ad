//! Kotlin as data.

pub mod resolution;
