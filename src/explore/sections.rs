//! The sections of an issue report: which of its lines say something, and where they stand.

use std::borrow::Cow;

use super::query::Place;
use super::words::is_dropped_section;

/// The lines of a query with their places, noise left out.
pub(super) fn sections(query: &str) -> Vec<(String, Place)> {
    let text = without_comments(query);
    let mut out = Vec::new();
    let mut fence: Option<&str> = None;
    let mut dropped = false;
    let mut title = true;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = if fence.is_some() { None } else { Some(mark) };
            continue;
        }
        if trimmed.is_empty() {
            continue;
        }
        if fence.is_some() {
            if !dropped && !is_environment(trimmed) && !is_log(trimmed) {
                out.push((trimmed.to_owned(), Place::Code));
            }
            continue;
        }
        let heading = trimmed.starts_with('#')
            || (trimmed.starts_with("**") && trimmed.trim_end_matches(':').ends_with("**"));
        if !title && heading {
            dropped = is_dropped_section(trimmed.trim_start_matches('#'));
            continue;
        }
        if title {
            out.push((trimmed.to_owned(), Place::Title));
            title = false;
        } else if !dropped && !is_check_box(trimmed) && !is_environment(trimmed) && !is_log(trimmed) {
            out.push((trimmed.to_owned(), Place::Prose));
        }
    }
    out
}

/// The text with `<!-- … -->` and `<details>`-like tags taken out.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        out.push_str(&rest[..at]);
        rest = match rest[at..].find("-->") {
            Some(end) => &rest[at + end + 3..],
            None => "",
        };
    }
    out.push_str(rest);
    for tag in [
        "<details>",
        "</details>",
        "<summary>",
        "</summary>",
        "<br>",
        "<br/>",
        "<p>",
        "</p>",
        "<code>",
        "</code>",
        "<pre>",
        "</pre>",
    ] {
        if out.contains(tag) {
            out = out.replace(tag, " ");
        }
    }
    out
}

/// The line with each link reduced to the path behind its host; a link to a discussion says nothing.
pub(super) fn without_links(line: &str) -> Cow<'_, str> {
    if !line.contains("://") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("://") {
        let begin = rest[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric())
            .map_or(0, |before| before + rest[before..].chars().next().map_or(1, char::len_utf8));
        out.push_str(&rest[..begin]);
        let link = &rest[at + 3..];
        let end = link.find(|c: char| c.is_whitespace() || "<>()[]\"'`|".contains(c)).unwrap_or(link.len());
        let path = link[..end].split_once('/').map_or("", |(_, path)| path);
        let talk = ["issues/", "pull/", "discussions/", "commit/", "questions/"];
        if !talk.iter().any(|part| path.contains(part)) {
            out.push_str(path);
        }
        rest = &link[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn is_check_box(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', ' ']);
    ["[ ]", "[x]", "[X]"].iter().any(|mark| line.starts_with(mark))
}

/// `python: 3.11.2`, `libfoo==1.2`, `* OS version: …`: a name and a version, nothing else.
fn is_environment(line: &str) -> bool {
    let Some((name, value)) =
        line.split_once("==").or_else(|| line.split_once(": ")).or_else(|| line.split_once('='))
    else {
        return false;
    };
    let value = value.trim().trim_matches(['*', '`', '"', '\'']);
    let version = value.trim_start_matches(['v', 'V', '>', '<', '=', '~', '^', ' ']);
    let versioned = version.split_once('.').is_some_and(|(major, rest)| {
        !major.is_empty()
            && major.bytes().all(|b| b.is_ascii_digit())
            && rest.as_bytes().first().is_some_and(u8::is_ascii_digit)
    });
    name.split_whitespace().count() <= 4
        && (value == "None" || versioned)
        && value.split_whitespace().count() <= 3
}

/// Begins with a date or a time of day.
fn is_log(line: &str) -> bool {
    let line = line.trim_start_matches(['[', '(', ' ']);
    let digits = |s: &str, n: usize| s.len() >= n && s.bytes().take(n).all(|b| b.is_ascii_digit());
    (digits(line, 4)
        && line.get(4..5).is_some_and(|c| c == "-" || c == "/")
        && digits(line.get(5..).unwrap_or(""), 2))
        || (digits(line, 2)
            && line.get(2..3) == Some(":")
            && digits(line.get(3..).unwrap_or(""), 2)
            && line.get(5..6) == Some(":"))
}
