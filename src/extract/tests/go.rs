//! What Go sources say, shape by shape.

use super::{check, check_defs};
use expect_test::expect;

#[test]
fn declarations_and_docs() {
    check_defs(
        "go",
        r#"
        // Package a is documented.
        package a

        // A heading.

        // Plug is a plug.
        // It has two lines.
        type Plug[T any] struct {
        	base.Base
        	*Inner
        	Left, right map[string]*T `json:"x"`
        }
        type Source interface {
        	io.Reader
        	Open(name string, more ...int) (*Plug[int], error)
        }
        type Handler func(*Context)
        type Same = Source
        const (
        	One = iota
        	two
        )
        var _ Source = &Plug[int]{}
        var global, other = make(), 2
        func (p *Plug[T]) Close() {}
        func Map[T any, U fmt.Stringer](xs []T, f func(T) U) (out []U, err error) { return nil, nil }
        "#,
        expect![[]],
    );
}

#[test]
fn bodies() {
    check(
        "go",
        r#"
        package a
        import (
        	"fmt"
        	b "example.org/x/b"
        	_ "example.org/side"
        	. "dot"
        )
        func run(c *Context) error {
        	v, ok := c.pool.Get().(*Context)
        	m := map[string]Plug{"a": {Left: 1}}
        	for i, one := range m { one.Close(i) }
        	switch t := v.(type) { case *b.Plug: t.Close() }
        	p := &b.Plug{Left: ok, Inner: nil}
        	go func(q int) { use(q) }(1)
        	return fmt.Errorf("x", p, new(Plug))
        }
        "#,
        expect![[]],
    );
}
