//! Functions that fill slots.

use super::{check_kinds, graph};
use crate::resolve::EdgeKind;

#[track_caller]
pub(super) fn check_fills(project: &str, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    check_kinds(project, &[EdgeKind::Fills], &expected);
}

#[test]
fn what_gives_or_is_handed_as_a_named_function_type_fills_it() {
    check_fills(
        r#"
//- chain.go
package chain
type Handler func(*Context)
type Chain []Handler
type Context struct{}
func Logger(prefix string) Handler { return func(c *Context) { print(prefix) } }
func Wrapped() Handler { return Logger("") }
func (c Chain) Last() Handler { return c[0] }
func Use(first string, handlers ...Handler) {}
func direct(c *Context) {}
func second(c *Context) {}
type server struct{}
func (s *server) list(c *Context) {}
func setUp(s *server, plain Handler) {
	Use("a", direct, second, plain)
	Use("b", s.list, Logger("c"))
	print(direct)
}
"#,
        &["Logger -> Handler", "direct -> Handler", "second -> Handler", "server.list -> Handler"],
    );
    check_fills(
        r#"
//- a.ts
export type Handler = (event: string) => void;
export function on(name: string, handler: Handler | undefined) {}
//- b.ts
import { on, type Handler } from "./a";
function first(event: string) {}
function second(event: string) {}
class Box {
  third(event: string) {}
  start() { on("c", this.third); }
}
function made(level: number): Handler { return (event) => {}; }
const declared: Handler = (event) => {};
const untyped = (event: string) => {};
on("a", first);
on("b", second);
function other(first: Handler) { on("a", first); }
"#,
        &[
            "first -> Handler",
            "second -> Handler",
            "Box.third -> Handler",
            "made -> Handler",
            "declared -> Handler",
        ],
    );
    check_fills(
        r#"
//- a.py
from typing import Callable
Handler = Callable[[str], None]
def register(name: str, handler: Handler) -> None: ...
def plain(handler): ...
//- b.py
from a import register, plain, Handler
def first(text): ...
def second(text): ...
def made() -> Handler:
    def inner(text): ...
    return inner
register("a", first)
register("b", handler=second)
plain(second)
"#,
        &["first -> Handler", "made -> Handler"],
    );
    check_fills(
        r#"
//- a.kt
package a
typealias Handler = (String) -> Unit
fun interface Listener { fun heard(text: String) }
fun register(name: String, handler: Handler) {}
fun listen(listener: Listener) {}
fun first(text: String) {}
fun second(text: String) {}
fun made(): Handler = { text -> first(text) }
fun start() {
    register("a", ::first)
    listen(::second)
}
"#,
        &["first -> Handler", "second -> Listener", "made -> Handler"],
    );
    check_fills(
        r#"
//- src/lib.rs
pub type Handler = fn(&str) -> bool;
pub fn register(name: &str, handler: Handler) {}
fn first(text: &str) -> bool { true }
fn start() { register("a", first); }
"#,
        &["first -> Handler"],
    );
    check_fills(
        r#"
//- a/Bus.java
package a;
interface Listener { void heard(String text); }
class Bus {
    void listen(Listener listener) {}
    static void first(String text) {}
    void start() { listen(Bus::first); }
}
"#,
        &["Bus.first -> Listener"],
    );
}

#[test]
fn a_function_type_that_takes_nothing_is_no_slot() {
    check_fills(
        r#"
//- a.ts
type Undo = () => void;
export function subscribe(name: string): Undo { return () => {}; }
export function end(undo: Undo) {}
function quiet() {}
end(quiet);
"#,
        &[],
    );
}

#[test]
fn functions_of_one_shape_in_a_list_fill_it() {
    check_fills(
        r#"
//- a.py
def one(x): ...
def two(x): ...
def three(x): ...
def odd(x, y): ...
def key(x): ...
TABLE = {"one": one, "two": two, "three": three, "odd": odd, "four": sorted([], key=key)}
PAIR = [one, two]
made = build(one, two, three)
"#,
        &["one -> TABLE", "three -> TABLE", "two -> TABLE"],
    );
    check_fills(
        r#"
//- a.ts
function one(x: number) {}
function two(x: number) {}
function three(x: number) {}
export const table = { one, two: two, "three": three };
export function run(kind: keyof typeof table) { table[kind](1); }
"#,
        &["one -> table", "three -> table", "two -> table"],
    );
}

