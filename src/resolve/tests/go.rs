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
