//! The budget: findings → `Answer`, never longer than `max_bytes` when printed.
//!
//! Everything that could be said is put in one fixed sequence: the best citations, the flow, more citations,
//! what is named but not shown, then units of code with the other citations between them, and notes wherever
//! they are due. The answer is the longest prefix of it that
//! fits with all its shorter prefixes, so a larger budget says all that a smaller one says.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::answer::{Answer, Citation, Note, SourceBlock, SourceForm, SourceLine};
use super::evidence::Words;
use super::findings::Findings;
use super::notes::{self, Waiting};
use super::query::Query;
use super::sizing::{self, Sizing};
use super::spine::{self, Spine};
use super::{Repository, Request, Source, layout};
use crate::resolve::{FileId, Graph, SymbolId};
use crate::text::{LineRange, RepoPath};

/// What is left of a range is one with what it touches, as its doc comment is, up to so many lines.
const REST: u32 = 6;
/// The most citations of an answer, and of one that is its citations alone.
const CITED: usize = 24;
const CITED_ALONE: usize = 32;
/// The same where functions are cited for a question: they say more each than windows do.
const ANSWERED: usize = 40;
const ANSWERED_ALONE: usize = 24;
/// Ranges of the ranking that a question's answer cites before the callables that its words speak for.
const RANGES: usize = 4;
/// Citations that come between the flow and the code, and after each piece of code.
const BEFORE_CODE: usize = 11;
const AFTER_EACH: usize = 2;
/// Citations that come before the flow.
const FIRST: usize = 5;

/// Puts an answer together.
pub fn answer(repo: &dyn Repository, request: &Request, findings: &Findings) -> Answer {
    answer_within(repo, request, findings, &|_| 0)
}

/// Bytes between the budgets that are tried where the text's own is too large.
const STEP: usize = 64;

/// The answer by the largest budget, up to the request's own, at which `size` of it is within `max_bytes`.
pub fn answer_within(
    repo: &dyn Repository,
    request: &Request,
    findings: &Findings,
    size: &dyn Fn(&Answer) -> usize,
) -> Answer {
    let graph = repo.graph();
    let mut reader = Reader { repo, sources: BTreeMap::new(), changed: BTreeSet::new() };
    let query = Query::new(&request.query, &request.keywords);
    let hops = super::hops::Hops::new(repo, findings.wants_tests);
    let words = Words::new(repo, &query, &|id| hops.allowed(id));
    let mut spine = spine::spine(repo, findings, &words);
    about_asked(graph, findings, &mut spine);
    let question = findings.question && !spine.relevant.is_empty();
    let answering;
    let findings = if question {
        answering = with_callables(graph, findings, &spine.relevant);
        &answering
    } else {
        findings
    };
    let cited = citations(graph, findings, &spine, request, question, &mut reader);
    let mut notes = findings.notes.clone();
    if request.citation {
        notes.extend(reader.changed.iter().map(|path| Note::Changed { path: path.clone() }));
        return largest(request.max_bytes, size, &|max| alone(&cited, &notes, max));
    }
    let sizing = sizing::size(graph, findings, &spine, request.adaptive);
    let mut flows = Vec::new();
    for (flow, path) in spine.flows.iter().zip(&spine.paths) {
        if path.iter().all(|&id| reader.read(graph, graph.symbol(id).file).is_some()) {
            flows.push(flow.clone());
        }
    }
    for unit in &sizing.units {
        reader.read(graph, unit.file);
    }
    notes.extend(reader.changed.iter().map(|path| Note::Changed { path: path.clone() }));
    largest(request.max_bytes, size, &|max| {
        let mut writer = Writer::new(graph, &reader, &sizing, max, notes.clone());
        writer.write(cited.clone(), flows.clone())
    })
}

