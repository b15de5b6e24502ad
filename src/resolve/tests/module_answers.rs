//! Names of packages, crates and modules that other files decide than those that have them in their text. Each
//! project is also reached from where one of its files is missing.

use super::{check, check_kinds};
use crate::resolve::EdgeKind;

#[test]
fn a_package_is_called_what_its_importable_files_declare() {
    check(
        r#"
//- go.mod
module example.com/app
//- goyaml/a_gen.go
//go:build ignore
package main
func main() {}
//- goyaml/doc.go
package documentation
//- goyaml/yaml.go
package yaml
func Parse() {}
//- use/use.go
package use
import "example.com/app/goyaml"
func Run() { yaml.Parse() }
//- cmd/tool/tool.go
package main
func Start() {}
//- cmd/tool/tool_test.go
package main_test
import "example.com/app/cmd/tool"
func TestStart() { main.Start() }
"#,
        &["Run -> Parse", "TestStart -> Start"],
    );
}

#[test]
fn most_files_of_a_package_say_what_it_is_called() {
    let project = |third: &str| {
        format!(
            r#"
//- go.mod
module m
//- go-one/a.go
package other
//- go-one/b.go
package one
func Parse() {{}}
//- go-one/c.go
{third}
//- use/use.go
package use
import "m/go-one"
func Run() {{ one.Parse() }}
"#
        )
    };
    check(&project("package one"), &["Run -> Parse"]);
    check(&project("package one_test"), &[]);
    check(&project("package other"), &[]);
}

#[test]
fn a_manifest_makes_two_folders_one_package() {
    check(
        r#"
//- go.mod
module m
//- a/go.mod
module m/b
//- a/x.go
package b
func X() { foo() }
//- b/y.go
package b
type kind interface { hide() }
func foo() {}
//- a/hidden.go
package b
type Hidden struct{}
func (Hidden) hide() {}
//- c/z.go
package c
import "m/b"
func Z() { b.X() }
"#,
        &["X -> foo", "Z -> X"],
    );
}

#[test]
fn a_crate_is_called_what_its_manifest_says() {
    check(
        r#"
//- Cargo.toml
[workspace]
//- one/Cargo.toml
[package]
name = "bar-baz"
//- one/src/lib.rs
pub fn run() {}
//- my-two/Cargo.toml
[package]
version = "0.1.0"
//- my-two/src/lib.rs
pub fn jump() {}
//- user/Cargo.toml
[package]
name = "user"
//- user/src/lib.rs
pub fn go() { bar_baz::run(); my_two::jump(); }
"#,
        &["go -> jump", "go -> run"],
    );
}

#[test]
fn of_two_crates_of_one_name_equally_near_none_is_meant() {
    check(
        r#"
//- a/one/Cargo.toml
[package]
name = "bar-baz"
//- a/one/src/lib.rs
pub fn run() {}
//- b/one/Cargo.toml
[package]
name = "bar-baz"
//- b/one/src/lib.rs
pub fn run() {}
//- user/Cargo.toml
[package]
name = "user"
//- user/src/lib.rs
pub fn go() { bar_baz::run(); }
"#,
        &[],
    );
}

#[test]
fn an_attribute_names_the_file_of_a_module() {
    check_kinds(
        r##"
//- Cargo.toml
[package]
name = "x"
//- src/lib.rs
#[cfg(unix)]
#[path = "sys/first.rs"]
mod imp;
#[cfg(windows)]
#[path = "sys/second.rs"]
mod imp;
#[path = "sys/weird.rs"]
mod odd;
mod user;
//- src/sys/first.rs
pub fn run() {}
//- src/sys/second.rs
pub fn run() {}
//- src/sys/weird.rs
pub fn jump() {}
//- src/user.rs
pub fn go() { crate::imp::run(); crate::odd::jump(); }
"##,
        &[EdgeKind::Calls, EdgeKind::Imports],
        &[
            "go -> jump",
            "go -> run",
            "src/lib.rs -> src/sys/first.rs",
            "src/lib.rs -> src/sys/second.rs",
            "src/lib.rs -> src/sys/weird.rs",
            "src/lib.rs -> src/user.rs",
        ],
    );
}

#[test]
fn a_module_hides_a_folder_of_its_name() {
    check(
        r#"
#- pkg/__init__.py
#- pkg/deep/bar.py
def far(): pass
#- bar.py
def near(): pass
#- lib/bar/other.py
def other(): pass
#- pkg/use.py
def go():
    import bar
    bar.near()
    from bar import other
    other.other()
"#,
        &["go -> near"],
    );
}

#[test]
fn a_package_is_found_by_its_whole_name() {
    check(
        r#"
//- q/Util.kt
package a.b
fun help() {}
//- r/Other.kt
package a
fun other() {}
//- s/Use.kt
package s
fun go() { a.b.help(); a.other() }
"#,
        &["go -> help", "go -> other"],
    );
}
