//! Java and Kotlin in one project.

use super::check_kinds;
use crate::resolve::EdgeKind;

const KOTLIN: &str = r#"
//- k/Client.kt
package k
import j.Config
class Client internal constructor(builder: Builder) {
    @get:JvmName("timeout") val timeout: Box = builder.box
    @JvmName("-deprecated_timeout") fun timeout(): Box = timeout
    val label: Box = Box()
    var isOpen: Boolean = false
    fun call(box: Box): Box = box
    class Builder { val box = Box(); fun build() = Client(this) }
    companion object {
        const val LIMIT = 1
        @JvmStatic fun create(): Client = Builder().build()
        @JvmStatic @JvmName("of") fun Box.toClient(): Client = create()
        @Deprecated("") @JvmStatic fun of(text: String): Client = create()
    }
}
class Box { fun open() {} }
object Registry { fun find(text: String): Box = Box() }
fun helper(count: Int) {}
fun Box.shake() {}
fun use(config: Config) {
    config.port.open()
    config.isReady
    config.getPort()
    Config.standard().watch { it.open() }
    Config(1)
}
//- k/Named.kt
@file:JvmName("Helpers")
package k
fun named() {}
//- j/Config.java
package j;
import k.Box;
public class Config {
    public Config(int i) {}
    public Config(String s) {}
    public Box getPort() { return null; }
    public boolean isReady() { return true; }
    public static Config standard() { return null; }
    public void watch(Watcher watcher) {}
}
//- j/Watcher.java
package j;
import k.Box;
public interface Watcher { void changed(Box box); }
"#;

#[test]
fn java_calls_kotlin() {
    let java = r#"
//- j/Main.java
package j;
import k.*;
class Main {
    void run(Client client) {
        client.timeout().open();
        client.getLabel().open();
        client.setOpen(client.isOpen());
        client.call(new Box());
        new Client.Builder().build();
        Client.create();
        Client.Companion.create();
        Client.of(new Box());
        Registry.INSTANCE.find("").open();
        ClientKt.helper(1);
        ClientKt.shake(new Box());
        Helpers.named();
        NamedKt.named();
        client.label();
        client.getTimeout();
    }
}
"#;
    let project = format!("{KOTLIN}{java}");
    let found = super::calls(&project);
    let of_main: Vec<&str> = found.iter().filter_map(|row| row.strip_prefix("Main.run -> ")).collect();
    assert_eq!(
        of_main,
        [
            "Box",
            "Box.open",
            "Client.Builder",
            "Client.Builder.build",
            "Client.call",
            "Client.create",
            "Client.isOpen",
            "Client.label",
            "Client.timeout",
            "Client.toClient",
            "Registry.find",
            "helper",
            "named",
            "shake",
        ],
        "\n{}",
        found.join("\n")
    );
}

#[test]
fn kotlin_calls_java() {
    let found = super::calls(KOTLIN);
    let of_use: Vec<&str> = found.iter().filter_map(|row| row.strip_prefix("use -> ")).collect();
    assert_eq!(
        of_use,
        [
            "Box.open",
            "Config",
            "Config.constructor",
            "Config.getPort",
            "Config.isReady",
            "Config.standard",
            "Config.watch",
        ],
        "\n{}",
        found.join("\n")
    );
}

#[test]
fn a_class_of_one_language_extends_one_of_the_other() {
    check_kinds(
        r#"
//- a/Base.java
package a;
public abstract class Base { public abstract int count(int by); public void told(String s) {} }
//- b/Middle.kt
package b
import a.Base
open class Middle : Base() {
    override fun count(by: Int) = by
    open fun close() {}
}
//- c/Low.java
package c;
import b.Middle;
class Low extends Middle {
    @Override public int count(int by) { return by; }
    @Override public void close() {}
}
"#,
        &[EdgeKind::Extends, EdgeKind::Overrides],
        &[
            "Low -> Middle",
            "Low.close -> Middle.close",
            "Low.count -> Middle.count",
            "Middle -> Base",
            "Middle.count -> Base.count",
        ],
    );
}

#[test]
fn what_kotlin_sets_is_set_by_the_setter() {
    let project = r#"
//- k/Main.kt
package k
import j.Port
fun set(port: Port) { port.number = 1 }
fun ready(port: Port) { port.isReady = true }
fun read(port: Port) { print(port.number) }
fun fixed(port: Port) { port.name = "" }
//- j/Port.java
package j;
public class Port {
    public int getNumber() { return 1; }
    public void setNumber(int number) {}
    public boolean isReady() { return true; }
    public void setReady(boolean ready) {}
    public String getName() { return ""; }
}
"#;
    let expected = ["read -> Port.getNumber", "ready -> Port.setReady", "set -> Port.setNumber"];
    check_kinds(project, &[EdgeKind::Calls], &expected);
}
