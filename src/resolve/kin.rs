//! The families of types as one trail sees them.

use super::{
    families::Families,
    lineage::{Blanket, Super},
    symbols::{Defs, Gid},
    trail::Key,
    types::Ty,
};
use crate::extract::Name;

/// Reads of the families; each is noted.
#[derive(Clone, Copy)]
pub(super) struct Kin<'a> {
    families: &'a Families,
    defs: Defs<'a>,
}

impl<'a> Kin<'a> {
    pub fn new(families: &'a Families, defs: Defs<'a>) -> Self {
        Kin { families, defs }
    }

    /// What is known of a type changes with the type.
    fn noted(&self, gid: Gid) -> &'a Families {
        self.defs.def(gid);
        self.families
    }

    /// The blocks that add members to a type, in order of files.
    pub fn extensions(&self, gid: Gid) -> &'a [Gid] {
        self.noted(gid).extensions(gid)
    }

    /// The type that a block extends.
    pub fn owner(&self, block: Gid) -> Option<Gid> {
        self.noted(block).owner(block)
    }

    /// The blocks for a type outside the repository, by its simple name.
    pub fn foreign(&self, name: &str) -> &'a [Gid] {
        self.defs.trail.key(|| Key::foreign(name));
        self.families.foreign(name)
    }

    pub fn blankets(&self) -> &'a [Blanket] {
        self.defs.trail.key(Key::blankets);
        self.families.blankets()
    }

    /// The direct supertypes, in order of declaration.
    pub fn supers(&self, gid: Gid) -> &'a [Super] {
        self.noted(gid).supers(gid)
    }

    /// A type and its supertypes in the order in which they are asked for a member.
    pub fn order(&self, gid: Gid) -> &'a [Gid] {
        self.noted(gid).order(gid)
    }

    /// How deep each in a type's order lies, where depth decides.
    pub fn depths(&self, gid: Gid) -> &'a [u32] {
        self.noted(gid).depths(gid)
    }

    /// The others in a type's order that lie as deep as the one at a place, where depth decides.
    pub fn rivals(&self, gid: Gid, place: usize) -> impl Iterator<Item = Gid> {
        self.noted(gid).rivals(gid, place)
    }

    /// What a type's instances deref to.
    pub fn deref(&self, gid: Gid) -> Option<&'a Ty> {
        self.noted(gid).deref(gid)
    }

    /// The other declarations of a type that is defined once for each platform.
    pub fn twins(&self, gid: Gid) -> &'a [Gid] {
        self.noted(gid).twins(gid)
    }

    /// Whether a supertype anywhere above is outside the repository.
    pub fn has_foreign_supertype(&self, gid: Gid) -> bool {
        self.noted(gid).has_foreign_supertype(gid)
    }

    /// The simple names of the direct supertypes outside the repository.
    pub fn foreign_names(&self, gid: Gid) -> &'a [Name] {
        self.noted(gid).foreign_names(gid)
    }

    /// Whether a blanket block is for a type.
    pub fn covers(&self, blanket: &Blanket, gid: Gid) -> bool {
        self.order(gid).iter().for_each(|&above| {
            self.defs.def(above);
        });
        self.families.covers(blanket, gid)
    }

    /// Whether a foreign type's first argument, not its last, is what it yields.
    pub fn is_generator(&self, foreign: &str) -> bool {
        self.families.is_generator(foreign)
    }

    /// Whether a foreign type's only value stands for a missing one.
    pub fn is_nothing(&self, foreign: &str) -> bool {
        self.families.is_nothing(foreign)
    }

    /// Whether a foreign type takes every value.
    pub fn is_top(&self, foreign: &str) -> bool {
        self.families.is_top(foreign)
    }

    pub fn is_transparent(&self, foreign: &str) -> bool {
        self.families.is_transparent(foreign)
    }

    /// Whether a member of a transparent type is one of what is in it.
    pub fn shows(&self, foreign: &str, member: &str) -> bool {
        self.families.shows(foreign, member)
    }
}
