//! Registering with Claude Code: one entry in one file, and out again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Project, Run};

const BINARY: &str = env!("CARGO_BIN_EXE_ctx-explore");

fn install(project: &Project, arguments: &[&str]) -> Run {
    project.run(&[&["install", "claude-code"], arguments].concat())
}

fn entry(command: &str) -> Value {
    json!({"type": "stdio", "command": command, "args": ["serve"], "env": {}})
}

fn value(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A folder with a `ctx-explore` in it, to be `PATH`.
#[cfg(unix)]
fn on_path(project: &Project) -> PathBuf {
    let folder = project.beside("bin");
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(BINARY, folder.join("ctx-explore")).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// What Claude Code's file looks like: its order, numbers and escapes are its own.
const SETTINGS: &str = "{\n  \"zeta\": 1.0,\n  \"alpha\": \"\\u00e9\\/\",\n  \"projects\": {\n    \"other\": {\n      \
                        \"mcpServers\": {}\n    }\n  },\n  \"big\": 12345678901234567890123\n}";

#[test]
fn ce_24_each_scope_is_written_as_the_client_writes_it() {
    let project = Project::empty();
    let root = fs::canonicalize(project.root()).unwrap();
    let settings = project.home().join(".claude.json");

    install(&project, &[]).ends(0);
    let local = &value(&settings)["projects"][root.to_str().unwrap()];
    assert_eq!(*local, json!({"mcpServers": {"ctx-explore": entry(BINARY)}}));

    install(&project, &["--scope", "user"]).ends(0);
    assert_eq!(value(&settings)["mcpServers"], json!({"ctx-explore": entry(BINARY)}));

    install(&project, &["--scope", "project"]).ends(0);
    let expected = format!(
        "{{\n  \"mcpServers\": {{\n    \"ctx-explore\": {{\n      \"type\": \"stdio\",\n      \"command\": \
         \"{BINARY}\",\n      \"args\": [\n        \"serve\"\n      ],\n      \"env\": {{}}\n    }}\n  }}\n}}"
    );
    assert_eq!(project.read(".mcp.json"), expected);
    assert_eq!(names(&project.root()), [".mcp.json"]);
}

#[test]
fn ce_24_every_other_byte_stays_and_a_second_run_writes_nothing() {
    let project = Project::empty();
    let settings = project.home().join(".claude.json");
    let kept = project.home().join(".claude.json.before-ctx-explore");
    fs::write(&settings, SETTINGS).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    let after = fs::read_to_string(&settings).unwrap();
    let start = &SETTINGS[..SETTINGS.len() - 2];
    let added = after.strip_prefix(start).unwrap_or_else(|| panic!("{after}"));
    assert!(added.starts_with(",\n  \"mcpServers\": {\n    \"ctx-explore\": {\n"), "{after}");
    assert_eq!(value(&settings)["mcpServers"]["ctx-explore"], entry(BINARY));
    assert_eq!(fs::read_to_string(&kept).unwrap(), SETTINGS);
    assert_eq!(names(&project.home()), [".claude.json", ".claude.json.before-ctx-explore"]);

    fs::remove_file(&kept).unwrap();
    let again = install(&project, &["--scope", "user"]);
    assert!(again.ends(0).contains("registered already"), "{}", again.stdout);
    assert_eq!(fs::read_to_string(&settings).unwrap(), after);
    assert_eq!(names(&project.home()), [".claude.json"]);
    // In another layout it is the same entry.
    let compact = value(&settings).to_string();
    fs::write(&settings, &compact).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    assert_eq!(fs::read_to_string(&settings).unwrap(), compact);
}

#[cfg(unix)]
#[test]
fn ce_24_permissions_and_links_stay_as_they_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let project = Project::empty();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let (settings, real) = (project.home().join(".claude.json"), project.beside("dotfile"));
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&real, &settings).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    assert!(settings.is_symlink());
    assert_eq!(mode(&real), 0o640);
    assert_eq!(value(&real)["mcpServers"]["ctx-explore"], entry(BINARY));
    assert_eq!(mode(&project.beside("dotfile.before-ctx-explore")), 0o640);
    // A new file of the user's is nobody else's to read.
    fs::remove_file(&settings).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    assert_eq!(mode(&settings), 0o600);
}

