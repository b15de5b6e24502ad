//! A page of an answer that has every part, whole; what is escaped; where links lead.

use super::*;
use crate::explore::{Flow, FlowStep, Hop, HopKind, Note, SourceBlock, SourceLine, Via};
use crate::resolve::{EdgeKind, SymbolKind};
use crate::text::{LineRange, RepoPath};

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn block(at: &str, form: SourceForm, lines: &[(u32, &str)]) -> SourceBlock {
    let lines = lines
        .iter()
        .map(|(number, text)| SourceLine { number: *number, text: (*text).into(), cut: false })
        .collect();
    SourceBlock { path: path(at), symbols: vec!["A.go".into()], form, elided: Vec::new(), lines }
}

fn step(name: &str, at: &str, lines: (u32, u32), hop: Option<Hop>) -> FlowStep {
    FlowStep { qualified: name.into(), path: path(at), lines: LineRange::new(lines.0, lines.1), hop }
}

fn answer() -> Answer {
    let via =
        Via { qualified: "Sink<T>.put".into(), edge: EdgeKind::Implements, path: path("b.rs"), line: 3 };
    let hop = Hop { kind: HopKind::Dynamic, path: path("a.rs"), line: 2, via: Some(via), elided: 2 };
    let code = &[(1, "fn go(s: &str) {"), (2, "    put(\"<b>\");"), (9, "}")];
    Answer {
        flows: vec![Flow {
            steps: vec![step("go", "a.rs", (1, 9), Some(hop)), step("Null.put", "b.rs", (4, 6), None)],
            by_words: false,
        }],
        sources: vec![
            block("a.rs", SourceForm::Code, code),
            block("b.rs", SourceForm::Skeleton, &[(4, "fn put(&self) {")]),
            block("c.rs", SourceForm::Skeleton, &[(1, "fn put(&self) {")]),
            block("notes <1>.txt", SourceForm::Code, &[(1, "a & b")]),
        ],
        not_shown: vec![Citation { path: path("d e.rs"), lines: LineRange::new(5, 6), label: None }],
        notes: vec![Note::Text("</p><script>alert(1)</script>".into())],
        citations: vec![Citation {
            path: path("a.rs"),
            lines: LineRange::new(1, 9),
            label: Some(("go".into(), SymbolKind::Function)),
        }],
    }
}

#[test]
fn a_page_of_every_part() {
    let page = html(&answer(), "how <does> it go?\nMore & more.");
    let body = &page[page.find("<h1>").unwrap()..];
    expect_test::expect![[r##"
        <h1>how &lt;does&gt; it go?</h1>
        <details><summary>The whole question</summary><pre>how &lt;does&gt; it go?
        More &amp; more.</pre></details>
        <section class="notes">
        <p>Note: &lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>
        </section>
        <section class="flow">
        <h2>Call flow</h2>
        <div><svg role="img" width="466" height="164" viewBox="0 0 466 164" xmlns="http://www.w3.org/2000/svg"><title>Call flow 1: 2 steps</title>
        <a href="#f0-1"><title>go, a.rs:1-9</title><rect x="1" y="1" width="112" height="52" rx="6"/><text class="name" x="12" y="22">1. go</text><text class="place" x="12" y="42">a.rs:1-9</text></a>
        <path class="dynamic" d="M24 53V105"/><path class="head" d="M19 103L24 111L29 103Z"/>
        <a href="#f0-2"><title>a.rs:2</title><text class="place" x="36" y="78">calls, by dynamic dispatch, line 2, 2 steps left out</text></a>
        <text class="place" x="36" y="95"><title>via Sink&lt;T&gt;.put (b.rs:3 implements)</title>via Sink&lt;T&gt;.put (b.rs:3 implements)</text>
        <a href="#f1-4"><title>Null.put, b.rs:4-6</title><rect x="1" y="111" width="112" height="52" rx="6"/><text class="name" x="12" y="132">2. Null.put</text><text class="place" x="12" y="152">b.rs:4-6</text></a>
        </svg></div>
        </section>
        <section class="code">
        <h2>Code</h2>
        <details open><summary><b>a.rs</b> A.go</summary>
        <pre><span class="row" id="f0-1"><a class="number" href="#f0-1">1</a><span class="k">fn</span> go(s: &amp;<span class="t">str</span>) {
        </span><span class="row" id="f0-2"><a class="number" href="#f0-2">2</a>    put(<span class="s">&quot;&lt;b&gt;&quot;</span>);
        </span><span class="gap">&#8943;</span><span class="row" id="f0-9"><a class="number" href="#f0-9">9</a>}
        </span></pre>
        </details>
        <details class="family"><summary>2 files of siblings, signatures only</summary>
        <details><summary><b>b.rs</b> A.go <small>signatures only</small></summary>
        <pre><span class="row" id="f1-4"><a class="number" href="#f1-4">4</a><span class="k">fn</span> put(&amp;<span class="k">self</span>) {
        </span></pre>
        </details>
        <details><summary><b>c.rs</b> A.go <small>signatures only</small></summary>
        <pre><span class="row" id="f2-1"><a class="number" href="#f2-1">1</a><span class="k">fn</span> put(&amp;<span class="k">self</span>) {
        </span></pre>
        </details>
        </details>
        <details open><summary><b>notes &lt;1&gt;.txt</b> A.go</summary>
        <pre><span class="row" id="f3-1"><a class="number" href="#f3-1">1</a>a &amp; b
        </span></pre>
        </details>
        </section>
        <section class="places">
        <h2>Where to look, the most relevant first</h2>
        <ol>
        <li><a href="#f0-1">a.rs:1-9</a> go <small>function</small></li>
        </ol>
        </section>
        <section class="places">
        <h2>Relevant, but not shown</h2>
        <ul>
        <li><a href="./d%20e.rs#L5">d e.rs:5-6</a></li>
        </ul>
        </section>
        <footer>Made by ctx-explore. Links that leave this page are paths from the repository's root: they work where the page is kept there.</footer>
        </main>
        </body>
        </html>
    "##]].assert_eq(body);
    assert_eq!(page, html(&answer(), "how <does> it go?\nMore & more."));
}

#[test]
fn an_empty_answer_is_a_page() {
    let page = html(&Answer::default(), "");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("<section"), "{page}");
}

#[test]
fn a_line_has_one_id_and_each_link_in_the_page_a_line() {
    let page = html(&answer(), "q");
    let after = |mark: &str| -> Vec<String> {
        let parts = page.split(mark).skip(1);
        parts.map(|rest| rest[..rest.find('"').unwrap()].to_owned()).collect()
    };
    let ids = after("id=\"");
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    for link in after("href=\"") {
        match link.strip_prefix('#') {
            Some(line) => assert!(ids.contains(&line.to_owned()), "{link}"),
            None => assert!(link.starts_with("./"), "{link}"),
        }
    }
}
