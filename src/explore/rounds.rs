//! The bounded loop: forage, focus, deepen, until the signal suffices or a round brings no new file.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::{asked, citation, leads};
use super::lines::LineHits;
use super::mention::{near_names, resolve_mentions};
use super::query::{Place, Query, Term};
use super::rank::{Ranking, is_named};
use super::select::{cited_files, select};
use super::trace::{Phase, Trace, TraceEvent};
use super::{Citation, Findings, Knob, Named, Note, Repository, Request, Scored, Tuning};
use crate::lexical::Chunk;
use crate::resolve::{EdgeKind, FileId, SymbolId};
use crate::text::terms;

/// Candidates that a round's search keeps.
const FORAGE_LIMIT: usize = 30;
/// Files that a round reads in full.
const FOCUS_LIMIT: usize = 8;
/// Dependencies that a round follows.
const DEEPEN_LIMIT: usize = 5;
/// Bytes of source that a round may read while focusing, about 20,000 tokens of candidates' best parts
/// being far below it.
const ROUND_BYTES: usize = 4 << 20;
/// Symbols that are handed on.
const MAX_SYMBOLS: usize = 60;
/// A round suffices when the best file's best window holds this share of the query's weight.
const SUFFICIENT_SHARE: f32 = 0.5;
/// The weight of a term that a round learned, against the query's own.
const LEARNED_WEIGHT: f32 = 0.4;
/// The most terms that a round learns.
const MAX_LEARNED: usize = 8;

/// Runs the loop.
pub fn run(repo: &dyn Repository, request: &Request, query: &Query, trace: &mut dyn Trace) -> Findings {
    let explored = rounds(repo, request, query, trace);
    findings(repo, query, &request.tuning, explored)
}

/// What the rounds found.
pub struct Explored {
    pub ranking: Ranking,
    /// Candidates by (score descending, path).
    pub files: Vec<(FileId, f32)>,
    /// The ranking's terms on the lines of the files that were read, by file.
    pub read: Vec<(FileId, LineHits)>,
    deepened: Vec<Scored>,
}

/// Runs the rounds.
pub fn rounds(repo: &dyn Repository, request: &Request, query: &Query, trace: &mut dyn Trace) -> Explored {
    let tuning = &request.tuning;
    let mut ranking = Ranking::new(repo, query, &request.path, tuning);
    let mut keywords: Vec<String> = query.terms.iter().map(|term| term.text.clone()).collect();
    let mut files: Vec<(FileId, f32)> = Vec::new();
    let mut read: Vec<(FileId, LineHits)> = Vec::new();
    let mut earlier: BTreeSet<FileId> = BTreeSet::new();
    let mut deepened: Vec<Scored> = Vec::new();
    let turns = request.max_turns.min(tuning[Knob::Turns] as u32).max(1);
    for round in 1..=turns {
        let (found, hits) = forage(repo, &mut ranking, round, &keywords, trace);
        let before = covered(&files, tuning);
        merge(&mut files, found, tuning);
        earlier.extend(std::mem::replace(&mut read, hits).into_iter().map(|(file, _)| file));
        let focus: Vec<FileId> = files.iter().take(FOCUS_LIMIT).map(|(file, _)| *file).collect();
        let seen = focused_symbols(repo, &ranking, &focus);
        trace.event(TraceEvent {
            round,
            phase: Phase::Focus,
            keywords: Vec::new(),
            candidates: seen.len(),
            files_read: focus.len(),
            bytes: size(repo, &focus),
            outcome: None,
        });
        let followed = deepen(repo, &ranking, query, &seen, &focus);
        trace.event(TraceEvent {
            round,
            phase: Phase::Deepen,
            keywords: Vec::new(),
            candidates: followed.len(),
            files_read: 0,
            bytes: 0,
            outcome: None,
        });
        for scored in followed {
            if !deepened.iter().any(|known| known.symbol == scored.symbol) {
                deepened.push(scored);
            }
        }
        let new_files = covered(&files, tuning).iter().filter(|file| !before.contains(file)).count();
        let outcome = if files.is_empty() && round == turns {
            Some("no_signal")
        } else if !files.is_empty() && sufficient(&ranking, query, &files) {
            Some("sufficient")
        } else if round > 1 && new_files == 0 {
            Some("saturated")
        } else if round == turns {
            Some("max_turns")
        } else {
            None
        };
        if outcome.is_none() {
            let learned = refine(repo, query, &ranking, &seen, &keywords);
            if learned.is_empty() {
                stop(trace, round, "saturated");
                break;
            }
            keywords = learned.iter().map(|term| term.text.clone()).collect();
            let mut next = query.clone();
            for term in learned {
                if let Err(at) = next.terms.binary_search_by(|t| t.text.cmp(&term.text)) {
                    next.terms.insert(at, term);
                }
            }
            ranking = Ranking::new(repo, &next, &request.path, tuning);
            continue;
        }
        if let Some(outcome) = outcome {
            stop(trace, round, outcome);
            break;
        }
    }
    // Each round has terms of its own: what an earlier one read has other places among them.
    read.iter().for_each(|(file, _)| _ = earlier.remove(file));
    read.extend(ranking.lines(repo, &earlier));
    read.sort_by_key(|(file, _)| *file);
    Explored { ranking, files, read, deepened }
}

