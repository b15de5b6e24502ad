//! A question understood: weighted search terms, names, paths, and what kind of answer it wants.
//!
//! An issue report is a title, prose, code blocks and noise (templates, version tables, logs). Each part
//! says where the code is to another degree, so each occurrence of a term is weighed by its place.

use std::collections::{BTreeMap, BTreeSet};

use super::lookup::as_answered;
use super::paths::{PathMention, paths};
use super::phrasing::{
    TESTING, asks_for_tests, is_cue, is_list_of_names, is_question, names_before_question, only_asks,
    opens_trace,
};
use super::sections::{sections, without_links};
use super::tokens::{inflections, tokens};
use super::words::is_stop_word;
use super::{Knob, Tuning, fold};
use crate::text::{code_shaped, terms};

/// How much of a query is read; the rest of a longer one is ignored.
pub const MAX_QUERY_BYTES: usize = 64 * 1024;

/// The most terms that are searched; the heaviest stay.
const MAX_TERMS: usize = 160;

/// Where in the query a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The caller's keywords.
    Keyword,
    /// The first line.
    Title,
    Prose,
    /// A fenced code block.
    Code,
}

impl Place {
    fn term_weight(self, tuning: &Tuning) -> f32 {
        match self {
            Place::Keyword => 4.0,
            Place::Title => tuning[Knob::TermTitle],
            Place::Prose => 1.0,
            Place::Code => tuning[Knob::TermCode],
        }
    }

    /// The weight of a name found here.
    pub fn name_weight(self) -> f32 {
        match self {
            Place::Keyword | Place::Title => 1.0,
            Place::Prose => 0.6,
            Place::Code => 0.5,
        }
    }
}

/// A term to search, in lower case, and what it weighs.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub text: String,
    pub weight: f32,
}

/// A word or adjacent words that may be the name of a symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct NameCandidate {
    /// As `fold` gives it.
    pub folded: String,
    /// How much a symbol of this name counts, 0 to 1.
    pub weight: f32,
}

/// A code-shaped word of the query, in its order.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// The segments of `a.b.c` or `a::b`; one for a plain identifier.
    pub segments: Vec<String>,
    pub place: Place,
    /// Written as a call: `name()`.
    pub called: bool,
    /// A plain word that stands where names stand: it counts only if it is the name of something called.
    pub guessed: bool,
}

impl Mention {
    /// A word of the first line that is taken for a name.
    pub fn named(word: &str) -> Self {
        let segments = word.split(['.', ':']).filter(|s| !s.is_empty()).map(str::to_owned).collect();
        Mention { segments, place: Place::Title, called: false, guessed: false }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// By text.
    pub terms: Vec<Term>,
    /// The terms of the title and the keywords only, by text.
    pub title_terms: Vec<Term>,
    /// By folded name, each once.
    pub names: Vec<NameCandidate>,
    pub mentions: Vec<Mention>,
    /// The plain words of the first line and of the keywords, as written, each once.
    pub plain: Vec<String>,
    /// The first word of the first line, as written.
    pub first: Option<String>,
    pub paths: Vec<PathMention>,
    /// Asks for the way from one place to another.
    pub directed: bool,
    /// The first line is a question or asks for an explanation.
    pub question: bool,
    /// Asks for tests.
    pub wants_tests: bool,
    /// A line that asks which tests there are, or for those of something.
    pub asks_for_tests: bool,
    /// A list of names rather than a sentence.
    pub bag_of_names: bool,
    /// Paths and nothing else: the files are asked for.
    pub only_paths: bool,
    /// It begins as a trace, not with a sentence about one.
    pub is_trace: bool,
    /// The line that the query is, where it is no more than one.
    pub line: Option<String>,
}

impl Query {
    pub fn new(query: &str, keywords: &[String]) -> Self {
        Query::with(query, keywords, &Tuning::default())
    }

    /// A query under other constants.
    pub fn with(query: &str, keywords: &[String], tuning: &Tuning) -> Self {
        let mut cut = query.len().min(MAX_QUERY_BYTES);
        while !query.is_char_boundary(cut) {
            cut -= 1;
        }
        let mut reader = QueryReader { tuning: tuning.clone(), ..QueryReader::default() };
        for keyword in keywords {
            reader.line(keyword, Place::Keyword);
        }
        let mut lines: Vec<String> = Vec::new();
        for (line, place) in sections(&query[..cut]) {
            let line = as_answered(&without_links(&line));
            reader.line(&line, place);
            lines.push(line);
        }
        let is_trace = lines.first().is_some_and(|first| opens_trace(first));
        let line = lines.pop().filter(|_| lines.is_empty());
        if line.as_deref().is_some_and(asks_for_tests) {
            reader.forget(TESTING);
            reader.asks_for_tests = true;
        }
        let is_path = |word: &str| {
            let word = word.replace('\\', "/");
            reader.paths.iter().any(|seen| word.contains(&seen.path))
        };
        let only_paths = keywords.is_empty() && query[..cut].split_whitespace().all(is_path);
        Query { only_paths: only_paths && !reader.paths.is_empty(), is_trace, line, ..reader.finish() }
    }

