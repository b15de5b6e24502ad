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
/// The most characters of a line; what is longer is cut, and whole where the pointer rests.
const WIDTH: usize = 100;

pub fn flow(flow: &Flow, nth: usize, places: &Places<'_>) -> String {
    let widest =
        flow.steps.iter().flat_map(|step| [format!("{}. {}", flow.steps.len(), name(step)), place(step)]);
    let widest = widest.map(|line| line.chars().count());
    let inner = widest.max().unwrap_or(0).min(WIDTH) * CHARACTER + 2 * MARGIN;
    let hops = flow.steps.iter().filter_map(|step| step.hop.as_ref());
    let hops = hops.flat_map(|hop| [Some(label(hop)), via(hop)]).flatten().map(|line| line.chars().count());
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
            escape(&cut(&format!("{}. {}", at + 1, name(step)))),
            top + 41,
            escape(&cut(&place(step))),
        );
        if let Some(hop) = step.hop.as_ref().filter(|_| at + 1 < flow.steps.len()) {
            out += &arrow(hop, top + BOX, places);
        }
    }
    out + "</svg></div>\n"
}

/// From the bottom of a step to the top of the next, with what makes the one lead to the other.
fn arrow(hop: &Hop, top: usize, places: &Places<'_>) -> String {
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
        "<a href=\"{}\"><text class=\"place\" x=\"{}\" y=\"{}\">{}</text></a>",
        attribute(&link),
        3 * MARGIN,
        top + HOP / 2 - 4,
        escape(&cut(&label(hop))),
    );
    if let Some(via) = via(hop) {
        let _ = writeln!(
            out,
            "<text class=\"place\" x=\"{}\" y=\"{}\">{}</text>",
            3 * MARGIN,
            top + HOP / 2 + 13,
            escape(&cut(&via)),
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

fn label(hop: &Hop) -> String {
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
    format!("{kind} at {}:{}{elided}", layout::path(&hop.path), hop.line)
}

/// What makes the next step a target of a dynamic call.
fn via(hop: &Hop) -> Option<String> {
    let via = hop.via.as_ref()?;
    let (name, path) = (layout::one_line(&via.qualified), layout::path(&via.path));
    Some(format!("via {name} ({path}:{} {})", via.line, via.edge.name()))
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH - 1) {
        Some((at, _)) if line[at..].chars().count() > 1 => format!("{}…", &line[..at]),
        _ => line.to_owned(),
    }
}
