//! A symbol's report: where it is defined, who uses it, what it uses, what implements it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::mention::near_symbols;
use super::{Note, Repository, SourceLine, layout, lookup};
use crate::resolve::{Edge, EdgeKind, Graph, SymbolId, SymbolKind};
use crate::text::{LineRange, RepoPath};

/// What the graph does not say of itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage<'a> {
    /// Files with parse errors, by path.
    pub broken: &'a [RepoPath],
    /// Files indexed and files in all, while the index is being built.
    pub building: Option<(u32, u32)>,
    /// Only symbols of files at or below this path are meant; empty for all.
    pub under: &'a str,
}

/// What is known of a name or a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolReport {
    /// As asked: `execute`, `RealCall.execute`, `src/a.rs:12`.
    pub asked: String,
    /// The symbols that are meant, production code first, by path and position. One is reported in full; of
    /// several only the place and the numbers of users.
    pub symbols: Vec<SymbolEntry>,
    /// Symbols that are meant too but not listed.
    pub more: u32,
    pub notes: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SymbolEntry {
    pub qualified: String,
    pub kind: SymbolKind,
    pub path: RepoPath,
    pub lines: LineRange,
    /// The signature, or the whole definition where only one symbol is meant.
    pub code: Vec<SourceLine>,
    /// Symbols that call it, make an instance of it or name it as a value, callers of the declarations that
    /// it overrides included.
    pub callers: Vec<Neighbour>,
    pub callees: Vec<Neighbour>,
    /// Direct subtypes of a type, overriders of a method.
    pub implementers: Vec<Neighbour>,
    /// Supertypes of a type, what a method overrides.
    pub supertypes: Vec<Neighbour>,
}

/// The other end of an edge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Neighbour {
    pub qualified: String,
    pub kind: SymbolKind,
    pub edge: EdgeKind,
    /// The place that says so, the first of `sites`.
    pub path: RepoPath,
    pub line: u32,
    pub sites: u32,
    /// The overridden declaration that is called in its stead.
    pub via: Option<String>,
}

/// Symbols that are listed where a name can mean many.
const MOST: usize = 20;
/// Lines of a definition that are shown.
const LINES: u32 = 120;

/// Looks a symbol up: by name, by name with some of its containers (`Type.member`, `module::name`), by a
/// place (`path:line`, the innermost symbol there), by its file (`path:name`), or a file's module by its path.
pub fn symbol(repo: &dyn Repository, asked: &str, coverage: Coverage<'_>) -> SymbolReport {
    let graph = repo.graph();
    let asked = asked.trim();
    let mut notes = Vec::new();
    let meant = match place(graph, asked) {
        Some((path, line)) => at_place(graph, &path, line, coverage, &mut notes),
        None => match in_file(graph, asked) {
            Some((path, "")) => module(graph, &path, coverage, &mut notes),
            Some((path, name)) => {
                by_name(repo, name, Coverage { under: path.as_str(), ..coverage }, &mut notes)
            }
            None => by_name(repo, asked, coverage, &mut notes),
        },
    };
    if let Some((done, total)) = coverage.building {
        notes.push(Note::Building { done, total });
    }
    let whole = meant.len() == 1;
    let mut symbols: Vec<SymbolEntry> =
        meant.iter().take(MOST).map(|&id| entry(repo, id, whole, &mut notes)).collect();
    if whole {
        let broken = symbols.iter().filter(|entry| coverage.broken.binary_search(&entry.path).is_ok());
        notes.extend(broken.map(|entry| Note::ParseErrors { path: entry.path.clone() }));
    } else {
        symbols.iter_mut().for_each(|entry| entry.code.truncate(1));
    }
    SymbolReport {
        asked: layout::short(asked).into_owned(),
        more: (meant.len() - symbols.len()) as u32,
        symbols,
        notes,
    }
}

/// `path:line` with a path that the repository has.
fn place(graph: &Graph, asked: &str) -> Option<(RepoPath, u32)> {
    let (path, line) = asked.rsplit_once(':')?;
    // A range means its first line.
    let line = line.split('-').next()?.parse().ok()?;
    let path = RepoPath::new(path.strip_prefix("./").unwrap_or(path))?;
    graph.find_file(path.as_str()).map(|_| (path, line))
}

/// The path of a file that the repository has, and the name after it.
fn in_file<'a>(graph: &Graph, asked: &'a str) -> Option<(RepoPath, &'a str)> {
    let (path, name) = asked.split_once(':').unwrap_or((asked, ""));
    let path = RepoPath::new(path.strip_prefix("./").unwrap_or(path))?;
    graph.find_file(path.as_str()).map(|_| (path, name.trim_start_matches(':').trim()))
}

/// The module that a file is.
fn module(graph: &Graph, path: &RepoPath, coverage: Coverage<'_>, notes: &mut Vec<Note>) -> Vec<SymbolId> {
    let Some(file) = graph.find_file(path.as_str()) else { return Vec::new() };
    let module = graph.symbols_in(file).find(|&id| {
        let symbol = graph.symbol(id);
        symbol.kind == SymbolKind::Module && symbol.container.is_none()
    });
    if module.is_none() {
        return at_place(graph, path, 1, coverage, notes);
    }
    module.into_iter().collect()
}

