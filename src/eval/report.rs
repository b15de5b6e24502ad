//! The rows of an evaluation as a table for people and as JSON for programs.

use std::fmt::Write;

use serde::Serialize;

use super::figures::{Figures, figures, median};
use super::{Arm, Row};

/// The figures of one arm over one group.
#[derive(Debug, Serialize)]
struct Line {
    arm: Arm,
    /// Empty for all groups.
    group: String,
    #[serde(flatten)]
    figures: Figures,
}

/// How the loop fares.
#[derive(Debug, Serialize)]
struct Loop {
    /// The median number of rounds of the cases in which a gold file was cited.
    cycles_to_success_p50: f64,
    /// Bytes looked at in searching to those looked at in reading.
    forage_focus_ratio: f64,
    /// The share of the cases in which nothing was cited.
    zero_signal_rate: f64,
}

fn lines(rows: &[Row], arms: &[Arm]) -> Vec<Line> {
    let mut groups: Vec<&str> = rows.iter().map(|row| row.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.len() == 1 {
        groups.clear();
    }
    groups.push("");
    let mut lines = Vec::new();
    for (at, &arm) in arms.iter().enumerate() {
        for &group in &groups {
            let rows = rows.iter().filter(|row| group.is_empty() || row.group == group);
            let scores = rows.map(|row| &row.arms[at]).map(|o| (&o.score, o.tokens, o.milliseconds));
            lines.push(Line { arm, group: group.to_owned(), figures: figures(scores) });
        }
    }
    lines
}

fn health(rows: &[Row], arms: &[Arm]) -> Option<Loop> {
    let at = arms.iter().position(|&arm| arm == Arm::Explore)?;
    let all: Vec<_> = rows.iter().filter_map(|row| Some((row, row.health.as_ref()?))).collect();
    let found = all.iter().filter(|(row, _)| row.arms[at].rank > 0);
    let forage: usize = all.iter().map(|(_, health)| health.forage_bytes).sum();
    let focus: usize = all.iter().map(|(_, health)| health.focus_bytes).sum();
    let zero = all.iter().filter(|(_, health)| health.zero_signal).count();
    Some(Loop {
        cycles_to_success_p50: median(found.map(|(_, health)| f64::from(health.rounds)).collect()),
        forage_focus_ratio: forage as f64 / focus.max(1) as f64,
        zero_signal_rate: zero as f64 / all.len().max(1) as f64,
    })
}

/// Figures by arm and group, the loop's health, and the rank of each case.
pub fn table(rows: &[Row], arms: &[Arm]) -> String {
    let mut out = String::new();
    let heads = [
        "n", "hit@1", "hit@5", "hit@10", "rec@10", "mrr", "f1", "hunk100", "hunk300", "hunk", "files",
        "lines", "tokens", "ms",
    ];
    let _ = write!(out, "{:<9}{:<24}", "arm", "group");
    let _ = writeln!(out, "{}", heads.map(|head| format!("{head:>8}")).concat());
    for line in lines(rows, arms) {
        let Figures { cases, mean, tokens, milliseconds } = &line.figures;
        let group = if line.group.is_empty() { "all" } else { &line.group };
        let shares = [
            mean.hit1,
            mean.hit5,
            mean.hit10,
            mean.recall10,
            mean.mrr,
            mean.f1,
            mean.hunk100,
            mean.hunk300,
            mean.hunk,
        ];
        let _ = write!(out, "{:<9}{group:<24.24}{cases:>8}", line.arm.name());
        let _ = write!(out, "{}", shares.map(|value| format!("{value:>8.3}")).concat());
        let rest = [mean.files, mean.lines, *tokens, *milliseconds];
        let _ = writeln!(out, "{}", rest.map(|value| format!("{value:>8.1}")).concat());
    }
    if let Some(health) = health(rows, arms) {
        let _ = writeln!(
            out,
            "\ncycles_to_success_p50 {:.1}, forage/focus {:.2}, zero_signal_rate {:.3}\n",
            health.cycles_to_success_p50, health.forage_focus_ratio, health.zero_signal_rate
        );
    }
    for row in rows {
        let ranks: Vec<String> =
            row.arms.iter().map(|outcome| format!("{} {}", outcome.arm.name(), outcome.rank)).collect();
        let _ = writeln!(out, "{}  {}", row.id, ranks.join(", "));
    }
    out
}

/// The same as one JSON object.
pub fn json(rows: &[Row], arms: &[Arm]) -> String {
    #[derive(Serialize)]
    struct Report<'r> {
        figures: Vec<Line>,
        #[serde(rename = "loop")]
        health: Option<Loop>,
        rows: &'r [Row],
    }
    crate::render::json(&Report { figures: lines(rows, arms), health: health(rows, arms), rows })
}
