//! Sizing: how much of what is shown, as one fixed sequence of units of code.
//!
//! The sequence does not depend on the budget; the budget takes a prefix of it. Steps of the flow come
//! first, then what the query names; then, where the flow visits what is named, the rest of its long bodies, the
//! siblings that it could as well have gone to as signatures, what its lines call, what was found by words as long
//! as it is near the best, more of what is called, what else belongs to what is named, and other siblings. A flow that
//! words chose leaves what it calls to the end, but for what the question speaks of.

use std::collections::{BTreeMap, BTreeSet};

use super::called::{BESIDE, CALLED, CALLED_FROM_THERE, LEFT, SPOKEN_OF};
use super::callers::CALLERS;
use super::findings::Findings;
use super::plan::{Plan, Shape, Unit, WHOLE};
use super::skeleton;
use super::spine::Spine;
use crate::resolve::{FileId, Graph, SymbolId, SymbolKind};

#[derive(Debug, Default)]
pub(super) struct Sizing {
    /// By priority; the units of a file are disjoint.
    pub units: Vec<Unit>,
    pub shapes: BTreeMap<FileId, Shape>,
    /// Symbols to name where their code is not shown, by relevance.
    pub mentions: Vec<SymbolId>,
}

/// A file with less than this share of the best file's score shows nothing of itself.
const FLOOR: f32 = 0.35;
/// How much is shown of what was found by words.
struct Reach {
    /// What a range's file must be worth against the best one.
    floor: f32,
    /// What each further range of a file is worth against the one before.
    again: f32,
    /// Lines of one range.
    passage: usize,
    /// Lines of all ranges, up to the one that goes beyond.
    most: usize,
    /// Only what holds code.
    code: bool,
}

/// Beside a flow through what is named.
const NEARBY: Reach = Reach { floor: 0.6, again: 0.85, passage: 60, most: 120, code: false };
/// For a sentence: something of each good file, then more of the best ones.
const NARROW: Reach = Reach { floor: FLOOR, again: 0.8, passage: 24, most: 400, code: false };
const WIDE: Reach = Reach { again: 0.9, passage: 60, ..NARROW };
/// Where there is room at the end, what else of the best files was found.
const ALL: Reach = Reach { floor: 0.6, again: 1.0, passage: LIKELY_LONG as usize, most: 400, code: true };
/// Files of which the signatures beside the code are shown.
const OUTLINED: usize = 6;
/// Files of siblings shown as signatures.
const SIBLINGS: usize = 8;
/// A step of a flow that words chose is likely right with this share of the best symbol's evidence; its body is shown
/// whole, up to so many lines, before what was found.
const LIKELY: f32 = 0.5;
const LIKELY_LONG: u32 = 120;
/// Of what was found first so many are shown where they meet.
const MEETING: usize = 5;
/// The best ranges, so many, are shown up to `LIKELY_LONG` lines.
const FIRST: usize = 3;
/// Symbols that are named without their code.
const MENTIONS: usize = 10;

/// Plans the code of an answer.
pub(super) fn size(graph: &Graph, findings: &Findings, spine: &Spine, adaptive: bool) -> Sizing {
    let mut plan = Plan::new(graph, findings, spine, adaptive);
    for &id in &findings.asked {
        plan.view(id);
    }
    plan.docs(&findings.asked);
    plan.steps();
    plan.named();
    plan.named_values();
    let near = plan.near();
    let on_flow = plan.on_flow(&near);
    if spine.strong {
        plan.long_bodies();
        plan.siblings(true);
        let called = plan.callees(&on_flow, &CALLED);
        plan.found(&NEARBY);
        plan.callees(&called, &CALLED_FROM_THERE);
        plan.rest();
        let called = plan.callees(&on_flow, &LEFT);
        plan.callees(&called, &LEFT);
        plan.values(&on_flow);
        plan.rest_of_named(&on_flow);
        plan.siblings(false);
    } else {
        // A flow that words chose may be another one than is meant: what was found, and what stands beside it
        // under other names, says more than what the flow calls, but for what the question speaks of.
        plan.siblings(true);
        plan.likely_bodies();
        plan.callees(&on_flow, &SPOKEN_OF);
        plan.found(&NARROW);
        let found = plan.found_callables();
        let best = plan.by_name(found.iter().take(MEETING).copied());
        plan.joining(&best, CALLERS);
        let shown = [on_flow.clone(), found].concat();
        plan.callers(&shown, CALLERS);
        plan.values(&shown);
        plan.callees(&shown, &BESIDE);
        plan.rest_of_named(&on_flow);
        plan.beside();
        plan.long_bodies();
        plan.found(&WIDE);
        plan.callees(&on_flow, &CALLED);
        plan.found(&ALL);
        let shown = plan.shown_callables();
        plan.callers(&shown, CALLERS);
        let called = plan.callees(&shown, &LEFT);
        plan.callees(&called, &LEFT);
        plan.siblings(false);
    }
    let shown = plan.shown_callables();
    plan.docs(&shown);
    let mentions = plan.worth_naming();
    Sizing { units: plan.units, shapes: plan.shapes, mentions }
}

