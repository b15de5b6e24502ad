//! Java.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn packages_and_imports() {
    check(
        r#"
//- a/One.java
package a;
import static b.Tools.*;
import static b.Tools.Deep.dig;
import b.Two;
import c.*;
class One {
    Two two;
    Three three;
    void run(java.util.List<String> list) {
        two.go();
        three.go();
        near();
        Near.near();
        sharpen();
        dig();
        b.Tools.blunt();
        list.add("");
        String.valueOf(1);
        Objects.hash(1);
    }
    void near() {}
}
//- a/Near.java
package a;
class Near { static void near() {} }
//- b/Two.java
package b;
public class Two { public void go() {} }
//- b/Tools.java
package b;
public class Tools {
    public static void sharpen() {}
    public static void blunt() {}
    public static class Deep { public static void dig() {} }
}
//- c/Three.java
package c;
public class Three { public void go() {} }
//- d/Objects.java
package d;
public class Objects { public static void hash(int x) {} public void add(String s) {} }
"#,
        &[
            "One.run -> Near.near",
            "One.run -> One.near",
            "One.run -> Three.go",
            "One.run -> Tools.Deep.dig",
            "One.run -> Tools.blunt",
            "One.run -> Tools.sharpen",
            "One.run -> Two.go",
        ],
    );
}

#[test]
fn receivers_have_types() {
    check(
        r#"
//- A.java
import java.util.*;
class A {
    B field;
    B[] array;
    Map<String, B> map;
    A self() { return this; }
    B make() { return field; }
    void local(B parameter, Object any) {
        B one = make();
        var two = self().make();
        one.hit();
        two.hit();
        parameter.hit();
        this.field.hit();
        array[0].hit();
        map.get("").hit();
        ((B) any).hit();
        if (any instanceof B three && three.hit()) {}
        if (!(any instanceof B four)) return;
        four.hit();
        for (B each : map.values()) each.hit();
        for (var each : array) each.hit();
        any.hit();
        hit();
    }
    void resources() {
        try (B open = new B()) {
            open.hit();
        } catch (Failed | Broken failed) {
            failed.why();
        }
    }
    Object patterns(Object value) {
        return switch (value) {
            case B b when b.hit() -> b;
            case Pair(B left, var right) -> left.hit();
            default -> make().hit();
        };
    }
    String both(boolean x) { return (x ? field : make()).toString() + field.text().trim(); }
    int size;
    int size() { return size; }
    void names() { int size = 1; size(); }
}
class B implements AutoCloseable {
    boolean hit() { return true; }
    String text() { return ""; }
    public String toString() { return text(); }
    public void close() {}
}
record Pair(B left, B right) {}
class Failed extends RuntimeException { void why() {} }
class Broken extends RuntimeException { void why() {} }
"#,
        &[
            "A.both -> A.make",
            "A.both -> B.text",
            "A.both -> B.toString",
            "A.local -> A.make",
            "A.local -> A.self",
            "A.local -> B.hit",
            "A.names -> A.size",
            "A.patterns -> A.make",
            "A.patterns -> B.hit",
            "A.resources -> B",
            "A.resources -> B.hit",
            "B.toString -> B.text",
        ],
    );
}

