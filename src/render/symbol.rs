//! A `SymbolReport` as text.

use super::page::Page;
use crate::explore::{Neighbour, SymbolEntry, SymbolReport, layout};

/// The report within `max_bytes`.
pub fn symbol(report: &SymbolReport, max_bytes: usize) -> String {
    let mut page = Page::new(max_bytes);
    match report.symbols.as_slice() {
        [] => {}
        [one] => entry(&mut page, one),
        many => {
            let count = many.len() + report.more as usize;
            let asked = layout::one_line(&report.asked);
            page.put(&format!("{count} symbols are named {asked}. Ask for one as Type.member or path:line."));
            for entry in many {
                page.put(&format!(
                    "{}  callers {}, callees {}, implementers {}",
                    title(entry),
                    entry.callers.len(),
                    entry.callees.len(),
                    entry.implementers.len()
                ));
            }
            if report.more > 0 {
                page.put(&format!("and {} more", report.more));
            }
        }
    }
    if !report.symbols.is_empty() && !report.notes.is_empty() {
        page.put("");
    }
    for note in &report.notes {
        page.put(&layout::note(note));
    }
    page.finish()
}

fn title(entry: &SymbolEntry) -> String {
    let place = layout::range(&entry.path, entry.lines.start, entry.lines.end);
    format!("{place}  {} ({})", layout::one_line(&entry.qualified), entry.kind.name())
}

fn entry(page: &mut Page, entry: &SymbolEntry) {
    page.put(&title(entry));
    page.put("");
    if entry.callers.is_empty() {
        // Said outright: that nothing was found is not that nothing is known.
        page.put("Callers: none found in the indexed code.");
        page.put("");
    } else {
        section(page, "Callers", &entry.callers);
    }
    section(page, "Implemented or extended by", &entry.implementers);
    section(page, "Implements or extends", &entry.supertypes);
    section(page, "Callees", &entry.callees);
    if !entry.code.is_empty() {
        page.put("Definition:");
        for line in &entry.code {
            page.put(&layout::code(line));
        }
        let last = entry.code.last().map_or(0, |line| line.number);
        if last < entry.lines.end {
            page.put(&format!("the rest is in {}", layout::range(&entry.path, last + 1, entry.lines.end)));
        }
    }
}

fn section(page: &mut Page, name: &str, neighbours: &[Neighbour]) {
    if neighbours.is_empty() {
        return;
    }
    page.put(&format!("{name} ({}):", neighbours.len()));
    for neighbour in neighbours {
        let mut line = format!(
            "{}:{}  {} ({}) {}",
            layout::path(&neighbour.path),
            neighbour.line,
            layout::one_line(&neighbour.qualified),
            neighbour.kind.name(),
            neighbour.edge.name()
        );
        if let Some(via) = &neighbour.via {
            line.push_str(&format!(" {} (dynamic)", layout::one_line(via)));
        }
        if neighbour.sites > 1 {
            line.push_str(&format!(", {} places", neighbour.sites));
        }
        page.put(&line);
    }
    page.put("");
}

#[cfg(test)]
mod tests {
    use super::symbol as render;
    use crate::explore::testing::chain;
    use crate::explore::{Coverage, symbol};
    use crate::resolve::SymbolKind;
    use crate::text::RepoPath;

    #[test]
    fn one_symbol_in_full() {
        let text = render(&symbol(&chain(), "Net.intercept", Coverage::default()), 4000);
        expect_test::expect![[r#"
            src/Net.kt:2-8  Net.intercept (method)

            Callers (1):
            src/Chain.kt:7  RealChain.proceed (method) calls Interceptor.intercept (dynamic)

            Implements or extends (1):
            src/Net.kt:2  Interceptor.intercept (method) overrides

            Definition:
            2	  override fun intercept(chain: Chain): Response {
            3	    step()
            4	    step()
            5	    step()
            6	    step()
            7	    return chain.proceed()
            8	  }
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn a_place_names_its_innermost_symbol_and_a_file_its_module() {
        let report = symbol(&chain(), "src/Chain.kt:7", Coverage::default());
        assert_eq!(report.symbols[0].qualified, "RealChain.proceed");
        for asked in ["src/Net.kt:intercept", "./src/Net.kt::Net.intercept"] {
            let report = symbol(&chain(), asked, Coverage::default());
            assert_eq!(report.symbols.len(), 1, "{asked}");
            assert_eq!(report.symbols[0].qualified, "Net.intercept", "{asked}");
        }
        let report = symbol(&chain(), "src/Net.kt", Coverage::default());
        assert_eq!((report.symbols.len(), report.symbols[0].kind), (1, SymbolKind::Module));
    }

    #[test]
    fn what_is_not_found_has_five_texts() {
        let repo = chain();
        let text = |asked: &str, coverage| render(&symbol(&repo, asked, coverage), 600);
        let none = Coverage::default();
        expect_test::expect![[r#"
            Note: `RealChian` is not defined in this repository; similar names: RealChain.
        "#]]
        .assert_eq(&text("RealChian", none));
        assert!(text("Call.execute", none).contains("Callers: none found in the indexed code."));
        // What is written with more around it than a name has.
        for (asked, near) in [
            ("fun proceed", "RealChain.proceed"),
            ("class RealChain(", "RealChain"),
            ("this.proceed", "RealChain.proceed"),
            ("Absent.RealChian", "RealChain"),
            ("Net.absent", "Net"),
        ] {
            let said = text(asked, none);
            assert!(said.contains("is not defined") && said.contains(near), "{said}");
        }
        for asked in ["ab", "?!", "Ünknöwn"] {
            assert!(!text(asked, none).contains("similar"), "{}", text(asked, none));
        }
        let broken = [RepoPath::new("src/Log.kt").unwrap()];
        let coverage = Coverage { broken: &broken, ..none };
        assert!(text("src/Log.kt:2", coverage).contains("src/Log.kt has parse errors"));
        let building = Coverage { building: Some((3, 9)), ..none };
        assert!(text("Nothing", building).contains("still being built: 3 of 9 files"));
        expect_test::expect![[r#"
            Note: no grammar for .txt files: they are searched as text only.
        "#]]
        .assert_eq(&text("notes.txt:1", none));
    }

    #[test]
    fn an_ambiguous_name_is_listed() {
        let text = render(&symbol(&chain(), "intercept", Coverage::default()), 4000);
        expect_test::expect![[r#"
            5 symbols are named intercept. Ask for one as Type.member or path:line.
            src/Cache.kt:2-8  Cache.intercept (method)  callers 1, callees 1, implementers 0
            src/Interceptor.kt:2-2  Interceptor.intercept (method)  callers 1, callees 0, implementers 4
            src/Log.kt:2-8  Log.intercept (method)  callers 1, callees 1, implementers 0
            src/Net.kt:2-8  Net.intercept (method)  callers 1, callees 0, implementers 0
            src/Retry.kt:2-8  Retry.intercept (method)  callers 1, callees 1, implementers 0
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn the_bound_holds_at_every_size() {
        let report = symbol(&chain(), "RealChain.proceed", Coverage::default());
        let mut before = Vec::new();
        for max in 0..700 {
            let text = render(&report, max);
            assert!(text.len() <= max, "{max}");
            let lines: Vec<String> =
                text.lines().filter(|line| !line.starts_with("Note:")).map(str::to_owned).collect();
            assert!(lines.starts_with(&before), "{max}");
            before = lines;
        }
    }
}
