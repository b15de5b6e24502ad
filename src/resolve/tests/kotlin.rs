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
fn a_lambda_without_a_receiver_leaves_this_as_it_is() {
    check(
        r#"
//- src/A.kt
package a
object Locks {
  fun <R> locked(lock: Any, block: () -> R): R = block()
  fun <R> on(box: Box, block: Box.() -> R): R = box.block()
}
class Box { fun open() {} }
class Registry {
  fun drop(id: String) {}
  fun drop(scope: Scope) { scope.done() }
}
class Scope(val registry: Registry) {
  fun close() = Locks.locked(this) {
    registry.drop(this)
    this.done()
  }
  fun opens() = Locks.on(Box()) {
    Locks.locked(this) { this.open() }
  }
  fun done() {}
}
"#,
        &[
            "Registry.drop -> Scope.done",
            "Scope.close -> Locks.locked",
            "Scope.close -> Registry.drop",
            "Scope.close -> Scope.done",
            "Scope.opens -> Box",
            "Scope.opens -> Box.open",
            "Scope.opens -> Locks.locked",
            "Scope.opens -> Locks.on",
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
fn keywords_that_serve_as_names_are_names() {
    let project = r#"
//- src/A.kt
package a
interface Source { fun pull() }
class Held<T>(val value: T, val data: Source, private val delegate: Source) : Source by delegate {
  val field: Source get() = data
  fun all() {
    delegate.pull()
    data.pull()
    field.pull()
    println(value)
    get()
  }
  fun get(): T = value
  fun set(open: Source, inner: Source) { open.pull(); inner.pull() }
}
fun use(held: Held<Source>) { held.value.pull(); held.get().pull(); val set = held.data; set.pull() }
"#;
    check_kinds(
        project,
        &[EdgeKind::References],
        &[
            "Held -> Held.delegate",
            "Held.all -> Held.data",
            "Held.all -> Held.delegate",
            "Held.all -> Held.value",
            "Held.data -> Source",
            "Held.delegate -> Source",
            "Held.field -> Held.data",
            "Held.field -> Source",
            "Held.get -> Held.value",
            "Held.set -> Source",
            "use -> Held",
            "use -> Held.data",
            "use -> Held.value",
            "use -> Source",
        ],
    );
    check(
        project,
        &[
            "Held.all -> Held.field",
            "Held.all -> Held.get",
            "Held.all -> Source.pull",
            "Held.set -> Source.pull",
            "use -> Held.get",
            "use -> Source.pull",
        ],
    );
}

#[test]
fn tests_of_a_type_narrow_what_follows() {
    let project = r#"
//- src/A.kt
package a
open class Node
class Leaf : Node() { val size = 1; fun pull() = true; fun push() {} }
class Tree(val root: Node) {
  fun both(node: Node, flag: Boolean) = node is Leaf && node.pull()
  fun third(node: Node, flag: Boolean) = flag && node is Leaf && node.pull()
  fun either(node: Node) = node !is Leaf || node.pull()
  fun nested(node: Node, flag: Boolean) { if (node is Leaf && flag && node.pull()) node.push() }
  fun other(node: Node) { if (node !is Leaf) return else node.push() }
  fun early(node: Node) { if (node !is Leaf) return; node.push() }
  fun thrown(node: Node) { if (node !is Leaf) { throw Error() }
    node.push() }
  fun required(node: Node) { require(node is Leaf); node.push() }
  fun cast(node: Node) { node as Leaf
    node.push() }
  fun branch(node: Node) { when { node is Leaf -> node.push() } }
  fun member() { if (root is Leaf) root.push() }
  fun not(node: Node) { if (node !is Leaf) node.push() }
  fun before(node: Node) { node.push(); if (node !is Leaf) return }
}
"#;
    check(
        project,
        &[
            "Tree.both -> Leaf.pull",
            "Tree.branch -> Leaf.push",
            "Tree.cast -> Leaf.push",
            "Tree.early -> Leaf.push",
            "Tree.either -> Leaf.pull",
            "Tree.member -> Leaf.push",
            "Tree.nested -> Leaf.pull",
            "Tree.nested -> Leaf.push",
            "Tree.other -> Leaf.push",
            "Tree.required -> Leaf.push",
            "Tree.third -> Leaf.pull",
            "Tree.thrown -> Leaf.push",
        ],
    );
    let references = super::edges(project, &[EdgeKind::References]);
    assert!(references.contains(&"Tree.member -> Tree.root".to_owned()), "{references:?}");
}

#[test]
fn the_reason_says_whose_member_is_meant() {
    use crate::resolve::Reason;
    let graph = super::graph(
        r#"
//- src/A.kt
package a
class Base {
  val own = 1
  fun enclosed() { own; this.own }
  fun handed(other: Other) { other.apply { given; this.given; this@Base.own } }
}
class Other { val given = 1 }
fun Other.extended() { given; this.given }
"#,
    );
    let mut reasons: Vec<(String, Reason)> = graph
        .edges()
        .iter()
        .filter(|edge| matches!(graph.symbol(edge.to).name.as_str(), "own" | "given"))
        .filter(|edge| edge.kind == EdgeKind::References)
        .map(|edge| (format!("{} {}", graph.symbol(edge.from).name, graph.symbol(edge.to).name), edge.reason))
        .collect();
    reasons.sort();
    reasons.dedup();
    assert_eq!(
        reasons,
        [
            ("enclosed own".to_owned(), Reason::EnclosingType),
            ("extended given".to_owned(), Reason::ReceiverType),
            ("handed given".to_owned(), Reason::ReceiverType),
            ("handed own".to_owned(), Reason::EnclosingType),
        ]
    );
}

#[test]
fn sources_of_other_platforms_are_not_seen() {
    check(
        r#"
//- lib/wasmJs/src/Promise.kt
package a
import js.Promise
fun <T> Promise<T>.await(): T = throw Error()
fun only() {}
//- lib/common/src/C.kt
package a
expect class Clock() { fun now(): Long }
//- lib/jvm/src/Clock.kt
package a
actual class Clock { actual fun now(): Long = 1; fun nanos(): Long = 2 }
//- lib/jvm/test/T.kt
package a
import java.util.concurrent.*
class T {
  fun t() { val barrier = CyclicBarrier(2); barrier.await(); only() }
  fun u(clock: Clock) { clock.now(); clock.nanos() }
}
//- lib/src/wasmTest/kotlin/W.kt
package a
fun w() { only() }
"#,
        &["T.u -> Clock.nanos", "T.u -> Clock.now", "w -> only"],
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

#[test]
fn a_variant_calls_its_own_members() {
    check(
        r#"
//- a/Part.kt
package a
enum class Part {
    HOST {
        override fun read() = "host"
        fun twice() = read() + read()
    };
    abstract fun read(): String
}
"#,
        &["Part.HOST.twice -> Part.HOST.read"],
    );
}
