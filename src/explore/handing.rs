//! Handing over: an object that gives itself to code elsewhere, which runs it (`executor.execute(this)`).

use super::Source;
use crate::text::Span;

/// The methods by which code elsewhere runs what it was given.
const RUNS: &[&str] = &["accept", "apply", "call", "compute", "execute", "handle", "invoke", "run"];

/// Whether code elsewhere runs an object by a method of this name.
pub(super) fn runs(name: &str) -> bool {
    RUNS.contains(&name)
}

/// Where the lines from `first` to `last` give `this` as an argument, with the number of the line.
pub(super) fn given(source: &Source, first: u32, last: u32) -> Vec<(u32, Span)> {
    let mut found = Vec::new();
    for line in first..=last.min(source.lines.count()) {
        let start = source.lines.span(line).start;
        let text = source.lines.text(&source.text, line);
        let code = text.split("//").next().unwrap_or(text);
        if let Some(at) = argument(code) {
            let at = start + at as u32;
            found.push((line, Span::new(at, at + THIS.len() as u32)));
        }
    }
    found
}

const THIS: &str = "this";

/// Where `this` is an argument by itself.
fn argument(code: &str) -> Option<usize> {
    let is_argument = |&(at, _): &(usize, &str)| {
        let (before, behind) = (code[..at].trim_end(), code[at + THIS.len()..].trim_start());
        before.ends_with(['(', ',']) && behind.starts_with([')', ','])
    };
    code.match_indices(THIS).find(is_argument).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_gives_itself_as_an_argument() {
        let lines = ["executor.execute(this)", "pool.submit( this , 5);", "timer.schedule(task, this)"];
        for line in lines {
            assert!(argument(line).is_some(), "{line}");
        }
        for line in
            ["return this", "this.run()", "f(this.name)", "f(this@Outer)", "f(thisOne)", "x = this", ""]
        {
            assert_eq!(argument(line), None, "{line}");
        }
        let source = Source::new("fun a() {\n  e.execute(this) // later\n  // f(this)\n}\n".into());
        assert_eq!(given(&source, 1, 9), [(2, Span::new(22, 26))]);
    }
}