fn stop(trace: &mut dyn Trace, round: u32, outcome: &'static str) {
    trace.event(TraceEvent {
        round,
        phase: Phase::Stop,
        keywords: Vec::new(),
        candidates: 0,
        files_read: 0,
        bytes: 0,
        outcome: Some(outcome),
    });
}

fn size(repo: &dyn Repository, files: &[FileId]) -> usize {
    files.iter().filter_map(|&file| repo.read(file)).map(|source| source.text.len()).sum()
}

/// Files by score, and the query's terms on the lines of those that were read, by file.
type Foraged = (Vec<(FileId, f32)>, Vec<(FileId, LineHits)>);

/// Searches and reads what the search found best.
fn forage(
    repo: &dyn Repository,
    ranking: &mut Ranking,
    round: u32,
    keywords: &[String],
    trace: &mut dyn Trace,
) -> Foraged {
    let mut candidates = ranking.top(FORAGE_LIMIT);
    let mut left = ROUND_BYTES;
    candidates.retain(|&(file, _)| {
        // Lines stand for bytes: the graph does not know a file's size.
        let about = repo.graph().file(file).lines as usize * 40;
        let fits = about <= left;
        left -= if fits { about } else { 0 };
        fits
    });
    let (read, bytes) = ranking.read(repo, &candidates);
    // What could not be read as indexed is not an answer.
    candidates.retain(|(file, _)| read.binary_search_by_key(file, |(file, _)| *file).is_ok());
    for (file, score) in &mut candidates {
        *score = ranking.score(*file);
    }
    candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    trace.event(TraceEvent {
        round,
        phase: Phase::Forage,
        keywords: keywords.to_vec(),
        candidates: candidates.len(),
        files_read: read.len(),
        bytes,
        outcome: None,
    });
    (candidates, read)
}

/// The files that would be cited.
fn covered(files: &[(FileId, f32)], tuning: &Tuning) -> Vec<FileId> {
    cited_files(files, tuning).iter().map(|(file, _)| *file).collect()
}

/// Adds what a later round found behind what is known: a learned word does not outrank the question's own.
fn merge(files: &mut Vec<(FileId, f32)>, found: Vec<(FileId, f32)>, tuning: &Tuning) {
    if files.is_empty() {
        *files = found;
        return;
    }
    let floor = covered(files, tuning).len().max(1);
    let Some(&(_, last)) = files.get(floor - 1) else { return };
    let mut tail: Vec<(FileId, f32)> = files.split_off(floor);
    for (file, score) in found {
        if files.iter().any(|(known, _)| *known == file) {
            continue;
        }
        match tail.iter_mut().find(|(known, _)| *known == file) {
            Some(known) => known.1 = known.1.max(score.min(last)),
            None => tail.push((file, score.min(last))),
        }
    }
    tail.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    files.append(&mut tail);
}

