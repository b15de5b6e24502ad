//! What is worked out of one file's facts alone, once for each text of the file.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

use super::{
    ResolveInput,
    spots::Spots,
    trail::{FileKey, Mixed},
};
use crate::{
    extract::{DefId, FileFacts, Import, Name, SymbolKind},
    lang::ResolutionRules,
    text::parts,
};

/// A map with a quick hash; nothing depends on its order.
pub(super) type Quick<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// A set with a quick hash; nothing depends on its order.
pub(super) type QuickSet<K> = HashSet<K, BuildHasherDefault<Mixed>>;

/// A number for a definition that lasts from one resolution to the next.
pub(super) type Lasting = u64;

/// Of a scope's wildcard imports so many are looked through, the first ones: each look through one may begin
/// with a look through all of them.
const MAX_WILDCARDS: usize = 64;

/// What a file's own names are found by.
pub(super) struct FileTables {
    pub key: FileKey,
    /// The platforms that its sources are for; all bits where no name says so.
    pub platforms: u8,
    /// Indices of bindings by (name, scope start, name start).
    pub bindings: Vec<u32>,
    /// The bindings of each name in `bindings`.
    bound: Spots,
    /// The imports of a scope by the name that they bind.
    imports: Quick<DefId, Quick<Name, Vec<u32>>>,
    /// By branch, where the last of it and those before it ends.
    pub branch_ends: Vec<u32>,
    /// The wildcard imports of a scope.
    pub wildcards: Quick<DefId, Vec<u32>>,
    /// By definition, where the definitions that it holds begin in `held`; one more at the end.
    pub held_from: Vec<u32>,
    /// By what holds them, then by (name, number).
    pub held: Vec<DefId>,
    /// Those of one holder and name in `held`.
    children: Spots,
    /// By definition.
    pub lasting: Vec<Lasting>,
    /// The definitions that are symbols, in the order of symbols.
    pub symbols: Vec<DefId>,
}

/// The name that an import binds; `None` for a wildcard and for `_`.
pub(super) fn bound_name(import: &Import) -> Option<&str> {
    if import.wildcard {
        return None;
    }
    let name = match &import.alias {
        Some(alias) => alias,
        None if import.binds_root => import.path.first()?,
        None => import.path.last()?,
    };
    (name != "_").then_some(name)
}

impl FileTables {
    pub fn new(input: &ResolveInput<'_>) -> Self {
        let path = &input.file.path;
        let mut tables = FileTables {
            key: FileKey::new(path),
            platforms: input.rules.map_or(u8::MAX, |rules| platforms_of(rules, path.as_str())),
            bindings: Vec::new(),
            bound: Spots::default(),
            imports: Quick::default(),
            branch_ends: Vec::new(),
            wildcards: Quick::default(),
            held_from: vec![0],
            held: Vec::new(),
            children: Spots::default(),
            lasting: Vec::new(),
            symbols: Vec::new(),
        };
        let Some(facts) = input.facts else { return tables };
        for (at, import) in facts.imports.iter().enumerate() {
            if import.wildcard {
                let wildcards = tables.wildcards.entry(import.scope).or_default();
                if wildcards.len() < MAX_WILDCARDS {
                    wildcards.push(at as u32);
                }
            } else if let Some(name) = bound_name(import) {
                let names = tables.imports.entry(import.scope).or_default();
                names.entry(name.into()).or_default().push(at as u32);
            }
        }
        let ends = facts.branches.iter().scan(0, |last: &mut u32, branch| {
            *last = branch.span.end.max(*last);
            Some(*last)
        });
        tables.branch_ends = ends.collect();
        tables.bindings = (0..facts.bindings.len() as u32).collect();
        tables.bindings.sort_by_key(|&at| {
            let binding = &facts.bindings[at as usize];
            (&binding.name, binding.scope.start, binding.name_span.start, at)
        });
        let names = tables.bindings.iter().map(|&at| facts.bindings[at as usize].name.as_str());
        tables.bound = Spots::new(names);
        tables.hold(input);
        // The module encloses its file, also where the text begins with something else.
        let defs = &facts.defs;
        tables.symbols = (0..defs.len() as u32).filter(|&at| defs[at as usize].is_symbol()).collect();
        tables.symbols.sort_by_key(|&at| {
            let def = &defs[at as usize];
            (at != 0, def.full.start, std::cmp::Reverse(def.full.end), &def.name, at)
        });
        tables
    }

