//! The state of an index as text.

use serde::Serialize;

use super::page::Page;
use crate::explore::layout;
use crate::text::RepoPath;

/// What `status` says of an index.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StatusReport {
    /// Files done and files in all, while the index is being built.
    pub building: Option<(u32, u32)>,
    pub files: u32,
    pub symbols: u32,
    pub edges: u32,
    /// Name of the language, files, symbols; by name.
    pub languages: Vec<(String, u32, u32)>,
    /// Kind of edge and their number, in the order of the kinds.
    pub kinds: Vec<(String, u32)>,
    /// Extensions of files without a grammar and their number; by number, then name.
    pub text_only: Vec<(String, u32)>,
    /// Files with parse errors, by path.
    pub broken: Vec<RepoPath>,
    /// Files that are not indexed and why, by path.
    pub skipped: Vec<(RepoPath, String)>,
    /// The limits that decide what is indexed, a sentence each.
    pub limits: Vec<String>,
    /// Where the index is kept, as a sentence.
    pub kept: String,
}

/// The report within `max_bytes`.
pub fn status(report: &StatusReport, max_bytes: usize) -> String {
    let mut page = Page::new(max_bytes);
    match report.building {
        Some((_, 0)) => page.put("Index: being built, its files are being listed."),
        Some((done, total)) => page.put(&format!("Index: being built, {done} of {total} files are parsed.")),
        None if report.files == 0 => page.put("Index: empty. There is no text file here."),
        None => page.put("Index: complete."),
    }
    if !report.kept.is_empty() {
        page.put(&layout::one_line(&report.kept));
    }
    if report.building.is_none() {
        page.put(&format!("{} files, {} symbols, {} edges.", report.files, report.symbols, report.edges));
    }
    if !report.languages.is_empty() {
        page.put("");
        page.put("Languages:");
        for (name, files, symbols) in &report.languages {
            page.put(&format!("{name}: {files} files, {symbols} symbols"));
        }
    }
    if !report.kinds.is_empty() {
        page.put("");
        page.put("Edges:");
        for (name, count) in &report.kinds {
            page.put(&format!("{name}: {count}"));
        }
    }
    if !report.text_only.is_empty() {
        page.put("");
        page.put("Searched as text only, no grammar:");
        for (extension, count) in &report.text_only {
            let shown = if extension.is_empty() { "no extension".into() } else { format!(".{extension}") };
            page.put(&format!("{}: {count} files", layout::one_line(&shown)));
        }
    }
    if !report.limits.is_empty() {
        page.put("");
        page.put("Limits:");
        report.limits.iter().for_each(|limit| page.put(&layout::one_line(limit)));
    }
    if !report.broken.is_empty() {
        page.put("");
        page.put(&format!("Parse errors, symbols may be missing ({}):", report.broken.len()));
        report.broken.iter().for_each(|path| page.put(&layout::path(path)));
    }
    if !report.skipped.is_empty() {
        page.put("");
        page.put(&format!("Not indexed ({}):", report.skipped.len()));
        for (path, why) in &report.skipped {
            page.put(&format!("{}: {}", layout::path(path), layout::one_line(why)));
        }
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_sections_are_left_out() {
        let report = StatusReport {
            files: 3,
            symbols: 8,
            edges: 9,
            languages: vec![("kotlin".into(), 2, 8)],
            text_only: vec![("md".into(), 1)],
            broken: vec![RepoPath::new("src/A.kt").unwrap()],
            skipped: vec![(RepoPath::new("big.bin").unwrap(), "binary".into())],
            limits: vec!["Not read: files over 4 MiB".into()],
            ..Default::default()
        };
        expect_test::expect![[r#"
            Index: complete.
            3 files, 8 symbols, 9 edges.

            Languages:
            kotlin: 2 files, 8 symbols

            Searched as text only, no grammar:
            .md: 1 files

            Limits:
            Not read: files over 4 MiB

            Parse errors, symbols may be missing (1):
            src/A.kt

            Not indexed (1):
            big.bin: binary
        "#]]
        .assert_eq(&status(&report, 1000));
        assert_eq!(
            status(&StatusReport::default(), 1000),
            "Index: empty. There is no text file here.\n0 files, 0 symbols, 0 edges.\n"
        );
        // What is not there yet is not said to be none.
        let building = |far| status(&StatusReport { building: Some(far), ..Default::default() }, 1000);
        assert_eq!(building((0, 0)), "Index: being built, its files are being listed.\n");
        assert_eq!(building((3, 9)), "Index: being built, 3 of 9 files are parsed.\n");
    }
}