/// The findings for a question: after the best ranges the callables that its words speak for.
fn with_callables(graph: &Graph, findings: &Findings, relevant: &[SymbolId]) -> Findings {
    let (first, rest) = findings.ranges.split_at(findings.ranges.len().min(RANGES + findings.leading));
    let callables: Vec<Citation> = relevant.iter().map(|&id| Citation::of(graph, id)).collect();
    Findings { ranges: [first, &callables, rest].concat(), ..findings.clone() }
}

/// What is asked for is named, and a flow that words chose must pass through it or a member of it.
fn about_asked(graph: &Graph, findings: &Findings, spine: &mut Spine) {
    if findings.asked.is_empty() {
        return;
    }
    let asked = |id: &SymbolId| {
        let holder = graph.symbol(*id).container;
        findings.asked.contains(id) || holder.is_some_and(|holder| findings.asked.contains(&holder))
    };
    let flows = std::mem::take(&mut spine.flows).into_iter().zip(std::mem::take(&mut spine.paths));
    (spine.flows, spine.paths) =
        flows.filter(|(flow, path)| !flow.by_words || path.iter().any(asked)).unzip();
    spine.strong &= spine.exists();
    spine.named.extend(findings.asked.iter().copied());
}

/// The answer by the largest budget that fits: `max` itself, else one of a fixed row of smaller ones.
fn largest(max: usize, size: &dyn Fn(&Answer) -> usize, make: &dyn Fn(usize) -> Answer) -> Answer {
    let whole = make(max);
    if size(&whole) <= max {
        return whole;
    }
    // An answer grows with its budget, and its size with it.
    let (mut fits, mut exceeds) = (0, max.div_ceil(STEP));
    while fits + 1 < exceeds {
        let middle = (fits + exceeds) / 2;
        if size(&make(middle * STEP)) <= max { fits = middle } else { exceeds = middle }
    }
    make(fits * STEP)
}

/// The citations alone; where there are none, why.
fn alone(cited: &[Citation], notes: &[Note], max: usize) -> Answer {
    let mut fit = Fit::new(max);
    let fitting = cited.iter().take_while(|citation| fit.take(layout::citation(citation).len() + 1));
    let citations = fitting.cloned().collect();
    Answer { citations, ..Answer::default() }.or_notes(notes.to_vec(), &mut fit)
}

/// Files read for an answer, each once.
struct Reader<'r> {
    repo: &'r dyn Repository,
    sources: BTreeMap<FileId, Option<Arc<Source>>>,
    changed: BTreeSet<RepoPath>,
}

impl Reader<'_> {
    fn read(&mut self, graph: &Graph, file: FileId) -> Option<Arc<Source>> {
        let repo = self.repo;
        let source = self.sources.entry(file).or_insert_with(|| repo.read(file)).clone();
        if source.is_none() {
            self.changed.insert(graph.file(file).path.clone());
        }
        source
    }
}

