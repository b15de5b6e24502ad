//! What repeats hundreds of times in one place: the last value still counts, and what cannot be told apart
//! means nothing.

use super::{calls, check};

/// A text repeated with its number in the place of `#`.
fn repeated(text: &str, times: usize) -> String {
    (0..times).map(|at| text.replace('#', &at.to_string())).collect()
}

#[test]
fn of_hundreds_of_assignments_the_last_before_the_use_counts() {
    let filler = repeated("    item = filler#()\n", 200);
    let project = format!(
        "#- m.py\nclass Early:\n    def act(self): ...\nclass Late:\n    def act(self): ...\n\
         def go():\n    item = Early()\n    item.act()\n{filler}    item = Early()\n    item.act()\n{filler}\
         \x20   item = Late()\n    item.act()\n{filler}\n\
         def branch(flag):\n{filler}    item = Early()\n    if flag:\n        item = Late()\n    item.act()\n\
         def after():\n    item.act()\n{filler}"
    );
    check(
        &project,
        &[
            "branch -> Early",
            "branch -> Early.act",
            "branch -> Late",
            "branch -> Late.act",
            "go -> Early",
            "go -> Early.act",
            "go -> Late",
            "go -> Late.act",
        ],
    );
}

#[test]
fn hundreds_of_names_that_hide_each_other_leave_the_innermost() {
    let filler = repeated("    let item = filler(#);\n", 200);
    let inner = repeated("    { let item = filler(#); }\n", 200);
    let project = format!(
        "//- src/lib.rs\nstruct Early;\nimpl Early {{ fn act(&self) {{}} }}\nstruct Late;\n\
         impl Late {{ fn act(&self) {{}} }}\n\
         fn go() {{\n{filler}    let item = Early;\n    item.act();\n{filler}}}\n\
         fn past(item: Late) {{\n{inner}    item.act();\n}}\n"
    );
    let found = calls(&project);
    assert!(found.contains(&"go -> Early::act".to_owned()), "{found:?}");
    assert!(found.contains(&"past -> Late::act".to_owned()), "{found:?}");
    assert_eq!(found.iter().filter(|edge| edge.contains("act")).count(), 2, "{found:?}");
}

#[test]
fn what_could_mean_hundreds_of_definitions_means_none() {
    let same = |times| {
        let methods = repeated("impl Twice { fn act(&self) {} }\n", times);
        calls(&format!("//- src/lib.rs\nstruct Twice;\n{methods}fn go(item: &Twice) {{ item.act() }}\n"))
    };
    assert_eq!(same(2), ["go -> Twice::act"]);
    assert_eq!(same(100), [""; 0]);
    let overloads = |times| {
        let overloads = repeated("fun act(a: A#) = 1\n", times);
        calls(&format!("//- a.kt\npackage a\n{overloads}fun go(a: A0) = act(unknown())\n"))
    };
    assert_eq!(overloads(20), ["go -> act"]);
    assert_eq!(overloads(300), [""; 0]);
}

#[test]
fn functions_defined_again_and_again_mean_what_stands_there() {
    let again = repeated("if flag:\n    def act(): return helper()\n", 300);
    let project = format!("#- m.py\ndef helper(): ...\n{again}def go():\n    act()\n");
    assert_eq!(calls(&project), ["act -> helper", "go -> act"]);
    // Without a condition the last one hides those before it, however many they are.
    let plain = repeated("def act(): return helper#()\n", 300);
    let project = format!("#- m.py\ndef helper299(): ...\n{plain}def go():\n    act()\n");
    assert_eq!(calls(&project), ["act -> helper299", "go -> act"]);
}

#[test]
fn chains_of_types_are_followed_to_a_stated_depth() {
    let chain = |length: usize| {
        let classes: String = (1..length).map(|at| format!("class C{at}(C{}): ...\n", at - 1)).collect();
        let last = length - 1;
        calls(&format!(
            "#- m.py\nclass C0:\n    def act(self): ...\n{classes}def go(item: C{last}):\n    item.act()\n"
        ))
    };
    assert_eq!(chain(60), ["go -> C0.act"]);
    assert_eq!(chain(300), [""; 0]);
}
