//! A part of the repository in place of all of it, for calls that cannot wait for the index: the files that hold
//! what the call is about, found by reading, and an index of those alone. While a part is made, the index of the
//! whole gives way.
//!
//! What is found there is true of these files. What is not found says nothing, so nobody is told of it.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::engine::{Options, Time};
use super::view::View;
use super::wanted::{WORDS, Wanted};
use crate::files::{Disk, Entry, Files, Listing, MAX_FILE_BYTES, RootError, SkipReason, decode};
use crate::index::{Index, IndexOptions, Progress};
use crate::lang;
use crate::text::{RepoPath, is_test_path};

/// The most files of a part: enough for any question, and indexed in a moment.
const FILES: usize = 300;
/// The most bytes of its files, but for the first.
const BYTES: u64 = 4 << 20;
/// What a word in a test counts, of what it counts elsewhere: tests say again what they test.
const TESTS: f64 = 0.5;
/// A word that more than one in so many files hold tells nothing.
const COMMON: usize = 4;
/// How often whoever gives way, or waits for the listing, looks again.
const TICK: Duration = Duration::from_millis(20);

/// Who goes first: parts go before the index of the whole, which gives them the listing that it made.
#[derive(Default)]
pub struct Precedence {
    state: Mutex<Rank>,
    changed: Condvar,
}

#[derive(Default)]
struct Rank {
    /// Parts that are being made.
    parts: u32,
    /// The files as the running refresh has listed them.
    listing: Option<Arc<Listing>>,
}

impl Precedence {
    fn lock(&self) -> MutexGuard<'_, Rank> {
        // No code that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A refresh has listed the files.
    pub fn listed(&self, listing: &Arc<Listing>) {
        self.lock().listing = Some(listing.clone());
    }

    /// A refresh has ended.
    pub fn forget(&self) {
        self.lock().listing = None;
    }

    /// Waits while a part is being made.
    pub fn give_way(&self, leave: &dyn Fn() -> bool) {
        let mut state = self.lock();
        while state.parts > 0 {
            state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
            drop(state);
            if leave() {
                return;
            }
            state = self.lock();
        }
    }

    /// From now on, until what comes back is gone, the index of the whole gives way.
    pub fn take(&self) -> First<'_> {
        self.lock().parts += 1;
        First(self)
    }

    /// The files, once the running refresh has listed them; `None` where the caller does not go on waiting.
    pub fn listing(&self, goes_on: &dyn Fn() -> bool) -> Option<Arc<Listing>> {
        while goes_on() {
            if let Some(listing) = &self.lock().listing {
                return Some(listing.clone());
            }
            thread::sleep(TICK);
        }
        None
    }
}

/// A part is being made.
pub struct First<'p>(&'p Precedence);

impl Drop for First<'_> {
    fn drop(&mut self) {
        self.0.lock().parts -= 1;
        self.0.changed.notify_all();
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
    listing: &Listing,
    path: &str,
    wanted: &Wanted,
    time: &(dyn Fn() -> Time + Sync),
) -> Option<Part> {
    let disk = Disk::open(&options.root, options.threads, &[], options.now).ok()?;
    let found = look(&disk, promising(listing, path, wanted), options.threads, wanted, time);
    let chosen = chosen(found);
    if chosen.is_empty() {
        return None;
    }
    let files = chosen.len();
    let threads = options.threads;
    let index_options = IndexOptions { cache_dir: None, threads, refused: Vec::new(), now: options.now };
    let index = Index::over(Arc::new(Chosen { disk, chosen }), index_options).ok()?;
    let snapshot = index.refresh(&Stopped(time)).ok()?;
    Some(Part { view: View::new(snapshot, None), files, of: listing.entries.len() })
}

