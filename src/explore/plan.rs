//! Plan: the units of code of an answer in the making, and how a symbol is shown in them.
//!
//! A symbol is shown as its file's form allows: whole or in windows, or by its signature where others stand for
//! it. The units of a file are disjoint.

use std::collections::{BTreeMap, BTreeSet};

use smol_str::SmolStr;

use super::answer::SourceForm;
use super::findings::{Findings, Named};
use super::siblings::Families;
use super::skeleton;
use super::spine::Spine;
use crate::resolve::{EdgeKind, FileId, Graph, SymbolId, SymbolKind};
use crate::text::LineRange;

/// Lines of one file that are shown together or not at all.
#[derive(Debug)]
pub(super) struct Unit {
    pub file: FileId,
    pub lines: BTreeSet<u32>,
    /// The next unit is the rest of the same.
    pub goes_on: bool,
}

/// How a file's block is headed.
#[derive(Debug)]
pub(super) struct Shape {
    pub form: SourceForm,
    pub symbols: Vec<SymbolId>,
    pub elided: Vec<SymbolId>,
}

/// A body up to this is shown whole.
pub(super) const WHOLE: u32 = 48;
/// A longer body that matters is shown whole, in a later unit, up to this.
pub(super) const LONG: u32 = 240;
/// Of callables that stand for each other so many are shown beside the flow.
pub(super) const ALIKE: usize = 2;
/// Lines after the signature of a long body.
const HEAD: u32 = 6;
/// Lines before a line that matters in a long body, and behind it.
const AROUND: u32 = 4;
/// Lines of one unit of a long body.
const PIECE: usize = 40;
/// Lines of the units that more than a short body is shown by.
const PART: usize = 16;
/// A doc comment of more lines is shown by its first ones and its last: what code does is asked for, not how to use it.
const DOC: u32 = 5;
const DOC_HEAD: u32 = 3;
/// Symbols in a heading.
const HEADED: usize = 5;

pub(super) struct Plan<'a> {
    pub graph: &'a Graph,
    pub findings: &'a Findings,
    pub spine: &'a Spine,
    pub families: Families<'a>,
    pub adaptive: bool,
    /// The sibling file of a family that is shown as code although the gate would take it.
    exemplars: BTreeSet<FileId>,
    /// The functions of slots that are shown as code although others stand for them.
    shown: BTreeSet<SymbolId>,
    skeletons: BTreeMap<FileId, bool>,
    redundant: BTreeMap<FileId, BTreeSet<SymbolId>>,
    /// Lines inside of long doc comments.
    prose: BTreeMap<FileId, BTreeSet<u32>>,
    /// The callables asked for by what they have in common: see `is_one_more`.
    alike: BTreeMap<Alike, BTreeSet<SymbolId>>,
    pub planned: BTreeMap<FileId, BTreeSet<u32>>,
    /// By priority.
    pub units: Vec<Unit>,
    pub shapes: BTreeMap<FileId, Shape>,
}

/// What makes callables stand for each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alike {
    /// They are it, or override it.
    Override(SymbolId),
    /// They have one name in one type or module.
    Name(Option<SymbolId>, SmolStr),
}

impl<'a> Plan<'a> {
    pub fn new(graph: &'a Graph, findings: &'a Findings, spine: &'a Spine, adaptive: bool) -> Self {
        let mut plan = Plan {
            graph,
            findings,
            spine,
            families: Families::new(graph, findings.wants_tests),
            adaptive,
            exemplars: BTreeSet::new(),
            shown: BTreeSet::new(),
            skeletons: BTreeMap::new(),
            redundant: BTreeMap::new(),
            prose: BTreeMap::new(),
            alike: BTreeMap::new(),
            planned: BTreeMap::new(),
            units: Vec::new(),
            shapes: BTreeMap::new(),
        };
        plan.choose_exemplars();
        plan.choose_functions();
        plan
    }

    pub fn is_skeleton(&mut self, file: FileId) -> bool {
        if !self.adaptive || self.exemplars.contains(&file) {
            return false;
        }
        if let Some(&known) = self.skeletons.get(&file) {
            return known;
        }
        let skeleton = self.families.is_skeleton(file, self.spine);
        self.skeletons.insert(file, skeleton);
        skeleton
    }

