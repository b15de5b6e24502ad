//! What Java sources say, shape by shape.

use super::{check, check_defs};
use expect_test::expect;

#[test]
fn declarations_and_docs() {
    check_defs(
        "java",
        r#"
        package a.b;
        /** A plug. */
        @Deprecated @SuppressWarnings("x")
        public abstract sealed class Plug<T extends Comparable<? super T> & java.io.Closeable>
            extends base.Base<T> implements Source, Other<int[]> permits Sub {
          public static final int ONE = 1, TWO = 2;
          private final java.util.Map<String, ? extends T> left, right;
          static { init(); }
          protected <U> Plug(T value, U... more) throws java.io.IOException { this(); }
          abstract void open(@Nullable String name);
          @Test public void opens() {}
          native int count();
          class Inner { }
        }
        interface Source { int LIMIT = 3; Plug<?> make(int i); default void twice() {} static void of() {} }
        @interface Mark { String value() default ""; int[] more() default {1}; }
        enum Kind implements Source { A(1) { void act() {} }, B; Kind(int... i) {} private int x; }
        record Point<T>(T x, int... y) implements Source { Point { check(); } static int count; }
        "#,
        expect![[r#"
            module  1-18
              class Plug<T: Comparable<T> + java/io/Closeable> <: base/Base<T>, Source, Other<[int]> "public abstract sealed class Plug<T extends Comparable<? super T> & java.io.Closeable>\n    extends base.Base<T> implements Source, Other<int[]> permits Sub" doc "/** A plug. */" 3-14
                associated constant ONE: int = 'int' "public static final int ONE = 1, TWO = 2;" 6
                associated constant TWO: int = 'int' "public static final int ONE = 1, TWO = 2;" 6
                private field left: java/util/Map<String, T> "private final java.util.Map<String, ? extends T> left, right;" 7
                private field right: java/util/Map<String, T> "private final java.util.Map<String, ? extends T> left, right;" 7
                protected constructor constructor<U>(value: T, more: [U]) "protected <U> Plug(T value, U... more) throws java.io.IOException" 9
                internal method open(name: String): void without_body "abstract void open(@Nullable String name);" 10
                test method opens(): void "public void opens()" 11
                internal method count(): int without_body "native int count();" 12
                internal class Inner "class Inner" 13
              internal functional interface Source "interface Source" 15
                constant LIMIT: int = 'int' "int LIMIT = 3;" 15
                method make(i: int): Plug without_body "Plug<?> make(int i);" 15
                method twice(): void "default void twice()" 15
                associated method of(): void "static void of()" 15
              internal interface Mark "@interface Mark" 16
                method value(): String without_body "String value() default \"\";" 16
                method more(): [int] without_body "int[] more() default {1};" 16
              internal enum Kind <: Source "enum Kind implements Source" 17
                enum_member A "A(1)" 17
                  method act(): void "void act()" 17
                enum_member B "B" 17
                constructor constructor(i: [int]) "Kind(int... i)" 17
                private field x: int "private int x;" 17
              internal class Point<T>(x: T, y: [int]) <: Source "record Point<T>(T x, int... y) implements Source" 18
                internal accessor field x: T "T x" 18
                internal constructor constructor(x: T, y: [int]) "Point" 18
                internal associated field count: int "static int count;" 18
        "#]],
    );
}

#[test]
fn bodies() {
    check(
        "java",
        r#"
        import static a.b.C.d;
        import a.b.C;
        import a.*;
        class A extends B {
          int f = new D<>(1).g().h;
          A() { super(f); }
          void run(List<? extends C> list, Object o) throws E {
            var one = list.get(0);
            C.D<String> two = new C.D<String>(one) { void in() { run(); } };
            for (C each : list) each.go(A.this.f, B.super.toString());
            list.forEach(x -> x.go());
            run((y, z) -> y.go(z), C::go, C.D::new, this::<T>run);
            if (o instanceof final C c && c.ok()) outer: while (true) break outer;
            switch (o) { case C.D d -> d.go(); case P(var l, C m) when m.ok() -> {} default -> throw new E(); }
            try (var r = open(); two) { r.read(); } catch (E | F e) { e.print(); }
            int[] list2 = {1}, other[] = new int[3][];
            Object x = (Runnable) () -> go(); long n = 1L + list2.length; String s = "a" + n;
          }
        }
        "#,
        expect![[r#"
            module  1-19
              internal class A <: B "class A extends B" 4-19
                internal field f: int = D().g().h "int f = new D<>(1).g().h;" 5
                internal constructor constructor() "A()" 6
                internal method run(list: List<C>, o: Object): void "void run(List<? extends C> list, Object o) throws E" 7-18
                  internal class <anonymous> <: C/D<String> "" 9
                    internal method in(): void "void in()" 9
            import a/b/C/d from -
            import a/b/C from -
            import a/* from -
            parameter list: List<C> in 7-18
            parameter o: Object in 7-18
            local one = list.get() in 8-18
            local two: C/D<String> = <C/D<String>> in 9-18
            local each: C = list[] in 10-10
            parameter x = list.forEach{0} in 11-11
            parameter y = run{0} in 12-12
            parameter z = run{1} in 12-12
            local c: C in 13-18
            local d: C/D in 14-14
            local l in 14-14
            local m: C in 14-14
            local r = open() in 15-15
            local e: union<E, F> in 15-15
            local list2: [int] = '[]' in 16-18
            local other: [int] = '[]' in 16-18
            local x: Object = <Runnable> in 17-18
            local n: long = ('long' | list2.length) in 17-18
            local s: String = 'String' in 17-18
            4:16 type B from A
            5:14 call D/1 from A.f
            5:21 call D() . g/0 from A.f
            5:25 value D().g() . h from A.f
            6:8 call super . constructor/1 from A.constructor
            6:14 value f from A.constructor
            7:11 type List from A.run
            7:26 type C from A.run
            7:35 type Object from A.run
            7:52 type E from A.run
            8:14 value list from A.run
            8:19 call list . get/1 from A.run
            9:4 type C from A.run
            9:6 type C . D from A.run
            9:8 type String from A.run
            9:26 type C from A.run
            9:28 call C . D/1 from A.run
            9:30 type String from A.run
            9:38 value one from A.run
            9:57 call run/0 from A.run.<anonymous>.in
            10:9 type C from A.run
            10:18 value list from A.run
            10:24 value each from A.run
            10:29 call each . go/2 from A.run
            10:32 value A from A.run
            10:39 value this@A . f from A.run
            10:42 value B from A.run
            10:50 call B . toString/0 from A.run
            11:4 value list from A.run
            11:9 call list . forEach/1 from A.run
            11:22 value x from A.run
            11:24 call x . go/0 from A.run
            12:4 call run/4 from A.run
            12:18 value y from A.run
            12:20 call y . go/1 from A.run
            12:23 value z from A.run
            12:27 value C from A.run
            12:30 value C . go from A.run
            12:34 value C from A.run
            12:36 value C . D from A.run
            12:51 type T from A.run
            12:53 value this . run from A.run
            13:8 value o from A.run
            13:27 type C from A.run
            13:34 value c from A.run
            13:36 call c . ok/0 from A.run
            14:12 value o from A.run
            14:22 type C from A.run
            14:24 type C . D from A.run
            14:31 value d from A.run
            14:33 call d . go/0 from A.run
            14:44 type P from A.run
            14:53 type C from A.run
            14:63 value m from A.run
            14:65 call m . ok/0 from A.run
            14:97 call E/0 from A.run
            15:17 call open/0 from A.run
            15:25 value two from A.run
            15:32 value r from A.run
            15:34 call r . read/0 from A.run
            15:51 type E from A.run
            15:55 type F from A.run
            15:62 value e from A.run
            15:64 call e . print/0 from A.run
            17:4 type Object from A.run
            17:16 type Runnable from A.run
            17:32 call go/0 from A.run
            17:52 value list2 from A.run
            17:58 value list2 . length from A.run
            17:66 type String from A.run
            17:83 value n from A.run
        "#]],
    );
}