/// The symbols of the focused files with a share in the answer, by (score descending, symbol).
fn focused_symbols(repo: &dyn Repository, ranking: &Ranking, focus: &[FileId]) -> Vec<(SymbolId, f32)> {
    let chunks = repo.postings().chunks();
    let mut seen: Vec<(SymbolId, f32)> = Vec::new();
    for &file in focus {
        let first = chunks.partition_point(|chunk| chunk.file < file);
        for (at, chunk) in chunks.iter().enumerate().skip(first).take_while(|(_, chunk)| chunk.file == file) {
            if let Some(symbol) = chunk.symbol.filter(|_| ranking.chunks[at] > 0.0) {
                seen.push((symbol, ranking.chunks[at]));
            }
        }
    }
    seen.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    seen
}

/// The chunk of a symbol.
fn chunk_of(chunks: &[Chunk], file: FileId, symbol: SymbolId) -> Option<usize> {
    let first = chunks.partition_point(|chunk| chunk.file < file);
    let count = chunks[first..].partition_point(|chunk| chunk.file == file);
    let of_file = &chunks[first..first + count];
    of_file.binary_search_by_key(&Some(symbol), |chunk| chunk.symbol).ok().map(|at| first + at)
}

/// Follows the best symbols to what they call, use, extend or override, one hop; only where the query has
/// evidence for the symbol that is reached.
fn deepen(
    repo: &dyn Repository,
    ranking: &Ranking,
    query: &Query,
    seen: &[(SymbolId, f32)],
    focus: &[FileId],
) -> Vec<Scored> {
    let graph = repo.graph();
    let mut reached: BTreeMap<SymbolId, f32> = BTreeMap::new();
    for &(symbol, score) in seen.iter().take(FOCUS_LIMIT) {
        for edge in graph.outgoing(symbol) {
            let target = graph.symbol(edge.to);
            let follows = !matches!(
                edge.kind,
                EdgeKind::Contains | EdgeKind::Imports | EdgeKind::Fills | EdgeKind::Invokes
            );
            if !follows || target.container.is_none() || focus.contains(&target.file) {
                continue;
            }
            if graph.is_test(edge.to) && !query.wants_tests {
                continue;
            }
            let own =
                chunk_of(repo.postings().chunks(), target.file, edge.to).map_or(0.0, |at| ranking.chunks[at]);
            let named = if is_named(&target.name, query) { 0.3 } else { 0.0 };
            if own + named < 0.2 {
                continue;
            }
            let value = 0.5 * score * f32::from(edge.confidence.0) / 100.0 + 0.5 * (own + named);
            let best = reached.entry(edge.to).or_default();
            *best = best.max(value.min(0.9));
        }
    }
    let mut reached: Vec<Scored> =
        reached.into_iter().map(|(symbol, score)| Scored { symbol, score, named: Named::No }).collect();
    reached.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.symbol.cmp(&b.symbol)));
    reached.truncate(DEEPEN_LIMIT);
    reached
}

/// Whether the question is answered by what is covered: a name of the query is defined in the best files,
/// or most of the query stands together in the best one.
fn sufficient(ranking: &Ranking, query: &Query, files: &[(FileId, f32)]) -> bool {
    if ranking.evidence.terms.iter().all(|term| term.postings.is_empty()) {
        return false;
    }
    if query.mentions.iter().any(|mention| !mention.guessed) && !ranking.named.is_empty() {
        return true;
    }
    let total: f32 = ranking.evidence.terms.iter().map(|term| term.weight).sum();
    let known: f32 =
        ranking.evidence.terms.iter().filter(|t| !t.postings.is_empty()).map(|term| term.weight).sum();
    !files.is_empty() && known >= SUFFICIENT_SHARE * total
}

