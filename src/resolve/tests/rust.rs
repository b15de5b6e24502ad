//! Rust.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn a_member_of_a_field_is_no_recursion() {
    check(
        r#"
//- src/lib.rs
struct Mailer;
impl Mailer { fn send(&self) {} }
struct Known { mailer: Mailer }
impl Known { fn send(&self) { self.mailer.send() } }
struct Unknown<T> { mailer: T }
impl<T> Unknown<T> { fn send(&self) { self.mailer.send() } }
"#,
        &["Known::send -> Mailer::send"],
    );
}

#[test]
fn members_of_blocks_belong_to_the_type() {
    let project = r#"
//- src/lib.rs
pub trait Source { fn pull(&self); fn size(&self) -> usize { 0 } }
pub struct Buf<T> { inner: T }
impl<T> Source for Buf<T> { fn pull(&self) {} }
pub struct View<'a> { bytes: &'a [u8] }
impl<'a> Source for View<'a> { fn pull(&self) {} }
pub struct Foo;
impl Source for &Foo { fn pull(&self) {} }
impl Foo { fn pull_all(&self) {} fn size(&self) -> usize { 1 } }
"#;
    check_kinds(project, &[EdgeKind::Implements], &["Buf -> Source", "Foo -> Source", "View -> Source"]);
    check_kinds(
        project,
        &[EdgeKind::Overrides],
        &["Buf::pull -> Source::pull", "Foo::pull -> Source::pull", "View::pull -> Source::pull"],
    );
    check_kinds(
        project,
        &[EdgeKind::Contains],
        &[
            "Buf -> Buf::inner",
            "Buf -> Buf::pull",
            "Foo -> Foo::pull",
            "Foo -> Foo::pull_all",
            "Foo -> Foo::size",
            "Source -> Source::pull",
            "Source -> Source::size",
            "View -> View::bytes",
            "View -> View::pull",
            "src/lib.rs -> Buf",
            "src/lib.rs -> Foo",
            "src/lib.rs -> Source",
            "src/lib.rs -> View",
        ],
    );
}

#[test]
fn bounds_say_what_a_call_means() {
    check(
        r#"
//- src/lib.rs
mod a;
struct Decoy;
impl Decoy { fn find(&self) {} }
fn bound<M: a::b::Matcher>(m: M) { m.find(); }
fn listed<M>(m: &M) where M: a::b::Matcher { m.find(); m.base(); }
fn some(m: impl a::b::Matcher) { m.find() }
fn dynamic(m: &dyn a::b::Matcher, n: Box<dyn a::b::Matcher>) { m.find(); n.find(); }
fn nothing<T>(t: T) { t.find() }
impl a::b::Matcher for Decoy { fn find(&self) {} }
struct Held<M: a::b::Matcher> { matcher: M }
impl<M: a::b::Matcher> Held<M> { fn go(&self) { self.matcher.find() } }
//- src/a/mod.rs
pub mod b;
//- src/a/b.rs
pub trait Base { fn base(&self) {} }
pub trait Matcher: Base { fn find(&self); }
"#,
        &[
            "Held::go -> Matcher::find",
            "bound -> Matcher::find",
            "dynamic -> Matcher::find",
            "listed -> Base::base",
            "listed -> Matcher::find",
            "some -> Matcher::find",
        ],
    );
}

#[test]
fn functions_passed_by_name_are_references() {
    let project = r#"
//- src/lib.rs
struct S;
impl S { fn make(n: u8) -> S { S } fn each(&self) {} }
fn helper(n: u8) -> u8 { n }
fn f(v: Vec<u8>) {
    v.iter().map(helper);
    v.iter().map(S::make);
    let call = helper;
    call(1);
}
"#;
    check_kinds(project, &[EdgeKind::References], &["S::make -> S", "f -> S", "f -> S::make", "f -> helper"]);
    check(project, &["f -> helper"]);
}