    /// Whether there is anything to search for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.paths.is_empty()
    }
}

/// Gathers what the lines say.
#[derive(Default)]
struct QueryReader {
    tuning: Tuning,
    weights: BTreeMap<String, f32>,
    title_weights: BTreeMap<String, f32>,
    names: BTreeMap<String, f32>,
    mentions: Vec<Mention>,
    paths: Vec<PathMention>,
    words: Vec<(String, bool)>,
    /// Terms of the plain words of the title.
    plain: BTreeSet<String>,
    /// The plain words of the title and the keywords, as written.
    said: Vec<String>,
    title: String,
    first: Option<String>,
    asks_for_tests: bool,
}

impl QueryReader {
    fn line(&mut self, line: &str, place: Place) {
        if place == Place::Title {
            self.title = line.to_lowercase();
        }
        for seen in paths(line) {
            if !self.paths.contains(&seen) {
                self.paths.push(seen);
            }
        }
        let mut previous: Option<String> = None;
        let mut cue = false;
        let tokens = tokens(line);
        if place == Place::Title {
            self.first = tokens.first().map(|token| token.text.to_owned());
        }
        let words: Vec<String> = tokens.iter().map(|token| token.text.to_lowercase()).collect();
        let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map(String::as_str);
        for (nth, token) in tokens.into_iter().enumerate() {
            let asks = only_asks(word(nth.checked_sub(1)), &words[nth], word(Some(nth + 1)));
            let cued = std::mem::replace(&mut cue, is_cue(token.text)) && place != Place::Code;
            let shaped = code_shaped(token.text);
            // Arguments are values, and no list of names.
            if !token.argument {
                self.words.push((token.text.to_owned(), shaped));
            }
            let gain = if shaped && place != Place::Code { self.tuning[Knob::TermShape] } else { 1.0 };
            let plain_stop = !shaped && !token.quoted && (asks || is_stop_word(&words[nth]));
            if plain_stop {
                previous = None;
                continue;
            }
            let gain = gain * place.term_weight(&self.tuning);
            let titled = matches!(place, Place::Title | Place::Keyword);
            terms(token.text, |term| {
                if shaped || token.quoted || !is_stop_word(term) {
                    *self.weights.entry(term.to_owned()).or_default() += gain;
                    if !shaped && place == Place::Title {
                        self.plain.insert(term.to_owned());
                    }
                    if titled {
                        *self.title_weights.entry(term.to_owned()).or_default() += gain;
                    }
                }
            });
            if titled && !shaped && !self.said.iter().any(|word| word == token.text) {
                self.said.push(token.text.to_owned());
            }
            let segments: Vec<String> =
                token.text.split(['.', ':']).filter(|s| !s.is_empty()).map(str::to_owned).collect();
            for (nth, segment) in segments.iter().enumerate() {
                let strength =
                    if code_shaped(segment) || shaped || token.called || token.quoted { 1.0 } else { 0.5 };
                let owner = if nth + 1 < segments.len() { self.tuning[Knob::NameQualifier] } else { 1.0 };
                self.name(segment, strength * owner * place.name_weight());
            }
            if let (Some(before), [only]) = (&previous, segments.as_slice())
                && place != Place::Code
            {
                self.name(&format!("{before}{only}"), 0.8 * place.name_weight());
            }
            previous = (segments.len() == 1).then(|| token.text.to_owned());
            let name_like = shaped || token.called || (token.quoted && !token.text.is_empty());
            let sure = name_like || place == Place::Keyword;
            if sure || cued {
                self.mentions.push(Mention { segments, place, called: token.called, guessed: !sure });
            }
        }
    }

    /// Leaves words out that say what is to be done with the others.
    fn forget(&mut self, words: &[&str]) {
        let known = |text: &str| words.contains(&text);
        self.weights.retain(|text, _| !known(text));
        self.title_weights.retain(|text, _| !known(text));
        self.names.retain(|text, _| !known(text));
        self.plain.retain(|text| !known(text));
    }