/// Sharper keywords: other forms of words that nothing holds, and the names of what was read.
fn refine(
    repo: &dyn Repository,
    query: &Query,
    ranking: &Ranking,
    seen: &[(SymbolId, f32)],
    known: &[String],
) -> Vec<Term> {
    let mut learned: BTreeMap<String, f32> = BTreeMap::new();
    for term in ranking.evidence.terms.iter().filter(|term| term.postings.is_empty()) {
        for form in word_forms(&term.text) {
            if !repo.postings().postings(&form).is_empty() {
                learned.insert(form, term.weight * LEARNED_WEIGHT * 2.0);
            }
        }
    }
    let graph = repo.graph();
    for &(symbol, score) in seen.iter().take(FOCUS_LIMIT) {
        let name = &graph.symbol(symbol).name;
        terms(name, |term| {
            let best = learned.entry(term.to_owned()).or_default();
            *best = best.max(score * LEARNED_WEIGHT);
        });
    }
    let mut learned: Vec<Term> = learned
        .into_iter()
        .filter(|(text, _)| !known.contains(text) && !query.terms.iter().any(|term| term.text == *text))
        .map(|(text, weight)| Term { text, weight })
        .collect();
    learned.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
    learned.truncate(MAX_LEARNED);
    learned
}

/// English endings taken off or put on: `routing` is looked for as `route`, `rout` and `routes`.
pub(super) fn word_forms(word: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if word.len() < 4 || !word.is_ascii() {
        return forms;
    }
    for ending in ["ing", "ed", "es", "s", "er", "ion", "ation", "ly"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 3) {
            forms.push(stem.to_owned());
            forms.push(format!("{stem}e"));
        }
    }
    forms.push(format!("{word}s"));
    forms.push(format!("{word}ed"));
    forms.push(format!("{word}ing"));
    forms.sort();
    forms.dedup();
    forms
}

/// Gathers what the rounds found.
fn findings(
    repo: &dyn Repository,
    query: &Query,
    tuning: &Tuning,
    Explored { ranking, files, read, deepened }: Explored,
) -> Findings {
    let graph = repo.graph();
    let mut named = resolve_mentions(repo, query);
    let asked = asked(repo, query);
    let mut notes = Vec::new();
    if query
        .terms
        .iter()
        .all(|term| ranking.evidence.terms.iter().all(|t| t.text != term.text || t.postings.is_empty()))
        && files.is_empty()
    {
        notes.push(Note::NothingFound { terms: query.terms.iter().map(|term| term.text.clone()).collect() });
    }
    // A long report names many foreign things; a short question means what it names.
    if query.bag_of_names || query.terms.len() <= 12 {
        for name in &named {
            let Some(mention) = query.mentions.iter().find(|mention| mention.segments.join(".") == name.name)
            else {
                continue;
            };
            let written = matches!(mention.place, Place::Title | Place::Keyword);
            let known = mention.segments.last().is_none_or(|last| {
                !name.symbols.is_empty() || !repo.postings().postings(&last.to_lowercase()).is_empty()
            });
            if written && !known {
                let near = near_names(graph, repo.names(), &name.name);
                notes.push(Note::UnknownName { name: name.name.clone(), near });
            }
        }
    }
    let mut told = named.iter().flat_map(|name| &name.symbols).peekable();
    let names_tests_alone = told.peek().is_some() && told.all(|&id| graph.is_test(id));
    let ranking = &ranking;
    let (found, tail) = select(repo, ranking, tuning, &files, &read);
    let mut ranges: Vec<Citation> = Vec::new();
    if leads(query) {
        ranges.extend(asked.symbols.iter().map(|&id| citation(graph, id)));
    }
    let leading = ranges.len();
    ranges.extend(found);
    for name in asked.named.into_iter().rev() {
        match named.iter_mut().find(|known| known.name == name.name) {
            Some(known) => *known = name,
            None => named.insert(0, name),
        }
    }
    Findings {
        symbols: scored_symbols(repo, query, ranking, &files, &named, deepened),
        files,
        named,
        asked: asked.symbols,
        leading,
        ranges,
        tail,
        directed: query.directed,
        question: query.question,
        names_only: query.bag_of_names,
        wants_tests: query.wants_tests || names_tests_alone,
        notes,
    }
}

