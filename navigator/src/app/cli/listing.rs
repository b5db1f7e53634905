//! The runs that are kept: what each was asked, how it ended and what it cost.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use repo_map::FlightPlan;
use repo_map::plan::Rule;
use serde::{Deserialize, Serialize};

use crate::app::run_folder::{ASKED, REPORT, RunFolder, ledger_in, numbers, runs_folder, state_in};
use crate::money::ledger::{self, LedgerLine};
use crate::money::pico_usd::PicoUsd;

/// The folder of a run over a repository.
pub(super) type RepoRun = RunFolder<RunRequest, Vec<Rule>>;

/// What a run was asked: enough to go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRequest {
    /// The repository's folder, absolute.
    pub root: PathBuf,
    /// The plan that the run started from, as YAML.
    pub plan: String,
    /// The pilot's rules that its first turn started from. With them and the plan's the decision
    /// log rebuilds the last rules.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Do not ask git what earlier commits say.
    pub no_history: bool,
    /// The revision since which changes count most.
    #[serde(default)]
    pub diff: Option<String>,
    /// Whether the goal was made up for the revision.
    #[serde(default)]
    pub goal_is_synthetic: bool,
    /// The settings in force.
    pub settings: BTreeMap<String, String>,
}

/// The repository's folder of the run in `folder`.
///
/// # Errors
/// When the run does not say.
pub(super) fn root_of(folder: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(folder.join(ASKED))
        .with_context(|| format!("{} does not say which repository it is of", folder.display()))?;
    let asked: RunRequest =
        serde_json::from_str(&text).with_context(|| format!("reading {ASKED}"))?;
    Ok(asked.root)
}

/// A run in the list of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Listing {
    /// Its number.
    pub run: String,
    /// How it ended, or `open` when it did not.
    pub stop: String,
    /// The first line of its goal.
    pub goal: String,
    /// Who decided.
    pub pilot: String,
    /// How many turns were taken.
    pub turns: u32,
    /// The size of its context in tokens.
    pub tokens: Option<u64>,
    /// What was spent.
    pub spent_pico_usd: PicoUsd,
    /// The repository's folder.
    pub root: String,
    /// Where it is kept.
    pub folder: PathBuf,
}

/// Every run of the user's, oldest first. One that cannot be read is listed as `unreadable`.
///
/// # Errors
/// When the folder of runs cannot be read.
pub(super) fn list() -> Result<Vec<Listing>> {
    let Some(runs) = runs_folder().filter(|runs| runs.is_dir()) else { return Ok(Vec::new()) };
    Ok(numbers(&runs)?
        .into_iter()
        .map(|number| listing(&runs.join(format!("{number:05}"))))
        .collect())
}

fn listing(folder: &Path) -> Listing {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let json = |name: &str| {
        read(name).and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
    };
    let asked: Option<RunRequest> = read(ASKED).and_then(|text| serde_json::from_str(&text).ok());
    let plan = asked.as_ref().and_then(|asked| FlightPlan::from_yaml(ASKED, &asked.plan).ok());
    let state = state_in::<Vec<Rule>>(folder);
    let ledger = ledger_in(folder).ok();
    let stop = match (&asked, &state, &ledger) {
        (Some(_), Some(state), Some(_)) => state.ended.clone().unwrap_or_else(|| "open".to_owned()),
        // A run that has not begun yet scans.
        (None, None, None) => "open".to_owned(),
        _ => "unreadable".to_owned(),
    };
    let lines = ledger.map(|ledger| ledger.lines).unwrap_or_default();
    let pilot = lines.iter().rev().find_map(|line| {
        if let LedgerLine::Opened { pilot, .. } = line { Some(pilot.clone()) } else { None }
    });
    Listing {
        run: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        stop,
        goal: plan
            .and_then(|plan| plan.goal)
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        pilot: pilot.unwrap_or_default(),
        turns: state.map_or(0, |state| state.turns),
        tokens: json(REPORT).and_then(|report| report["tokens"].as_u64()),
        spent_pico_usd: ledger::spent(&lines),
        root: asked.map(|asked| asked.root.display().to_string()).unwrap_or_default(),
        folder: folder.to_owned(),
    }
}
