//! Output is a function of the files' bytes, the query and the options, and of nothing else.

use crate::requests::interceptors;
use crate::support::{Project, Run};

/// What each call prints, and the index's own account.
fn all(project: &Project, options: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = interceptors()
        .iter()
        .map(|(_, _, command)| {
            let mut words = vec![command[0]];
            words.extend(options);
            words.extend(&command[1..]);
            project.run(&words).stdout
        })
        .collect();
    let mut words = vec!["index", "--dump"];
    words.extend(options);
    out.push(project.run(&words).ends(0).to_owned());
    out
}

#[test]
fn ce_10_the_same_call_twice_gives_the_same_bytes() {
    let project = Project::fixture("kotlin/interceptors");
    let mut server = project.greeted();
    for (tool, arguments, _) in interceptors() {
        let first = server.call(tool, arguments.clone());
        let second = server.call(tool, arguments);
        assert_eq!(first, second, "{tool}");
        assert!(first.0.ends_with('\n'));
    }
}

#[test]
fn ce_10_one_thread_and_eight_give_the_same_bytes() {
    let project = Project::fixture("kotlin/interceptors");
    let in_folder = |threads: &str| {
        let folder = project.beside(&format!("index-{threads}"));
        all(&project, &["--threads", threads, "--index-dir", folder.to_str().unwrap()])
    };
    assert_eq!(in_folder("1"), in_folder("8"));
}

#[test]
fn ce_10_two_places_give_the_same_bytes_and_no_place_shows() {
    let (one, other) = (Project::fixture("kotlin/interceptors"), Project::fixture("kotlin/interceptors"));
    let (said, said_elsewhere) = (all(&one, &[]), all(&other, &[]));
    assert_eq!(said, said_elsewhere);
    let root = one.root();
    let place = root.to_str().unwrap();
    assert!(said.iter().all(|text| !text.contains(place)));
}

#[test]
fn ce_11_a_refreshed_index_answers_as_a_fresh_one() {
    let chain = "src/main/kotlin/courier/chain";
    let edit = |project: &Project| {
        let call = project.read(&format!("{chain}/DirectCall.kt"));
        project.write(&format!("{chain}/DirectCall.kt"), format!("// one line more\n{call}"));
        project.rename(&format!("{chain}/SendInterceptor.kt"), &format!("{chain}/wire/SendInterceptor.kt"));
        project.remove(&format!("{chain}/LoggingInterceptor.kt"));
        project.write(
            &format!("{chain}/DelayInterceptor.kt"),
            "package courier.chain\n\nimport courier.Interceptor\nimport courier.Response\n\n\
             class DelayInterceptor : Interceptor {\n  override fun intercept(chain: Interceptor.Chain): Response {\n    \
             return chain.proceed(chain.request())\n  }\n}\n",
        );
    };
    let refreshed = Project::fixture("kotlin/interceptors");
    let before = all(&refreshed, &[]);
    edit(&refreshed);
    let fresh = Project::fixture("kotlin/interceptors");
    edit(&fresh);
    let after = all(&refreshed, &[]);
    assert_eq!(after, all(&fresh, &[]));
    assert_ne!(before, after);
}

#[test]
fn ce_12_an_edit_is_seen_by_the_next_call() {
    let project = Project::with(&[("a.py", "def target():\n    return 1\n")]);
    let mut server = project.greeted();
    let (before, _) = server.call("ctx_symbol", serde_json::json!({"name": "target"}));
    assert!(before.contains("a.py:1-2"), "{before}");
    let moved = format!("{}def target():\n    return 2\n", "# line\n".repeat(45));
    project.write("a.py", moved);
    let (after, _) = server.call("ctx_symbol", serde_json::json!({"name": "target"}));
    assert!(after.contains("a.py:46-47") && after.contains("return 2"), "{after}");
    project.remove("a.py");
    let (gone, error) = server.call("ctx_symbol", serde_json::json!({"name": "target"}));
    assert!(!gone.contains("a.py") && !error, "{gone}");
}

#[test]
fn a_cache_that_cannot_be_used_changes_no_answer() {
    let project = Project::fixture("kotlin/interceptors");
    let question = ["explore", "how does a call run through its interceptors"];
    let kept = project.run(&question);
    let mut command = project.command();
    let file = project.beside("a-file");
    std::fs::write(&file, "").unwrap();
    command.args(question).arg("--index-dir").arg(file.join("below"));
    let run = Run::of(command);
    assert_eq!((kept.ends(0), run.code), (run.stdout.as_str(), Some(0)));
    let said = &run.stderr;
    assert!(said.matches("kept in memory").count() == 1 && said.contains("a-file"), "{said}");
}

#[test]
fn a_damaged_cache_changes_no_answer_and_is_told_once() {
    let project = Project::fixture("kotlin/interceptors");
    let question = ["explore", "how does a call run through its interceptors"];
    let kept = project.run(&question);
    assert_eq!(kept.stderr, "");
    let folder = std::fs::read_dir(project.cache().join("ctx-explore")).unwrap().next().unwrap().unwrap();
    let database = folder.path().join("graph.sqlite");
    let mut bytes = std::fs::read(&database).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    std::fs::write(&database, bytes).unwrap();
    let mended = project.run(&question);
    assert_eq!((kept.ends(0), mended.code), (mended.stdout.as_str(), Some(0)));
    assert!(mended.stderr.contains("was damaged") && mended.stderr.lines().count() == 1, "{}", mended.stderr);
    assert_eq!(project.run(&question).stderr, "");
}