/// Candidate symbols: the chunks of the candidate files, what the query names, what deepening reached.
fn scored_symbols(
    repo: &dyn Repository,
    query: &Query,
    ranking: &Ranking,
    files: &[(FileId, f32)],
    named: &[super::NamedSymbol],
    deepened: Vec<Scored>,
) -> Vec<Scored> {
    let graph = repo.graph();
    let best = files.first().map_or(1.0, |(_, score)| score.max(f32::MIN_POSITIVE));
    let mut scores: BTreeMap<SymbolId, (f32, Named)> = BTreeMap::new();
    let candidates: Vec<FileId> = files.iter().map(|(file, _)| *file).collect();
    for (symbol, chunk) in focused_symbols(repo, ranking, &candidates) {
        let file = files
            .iter()
            .find(|(file, _)| *file == graph.symbol(symbol).file)
            .map_or(0.0, |(_, score)| *score);
        let words = ranking.named.get(&symbol).copied().unwrap_or(0.0);
        let score = 0.6 * chunk + 0.3 * (file / best) + 0.1 * words.min(1.0);
        scores.insert(symbol, (score, if words > 0.0 { Named::Words } else { Named::No }));
    }
    for scored in deepened {
        let entry = scores.entry(scored.symbol).or_insert((0.0, Named::No));
        entry.0 = entry.0.max(0.8 * scored.score);
    }
    for name in named {
        let level = if name.name.contains('.') { Named::Qualified } else { Named::Name };
        // The fewer things a name can mean, the more it says.
        let gain = 1.0 / (name.symbols.len().max(1) as f32).sqrt();
        for &symbol in &name.symbols {
            if graph.is_test(symbol) && !query.wants_tests {
                continue;
            }
            let entry = scores.entry(symbol).or_insert((0.2, level));
            entry.0 += 0.4 * gain;
            entry.1 = entry.1.max(level);
        }
    }
    let mut symbols: Vec<Scored> = scores
        .into_iter()
        .filter(|(symbol, _)| graph.symbol(*symbol).container.is_some())
        .map(|(symbol, (score, named))| Scored { symbol, score, named })
        .collect();
    symbols.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.symbol.cmp(&b.symbol)));
    symbols.truncate(MAX_SYMBOLS);
    symbols
}

#[cfg(test)]
mod tests {
    use super::super::testing_project::Project;
    use super::*;
    use crate::text::LineRange;

    fn project() -> Project {
        Project::new(&[
            (
                "app/pool.py",
                "from app.entry import expire\n\nclass Pool:\n    def evict(self, entry):\n        expire(entry)\n",
            ),
            ("app/entry.py", "def expire(entry):\n    entry.age = 0\n"),
            ("app/route.py", "def route(request):\n    return request.path\n"),
        ])
    }

    fn explored(query: &str, max_turns: u32) -> (Vec<String>, Vec<TraceEvent>, Findings) {
        let project = project();
        let request = Request { query: query.into(), max_turns, ..Request::default() };
        let mut trace = Vec::new();
        let findings = run(&project, &request, &Query::new(query, &[]), &mut trace);
        let path = |(file, _): &(FileId, f32)| project.graph().file(*file).path.as_str().to_owned();
        (findings.files.iter().map(path).collect(), trace, findings)
    }