/// The ranges to cite by relevance, disjoint within a file and inside of it.
fn citations(
    graph: &Graph,
    findings: &Findings,
    spine: &Spine,
    request: &Request,
    question: bool,
    reader: &mut Reader<'_>,
) -> Vec<Citation> {
    let on = spine.paths.iter().flatten().chain(&spine.named);
    let steps: Vec<Citation> = on.map(|&id| Citation::of(graph, id)).collect();
    let ranked = findings.ranges.iter().cloned();
    let ordered: Vec<Citation> = if findings.names_only && spine.strong || findings.directed && spine.exists()
    {
        steps.into_iter().chain(ranked).collect()
    } else if request.citation && !question {
        ranked.chain(findings.tail.iter().cloned()).collect()
    } else {
        ranked.chain(steps).collect()
    };
    let most = match (request.citation, question) {
        (false, false) => CITED,
        (true, false) => CITED_ALONE,
        (false, true) => ANSWERED,
        (true, true) => ANSWERED_ALONE,
    };
    let mut taken: BTreeMap<FileId, Vec<LineRange>> = BTreeMap::new();
    let mut out = Vec::new();
    for citation in ordered {
        let Some(file) = graph.find_file(citation.path.as_str()) else { continue };
        if !citation.path.is_under(&request.path) {
            continue;
        }
        let Some(source) = reader.read(graph, file) else { continue };
        let inside = citation.lines.start..=citation.lines.end.min(source.lines.count());
        let taken = taken.entry(file).or_default();
        // What an earlier range covers is left out of this one; the longest piece that remains stays.
        let mut pieces: Vec<LineRange> = Vec::new();
        for at in inside {
            if taken.iter().any(|range| range.contains(at)) {
                continue;
            }
            match pieces.last_mut() {
                Some(piece) if piece.end + 1 == at => piece.end = at,
                _ => pieces.push(LineRange::new(at, at)),
            }
        }
        let longest = pieces.iter().copied().max_by_key(|p| (p.count(), std::cmp::Reverse(p.start)));
        let Some(lines) = longest.and_then(|piece| with_text(&source, piece)) else { continue };
        taken.push(lines);
        let touches = |other: &&mut Citation| {
            let one = lines.end + 1 == other.lines.start || other.lines.end + 1 == lines.start;
            one && other.path == citation.path && other.label == citation.label
        };
        // Only by what was found, which is the same whatever else is cited.
        let joins = lines.count() <= REST && findings.ranges.contains(&citation);
        match out.iter_mut().find(touches).filter(|_| joins) {
            Some(other) => {
                let (start, end) = (lines.start.min(other.lines.start), lines.end.max(other.lines.end));
                other.lines = LineRange::new(start, end);
            }
            None => out.push(Citation { lines, ..citation }),
        }
    }
    out.truncate(most);
    out
}

/// A range without the blank lines at its ends; `None` where there is no other line.
fn with_text(source: &Source, lines: LineRange) -> Option<LineRange> {
    let told = |line: &u32| !source.lines.text(&source.text, *line).trim().is_empty();
    let start = (lines.start..=lines.end).find(told)?;
    let end = (start..=lines.end).rev().find(told)?;
    Some(LineRange::new(start, end))
}

/// Bytes that are left.
struct Fit {
    left: usize,
}

impl Fit {
    fn new(max_bytes: usize) -> Self {
        Fit { left: max_bytes.saturating_sub(layout::OPEN.len() + layout::CLOSE.len() + 2) }
    }

    fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left;
        if fits {
            self.left -= bytes;
        }
        fits
    }
}

impl Answer {
    /// An answer that cites nothing says why.
    fn or_notes(mut self, notes: Vec<Note>, fit: &mut Fit) -> Self {
        if self.citations.is_empty() {
            let mut first = 1;
            self.notes = notes::joined(notes)
                .into_iter()
                .take_while(|note| fit.take(layout::note(note).len() + 1 + std::mem::take(&mut first)))
                .collect();
        }
        self
    }
}

/// Takes the pieces of the sequence one after the other while they fit.
struct Writer<'a> {
    graph: &'a Graph,
    reader: &'a Reader<'a>,
    sizing: &'a Sizing,
    max: usize,
    /// Bytes of what was taken, with the tags of the citation block.
    used: usize,
    answer: Answer,
    notes: Waiting,
    /// Index into `answer.sources` by file.
    blocks: BTreeMap<FileId, usize>,
    /// Mentions not made unnecessary by code.
    open: BTreeMap<SymbolId, usize>,
}

impl<'a> Writer<'a> {
    fn new(
        graph: &'a Graph,
        reader: &'a Reader<'a>,
        sizing: &'a Sizing,
        max: usize,
        notes: Vec<Note>,
    ) -> Self {
        let used = layout::OPEN.len() + layout::CLOSE.len() + 2;
        let (answer, blocks, open) = (Answer::default(), BTreeMap::new(), BTreeMap::new());
        Writer { graph, reader, sizing, max, used, answer, notes: Waiting::new(notes), blocks, open }
    }

