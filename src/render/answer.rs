//! An `Answer` as text: flow, code, what is not shown, notes, citations, in this order.
//!
//! Sections are set apart by one empty line and left out when empty; the citation block never is. The text
//! ends in one line break.

use crate::explore::{Answer, layout};

/// The answer as people and agents read it.
pub fn answer(answer: &Answer) -> String {
    let mut out = String::new();
    let mut put = |line: &str| {
        out.push_str(line);
        out.push('\n');
    };
    for (nth, flow) in answer.flows.iter().enumerate() {
        put(&layout::flow_title(nth, flow.by_words));
        for (nth, step) in flow.steps.iter().enumerate() {
            layout::flow_step(nth, step).iter().for_each(|line| put(line));
        }
        put("");
    }
    for block in &answer.sources {
        put(&layout::heading(block));
        for line in &block.lines {
            put(&layout::code(line));
            if line.cut {
                put(layout::CUT);
            }
        }
        put("");
    }
    if !answer.not_shown.is_empty() {
        put(layout::NOT_SHOWN);
        for citation in &answer.not_shown {
            put(&layout::citation(citation));
        }
        put("");
    }
    if !answer.notes.is_empty() {
        for note in &answer.notes {
            put(&layout::note(note));
        }
        put("");
    }
    put(layout::OPEN);
    for citation in &answer.citations {
        put(&layout::citation(citation));
    }
    put(layout::CLOSE);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::collections::BTreeSet;

    use crate::explore::testing::{Memory, chain};
    use crate::explore::{
        Answer, Citation, Findings, Named, NamedSymbol, Repository, Request, Scored, SourceForm, answer,
    };
    use crate::render;
    use crate::resolve::{EdgeKind, FileId};

    fn scored(repo: &Memory, qualified: &str, score: f32) -> Scored {
        Scored { symbol: repo.id(qualified), score, named: Named::No }
    }

    fn findings(repo: &Memory, names: &[(&str, &[&str])], found: &[(&str, f32)]) -> Findings {
        let graph = repo.graph();
        let symbols: Vec<Scored> = found.iter().map(|f| scored(repo, f.0, f.1)).collect();
        let mut files: Vec<(FileId, f32)> = Vec::new();
        for symbol in &symbols {
            let file = graph.symbol(symbol.symbol).file;
            if files.iter().all(|f| f.0 != file) {
                files.push((file, symbol.score));
            }
        }
        Findings {
            names_only: !names.is_empty(),
            ranges: symbols
                .iter()
                .map(|s| Citation {
                    path: graph.path(s.symbol).clone(),
                    lines: graph.symbol(s.symbol).lines,
                    label: Some((graph.symbol(s.symbol).qualified.to_string(), graph.symbol(s.symbol).kind)),
                })
                .collect(),
            named: names
                .iter()
                .map(|(name, meant)| NamedSymbol {
                    name: (*name).into(),
                    symbols: meant.iter().map(|q| repo.id(q)).collect(),
                    callable: true,
                })
                .collect(),
            symbols,
            files,
            ..Findings::default()
        }
    }

    fn interceptors(repo: &Memory) -> Findings {
        let meant = ["Net.intercept", "Cache.intercept", "Retry.intercept", "Log.intercept"];
        findings(
            repo,
            &[
                ("Call", &["Call"]),
                ("execute", &["Call.execute"]),
                ("proceed", &["Chain.proceed", "RealChain.proceed"]),
                ("RealChain", &["RealChain"]),
                ("Net", &["Net"]),
                ("intercept", &meant),
            ],
            &[
                ("Call.execute", 1.0),
                ("RealChain.proceed", 0.9),
                ("Net.intercept", 0.8),
                ("Cache.intercept", 0.8),
                ("Retry.intercept", 0.7),
            ],
        )
    }

    #[test]
    fn a_chain_of_interceptors() {
        let repo = chain();
        let found = interceptors(&repo);
        let text = render::answer(&answer(&repo, &Request::default(), &found));
        expect_test::expect![[r#"
            Call flow:
            1. Call.execute  src/Call.kt:2-4
                 calls, src/Call.kt:3
            2. Call.respond  src/Call.kt:6-9
                 calls, src/Call.kt:8
            3. RealChain.proceed  src/Chain.kt:6-8
                 dynamic via Interceptor.intercept (src/Net.kt:1 implements), src/Chain.kt:7
            4. Net.intercept  src/Net.kt:2-8

            #### src/Call.kt — Call.execute, Call.respond, Call
            1	class Call {
            2	  fun execute() {
            3	    return respond()
            4	  }
            5
            6	  fun respond() {
            7	    val all = listOf(Retry(), Cache(), Net())
            8	    return RealChain(all).proceed()
            9	  }
            10	}

            #### src/Chain.kt — RealChain.proceed, RealChain
            5	class RealChain : Chain {
            6	  override fun proceed() {
            7	    all[0].intercept(this)
            8	  }
            9	}

            #### src/Net.kt — Net.intercept, Net
            1	class Net : Interceptor {
            2	  override fun intercept(chain: Chain): Response {
            3	    step()
            4	    step()
            5	    step()
            6	    step()
            7	    return chain.proceed()
            8	  }
            9	}

            #### src/Cache.kt — Cache, Cache.intercept · skeleton (signatures only, bodies elided)
            1	class Cache : Interceptor {
            2	  override fun intercept(chain: Chain): Response {

            #### src/Retry.kt — Retry, Retry.intercept · skeleton (signatures only, bodies elided)
            1	class Retry : Interceptor {
            2	  override fun intercept(chain: Chain): Response {

            #### src/Log.kt — Log · skeleton (signatures only, bodies elided)
            1	class Log : Interceptor {
            2	  override fun intercept(chain: Chain): Response {

            <final_answer>
            src/Call.kt:2-4  Call.execute (method)
            src/Call.kt:6-9  Call.respond (method)
            src/Chain.kt:6-8  RealChain.proceed (method)
            src/Net.kt:2-8  Net.intercept (method)
            src/Cache.kt:2-8  Cache.intercept (method)
            src/Retry.kt:2-8  Retry.intercept (method)
            </final_answer>
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn the_gate_off_shows_all_in_full() {
        let repo = chain();
        let found = interceptors(&repo);
        let off = Request { adaptive: false, ..Request::default() };
        let all = answer(&repo, &off, &found);
        assert!(all.sources.iter().all(|block| block.form == SourceForm::Code && block.elided.is_empty()));
    }

    #[test]
    fn without_a_family_the_gate_changes_nothing() {
        let repo = random(&[7; 16], &[(0, 5, 0), (5, 10, 0), (5, 2, 2), (10, 12, 1)]);
        let found = findings(
            &repo,
            &[("T0.m0", &["T0.m0"]), ("T2.m2", &["T2.m2"])],
            &[("T0.m0", 1.0), ("T2.m2", 0.9), ("T1.m3", 0.8), ("T3.m0", 0.7)],
        );
        let text =
            |adaptive| render::answer(&answer(&repo, &Request { adaptive, ..Request::default() }, &found));
        assert!(text(true).starts_with("Call flow:\n1. T0.m0  f0.x:2-8\n"));
        assert_eq!(text(true), text(false));
        assert!(!text(true).contains("skeleton"));
    }

    #[test]
    fn where_a_function_is_cut_is_said() {
        let mut sizes = [4; 16];
        sizes[1] = 120;
        let repo = random(&sizes, &[(0, 1, 0)]);
        let found = findings(&repo, &[("T0.m0", &["T0.m0"]), ("T0.m1", &["T0.m1"])], &[("T0.m0", 1.0)]);
        let text = |max_bytes| {
            let request = Request { max_bytes, ..Request::default() };
            render::answer(&answer(&repo, &request, &found))
        };
        // The head of the long function, then all of it; between functions nothing is marked.
        assert!(text(900).contains("\n4\tline 4 of 0\n5\tline 5 of 0\n"), "{}", text(900));
        assert!(text(900).contains("\n12\tline 12 of 0\n…\n"), "{}", text(900));
        let whole = text(20_000);
        assert!(whole.contains("\n125\tline 125 of 0\n"), "{whole}");
        assert_eq!(whole.matches("…\n").count(), 0, "{whole}");
    }

    fn shown(answer: &Answer) -> BTreeSet<(String, u32)> {
        let mut out = BTreeSet::new();
        for block in &answer.sources {
            out.extend(block.lines.iter().map(|line| (block.path.as_str().to_owned(), line.number)));
        }
        for citation in &answer.citations {
            out.extend(
                (citation.lines.start..=citation.lines.end).map(|l| (citation.path.as_str().to_owned(), l)),
            );
        }
        out
    }

    fn edges() -> impl Strategy<Value = Vec<(usize, usize, u8)>> {
        prop::collection::vec((0..16usize, 0..16usize, 0..4u8), 0..60)
    }

    fn random(sizes: &[u32], edges: &[(usize, usize, u8)]) -> Memory {
        use crate::resolve::SymbolKind::{Class, Method};
        let mut sketch = crate::explore::testing::Sketch::default();
        for file in 0..4 {
            let lines: u32 = sizes.iter().skip(file * 4).take(4).sum::<u32>() + 1;
            let text: String = (1..=lines).map(|n| format!("line {n} of {file}\n")).collect();
            sketch = sketch.file(&format!("f{file}.x"), &text).symbol(Class, &format!("T{file}"), 1, lines);
            let mut at = 2;
            for method in 0..4 {
                let end = at + sizes[file * 4 + method] - 1;
                sketch = sketch.symbol(Method, &format!("T{file}.m{method}"), at, end);
                at = end + 1;
            }
        }
        for &(from, to, kind) in edges {
            let kind =
                [EdgeKind::Calls, EdgeKind::References, EdgeKind::Overrides, EdgeKind::Calls][kind as usize];
            let name = |n: usize| format!("T{}.m{}", n / 4, n % 4);
            sketch = sketch.edge(&name(from), kind, &name(to), 2);
            if from / 4 != to / 4 && kind == EdgeKind::Overrides {
                sketch =
                    sketch.edge(&format!("T{}", from / 4), EdgeKind::Extends, &format!("T{}", to / 4), 1);
            }
        }
        sketch.build()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn a_larger_budget_shows_all_of_a_smaller_one(
            sizes in prop::collection::vec(1..90u32, 16),
            edges in edges(),
            scores in prop::collection::vec(1..100u32, 16),
            named in prop::collection::vec(0..16usize, 0..6),
            steps in prop::collection::vec(20..2000usize, 16),
        ) {
            let repo = random(&sizes, &edges);
            let names: Vec<String> = (0..16).map(|n| format!("T{}.m{}", n / 4, n % 4)).collect();
            let mut found: Vec<(&str, f32)> =
                names.iter().zip(&scores).map(|(n, s)| (n.as_str(), *s as f32 / 100.0)).collect();
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
            let meant: Vec<[&str; 1]> = named.iter().map(|n| [names[*n].as_str()]).collect();
            let asked: Vec<(&str, &[&str])> = meant.iter().map(|m| (m[0], &m[..])).collect();
            let found = findings(&repo, &asked, &found);
            let mut before = BTreeSet::new();
            let mut max = 40;
            for step in steps {
                max += step;
                let request = Request { max_bytes: max, ..Request::default() };
                let whole = answer(&repo, &request, &found);
                let text = render::answer(&whole);
                prop_assert!(text.len() <= max, "{} > {max}", text.len());
                prop_assert_eq!(&render::answer(&answer(&repo, &request, &found)), &text);
                let now = shown(&whole);
                prop_assert!(before.is_subset(&now));
                before = now;
                let mut seen: BTreeSet<(String, u32)> = BTreeSet::new();
                for citation in &whole.citations {
                    let file = repo.graph().find_file(citation.path.as_str()).unwrap();
                    prop_assert!(citation.lines.end <= repo.graph().file(file).lines);
                    for at in citation.lines.start..=citation.lines.end {
                        prop_assert!(seen.insert((citation.path.as_str().into(), at)));
                    }
                }
                for block in &whole.sources {
                    for symbol in &block.symbols {
                        let line = repo.graph().symbol(repo.id(symbol)).name_line;
                        prop_assert!(block.lines.iter().any(|shown| shown.number == line), "{symbol}");
                    }
                }
                prop_assert!(text.ends_with("</final_answer>\n"));
                prop_assert!(text.lines().all(|line| line.trim_end() == line));
            }
        }
    }
}
