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
        expect![[]],
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
        expect![[]],
    );
    check(
        "javascript",
        r#"
        const { x } = require("./x");
        module.exports = { run() {}, x };
        module.exports.named = x;
        exports.made = function () {};
        "#,
        expect![[]],
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
        "#,
        expect![[]],
    );
}