/// The stages of an answer's code.
impl Plan<'_> {
    fn steps(&mut self) {
        for path in &self.spine.paths {
            for &id in path {
                self.view(id);
            }
        }
    }

    /// What is on the flow, what the query names, and what stands by the flow.
    fn on_flow(&self, near: &[SymbolId]) -> Vec<SymbolId> {
        let on = self.spine.paths.iter().flatten().chain(&self.spine.named).chain(near);
        on.copied().collect()
    }

    /// What would only be named although it stands beside what is shown and there may be room for it.
    fn rest(&mut self) {
        for id in self.worth_naming() {
            let symbol = self.graph.symbol(id);
            let short = (2..=WHOLE).contains(&symbol.lines.count());
            let beside = self.planned.contains_key(&symbol.file) && !self.is_begun(id);
            if short && beside && self.graph.has_code(id) && !symbol.without_body {
                self.view(id);
            }
        }
    }

    /// Files of interchangeable siblings: those found, then those that the flow's declarations could as
    /// well have gone to. First those of the families that the flow dispatches to, then the others.
    fn siblings(&mut self, on_flow: bool) {
        if !self.adaptive || !self.spine.exists() {
            return;
        }
        // A file far from the best shows no code, and so no signatures instead of it.
        let best = self.findings.best_file();
        let floor = if self.spine.strong { NEARBY.floor } else { FLOOR };
        let found = self.findings.files.iter().filter(|file| file.1 / best >= floor).map(|file| file.0);
        let dispatched = self.spine.dispatched.iter().filter_map(|&id| self.graph.symbol(id).container);
        let bases: Vec<SymbolId> = dispatched.collect();
        // An object without a name amid other code is no file's topic.
        let named = |id: &SymbolId| !self.graph.symbol(*id).name.starts_with('<');
        let others = bases.iter().flat_map(|&base| self.families.implementers(base)).filter(named);
        let others = others.map(|id| self.graph.symbol(id).file).collect::<Vec<_>>();
        let mut shown = BTreeSet::new();
        for file in found.chain(others) {
            if shown.len() == SIBLINGS {
                break;
            }
            if !self.is_skeleton(file)
                || self.families.bases_of_file(file).iter().any(|base| bases.contains(base)) != on_flow
                || !shown.insert(file)
            {
                continue;
            }
            let types: Vec<SymbolId> = self
                .graph
                .symbols_in(file)
                .filter(|&id| !self.families.bases(id).is_empty() && self.graph.symbol(id).kind.is_type())
                .collect();
            for id in types {
                self.head(id);
            }
            self.skeleton(file, if on_flow { &bases } else { &[] });
        }
        if !on_flow {
            return;
        }
        // Functions that could as well have been called where the flow calls a slot.
        let filled = self.spine.dispatched.iter().flat_map(|&slot| self.families.fillers(slot));
        let others: Vec<SymbolId> = filled.filter(|&id| !self.spine.contains(id)).collect();
        for id in others.into_iter().take(SIBLINGS) {
            if self.redundant(id).is_some() {
                self.view(id);
            }
        }
    }

    /// What windows left out of long bodies on the flow.
    fn long_bodies(&mut self) {
        for id in self.spine.paths.iter().flatten().copied().chain(self.spine.named.iter().copied()) {
            self.long_body(id);
        }
    }

    /// The same of those that the question speaks of, and that are not too long to be wrong.
    fn likely_bodies(&mut self) {
        for id in self.spine.paths.iter().flatten().copied() {
            if self.evidence(id) >= LIKELY && self.graph.symbol(id).lines.count() <= LIKELY_LONG {
                self.long_body(id);
            }
        }
    }

    /// What was found by words, by rank with diminishing returns in a file.
    fn found(&mut self, reach: &Reach) {
        let best = self.findings.best_file();
        let mut used: BTreeMap<FileId, i32> = BTreeMap::new();
        let mut total = 0;
        for (rank, range) in self.findings.ranges.iter().enumerate() {
            let Some(file) = self.graph.find_file(range.path.as_str()) else { continue };
            let score = self.findings.files.iter().find(|f| f.0 == file).map_or(0.0, |f| f.1 / best);
            // A flow that visits what the query names is the answer: other files are cited only.
            let strange = self.spine.strong && !self.planned.contains_key(&file);
            let nth = used.entry(file).or_default();
            if strange || score * reach.again.powi(*nth) < reach.floor || total >= reach.most {
                continue;
            }
            let holder = self.holder(file, range.lines);
            if reach.code && !holder.is_some_and(|id| self.graph.has_code(id)) {
                continue;
            }
            if holder.is_some_and(|id| self.hands_on(id)) {
                *nth += 1;
                continue;
            }
            let elided = holder.is_some_and(|id| self.is_skeleton(file) || self.redundant(id).is_some());
            let body = holder.filter(|&id| !elided && self.graph.has_code(id));
            if body.is_some_and(|id| !self.is_begun(id) && self.is_one_more(id)) {
                continue;
            }
            *nth += 1;
            match holder {
                Some(id) if elided => self.view(id),
                _ => {
                    let prose = self.prose(file);
                    let code = (range.lines.start..=range.lines.end).filter(|line| !prose.contains(line));
                    let passage = if rank < FIRST { LIKELY_LONG as usize } else { reach.passage };
                    let mut lines: BTreeSet<u32> = code.take(passage).collect();
                    total += self.fresh(file, lines.iter().copied()).len().min(reach.passage);
                    if let Some(id) = holder {
                        lines.extend(self.holders(id));
                        if self.graph.has_code(id) {
                            let sign = skeleton::signature(self.graph, id);
                            lines.extend(sign.start..=sign.end);
                        }
                        self.head(id);
                    } else {
                        self.shape(file);
                    }
                    self.add_lines(file, lines);
                }
            }
        }
    }

    /// Signatures of the functions that stand in the best files beside what is shown of them: a sentence often
    /// means one that goes by other words.
    fn beside(&mut self) {
        for &(file, _) in self.findings.files.iter().take(OUTLINED) {
            if self.is_skeleton(file) {
                continue;
            }
            if !self.planned.contains_key(&file) {
                continue;
            }
            let own: Vec<SymbolId> = self.graph.symbols_in(file).collect();
            let elided = own.into_iter().filter(|&id| self.redundant(id).is_some()).collect();
            let lines = skeleton::beside(self.graph, file, &self.planned[&file], &elided);
            self.add_lines(file, lines);
        }
    }

    /// The symbols on the flow, those that the query names, and those near the best, each once.
    fn worth_naming(&self) -> Vec<SymbolId> {
        let best = self.findings.symbols.first().map_or(1.0, |s| s.score);
        let near = self.findings.symbols.iter().filter(|s| s.score >= best * 0.4).map(|s| s.symbol);
        let on = self.spine.paths.iter().flatten().chain(&self.spine.named).copied();
        let mut seen = BTreeSet::new();
        let told = |id: &SymbolId| self.graph.symbol(*id).kind != SymbolKind::Module && seen.insert(*id);
        let (mut begun, mut others) = (0, 0);
        on.chain(near)
            .filter(told)
            .filter(|&id| {
                // What is planned is named only where its code does not fit.
                let count = if self.is_begun(id) { &mut begun } else { &mut others };
                *count += 1;
                *count <= MENTIONS
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::answer::SourceForm;
    use crate::explore::testing::{Sketch, chain};
    use crate::explore::testing_project::Project;
    use crate::explore::{NamedSymbol, Repository};
    use crate::resolve::EdgeKind::{Calls, Overrides};
    use crate::resolve::SymbolKind::{Class, Method};

    #[test]
    fn siblings_in_files_far_from_the_best_are_left_out() {
        let repo = chain();
        let graph = repo.graph();
        let file = |path: &str| graph.find_file(path).unwrap();
        let path = ["Call.respond", "RealChain.proceed", "Net.intercept"].map(|name| repo.id(name));
        let spine = Spine {
            flows: vec![crate::explore::Flow { steps: Vec::new(), by_words: false }],
            paths: vec![path.to_vec()],
            ..Spine::default()
        };
        let files = vec![(file("src/Call.kt"), 1.0), (file("src/Cache.kt"), 0.4), (file("src/Log.kt"), 0.3)];
        let findings = Findings { files, ..Findings::default() };
        let sizing = size(graph, &findings, &spine, true);
        let form = |path: &str| sizing.shapes.get(&file(path)).map(|shape| shape.form);
        assert_eq!(form("src/Call.kt"), Some(SourceForm::Code));
        assert_eq!(form("src/Cache.kt"), Some(SourceForm::Skeleton));
        assert_eq!(form("src/Log.kt"), None);
    }

    #[test]
    fn a_sentence_s_flow_shows_what_stands_beside_it_by_its_signatures() {
        let repo = Sketch::default()
            .file("src/jobs.py", &"x\n".repeat(40))
            .symbol(Class, "Jobs", 1, 40)
            .symbol(Method, "Jobs.start", 2, 5)
            .symbol(Method, "Jobs.run", 6, 9)
            .symbol(Method, "Jobs.other", 20, 25)
            .symbol(Method, "Jobs.last", 30, 35)
            .edge("Jobs.start", Calls, "Jobs.run", 3)
            .edge("Jobs.last", Calls, "Jobs.start", 31)
            .build();
        let spine = |strong: bool| Spine {
            flows: vec![crate::explore::Flow { steps: Vec::new(), by_words: !strong }],
            paths: vec![vec![repo.id("Jobs.start"), repo.id("Jobs.run")]],
            strong,
            ..Spine::default()
        };
        let findings = Findings { files: vec![(FileId(0), 1.0)], ..Findings::default() };
        let lines = |strong: bool| {
            let sizing = size(repo.graph(), &findings, &spine(strong), true);
            sizing.units.iter().flat_map(|unit| unit.lines.clone()).collect::<BTreeSet<u32>>()
        };
        let flow: BTreeSet<u32> = (1..=9).collect();
        // And where it is called from.
        let flow: BTreeSet<u32> = flow.into_iter().chain(30..=35).collect();
        assert_eq!(lines(true), flow);
        assert_eq!(lines(false), flow.into_iter().chain([20]).collect());
    }

    #[test]
    fn what_a_flow_calls_is_shown_by_what_runs_and_what_only_hands_on_is_not() {
        let repo = Sketch::default()
            .file("src/jobs.py", &"x\n".repeat(30))
            .symbol(Class, "Jobs", 1, 30)
            .symbol(Method, "Jobs.start", 2, 6)
            .symbol(Method, "Jobs.run", 7, 10)
            .symbol(Method, "Jobs.helper", 12, 15)
            .symbol(Method, "Jobs.check", 17, 20)
            .file("src/plan.py", &"x\n".repeat(40))
            .symbol(Class, "Plan", 1, 3)
            .symbol(Method, "Plan.connect", 2, 2)
            .symbol(Class, "Refused", 5, 8)
            .symbol(Method, "Refused.connect", 6, 7)
            .symbol(Class, "Real", 10, 20)
            .symbol(Method, "Real.connect", 11, 18)
            .file("src/again.py", &"x\n".repeat(10))
            .symbol(Class, "Again", 1, 10)
            .symbol(Method, "Again.start", 2, 4)
            .symbol(Method, "Again.stop", 6, 9)
            .edge("Jobs.start", Calls, "Jobs.run", 3)
            .edge("Jobs.start", Calls, "Plan.connect", 4)
            .edge("Jobs.run", Calls, "Jobs.check", 8)
            .edge("Refused.connect", Overrides, "Plan.connect", 6)
            .edge("Real.connect", Overrides, "Plan.connect", 11)
            .edge("Again.start", Calls, "Jobs.start", 3)
            .build();
        let spine = Spine {
            flows: vec![crate::explore::Flow { steps: Vec::new(), by_words: false }],
            paths: vec![vec![repo.id("Jobs.start")]],
            strong: true,
            ..Spine::default()
        };
        let graph = repo.graph();
        let sizing = size(graph, &Findings::default(), &spine, true);
        let shown = |id: &SymbolId| {
            let symbol = graph.symbol(*id);
            let begins = |unit: &Unit| unit.file == symbol.file && unit.lines.contains(&symbol.name_line);
            symbol.kind == Method && sizing.units.iter().any(begins)
        };
        let shown: Vec<&str> =
            graph.symbol_ids().filter(shown).map(|id| graph.symbol(id).qualified.as_str()).collect();
        // Of what a declaration stands for, the one that does most; and what that and others call in turn.
        assert_eq!(shown, ["Jobs.start", "Jobs.run", "Jobs.check", "Real.connect"]);
        let findings = Findings::default();
        let plan = Plan::new(repo.graph(), &findings, &spine, true);
        let hands_on = |name: &str| plan.hands_on(repo.id(name));
        assert_eq!(["Again.start", "Again.stop", "Jobs.start"].map(hands_on), [true, false, false]);
    }

    #[test]
    fn a_long_doc_comment_gives_way_to_code() {
        let doc = "    more of it\n".repeat(10);
        let text = format!(
            "def run(job):\n    \"\"\"Runs a job.\n{doc}    \"\"\"\n    return job()\n\n\ndef stop(job):\n    \"\"\"Stops it.\n    Now.\"\"\"\n    job.end()\n"
        );
        let project = Project::new(&[("src/jobs.py", &text)]);
        let (findings, spine) = (Findings::default(), Spine::default());
        let mut plan = Plan::new(project.graph(), &findings, &spine, true);
        plan.view(project.symbol("run"));
        plan.view(project.symbol("stop"));
        let lines: Vec<u32> = plan.units.iter().flat_map(|unit| unit.lines.clone()).collect();
        assert_eq!(lines, [1, 2, 3, 4, 13, 14, 17, 18, 19, 20]);
        assert!(plan.is_whole(project.symbol("run")));
        // The rest where there is room.
        plan.docs(&[project.symbol("run"), project.symbol("stop")]);
        let lines: Vec<u32> = plan.units.iter().flat_map(|unit| unit.lines.clone()).skip(9 + 1).collect();
        assert_eq!(lines, (5..=12).collect::<Vec<u32>>());
    }

    #[test]
    fn of_functions_that_stand_for_each_other_two_are_shown_for_their_words() {
        let repo = chain();
        let (findings, spine) = (Findings::default(), Spine::default());
        let mut plan = Plan::new(repo.graph(), &findings, &spine, true);
        let all = ["Net", "Log", "Net", "Cache", "Retry"].map(|name| repo.id(&format!("{name}.intercept")));
        assert_eq!(all.map(|id| plan.is_one_more(id)), [false, false, false, true, true]);
        assert!(!plan.is_one_more(repo.id("RealChain.proceed")));
    }

    #[test]
    fn what_is_named_brings_its_members_and_values_and_what_they_call_and_read() {
        let text = "\
LIMIT = 3
TABLE = {
    1: 2,
}


class Pool:
    def put(self, entry):
        return self.keep(entry)

    def keep(self, entry):
        return sized(entry)


def sized(entry):
    return TABLE[len(entry)]


def far(entry):
    return entry
";
        let project = Project::new(&[("src/pool.py", text)]);
        let shown = |names: &[&str]| {
            let named = names.iter().map(|name| NamedSymbol {
                name: (*name).into(),
                symbols: vec![project.symbol(name)],
                callable: false,
            });
            let findings = Findings { named: named.collect(), ..Findings::default() };
            let sizing = size(project.graph(), &findings, &Spine::default(), true);
            sizing.units.into_iter().flat_map(|unit| unit.lines).collect::<BTreeSet<u32>>()
        };
        assert_eq!(shown(&["LIMIT"]), BTreeSet::from([1]));
        let pool: BTreeSet<u32> = (7..=12).filter(|&line| line != 10).chain([15, 16]).collect();
        assert!(shown(&["Pool"]).is_superset(&pool), "{:?}", shown(&["Pool"]));
        assert!(!shown(&["Pool"]).contains(&20));
        // What a line that is shown reads.
        let (findings, spine) = (Findings::default(), Spine::default());
        let mut plan = Plan::new(project.graph(), &findings, &spine, true);
        plan.view(project.symbol("sized"));
        plan.values(&[project.symbol("sized"), project.symbol("far")]);
        let lines: Vec<u32> = plan.units.iter().flat_map(|unit| unit.lines.clone()).collect();
        assert_eq!(lines, [15, 16, 2, 3, 4]);
    }
}
