//! Tokens: the words of a line of a question, and the forms that a word has.

/// `closes`, `closed`, `closing` and `close` for one of them.
pub(super) fn inflections(word: &str) -> Vec<String> {
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Vec::new();
    }
    let mut stems: Vec<String> = Vec::new();
    for ending in ["ing", "ed", "es", "s"] {
        // `class` is no plural.
        let whole = |stem: &&str| stem.len() >= 3 && !(ending == "s" && stem.ends_with('s'));
        if let Some(stem) = word.strip_suffix(ending).filter(whole) {
            stems.push(stem.to_owned());
            if ending != "s" {
                stems.push(format!("{stem}e"));
            }
            break;
        }
    }
    if stems.is_empty() {
        stems.push(word.to_owned());
    }
    let mut forms: Vec<String> = Vec::new();
    for stem in stems {
        let base = stem.strip_suffix('e').unwrap_or(&stem);
        forms.extend([format!("{base}ing"), format!("{base}ed"), format!("{stem}s")]);
        forms.push(stem);
    }
    forms.sort();
    forms.dedup();
    forms.retain(|form| form != word);
    forms
}

pub(super) struct Token<'t> {
    /// Identifiers joined by `.` or `::`, or one word.
    pub text: &'t str,
    /// Between back quotes.
    pub quoted: bool,
    /// Followed by `(`.
    pub called: bool,
    /// Among the arguments of a call.
    pub argument: bool,
}

/// The words of a line: identifiers with the `.` and `::` that join them.
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut quoted = false;
    // Where the arguments of a call end.
    let mut arguments = 0;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut chars = line.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c == '`' {
            quoted = !quoted;
            continue;
        }
        if !word(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            let joins = |mark: &str| {
                line[at..]
                    .strip_prefix(mark)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
            };
            if word(c) {
                end = at + c.len_utf8();
                chars.next();
            } else if joins(".") {
                end = at + 1;
                chars.next();
            } else if joins("::") {
                end = at + 2;
                chars.next();
                chars.next();
            } else {
                break;
            }
        }
        let called = line[end..].starts_with('(');
        let argument = start < arguments;
        if called && !argument {
            arguments = end + closing(&line[end..]);
        }
        out.push(Token { text: &line[start..end], quoted, called, argument });
    }
    out
}

/// The length of what stands between the bracket that a text begins with and its counterpart; 0 without one.
fn closing(text: &str) -> usize {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return at,
            ')' => open -= 1,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_forms() {
        assert_eq!(inflections("closing"), ["clos", "close", "closed", "closes", "closs"]);
        assert_eq!(inflections("pool"), ["pooled", "pooling", "pools"]);
        assert_eq!(inflections("class"), ["classed", "classing", "classs"]);
        assert_eq!(inflections("tls"), [""; 0]);
    }
}
