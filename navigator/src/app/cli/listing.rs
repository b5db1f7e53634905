//! The list of stored runs: goal, end and cost of each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use repo_map::FlightPlan;
use repo_map::plan::Rule;
use serde::{Deserialize, Serialize};

use super::knowledge::proposal_run::{ProposalRequest, ProposalState};
use super::walk::run::WalkRequest;
use crate::app::run_folder::{
    ASKED, REPORT, RunFolder, STATE, is_worked_on, ledger_in, numbers, request, runs_folder,
    state_in,
};
use crate::app::source::site::SiteFlags;
use crate::app::source::site_report::SiteReport;
use crate::money::ledger::{self, LedgerLine};
use crate::money::pico_usd::PicoUsd;
use crate::run::state::State;
use crate::terrain::site::DocumentPlan;
use crate::walk::known::KnownPlace;
use crate::walk::state::WalkState;

/// The folder of a run on a repository or a site.
pub(super) type DocumentRun = RunFolder<RunRequest, State<DocumentPlan>>;

/// The request of a run, with everything needed to resume it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRequest {
    /// The repository's folder, absolute, or the site.
    pub root: PathBuf,
    /// The address that a run over a site began with, exactly; `root` has it as people read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// What came of reading the site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteReport>,
    /// What was known of the site before it was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<KnownPlace>,
    /// The limits of the site's server.
    #[serde(default)]
    pub server: SiteFlags,
    /// The initial plan, as YAML.
    pub plan: String,
    /// The pilot's initial rules. With these and the plan's rules, the decision log rebuilds the
    /// final rules.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Commit history is not used.
    pub no_history: bool,
    /// The revision since which changes are scored as most relevant.
    #[serde(default)]
    pub diff: Option<String>,
    /// The goal was generated for the revision.
    #[serde(default)]
    pub goal_is_synthetic: bool,
    /// The settings in force.
    pub settings: BTreeMap<String, String>,
}

/// Returns the repository's folder, or the site, of the run in `folder`.
///
/// # Errors
/// If the request of the run cannot be read.
pub(super) fn root_of(folder: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(folder.join(ASKED))
        .with_context(|| format!("{} does not say which repository it is of", folder.display()))?;
    Ok(request::<RunRequest>(&text)?.root)
}

/// A run in the list of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Listing {
    /// The number of the run.
    pub run: String,
    /// The reason for its end; `open` if it has not ended.
    pub stop: String,
    /// The flag of the limit at which it left pages of its site unread.
    pub limit: Option<String>,
    /// The first line of its goal.
    pub goal: String,
    /// The name of the pilot.
    pub pilot: String,
    /// The number of turns taken.
    pub turns: u32,
    /// The size of its context in tokens.
    pub tokens: Option<u64>,
    /// The spend.
    pub spent_pico_usd: PicoUsd,
    /// The repository's folder.
    pub root: String,
    /// The folder of the run.
    pub folder: PathBuf,
}

/// Lists every run of the user, oldest first. An unreadable run is listed as `unreadable`.
///
/// # Errors
/// If the folder of runs cannot be read.
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
    let asked = read(ASKED).and_then(|text| StoredRun::of(&text, folder));
    let ledger = ledger_in(folder).ok();
    let has_state = folder.join(STATE).exists();
    let stop = match (&asked, has_state.then_some(()), &ledger) {
        (Some(run), Some(()), Some(_)) => run.ended.clone().unwrap_or_else(|| "open".to_owned()),
        // A run that has not begun is scanning, or was killed when it did.
        (None, None, None) if is_worked_on(folder) => "open".to_owned(),
        (None, None, None) => "not_begun".to_owned(),
        _ => "unreadable".to_owned(),
    };
    let lines = ledger.map(|ledger| ledger.lines).unwrap_or_default();
    let pilot = lines.iter().rev().find_map(|line| {
        if let LedgerLine::Opened { pilot, .. } = line { Some(pilot.clone()) } else { None }
    });
    let report = json(REPORT).unwrap_or_default();
    Listing {
        run: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        stop,
        limit: report["site"]["way_out"].as_str().map(str::to_owned),
        goal: asked.as_ref().and_then(|run| run.goal.lines().next()).unwrap_or_default().to_owned(),
        pilot: pilot.unwrap_or_default(),
        turns: asked.as_ref().map_or(0, |run| run.turns),
        tokens: report["tokens"].as_u64(),
        spent_pico_usd: ledger::spent(&lines),
        root: asked.map(|run| run.root.display().to_string()).unwrap_or_default(),
        folder: folder.to_owned(),
    }
}

/// What a list says of a stored run.
struct StoredRun {
    root: PathBuf,
    goal: String,
    turns: u32,
    ended: Option<String>,
}

impl StoredRun {
    /// Reads an exploration or a walk, by its request.
    fn of(asked: &str, folder: &Path) -> Option<StoredRun> {
        if let Ok(walk) = request::<WalkRequest>(asked) {
            let state = state_in::<WalkState>(folder)?;
            return Some(StoredRun {
                root: walk.site,
                goal: walk.goal,
                turns: state.turns,
                ended: state.ended.map(|end| end.stop),
            });
        }
        if let Ok(proposal) = request::<ProposalRequest>(asked) {
            let state = state_in::<ProposalState>(folder)?;
            return Some(StoredRun {
                root: proposal.knowledge,
                goal: "propose where untried actions lead".to_owned(),
                turns: state.turns,
                ended: state.ended,
            });
        }
        let run = request::<RunRequest>(asked).ok()?;
        let plan = FlightPlan::from_yaml(ASKED, &run.plan).ok()?;
        let state = state_in::<State<DocumentPlan>>(folder)?;
        Some(StoredRun {
            root: run.root,
            goal: plan.goal.unwrap_or_default().to_string(),
            turns: state.turns,
            ended: state.ended,
        })
    }
}
