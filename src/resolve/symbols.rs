//! Definitions of all files under one numbering, and the symbols among them.
//!
//! A `Gid` numbers every definition of every file, in the order of files and of their `defs`. All but
//! extension blocks and modules that another file defines become symbols.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::{
    FileId, ResolveInput, Symbol, SymbolId,
    families::Families,
    file::{FileTables, Lasting},
    trail::{FileKey, Trail},
    world::Tables,
};
use crate::{
    extract::{Def, DefId, FileFacts, Name, SymbolKind},
    lang::ResolutionRules,
    text::{LineRange, Span},
};

/// A definition's number over all files. Valid for one resolution only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Gid(pub u32);

/// Which numbers the definitions of each file have. A file has room for some more of them than it has
/// definitions, so that an edit leaves the numbers of all other files as they are.
pub(super) struct Layout {
    /// The number of a file's first definition; one more at the end.
    base: Vec<u32>,
    /// By number; also of those that are no definition's.
    file_of: Vec<u32>,
}

impl Layout {
    pub fn new(files: &[Arc<FileTables>]) -> Self {
        let mut layout = Layout { base: Vec::with_capacity(files.len() + 1), file_of: Vec::new() };
        for (at, file) in (0..).zip(files) {
            layout.base.push(layout.file_of.len() as u32);
            let count = file.lasting.len();
            let room = if count == 0 { 0 } else { count + count / 8 + 4 };
            layout.file_of.resize(layout.file_of.len() + room, at);
        }
        layout.base.push(layout.file_of.len() as u32);
        layout
    }

    /// Whether as many files have room for their definitions.
    pub fn fits(&self, files: &[Arc<FileTables>]) -> bool {
        let fits = |(at, file): (usize, &Arc<FileTables>)| {
            file.lasting.len() <= (self.base[at + 1] - self.base[at]) as usize
        };
        files.len() + 1 == self.base.len() && files.iter().enumerate().all(fits)
    }

    /// The file of a definition, and its number there.
    pub fn place(&self, gid: Gid) -> (u32, DefId) {
        let file = self.file_of[gid.0 as usize];
        (file, gid.0 - self.base[file as usize])
    }

    pub fn gid(&self, file: u32, def: DefId) -> Gid {
        Gid(self.base[file as usize] + def)
    }

    /// The numbers of a file.
    pub fn range(&self, file: u32) -> Range<u32> {
        self.base[file as usize]..self.base[file as usize + 1]
    }

    /// One more than the last number.
    pub fn end(&self) -> usize {
        self.file_of.len()
    }
}

/// Every definition, and which of them each definition directly holds.
pub(super) struct Numbers<'a> {
    inputs: &'a [ResolveInput<'a>],
    pub layout: Arc<Layout>,
    /// By file.
    pub files: Vec<Arc<FileTables>>,
    /// By file, what its definitions hold, as `FileTables::held`.
    pub held: Vec<Arc<[Gid]>>,
}

/// The definitions as one trail sees them.
#[derive(Clone, Copy)]
pub(super) struct Defs<'a> {
    numbers: &'a Numbers<'a>,
    pub trail: &'a Trail,
}

impl<'a> Numbers<'a> {
    /// `files` are the tables of each file, `layout` one that fits them; `known` gives what the definitions of
    /// a file hold that has the tables and the numbers of before.
    pub fn new(
        inputs: &'a [ResolveInput<'a>],
        files: Vec<Arc<FileTables>>,
        layout: Arc<Layout>,
        known: &dyn Fn(usize) -> Option<Arc<[Gid]>>,
    ) -> Self {
        let held = |(at, file): (usize, &Arc<FileTables>)| {
            let gids = || file.held.iter().map(|&def| layout.gid(at as u32, def)).collect();
            known(at).unwrap_or_else(gids)
        };
        let held = files.iter().enumerate().map(held).collect();
        Numbers { inputs, layout, files, held }
    }

    pub fn defs<'t>(&'t self, trail: &'t Trail) -> Defs<'t> {
        Defs { numbers: self, trail }
    }

    /// The file of a definition, and its number there.
    pub fn place(&self, gid: Gid) -> (u32, DefId) {
        self.layout.place(gid)
    }

    pub fn gid(&self, file: u32, def: DefId) -> Gid {
        self.layout.gid(file, def)
    }

    pub fn input(&self, file: u32) -> &'a ResolveInput<'a> {
        &self.inputs[file as usize]
    }

    /// The number of a definition that lasts.
    pub fn lasting(&self, gid: Gid) -> Lasting {
        let (file, def) = self.place(gid);
        self.files[file as usize].lasting[def as usize]
    }
}

impl<'a> Defs<'a> {
    /// The definitions of a file, in order.
    pub fn of_file(&self, file: u32) -> impl Iterator<Item = Gid> + use<> {
        let base = self.numbers.layout.base[file as usize];
        let count = self.numbers.files[file as usize].lasting.len() as u32;
        (base..base + count).map(Gid)
    }

    pub fn file(&self, gid: Gid) -> u32 {
        self.numbers.layout.file_of[gid.0 as usize]
    }

