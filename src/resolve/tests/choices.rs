//! Functions that stand for each other because a value says which of them is called.

use super::slots::check_fills;

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
    // Each is handed what the choice is made by, and says in its name that it does what the others do.
    let expected = ["draw_box -> run", "draw_line -> run", "draw_text -> run"];
    check_fills(
        r#"
//- a.py
def draw_box(x, out): ...
def draw_line(x, out): ...
def draw_text(x, out): ...
def run(x, out):
    match x.kind:
        case "box":
            draw_box(x, out)
        case "line":
            draw_line(x, out)
        case _:
            return draw_text(x, out)
"#,
        &expected,
    );
    check_fills(
        r#"
//- a.ts
function draw_box(x: Shape, out: Out) {}
function draw_line(x: Shape, out: Out) {}
function draw_text(x: Shape, out: Out) {}
function run(x: Shape, out: Out) {
  switch (x.kind) {
    case "box": draw_box(x, out); break;
    case "line": draw_line({ ...x, size: 1 }, out); break;
    case "text": return draw_text(x, out);
  }
}
"#,
        &expected,
    );
    check_fills(
        r#"
//- a.go
package m
func draw_box(x Shape, depth int) {}
func draw_line(x Shape, depth int) {}
func draw_text(x Shape, depth int) {}
func run(x Shape) {
	switch x.Kind() {
	case Box:
		draw_box(x, 1)
	case Line:
		draw_line(x, 2)
	case Text:
		draw_text(x, 3)
	}
}
"#,
        &expected,
    );
    check_fills(
        r#"
//- a.kt
fun draw_box(x: Shape) {}
fun draw_line(x: Shape) {}
fun draw_text(x: Shape) {}
fun run(x: Shape) {
    when (x.kind) {
        Kind.Box -> draw_box(x)
        Kind.Line -> draw_line(x)
        else -> draw_text(x)
    }
}
"#,
        &expected,
    );
    check_fills(
        r#"
//- A.java
class Other { static void drawBox(Shape x) {} static void drawLine(Shape x) {} static void drawText(Shape x) {} }
class A {
    void run(Shape x) {
        switch (x.kind()) {
            case BOX: Other.drawBox(x); break;
            case LINE: Other.drawLine(x); break;
            default: Other.drawText(x);
        }
    }
}
"#,
        &["Other.drawBox -> A.run", "Other.drawLine -> A.run", "Other.drawText -> A.run"],
    );
    // Where some are chosen by kind, so are the others that say that they do the same.
    check_fills(
        r#"
//- a.ts
function make_box(kind: string) {}
function make_line(kind: string) {}
function make_text(kind: string) {}
function make_blank(name: string) {}
function fail(name: string) {}
function run(kind: string, name: string) {
  switch (kind) {
    case "box": return make_box(kind);
    case "line": return make_line(kind);
    case "text": return make_text(kind);
    case "blank": return make_blank(name);
    default: fail(name);
  }
}
"#,
        &["make_blank -> run", "make_box -> run", "make_line -> run", "make_text -> run"],
    );
    // What a pattern takes out, or tells of a type, needs no names.
    check_fills(
        r#"
//- src/lib.rs
enum Shape { Circle(Round), Square(Flat), Text { font: Font } }
struct Round; struct Flat; struct Font;
fn area(round: &Round) -> u32 { 1 }
fn side(flat: &Flat) -> u32 { 2 }
fn width(font: &Font) -> u32 { 3 }
fn size(shape: &Shape) -> u32 {
    match shape {
        Shape::Circle(round) => area(round),
        Shape::Square(flat) => side(flat),
        Shape::Text { font } => width(font),
    }
}
"#,
        &["area -> size", "side -> size", "width -> size"],
    );
    check_fills(
        r#"
//- a.kt
interface Shape
class Circle : Shape
class Square : Shape
class Text : Shape
fun area(circle: Circle): Int = 1
fun side(square: Square): Int = 2
fun width(text: Text): Int = 3
fun size(shape: Shape): Int = when (shape) {
    is Circle -> area(shape)
    is Square -> side(shape)
    is Text -> width(shape)
    else -> 0
}
"#,
        &["area -> size", "side -> size", "width -> size"],
    );
    check_fills(
        r#"
//- a.go
package m
type Circle struct{}
type Square struct{}
type Text struct{}
func area(c *Circle) int { return 1 }
func side(s *Square) int { return 2 }
func width(t *Text) int { return 3 }
func size(shape any) int {
	switch s := shape.(type) {
	case *Circle:
		return area(s)
	case *Square:
		return side(s)
	case *Text:
		return width(s)
	}
	return 0
}
"#,
        &["area -> size", "side -> size", "width -> size"],
    );
}

