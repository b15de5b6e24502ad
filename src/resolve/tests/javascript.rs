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
            "exports -> Server",
            "exports -> Server.listen",
            "exports -> cut",
            "exports -> makeAll",
            "exports -> start",
            "exports -> trim",
            "use.mjs -> exports",
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
