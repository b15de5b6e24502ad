//! A name as people and answers write it, and the symbols that it means.

use std::collections::BTreeSet;

use super::mention::qualifies;
use super::siblings::is_clause;
use super::{Repository, fold};
use crate::lang::{self, ModuleSystem};
use crate::resolve::{Graph, SymbolId, SymbolKind};

/// Names as programs print them in traces, as answers write them: `pkg.(*Type).method` as `pkg.Type.method`,
/// `<Type as Trait>::method` as `Type::method`, without the closure and the hash behind them.
pub fn as_answered(line: &str) -> String {
    let name = |text: &str| text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut received = false;
    while let Some(c) = rest.chars().next() {
        let free = !out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if c == '(' && free {
            let inner = rest[1..].trim_start_matches('*');
            let (owner, behind) = inner.split_at(name(inner));
            // Type arguments of the receiver.
            let behind = match behind.starts_with('[').then(|| behind.find(']')).flatten() {
                Some(end) => &behind[end + 1..],
                None => behind,
            };
            let member = behind.strip_prefix(").").filter(|member| name(member) > 0);
            if let Some(member) = member.filter(|_| !owner.is_empty()) {
                out.push_str(owner);
                out.push('.');
                (rest, received) = (member, true);
                continue;
            }
        }
        if c == '<' && free {
            let (owner, member) = rest[1..].split_once(">::").unwrap_or_default();
            let owner = owner.split(" as ").next().unwrap_or_default();
            let path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            if !owner.is_empty() && owner.chars().all(path) && name(member) > 0 {
                out.push_str(owner);
                out.push_str("::");
                rest = member;
                continue;
            }
        }
        let closure = rest
            .strip_prefix(".func")
            .filter(|_| received)
            .map(|after| after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
        let hash = rest.strip_prefix("::h").filter(|hash| name(hash) == 16).map(|hash| hash.split_at(16));
        let hash = hash.filter(|(hash, _)| hash.bytes().all(|b| b.is_ascii_hexdigit())).map(|hash| hash.1);
        let dropped = closure.or(hash).or_else(|| rest.strip_prefix("::{{closure}}"));
        if let Some(behind) = dropped {
            rest = behind;
            continue;
        }
        received &= c == '.' || c.is_alphanumeric() || c == '_';
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The parts of a name: `a.b`, `a::b`, `a#b` and `a/b` alike, without arguments of types, and without the call
/// and the kind that may follow it.
pub fn segments(name: &str) -> Vec<String> {
    let name = as_answered(name);
    let name = name.as_str();
    let name = match name.rsplit_once(" (") {
        Some((before, kind)) if kind.ends_with(')') => before,
        _ => name,
    };
    let name = match name.find('(') {
        Some(at) if at > 0 && name.ends_with(')') => &name[..at],
        _ => name,
    };
    parts(&without_arguments(name)).map(str::to_owned).collect()
}

/// `Map<K, V>.get` as `Map.get`, `List[T]` as `List`; what begins with a bracket keeps it (`<anonymous>`).
fn without_arguments(name: &str) -> String {
    let mut out = String::new();
    let mut open = 0_u32;
    for c in name.chars() {
        match c {
            '<' | '[' if open > 0 || out.ends_with(|c: char| c.is_alphanumeric() || c == '_') => open += 1,
            '>' | ']' if open > 0 => open -= 1,
            _ if open == 0 => out.push(c),
            _ => {}
        }
    }
    // A bracket that nothing closes is no list of arguments.
    if open == 0 { out } else { name.to_owned() }
}

fn parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(['.', '#', '/']).flat_map(|part| part.split("::")).filter(|part| !part.is_empty())
}

/// What a name of several parts means is first what answers print under just that name, else what its last
/// part names within something of the others. A module is meant where nothing else is.
pub fn meant(repo: &dyn Repository, segments: &[String]) -> Vec<SymbolId> {
    let graph = repo.graph();
    let Some((last, qualifiers)) = segments.split_last() else { return Vec::new() };
    let mut found = Vec::new();
    // Answers print what has no name of its own, and members of types that the repository does not define.
    if !qualifiers.is_empty() || last.starts_with('<') {
        let printed = |id: &SymbolId| {
            let symbol = graph.symbol(*id);
            symbol.container.is_some() && parts(&symbol.qualified).eq(segments.iter().map(String::as_str))
        };
        found = graph.symbol_ids().filter(printed).collect();
    }
    if found.is_empty() {
        found = repo.names().find(&fold(last)).collect();
        if found.iter().any(|&id| graph.symbol(id).name == *last) {
            found.retain(|&id| graph.symbol(id).name == *last);
        }
        if !qualifiers.is_empty() {
            found.retain(|&id| qualifies(graph, id, qualifiers));
            // Written as its owner is, a name means the owner's.
            let owned = |id: &SymbolId| {
                let owner = graph.symbol(*id).container.map(|owner| graph.symbol(owner).name.as_str());
                owner == qualifiers.last().map(String::as_str)
            };
            if found.iter().any(owned) {
                found.retain(owned);
            }
        }
    }
    if found.is_empty() {
        found = inherited(repo, segments);
    }
    if found.is_empty() { modules(graph, last, qualifiers) } else { found }
}

/// What a name means whose owner is a type that does not define it: the member of the nearest types above.
pub fn inherited(repo: &dyn Repository, segments: &[String]) -> Vec<SymbolId> {
    let (graph, names) = (repo.graph(), repo.names());
    let [qualifiers @ .., owner, member] = segments else { return Vec::new() };
    let is_owner = |id: &SymbolId| {
        let symbol = graph.symbol(*id);
        symbol.kind.is_type() && symbol.name == *owner && qualifies(graph, *id, qualifiers)
    };
    let mut level: BTreeSet<SymbolId> = names.find(&fold(owner)).filter(is_owner).collect();
    let members: Vec<SymbolId> =
        names.find(&fold(member)).filter(|&id| graph.symbol(id).name == *member).collect();
    let mut seen = level.clone();
    while !level.is_empty() {
        let above = level.iter().flat_map(|&id| graph.outgoing(id));
        level = above
            .filter(|edge| is_clause(edge.kind))
            .map(|edge| edge.to)
            .filter(|&id| seen.insert(id))
            .collect();
        let held = |id: &SymbolId| graph.symbol(*id).container.is_some_and(|owner| level.contains(&owner));
        let found: Vec<SymbolId> = members.iter().copied().filter(held).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The files' modules of a name, in folders of the names before it: those with the fewest others between.
fn modules(graph: &Graph, name: &str, folders: &[String]) -> Vec<SymbolId> {
    let mut found: Vec<(usize, SymbolId)> = Vec::new();
    for id in graph.symbol_ids() {
        let symbol = graph.symbol(id);
        if symbol.container.is_some() || symbol.kind != SymbolKind::Module || fold(&symbol.name) != fold(name)
        {
            continue;
        }
        let path = graph.path(id);
        let word = match lang::for_path(path).map(|language| &language.resolution.modules) {
            Some(ModuleSystem::Crates { crate_word, .. }) => *crate_word,
            _ => "",
        };
        let wanted = match folders.split_first() {
            Some((first, rest)) if first == word => rest,
            _ => folders,
        };
        let mut around: Vec<String> = path.directory().split('/').map(fold).collect();
        // A module that bears the name of its folder is that folder's own.
        if fold(path.stem()) != fold(name) {
            around.pop();
        }
        let mut rest = around.iter().rev();
        let mut between = 0;
        let inside = wanted.iter().rev().map(|folder| fold(folder)).all(|folder| {
            let at = rest.position(|name| *name == folder);
            between += at.unwrap_or(0);
            at.is_some()
        });
        if inside {
            found.push((between, id));
        }
    }
    let fewest = found.iter().map(|(between, _)| *between).min();
    found.retain(|(between, _)| Some(*between) == fewest);
    found.into_iter().map(|(_, id)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::testing::{Memory, Sketch};
    use crate::resolve::EdgeKind::Extends;
    use SymbolKind::{Class, Method};

    fn repo() -> Memory {
        Sketch::default()
            .file("src/web/util/helpers.py", "a\nb\nc\nd\n")
            .symbol(Class, "Outer", 1, 4)
            .symbol(Class, "Outer.<anonymous>", 2, 3)
            .symbol(Method, "Outer.<anonymous>.contentType", 3, 3)
            .file("src/web/other/util.rs", "a\nb\n")
            .symbol(Method, "Cursor.start_seek", 1, 1)
            .symbol(Method, "M.is_match_at", 2, 2)
            .file("src/core/deep/util.rs", "a\n")
            .file("tests/helpers.py", "a\n")
            .build()
    }

    fn places(name: &str) -> Vec<String> {
        let repo = repo();
        let graph = repo.graph();
        let shown = |id| format!("{} {}", graph.path(id).as_str(), graph.symbol(id).qualified);
        meant(&repo, &segments(name)).into_iter().map(shown).collect()
    }

    #[test]
    fn what_answers_print_is_found_as_printed() {
        for (name, expected) in [
            ("Cursor::start_seek", "src/web/other/util.rs Cursor.start_seek"),
            ("Cursor.start_seek()", "src/web/other/util.rs Cursor.start_seek"),
            ("M::is_match_at (method)", "src/web/other/util.rs M.is_match_at"),
            ("Outer.<anonymous>", "src/web/util/helpers.py Outer.<anonymous>"),
            ("<anonymous>.contentType", "src/web/util/helpers.py Outer.<anonymous>.contentType"),
            ("Outer.<anonymous>.contentType", "src/web/util/helpers.py Outer.<anonymous>.contentType"),
            ("Cursor<'a, Vec<T>>::start_seek(self, at)", "src/web/other/util.rs Cursor.start_seek"),
            ("web/util/helpers.Outer[T]", "src/web/util/helpers.py Outer"),
        ] {
            assert_eq!(places(name), [expected], "{name}");
        }
    }

    #[test]
    fn a_member_of_a_type_is_the_nearest_one_above_it() {
        let repo = Sketch::default()
            .file("src/forms.py", "a\nb\nc\nd\ne\nf\n")
            .symbol(Class, "Base", 1, 3)
            .symbol(Method, "Base.check", 2, 2)
            .symbol(Method, "Base.clean", 3, 3)
            .symbol(Class, "Middle", 4, 5)
            .symbol(Method, "Middle.clean", 5, 5)
            .symbol(Class, "Form", 6, 6)
            .edge("Form", Extends, "Middle", 6)
            .edge("Middle", Extends, "Base", 4)
            .edge("Base", Extends, "Form", 1)
            .build();
        let means = |name: &str| {
            let found = meant(&repo, &segments(name)).into_iter();
            found.map(|id| repo.graph().symbol(id).qualified.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(means("Form.check"), ["Base.check"]);
        assert_eq!(means("src.forms.Form.clean()"), ["Middle.clean"]);
        assert_eq!(means("Middle.clean"), ["Middle.clean"]);
        assert_eq!(means("Form.absent"), [""; 0]);
        assert_eq!(means("form.check"), [""; 0]);
    }

    #[test]
    fn modules_are_found_by_their_folders() {
        assert_eq!(places("helpers"), ["src/web/util/helpers.py helpers", "tests/helpers.py helpers"]);
        assert_eq!(places("web.util.helpers"), ["src/web/util/helpers.py helpers"]);
        assert_eq!(places("web.helpers"), ["src/web/util/helpers.py helpers"]);
        assert_eq!(places("crate.util").len(), 2);
        assert_eq!(places("crate.deep.util"), ["src/core/deep/util.rs util"]);
        assert_eq!(places("absent.helpers"), [""; 0]);
    }
}
