//! What a query asks for by an exact name, a place or a path: it leads the answer, whatever words say.
//!
//! A name is asked for where a line is nothing but it and words of asking (`show me the class Pool`), or where
//! it is the only one that the line writes with its owner or as a call. Frames and ranges of lines ask for what
//! stands there, paths alone for their files.

use std::collections::BTreeSet;

use super::paths::{PathMention, by_depth, files_of, named_paths};
use super::phrasing::TESTING;
use super::query::Query;
use super::tokens::{Token, tokens};
use super::{Citation, NamedSymbol, Repository, fold, lookup};
use crate::resolve::{EdgeKind, FileId, Graph, SymbolId, SymbolKind};
use crate::text::code_shaped;

/// A name that means more symbols than this asks for none of them.
const MEANT: usize = 12;
/// The same for a name amid other words.
const MEANT_AMID: usize = 4;
/// Places that are looked at, and symbols at one of them.
const PLACES: usize = 8;
/// Callers that are shown where callers are asked for.
const CALLERS: usize = 8;
/// Symbols of the files that are asked for by their paths alone.
const OF_FILES: usize = 80;
/// A type up to this height is cited whole, of a taller one the head, up to so many lines.
const WHOLE: u32 = 48;
const HEAD: u32 = 25;

/// What a query asks for.
#[derive(Debug, Default)]
pub struct Asked {
    /// In the order in which they are to be shown.
    pub symbols: Vec<SymbolId>,
    /// The names that ask for them, for those that the query's mentions do not have.
    pub named: Vec<NamedSymbol>,
}

/// Words that ask to see something and name nothing.
const ASKING: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "are",
    "at",
    "can",
    "code",
    "declaration",
    "declared",
    "define",
    "defined",
    "definition",
    "describe",
    "display",
    "do",
    "does",
    "explain",
    "find",
    "for",
    "get",
    "give",
    "how",
    "i",
    "implementation",
    "implemented",
    "in",
    "is",
    "it",
    "its",
    "like",
    "located",
    "look",
    "looks",
    "me",
    "of",
    "open",
    "please",
    "print",
    "see",
    "show",
    "signature",
    "source",
    "tell",
    "that",
    "the",
    "this",
    "to",
    "view",
    "what",
    "where",
    "which",
    "who",
    "work",
    "works",
    "you",
];
/// Words for kinds of symbols.
const TYPES: &[&str] = &["class", "enum", "interface", "protocol", "record", "struct", "trait", "type"];
const CALLABLES: &[&str] = &["constructor", "def", "fn", "func", "function", "method"];
/// What stands before the name of what is called, and behind it.
const CALLING: &[&str] = &["calls", "instantiates", "invokes", "references", "uses"];
const CALLED: &[&str] = &["called", "instantiated", "invoked", "referenced", "used"];
const CALLERS_OF: &[&str] = &["caller", "callers", "usages", "users"];

/// Whether a query that is paths alone asks for files that there are; else its words are names.
pub fn settle_paths(graph: &Graph, query: &mut Query) {
    query.only_paths = query.only_paths && named_paths(graph, query).iter().any(|score| *score > 0.0);
    if query.only_paths {
        // Folders and stems name nothing else.
        query.names.clear();
        query.mentions.clear();
    }
}

pub fn asked(repo: &dyn Repository, query: &Query) -> Asked {
    let graph = repo.graph();
    let mut asked = Asked { symbols: at_places(graph, query), named: Vec::new() };
    if query.is_trace && query.line.is_none() {
        asked.symbols.extend(in_frames(repo, query));
    }
    if query.only_paths {
        asked.symbols.extend(of_files(graph, query));
    } else if let Some(line) = &query.line {
        by_name(repo, query, line, &mut asked);
    }
    let mut seen = BTreeSet::new();
    asked.symbols.retain(|&id| seen.insert(id));
    asked
}

/// The range that is cited for a symbol that is asked for: of a tall type its head.
pub fn citation(graph: &Graph, id: SymbolId) -> Citation {
    let symbol = graph.symbol(id);
    let mut cited = Citation::of(graph, id);
    let lines = &mut cited.lines;
    if symbol.kind.is_type() && lines.count() > WHOLE {
        let member = |other: &SymbolId| {
            let other = graph.symbol(*other);
            other.container == Some(id) && other.kind.is_callable()
        };
        let members = graph.symbols_in(symbol.file).filter(member).map(|id| graph.symbol(id).lines.start);
        let head = members.min().map_or(lines.end, |first| first.saturating_sub(1));
        lines.end = head.min(lines.start + HEAD - 1).max(symbol.signature.end.min(lines.end));
    }
    cited
}

