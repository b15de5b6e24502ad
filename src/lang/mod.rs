//! The languages: one folder each, data only; the registry.
//!
//! Adding a language is a folder here with a spec and a query, a folder in `fixtures`, the grammar's line
//! in `Cargo.toml` and one line in `LANGUAGES`.

mod go;
mod java;
mod javascript;
mod kotlin;
mod python;
mod resolution;
mod rust;
mod shape;
mod spec;
mod symbol;
mod typescript;

pub use resolution::*;
pub use shape::*;
pub use spec::*;
pub use symbol::{SymbolKind, Visibility};

use crate::text::RepoPath;

static LANGUAGES: [&LanguageSpec; 8] = [
    &go::SPEC,
    &java::SPEC,
    &javascript::SPEC,
    &kotlin::SPEC,
    &python::SPEC,
    &rust::SPEC,
    &typescript::TSX,
    &typescript::SPEC,
];

/// Every language, by name.
pub fn all() -> &'static [&'static LanguageSpec] {
    &LANGUAGES
}

/// The language of a file by its name; `None` where there is no grammar for it.
pub fn for_path(path: &RepoPath) -> Option<&'static LanguageSpec> {
    let name = path.name();
    let extension = path.extension().to_ascii_lowercase();
    all()
        .iter()
        .copied()
        .find(|spec| spec.extensions.contains(&extension.as_str()) || spec.file_names.contains(&name))
}

/// The language with a name, as `FileNode::language` gives it.
pub fn by_name(name: &str) -> Option<&'static LanguageSpec> {
    all().iter().copied().find(|spec| spec.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_a_language_by_name() {
        let name = |path: &str| for_path(&RepoPath::new(path).unwrap()).map(|spec| spec.name);
        assert_eq!(name("src/lib.rs"), Some("rust"));
        assert_eq!(name("a/b.PY"), Some("python"));
        assert_eq!(name("stubs/b.pyi"), Some("python"));
        assert_eq!(name("build.gradle.kts"), Some("kotlin"));
        assert_eq!(name("rs"), None);
        assert_eq!(name("README.md"), None);
    }

    #[test]
    fn names_are_unique_and_sorted() {
        assert!(all().is_sorted_by(|a, b| a.name < b.name));
        for spec in all() {
            assert_eq!(by_name(spec.name).map(|found| found.name), Some(spec.name));
        }
    }
}
