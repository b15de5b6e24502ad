//! Whole answers on the fixtures, kept as goldens. `UPDATE_EXPECT=1 cargo test` writes them; read them before
//! they are accepted.

use std::collections::BTreeMap;

use expect_test::expect_file;
use serde_json::Value;

use crate::support::Project;

/// A line of the citation block: path, first and last line.
fn citation(line: &str) -> (String, u32, u32) {
    let place = line.split("  ").next().unwrap();
    let (path, range) = place.rsplit_once(':').unwrap_or_else(|| panic!("no range: {line}"));
    let (start, end) = range.split_once('-').unwrap_or_else(|| panic!("no end: {line}"));
    (path.to_owned(), start.parse().unwrap(), end.parse().unwrap())
}

/// The citations of an answer; panics where the block cannot be parsed.
fn citations(answer: &str) -> Vec<(String, u32, u32)> {
    let lines: Vec<&str> = answer.lines().collect();
    let open = lines.iter().position(|line| *line == "<final_answer>").expect("an opening line");
    assert_eq!(lines.last(), Some(&"</final_answer>"));
    assert!(answer.ends_with("</final_answer>\n"));
    lines[open + 1..lines.len() - 1].iter().map(|line| citation(line)).collect()
}

const QUESTIONS: &[(&str, &str)] = &[
    ("kotlin/interceptors", "how does a call run through its interceptors"),
    ("kotlin/interceptors", "where is a stored response looked up before the network is used"),
    ("python/compiler", "how does a query become SQL"),
    ("python/compiler", "UpdateCompiler.as_sql raises CompileError nothing to update"),
    ("rust/dispatch", "how does an event reach a sink"),
    ("rust/dispatch", "which filters decide whether a route wants an event"),
    ("typescript/sync", "how does a queue hand its batch to a transport"),
    ("tsx/board", "what happens when a card is clicked and its note is opened"),
    ("javascript/gateway", "how does a request pass through its handlers to its route"),
    ("go/relay", "how does a request run through the chain of its handlers"),
    ("java/dispatch", "how does a parcel reach the carrier that drives it"),
];