/// The files to look into, the most promising first: the time may not suffice for all.
fn promising<'l>(listing: &'l Listing, path: &str, wanted: &Wanted) -> Vec<&'l Entry> {
    let within =
        listing.entries.iter().filter(|entry| entry.path.is_under(path) && entry.stat.size <= MAX_FILE_BYTES);
    let rank = |entry: &Entry| {
        let path = &entry.path;
        (lang::for_path(path).is_none(), Reverse(wanted.named_by(path)), is_test_path(path))
    };
    let mut ranked: Vec<_> = within.map(|entry| (rank(entry), entry)).collect();
    ranked.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.path.cmp(&b.1.path)));
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// What the files hold of what is wanted, as far as the time suffices.
fn look<'l>(
    disk: &Disk,
    entries: Vec<&'l Entry>,
    threads: usize,
    wanted: &Wanted,
    time: &(dyn Fn() -> Time + Sync),
) -> Vec<(&'l Entry, u64)> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let one = || {
        let mut own = Vec::new();
        while time() <= Time::Short
            && let Some(&entry) = entries.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let text = disk.read(&entry.path).ok().and_then(|bytes| decode(bytes).ok());
            own.push((entry, text.map_or(0, |text| wanted.held(&text))));
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where no thread can be had, this one does the work.
            let _ = thread::Builder::new().spawn_scoped(scope, one);
        }
        one();
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The files that hold the rarest words, by the sum of how rare they are among those looked into; in order of path.
fn chosen(found: Vec<(&Entry, u64)>) -> Vec<Entry> {
    let holders = |word: usize| found.iter().filter(|(_, bits)| bits & (1 << word) != 0).count();
    let all = found.len();
    let weights: Vec<f64> = (0..WORDS)
        .map(holders)
        .map(|files| if files == 0 { 0.0 } else { (all as f64 / files as f64).ln() })
        .collect();
    let telling = |weight: f64| weight > (COMMON as f64).ln();
    let only_common = !weights.iter().any(|&weight| telling(weight));
    let mut scored: Vec<(f64, &Entry)> = Vec::new();
    for &(entry, bits) in &found {
        let words = (0..WORDS).filter(|word| bits & (1 << word) != 0);
        let counts: Vec<f64> =
            words.map(|word| weights[word]).filter(|&weight| only_common || telling(weight)).collect();
        if !counts.is_empty() {
            let share = if is_test_path(&entry.path) { TESTS } else { 1.0 };
            scored.push((counts.iter().sum::<f64>() * share, entry));
        }
    }
    scored.sort_by(|a, b| {
        let test = |entry: &Entry| is_test_path(&entry.path);
        b.0.total_cmp(&a.0).then_with(|| (test(a.1), &a.1.path).cmp(&(test(b.1), &b.1.path)))
    });
    let mut bytes = 0;
    let mut chosen: Vec<Entry> = Vec::new();
    for (_, entry) in scored {
        bytes += entry.stat.size;
        if chosen.len() == FILES || (bytes > BYTES && !chosen.is_empty()) {
            break;
        }
        chosen.push(entry.clone());
    }
    chosen.sort_by(|a, b| a.path.cmp(&b.path));
    chosen
}

/// Some files of a disk, by path.
struct Chosen {
    disk: Disk,
    chosen: Vec<Entry>,
}

impl Files for Chosen {
    fn list(&self) -> Result<Arc<Listing>, RootError> {
        Ok(Arc::new(Listing { entries: self.chosen.clone(), skipped: Vec::new() }))
    }

    fn read(&self, path: &RepoPath) -> Result<Vec<u8>, SkipReason> {
        self.disk.read(path)
    }
}

/// Ends an index where the call ends.
struct Stopped<'s>(&'s (dyn Fn() -> Time + Sync));

