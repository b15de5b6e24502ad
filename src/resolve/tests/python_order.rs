//! Python: what a name means that a scope defines or imports more than once.

use super::graph;
use crate::resolve::EdgeKind;

/// Edges of some kinds as `file line -> file line`, from the use to the definition.
#[track_caller]
fn check_lines(project: &str, kinds: &[EdgeKind], expected: &[&str]) {
    let graph = graph(project);
    let stem = |id| graph.path(id).stem();
    let edges = graph.edges().iter().filter(|edge| kinds.contains(&edge.kind));
    let mut rows: Vec<(&str, u32, &str, u32)> = edges
        .map(|edge| (stem(edge.from), edge.line, stem(edge.to), graph.symbol(edge.to).name_line))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let found: Vec<String> = rows.iter().map(|(a, from, b, to)| format!("{a} {from} -> {b} {to}")).collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn a_class_that_is_defined_again_takes_the_place_of_the_first() {
    check_lines(
        "#- m.py
class Form: ...
def check():
    class Person(Form):
        pass
    Person()
    class Person(Person):
        pass
    Person()
    def later():
        Person()
    class Person(Form):
        pass
    p = Person()
    if p:
        class Person(Form):
            pass
        Person()
    else:
        Person()
    Person()
",
        &[EdgeKind::Instantiates, EdgeKind::Extends],
        &[
            "m 3 -> m 1",
            "m 5 -> m 3",
            "m 6 -> m 3",
            "m 8 -> m 6",
            "m 10 -> m 11",
            "m 11 -> m 1",
            "m 13 -> m 11",
            "m 15 -> m 1",
            "m 17 -> m 15",
            "m 19 -> m 11",
            "m 20 -> m 11",
        ],
    );
}

#[test]
fn overloads_stay_one_function() {
    check_lines(
        "#- m.py
from typing import overload
@overload
def read(at: int) -> int: ...
@overload
def read(at: str) -> str: ...
def read(at): ...
read(1)
def late():
    read('a')
",
        &[EdgeKind::Calls],
        &["m 7 -> m 3", "m 9 -> m 3"],
    );
}

#[test]
fn code_in_order_sees_what_is_bound_before_it() {
    check_lines(
        "#- base.py
class Transform: ...
def mark(f): ...
def size(): ...
#- m.py
from base import Transform, mark, size
class IsEmpty(Transform): ...
@mark
def first(n=size()): ...
def body():
    size()
class Transform(Transform): ...
class IsFull(Transform): ...
def mark(f): ...
def size(): ...
@mark
def second(n=size()): ...
class Inner(Meta):
    class Meta: ...
",
        &[EdgeKind::Extends, EdgeKind::Calls, EdgeKind::Decorates],
        &[
            "m 2 -> base 1",
            "m 3 -> base 2",
            "m 4 -> base 3",
            "m 6 -> m 10",
            "m 7 -> base 1",
            "m 8 -> m 7",
            "m 11 -> m 9",
            "m 12 -> m 10",
        ],
    );
}

#[test]
fn another_file_sees_the_last() {
    check_lines(
        "#- base.py
def run(): ...
#- m.py
from base import run
run()
def run():
    pass
#- use.py
from m import run
run()
import m
m.run()
",
        &[EdgeKind::Calls],
        &["m 2 -> base 1", "use 2 -> m 3", "use 4 -> m 3"],
    );
}

#[test]
fn what_stands_in_for_a_missing_import_comes_after_it() {
    check_lines(
        "#- real.py
class Field: ...
class Other: ...
def load(): ...
#- m.py
try:
    from real import Field, Other, load
except ImportError:
    class Dummy: ...
    Field = Dummy
    class Other: ...
    def load(): ...
class A(Field): ...
class B(Other): ...
def f():
    Field()
    Other()
    load()
#- use.py
from m import Field, Other, load
class C(Field): ...
class D(Other): ...
Field()
Other()
load()
",
        &[EdgeKind::Extends, EdgeKind::Calls, EdgeKind::Instantiates],
        &[
            "m 8 -> real 1",
            "m 9 -> real 2",
            "m 11 -> real 1",
            "m 12 -> real 2",
            "m 13 -> real 3",
            "use 2 -> real 1",
            "use 3 -> real 2",
            "use 4 -> real 1",
            "use 5 -> real 2",
            "use 6 -> real 3",
        ],
    );
}

#[test]
fn a_nested_type_is_inherited() {
    check_lines(
        "#- base.py
class Base:
    class Meta: ...
class Plain(Base):
    class Media(Base.Meta): ...
#- m.py
import base
from base import Plain
class Own(Plain):
    class Meta(Plain.Meta): ...
class More(base.Plain):
    class Media(base.Plain.Media): ...
class Last(More):
    class Meta(More.Meta): ...
class Round(Ring.Part): ...
class Ring(Round.Part): ...
",
        &[EdgeKind::Extends],
        &[
            "base 3 -> base 1",
            "base 4 -> base 2",
            "m 3 -> base 3",
            "m 4 -> base 2",
            "m 5 -> base 3",
            "m 6 -> base 4",
            "m 7 -> m 5",
            "m 8 -> base 2",
        ],
    );
}
