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
fn modules_crates_and_reexports() {
    check(
        r#"
//- core/src/lib.rs
mod inner;
pub mod shape;
pub use inner::deep::make;
pub use self::shape::Shape as Form;
pub use shape::*;
pub fn top() {}
//- core/src/inner/mod.rs
pub mod deep;
//- core/src/inner/deep.rs
use crate::top;
use super::super::shape::Shape;
pub fn make() -> Shape { top(); super::super::top(); Shape::new() }
//- core/src/shape.rs
pub struct Shape;
impl Shape { pub fn new() -> Self { Self } pub fn area(&self) {} }
pub fn free() {}
//- core/tests/it.rs
mod common;
fn run() { common::setup(); }
//- core/tests/common/mod.rs
pub fn setup() {}
"#,
        &["make -> Shape::new", "make -> top", "run -> setup"],
    );
}

#[test]
fn types_come_from_fields_returns_and_wrappers() {
    check(
        r#"
//- src/lib.rs
use std::sync::Arc;
pub struct Part;
impl Part { fn new() -> Self { Part } fn go(&self) {} }
pub enum Kind { One(Part), Two }
pub struct Whole { part: Arc<Part>, list: Vec<Part>, kind: Kind }
impl Whole {
    const MAX: usize = limit();
    fn build() -> Option<Whole> { Some(Whole { part: Arc::new(Part::new()), list: vec![Part::new()], kind: Kind::One(Part::new()) }) }
    fn part(&self) -> &Part { &self.part }
    fn run(&self) {
        self.part.go();
        self.part().go();
        for item in &self.list { item.go(); }
        self.list.iter().for_each(|item| item.go());
        self.list[0].go();
    }
}
fn limit() -> usize { 1 }
fn f() -> Option<()> {
    let whole = Whole::build()?;
    whole.run();
    Whole::build().unwrap().run();
    if let Some(inner) = Whole::build() { inner.run(); }
    Some(())
}
"#,
        &[
            "Whole::MAX -> limit",
            "Whole::build -> Kind::One",
            "Whole::build -> Part::new",
            "Whole::build -> Whole",
            "Whole::run -> Part::go",
            "Whole::run -> Whole::part",
            "f -> Whole::build",
            "f -> Whole::run",
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
