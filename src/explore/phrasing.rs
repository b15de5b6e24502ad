//! Phrasing: what the words of a line ask for, and where a list of names ends.

use super::paths::paths;
use super::words::is_stop_word;

/// Whether a line in lower case asks how something works.
pub(super) fn is_question(line: &str) -> bool {
    const FIRST: &[&str] = &[
        "describe", "explain", "follow", "how", "show", "trace", "walk", "what", "when", "where", "which",
        "who", "why",
    ];
    let first = line.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| FIRST.contains(&word)) || line.trim_end().ends_with('?')
}

/// Whether a word in lower case only asks where it stands: `how long`, `decide whether`, `is decided`.
pub(super) fn only_asks(before: Option<&str>, word: &str, after: Option<&str>) -> bool {
    const DEGREES: &[&str] =
        &["big", "deep", "early", "far", "fast", "large", "late", "long", "often", "soon"];
    const DECIDING: &[&str] = &["decide", "decided", "decides", "determine", "determined", "determines"];
    const CLAUSES: &[&str] =
        &["between", "how", "if", "what", "when", "where", "whether", "which", "who", "whom", "why"];
    const BE: &[&str] = &["are", "gets", "is", "it", "was", "were"];
    let is = |word: Option<&str>, list: &[&str]| word.is_some_and(|word| list.contains(&word));
    DEGREES.contains(&word) && is(before, &["how"])
        || DECIDING.contains(&word) && (is(after, CLAUSES) || is(before, BE) || after.is_none())
}

/// Whether a trace begins with a line: with its heading, or with a frame.
pub(super) fn opens_trace(line: &str) -> bool {
    const HEADINGS: &[&str] = &["Traceback", "panic:", "goroutine ", "thread '", "Exception in thread"];
    HEADINGS.iter().any(|heading| line.starts_with(heading))
        || !paths(line).is_empty()
        || !line.contains(char::is_whitespace)
}

/// Words that say of tests that they are some.
pub(super) const TESTING: &[&str] = &[
    "assert",
    "asserts",
    "check",
    "checked",
    "checks",
    "cover",
    "covered",
    "covering",
    "covers",
    "ensure",
    "ensures",
    "exercise",
    "exercises",
    "integration",
    "test",
    "tested",
    "testing",
    "tests",
    "unit",
    "verifies",
    "verify",
];

/// Whether a line asks for tests: `which tests check that …`, `where are the tests of …`, `test for …`.
pub(super) fn asks_for_tests(line: &str) -> bool {
    const BEFORE: &[&str] = &[
        "a",
        "all",
        "any",
        "are",
        "do",
        "does",
        "find",
        "have",
        "integration",
        "is",
        "list",
        "me",
        "of",
        "our",
        "show",
        "that",
        "the",
        "there",
        "unit",
        "we",
        "what",
        "where",
        "which",
    ];
    const BEHIND: &[&str] = &["about", "against", "covering", "for", "of", "on", "that", "which"];
    let words: Vec<String> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    let Some(at) = words.iter().position(|word| matches!(word.as_str(), "test" | "tests")) else {
        return false;
    };
    let asking = words[..at].iter().all(|word| BEFORE.contains(&word.as_str()));
    let opened =
        is(words.first(), &["are", "do", "does", "find", "is", "list", "show", "what", "where", "which"]);
    // `show me test_put` names one; `does the test client …` is about something else.
    asking && (is(words.get(at + 1), BEHIND) || opened && words[at] == "tests")
}

/// A verb after which people write the name of what is called.
pub(super) fn is_cue(word: &str) -> bool {
    ["call", "calls", "calling", "called", "invoke", "invokes", "invoking", "invoked"]
        .iter()
        .any(|cue| word.eq_ignore_ascii_case(cue))
}

/// How many of some words are shaped like code, and how many are function words.
fn counted(words: &[(String, bool)]) -> (usize, usize) {
    let shaped = words.iter().filter(|(_, shaped)| *shaped).count();
    let stops = words.iter().filter(|(word, shaped)| !shaped && is_stop_word(&word.to_lowercase()));
    (shaped, stops.count())
}

/// A list of names has no grammar: no function words, and a good part is shaped like code.
fn has_no_grammar(words: &[(String, bool)]) -> bool {
    let (shaped, stops) = counted(words);
    words.len() >= 2 && shaped > 0 && stops == 0 && shaped * 3 >= words.len()
}

/// Whether words are a list of names: among names that nearly all are, a function word is a name too
/// (`get Session.request HTTPAdapter.send`).
pub(super) fn is_list_of_names(words: &[(String, bool)]) -> bool {
    let (shaped, stops) = counted(words);
    has_no_grammar(words)
        || shaped > 0 && stops == 1 && words.len() >= 4 && (shaped + 1) * 4 >= words.len() * 3
}

/// How many words before a question are a list of names: `Pool put Entry how is an entry evicted`.
pub(super) fn names_before_question(words: &[(String, bool)]) -> Option<usize> {
    let asks = |word: &str| {
        ["how", "what", "where", "which", "why"].iter().any(|asks| word.eq_ignore_ascii_case(asks))
    };
    let before = words.iter().position(|(word, _)| asks(word))?;
    has_no_grammar(&words[..before]).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a line that only ask.
    fn asking(line: &str) -> Vec<&str> {
        let words: Vec<&str> = line.split(' ').collect();
        let word = |at: usize| words.get(at).copied();
        let asks = |&at: &usize| only_asks(at.checked_sub(1).and_then(word), words[at], word(at + 1));
        (0..words.len()).filter(asks).map(|at| words[at]).collect()
    }

    #[test]
    fn what_only_asks_is_told_from_what_is_asked_for() {
        assert_eq!(asking("how long does a long poll wait"), ["long"]);
        assert_eq!(asking("where is decided how often to retry"), ["decided", "often"]);
        assert_eq!(asking("what does the pool decide when it is full"), ["decide"]);
        assert_eq!(asking("decide retry before the long wait"), [""; 0]);
    }
}
