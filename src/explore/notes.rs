//! The notes of an answer on their way into it: few of them, and never more than a quarter of what it says.

use std::collections::VecDeque;

use super::Note;
use super::layout;

/// Unknown names that get a note of their own, with the names that are like them.
const WITH_NEAR: usize = 3;
/// Unknown names that one note names.
const TOGETHER: usize = 8;

/// Each note once, in the order of the kinds. Of the unknown names only the first have notes of their own;
/// the others keep their order in one.
pub fn joined(mut notes: Vec<Note>) -> Vec<Note> {
    let mut own = 0;
    let mut names: Vec<String> = Vec::new();
    notes.retain(|note| match note {
        Note::UnknownName { name, near } => {
            let keeps = !near.is_empty() && own < WITH_NEAR;
            own += usize::from(keeps);
            if !keeps && !names.contains(name) {
                names.push(name.clone());
            }
            keeps
        }
        _ => true,
    });
    match names.len() {
        0 => {}
        1 => notes.extend(names.pop().map(|name| Note::UnknownName { name, near: Vec::new() })),
        count => {
            names.truncate(TOGETHER);
            let more = (count - names.len()) as u32;
            notes.push(Note::UnknownNames { names, more });
        }
    }
    notes.sort();
    notes.dedup();
    notes
}

/// Notes that wait for their place. Each comes as soon as the notes so far are at most a third of all else,
/// so that where an answer may end they are at most a quarter of it.
pub struct Waiting {
    notes: VecDeque<Note>,
    /// Bytes of those that were taken.
    taken: usize,
}

impl Waiting {
    pub fn new(notes: Vec<Note>) -> Self {
        Waiting { notes: joined(notes).into(), taken: 0 }
    }

    /// The bytes of the next note where it is due in an answer of so many bytes.
    pub fn due(&self, used: usize) -> Option<usize> {
        let bytes = self.next()?;
        ((self.taken + bytes) * 3 <= used.saturating_sub(self.taken)).then_some(bytes)
    }

    /// The bytes of the next note: its line, and the empty line after the first.
    pub fn next(&self) -> Option<usize> {
        let note = self.notes.front()?;
        Some(layout::note(note).len() + 1 + usize::from(self.taken == 0))
    }

    pub fn take(&mut self) -> Option<Note> {
        self.taken += self.next()?;
        self.notes.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(name: &str, near: &[&str]) -> Note {
        Note::UnknownName { name: name.into(), near: near.iter().map(|n| (*n).into()).collect() }
    }

    #[test]
    fn unknown_names_are_joined() {
        let one = vec![unknown("A", &[])];
        assert_eq!(joined(one.clone()), one);
        let mut notes: Vec<Note> = (0..20).map(|n| unknown(&format!("Foo{n:02}"), &[])).collect();
        notes.extend(["Z1", "Z2", "Z3", "Z4"].map(|name| unknown(name, &["Zed"])));
        notes.push(Note::EmptyQuery);
        let text: Vec<String> = joined(notes).iter().map(layout::note).collect();
        expect_test::expect![[r#"
            Note: the query has no word to search for. Ask a question or name a symbol.
            Note: `Z1` is not defined in this repository; similar names: Zed.
            Note: `Z2` is not defined in this repository; similar names: Zed.
            Note: `Z3` is not defined in this repository; similar names: Zed.
            Note: not defined in this repository: Foo00, Foo01, Foo02, Foo03, Foo04, Foo05, Foo06, Foo07 and 13 more."#]]
        .assert_eq(&text.join("\n"));
    }
}
