//! `eval`: a suite of questions with known answers, and what comes out, for those who work on the ranking.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Serialize;

use super::Environment;
use crate::eval::{self, Arm, Plan, Row};
use crate::explore::{KNOBS, RANGE_SIGNALS, SIGNALS, Tuning};
use crate::tools::Options;

pub fn command() -> Command {
    let arms = Arm::ALL.map(Arm::name);
    Command::new("eval").about("Ask the questions of a suite and print how well they are answered").args([
        Arg::new("suite")
            .long("suite")
            .value_name("FILE")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help(
                "JSON lines: id, root (relative to the file), query, gold {path: [[start, end], ...]}, group",
            ),
        Arg::new("arm")
            .long("arm")
            .value_name("ARM")
            .action(ArgAction::Append)
            .value_parser(arms)
            .help("Who answers; may be given more than once [default: all]"),
        Arg::new("set")
            .long("set")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .help("Another value for a constant of the ranking; `help` lists them"),
        Arg::new("without")
            .long("without")
            .value_name("NAME")
            .action(ArgAction::Append)
            .help("The same as NAME=0: a signal (signal.stem, range.line) or the graph switched off"),
        Arg::new("features")
            .long("features")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Write each candidate's signals as JSON lines, to fit weights on"),
    ])
}

/// Runs the evaluation and gives what it prints.
pub fn run(matches: &ArgMatches, options: Options, environment: &Environment) -> anyhow::Result<String> {
    let mut tuning = Tuning::default();
    let given = |name: &str| matches.get_many::<String>(name).into_iter().flatten();
    for set in given("set") {
        if set == "help" {
            return Ok(constants());
        }
        let parsed = set.split_once('=').and_then(|(name, value)| Some((name, value.parse::<f32>().ok()?)));
        let Some((name, value)) = parsed else { bail!("`--set {set}` is not NAME=VALUE") };
        if tuning.set(name, value).is_none() {
            bail!("there is no constant `{name}`; `--set help` lists them");
        }
    }
    for name in given("without") {
        if tuning.set(name, 0.0).is_none() {
            bail!("there is no constant `{name}`; `--set help` lists them");
        }
    }
    let Some(suite) = matches.get_one::<PathBuf>("suite") else { bail!("no suite given") };
    let suite = environment.working.join(suite);
    let text = fs::read_to_string(&suite)
        .with_context(|| format!("the suite {} cannot be read", suite.display()))?;
    let cases = eval::read(&text, suite.parent().unwrap_or(Path::new("")))
        .map_err(|error| anyhow::anyhow!("{}: {error}", suite.display()))?;
    let named: Vec<&String> = given("arm").collect();
    let arms = Arm::ALL.into_iter().filter(|arm| named.is_empty() || named.iter().any(|n| *n == arm.name()));
    let features = matches.get_one::<PathBuf>("features");
    let parallel = options.threads;
    let plan = Plan {
        cases,
        arms: arms.collect(),
        tuning,
        options: Options { threads: 1, ..options },
        features: features.is_some(),
        parallel,
    };
    let rows = eval::run(&plan).map_err(anyhow::Error::msg)?;
    if let Some(path) = features {
        fs::write(path, dump(&plan, &rows)?)
            .with_context(|| format!("the signals {} cannot be written", path.display()))?;
    }
    Ok(if matches.get_flag("json") { eval::json(&rows, &plan.arms) } else { eval::table(&rows, &plan.arms) })
}

fn constants() -> String {
    let knobs = KNOBS.iter().map(|(name, value, why)| format!("{name}={value}  {why}\n"));
    let files = SIGNALS.iter().map(|s| format!("signal.{}={}  {}\n", s.name, s.weight, s.why));
    let ranges = RANGE_SIGNALS.iter().map(|s| format!("range.{}={}  {}\n", s.name, s.weight, s.why));
    knobs.chain(files).chain(ranges).collect()
}

/// The signals of all candidates: first a line with the names of the signals, then a line for each case.
fn dump(plan: &Plan, rows: &[Row]) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Head {
        signals: Vec<(&'static str, f32)>,
        range_signals: Vec<(&'static str, f32)>,
    }
    #[derive(Serialize)]
    struct Line<'r> {
        id: &'r str,
        group: &'r str,
        gold: &'r std::collections::BTreeMap<String, Vec<[u32; 2]>>,
        files: &'r [crate::explore::FileFeatures],
    }
    let pairs = |names: &[&'static str], values: &[f32]| {
        names.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>()
    };
    let head = Head {
        signals: pairs(&SIGNALS.map(|s| s.name), &plan.tuning.signals),
        range_signals: pairs(&RANGE_SIGNALS.map(|s| s.name), &plan.tuning.range_signals),
    };
    let mut out = serde_json::to_string(&head)? + "\n";
    for (row, case) in rows.iter().zip(&plan.cases) {
        let line = Line { id: &row.id, group: &row.group, gold: &case.gold, files: &row.features };
        out += &(serde_json::to_string(&line)? + "\n");
    }
    Ok(out)
}
