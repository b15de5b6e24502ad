//! Python.

use super::{check, check_kinds, graph};
use crate::resolve::{EdgeKind, Reason};

#[test]
fn a_builtin_method_is_not_a_namesake() {
    check(
        r#"
#- ledger.py
class Ledger:
    def append(self, entry):
        pass
#- use.py
from ledger import Ledger
def run(d, k, v):
    ledger = Ledger()
    ledger.append(1)
    d.setdefault(k, []).append(v)
    [].append(v)
    names = []
    names.append(v)
"#,
        &["run -> Ledger", "run -> Ledger.append"],
    );
}

#[test]
fn a_member_of_a_field_is_no_recursion() {
    check(
        r#"
#- mail.py
class Mailer:
    def send(self):
        pass
class Known:
    def __init__(self):
        self.mailer = Mailer()
    def send(self):
        self.mailer.send()
class Unknown:
    def __init__(self, mailer):
        self.mailer = mailer
    def send(self):
        self.mailer.send()
"#,
        &["Known.__init__ -> Mailer", "Known.send -> Mailer.send"],
    );
}

#[test]
fn names_come_through_packages_and_relative_imports() {
    check(
        r#"
#- pkg/__init__.py
from .impl import X, helper as renamed
from .star import *
#- pkg/impl.py
class X:
    def go(self):
        pass
def helper():
    pass
#- pkg/star.py
__all__ = ["_shown"]
def _shown():
    pass
def hidden():
    pass
#- pkg/deep/__init__.py
#- pkg/deep/er/__init__.py
#- pkg/deep/er/mod.py
from ...impl import helper
from ..near import near
from . import sibling
def f():
    helper()
    near()
    sibling.s()
#- pkg/deep/er/sibling.py
def s():
    pass
#- pkg/deep/near.py
def near():
    pass
#- app.py
import pkg
import pkg.deep.near
from pkg import X, renamed, _shown, hidden
def main():
    X().go()
    renamed()
    _shown()
    hidden()
    pkg.deep.near.near()
    pkg.X()
"#,
        &[
            "f -> helper",
            "f -> near",
            "f -> s",
            "main -> X",
            "main -> X.go",
            "main -> _shown",
            "main -> helper",
            "main -> near",
        ],
    );
}

#[test]
fn circles_of_imports_end() {
    check(
        "#- a/__init__.py\nfrom .b import *\nfrom .c import g\n#- a/b.py\nfrom . import *\nfrom .c import *\n\
         #- a/c.py\nfrom .b import *\ndef g():\n    pass\n#- m.py\nfrom a import g, nothing\ndef f():\n    g()\n    nothing()\n",
        &["f -> g"],
    );
}

#[test]
fn a_property_is_a_call_and_has_a_type() {
    check(
        r#"
#- eng.py
class Engine:
    def run(self):
        pass
class Orch:
    def __init__(self):
        self._engine = Engine()
    @property
    def engine(self):
        return self._engine
class Job:
    def __init__(self, orch: Orch):
        self.orch = orch
    def go(self):
        self.orch.engine.run()
"#,
        &["Job.go -> Engine.run", "Job.go -> Orch.engine", "Orch.__init__ -> Engine"],
    );
}

#[test]
fn a_local_name_shadows_and_an_unknown_one_binds_nothing() {
    check(
        r#"
#- lib.py
class Thing:
    def describe(self):
        pass
def render():
    pass
#- test_lib.py
from lib import render
def describe():
    pass
def test_it(obj, render):
    describe()
    obj.describe()
    render()
def test_local():
    def describe():
        pass
    describe()
"#,
        &["test_it -> describe", "test_local -> test_local.describe"],
    );
}

#[test]
fn supertypes_are_asked_in_order() {
    check(
        r#"
#- m.py
class Base:
    def who(self):
        pass
    def only(self):
        self.who()
class Left(Base):
    def who(self):
        super().who()
class Right(Base):
    def who(self):
        super().who()
class Both(Left, Right):
    def who(self):
        super().who()
    def call(self):
        self.only()
"#,
        &[
            "Base.only -> Base.who",
            "Both.call -> Base.only",
            "Both.who -> Left.who",
            "Left.who -> Base.who",
            "Right.who -> Base.who",
        ],
    );
}

