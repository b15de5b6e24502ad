//! Many processes on one tree: servers that share an index, an editor that does not wait for them, and a
//! process that dies now and then while it may be writing.
//!
//! The editor changes one file at a time, each in one step. A reader lists the tree and then reads it file
//! by file, so what it sees is, for each file, one of the contents that the file had during the call. Every
//! answer must be that of a fresh index in memory of such a tree; at the end of each round, when the editor
//! rests, of the one tree that there is. `CTX_EXPLORE_TEST_ROUNDS` runs more rounds than the few of each
//! test run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use ctx_explore::explore::{self, NoTrace, Request};
use ctx_explore::files::Memory;
use ctx_explore::index::{Index, IndexOptions, Silent};
use ctx_explore::render::{self, dump::dump};
use ctx_explore::tools::{Reading, View};
use serde_json::json;

use crate::support::{Dice, Project, Server};

const SERVERS: usize = 3;
const ROUNDS: u64 = 3;
/// Calls of each server in a round.
const CALLS: usize = 3;
/// Trees that an answer may be of; with more, the answer is only looked at.
const TREES: usize = 64;
/// Edits for each call that ends, so that a slow machine has no more trees to compare than a fast one.
const EDITS: usize = 2;
const QUESTION: &str = "how does relay reach its outlet";

type Tree = BTreeMap<&'static str, String>;

/// The files that the editor changes, and what they may say.
fn content(name: &str, turn: u64) -> Option<String> {
    let padding = "# a line above\n".repeat((turn % 7) as usize);
    match (name, turn % 5) {
        ("outlet.py", 4) | ("spare.py", 0) => None,
        ("outlet.py", _) => {
            Some(format!("{padding}class Outlet:\n    def emit(self, value):\n        return {turn}\n"))
        }
        ("relay.py", 3) => Some(format!("{padding}def relay(value):\n    return value + {turn}\n")),
        ("relay.py", _) => Some(format!(
            "from outlet import Outlet\n\n{padding}def relay(value):\n    return Outlet().emit(value + {turn})\n"
        )),
        ("entry.py", _) => {
            Some(format!("from relay import relay\n\n{padding}def begin():\n    return relay({turn})\n"))
        }
        _ => Some(format!("{padding}def spare_{turn}():\n    return relay\n")),
    }
}

const NAMES: [&str; 4] = ["entry.py", "outlet.py", "relay.py", "spare.py"];

/// Every tree that there was, in order; the last is there now.
struct History(Mutex<Vec<Tree>>);

impl History {
    fn now(&self) -> usize {
        self.0.lock().unwrap().len() - 1
    }

    /// The trees that a reader may have seen between two moments; `None` where they are too many.
    fn seen(&self, from: usize, to: usize) -> Option<Vec<Tree>> {
        let trees = self.0.lock().unwrap()[from..=to].to_vec();
        let mut mixes = vec![Tree::new()];
        for name in NAMES {
            let contents: BTreeSet<Option<&String>> = trees.iter().map(|tree| tree.get(name)).collect();
            mixes = mixes
                .iter()
                .flat_map(|mix| {
                    contents.iter().map(move |content| {
                        let mut mix = mix.clone();
                        mix.extend(content.map(|text| (name, text.clone())));
                        mix
                    })
                })
                .collect();
            if mixes.len() > TREES {
                return None;
            }
        }
        Some(mixes)
    }
}

/// What a fresh index of a tree in memory answers, and its graph.
fn fresh(tree: &Tree) -> (String, String) {
    let memory = Memory::new(tree.iter().map(|(path, text)| (*path, text.as_str())));
    let index = Index::over(Arc::new(memory), IndexOptions::default()).unwrap();
    let view = View::new(index.refresh(&Silent).unwrap(), None);
    let request = Request { query: QUESTION.to_owned(), ..Request::default() };
    let answer = explore::explore(&Reading::new(&view), &request, &mut NoTrace);
    (render::answer(&answer), dump(explore::Repository::graph(&view)))
}

/// One change of one file, whole at once.
fn edit(root: &Path, history: &History, dice: &mut Dice) {
    let name = NAMES[dice.roll(NAMES.len() as u64) as usize];
    let text = content(name, dice.roll(1_000));
    // Nobody learns of the change before the history holds it.
    let mut trees = history.0.lock().unwrap();
    let mut tree = trees.last().unwrap().clone();
    match text {
        None => {
            tree.remove(name);
            let _ = fs::remove_file(root.join(name));
        }
        Some(text) => {
            let aside = root.with_extension("aside");
            fs::write(&aside, &text).unwrap();
            fs::rename(aside, root.join(name)).unwrap();
            tree.insert(name, text);
        }
    }
    trees.push(tree);
}

