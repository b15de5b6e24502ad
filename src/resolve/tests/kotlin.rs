//! Kotlin.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn a_member_of_a_field_is_no_recursion() {
    check(
        r#"
//- A.kt
package a
class Mailer { fun send() {} }
class Known(val mailer: Mailer) { fun send() { mailer.send() } }
class Unknown<T>(val mailer: T) { fun send() { mailer.send() } }
"#,
        &["Known.send -> Mailer.send"],
    );
}

#[test]
fn interfaces_objects_and_companions() {
    let project = r#"
//- src/A.kt
package a
fun interface Interceptor { fun intercept(chain: Chain): String }
interface Chain { fun proceed(): String }
class Real(private val list: List<Interceptor>) : Chain {
  override fun proceed(): String = list[0].intercept(this)
}
object Registry {
  fun add(i: Interceptor) {}
}
class Platform {
  companion object {
    fun get(): Platform = Platform()
    val DEFAULT = get()
  }
  fun log() {}
}
enum class Level {
  LOW { override fun tag() = "low" },
  HIGH;
  open fun tag(): String = name
}
fun main() {
  Registry.add { chain -> chain.proceed() }
  Registry.add(Interceptor { it.proceed() })
  Platform.get().log()
  Level.LOW.tag()
}
"#;
    check(
        project,
        &[
            "Platform.DEFAULT -> Platform.get",
            "Platform.get -> Platform",
            "Real.proceed -> Interceptor.intercept",
            "main -> Chain.proceed",
            "main -> Interceptor",
            "main -> Level.tag",
            "main -> Platform.get",
            "main -> Platform.log",
            "main -> Registry.add",
        ],
    );
}

#[test]
fn families_join_declarations() {
    check_kinds(
        r#"
//- src/A.kt
package a
interface Shape { fun area(): Int; val name: String }
interface Round : Shape
abstract class Base : Shape { override fun area() = 0; open fun draw() {} }
class Circle(override val name: String) : Base(), Round { override fun draw() {} }
sealed class Result { class Ok : Result(); object Bad : Result() }
class Wrapped(shape: Shape) : Shape by shape {
  override fun area() = 1
}
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &[
            "Base -> Shape",
            "Base.area -> Shape.area",
            "Circle -> Base",
            "Circle -> Round",
            "Circle.draw -> Base.draw",
            "Circle.name -> Shape.name",
            "Result.Bad -> Result",
            "Result.Ok -> Result",
            "Round -> Shape",
            "Wrapped -> Shape",
            "Wrapped.area -> Shape.area",
        ],
    );
}

#[test]
fn extensions_operators_and_aliases() {
    check(
        r#"
//- src/a/A.kt
package a
class Money(val n: Int) {
  operator fun plus(other: Money): Money = Money(n + other.n)
  operator fun invoke(x: Int) {}
  infix fun add(other: Money) = plus(other)
}
typealias Cash = Money
fun Money.show() {}
fun String.toMoney(): Money = Money(length)
fun List<Money>.total() {}
//- src/b/B.kt
package b
import a.Cash
import a.Money
import a.show as display
import a.toMoney
fun f(m: Money, s: String) {
  m.display()
  s.toMoney().display()
  m add m
  m(1)
  Cash(1).add(m)
  s.show()
}
"#,
        &[
            "Money.add -> Money.plus",
            "Money.plus -> Money",
            "f -> Money",
            "f -> Money.add",
            "f -> Money.invoke",
            "f -> show",
            "f -> toMoney",
            "toMoney -> Money",
        ],
    );
}

#[test]
fn lambdas_with_receivers() {
    check(
        r#"
//- src/A.kt
package a
class Builder {
  var n = 0
  fun size(n: Int) = apply { this.n = n }
  fun build(): Thing = Thing()
}
class Thing { fun go() {} }
fun build(block: Builder.() -> Unit): Thing = Builder().apply(block).build()
fun use() {
  build { size(1) }.go()
  Builder().size(2).size(3).build().go()
  Builder().apply { size(4) }
  val t: Thing? = null
  t?.let { it.go() }
  t!!.go()
  listOf(1).apply { size }
}
"#,
        &[
            "Builder.build -> Thing",
            "build -> Builder",
            "build -> Builder.build",
            "use -> Builder",
            "use -> Builder.build",
            "use -> Builder.size",
            "use -> Thing.go",
            "use -> build",
        ],
    );
}

