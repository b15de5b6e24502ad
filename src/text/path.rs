//! Paths inside the repository.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// A path relative to the root, `/`-separated, without `.` or `..`; ordered by its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RepoPath(Arc<str>);

impl RepoPath {
    /// `None` for a path that is empty, absolute, or has an empty, `.` or `..` component.
    pub fn new(path: &str) -> Option<Self> {
        let fine = !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        fine.then(|| RepoPath(path.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The last component up to its last dot (`.gitignore` is all stem).
    pub fn stem(&self) -> &str {
        let name = self.name();
        match name.rfind('.') {
            Some(at) if at > 0 => &name[..at],
            _ => name,
        }
    }

    /// What follows the last dot of the last component; empty where there is none.
    pub fn extension(&self) -> &str {
        let name = self.name();
        match name.rfind('.') {
            Some(at) if at > 0 => &name[at + 1..],
            _ => "",
        }
    }

    /// Everything before the last `/`; empty for a file at the root.
    pub fn directory(&self) -> &str {
        self.0.rfind('/').map_or("", |at| &self.0[..at])
    }

    /// Whether the path is `folder` or lies below it. The empty folder is the root.
    pub fn is_under(&self, folder: &str) -> bool {
        folder.is_empty()
            || self.0.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Whether a path is test, example, benchmark or documentation support by the conventions of the
/// languages' build tools: a folder or a file named for it.
pub fn is_test_path(path: &RepoPath) -> bool {
    is_test_support(path) || is_test(path)
}

/// Whether a path is of a library for tests: in a folder named with `testing` or the like among other
/// words, such as the module `parser-testing-support`, or for a mock, and no test itself.
pub fn is_test_support(path: &RepoPath) -> bool {
    const MOCK: &str = "mock";
    let words = ["test", "tests", "testing", "benchmarks", "samples", "examples"];
    let is_word = |word: &str| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let named = |part: &str| {
        let mock = part.get(..MOCK.len()).is_some_and(|start| start.eq_ignore_ascii_case(MOCK));
        mock || part.split(['-', '_']).any(is_word)
    };
    path.directory().split('/').any(named) && !is_test(path)
}

fn is_test(path: &RepoPath) -> bool {
    const FOLDERS: &[&str] = &[
        "test",
        "tests",
        "testing",
        "__tests__",
        "__mocks__",
        "e2e",
        "spec",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "example",
        "examples",
        "sample",
        "samples",
        "doc",
        "docs",
        "fixtures",
        "testdata",
    ];
    let folder = |part: &str| {
        // Kotlin source sets: `jvmTest`, `commonTest`.
        FOLDERS.contains(&part.to_ascii_lowercase().as_str())
            || part.ends_with("Test")
            || part.ends_with("Tests")
    };
    // Perl's and some Python projects' `t/`.
    path.as_str().starts_with("t/") || path.directory().split('/').any(folder) || is_test_stem(path.stem())
}

fn is_test_stem(stem: &str) -> bool {
    stem == "conftest"
        || stem == "tests"
        || stem == "test"
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || [".test", ".spec", ".test-d", ".stories"].iter().any(|ending| stem.ends_with(ending))
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_path() {
        let path = RepoPath::new("src/a.b/mod.test.rs").unwrap();
        assert_eq!((path.name(), path.stem(), path.extension()), ("mod.test.rs", "mod.test", "rs"));
        assert_eq!(path.directory(), "src/a.b");
        assert!(path.is_under("src") && path.is_under("") && !path.is_under("sr"));
        let hidden = RepoPath::new(".gitignore").unwrap();
        assert_eq!((hidden.stem(), hidden.extension(), hidden.directory()), (".gitignore", "", ""));
    }

    #[test]
    fn only_relative_paths_without_dots() {
        for wrong in ["", "/a", "a//b", "a/", "./a", "a/../b", ".."] {
            assert_eq!(RepoPath::new(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn test_paths_by_convention() {
        for (path, expected) in [
            ("tests/it/main.rs", true),
            ("lib/src/jvmTest/kotlin/AClass.kt", true),
            ("parser-testing-support/src/main/kotlin/A.kt", true),
            ("mockserver/src/main/kotlin/A.kt", true),
            ("pkg/Mocks/a.py", true),
            ("hammock/a.py", false),
            ("pkg/mock.py", false),
            ("pkg/test_views.py", true),
            ("pkg/conftest.py", true),
            ("src/CallTest.kt", true),
            ("src/latest/contest.py", false),
            ("src/attest.rs", false),
            ("django/test.py", true),
            ("src/board.test.tsx", true),
            ("src/board.spec.js", true),
            ("src/spectest.ts", false),
        ] {
            assert_eq!(is_test_path(&RepoPath::new(path).unwrap()), expected, "{path}");
        }
    }
}
