//! Reports as JSON within a bound: what the text would leave out is left out of the value, and a note says
//! that something was.

use serde::Serialize;

use super::json;
use crate::explore::{Note, SearchReport, SymbolReport};

/// The report as JSON of at most `max_bytes`. The code goes first, then neighbours, then symbols, each from
/// the last on.
pub fn symbol_json(report: &SymbolReport, max_bytes: usize) -> String {
    within(report.clone(), max_bytes, |report| {
        for symbol in report.symbols.iter_mut().rev() {
            if let Some(line) = symbol.code.pop() {
                return Some(size(&line));
            }
        }
        for symbol in report.symbols.iter_mut().rev() {
            let lists =
                [&mut symbol.callees, &mut symbol.supertypes, &mut symbol.implementers, &mut symbol.callers];
            if let Some(neighbour) = lists.into_iter().find_map(Vec::pop) {
                return Some(size(&neighbour));
            }
        }
        let symbol = report.symbols.pop()?;
        report.more += 1;
        Some(size(&symbol))
    })
}

/// The report as JSON of at most `max_bytes`, with the first of its hits.
pub fn search_json(report: &SearchReport, max_bytes: usize) -> String {
    within(report.clone(), max_bytes, |report| Some(size(&report.hits.pop()?)))
}

/// Takes items until the rest fits. `take` gives the bytes of what it took.
fn within<R: Serialize + Notes>(
    mut report: R,
    max_bytes: usize,
    mut take: impl FnMut(&mut R) -> Option<usize>,
) -> String {
    let whole = json(&report);
    if whole.len() <= max_bytes {
        return whole;
    }
    let mut left_out = 0;
    report.notes().push(Note::Truncated { left_out: u32::MAX });
    loop {
        let text = json(&report);
        let Some(mut over) = text.len().checked_sub(max_bytes + 1).map(|over| over + 1) else { break };
        while over > 0 {
            match take(&mut report) {
                Some(bytes) => over = over.saturating_sub(bytes),
                None if report.notes().len() > 1 => {
                    report.notes().remove(0);
                    break;
                }
                None => return finish(report, left_out),
            }
            left_out += 1;
        }
    }
    finish(report, left_out)
}

fn finish<R: Serialize + Notes>(mut report: R, left_out: u32) -> String {
    report.notes().pop();
    report.notes().push(Note::Truncated { left_out });
    json(&report)
}

trait Notes {
    fn notes(&mut self) -> &mut Vec<Note>;
}

impl Notes for SymbolReport {
    fn notes(&mut self) -> &mut Vec<Note> {
        &mut self.notes
    }
}

impl Notes for SearchReport {
    fn notes(&mut self) -> &mut Vec<Note> {
        &mut self.notes
    }
}

/// Bytes of a value as JSON.
fn size(value: &impl Serialize) -> usize {
    json(value).len() - 1
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::explore::testing::chain;
    use crate::explore::{Coverage, symbol};

    #[test]
    fn a_report_of_a_symbol_fits_and_says_what_it_lacks() {
        let repo = chain();
        for asked in ["RealChain.proceed", "intercept"] {
            let report = symbol(&repo, asked, Coverage::default());
            let whole = json(&report);
            assert_eq!(symbol_json(&report, whole.len()), whole);
            let mut before = 0;
            for max in (400..whole.len()).step_by(7) {
                let text = symbol_json(&report, max);
                assert!(text.len() <= max, "{max}: {text}");
                let value: Value = serde_json::from_str(&text).unwrap();
                let symbols = value["symbols"].as_array().unwrap().len();
                assert_eq!(symbols as u64 + value["more"].as_u64().unwrap(), report.symbols.len() as u64);
                let note = value["notes"].as_array().unwrap().last().unwrap();
                assert!(note["truncated"]["left_out"].as_u64().unwrap() > 0, "{text}");
                assert!(symbols >= before, "{max}");
                before = symbols;
            }
        }
    }
}
