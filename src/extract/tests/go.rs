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
        expect![[r#"
            module  1-26
              struct Plug<T: any> <: base/Base, Inner "Plug[T any] struct" doc "// Plug is a plug.\n// It has two lines." 8-12
                field Left: [T] "Left, right map[string]*T `json:\"x\"`" 11
              interface Source <: io/Reader "Source interface" 13-16
                method Open(name: string, more: [int]): (Plug<int>, error) without_body "Open(name string, more ...int) (*Plug[int], error)" 15
              class Handler: fn<Context, ()> "Handler func(*Context)" 17
              type_alias Same: Source "Same = Source" 18
              constant One "One = iota" 20
              internal constant two "two" 21
              internal variable global = (make(), 'int') "global, other = make(), 2" 24
              internal variable other = (make(), 'int') "global, other = make(), 2" 24
              extension on Plug<T> Plug<T> "func (p *Plug[T]) Close()" 25
                method on Plug<T> Close() "func (p *Plug[T]) Close()" 25
              function Map<T: any, U: fmt/Stringer>(xs: [T], f: fn<T, U>): ([U], error) "func Map[T any, U fmt.Stringer](xs []T, f func(T) U) (out []U, err error)" 26
        "#]],
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
        expect![[r#"
            package a
            module  1-16
              internal function run(c: Context): error "func run(c *Context) error" 8-16
            import fmt from -
            import example.org/x/b from -
            import example.org/side as _ from -
            import dot/* from -
            parameter c: Context in 8-16
            local v = <Context>.0 in 9-16
            local ok = <Context>.1 in 9-16
            local m = <[Plug]> in 10-16
            local i in 11-11
            local one = m[] in 11-11
            local t = v in 12-12
            narrowed t: b/Plug in 12-12
            local p = <b/Plug> in 13-16
            parameter q: int in 14-14
            8:12 type Context from run
            8:21 type error from run
            9:10 value c from run
            9:12 value c . pool from run
            9:17 call c.pool . Get/0 from run
            9:25 type Context from run
            10:10 type string from run
            10:17 type Plug from run
            11:21 value m from run
            11:25 value one from run
            11:29 call one . Close/1 from run
            11:35 value i from run
            12:13 value v from run
            12:32 type b . Plug from run
            12:38 value t from run
            12:40 call t . Close/0 from run
            13:9 instantiate b . Plug from run
            13:14 value <b/Plug> . Left from run
            13:20 value ok from run
            13:24 value <b/Plug> . Inner from run
            14:11 type int from run
            14:18 call use/1 from run
            14:22 value q from run
            15:8 value fmt from run
            15:12 call fmt . Errorf/3 from run
            15:24 value p from run
            15:27 call new/1 from run
            15:31 type Plug from run
        "#]],
    );
}