#[test]
fn a_name_of_another_thing_does_not_bind() {
    check(
        r#"
//- src/lib.rs
struct Thing;
impl Thing { fn describe(&self) {} fn push(&mut self, n: u8) {} }
fn check_it() {
    fn describe() {}
    describe();
    let mut v = Vec::new();
    v.push(1);
    let describe = || ();
    describe();
    std::mem::drop(v);
}
fn drop() {}
"#,
        &["check_it -> check_it::describe"],
    );
}

#[test]
fn qualified_calls_and_blankets() {
    check(
        r#"
//- src/lib.rs
pub trait Read { fn poll(&self); }
pub trait ReadExt: Read { fn read(&self) { self.poll() } }
impl<R: Read> ReadExt for R {}
pub struct File;
impl Read for File { fn poll(&self) {} }
pub struct Other;
fn f(file: File, other: Other) {
    file.read();
    other.read();
    <File as Read>::poll(&file);
    Read::poll(&file);
    File::poll(&file);
}
impl std::fmt::Display for File {
    fn fmt(&self) { self.poll() }
}
"#,
        &[
            "File::fmt -> File::poll",
            "ReadExt::read -> Read::poll",
            "f -> File::poll",
            "f -> Read::poll",
            "f -> ReadExt::read",
        ],
    );
}

#[test]
fn calls_in_macros_are_seen() {
    check(
        r#"
//- src/lib.rs
macro_rules! twice { ($e:expr) => { $e; $e } }
fn f(x: u8) -> Result<u8, ()> { Ok(x) }
fn g() -> u8 { 1 }
fn h() -> u8 { 2 }
fn all() {
    assert!(f(1).is_ok());
    let s = format!("{} {}", g(), h());
    let v = vec![g()];
    twice!(h());
}
"#,
        &["all -> f", "all -> g", "all -> h", "all -> twice"],
    );
}

#[test]
fn a_broken_function_leaves_the_others() {
    check(
        "//- src/lib.rs\nfn a() { b() }\nfn broken( { ) }\nfn b() { c() }\nfn c() {}\n",
        &["a -> b", "b -> c"],
    );
}

#[test]
fn variants_with_fields_are_no_subtypes() {
    check_kinds(
        "//- src/lib.rs\nenum E { A { n: u8 }, B }\n",
        &[EdgeKind::Extends, EdgeKind::Implements],
        &[],
    );
}

#[test]
fn imports_belong_to_the_module_that_holds_them() {
    check_kinds(
        r#"
//- src/lib.rs
mod far;
mod near {
    use super::far::Thing;
    pub mod deep { pub use crate::far::make; }
}
use far::Thing;
fn f() { use near::deep; }
//- src/far.rs
pub struct Thing;
pub fn make() -> Thing { Thing }
"#,
        &[EdgeKind::Imports],
        &[
            "f -> near::deep",
            "near -> Thing",
            "near::deep -> make",
            "src/lib.rs -> Thing",
            "src/lib.rs -> src/far.rs",
        ],
    );
}

#[test]
fn a_declared_module_is_its_file() {
    let graph = super::graph(
        r#"
//- src/lib.rs
/// Far away.
#[cfg(feature = "far")]
pub mod far;
mod gone;
//- src/far/mod.rs
pub mod deeper;
//- src/far/deeper.rs
pub fn f() {}
"#,
    );
    let modules: Vec<(&str, &str)> = graph
        .symbol_ids()
        .filter(|id| graph.symbol(*id).kind == crate::resolve::SymbolKind::Module)
        .map(|id| (graph.path(id).as_str(), graph.symbol(id).qualified.as_str()))
        .collect();
    assert_eq!(modules, [("src/far/deeper.rs", "deeper"), ("src/far/mod.rs", "far"), ("src/lib.rs", "lib"),]);
}

