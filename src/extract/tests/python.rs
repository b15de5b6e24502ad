//! What Python sources say, shape by shape.

use super::{check, check_defs, check_uses};
use expect_test::expect;

#[test]
fn classes_functions_and_docs() {
    check_defs(
        "python",
        r#"
        # A licence.

        """The module."""

        class Store(Base, mod.Other, Generic[T], metaclass=Meta):
            """Keeps rows."""

            limit: int = 3
            table = None

            @functools.cached_property
            def size(self) -> int:
                """How many."""
                return len(self.rows)

            @staticmethod
            def parse(spec): return spec

            @classmethod
            def of(cls, *rows: Row, key=None, **rest) -> "Store": return cls(rows)

            async def load(
                self,
                source: Source,
            ) -> None:
                def helper(): return 1
                class Local:
                    def run(this): return this.go()

            def _hidden(self): ...

        MAX_ROWS = 10
        plain, other = 1, make()
        type Rows = list[Row]
    "#,
        expect![[r#"
            module  doc "\"\"\"The module.\"\"\"" 1-34
              class Store <: Base, mod/Other, Generic<T> "class Store(Base, mod.Other, Generic[T], metaclass=Meta):" doc "\"\"\"Keeps rows.\"\"\"" 5-30
                field limit: int = 'int' "limit: int = 3" 8
                field table = 'None' "table = None" 9
                accessor method size(): int "def size(self) -> int:" doc "\"\"\"How many.\"\"\"" 11-14
                associated method parse(spec) = spec@310 "def parse(spec):" 16-17
                associated method of(rows: [Row], key, rest): Store "def of(cls, *rows: Row, key=None, **rest) -> \"Store\":" 19-20
                method load(source: Source) "async def load(\n        self,\n        source: Source,\n    ) -> None:" 22-28
                  function helper() = 'int' "def helper():" 26
                  class Local "class Local:" 27-28
                    method run() = this.go() "def run(this):" 28
                private method _hidden() "def _hidden(self):" 30
              constant MAX_ROWS = 'int' "MAX_ROWS = 10" 32
              variable plain = 'int' "plain, other = 1, make()" 33
              variable other = make() "plain, other = 1, make()" 33
              type_alias Rows: list<Row> "type Rows = list[Row]" 34
        "#]],
    );
}

#[test]
fn attributes_that_methods_assign_are_fields() {
    check_defs(
        "python",
        r#"
        class Box:
            shared = None

            def __init__(self, size, *, owner: Owner = None):
                self.size = size
                self.left, self.right = size, Side()
                self.shared = Lock()
                other.size = 3
                self.cache: dict[str, Row] = {}

            def fill(self):
                self.size = Size(3)
                self.late = self.left.copy()

        def free(self):
            self.nothing = 1
    "#,
        expect![[r#"
            module  1-16
              class Box "class Box:" 1-13
                field shared = ('None' | Lock()@167) "shared = None" 2
                constructor __init__(size, owner: Owner) "def __init__(self, size, *, owner: Owner = None):" 4-9
                field size = (size | Size()@280) "self.size = size" 5
                field left = size "self.left, self.right = size, Side()" 6
                field right = Side() "self.left, self.right = size, Side()" 6
                field cache: dict<str, Row> = 'dict' "self.cache: dict[str, Row] = {}" 9
                method fill() "def fill(self):" 11-13
                field late = this.left.copy() "self.late = self.left.copy()" 13
              function free(self) "def free(self):" 15-16
        "#]],
    );
}

#[test]
fn imports_and_exports() {
    check(
        "python",
        r#"
        from __future__ import annotations
        import os.path
        import a.b as c
        from . import x, y as z
        from ..pkg.mod import (A, B as BB)
        from q import *
        try:
            import fast
        except ImportError:
            fast = None
        def late():
            from .inner import thing
        __all__ = ["A", 'BB']
        __all__ += ("late",)
    "#,
        expect![[r#"
            module  1-14
              conditional variable fast = 'None' "fast = None" 10
              function late() "def late():" 11-12
              variable __all__ = 'list'<'str'> "__all__ = [\"A\", 'BB']" 13
            reexport import os/path binds root from -
            reexport import a/b as c from -
            reexport import .x from -
            reexport import .y as z from -
            reexport import ..pkg/mod/A from -
            reexport import ..pkg/mod/B as BB from -
            reexport import q/* from -
            reexport import fast from -
            import .inner/thing from late
            exports A, BB, late
            9:7 value ImportError from -
            14:0 value __all__ from -
        "#]],
    );
}

#[test]
fn exports_that_cannot_be_read_are_unknown() {
    check(
        "python",
        r#"
        from . import base
        __all__ = base.__all__ + ["more"]
    "#,
        expect![[r#"
            module  1-2
              variable __all__ "__all__ = base.__all__ + [\"more\"]" 2
            reexport import .base from -
            2:10 value base from __all__
            2:15 value base . __all__ from __all__
        "#]],
    );
}

#[test]
fn bindings_have_values_and_scopes() {
    check_uses(
        "python",
        r#"
        def run(rows, key: Key = default()):
            with open(rows) as f, lock:
                f.read()
            for i, (p, q) in pairs(rows):
                p.go(q)
            try:
                risky()
            except (ValueError, Err) as e:
                e.show()
            names = [t.name for t in rows if (w := t.w())]
            send = lambda v, n=1: v.go(n)
            rows.sort(key=lambda r: r.day)
            async with session() as s:
                pass
            if isinstance(key, Special) and names:
                key.special()
            assert isinstance(rows, Rows)
            rows.only()
            global counter
            counter = 1
            a, b = rows
    "#,
        expect![[r#"
            parameter rows in 1-21
            parameter key: Key in 1-21
            local f = open(rows)? in 1-21
            local i = pairs(rows)[].0 in 1-21
            local p = pairs(rows)[].1.0 in 1-21
            local q = pairs(rows)[].1.1 in 1-21
            local e: union<ValueError, Err> in 1-21
            local names = 'list'<t.name@226> in 1-21
            local send = lambda v.go(n) in 1-21
            local s = session()? in 1-21
            local a = rows.0 in 1-21
            local b = rows.1 in 1-21
            local t = rows[] in 10-10
            local w = t.w() in 10-10
            parameter v in 11-11
            parameter n in 11-11
            parameter r in 12-12
            narrowed key: Special in 15-15
            narrowed key: Special in 16-16
            narrowed rows: Rows in 17-21
            1:19 type Key from run
            1:25 call default/0 from run
            2:9 call open/1 from run
            2:14 value rows from run
            2:26 value lock from run
            3:8 value f from run
            3:10 call f . read/0 from run
            4:21 call pairs/1 from run
            4:27 value rows from run
            5:8 value p from run
            5:10 call p . go/1 from run
            5:13 value q from run
            7:8 call risky/0 from run
            8:12 value ValueError from run
            8:24 value Err from run
            9:8 value e from run
            9:10 call e . show/0 from run
            10:13 value t from run
            10:15 value t . name from run
            10:29 value rows from run
            10:43 value t from run
            10:45 call t . w/0 from run
            11:26 value v from run
            11:28 call v . go/1 from run
            11:31 value n from run
            12:4 value rows from run
            12:9 call rows . sort/1 from run
            12:28 value r from run
            12:30 value r . day from run
            13:15 call session/0 from run
            15:7 call isinstance/2 from run
            15:18 value key from run
            15:23 value Special from run
            15:36 value names from run
            16:8 value key from run
            16:12 call key . special/0 from run
            17:11 call isinstance/2 from run
            17:22 value rows from run
            17:28 value Rows from run
            18:4 value rows from run
            18:9 call rows . only/0 from run
            21:11 value rows from run
        "#]],
    );
}

#[test]
fn annotations_are_types() {
    check_uses(
        "python",
        r#"
        x: Optional["a.Foo"] = None
        y: "Bar | None" = None
        z: Union[A, B]
        def f(cb: Callable[[int, "Q"], Res], rows: list[Row] | None) -> Annotated[Out, meta(1)]: ...
    "#,
        expect![[r#"
        parameter cb: fn<int, Q, Res> in 4-4
        parameter rows: list<Row> in 4-4
        1:3 type Optional from x
        1:15 type a . Foo from x
        2:4 type Bar from y
        3:3 type Union from z
        3:9 type A from z
        3:12 type B from z
        4:10 type Callable from f
        4:20 type int from f
        4:31 type Res from f
        4:43 type list from f
        4:48 type Row from f
        4:64 type Annotated from f
        4:74 type Out from f
        4:79 call meta/1 from f
    "#]],
    );
}

#[test]
fn results_without_annotation_come_from_returns() {
    check_defs(
        "python",
        r#"
        def pick(x):
            if x:
                return First(x)
            return Second() if x is None else x.other
        def stated() -> int: return 1
        def generator():
            yield 1
            return 2
        def outer():
            def inner(): return Inner()
            return inner
    "#,
        expect![[r#"
            module  1-11
              function pick(x) = (First(x)@38 | Second()@58 | x.other@58) "def pick(x):" 1-4
              function stated(): int "def stated() -> int:" 5
              function generator() = 'Generator'<'int'> "def generator():" 6-8
              function outer() = inner@221 "def outer():" 9-11
                function inner() = Inner()@202 "def inner():" 10
        "#]],
    );
}

#[test]
fn decorators_belong_to_what_they_decorate() {
    check_uses(
        "python",
        r#"
        @register("x", kind=Kind.A)
        @mod.wrap
        def run(): pass
        class A(base()):
            @run.setter
            def x(self, v): super().x(v)
    "#,
        expect![[r#"
        parameter self: Self = this in 6-6
        parameter v in 6-6
        1:1 decorator register/2 from run
        1:20 value Kind from run
        1:25 value Kind . A from run
        2:1 value mod from run
        2:5 decorator mod . wrap from run
        4:8 call base/0 from A
        5:5 value run from A.x
        5:9 decorator run . setter from A.x
        6:20 call super/0 from A.x
        6:28 call super . x/1 from A.x
        6:30 value v from A.x
    "#]],
    );
}

#[test]
fn conditions_and_repeated_assignments() {
    check_defs(
        "python",
        r#"
        if TYPE_CHECKING:
            def only_types(): ...
        else:
            limit = 1
        limit = 2
        class A:
            if sys.platform == "win32":
                def x(self): ...
        def test_it(): pass
    "#,
        expect![[r#"
        module  1-9
          conditional function only_types() "def only_types():" 2
          conditional variable limit = 'int' "limit = 1" 4
          class A "class A:" 6-8
            conditional method x() "def x(self):" 8
          test function test_it() "def test_it():" 9
    "#]],
    );
}

#[test]
fn broken_functions_leave_the_others() {
    check_defs(
        "python",
        r#"
        class C:
            def good(self): return 1

            def broken(self:
                pass

            def next(self): return 2

        def after(): return C()

        """
        def not_code(): pass
        """
    "#,
        expect![[r#"
            module  1-13
              class C "class C:" 1-7
                method good() = 'int' "def good(self):" 2
                method broken() "def broken(self:" 4-5
                method next() = 'int' "def next(self):" 7
              function after() = C()@124 "def after():" 9
            error 4-9
            error 5-7
            error 7-9
            error 9-9
        "#]],
    );
}

#[test]
fn a_line_end_that_is_missing_is_an_error() {
    let cases = [
        ("ok = 1\n1syntax_error\n", &[(8, 8)][..]),
        ("def f():\n    1; 2syntax_error\n", &[(16, 17)]),
        ("x = 1; y = 2", &[]),
        ("x = 1  # y", &[]),
    ];
    for (text, expected) in cases {
        let facts = crate::extract::extract(crate::lang::by_name("python").unwrap(), text);
        let errors: Vec<(u32, u32)> = facts.errors.iter().map(|span| (span.start, span.end)).collect();
        assert_eq!(errors, expected, "{text}");
    }
}
