//! What the loop did, stage by stage. It goes to a journal, never into an answer.

use serde::Serialize;

/// The stages of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Search with the round's keywords.
    Forage,
    /// Read the best candidates.
    Focus,
    /// Follow what was read to its dependencies.
    Deepen,
    /// Why the loop ended.
    Stop,
}

/// One stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceEvent {
    /// From 1.
    pub round: u32,
    pub phase: Phase,
    /// The terms that the round added, by text.
    pub keywords: Vec<String>,
    /// Files or symbols that the stage considered.
    pub candidates: usize,
    pub files_read: usize,
    /// Bytes of source that the stage looked at.
    pub bytes: usize,
    /// For `Stop`: `sufficient`, `saturated`, `max_turns`, `no_signal`.
    pub outcome: Option<&'static str>,
}

/// Receives events in order; whoever receives them adds the time.
pub trait Trace {
    fn event(&mut self, event: TraceEvent);
}

/// Keeps nothing.
#[derive(Debug, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    fn event(&mut self, _: TraceEvent) {}
}

impl Trace for Vec<TraceEvent> {
    fn event(&mut self, event: TraceEvent) {
        self.push(event);
    }
}
