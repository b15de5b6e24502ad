//! The page that `explore --format html` prints: whole, harmless, and with no link that leads nowhere.

use std::collections::BTreeSet;

use crate::support::Project;

const QUESTION: &str = "how does a call run through its interceptors";

fn page(project: &Project, question: &str, code: i32) -> String {
    project.run(&["explore", "--format", "html", "--", question]).ends(code).to_owned()
}

/// The values of an attribute.
fn values(page: &str, attribute: &str) -> Vec<String> {
    let mark = format!(" {attribute}=\"");
    let parts = page.split(&mark).skip(1);
    parts.map(|rest| rest[..rest.find('"').unwrap()].to_owned()).collect()
}

/// Each element that is opened is closed, in order.
fn check_tags(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = page.strip_prefix("<!doctype html>").unwrap();
    for part in body.split('<').skip(1) {
        let tag = &part[..part.find('>').unwrap_or_else(|| panic!("a lone < in {part}"))];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match name {
            "meta" | "rect" | "path" | "wbr" => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{part}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn ce_28_a_page_is_whole_and_leads_to_its_lines() {
    let project = Project::fixture("kotlin/interceptors");
    let page = page(&project, QUESTION, 0);
    check_tags(&page);
    assert!(
        page.contains(&format!("<h1>{QUESTION}</h1>"))
            && page.contains("<svg")
            && page.contains("class=\"k\"")
    );
    assert!(page.contains("default-src 'none'") && page.contains("prefers-color-scheme: dark"));
    for loading in ["<script", "<link", "<img", "src=", "url(", "@import", "https://"] {
        assert!(!page.contains(loading), "{loading}");
    }
    let ids = values(&page, "id");
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len());
    let links = values(&page, "href");
    for link in &links {
        match link.strip_prefix('#') {
            Some(line) => assert!(ids.iter().any(|id| id == line), "{link}"),
            None => assert!(link.starts_with("./src/") && link.contains("#L"), "{link}"),
        }
    }
    // Each citation of the answer is one of the page.
    let text = project.run(&["explore", "--", QUESTION]);
    let citations = text.ends(0).rsplit("<final_answer>\n").next().unwrap().lines();
    let places: Vec<&str> = citations.filter_map(|line| line.split_whitespace().next()).collect();
    let places = &places[..places.len() - 1];
    assert!(
        places.len() > 5 && places.iter().all(|place| page.contains(&format!("\">{place}</a>"))),
        "{places:?}"
    );
}

#[test]
fn a_page_is_the_same_at_another_place() {
    let pages = [(); 2].map(|()| page(&Project::fixture("kotlin/interceptors"), QUESTION, 0));
    assert!(pages[0] == pages[1]);
}

#[test]
fn what_files_and_questions_hold_stays_text() {
    let project = Project::with(&[
        ("a.py", "def quench():\n    return '</pre><script>alert(1)</script>'\n"),
        ("b \"<i>.txt", "quench & <b>douse</b>\n"),
        ("javascript:alert(1)", "quench\n"),
    ]);
    let page = page(&project, "quench <script>alert(2)</script>", 0);
    check_tags(&page);
    assert!(!page.contains("<script") && !page.contains("<b>douse"), "{page}");
    assert!(!page.contains("href=\"javascript"), "{page}");
}

#[test]
fn nothing_found_is_a_page_that_says_so() {
    let project = Project::fixture("rust/dispatch");
    for arguments in [&["zyzzyva"][..], &["flush", "--path", "no/such"]] {
        let run = project.run(&[&["explore", "--format", "html"], arguments].concat());
        let page = run.ends(1);
        check_tags(page);
        assert!(page.contains("class=\"notes\""), "{page}");
    }
    let said = project.run(&["explore", "--format", "html", "--json", "q"]);
    assert!(said.ends(2).contains("--json"), "{}", said.stderr);
    let json = project.run(&["explore", "--format", "json", "flush"]);
    assert_eq!(json.ends(0), project.run(&["explore", "--json", "flush"]).ends(0));
}
