//! Manifests: what files beside the sources say of a package's name and of what the texts of imports mean.
//!
//! They are no code of a language; of what they say resolution gets facts: the name as the package, and each
//! text that stands for a path as an import of the path under the text.

use serde_json::Value;

use crate::extract::{FileFacts, Import, Name};
use crate::lang::{self, ModuleSystem, PathSystem};
use crate::text::RepoPath;

/// The conditions under which an entry is a package's code, the best first.
const CONDITIONS: &[&str] = &["source", "import", "module", "default", "node", "browser", "require", "types"];
/// Keys of a package's own entry, the best first.
const ENTRIES: &[&str] = &["source", "module", "main", "types", "typings"];

/// A set of conditions nested deeper than this is not looked into.
const MAX_DEPTH: u32 = 8;

/// The facts of a manifest; `None` for other files.
pub(super) fn facts(path: &RepoPath, text: &str) -> Option<FileFacts> {
    lang::all().iter().find_map(|spec| match &spec.resolution.modules {
        ModuleSystem::Crates { manifest, .. } if path.name() == *manifest => Some(crate_manifest(text)),
        ModuleSystem::Packages { folders: Some(folders), .. } if path.name() == folders.manifest => {
            Some(module(text))
        }
        ModuleSystem::Paths(system) if path.name() == system.manifest => Some(package(text)),
        ModuleSystem::Paths(system) if is_settings(system, path.name()) => Some(settings(text)),
        _ => None,
    })
}

fn is_settings(system: &PathSystem, name: &str) -> bool {
    name.ends_with(system.settings_ending) && system.settings.iter().any(|start| name.starts_with(start))
}

/// The name of a crate's package, that of its library first.
fn crate_manifest(text: &str) -> FileFacts {
    let (mut table, mut package, mut library) = ("", None, None);
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.split(']').next().unwrap_or_default().trim();
        } else if let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
        {
            let name = value.trim().trim_start_matches(['"', '\'']).split(['"', '\'']).next();
            match table {
                "package" => package = name,
                "lib" => library = name,
                _ => {}
            }
        }
    }
    let name = library.or(package).map(Name::from);
    FileFacts { package: name.into_iter().collect(), ..FileFacts::default() }
}

/// The path of a module's own folder: `module example.org/name`.
fn module(text: &str) -> FileFacts {
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let path = lines.find_map(|line| line.trim().strip_prefix("module"));
    let path = path.map(|path| Name::from(path.trim().trim_matches('"'))).filter(|path| !path.is_empty());
    FileFacts { package: path.into_iter().collect(), ..FileFacts::default() }
}

/// A package's name, and what its entries lead to: `.` is the package itself, `./x` a path in it.
fn package(text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let Ok(Value::Object(top)) = serde_json::from_str(text) else { return facts };
    facts.package.extend(top.get("name").and_then(Value::as_str).map(Name::from));
    match top.get("exports") {
        Some(Value::Object(entries)) if entries.keys().any(|key| key.starts_with('.')) => {
            for (text, target) in entries {
                targets(target, 0, &mut |path| facts.imports.push(alias(text, path)));
            }
        }
        Some(target) => targets(target, 0, &mut |path| facts.imports.push(alias(".", path))),
        None => {}
    }
    for key in ENTRIES {
        if let Some(path) = top.get(*key).and_then(Value::as_str) {
            facts.imports.push(alias(".", path));
        }
    }
    facts
}

/// The paths that an entry names under any condition.
fn targets(entry: &Value, depth: u32, found: &mut dyn FnMut(&str)) {
    match entry {
        Value::String(path) => found(path),
        Value::Array(list) if depth < MAX_DEPTH => {
            list.iter().for_each(|entry| targets(entry, depth + 1, found));
        }
        Value::Object(conditions) if depth < MAX_DEPTH => {
            let known = CONDITIONS.iter().filter_map(|name| conditions.get(*name));
            let other = conditions.iter().filter(|(name, _)| !CONDITIONS.contains(&name.as_str()));
            known.chain(other.map(|(_, entry)| entry)).for_each(|entry| targets(entry, depth + 1, found));
        }
        _ => {}
    }
}

