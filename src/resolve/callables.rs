//! Callables and macros by name, wherever they are.

use std::hash::{Hash, Hasher};

use super::{
    file::FileTables,
    references::only,
    symbols::{Gid, Numbers},
    trail::Mixed,
};
use crate::{
    extract::{Name, SymbolKind},
    lang::ResolutionRules,
};

#[derive(Default)]
pub(super) struct Callables {
    /// By a hash of the family of languages and the name, then by number. Two names may have one hash.
    methods: Vec<(u32, Gid)>,
    /// By name, then by number. They are found by the text's order, not only by paths.
    macros: Vec<(Name, Gid)>,
    /// The numbers of `macros`.
    macro_gids: Vec<Gid>,
}

fn hashed(family: &str, name: &str) -> u32 {
    let mut hash = Mixed::default();
    (family, name).hash(&mut hash);
    let hash = hash.finish();
    (hash ^ hash >> 32) as u32
}

impl Callables {
    pub fn new(numbers: &Numbers<'_>) -> Self {
        let mut all = Callables::default();
        (0..numbers.files.len() as u32).for_each(|file| all.add(numbers, file));
        all.sorted()
    }

    /// Those of before, but for the files that were edited.
    pub fn again(&self, numbers: &Numbers<'_>, edited: &[bool]) -> Self {
        let kept = |gid: Gid| !edited[numbers.place(gid).0 as usize];
        let mut all = Callables {
            methods: self.methods.iter().copied().filter(|(_, gid)| kept(*gid)).collect(),
            macros: self.macros.iter().filter(|(_, gid)| kept(*gid)).cloned().collect(),
            macro_gids: Vec::new(),
        };
        (0..).zip(edited).filter(|(_, edited)| **edited).for_each(|(file, _)| all.add(numbers, file));
        all.sorted()
    }

    fn add(&mut self, numbers: &Numbers<'_>, file: u32) {
        let input = numbers.input(file);
        let family = input.rules.unwrap_or(&ResolutionRules::NONE).family;
        for (at, name, kind) in FileTables::callables(input) {
            let gid = numbers.gid(file, at);
            if kind == SymbolKind::Macro {
                self.macros.push((name.into(), gid));
            } else {
                self.methods.push((hashed(family, name), gid));
            }
        }
    }

    fn sorted(mut self) -> Self {
        self.methods.sort();
        self.macros.sort();
        self.macro_gids = self.macros.iter().map(|(_, gid)| *gid).collect();
        self
    }

    /// The callable of a name where a family of languages has no other of it.
    pub fn only(&self, numbers: &Numbers<'_>, family: &str, name: &str) -> Option<Gid> {
        let hash = hashed(family, name);
        let from = self.methods.partition_point(|(other, _)| *other < hash);
        let same = self.methods[from..].iter().take_while(|(other, _)| *other == hash);
        let found = same.map(|(_, gid)| *gid).filter(|&gid| {
            let (file, def) = numbers.place(gid);
            let input = numbers.input(file);
            let named = input.facts.is_some_and(|facts| facts.defs[def as usize].name == name);
            named && input.rules.unwrap_or(&ResolutionRules::NONE).family == family
        });
        only(found)
    }

    /// The macros of a name.
    pub fn macros(&self, name: &str) -> &[Gid] {
        let from = self.macros.partition_point(|(other, _)| other.as_str() < name);
        let to = self.macros.partition_point(|(other, _)| other.as_str() <= name);
        &self.macro_gids[from..to]
    }
}
