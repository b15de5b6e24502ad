//! What an edit leaves is what resolving everything anew gives. Every project of the tests beside this one goes
//! through here.

use std::sync::Arc;

use super::{Made, inputs, made};
use crate::{
    resolve::{EdgeKind, Edited, Graph, Resolution, resolve, resolve_again, surface},
    text::RepoPath,
};

/// Of a longer file so many lines are taken out, one at a time.
const LINES: usize = 10;
/// Larger projects are made to be large, not to be edited.
const FILES: usize = 16;

/// Edits each file of a project to and fro: without it, without each of its lines, with its halves swapped.
pub(super) fn check_edits(files: &[(RepoPath, String)], whole: &[Made], resolution: &Resolution) {
    if files.len() > FILES {
        return;
    }
    for (at, (path, text)) in files.iter().enumerate() {
        let without: Vec<Made> = [&whole[..at], &whole[at + 1..]].concat();
        check_edit(&format!("{path} gone"), (whole, resolution), &without);
        for (what, edited) in edits(text) {
            let mut other = whole.to_vec();
            other[at] = made(path, &edited);
            check_edit(&format!("{path} {what}"), (whole, resolution), &other);
        }
    }
}

fn edits(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let step = lines.len().div_ceil(LINES).max(1);
    let mut all = Vec::new();
    for at in (0..lines.len()).step_by(step) {
        let without = [&lines[..at], &lines[at + 1..]].concat().concat();
        all.push((format!("without line {}", at + 1), without));
    }
    let (first, second) = lines.split_at(lines.len() / 2);
    all.push(("swapped".to_owned(), [second, first].concat().concat()));
    all.push(("moved down".to_owned(), format!("\n\n{text}")));
    all
}

#[track_caller]
fn check_edit(what: &str, (whole, resolution): (&[Made], &Resolution), other: &[Made]) {
    let fresh = resolve(&inputs(other));
    let (to, fro) = (again(whole, resolution, other), again(other, &fresh, whole));
    same(&format!("{what}: to"), &to.graph, &fresh.graph);
    same(&format!("{what}: fro"), &fro.graph, &resolution.graph);
    tells_what_differs(what, &resolution.graph, &to);
    tells_what_differs(what, &fresh.graph, &fro);
}

/// What is not said to differ has the symbols and edges of before.
#[track_caller]
fn tells_what_differs(what: &str, before: &Graph, after: &Resolution) {
    let end = |graph: &Graph, id| {
        let same = graph.symbols_of(graph.symbol(id).file).iter();
        let symbol = graph.symbol(id);
        let place = same.take_while(|other| other.full.start < symbol.full.start);
        let place = place.filter(|other| (&other.qualified, other.kind) == (&symbol.qualified, symbol.kind));
        format!("{}:{} {}", graph.path(id), symbol.qualified, place.count())
    };
    let said = |graph: &Graph, file| -> Vec<String> {
        let of = |id| {
            let symbol = graph.symbol(id);
            // What a symbol holds elsewhere is said by what is held.
            let leaving = graph.outgoing(id).iter().filter(|edge| edge.kind != EdgeKind::Contains);
            let leaving = leaving.map(|edge| {
                format!("{:?} {} {:?} {:?}", edge.kind, end(graph, edge.to), edge.site, edge.confidence)
            });
            let container = symbol.container.map(|holder| end(graph, holder));
            let own = format!("{} {container:?} {:?} {:?}", end(graph, id), symbol.lines, symbol.visibility);
            leaving.chain([own]).collect::<Vec<_>>()
        };
        // Edges stand in the order of their ends' numbers.
        let mut said: Vec<String> = graph.symbols_in(file).flat_map(of).collect();
        said.sort();
        said
    };
    let Some(differing) = &after.differing else { return };
    for file in after.graph.file_ids().filter(|file| !differing[file.0 as usize]) {
        let path = after.graph.file(file).path.as_str();
        let old = before.find_file(path).map(|file| said(before, file));
        assert_eq!(old, Some(said(&after.graph, file)), "{what}: {path}");
    }
}