/// What stands at the frames and the ranges of lines that a query gives, that where it went wrong first.
fn at_places(graph: &Graph, query: &Query) -> Vec<SymbolId> {
    let spoken: BTreeSet<&str> =
        query.mentions.iter().filter_map(|mention| mention.segments.last()).map(String::as_str).collect();
    let mut found = Vec::new();
    for place in by_depth(&query.paths).into_iter().filter(|place| place.lines.is_some()).take(PLACES) {
        if let [file] = files_of(graph, place)[..] {
            found.extend(at_place(graph, file, place, &spoken));
        }
    }
    found
}

/// What the frames of a trace call, for those whose paths are those of another machine.
fn in_frames(repo: &dyn Repository, query: &Query) -> Vec<SymbolId> {
    let frames = query.mentions.iter().filter(|mention| mention.called && mention.segments.len() > 1);
    let mut found = Vec::new();
    for frame in frames.take(PLACES) {
        let mut meant = lookup::meant(repo, &frame.segments);
        meant.retain(|&id| repo.graph().symbol(id).kind.is_callable());
        if meant.len() <= MEANT_AMID {
            found.extend(meant);
        }
    }
    found
}

fn at_place(graph: &Graph, file: FileId, place: &PathMention, spoken: &BTreeSet<&str>) -> Vec<SymbolId> {
    let Some(lines) = place.lines else { return Vec::new() };
    let own = || graph.symbols_in(file).filter(|&id| graph.symbol(id).kind != SymbolKind::Module);
    let overlaps = |id: &SymbolId| {
        let at = graph.symbol(*id).lines;
        at.start <= lines.end && lines.start <= at.end
    };
    let there: Vec<SymbolId> = own().filter(overlaps).collect();
    if lines.count() > 1 {
        // What holds others of them is meant where it begins there.
        let holds = |id: SymbolId| there.iter().any(|&other| graph.symbol(other).container == Some(id));
        let begins = |id: SymbolId| lines.contains(graph.symbol(id).name_line);
        let inner = |id: SymbolId| {
            let within = graph.symbol(id).container.map(|holder| graph.symbol(holder).kind.is_callable());
            !within.unwrap_or(false)
        };
        let meant = there.iter().copied().filter(|&id| inner(id) && (!holds(id) || begins(id)));
        return meant.take(PLACES).collect();
    }
    // A trace of another version has other lines, but the same names.
    let named = |id: &SymbolId| {
        let symbol = graph.symbol(*id);
        let said = match &place.function {
            Some(function) => symbol.name == function.as_str(),
            None => spoken.contains(symbol.name.as_str()),
        };
        symbol.kind.is_callable() && said
    };
    let holding = there.iter().rev().copied().find(|&id| graph.symbol(id).kind.is_callable());
    let away = |id: &SymbolId| graph.symbol(*id).lines.start.abs_diff(lines.start);
    let nearest = || own().filter(named).min_by_key(|id| (away(id), *id));
    let meant = holding.filter(named).or_else(nearest).or(holding).or(there.last().copied());
    meant.into_iter().collect()
}

/// The symbols of the files that are asked for, in turns: first what stands on its own, then members.
fn of_files(graph: &Graph, query: &Query) -> Vec<SymbolId> {
    let scores = named_paths(graph, query);
    let mut files: Vec<FileId> = graph.file_ids().filter(|file| scores[file.0 as usize] > 0.0).collect();
    files.sort_by(|a, b| scores[b.0 as usize].total_cmp(&scores[a.0 as usize]).then(a.cmp(b)));
    let holder = |id: SymbolId| graph.symbol(id).container.map(|holder| graph.symbol(holder).kind);
    let outer = |id: &SymbolId| holder(*id) == Some(SymbolKind::Module);
    let member = |id: &SymbolId| {
        graph.symbol(*id).kind.is_callable() && holder(*id).is_some_and(|kind| kind.is_type())
    };
    let mut found = Vec::new();
    for wanted in [&outer as &dyn Fn(&SymbolId) -> bool, &member] {
        let of_file = |&file: &FileId| graph.symbols_in(file).filter(|id| wanted(id)).collect::<Vec<_>>();
        let each: Vec<Vec<SymbolId>> = files.iter().map(of_file).collect();
        let most = each.iter().map(Vec::len).max().unwrap_or(0);
        found.extend((0..most).flat_map(|turn| each.iter().filter_map(move |own| own.get(turn).copied())));
    }
    found.truncate(OF_FILES);
    found
}

/// Whether a word of prose is one of a list.
fn among(word: &Token<'_>, list: &[&str]) -> bool {
    !word.quoted && !word.called && list.contains(&word.text.to_lowercase().as_str())
}

