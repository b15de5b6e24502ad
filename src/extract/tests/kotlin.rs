//! What Kotlin sources say, shape by shape.

use super::{check, check_defs, check_uses};
use expect_test::expect;

#[test]
fn declarations_and_docs() {
    check_defs(
        "kotlin",
        r#"
        @file:JvmName("X")
        package a.b

        /** A plug. */
        @Suppress("x")
        internal abstract class Plug<T : Any> private constructor(
          val name: String,
          @field:Id private var size: Int = 3,
          plain: T,
        ) : Base<T>(plain), Source by plain, c.d.Sink where T : Closeable {
          constructor(x: Int) : this("", x)
          init { val local = plain.go() }
          lateinit var late: Late
          val lazy by lazy { make() }
          abstract val open: Int
          protected abstract fun todo(x: Int): String
          override suspend fun run(vararg xs: Int, f: suspend T.(Int) -> Unit) = xs.size
          operator fun get(i: Int): T = items[i]
          inner class Inner { fun deep() {} }
          companion object { const val MAX = 1; @JvmStatic fun of(): Plug<*>? = null }
        }
        fun interface Handler { fun handle(x: Int) }
        sealed interface Shape
        data object Empty : Shape
        enum class Level(val weight: Int) : Named {
          LOW(1),
          HIGH(2) { override fun text() = "h" },
          ;
          open fun text() = "l"
        }
        annotation class Id
        @JvmInline value class Name(val text: String)
        typealias Rows = List<Map<String, Row>>
        fun <T> List<T>.second(): T? = this[1]
        val String.half: String
          get() = take(length / 2)
        private val CONST = 1
        expect fun now(): Long
        actual class Clock {
          companion object Factory
        }
        val (left, right) = pair()
    "#,
        expect![[r#"
            module  1-42
              internal class Plug<T: Any + Closeable>(name: String, size: Int, plain: T) <: Base<T>, Source by plain, c/d/Sink "internal abstract class Plug<T : Any> private constructor(\n  val name: String,\n  @field:Id private var size: Int = 3,\n  plain: T,\n) : Base<T>(plain), Source by plain, c.d.Sink where T : Closeable" doc "/** A plug. */" 5-21
                property name: String "val name: String" 7
                private property size: Int = 'Int' "private var size: Int = 3" 8
                constructor constructor(x: Int) "constructor(x: Int) : this(\"\", x)" 11
                property late: Late "lateinit var late: Late" 13
                property lazy "val lazy by lazy { make() }" 14
                property open: Int without_body "abstract val open: Int" 15
                protected method todo(x: Int): String without_body "protected abstract fun todo(x: Int): String" 16
                override method run(xs: [Int], f: receiver fn<T, Int, Unit>) = xs.size "override suspend fun run(vararg xs: Int, f: suspend T.(Int) -> Unit)" 17
                operator method get(i: Int): T = items[] "operator fun get(i: Int): T" 18
                class Inner "inner class Inner" 19
                  method deep() "fun deep()" 19
                companion object Companion "companion object" 20
                  associated constant MAX = 'Int' "const val MAX = 1" 20
                  associated method of(): Plug "fun of(): Plug<*>?" 20
              functional interface Handler "fun interface Handler" 22
                method handle(x: Int) without_body "fun handle(x: Int)" 22
              interface Shape "sealed interface Shape" 23
              object Empty <: Shape "data object Empty : Shape" 24
              enum Level(weight: Int) <: Named "enum class Level(val weight: Int) : Named" 25-30
                property weight: Int "val weight: Int" 25
                enum_member LOW "LOW(1)" 26
                enum_member HIGH "HIGH(2)" 27
                  override method text() = 'String' "override fun text()" 27
                method text() = 'String' "open fun text()" 29
              class Id "annotation class Id" 31
              class Name(text: String) "value class Name(val text: String)" 32
                property text: String "val text: String" 32
              type_alias Rows: List<Map<String, Row>> "typealias Rows = List<Map<String, Row>>" 33
              function on List<T> second<T>(): T = this[] "fun <T> List<T>.second(): T?" 34
              accessor property on String half: String = take() "val String.half: String" 35-36
              private property CONST = 'Int' "private val CONST = 1" 37
              conditional expected function now(): Long without_body "expect fun now(): Long" 38
              conditional class Clock "actual class Clock" 39-41
                companion object Factory "companion object Factory" 40
              property left = pair().0 "val (left, right) = pair()" 42
              property right = pair().1 "val (left, right) = pair()" 42
        "#]],
    );
}

#[test]
fn properties_keep_their_accessors() {
    check_defs(
        "kotlin",
        r#"
        class A {
          val full: Int
            // Why.
            @Foo get() = compute()
          var two: String = ""
            get() { return field }
            private set
          var after = 1
        }
    "#,
        expect![[r#"
            module  1-9
              class A "class A" 1-9
                accessor property full: Int = compute() "val full: Int" 2-4
                accessor property two: String = 'String' "var two: String = \"\"" 5-7
                property after = 'Int' "var after = 1" 8
        "#]],
    );
}

#[test]
fn anonymous_objects_hold_their_members() {
    check(
        "kotlin",
        r#"
        fun make(n: Int): Handler {
          val handler = object : Handler, Base(n) {
            override fun handle(x: Int) = n.use(x)
          }
          fun local(y: Int) = handler.handle(y)
          return handler
        }
    "#,
        expect![[r#"
            module  1-7
              function make(n: Int): Handler "fun make(n: Int): Handler" 1-7
                object <anonymous> <: Handler, Base "object : Handler, Base(n)" 2-4
                  override method handle(x: Int) = n.use(x) "override fun handle(x: Int)" 3
                function local(y: Int) = handler.handle(y) "fun local(y: Int)" 5
            parameter n: Int in 1-7
            parameter x: Int in 3-3
            local handler = <Handler> in 4-7
            parameter y: Int in 5-5
            1:12 type Int from make
            1:18 type Handler from make
            2:25 type Handler from make.<anonymous>
            2:34 type Base from make.<anonymous>
            2:39 value n from make.<anonymous>
            3:27 type Int from make.<anonymous>.handle
            3:34 value n from make.<anonymous>.handle
            3:36 call n . use/1 from make.<anonymous>.handle
            3:40 value x from make.<anonymous>.handle
            5:15 type Int from make.local
            5:22 value handler from make.local
            5:30 call handler . handle/1 from make.local
            5:37 value y from make.local
            6:9 value handler from make
        "#]],
    );
}

#[test]
fn imports_have_aliases_and_wildcards() {
    check(
        "kotlin",
        r#"
        package a.b
        import c.d.E
        import c.d.f as g
        import c.h.*
        import `in`.x.Y
    "#,
        expect![[r#"
        package a.b
        module  1-5
        import c/d/E from -
        import c/d/f as g from -
        import c/h/* from -
        import in/x/Y from -
    "#]],
    );
}

#[test]
fn calls_and_receivers() {
    check_uses(
        "kotlin",
        r#"
        fun run(xs: List<Row>) {
          Plug("a", size = 2).go<Int>(1) { it.x() }
          a.b.C.make()
          (xs as Rows).all()
          xs?.first()!!.name
          this@Outer.go()
          super<Base>.go()
          super.go()
          val f = ::helper
          xs.map(Row::name)
          Row::class.java
          a shl b
          xs[0].next()
          print("${xs.size()} and $name")
          x.y = z.w
          items += Plug()
          return@run other()
        }
    "#,
        expect![[r#"
            parameter xs: List<Row> in 1-18
            parameter it = Plug().go{0} in 2-2
            receiver  = Plug().go{this} in 2-2
            local f in 9-18
            1:12 type List from run
            1:17 type Row from run
            2:2 call Plug/2 from run
            2:22 call Plug() . go/2 from run
            2:25 type Int from run
            2:35 value it from run
            2:38 call it . x/0 from run
            3:2 value a from run
            3:4 value a . b from run
            3:6 value a.b . C from run
            3:8 call a.b.C . make/0 from run
            4:3 value xs from run
            4:9 type Rows from run
            4:15 call a.b.C.make()(<Rows>) . all/0 from run
            5:2 value xs from run
            5:6 call xs . first/0 from run
            5:16 value xs.first()? . name from run
            6:13 call this@Outer . go/0 from run
            7:8 type Base from run
            7:14 call super<Base> . go/0 from run
            8:8 call super . go/0 from run
            9:12 value helper from run
            10:2 value xs from run
            10:5 call xs . map/1 from run
            10:9 type Row from run
            10:14 value Row . name from run
            11:2 type Row from run
            11:13 value ? . java from run
            12:2 value a from run
            12:4 call a . shl from run
            12:8 value b from run
            13:2 value xs from run
            13:8 call xs[] . next/0 from run
            14:2 call print/1 from run
            14:11 value xs from run
            14:14 call xs . size/0 from run
            14:27 value name from run
            15:2 value x from run
            15:4 value x . y/1 from run
            15:8 value z from run
            15:10 value z . w from run
            16:2 value items from run
            16:11 call Plug/0 from run
            17:13 call other/0 from run
        "#]],
    );
}

#[test]
fn bindings_have_values_and_scopes() {
    check_uses(
        "kotlin",
        r#"
        fun run(xs: List<Row>, q: Any) {
          for ((i, row) in xs.withIndex()) row.go(i)
          for (x: Row in xs) { x.go() }
          val (p, r) = pair()
          val y = xs.first() ?: return
          val z = if (y.ok) y.a else y.b
          xs.apply { add(1) }
          with(y) { go() }
          y.let { it.go() }
          y.also { other -> other.go() }
          xs.forEach { (a, b) -> a.go(b) }
          if (q is Row && y.ok) q.go()
          when (q) { is Row -> q.go(); is A, is B -> q.no(); !is C -> {} }
          when (val w = next()) { else -> w.go() }
          try { risky() } catch (e: IOException) { e.go() }
          val g = fun(n: Int): Int { return n.go() }
          if (q !is Row) q.no()
        }
    "#,
        expect![[r#"
            parameter xs: List<Row> in 1-18
            parameter q: Any in 1-18
            local i = xs.withIndex()[].0 in 2-2
            local row = xs.withIndex()[].1 in 2-2
            local x: Row = xs[] in 3-3
            local p = pair().0 in 4-18
            local r = pair().1 in 4-18
            local y = xs.first() in 5-18
            local z = (y.a | y.b) in 6-18
            parameter it = xs.apply{0} in 7-7
            receiver  = xs.apply{this} in 7-7
            parameter it = with{0} in 8-8
            receiver  = with{this} in 8-8
            parameter it = y.let{0} in 9-9
            receiver  = y.let{this} in 9-9
            receiver  = y.also{this} in 10-10
            parameter other = y.also{0} in 10-10
            receiver  = xs.forEach{this} in 11-11
            parameter a = xs.forEach{0}.0 in 11-11
            parameter b = xs.forEach{0}.1 in 11-11
            narrowed q: Row in 12-12
            narrowed q: Row in 12-12
            narrowed q: Row in 13-13
            local w = next() in 14-14
            local e: IOException in 15-15
            parameter n: Int in 16-16
            local g = lambda in 16-18
            1:12 type List from run
            1:17 type Row from run
            1:26 type Any from run
            2:19 value xs from run
            2:22 call xs . withIndex/0 from run
            2:35 value row from run
            2:39 call row . go/1 from run
            2:42 value i from run
            3:10 type Row from run
            3:17 value xs from run
            3:23 value x from run
            3:25 call x . go/0 from run
            4:15 call pair/0 from run
            5:10 value xs from run
            5:13 call xs . first/0 from run
            6:14 value y from run
            6:16 value y . ok from run
            6:20 value y from run
            6:22 value y . a from run
            6:29 value y from run
            6:31 value y . b from run
            7:2 value xs from run
            7:5 call xs . apply/1 from run
            7:13 call add/1 from run
            8:2 call with/2 from run
            8:7 value y from run
            8:12 call go/0 from run
            9:2 value y from run
            9:4 call y . let/1 from run
            9:10 value it from run
            9:13 call it . go/0 from run
            10:2 value y from run
            10:4 call y . also/1 from run
            10:20 value other from run
            10:26 call other . go/0 from run
            11:2 value xs from run
            11:5 call xs . forEach/1 from run
            11:25 value a from run
            11:27 call a . go/1 from run
            11:30 value b from run
            12:6 value q from run
            12:11 type Row from run
            12:18 value y from run
            12:20 value y . ok from run
            12:24 value q from run
            12:26 call q . go/0 from run
            13:8 value q from run
            13:16 type Row from run
            13:23 value q from run
            13:25 call q . go/0 from run
            13:34 type A from run
            13:40 type B from run
            13:45 value q from run
            13:47 call q . no/0 from run
            13:57 type C from run
            14:16 call next/0 from run
            14:34 value w from run
            14:36 call w . go/0 from run
            15:8 call risky/0 from run
            15:28 type IOException from run
            15:43 value e from run
            15:45 call e . go/0 from run
            16:17 type Int from run
            16:23 type Int from run
            16:36 value n from run
            16:38 call n . go/0 from run
            17:6 value q from run
            17:12 type Row from run
            17:17 value q from run
            17:19 call q . no/0 from run
        "#]],
    );
}

#[test]
fn types_are_references() {
    check_uses(
        "kotlin",
        r#"
        class A<T : Bound>(val x: Outer.Inner<T?>, y: (Foo) -> Bar) : Base(), Other {
          @Get("x") fun f(z: a.b.Deep): Map<String, *> = TODO()
        }
    "#,
        expect![[r#"
            parameter y: fn<Foo, Bar> in 1-3
            parameter z: a/b/Deep in 2-2
            1:12 type Bound from A
            1:26 type Outer from A.x
            1:32 type Outer . Inner from A.x
            1:38 type T from A.x
            1:47 type Foo from A
            1:55 type Bar from A
            1:62 type Base from A
            1:70 type Other from A
            2:3 decorator Get/1 from A.f
            2:21 type a from A.f
            2:23 type a . b from A.f
            2:25 type a::b . Deep from A.f
            2:32 type Map from A.f
            2:36 type String from A.f
            2:49 call TODO/0 from A.f
        "#]],
    );
}

#[test]
fn keywords_that_are_read_as_names_are_recovered() {
    check(
        "kotlin",
        r#"
        import a.Delete

        @TargetClass(A::class)
        @Delete
        class First

        @TargetClass(B.Companion::class)
        class Second {
          @Substitute
          fun find(): A = B.make()
        }
    "#,
        expect![[r#"
            module  1-11
              class First "class First" 3-5
              class Second "class Second" 7-11
                method find(): A = B.make() "fun find(): A" 9-10
            import a/Delete from -
            3:1 decorator TargetClass/1 from First
            3:13 type A from First
            4:1 decorator Delete from First
            7:1 decorator TargetClass/1 from Second
            7:13 value B from Second
            7:15 value B . Companion from Second
            9:3 decorator Substitute from Second.find
            10:14 type A from Second.find
            10:18 value B from Second.find
            10:20 call B . make/0 from Second.find
            error 5-5
            error 8-8
        "#]],
    );
}

#[test]
fn broken_members_leave_the_others() {
    check_defs(
        "kotlin",
        r#"
        class A {
          fun good() = 1
          fun broken( {
          }
          fun next(a: Int): String = a.toString()
        }
        interface B { val z: String }
    "#,
        expect![[r#"
        module  1-7
          class A "class A" 1-6
            method good() = 'Int' "fun good()" 2
            method broken() "fun broken(" 3-4
            method next(a: Int): String = a.toString() "fun next(a: Int): String" 5
          interface B "interface B" 7
            property z: String without_body "val z: String" 7
        error 3-3
    "#]],
    );
}
