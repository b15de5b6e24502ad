//! Go.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn a_package_is_a_folder() {
    check(
        r#"
//- lib/one.go
package lib
func One() { two() }
//- lib/two.go
package lib
func two() {}
func Same() {}
//- lib/one_test.go
package lib_test
import "lib"
func TestOne() { lib.One(); two() }
func two() {}
//- other/other.go
package renamed
func Same() {}
//- main.go
package main
import (
	"fmt"
	l "lib"
	"other"
)
func main() {
	l.One()
	renamed.Same()
	fmt.Println()
	fmt.Same()
	typed(nil)
}
func typed(value *l.Kept) { value.Keep() }
//- lib/kept.go
package lib
type Kept struct{}
func (k *Kept) Keep() {}
"#,
        &[
            "One -> two",
            "TestOne -> One",
            "TestOne -> two",
            "main -> One",
            "main -> Same",
            "main -> typed",
            "typed -> Kept.Keep",
        ],
    );
}

#[test]
fn methods_stand_apart_from_their_type() {
    check(
        r#"
//- a/types.go
package a
type Inner struct{}
type Outer struct {
	Inner
	next *Outer
	done func()
}
type Chain []*Outer
func Make() (*Outer, error) { return &Outer{}, nil }
//- a/methods.go
package a
func (i *Inner) Deep() {}
func (o *Outer) Run(others map[string]Outer, any interface{}) {
	o.Deep()
	o.next.Run(nil, nil)
	made, err := Make()
	made.Deep()
	err.Deep()
	if other, ok := others["x"]; ok {
		other.Deep()
	}
	for _, one := range others {
		one.Deep()
	}
	switch x := any.(type) {
	case *Outer:
		x.Own()
	case int:
		x.Own()
	}
	any.(*Outer).Own()
}
func (o Outer) Own() {}
func (c Chain) Each() {
	for _, one := range c {
		one.Own()
	}
	c[0].Own()
	var later Chain
	later.Each()
}
"#,
        &[
            "Chain.Each -> Chain.Each",
            "Chain.Each -> Outer.Own",
            "Make -> Outer",
            "Outer.Run -> Inner.Deep",
            "Outer.Run -> Make",
            "Outer.Run -> Outer.Own",
            "Outer.Run -> Outer.Run",
        ],
    );
}

#[test]
fn an_interface_is_implemented_by_its_methods() {
    check_kinds(
        r#"
//- a/a.go
package a
import "io"
type Item struct{}
type Store interface {
	Put(key string, item Item) error
	All() []Item
}
type Named interface {
	Store
	Name() string
}
type Foreign interface {
	io.Closer
	All() []Item
}
type Half struct{}
func (h Half) All() []Item { return nil }
type Other struct{}
func (o Other) All() []Item { return nil }
func (o Other) Put(key int, item Item) error { return nil }
//- b/b.go
package b
import "a"
type Disk struct{ a.Half }
func (d *Disk) Put(key string, item a.Item) error { return nil }
func (d *Disk) Name() string { return "" }
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &[
            "Disk -> Half",
            "Disk -> Named",
            "Disk -> Store",
            "Disk.Name -> Named.Name",
            "Disk.Put -> Store.Put",
            "Named -> Store",
        ],
    );
}

#[test]
fn functions_are_values() {
    check_kinds(
        r#"
//- a/a.go
package a
type Handler func(c *Context)
type Context struct{ handler Handler }
func (c *Context) log(other *Context) {}
func first(c *Context) {}
func use(handlers ...Handler) {}
func setup(c *Context) {
	use(first, c.log, Handler(first))
	c.handler = first
	local := Context{handler: first}
	local.log(c)
}
"#,
        &[EdgeKind::References, EdgeKind::Calls],
        &[
            "Context.handler -> Handler",
            "Context.log -> Context",
            "Handler -> Context",
            "first -> Context",
            "setup -> Context",
            "setup -> Context.handler",
            "setup -> Context.log",
            "setup -> first",
            "setup -> use",
            "use -> Handler",
        ],
    );
}

#[test]
fn what_is_embedded_is_a_member_of_its_name() {
    check_kinds(
        r#"
//- a/a.go
package a
type Log interface { Write() }
type Base struct { name string }
func (b *Base) Hello() {}
type Mid struct {
	*Base
	Log
}
type Top struct { Mid }
type Named Base
func (n Named) Own() {}
func use(m *Mid, t Top, n Named) {
	m.Base.Hello()
	m.Base.name = "x"
	m.Log.Write()
	t.Mid.Base.Hello()
	t.Base.Hello()
	n.Own()
	n.Hello()
}
"#,
        &[EdgeKind::Calls, EdgeKind::References, EdgeKind::Extends, EdgeKind::Implements],
        &[
            "Mid -> Base",
            "Mid -> Log",
            "Named -> Base",
            "Top -> Mid",
            "use -> Base",
            "use -> Base.Hello",
            "use -> Base.name",
            "use -> Log",
            "use -> Log.Write",
            "use -> Mid",
            "use -> Named",
            "use -> Named.Own",
            "use -> Top",
        ],
    );
}

