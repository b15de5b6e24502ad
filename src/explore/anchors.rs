//! Anchors: the callables that a flow should pass through, each with what it is worth.
//!
//! A name of the query is worth something once per flow, however many of the symbols it can mean are on
//! it; which of them is meant is decided by its neighbours: a container that the query names too, and the
//! flow that connects them.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::Words;
use super::findings::{Findings, NamedSymbol};
use super::hops::Hops;
use crate::resolve::{EdgeKind, FileId, Graph, SymbolId, SymbolKind};

/// A callable worth visiting.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    pub symbol: SymbolId,
    /// What it is worth by its own score, and by its place among calls.
    pub base: f32,
    /// Its file's rank among those found, and what the first step in that file is worth.
    pub file: Option<(usize, f32)>,
    /// The declaration that it and its interchangeable siblings override.
    pub family: Option<SymbolId>,
    /// The names it can be meant by: (index of the name, worth).
    pub shares: Vec<(usize, f32)>,
    /// The terms of the query it holds: (term, share of the best symbol's weight).
    pub terms: Vec<(usize, f32)>,
}

impl Anchor {
    /// What it is worth at most.
    pub fn worth(&self) -> f32 {
        self.base + self.shares.iter().chain(&self.terms).map(|share| share.1).sum::<f32>()
    }
}

/// The anchors of a question and the evidence for every other symbol.
pub(super) struct Anchors {
    /// By (worth descending, symbol); at most `MOST`.
    pub list: Vec<Anchor>,
    /// By symbol: its score, 1 the best.
    evidence: Vec<f32>,
    /// How many names the query has that an anchor answers to.
    pub names: usize,
    /// What a way between two anchors may cost.
    pub reach: f32,
    /// Callables that the query names, by name: what the reader asked to see.
    pub callables: Vec<Vec<SymbolId>>,
}

/// The most callables that are handed on as relevant.
const RELEVANT: usize = 32;
/// The most anchors: flows are searched between each two of them.
pub(super) const MOST: usize = 256;
/// Names that are looked at; with the terms after them sets of them are 128 bits.
const MOST_NAMES: usize = 128 - super::evidence::TERMS;
/// With fewer names that anything answers to, a query is a sentence.
const PLAIN: usize = 3;
/// Symbols that one name of the query spares and cites.
const NAMED: usize = 6;
/// What the query's words weigh against the loop's score, of 1.
const WORDS: f32 = 0.7;
/// What a symbol's score is worth beside names and terms.
const SCORE: f32 = 0.12;

// Where the query is a sentence, the files that were found say more of where a flow passes than the words
// of single symbols do.
/// What the first step in the best file is worth.
const NEW_FILE: f32 = 0.4;
/// What the share of the query's weight that a symbol holds itself is worth.
const OWN: f32 = 0.15;
/// What the logarithm of a symbol's calls is worth: a step of a flow calls on.
const CALLS_ON: f32 = 0.1;
/// And what that of its callers takes away: what everything calls is a helper.
const CALLED: f32 = 0.1;
/// A name that can mean more callables than this says nothing by itself.
const AMBIGUOUS: usize = 48;