    #[test]
    fn each_round_has_its_stages_and_the_last_says_why() {
        for turns in [1, 2, 3, 9] {
            let (_, trace, _) = explored("zzz routing qqq", turns);
            let rounds = trace.iter().map(|event| event.round).max().unwrap();
            assert!(rounds <= turns.min(5), "{turns}: {rounds}");
            for round in 1..=rounds {
                let phases: Vec<Phase> = trace.iter().filter(|e| e.round == round).map(|e| e.phase).collect();
                assert_eq!(phases[..3], [Phase::Forage, Phase::Focus, Phase::Deepen]);
            }
            assert!(trace.last().unwrap().outcome.is_some());
            assert_eq!(trace.iter().filter(|e| e.phase == Phase::Stop).count(), 1);
        }
    }

    #[test]
    fn a_named_symbol_suffices() {
        let (files, trace, findings) = explored("`Pool.evict` keeps the entry", 3);
        assert_eq!(files[0], "app/pool.py");
        assert_eq!(trace.last().unwrap().outcome, Some("sufficient"));
        assert_eq!(findings.ranges[0].path.as_str(), "app/pool.py");
    }

    #[test]
    fn a_notice_at_the_top_of_a_file_is_in_no_range() {
        let notice = "# Copyright. Whoever keeps a work is liable for the conditions of its use.\n".repeat(9);
        let project = Project::new(&[
            ("app/keep.py", &format!("{notice}\nLIABLE = 1\n\n\ndef keep(work):\n    return LIABLE\n")),
            ("app/notice.py", &notice),
        ]);
        let text = "who is liable for the conditions of use of a work";
        let request = Request { query: text.into(), ..Request::default() };
        let found = run(&project, &request, &Query::new(text, &[]), &mut super::super::NoTrace);
        let ranges = found.ranges.iter().chain(&found.tail);
        let lines: Vec<LineRange> = ranges.map(|range| range.lines).collect();
        assert!(!lines.is_empty() && lines.iter().all(|lines| lines.start > 9), "{lines:?}");
    }

    #[test]
    fn another_form_of_an_unknown_word_is_learned() {
        let (once, _, _) = explored("routing", 1);
        assert_eq!(once, [""; 0]);
        let (files, trace, _) = explored("routing", 3);
        assert_eq!(files[0], "app/route.py");
        let second = trace.iter().find(|e| e.round == 2 && e.phase == Phase::Forage).unwrap();
        assert!(second.keywords.contains(&"route".to_owned()), "{second:?}");
    }

    #[test]
    fn what_a_round_read_is_known_by_the_terms_of_the_last() {
        use super::super::NoTrace;
        use super::super::lines::TermFinder;

        // More files than a round reads; the second prefers those that hold what the best one is named for.
        let near = "def keep(pool):\n    return pool, pool\n".to_owned();
        let far = format!("def far(pool):\n{}    return pool\n", "    evict(1, 2, 3)\n".repeat(30));
        let text = |at: usize| match at {
            0 => "def evict_pool(pool):\n    return pool, pool\n".to_owned(),
            1..=FORAGE_LIMIT => near.clone(),
            _ => far.clone(),
        };
        let files: Vec<(String, String)> =
            (0..FORAGE_LIMIT + 10).map(|at| (format!("app/m{at:02}.py"), text(at))).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let project = Project::new(&files);
        let text = "pool zzz qqq www";
        let request = Request { query: text.into(), max_turns: 5, ..Request::default() };
        let found = rounds(&project, &request, &Query::new(text, &[]), &mut NoTrace);
        assert!(found.ranking.evidence.terms.iter().any(|term| term.text == "evict"));
        assert!(found.read.len() > FORAGE_LIMIT && found.read.is_sorted_by(|a, b| a.0 < b.0));
        let finder = TermFinder::new(&found.ranking.evidence);
        for (file, hits) in &found.read {
            assert_eq!(*hits, finder.read(&project.read(*file).unwrap()), "{file:?}");
        }
    }

    #[test]
    fn nothing_is_said_to_be_found_where_nothing_is() {
        let (files, trace, findings) = explored("qqq zzz", 3);
        assert!(files.is_empty() && findings.ranges.is_empty());
        assert!(matches!(findings.notes[..], [Note::NothingFound { .. }]));
        assert!(trace.last().unwrap().outcome.is_some());
    }
}