/// A server's calls in a round; how many of its answers were compared.
fn ask(server: &mut Server, history: &History, calls: usize, ended: &AtomicUsize) -> usize {
    let mut compared = 0;
    for _ in 0..calls {
        let from = history.now();
        let (text, error) = server.call("ctx_explore", json!({"query": QUESTION}));
        let to = history.now();
        ended.fetch_add(1, Ordering::SeqCst);
        assert!(!error && text.ends_with("</final_answer>\n"), "{text}");
        // A file that changes while the answer is made is left out of it, and named.
        if text.contains("changed while") {
            continue;
        }
        if let Some(trees) = history.seen(from, to) {
            assert!(
                trees.iter().any(|tree| fresh(tree).0 == text),
                "of no tree from {from} to {to}:\n{text}"
            );
            compared += 1;
        }
    }
    compared
}

fn bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |path: PathBuf| {
        if path.is_dir() { bytes(&path) } else { fs::metadata(path).map_or(0, |meta| meta.len()) }
    };
    entries.map(|entry| size(entry.path())).sum()
}

#[test]
fn servers_that_die_and_an_editor_that_does_not_wait_leave_every_answer_right() {
    let rounds = std::env::var("CTX_EXPLORE_TEST_ROUNDS").map_or(ROUNDS, |given| given.parse().unwrap());
    let project = Project::empty();
    let root = project.root();
    let mut first = Tree::new();
    for name in NAMES {
        first.extend(content(name, 1).map(|text| (name, text)));
    }
    for (name, text) in &first {
        project.write(name, text);
    }
    let history = History(Mutex::new(vec![first]));
    let mut servers: Vec<Server> = (0..SERVERS).map(|_| project.greeted()).collect();
    let (mut compared, mut most) = (0, 0);
    for round in 0..rounds {
        let mut dice = Dice(round);
        let (rests, ended) = (AtomicBool::new(false), AtomicUsize::new(0));
        let victim = dice.roll(SERVERS as u64) as usize;
        let last_words = Duration::from_micros(dice.roll(40_000));
        thread::scope(|scope| {
            let mut edits = Dice(round + 1_000);
            let (history, rests, ended, root) = (&history, &rests, &ended, &root);
            scope.spawn(move || {
                let mut made = 0;
                while !rests.load(Ordering::SeqCst) {
                    if made < EDITS * (ended.load(Ordering::SeqCst) + 1) {
                        edit(root, history, &mut edits);
                        made += 1;
                    }
                    thread::sleep(Duration::from_micros(edits.roll(20_000)));
                }
            });
            let mut asking = Vec::new();
            for (at, server) in servers.iter_mut().enumerate() {
                if at == victim {
                    // It dies in the middle of a call, of a refresh that writes or after it.
                    server
                        .post("tools/call", json!({"name": "ctx_explore", "arguments": {"query": QUESTION}}));
                    thread::sleep(last_words);
                    server.kill();
                } else {
                    asking.push(scope.spawn(|| ask(server, history, CALLS, ended)));
                }
            }
            let asked: Vec<_> = asking.into_iter().map(|asking| asking.join()).collect();
            rests.store(true, Ordering::SeqCst);
            compared += asked.into_iter().map(|asked| asked.expect("an answer is right")).sum::<usize>();
        });
        servers[victim] = project.greeted();

        let tree = history.0.lock().unwrap().last().unwrap().clone();
        let (answer, graph) = fresh(&tree);
        for (at, server) in servers.iter_mut().enumerate() {
            let (text, error) = server.call("ctx_explore", json!({"query": QUESTION}));
            assert!(!error && text == answer, "server {at} after round {round}: {text}\nnot: {answer}");
        }
        let run = project.run(&["index", "--dump"]);
        assert_eq!((run.code, &run.stdout), (Some(0), &graph), "after round {round}: {}", run.stderr);
        most = most.max(bytes(&project.cache()));
        assert!(most < 2 << 20, "{most} bytes after round {round}");
        if round % 20 == 19 {
            println!("{} rounds, {compared} answers compared amid edits", round + 1);
        }
    }
    println!(
        "{rounds} rounds, {} trees, {compared} answers compared amid edits, at most {most} bytes",
        history.now()
    );
    // A slow machine may be given no answer between two edits in a few rounds.
    assert!(compared > 0 || rounds < 20);
}