/// What the texts of imports stand for below a folder with settings.
fn settings(text: &str) -> FileFacts {
    let mut facts = FileFacts::default();
    let Ok(Value::Object(top)) = serde_json::from_str(&plain(text)) else { return facts };
    let Some(Value::Object(options)) = top.get("compilerOptions") else { return facts };
    let base = options.get("baseUrl").and_then(Value::as_str);
    let below = |path: &str| format!("{}/{path}", base.unwrap_or("."));
    if let Some(Value::Object(paths)) = options.get("paths") {
        for (text, list) in paths {
            for path in list.as_array().into_iter().flatten().filter_map(Value::as_str) {
                facts.imports.push(alias(text, &below(path)));
            }
        }
    }
    if base.is_some() {
        facts.imports.push(alias("*", &below("*")));
    }
    facts
}

fn alias(text: &str, path: &str) -> Import {
    Import {
        path: vec![path.into()],
        level: 0,
        alias: Some(text.into()),
        wildcard: false,
        binds_root: false,
        reexport: false,
        outward: false,
        span: crate::text::Span::default(),
        scope: 0,
    }
}

/// JSON without comments and without commas before a closing bracket.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, next)| *next);
        match (c, next) {
            ('"', _) => {
                out.push(c);
                while let Some((_, c)) = rest.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(rest.next().map(|(_, escaped)| escaped)),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
            ('/', Some('*')) => {
                let end = text[at + 2..].find("*/").map_or(text.len(), |end| at + end + 4);
                while rest.next_if(|(at, _)| *at < end).is_some() {}
            }
            ('}' | ']', _) => {
                let kept = out.trim_end();
                if let Some(before) = kept.strip_suffix(',') {
                    out.truncate(before.len());
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases(facts: &FileFacts) -> Vec<String> {
        let text = |import: &Import| format!("{} {}", import.alias.as_deref().unwrap_or(""), import.path[0]);
        facts.imports.iter().map(text).collect()
    }

    #[test]
    fn crates_name_their_library() {
        let named = |text| crate_manifest(text).package;
        assert_eq!(
            named("[package]\nname = \"one-two\" # c\nversion = \"1\"\n[[bin]]\nname = \"x\"\n"),
            ["one-two"]
        );
        assert_eq!(named("[lib]\nname = 'three'\n[package]\nname = \"one\"\n"), ["three"]);
        assert_eq!(named("[workspace]\nmembers = []\n"), [""; 0]);
    }

    #[test]
    fn modules_say_their_path() {
        assert_eq!(module("// x\nmodule example.org/a/v2 // y\n\ngo 1.24\n").package, ["example.org/a/v2"]);
        assert_eq!(module("go 1.24\n").package, [""; 0]);
    }

    #[test]
    fn files_are_known_by_name() {
        let known = |path| facts(&RepoPath::new(path).unwrap(), "{}").is_some();
        for path in [
            "a/Cargo.toml",
            "go.mod",
            "package.json",
            "p/tsconfig.json",
            "tsconfig.base.json",
            "jsconfig.json",
        ] {
            assert!(known(path), "{path}");
        }
        for path in ["a/pyproject.toml", "package-lock.json", "tsconfig.ts", "config.json"] {
            assert!(!known(path), "{path}");
        }
    }

    #[test]
    fn packages_say_where_their_code_is() {
        let facts = package(
            r#"{"name": "@a/b", "main": "dist/i.js", "exports": {
                ".": {"types": "./t.d.ts", "import": {"default": "./i.js"}}, "./x/*": "./src/x/*.ts"}}"#,
        );
        assert_eq!(facts.package, ["@a/b"]);
        assert_eq!(aliases(&facts), [". ./i.js", ". ./t.d.ts", "./x/* ./src/x/*.ts", ". dist/i.js"]);
        assert_eq!(aliases(&package(r#"{"exports": "./a.js"}"#)), [". ./a.js"]);
        assert_eq!(package("{").package, [""; 0]);
    }

    #[test]
    fn settings_have_comments_and_trailing_commas() {
        let facts = settings(
            "{ // one\n \"compilerOptions\": { /* \"x\" */ \"baseUrl\": \"src\",\n \"paths\": {\"@/*\": [\"app/*\", \"//l\",],}, }, }",
        );
        assert_eq!(aliases(&facts), ["@/* src/app/*", "@/* src///l", "* src/*"]);
        assert_eq!(aliases(&settings("{\"compilerOptions\": {\"paths\": {\"a\": [\"./b\"]}}}")), ["a ././b"]);
        assert_eq!(aliases(&settings("/*")), [""; 0]);
    }
}