impl Anchors {
    pub fn new(graph: &Graph, findings: &Findings, words: &Words, hops: &Hops<'_>) -> Self {
        let (types, kin) = (named_types(graph, findings), kin(graph, findings));
        let mut shares: BTreeMap<SymbolId, Vec<(usize, f32)>> = BTreeMap::new();
        let mut callables = Vec::new();
        let mut names = 0;
        for (at, named) in findings.named.iter().take(MOST_NAMES).enumerate() {
            let callable = |id: &SymbolId| graph.has_code(*id) && hops.allowed(*id);
            let meant: Vec<SymbolId> = exact(graph, named).into_iter().filter(callable).collect();
            let worth = worth_of(graph, &meant, &types, &kin);
            if !worth.is_empty() {
                names += 1;
            }
            for &(id, value) in &worth {
                shares.entry(id).or_default().push((at, value));
            }
            // Overloads in one file are one thing.
            let file = |w: &(SymbolId, f32)| graph.symbol(w.0).file;
            let one = worth.windows(2).all(|pair| file(&pair[0]) == file(&pair[1]));
            let clear = worth.iter().filter(|w| w.1 >= 0.7 || one).map(|w| w.0);
            callables.push(clear.take(NAMED).collect::<Vec<_>>());
        }
        let spoken: BTreeSet<&str> = findings.named.iter().map(|named| last_segment(&named.name)).collect();
        for (at, named) in findings.named.iter().take(MOST_NAMES).enumerate() {
            let kind = |id: &SymbolId| graph.symbol(*id).kind.is_type() && hops.allowed(*id);
            let own: Vec<SymbolId> = exact(graph, named).into_iter().filter(kind).collect();
            let spread = (own.len().max(1) as f32).sqrt();
            for &owner in &own {
                let members: Vec<SymbolId> = graph
                    .symbols_in(graph.symbol(owner).file)
                    .filter(|&id| {
                        let symbol = graph.symbol(id);
                        symbol.container == Some(owner) && graph.has_code(id) && hops.allowed(id)
                    })
                    .collect();
                let by_name = |id: SymbolId| spoken.contains(graph.symbol(id).name.as_str());
                let told = members.iter().any(|&id| by_name(id));
                for &id in &members {
                    // Beside a member that the query names the others are only company.
                    let value = match (told, by_name(id)) {
                        (_, true) => 1.0,
                        (true, false) => 0.25,
                        (false, false) => 0.5,
                    };
                    shares.entry(id).or_default().push((at, value / spread));
                }
            }
            names += usize::from(!own.is_empty());
        }
        let plain = names < PLAIN;
        let files = Worth::of_files(findings);
        // In a sentence a word counts as far as the file does that holds it.
        let trust = |id: SymbolId| if plain { files.share(graph.symbol(id).file) } else { 1.0 };
        let best = findings.symbols.iter().map(|s| s.score).fold(f32::MIN_POSITIVE, f32::max);
        let mut evidence: Vec<f32> =
            graph.symbol_ids().map(|id| words.score(id) * WORDS * trust(id)).collect();
        for found in &findings.symbols {
            evidence[found.symbol.0 as usize] += (1.0 - WORDS) * (found.score / best).clamp(0.0, 1.0);
        }
        let found = findings.symbols.iter().map(|found| found.symbol);
        let mut ids: Vec<SymbolId> = words.symbols().chain(found).chain(shares.keys().copied()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|&id| graph.has_code(id) && hops.allowed(id));
        let base = |id: SymbolId| evidence[id.0 as usize] * SCORE;
        let worth = |&id: &SymbolId| {
            let named: f32 = shares.get(&id).map_or(0.0, |own| own.iter().map(|share| share.1).sum());
            (base(id) + named + if plain { words.own(id) * trust(id) } else { 0.0 }, id)
        };
        let mut ranked: Vec<(f32, SymbolId)> = ids.iter().map(worth).collect();
        let order = |a: &(f32, SymbolId), b: &(f32, SymbolId)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if ranked.len() > MOST {
            ranked.select_nth_unstable_by(MOST, order);
            ranked.truncate(MOST);
        }
        ranked.sort_unstable_by(order);
        let mut chosen: Vec<SymbolId> = ranked.iter().map(|anchor| anchor.1).collect();
        chosen.sort_unstable();
        let terms = if plain { words.terms(&chosen) } else { vec![Vec::new(); chosen.len()] };
        let anchor = |&(_, symbol): &(f32, SymbolId)| {
            let held = chosen.binary_search(&symbol).map(|at| terms[at].as_slice()).unwrap_or_default();
            let terms = held.iter().map(|&(term, share)| (term, share * trust(symbol))).collect();
            let shares = shares.get(&symbol).cloned().unwrap_or_default();
            let place = if plain { OWN * words.own(symbol) + among_calls(graph, symbol) } else { 0.0 };
            let file = files.rank(graph.symbol(symbol).file).filter(|_| plain);
            let file = file.map(|rank| (rank, NEW_FILE * trust(symbol)));
            let family = if plain { hops.family(symbol) } else { None };
            Anchor { symbol, base: base(symbol) + place, file, family, shares, terms }
        };
        let list: Vec<Anchor> = ranked.iter().map(anchor).collect();
        let reach = if plain { 0.8 } else { 1.9 };
        Anchors { list, evidence, names, reach, callables }
    }

    /// Whether the query is a sentence rather than a list of names.
    pub fn plain(&self) -> bool {
        self.names < PLAIN
    }

    /// The callables that a sentence's words and files speak for, the best first; none for a list of names.
    pub fn relevant(&self) -> Vec<SymbolId> {
        if !self.plain() {
            return Vec::new();
        }
        let mut found: Vec<SymbolId> = self.list.iter().map(|anchor| anchor.symbol).collect();
        found.sort_by(|&a, &b| self.evidence(b).total_cmp(&self.evidence(a)).then(a.cmp(&b)));
        found.truncate(RELEVANT);
        found
    }

    /// The scores of all symbols.
    pub fn into_evidence(self) -> Vec<f32> {
        self.evidence
    }

    /// The score of a symbol, 1 the best.
    pub fn evidence(&self, id: SymbolId) -> f32 {
        self.evidence.get(id.0 as usize).copied().unwrap_or(0.0)
    }
}

