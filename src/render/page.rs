//! A page: lines that are put down in order while they fit, with a last line that says what is missing.

/// Collects lines up to a bound in bytes, line breaks included. Once a line does not fit, none after it is
/// taken, so that a larger bound shows all that a smaller one shows.
pub struct Page {
    text: String,
    max: usize,
    left_out: usize,
}

impl Page {
    pub fn new(max_bytes: usize) -> Self {
        Page { text: String::new(), max: max_bytes, left_out: 0 }
    }

    pub fn put(&mut self, line: &str) {
        let reserve = missing(usize::MAX / 2).len() + 1;
        if self.left_out > 0 || self.text.len() + line.len() + 1 + reserve > self.max {
            self.left_out += usize::from(!line.is_empty());
            return;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The text: no empty line at the end, one line break.
    pub fn finish(mut self) -> String {
        let kept = self.text.trim_end_matches('\n').len();
        self.text.truncate(kept);
        if kept > 0 {
            self.text.push('\n');
        }
        if self.left_out > 0 {
            let line = missing(self.left_out);
            if self.text.len() + line.len() < self.max {
                self.text.push_str(&line);
                self.text.push('\n');
            }
        }
        self.text
    }
}

fn missing(lines: usize) -> String {
    format!("Note: {lines} more lines were left out to stay within max_bytes.")
}
