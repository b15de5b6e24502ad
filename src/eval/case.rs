//! A case of a suite: a question about a repository and the lines that answer it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One line of a suite.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    pub id: String,
    pub root: PathBuf,
    pub query: String,
    /// The lines to find, by path.
    pub gold: BTreeMap<String, Vec<[u32; 2]>>,
    /// Cases of one group share a repository; the id's part before `@` where it is not given.
    #[serde(default)]
    pub group: String,
}

/// The cases of a suite. Relative roots are taken from `folder`.
///
/// # Errors
/// The number of the first line that is no case, and why.
pub fn read(text: &str, folder: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut case: Case =
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        if case.gold.values().all(Vec::is_empty) {
            return Err(format!("line {}: there is nothing to find in `gold`", number + 1));
        }
        if case.group.is_empty() {
            case.group = case.id.split('@').next().unwrap_or("").to_owned();
        }
        case.root = folder.join(&case.root);
        cases.push(case);
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cases() {
        let text = "{\"id\": \"a@1\", \"root\": \"r\", \"query\": \"q\", \"gold\": {\"f.py\": [[1, 2]]}}\n\n";
        let cases = read(text, Path::new("suites")).unwrap();
        assert_eq!((cases[0].group.as_str(), cases[0].root.as_path()), ("a", Path::new("suites/r")));
        assert!(read("{}", Path::new("")).unwrap_err().starts_with("line 1: "));
        assert!(read(&text.replace("[1, 2]", ""), Path::new("")).unwrap_err().contains("nothing to find"));
    }
}