    /// Who holds whom, and the lasting numbers, which tell those of one name by their place.
    fn hold(&mut self, input: &ResolveInput<'_>) {
        let defs = input.facts.map_or(&[][..], |facts| &facts.defs);
        let mut pairs: Vec<(DefId, &str, DefId)> = Vec::with_capacity(defs.len());
        for (at, def) in (0..).zip(defs) {
            pairs.extend(def.container.map(|container| (container, def.name.as_str(), at)));
        }
        pairs.sort_unstable();
        self.held_from = vec![0; defs.len() + 1];
        pairs.iter().for_each(|(holder, ..)| self.held_from[*holder as usize + 1] += 1);
        (1..=defs.len()).for_each(|at| self.held_from[at] += self.held_from[at - 1]);
        self.lasting = vec![0; defs.len()];
        let mut places = vec![0u32; defs.len()];
        for (at, pair) in pairs.iter().enumerate() {
            let same = at > 0 && (pairs[at - 1].0, pairs[at - 1].1) == (pair.0, pair.1);
            places[pair.2 as usize] = if same { places[pairs[at - 1].2 as usize] + 1 } else { 0 };
        }
        self.children = Spots::new(pairs.iter().map(|&(holder, name, _)| (holder, name)));
        self.held = pairs.into_iter().map(|(_, _, at)| at).collect();
        for (at, def) in defs.iter().enumerate() {
            let mut hash = Mixed::default();
            match def.container {
                // What holds comes before what it holds.
                Some(holder) if (holder as usize) < at => self.lasting[holder as usize].hash(&mut hash),
                _ => self.key.hash(&mut hash),
            }
            (def.kind.name(), &def.name, places[at]).hash(&mut hash);
            self.lasting[at] = hash.finish();
        }
    }

    /// The bindings of a name in the file's facts, by (scope start, name start).
    pub fn bound(&self, facts: &FileFacts, name: &str) -> &[u32] {
        let is = |at: usize| facts.bindings[self.bindings[at] as usize].name == name;
        &self.bindings[self.bound.find(name, is)]
    }

    /// Where in `held` the definitions of a name are that a definition of the file's facts holds.
    pub fn children(&self, facts: &FileFacts, holder: DefId, name: &str) -> Range<usize> {
        let is = |at: usize| {
            let def = &facts.defs[self.held[at] as usize];
            def.container == Some(holder) && def.name == name
        };
        self.children.find((holder, name), is)
    }

    /// The imports of a scope that bind a name.
    pub fn imports(&self, scope: DefId, name: &str) -> Option<&[u32]> {
        Some(self.imports.get(&scope)?.get(name)?)
    }

    /// Callables and macros.
    pub fn callables<'f>(input: &ResolveInput<'f>) -> impl Iterator<Item = (DefId, &'f str, SymbolKind)> {
        let defs = input.facts.map_or(&[][..], |facts| &facts.defs);
        let all = (0..).zip(defs).map(|(at, def)| (at, def.name.as_str(), def.kind));
        all.filter(|(.., kind)| kind.is_callable() || *kind == SymbolKind::Macro)
    }
}

/// The platforms that the source set of a path is for.
fn platforms_of(rules: &ResolutionRules, path: &str) -> u8 {
    let folders: Vec<&str> = path.split('/').collect();
    let Some(at) = folders.iter().position(|folder| rules.source_folders.contains(folder)) else {
        return u8::MAX;
    };
    // `jvm/src` and `src/jvmMain`; a single word after the folder begins a package.
    // What has more than letters and digits is the name of a project.
    let before = at.checked_sub(1).map(|before| folders[before]);
    let after = folders.get(at + 1).copied().filter(|folder| parts(folder).len() > 1);
    let sets = before.into_iter().chain(after);
    let mut bits = 0;
    for set in sets.filter(|set| set.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
        let words = parts(set);
        // `nonJvm` says what a set is not for.
        if words.iter().any(|word| word == "non") {
            return u8::MAX;
        }
        let known = rules.platforms.iter().filter(|(name, _)| words.iter().any(|word| word == name));
        bits |= known.fold(0, |bits, (_, platform)| bits | platform);
    }
    if bits == 0 { u8::MAX } else { bits }
}
