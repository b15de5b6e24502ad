//! Identifiers as search terms: `getHTTPResponse` is `get`, `http`, `response`, `gethttpresponse`.

/// The lower-case parts of one identifier: runs split at `_`, at a lower-to-upper change and before the
/// last capital of a run of capitals (`HTTPServer`: `http`, `server`); digits stay with what precedes
/// them in lower case (`http2`). Characters beyond ASCII count as lower-case letters.
pub fn parts(identifier: &str) -> Vec<String> {
    let chars: Vec<char> = identifier.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    let soft = |c: char| c.is_alphanumeric() && !c.is_ascii_uppercase();
    while at < chars.len() {
        let begin = at;
        if chars[at].is_ascii_uppercase() {
            while at < chars.len() && chars[at].is_ascii_uppercase() {
                at += 1;
            }
            if at < chars.len() && soft(chars[at]) && !chars[at].is_ascii_digit() {
                // `HTTPServer`: the last capital begins the next part.
                if at - begin > 1 {
                    at -= 1;
                } else {
                    while at < chars.len() && soft(chars[at]) {
                        at += 1;
                    }
                }
            }
        } else if soft(chars[at]) {
            while at < chars.len() && soft(chars[at]) {
                at += 1;
            }
        } else {
            at += 1;
            continue;
        }
        parts.push(chars[begin..at].iter().flat_map(|c| c.to_lowercase()).collect());
    }
    parts
}

/// Calls `emit` with each search term of `text` in order of appearance: for every identifier its parts
/// of two characters or more, and, where there are several parts, the whole in lower case.
pub fn terms(text: &str, mut emit: impl FnMut(&str)) {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for run in text.split(|c| !word(c)) {
        let run = run.trim_matches('_');
        if run.is_empty() {
            continue;
        }
        let parts = parts(run);
        if parts.len() > 1 {
            let whole: String = run.chars().flat_map(|c| c.to_lowercase()).collect();
            emit(&whole);
        }
        for part in &parts {
            if part.chars().nth(1).is_some() || !part.is_ascii() {
                emit(part);
            }
        }
    }
}

/// Whether a word looks like code rather than prose: `snake_case`, `camelCase`, `CamelCase` with two
/// humps, `HTTP2`, `a.b`, `a::b` or `call()`.
pub fn code_shaped(word: &str) -> bool {
    let word = word.trim_end_matches("()");
    if word.contains("::") || word.trim_matches('_').contains('_') {
        return true;
    }
    let mut pieces = word.split('.');
    if word.contains('.') {
        return pieces.all(|piece| piece.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_'));
    }
    let humps =
        word.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    humps || (letters > 1 && digits > 0 && word.as_bytes()[0].is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        terms(text, |term| out.push(term.to_owned()));
        out
    }

    #[test]
    fn identifiers_split_at_humps_and_underscores() {
        assert_eq!(parts("getHTTPResponse"), ["get", "http", "response"]);
        assert_eq!(parts("http2_frame"), ["http2", "frame"]);
        assert_eq!(parts("HTTP2"), ["http", "2"]);
        assert_eq!(parts("IOError"), ["io", "error"]);
        assert_eq!(parts("A"), ["a"]);
        assert_eq!(parts("__init__"), ["init"]);
    }

    #[test]
    fn terms_keep_the_whole_identifier() {
        assert_eq!(all("self.poll_next(cx)"), ["self", "poll_next", "poll", "next", "cx"]);
        assert_eq!(all("a + RealCall"), ["realcall", "real", "call"]);
        assert_eq!(all("血条 größe"), ["血条", "größe"]);
    }

    #[test]
    fn code_shapes() {
        for word in ["a_b", "fooBar", "RealCall", "a.b", "std::io", "run_it()", "http2"] {
            assert!(code_shaped(word), "{word}");
        }
        for word in ["Flask", "word", "e.g.", "2nd", "HTTP", "end."] {
            assert!(!code_shaped(word), "{word}");
        }
    }
}