impl Progress for Stopped<'_> {
    fn cancelled(&self) -> bool {
        (self.0)() >= Time::Over
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
    use crate::files::Stat;

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

    /// A call that does not wait for the index at all, which cannot be ready.
    fn at_once(engine: &Engine, tool: &'static Tool, arguments: Value) -> Outcome {
        let _first = engine.precedence().take();
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
        let options = options(folder.path());
        let listing = Disk::open(&options.root, 1, &[], options.now).unwrap().list().unwrap();
        let part_at = |path: &str, words: &str, time: &(dyn Fn() -> Time + Sync)| {
            part(&options, &listing, path, &Wanted::words(&[words]), time)
        };
        let part = |words: &str| part_at("", words, &|| Time::Short);
        assert_eq!(part("return the flame").unwrap().files, 1);
        assert_eq!(part("return helper").unwrap().files, FILES);
        assert!(part("zyzzyva").is_none());
        // Words without a place count where there are no others.
        assert_eq!(part("how does the flame return").unwrap().files, 1);
        assert!(part("how does it").is_none());
        assert!(part_at("no/such", "flame", &|| Time::Short).is_none());
        assert!(part_at("", "flame", &|| Time::Over).is_none());
        // What was read before the time became little is enough.
        let asked = AtomicU32::new(0);
        let time = || if asked.fetch_add(1, Ordering::SeqCst) < 200 { Time::Short } else { Time::Little };
        let found = part_at("", "helper", &time).unwrap();
        // One file does not hold the word, and may be among those that were read.
        assert!((199..=200).contains(&found.files) && found.of == 401, "{} of {}", found.files, found.of);
    }

    #[test]
    fn the_most_promising_files_are_looked_into_first_and_tests_count_less() {
        let folder = tempfile::tempdir().unwrap();
        let text = "def run(flame):\n    return quench\n";
        for path in ["a/notes.txt", "a/other.py", "a/test_flame.py", "tests/test_it.py", "z/flame.py"] {
            fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
            fs::write(folder.path().join(path), text).unwrap();
        }
        let disk = Disk::open(folder.path(), 1, &[], || 0).unwrap();
        let listing = disk.list().unwrap();
        let wanted = Wanted::words(&["the flame"]);
        let paths = |entries: &[&Entry]| entries.iter().map(|e| e.path.to_string()).collect::<Vec<_>>();
        let promising = promising(&listing, "", &wanted);
        assert_eq!(
            paths(&promising),
            ["z/flame.py", "a/test_flame.py", "a/other.py", "tests/test_it.py", "a/notes.txt"]
        );
        // A part has room for some: of those that hold the same the tests are left out.
        let large =
            |entry: &&Entry| Entry { stat: Stat { size: BYTES / 3, ..entry.stat }, ..(*entry).clone() };
        let large: Vec<Entry> = promising.iter().map(large).collect();
        let mut found: Vec<(&Entry, u64)> = large.iter().map(|entry| (entry, 1)).collect();
        found.push((&large[0], 0));
        let chosen = chosen(found);
        assert_eq!(paths(&chosen.iter().collect::<Vec<_>>()), ["a/notes.txt", "a/other.py", "z/flame.py"]);
    }

    #[test]
    fn the_index_of_the_whole_gives_way_to_a_part() {
        let folder = project();
        let engine = Engine::new(&options(folder.path())).unwrap();
        let first = engine.precedence().take();
        engine.begin();
        let done = || engine.progress().map_or(u32::MAX, |progress| progress.done);
        while done() == 0 {
            thread::yield_now();
        }
        // Its one thread waits after its first file, however long that may be.
        thread::sleep(5 * TICK);
        assert_eq!(done(), 1);
        drop(first);
        assert!(engine.view(&|| false).is_ok());
    }

    #[test]
    fn a_cancelled_call_stops_the_index_and_the_next_one_is_answered_from_the_whole() {
        let folder = project();
        let symbol = |engine: &Engine, time: &(dyn Fn() -> Time + Sync)| {
            let arguments = json!({"name": "step_399"});
            let arguments = Arguments::check(&SYMBOL, arguments.as_object().unwrap()).unwrap();
            engine.call(&SYMBOL, &arguments, Call { time, trace: &mut NoTrace, form: Form::Text })
        };
        let whole = symbol(&Engine::new(&options(folder.path())).unwrap(), &|| Time::Plenty);
        assert_eq!(whole.ending, Ending::Found);
        for folder_of_index in [None, Some(tempfile::tempdir().unwrap())] {
            let index_dir = folder_of_index.as_ref().map(|folder| folder.path().to_path_buf());
            let engine = Engine::new(&Options { index_dir, ..options(folder.path()) }).unwrap();
            engine.begin();
            let first = engine.precedence().take();
            let begun = || engine.progress().is_some_and(|progress| progress.done > 0);
            let cancelled = || if begun() { Time::Cancelled } else { Time::Plenty };
            assert_eq!(symbol(&engine, &cancelled).ending, Ending::Unfinished);
            while engine.progress().is_some() {
                thread::yield_now();
            }
            drop(first);
            assert!(!engine.is_ready());
            assert_eq!(symbol(&engine, &|| Time::Plenty), whole);
        }
    }
}
