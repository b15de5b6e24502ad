//! A part of the repository in place of all of it, for calls that cannot wait for the index: the files that hold
//! what the call is about, found by reading, and an index of those alone.
//!
//! What is found there is true of these files. What is not found says nothing, so nobody is told of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use rayon::prelude::*;

use super::engine::{Options, Time};
use super::view::View;
use crate::files::{Disk, Files, Listing, MAX_FILE_BYTES, RootError, SkipReason, decode};
use crate::index::{Index, IndexOptions, Progress};
use crate::text::{RepoPath, terms};

/// The most files of a part: enough for any question, and indexed in a moment.
const FILES: usize = 300;
/// The most words of a question that are looked for, one bit each.
const WORDS: usize = 64;
/// A word that more than one in so many files hold tells nothing.
const COMMON: usize = 4;

/// What a call is about.
pub enum Wanted {
    /// The words of a question.
    Words(BTreeMap<String, u32>),
    /// A text as it stands.
    Text(String),
    /// The lines of a search.
    Lines(RegexMatcher),
}

impl Wanted {
    /// The search terms of a question and its keywords; those of one letter or two are in every file.
    pub fn words(texts: &[&str]) -> Self {
        let mut words = BTreeMap::new();
        for text in texts {
            terms(text, |term| {
                let next = words.len();
                if term.len() > 2 && next < WORDS {
                    words.entry(term.to_owned()).or_insert(next as u32);
                }
            });
        }
        Wanted::Words(words)
    }

    /// The last part of a symbol's name: whoever calls or implements it writes that.
    pub fn name(name: &str) -> Self {
        let part = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|part| !part.is_empty());
        Wanted::Text(part.unwrap_or(name).to_owned())
    }

    /// Which of what is wanted a text holds: a bit for each.
    fn held(&self, text: &str) -> u64 {
        match self {
            Wanted::Words(words) => {
                let mut held = 0;
                terms(text, |term| held |= words.get(term).map_or(0, |at| 1 << at));
                held
            }
            Wanted::Text(wanted) => text.contains(wanted).into(),
            Wanted::Lines(matcher) => matcher.is_match(text.as_bytes()).unwrap_or(false).into(),
        }
    }
}

/// A part and what it is a part of.
pub struct Part {
    pub view: View,
    pub files: usize,
    pub of: usize,
}

/// The part of a root that holds what is wanted at or below a path; `None` where there is none, or the time is
/// over. Where little time is left, only the files that were read so far count.
pub fn part(
    options: &Options,
    path: &str,
    wanted: &Wanted,
    time: &(dyn Fn() -> Time + Sync),
) -> Option<Part> {
    let disk = Disk::open(&options.root, options.threads, &[], options.now).ok()?;
    let mut listing = disk.list().ok()?;
    let of = listing.entries.len();
    listing.entries.retain(|entry| entry.path.is_under(path) && entry.stat.size <= MAX_FILE_BYTES);
    let held: Vec<u64> = listing
        .entries
        .par_iter()
        .map(|entry| {
            let read = || decode(disk.read(&entry.path).ok()?).ok();
            if time() > Time::Short { 0 } else { read().map_or(0, |text| wanted.held(&text)) }
        })
        .collect();
    let chosen = chosen(&listing, &held);
    if chosen.is_empty() {
        return None;
    }
    let files = chosen.len();
    let threads = options.threads;
    let index_options = IndexOptions { cache_dir: None, threads, refused: Vec::new(), now: options.now };
    let index = Index::over(Arc::new(Chosen { disk, chosen }), index_options).ok()?;
    let snapshot = index.refresh(&Stopped(time)).ok()?;
    Some(Part { view: View::new(snapshot), files, of })
}