#[test]
fn packages_imports_and_shadows() {
    check(
        r#"
//- src/main/A.kt
package a
fun helper() {}
fun run(block: () -> Unit) = block()
class Thing { fun describe() {} }
//- src/main/B.kt
package a
import java.util.Scanner
class User {
  fun go(helper: () -> Unit) { helper() }
  fun went() { helper(); Scanner(); Inner().deep() }
  inner class Inner { fun deep() { went() } }
}
class Scanner
//- src/test/T.kt
package other
import a.*
class T {
  fun t(x: Any) {
    fun describe() {}
    describe()
    helper()
    if (x is Thing) x.describe()
    x.describe()
  }
}
"#,
        &[
            "T.t -> T.t.describe",
            "T.t -> Thing.describe",
            "T.t -> helper",
            "User.Inner.deep -> User.went",
            "User.went -> User.Inner",
            "User.went -> User.Inner.deep",
            "User.went -> helper",
        ],
    );
}

#[test]
fn overloads_bind_by_their_arguments() {
    check_kinds(
        r#"
//- src/A.kt
package a
class C {
  fun one(a: Int) = one(a, 1)
  fun one(a: Int, b: Int) {}
}
fun use(c: C) { C::one; c.one(1) }
"#,
        &[EdgeKind::Calls],
        &["C.one -> C.one", "use -> C.one"],
    );
}

#[test]
fn function_types_choose_among_extensions() {
    check(
        r#"
//- src/A.kt
package a
class Done
fun <T> (suspend () -> T).begin(done: Done) {}
fun <R, T> (suspend (R) -> T).begin(receiver: R, done: Done) {}
fun <R, T> start(block: suspend R.() -> T, receiver: R, done: Done) {
  block.begin(receiver, done)
}
class Box {
  var n = 0
  fun set(n: Int) = apply { this.n = n; touch() }
  fun touch() {}
}
class Node(val next: Node?) {
  fun visit() {}
}
fun walk(node: Node) {
  node.next?.let { it.next?.let { it.visit() } }
}
"#,
        &["Box.set -> Box.touch", "start -> begin", "walk -> Node.visit"],
    );
}

#[test]
fn expected_declarations_stand_for_the_actual_ones() {
    check(
        r#"
//- lib/src/commonMain/kotlin/C.kt
package a
expect fun now(): Long
expect class Lock() { fun lock() }
fun common(lock: Lock) { now(); lock.lock() }
//- lib/src/jvmMain/kotlin/J.kt
package a
actual fun now(): Long = 1
actual class Lock { actual fun lock() {} }
fun jvm() { now() }
"#,
        &["common -> Lock.lock", "common -> now", "jvm -> now"],
    );
}

#[test]
fn lambdas_and_branches_give_what_their_last_expression_does() {
    check(
        r#"
//- a/A.kt
package a
class Part { fun go() {} }
class Whole { fun part(): Part = Part() }
data class Pair2(val first: Part, val second: Whole)
fun pair(): Pair2 = Pair2(Part(), Whole())
fun f(whole: Whole, list: List<Whole>, n: Int) {
    whole.let { it.part() }.go()
    list.map { one -> one.part() }.first().go()
    val chosen = when (n) {
        0 -> Part()
        else -> { val other = whole.part(); other }
    }
    chosen.go()
    val (first, second) = pair()
    first.go()
    second.part()
}
"#,
        &[
            "Whole.part -> Part",
            "f -> Part",
            "f -> Part.go",
            "f -> Whole.part",
            "f -> pair",
            "pair -> Pair2",
            "pair -> Part",
            "pair -> Whole",
        ],
    );
}
