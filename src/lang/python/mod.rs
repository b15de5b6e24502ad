//! Python as data.

pub mod resolution;