#[test]
fn families_join_declarations() {
    check_kinds(
        r#"
#- m.py
from abc import ABC, abstractmethod
class Base(ABC):
    def __init__(self):
        self.size = 1
    @abstractmethod
    def run(self): ...
    def keep(self): ...
class Mid(Base):
    size = 2
    def keep(self): ...
class Leaf(Mid, metaclass=type):
    def __init__(self): ...
    def run(self): ...
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &["Leaf -> Mid", "Leaf.run -> Base.run", "Mid -> Base", "Mid.keep -> Base.keep"],
    );
}

#[test]
fn types_come_from_annotations_returns_and_chains() {
    check(
        r#"
#- m.py
from __future__ import annotations
from typing import Optional
class Part:
    def use(self): ...
class Whole:
    parts: list[Part]
    def __init__(self, first: Part | None = None):
        self.first = first
    def make(self) -> "Part":
        return Part()
    def itself(self):
        return self
    @classmethod
    def create(cls) -> "Whole":
        return cls()
def f(whole: Optional[Whole], many: list[Whole]):
    whole.first.use()
    whole.itself().make().use()
    for part in whole.parts:
        part.use()
    many[0].itself()
    Whole.create().itself()
def g(x):
    if isinstance(x, Whole):
        x.make()
    x.make()
async def h():
    return Part()
async def i():
    (await h()).use()
"#,
        &[
            "Whole.create -> Whole",
            "Whole.create -> Whole.__init__",
            "Whole.make -> Part",
            "f -> Part.use",
            "f -> Whole.create",
            "f -> Whole.itself",
            "f -> Whole.make",
            "g -> Whole.make",
            "h -> Part",
            "i -> Part.use",
            "i -> h",
        ],
    );
}

#[test]
fn decorators_and_callbacks_are_edges_of_their_own() {
    let project = r#"
#- m.py
import functools
def deco(f):
    return f
def maker(n):
    return deco
@deco
def a(): ...
@maker(1)
def b(): ...
def register(f): ...
def use():
    register(a)
    functools.partial(b, 1)
    handler = a
    handler()
"#;
    check_kinds(project, &[EdgeKind::Decorates], &["a -> deco", "b -> maker"]);
    check_kinds(project, &[EdgeKind::References], &["maker -> deco", "use -> a", "use -> b"]);
    check(project, &["b -> maker", "use -> a", "use -> register"]);
}

#[test]
fn an_import_from_outside_is_a_leaf() {
    check(
        r#"
#- json.py
def other(): ...
#- pkg/__init__.py
#- pkg/json.py
def dumps(): ...
#- pkg/a.py
import json
import requests
from requests import get
from .json import dumps
try:
    from fast import load
except ImportError:
    def load(): ...
def f():
    json.dumps()
    requests.get()
    get()
    load()
    dumps()
#- pkg/client.py
def get(): ...
"#,
        &["f -> dumps"],
    );
}

#[test]
fn a_file_with_an_error_keeps_its_other_edges() {
    check(
        "#- m.py\ndef a():\n    b()\n\ndef broken(:\n    )(\n\ndef b():\n    c()\n\ndef c():\n    pass\n",
        &["a -> b", "b -> c"],
    );
}

