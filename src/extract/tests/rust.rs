//! What Rust sources say, shape by shape.

use super::{check, check_defs, check_uses};
use expect_test::expect;

#[test]
fn items_and_docs() {
    check_defs(
        "rust",
        r#"
        //! The crate.
        //! More.

        /// A plug.
        ///
        /// Two paragraphs.
        #[derive(Debug)]
        // A note.
        pub struct Plug<'a, T: Clone + fmt::Debug, const N: usize> where T: Send {
            /// Its name.
            pub name: &'a str,
            #[cfg(unix)]
            fd: Option<Box<dyn Socket + Send>>,
        }
        pub(crate) struct Pair(pub A, B);
        struct Unit;
        enum Kind { One, Two(Plug), Three { at: u8 } = 3 }
        union Raw { a: u32, b: f32 }
        pub trait Socket: fmt::Debug + Send {
            type Item: Clone;
            const LIMIT: usize;
            fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Self::Item>;
            fn close(self) where Self: Sized {}
            fn make() -> Self;
        }
        type Alias<T> = Result<T, Error>;
        static COUNT: AtomicU64 = AtomicU64::new(0);
        pub(super) const NAMES: &[&str] = &[
            "a",
        ];
        mod far;
        mod near { pub fn inside() { fn nested() {} } }
        extern "C" { fn foreign(x: i32); }
        #[macro_export]
        macro_rules! many { ($x:expr) => { fn not_this() { call($x) } } }
        #[cfg(test)]
        mod tests {
            #[tokio::test]
            async fn works() {}
        }
    "#,
        expect![[r#"
            module  doc "//! The crate.\n//! More." 1-40
              struct Plug<T: Clone + fmt/Debug + Send> "pub struct Plug<'a, T: Clone + fmt::Debug, const N: usize> where T: Send" doc "/// A plug.\n///\n/// Two paragraphs." 7-14
                field name: str "pub name: &'a str" doc "/// Its name." 11
                private conditional field fd: Option<Box<bound Socket>> "fd: Option<Box<dyn Socket + Send>>" 12-13
              internal struct Pair(0: A, 1: B) "pub(crate) struct Pair(pub A, B);" 15
              private struct Unit "struct Unit;" 16
              private enum Kind "enum Kind" 17
                enum_member One "One" 17
                enum_member Two(0: Plug) "Two(Plug)" 17
                enum_member Three = 'i32' "Three" 17
                  field at: u8 "at: u8" 17
              private union Raw "union Raw" 18
                private field a: u32 "a: u32" 18
                private field b: f32 "b: f32" 18
              trait Socket <: fmt/Debug, Send "pub trait Socket: fmt::Debug + Send" 19-25
                type_alias Item <: Clone without_body "type Item: Clone;" 20
                constant LIMIT: usize without_body "const LIMIT: usize;" 21
                method poll(cx: Context): Poll<Self/Item> without_body "fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Self::Item>;" 22
                method close() "fn close(self) where Self: Sized" 23
                associated method make(): Self without_body "fn make() -> Self;" 24
              private type_alias Alias<T>: Result<T, Error> "type Alias<T> = Result<T, Error>;" 26
              private variable COUNT: AtomicU64 = AtomicU64::new() "static COUNT: AtomicU64 = AtomicU64::new(0);" 27
              internal constant NAMES: [str] "pub(super) const NAMES: &[&str] =" 28-30
              private elsewhere module far "mod far;" 31
              private module near "mod near" 32
                function inside() "pub fn inside()" 32
                  private function nested() "fn nested()" 32
              private function foreign(x: i32) without_body "fn foreign(x: i32);" 33
              exported macro many() "macro_rules! many" 34-35
              private test conditional module tests "mod tests" 36-40
                private test function works() "async fn works()" 38-39
        "#]],
    );
}

#[test]
fn impls_belong_to_the_type() {
    check_defs(
        "rust",
        r#"
        impl<T> Source for Buf<T> where T: Read { fn next(&mut self) -> Option<u8> { None } }
        impl<'a> crate::io::Source for &'a mut Foo<'a> { }
        impl std::fmt::Display for inner::W { }
        impl<F: Fn(u8) -> Out> Handler for F { }
        impl dyn Socket { }
        impl Foo { const X: u8 = 1; type Y = u8; pub fn new(self: Pin<&mut Self>) -> Self { Self } fn make() -> Self { Self {} } }
        unsafe impl<T> Send for [T] { }
        impl !Sync for Foo { }
    "#,
        expect![[r#"
            module  1-8
              private extension on Buf<T> Buf<T: Read> <: Source "impl<T> Source for Buf<T> where T: Read" 1
                method next(): Option<u8> "fn next(&mut self) -> Option<u8>" 1
              private extension on Foo Foo <: crate/io/Source "impl<'a> crate::io::Source for &'a mut Foo<'a>" 2
              private extension on inner/W W <: std/fmt/Display "impl std::fmt::Display for inner::W" 3
              private extension on F F<F: fn<u8, Out>> <: Handler "impl<F: Fn(u8) -> Out> Handler for F" 4
              private extension on bound Socket Socket "impl dyn Socket" 5
              private extension on Foo Foo "impl Foo" 6
                private constant X: u8 = 'i32' "const X: u8 = 1;" 6
                private type_alias Y: u8 "type Y = u8;" 6
                method new(): Self "pub fn new(self: Pin<&mut Self>) -> Self" 6
                private associated method make(): Self "fn make() -> Self" 6
              private extension on [T] [T]<T> <: Send "unsafe impl<T> Send for [T]" 7
              private extension on Foo Foo "impl !Sync for Foo" 8
        "#]],
    );
}

#[test]
fn uses_are_flat() {
    check(
        "rust",
        r#"
        use std::{fmt::{self, Display as D}, io::*};
        pub use crate::a::b;
        pub(crate) use self::c::{self as cc};
        use super::super::d as _;
        extern crate alloc as heap;
        use single;
        fn f() { use x::y; }
        mod m { use super::*; }
    "#,
        expect![[r#"
        module  1-8
          private function f() "fn f()" 7
          private module m "mod m" 8
        import std/fmt from -
        import std/fmt/Display as D from -
        import std/io/* from -
        reexport import crate/a/b from -
        reexport import self/c as cc from -
        import super/super/d as _ from -
        import alloc as heap from -
        import single from -
        import x/y from f
        import super/* from m
    "#]],
    );
}

#[test]
fn bindings_have_values_and_scopes() {
    check_uses(
        "rust",
        r#"
        fn run(&self, rows: &[Row], (a, b): Pair, mut n: usize) -> Result<(), E> {
            let first = rows.first()?;
            let Plug { name, at: place } = first.plug();
            let (x, y): (A, B) = pair;
            if let Some(hit) = self.find(first).await { hit.go(); }
            while let Ok(next) = queue.pop() && next.ready() { next.run() }
            for (i, row) in rows.iter().enumerate() { row.go(i); }
            match kind { Kind::Two(plug) if plug.on() => plug.off(), Kind::Three { at } => at.x(), NONE => {} , other @ Kind::One => other.y() }
            let Some(z) = opt else { return Err(e) };
            rows.iter().map(|row| row.name()).for_each(|Named { name }: Named| name.go());
            let typed = value as Plug;
            let made = Plug::<u8> { name, ..Default::default() };
            let boxed = unsafe { make::<Foo>() };
            Ok(())
        }
    "#,
        expect![[r#"
            parameter rows: [Row] in 1-15
            parameter a in 1-15
            parameter b in 1-15
            parameter n: usize in 1-15
            local first = rows.first()? in 2-15
            local name = first.plug() as Plug.name in 3-15
            local place = first.plug() as Plug.at in 3-15
            local x = pair.0 in 4-15
            local y = pair.1 in 4-15
            local hit = this.find(first)?? in 5-5
            local next = queue.pop()? in 6-6
            local i = rows.iter().enumerate()[].0 in 7-7
            local row = rows.iter().enumerate()[].1 in 7-7
            local plug = kind as Kind/Two.0 in 8-8
            local at = kind as Kind/Three.at in 8-8
            local other = kind in 8-8
            local z = opt? in 9-15
            parameter row = rows.iter().map{0} in 10-10
            parameter name = rows.iter().map(lambda row.name()).for_each{0} as Named.name in 10-10
            local typed = <Plug> in 11-15
            local made = <Plug<u8>> in 12-15
            local boxed = make() in 13-15
            1:22 type Row from run
            1:36 type Pair from run
            1:59 type Result from run
            1:70 type E from run
            2:16 value rows from run
            2:21 call rows . first/0 from run
            3:8 value Plug from run
            3:15 value <Plug> . name from run
            3:21 value <Plug> . at from run
            3:35 value first from run
            3:41 call first . plug/0 from run
            4:17 type A from run
            4:20 type B from run
            4:25 value pair from run
            5:11 value Some from run
            5:28 call this . find/1 from run
            5:33 value first from run
            5:48 value hit from run
            5:52 call hit . go/0 from run
            6:14 value Ok from run
            6:25 value queue from run
            6:31 call queue . pop/0 from run
            6:40 value next from run
            6:45 call next . ready/0 from run
            6:55 value next from run
            6:60 call next . run/0 from run
            7:20 value rows from run
            7:25 call rows . iter/0 from run
            7:32 call rows.iter() . enumerate/0 from run
            7:46 value row from run
            7:50 call row . go/1 from run
            7:53 value i from run
            8:10 value kind from run
            8:17 value Kind from run
            8:23 value Kind . Two from run
            8:36 value plug from run
            8:41 call plug . on/0 from run
            8:49 value plug from run
            8:54 call plug . off/0 from run
            8:61 value Kind from run
            8:67 value Kind . Three from run
            8:75 value <Kind/Three> . at from run
            8:83 value at from run
            8:86 call at . x/0 from run
            8:91 value NONE from run
            8:112 value Kind from run
            8:118 value Kind . One from run
            8:125 value other from run
            8:131 call other . y/0 from run
            9:8 value Some from run
            9:18 value opt from run
            9:36 call Err/1 from run
            9:40 value e from run
            10:4 value rows from run
            10:9 call rows . iter/0 from run
            10:16 call rows.iter() . map/1 from run
            10:26 value row from run
            10:30 call row . name/0 from run
            10:38 call rows.iter().map(lambda row.name()) . for_each/1 from run
            10:48 value Named from run
            10:56 value <Named> . name from run
            10:64 type Named from run
            10:71 value name from run
            10:76 call name . go/0 from run
            11:16 value value from run
            11:25 type Plug from run
            12:15 instantiate Plug from run
            12:28 value <Plug<u8>> . name from run
            12:36 value Default from run
            12:45 call Default . default/0 from run
            13:25 call make/0 from run
            13:32 type Foo from run
            14:4 call Ok/1 from run
        "#]],
    );
}

#[test]
fn paths_and_receivers() {
    check_uses(
        "rust",
        r#"
        fn run(x: a::b::C<d::E>) {
            a::b::free(1);
            S::assoc();
            Vec::<u8>::with_capacity(3);
            <T as Trait>::method(x);
            <Foo>::new();
            Self::own(Self { x: 1 });
            self.field.call::<u8>(x)[0].next()?.last;
            crate::consts::LIMIT;
            let f: fn(A) -> B = helper;
            'outer: loop { break 'outer; }
            (&*x).go();
        }
    "#,
        expect![[r#"
            parameter x: a/b/C<d/E> in 1-13
            local f: fn<A, B> = helper in 10-13
            1:10 value a from run
            1:13 value a . b from run
            1:16 type a::b . C from run
            1:18 value d from run
            1:21 type d . E from run
            2:4 value a from run
            2:7 value a . b from run
            2:10 call a::b . free/1 from run
            3:4 value S from run
            3:7 call S . assoc/0 from run
            4:4 type Vec from run
            4:15 call Vec . with_capacity/1 from run
            5:5 type T from run
            5:10 type Trait from run
            5:18 call <T> . method/1 from run
            5:25 value x from run
            6:5 type Foo from run
            6:11 call <Foo> . new/0 from run
            7:10 call Self . own/1 from run
            7:14 instantiate Self from run
            7:21 value <Self> . x from run
            8:9 value this . field from run
            8:15 call this.field . call/1 from run
            8:26 value x from run
            8:32 call this.field.call(x)[] . next/0 from run
            8:40 value this.field.call(x)[].next()? . last from run
            9:11 value crate . consts from run
            9:19 value crate::consts . LIMIT from run
            10:14 type A from run
            10:20 type B from run
            10:24 value helper from run
            12:7 value x from run
            12:10 call x . go/0 from run
        "#]],
    );
}

#[test]
fn macro_bodies_are_read() {
    check(
        "rust",
        r#"
        cfg_rt! {
            mod inner;
            /// Runs.
            #[must_use]
            pub fn run(x: Foo) -> Bar { let y = x.make(); assert!(y.ok(helper(1))); y }
            impl Foo { pub(crate) fn make(&self) -> Bar { Bar::new() } }
        }
        cfg_variant! { stable: { fn one() {} } unstable: { fn two() {} } }
        fn f(list: Vec<Foo>) {
            assert!(g(list).is_ok(), "message {}", h::<u8>(1, 2));
            let v = vec![g(), Foo { a: k() }];
            tokio::select! {
                res = list.first().run(a, b) => { let z = res.value(); z.done(); }
                _ = crate::time::sleep(Duration::from_secs(1)) => other(),
            }
            println!("{}", x.y?.z().await.w(), named = q.r);
            assert!(list.iter().all(|foo| foo.ready()), "{}", list.len());
        }
        bitflags! { pub struct Flags: u32 { const A = 1; } }
        macro_rules! skip { () => { hidden() } }
    "#,
        expect![[r#"
            module  1-20
              private elsewhere module inner "mod inner;" 2
              function run(x: Foo): Bar "pub fn run(x: Foo) -> Bar" doc "/// Runs." 4-5
              private extension on Foo Foo "impl Foo" 6
                internal method make(): Bar "pub(crate) fn make(&self) -> Bar" 6
              private function one() "fn one()" 8
              private function two() "fn two()" 8
              private function f(list: Vec<Foo>) "fn f(list: Vec<Foo>)" 9-18
              struct Flags "pub struct Flags: u32" 19
              private macro skip() "macro_rules! skip" 20
            parameter x: Foo in 5-5
            local y = x.make() in 5-5
            parameter list: Vec<Foo> in 9-18
            local v = Vec::from(g()) in 11-18
            local z = res.value() in 13-13
            parameter foo = list.iter().all{0} in 17-17
            1:0 macrocall cfg_rt from -
            4:6 decorator must_use from run
            5:18 type Foo from run
            5:26 type Bar from run
            5:40 value x from run
            5:42 call x . make/0 from run
            5:50 macrocall assert from run
            5:58 value y from run
            5:60 call y . ok/1 from run
            5:63 call helper/1 from run
            5:76 value y from run
            6:44 type Bar from Foo.make
            6:50 value Bar from Foo.make
            6:55 call Bar . new/0 from Foo.make
            8:0 macrocall cfg_variant from -
            9:11 type Vec from f
            9:15 type Foo from f
            10:4 macrocall assert from f
            10:12 call g/1 from f
            10:14 value list from f
            10:20 call g() . is_ok/0 from f
            10:43 call h/2 from f
            11:12 macrocall vec from f
            11:17 call g/0 from f
            11:22 instantiate Foo from f
            11:28 value <Foo> . a from f
            11:31 call k/0 from f
            12:4 value tokio from f
            12:11 macrocall tokio . select from f
            13:19 call list . first/0 from f
            13:27 call list.first() . run/2 from f
            13:50 value res from f
            13:54 call res . value/0 from f
            13:63 value z from f
            13:65 call z . done/0 from f
            14:19 value crate . time from f
            14:25 call crate::time . sleep/1 from f
            14:31 value Duration from f
            14:41 call Duration . from_secs/1 from f
            14:58 call other/0 from f
            16:4 macrocall println from f
            16:19 value x from f
            16:21 value x . y from f
            16:24 call x.y? . z/0 from f
            16:34 call x.y?.z()? . w/0 from f
            16:47 value q from f
            16:49 value q . r from f
            17:4 macrocall assert from f
            17:12 value list from f
            17:17 call list . iter/0 from f
            17:24 call list.iter() . all/1 from f
            17:34 value foo from f
            17:38 call foo . ready/0 from f
            17:54 value list from f
            17:59 call list . len/0 from f
            19:0 macrocall bitflags from -
            19:42 value A from Flags
        "#]],
    );
}

#[test]
fn broken_items_leave_the_others() {
    check(
        "rust",
        r#"
        struct Broken {
            x: i32,

        fn after(a: Foo) -> u8 { a.call(b()) }

        // fn not_this() {}
        const TEXT: &str = "
        fn nor_this() {}
        ";
        trait Last { fn m(&self); }
    "#,
        expect![[r#"
        module  1-10
          private struct Broken "struct Broken" 1-2
            private field x: i32 "x: i32" 2
          private function after(a: Foo): u8 "fn after(a: Foo) -> u8" 4
          private constant TEXT: str = 'str' "const TEXT: &str =" 7-9
          private trait Last "trait Last" 10
            method m() without_body "fn m(&self);" 10
        parameter a: Foo in 4-4
        4:12 type Foo from after
        4:25 value a from after
        4:27 call a . call/1 from after
        4:32 call b/0 from after
        error 4-4
        error 4-4
    "#]],
    );
}

#[test]
fn a_doc_comment_in_an_attribute_is_no_beginning_of_the_one_behind() {
    let (facts, text) = super::facts("rust", "\n#[//!\n]///\nstruct Told;");
    let told = facts.defs.iter().find(|def| def.name == "Told").unwrap();
    assert_eq!(told.doc.map(|doc| doc.of(&text)), Some("///"));
}
