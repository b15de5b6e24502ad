//! Rust: the types of values.

use super::check;

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
fn fields_without_names_have_types() {
    check(
        r#"
//- src/lib.rs
use std::sync::Arc;
struct Inner;
impl Inner { fn go(&self) {} fn make() -> (Inner, Other) { (Inner, Other) } }
struct Other;
impl Other { fn go(&self) {} }
struct Wrapper(Arc<Inner>, Option<Other>);
struct Pair<A>(A, u8);
impl Wrapper {
    fn run(&self) { self.0.go(); self.1.as_ref().unwrap().go(); }
}
fn f(pair: Pair<Other>, wrapper: &Wrapper) {
    pair.0.go();
    wrapper.0.go();
    let made = Inner::make();
    made.1.go();
    let Wrapper(inner, _) = wrapper;
    inner.go();
}
"#,
        &[
            "Wrapper::run -> Inner::go",
            "Wrapper::run -> Other::go",
            "f -> Inner::go",
            "f -> Inner::make",
            "f -> Other::go",
        ],
    );
}

#[test]
fn patterns_take_parts_out_of_variants() {
    check(
        r#"
//- src/lib.rs
struct A;
impl A { fn a(&self) {} }
struct B;
impl B { fn b(&self) {} fn a(&self) {} }
enum Kind { One(A), Two { b: B, other: A }, Three(B, A), Four }
enum Either<L, R> { Left(L), Right(R) }
fn fallible() -> Result<A, B> { Ok(A) }
use Kind::Three;
impl Kind {
    fn all(&self) {
        match self {
            Kind::One(a) => a.a(),
            Self::Two { b, other: a } => { b.b(); a.a(); }
            Three(.., x) => x.a(),
            Kind::Four => {}
        }
        if let Three(first, second) = self { first.b(); second.a(); }
    }
}
fn f(either: Either<A, B>, pair: (A, B)) {
    match either {
        Either::Left(left) => left.a(),
        Either::Right(right) => right.b(),
    }
    match fallible() { Ok(a) => a.a(), Err(b) => b.b() }
    let (x, y) = (pair.1, &pair.0);
    x.b();
    y.a();
    let chosen = match 1 { 1 => A, _ => return };
    chosen.a();
}
"#,
        &["Kind::all -> A::a", "Kind::all -> B::b", "f -> A::a", "f -> B::b", "f -> fallible"],
    );
}

#[test]
fn arguments_say_what_type_parameters_are() {
    check(
        r#"
//- src/lib.rs
use std::{cell::RefCell, sync::{Arc, Mutex}};
struct A;
impl A { fn new() -> A { A } fn go(&self) {} }
struct B;
impl B { fn go(&self) {} }
struct Holder<T> { inner: T }
impl<T> Holder<T> { fn wrap(inner: T) -> Self { Holder { inner } } fn get(&self) -> &T { &self.inner } }
struct Tuple<T>(T);
fn same<T>(value: T) -> Option<T> { Some(value) }
fn f(b: B) {
    let shared = Arc::new(A::new());
    shared.go();
    let some = Some(b);
    some.unwrap().go();
    Holder::wrap(A::new()).get().go();
    same(A::new()).unwrap().go();
    Tuple(A::new()).0.go();
    let locked = Arc::new(Mutex::new(A::new()));
    locked.lock().unwrap().go();
    let cell = RefCell::new(A::new());
    cell.borrow().go();
}
"#,
        &[
            "Holder::wrap -> Holder",
            "f -> A::go",
            "f -> A::new",
            "f -> B::go",
            "f -> Holder::get",
            "f -> Holder::wrap",
            "f -> Tuple",
            "f -> same",
        ],
    );
}

#[test]
fn macros_that_give_their_argument_keep_its_type() {
    check(
        r#"
//- src/lib.rs
use std::task::{Poll, ready};
struct Item;
impl Item { fn go(&self) {} fn next(&self) -> Poll<Item> { Poll::Ready(Item) } }
fn f(item: Item) {
    let next = ready!(item.next());
    next.go();
    std::pin::pin!(item).go();
    for one in vec![Item, Item] { one.go(); }
    let none = vec![1 + 2];
    none.go();
}
"#,
        &["f -> Item::go", "f -> Item::next"],
    );
}

#[test]
fn a_closure_gets_what_the_bound_says() {
    check(
        r#"
//- src/lib.rs
struct Found;
impl Found { fn start(&self) {} }
trait Search {
    fn each<F>(&self, text: &str, found: F) where F: FnMut(Found) -> bool;
    fn last(&self, found: impl Fn(&Found), times: u8);
}
fn f<S: Search>(search: S) {
    search.each("", |found| { found.start(); true });
    search.last(|found| found.start(), 1);
}
"#,
        &["f -> Found::start", "f -> Search::each", "f -> Search::last"],
    );
}

#[test]
fn closures_give_what_their_bodies_do() {
    check(
        r#"
//- src/lib.rs
struct Item;
impl Item { fn go(&self) {} fn part(&self) -> Option<Part> { None } }
struct Part;
impl Part { fn go(&self) {} fn build(n: u8) -> Part { Part } }
fn with<F, R>(f: F) -> R where F: FnOnce(&Item) -> R { f(&Item) }
fn f(list: Vec<Item>, some: Option<Item>) {
    let make = |n: u8| { let made = Part::build(n); made };
    make(1).go();
    with(|item| item.part()).unwrap().go();
    some.and_then(|item| item.part()).unwrap().go();
    list.iter().filter_map(|item| item.part()).next().unwrap().go();
    Some(1).map(Part::build).unwrap().go();
    for (at, item) in list.iter().enumerate() { item.go(); }
    let chosen = match some { Some(inner) => inner, None => return };
    chosen.go();
}
"#,
        &["f -> Item::go", "f -> Item::part", "f -> Part::build", "f -> Part::go", "f -> with"],
    );
}

#[test]
fn a_macro_that_takes_a_call_apart_makes_no_recursion() {
    check(
        r#"
//- src/lib.rs
pub struct Both { left: Left }
pub struct Left;
macro_rules! delegate {
    ($self:ident.$method:ident($($args:ident),+)) => { $self.left.$method($($args),+) };
}
macro_rules! kept {
    ($value:expr) => { $value };
}
impl Both {
    fn poll(&self, cx: u8) -> u8 { delegate!(self.poll(cx)) }
    fn other(&self, cx: u8) -> u8 { delegate!(self.poll(cx)) }
    fn walk(&self, cx: u8) -> u8 { kept!(self.walk(cx)) }
    fn shown(&self, cx: u8) -> u8 { assert!(self.shown(cx) > 1); cx }
}
"#,
        &[
            "Both::other -> Both::poll",
            "Both::other -> delegate",
            "Both::poll -> delegate",
            "Both::shown -> Both::shown",
            "Both::walk -> Both::walk",
            "Both::walk -> kept",
        ],
    );
}

#[test]
fn a_part_that_is_left_out_keeps_its_place() {
    check(
        r#"
//- src/lib.rs
pub struct One;
impl One { pub fn go(&self) {} }
pub struct Two;
impl Two { pub fn go(&self) {} }
pub fn pair() -> (One, Two) { (One, Two) }
pub fn second() {
    let (_, it) = pair();
    it.go();
}
pub fn first() {
    let (it, _) = pair();
    it.go();
}
"#,
        &["first -> One::go", "first -> pair", "second -> Two::go", "second -> pair"],
    );
}