    /// The redundant type that a symbol belongs to, in a file shown as code.
    pub fn redundant(&mut self, id: SymbolId) -> Option<SymbolId> {
        if !self.adaptive {
            return None;
        }
        let file = self.graph.symbol(id).file;
        let (families, spine, shown) = (&self.families, self.spine, &self.shown);
        let redundant = || families.redundant(file, spine, shown);
        let types = self.redundant.entry(file).or_insert_with(redundant);
        let mut at = Some(id);
        while let Some(here) = at {
            if types.contains(&here) {
                return Some(here);
            }
            at = self.graph.symbol(here).container;
        }
        None
    }

    /// Where no implementer of a family is shown as code, the best one found is.
    fn choose_exemplars(&mut self) {
        if !self.adaptive || !self.spine.exists() {
            return;
        }
        let mut settled: BTreeSet<SymbolId> = BTreeSet::new();
        for &(file, _) in &self.findings.files {
            if !self.is_skeleton(file) || self.families.defines_base(file) {
                continue;
            }
            let bases = self.families.bases_of_file(file);
            if bases.iter().any(|base| settled.contains(base)) {
                continue;
            }
            let members: Vec<FileId> = bases
                .iter()
                .flat_map(|&base| self.families.implementers(base))
                .map(|id| self.graph.symbol(id).file)
                .collect();
            settled.extend(bases);
            let code = |at: &FileId| {
                let in_file = |id: &SymbolId| self.graph.symbol(*id).file == *at;
                self.spine.paths.iter().flatten().any(in_file) || self.spine.named.iter().any(in_file)
            };
            if !members.iter().any(code) {
                self.exemplars.insert(file);
                self.skeletons.remove(&file);
            }
        }
    }

    /// Of a slot with no function on the spine or named, the best one found is shown as code.
    fn choose_functions(&mut self) {
        if !self.adaptive || !self.spine.exists() {
            return;
        }
        // What the question names, if only in plain words, is asked for.
        let said = self.findings.symbols.iter().filter(|found| found.named != Named::No);
        self.shown.extend(said.map(|found| found.symbol));
        let code = |id: &SymbolId| self.spine.contains(*id) || self.spine.named.contains(id);
        let mut settled: BTreeSet<SymbolId> = BTreeSet::new();
        for range in &self.findings.ranges {
            let file = self.graph.find_file(range.path.as_str());
            let Some(id) = file.and_then(|file| self.holder(file, range.lines)) else { continue };
            let slots = self.families.slots(id);
            if slots.is_empty() || slots.iter().any(|slot| settled.contains(slot)) {
                continue;
            }
            let others = slots.iter().flat_map(|&slot| self.families.fillers(slot));
            if !others.into_iter().any(|other| code(&other)) {
                self.shown.insert(id);
            }
            settled.extend(slots);
        }
    }

    pub fn shape(&mut self, file: FileId) -> &mut Shape {
        let form = if self.is_skeleton(file) { SourceForm::Skeleton } else { SourceForm::Code };
        let fresh = || Shape { form, symbols: Vec::new(), elided: Vec::new() };
        self.shapes.entry(file).or_insert_with(fresh)
    }

    /// Adds lines that are not planned yet, as one unit.
    pub fn add(&mut self, id: SymbolId, lines: BTreeSet<u32>) {
        let file = self.graph.symbol(id).file;
        self.head(id);
        self.add_lines(file, lines);
    }

    pub fn head(&mut self, id: SymbolId) {
        let symbols = &mut self.shape(self.graph.symbol(id).file).symbols;
        if symbols.len() < HEADED && !symbols.contains(&id) {
            symbols.push(id);
        }
    }

