//! What people see on a terminal, and nobody else: colours and a progress bar.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::Stdio;
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::Project;

/// Runs with a terminal for stdout and stderr: all that is written to it, its line ends as they were.
fn on_terminal(project: &Project, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = project.command();
    command.args(arguments).env("TERM", "xterm-256color").envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(slave.try_clone().unwrap()).stderr(slave);
    let mut child = command.spawn().unwrap();
    drop(command);
    let reader = thread::spawn(move || {
        let (mut master, mut said, mut part) = (File::from(master), Vec::new(), [0; 4096]);
        // The end of a terminal is an error once nobody has it open.
        while let Ok(read @ 1..) = master.read(&mut part) {
            said.extend_from_slice(&part[..read]);
        }
        said
    });
    assert!(child.wait().unwrap().code().is_some());
    String::from_utf8(reader.join().unwrap()).unwrap().replace("\r\n", "\n")
}

/// A text without its colours and what else begins with an escape.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once(|c: char| c.is_ascii_alphabetic()).unwrap().1)
}

#[test]
fn an_answer_on_a_terminal_has_colours_and_the_same_words() {
    let project = Project::fixture("kotlin/interceptors");
    project.run(&["index"]).ends(0);
    for arguments in [&["explore", "how does a call run"][..], &["symbol", "Call"], &["search", "proceed("]] {
        let piped = project.run(arguments);
        let shown = on_terminal(&project, arguments, &[]);
        let shown = shown.rsplit('\r').next().unwrap();
        assert!(shown.contains("\u{1b}[1m") && shown.contains("\u{1b}[2m"), "{shown:?}");
        assert!(plain(shown).ends_with(piped.ends(0)), "{shown:?}");
    }
}

#[test]
fn who_wants_no_colours_gets_none() {
    let project = Project::fixture("kotlin/interceptors");
    project.run(&["index"]).ends(0);
    for variables in [&[("NO_COLOR", "1")][..], &[("TERM", "dumb")]] {
        for arguments in [&["explore", "how does a call run"][..], &["--help"], &["frobnicate"]] {
            let shown = on_terminal(&project, arguments, variables);
            assert!(!shown.contains("\u{1b}[1m") && !shown.contains("\u{1b}[2m"), "{variables:?} {shown:?}");
        }
    }
    let json = on_terminal(&project, &["explore", "--json", "how does a call run"], &[]);
    assert!(!json.contains("\u{1b}[1m"), "{json:?}");
}

#[test]
fn a_progress_bar_is_shown_on_a_terminal_and_taken_away() {
    let project = Project::large(300);
    let shown = on_terminal(&project, &["symbol", "step_7_3"], &[]);
    assert!(shown.contains("/300 files"), "{shown:?}");
    let left = shown.rsplit('\r').next().unwrap();
    assert!(!plain(left).contains("files") && plain(left).contains("module_7.py"), "{left:?}");
}