fn at_place(
    graph: &Graph,
    path: &RepoPath,
    line: u32,
    coverage: Coverage<'_>,
    notes: &mut Vec<Note>,
) -> Vec<SymbolId> {
    let Some(file) = graph.find_file(path.as_str()) else { return Vec::new() };
    let node = graph.file(file);
    let holding = graph.symbols_in(file).filter(|&id| {
        let symbol = graph.symbol(id);
        symbol.kind != SymbolKind::Module && symbol.lines.contains(line)
    });
    let innermost = holding.last();
    if innermost.is_none() {
        if node.language.is_none() {
            notes.push(Note::NoSymbols { extension: path.extension().to_owned() });
        } else if coverage.broken.binary_search(path).is_ok() {
            notes.push(Note::ParseErrors { path: path.clone() });
        } else if line == 0 || line > node.lines {
            notes.push(Note::Text(format!("{} has {} lines.", layout::path(path), node.lines)));
        } else {
            notes.push(Note::Text(format!("no symbol holds {}:{line}.", layout::path(path))));
        }
    }
    innermost.into_iter().collect()
}

fn by_name(
    repo: &dyn Repository,
    asked: &str,
    coverage: Coverage<'_>,
    notes: &mut Vec<Note>,
) -> Vec<SymbolId> {
    let graph = repo.graph();
    let segments = lookup::segments(asked);
    let Some(last) = segments.last() else {
        notes.push(Note::EmptyQuery);
        return Vec::new();
    };
    let mut found = lookup::meant(repo, &segments);
    found.sort_by_key(|&id| (graph.is_test(id), id));
    by_parameters(repo, asked, &mut found);
    let anywhere = found.len();
    found.retain(|&id| graph.path(id).is_under(coverage.under));
    if found.is_empty() && anywhere > 0 {
        notes.push(Note::Text(format!(
            "{} is defined, but not at or below {}: leave out the path to see it.",
            layout::short(asked),
            layout::short(coverage.under)
        )));
    } else if found.is_empty() {
        notes.push(Note::UnknownName {
            name: layout::short(asked).into_owned(),
            near: near_symbols(graph, repo.names(), asked),
        });
        elsewhere(repo, last, coverage, notes);
    }
    found
}

/// Of several symbols those whose parameters are as asked: `put(Entry, int)`, each by a word of what is declared.
/// Where none are, the arguments are values or the names of parameters and tell nothing.
fn by_parameters(repo: &dyn Repository, asked: &str, found: &mut Vec<SymbolId>) {
    let asked = lookup::as_answered(asked);
    let Some(wanted) = asked.find('(').filter(|&at| at > 0).and_then(|at| arguments(&asked[at..])) else {
        return;
    };
    if found.len() < 2 || wanted.is_empty() {
        return;
    }
    let declared = |id: SymbolId| -> Option<Vec<String>> {
        let symbol = repo.graph().symbol(id);
        let source = repo.read(symbol.file)?;
        let text = source.text.get(symbol.name_span.end as usize..symbol.full.end as usize)?;
        arguments(&text[text.find('(')?..])
    };
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let fits = |id: &SymbolId| {
        declared(*id).is_some_and(|declared| {
            let told = |(wanted, own): (&String, &String)| {
                let own = words(own);
                words(wanted).last().is_some_and(|last| own.contains(last))
            };
            declared.len() == wanted.len() && wanted.iter().zip(&declared).all(told)
        })
    };
    let fitting: Vec<SymbolId> = found.iter().copied().filter(fits).collect();
    if !fitting.is_empty() {
        *found = fitting;
    }
}

/// The parts between commas of what stands in the brackets that a text begins with.
fn arguments(text: &str) -> Option<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut open = 0;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => open += 1,
            ')' if open == 1 => {
                parts.retain(|part| !part.trim().is_empty());
                return Some(parts);
            }
            ')' | ']' | '}' | '>' => open -= 1,
            ',' if open == 1 => parts.push(String::new()),
            _ => {}
        }
        let within = open > 1 || open == 1 && !matches!(c, '(' | ',');
        if let Some(part) = parts.last_mut().filter(|_| within) {
            part.push(c);
        }
    }
    None
}

/// Where an unknown name may hide: in files without symbols of their own.
fn elsewhere(repo: &dyn Repository, name: &str, coverage: Coverage<'_>, notes: &mut Vec<Note>) {
    let graph = repo.graph();
    let mut term = String::new();
    let word = name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).find(|word| !word.is_empty());
    crate::text::terms(word.filter(|word| word.chars().count() > 2).unwrap_or_default(), |part| {
        if part.len() > term.len() {
            term = part.to_owned();
        }
    });
    let chunks = repo.postings().chunks();
    let mut extensions: Vec<String> = Vec::new();
    for posting in repo.postings().postings(&term).iter() {
        let Some(chunk) = chunks.get(posting.chunk.0 as usize) else { continue };
        let node = graph.file(chunk.file);
        if node.language.is_none() {
            extensions.push(node.path.extension().to_owned());
        }
        if coverage.broken.binary_search(&node.path).is_ok() {
            notes.push(Note::ParseErrors { path: node.path.clone() });
        }
    }
    extensions.sort();
    extensions.dedup();
    notes.dedup();
    notes.truncate(5);
    if !extensions.is_empty() {
        let shown = |extension: &String| match extension.as_str() {
            "" => "without an extension".to_owned(),
            extension => format!(".{extension}"),
        };
        let shown: Vec<String> = extensions.iter().take(3).map(shown).collect();
        let shown = shown.join(", ");
        notes.push(Note::Text(format!(
            "files without a grammar ({shown}) hold the word `{}`: ctx_search shows where.",
            layout::short(&term)
        )));
    }
}

