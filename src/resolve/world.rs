//! The tables over all files, and the world: the tables as one trail sees them.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    ResolveInput,
    callables::Callables,
    carried::Carried,
    families::Families,
    file::FileTables,
    kin::Kin,
    modules::{Modules, Place},
    symbols::{Defs, Gid, Layout, Numbers},
    targets::Targets,
    trail::{Key, Keys, Trail},
};
use crate::{extract::SymbolKind, lang::ModuleSystem};

/// The tables that every file is resolved against.
pub(super) struct Tables<'a> {
    pub numbers: Numbers<'a>,
    pub modules: Arc<Modules>,
    pub families: Arc<Families>,
    pub callables: Arc<Callables>,
    /// By file.
    pub targets: Vec<Arc<Targets>>,
}

/// The tables as one trail sees them.
pub(super) struct World<'a> {
    pub defs: Defs<'a>,
    pub modules: &'a Modules,
    pub families: Kin<'a>,
    pub tables: &'a Tables<'a>,
}

impl<'a> Tables<'a> {
    /// Everything but the families of types, which need names first. `layout` fits the files.
    pub fn new(
        inputs: &'a [ResolveInput<'a>],
        files: Vec<Arc<FileTables>>,
        layout: Arc<Layout>,
        carried: Option<&Carried<'_>>,
        keys: &Keys,
    ) -> Self {
        let numbers = Numbers::new(inputs, files, layout, &|at| {
            carried.filter(|carried| !carried.edited[at]).map(|carried| carried.before.held[at].clone())
        });
        tracing::debug!("definitions numbered");
        let (modules, callables) = match carried {
            Some(carried) => (
                carried.before.modules.again(&numbers.defs(&Trail::none()), carried),
                Arc::new(carried.before.callables.again(&numbers, &carried.edited)),
            ),
            None => rayon::join(
                || Arc::new(Modules::new(&numbers.defs(&Trail::none()), inputs.len())),
                || Arc::new(Callables::new(&numbers)),
            ),
        };
        tracing::debug!("modules found");
        let mut tables =
            Tables { numbers, callables, modules, families: Arc::default(), targets: Vec::new() };
        let targets = |file: usize| {
            let known = carried.and_then(|carried| carried.holding(&carried.before.targets, file, keys));
            known.unwrap_or_else(|| Arc::new(Targets::new(&tables, file as u32)))
        };
        tables.targets = (0..inputs.len()).into_par_iter().map(targets).collect();
        tables
    }

    pub fn file(&self, file: u32) -> &FileTables {
        &self.numbers.files[file as usize]
    }

    /// By file.
    pub fn files(&self) -> &[Arc<FileTables>] {
        &self.numbers.files
    }

    pub fn world<'t>(&'t self, trail: &'t Trail) -> World<'t> {
        let defs = self.numbers.defs(trail);
        World { defs, modules: &self.modules, families: Kin::new(&self.families, defs), tables: self }
    }

    /// What the imports of a file mean, by their index; `None` before that is worked out.
    pub fn targets(&self, file: u32) -> Option<&[Vec<Place>]> {
        self.targets.get(file as usize).map(|targets| targets.places.as_slice())
    }
}

impl<'a> World<'a> {
    /// Whether a definition is built together with a file.
    pub fn sees(&self, file: u32, gid: Gid) -> bool {
        let platforms = |file: u32| self.tables.file(file).platforms;
        platforms(file) & platforms(self.defs.file(gid)) != 0
    }

    /// By branch of a file, where the last of it and those before it ends.
    pub fn branch_ends(&self, file: u32) -> &'a [u32] {
        &self.tables.file(file).branch_ends
    }

    /// The bindings of a name in a file, by (scope start, name start).
    pub fn bindings_of(&self, file: u32, name: &str) -> &'a [u32] {
        self.trail().of_file(file, || self.defs.key(file).named(name));
        self.defs.facts(file).map_or(&[], |facts| self.tables.file(file).bound(facts, name))
    }

    pub fn trail(&self) -> &'a Trail {
        self.defs.trail
    }

    /// The method of a name where no other callable of the language has it.
    pub fn only_method(&self, file: u32, name: &str) -> Option<Gid> {
        self.trail().key(|| Key::callable(name));
        let family = self.defs.input(file).rules?.family;
        let only = self.tables.callables.only(&self.tables.numbers, family, name)?;
        matches!(self.defs.kind(only), SymbolKind::Method).then_some(only)
    }

    /// The macros of a name.
    pub fn macros(&self, name: &str) -> &'a [Gid] {
        self.trail().key(|| Key::callable(name));
        self.tables.callables.macros(name)
    }

    pub fn files(&self) -> std::ops::Range<u32> {
        0..self.tables.files().len() as u32
    }

    pub fn system(&self, file: u32) -> Option<&'static ModuleSystem> {
        self.defs.input(file).rules.map(|rules| &rules.modules)
    }

    /// What an import means: for a wildcard what it opens, else what it names, and `Foreign` for what
    /// is not found in the repository. Several places where one name is a module and a value, too.
    pub fn import(&self, file: u32, at: u32) -> &'a [Place] {
        &self.tables.targets[file as usize].places[at as usize]
    }

    /// The imports of a file, by their index.
    pub fn imports_of(&self, file: u32) -> std::ops::Range<u32> {
        self.trail().of_file(file, || self.defs.key(file).whole());
        0..self.tables.targets(file).map_or(0, |list| list.len() as u32)
    }
}
