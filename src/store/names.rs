//! The codes under which the database keeps kinds and reasons, and back.

use super::StoreError;
use crate::resolve::{EdgeKind, Reason, SymbolKind, Visibility};

const SYMBOL_KINDS: [SymbolKind; 19] = {
    use SymbolKind::*;
    [
        Module,
        Class,
        Interface,
        Trait,
        Struct,
        Enum,
        EnumMember,
        Union,
        Object,
        TypeAlias,
        Function,
        Method,
        Constructor,
        Property,
        Field,
        Constant,
        Variable,
        Macro,
        Extension,
    ]
};

const EDGE_KINDS: [EdgeKind; 11] = EdgeKind::ALL;

const REASONS: [Reason; 7] = {
    use Reason::*;
    [Declared, Scope, EnclosingType, Import, ReceiverType, Package, Unique]
};

const VISIBILITIES: [Visibility; 4] =
    [Visibility::Public, Visibility::Internal, Visibility::Protected, Visibility::Private];

/// The tables of codes, with the name of each code.
pub(super) fn codes() -> impl Iterator<Item = (&'static str, u8, &'static str)> {
    let kinds = (0..).zip(SYMBOL_KINDS).map(|(code, kind)| ("symbol kind", code, kind.name()));
    let edges = (0..).zip(EDGE_KINDS).map(|(code, kind)| ("edge kind", code, kind.name()));
    let reasons = (0..).zip(REASONS).map(|(code, reason)| ("reason", code, reason.name()));
    let visibilities =
        (0..).zip(VISIBILITIES).map(|(code, visible)| ("visibility", code, visibility_name(visible)));
    kinds.chain(edges).chain(reasons).chain(visibilities)
}

fn code<T: Copy + PartialEq>(all: &[T], wanted: T) -> u8 {
    // Each value is in its list: a test looks.
    all.iter().position(|&one| one == wanted).unwrap_or(all.len()) as u8
}

fn value<T: Copy>(all: &[T], code: u8) -> Result<T, StoreError> {
    all.get(usize::from(code)).copied().ok_or_else(|| StoreError::Stale(format!("unknown code {code}")))
}

pub(super) fn symbol_kind_code(kind: SymbolKind) -> u8 {
    code(&SYMBOL_KINDS, kind)
}

pub(super) fn symbol_kind(code: u8) -> Result<SymbolKind, StoreError> {
    value(&SYMBOL_KINDS, code)
}

pub(super) fn edge_kind_code(kind: EdgeKind) -> u8 {
    code(&EDGE_KINDS, kind)
}

pub(super) fn edge_kind(code: u8) -> Result<EdgeKind, StoreError> {
    value(&EDGE_KINDS, code)
}

pub(super) fn reason_code(reason: Reason) -> u8 {
    code(&REASONS, reason)
}

pub(super) fn reason(code: u8) -> Result<Reason, StoreError> {
    value(&REASONS, code)
}

pub(super) fn visibility_code(visibility: Visibility) -> u8 {
    code(&VISIBILITIES, visibility)
}

pub(super) fn visibility(code: u8) -> Result<Visibility, StoreError> {
    value(&VISIBILITIES, code)
}

fn visibility_name(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Internal => "internal",
        Visibility::Protected => "protected",
        Visibility::Private => "private",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_a_code() {
        for kind in SYMBOL_KINDS {
            assert_eq!(symbol_kind(symbol_kind_code(kind)).unwrap(), kind);
        }
        for kind in EDGE_KINDS {
            assert_eq!(edge_kind(edge_kind_code(kind)).unwrap(), kind);
        }
        for one in REASONS {
            assert_eq!(reason(reason_code(one)).unwrap(), one);
        }
        for one in VISIBILITIES {
            assert_eq!(visibility(visibility_code(one)).unwrap(), one);
        }
        assert!(symbol_kind(19).is_err());
        // A kind that is missing from its list would have the code behind the last.
        assert_eq!(symbol_kind_code(SymbolKind::Extension), 18);
        assert_eq!(edge_kind_code(EdgeKind::Decorates), 8);
        assert_eq!(edge_kind_code(EdgeKind::Fills), 9);
        assert_eq!(edge_kind_code(EdgeKind::Invokes), 10);
        assert_eq!(reason_code(Reason::Unique), 6);
    }
}