#[test]
fn fields_are_used_where_they_are_set_and_bound() {
    check_kinds(
        r#"
//- src/lib.rs
pub struct Point { x: u8, y: u8 }
pub enum Shape { Dot { at: Point }, Line(Point), Empty }
impl Point {
    fn new(x: u8) -> Self { Self { x, y: 1 } }
    fn make(other: Point) -> Point { Point { y: 2, ..other } }
    fn parts(self) -> u8 { let Point { x, y: other } = self; x }
}
impl Shape {
    fn dot(at: Point) -> Self { Self::Dot { at } }
    fn name(&self) -> u8 {
        match self {
            Shape::Dot { at } => at.x,
            Shape::Line(Point { x, .. }) => *x,
            Shape::Empty => 0,
        }
    }
}
"#,
        &[EdgeKind::References],
        &[
            "Point::make -> Point",
            "Point::make -> Point::y",
            "Point::new -> Point::x",
            "Point::new -> Point::y",
            "Point::parts -> Point",
            "Point::parts -> Point::x",
            "Point::parts -> Point::y",
            "Shape::Dot::at -> Point",
            "Shape::Line -> Point",
            "Shape::dot -> Point",
            "Shape::dot -> Shape::Dot::at",
            "Shape::name -> Point",
            "Shape::name -> Point::x",
            "Shape::name -> Shape",
            "Shape::name -> Shape::Dot",
            "Shape::name -> Shape::Dot::at",
            "Shape::name -> Shape::Empty",
            "Shape::name -> Shape::Line",
        ],
    );
}

#[test]
fn patterns_in_macros_are_patterns() {
    let project = r#"
//- src/lib.rs
pub enum Level { Info, Warn(u8), Error { code: u8 } }
const LIMIT: u8 = 3;
fn limit(x: u8) -> u8 { x }
fn info(l: Level) -> bool { matches!(l, Level::Info) }
fn warn(l: Level) -> bool { matches!(l, Level::Warn(limit) if limit > LIMIT) }
fn error(l: Level) -> bool { matches!(l, Level::Error { .. } | Level::Error { code: 1 }) }
fn nested(l: Level) { assert!(matches!(l, Level::Warn(_))); }
fn value(l: u8) -> bool { matches!(limit(l), 1 | 2) }
fn picked() {
    select! {
        Level::Warn(x) = get() => { limit(x); }
        Level::Error { code } => {}
        made = run(Level::Error { code: 1 }) => {}
    }
}
"#;
    check_kinds(
        project,
        &[EdgeKind::References],
        &[
            "error -> Level",
            "error -> Level::Error",
            "info -> Level",
            "info -> Level::Info",
            "nested -> Level",
            "nested -> Level::Warn",
            "picked -> Level",
            "picked -> Level::Error",
            "picked -> Level::Warn",
            "warn -> LIMIT",
            "warn -> Level",
            "warn -> Level::Warn",
        ],
    );
    check(project, &["picked -> Level::Error", "picked -> limit", "value -> limit"]);
}

#[test]
fn a_block_for_a_box_belongs_to_what_is_in_it() {
    let project = r#"
//- src/lib.rs
use std::{pin::Pin, rc::Rc, sync::Arc};
trait Plan { fn plan(&self); fn drop_plan(&self) {} }
struct Desk { queue: u8 }
impl Desk { fn push(&self) {} }
impl Plan for Arc<Desk> { fn plan(&self) { self.push() } }
struct Room<T> { inner: T }
impl<T> Plan for Pin<Box<Room<T>>> { fn plan(&self) {} }
mod other {
    pub struct Desk;
    impl super::Plan for std::rc::Rc<Desk> { fn plan(&self) {} }
}
impl<T: Plan> Plan for Box<T> { fn plan(&self) { (**self).plan() } }
fn f(desk: &Arc<Desk>, other: Rc<other::Desk>) { desk.plan(); other.plan(); desk.push(); }
"#;
    check_kinds(project, &[EdgeKind::Implements], &["Desk -> Plan", "Room -> Plan", "other::Desk -> Plan"]);
    check(
        project,
        &[
            "Box::plan -> Plan::plan",
            "Desk::plan -> Desk::push",
            "f -> Desk::plan",
            "f -> Desk::push",
            "f -> other::Desk::plan",
        ],
    );
}

