//! Calls of values of slots.

use super::check_kinds;
use crate::resolve::EdgeKind;

#[test]
fn a_call_of_what_is_generic_over_a_slot_is_no_call_of_it() {
    let check = |project: &str, expected: &[&str]| check_kinds(project, &[EdgeKind::Invokes], expected);
    check(
        r#"
//- r.go
package m
type H1 func(int)
type Provider[T any] func() T
type List[T any] []T
func provided(p Provider[H1]) { p() }
func listed(l List[H1]) { l[0](1) }
func each(l List[H1]) {
	for _, h := range l { h(1) }
}
"#,
        &["each -> H1", "listed -> H1"],
    );
    check(
        r#"
//- r.ts
import { Accessor } from "elsewhere";
type A = (x: string) => void;
type Lazy<T> = () => T;
type List<T> = T[];
interface Ref<T> { (): T }
export function ref(r: Ref<A>) { return r(); }
export function lazy(l: Lazy<A>) { return l(); }
export function outside(l: Accessor<A>) { return l(); }
export function listed(l: List<A>) { l[0]("x"); }
export function either(h: A | ((x: number) => void)) { h("x"); }
export function maybe(h?: A | null) { h("x"); }
export function ended(h: A | (() => void)) { h("x"); }
"#,
        &["ended -> A", "listed -> A", "maybe -> A"],
    );
    check(
        r#"
//- src/lib.rs
pub type Handler = fn(&str) -> bool;
struct Bus { boxed: Box<Handler>, cell: Cell<Handler> }
impl Bus {
    fn emit(&self, text: &str) { (self.boxed)(text); }
    fn other(&self, text: &str) { (self.cell)(text); }
}
"#,
        &["Bus::emit -> Handler"],
    );
}

#[test]
fn a_function_of_a_block_hides_the_parameter_of_its_name() {
    let project = r#"
//- a.ts
type A = (x: string) => void;
function shadow(a: A) {
  { const a = (x: string) => {}; a("z"); }
}
function outside(a: A) {
  { const a = (x: string) => {}; }
  a("z");
}
function object(a: A) {
  return () => { return { a(x: string) { a("y"); } }; };
}
function twice(on: boolean) {
  const a: A = (x) => {};
  if (on) { const a = (x: string) => {}; a("y"); } else { a("z"); }
}
"#;
    check_kinds(project, &[EdgeKind::Invokes], &["object.a -> A", "outside -> A"]);
    check_kinds(project, &[EdgeKind::Calls], &["shadow -> shadow.a", "twice -> twice.a"]);
    // What a macro is given is no block.
    check_kinds(
        r#"
//- src/lib.rs
macro_rules! items { ($($t:tt)*) => { $($t)* } }
fn run() {
    items! { fn helper() {} }
    helper();
}
fn other(a: fn(u8)) {
    { fn a(x: u8) {} a(1); }
}
"#,
        &[EdgeKind::Calls],
        &["other -> other::a", "run -> items", "run -> run::helper"],
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
