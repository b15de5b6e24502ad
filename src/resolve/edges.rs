//! The graph's edges, put together from what each file's references and the types' families say.

use std::sync::Arc;

use rayon::prelude::*;

use super::{
    Confidence, Edge, EdgeKind, FileId, FileNode, Graph, Reason, Symbol,
    again::Resolution,
    carried::{Carried, Kept},
    digests::{Digests, strangers},
    families::{Kinship, families},
    file::FileTables,
    infer::Infer,
    links::links,
    relations::{Relation, Relations},
    slot_calls::{self, slot_calls},
    slots::fills,
    symbols::{Gid, Layout, Symbols, line_col, symbols},
    taken::Taken,
    trail::{Key, Keys, Trail},
    world::{Tables, World},
};
use crate::{
    extract::{FileFacts, SymbolKind},
    lang::ResolutionRules,
    resolve::modules::Place,
    text::Span,
};

/// One file as resolution sees it.
#[derive(Clone, Copy, Debug)]
pub struct ResolveInput<'a> {
    pub file: &'a FileNode,
    /// The rules of the file's language; `None` without a grammar.
    pub rules: Option<&'static ResolutionRules>,
    /// What the file says; `None` where nothing was extracted. Of a crate's manifest only the package's
    /// name counts.
    pub facts: Option<&'a FileFacts>,
}

/// Resolves all files, which must be in order of path. The graph is a function of the input alone; work
/// is shared among threads, results are put together in order.
pub fn resolve(inputs: &[ResolveInput<'_>]) -> Resolution {
    let files = file_tables(inputs, &|_| None);
    let (tables, kinship) = tables(inputs, files, None, &mut Keys::new([]));
    let digests = Digests::new(&tables, None);
    let symbols = symbols(&tables, &|_| None);
    let relations = (0..inputs.len() as u32).into_par_iter().map(|at| Relations::new(&tables, at).into());
    let relations: Vec<Arc<Relations>> = relations.collect();
    let made = Made { tables, kinship: Arc::new(kinship), symbols, digests, relations };
    let all = vec![true; inputs.len()];
    resolved(inputs, made, &all, &Taken::default(), &|_| None)
}

/// What is worked out before references are looked at.
pub(super) struct Made<'a> {
    pub tables: Tables<'a>,
    pub kinship: Arc<Kinship>,
    pub symbols: Symbols,
    pub digests: Digests,
    pub relations: Vec<Arc<Relations>>,
}

/// The tables of each file by itself. `known` gives those of a file whose text is what it was.
pub(super) fn file_tables(
    inputs: &[ResolveInput<'_>],
    known: &(dyn Fn(usize) -> Option<Arc<FileTables>> + Sync),
) -> Vec<Arc<FileTables>> {
    debug_assert!(inputs.is_sorted_by(|a, b| a.file.path < b.file.path));
    let file = |at: usize| known(at).unwrap_or_else(|| Arc::new(FileTables::new(&inputs[at])));
    (0..inputs.len()).into_par_iter().map(file).collect()
}

/// The tables over all files. Adds to the keys of what has changed what imports do not mean any more.
pub(super) fn tables<'a>(
    inputs: &'a [ResolveInput<'a>],
    files: Vec<Arc<FileTables>>,
    carried: Option<&Carried<'_>>,
    keys: &mut Keys,
) -> (Tables<'a>, Kinship) {
    let layout = carried.map(|carried| carried.before.layout.clone());
    let layout = layout.unwrap_or_else(|| Arc::new(Layout::new(&files)));
    let mut tables = Tables::new(inputs, files, layout, carried, keys);
    tracing::debug!("tables made");
    let mut strange = vec![false; inputs.len()];
    if let Some(carried) = carried {
        for (at, (old, new)) in carried.before.targets.iter().zip(&tables.targets).enumerate() {
            if !Arc::ptr_eq(old, new) && old.digests != new.digests {
                strange[at] = true;
                keys.extend(strangers(tables.file(at as u32).key, [old, new].into_iter()));
            }
        }
    }
    let kinship = families(&mut tables, carried, keys, &strange);
    tracing::debug!("families made");
    (tables, kinship)
}

