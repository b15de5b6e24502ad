//! TypeScript, with and without elements.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn a_receiver_is_known_by_what_is_written_of_it() {
    check(
        r#"
//- mail.ts
export interface Mailer {
  send(text: string): void;
}
export class Smtp implements Mailer {
  send(text: string): void {}
}
export class Pigeon {
  send(): void {}
}
//- use.ts
import { Mailer, Smtp } from "./mail";

class Office {
  private own = new Smtp();
  later: Mailer | undefined;
  constructor(private mailer: Mailer, box: Smtp) {
    box.send("a");
  }
  annotated() {
    this.mailer.send("b");
  }
  assigned() {
    this.own.send("c");
  }
  optional() {
    this.later?.send("d");
  }
  returned() {
    make().send("e");
    const local = make();
    local.send("f");
  }
  unknown(it) {
    it.send("g");
  }
  destructured({ mailer }: { mailer: Mailer }) {
    mailer.send("h");
  }
  chosen(flag: boolean) {
    const one = flag ? make() : null;
    one!.send("i");
  }
  narrowed(it: unknown) {
    if (it instanceof Smtp) {
      it.send("j");
    }
  }
  looped(all: Smtp[], named: Map<string, Smtp>) {
    for (const one of all) one.send("k");
    all.forEach((one) => one.send("l"));
    named.get("x")?.send("m");
  }
}
const make = () => new Smtp();
"#,
        &[
            "Office.annotated -> Mailer.send",
            "Office.assigned -> Smtp.send",
            "Office.chosen -> Smtp.send",
            "Office.chosen -> make",
            "Office.constructor -> Smtp.send",
            "Office.destructured -> Mailer.send",
            "Office.looped -> Smtp.send",
            "Office.narrowed -> Smtp.send",
            "Office.optional -> Mailer.send",
            "Office.own -> Smtp",
            "Office.returned -> Smtp.send",
            "Office.returned -> make",
            "make -> Smtp",
        ],
    );
}

#[test]
fn names_come_through_reexports() {
    check(
        r#"
//- lib/index.ts
export * from "./one";
export * as two from "./two";
export { inner as outer, default } from "./three";
//- lib/one.ts
export function one() {}
function hidden() {}
//- lib/two.ts
export const run = (): void => {};
//- lib/three.ts
export function inner() {}
export default function main() {}
//- lib/hidden.ts
export function hidden() {}
//- use.ts
import start, { one, outer, two } from "./lib";
import { hidden } from "./lib/hidden";
import * as lib from "./lib/index.js";

export function use() {
  start();
  one();
  outer();
  two.run();
  lib.one();
  lib.two.run();
  hidden();
}
"#,
        &["use -> hidden", "use -> inner", "use -> main", "use -> one", "use -> run"],
    );
}

#[test]
fn a_wildcard_brings_in_what_is_exported() {
    check(
        r#"
//- a.ts
function helper() {}
export function a() { helper(); }
//- b.ts
export function helper() {}
//- index.ts
export * from "./a";
export * from "./b";
//- use.ts
import { helper } from ".";
helper();
"#,
        &["a -> helper", "use.ts -> helper"],
    );
}

#[test]
fn exports_under_another_name_are_not_seen_inside() {
    check(
        r#"
//- parts.ts
function Root() {}
function ToolbarRoot() { Root(); }
export { ToolbarRoot as Root };
//- use.ts
import { Root } from "./parts";
Root();
"#,
        &["ToolbarRoot -> Root", "use.ts -> ToolbarRoot"],
    );
}

#[test]
fn types_and_values_have_names_of_their_own() {
    check(
        r#"
//- point.ts
export type Point = { x: number; norm(): number };
export const Point = (x: number): Point => ({ x, norm: () => x });
export interface Shape { area(): number }
export const Shape = (): Shape => ({ area: () => 1 });
//- use.ts
import { Point, Shape } from "./point";
const p: Point = Point(1);
p.norm();
Shape().area();
"#,
        &["p -> Point", "use.ts -> Point.norm", "use.ts -> Shape", "use.ts -> Shape.area"],
    );
}

#[test]
fn signatures_are_one_function_with_their_body() {
    check(
        r#"
//- read.ts
export function read(text: string): number;
export function read(bytes: Uint8Array): number;
export function read(input: any): number {
  return inner(input);
}
function inner(input: any) { return 1; }
class Reader {
  next(): number;
  next(most: number): number;
  next(most?: number): number { return read("a"); }
}
new Reader().next(2);
"#,
        &["Reader.next -> read", "read -> inner", "read.ts -> Reader", "read.ts -> Reader.next"],
    );
}

