//! The names under which the database keeps kinds and reasons, and back.

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

const EDGE_KINDS: [EdgeKind; 9] = {
    use EdgeKind::*;
    [Contains, Calls, Instantiates, References, Imports, Extends, Implements, Overrides, Decorates]
};

const REASONS: [Reason; 7] = {
    use Reason::*;
    [Declared, Scope, EnclosingType, Import, ReceiverType, Package, Unique]
};

const VISIBILITIES: [Visibility; 4] =
    [Visibility::Public, Visibility::Internal, Visibility::Protected, Visibility::Private];

fn find<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, wanted: &str) -> Result<T, StoreError> {
    all.iter()
        .copied()
        .find(|&one| name(one) == wanted)
        .ok_or_else(|| StoreError::Stale(format!("unknown name {wanted:?}")))
}

pub(super) fn symbol_kind(wanted: &str) -> Result<SymbolKind, StoreError> {
    find(&SYMBOL_KINDS, SymbolKind::name, wanted)
}

pub(super) fn edge_kind(wanted: &str) -> Result<EdgeKind, StoreError> {
    find(&EDGE_KINDS, EdgeKind::name, wanted)
}

pub(super) fn reason(wanted: &str) -> Result<Reason, StoreError> {
    find(&REASONS, Reason::name, wanted)
}

pub(super) fn visibility_name(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Public => "public",
        Visibility::Internal => "internal",
        Visibility::Protected => "protected",
        Visibility::Private => "private",
    }
}

pub(super) fn visibility(wanted: &str) -> Result<Visibility, StoreError> {
    find(&VISIBILITIES, visibility_name, wanted)
}