#[test]
fn constructors_and_nested_types() {
    check(
        r#"
//- Outer.java
class Base {
    Base(String s) {}
    Base(int i) {}
}
class Outer extends Base {
    final Inner inner = new Inner();
    Outer() { this(1); }
    Outer(int i) { super(i); }
    Outer(String s) { super(s); }
    class Inner {
        void up() { Outer.this.top(); top(); }
    }
    static class Nested extends Outer {
        Nested() { super("x"); }
        static void make() { new Nested(); }
    }
    enum Kind {
        ONE(1) { void act() { mine(); } void mine() {} },
        TWO(2);
        Kind(int i) {}
        void act() {}
    }
    void top() {
        new Nested().top();
        Outer.Nested.make();
        new Outer.Inner();
        other().new Inner();
        Kind.ONE.act();
        class Local { void in() { top(); } }
        new Local().in();
        Runnable run = new Runnable() {
            public void run() { top(); help(); }
            void help() {}
        };
        run.run();
    }
    Outer other() { return new Outer("s"); }
    { top(); }
    static { Nested.make(); }
}
class Plain extends Unknown { Plain() { super(1); } }
record Point(int x, int y) {
    Point { check(x); }
    Point(int both) { this(both, both); }
    static void check(int x) {}
    static Point of() { return new Point(1, 2); }
    int sum() { return x() + this.y(); }
}
"#,
        &[
            "Outer -> Outer.Nested.make",
            "Outer -> Outer.top",
            "Outer.Inner.up -> Outer.top",
            "Outer.Kind.ONE -> Outer.Kind.constructor",
            "Outer.Kind.ONE.act -> Outer.Kind.ONE.mine",
            "Outer.Kind.TWO -> Outer.Kind.constructor",
            "Outer.Nested.constructor -> Outer.constructor",
            "Outer.Nested.make -> Outer.Nested",
            "Outer.Nested.make -> Outer.Nested.constructor",
            "Outer.constructor -> Base.constructor",
            "Outer.constructor -> Outer.constructor",
            "Outer.inner -> Outer.Inner",
            "Outer.other -> Outer",
            "Outer.other -> Outer.constructor",
            "Outer.top -> Outer.Inner",
            "Outer.top -> Outer.Kind.act",
            "Outer.top -> Outer.Nested",
            "Outer.top -> Outer.Nested.constructor",
            "Outer.top -> Outer.Nested.make",
            "Outer.top -> Outer.other",
            "Outer.top -> Outer.top",
            "Outer.top -> Outer.top.Local",
            "Outer.top -> Outer.top.Local.in",
            "Outer.top.<anonymous>.run -> Outer.top",
            "Outer.top.<anonymous>.run -> Outer.top.<anonymous>.help",
            "Outer.top.Local.in -> Outer.top",
            "Point.constructor -> Point.check",
            "Point.constructor -> Point.constructor",
            "Point.of -> Point",
            "Point.of -> Point.constructor",
            "Point.sum -> Point.x",
            "Point.sum -> Point.y",
        ],
    );
}

/// Arguments tell overloads apart by their number and their types; where they do not, none is meant.
#[test]
fn overloads() {
    check(
        r#"
//- A.java
import other.Thing;
class A {
    void text(String s) { first(); }
    void text(int i) { second(); }
    void text(long l) { third(); }
    void text(Object o) { fourth(); }
    void text(String s, Object... more) {}
    void first() {} void second() {} void third() {} void fourth() {}
    void calls(Integer boxed, short small, Thing thing, char[] list) {
        new Text("").call();
        Word.word(Word.unknown());
        Word.word("a" + boxed);
        Word.word(small);
        Word.word(5L);
        Word.many(1, 2);
        Word.many();
        Word.many(list);
        Word.size(list.length);
    }
}
class Text {
    Text(String s) {}
    Text(Object o) {}
    void call() {}
}
class Base { void over(String s) {} void over(int i) {} }
class Low extends Base {
    void over(String s) {}
    void run() { over(1); over(""); super.over(""); }
}
class Word {
    static void word(String s) { one(); }
    static void word(int i) { two(); }
    static void word(long l) { three(); }
    static void one() {} static void two() {} static void three() {}
    static void many(int... all) {}
    static void many(char[] all) {}
    static void size(int i) {}
}
"#,
        &[
            "A.calls -> Text",
            "A.calls -> Text.call",
            "A.calls -> Text.constructor",
            "A.calls -> Word.many",
            "A.calls -> Word.size",
            "A.calls -> Word.word",
            "A.text -> A.first",
            "A.text -> A.fourth",
            "A.text -> A.second",
            "A.text -> A.third",
            "Low.run -> Base.over",
            "Low.run -> Low.over",
            "Word.word -> Word.one",
            "Word.word -> Word.three",
            "Word.word -> Word.two",
        ],
    );
}

#[test]
fn an_argument_of_unknown_type_chooses_nothing() {
    check(
        r#"
//- A.java
class A {
    void take(String s) {}
    void take(Runnable r) {}
    void only(String s) {}
    void run(elsewhere.Box box) {
        take(box.open());
        only(box.open());
        Other x = make(box.open());
    }
    Other make(String s) { return null; }
    Other make(Runnable r) { return null; }
}
class Other {}
"#,
        &["A.run -> A.only"],
    );
}