/// Which word of a line is the name that it asks for, and whether it is the only one that says something.
fn name_among(words: &[Token<'_>], query: &Query) -> Option<(usize, bool)> {
    let says_nothing = |word: &Token<'_>| {
        let lists = [ASKING, TYPES, CALLABLES, CALLING, CALLED, CALLERS_OF];
        lists.iter().any(|list| among(word, list)) || query.asks_for_tests && among(word, TESTING)
    };
    let only = |says: &dyn Fn(&Token<'_>) -> bool| {
        let mut all = words.iter().enumerate().filter(|(_, word)| says(word)).map(|(at, _)| at);
        all.next().filter(|_| all.next().is_none())
    };
    if let Some(at) = only(&|word| words.len() == 1 || !says_nothing(word)) {
        return Some((at, true));
    }
    if query.directed || query.bag_of_names {
        return None;
    }
    let written = only(&|word| word.called || word.text.contains(['.', ':']) && code_shaped(word.text));
    written.map(|at| (at, false))
}

fn by_name(repo: &dyn Repository, query: &Query, line: &str, asked: &mut Asked) {
    let graph = repo.graph();
    let words: Vec<Token<'_>> = tokens(line).into_iter().filter(|token| !token.argument).collect();
    let Some((at, only)) = name_among(&words, query) else { return };
    let token = &words[at];
    let has = |list: &[&str]| words.iter().any(|word| among(word, list));
    let mut found = meant(repo, token);
    let (types, callables) = (only && has(TYPES), only && has(CALLABLES));
    let plain = !token.quoted && !token.called && !code_shaped(token.text);
    found.retain(|&id| {
        let kind = graph.symbol(id).kind;
        let right = !types && !callables || types && kind.is_type() || callables && kind.is_callable();
        let sure = !plain || graph.symbol(id).name == token.text && (kind.is_type() || kind.is_callable());
        right && sure
    });
    if found.iter().any(|&id| !graph.is_test(id)) && !query.wants_tests {
        found.retain(|&id| !graph.is_test(id));
    }
    if found.is_empty() || found.len() > if only { MEANT } else { MEANT_AMID } {
        return;
    }
    found.sort_by_key(|&id| {
        let symbol = graph.symbol(id);
        (graph.is_test(id), !symbol.kind.is_type(), symbol.without_body, id)
    });
    if query.asks_for_tests {
        // The tests of a symbol are those of its users that are tests.
        let callers: Vec<SymbolId> =
            callers(graph, &found, true).into_iter().filter(|&id| graph.is_test(id)).collect();
        asked.symbols.extend(callers.into_iter().take(CALLERS));
        return;
    }
    let calling = words[..at].iter().any(|word| among(word, CALLING))
        || words[at + 1..].iter().any(|word| among(word, CALLED)) && !has(&["what", "how", "for"])
        || has(CALLERS_OF);
    if calling {
        let callers = callers(graph, &found, query.wants_tests);
        let name = format!("callers of {}", token.text);
        asked.named.push(NamedSymbol { name, symbols: callers.clone(), callable: true });
        asked.symbols.extend(callers.into_iter().take(CALLERS));
    }
    let callable = found.iter().all(|&id| graph.symbol(id).kind.is_callable());
    asked.symbols.extend(found.iter().copied());
    let name = lookup::segments(token.text).join(".");
    asked.named.push(NamedSymbol { name, symbols: found, callable });
}

/// What a name means: with an owner that is a variable, what is called on something of that name's sound.
fn meant(repo: &dyn Repository, token: &Token<'_>) -> Vec<SymbolId> {
    let segments = lookup::segments(token.text);
    let mut found = lookup::meant(repo, &segments);
    found.retain(|&id| repo.graph().symbol(id).kind != SymbolKind::Module);
    if found.is_empty() && token.called {
        found = on_variable(repo, &segments);
    }
    found
}

/// The methods that `value.name()` can mean by the names of their types: `c` stands for a `Context`, `client`
/// for a `Client` or an `HttpClient`.
pub fn on_variable(repo: &dyn Repository, segments: &[String]) -> Vec<SymbolId> {
    let graph = repo.graph();
    let [variable, name] = segments else { return Vec::new() };
    if !variable.starts_with(|c: char| c.is_lowercase() || c == '_') {
        return Vec::new();
    }
    let variable = fold(variable);
    let mut found: Vec<SymbolId> = repo.names().find(&fold(name)).collect();
    found.retain(|&id| {
        let symbol = graph.symbol(id);
        let sounds = symbol.container.map(|holder| graph.symbol(holder)).is_some_and(|holder| {
            let holder = (holder.kind.is_type(), fold(&holder.name));
            holder.0 && (holder.1.starts_with(&variable) || holder.1.ends_with(&variable))
        });
        symbol.kind.is_callable() && symbol.name == *name && sounds
    });
    found
}

