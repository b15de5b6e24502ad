//! What a resolution carries over to the next: its tables, and which of their entries still hold.
//!
//! An entry of a file holds where the file was not edited and nothing on the trail by which the entry was worked
//! out has changed. All of that needs the files and modules of before: where they are others, nothing is carried
//! over.

use std::sync::Arc;

use super::{
    ResolveInput,
    again::Edited,
    callables::Callables,
    families::Kinship,
    file::FileTables,
    modules::{self, Modules},
    moves::Moves,
    relations::Relations,
    symbols::{Gid, Layout},
    targets::Targets,
    trail::{Key, Keys},
};

/// What a table has of one file.
pub(super) trait Entry: Sized {
    /// What in other files it was worked out from.
    fn trail(&self) -> &[Key];

    /// Whether all that it is about has the number that it had.
    fn stays(&self, moves: &Moves) -> bool;

    /// The same under other numbers; `None` where something is no more.
    fn renumbered(&self, moves: &Moves) -> Option<Self>;

    /// The same after definitions have moved; `None` where something is no more.
    fn moved(self: &Arc<Self>, moves: &Moves) -> Option<Arc<Self>> {
        let stays = moves.stays() || self.stays(moves);
        if stays { Some(self.clone()) } else { self.renumbered(moves).map(Arc::new) }
    }
}

/// The tables of a resolution.
#[derive(Clone)]
pub(super) struct Kept {
    pub layout: Arc<Layout>,
    /// By file, as all lists here.
    pub files: Vec<Arc<FileTables>>,
    pub held: Vec<Arc<[Gid]>>,
    pub modules: Arc<Modules>,
    pub callables: Arc<Callables>,
    pub targets: Vec<Arc<Targets>>,
    pub kinship: Arc<Kinship>,
    pub relations: Vec<Arc<Relations>>,
}

/// The tables of the resolution before, for the same files under the same numbers.
pub(super) struct Carried<'b> {
    pub before: &'b Kept,
    /// By file.
    pub edited: Vec<bool>,
    /// The edited ones.
    pub files: Vec<u32>,
    pub moves: Moves,
}

impl<'b> Carried<'b> {
    /// `tables` are those of the files now. The files are those of before; `None` where an edit makes modules other
    /// ones, or gives a file more definitions than there are numbers for.
    pub fn new(
        inputs: &[ResolveInput<'_>],
        before: &'b Kept,
        edited: &[Edited<'_>],
        tables: &[Arc<FileTables>],
    ) -> Option<Self> {
        if !before.layout.fits(tables) {
            return None;
        }
        let mut carried = Carried {
            before,
            edited: vec![false; inputs.len()],
            files: Vec::new(),
            moves: Moves::new(&before.layout, std::iter::empty(), &before.files, tables),
        };
        for Edited { path, before, after } in edited {
            // What is no text is no file of the graph.
            let Ok(at) = inputs.binary_search_by(|input| input.file.path.cmp(path)) else {
                if before.is_some() || after.is_some() {
                    return None;
                }
                continue;
            };
            let same = match (inputs[at].rules, before, after) {
                (_, None, None) => true,
                (Some(rules), Some(before), Some(after)) => modules::same(rules, path, before, after),
                _ => false,
            };
            if !same {
                return None;
            }
            carried.edited[at] = true;
            carried.files.push(at as u32);
        }
        let files = carried.files.iter().copied();
        carried.moves = Moves::new(&before.layout, files, &before.files, tables);
        Some(carried)
    }

    /// The entry of a file of before, where it still holds.
    pub fn holding<E: Entry>(&self, before: &[Arc<E>], file: usize, keys: &Keys) -> Option<Arc<E>> {
        let entry = &before[file];
        let holds = !self.edited[file] && !keys.hit(entry.trail());
        if holds { entry.moved(&self.moves) } else { None }
    }

    /// Whether two entries, of before and of now, are the same but for the numbers of definitions.
    pub fn is_again<E: Entry>(&self, old: &Arc<E>, new: &Arc<E>, same: impl Fn(&E, &E) -> bool) -> bool {
        Arc::ptr_eq(old, new) || old.moved(&self.moves).is_some_and(|old| same(&old, new))
    }
}
