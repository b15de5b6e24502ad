//! A `SearchReport` as text: hits by file, under the symbol that holds them.

use super::page::Page;
use crate::explore::{SearchReport, SourceLine, layout};

/// The report within `max_bytes`.
pub fn search(report: &SearchReport, max_bytes: usize) -> String {
    let mut page = Page::new(max_bytes);
    let shown = report.hits.len() as u32;
    let pattern = format!("`{}`", layout::shown_code(&report.pattern));
    if let (0, Some((searched, all))) = (report.total, report.unfinished) {
        page.put(&format!(
            "The time ran out: {searched} of {all} files were searched, none of them matches {pattern}"
        ));
    } else if report.total == 0 {
        page.put(&format!("Nothing matches {pattern}"));
    } else {
        let mut rest = if shown < report.total { format!(", the first {shown}") } else { String::new() };
        if let Some((searched, all)) = report.unfinished {
            rest.push_str(&format!(" (the time ran out: {searched} of {all} files were searched)"));
        }
        let counted = |count, what| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (lines, files) = (counted(report.total, "line"), counted(report.files, "file"));
        let verb = if report.total == 1 { "matches" } else { "match" };
        page.put(&format!("{lines} in {files} {verb} {pattern}{rest}:"));
    }
    let mut file = None;
    let mut holder = None;
    for hit in &report.hits {
        if file != Some(&hit.path) {
            page.put("");
            page.put(&format!("#### {}", layout::path(&hit.path)));
            file = Some(&hit.path);
            holder = None;
        }
        if hit.symbol.is_some() && holder != hit.symbol.as_ref() {
            let (name, kind) = hit.symbol.as_ref().map_or(("", ""), |s| (s.0.as_str(), s.1.name()));
            page.put(&format!("  in {} ({kind})", layout::one_line(name)));
        }
        holder = hit.symbol.as_ref();
        page.put(&layout::code(&SourceLine {
            number: hit.line,
            text: layout::shown_code(&hit.text),
            cut: false,
        }));
    }
    if !report.notes.is_empty() {
        page.put("");
        report.notes.iter().for_each(|note| page.put(&layout::note(note)));
    }
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::SearchHit;
    use crate::resolve::SymbolKind;
    use crate::text::RepoPath;

    #[test]
    fn hits_stand_under_their_file_and_symbol() {
        let hit = |path: &str, line, symbol: Option<&str>| SearchHit {
            path: RepoPath::new(path).unwrap(),
            line,
            text: "  step()  ".into(),
            symbol: symbol.map(|name| (name.to_owned(), SymbolKind::Method)),
        };
        let report = SearchReport {
            pattern: "step(".into(),
            hits: vec![hit("a.kt", 3, Some("A.f")), hit("a.kt", 5, Some("A.f")), hit("b.md", 1, None)],
            total: 4,
            files: 2,
            unfinished: None,
            notes: Vec::new(),
        };
        expect_test::expect![[r#"
            4 lines in 2 files match `step(`, the first 3:

            #### a.kt
              in A.f (method)
            3	  step()
            5	  step()

            #### b.md
            1	  step()
        "#]]
        .assert_eq(&search(&report, 1000));
        assert_eq!(
            search(&SearchReport { pattern: "x".into(), ..Default::default() }, 1000),
            "Nothing matches `x`\n"
        );
    }
}