#[test]
fn the_steps_of_one_work_fill_nothing() {
    // By a number, with equal arguments.
    check_fills(
        "//- a.go\npackage m\nfunc load(p string) error { return nil }\nfunc parse(p string) error { return nil }\n\
         func save(p string) error { return nil }\nfunc phase(n int, p string) error {\n\tswitch n {\n\tcase 0:\n\t\treturn load(p)\n\
         \tcase 1:\n\t\treturn parse(p)\n\tcase 2:\n\t\treturn save(p)\n\t}\n\treturn nil\n}\n",
        &[],
    );
    check_fills(
        "//- a.py\ndef load(n, p): ...\ndef parse(n, p): ...\ndef save(n, p): ...\ndef phase(n, p):\n    match n:\n        \
         case 0: load(n, p)\n        case 1: parse(n, p)\n        case 2: save(n, p)\n",
        &[],
    );
    // By how far the work is.
    check_fills(
        r#"
//- a.ts
enum Phase { Load, Parse, Save }
interface Task { phase: Phase }
function load(task: Task) {}
function parse(task: Task) {}
function save(task: Task) {}
function step(task: Task) {
  switch (task.phase) {
    case Phase.Load: return load(task);
    case Phase.Parse: return parse(task);
    case Phase.Save: return save(task);
  }
}
function run_load(path: string) {}
function run_parse(path: string) {}
function run_save(path: string) {}
function other(phase: Phase, path: string) {
  switch (phase) {
    case Phase.Load: return run_load(path);
    case Phase.Parse: return run_parse(path);
    case Phase.Save: return run_save(path);
  }
}
"#,
        &[],
    );
    // By how it went.
    check_fills(
        r#"
//- src/lib.rs
struct Value; struct Io; struct Bad;
enum Error { Io(Io), Parse(Bad) }
fn ok(value: Value) -> u8 { 0 }
fn fail_io(error: Io) -> u8 { 1 }
fn fail_parse(error: Bad) -> u8 { 2 }
fn run(result: Result<Value, Error>) -> u8 {
    match result {
        Ok(value) => ok(value),
        Err(Error::Io(error)) => fail_io(error),
        Err(Error::Parse(error)) => fail_parse(error),
    }
}
"#,
        &[],
    );
    // At places of their own, unless a use says that any may be meant.
    check_fills(
        r#"
//- a.py
def setup(x): ...
def work(x): ...
def teardown(x): ...
PIPE = (setup, work, teardown)
CHOICE = (setup, work, teardown)
FIRST = (setup, work, teardown)
ROWS = (("setup", setup), ("work", work), ("teardown", teardown))
def run(x, at):
    first, then, last = PIPE
    FIRST[0](x)
    return CHOICE[at](x)
"#,
        &[
            "setup -> CHOICE",
            "setup -> ROWS",
            "teardown -> CHOICE",
            "teardown -> ROWS",
            "work -> CHOICE",
            "work -> ROWS",
        ],
    );
}

#[test]
fn alternatives_of_one_shape_give_one_type() {
    check_fills(
        r#"
//- src/lib.rs
enum Any { A(Foo), B(Bar), C(Baz) }
struct Foo; struct Bar; struct Baz;
impl Foo { fn make_foo(kind: &str) -> Self { Foo } fn any_foo(kind: &str) -> Any { Any::A(Foo) } }
impl Bar { fn make_bar(kind: &str) -> Self { Bar } fn any_bar(kind: &str) -> Any { Any::B(Bar) } }
impl Baz { fn make_baz(kind: &str) -> Self { Baz } fn any_baz(kind: &str) -> Any { Any::C(Baz) } }
fn made(kind: &str) -> Any {
    match kind {
        "foo" => Any::A(Foo::make_foo(kind)),
        "bar" => Any::B(Bar::make_bar(kind)),
        _ => Any::C(Baz::make_baz(kind)),
    }
}
fn any(kind: &str) -> Any {
    match kind { "foo" => Foo::any_foo(kind), "bar" => Bar::any_bar(kind), _ => Baz::any_baz(kind) }
}
"#,
        &["Bar::any_bar -> any", "Baz::any_baz -> any", "Foo::any_foo -> any"],
    );
}
