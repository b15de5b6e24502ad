//! JavaScript: modules of both kinds, and what only running code says.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn modules_are_loaded_as_values() {
    check(
        r#"
//- lib/index.js
const { Server, start: begin } = require("./server");
const make = require("./make");
const tools = require("./tools");
module.exports = function run() {
  const server = new Server();
  server.listen();
  begin();
  make();
  tools.trim();
  tools.cut();
};
//- lib/server.js
class Server { listen() {} }
function start() {}
module.exports = { Server, start };
//- lib/make.js
function makeAll() {}
module.exports = makeAll;
//- lib/tools.js
exports.trim = function () {};
exports.cut = cut;
function cut() {}
//- use.mjs
import run, { Server } from "./lib/index.js";
import * as server from "./lib/server.js";
run();
server.start();
"#,
        &[
            "run -> Server",
            "run -> Server.listen",
            "run -> cut",
            "run -> makeAll",
            "run -> start",
            "run -> trim",
            "use.mjs -> run",
            "use.mjs -> start",
        ],
    );
}

#[test]
fn handlers_are_named_where_they_are_registered() {
    check_kinds(
        r#"
//- app.js
const handlers = require("./handlers");
const { audit } = require("./handlers");
function local() {}
function setup(app) {
  app.use(audit);
  app.get("/", handlers.home);
  app.on("close", local);
}
//- handlers.js
function audit() {}
const home = () => audit();
module.exports = { audit, home };
"#,
        &[EdgeKind::References],
        &[
            "exports.audit -> audit",
            "exports.home -> home",
            "setup -> audit",
            "setup -> exports",
            "setup -> exports.home",
            "setup -> local",
        ],
    );
}

#[test]
fn fields_are_what_methods_assign() {
    check(
        r#"
//- a.js
class Log { write() {} }
class Job {
  #log = new Log();
  constructor() {
    this.other = new Log();
    this.run = this.run.bind(this);
  }
  run() {
    this.#log.write();
    this.other.write();
    this.#hidden();
  }
  #hidden() {}
  static make() { return new Job(); }
}
class Late extends Job {
  run() { super.run(); }
}
Job.make().run();
"#,
        &[
            "Job.#log -> Log",
            "Job.constructor -> Log",
            "Job.make -> Job",
            "Job.make -> Job.constructor",
            "Job.run -> Job.#hidden",
            "Job.run -> Log.write",
            "Late.run -> Job.run",
            "a.js -> Job.make",
            "a.js -> Job.run",
        ],
    );
}

#[test]
fn a_module_may_be_one_named_thing_or_give_on_another() {
    check_kinds(
        r#"
//- lib/check.js
module.exports = function check(token) { return read(token); };
function read(token) {}
//- lib/extra.js
module.exports = class Extra extends Base { run() {} };
class Base {}
//- lib/anonymous.js
module.exports = () => {};
//- lib/index.js
module.exports = require("./check");
module.exports.Extra = require("./extra");
//- use.js
const check = require("./lib");
const { Extra } = require("./lib");
const direct = require("./lib/extra");
const anonymous = require("./lib/anonymous");
check("x");
new Extra().run();
new direct();
anonymous();
"#,
        &[EdgeKind::Calls, EdgeKind::Instantiates, EdgeKind::Extends],
        &[
            "Extra -> Base",
            "check -> read",
            "use.js -> Extra",
            "use.js -> Extra.run",
            "use.js -> check",
            "use.js -> exports",
        ],
    );
}

#[test]
fn a_bound_method_stays_the_method() {
    check_kinds(
        r#"
//- panel.jsx
export class Panel extends Component {
  constructor(props) {
    super(props);
    this.open = false;
    this.onClick = this.onClick.bind(this);
  }
  onClick() {}
  render() { return <button onClick={this.onClick} disabled={this.open} />; }
}
"#,
        &[EdgeKind::References, EdgeKind::Contains],
        &[
            "Panel -> Panel.constructor",
            "Panel -> Panel.onClick",
            "Panel -> Panel.open",
            "Panel -> Panel.render",
            "Panel.constructor -> Panel.onClick",
            "Panel.render -> Panel.onClick",
            "Panel.render -> Panel.open",
            "panel.jsx -> Panel",
        ],
    );
}

#[test]
fn objects_in_objects_hold_their_methods() {
    check(
        r#"
//- a.js
const api = {
  users: { list() { return helper(); }, add: () => helper() },
  top() {},
};
function helper() {}
function use() { api.users.list(); api.users.add(); api.list(); api.top(); }
export default defineComponent({ methods: { save() { helper(); } } });
"#,
        &[
            "api.users.add -> helper",
            "api.users.list -> helper",
            "methods.save -> helper",
            "use -> api.top",
            "use -> api.users.add",
            "use -> api.users.list",
        ],
    );
}

#[test]
fn a_function_literal_keeps_its_functions() {
    check(
        r#"
//- a.js
test("one", () => {
  function test() { helper(); }
  function helper() {}
  test();
});
test("two", () => { helper(); });
function shared() {}
test("three", () => {
  function shared() {}
  shared();
});
shared();
(function () {
  function hidden() {}
  function open() { hidden(); }
  open();
})();
hidden();
"#,
        &["a.js -> open", "a.js -> shared", "a.js -> test", "open -> hidden", "test -> helper"],
    );
}

#[test]
fn a_module_that_is_one_value_has_the_names_of_the_value() {
    check(
        r#"
//- lib.js
const same = () => {};
const helper = () => {};
function other() {}
module.exports = { same, helper: other };
//- part.js
function Main() {}
module.exports = Main;
module.exports.extra = function extra() {};
//- use.js
const { same, helper } = require("./lib");
const { helper: renamed } = require("./lib");
const { extra } = require("./part");
function first() { same(); }
function second() { helper(); }
function third() { renamed(); }
function fourth() { extra(); }
"#,
        &["first -> same", "fourth -> extra", "second -> other", "third -> other"],
    );
}

#[test]
fn a_value_and_a_type_of_one_name_are_two() {
    check(
        r#"
//- point.ts
export interface Point { move(): void; }
export const Point = { move() {}, of(): Point { return null!; } };
//- use.ts
import { Point } from "./point";
function typed(point: Point) { point.move(); }
function valued() { Point.move(); }
function made() { Point.of().move(); }
"#,
        &["made -> Point.move", "made -> Point.of", "typed -> Point.move", "valued -> Point.move"],
    );
}