#[test]
fn calls_may_write_their_type_arguments() {
    check(
        r#"
//- go.mod
module example.org/app
//- lib/lib.go
package lib
func Pick[T any](value T) T { return value }
func Both[T, U any](first T, second U) {}
type Box[T any] struct { item T }
func (b *Box[E]) Item() E { return b.item }
func (b Box[E]) Same() Box[E] { return b }
type Kept struct{}
func (k *Kept) Keep() {}
//- main.go
package main
import "example.org/app/lib"
func own[T any](value T) {}
func main() {
	own[int](1)
	lib.Pick[int](1)
	lib.Both[int, string](1, "x")
	one := lib.Box[*lib.Kept](lib.Box[*lib.Kept]{})
	two := lib.Box[*lib.Kept]{}
	two.Item().Keep()
	two.Same()
	_ = []byte(name())
	one.Same()
}
func name() string { return "" }
"#,
        &[
            "main -> Both",
            "main -> Box",
            "main -> Box.Item",
            "main -> Box.Same",
            "main -> Kept.Keep",
            "main -> Pick",
            "main -> name",
            "main -> own",
        ],
    );
}

#[test]
fn a_name_takes_the_type_of_its_case() {
    check(
        r#"
//- a.go
package a
type One struct{}
func (o *One) First() {}
type Two struct{}
func (t *Two) Second() {}
func types(value any) {
	switch v := value.(type) {
	case *One, int:
		v.First()
	case *Two:
		v.Second()
		v.First()
	default:
		v.Second()
	}
}
func shadowed(value any) {
	switch value := value.(type) {
	case *One:
		value.First()
	}
}
//- b.go
package a
func received(ones chan *One, twos <-chan *Two) {
	select {
	case one := <-ones:
		one.First()
	case two, ok := <-twos:
		two.Second()
	}
}
func plain(ones chan *One) {
	one := <-ones
	one.First()
	(<-ones).First()
	ones.First()
}
"#,
        &[
            "plain -> One.First",
            "received -> One.First",
            "received -> Two.Second",
            "shadowed -> One.First",
            "types -> Two.Second",
        ],
    );
}

#[test]
fn the_files_of_all_builds_are_meant() {
    let project = r#"
//- a/open_linux.go
//go:build linux
package a
func open() { shared() }
type file struct{}
func (f *file) close() {}
//- a/open_other.go
//go:build !linux
package a
func open() {}
//- a/use.go
package a
const First, Second = 1, 2
var _ = shared
func shared() { open() }
func use() int { return First + Second }
"#;
    check_kinds(
        project,
        &[EdgeKind::Calls, EdgeKind::References],
        &["a/use.go -> shared", "open -> shared", "shared -> open", "use -> First", "use -> Second"],
    );
    let graph = super::graph(project);
    let opened = graph.edges().iter().filter(|edge| graph.symbol(edge.to).qualified == "open");
    let paths: Vec<&str> = opened.map(|edge| graph.path(edge.to).as_str()).collect();
    assert_eq!(paths.len(), 4, "each is called, and its file holds it: {paths:?}");
}

#[test]
fn members_without_a_type_of_their_own() {
    check(
        r#"
//- a.go
package a
type One struct{ hook func() *One }
func (o *One) Go() {}
type Config struct {
	Nested struct {
		One *One
		Run func()
	}
}
func use(c Config) {
	c.Nested.One.Go()
	c.Nested.Run()
	local := struct{ one *One }{}
	local.one.Go()
	make := func() *One { return nil }
	make().Go()
	c.Nested.One.hook().Go()
}
"#,
        &["use -> One.Go"],
    );
}

#[test]
fn results_with_names_are_variables() {
    check_kinds(
        r#"
//- a.go
package a
import "sync"
type Conn struct{}
func (c *Conn) Close() error { return nil }
type Closer interface { Close() error }
func dial() (c *Conn, err error) { c = nil; c.Close(); return }
func (c *Conn) again() (next *Conn) { next.Close(); return }
func pick[T any](first T, second T) (kept T) { return first }
func two[T, U any](first T, second U) *Conn { return nil }
var shared = sync.OnceValue(func() *Conn { return &Conn{} })
var all = []func(int, int) *Conn{}
func use(at int) {
	pick[string]("a", "b")
	two[string, int]("a", 1).Close()
	all[at](1, 2).Close()
	shared().Close()
	Closer(nil).Close()
	func() (own *Conn) { own.again(); return }()
}
"#,
        &[EdgeKind::Calls, EdgeKind::References],
        &[
            "Conn.again -> Conn",
            "Conn.again -> Conn.Close",
            "all -> Conn",
            "dial -> Conn",
            "dial -> Conn.Close",
            "shared -> Conn",
            "two -> Conn",
            "use -> Closer",
            "use -> Closer.Close",
            "use -> Conn",
            "use -> Conn.Close",
            "use -> Conn.again",
            "use -> all",
            "use -> pick",
            "use -> shared",
            "use -> two",
        ],
    );
}
