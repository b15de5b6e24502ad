//! `ctx_search`: lines of the indexed files that match a literal text or a regular expression, each with
//! the symbol that holds it.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{Searcher, SearcherBuilder, Sink, SinkMatch};
use rayon::prelude::*;

use crate::explore::{Note, Repository, SearchHit, SearchReport, holder, layout};
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
    let build = |crlf: bool| {
        let mut builder = RegexMatcherBuilder::new();
        builder.fixed_strings(!search.regex).case_insensitive(search.ignore_case).multi_line(true);
        if crlf {
            builder.crlf(true)
        } else {
            builder.line_terminator(Some(b'\n'))
        };
        builder.build(&search.pattern)
    };
    // A line may end in `\r\n`; who writes `\r` means the byte.
    let crlf = search.regex.then(|| build(true).ok()).flatten();
    crlf.map_or_else(|| build(false), Ok).map_err(|error| {
        let error = why(&error.to_string());
        format!(
            "`pattern` of ctx_search is not a regular expression that can be searched for: {error}\n\
             Correct it, or leave out `regex` to search for the text as it stands."
        )
    })
}

/// Bytes of what is wrong with a pattern.
const WHY: usize = 400;

/// What is wrong with a pattern; without the pattern where that is long.
fn why(error: &str) -> String {
    if error.len() <= WHY {
        return error.to_owned();
    }
    let last = error.lines().rfind(|line| line.starts_with("error: ")).unwrap_or(error);
    layout::beginning(last, WHY).into_owned()
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
            let mut lines = Lines::new(matcher, search.max_results, stop);
            if !stop() {
                lines.search(&repository.read(file)?.text)?;
            }
            Some(lines)
        })
        .collect();
    let mut report =
        SearchReport { pattern: layout::short(&search.pattern).into_owned(), ..SearchReport::default() };
    let mut searched = 0;
    for (&file, lines) in files.iter().zip(found) {
        let path = &graph.file(file).path;
        let Some(lines) = lines else {
            report.notes.push(Note::Changed { path: path.clone() });
            searched += 1;
            continue;
        };
        searched += u32::from(lines.whole);
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
    if (searched as usize) < files.len() {
        report.unfinished = Some((searched, files.len() as u32));
        report.notes.push(Note::Text(NARROWER.to_owned()));
    } else if report.total == 0 {
        report.notes.extend(hint(search).map(|hint| Note::Text(hint.to_owned())));
    } else if report.hits.len() < report.total as usize {
        report.notes.push(Note::Text(MORE.to_owned()));
    }
    report
}

/// The most files that changed while searching and are named.
const CHANGED: usize = 10;
const NARROWER: &str = "give a path, or a pattern that is quicker to match, to search all of it.";
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
    stop: &'m (dyn Fn() -> bool + Sync),
    hits: Vec<(u32, String)>,
    total: u32,
    /// Lines before the part that is being searched.
    before: u32,
    /// The file was searched to its end.
    whole: bool,
}

/// Between two parts of a file of about so many bytes the search can be stopped.
const PART_BYTES: usize = 32 * 1024;

impl<'m> Lines<'m> {
    fn new(matcher: &'m RegexMatcher, max: usize, stop: &'m (dyn Fn() -> bool + Sync)) -> Self {
        Lines { matcher, max, stop, hits: Vec::new(), total: 0, before: 0, whole: false }
    }