    /// Makes the keys of a file.
    pub fn key(&self, file: u32) -> FileKey {
        self.numbers.files[file as usize].key
    }

    pub fn local(&self, gid: Gid) -> DefId {
        self.numbers.place(gid).1
    }

    pub fn gid(&self, file: u32, def: DefId) -> Gid {
        self.numbers.gid(file, def)
    }

    /// The file's module; `None` for a file without facts.
    pub fn module(&self, file: u32) -> Option<Gid> {
        let facts = self.facts(file)?;
        (!facts.defs.is_empty()).then(|| self.gid(file, 0))
    }

    pub fn input(&self, file: u32) -> &'a ResolveInput<'a> {
        &self.numbers.inputs[file as usize]
    }

    pub fn facts(&self, file: u32) -> Option<&'a FileFacts> {
        self.numbers.inputs[file as usize].facts
    }

    pub fn rules(&self, gid: Gid) -> &'static ResolutionRules {
        self.numbers.inputs[self.file(gid) as usize].rules.unwrap_or(&ResolutionRules::NONE)
    }

    pub fn def(&self, gid: Gid) -> &'a Def {
        let file = self.file(gid);
        let facts = self.numbers.inputs[file as usize].facts.expect("a numbered definition comes from facts");
        let def = &facts.defs[self.local(gid) as usize];
        self.trail.definition(gid, file, || self.key(file).named(&def.name));
        def
    }

    pub fn kind(&self, gid: Gid) -> SymbolKind {
        self.def(gid).kind
    }

    /// The definition that lexically holds this one.
    pub fn container(&self, gid: Gid) -> Option<Gid> {
        let container = self.def(gid).container?;
        Some(self.gid(self.file(gid), container))
    }

    /// The definition itself, then its containers, innermost first.
    pub fn chain(&self, gid: Gid) -> impl Iterator<Item = Gid> + '_ {
        std::iter::successors(Some(gid), |&at| self.container(at))
    }

    /// The innermost module that holds the definition; a module is its own.
    pub fn module_of(&self, gid: Gid) -> Gid {
        self.chain(gid)
            .find(|&at| self.kind(at) == SymbolKind::Module)
            .unwrap_or_else(|| self.gid(self.file(gid), 0))
    }

    /// What the definition directly holds, by name.
    pub fn children(&self, gid: Gid) -> &'a [Gid] {
        let file = self.file(gid);
        self.trail.of_file(file, || self.key(file).held(&self.def(gid).name));
        self.held(gid)
    }

    fn held(&self, gid: Gid) -> &'a [Gid] {
        let numbers = self.numbers;
        let (file, def) = numbers.place(gid);
        let from = &numbers.files[file as usize].held_from;
        &numbers.held[file as usize][from[def as usize] as usize..from[def as usize + 1] as usize]
    }

    /// What the definition directly holds under a name, in order of position.
    pub fn named(&self, gid: Gid, name: &str) -> &'a [Gid] {
        let file = self.file(gid);
        self.trail.of_file(file, || self.key(file).named(name));
        let (children, facts) = (self.held(gid), self.facts(file));
        let Some(facts) = facts.filter(|_| !children.is_empty()) else { return &[] };
        let numbers = self.numbers;
        let found = numbers.files[file as usize].children(facts, self.local(gid), name);
        &numbers.held[file as usize][found]
    }
}

/// The symbols in their order, and which definition is which symbol.
pub(super) struct Symbols {
    pub list: Vec<Symbol>,
    /// By file, where its symbols begin.
    pub starts: Vec<u32>,
    /// By `Gid`; `None` for an extension block and for the declaration of a module in another file.
    pub of: Vec<Option<SymbolId>>,
}

/// The symbols that a file had, which are still its own but for the holders from other files.
pub(super) struct Known<'k> {
    pub list: &'k [Symbol],
    /// The number of the first.
    pub first: u32,
}

/// Makes the symbols. `known` are those of a file of before, where its text and the owners of its blocks are
/// what they were.
pub(super) fn symbols<'k>(
    tables: &Tables<'_>,
    known: &(dyn Fn(usize) -> Option<Known<'k>> + Sync),
) -> Symbols {
    let (numbers, files) = (&tables.numbers, tables.files());
    let mut of = vec![None; numbers.layout.end()];
    let mut starts = Vec::with_capacity(files.len());
    let mut count = 0;
    for (file, tables) in (0..).zip(files) {
        starts.push(count);
        for &def in &tables.symbols {
            of[numbers.gid(file, def).0 as usize] = Some(SymbolId(count));
            count += 1;
        }
    }
    let known = |at: usize| known(at).filter(|known| known.list.len() == files[at].symbols.len());
    let one = |mut list: Vec<Symbol>, at: usize| -> Vec<Symbol> {
        let Some(Known { list: before, first }) = known(at) else {
            let trail = Trail::none();
            let defs = numbers.defs(&trail);
            let gids = files[at].symbols.iter().map(|&def| numbers.gid(at as u32, def));
            list.extend(gids.map(|gid| symbol(&defs, gid, &tables.families, &of)));
            return list;
        };
        let (start, file) = (starts[at], FileId(at as u32));
        for (place, symbol) in before.iter().enumerate() {
            let container = match symbol.container {
                Some(SymbolId(own)) if (first..first + before.len() as u32).contains(&own) => {
                    Some(SymbolId(own - first + start))
                }
                Some(_) => {
                    let trail = Trail::none();
                    let gid = numbers.gid(at as u32, files[at].symbols[place]);
                    container(&numbers.defs(&trail), gid, &tables.families, &of)
                }
                None => None,
            };
            list.push(Symbol { file, container, ..symbol.clone() });
        }
        list
    };
    let parts = (0..files.len()).into_par_iter().with_min_len(16).fold(Vec::new, one);
    let parts: Vec<Vec<Symbol>> = parts.collect();
    let mut list: Vec<Symbol> = Vec::with_capacity(count as usize);
    parts.into_iter().for_each(|mut part| list.append(&mut part));
    Symbols { list, starts, of }
}