#[test]
fn reasons_say_what_the_evidence_is() {
    let graph = graph(
        "#- a.py\nclass A:\n    def m(self):\n        self.n()\n    def n(self):\n        pass\n\
         #- b.py\nfrom a import A\ndef f():\n    a = A()\n    a.m()\ndef g():\n    f()\n",
    );
    let mut reasons: Vec<(String, Reason)> = graph
        .edges()
        .iter()
        .filter(|edge| edge.kind == EdgeKind::Calls || edge.kind == EdgeKind::Instantiates)
        .map(|edge| (graph.symbol(edge.to).qualified.to_string(), edge.reason))
        .collect();
    reasons.sort();
    assert_eq!(
        reasons,
        [
            ("A".to_owned(), Reason::Import),
            ("A.m".to_owned(), Reason::ReceiverType),
            ("A.n".to_owned(), Reason::EnclosingType),
            ("f".to_owned(), Reason::Scope),
        ]
    );
    let call = graph
        .edges()
        .iter()
        .find(|edge| edge.reason == Reason::EnclosingType && edge.kind == EdgeKind::Calls);
    assert_eq!(call.map(|edge| (edge.line, edge.col)), Some((3, 13)));
}

#[test]
fn a_changed_comment_changes_no_caller() {
    let with = |doc: &str| {
        let text =
            format!("#- a.py\nimport b\ndef f():\n    b.greet()\n#- b.py\ndef greet():\n    \"{doc}\"\n");
        super::calls(&text)
    };
    assert_eq!(with("one"), ["f -> greet"]);
    assert_eq!(with("one"), with("another, longer one"));
}

#[test]
fn a_missing_function_is_found_once_it_is_there() {
    let with =
        |body: &str| super::calls(&format!("#- a.py\nimport b\ndef f():\n    b.greet()\n#- b.py\n{body}\n"));
    assert_eq!(with("x = 1"), Vec::<String>::new());
    assert_eq!(with("def greet(): ..."), ["f -> greet"]);
}

#[test]
fn tests_of_a_type_narrow_what_they_guard() {
    check(
        r#"
#- a.py
class Node:
    pass
class Leaf(Node):
    def pull(self): ...
    def push(self): ...
def both(node): return isinstance(node, Leaf) and node.pull()
def third(node, flag): return flag and isinstance(node, Leaf) and node.pull()
def either(node): return not isinstance(node, Leaf) or node.pull()
def nested(node, flag):
    if isinstance(node, Leaf) and flag and node.pull():
        node.push()
def chosen(node): return node.pull() if isinstance(node, Leaf) else None
def listed(nodes): return [node.pull() for node in nodes if isinstance(node, Leaf)]
def looped(node):
    while isinstance(node, Leaf):
        node.push()
def early(node):
    if not isinstance(node, Leaf):
        return
    node.push()
def other(node): return isinstance(node, Leaf) or node.pull()
def inverse(node): return None if isinstance(node, Leaf) else node.pull()
"#,
        &[
            "both -> Leaf.pull",
            "chosen -> Leaf.pull",
            "early -> Leaf.push",
            "either -> Leaf.pull",
            "listed -> Leaf.pull",
            "looped -> Leaf.push",
            "nested -> Leaf.pull",
            "nested -> Leaf.push",
            "third -> Leaf.pull",
        ],
    );
}

#[test]
fn the_class_of_a_class_method_is_the_enclosing_type() {
    let graph = graph("#- a.py\nclass A:\n    @classmethod\n    def make(cls):\n        return cls()\n");
    let made = graph.edges().iter().find(|edge| edge.kind == EdgeKind::Instantiates).unwrap();
    assert_eq!((made.reason, made.confidence.0), (Reason::EnclosingType, 95));
}

#[test]
fn packages_that_open_each_other_are_looked_through_once() {
    let count = 60;
    let opened = (0..count).map(|at| format!("from .m{at} import *\n"));
    let modules = (0..count).map(|at| {
        let next = (at + 1) % count;
        format!("#- pkg/m{at}.py\nfrom pkg import *\ndef g{at}():\n    return nowhere() + g{next}()\n")
    });
    let graph =
        graph(&format!("#- pkg/__init__.py\n{}{}", opened.collect::<String>(), modules.collect::<String>()));
    let calls = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls);
    let next = |from: &str| format!("g{}", (from[1..].parse::<usize>().unwrap() + 1) % count);
    let mut found = 0;
    for edge in calls {
        assert_eq!(graph.symbol(edge.to).name, next(&graph.symbol(edge.from).name));
        found += 1;
    }
    assert_eq!(found, count);
}
