//! Functions that fill slots.

use super::check_kinds;
use crate::resolve::EdgeKind;

fn check_fills(project: &str, expected: &[&str]) {
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
fn what_one_object_is_told_to_do_is_no_choice() {
    check_fills(
        r#"
//- src/lib.rs
struct Config;
impl Config { fn one(&mut self, x: u8) {} fn two(&mut self, x: u8) {} }
impl Config { fn three(&mut self, x: u8) {} }
fn set(kind: u8, config: &mut Config) {
    match kind { 1 => config.one(1), 2 => config.two(1), _ => config.three(1) }
}
"#,
        &[],
    );
    check_fills(
        "//- A.java\nclass Other { void a(int x) {} void b(int x) {} void c(int x) {} }\nclass A {\n    \
         void run(Other other, int x) {\n        switch (x) {\n            case 1: other.a(x); break;\n            \
         case 2: other.b(x); break;\n            default: other.c(x);\n        }\n    }\n}\n",
        &[],
    );
    check_fills(
        "//- a.kt\nclass Other { fun a(x: Int) {}\n fun b(x: Int) {}\n fun c(x: Int) {} }\nfun run(other: Other, x: Int) {\n    \
         when (x) {\n        1 -> other.a(x)\n        2 -> other.b(x)\n        else -> other.c(x)\n    }\n}\n",
        &[],
    );
    check_fills(
        "//- a.py\nclass Other:\n    def a(self, x): ...\n    def b(self, x): ...\n    def c(self, x): ...\n\
         def run(other: Other, x):\n    match x:\n        case 1: other.a(x)\n        case 2: other.b(x)\n        \
         case 3: other.c(x)\n",
        &[],
    );
}

#[test]
fn functions_that_arms_choose_between_fill_the_chooser() {
    check_fills(
        r#"
//- src/lib.rs
enum Command { Get(Get), Set(Set), Del(Del), Odd, Twice, Own }
struct Get; struct Set; struct Del;
impl Get { fn apply(self, db: &str) -> bool { true } }
impl Set { fn apply(self, db: &str) -> bool { true } }
impl Del { fn apply(self, db: &str) -> bool { true } }
fn odd() {}
fn help(text: &str) -> bool { true }
impl Command {
    fn apply(self, db: &str) -> bool {
        match self {
            Command::Get(get) => get.apply(db),
            Command::Set(set) => set.apply(db),
            Command::Del(del) => { del.apply(db) }
            Command::Odd => { odd(); true }
            Command::Twice => help(db) && { odd(); true },
            Command::Own => self.own(db),
        }
    }
    fn own(&self, db: &str) -> bool { true }
}
"#,
        &["Del::apply -> Command::apply", "Get::apply -> Command::apply", "Set::apply -> Command::apply"],
    );
    // Steps of one object's work are no alternatives.
    check_fills(
        r#"
//- src/lib.rs
enum State { Head, Body, Tail }
struct Parser { state: State }
impl Parser {
    fn run(&mut self) -> bool {
        match self.state {
            State::Head => self.head(),
            State::Body => self.body(),
            State::Tail => self.tail(),
        }
    }
    fn head(&mut self) -> bool { true }
    fn body(&mut self) -> bool { true }
    fn tail(&mut self) -> bool { true }
}
"#,
        &[],
    );
    let expected = ["a -> run", "b -> run", "c -> run"];
    check_fills(
        "//- a.py\ndef a(x): ...\ndef b(x): ...\ndef c(x): ...\ndef run(x):\n    match x:\n        case 1:\n            a(x)\n        \
         case 2:\n            b(x)\n        case 3:\n            return c(x)\n",
        &expected,
    );
    check_fills(
        "//- a.ts\nfunction a(x: number) {}\nfunction b(x: number) {}\nfunction c(x: number) {}\nfunction run(x: number) {\n  \
         switch (x) {\n    case 1: a(x); break;\n    case 2: b(x); break;\n    case 3: return c(x);\n  }\n}\n",
        &expected,
    );
    check_fills(
        "//- a.go\npackage m\nfunc a(x int) {}\nfunc b(x int) {}\nfunc c(x int) {}\nfunc run(x int) {\n\tswitch x {\n\
         \tcase 1:\n\t\ta(x)\n\tcase 2:\n\t\tb(x)\n\tcase 3:\n\t\tc(x)\n\t}\n}\n",
        &expected,
    );
    check_fills(
        "//- a.kt\nfun a(x: Int) {}\nfun b(x: Int) {}\nfun c(x: Int) {}\nfun run(x: Int) {\n    when (x) {\n        1 -> a(x)\n        \
         2 -> b(x)\n        else -> c(x)\n    }\n}\n",
        &expected,
    );
    check_fills(
        "//- A.java\nclass Other { static void a(int x) {} static void b(int x) {} static void c(int x) {} }\nclass A {\n    \
         void run(int x) {\n        switch (x) {\n            case 1: Other.a(x); break;\n            case 2: Other.b(x); break;\n            \
         default: Other.c(x);\n        }\n    }\n}\n",
        &["Other.a -> A.run", "Other.b -> A.run", "Other.c -> A.run"],
    );
}

#[test]
fn a_call_of_a_value_of_a_slot_invokes_it() {
    let check = |project: &str, expected: &[&str]| check_kinds(project, &[EdgeKind::Invokes], expected);
    check(
        r#"
//- chain.go
package chain
type Handler func(*Context)
type Undo func()
type Chain []Handler
type Context struct { chain Chain; at int; last Handler; undo Undo }
func (c *Context) Next() { c.chain[c.at](c) }
func (c *Context) Last() { c.last(c) }
func (c *Context) Undo() { c.undo() }
func (c Chain) all(x *Context) {
	for _, link := range c { link(x) }
}
func one(handlers map[string]Handler, x *Context) { handlers["a"](x) }
func two(handler Handler, x *Context) {
	same := handler
	same(x)
	var other func(*Context) = handler
	other(x)
}
"#,
        &[
            "Chain.all -> Handler",
            "Context.Last -> Handler",
            "Context.Next -> Handler",
            "one -> Handler",
            "two -> Handler",
        ],
    );
    check(
        r#"
//- a.ts
type Handler = (event: string) => void;
class Bus {
  private handlers: Handler[] = [];
  private first?: Handler;
  emit(event: string) {
    for (const handler of this.handlers) handler(event);
  }
  start(event: string) { this.first(event); this.handlers[0](event); }
}
function run(handler: Handler) { handler("a"); }
function plain(handler: (event: string) => void) { handler("a"); }
"#,
        &["Bus.emit -> Handler", "Bus.start -> Handler", "run -> Handler"],
    );
    check(
        r#"
//- a.py
from typing import Callable
Handler = Callable[[str], None]
class Bus:
    handlers: list[Handler]
    def emit(self, text: str) -> None:
        for handler in self.handlers:
            handler(text)
        self.handlers[0](text)
def run(handler: Handler) -> None:
    handler("a")
"#,
        &["Bus.emit -> Handler", "run -> Handler"],
    );
    check(
        r#"
//- a.kt
package a
typealias Handler = (String) -> Unit
class Bus(private val handlers: List<Handler>) {
    fun emit(text: String) {
        for (handler in handlers) handler(text)
    }
    fun first(text: String) { handlers[0](text) }
}
fun run(handler: Handler) { handler("a") }
"#,
        &["Bus.emit -> Handler", "Bus.first -> Handler", "run -> Handler"],
    );
    check(
        r#"
//- src/lib.rs
pub type Handler = fn(&str) -> bool;
struct Bus { handlers: Vec<Handler>, one: Handler }
impl Bus {
    fn emit(&self, text: &str) {
        for handler in &self.handlers { handler(text); }
        (self.one)(text);
    }
    fn first(&self, text: &str) { self.handlers[0](text); }
}
fn run(handler: Handler) { handler("a"); }
"#,
        &["Bus::emit -> Handler", "Bus::first -> Handler", "run -> Handler"],
    );
}
