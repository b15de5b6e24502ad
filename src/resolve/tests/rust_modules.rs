//! Rust: modules, crates and what a build chooses of them.

use super::{check, graph};
use crate::resolve::EdgeKind;

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
fn a_test_program_with_modules_is_one_crate() {
    check(
        r#"
//- tests/alpha.rs
use crate::util::Tool;
made!(one, |tool: Tool| { tool.run(); });
fn all(tool: Tool) { tool.run(); }
//- tests/program.rs
#[macro_use]
mod macros;
mod alpha;
mod util;
//- tests/macros.rs
macro_rules! made { ($name:ident, $f:expr) => { fn $name() { $f(crate::util::Tool) } } }
//- tests/util.rs
pub struct Tool;
impl Tool { pub fn run(&self) {} }
"#,
        &["all -> Tool::run", "tests/alpha.rs -> Tool::run", "tests/alpha.rs -> made"],
    );
}

#[test]
fn a_module_is_where_its_attribute_says() {
    check(
        r#"
//- src/lib.rs
mod system;
#[path = "shared/tools.rs"]
mod helpers;
fn f() { system::start(); helpers::help(); helpers::more::most(); }
//- src/system/mod.rs
#[path = "on.rs"]
#[cfg(feature = "on")]
mod imp;
#[path = "off.rs"]
#[cfg(not(feature = "on"))]
mod imp;
pub use imp::start;
//- src/system/on.rs
pub fn start() {}
//- src/system/off.rs
pub fn start() { super::super::f() }
//- src/shared/tools.rs
pub mod more;
pub fn help() {}
//- src/shared/more.rs
pub fn most() {}
"#,
        &["f -> help", "f -> most", "f -> start", "start -> f"],
    );
}

#[test]
fn alternatives_of_different_builds_are_all_meant() {
    let project = r#"
//- src/lib.rs
mod lock;
mod plain;
#[cfg(feature = "fast")]
use lock::Guard;
#[cfg(not(feature = "fast"))]
use plain::Guard;
struct Holder { guard: Guard }
impl Holder { fn run(&self) { self.guard.hold(); Guard::make().hold(); } }
#[cfg(unix)]
fn wait() {}
#[cfg(windows)]
fn wait() {}
fn f() { wait() }
struct Raw;
impl Raw {
    #[cfg(unix)]
    fn read(&self) {}
    #[cfg(not(unix))]
    fn read(&self) {}
    fn go(&self) { self.read() }
}
struct From8;
impl From<u8> for From8 { fn from(n: u8) -> From8 { From8 } }
impl From<u16> for From8 { fn from(n: u16) -> From8 { From8 } }
fn g(n: u8) { From8::from(n); }
//- src/lock.rs
pub struct Guard;
impl Guard { pub fn make() -> Guard { Guard } pub fn hold(&self) {} }
//- src/plain.rs
pub struct Guard;
impl Guard { pub fn make() -> Guard { Guard } pub fn hold(&self) {} }
"#;
    check(
        project,
        &["Holder::run -> Guard::hold", "Holder::run -> Guard::make", "Raw::go -> Raw::read", "f -> wait"],
    );
    let graph = super::graph(project);
    let from = |name: &str| {
        let calls = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls);
        calls.filter(|edge| graph.symbol(edge.from).qualified == name).count()
    };
    assert_eq!((from("f"), from("Raw::go"), from("Holder::run"), from("g")), (2, 2, 6, 0));
}

#[test]
fn modules_that_open_each_other_are_looked_through_once() {
    let count = 60;
    let opened = (0..count).map(|at| format!("pub use m{at}::*;\n"));
    let modules = (0..count).map(|at| {
        let next = (at + 1) % count;
        format!("pub mod m{at} {{ pub use super::*; pub fn g{at}() {{ nowhere(); g{next}(); }} }}\n")
    });
    let graph =
        graph(&format!("//- src/lib.rs\n{}{}", opened.collect::<String>(), modules.collect::<String>()));
    let calls = graph.edges().iter().filter(|edge| edge.kind == EdgeKind::Calls);
    assert!(calls.clone().all(|edge| graph.symbol(edge.to).name.starts_with('g')));
    assert_eq!(calls.count(), count);
}

#[test]
fn what_stands_in_a_block_for_a_type_of_another_file_is_the_type_s() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
#[macro_use]
mod macros;
mod handle;
mod time;
//- src/macros.rs
macro_rules! only_test { ($($item:item)*) => { $(#[cfg(test)] $item)* } }
//- src/handle.rs
pub struct Handle { pub woken: bool }
//- src/time.rs
use crate::handle::Handle;

fn first() -> bool { true }

impl Handle {
    only_test! {
        fn did_wake(&self) -> bool { self.woken && first() }
    }
}
"#,
        &["Handle -> only_test", "Handle::did_wake -> first"],
    );
}