#[cfg(unix)]
#[test]
fn ce_24_a_shared_file_names_no_machine_where_the_name_is_on_the_path() {
    let project = Project::empty();
    let path = on_path(&project);
    let run = |arguments: &[&str]| {
        let mut command = project.command();
        command.env("PATH", &path).args(["install", "claude-code"]).args(arguments);
        Run::of(command)
    };
    let off_path = install(&project, &["--scope", "project"]);
    assert!(off_path.ends(0).contains("no ctx-explore on PATH"), "{}", off_path.stdout);
    run(&["--scope", "project"]).ends(0);
    let shared = project.read(".mcp.json");
    assert_eq!(value(&project.root().join(".mcp.json"))["mcpServers"]["ctx-explore"], entry("ctx-explore"));
    // Whoever has it elsewhere leaves the shared name alone.
    install(&project, &["--scope", "project"]).ends(0);
    assert_eq!(project.read(".mcp.json"), shared);
    // The user's own entry names the place on the path, which outlives an update.
    run(&["--scope", "user"]).ends(0);
    let linked = path.join("ctx-explore");
    let settings = value(&project.home().join(".claude.json"));
    assert_eq!(settings["mcpServers"]["ctx-explore"], entry(linked.to_str().unwrap()));
}

#[test]
fn ce_24_an_entry_of_another_place_is_brought_up_to_date() {
    let project = Project::empty();
    let settings = project.home().join(".claude.json");
    let old = json!({"mcpServers": {"ctx-explore": entry("/opt/old/ctx-explore"), "b": {"command": "b"}}});
    fs::write(&settings, old.to_string()).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    let mut expected = old;
    expected["mcpServers"]["ctx-explore"] = entry(BINARY);
    assert_eq!(value(&settings), expected);
}

#[test]
fn ce_24_the_client_may_keep_its_settings_elsewhere() {
    let project = Project::empty();
    let elsewhere = project.beside("settings");
    fs::create_dir(&elsewhere).unwrap();
    let mut command = project.command();
    command.env("CLAUDE_CONFIG_DIR", &elsewhere).args(["install", "claude-code", "--scope", "user"]);
    Run::of(command).ends(0);
    assert_eq!(names(&elsewhere), [".claude.json"]);
    assert!(names(&project.home()).is_empty());
}

#[test]
fn a_dry_run_writes_nothing() {
    let project = Project::empty();
    for scope in ["local", "project", "user"] {
        let run = install(&project, &["--scope", scope, "--dry-run"]);
        assert!(run.ends(0).starts_with("Nothing was done."), "{}", run.stdout);
    }
    assert!(names(&project.home()).is_empty() && names(&project.root()).is_empty());
}

#[test]
fn ce_25_undoing_gives_every_byte_back() {
    for (before, scope) in [
        (Some(SETTINGS), "user"),
        (Some(SETTINGS), "local"),
        (Some("{\"mcpServers\": {\"b\": {\"command\": \"b\"}}}\n"), "user"),
        (Some("{\n\t\"mcpServers\": {}\n}\n"), "user"),
        (Some("{}"), "local"),
        (None, "user"),
        (None, "local"),
        (None, "project"),
    ] {
        let project = Project::empty();
        let settings = project.home().join(".claude.json");
        if let Some(text) = before {
            fs::write(&settings, text).unwrap();
        }
        install(&project, &["--scope", scope]).ends(0);
        install(&project, &["--scope", scope, "--undo"]).ends(0);
        assert_eq!(fs::read_to_string(&settings).ok().as_deref(), before, "{scope}");
        assert_eq!(names(&project.home()).len(), usize::from(before.is_some()), "{scope}");
        assert!(names(&project.root()).is_empty(), "{scope}");
        let again = install(&project, &["--scope", scope, "--undo"]);
        assert!(again.ends(0).contains("is not registered"), "{}", again.stdout);
    }
}

#[test]
fn ce_25_two_scopes_of_one_file_are_undone_in_any_order() {
    for undone in [["local", "user"], ["user", "local"]] {
        let project = Project::empty();
        let settings = project.home().join(".claude.json");
        fs::write(&settings, SETTINGS).unwrap();
        for scope in ["local", "user"] {
            install(&project, &["--scope", scope]).ends(0);
        }
        for scope in undone {
            install(&project, &["--scope", scope, "--undo"]).ends(0);
        }
        assert_eq!(fs::read_to_string(&settings).unwrap(), SETTINGS, "{undone:?}");
        assert_eq!(names(&project.home()), [".claude.json"], "{undone:?}");
    }
}

#[test]
fn ce_25_undoing_leaves_what_others_wrote_since() {
    let project = Project::empty();
    let settings = project.home().join(".claude.json");
    fs::write(&settings, "{\n  \"a\": 1\n}").unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    let mut since = value(&settings);
    since["later"] = json!(true);
    since["mcpServers"]["other"] = json!({"command": "x"});
    fs::write(&settings, format!("{since:#}")).unwrap();
    install(&project, &["--scope", "user", "--undo"]).ends(0);
    assert_eq!(value(&settings), json!({"a": 1, "later": true, "mcpServers": {"other": {"command": "x"}}}));
    // The copy no longer says what the file says, so it is kept.
    assert!(project.home().join(".claude.json.before-ctx-explore").exists());
}

