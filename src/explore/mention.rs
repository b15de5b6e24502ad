//! The names that a query writes, and the symbols that each can mean.

use strsim::osa_distance;

use super::query::{Mention, Query};
use super::{NameIndex, NamedSymbol, Repository, fold, lookup};
use crate::resolve::{Graph, SymbolId};

/// A name that more symbols share is not narrowed further: the likeliest stay.
const MAX_SYMBOLS_PER_NAME: usize = 24;

/// Types of one name beside which a plain word can be the name of a member.
const MAX_TYPES: usize = 4;

/// The most near names that are offered for an unknown one.
const MAX_NEAR: usize = 3;

/// Each distinct mention in query order with what it can mean, the likeliest first.
pub fn resolve_mentions(repo: &dyn Repository, query: &Query) -> Vec<NamedSymbol> {
    let (graph, names) = (repo.graph(), repo.names());
    // Words that may name the owner of another mention.
    let owners: Vec<String> =
        query.mentions.iter().flat_map(|mention| &mention.segments).map(|segment| fold(segment)).collect();
    let mut out: Vec<NamedSymbol> = Vec::new();
    for mention in &query.mentions {
        let name = mention.segments.join(".");
        if out.iter().any(|seen| seen.name == name) {
            continue;
        }
        let mut symbols = candidates(graph, names, mention, &owners, query.wants_tests);
        if symbols.is_empty() {
            symbols = lookup::inherited(repo, &mention.segments);
        }
        if mention.guessed {
            symbols.retain(|&id| graph.symbol(id).kind.is_callable() && graph.symbol(id).name == name);
            if symbols.is_empty() {
                continue;
            }
        }
        let callable = mention.called
            || (!symbols.is_empty() && symbols.iter().all(|&id| graph.symbol(id).kind.is_callable()));
        let members = members_said(graph, names, query, mention, &symbols);
        out.push(NamedSymbol { name, symbols, callable });
        out.extend(members);
    }
    // `Session send`: a plain word is a type's name where that of a member follows it.
    for pair in query.plain.windows(2) {
        let mention = Mention::named(&pair[0]);
        if !pair[0].starts_with(char::is_uppercase) || out.iter().any(|seen| seen.name == pair[0]) {
            continue;
        }
        let symbols: Vec<SymbolId> = names.find(&fold(&pair[0])).collect();
        let members = members_said(graph, names, query, &mention, &symbols);
        if members.iter().any(|named| named.name.ends_with(&format!(".{}", pair[1]))) {
            out.extend(members);
        }
    }
    // A capital amid a question: a type of exactly that name.
    let words = query.plain.iter().filter(|word| query.question && word.starts_with(char::is_uppercase));
    for word in words {
        // A member that is named stands for it.
        let told = |seen: &NamedSymbol| seen.name.split('.').next() == Some(word.as_str());
        if query.first.as_deref() == Some(word.as_str()) || out.iter().any(told) {
            continue;
        }
        let is_type = |id: &SymbolId| {
            let symbol = graph.symbol(*id);
            symbol.kind.is_type() && symbol.name == *word && !graph.is_test(*id)
        };
        let symbols: Vec<SymbolId> = names.find(&fold(word)).filter(is_type).collect();
        if symbols.len() == 1 {
            out.push(NamedSymbol { name: word.clone(), symbols, callable: false });
        }
    }
    out
}

