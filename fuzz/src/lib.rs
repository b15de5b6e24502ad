//! What the fuzz targets check. Each module takes any bytes and panics where something does not hold.

pub mod cache;
pub mod extraction;
pub mod lines;
pub mod query;

use std::path::{Path, PathBuf};

/// A folder of the product's repository.
fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}