/// What calls some symbols, makes instances of them or names them, production code first.
fn callers(graph: &Graph, called: &[SymbolId], tests: bool) -> Vec<SymbolId> {
    use EdgeKind::{Calls, Decorates, Instantiates, Invokes, Overrides, References};
    let mut found: BTreeSet<(bool, bool, SymbolId)> = BTreeSet::new();
    for &id in called {
        let declared = graph.outgoing(id).iter().filter(|edge| edge.kind == Overrides).map(|edge| edge.to);
        for to in std::iter::once(id).chain(declared) {
            for edge in graph.incoming(to) {
                let uses = matches!(edge.kind, Calls | Decorates | Instantiates | Invokes | References);
                let caller = graph.symbol(edge.from);
                if uses && caller.kind != SymbolKind::Module && !called.contains(&edge.from) {
                    found.insert((graph.is_test(edge.from) && !tests, !caller.kind.is_callable(), edge.from));
                }
            }
        }
    }
    if found.iter().any(|caller| !caller.0) {
        found.retain(|caller| !caller.0);
    }
    found.into_iter().map(|caller| caller.2).collect()
}

/// Whether what is asked for leads the citations: in a report that gives frames beside its own words it is
/// one clue among others.
pub fn leads(query: &Query) -> bool {
    query.only_paths || query.line.is_some() || query.is_trace
}

#[cfg(test)]
mod tests {
    use super::super::testing_project::Project;
    use super::*;

    fn project() -> Project {
        Project::new(&[
            (
                "app/pool.py",
                "class Pool:\n    def put(self, entry):\n        self.flush(entry)\n\n    def flush(self, entry):\n        return entry\n\n\nclass Other:\n    def flush(self):\n        return None\n",
            ),
            (
                "app/core.py",
                "from app.pool import Pool\n\n\ndef run(pool: Pool):\n    pool.put(1)\n\n\ndef reset(pool: Pool):\n    pool.flush(2)\n",
            ),
            (
                "tests/test_pool.py",
                "from app.core import run\nfrom app.pool import Pool\n\n\ndef test_put():\n    run(Pool())\n",
            ),
        ])
    }

    fn asked_by(text: &str) -> Vec<String> {
        let project = project();
        let mut query = Query::new(text, &[]);
        settle_paths(project.graph(), &mut query);
        let name = |id: SymbolId| project.graph().symbol(id).qualified.to_string();
        asked(&project, &query).symbols.into_iter().map(name).collect()
    }

    #[test]
    fn a_name_is_asked_for_alone_and_with_words_of_asking() {
        for text in
            ["Pool.flush", "`Pool::flush`", "Pool.flush()", "(*Pool).flush", "app.(*Pool).flush(0x1, 0x2)"]
        {
            assert_eq!(asked_by(text), ["Pool.flush"], "{text}");
        }
        assert_eq!(asked_by("show me the class Pool"), ["Pool"]);
        assert_eq!(asked_by("where is the method put defined?"), ["Pool.put"]);
        assert_eq!(asked_by("Pool"), ["Pool"]);
        assert_eq!(asked_by("why does Pool.flush(entry) lose an entry"), ["Pool.flush"]);
        assert_eq!(asked_by("p.flush(1) what does it give"), ["Pool.flush"]);
        assert_eq!(asked_by("pool flush entry"), [""; 0]);
        assert_eq!(asked_by("how does run reach Pool.flush"), [""; 0]);
    }

    #[test]
    fn callers_are_asked_for() {
        assert_eq!(asked_by("which tests cover run"), ["test_put"]);
        for text in ["who calls Pool.flush", "callers of `Pool.flush`", "where is Pool.flush called"] {
            assert_eq!(asked_by(text), ["reset", "Pool.put", "Pool.flush"], "{text}");
        }
    }

    #[test]
    fn places_ask_for_what_stands_there() {
        assert_eq!(asked_by("app/pool.py:3 what happens here"), ["Pool.put"]);
        assert_eq!(asked_by("app/pool.py:1-6 what happens here"), ["Pool", "Pool.put", "Pool.flush"]);
        assert_eq!(asked_by("app/core.py lines 4-9"), ["run", "reset"]);
        let frames = "  File \"/x/app/core.py\", line 5, in run\n  File \"/x/app/pool.py\", line 40, in put";
        assert_eq!(asked_by(frames), ["Pool.put", "run"]);
        let panic = "panic: no entry\n\ngoroutine 1 [running]:\nhost.org/a/app.(*Pool).flush(0x1)\n\t/go/pool.go:5 +0x1\nhost.org/a/app.(*Pool).put(0x1)\n\t/go/pool.go:2 +0x1";
        assert_eq!(asked_by(panic), ["Pool.flush", "Pool.put"]);
    }

    #[test]
    fn paths_alone_ask_for_their_files() {
        assert_eq!(asked_by("app/core.py")[..2], ["run", "reset"]);
        assert_eq!(asked_by("app/core.py app/pool.py")[..4], ["run", "Pool", "reset", "Other"]);
        assert_eq!(asked_by("app/core.py:8")[0], "reset");
    }
}
