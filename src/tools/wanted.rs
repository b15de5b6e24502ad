//! What a call is about, as it is looked for in texts that are not indexed yet.

use std::collections::BTreeMap;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;

use crate::explore::is_stop_word;
use crate::text::{RepoPath, terms};

/// The most words of a question that are looked for, one bit each.
pub const WORDS: usize = 64;

/// What a call is about.
pub enum Wanted {
    /// The words of a question.
    Words(Words),
    /// A text as it stands.
    Text(String),
    /// The lines of a search.
    Lines(RegexMatcher),
}

/// Words to be found in texts, a bit for each.
pub struct Words {
    bits: BTreeMap<String, u32>,
    /// By first byte, which lengths the words have: most terms of a text are none of them.
    lengths: Box<[u64; 256]>,
}

impl Words {
    fn new(words: impl Iterator<Item = String>) -> Self {
        let mut bits = BTreeMap::new();
        let mut lengths = Box::new([0; 256]);
        for word in words {
            let next = bits.len();
            if next < WORDS
                && let Some(&first) = word.as_bytes().first()
            {
                lengths[usize::from(first)] |= Self::length(&word);
                bits.entry(word).or_insert(next as u32);
            }
        }
        Words { bits, lengths }
    }

    fn length(word: &str) -> u64 {
        1 << word.len().min(63)
    }

    /// Which of them a text holds as terms.
    fn held(&self, text: &str) -> u64 {
        let mut held = 0;
        terms(text, |term| {
            if self.lengths[usize::from(term.as_bytes()[0])] & Self::length(term) != 0 {
                held |= self.bits.get(term).map_or(0, |at| 1 << at);
            }
        });
        held
    }
}

impl Wanted {
    /// The search terms of a question and its keywords; those of one letter or two are in every file, and words
    /// without a place only count where there are no others.
    pub fn words(texts: &[&str]) -> Self {
        let mut all = Vec::new();
        for text in texts {
            terms(text, |term| {
                if term.len() > 2 {
                    all.push(term.to_owned());
                }
            });
        }
        let only_stop_words = all.iter().all(|word| is_stop_word(word));
        Wanted::Words(Words::new(all.into_iter().filter(|word| only_stop_words || !is_stop_word(word))))
    }

    /// The last part of a symbol's name: whoever calls or implements it writes that.
    pub fn name(name: &str) -> Self {
        let part = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|part| !part.is_empty());
        Wanted::Text(part.unwrap_or(name).to_owned())
    }

    /// Which of what is wanted a text holds: a bit for each.
    pub fn held(&self, text: &str) -> u64 {
        match self {
            Wanted::Words(words) => words.held(text),
            Wanted::Text(wanted) => text.contains(wanted).into(),
            Wanted::Lines(matcher) => matcher.is_match(text.as_bytes()).unwrap_or(false).into(),
        }
    }

    /// How much a path speaks for its file.
    pub fn named_by(&self, path: &RepoPath) -> u32 {
        match self {
            Wanted::Words(words) => words.held(path.as_str()).count_ones(),
            Wanted::Text(wanted) => {
                let held = Words::new([wanted.to_lowercase()].into_iter()).held(path.as_str());
                held.count_ones()
            }
            Wanted::Lines(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_holds_the_words_that_tell_something() {
        let wanted = Wanted::words(&["How does the FlameThrower of it quench?", "fire_hose"]);
        let held = |text: &str| wanted.held(text).count_ones();
        // Each part of a name, and the name.
        assert_eq!(held("flame flames FLAME_THROWER flamethrower"), 3);
        assert_eq!(held("how does it of the"), 0);
        assert_eq!(held("def quench(fireHose): pass"), 3);
        // Where there are no other words, these are all there is.
        assert_eq!(Wanted::words(&["how does it"]).held("How it does").count_ones(), 2);
    }

    #[test]
    fn a_name_is_looked_for_by_its_last_part_and_a_path_may_bear_it() {
        let path = |path: &str| RepoPath::new(path).unwrap();
        for name in ["Chain::proceed", "Chain.proceed", "proceed()"] {
            let wanted = Wanted::name(name);
            assert_eq!((wanted.held("it.proceed()"), wanted.held("Chain")), (1, 0), "{name}");
            assert_eq!(wanted.named_by(&path("src/proceed.rs")), 1, "{name}");
            assert_eq!(wanted.named_by(&path("src/chain.rs")), 0, "{name}");
        }
    }
}
