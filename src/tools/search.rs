//! `ctx_search`: lines of the indexed files that match a literal text or a regular expression, each with
//! the symbol that holds it.

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, Sink, SinkMatch};
use rayon::prelude::*;

use crate::explore::{Note, Repository, SearchHit, SearchReport, holder};
use crate::resolve::FileId;

/// A search and its bounds.
#[derive(Clone, Debug)]
pub struct Search {
    pub pattern: String,
    /// The pattern is a regular expression, not a text as it stands.
    pub regex: bool,
    pub ignore_case: bool,
    /// Only files at or below this path; empty for all.
    pub path: String,
    /// The most lines of the report.
    pub max_results: usize,
}

/// The most bytes of a reported line.
const LINE_BYTES: usize = 240;

/// The compiled pattern; an error is for the caller to correct.
pub fn matcher(search: &Search) -> Result<RegexMatcher, String> {
    if search.pattern.contains(['\n', '\r']) {
        return Err(
            "`pattern` of ctx_search spans lines, but a hit is one line. Search for one of its lines."
                .to_owned(),
        );
    }
    RegexMatcherBuilder::new()
        .fixed_strings(!search.regex)
        .case_insensitive(search.ignore_case)
        .line_terminator(Some(b'\n'))
        .build(&search.pattern)
        .map_err(|error| {
            format!(
                "`pattern` of ctx_search is not a regular expression that can be searched for: {error}\n\
                 Correct it, or leave out `regex` to search for the text as it stands."
            )
        })
}

/// Runs the search: files of production code first, then by path and line. Once `stop` says so it ends
/// soon, with what it has.
pub fn run(
    repository: &dyn Repository,
    search: &Search,
    matcher: &RegexMatcher,
    stop: &(dyn Fn() -> bool + Sync),
) -> SearchReport {
    let graph = repository.graph();
    let mut files: Vec<FileId> =
        graph.file_ids().filter(|&file| graph.file(file).path.is_under(&search.path)).collect();
    files.sort_by_key(|&file| (graph.file(file).test, file));
    let found: Vec<Option<Lines<'_>>> = files
        .par_iter()
        .map(|&file| {
            if stop() {
                return None;
            }
            let source = repository.read(file)?;
            let mut lines = Lines { matcher, max: search.max_results, hits: Vec::new(), total: 0 };
            let mut searcher = SearcherBuilder::new().line_number(true).build();
            // A slice cannot fail to be read; a file that cannot be searched counts as left out.
            searcher.search_slice(matcher, source.text.as_bytes(), &mut lines).ok()?;
            Some(lines)
        })
        .collect();
    let mut report = SearchReport { pattern: cut(&search.pattern, 0), ..SearchReport::default() };
    for (&file, lines) in files.iter().zip(found) {
        let path = &graph.file(file).path;
        let Some(lines) = lines else {
            report.notes.push(Note::Changed { path: path.clone() });
            continue;
        };
        report.total += lines.total;
        report.files += u32::from(lines.total > 0);
        let room = search.max_results - report.hits.len();
        report.hits.extend(lines.hits.into_iter().take(room).map(|(line, text)| SearchHit {
            path: path.clone(),
            line,
            text,
            symbol: holder(graph, file, line),
        }));
    }
    report.notes.truncate(CHANGED);
    if report.total == 0 {
        report.notes.extend(hint(search).map(|hint| Note::Text(hint.to_owned())));
    } else if report.hits.len() < report.total as usize {
        report.notes.push(Note::Text(MORE.to_owned()));
    }
    report
}

/// The most files that changed while searching and are named.
const CHANGED: usize = 10;
const MORE: &str = "narrow the pattern or the path, or raise max_results, to see the rest.";

/// What may find something where nothing was found.
fn hint(search: &Search) -> Option<&'static str> {
    if !search.regex && search.pattern.contains(['*', '|', '\\', '[', '^', '$', '+', '?']) {
        Some("the pattern was taken as it stands; set regex to use it as a regular expression.")
    } else if !search.ignore_case && search.pattern.chars().any(char::is_alphabetic) {
        Some("upper and lower case were told apart; set ignore_case to find both.")
    } else {
        None
    }
}

/// The matching lines of one file.
struct Lines<'m> {
    matcher: &'m RegexMatcher,
    max: usize,
    hits: Vec<(u32, String)>,
    total: u32,
}

