//! JavaScript and TypeScript: whose instance `this` means.

use super::check;

#[test]
fn a_function_has_an_instance_of_its_own() {
    check(
        r#"
//- a.ts
class Panel {
  draw() {}
  on(f: () => void, self?: unknown) {}
  arrow() { this.on(() => { this.draw(); }); }
  plain() { this.on(function () { this.draw(); }); }
  named() {
    function later() { this.draw(); }
    later();
  }
  typed() {
    function later(this: Other) { this.draw(); }
    later.call(null);
  }
  deep() { this.on(function () { return () => this.draw(); }); }
  bound() { this.on(function () { this.draw(); }.bind(this)); }
  handed() { this.on(function () { this.draw(); }, this); }
  called() { (function () { this.draw(); }).call(this); }
  nested() {
    return function () {
      class Inner {
        own() { this.draw(); }
        draw() {}
      }
    };
  }
  assigned() { this.late = function () { this.draw(); }; }
  passed() { this.on({ run() { this.draw(); }, old: function () { this.draw(); } }); }
  defined() { Object.defineProperty(this, "a", { get() { return this.draw(); } }); }
  field = function () { this.draw(); };
  short = () => this.draw();
}
class Other { draw() {} }
"#,
        &[
            "Panel.arrow -> Panel.draw",
            "Panel.arrow -> Panel.on",
            "Panel.assigned -> Panel.draw",
            "Panel.bound -> Panel.draw",
            "Panel.bound -> Panel.on",
            "Panel.called -> Panel.draw",
            "Panel.deep -> Panel.on",
            "Panel.defined -> Panel.draw",
            "Panel.field -> Panel.draw",
            "Panel.handed -> Panel.draw",
            "Panel.handed -> Panel.on",
            "Panel.named -> Panel.named.later",
            "Panel.nested.Inner.own -> Panel.nested.Inner.draw",
            "Panel.passed -> Panel.on",
            "Panel.plain -> Panel.on",
            "Panel.short -> Panel.draw",
        ],
    );
}

#[test]
fn an_object_is_the_instance_of_its_methods_only() {
    super::check_kinds(
        r#"
//- a.ts
class Editor {
  store() {}
  reset() {}
  drop() {}
  api() {
    const api = {
      store: () => this.store(),
      reset: this.reset,
      again() { this.store(); },
      old: function () { this.again(); },
      inner: { drop: () => this.drop(), drop2() { this.drop(); } },
    };
    return api;
  }
}
"#,
        &[crate::resolve::EdgeKind::Calls, crate::resolve::EdgeKind::References],
        &[
            "Editor.api -> Editor.api.api",
            "Editor.api.api -> Editor.reset",
            "Editor.api.api.again -> Editor.api.api.store",
            "Editor.api.api.inner.drop -> Editor.drop",
            "Editor.api.api.inner.drop2 -> Editor.api.api.inner.drop",
            "Editor.api.api.old -> Editor.api.api.again",
            "Editor.api.api.store -> Editor.store",
        ],
    );
}

#[test]
fn methods_of_a_class_and_of_its_instances_are_apart() {
    check(
        r#"
//- a.ts
class Base {
  static shared() {}
  own() {}
}
class Panel extends Base {
  static begin() { this.draw(); this.make(); this.shared(); this.own(); new this().draw(); }
  static make() { return new Panel(); }
  draw() {}
  all() { this.draw(); this.own(); Panel.make(); }
  wrong() { this.make(); this.shared(); Panel.draw(); }
}
Panel.make().draw();
"#,
        &[
            "Panel.all -> Base.own",
            "Panel.all -> Panel.draw",
            "Panel.all -> Panel.make",
            "Panel.begin -> Base.shared",
            "Panel.begin -> Panel.draw",
            "Panel.begin -> Panel.make",
            "Panel.make -> Panel",
            "a.ts -> Panel.draw",
            "a.ts -> Panel.make",
        ],
    );
}