/// Resolves after the edits that lead from one state of a project to another.
fn again(old: &[Made], before: &Resolution, new: &[Made]) -> Resolution {
    let find = |files: &'_ [Made], path: &RepoPath| files.iter().position(|(file, _)| file.path == *path);
    let paths: std::collections::BTreeSet<&RepoPath> =
        old.iter().chain(new).map(|(file, _)| &file.path).collect();
    let edited: Vec<Edited<'_>> = paths
        .into_iter()
        .map(|path| Edited {
            path,
            before: find(old, path).map(|at| &old[at].1),
            after: find(new, path).map(|at| &new[at].1),
        })
        .filter(|edited| edited.before != edited.after)
        .collect();
    resolve_again(&inputs(new), before, &edited)
}

#[track_caller]
fn same(what: &str, found: &Graph, wanted: &Graph) {
    assert_eq!(found.files(), wanted.files(), "{what}");
    assert_eq!(found.symbols(), wanted.symbols(), "{what}");
    let lines = |graph: &Graph| -> Vec<String> {
        let end = |id| format!("{}:{}", graph.path(id), graph.symbol(id).qualified);
        let line = |edge: &crate::resolve::Edge| {
            let (from, to) = (end(edge.from), end(edge.to));
            format!("{from} {:?} {to} {}:{} {:?}", edge.kind, edge.line, edge.col, edge.reason)
        };
        graph.edges().iter().map(line).collect()
    };
    if found.edges() != wanted.edges() {
        let (found, wanted) = (lines(found), lines(wanted));
        let missing: Vec<&String> = wanted.iter().filter(|line| !found.contains(line)).collect();
        let left: Vec<&String> = found.iter().filter(|line| !wanted.contains(line)).collect();
        panic!("{what}\nmissing {missing:#?}\nleft {left:#?}");
    }
}

#[test]
fn only_what_an_edit_can_reach_is_resolved() {
    let text = |name: &str, body: &str| (RepoPath::new(name).unwrap(), body.to_owned());
    let base = "import os\n\ndef greet(name):\n    return Greeting(name)\n\nclass Greeting:\n    def say(self):\n        pass\n";
    let mut files = vec![text("pkg/__init__.py", ""), text("pkg/base.py", base)];
    files.push(text("pkg/user.py", "from pkg.base import greet\n\ndef run():\n    greet(1).say()\n"));
    for other in 0..5 {
        files.push(text(&format!("pkg/other{other}.py"), "def alone():\n    return 1\n\nalone()\n"));
    }
    files.sort();
    let all = |files: &[(RepoPath, String)]| -> Vec<Made> {
        files.iter().map(|(path, text)| made(path, text)).collect()
    };
    let whole = all(&files);
    let before = resolve(&inputs(&whole));
    let resolved = |edit: &str| {
        let mut edited = files.clone();
        let base_at = edited.iter().position(|(path, _)| path.as_str() == "pkg/base.py").unwrap();
        edited[base_at].1 = edit.to_owned();
        let edited = all(&edited);
        let after = again(&whole, &before, &edited);
        same(edit, &after.graph, &resolve(&inputs(&edited)).graph);
        after.resolved
    };
    // A new function, a comment above, a statement in a body: nobody else can tell.
    assert_eq!(resolved(&format!("{base}\ndef other():\n    pass\n")), 1);
    assert_eq!(resolved(&format!("# A comment.\n{base}")), 1);
    assert_eq!(resolved(&base.replace("        pass", "        print(os.name)")), 1);
    // What the user calls is another class's now.
    let changed =
        "def greet(name):\n    return Other(name)\n\nclass Other:\n    def say(self):\n        pass\n";
    assert_eq!(resolved(changed), 2);
    assert_eq!(resolved(""), 2);
}