#[test]
fn namespaces_see_what_is_around_them() {
    check(
        r#"
//- a.ts
function outer() {}
export namespace Text {
  function own() { outer(); }
  export namespace Deep {
    export function go() { own(); outer(); }
  }
}
Text.Deep.go();
"#,
        &["Text.Deep.go -> Text.own", "Text.Deep.go -> outer", "Text.own -> outer", "a.ts -> Text.Deep.go"],
    );
}

#[test]
fn families_are_written_or_stand_in_the_type_of_an_object() {
    check_kinds(
        r#"
//- a.ts
export interface Rule { check(text: string): boolean }
export abstract class Base<T> { abstract run(): T; stop() {} }
export class Job extends Base<string> implements Rule {
  run() { return ""; }
  override stop() {}
  check(text: string) { return true; }
}
export const long: Rule = { check: (text) => text.length > 3 };
type Both = Rule & { label: string };
export const named: Both = { label: "x", check(text) { return true; } };
"#,
        &[EdgeKind::Extends, EdgeKind::Implements, EdgeKind::Overrides],
        &[
            "Job -> Base",
            "Job -> Rule",
            "Job.check -> Rule.check",
            "Job.run -> Base.run",
            "Job.stop -> Base.stop",
            "long -> Rule",
            "long.check -> Rule.check",
            "named -> Both",
            "named -> Rule",
            "named.check -> Rule.check",
        ],
    );
}

#[test]
fn a_function_takes_the_types_that_its_place_expects() {
    check(
        r#"
//- app.ts
export class App { refresh() {} }
export interface Action { perform(app: App): void; label?: (app: App) => string }
export const register = <T extends Action>(action: T) => action;
export type Handler = (app: App) => void;
//- use.ts
import { Action, Handler, register } from "./app";
export const one = register({
  perform: (app) => app.refresh(),
  label: (app) => { app.refresh(); return ""; },
});
export const two: Action = { perform(app) { app.refresh(); } };
export const three: Handler = (app) => app.refresh();
export const four = (app) => app.refresh();
"#,
        &[
            "one -> register",
            "one.label -> App.refresh",
            "one.perform -> App.refresh",
            "three -> App.refresh",
            "two.perform -> App.refresh",
        ],
    );
}

#[test]
fn parts_of_results_are_followed() {
    check(
        r#"
//- timer.ts
export class Timer { start() {} }
export function useTimer() {
  const timer = new Timer();
  const reset = () => timer.start();
  return { timer, reset };
}
//- use.ts
import { useTimer } from "./timer";
import { createContext, useContext, useRef } from "react";
import type { Timer } from "./timer";
const { reset } = useTimer();
const Clock = createContext<Timer | null>(null);
export function use() {
  const { timer, reset: again } = useTimer();
  timer.start();
  again();
  reset();
  const ref = useRef<Timer>(null);
  ref.current?.start();
  useContext(Clock)!.start();
}
"#,
        &[
            "reset -> useTimer",
            "use -> Timer.start",
            "use -> useTimer",
            "use -> useTimer.reset",
            "useTimer -> Timer",
            "useTimer.reset -> Timer.start",
        ],
    );
}

#[test]
fn what_a_literal_returns_is_not_what_its_function_returns() {
    check(
        r#"
//- a.ts
class One { go() {} }
class Two { go() {} }
function pick(list: number[]) {
  list.forEach(() => { return new Two(); });
  return new One();
}
pick([]).go();
"#,
        &["a.ts -> One.go", "a.ts -> pick", "pick -> One", "pick -> Two"],
    );
}

#[test]
fn a_component_is_called_where_it_is_an_element() {
    check_kinds(
        r#"
//- card.tsx
export const Card = (props: { open: () => void }) => <div onClick={props.open}>{label()}</div>;
function label() { return "x"; }
export class Frame { render() { return <Card open={label} />; } }
//- use.tsx
import * as parts from "./card";
import { Frame } from "./card";
function div() {}
function open() {}
export const App = () => (
  <div>
    <Frame><parts.Card open={open} /></Frame>
  </div>
);
"#,
        &[EdgeKind::Calls, EdgeKind::Instantiates, EdgeKind::References],
        &[
            "App -> Card",
            "App -> Frame",
            "App -> open",
            "Card -> label",
            "Frame.render -> Card",
            "Frame.render -> label",
        ],
    );
}

#[test]
fn decoys_get_no_edge() {
    check(
        r#"
//- radio.ts
export class Radio { transmit_all() {} close() {} }
export function parse() {}
//- use.ts
import { parse as read } from "elsewhere";
import { gone } from "./missing";
function use(socket: WebSocket, any: any) {
  socket.close();
  any.close();
  read();
  gone();
  JSON.parse("1");
  const parse = any.parse;
  parse();
  mount({ render() {} });
  const part = { nested: { render: () => 1 } };
  render();
  return { transmit() {}, later: () => transmit() };
}
export default defineComponent({ setup() {}, methods: { save() { setup(); } } });
"#,
        &[],
    );
}