    /// Searches a text in parts of whole lines. `None` where it cannot be searched.
    fn search(&mut self, text: &str) -> Option<()> {
        let matcher = self.matcher;
        let mut searcher = SearcherBuilder::new();
        searcher.line_number(true).bom_sniffing(false);
        searcher.line_terminator(matcher.line_terminator().unwrap_or(LineTerminator::crlf()));
        let mut searcher = searcher.build();
        let mut rest = text.as_bytes();
        self.whole = true;
        while !rest.is_empty() && self.whole {
            let least = rest.len().min(PART_BYTES);
            let end =
                rest[least..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| least + at + 1);
            let (part, after) = rest.split_at(end);
            searcher.search_slice(matcher, part, &mut *self).ok()?;
            self.before += part.iter().filter(|&&byte| byte == b'\n').count() as u32;
            rest = after;
            self.whole &= rest.is_empty() || !(self.stop)();
        }
        Some(())
    }
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
            self.hits.push((self.before + number, cut(line, at)));
        }
        self.whole = !(self.stop)();
        Ok(self.whole)
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
            7 lines in 6 files match `proceed()`:

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
            7 lines in 6 files match `proceed()`, the first 1:

            #### src/Cache.kt
              in Cache.intercept (method)
            7	    return chain.proceed()

            Note: narrow the pattern or the path, or raise max_results, to see the rest.
        "#]]
        .assert_eq(&text(&Search { max_results: 1, ..search("proceed()") }));
        expect_test::expect![[r#"
            Nothing matches `PROCEED`

            Note: upper and lower case were told apart; set ignore_case to find both.
        "#]]
        .assert_eq(&text(&search("PROCEED")));
        expect_test::expect![[r#"
            Nothing matches `pro.*d`

            Note: the pattern was taken as it stands; set regex to use it as a regular expression.
        "#]]
        .assert_eq(&text(&search("pro.*d")));
        let regex = Search { regex: true, path: "src/Net.kt".to_owned(), ..search("pro.*d") };
        expect_test::expect![[r#"
            1 line in 1 file matches `pro.*d`:

            #### src/Net.kt
              in Net.intercept (method)
            7	    return chain.proceed()
        "#]]
        .assert_eq(&text(&regex));
    }

    #[test]
    fn a_search_without_time_says_how_far_it_came() {
        let stopped = |after: usize| {
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) >= after;
            let search = search("proceed");
            render::search(&run(&chain(), &search, &matcher(&search).unwrap(), &stop), 2_000)
        };
        expect_test::expect![[r#"
            The time ran out: 0 of 8 files were searched, none of them matches `proceed`

            Note: give a path, or a pattern that is quicker to match, to search all of it.
        "#]]
        .assert_eq(&stopped(0));
        let some = stopped(9);
        assert!(
            some.contains("(the time ran out: ") && some.contains(" of 8 files were searched):"),
            "{some}"
        );
        assert!(!some.contains("Nothing matches") && !some.contains("changed"), "{some}");
    }

    #[test]
    fn a_search_stops_inside_a_file_and_numbers_lines_through_its_parts() {
        let text = "plain line\nneedle here\n".repeat(20_000);
        let matcher = matcher(&search("needle")).unwrap();
        let mut lines = Lines::new(&matcher, 1_000_000, &|| false);
        lines.search(&text).unwrap();
        assert!(lines.whole && lines.total == 20_000, "{}", lines.total);
        assert!(lines.hits.iter().enumerate().all(|(nth, hit)| hit.0 as usize == nth * 2 + 2));
        let mut lines = Lines::new(&matcher, 10, &|| true);
        lines.search(&text).unwrap();
        assert!(!lines.whole && lines.total == 1);
        let absent = super::matcher(&search("absent")).unwrap();
        let asked = std::sync::atomic::AtomicU32::new(0);
        let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 2;
        let mut lines = Lines::new(&absent, 10, &stop);
        lines.search(&text).unwrap();
        assert!(!lines.whole && (lines.before as usize) < 20_000, "{}", lines.before);
    }

    #[test]
    fn lines_that_end_in_two_characters_end_there() {
        let found = |pattern: &str, regex: bool| {
            let search = Search { regex, ..search(pattern) };
            let matcher = matcher(&search).unwrap();
            let mut lines = Lines::new(&matcher, 10, &|| false);
            lines.search("one two\r\ntwo\n\r\ntwo one\r\n").unwrap();
            lines.hits
        };
        let numbers = |pattern, regex| found(pattern, regex).iter().map(|hit| hit.0).collect::<Vec<_>>();
        assert_eq!(numbers("two$", true), [1, 2]);
        assert_eq!(numbers("^two$", true), [2]);
        assert_eq!(numbers("^$", true), [3]);
        assert_eq!(numbers(r"two\r", true), [1]);
        assert_eq!(numbers("two", false), [1, 2, 4]);
        assert_eq!(numbers("two$", false), [0; 0]);
        assert_eq!(found("two", false)[0].1, "one two");
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
        let long = regex(&"(".repeat(4_000)).unwrap_err();
        assert!(long.len() < 800 && long.contains("error: "), "{} {long}", long.len());
        let shown = text(&search(&"ö".repeat(400)));
        assert!(shown.starts_with("Nothing matches `öö") && shown.len() < 250, "{shown}");
        assert!(regex(r"a\nb").is_err());
    }
}