    fn name(&mut self, name: &str, weight: f32) {
        let folded = fold(name);
        if folded.len() < 3 {
            return;
        }
        let best = self.names.entry(folded).or_default();
        *best = best.max(weight);
    }

    /// Other forms of the title's plain words, at a part of their weight.
    fn add_forms(&mut self) {
        let share = self.tuning[Knob::TermForms];
        if share == 0.0 {
            return;
        }
        let words: Vec<String> = self.plain.iter().cloned().collect();
        for word in words {
            for form in inflections(&word) {
                for weights in [&mut self.weights, &mut self.title_weights] {
                    let Some(&weight) = weights.get(&word) else { continue };
                    // Weights are squares of what terms weigh.
                    weights.entry(form.clone()).or_insert(weight * share * share);
                }
            }
        }
    }

    fn finish(mut self) -> Query {
        self.add_forms();
        let weigh = |weights: BTreeMap<String, f32>| {
            let mut terms: Vec<Term> =
                weights.into_iter().map(|(text, sum)| Term { text, weight: sum.sqrt() }).collect();
            if terms.len() > MAX_TERMS {
                terms.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
                terms.truncate(MAX_TERMS);
                terms.sort_by(|a, b| a.text.cmp(&b.text));
            }
            terms
        };
        let bag_of_names = is_list_of_names(&self.words);
        if bag_of_names {
            self.mentions = mentioned(&self.words);
        } else if let Some(before) = names_before_question(&self.words) {
            let mut mentions = mentioned(&self.words[..before]);
            self.mentions.retain(|mention| mentions.iter().all(|known| known.segments != mention.segments));
            mentions.append(&mut self.mentions);
            self.mentions = mentions;
        }
        // Words of code (`tokio::test`, `test_it`) say nothing about what is asked for.
        let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let title: Vec<String> =
            self.title.split(|c: char| c.is_whitespace() || ",;/".contains(c)).map(plain).collect();
        let has = |words: &[&str]| title.iter().any(|word| words.contains(&word.as_str()));
        let directed = (has(&["how", "where", "what", "trace"])
            && has(&[
                "reach", "reaches", "get", "gets", "become", "becomes", "from", "path", "end", "travel",
                "between", "until", "through", "happens",
            ]))
            || self.title.contains("path from");
        Query {
            terms: weigh(self.weights),
            title_terms: weigh(self.title_weights),
            names: self.names.into_iter().map(|(folded, weight)| NameCandidate { folded, weight }).collect(),
            mentions: self.mentions,
            plain: self.said,
            first: self.first,
            paths: self.paths,
            directed,
            question: is_question(&self.title),
            wants_tests: has(&[
                "test",
                "tests",
                "tested",
                "tester",
                "fixture",
                "fixtures",
                "benchmark",
                "benchmarks",
            ]),
            asks_for_tests: self.asks_for_tests,
            bag_of_names,
            only_paths: false,
            is_trace: false,
            line: None,
        }
    }
}