/// The definition that holds another one; a type holds what its blocks do.
fn holder(defs: &Defs<'_>, families: &Families, gid: Gid) -> Option<Gid> {
    let container = defs.container(gid)?;
    if defs.kind(container) != SymbolKind::Extension {
        return Some(container);
    }
    families.owner(container).or_else(|| defs.container(container))
}

fn container(defs: &Defs<'_>, gid: Gid, families: &Families, of: &[Option<SymbolId>]) -> Option<SymbolId> {
    holder(defs, families, gid).and_then(|holder| of[holder.0 as usize])
}

fn symbol(defs: &Defs<'_>, gid: Gid, families: &Families, of: &[Option<SymbolId>]) -> Symbol {
    let holder = |gid: Gid| holder(defs, families, gid);
    let def = defs.def(gid);
    let file = defs.file(gid);
    let container = container(defs, gid, families, of);
    let starts = defs.facts(file).map_or(&[][..], |facts| &facts.line_starts);
    let node = defs.input(file).file;
    let name = if def.container.is_none() { module_name(defs, gid).into() } else { def.name.clone() };
    Symbol {
        file: FileId(file),
        kind: def.kind,
        qualified: qualified(defs, gid, &name, &holder).into(),
        name,
        container,
        lines: lines(starts, def.full),
        signature: lines(starts, def.signature),
        doc: def.doc.map(|doc| lines(starts, doc)),
        name_line: line_col(starts, def.name_span.start).0,
        name_span: def.name_span,
        full: def.full,
        visibility: def.visibility,
        test: node.test || defs.chain(gid).any(|at| defs.def(at).traits.test),
        without_body: def.traits.without_body,
    }
}

/// The stem of the file; the name of its folder where the stem stands for it.
fn module_name(defs: &Defs<'_>, gid: Gid) -> String {
    use crate::lang::ModuleSystem;
    let path = &defs.input(defs.file(gid)).file.path;
    let stem = path.stem();
    let folder = match defs.rules(gid).modules {
        ModuleSystem::Files { folder_stem } | ModuleSystem::Crates { folder_stem, .. } => folder_stem,
        ModuleSystem::Paths(system) => system.folder_stem,
        ModuleSystem::Packages { .. } => "",
    };
    let directory = path.directory();
    if stem == folder && !directory.is_empty() {
        return directory.rsplit('/').next().unwrap_or(directory).to_owned();
    }
    stem.to_owned()
}

fn qualified(defs: &Defs<'_>, gid: Gid, name: &str, holder: &dyn Fn(Gid) -> Option<Gid>) -> String {
    let separator = defs.rules(gid).separator;
    let mut parts: Vec<Name> = vec![name.into()];
    let mut at = gid;
    // Bounded: a type's extension can only be nested as deep as the text is.
    for _ in 0..64 {
        let container = defs.container(at);
        if let Some(block) = container.filter(|&block| defs.kind(block) == SymbolKind::Extension) {
            match holder(at).filter(|&owner| Some(owner) != defs.container(block)) {
                Some(owner) => at = owner,
                None => {
                    // Members of a type that is not the repository's stand under its name.
                    let receiver = defs.def(block).receiver.as_ref();
                    parts.extend(receiver.and_then(|ty| ty.path.last().cloned()));
                    at = block;
                    continue;
                }
            }
        } else {
            match container {
                Some(container) => at = container,
                None => break,
            }
        }
        let def = defs.def(at);
        if def.container.is_none() {
            break;
        }
        if !def.traits.companion {
            parts.push(def.name.clone());
        }
    }
    parts.reverse();
    parts.join(separator)
}

/// The 1-based line and 0-based byte column of an offset.
pub(super) fn line_col(starts: &[u32], offset: u32) -> (u32, u32) {
    let line = starts.partition_point(|&start| start <= offset).max(1);
    (line as u32, offset - starts.get(line - 1).copied().unwrap_or(0).min(offset))
}

fn lines(starts: &[u32], span: Span) -> LineRange {
    let last = if span.is_empty() { span.start } else { span.end - 1 };
    let start = line_col(starts, span.start).0;
    LineRange::new(start, line_col(starts, last).0.max(start))
}
