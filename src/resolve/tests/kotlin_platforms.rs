//! Kotlin: declarations of which each platform has its own.

use super::check_kinds;
use crate::resolve::EdgeKind;

#[test]
fn a_declaration_stays_where_its_alias_leads_out() {
    check_kinds(
        "//- core/common/src/task.kt
package core
expect fun interface Task { fun run() }
expect class Box { fun open(): Int }
//- core/jvm/src/task.kt
package core
actual typealias Task = java.lang.Runnable
actual typealias Box = Crate
class Crate { fun open(): Int = 1 }
//- core/js/src/window.kt
package core
actual typealias Frame = org.dom.Frame
fun left(frame: Frame) { frame.hide() }
//- core/wasmJs/src/window.kt
package core
actual interface Frame { fun hide() }
//- core/jvm/src/use.kt
package core
class Loop : Task {
    override fun run() {}
}
fun go(task: Task, box: Box) {
    task.run()
    box.open()
}
",
        &[EdgeKind::Calls, EdgeKind::Implements, EdgeKind::Overrides],
        &["Loop -> Task", "Loop.run -> Task.run", "go -> Crate.open", "go -> Task.run"],
    );
}
