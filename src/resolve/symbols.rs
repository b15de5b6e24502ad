//! Definitions of all files under one numbering, and the symbols among them.
//!
//! A `Gid` numbers every definition of every file, in the order of files and of their `defs`. All but
//! extension blocks and modules that another file defines become symbols.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    FileId, ResolveInput, Symbol, SymbolId,
    families::Families,
    file::FileTables,
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

/// Every definition, and which of them each definition directly holds.
pub(super) struct Numbers<'a> {
    inputs: &'a [ResolveInput<'a>],
    /// By file.
    keys: Vec<FileKey>,
    /// The number of a file's first definition.
    base: Vec<u32>,
    file_of: Vec<u32>,
    /// `child_list[child_start[g]..child_start[g + 1]]` are held by `g`, by (name, number).
    child_start: Vec<u32>,
    child_list: Vec<Gid>,
}

/// The definitions as one trail sees them.
#[derive(Clone, Copy)]
pub(super) struct Defs<'a> {
    numbers: &'a Numbers<'a>,
    pub trail: &'a Trail,
}

impl<'a> Numbers<'a> {
    /// `files` are the tables of each file.
    pub fn new(inputs: &'a [ResolveInput<'a>], files: &[Arc<FileTables>]) -> Self {
        let mut numbers = Numbers {
            inputs,
            keys: files.iter().map(|file| file.key).collect(),
            base: Vec::with_capacity(inputs.len()),
            file_of: Vec::new(),
            child_start: vec![0],
            child_list: Vec::new(),
        };
        for (at, file) in (0..).zip(files) {
            let (base, held) = (numbers.file_of.len() as u32, numbers.child_list.len() as u32);
            numbers.base.push(base);
            numbers.file_of.resize(numbers.file_of.len() + file.lasting.len(), at);
            numbers.child_start.extend(file.held_from[1..].iter().map(|from| from + held));
            numbers.child_list.extend(file.held.iter().map(|def| Gid(def + base)));
        }
        numbers
    }

    pub fn defs<'t>(&'t self, trail: &'t Trail) -> Defs<'t> {
        Defs { numbers: self, trail }
    }

    /// The file of a definition, and its number there.
    pub fn place(&self, gid: Gid) -> (u32, DefId) {
        let file = self.file_of[gid.0 as usize];
        (file, gid.0 - self.base[file as usize])
    }

    pub fn gid(&self, file: u32, def: DefId) -> Gid {
        Gid(self.base[file as usize] + def)
    }
}

impl<'a> Defs<'a> {
    pub fn all(&self) -> impl Iterator<Item = Gid> + use<> {
        (0..self.numbers.file_of.len() as u32).map(Gid)
    }

    pub fn file(&self, gid: Gid) -> u32 {
        self.numbers.file_of[gid.0 as usize]
    }

    /// Makes the keys of a file.
    pub fn key(&self, file: u32) -> FileKey {
        self.numbers.keys[file as usize]
    }

    pub fn local(&self, gid: Gid) -> DefId {
        gid.0 - self.numbers.base[self.file(gid) as usize]
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
        let (at, numbers) = (gid.0 as usize, self.numbers);
        &numbers.child_list[numbers.child_start[at] as usize..numbers.child_start[at + 1] as usize]
    }

    /// What the definition directly holds under a name, in order of position.
    pub fn named(&self, gid: Gid, name: &str) -> &'a [Gid] {
        let file = self.file(gid);
        self.trail.of_file(file, || self.key(file).named(name));
        let children = self.held(gid);
        if children.is_empty() {
            return children;
        }
        let facts = self.numbers.inputs[file as usize].facts;
        let defs = facts.map_or(&[][..], |facts| &facts.defs);
        let base = self.numbers.base[file as usize];
        let of = |child: &Gid| defs[(child.0 - base) as usize].name.as_str();
        let from = children.partition_point(|child| of(child) < name);
        let rest = &children[from..];
        &rest[..rest.partition_point(|child| of(child) == name)]
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

/// Makes the symbols. `known` are those of a file of before, where its text and the owners of its blocks are
/// what they were.
pub(super) fn symbols<'k>(
    tables: &Tables<'_>,
    known: &(dyn Fn(usize) -> Option<&'k [Symbol]> + Sync),
) -> Symbols {
    let (numbers, files) = (&tables.numbers, tables.files());
    let mut of = vec![None; numbers.file_of.len()];
    let mut starts = Vec::with_capacity(files.len());
    let mut count = 0;
    for (file, tables) in (0..).zip(files) {
        starts.push(count);
        for &def in &tables.symbols {
            of[numbers.gid(file, def).0 as usize] = Some(SymbolId(count));
            count += 1;
        }
    }
    let one = |at: usize| -> Vec<Symbol> {
        let trail = Trail::none();
        let defs = numbers.defs(&trail);
        let known = known(at).filter(|known| known.len() == files[at].symbols.len());
        let each = files[at].symbols.iter().enumerate().map(|(place, &def)| {
            let gid = numbers.gid(at as u32, def);
            symbol(&defs, gid, &tables.families, &of, known.map(|known| &known[place]))
        });
        each.collect()
    };
    let list: Vec<Vec<Symbol>> = (0..files.len()).into_par_iter().map(one).collect();
    Symbols { list: list.into_iter().flatten().collect(), starts, of }
}

fn symbol(
    defs: &Defs<'_>,
    gid: Gid,
    families: &Families,
    of: &[Option<SymbolId>],
    known: Option<&Symbol>,
) -> Symbol {
    let holder = |gid: Gid| -> Option<Gid> {
        let container = defs.container(gid)?;
        if defs.kind(container) != SymbolKind::Extension {
            return Some(container);
        }
        families.owner(container).or_else(|| defs.container(container))
    };
    let def = defs.def(gid);
    let file = defs.file(gid);
    let container = holder(gid).and_then(|holder| of[holder.0 as usize]);
    if let Some(known) = known {
        return Symbol { file: FileId(file), container, ..known.clone() };
    }
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