/// What the files that were found are worth.
struct Worth {
    /// By file: its rank and its share of the best file's score.
    found: BTreeMap<FileId, (usize, f32)>,
}

impl Worth {
    fn of_files(findings: &Findings) -> Self {
        let best = findings.best_file();
        let ranked = findings.files.iter().enumerate().rev();
        let share =
            |(rank, &(file, score)): (usize, &(FileId, f32))| (file, (rank, (score / best).clamp(0.0, 1.0)));
        Worth { found: ranked.map(share).collect() }
    }

    fn rank(&self, file: FileId) -> Option<usize> {
        self.found.get(&file).map(|found| found.0)
    }

    fn share(&self, file: FileId) -> f32 {
        self.found.get(&file).map_or(0.0, |found| found.1)
    }
}

/// What a symbol's calls and callers say of it as a step.
fn among_calls(graph: &Graph, id: SymbolId) -> f32 {
    let count = |edges: usize| (1.0 + edges as f32).ln();
    let calls = graph.outgoing(id).iter().filter(|edge| edge.kind == EdgeKind::Calls).count();
    let callers = graph.incoming(id).filter(|edge| edge.kind == EdgeKind::Calls).count();
    CALLS_ON * count(calls) - CALLED * count(callers)
}

/// What a name can mean: where something is written as it is defined, its container too, only that.
fn exact(graph: &Graph, named: &NamedSymbol) -> Vec<SymbolId> {
    let mut segments = named.name.rsplit(['.', ':', '#']).filter(|segment| !segment.is_empty());
    let (last, holder) = (segments.next(), segments.next());
    let same = |id: &SymbolId| Some(graph.symbol(*id).name.as_str()) == last;
    let held = |id: &SymbolId| {
        let container = graph.symbol(*id).container;
        holder.is_none() || container.map(|at| graph.symbol(at).name.as_str()) == holder
    };
    let mut meant = named.symbols.clone();
    for clear in [&same as &dyn Fn(&SymbolId) -> bool, &held] {
        if meant.iter().any(clear) {
            meant.retain(clear);
        }
    }
    meant
}

fn last_segment(name: &str) -> &str {
    name.rsplit(['.', ':', '#']).next().unwrap_or(name)
}

/// The types that hold what the query names together with its container.
fn kin(graph: &Graph, findings: &Findings) -> BTreeSet<SymbolId> {
    let qualified = findings.named.iter().filter(|named| last_segment(&named.name) != named.name);
    let meant = qualified.map(|named| exact(graph, named)).filter(|meant| meant.len() == 1);
    let holders = meant.flatten().filter_map(|id| graph.symbol(id).container);
    holders.filter(|&id| graph.symbol(id).kind.is_type()).collect()
}

/// The types that the query names on their own.
fn named_types(graph: &Graph, findings: &Findings) -> BTreeSet<SymbolId> {
    let all = findings.named.iter().flat_map(|named| exact(graph, named));
    all.filter(|&id| graph.symbol(id).kind.is_type()).collect()
}

/// What each callable that a name can mean is worth: 1 where nothing else is meant.
fn worth_of(
    graph: &Graph,
    meant: &[SymbolId],
    types: &BTreeSet<SymbolId>,
    kin: &BTreeSet<SymbolId>,
) -> Vec<(SymbolId, f32)> {
    if meant.len() > AMBIGUOUS {
        let owned = meant.iter().copied().filter(|&id| held_by(graph, id, types));
        return owned.map(|id| (id, 1.0)).collect();
    }
    let free = |id: SymbolId| {
        let symbol = graph.symbol(id);
        symbol.container.is_none_or(|holder| graph.symbol(holder).kind == SymbolKind::Module)
    };
    let functions = meant.iter().filter(|&&id| free(id)).count();
    let owned = meant.iter().filter(|&&id| held_by(graph, id, types)).count();
    let count = meant.len();
    let spread = |count: usize| (1.0 / (count.max(1) as f32).sqrt()).max(0.3);
    // Beside a member of a type that the query names, other methods of the name are not meant.
    let meant = meant.iter().filter(|&&id| owned == 0 || free(id) || held_by(graph, id, types));
    meant
        .map(|&id| {
            let value = if held_by(graph, id, types) {
                spread(owned).max(0.7)
            } else if free(id) {
                // An unqualified name means a free function before it means a method.
                spread(functions)
            } else if functions > 0 {
                0.3
            } else if held_by(graph, id, kin) {
                0.8
            } else {
                spread(count)
            };
            (id, value)
        })
        .collect()
}

