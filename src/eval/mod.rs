//! Evaluation: questions with known answers, asked of each arm, and the figures that come out.
//!
//! A suite is JSON lines of [`Case`]; a relative root is looked up beside the suite. Each case is answered
//! in this process on an index of its root, the same way as a call of the tool.

mod arm;
mod case;
mod figures;
mod report;

use std::path::PathBuf;

pub use arm::{Arm, Health};
pub use case::{Case, read};
pub use figures::{Figures, Score, figures};
pub use report::{json, table};

use rayon::prelude::*;
use serde::Serialize;

use crate::explore::{self, FileFeatures, Request, Tuning};
use crate::tools::{Engine, Options, Reading};

/// What to evaluate.
pub struct Plan {
    pub cases: Vec<Case>,
    pub arms: Vec<Arm>,
    pub tuning: Tuning,
    /// How each case's engine is made; the root is that of the case.
    pub options: Options,
    /// Whether the candidates' signals are wanted.
    pub features: bool,
    /// Cases that run at once.
    pub parallel: usize,
}

/// What came out for one case.
#[derive(Debug, Serialize)]
pub struct Row {
    pub id: String,
    pub group: String,
    /// In the order of the plan's arms.
    pub arms: Vec<Outcome>,
    /// What the loop did, where it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    #[serde(skip)]
    pub features: Vec<FileFeatures>,
}

/// What one arm answered.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub arm: Arm,
    #[serde(flatten)]
    pub score: Score,
    /// The best rank of a gold file among the cited files, from 1; 0 for none.
    pub rank: usize,
    /// The cited files by rank.
    pub cited: Vec<String>,
    /// What the answer takes, in tokens of four bytes.
    pub tokens: f64,
    pub milliseconds: f64,
}

/// Answers every case, in the order of the suite.
///
/// # Errors
/// The first case in that order whose root cannot be indexed.
pub fn run(plan: &Plan) -> Result<Vec<Row>, String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(plan.parallel.max(1))
        .build()
        .map_err(|error| error.to_string())?;
    let rows: Vec<Result<Row, String>> =
        pool.install(|| plan.cases.par_iter().map(|case| row(plan, case)).collect());
    rows.into_iter().collect()
}

fn row(plan: &Plan, case: &Case) -> Result<Row, String> {
    let root: PathBuf = case.root.clone();
    let whole = |error: String| format!("{}: {error}", case.id);
    let engine = Engine::new(&Options { root, ..plan.options.clone() }).map_err(whole)?;
    let view = engine.view(&|| false).map_err(whole)?;
    let request = Request {
        query: case.query.clone(),
        citation: true,
        tuning: plan.tuning.clone(),
        ..Request::default()
    };
    let mut health = None;
    let mut outcomes = Vec::new();
    for &arm in &plan.arms {
        // Each arm reads the files anew, so that their times compare.
        let (outcome, seen) = arm::answer(arm, &Reading::new(&view), &request, case);
        health = health.or(seen);
        outcomes.push(outcome);
    }
    let features = if plan.features { explore::features(&Reading::new(&view), &request) } else { Vec::new() };
    Ok(Row { id: case.id.clone(), group: case.group.clone(), arms: outcomes, health, features })
}