/// Resolves the references of some files, and puts all edges together: `anew` says of which files. `taken` are the
/// edges of the others but for what another file holds, and the relations that are not made anew, `trails` the trails
/// of the others.
pub(super) fn resolved(
    inputs: &[ResolveInput<'_>],
    made: Made<'_>,
    anew: &[bool],
    taken: &Taken<'_>,
    trails: &(dyn Fn(usize) -> Option<Arc<[Key]>> + Sync),
) -> Resolution {
    let Made { tables, kinship, symbols, digests, relations } = made;
    let mut edges = contains(&tables, &symbols, anew);
    let related = |relation: &Relation| {
        let trail = Trail::none();
        let world = tables.world(&trail);
        let ends = [relation.from, relation.to].map(|gid| symbols.of[gid.0 as usize]);
        let [Some(from), Some(to)] = ends else { return None };
        let file = world.defs.file(relation.written.gid());
        let site = relation.written.site(&world.defs);
        Some(edge(&world, file, site, (from, to, relation.kind), Reason::Declared, 100))
    };
    let lists = relations.par_iter().with_min_len(64);
    let file = |gid: Gid| tables.numbers.place(gid).0 as usize;
    let is_made = |relation: &&Relation| !taken.holds(file, relation);
    edges.par_extend(
        lists.flat_map_iter(|relations| relations.list.iter().filter(is_made).filter_map(related)),
    );
    edges.par_sort_by(Edge::order);
    let looked_at = edges.iter().filter(|edge| anew[edge.file.0 as usize]);
    let mut declared: Vec<Edge> = looked_at.copied().collect();
    declared.par_sort_by_key(|edge| (edge.file, edge.site));
    tracing::debug!("declared edges made");
    let one = |at: usize| -> (Vec<Edge>, Arc<[Key]>) {
        if !anew[at] {
            return (Vec::new(), trails(at).unwrap_or_default());
        }
        let trail = Trail::of(at as u32);
        let world = tables.world(&trail);
        let mut edges = imports(&world, &symbols, at as u32);
        edges.extend(references(&world, &symbols, &declared, at as u32));
        (edges, trail.keys().into())
    };
    let (per_file, trails): (Vec<Vec<Edge>>, Vec<Arc<[Key]>>) =
        (0..inputs.len()).into_par_iter().map(one).unzip();
    tracing::debug!("references resolved");
    edges.extend(per_file.into_iter().flatten());
    edges.par_sort_by(Edge::order);
    let files = inputs.iter().map(|input| input.file.clone()).collect();
    let kept = Kept {
        layout: tables.numbers.layout,
        files: tables.numbers.files,
        held: tables.numbers.held,
        modules: tables.modules,
        callables: tables.callables,
        targets: tables.targets,
        kinship,
        relations,
    };
    let graph = Arc::new(Graph::merged(files, symbols.list, taken.edges(), edges));
    tracing::debug!("graph made");
    let resolved = anew.iter().filter(|&&anew| anew).count();
    Resolution { graph, digests: Arc::new(digests), kept, trails, resolved, differing: None }
}

fn edge(
    world: &World<'_>,
    file: u32,
    site: Span,
    (from, to, kind): (super::SymbolId, super::SymbolId, EdgeKind),
    reason: Reason,
    confidence: u8,
) -> Edge {
    let starts = world.defs.facts(file).map_or(&[][..], |facts| &facts.line_starts);
    let (line, col) = line_col(starts, site.start);
    let confidence = Confidence(confidence);
    Edge { from, to, kind, file: FileId(file), site, line, col, reason, confidence }
}

/// The edges to the symbols of some files from what holds them, and to all others that another file's hold.
fn contains(tables: &Tables<'_>, symbols: &Symbols, files: &[bool]) -> Vec<Edge> {
    let one = |(at, symbol): (usize, &Symbol)| {
        let to = super::SymbolId(at as u32);
        let holder = symbol.container?;
        if !files[symbol.file.0 as usize] && symbols.list[holder.0 as usize].file == symbol.file {
            return None;
        }
        let ends = (holder, to, EdgeKind::Contains);
        let (file, site) = (symbol.file.0, symbol.name_span);
        Some(edge(&tables.world(&Trail::none()), file, site, ends, Reason::Declared, 100))
    };
    symbols.list.par_iter().enumerate().filter_map(one).collect()
}

/// The modules of the files that a declaration may bring in (`mod name;`).
fn loaded<'w>(world: &'w World<'_>, gid: Gid) -> &'w [Gid] {
    let def = world.defs.def(gid);
    let tree = world.modules.tree(world.defs.file(gid));
    world.defs.trail.key(|| Key::module(&def.name));
    match (tree, world.defs.container(gid)) {
        (Some(tree), Some(holder)) if def.kind == SymbolKind::Module && def.traits.elsewhere => {
            tree.child(holder, &def.name)
        }
        _ => &[],
    }
}

fn imports(world: &World<'_>, symbols: &Symbols, file: u32) -> Vec<Edge> {
    let Some(facts) = world.defs.facts(file) else { return Vec::new() };
    // What a manifest names is imported by nobody.
    if facts.defs.is_empty() {
        return Vec::new();
    }
    let mut edges = Vec::new();
    for (at, import) in facts.imports.iter().enumerate() {
        // What a file gives of its own is no import.
        if import.path.first().is_some_and(|first| first.is_empty()) {
            continue;
        }
        // What is imported inside of a module or a function is not there for the rest of the file.
        let scope = world.defs.gid(file, import.scope);
        let Some(from) = symbol_of(world, symbols, scope) else { continue };
        for place in world.imported(file, at as u32) {
            let Place::Def(gid) = place else { continue };
            let Some(to) = symbols.of[gid.0 as usize] else { continue };
            let ends = (from, to, EdgeKind::Imports);
            edges.push(edge(world, file, import.span, ends, Reason::Import, 100));
        }
    }
    for def in 0..facts.defs.len() as u32 {
        let gid = world.defs.gid(file, def);
        for module in loaded(world, gid) {
            let ends = (symbol_of(world, symbols, gid), symbols.of[module.0 as usize]);
            if let (Some(from), Some(to)) = ends {
                let site = world.defs.def(gid).name_span;
                edges.push(edge(world, file, site, (from, to, EdgeKind::Imports), Reason::Import, 100));
            }
        }
    }
    edges
}

fn references(world: &World<'_>, symbols: &Symbols, declared: &[Edge], file: u32) -> Vec<Edge> {
    let Some(facts) = world.defs.facts(file) else { return Vec::new() };
    let infer = Infer::new(world);
    let from_declared = declared.partition_point(|edge| edge.file.0 < file);
    let to_declared = declared.partition_point(|edge| edge.file.0 <= file);
    let declared = &declared[from_declared..to_declared];
    let mut edges = Vec::new();
    let links = links(&infer, file);
    let ends = |from: Gid, to: Gid| Some((symbol_of(world, symbols, from)?, symbols.of[to.0 as usize]?));
    for fill in fills(&infer, file, &links) {
        if let Some((from, to)) = ends(fill.function, fill.slot) {
            let ends = (from, to, EdgeKind::Fills);
            edges.push(edge(world, file, fill.site, ends, fill.reason, fill.confidence));
        }
    }
    for call in slot_calls(&infer, file, &links) {
        if let Some((from, to)) = ends(call.from, call.slot) {
            let ends = (from, to, EdgeKind::Invokes);
            edges.push(edge(world, file, call.site, ends, slot_calls::REASON, slot_calls::CONFIDENCE));
        }
    }
    for link in links {
        let Some((from, to)) = ends(link.from, link.to) else { continue };
        let site = facts.refs[link.at as usize].span;
        // The base of a class is said by its own edge.
        let same = declared.partition_point(|edge| edge.site < site);
        let said = link.kind == EdgeKind::References
            && declared[same..].iter().take_while(|edge| edge.site == site).any(|edge| edge.to == to);
        if !said {
            edges.push(edge(world, file, site, (from, to, link.kind), link.reason, link.confidence));
        }
    }
    edges
}

/// The symbol of a definition; of an extension block the type, else what holds the block; of the
/// declaration of a module in another file what holds the declaration.
fn symbol_of(world: &World<'_>, symbols: &Symbols, gid: Gid) -> Option<super::SymbolId> {
    let mut at = gid;
    if world.defs.kind(at) == SymbolKind::Extension {
        at = world.families.owner(at).or_else(|| world.defs.container(at))?;
    }
    symbols.of[at.0 as usize].or_else(|| symbols.of[world.defs.container(at)?.0 as usize])
}
