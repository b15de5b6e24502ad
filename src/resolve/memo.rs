//! What inference has found out once: only what does not depend on where it was asked in the file, nor on how much
//! was left to spend. Whoever finds it the first time leaves the keys of it on the trail of the file.

use std::cell::RefCell;

use super::file::{Quick, QuickSet};
use super::symbols::Gid;
use crate::extract::Name;

/// The memo of one file's inference.
#[derive(Default)]
pub(super) struct Memo {
    /// Whether a module sees a trait.
    pub traits: RefCell<Quick<(Gid, Gid), bool>>,
    /// What the order of a type has of a name.
    pub inherited: RefCell<Quick<Gid, Quick<Name, Vec<Gid>>>>,
    /// By file and type, names that code of the file finds no members of in the type.
    pub absent: RefCell<Quick<(u32, Gid), QuickSet<Name>>>,
    /// The companions of a type and of those above it.
    pub companions: RefCell<Quick<Gid, Vec<Gid>>>,
}
