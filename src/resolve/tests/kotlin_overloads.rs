//! Kotlin: which of several functions of one name a call means.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn overloads_bind_by_their_arguments() {
    check_kinds(
        r#"
//- src/A.kt
package a
class C {
  fun one(a: Int) = one(a, 1)
  fun one(a: Int, b: Int) {}
}
fun use(c: C) { C::one; c.one(1) }
"#,
        &[EdgeKind::Calls],
        &["C.one -> C.one", "use -> C.one"],
    );
}

/// What calls lead to, as `from -> the line of the declaration`.
fn lines_called(project: &str) -> Vec<String> {
    let graph = super::graph(project);
    let declaration = |id| {
        let files = project.split("//- ");
        let mut own = files.filter(|file| file.lines().next() == Some(graph.path(id).as_str()));
        // The first line is the path.
        let line = own.next().and_then(|file| file.lines().nth(graph.symbol(id).name_line as usize));
        line.unwrap_or("").trim().to_owned()
    };
    let calls = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls);
    let mut rows: Vec<String> =
        calls.map(|edge| format!("{} -> {}", graph.symbol(edge.from).name, declaration(edge.to))).collect();
    rows.sort();
    rows.dedup();
    rows
}

#[test]
fn arguments_choose_among_overloads() {
    let rows = lines_called(
        r#"
//- src/A.kt
package a
import java.net.URL
open class Part
class Small : Part()
class Builder {
  fun body(body: Part) {}
  fun body(body: String) {}
  fun body(body: URL) {}
  fun count(n: Long, unit: String = "") {}
  fun count(n: String) {}
  fun start(part: Part, block: () -> Unit) {}
  fun start(name: String = "", block: () -> Unit) {}
  fun all(vararg parts: Part) {}
  fun all(name: String, vararg parts: Part) {}
}
fun text(b: Builder) { b.body("x") }
fun part(b: Builder) { b.body(Small()) }
fun url(b: Builder) { b.body(URL("")) }
fun number(b: Builder) { b.count(1L) }
fun named(b: Builder) { b.count(unit = "s", n = 2) }
fun trailing(b: Builder) { b.start { } }
fun both(b: Builder, p: Part) { b.start(p) { } }
fun many(b: Builder, p: Part) { b.all(p, p, p) }
fun more(b: Builder, p: Part) { b.all("", p, p) }
"#,
    );
    assert_eq!(
        rows,
        [
            "both -> fun start(part: Part, block: () -> Unit) {}",
            "many -> fun all(vararg parts: Part) {}",
            "more -> fun all(name: String, vararg parts: Part) {}",
            "named -> fun count(n: Long, unit: String = \"\") {}",
            "number -> fun count(n: Long, unit: String = \"\") {}",
            "part -> fun body(body: Part) {}",
            "text -> fun body(body: String) {}",
            "trailing -> fun start(name: String = \"\", block: () -> Unit) {}",
            "url -> fun body(body: URL) {}",
        ]
    );
}

#[test]
fn a_call_runs_the_constructor_that_takes_its_arguments() {
    let rows = lines_called(
        r#"
//- src/A.kt
package a
class Answer {
  constructor(code: Int = 200, body: String = "") { }
  constructor(other: Answer) { }
}
class Client(val builder: String) {
  constructor() : this("")
}
open class Base(n: Int) { constructor(s: String) : this(1) }
class Derived : Base(1)
fun named() { Answer(body = "x") }
fun copied(a: Answer) { Answer(a) }
fun empty() { Client() }
fun primary() { Client("") }
fun derived() { Derived() }
"#,
    );
    assert_eq!(
        rows,
        [
            "copied -> constructor(other: Answer) { }",
            "empty -> constructor() : this(\"\")",
            "named -> constructor(code: Int = 200, body: String = \"\") { }",
        ]
    );
}

#[test]
fn what_cannot_take_the_arguments_is_passed_over() {
    check(
        r#"
//- src/A.kt
package a
object Parser {
  fun parse(text: String) {}
}
fun scan(text: String) {}
class Box { fun put(n: Int) {} }
fun Box.put(n: Int, name: String) {}
//- src/T.kt
package b
import a.Box
import a.Parser.parse
import a.put
import a.scan
class T {
  fun parse() { parse("x") }
  fun scan(n: Int, m: Int) { scan("x") }
  fun put(box: Box) { box.put(1, ""); box.put(1) }
}
"#,
        &["T.parse -> Parser.parse", "T.put -> Box.put", "T.put -> put", "T.scan -> scan"],
    );
}

#[test]
fn hidden_and_low_overloads_give_way() {
    check(
        r#"
//- lib/common/src/A.kt
package a
interface Job {
  fun cancel(cause: Int? = null)
  @Deprecated(level = DeprecationLevel.HIDDEN, message = "old")
  fun cancel(): Unit = old()
}
fun old() {}
fun <T> block(n: Int = 0): T = new()
fun <T> new(): T = throw Error()
//- lib/jvm/src/B.kt
package a
@kotlin.internal.LowPriorityInOverloadResolution
fun <T> block(n: Int = 0): T = older()
fun <T> older(): T = throw Error()
fun use(job: Job) { job.cancel(); block<Int>() }
"#,
        &["Job.cancel -> old", "block -> new", "block -> older", "use -> Job.cancel", "use -> block"],
    );
    let rows = lines_called(
        r#"
//- A.kt
package a
interface Job {
  @Deprecated(level = DeprecationLevel.HIDDEN, message = "old")
  fun cancel(): Unit
  fun cancel(cause: Int? = null)
}
fun use(job: Job) { job.cancel() }
"#,
    );
    assert_eq!(rows, ["use -> fun cancel(cause: Int? = null)"]);
}

#[test]
fn defaults_are_no_parameters() {
    check_kinds(
        r#"
//- src/A.kt
package a
const val LIMIT = 3
fun take(n: Int = LIMIT, m: Int = LIMIT): Int = n + m + LIMIT
"#,
        &[EdgeKind::References],
        &["take -> LIMIT"],
    );
}

#[test]
fn the_extension_of_the_nearest_type_is_meant() {
    let rows = lines_called(
        r#"
//- src/A.kt
package a
interface Flow
interface Shared : Flow
fun Flow.on() {}
fun Shared.on() {}
fun wide(f: Flow) { f.on() }
fun narrow(s: Shared) { s.on() }
"#,
    );
    assert_eq!(rows, ["narrow -> fun Shared.on() {}", "wide -> fun Flow.on() {}"]);
}