/// The files that hold the rarest words, by the sum of how rare they are.
fn chosen(listing: &Listing, held: &[u64]) -> BTreeSet<RepoPath> {
    let holders = |word: usize| held.iter().filter(|&&bits| bits & (1 << word) != 0).count();
    let all = held.len();
    let weights: Vec<f64> = (0..WORDS)
        .map(holders)
        .map(|files| if files == 0 { 0.0 } else { (all as f64 / files as f64).ln() })
        .collect();
    let telling = |weight: f64| weight > (COMMON as f64).ln();
    let only_common = !weights.iter().any(|&weight| telling(weight));
    let mut scored: Vec<(f64, &RepoPath)> = Vec::new();
    for (entry, &bits) in listing.entries.iter().zip(held) {
        let words = (0..WORDS).filter(|word| bits & (1 << word) != 0);
        let counts: Vec<f64> =
            words.map(|word| weights[word]).filter(|&weight| only_common || telling(weight)).collect();
        if !counts.is_empty() {
            scored.push((counts.iter().sum(), &entry.path));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(FILES).map(|(_, path)| path.clone()).collect()
}

/// Some files of a disk.
struct Chosen {
    disk: Disk,
    chosen: BTreeSet<RepoPath>,
}

impl Files for Chosen {
    fn list(&self) -> Result<Listing, RootError> {
        let mut listing = self.disk.list()?;
        listing.entries.retain(|entry| self.chosen.contains(&entry.path));
        listing.skipped.clear();
        Ok(listing)
    }

    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason> {
        self.disk.read(path)
    }
}

/// Ends an index where the call ends.
struct Stopped<'s>(&'s (dyn Fn() -> Time + Sync));

impl Progress for Stopped<'_> {
    fn cancelled(&self) -> bool {
        (self.0)() == Time::Over
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicU32, Ordering};

    use serde_json::{Value, json};

    use super::super::registry::{EXPLORE, SEARCH, SYMBOL, Tool};
    use super::super::{Arguments, Call, Ending, Engine, Form, Outcome};
    use super::*;
    use crate::explore::NoTrace;

    fn options(root: &std::path::Path) -> Options {
        let root = fs::canonicalize(root).unwrap();
        Options { root, index_dir: None, threads: 1, now: || 0, adaptive: true }
    }

    /// A project of many files, one of which is asked about.
    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for at in 0..400 {
            let text = format!("def step_{at}(value):\n    return helper(value) + {at}\n");
            fs::write(folder.path().join(format!("m{at}.py")), text).unwrap();
        }
        let text = "def quench(flame):\n    return douse(flame)\n\ndef douse(flame):\n    return None\n";
        fs::write(folder.path().join("fire.py"), text).unwrap();
        folder
    }

    /// A call that does not wait for the index at all.
    fn at_once(engine: &Engine, tool: &'static Tool, arguments: Value) -> Outcome {
        let arguments = Arguments::check(tool, arguments.as_object().unwrap()).unwrap();
        let call = Call { time: &|| Time::Short, trace: &mut NoTrace, form: Form::Text };
        engine.call(tool, &arguments, call)
    }

    #[test]
    fn a_call_in_haste_is_answered_from_the_files_that_hold_its_words() {
        let folder = project();
        for (tool, arguments, part) in [
            (
                &EXPLORE,
                json!({"query": "how is a flame quenched by quench", "max_bytes": 2000}),
                "fire.py:1-2  quench (function)",
            ),
            (&EXPLORE, json!({"query": "quench", "citation": true}), "fire.py:1-2  quench (function)"),
            (&SYMBOL, json!({"name": "fire.douse"}), "fire.py:4-5"),
            (&SEARCH, json!({"pattern": "douse("}), "in quench (function)"),
        ] {
            let engine = Engine::new(&options(folder.path())).unwrap();
            let outcome = at_once(&engine, tool, arguments.clone());
            assert_eq!(outcome.ending, Ending::Found, "{}", outcome.text);
            assert!(
                outcome.text.starts_with("Partial answer: the index is still being built"),
                "{}",
                outcome.text
            );
            assert!(
                outcome.text.contains("from 1 of 401 files") && outcome.text.contains(part),
                "{}",
                outcome.text
            );
            assert!(outcome.text.len() <= arguments["max_bytes"].as_u64().unwrap_or(24_000) as usize);
        }
    }

    #[test]
    fn what_is_not_found_in_part_is_not_said_to_be_nowhere() {
        let folder = project();
        for (tool, arguments) in [
            (&EXPLORE, json!({"query": "zyzzyva"})),
            (&SYMBOL, json!({"name": "zyzzyva"})),
            (&SYMBOL, json!({"name": "return"})),
            (&SEARCH, json!({"pattern": "zyzzyva"})),
        ] {
            let engine = Engine::new(&options(folder.path())).unwrap();
            let outcome = at_once(&engine, tool, arguments);
            assert_eq!(outcome.ending, Ending::Unfinished, "{}", outcome.text);
            assert!(outcome.text.contains("is still being built"), "{}", outcome.text);
        }
    }

    #[test]
    fn words_that_most_files_hold_choose_none_unless_there_are_no_others() {
        let folder = project();
        let part = |words: &str| part(&options(folder.path()), "", &Wanted::words(&[words]), &|| Time::Short);
        assert_eq!(part("return the flame").unwrap().files, 1);
        assert_eq!(part("return helper").unwrap().files, FILES);
        assert!(part("zyzzyva").is_none());
        assert!(
            super::part(&options(folder.path()), "no/such", &Wanted::words(&["flame"]), &|| Time::Short)
                .is_none()
        );
        assert!(
            super::part(&options(folder.path()), "", &Wanted::words(&["flame"]), &|| Time::Over).is_none()
        );
        // What was read before the time became little is enough.
        let asked = AtomicU32::new(0);
        let time = || if asked.fetch_add(1, Ordering::SeqCst) < 200 { Time::Short } else { Time::Little };
        let found = super::part(&options(folder.path()), "", &Wanted::words(&["helper"]), &time).unwrap();
        // One file does not hold the word, and may be among those that were read.
        assert!((199..=200).contains(&found.files) && found.of == 401, "{} of {}", found.files, found.of);
    }
}
