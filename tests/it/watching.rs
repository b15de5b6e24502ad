//! An index that is asked again and again, as a server's is: most refreshes go by what the system tells of the
//! folders, and must see what a look at every file sees.
//!
//! A clock so late that no time is too young has the folders watched at once; a moment between the changes lets
//! even a coarse clock of the file system tell them apart.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use ctx_explore::index::{Index, Silent};
use ctx_explore::tools::registry::{EXPLORE, SEARCH};
use ctx_explore::tools::{Arguments, Call, Engine, Form, Options, Time};
use ctx_explore::{explore::NoTrace, index::Snapshot};
use serde_json::json;

use crate::support::follow::{fresh, options, said, skipped};
use crate::support::{Dice, Project};

const TICK: Duration = Duration::from_millis(25);

fn late() -> i64 {
    i64::MAX
}

/// A source of a length that no other turn's has.
fn source(name: &str, turn: usize) -> String {
    format!("def {name}(value):\n    return target(value) + {turn}\n# {}\n", "-".repeat(turn))
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_watched_index_says_what_a_fresh_one_says_after_any_change() {
    let project = Project::with(&[
        ("a.py", "def target(value):\n    return value\n"),
        ("pkg/b.py", "from a import target\n"),
        ("pkg/deep/c.py", "x = 1\n"),
        (".gitignore", "*.log\n"),
    ]);
    let root = project.root();
    let at = |path: &str| root.join(path);
    let index = Index::open(&root, options(Some(project.beside("kept")), late)).unwrap();
    index.watch();
    let same = |found: &Snapshot, what: &str| {
        let expected = fresh(&root);
        assert_eq!(said(found), said(&expected), "{what}");
        assert_eq!(skipped(found), skipped(&expected), "{what}");
    };
    let mut dice = Dice(7);
    for turn in 1..=80 {
        let files = ["a.py", "pkg/b.py", "pkg/deep/c.py", "pkg/new.py", "moved/deep/d.py"];
        let (kind, file) = (dice.roll(9), files[dice.roll(5) as usize]);
        let what = format!("turn {turn}: {kind} of {file}");
        match kind {
            0 => write(&at(file), &source("moved", turn)),
            1 => {
                write(&project.beside("aside"), &source("renamed", turn));
                fs::create_dir_all(at(file).parent().unwrap()).unwrap();
                fs::rename(project.beside("aside"), at(file)).unwrap();
            }
            2 => drop(fs::remove_file(at(file))),
            3 => drop(fs::rename(at("pkg/deep"), at("moved"))),
            4 => drop(fs::rename(at("moved"), at("pkg/deep"))),
            5 => write(&at("pkg/.gitignore"), &format!("new.py\n#{}\n", "-".repeat(turn))),
            6 => drop(fs::remove_file(at("pkg/.gitignore"))),
            7 => {
                let _ = fs::hard_link(at(file), project.beside(&format!("other{turn}")));
                let _ = fs::hard_link(at(file), at(&format!("linked{}.py", turn % 3)));
            }
            _ => write(&at(&format!("linked{}.py", dice.roll(3))), &source("linked", turn)),
        }
        same(&index.refresh(&Silent).unwrap(), &what);
        index.look_again(&|| false);
        same(&index.refresh(&Silent).unwrap(), &what);
        thread::sleep(TICK);
    }
}

#[test]
fn an_answer_shows_what_is_there_though_nothing_told_of_the_change() {
    let project = Project::with(&[
        ("a.py", "from b import outlet\n\n\ndef inlet(value):\n    return outlet(value)\n"),
        ("b.py", "def outlet(value):\n    return value\n"),
        ("c.py", "def spare(value):\n    return value\n"),
    ]);
    let engine = Engine::new(&Options {
        root: project.root(),
        index_dir: None,
        threads: 2,
        now: late,
        adaptive: true,
    })
    .unwrap();
    engine.begin();
    let ask = |query: &str| {
        let arguments = json!({"query": query});
        let arguments = Arguments::check(&EXPLORE, arguments.as_object().unwrap()).unwrap();
        let call = Call { time: &|| Time::Plenty, trace: &mut NoTrace, form: Form::Text };
        let text = engine.call(&EXPLORE, &arguments, call).text;
        engine.look_again(&|| false);
        text
    };
    let question = "how does inlet reach outlet";
    assert!(ask(question).contains("return value\n"));
    // By a name outside of the tree that it did not have when it was last looked at.
    let other = project.beside("other.py");
    let change = |text: &str| {
        thread::sleep(TICK);
        fs::write(&other, text).unwrap();
    };
    fs::hard_link(project.root().join("b.py"), &other).unwrap();
    change("def outlet(value):\n    return value * 23\n");
    let text = ask(question);
    assert!(text.contains("return value * 23\n"), "{text}");
    // Where a file is what was looked at, that it has this name is known from now on.
    change("def outlet(value):\n    return value * 456\n");
    assert!(ask(question).contains("return value * 456\n"));
    // A search reads it too.
    let third = project.beside("third.py");
    fs::hard_link(project.root().join("c.py"), &third).unwrap();
    thread::sleep(TICK);
    fs::write(&third, "def spare(value):\n    return value * 789\n").unwrap();
    let arguments = json!({"pattern": "* 789"});
    let arguments = Arguments::check(&SEARCH, arguments.as_object().unwrap()).unwrap();
    let call = Call { time: &|| Time::Plenty, trace: &mut NoTrace, form: Form::Text };
    let text = engine.call(&SEARCH, &arguments, call).text;
    assert!(text.contains("return value * 789") && !text.contains("changed"), "{text}");
    // What the answer does not show is seen as well once something was missed.
    change("def outlet(value):\n    return brook(value)\n\n\ndef brook(value):\n    return 7\n");
    assert!(ask("brook").contains("b.py"));
}
