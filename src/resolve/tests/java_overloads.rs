//! Overloads of Java: which function the compiler takes, and where it cannot be told, none.

use super::check;
use crate::resolve::EdgeKind;

#[test]
fn a_fixed_number_comes_before_any_number() {
    check(
        r#"
//- A.java
class A {
    void fixed(int... all) { any(); }
    void fixed(Integer one) { boxed(); }
    void unsure(Object... all) {}
    void unsure(other.Thing one) {}
    void any() {}
    void boxed() {}
    void run(A a, elsewhere.Part part) {
        fixed(1);
        unsure(part);
    }
    void more() { fixed(1, 2); }
}
"#,
        &["A.fixed -> A.any", "A.fixed -> A.boxed", "A.more -> A.fixed", "A.run -> A.fixed"],
    );
    called_lines(
        r#"//- A.java
class A {
    void f(int... a) {}
    void f(Integer a) {}
    void run() { f(1); }
}
"#,
        &[3],
    );
}

/// A type from outside may be what a parameter takes: then one that takes everything is not the answer.
#[test]
fn what_may_be_taken_is_not_passed_over() {
    check(
        r#"
//- A.java
import java.io.IOException;
class A {
    void log(Throwable failed) {}
    void log(Object any) {}
    void sure(Throwable failed) {}
    void sure(String text) {}
    void run(IOException failed) {
        log(failed);
        sure(failed);
    }
}
"#,
        &["A.run -> A.sure"],
    );
}

#[test]
fn bounds_and_numbers() {
    called_lines(
        r#"//- A.java
import java.util.List;
class A {
    <T extends Comparable<T>> void bound(T one) {}
    <T> void bound(List<T> all) {}
    void bound(Object any) {}
    void number(char c) {}
    void number(int i) {}
    void run(char c) {
        bound("");
        number(c + 1);
    }
}
"#,
        &[3, 7],
    );
}

/// The lines of the functions that are called.
#[track_caller]
fn called_lines(project: &str, expected: &[u32]) {
    let graph = super::graph(project);
    let calls = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls);
    let lines: Vec<u32> = calls.map(|edge| graph.symbol(edge.to).name_line).collect();
    assert_eq!(lines, expected);
}