/// The members of a type that the query names which plain words of the query are the names of: `send` beside
/// `Session`.
fn members_said(
    graph: &Graph,
    names: &NameIndex,
    query: &Query,
    mention: &Mention,
    meant: &[SymbolId],
) -> Vec<NamedSymbol> {
    let [name] = mention.segments.as_slice() else { return Vec::new() };
    if query.bag_of_names || mention.guessed {
        return Vec::new();
    }
    let is_type = |id: &SymbolId| {
        let symbol = graph.symbol(*id);
        symbol.kind.is_type() && symbol.name == *name && (query.wants_tests || !graph.is_test(*id))
    };
    let mut types: Vec<SymbolId> = meant.iter().copied().filter(is_type).collect();
    // Of types of one name those are meant whose file the query speaks of.
    let said = |id: &SymbolId| {
        let path = graph.path(*id);
        let mut parts = path.directory().split('/').chain([path.stem()]).map(fold);
        parts.any(|part| query.plain.iter().any(|word| fold(word) == part))
    };
    if types.iter().any(said) {
        types.retain(said);
    }
    if types.len() > MAX_TYPES {
        return Vec::new();
    }
    let mut found = Vec::new();
    for word in &query.plain {
        let is_member = |id: &SymbolId| {
            let symbol = graph.symbol(*id);
            let held = symbol.container.is_some_and(|owner| types.contains(&owner));
            held && symbol.kind.is_callable() && symbol.name == *word
        };
        let symbols: Vec<SymbolId> = names.find(&fold(word)).filter(is_member).collect();
        if !symbols.is_empty() {
            found.push(NamedSymbol { name: format!("{name}.{word}"), symbols, callable: true });
        }
    }
    found
}

fn candidates(
    graph: &Graph,
    names: &NameIndex,
    mention: &Mention,
    owners: &[String],
    tests: bool,
) -> Vec<SymbolId> {
    let Some((last, qualifiers)) = mention.segments.split_last() else { return Vec::new() };
    let folded = fold(last);
    let mut found: Vec<SymbolId> = names.find(&folded).collect();
    if !qualifiers.is_empty() {
        found.retain(|&id| qualifies(graph, id, qualifiers));
    }
    let rank = |id: SymbolId| {
        let symbol = graph.symbol(id);
        let test = graph.is_test(id) && !tests;
        let exact = symbol.name == *last;
        let owned = symbol.container.is_some_and(|owner| {
            let owner = graph.symbol(owner);
            owner.container.is_some() && owners.contains(&fold(&owner.name))
        });
        let value = !symbol.kind.is_callable() && !symbol.kind.is_type();
        (test, !exact, !owned, value, symbol.without_body, id)
    };
    found.sort_by_key(|&id| rank(id));
    found.truncate(MAX_SYMBOLS_PER_NAME);
    found
}

/// Whether the qualifiers of a mention name the symbol's containers or the end of its module path, the
/// innermost last.
pub fn qualifies(graph: &Graph, id: SymbolId, qualifiers: &[String]) -> bool {
    let symbol = graph.symbol(id);
    let path = &graph.file(symbol.file).path;
    let mut around: Vec<String> = path.directory().split('/').map(fold).collect();
    around.push(fold(path.stem()));
    let mut inner = Vec::new();
    let mut at = symbol.container;
    while let Some(container) = at {
        let symbol = graph.symbol(container);
        if symbol.container.is_some() {
            inner.push(fold(&symbol.name));
        }
        at = symbol.container;
    }
    inner.reverse();
    around.extend(inner);
    // In order, gaps allowed (`pkg.Type.member` skips the file; a re-export skips a folder).
    let mut wanted = qualifiers.iter().map(|qualifier| fold(qualifier)).rev().peekable();
    for name in around.iter().rev() {
        if wanted.peek() == Some(name) {
            wanted.next();
        }
    }
    let unmatched = wanted.count();
    // The innermost qualifier must match; outer ones may be import aliases.
    unmatched == 0 || (qualifiers.len() > 1 && unmatched < qualifiers.len())
}

/// Defined names that an unknown one, asked for by itself, may have meant: those of its last word, else those
/// close to it, else those of the word before it.
pub fn near_symbols(graph: &Graph, names: &NameIndex, asked: &str) -> Vec<String> {
    let before_call = asked.split('(').next().unwrap_or(asked);
    let words: Vec<String> = before_call
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map(fold)
        .filter(|word| !word.is_empty())
        .collect();
    let Some((last, around)) = words.split_last() else { return Vec::new() };
    let named = |word: &str| {
        let mut found: Vec<SymbolId> = names.find(word).collect();
        let within = |id: SymbolId| {
            let owner = graph.symbol(id).container.map(|owner| fold(&graph.symbol(owner).name));
            owner.is_some_and(|owner| around.contains(&owner))
        };
        found.sort_by_key(|&id| (!within(id), graph.is_test(id), id));
        found.into_iter().map(|id| graph.symbol(id).qualified.to_string())
    };
    let mut near: Vec<String> = named(last).collect();
    if near.is_empty() && last.chars().count() > 2 {
        near = close(names, last).into_iter().flat_map(|known| named(known).take(MAX_NEAR)).collect();
    }
    if near.is_empty() {
        near = around.last().map_or_else(Vec::new, |word| named(word).collect());
    }
    let mut seen = Vec::new();
    near.retain(|name| {
        !seen.contains(name) && seen.len() < MAX_NEAR && {
            seen.push(name.clone());
            true
        }
    });
    near
}