    /// Whether `ALIKE` callables that a callable is alike to were asked for before it.
    pub fn is_one_more(&mut self, id: SymbolId) -> bool {
        let symbol = self.graph.symbol(id);
        let over = self.graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Overrides);
        let mut kinds: Vec<Alike> = over.map(|edge| Alike::Override(edge.to)).collect();
        kinds.push(Alike::Override(id));
        kinds.push(Alike::Name(symbol.container, symbol.name.clone()));
        let many = |kind| self.alike.get(kind).is_some_and(|seen| seen.len() >= ALIKE && !seen.contains(&id));
        if kinds.iter().any(many) {
            return true;
        }
        for kind in kinds {
            self.alike.entry(kind).or_default().insert(id);
        }
        false
    }

    /// The lines inside of a file's long doc comments.
    pub fn prose(&mut self, file: FileId) -> &BTreeSet<u32> {
        let graph = self.graph;
        self.prose.entry(file).or_insert_with(|| {
            let docs = graph.symbols_in(file).filter_map(|id| graph.symbol(id).doc);
            docs.filter(|doc| doc.count() > DOC).flat_map(|doc| doc.start + DOC_HEAD..doc.end).collect()
        })
    }

    pub fn add_lines(&mut self, file: FileId, mut lines: BTreeSet<u32>) {
        let prose = self.prose(file);
        lines.retain(|line| !prose.contains(line));
        self.put(file, lines);
    }

    /// The lines among some that are neither planned nor inside of a long doc comment.
    pub fn fresh(&mut self, file: FileId, lines: impl IntoIterator<Item = u32>) -> Vec<u32> {
        self.prose(file);
        let (planned, prose) = (self.planned.get(&file), &self.prose[&file]);
        let known =
            |line: &u32| prose.contains(line) || planned.is_some_and(|planned| planned.contains(line));
        lines.into_iter().filter(|line| !known(line)).collect()
    }

    /// Shows the rest of long doc comments of symbols of which the beginning is shown.
    pub fn docs(&mut self, of: &[SymbolId]) {
        for &id in of {
            let symbol = self.graph.symbol(id);
            let begun = |line| self.planned.get(&symbol.file).is_some_and(|planned| planned.contains(&line));
            if let Some(doc) = symbol.doc.filter(|doc| doc.count() > DOC && begun(doc.start)) {
                self.put(symbol.file, (doc.start..=doc.end).collect());
            }
        }
    }

    fn put(&mut self, file: FileId, mut lines: BTreeSet<u32>) {
        let last = self.graph.file(file).lines;
        let planned = self.planned.entry(file).or_default();
        lines.retain(|line| (1..=last).contains(line) && !planned.contains(line));
        planned.extend(lines.iter().copied());
        let lines: Vec<u32> = lines.into_iter().collect();
        // What does not fit as a whole is shown as far as it does.
        let mut pieces =
            lines.chunks(if lines.len() > WHOLE as usize { PART } else { WHOLE as usize }).peekable();
        while let Some(piece) = pieces.next() {
            let (lines, goes_on) = (piece.iter().copied().collect(), pieces.peek().is_some());
            self.units.push(Unit { file, lines, goes_on });
        }
    }

    /// Shows a symbol as its file's form allows.
    pub fn view(&mut self, id: SymbolId) {
        let file = self.graph.symbol(id).file;
        if self.is_skeleton(file) {
            self.head(id);
            self.skeleton(file, &[]);
        } else if let Some(owner) = self.redundant(id) {
            let lines = if self.graph.symbol(owner).kind.is_callable() {
                let sign = skeleton::signature(self.graph, owner);
                let mut lines = self.holders(owner);
                lines.extend(sign.start..=sign.end);
                lines
            } else {
                skeleton::of_type(self.graph, owner)
            };
            self.head(owner);
            let elided = &mut self.shape(file).elided;
            if !elided.contains(&owner) {
                elided.push(owner);
            }
            self.add_lines(file, lines);
        } else {
            let lines = self.lines_of(id);
            self.add(id, lines);
        }
    }

    /// Shows a file's signatures: of a large file those of implementers of `bases` and of what was found first.
    pub fn skeleton(&mut self, file: FileId, bases: &[SymbolId]) {
        let types = self.graph.symbols_in(file).filter(|&id| self.graph.symbol(id).kind.is_type());
        let implements = |id: &SymbolId| self.families.bases(*id).iter().any(|base| bases.contains(base));
        let mut chosen: Vec<SymbolId> = types.filter(implements).collect();
        let path = &self.graph.file(file).path;
        let found = self.findings.ranges.iter().filter(|range| &range.path == path);
        for id in found.filter_map(|range| self.holder(file, range.lines)) {
            let owner = self.owner(id);
            if !chosen.contains(&owner) {
                chosen.push(owner);
            }
        }
        self.add_lines(file, skeleton::of_file(self.graph, file, &chosen, &|id| self.evidence(id)));
    }

    /// The innermost type that a symbol is or is in; the outermost callable where there is none.
    fn owner(&self, mut id: SymbolId) -> SymbolId {
        while !self.graph.symbol(id).kind.is_type()
            && let Some(outer) = self.graph.symbol(id).container
            && self.graph.symbol(outer).kind != SymbolKind::Module
        {
            id = outer;
        }
        id
    }

    /// A symbol's lines: all of a short one; of a long one the signature and windows.
    fn lines_of(&self, id: SymbolId) -> BTreeSet<u32> {
        let symbol = self.graph.symbol(id);
        let mut lines = self.holders(id);
        if symbol.lines.count() <= WHOLE {
            lines.extend(symbol.lines.start..=symbol.lines.end);
        } else if symbol.kind.is_type() || symbol.kind == SymbolKind::Module {
            lines.extend(skeleton::of_type(self.graph, id).into_iter().take(PIECE));
        } else {
            let sign = skeleton::signature(self.graph, id);
            lines.extend(sign.start..=(sign.end + HEAD).min(symbol.lines.end));
            for line in self.telling(id) {
                lines.extend(self.window(id, line, AROUND));
            }
        }
        lines
    }

    /// The lines of a symbol around one of them.
    pub fn window(&self, id: SymbolId, line: u32, behind: u32) -> impl Iterator<Item = u32> + use<> {
        let lines = self.graph.symbol(id).lines;
        (line.saturating_sub(AROUND)..=line + behind).filter(move |&line| lines.contains(line))
    }

    /// Lines inside of a long body that matter: hops of the flow, and short ranges that were found.
    fn telling(&self, id: SymbolId) -> BTreeSet<u32> {
        let symbol = self.graph.symbol(id);
        let own = self.spine.sites.iter().filter(|site| site.0 == id).map(|site| site.1);
        let mut lines: BTreeSet<u32> = own.collect();
        let path = self.graph.path(id);
        for range in self.findings.ranges.iter().filter(|r| &r.path == path) {
            let inside = symbol.lines.contains(range.lines.start) && symbol.lines.contains(range.lines.end);
            if inside && range.lines.count() <= WHOLE {
                lines.extend(range.lines.start..=range.lines.end);
            }
        }
        lines
    }

    /// The first signature lines of the types that hold a symbol in its file.
    pub fn holders(&self, id: SymbolId) -> BTreeSet<u32> {
        let own = self.graph.symbol(id);
        let mut lines = BTreeSet::new();
        let mut at = own.container;
        while let Some(holder) = at {
            let symbol = self.graph.symbol(holder);
            if symbol.kind != SymbolKind::Module && symbol.file == own.file {
                let sign = skeleton::signature(self.graph, holder);
                lines.extend(sign.start..=sign.end.min(sign.start + 1));
            }
            at = symbol.container;
        }
        lines
    }

    /// Whether all lines of a symbol are planned.
    pub fn is_whole(&mut self, id: SymbolId) -> bool {
        let symbol = self.graph.symbol(id);
        self.fresh(symbol.file, symbol.lines.start..=symbol.lines.end).is_empty()
    }

    /// What windows leave out of a long body.
    pub fn long_body(&mut self, id: SymbolId) {
        let symbol = self.graph.symbol(id);
        let long = WHOLE + 1..=LONG;
        if !long.contains(&symbol.lines.count()) || self.is_skeleton(symbol.file) {
            return;
        }
        let rest = self.fresh(symbol.file, symbol.lines.start..=symbol.lines.end);
        for piece in rest.chunks(PIECE) {
            self.add(id, piece.iter().copied().collect());
        }
    }

    /// Whether the line with a symbol's name is planned.
    pub fn is_begun(&self, id: SymbolId) -> bool {
        let symbol = self.graph.symbol(id);
        self.planned.get(&symbol.file).is_some_and(|lines| lines.contains(&symbol.name_line))
    }

    /// The innermost symbol that holds a range.
    pub fn holder(&self, file: FileId, lines: LineRange) -> Option<SymbolId> {
        let holding = self.graph.symbols_in(file).filter(|&id| {
            let symbol = self.graph.symbol(id);
            symbol.kind != SymbolKind::Module
                && symbol.lines.start <= lines.start
                && symbol.lines.end >= lines.start
        });
        holding.last()
    }
}
