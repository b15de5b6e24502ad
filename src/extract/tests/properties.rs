//! Properties for any text: no panic, sound spans, one answer, bounded depth.

use proptest::prelude::*;

use super::{fixtures, sound};
use crate::{
    extract::{MAX_BYTES, MAX_DEPTH, extract},
    lang,
    text::Span,
};

pub(super) fn mutilated() -> impl Strategy<Value = (&'static lang::LanguageSpec, String)> {
    let sources: Vec<(&'static lang::LanguageSpec, String)> = lang::all()
        .iter()
        .flat_map(|spec| fixtures(spec).into_iter().map(move |(_, text)| (*spec, text)))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    let cut = (0usize..=4000, 0usize..60, "[\\PC\n]{0,8}|[(){}\\[\\]'\"`#@:;<>|\\\\é血\u{301}]{0,4}");
    (0..sources.len(), prop::collection::vec(cut, 1..5)).prop_map(move |(at, cuts)| {
        let (spec, mut text) = sources[at].clone();
        for (start, length, insert) in cuts {
            let boundary = |mut at: usize| {
                at = at.min(text.len());
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (start, end) = (boundary(start), boundary(start + length));
            text.replace_range(start.min(end)..end, &insert);
        }
        (spec, text)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutilated_sources_are_sound((spec, text) in mutilated()) {
        let facts = extract(spec, &text);
        sound(&facts, &text);
        prop_assert_eq!(extract(spec, &text), facts);
    }

    #[test]
    fn any_text_is_sound(text in "\\PC{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for spec in lang::all() {
            sound(&extract(spec, &text), &text);
            let lossy = String::from_utf8_lossy(&bytes);
            sound(&extract(spec, &lossy), &lossy);
        }
    }
}

#[test]
fn deep_nesting_is_bounded() {
    for (name, open, close) in [
        ("python", "(", ")"),
        ("python", "[", "]"),
        ("rust", "(", ")"),
        ("rust", "{", "}"),
        ("rust", "m!(", ")"),
        ("kotlin", "(", ")"),
        ("kotlin", "{", "}"),
    ] {
        let spec = lang::by_name(name).unwrap();
        let deep = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let text = match name {
            "python" => format!("def f():\n    return {}\n", deep(100_000)),
            "rust" => format!("fn f() {{ let x = {}; }}\n", deep(100_000)),
            _ => format!("fun f() = {}\n", deep(100_000)),
        };
        let facts = extract(spec, &text);
        sound(&facts, &text);
        assert!(facts.defs.iter().any(|def| def.name == "f"), "{name} {open}");
        assert!(!facts.errors.is_empty(), "{name} {open}");
    }
}

#[test]
fn long_chains_are_bounded() {
    for (name, text) in [
        ("python", format!("x = a{}\n", ".b()".repeat(20_000))),
        ("rust", format!("fn f() {{ a{}; }}\n", ".b()".repeat(20_000))),
        ("kotlin", format!("val x = a{}\n", ".b()".repeat(20_000))),
    ] {
        let facts = extract(lang::by_name(name).unwrap(), &text);
        sound(&facts, &text);
        assert!(facts.refs.iter().filter(|reference| reference.name == "b").count() >= 20_000, "{name}");
    }
}

#[test]
fn a_text_over_the_limit_is_one_error() {
    let spec = lang::by_name("python").unwrap();
    let text = "def f(): pass\n".repeat(MAX_BYTES / 14 + 1);
    let facts = extract(spec, &text);
    assert_eq!(facts.errors, [Span::new(0, text.len() as u32)]);
    assert_eq!(facts.defs.len(), 1);
    assert_eq!(facts.refs, []);
}

#[test]
fn nested_templates_do_not_end_the_process() {
    let spec = lang::by_name("kotlin").unwrap();
    for depth in [100, 2_000] {
        let text =
            format!("fun f() = g(\"{}{}\")\n\nfun h() = 1\n", "${\"".repeat(depth), "\"}".repeat(depth));
        let facts = extract(spec, &text);
        sound(&facts, &text);
        assert_eq!(facts.errors.is_empty(), depth == 100);
        assert!(facts.defs.iter().any(|def| def.name == "h"), "{depth}");
    }
}

/// Found by fuzzing: tree-sitter ended the process over the cost of errors in a part that was read anew.
#[test]
fn lines_that_step_back_amid_open_brackets_do_not_end_the_process() {
    let spec = lang::by_name("python").unwrap();
    let text = [
        "#!\n",
        "\"\"\"i\n",
        "def e(tr:\n",
        "  ms\n",
        "  \n",
        "    \"\n",
        "   :\n",
        "  oar\n",
        " T:\n",
        "  }\n",
        "  ams})\n",
        " \n",
        "  oarue:\n",
        ")\n",
        "  al wo})\n",
        " \n",
        " arue:\n",
        ")\n",
        "  al wo",
    ]
    .concat();
    let facts = extract(spec, &text);
    sound(&facts, &text);
    assert!(!facts.errors.is_empty());
}

/// Found by fuzzing: a declaration was ended before its own name, where a lost one stands between its names.
#[test]
fn a_lost_declaration_does_not_cut_names_off_those_round_it() {
    for (name, text) in [
        ("java", "Plug one = make($\nclass Inner), two\n"),
        ("java", "class Plug {\n  int one = make($\n  class Inner), two;\n}\n"),
        ("typescript", "let one = make($\nclass Inner), two\n"),
        ("kotlin", "val one = make($\nclass Inner), two = 2\n"),
        ("go", "var one = make($\nfunc inner()), two\n"),
    ] {
        let facts = extract(lang::by_name(name).unwrap(), text);
        sound(&facts, text);
        assert!(!facts.errors.is_empty(), "{text}");
    }
}

/// What surrounds a use is walked for each use: there are never more than so many things round one.
#[test]
fn what_is_nested_deeper_than_programs_nest_is_left_out_and_reported() {
    let (rust, kotlin) = ("fn last() { named() }\n", "fun last() = named()\n");
    for (name, open, inner, close, last) in [
        ("rust", "impl A { fn f(&self) {\n", "inner()", "}}\n", rust),
        ("rust", "mod m {\n", "fn g() { inner() }\n", "}\n", rust),
        ("rust", "call(|x| {\n", "inner()", "});\n", rust),
        ("rust", "if x {\n", "inner()", "}\n", rust),
        ("kotlin", "class C {\n", "val x = inner()\n", "}\n", kotlin),
        ("kotlin", "object : T {\n fun f() {\n", "inner()\n", "}\n}\n", kotlin),
        ("kotlin", "run {\n", "inner()\n", "}\n", kotlin),
        ("python", "f(lambda x: ", "inner()", ")", "\ndef last(): named()\n"),
    ] {
        let spec = lang::by_name(name).unwrap();
        let text = |depth: usize| {
            let (before, after) = match (name, open) {
                ("rust", "call(|x| {\n" | "if x {\n") => ("fn first() {\n", "}\n"),
                ("kotlin", "object : T {\n fun f() {\n" | "run {\n") => ("fun first() {\n", "}\n"),
                _ => ("", ""),
            };
            format!("{before}{}{inner}{}{after}{last}", open.repeat(depth), close.repeat(depth))
        };
        for depth in [50, 1_500] {
            let text = text(depth);
            let facts = extract(spec, &text);
            sound(&facts, &text);
            let case = format!("{name} {open:?} {depth}");
            let around = |spans: &mut dyn Iterator<Item = Span>, at: u32| {
                spans.filter(|span| span.contains(at)).count()
            };
            let most = (0..text.len() as u32).step_by(7).map(|at| {
                let defs = around(&mut facts.defs[1..].iter().map(|def| def.full), at);
                let scopes: std::collections::BTreeSet<Span> =
                    facts.bindings.iter().map(|binding| binding.scope).collect();
                defs.max(around(&mut scopes.into_iter(), at))
            });
            assert!(most.max().unwrap() <= MAX_DEPTH, "{case}");
            assert_eq!(facts.errors.is_empty(), depth == 50, "{case}");
            for name in ["last", "first"] {
                let wanted = text.contains(&format!(" {name}()"));
                assert_eq!(facts.defs.iter().any(|def| def.name == name), wanted, "{case}");
            }
            assert!(facts.refs.iter().any(|reference| reference.name == "named"), "{case}");
            if depth == 50 {
                assert!(facts.refs.iter().any(|reference| reference.name == "inner"), "{case}");
            }
        }
    }
}

/// Text in which each declaration is inside of the one before: nothing may be read once for each.
#[test]
fn nested_declarations_are_bounded() {
    for (name, open, close) in [
        ("python", "class C:\n", ""),
        ("kotlin", "class C {\n", "}\n"),
        ("rust", "impl A { fn f(&self) {\n", "}}\n"),
        ("rust", "mod m {\n", "}\n"),
    ] {
        let spec = lang::by_name(name).unwrap();
        let depth = if name == "python" { 700 } else { 6_000 };
        let opened = (0..depth)
            .map(|at| format!("{}{open}", if name == "python" { " ".repeat(at) } else { String::new() }));
        let text = format!(
            "{}{}{}",
            opened.collect::<String>(),
            if name == "python" { " ".repeat(depth) + "x = 1\n" } else { String::new() },
            close.repeat(depth)
        );
        let facts = extract(spec, &text);
        sound(&facts, &text);
        assert!(facts.defs.len() > 2, "{name}");
    }
}
