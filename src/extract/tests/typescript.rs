//! What TypeScript and JavaScript sources say, shape by shape.

use super::{check, check_defs, check_uses};
use expect_test::expect;

#[test]
fn declarations_and_docs() {
    check_defs(
        "typescript",
        r#"
        /** A plug. */
        export default abstract class Plug<T extends object> extends base.Base<T> implements Source, c.Sink {
          #hidden = 1;
          static readonly max: number = 3;
          handle = (event: Event) => event.target;
          constructor(private name: string, readonly size = 3, plain?: T) { super(); }
          get open(): boolean { return true; }
          get(key: string): T;
          get(key: number): T;
          get(key: any) { return this.items[key]; }
          protected abstract todo(): void;
          async *pages() { yield 1; }
        }
        export enum Kind { One, Two = "two" }
        export type Props = Base & { note: Note; onOpen?: (note: Note) => void };
        interface Window extends Other<Kind> { title: string; close(): void }
        namespace Text { export const SEPARATOR = ","; function own() {} }
        declare module "react" { interface Attributes { css?: string } }
        export const one = 1, make = async (a: string, ...rest: string[]): Promise<Plug> => new Plug(a);
        const api = { load() {}, save: (x: number) => x, size: 3, make };
        export const { left, right: other } = pair;
        let Card = memo(({ note }: Props) => note.text);
        export default () => 1;
        "#,
        expect![[r##"
            module  1-23
              class Plug<T: object> <: base/Base<T>, Source, c/Sink "abstract class Plug<T extends object> extends base.Base<T> implements Source, c.Sink" doc "/** A plug. */" 2-13
                private field #hidden = 'number' "#hidden = 1" 3
                associated field max: number = 'number' <: number "static readonly max: number = 3" 4
                method handle(event: Event) = event.target "handle = (event: Event) =>" 5
                constructor constructor(name: string, size, plain: T) "constructor(private name: string, readonly size = 3, plain?: T)" 6
                private field name: string "private name: string" 6
                field size = 'number' "readonly size = 3" 6
                accessor method open(): boolean "get open(): boolean" 7
                method get(key: any): T "get(key: string): T;\n  get(key: number): T;\n  get(key: any)" 8-10
                protected method todo(): void without_body "protected abstract todo(): void" 11
                method pages() = 'Generator'<'number'> "async *pages()" 12
              enum Kind "enum Kind" 14
                enum_member One "One" 14
                enum_member Two = 'string' "Two = \"two\"" 14
              type_alias Props: union<Base, {note: Note, onOpen: fn<Note, void>}> "type Props = Base & { note: Note; onOpen?: (note: Note) => void };" 15
                field note: Note "note: Note" 15
                field onOpen: fn<Note, void> "onOpen?: (note: Note) => void" 15
              private interface Window <: Other<Kind> "interface Window extends Other<Kind>" 16
                field title: string without_body "title: string" 16
                method close(): void without_body "close(): void" 16
              private module Text "namespace Text" 17
                constant SEPARATOR = 'string' "SEPARATOR = \",\"" 17
                private function own() "function own()" 17
              private module react "module \"react\"" 18
                private interface Attributes "interface Attributes" 18
                  field css: string without_body "css?: string" 18
              constant one = 'number' "one = 1" 19
              private function make(a: string, rest: [[string]]): Promise<Plug> = Plug(a) "make = async (a: string, ...rest: string[]): Promise<Plug> =>" 19
              private object api = {save: lambda x, make: make} "api = { load() {}, save: (x: number) => x, size: 3, make }" 20
                method load() "load()" 20
                method save(x: number) = x "save: (x: number) =>" 20
                field make = make "make" 20
              constant left = pair.left "{ left, right: other } = pair" 21
              constant other = pair.right "{ left, right: other } = pair" 21
              private function Card(note: Props) = memo(lambda note.text) "Card = memo(({ note }: Props) =>" 22
              function default() = 'number' "() =>" 23
        "##]],
    );
}

#[test]
fn modules_and_exports() {
    check(
        "typescript",
        r#"
        import D, { a as b, type C } from "./x";
        import * as ns from "../y/index.js";
        import "side";
        import old = require("old");
        export * from "./q";
        export * as all from "./q";
        export { m as n, o } from "./r";
        export { a, b as c };
        export default foo;
        const late = await import("./late");
        "#,
        expect![[r#"
            module  1-10
              private constant late = module "./late"? "late = await import(\"./late\")" 10
            import ./x/default as D from -
            import ./x/a as b from -
            import ./x/C from -
            import ../y/index.js as ns from -
            import side as _ from -
            import old from -
            outward reexport import ./q/* from -
            outward reexport import ./q as all from -
            outward reexport import ./r/m as n from -
            outward reexport import ./r/o from -
            outward reexport import /a from -
            outward reexport import /b as c from -
            outward reexport import /foo as default from -
            import ./late as _ from late
            6:12 value all from -
            8:9 value a from -
            8:12 value b from -
            9:15 value foo from -
        "#]],
    );
    check(
        "javascript",
        r#"
        const { x } = require("./x");
        module.exports = { run() {}, x };
        module.exports.named = x;
        exports.made = function () {};
        "#,
        expect![[r#"
            module  1-4
              private object exports = {x: x} "module.exports = { run() {}, x }" 2
                method run() "run()" 2
                field x = x "x" 2
              private function made() "exports.made = function ()" 4
            import ./x/x from -
            import ./x as _ from -
            outward reexport import /x as named from -
            1:14 call require/1 from -
            2:0 value module from exports
            2:29 value x from exports.x
            3:0 value module from -
            3:7 value module . exports from -
            3:15 value module.exports . named/1 from -
            3:23 value x from -
            4:0 value exports from made
        "#]],
    );
}

#[test]
fn uses_and_bindings() {
    check_uses(
        "tsx",
        r#"
        function View({ title, notes: [first, ...rest] }: Props, { size = 3 }) {
          const { a, b: { c } } = useThing<Note>(new Map<string, Note>());
          for (const note of rest) note.open?.();
          try { throw new Failure(title!); } catch (error) { log(error as Failure); }
          if (first instanceof Note) first.close();
          this.setState({ a, later: () => c[0].d });
          return <Panel.Head title={title} onClick={() => size}><Icon /><b>{label`x`}</b></Panel.Head>;
        }
        type Pick = (note: Note) => note is Kept; let x: typeof View, y: Props["title"];
        let z: typeof api.app.scene;
        "#,
        expect![[r#"
            parameter title = <Props>.title in 1-8
            parameter first = <Props>.notes.0 in 1-8
            parameter rest in 1-8
            parameter size in 1-8
            local a = useThing(<Map<string, Note>>).a in 1-8
            local c = useThing(<Map<string, Note>>).b.c in 1-8
            local note = rest[] in 3-3
            local error in 4-4
            narrowed first: Note in 5-5
            1:50 type Props from View
            2:26 call useThing/1 from View
            2:35 type Note from View
            2:45 call Map/0 from View
            2:57 type Note from View
            3:21 value rest from View
            3:27 value note from View
            3:32 call note . open/0 from View
            4:18 call Failure/1 from View
            4:26 value title from View
            4:53 call log/1 from View
            4:57 value error from View
            4:66 type Failure from View
            5:6 value first from View
            5:23 value Note from View
            5:29 value first from View
            5:35 call first . close/0 from View
            6:7 call ? . setState/1 from View
            6:18 value a from View
            6:34 value c from View
            6:39 value c.0 . d from View
            7:10 value Panel from View
            7:16 call Panel . Head from View
            7:28 value title from View
            7:50 value size from View
            7:57 call Icon from View
            7:68 call label/1 from View
            9:19 type Note from Pick
            9:28 value note from Pick
            9:36 type Kept from Pick
            9:56 value View from x
            9:65 type Props from y
            10:14 value api from z
            10:18 value api . app from z
            10:22 value api.app . scene from z
        "#]],
    );
}
