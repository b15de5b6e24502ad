//! What Git does to a tree: branches, stashes, worktrees, submodules, sparse checkouts. After each command a
//! refreshed index equals a fresh one.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Project;
use crate::support::follow::{follows, fresh, skipped};

/// Runs Git in a folder without anybody's settings. Ends the test where Git fails.
fn git(folder: &Path, arguments: &str) {
    let settings = ["user.name=tests", "user.email=tests@example.invalid", "protocol.file.allow=always"];
    let settings = settings.iter().flat_map(|setting| ["-c", setting]);
    let run = Command::new("git")
        .args(settings)
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(run.status.success(), "git {arguments}: {}", String::from_utf8_lossy(&run.stderr));
}

/// Says so on stderr where there is no Git.
#[expect(clippy::print_stderr, reason = "what is not tested is said")]
fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok_and(|run| run.status.success());
    if !found {
        eprintln!("SKIPPED, not tested: there is no git");
    }
    found
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository of some files, committed.
fn begin(root: &Path) {
    git(root, "init -q -b main");
    write(&root.join("app/main.py"), "from lib.core import target\n\n\ndef value():\n    return target(1)\n");
    write(&root.join("lib/core.py"), "def target(x):\n    return x\n");
    write(
        &root.join("lib/extra.py"),
        "from lib.core import target\n\n\ndef moved():\n    return target(2)\n",
    );
    commit(root);
}

fn commit(root: &Path) {
    git(root, "add -A");
    git(root, "commit -q -m change");
}

/// The names of all symbols.
fn names(root: &Path) -> Vec<String> {
    let snapshot = fresh(root);
    snapshot.graph.symbols().iter().map(|symbol| symbol.qualified.to_string()).collect()
}

#[test]
fn branches_stashes_and_conflicts() {
    if !has_git() {
        return;
    }
    let project = Project::empty();
    follows(
        &project,
        &[
            ("a first commit", &begin),
            ("a branch that moves a module", &|root| {
                git(root, "checkout -q -b other");
                git(root, "mv lib/core.py lib/base.py");
                write(
                    &root.join("app/main.py"),
                    "from lib.base import target\n\n\ndef value():\n    return target(3)\n",
                );
                for at in 0..200 {
                    write(
                        &root.join(format!("many/m{at}.py")),
                        &format!("def many_{at}():\n    return {at}\n"),
                    );
                }
                commit(root);
            }),
            ("back to the first", &|root| git(root, "checkout -q main")),
            ("and forth", &|root| git(root, "checkout -q other")),
            ("an edit", &|root| write(&root.join("lib/base.py"), "def target(x, y=0):\n    return x + y\n")),
            ("stashed", &|root| git(root, "stash -q")),
            ("and taken back", &|root| git(root, "stash pop -q")),
            ("thrown away", &|root| git(root, "checkout -q -- .")),
            ("an edit on the first branch", &|root| {
                git(root, "checkout -q main");
                write(
                    &root.join("app/main.py"),
                    "from lib.core import target\n\n\ndef value():\n    return target(4)\n",
                );
                commit(root);
            }),
            ("a merge with a conflict in a file", &|root| {
                let merged =
                    Command::new("git").args(["merge", "-q", "other"]).current_dir(root).output().unwrap();
                assert!(!merged.status.success());
                assert!(fs::read_to_string(root.join("app/main.py")).unwrap().contains("<<<<<<<"));
            }),
            ("given up", &|root| git(root, "merge --abort")),
            ("a commit without a branch", &|root| git(root, "checkout -q --detach other")),
            ("everything packed", &|root| git(root, "gc -q")),
            ("what is not tracked removed", &|root| {
                write(&root.join("loose.py"), "def loose():\n    return target\n");
                git(root, "clean -q -f -d");
            }),
        ],
    );
}

#[test]
fn a_sparse_checkout_is_what_is_there() {
    if !has_git() {
        return;
    }
    let project = Project::empty();
    follows(
        &project,
        &[
            ("everything", &begin),
            ("one folder", &|root| git(root, "sparse-checkout set app")),
            ("another one", &|root| git(root, "sparse-checkout set lib")),
            ("everything again", &|root| git(root, "sparse-checkout disable")),
        ],
    );
    let root = project.root();
    git(&root, "sparse-checkout set app");
    assert_eq!(names(&root), ["main", "value"]);
}

/// A worktree inside of the repository is a tree of its own: the repository has one copy of each file, and what
/// only the worktree has is found there alone.
#[test]
fn a_worktree_is_a_tree_of_its_own() {
    if !has_git() {
        return;
    }
    let project = Project::empty();
    let root = project.root();
    let inner = root.join(".claude/worktrees/x");
    begin(&root);
    let before = names(&root);
    git(&root, "worktree add -q .claude/worktrees/x -b x");
    write(
        &inner.join("lib/only.py"),
        "from lib.core import target\n\n\ndef only_here():\n    return target(5)\n",
    );
    assert_eq!(names(&root), before);
    let there = names(&inner);
    assert!(there.iter().any(|name| name == "only_here"), "{there:?}");
    assert_eq!(there.len(), before.len() + 2);
    // Beside the repository, and inside of a folder that is not hidden.
    for place in ["../beside", "trees/y"] {
        git(&root, &format!("worktree add -q --detach {place}"));
        assert_eq!(names(&root), before, "{place}");
        assert_eq!(names(&root.join(place)), before, "{place}");
    }
    assert!(skipped(&fresh(&root)).iter().any(|(path, _)| path.contains("trees/y")));
    follows(
        &project,
        &[("as it is", &|_| {}), ("a worktree goes", &|root| git(root, "worktree remove trees/y"))],
    );
}

/// A submodule is another repository: it is named, and answers for itself.
#[test]
fn a_submodule_is_named_and_answers_for_itself() {
    if !has_git() {
        return;
    }
    let project = Project::empty();
    let part = project.beside("part");
    fs::create_dir_all(&part).unwrap();
    begin(&part);
    write(&part.join("lib/inner.py"), "def inside():\n    return 1\n");
    commit(&part);
    follows(
        &project,
        &[
            ("without it", &begin),
            ("added", &|root| git(root, &format!("submodule --quiet add {} parts/part", part.display()))),
            ("committed", &commit),
            ("not checked out", &|root| git(root, "submodule --quiet deinit -f parts/part")),
            ("and checked out", &|root| git(root, "submodule --quiet update --init")),
        ],
    );
    let root = project.root();
    assert!(!names(&root).contains(&"inside".to_owned()));
    assert!(skipped(&fresh(&root)).iter().any(|(path, _)| path.contains("parts/part")));
    assert!(names(&root.join("parts/part")).contains(&"inside".to_owned()));
}