#[test]
fn ce_01_a_call_runs_through_interceptors() {
    let answer = Project::fixture("kotlin/interceptors")
        .run(&["explore", "how does a call run through its interceptors"]);
    expect_file!["golden/kotlin_interceptors.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_query_becomes_sql() {
    let answer = Project::fixture("python/compiler").run(&["explore", "how does a query become SQL"]);
    expect_file!["golden/python_compiler.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_an_event_reaches_a_sink() {
    let answer = Project::fixture("rust/dispatch").run(&["explore", "how does an event reach a sink"]);
    expect_file!["golden/rust_dispatch.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_queue_hands_a_batch_to_a_transport() {
    let answer = Project::fixture("typescript/sync")
        .run(&["explore", "how does a queue hand its batch to a transport"]);
    expect_file!["golden/typescript_sync.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_card_is_clicked() {
    let answer = Project::fixture("tsx/board")
        .run(&["explore", "what happens when a card is clicked and its note is opened"]);
    expect_file!["golden/tsx_board.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_request_passes_handlers() {
    let answer = Project::fixture("javascript/gateway")
        .run(&["explore", "how does a request pass through its handlers to its route"]);
    expect_file!["golden/javascript_gateway.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_request_runs_through_a_chain() {
    let answer = Project::fixture("go/relay")
        .run(&["explore", "how does a request run through the chain of its handlers"]);
    expect_file!["golden/go_relay.txt"].assert_eq(answer.ends(0));
}

#[test]
fn ce_01_a_parcel_reaches_its_carrier() {
    let answer = Project::fixture("java/dispatch")
        .run(&["explore", "how does a parcel reach the carrier that drives it"]);
    expect_file!["golden/java_dispatch.txt"].assert_eq(answer.ends(0));
}

/// Packages and folders are known by what stands beside the sources: `package.json`, `tsconfig.json`, `go.mod`.
#[test]
fn manifests_say_what_imports_mean() {
    let typescript = Project::fixture("typescript/sync");
    expect_file!["golden/symbol_main_ts.txt"].assert_eq(typescript.run(&["symbol", "main"]).ends(0));
    // Without its manifest a package's name means nothing.
    typescript.write("packages/core/package.json", "{}\n");
    let alone = typescript.run(&["symbol", "main"]);
    assert!(!alone.ends(0).contains("Queue.flush"), "{}", alone.ends(0));
    let go = Project::fixture("go/relay");
    expect_file!["golden/symbol_main_go.txt"].assert_eq(go.run(&["symbol", "main.main"]).ends(0));
}

#[test]
fn a_symbol_with_its_implementers_and_callers() {
    let kotlin = Project::fixture("kotlin/interceptors");
    expect_file!["golden/symbol_interceptor.txt"]
        .assert_eq(kotlin.run(&["symbol", "Interceptor.intercept"]).ends(0));
    let rust = Project::fixture("rust/dispatch");
    expect_file!["golden/symbol_sink.txt"].assert_eq(rust.run(&["symbol", "Sink"]).ends(0));
}

#[test]
fn what_is_indexed() {
    let project = Project::fixture("python/compiler");
    project
        .write("broken.py", "def fine():\n    pass\n\ndef broken(:\n    (((\n\ndef also_fine():\n    pass\n");
    project.write("notes.md", "# Notes\n");
    project.write("latin.txt", b"caf\xE9\n");
    project.write("data.bin", b"\0\x01\x02");
    expect_file!["golden/status.txt"].assert_eq(project.run(&["status"]).ends(0));
}

#[test]
fn ce_02_citations_parse_lie_in_their_files_and_do_not_overlap() {
    for (fixture, question) in QUESTIONS {
        let project = Project::fixture(fixture);
        let answer = project.run(&["explore", question]);
        let cited = citations(answer.ends(0));
        assert!(!cited.is_empty(), "{question}");
        let mut by_file: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for (path, start, end) in &cited {
            let lines = project.read(path).lines().count() as u32;
            assert!(1 <= *start && start <= end && *end <= lines, "{path}:{start}-{end} of {lines}");
            by_file.entry(path).or_default().push((*start, *end));
        }
        for (path, ranges) in &mut by_file {
            ranges.sort();
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "{path}: {ranges:?}");
        }
    }
}

#[test]
fn ce_03_citation_alone_is_the_block_with_the_best_of_the_same_citations() {
    for (fixture, question) in QUESTIONS {
        let project = Project::fixture(fixture);
        let whole = project.run(&["explore", question]);
        let block = project.run(&["explore", "--citation", question]);
        let block = block.ends(0);
        assert!(block.starts_with("<final_answer>\n"), "{block}");
        let (whole, alone) = (citations(whole.ends(0)), citations(block));
        let shared = whole.len().min(alone.len());
        assert!(shared >= 3, "{question}");
        assert_eq!(whole[..shared], alone[..shared], "{question}");
        assert!(block.len() < 2_500, "{} bytes", block.len());
    }
}

#[test]
fn ce_04_shown_code_is_the_files_code() {
    for (fixture, question) in QUESTIONS {
        let project = Project::fixture(fixture);
        let run = project.run(&["explore", question]);
        let mut path = None;
        let mut shown = 0;
        for line in run.ends(0).lines() {
            if let Some(heading) = line.strip_prefix("#### ") {
                path = Some(heading.split(' ').next().unwrap().to_owned());
            } else if line.is_empty() {
                path = None;
            } else if let (Some(path), Some((number, text))) = (&path, line.split_once('\t')) {
                let number: usize = number.parse().unwrap();
                let file = project.read(path);
                assert_eq!(file.lines().nth(number - 1), Some(text), "{path}:{number}");
                shown += 1;
            }
        }
        assert!(shown > 0, "{question}");
    }
}

#[test]
fn ce_05_the_budget_holds_and_more_never_shows_less() {
    for (fixture, question) in QUESTIONS {
        let project = Project::fixture(fixture);
        let mut before: Vec<String> = Vec::new();
        for max in [1_000, 1_500, 2_000, 3_000, 4_500, 6_000, 9_000, 14_000, 24_000, 80_000] {
            let run = project.run(&["explore", "--max-bytes", &max.to_string(), question]);
            let answer = run.ends(0);
            assert!(answer.len() <= max, "{} bytes of {max} for {question}", answer.len());
            let code: Vec<String> =
                answer.lines().filter(|line| line.contains('\t')).map(str::to_owned).collect();
            for line in &before {
                assert!(code.contains(line), "{question}: {line:?} is gone at {max}");
            }
            before = code;
        }
    }
}

#[test]
fn ce_05_notes_take_at_most_a_quarter_and_the_citations_come_first() {
    let project = Project::fixture("rust/dispatch");
    let names: Vec<String> = (1..=20).map(|n| format!("FooBar{n}Qux")).collect();
    let question = format!("Dispatcher.dispatch {}", names.join(" "));
    let mut before: Vec<String> = Vec::new();
    for max in [1_000, 1_100, 1_300, 1_600, 2_000, 2_500, 4_000, 24_000] {
        let run = project.run(&["explore", "--max-bytes", &max.to_string(), "--", &question]);
        let answer = run.ends(0);
        assert!(answer.len() <= max, "{} bytes of {max}", answer.len());
        assert!(!citations(answer).is_empty(), "{answer}");
        let is_note = |line: &&str| line.starts_with("Note: ") && !line.contains("more pieces of code");
        let notes: Vec<String> = answer.lines().filter(is_note).map(str::to_owned).collect();
        assert!(notes.iter().map(String::len).sum::<usize>() <= max / 4, "{answer}");
        assert!(before.iter().all(|note| notes.contains(note)), "{max}: {before:?} {notes:?}");
        before = notes;
    }
    assert!(
        before.len() == 1 && before[0].contains("FooBar1Qux") && before[0].contains(" more."),
        "{before:?}"
    );
}

#[test]
fn ce_06_skeletons_can_be_turned_off() {
    let project = Project::fixture("kotlin/interceptors");
    let ask = |adaptive: &str| {
        let mut command = project.command();
        command.env("CTX_EXPLORE_ADAPTIVE", adaptive);
        command.args([
            "explore",
            "--max-bytes",
            "60000",
            "Interceptor.intercept implementations retry store bridge",
        ]);
        crate::support::Run::of(command)
    };
    assert!(ask("1").ends(0).contains("skeleton"));
    assert!(!ask("0").ends(0).contains("skeleton"));
}

#[test]
fn ce_06_functions_of_one_slot_are_signatures_off_the_flow() {
    let project = Project::fixture("go/relay");
    let ask = |adaptive: &str, question: &str| {
        let mut command = project.command();
        command.env("CTX_EXPLORE_ADAPTIVE", adaptive);
        command.args(["explore", question]);
        crate::support::Run::of(command).ends(0).to_owned()
    };
    let answer = ask("1", "how does Engine.Handle reach Guarded");
    let flow = "2. Context.Next  router/context.go:32-38\n     dynamic via Handler (router/links.go:29 fills), \
                router/context.go:35\n3. Guarded  router/links.go:28-37\n";
    assert!(answer.contains(flow), "{answer}");
    let heading = "#### router/links.go — Guarded, Timed, Limited, Rescued · bodies elided: Timed, Limited, Rescued\n\
                   6\tfunc Timed(tell func(path string, took time.Duration)) Handler {\n…\n\
                   16\tfunc Limited(most int) Handler {\n…\n28\tfunc Guarded(word string) Handler {\n\
                   29\t\treturn func(c *Context) {\n";
    assert!(answer.contains(heading), "{answer}");
    assert!(!ask("0", "how does Engine.Handle reach Guarded").contains("elided"));
    // Where the flow calls no slot, and words find none of its functions, the gate changes nothing.
    let inert = "how does main open a store";
    assert_eq!(ask("1", inert), ask("0", inert));
}

#[test]
fn ce_05_the_budget_holds_for_json_too() {
    let project = Project::fixture("kotlin/interceptors");
    let calls: [&[&str]; 4] = [
        &["explore", "how does a call run through its interceptors"],
        &["explore", "--citation", "how does a call run through its interceptors"],
        &["symbol", "intercept"],
        &["search", "e"],
    ];
    for call in calls {
        let ask = |max: usize| {
            let max_bytes = max.to_string();
            let run = project.run(&[call, &["--json", "--max-bytes", &max_bytes]].concat());
            let text = run.ends(0).to_owned();
            assert!(text.len() <= max, "{} bytes of {max} for {call:?}", text.len());
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let whole = ask(100_000);
        let mut before = 0;
        for max in [1_000, 1_500, 2_500, 4_000, 8_000] {
            let value = ask(max);
            let items: usize = ["citations", "sources", "symbols", "hits"]
                .iter()
                .filter_map(|list| value[list].as_array().map(Vec::len))
                .sum();
            assert!(items >= before && items > 0, "{call:?} at {max}: {value}");
            before = items;
            let told = value["notes"].to_string().contains("\"truncated\"");
            assert!(told || value == whole || call.contains(&"--citation"), "{call:?} at {max}: {value}");
        }
    }
}

#[test]
fn json_holds_what_the_text_says() {
    let project = Project::fixture("rust/dispatch");
    let question = "how does an event reach a sink";
    let text = project.run(&["explore", question]);
    let json = project.run(&["explore", "--json", question]);
    let value: Value = serde_json::from_str(json.ends(0)).unwrap();
    let cited: Vec<(String, u32, u32)> = value["citations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|citation| {
            let line = |end: &str| citation["lines"][end].as_u64().unwrap() as u32;
            (citation["path"].as_str().unwrap().to_owned(), line("start"), line("end"))
        })
        .collect();
    assert_eq!(cited, citations(text.ends(0)));
}

#[test]
fn a_library_for_tests_is_on_a_flow_where_it_is_all_that_is_named() {
    let project = Project::empty();
    project.write(
        "mocks/server.py",
        "class Server:\n    def start(self):\n        self.listen_here()\n\n    def listen_here(self):\n        return 1\n",
    );
    let flow = |query: &str| {
        let run = project.run(&["explore", query]);
        let steps = run.ends(0).lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        steps.filter_map(|line| line.split("  ").next().map(str::to_owned)).collect::<Vec<_>>()
    };
    project.write(
        "app/main.py",
        "from mocks.server import Server\n\ndef run_main():\n    begin_it()\n\ndef begin_it():\n    Server().start()\n",
    );
    assert_eq!(flow("Server.start listen_here")[..2], ["1. Server.start", "2. Server.listen_here"]);
    let main = flow("run_main begin_it Server.start");
    assert_eq!(main[..2], ["1. run_main", "2. begin_it"]);
    assert!(!main.contains(&"3. Server.start".to_owned()), "{main:?}");
}
