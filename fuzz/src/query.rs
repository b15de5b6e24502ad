//! A question: what is understood of it, and what is answered to it from a small repository.

use std::sync::{Arc, OnceLock};

use ctx_explore::explore::{self, NoTrace, Query, Request, fold};
use ctx_explore::files::{Disk, Files, Memory};
use ctx_explore::index::{Index, IndexOptions, Silent};
use ctx_explore::render;
use ctx_explore::tools::{Reading, View};

use crate::repository;

/// What is indexed once is no part of a question's time.
pub fn init() {
    view();
}

/// The first two bytes are options, the first line's words are keywords where one of them says so, the rest
/// is the question.
pub fn run(bytes: &[u8]) {
    let (options, rest) = bytes.split_at(bytes.len().min(2));
    let (&[size, flags], text) = (options, String::from_utf8_lossy(rest)) else { return };
    let (keywords, question) = match text.split_once('\n').filter(|_| flags & 1 != 0) {
        Some((words, question)) => (words.split(',').map(str::to_owned).collect(), question),
        None => (Vec::new(), &*text),
    };
    understood(&Query::new(question, &keywords));

    let request = Request {
        query: question.to_owned(),
        keywords,
        max_turns: 1 + u32::from(flags >> 5),
        max_bytes: 1_000 + 256 * usize::from(size),
        citation: flags & 2 != 0,
        adaptive: flags & 4 != 0,
        ..Request::default()
    };
    let repository = Reading::new(view());
    let answer = explore::explore(&repository, &request, &mut NoTrace);
    let text = render::answer(&answer);
    assert!(text.len() <= request.max_bytes, "{} of {} bytes", text.len(), request.max_bytes);
    let graph = explore::Repository::graph(&repository);
    for citation in &answer.citations {
        let file = graph.find_file(citation.path.as_str()).expect("a file of the repository");
        assert!(1 <= citation.lines.start && citation.lines.start <= citation.lines.end, "{citation:?}");
        assert!(citation.lines.end <= graph.file(file).lines, "{citation:?}");
    }
    for block in &answer.sources {
        assert!(block.lines.is_sorted_by(|a, b| a.number < b.number), "{}", block.path);
    }
}

fn understood(query: &Query) {
    for terms in [&query.terms, &query.title_terms] {
        assert!(terms.is_sorted_by(|a, b| a.text < b.text));
        assert!(terms.iter().all(|term| term.weight.is_finite() && term.weight > 0.0), "{terms:?}");
    }
    assert!(query.names.is_sorted_by(|a, b| a.folded < b.folded));
    for name in &query.names {
        assert_eq!(name.folded, fold(&name.folded));
        assert!((0.0..=1.0).contains(&name.weight), "{name:?}");
    }
    assert!(query.mentions.iter().all(|mention| !mention.segments.is_empty()));
}

/// The fixtures, in memory.
fn view() -> &'static View {
    static VIEW: OnceLock<View> = OnceLock::new();
    VIEW.get_or_init(|| {
        let disk = Disk::open(&repository("fixtures"), 1, &[], || 0).expect("fixtures");
        let listing = disk.list().expect("a listing");
        let read = |entry: &ctx_explore::files::Entry| {
            let text = String::from_utf8(disk.read(&entry.path).ok()?).ok()?;
            Some((entry.path.to_string(), text))
        };
        let files: Vec<(String, String)> = listing.entries.iter().filter_map(read).collect();
        let memory = Memory::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        let index = Index::over(Arc::new(memory), IndexOptions::default()).expect("an index in memory");
        View::new(index.refresh(&Silent).expect("a snapshot"), None)
    })
}