/// Whether a symbol is a member, at any depth, of one of the types.
fn held_by(graph: &Graph, id: SymbolId, types: &BTreeSet<SymbolId>) -> bool {
    let mut at = graph.symbol(id).container;
    while let Some(holder) = at {
        if types.contains(&holder) {
            return true;
        }
        at = graph.symbol(holder).container;
    }
    false
}

/// The names among the bits of a path's set, terms left out.
pub(super) fn names_in(set: u128) -> u128 {
    set & ((1 << MOST_NAMES) - 1)
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::testing_project::Project;
    use super::*;
    use crate::explore::query::Query;
    use crate::explore::{NoTrace, Repository, Request, rounds};

    /// What the loop finds and the words say.
    pub(crate) fn found(project: &Project, question: &str) -> (Findings, Words) {
        let query = Query::new(question, &[]);
        let request = Request { query: question.into(), ..Request::default() };
        let findings = rounds::run(project, &request, &query, &mut NoTrace);
        let hops = Hops::new(project, false);
        (findings, Words::new(project, &query, &|id| hops.allowed(id)))
    }

    fn anchors(project: &Project, question: &str) -> Vec<(String, Anchor)> {
        let graph = project.graph();
        let (findings, words) = found(project, question);
        let hops = Hops::new(project, false);
        let list = Anchors::new(graph, &findings, &words, &hops).list;
        list.into_iter().map(|a| (graph.symbol(a.symbol).qualified.to_string(), a)).collect()
    }

    fn of<'a>(anchors: &'a [(String, Anchor)], name: &str) -> &'a Anchor {
        &anchors.iter().find(|(qualified, _)| qualified == name).unwrap().1
    }

    const STORE: &str = "def expire(entry):\n    sweep(entry)\n    note(entry)\n\ndef sweep(entry):\n    note(entry)\n\n\
        def note(entry):\n    entry.log = 1\n\ndef expire_all(entries):\n    for entry in entries:\n        note(entry)\n";

    #[test]
    fn in_a_sentence_a_step_is_worth_what_its_file_is() {
        let filler = "def expire(entry):\n    pass\n";
        let project = Project::new(&[("cache/store.py", STORE), ("zoo/animal.py", filler)]);
        let found = anchors(&project, "when do entries of the cache store expire");
        let (store, zoo) = (of(&found, "expire_all"), found.iter().filter(|(name, _)| name == "expire"));
        assert_eq!(store.file.map(|file| file.0), Some(0));
        let other = zoo.map(|(_, anchor)| anchor).find(|anchor| anchor.file.is_none_or(|file| file.0 > 0));
        let worth = |anchor: &Anchor| anchor.terms.iter().map(|term| term.1).sum::<f32>();
        assert!(other.is_none_or(|other| worth(other) < worth(store)));
    }

    #[test]
    fn what_everything_calls_is_worth_less_than_what_calls_on() {
        let project = Project::new(&[("cache/store.py", STORE)]);
        let graph = project.graph();
        let id = |name: &str| graph.symbol_ids().find(|&id| graph.symbol(id).qualified == name).unwrap();
        let (expire, sweep, note) = (id("expire"), id("sweep"), id("note"));
        let among = |id| among_calls(graph, id);
        assert!(among(expire) > among(sweep) && among(sweep) > among(note));
        assert!(among(note) < 0.0);
    }

    /// A family of `count` handlers that hand an event on, and the bus that calls them.
    pub(crate) fn handlers(count: usize) -> Project {
        let mut text =
            "class Handler:\n    def handle(self, event, bus):\n        raise NotImplementedError\n\n\n"
                .to_owned();
        for name in ["Audit", "Mail", "Store"].iter().take(count) {
            text += &format!(
                "class {name}(Handler):\n    def handle(self, event, bus):\n        return bus.publish(event, self)\n\n\n"
            );
        }
        text += "class Bus:\n    def publish(self, event, handler: Handler):\n        handler.handle(event, self)\n";
        Project::new(&[("bus/events.py", &text)])
    }

    #[test]
    fn siblings_know_what_they_override() {
        let question = "what happens to an event when handlers handle it";
        let (three, two) = (anchors(&handlers(3), question), anchors(&handlers(2), question));
        assert!(of(&three, "Mail.handle").family.is_some());
        assert_eq!(of(&three, "Mail.handle").family, of(&three, "Audit.handle").family);
        assert_eq!(of(&two, "Mail.handle").family, None);
    }

    #[test]
    fn names_are_worth_the_same_in_any_file() {
        let project = Project::new(&[("cache/store.py", STORE)]);
        let found = anchors(&project, "`expire()` `sweep()` `note()` `expire_all`");
        assert!(found.iter().all(|(_, anchor)| anchor.file.is_none() && anchor.terms.is_empty()));
    }
}
