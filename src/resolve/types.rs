//! Types as far as they decide what a member's name means.

use super::{modules::Place, symbols::Gid};
use crate::extract::Name;

/// The index that stands for a type's own instance among its parameters (`Self`).
pub(super) const SELF: u32 = u32::MAX;

/// What is known of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Ty {
    #[default]
    Unknown,
    /// A type outside the repository, by its simple name, with its arguments.
    Foreign(Name, Vec<Ty>),
    /// An instance of a type of the repository.
    Instance(Gid, Vec<Ty>),
    /// The type itself: `Foo` in `Foo.create()`.
    Class(Gid, Vec<Ty>),
    /// A function of the repository, and what it was reached through.
    Function(Gid, Option<Box<Ty>>),
    /// A module, package or folder.
    Module(Place),
    /// A type parameter of a definition, by its index; `SELF` for the definition's own type.
    Param(Gid, u32),
    Tuple(Vec<Ty>),
    /// Members by name.
    Record(Vec<(Name, Ty)>),
    /// A function type: receiver, parameters, result.
    Callable(Option<Box<Ty>>, Vec<Ty>, Box<Ty>),
    Union(Vec<Ty>),
    /// The instance of a type as its supertypes see it.
    Super(Gid),
}

impl Ty {
    pub fn is_known(&self) -> bool {
        match self {
            Ty::Unknown => false,
            Ty::Union(parts) => parts.iter().any(Ty::is_known),
            _ => true,
        }
    }

    /// One type of several: nothing unknown, nothing twice.
    pub fn union(parts: impl IntoIterator<Item = Ty>) -> Ty {
        let mut kept: Vec<Ty> = Vec::new();
        for part in parts {
            match part {
                Ty::Unknown => {}
                Ty::Union(inner) => {
                    for ty in inner {
                        if !kept.contains(&ty) {
                            kept.push(ty);
                        }
                    }
                }
                ty => {
                    if !kept.contains(&ty) {
                        kept.push(ty);
                    }
                }
            }
        }
        match kept.len() {
            0 => Ty::Unknown,
            1 => kept.remove(0),
            // Beyond a handful, a union says nothing of its members.
            2..=8 => Ty::Union(kept),
            _ => Ty::Unknown,
        }
    }

    /// An instance of what is a class, and the other way round only for what syntax says.
    pub fn instance(self) -> Ty {
        match self {
            Ty::Class(gid, args) => Ty::Instance(gid, args),
            Ty::Union(parts) => Ty::union(parts.into_iter().map(Ty::instance)),
            other => other,
        }
    }

    pub fn class(self) -> Ty {
        match self {
            Ty::Instance(gid, args) => Ty::Class(gid, args),
            Ty::Union(parts) => Ty::union(parts.into_iter().map(Ty::class)),
            other => other,
        }
    }

    /// The member of a record, as far as it is one.
    pub fn record_member(&self, name: &str) -> Ty {
        match self {
            Ty::Record(parts) => {
                parts.iter().find(|(known, _)| known == name).map(|(_, ty)| ty.clone()).unwrap_or_default()
            }
            Ty::Union(parts) => Ty::union(parts.iter().map(|part| part.record_member(name))),
            _ => Ty::Unknown,
        }
    }

    /// The type with each parameter replaced by what `with` makes of it.
    pub fn replace(&self, with: &mut dyn FnMut(Gid, u32) -> Option<Ty>) -> Ty {
        fn all(list: &[Ty], with: &mut dyn FnMut(Gid, u32) -> Option<Ty>) -> Vec<Ty> {
            list.iter().map(|ty| ty.replace(with)).collect()
        }
        match self {
            Ty::Param(owner, index) => with(*owner, *index).unwrap_or_else(|| self.clone()),
            Ty::Foreign(name, args) => Ty::Foreign(name.clone(), all(args, with)),
            Ty::Instance(gid, args) => Ty::Instance(*gid, all(args, with)),
            Ty::Class(gid, args) => Ty::Class(*gid, all(args, with)),
            Ty::Tuple(args) => Ty::Tuple(all(args, with)),
            Ty::Record(parts) => {
                Ty::Record(parts.iter().map(|(name, ty)| (name.clone(), ty.replace(with))).collect())
            }
            Ty::Union(args) => Ty::union(all(args, with)),
            Ty::Callable(receiver, params, result) => Ty::Callable(
                receiver.as_ref().map(|ty| Box::new(ty.replace(with))),
                all(params, with),
                Box::new(result.replace(with)),
            ),
            Ty::Unknown | Ty::Function(..) | Ty::Module(_) | Ty::Super(_) => self.clone(),
        }
    }

    /// Whether `replace` could change it.
    pub fn has_params(&self) -> bool {
        match self {
            Ty::Param(..) => true,
            Ty::Foreign(_, args) | Ty::Instance(_, args) | Ty::Class(_, args) => {
                args.iter().any(Ty::has_params)
            }
            Ty::Tuple(args) | Ty::Union(args) => args.iter().any(Ty::has_params),
            Ty::Record(parts) => parts.iter().any(|(_, ty)| ty.has_params()),
            Ty::Callable(receiver, params, result) => {
                receiver.as_ref().is_some_and(|ty| ty.has_params())
                    || params.iter().any(Ty::has_params)
                    || result.has_params()
            }
            Ty::Unknown | Ty::Function(..) | Ty::Module(_) | Ty::Super(_) => false,
        }
    }
}
