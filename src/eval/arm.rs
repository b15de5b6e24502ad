//! The arms: the loop, and the plain searchers that it is compared with.

use std::time::Instant;

use serde::Serialize;

use super::case::Case;
use super::figures::score;
use super::{Outcome, Score};
use crate::explore::{self, Answer, Phase, Repository, Request, TraceEvent};
use crate::render;

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    Explore,
    Bm25,
    Grep,
}

impl Arm {
    pub const ALL: [Arm; 3] = [Arm::Explore, Arm::Bm25, Arm::Grep];

    pub fn name(self) -> &'static str {
        match self {
            Arm::Explore => "explore",
            Arm::Bm25 => "bm25",
            Arm::Grep => "grep",
        }
    }
}

/// What the loop did for one case.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Health {
    pub rounds: u32,
    /// Bytes that searching and reading looked at.
    pub forage_bytes: usize,
    pub focus_bytes: usize,
    pub outcome: &'static str,
    /// Nothing was cited.
    pub zero_signal: bool,
}

impl Health {
    fn new(events: &[TraceEvent], zero_signal: bool) -> Self {
        let bytes = |phase: Phase| events.iter().filter(|e| e.phase == phase).map(|e| e.bytes).sum();
        Health {
            rounds: events.iter().map(|event| event.round).max().unwrap_or(0),
            forage_bytes: bytes(Phase::Forage),
            focus_bytes: bytes(Phase::Focus),
            outcome: events.iter().rev().find_map(|event| event.outcome).unwrap_or(""),
            zero_signal,
        }
    }
}

/// Asks one arm.
pub fn answer(arm: Arm, repo: &dyn Repository, request: &Request, case: &Case) -> (Outcome, Option<Health>) {
    let begun = Instant::now();
    let mut events: Vec<TraceEvent> = Vec::new();
    let answer = match arm {
        Arm::Explore => explore::explore(repo, request, &mut events),
        Arm::Bm25 => Answer { citations: explore::bm25(repo, request), ..Answer::default() },
        Arm::Grep => Answer { citations: explore::grep(repo, request), ..Answer::default() },
    };
    let text = render::answer(&answer);
    let milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
    let (score, rank): (Score, usize) = score(&answer.citations, &case.gold);
    let mut cited: Vec<String> = Vec::new();
    for citation in &answer.citations {
        if !cited.iter().any(|path| path == citation.path.as_str()) {
            cited.push(citation.path.as_str().to_owned());
        }
    }
    let health = (arm == Arm::Explore).then(|| Health::new(&events, answer.citations.is_empty()));
    let tokens = text.len() as f64 / 4.0;
    (Outcome { arm, score, rank, cited, tokens, milliseconds }, health)
}