#[test]
fn the_operations_of_one_object_fill_nothing() {
    check_fills(
        r#"
//- a.ts
function open(x: string) {}
function shut(x: string) {}
function read(x: string) {}
interface Api { open(x: string): void; shut(x: string): void; read(x: string): void }
type Table = Partial<Record<string, (x: string) => void>>;
export const plain = { open, shut, read };
export const typed: Api = { open, shut, read };
export const listed: { open: typeof open; shut: typeof shut; read: typeof read } = { open, shut, read };
export const map: Table = { open, shut, read };
export const keyed: { [kind: string]: (x: string) => void } = { open, shut, read };
const asked = { open, shut, read };
function ask(kind: string) { const found = asked[kind]; found("x"); }
plain.open("x");
"#,
        &[
            "open -> asked",
            "open -> keyed",
            "open -> map",
            "read -> asked",
            "read -> keyed",
            "read -> map",
            "shut -> asked",
            "shut -> keyed",
            "shut -> map",
        ],
    );
    check_fills(
        "//- a.js\nfunction one(x) {}\nfunction two(x) {}\nfunction three(x) {}\nmodule.exports = { one, two, three };\n",
        &[],
    );
    check_fills(
        r#"
//- a.go
package m
type Ops struct { open, shut, read func(string) error }
type Row struct { name string; run func(string) error }
type Table map[string]func(string) error
func open(s string) error { return nil }
func shut(s string) error { return nil }
func read(s string) error { return nil }
var ops = Ops{open: open, shut: shut, read: read}
var more = &Ops{open, shut, read}
var table = map[string]func(string) error{"open": open, "shut": shut, "read": read}
var named = Table{"open": open, "shut": shut, "read": read}
var rows = []Row{{"open", open}, {"shut", shut}, {name: "read", run: read}}
"#,
        &[
            "open -> named",
            "open -> rows",
            "open -> table",
            "read -> named",
            "read -> rows",
            "read -> table",
            "shut -> named",
            "shut -> rows",
            "shut -> table",
        ],
    );
    check_fills(
        r#"
//- src/lib.rs
struct Ops { open: fn(&str) -> bool, shut: fn(&str) -> bool, read: fn(&str) -> bool }
fn open(s: &str) -> bool { true }
fn shut(s: &str) -> bool { true }
fn read(s: &str) -> bool { true }
static OPS: Ops = Ops { open: open, shut: shut, read: read };
static LIST: [fn(&str) -> bool; 3] = [open, shut, read];
"#,
        &["open -> LIST", "read -> LIST", "shut -> LIST"],
    );
}

#[test]
fn an_argument_fills_the_parameter_that_takes_it() {
    // A method that is called by its type is handed the instance first.
    check_fills(
        r#"
//- r.go
package m
type H1 func(int)
type H2 func(string)
type R struct{}
func one(int) {}
func two(string) {}
func (r *R) On(a H1, b H2) {}
func expression(r *R) { (*R).On(r, one, two) }
"#,
        &["one -> H1", "two -> H2"],
    );
    check_fills(
        r#"
//- src/lib.rs
pub type H1 = fn(u8);
pub type H2 = fn(&str);
fn one(x: u8) {}
fn two(x: &str) {}
pub struct R;
impl R {
    pub fn on(&mut self, a: H1, b: H2) {}
    pub fn all(a: H1, b: H2) {}
}
fn use_it(r: &mut R) { R::on(r, one, two); R::all(one, two); }
"#,
        &["one -> H1", "two -> H2"],
    );
    check_fills(
        r#"
//- r.py
from typing import Callable
HandA = Callable[[str], int]
HandB = Callable[[int], int]
def fa(x): return 1
def fb(x): return 2
class R:
    def __init__(self, b: HandB, a: HandA): pass
    def on(self, b: HandB, a: HandA): pass
    @staticmethod
    def of(b: HandB, a: HandA): pass
class S(R):
    def __init__(self):
        R.__init__(self, fb, fa)
r = S()
R.on(r, fb, fa)
R.of(fb, fa)
"#,
        &["fa -> HandA", "fb -> HandB"],
    );
    // What takes any number takes all that follow, wherever it stands.
    check_fills(
        r#"
//- r.kt
package p
typealias H1 = (Int) -> Unit
typealias H2 = (String) -> Unit
fun one(x: Int) {}
fun two(x: String) {}
fun three(x: Int) {}
fun va(vararg hs: H1, last: H2) {}
fun go() { va(::one, ::three, last = ::two) }
"#,
        &["one -> H1", "three -> H1"],
    );
    // Behind what stands for any number nothing has a place.
    check_fills(
        r#"
//- a.ts
type A = (x: string) => void;
type B = (x: number) => void;
function on(a: A, b: B) {}
function fa(x: string) {}
function fb(x: number) {}
function run(rest: A[]) { on(...rest, fb); on(fa, ...rest); }
"#,
        &["fa -> A"],
    );
}

