//! A repository for one test: files, a home and a cache in a fresh folder.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub struct Project {
    /// Holds `repo`, `home` and `cache`; removed at the end.
    folder: TempDir,
}

impl Project {
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["repo", "home", "cache"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Project { folder }
    }

    /// A copy of `fixtures/<name>`.
    pub fn fixture(name: &str) -> Self {
        let project = Project::empty();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        copy(&source, &project.root());
        project
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        let project = Project::empty();
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// `count` Python modules of 40 functions each: enough to take a moment to index.
    pub fn large(count: usize) -> Self {
        let project = Project::empty();
        for module in 0..count {
            let functions: Vec<String> = (0..40)
                .map(|at| format!("def step_{module}_{at}(value):\n    return helper(value) + {at}\n"))
                .collect();
            let text = format!("def helper(value):\n    return value\n\n{}", functions.join("\n"));
            project.write(&format!("pkg{}/module_{module}.py", module % 50), &text);
        }
        project
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// A path beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).unwrap();
    }

    pub fn rename(&self, from: &str, to: &str) {
        let to = self.root().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.root().join(from), to).unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