/// Defined names close to an unknown one, the closest first.
pub fn near_names(graph: &Graph, names: &NameIndex, name: &str) -> Vec<String> {
    close(names, &fold(name))
        .into_iter()
        .filter_map(|known| names.find(known).next())
        .map(|id| graph.symbol(id).qualified.to_string())
        .collect()
}

/// The set of a name's letters, of which some share a place.
fn letters(name: &str) -> u64 {
    name.chars().fold(0, |letters, letter| letters | 1 << (u32::from(letter) & 63))
}

/// Folded names close to another, the closest first.
fn close<'n>(names: &'n NameIndex, folded: &str) -> Vec<&'n str> {
    let length = folded.chars().count();
    let limit = (length / 4).clamp(1, 3);
    let letters = letters(folded);
    let mut near: Vec<(usize, &str)> = names
        .names()
        // An edit brings one letter at most, and takes one.
        .filter(|known| (self::letters(known) ^ letters).count_ones() as usize <= 2 * limit)
        .filter(|known| known.chars().count().abs_diff(length) <= limit)
        .map(|known| (osa_distance(known, folded), known))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    near.truncate(MAX_NEAR);
    near.into_iter().map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing_project::Project;
    use super::*;

    fn named(text: &str) -> Vec<(String, Vec<String>)> {
        let project = Project::new(&[
            (
                "app/queue.py",
                "class Sender:\n    def send(self, item):\n        return item\n\n    def close(self):\n        return None\n\n\n\
                 class Queue(Sender):\n    def send_all(self, items):\n        return items\n",
            ),
            ("app/mail.py", "class Sender:\n    def send(self, mail):\n        return mail\n"),
            ("app/run.py", "def send(item):\n    return item\n"),
        ]);
        let graph = project.graph();
        let shown = |id: &SymbolId| format!("{} {}", graph.path(*id), graph.symbol(*id).qualified);
        let found = resolve_mentions(&project, &Query::new(text, &[]));
        found.into_iter().map(|named| (named.name, named.symbols.iter().map(shown).collect())).collect()
    }

    #[test]
    fn a_capital_amid_a_question_is_a_type_of_that_name() {
        let queue = ("Queue".to_owned(), vec!["app/queue.py Queue".to_owned()]);
        assert_eq!(named("how are items kept in a Queue"), [queue]);
        for text in ["Queue keeps which items", "how are items kept in a queue", "Keep items in a Queue"] {
            assert_eq!(named(text), [], "{text}");
        }
    }

    #[test]
    fn a_plain_word_beside_a_type_names_its_member() {
        let of_queue = ("Sender.send".to_owned(), vec!["app/queue.py Sender.send".to_owned()]);
        // The type that the words speak of, then both.
        assert_eq!(named("how does the queue Sender send an item"), [of_queue]);
        let both = named("how does a Sender send an item");
        assert_eq!(both.len(), 1);
        assert_eq!(both[0].1, ["app/mail.py Sender.send", "app/queue.py Sender.send"]);
        let names = |text: &str| named(text).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("how does `Sender` close after all are sent"), ["Sender", "Sender.close"]);
        // Neither a function elsewhere nor a word that is no member.
        assert_eq!(names("how does the Sender reach the point where items send"), [""; 0]);
        assert_eq!(names("how does a Sender open"), [""; 0]);
    }

    #[test]
    fn a_member_is_named_by_a_type_that_inherits_it() {
        let inherited = named("how does `Queue.close` work");
        assert_eq!(inherited, [("Queue.close".to_owned(), vec!["app/queue.py Sender.close".to_owned()])]);
    }
}