    fn write(&mut self, cited: Vec<Citation>, flows: Vec<super::answer::Flow>) -> Answer {
        let left = self.sizing.units.len() as u32;
        let mut cited = cited.into_iter();
        let first: Vec<Citation> = cited.by_ref().take(FIRST).collect();
        let mut flows = flows.into_iter();
        let mut fits = self.cite(first, left);
        fits = fits && flows.next().is_none_or(|flow| self.flow(flow, left));
        fits = fits && self.cite(cited.by_ref().take(BEFORE_CODE).collect(), left);
        for flow in flows {
            fits = fits && self.flow(flow, left);
        }
        fits = fits && self.mention(left);
        let mut done = 0;
        for unit in &self.sizing.units {
            fits = fits && self.unit(unit, left - done - 1);
            if !fits {
                break;
            }
            done += 1;
            let due = if unit.goes_on { 0 } else { AFTER_EACH };
            fits = self.cite(cited.by_ref().take(due).collect(), left - done) && self.note(left - done);
        }
        fits = fits && self.cite(cited.collect(), left - done);
        // Notes that nothing is left to wait for.
        while fits && let Some(bytes) = self.notes.next() {
            fits = self.take_note(bytes, left - done);
        }
        let mut answer = std::mem::take(&mut self.answer);
        answer.not_shown = self
            .sizing
            .mentions
            .iter()
            .filter(|id| self.open.contains_key(id))
            .map(|&id| cited_of(self, id))
            .collect();
        if done < left && self.used + truncated(&answer.notes, left - done) <= self.max {
            answer.notes.push(Note::Truncated { left_out: left - done });
        }
        for (&file, &at) in &self.blocks {
            let block = &mut answer.sources[at];
            block.lines.sort_by_key(|line| line.number);
            self.keep_shown(file, block);
            if block.form == SourceForm::Code {
                mark_cuts(self.graph, file, block);
            }
        }
        answer
    }

    /// Leaves out of a heading what the block does not show.
    fn keep_shown(&self, file: FileId, block: &mut SourceBlock) {
        let shown = |id: &SymbolId| {
            let name = self.graph.symbol(*id).name_line;
            block.lines.binary_search_by_key(&name, |line| line.number).is_ok()
        };
        let shape = &self.sizing.shapes[&file];
        let (symbols, elided) = (self.names(&shape.symbols, shown), self.names(&shape.elided, shown));
        (block.symbols, block.elided) = (symbols, elided);
    }

    /// The names of symbols in a heading.
    fn names(&self, symbols: &[SymbolId], kept: impl Fn(&SymbolId) -> bool) -> Vec<String> {
        let kept = symbols.iter().filter(|id| kept(id));
        kept.map(|&id| self.graph.symbol(id).qualified.to_string()).collect()
    }

    /// Whether so many bytes more fit, with the note that `left` units are missing.
    fn fits(&self, more: usize, left: u32) -> bool {
        self.used + more + truncated(&self.answer.notes, left) <= self.max
    }

    fn cite(&mut self, citations: Vec<Citation>, left: u32) -> bool {
        for citation in citations {
            let bytes = layout::citation(&citation).len() + 1;
            if !self.fits(bytes, left) {
                return false;
            }
            self.used += bytes;
            self.answer.citations.push(citation);
            if !self.note(left) {
                return false;
            }
        }
        true
    }

    /// Takes the notes that are due.
    fn note(&mut self, left: u32) -> bool {
        while let Some(bytes) = self.notes.due(self.used) {
            if !self.take_note(bytes, left) {
                return false;
            }
        }
        true
    }

    fn take_note(&mut self, bytes: usize, left: u32) -> bool {
        let fits = self.fits(bytes, left);
        if fits {
            self.used += bytes;
            self.answer.notes.extend(self.notes.take());
        }
        fits
    }

    fn flow(&mut self, flow: super::answer::Flow, left: u32) -> bool {
        let steps = flow.steps.iter().enumerate();
        let lines: usize =
            steps.flat_map(|(nth, step)| layout::flow_step(nth, step)).map(|line| line.len() + 1).sum();
        let bytes = layout::flow_title(self.answer.flows.len(), flow.by_words).len() + 1 + lines + 1;
        let fits = self.fits(bytes, left);
        if fits {
            self.used += bytes;
            self.answer.flows.push(flow);
        }
        fits && self.note(left)
    }

