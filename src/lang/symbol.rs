//! Kinds of symbols and their visibility: the words in which a spec and the facts name definitions.

use serde::{Deserialize, Serialize};

/// The kinds of symbols, named as the Language Server Protocol names them where it has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolKind {
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
    /// A Rust `impl` block or another block that adds members to a type declared elsewhere. It holds
    /// members and supertypes, but is no symbol of its own.
    Extension,
}

impl SymbolKind {
    /// The name that users see: `method`, `type_alias`.
    pub fn name(self) -> &'static str {
        use SymbolKind::*;
        match self {
            Module => "module",
            Class => "class",
            Interface => "interface",
            Trait => "trait",
            Struct => "struct",
            Enum => "enum",
            EnumMember => "enum_member",
            Union => "union",
            Object => "object",
            TypeAlias => "type_alias",
            Function => "function",
            Method => "method",
            Constructor => "constructor",
            Property => "property",
            Field => "field",
            Constant => "constant",
            Variable => "variable",
            Macro => "macro",
            Extension => "extension",
        }
    }

    /// The kind with a name, as `name` gives it.
    pub fn named(name: &str) -> Option<SymbolKind> {
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
        .into_iter()
        .find(|kind| kind.name() == name)
    }

    /// Something that can be called by its own name and has a body: a function, method, constructor or macro.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
        )
    }

    /// A type that declares members and implements none by itself.
    pub fn is_interface(self) -> bool {
        matches!(self, SymbolKind::Interface | SymbolKind::Trait)
    }

    /// Something that can have members and supertypes.
    pub fn is_type(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Interface | Trait | Struct | Enum | Union | Object | TypeAlias)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    #[default]
    Public,
    /// Visible in the crate or module (Rust's `pub(crate)`, Kotlin's `internal`).
    Internal,
    Protected,
    Private,
}
