//! Go: what is embedded, by how deep it lies, and what fulfils an interface.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn the_member_that_is_embedded_least_deep_is_meant() {
    check(
        r#"
//- a/a.go
package a
type Deep struct{}
func (d *Deep) Close() {}
func (d *Deep) Only() {}
type Holder struct{ Deep }
type Near struct{}
func (n *Near) Close() {}
type Both struct {
	Holder
	Near
}
type Left struct{}
func (l *Left) Stop() {}
type Right struct{ Stop func() }
type Torn struct {
	*Left
	Right
}
type Stopper interface{ Stop() }
type Ender interface{ Stop() }
type Each interface {
	Stopper
	Ender
}
func use(b Both, t Torn, e Each) {
	b.Close()
	b.Only()
	t.Stop()
	e.Stop()
}
func direct(t Torn) { t.Left.Stop() }
"#,
        &["direct -> Left.Stop", "use -> Deep.Only", "use -> Near.Close", "use -> Stopper.Stop"],
    );
}

#[test]
fn what_two_embed_equally_deep_fulfils_nothing() {
    check_kinds(
        r#"
//- a/a.go
package a
type Closer interface{ Close() }
type One struct{}
func (o *One) Close() {}
type Two struct{}
func (t *Two) Close() {}
type Torn struct {
	One
	Two
}
type Own struct{ One }
func (o *Own) Close() {}
type Number interface {
	~int | ~string
	Close()
}
type Choice interface {
	*One | *Two
	Close()
}
type Exact interface {
	~int
	Close()
}
func run[V *One | *Two](v V) { v.Close() }
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &[
            "One -> Closer",
            "One.Close -> Closer.Close",
            "Own -> Closer",
            "Own -> One",
            "Own.Close -> Closer.Close",
            "Torn -> One",
            "Torn -> Two",
            "Two -> Closer",
            "Two.Close -> Closer.Close",
        ],
    );
}
