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

/// What a byte is in a word: 0 where it is in none.
const SOFT: u8 = 1;
const CAPITAL: u8 = 2;
const UNDERSCORE: u8 = 4;
const BEYOND_ASCII: u8 = 8;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'0'..=b'9' => SOFT,
            b'A'..=b'Z' => CAPITAL,
            b'_' => UNDERSCORE,
            128.. => BEYOND_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> u8 {
    CLASSES[usize::from(byte)]
}

/// Calls `emit` with each search term of `text` in order of appearance: for every identifier its parts
/// of two characters or more, and, where there are several parts, the whole in lower case before them.
pub fn terms(text: &str, mut emit: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut lower = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut classes = class(bytes[at]);
        if classes == 0 {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while at < bytes.len() && class(bytes[at]) != 0 {
            classes |= class(bytes[at]);
            at += 1;
        }
        // A run begins and ends beside an ASCII byte that is no word, so it is whole characters.
        let run = &text[start..at];
        if classes == SOFT {
            // One part, which is as it is written.
            if run.len() > 1 {
                emit(run);
            }
        } else if classes & BEYOND_ASCII == 0 {
            ascii_terms(run, &mut lower, &mut emit);
        } else {
            for run in run.split(|c: char| !c.is_alphanumeric() && c != '_') {
                any_terms(run.trim_matches('_'), &mut emit);
            }
        }
    }
}

/// The terms of one identifier of ASCII characters: its parts are slices of its lower case.
fn ascii_terms(run: &str, lower: &mut String, emit: &mut impl FnMut(&str)) {
    let run = run.trim_start_matches('_').trim_end_matches('_');
    let bytes = run.as_bytes();
    lower.clear();
    lower.push_str(run);
    lower.make_ascii_lowercase();
    let next = |mut at: usize| -> Option<(usize, usize)> {
        let is = |at: usize, wanted: u8| bytes.get(at).is_some_and(|&byte| class(byte) == wanted);
        while is(at, UNDERSCORE) {
            at += 1;
        }
        let begin = at;
        while is(at, CAPITAL) {
            at += 1;
        }
        match at - begin {
            0 => {}
            // `HTTPServer`: the last capital begins the next part.
            1.. if bytes.get(at).is_some_and(u8::is_ascii_lowercase) => {
                if at - begin > 1 {
                    return Some((begin, at - 1));
                }
            }
            _ => return Some((begin, at)),
        }
        while is(at, SOFT) {
            at += 1;
        }
        (begin < at).then_some((begin, at))
    };
    let Some(first) = next(0) else { return };
    let mut after = next(first.1);
    if after.is_some() {
        emit(lower);
    }
    let mut part = Some(first);
    while let Some((begin, end)) = part {
        if end - begin > 1 {
            emit(&lower[begin..end]);
        }
        part = after;
        after = part.and_then(|(_, end)| next(end));
    }
}

/// The terms of one identifier of any characters.
fn any_terms(run: &str, emit: &mut impl FnMut(&str)) {
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

    proptest::proptest! {
        #[test]
        fn both_ways_to_split_agree(text in "[A-Za-z0-9_ .é]{0,24}") {
            let mut slow = Vec::new();
            for run in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
                any_terms(run.trim_matches('_'), &mut |term: &str| slow.push(term.to_owned()));
            }
            assert_eq!(all(&text), slow);
        }
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