#[test]
fn lambdas_stand_for_interfaces_with_one_method() {
    check(
        r#"
//- A.java
import java.util.*;
interface Visit<T> { void visit(T value); default void twice(T value) { visit(value); } }
interface Maker { B make(int i, B b); }
class B { void hit() {} B next() { return this; } }
class A {
    Visit<B> field = b -> b.hit();
    void each(Visit<B> visit) {}
    <T> void all(List<T> list, Visit<? super T> visit) {}
    Maker maker() { return (i, b) -> b.next(); }
    void run(List<B> list) {
        each(b -> b.hit());
        each((B b) -> { b.hit(); });
        each(B::hit);
        Visit<B> local = b -> b.next();
        local.visit(null);
        Object any = (Visit<B>) b -> b.hit();
        field = b -> b.next();
        list.forEach(b -> b.hit());
        list.stream().filter(b -> b.next() != null).map(b -> b.next()).forEach(b -> b.hit());
        all(list, b -> b.hit());
    }
}
"#,
        &[
            "A.field -> B.hit",
            "A.maker -> B.next",
            "A.run -> A.all",
            "A.run -> A.each",
            "A.run -> B.hit",
            "A.run -> B.next",
            "A.run -> Visit.visit",
            "Visit.twice -> Visit.visit",
        ],
    );
}

#[test]
fn families() {
    check_kinds(
        r#"
//- Shapes.java
interface Shape<T> { double area(); void scale(T by); default String name() { return ""; } static void of() {} }
interface Round extends Shape<Integer> { int radius(); }
abstract class Base implements Shape<Double> {
    public double area() { return 0; }
    public void scale(Double by) {}
    private void hidden() {}
    static void of() {}
}
class Square extends Base implements Comparable<Square> {
    public double area() { return 1; }
    public double area(int more) { return 1; }
    public String name() { return "square"; }
    void hidden() {}
    public int compareTo(Square other) { return 0; }
}
enum Size implements Round {
    SMALL { public int radius() { return 1; } };
    public int radius() { return 2; }
    public double area() { return 3; }
    public void scale(Integer by) {}
}
record Disc(int radius) implements Round {
    public double area() { return radius; }
    public void scale(Integer by) {}
}
class Maker {
    Shape<Integer> make() { return new Round() { public int radius() { return 1; } }; }
}
@interface Mark { Class<?> value() default Shape.class; }
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &[
            "Base -> Shape",
            "Base.area -> Shape.area",
            "Base.scale -> Shape.scale",
            "Disc -> Round",
            "Disc.area -> Shape.area",
            "Disc.scale -> Shape.scale",
            "Maker.make.<anonymous> -> Round",
            "Maker.make.<anonymous>.radius -> Round.radius",
            "Round -> Shape",
            "Size -> Round",
            "Size.SMALL -> Size",
            "Size.SMALL.radius -> Size.radius",
            "Size.area -> Shape.area",
            "Size.radius -> Round.radius",
            "Size.scale -> Shape.scale",
            "Square -> Base",
            "Square.area -> Base.area",
            "Square.name -> Shape.name",
        ],
    );
}

/// A type that extends one from outside may have any name from there; of what is often extended the names are
/// known.
#[test]
fn names_from_outside_hide_those_of_outer_types() {
    check(
        r#"
//- A.java
class A {
    void start() {}
    void help() {}
    void run() {}
    public String toString() { return ""; }
    void all() {
        new Thread() { public void run() { start(); } };
        new Runnable() { public void run() { help(); toString(); } };
        Runnable run = () -> start();
    }
    class Sub extends elsewhere.Base { void go() { help(); A.this.help(); } }
    class Failed extends RuntimeException { void go() { getMessage(); help(); } }
    static class Plain { void go() { help2(); } }
    static void help2() {}
    String getMessage() { return ""; }
}
"#,
        &[
            "A.Failed.go -> A.help",
            "A.Plain.go -> A.help2",
            "A.Sub.go -> A.help",
            "A.all -> A.start",
            "A.all.<anonymous>.run -> A.help",
        ],
    );
}

#[test]
fn the_type_above_a_constant_with_a_body_is_its_enum() {
    check(
        r#"
//- Op.java
interface Fn { int apply(int a); }
enum Op implements Fn {
    ADD { public int apply(int a) { return super.apply(a); } };
    public int apply(int a) { return a; }
}
"#,
        &["Op.ADD.apply -> Op.apply"],
    );
}