fn entry(repo: &dyn Repository, id: SymbolId, whole: bool, notes: &mut Vec<Note>) -> SymbolEntry {
    let graph = repo.graph();
    let symbol = graph.symbol(id);
    let path = graph.path(id).clone();
    let shown = if whole {
        LineRange::new(symbol.lines.start, symbol.lines.end.min(symbol.lines.start + LINES - 1))
    } else {
        symbol.signature
    };
    let mut code = Vec::new();
    match repo.read(symbol.file) {
        Some(source) => {
            let lines = shown.start..=shown.end.min(source.lines.count());
            code.extend(lines.map(|number| SourceLine {
                number,
                text: layout::shown_code(source.lines.text(&source.text, number)),
                cut: false,
            }));
        }
        None => notes.push(Note::Changed { path: path.clone() }),
    }
    let out = |kinds: &[EdgeKind]| {
        let edges = graph.outgoing(id).iter().filter(|e| kinds.contains(&e.kind));
        neighbours(graph, edges.map(|edge| (edge, edge.to, None)))
    };
    let into = |kinds: &[EdgeKind]| {
        let edges = graph.incoming(id).filter(|e| kinds.contains(&e.kind));
        neighbours(graph, edges.map(|edge| (edge, edge.from, None)))
    };
    use EdgeKind::*;
    let mut used: Vec<(&Edge, SymbolId, Option<SymbolId>)> = graph
        .incoming(id)
        .filter(|e| matches!(e.kind, Calls | Instantiates | References | Decorates | Invokes))
        .map(|e| (e, e.from, None))
        .collect();
    for declared in graph.outgoing(id).iter().filter(|e| e.kind == Overrides) {
        let calls = graph.incoming(declared.to).filter(|e| e.kind == Calls);
        used.extend(calls.map(|e| (e, e.from, Some(declared.to))));
    }
    SymbolEntry {
        qualified: symbol.qualified.to_string(),
        kind: symbol.kind,
        path,
        lines: symbol.lines,
        code,
        callers: neighbours(graph, used.into_iter()),
        callees: out(&[Calls, Instantiates, References, Decorates, Invokes]),
        implementers: into(&[Extends, Implements, Overrides, Fills]),
        supertypes: out(&[Extends, Implements, Overrides, Fills]),
    }
}

/// One neighbour for each other end, kind and declaration, production code first, by place.
fn neighbours<'e>(
    graph: &Graph,
    edges: impl Iterator<Item = (&'e Edge, SymbolId, Option<SymbolId>)>,
) -> Vec<Neighbour> {
    type End = (bool, SymbolId, EdgeKind, Option<SymbolId>);
    let mut grouped: BTreeMap<End, (&Edge, u32)> = BTreeMap::new();
    for (edge, end, via) in edges {
        let slot = grouped.entry((graph.is_test(end), end, edge.kind, via)).or_insert((edge, 0));
        slot.1 += 1;
        if (edge.file, edge.site) < (slot.0.file, slot.0.site) {
            slot.0 = edge;
        }
    }
    let neighbour = |((_, end, kind, via), (edge, sites)): (End, (&Edge, u32))| {
        let symbol = graph.symbol(end);
        Neighbour {
            qualified: symbol.qualified.to_string(),
            kind: symbol.kind,
            edge: kind,
            path: graph.file(edge.file).path.clone(),
            line: edge.line,
            sites,
            via: via.map(|id| graph.symbol(id).qualified.to_string()),
        }
    };
    grouped.into_iter().map(neighbour).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing_project::Project;
    use super::*;

    #[test]
    fn the_types_of_parameters_tell_overloads_apart() {
        let java = "class Out {\n    void put(Entry entry) {}\n\n    void put(Entry entry, Map<String, Integer> sizes) {}\n\n    void put(Object any) {}\n}\n";
        let project = Project::new(&[("a/Out.java", java)]);
        let lines = |name: &str| -> Vec<u32> {
            let report = symbol(&project, name, Coverage::default());
            report.symbols.iter().map(|entry| entry.lines.start).collect()
        };
        assert_eq!(lines("Out.put(Object)"), [6]);
        assert_eq!(lines("Out.put(Entry, Map<String, Integer>)"), [4]);
        assert_eq!(lines("Out.put(a.Entry)"), [2]);
        assert_eq!(lines("Out.put"), [2, 4, 6]);
        assert_eq!(lines("Out.put(1, 2, 3)"), [2, 4, 6]);
    }
}
