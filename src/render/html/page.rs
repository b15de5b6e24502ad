//! The frame of a page: head, style and foot; and what makes a text safe in it.

use std::borrow::Cow;

const STYLE: &str = include_str!("page.css");

/// After the last section.
pub const FOOT: &str = "<footer>Made by ctx-explore. Links that leave this page are paths from the repository's \
                        root: they work where the page is kept there.</footer>\n</main>\n</body>\n</html>\n";

/// The page up to its heading. Nothing may be loaded or run: there is nothing to load, and what code is shown
/// is none of the page's.
pub fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n",
        escape(title)
    )
}

/// A text between tags. What the standard forbids in a page is shown as a replacement character.
pub fn escape(text: &str) -> Cow<'_, str> {
    let odd = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || forbidden(c);
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if forbidden(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn forbidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n')
}

/// A value between the quotes of an attribute.
pub fn attribute(value: &str) -> Cow<'_, str> {
    escape(value)
}

/// A path of the repository as a relative reference: it names no scheme and no host, whatever is in it.
pub fn reference(path: &str) -> String {
    let mut out = String::from("./");
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            byte if byte.is_ascii_alphanumeric() => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_its_place() {
        assert_eq!(
            escape("a <b> & \"c\" 'd'\u{1b}\0"),
            "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;\u{fffd}\u{fffd}"
        );
        assert_eq!(escape("plain é\t1\n"), "plain é\t1\n");
        assert_eq!(reference("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(reference("/host/a b#c?d\"%.rs"), "./%2Fhost/a%20b%23c%3Fd%22%25.rs".replace("%2F", "/"));
        assert_eq!(reference("src/é.py"), "./src/%C3%A9.py");
    }

    #[test]
    fn the_style_loads_nothing() {
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains('<'), "{STYLE}");
    }
}
