//! The limits that decide what an index holds, as sentences made of the constants that keep them.

use crate::extract::{MAX_DEPTH, MAX_NESTING, MAX_TEMPLATES};
use crate::files::{MAX_FILE_BYTES, MAX_LINE_BYTES};
use crate::index::MAX_PARSE_BYTES;

/// One sentence for each, without the full stop.
pub fn limits() -> Vec<String> {
    vec![
        format!(
            "Not read: files over {} MiB, binary files, files that are not UTF-8, and minified files (most \
             bytes in lines over {} bytes)",
            MAX_FILE_BYTES >> 20,
            grouped(MAX_LINE_BYTES as u64)
        ),
        format!("Searched as text, without symbols: files over {} MiB", MAX_PARSE_BYTES >> 20),
        format!(
            "Without symbols and reported as parse errors: what is inside of {} definitions, blocks and \
             lambdas, {} brackets or {} templates in strings",
            grouped(MAX_DEPTH as u64),
            grouped(u64::from(MAX_NESTING)),
            grouped(u64::from(MAX_TEMPLATES))
        ),
        "No limit: files, folders and symbols".to_owned(),
    ]
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            [1, 999, 1_000, 10_000, 1_234_567].map(grouped),
            ["1", "999", "1,000", "10,000", "1,234,567"]
        );
    }
}
