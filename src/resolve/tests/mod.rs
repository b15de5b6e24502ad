//! Small projects, with the edges that are right written in.

mod again;
mod bounds;
mod choices;
mod go;
mod go_depth;
mod golden;
mod java;
mod java_bridges;
mod java_overloads;
mod javascript;
mod javascript_instances;
mod kotlin;
mod kotlin_overloads;
mod kotlin_platforms;
mod module_answers;
mod python;
mod python_containers;
mod python_order;
mod python_values;
mod rust;
mod rust_modules;
mod rust_values;
mod slot_calls;
mod slots;
mod typescript;

use crate::{
    extract::FileFacts,
    index::facts_of,
    lang,
    resolve::{EdgeKind, FileNode, Graph, ResolveInput, resolve},
    text::{RepoPath, is_test_path},
};

/// The graph of a project written as one text: `//- path` or `#- path` begins each file.
pub(super) fn graph(project: &str) -> Graph {
    let mut files: Vec<(RepoPath, String)> = Vec::new();
    for line in project.split_inclusive('\n') {
        let path = line.strip_prefix("//- ").or_else(|| line.strip_prefix("#- "));
        if let Some(path) = path {
            files.push((RepoPath::new(path.trim()).unwrap(), String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.push_str(line);
        }
    }
    graph_of(files)
}

/// The graph of files in a language, and of manifests. It is also reached by an edit of each file.
pub(super) fn graph_of(mut files: Vec<(RepoPath, String)>) -> Graph {
    files.sort();
    let made: Vec<Made> = files.iter().map(|(path, text)| made(path, text)).collect();
    let whole = resolve(&inputs(&made));
    again::check_edits(&files, &made, &whole);
    whole.into_graph()
}

/// A file and what it says.
type Made = (FileNode, FileFacts);

fn made(path: &RepoPath, text: &str) -> Made {
    let (language, facts) = facts_of(path, text);
    let node = FileNode {
        path: path.clone(),
        hash: [0; 32],
        lines: 1,
        language: language.map(Into::into),
        test: is_test_path(path),
        generated: false,
    };
    (node, facts.unwrap())
}

fn inputs(made: &[Made]) -> Vec<ResolveInput<'_>> {
    let input = |(file, facts)| {
        let file: &FileNode = file;
        let rules = lang::for_path(&file.path).map(|spec| spec.resolution);
        ResolveInput { file, rules, facts: Some(facts) }
    };
    made.iter().map(|(file, facts)| input((file, facts))).collect()
}

/// Edges of some kinds as `from -> to`, each once, sorted; a module's end is its path.
pub(super) fn edges(project: &str, kinds: &[EdgeKind]) -> Vec<String> {
    let graph = graph(project);
    let end = |id| {
        let symbol = graph.symbol(id);
        if symbol.container.is_none() { graph.path(id).to_string() } else { symbol.qualified.to_string() }
    };
    let mut rows: Vec<String> = graph
        .edges()
        .iter()
        .filter(|edge| kinds.contains(&edge.kind))
        .map(|edge| format!("{} -> {}", end(edge.from), end(edge.to)))
        .collect();
    rows.sort();
    rows.dedup();
    rows
}

/// Calls and instantiations.
pub(super) fn calls(project: &str) -> Vec<String> {
    edges(project, &[EdgeKind::Calls, EdgeKind::Instantiates])
}

#[track_caller]
pub(super) fn check(project: &str, expected: &[&str]) {
    let found = calls(project);
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[track_caller]
pub(super) fn check_kinds(project: &str, kinds: &[EdgeKind], expected: &[&str]) {
    let found = edges(project, kinds);
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn the_thread_count_changes_nothing() {
    let project = "#- a.py\nfrom b import f\ndef g():\n    f()\n#- b.py\ndef f():\n    pass\n";
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| crate::render::dump::dump(&graph(project)))
    };
    assert_eq!(with(1), with(8));
    assert!(with(2).contains("\"kind\":\"calls\""));
}
