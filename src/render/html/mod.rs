//! An `Answer` as one HTML page for people: flow as a diagram, code that folds, links from each place that is
//! named to the line.
//!
//! The page is whole: it loads nothing, runs no script, and says so to the browser. It is a function of the
//! answer and the question, like every rendering. A place that the page shows is linked inside of it; any other
//! is linked by its path from the repository's root, never by a path of the machine.

mod code;
mod diagram;
mod page;

use std::fmt::Write;

use crate::explore::{Answer, Citation, SourceForm, layout};
use code::Places;
use page::{attribute, escape};

/// Characters of a question that stand in the title.
const TITLE: usize = 160;

/// The page of an answer to a question.
pub fn html(answer: &Answer, question: &str) -> String {
    let question = question.trim();
    let title =
        layout::one_line(layout::beginning(question.lines().next().unwrap_or_default(), TITLE).trim())
            .into_owned();
    let places = Places::of(&answer.sources);
    let mut out = page::head(&title);
    let _ = writeln!(out, "<h1>{}</h1>", escape(&title));
    if title != question {
        let _ = writeln!(
            out,
            "<details><summary>The whole question</summary><pre>{}</pre></details>",
            escape(question)
        );
    }
    notes(&mut out, answer);
    for (nth, flow) in answer.flows.iter().enumerate() {
        let heading = layout::flow_title(nth, flow.by_words);
        let _ = writeln!(out, "<section class=\"flow\">\n<h2>{}</h2>", escape(heading.trim_end_matches(':')));
        out += &diagram::flow(flow, nth, &places);
        out += "</section>\n";
    }
    sources(&mut out, answer, &places);
    list(&mut out, "Where to look, the most relevant first", "ol", &answer.citations, &places);
    list(&mut out, "Relevant, but not shown", "ul", &answer.not_shown, &places);
    out += page::FOOT;
    out
}

fn notes(out: &mut String, answer: &Answer) {
    if !answer.notes.is_empty() {
        *out += "<section class=\"notes\">\n";
        for note in &answer.notes {
            let _ = writeln!(out, "<p>{}</p>", escape(&layout::note(note)));
        }
        *out += "</section>\n";
    }
}

/// The code by relevance; siblings that are shown as signatures are one group that unfolds.
fn sources(out: &mut String, answer: &Answer, places: &Places) {
    if answer.sources.is_empty() {
        return;
    }
    *out += "<section class=\"code\">\n<h2>Code</h2>\n";
    for group in
        answer.sources.chunk_by(|a, b| a.form == SourceForm::Skeleton && b.form == SourceForm::Skeleton)
    {
        let family = group.len() > 1;
        if family {
            let title = format!("{} files of siblings, signatures only", group.len());
            let _ = writeln!(out, "<details class=\"family\"><summary>{title}</summary>");
        }
        for block in group {
            *out += &code::block(block, places);
        }
        if family {
            *out += "</details>\n";
        }
    }
    *out += "</section>\n";
}

fn list(out: &mut String, title: &str, element: &str, citations: &[Citation], places: &Places) {
    if citations.is_empty() {
        return;
    }
    let _ = writeln!(out, "<section class=\"places\">\n<h2>{title}</h2>\n<{element}>");
    for citation in citations {
        let link = places.link(&citation.path, citation.lines.start, citation.lines.end);
        let place = layout::range(&citation.path, citation.lines.start, citation.lines.end);
        let label = citation.label.as_ref().map_or(String::new(), |(qualified, kind)| {
            format!(" {} <small>{}</small>", escape(&layout::one_line(qualified)), kind.name())
        });
        let _ = writeln!(out, "<li><a href=\"{}\">{}</a>{label}</li>", attribute(&link), escape(&place));
    }
    let _ = writeln!(out, "</{element}>\n</section>");
}

#[cfg(test)]
mod tests;