#[test]
fn an_argument_that_may_fill_either_of_two_slots_fills_none() {
    check_fills(
        r#"
//- a.ts
type A = (x: string) => void;
type B = (x: number) => void;
type Undo = () => void;
function fa(x: string) {}
function fb(x: number) {}
function fc(x: number) {}
function either(h: A | B) { h(1); }
function unnamed(h: A | ((x: number) => void)) {}
function undo(h: A | Undo) {}
function quiet() {}
function fd(x: string) {}
function one(h: A | null | undefined | string) {}
either(fb);
unnamed(fb);
undo(fd);
undo(quiet);
one(fa);
"#,
        &["fa -> A", "fd -> A"],
    );
    check_fills(
        r#"
//- a.py
from typing import Callable, Optional, Union
HandA = Callable[[str], int]
HandB = Callable[[int], int]
def fa(x): ...
def fb(x): ...
def either(h: Union[HandA, HandB]): h(1)
def maybe(h: Optional[HandA]): ...
either(fb)
maybe(fa)
"#,
        &["fa -> HandA"],
    );
}

#[test]
fn an_object_is_a_table_where_it_is_asked_itself() {
    let project = |used: &str| {
        format!(
            "//- a.ts\nfunction open(p: string) {{}}\nfunction shut(p: string) {{}}\nfunction read(p: string) {{}}\n\
             const ops = {{ open, shut, read }};\nclass Other {{ ops: string[] = []; }}\n{used}\n"
        )
    };
    for used in [
        "export function other(ops: string[], i: number) { return ops[i]; }",
        "export function other(x: Other, i: number) { return x.ops[i]; }",
        "export function other() { const ops = ['a']; for (const i of [1]) print(ops[i]); }",
        "export function other() { ops[\"open\"](\"a\"); }",
    ] {
        check_fills(&project(used), &[]);
    }
    for used in [
        "export function other(kind: keyof typeof ops) { return ops[kind]; }",
        "export function other(kind: keyof typeof ops) { return run(ops[kind], kind); }",
    ] {
        check_fills(&project(used), &["open -> ops", "read -> ops", "shut -> ops"]);
    }
}

#[test]
fn what_a_function_gives_is_what_is_written_in_it() {
    let sites = |project: &str| -> Vec<String> {
        let graph = graph(project);
        let text = project.split_once('\n').unwrap().1;
        let fills = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Fills);
        fills.map(|edge| edge.site.of(text).split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(
        sites(
            "//- a.go\npackage m\ntype Handler func(*C)\ntype C struct{}\nfunc Auth(p string) Handler {\n\tpairs := make(p)\n\
             \tprint(func() {})\n\treturn func(c *C) { check(pairs) }\n}\n"
        ),
        ["func(c *C) { check(pairs) }"]
    );
    assert_eq!(
        sites(
            "//- a.ts\ntype Handler = (e: string) => void;\nfunction made(x: number): Handler {\n  const users = load((y) => y);\n  \
             return (e) => check(users, e);\n}\nconst other = (x: number): Handler => (e) => { check(x, e); };\n"
        ),
        ["(e) => check(users, e)", "(e) => { check(x, e); }"]
    );
    assert_eq!(
        sites(
            "//- a.py\nfrom typing import Callable\nHandler = Callable[[str], None]\ndef made() -> Handler:\n    \
             config = read(lambda x: x)\n    def inner(text):\n        return config\n    return inner\n"
        ),
        ["def inner(text): return config"]
    );
    assert_eq!(
        sites(
            "//- a.kt\npackage a\ntypealias Handler = (String) -> Unit\nfun made(): Handler = { text -> first(text) }\n"
        ),
        ["{ text -> first(text) }"]
    );
}