    fn mention(&mut self, left: u32) -> bool {
        for &id in &self.sizing.mentions {
            let head = if self.open.is_empty() { layout::NOT_SHOWN.len() + 2 } else { 0 };
            let bytes = layout::citation(&Citation::of(self.graph, id)).len() + 1;
            if !self.fits(bytes + head, left) {
                return false;
            }
            self.used += bytes + head;
            self.open.insert(id, bytes);
        }
        self.note(left)
    }

    fn unit(&mut self, unit: &super::plan::Unit, left: u32) -> bool {
        let Some(Some(source)) = self.reader.sources.get(&unit.file) else { return true };
        let shape = &self.sizing.shapes[&unit.file];
        let lines: Vec<SourceLine> = unit
            .lines
            .iter()
            .map(|&number| {
                let text = layout::shown_code(source.lines.text(&source.text, number));
                SourceLine { number, text, cut: false }
            })
            .collect();
        let mut bytes: usize = lines.iter().map(|l| layout::code(l).len() + 1).sum();
        if shape.form == SourceForm::Code {
            // Where lines end a function may go on.
            let ends = lines.windows(2).filter(|two| two[0].number + 1 < two[1].number).count() + 1;
            bytes += ends * (layout::CUT.len() + 1);
        }
        let fresh = SourceBlock {
            path: self.graph.file(unit.file).path.clone(),
            symbols: self.names(&shape.symbols, |_| true),
            form: shape.form,
            elided: self.names(&shape.elided, |_| true),
            lines: Vec::new(),
        };
        if !self.blocks.contains_key(&unit.file) {
            bytes += layout::heading(&fresh).len() + 2;
        }
        // What the code shows need not be mentioned.
        let told = |id: &SymbolId| {
            let symbol = self.graph.symbol(*id);
            symbol.file == unit.file && unit.lines.contains(&symbol.name_line)
        };
        let closed: Vec<SymbolId> = self.open.keys().copied().filter(|id| told(id)).collect();
        let mut saved: usize = closed.iter().filter_map(|id| self.open.get(id)).sum();
        if !closed.is_empty() && closed.len() == self.open.len() {
            saved += layout::NOT_SHOWN.len() + 2;
        }
        if self.used + bytes + truncated(&self.answer.notes, left) > self.max + saved {
            return false;
        }
        self.used = self.used + bytes - saved;
        for id in closed {
            self.open.remove(&id);
        }
        let sources = &mut self.answer.sources;
        let at = *self.blocks.entry(unit.file).or_insert_with(|| {
            sources.push(fresh);
            sources.len() - 1
        });
        sources[at].lines.extend(lines);
        true
    }
}

/// Marks the lines behind which the rest of a function is left out.
fn mark_cuts(graph: &Graph, file: FileId, block: &mut SourceBlock) {
    let callables: Vec<LineRange> =
        graph.symbols_in(file).filter(|&id| graph.has_code(id)).map(|id| graph.symbol(id).lines).collect();
    let goes_on = |at: u32| callables.iter().any(|lines| lines.start <= at && at < lines.end);
    for at in 0..block.lines.len() {
        let number = block.lines[at].number;
        let next = block.lines.get(at + 1).map(|line| line.number);
        block.lines[at].cut = next != Some(number + 1) && goes_on(number);
    }
}

fn cited_of(writer: &Writer<'_>, id: SymbolId) -> Citation {
    Citation::of(writer.graph, id)
}

/// Bytes of the note that units are missing.
fn truncated(notes: &[Note], left: u32) -> usize {
    if left == 0 {
        return 0;
    }
    layout::note(&Note::Truncated { left_out: left }).len() + 1 + usize::from(notes.is_empty())
}