#[test]
fn a_constructor_is_called_from_below() {
    check(
        r#"
//- a.ts
export class Base { constructor(name: string) {} open() {} get title() { return this.read(); } set title(v: string) { this.write(v); } read() { return ""; } write(v: string) {} }
export class Middle extends Base {}
//- b.ts
import { Base, Middle } from "./a";
class One extends Base { constructor() { super("one"); this.title = "x"; } own() { super.open(); return this.title; } }
class Two extends Middle { constructor() { super("two"); } }
class Three extends Error { constructor() { super("three"); } }
class Four extends Middle { own() { this.title = this.title + "x"; } }
"#,
        &[
            "Base.title -> Base.read",
            "Base.title -> Base.write",
            "Four.own -> Base.title",
            "One.constructor -> Base.constructor",
            "One.constructor -> Base.title",
            "One.own -> Base.open",
            "One.own -> Base.title",
            "Two.constructor -> Base.constructor",
        ],
    );
}

#[test]
fn what_is_set_is_the_setter_and_what_is_read_the_getter() {
    let project = r#"
//- a.ts
class A {
  get title() { return ""; }
  set title(v: string) {}
}
function read(a: A) { return a.title; }
function write(a: A) { a.title = "x"; }
"#;
    let graph = super::graph(project);
    let lines: Vec<(&str, u32)> = graph
        .edges()
        .iter()
        .filter(|edge| edge.kind == EdgeKind::Calls)
        .map(|edge| (graph.symbol(edge.from).qualified.as_str(), graph.symbol(edge.to).name_line))
        .collect();
    assert_eq!(lines, [("read", 2), ("write", 3)]);
}

#[test]
fn declarations_of_one_name_are_one_thing() {
    check(
        r#"
//- a.ts
export interface Merged { first(): void }
export class Merged { second() { this.first(); } }
export interface Wide { one(): void }
export interface Wide { two(): void }
export function call() { call.later(); }
export namespace call { export function later() {} export const kept = () => {}; }
export enum Level { Low }
export namespace Level { export function parse() {} }
function hidden() { function later() {} }
//- b.ts
import { call, Level, Merged, Wide } from "./a";
function use(merged: Merged, wide: Wide, hidden: any) {
  merged.first();
  merged.second();
  new Merged().second();
  wide.one();
  wide.two();
  call();
  call.later();
  call.kept();
  Level.parse();
  use.later();
}
"#,
        &[
            "Merged.second -> Merged.first",
            "call -> call.later",
            "use -> Level.parse",
            "use -> Merged",
            "use -> Merged.first",
            "use -> Merged.second",
            "use -> Wide.one",
            "use -> Wide.two",
            "use -> call",
            "use -> call.kept",
            "use -> call.later",
        ],
    );
}

#[test]
fn a_namespace_holds_its_values() {
    check_kinds(
        r#"
//- a.ts
export namespace Text {
  export const SEPARATOR = "x";
  const inner = 1;
  export function join() { const local = inner; return SEPARATOR + local; }
}
export const use = () => Text.SEPARATOR;
"#,
        &[EdgeKind::References, EdgeKind::Contains],
        &[
            "Text -> Text.SEPARATOR",
            "Text -> Text.inner",
            "Text -> Text.join",
            "Text.join -> Text.SEPARATOR",
            "Text.join -> Text.inner",
            "a.ts -> Text",
            "a.ts -> use",
            "use -> Text.SEPARATOR",
        ],
    );
}

#[test]
fn pairs_and_settled_promises_say_their_type() {
    check(
        r#"
//- a.ts
class Mail { send() {} }
class Box { send() {} }
async function use(mails: Map<Box, Mail>, mail: Mail) {
  for (const [, one] of mails) one.send();
  const waiting = Promise.resolve(mail);
  (await waiting).send();
}
function boxes(mails: ReadonlyMap<Box, number>) {
  for (const [box] of mails) box.send();
}
"#,
        &["boxes -> Box.send", "use -> Mail.send"],
    );
}

#[test]
fn what_a_file_declares_alone_is_a_field() {
    check_kinds(
        r#"
//- a.ts
class Base { protected closed = false; }
class Below extends Base { shut() { this.closed = true; } }
"#,
        &[EdgeKind::References, EdgeKind::Contains],
        &[
            "Base -> Base.closed",
            "Below -> Below.shut",
            "Below.shut -> Base.closed",
            "a.ts -> Base",
            "a.ts -> Below",
        ],
    );
}