impl Sink for Lines<'_> {
    type Error = std::io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, Self::Error> {
        self.total += 1;
        if self.hits.len() < self.max {
            let line = String::from_utf8_lossy(found.bytes());
            let line = line.trim_end_matches(['\n', '\r']);
            let at = self.matcher.find(line.as_bytes()).ok().flatten().map_or(0, |found| found.start());
            let number = found.line_number().unwrap_or(1).min(u64::from(u32::MAX)) as u32;
            self.hits.push((number, cut(line, at)));
        }
        Ok(true)
    }
}

/// A line of at most about `LINE_BYTES` bytes that holds what stands at `at`.
fn cut(line: &str, at: usize) -> String {
    if line.len() <= LINE_BYTES {
        return line.to_owned();
    }
    let from = line.floor_char_boundary(at.saturating_sub(LINE_BYTES / 3));
    let to = line.floor_char_boundary((from + LINE_BYTES).min(line.len()));
    let before = if from > 0 { "..." } else { "" };
    let after = if to < line.len() { "..." } else { "" };
    format!("{before}{}{after}", &line[from..to])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::testing::chain;
    use crate::render;

    fn search(pattern: &str) -> Search {
        Search {
            pattern: pattern.to_owned(),
            regex: false,
            ignore_case: false,
            path: String::new(),
            max_results: 10,
        }
    }

    fn text(search: &Search) -> String {
        let found = run(&chain(), search, &matcher(search).unwrap(), &|| false);
        render::search(&found, 2_000)
    }

    #[test]
    fn hits_stand_in_their_files_and_symbols() {
        expect_test::expect![[r#"
            7 lines in 6 files match proceed():

            #### src/Cache.kt
              in Cache.intercept (method)
            7	    return chain.proceed()

            #### src/Call.kt
              in Call.respond (method)
            8	    return RealChain(all).proceed()

            #### src/Chain.kt
              in Chain.proceed (method)
            2	  fun proceed(): Response
              in RealChain.proceed (method)
            6	  override fun proceed() {

            #### src/Log.kt
              in Log.intercept (method)
            7	    return chain.proceed()

            #### src/Net.kt
              in Net.intercept (method)
            7	    return chain.proceed()

            #### src/Retry.kt
              in Retry.intercept (method)
            7	    return chain.proceed()
        "#]]
        .assert_eq(&text(&search("proceed()")));
        expect_test::expect![[r#"
            7 lines in 6 files match proceed(), the first 1:

            #### src/Cache.kt
              in Cache.intercept (method)
            7	    return chain.proceed()

            Note: narrow the pattern or the path, or raise max_results, to see the rest.
        "#]]
        .assert_eq(&text(&Search { max_results: 1, ..search("proceed()") }));
        expect_test::expect![[r#"
            Nothing matches PROCEED

            Note: upper and lower case were told apart; set ignore_case to find both.
        "#]]
        .assert_eq(&text(&search("PROCEED")));
        expect_test::expect![[r#"
            Nothing matches pro.*d

            Note: the pattern was taken as it stands; set regex to use it as a regular expression.
        "#]]
        .assert_eq(&text(&search("pro.*d")));
        let regex = Search { regex: true, path: "src/Net.kt".to_owned(), ..search("pro.*d") };
        expect_test::expect![[r#"
            1 lines in 1 files match pro.*d:

            #### src/Net.kt
              in Net.intercept (method)
            7	    return chain.proceed()
        "#]]
        .assert_eq(&text(&regex));
    }

    #[test]
    fn long_lines_are_cut_round_the_match_at_character_borders() {
        let line = format!("{}needle{}", "ä".repeat(400), "ö".repeat(400));
        let at = line.find("needle").unwrap();
        let cut = cut(&line, at);
        assert!(cut.contains("needle") && cut.len() <= LINE_BYTES + 6, "{cut}");
        assert!(cut.starts_with("...") && cut.ends_with("..."));
        assert_eq!(super::cut("short", 2), "short");
    }

    #[test]
    fn a_pattern_that_cannot_match_a_line_is_refused() {
        let regex = |pattern: &str| matcher(&Search { regex: true, ..search(pattern) });
        assert!(matcher(&search("a\nb")).unwrap_err().contains("spans lines"));
        assert!(regex("(").unwrap_err().contains("not a regular expression"));
        assert!(matcher(&search("(")).is_ok());
        assert!(regex(r"a\nb").is_err());
    }
}