#[test]
fn text_that_only_moves_is_as_it_was_for_others() {
    let texts = [
        ("a.js", "group(() => {\n  function inner() {}\n  class Kept { run() { inner(); } }\n});\n"),
        (
            "a.ts",
            "export const all = wrap((x: number) => {\n  const one = () => x;\n  return { one };\n});\n",
        ),
        ("a.go", "package a\n\nvar f = func() {\n\ttype T struct{}\n\tgo func() {}()\n}\n"),
        ("A.java", "class A extends B {\n  Runnable r = () -> { class C {} new C(); };\n}\n"),
        ("a.kt", "val f = run { fun inner() = 1\n inner() }\nclass A : B by c { companion object }\n"),
        ("a.rs", "fn f() { let g = || { const X: u8 = 1; X }; g(); }\nimpl T for U { fn m(&self) {} }\n"),
        (
            "a.py",
            "def f(x):\n    def g():\n        return x\n    return lambda: g()\n\nclass A(B):\n    y = f(1)\n",
        ),
    ];
    for (name, text) in texts {
        let path = RepoPath::new(name).unwrap();
        // The beginning of a file is a place that does not move.
        let text = &format!("\n{text}");
        let lines = text.replacen('\n', "\n\n\n", if name.ends_with(".go") { 2 } else { 1 });
        let (one, other) = ([made(&path, text)], [made(&path, &lines)]);
        let (one, other) = (inputs(&one), inputs(&other));
        assert_ne!(one[0].facts, other[0].facts, "{name}");
        let changed = surface::changed(&path, one[0].facts, other[0].facts);
        assert!(changed.is_empty(), "{name}");
    }
}

#[test]
fn tables_are_carried_over_for_what_an_edit_cannot_reach() {
    let text = |name: &str, body: &str| (RepoPath::new(name).unwrap(), body.to_owned());
    let base = "import os\n\nclass Greeting:\n    def say(self):\n        pass\n\ndef greet():\n    return Greeting()\n";
    let loud = "from pkg.base import Greeting\n\nclass Loud(Greeting):\n    def say(self):\n        pass\n";
    let mut files = vec![text("pkg/__init__.py", ""), text("pkg/base.py", base), text("pkg/loud.py", loud)];
    files.push(text("pkg/user.py", "from pkg.base import greet\n\ngreet().say()\n"));
    files.push(text("pkg/other.py", "class Other:\n    def say(self):\n        pass\n"));
    files.sort();
    let all = |files: &[(RepoPath, String)]| -> Vec<Made> {
        files.iter().map(|(path, text)| made(path, text)).collect()
    };
    let whole = all(&files);
    let before = resolve(&inputs(&whole));
    // In how many files imports and relations are others, and whether the families are those of before.
    let worked_out = |edit: &str| {
        let mut edited = files.clone();
        edited[1].1 = edit.to_owned();
        let edited = all(&edited);
        let after = again(&whole, &before, &edited);
        same(edit, &after.graph, &resolve(&inputs(&edited)).graph);
        let (old, new) = (&before.kept, &after.kept);
        let targets = old.targets.iter().zip(&new.targets).filter(|(old, new)| !Arc::ptr_eq(old, new));
        let relations = old.relations.iter().zip(&new.relations).filter(|(old, new)| !Arc::ptr_eq(old, new));
        (targets.count(), relations.count(), new.kinship.reused)
    };
    assert_eq!(files[1].0.as_str(), "pkg/base.py");
    // The edited file alone.
    assert_eq!(worked_out(&base.replace("pass", "print(os.name)")), (1, 1, true));
    assert_eq!(worked_out(&format!("{base}\ndef other():\n    pass\n")), (1, 1, true));
    // What others import, and the type that one extends, have other numbers.
    assert_eq!(
        worked_out(&base.replace("import os\n", "import os\n\ndef first():\n    pass\n")),
        (3, 2, true)
    );
    // Another type.
    assert_eq!(worked_out(&format!("{base}\nclass More(Greeting):\n    pass\n")), (1, 1, false));
    // What overrides it is looked at again.
    assert_eq!(worked_out(&base.replace("say", "speak")), (1, 2, true));
}