/// Words as names, in their order.
fn mentioned(words: &[(String, bool)]) -> Vec<Mention> {
    let mentions = words.iter().map(|(word, _)| Mention::named(word));
    mentions.filter(|mention| !mention.segments.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(query: &Query, term: &str) -> Option<f32> {
        query.terms.iter().find(|t| t.text == term).map(|t| t.weight)
    }

    #[test]
    fn questions_are_told_from_reports() {
        let question = |text: &str| Query::new(text, &[]).question;
        assert!(question("How does a request reach its handler"));
        assert!(question("Trace a frame from the reader to the stream"));
        assert!(question("Does the pool close idle connections?"));
        assert!(!question("Session.get drops the header on redirect"));
        assert!(!question("Remove the howto"));
    }

    #[test]
    fn names_may_stand_before_a_question() {
        let mentions = |text: &str| {
            let query = Query::new(text, &[]);
            assert!(!query.bag_of_names);
            query.mentions.iter().map(|mention| mention.segments.join(".")).collect::<Vec<_>>()
        };
        assert_eq!(
            mentions("Pool.put Entry evict how is an entry of `Pool.put` evicted from the TimerWheel"),
            ["Pool.put", "Entry", "evict", "TimerWheel"]
        );
        // Neither a sentence with a name in it nor words alone.
        assert_eq!(mentions("The entry of Pool.put: how is it evicted"), ["Pool.put"]);
        assert_eq!(mentions("entry eviction: how does it work"), [""; 0]);
        assert_eq!(mentions("Fix stale entry eviction in Pool.put and say how it works"), ["Pool.put"]);
    }

    #[test]
    fn places_weigh_differently() {
        let query = Query::new("Cache is stale\n\nThe entry expires.\n```\nentry.refresh(now)\n```", &[]);
        assert_eq!(weight(&query, "cache"), Some(2.5f32.sqrt()));
        assert_eq!(weight(&query, "expires"), Some(1.0));
        assert_eq!(weight(&query, "refresh"), Some(0.5f32.sqrt()));
        assert_eq!(weight(&query, "the"), None);
        assert_eq!(query.title_terms.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(), ["cache", "stale"]);
    }

    #[test]
    fn noise_is_dropped() {
        let report = "Leak\n<!-- please\nread the guide -->\n### Environment\n- kernel: zeta\n### Steps\n- [x] I searched\npkg==1.2.3\n2024-01-02 10:00 started\nopen the pool";
        let query = Query::new(report, &[]);
        let terms: Vec<_> = query.terms.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(terms, ["leak", "open", "pool"]);
    }

    #[test]
    fn names_paths_and_frames() {
        let query =
            Query::new("`flush` fails in Pool.put\n  File \"lib/pool/core.py\", line 31, in put_back", &[]);
        let mentions: Vec<_> = query.mentions.iter().map(|m| m.segments.join(".")).collect();
        assert_eq!(mentions, ["flush", "Pool.put", "core.py", "put_back"]);
        assert_eq!(
            query.paths,
            [PathMention {
                path: "lib/pool/core.py".into(),
                lines: Some(crate::text::LineRange::new(31, 31)),
                function: Some("put_back".into()),
                last_is_deepest: true
            }]
        );
        assert!(query.names.iter().any(|n| n.folded == "putback"));
    }

    #[test]
    fn paths_alone_ask_for_files() {
        for query in ["core.py", "lib/pool/core.py:31", "a/b.ts  `c/d.go`", "src\\\\main.rs"] {
            assert!(Query::new(query, &[]).only_paths, "{query}");
        }
        for query in ["", "flush", "what is in core.py", "Pool.put core.py", "pool.put"] {
            assert!(!Query::new(query, &[]).only_paths, "{query}");
        }
        assert!(!Query::new("core.py", &["flush".into()]).only_paths);
    }

    #[test]
    fn tests_are_asked_for() {
        for text in [
            "which tests check that the pool evicts",
            "test for the pool",
            "unit tests of Pool",
            "where are the tests for eviction?",
            "show me all tests that cover Pool.put",
            "is there a test for eviction",
        ] {
            let query = Query::new(text, &[]);
            assert!(query.asks_for_tests && query.wants_tests, "{text}");
            assert!(query.terms.iter().all(|term| term.text != "tests" && term.text != "check"), "{text}");
        }
        for text in
            ["how does the test client send", "test_put fails", "the tests of the pool fail\n\nSince 2."]
        {
            assert!(!Query::new(text, &[]).asks_for_tests, "{text}");
        }
    }

    #[test]
    fn a_list_of_names_is_told_from_a_sentence() {
        assert!(Query::new("RealPool put evictExpired Connection close", &[]).bag_of_names);
        assert!(!Query::new("how does RealPool evict", &[]).bag_of_names);
        assert!(!Query::new("pool eviction", &[]).bag_of_names);
        assert!(Query::new("get Pool.take Pool.put evict_one", &[]).bag_of_names);
        assert!(!Query::new("Does `Pool.put` call `evict_one` first?", &[]).bag_of_names);
    }

    #[test]
    fn links_are_reduced_to_their_paths() {
        let query = Query::new("see https://host.org/wiki/pool_size, (http://host.org/a/issues/12) now", &[]);
        let terms: Vec<_> = query.terms.iter().map(|t| t.text.as_str()).collect();
        assert_eq!(terms, ["pool", "pool_size", "size", "wiki"]);
        assert_eq!(without_links("é://x"), "é");
    }

    #[test]
    fn adjacent_words_may_be_one_name() {
        let query = Query::new("wrong error code", &[]);
        assert!(query.names.iter().any(|n| n.folded == "errorcode" && (n.weight - 0.8).abs() < 1e-6));
    }

    #[test]
    fn keywords_come_first() {
        let query = Query::new("pool", &["evictor".into()]);
        assert!(weight(&query, "evictor") > weight(&query, "pool"));
    }

    #[test]
    fn long_and_odd_queries() {
        assert!(Query::new(" \n\t", &[]).is_empty());
        assert!(Query::new("???", &[]).is_empty());
        let long = "größe ".repeat(200_000);
        assert_eq!(Query::new(&long, &[]).terms.len(), 1);
    }
}
