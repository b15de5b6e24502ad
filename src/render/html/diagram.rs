//! A call flow as a diagram: a box for each step, an arrow for each hop, in SVG within the page.

use std::fmt::Write;

use super::code::Places;
use super::page::{attribute, escape};
use crate::explore::{Flow, FlowStep, Hop, HopKind, layout};

/// Sizes in pixels. Text is set in a font of fixed width, which is taken to be at most so wide.
const CHARACTER: usize = 8;
const BOX: usize = 52;
const HOP: usize = 58;
const MARGIN: usize = 12;
/// The most characters of a line; what is longer loses the first folders of its path, and is whole where the pointer
/// rests.
const WIDTH: usize = 80;

pub fn flow(flow: &Flow, nth: usize, places: &Places<'_>) -> String {
    let widest =
        flow.steps.iter().flat_map(|step| [format!("{}. {}", flow.steps.len(), name(step)), place(step)]);
    let widest = widest.map(|line| line.chars().count());
    let inner = widest.max().unwrap_or(0).min(WIDTH) * CHARACTER + 2 * MARGIN;
    let hops = flow.steps.iter().filter_map(|step| step.hop.as_ref().map(|hop| (step, hop)));
    let hops = hops.flat_map(|(step, hop)| [Some(label(step, hop)), via(hop)]).flatten();
    let hops = hops.map(|line| line.chars().count());
    let beside = hops.max().unwrap_or(0).min(WIDTH) * CHARACTER + 4 * MARGIN;
    let width = inner.max(beside) + 2;
    let height = flow.steps.len() * (BOX + HOP) - HOP + 2;
    let title = format!("Call flow {}: {} steps", nth + 1, flow.steps.len());
    let mut out = format!(
        "<div><svg role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
    );
    for (at, step) in flow.steps.iter().enumerate() {
        let top = 1 + at * (BOX + HOP);
        let link = places.link(&step.path, step.lines.start, step.lines.end);
        let _ = writeln!(
            out,
            "<a href=\"{}\"><title>{}</title><rect x=\"1\" y=\"{top}\" width=\"{inner}\" height=\"{BOX}\" rx=\"6\"/>\
             <text class=\"name\" x=\"{MARGIN}\" y=\"{}\">{}</text>\
             <text class=\"place\" x=\"{MARGIN}\" y=\"{}\">{}</text></a>",
            attribute(&link),
            escape(&format!("{}, {}", name(step), place(step))),
            top + 21,
            escape(&cut(&format!("{}. {}", at + 1, name(step)), "")),
            top + 41,
            escape(&cut(&place(step), &layout::path(&step.path))),
        );
        if let Some(hop) = step.hop.as_ref().filter(|_| at + 1 < flow.steps.len()) {
            out += &arrow(step, hop, top + BOX, places);
        }
    }
    out + "</svg></div>\n"
}

/// From the bottom of a step to the top of the next, with what makes the one lead to the other.
fn arrow(step: &FlowStep, hop: &Hop, top: usize, places: &Places<'_>) -> String {
    let x = 2 * MARGIN;
    let end = top + HOP;
    let dynamic = if hop.kind == HopKind::Calls { "" } else { " class=\"dynamic\"" };
    let mut out = format!(
        "<path{dynamic} d=\"M{x} {top}V{}\"/><path class=\"head\" d=\"M{} {}L{x} {end}L{} {}Z\"/>\n",
        end - 6,
        x - 5,
        end - 8,
        x + 5,
        end - 8,
    );
    let link = places.link(&hop.path, hop.line, hop.line);
    let _ = writeln!(
        out,
        "<a href=\"{}\"><title>{}:{}</title><text class=\"place\" x=\"{}\" y=\"{}\">{}</text></a>",
        attribute(&link),
        escape(&layout::path(&hop.path)),
        hop.line,
        3 * MARGIN,
        top + HOP / 2 - 4,
        escape(&cut(&label(step, hop), &layout::path(&hop.path))),
    );
    if let Some(via) = via(hop) {
        let path = hop.via.as_ref().map(|via| layout::path(&via.path)).unwrap_or_default();
        let _ = writeln!(
            out,
            "<text class=\"place\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>",
            3 * MARGIN,
            top + HOP / 2 + 13,
            escape(&via),
            escape(&cut(&via, &path)),
        );
    }
    out
}

fn name(step: &FlowStep) -> String {
    layout::one_line(&step.qualified).into_owned()
}

fn place(step: &FlowStep) -> String {
    layout::range(&step.path, step.lines.start, step.lines.end)
}

/// How a step leads to the next, and where: a call mostly stands in the step's own file.
fn label(step: &FlowStep, hop: &Hop) -> String {
    let kind = match hop.kind {
        HopKind::Calls => "calls",
        HopKind::Dynamic => "calls, by dynamic dispatch",
        HopKind::Callback => "hands over",
        HopKind::Instantiates => "makes an instance",
    };
    let elided = match hop.elided {
        0 => String::new(),
        1 => ", 1 step left out".to_owned(),
        steps => format!(", {steps} steps left out"),
    };
    if hop.path == step.path {
        return format!("{kind}, line {}{elided}", hop.line);
    }
    format!("{kind} at {}:{}{elided}", layout::path(&hop.path), hop.line)
}

/// What makes the next step a target of a dynamic call.
fn via(hop: &Hop) -> Option<String> {
    let via = hop.via.as_ref()?;
    let (name, path) = (layout::one_line(&via.qualified), layout::path(&via.path));
    Some(format!("via {name} ({path}:{} {})", via.line, via.edge.name()))
}

/// A line that says a path, within the width: as many folders before the file as there is room for.
fn cut(line: &str, path: &str) -> String {
    let too_long = |line: &str| line.chars().count() > WIDTH;
    if !too_long(line) {
        return line.to_owned();
    }
    let mut shown = line.to_owned();
    for (at, _) in path.match_indices('/') {
        shown = line.replacen(path, &format!("…{}", &path[at..]), 1);
        if !too_long(&shown) {
            return shown;
        }
    }
    match shown.char_indices().nth(WIDTH - 1) {
        Some((at, _)) if too_long(&shown) => format!("{}…", &shown[..at]),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_loses_folders_and_keeps_the_file() {
        let path = format!("{}/deep/file.rs", "long-folder/".repeat(6).trim_end_matches('/'));
        let line = format!("via Name.of_it ({path}:12 implements)");
        let cut_line = cut(&line, &path);
        assert_eq!(
            cut_line, "via Name.of_it (…/long-folder/long-folder/deep/file.rs:12 implements)",
            "{cut_line}"
        );
        assert_eq!(cut("short", ""), "short");
        let name = "n".repeat(200);
        assert_eq!(cut(&name, "").chars().count(), WIDTH);
        let file = format!("a/{name}.rs:1-2");
        let shown = cut(&file, &format!("a/{name}.rs"));
        assert!(shown.starts_with("…/nn") && shown.chars().count() == WIDTH, "{shown}");
    }
}