#[test]
fn a_blanket_for_a_foreign_trait_reaches_what_implements_it() {
    check(
        r#"
//- src/lib.rs
use other::Flow;
pub trait FlowExt: Flow { fn step(&mut self) {} }
impl<F: ?Sized> FlowExt for F where F: Flow {}
struct Pipe;
impl Flow for Pipe { fn poll_step(&mut self) {} }
struct Stone;
impl Clone for Stone { fn clone(&self) -> Stone { Stone } }
fn f<G: Flow>(mut pipe: Pipe, mut generic: G, mut some: impl Flow, mut stone: Stone) {
    pipe.step();
    generic.step();
    some.step();
    stone.step();
}
fn g(mut pipe: Pipe) { pipe.step() }
"#,
        &["f -> FlowExt::step", "g -> FlowExt::step"],
    );
}

#[test]
fn a_block_for_a_box_calls_what_is_in_the_box() {
    check(
        r#"
//- src/lib.rs
trait Sink { fn put(&mut self); }
impl<S: Sink + ?Sized> Sink for Box<S> { fn put(&mut self) { (**self).put() } }
impl<'a, S: Sink + ?Sized> Sink for &'a mut S { fn put(&mut self) { (**self).put() } }
struct Own;
impl Own { fn clone(&self) -> Own { Own } fn put(&self) {} }
fn f(own: std::sync::Arc<Own>) { own.clone().put(); }
"#,
        &["Box::put -> Sink::put", "S::put -> Sink::put", "f -> Own::put"],
    );
}

#[test]
fn a_name_of_a_trait_from_outside_is_never_the_only_one() {
    check(
        r#"
//- src/lib.rs
struct Tall;
impl Tall { fn own_measure(&self) {} }
impl other::Measured for Tall { fn take_measure(&self) {} }
fn f() { let some = unknown!(); some.own_measure(); some.take_measure(); }
"#,
        &["f -> Tall::own_measure"],
    );
}

#[test]
fn bounds_of_an_associated_type_are_no_implementation() {
    let project = r#"
//- src/lib.rs
trait Read { fn pull(&self); }
trait Listen { type Io: Read; fn io(&self) -> Self::Io; }
fn f<L: Listen>(listener: L) { listener.io().pull() }
"#;
    check_kinds(project, &[EdgeKind::Implements, EdgeKind::Extends], &[]);
    check(project, &["f -> Listen::io", "f -> Read::pull"]);
}

#[test]
fn what_a_trait_adds_is_there_where_the_trait_is_in_scope() {
    check(
        r#"
//- src/lib.rs
pub mod ext;
mod one;
mod two;
mod three;
pub struct Own;
//- src/ext.rs
use other::Flow;
pub trait FlowExt: Flow { fn step(&self) {} }
impl<F: Flow + ?Sized> FlowExt for F {}
pub trait Wakes { fn wake(&self); }
impl Wakes for std::task::Waker { fn wake(&self) {} }
//- src/one.rs
use crate::ext::FlowExt as _;
use other::Flow;
fn one(flow: impl Flow) { flow.step() }
//- src/two.rs
use other::{Flow, FlowExt};
use std::task::Waker;
fn two(flow: impl Flow, waker: Waker) { flow.step(); waker.wake() }
//- src/three.rs
use crate::ext::*;
use std::task::Waker;
fn three(waker: Waker) { waker.wake() }
mod inner { use super::*; fn four(waker: Waker) { waker.wake() } }
"#,
        &["inner::four -> Waker::wake", "one -> FlowExt::step", "three -> Waker::wake"],
    );
}

#[test]
fn blocks_add_members_to_a_type_from_outside() {
    check(
        r#"
//- src/lib.rs
use std::io;
pub trait Fault { fn fault(text: &str) -> Self; fn text(&self) {} }
impl Fault for io::Error { fn fault(text: &str) -> io::Error { io::Error::from(Own) } }
struct Own;
impl From<Own> for io::Error { fn from(own: Own) -> io::Error { loop {} } }
trait Sink { type Error: Fault; }
fn f() { io::Error::fault(""); }
fn g<S: Sink>(sink: S) { S::Error::fault("").text(); }
"#,
        &["f -> Error::fault", "g -> Fault::fault", "g -> Fault::text"],
    );
}
