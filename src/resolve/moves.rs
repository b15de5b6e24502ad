//! Moves: where the definitions of edited files are after an edit, under the numbers of one layout.

use std::ops::Range;
use std::sync::Arc;

use super::{
    file::{FileTables, Lasting, Quick},
    modules::Place,
    symbols::{Gid, Layout},
    types::Ty,
};
use crate::extract::DefId;

/// The numbers of before of edited files with those of now. All other files have theirs.
pub(super) struct Moves {
    /// In order.
    files: Vec<Moved>,
}

/// The definitions of an edited file of which some have another number, or are no more.
struct Moved {
    /// The numbers of the file.
    range: Range<u32>,
    /// By the number in it.
    now: Vec<Option<DefId>>,
}

impl Moves {
    /// `edited` are the files that may differ; all fit the layout.
    pub fn new(
        layout: &Layout,
        edited: impl Iterator<Item = u32>,
        before: &[Arc<FileTables>],
        after: &[Arc<FileTables>],
    ) -> Self {
        let moved = |file: u32| {
            let now = matched(&before[file as usize].lasting, &after[file as usize].lasting);
            Moved { range: layout.range(file), now }
        };
        let stays = |moved: &Moved| (0..).zip(&moved.now).all(|(at, def)| *def == Some(at));
        let mut files: Vec<Moved> = edited.map(moved).filter(|moved| !stays(moved)).collect();
        files.sort_by_key(|moved| moved.range.start);
        Moves { files }
    }

    /// Whether every definition of before has the number that it had.
    pub fn stays(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether a definition of before has the number that it had.
    #[inline]
    pub fn keeps(&self, gid: Gid) -> bool {
        self.gid(gid) == Some(gid)
    }

    /// Whether all that a type is made of has the number that it had.
    pub fn keeps_ty(&self, ty: &Ty) -> bool {
        let all = |list: &[Ty]| list.iter().all(|ty| self.keeps_ty(ty));
        match ty {
            Ty::Unknown => true,
            Ty::Foreign(_, args) => all(args),
            Ty::Instance(gid, args) | Ty::Class(gid, args) => self.keeps(*gid) && all(args),
            Ty::Function(gid, through) => {
                self.keeps(*gid) && through.as_ref().is_none_or(|ty| self.keeps_ty(ty))
            }
            Ty::Module(place) => self.place(*place) == Some(*place),
            Ty::Param(gid, _) | Ty::Super(gid) => self.keeps(*gid),
            Ty::Tuple(list) | Ty::Union(list) => all(list),
            Ty::Record(parts) => parts.iter().all(|(_, ty)| self.keeps_ty(ty)),
            Ty::Callable(receiver, params, result) => {
                receiver.as_ref().is_none_or(|ty| self.keeps_ty(ty)) && all(params) && self.keeps_ty(result)
            }
        }
    }

    /// `None` for what is no more.
    #[inline]
    pub fn gid(&self, gid: Gid) -> Option<Gid> {
        let at = self.files.partition_point(|moved| moved.range.end <= gid.0);
        let file = self.files.get(at).filter(|moved| moved.range.contains(&gid.0));
        let Some(Moved { range, now }) = file else { return Some(gid) };
        let def = (*now.get((gid.0 - range.start) as usize)?)?;
        Some(Gid(range.start + def))
    }

    /// `None` where one is no more.
    pub fn gids(&self, gids: &[Gid]) -> Option<Vec<Gid>> {
        gids.iter().map(|&gid| self.gid(gid)).collect()
    }

    pub fn place(&self, place: Place) -> Option<Place> {
        match place {
            Place::Def(gid) => self.gid(gid).map(Place::Def),
            other => Some(other),
        }
    }

    /// `None` where something that it is made of is no more.
    pub fn ty(&self, ty: &Ty) -> Option<Ty> {
        let boxed = |ty: &Option<Box<Ty>>| match ty {
            Some(ty) => self.ty(ty).map(|ty| Some(Box::new(ty))),
            None => Some(None),
        };
        Some(match ty {
            Ty::Unknown => Ty::Unknown,
            Ty::Foreign(name, args) => Ty::Foreign(name.clone(), self.types(args)?),
            Ty::Instance(gid, args) => Ty::Instance(self.gid(*gid)?, self.types(args)?),
            Ty::Class(gid, args) => Ty::Class(self.gid(*gid)?, self.types(args)?),
            Ty::Function(gid, through) => Ty::Function(self.gid(*gid)?, boxed(through)?),
            Ty::Module(place) => Ty::Module(self.place(*place)?),
            Ty::Param(gid, index) => Ty::Param(self.gid(*gid)?, *index),
            Ty::Tuple(list) => Ty::Tuple(self.types(list)?),
            Ty::Union(list) => Ty::Union(self.types(list)?),
            Ty::Record(parts) => {
                let part = |(name, ty): &(_, Ty)| Some((Clone::clone(name), self.ty(ty)?));
                Ty::Record(parts.iter().map(part).collect::<Option<_>>()?)
            }
            Ty::Callable(receiver, params, result) => {
                Ty::Callable(boxed(receiver)?, self.types(params)?, Box::new(self.ty(result)?))
            }
            Ty::Super(gid) => Ty::Super(self.gid(*gid)?),
        })
    }

    fn types(&self, list: &[Ty]) -> Option<Vec<Ty>> {
        list.iter().map(|ty| self.ty(ty)).collect()
    }
}

/// By number of before, the definition with the same lasting number now. What is there twice is none.
fn matched(before: &[Lasting], after: &[Lasting]) -> Vec<Option<DefId>> {
    let count = |list: &[Lasting]| {
        let mut counts: Quick<Lasting, u32> = Quick::default();
        list.iter().for_each(|lasting| *counts.entry(*lasting).or_default() += 1);
        counts
    };
    let (old, new) = (count(before), count(after));
    let now: Quick<Lasting, DefId> = after.iter().copied().zip(0..).collect();
    let find = |lasting: &Lasting| {
        let single = old.get(lasting) == Some(&1) && new.get(lasting) == Some(&1);
        now.get(lasting).copied().filter(|_| single)
    };
    before.iter().map(find).collect()
}
