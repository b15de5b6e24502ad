//! How Go's names, packages and types hang together.

use crate::lang::{FolderPackages, Linearization, ModuleSystem, OverrideRule, ResolutionRules};

pub static RULES: ResolutionRules = ResolutionRules {
    family: "go",
    separator: ".",
    modules: ModuleSystem::Packages {
        default_imports: &[],
        folders: Some(&FolderPackages {
            manifest: "go.mod",
            divider: '/',
            outside: "_test",
            not_imported: &["main", "documentation"],
        }),
    },
    supertypes: Linearization::Nearest,
    overrides: OverrideRule::ByName,
    alternatives: true,
    implicit_interfaces: true,
    embedded_supertypes: true,
    builtins: BUILTINS,
    by_arguments: false,
    first_part: true,
    common_members: COMMON_MEMBERS,
    ..ResolutionRules::NONE
};

#[rustfmt::skip]
const BUILTINS: &[&str] = &[
    "any", "append", "bool", "byte", "cap", "clear", "close", "comparable", "complex", "complex128", "complex64",
    "copy", "delete", "error", "false", "float32", "float64", "imag", "int", "int16", "int32", "int64", "int8", "iota",
    "len", "make", "max", "min", "new", "nil", "panic", "print", "println", "real", "recover", "rune", "string",
    "true", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
];

/// Methods that values from outside of the repository have: their names alone say nothing.
#[rustfmt::skip]
const COMMON_MEMBERS: &[&str] = &[
    "CloseNotify", "ContentLength", "FormValue", "GetHeader", "HandlerFunc", "ListenAndServe", "ListenAndServeTLS",
    "MarshalJSON", "MarshalText", "MarshalXML", "ReadCloser", "ReadFrom", "RemoteAddr", "ServeHTTP",
    "SetDeadline", "UnmarshalJSON", "UnmarshalText", "UnmarshalXML", "WriteHeader", "WriteString", "WriteTo",
];