#[test]
fn ce_26_what_is_not_ours_is_refused_and_left() {
    let custom = "{\"mcpServers\": {\"ctx-explore\": {\"command\": \"ctx-explore\", \"args\": [\"serve\", \"--root\", \".\"]}}}";
    for (text, says) in [
        ("{\"mcpServers\": {}", "is not the JSON"),
        ("", "is not the JSON"),
        ("[]", "is not an object"),
        ("{\"mcpServers\": []}", "`mcpServers` is not an object"),
        (custom, "claude mcp remove --scope user ctx-explore"),
    ] {
        let project = Project::empty();
        let settings = project.home().join(".claude.json");
        fs::write(&settings, text).unwrap();
        let run = install(&project, &["--scope", "user"]);
        let said = run.ends(2);
        assert!(said.contains(says), "{text}: {said}");
        if text == custom {
            install(&project, &["--scope", "user", "--undo"]).ends(2);
        }
        assert_eq!(fs::read_to_string(&settings).unwrap(), text);
        assert_eq!(names(&project.home()), [".claude.json"]);
    }
    let homeless = Project::empty();
    let mut command: Command = homeless.command();
    command.env("HOME", "relative").args(["install", "claude-code", "--scope", "user"]);
    let run = Run::of(command);
    assert!(run.ends(2).contains("HOME"), "{}", run.stderr);
}

#[test]
fn a_byte_order_mark_and_other_line_ends_stay() {
    for text in ["\u{feff}{\"a\": 1}", "\u{feff}{\r\n  \"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1\r\n}"] {
        let project = Project::empty();
        let settings = project.home().join(".claude.json");
        fs::write(&settings, text).unwrap();
        install(&project, &["--scope", "user"]).ends(0);
        let written = fs::read_to_string(&settings).unwrap();
        assert_eq!(written.starts_with('\u{feff}'), text.starts_with('\u{feff}'));
        assert!(!text.contains('\r') || !written.replace("\r\n", "").contains('\n'), "{written:?}");
        assert!(project.run(&["doctor"]).stdout.contains("`ctx-explore` starts"), "{written}");
        install(&project, &["--scope", "user", "--undo"]).ends(0);
        assert_eq!(fs::read_to_string(&settings).unwrap(), text);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_yet_stays_a_link() {
    use std::os::unix::fs::symlink;
    let project = Project::empty();
    let kept = project.beside("kept");
    fs::create_dir(&kept).unwrap();
    let settings = project.home().join(".claude.json");
    symlink("../kept/link.json", &settings).unwrap();
    symlink("claude.json", kept.join("link.json")).unwrap();
    install(&project, &["--scope", "user"]).ends(0);
    assert!(fs::symlink_metadata(&settings).unwrap().is_symlink());
    assert_eq!(value(&kept.join("claude.json"))["mcpServers"]["ctx-explore"], entry(BINARY));
    install(&project, &["--scope", "user", "--undo"]).ends(0);
    assert_eq!(names(&kept), ["link.json"]);

    let circle = Project::empty();
    symlink(".claude.json", circle.home().join(".claude.json")).unwrap();
    install(&circle, &["--scope", "user"]).ends(2);
    assert_eq!(names(&circle.home()), [".claude.json"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_waited_for() {
    let project = Project::empty();
    let settings = project.home().join(".claude.json");
    assert!(Command::new("mkfifo").arg(&settings).status().unwrap().success());
    let run = install(&project, &["--scope", "user"]);
    assert!(run.ends(2).contains("is not a file"), "{}", run.stderr);
    let examined = project.run(&["doctor"]);
    assert!(examined.stdout.contains("is not a file"), "{}", examined.stdout);
}

#[cfg(unix)]
#[test]
fn a_program_of_another_name_takes_out_what_it_put_in() {
    let project = Project::empty();
    let renamed = project.beside("explorer ü \"1\"");
    fs::copy(BINARY, &renamed).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&renamed);
        command.current_dir(project.root()).env_clear();
        command.env("HOME", project.home()).env("XDG_CACHE_HOME", project.cache());
        command.args(["install", "claude-code"]).args(arguments);
        Run::of(command)
    };
    run(&[]).ends(0);
    assert!(run(&[]).ends(0).contains("registered already"));
    run(&["--undo"]).ends(0);
    assert_eq!(names(&project.home()), [] as [&str; 0]);
}

#[test]
fn installations_at_one_time_lose_none() {
    let project = Project::empty();
    let roots: Vec<PathBuf> = (0..6).map(|at| project.beside(&format!("root {at}"))).collect();
    let children: Vec<_> = roots
        .iter()
        .map(|root| {
            fs::create_dir(root).unwrap();
            let mut command = project.command();
            command.args(["install", "claude-code", "--root"]).arg(root);
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let settings = value(&project.home().join(".claude.json"));
    let registered = settings["projects"].as_object().unwrap();
    assert_eq!(registered.len(), roots.len(), "{registered:?}");
}
