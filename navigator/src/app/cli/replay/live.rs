//! `navigator replay --live`: what changed on the site of a plan since it was recorded.

use std::path::{Path, PathBuf};

use anyhow::Result;
use repo_map::cli::{Exit, deliver, say};
use repo_map::plan::{Rule, check_glob};
use repo_map::{CancelToken, Drift, FlightPlan};

use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::replay::args::{Check, ReplayArgs};
use crate::app::settings::usage;
use crate::app::source::site::recording_digest;

/// What is asked again.
#[derive(Debug)]
pub(in crate::app::cli) struct RecordedSite {
    pub(in crate::app::cli) recording: PathBuf,
    /// The flown plan; a walk has none.
    pub(in crate::app::cli) plan: Option<FlightPlan>,
    /// The rules by which it was explored: a page that they exclude is not asked for.
    pub(in crate::app::cli) rules: Vec<Rule>,
}

/// Asks the site of a recording again, and prints the pages that differ. A plan that was flown over
/// another recording is refused.
pub(in crate::app::cli) fn run(args: &ReplayArgs, site: RecordedSite) -> Result<Exit> {
    let RecordedSite { recording, plan, rules } = site;
    if let Some(why) = plan.map(|plan| other_recording(&plan, &recording)).transpose()?.flatten() {
        say(format!("navigator: impossible: {why}"));
        return Ok(Exit::Impossible);
    }
    if args.check == Some(Check::Shown) {
        let message = "pages of a site are compared whole (`--check` prints the outcome alone)";
        return Err(usage("--check=shown", message.to_owned()));
    }
    for glob in &args.again.exclude {
        check_glob(glob).map_err(|error| usage("--exclude", error.to_string()))?;
    }
    let rules = repo_map::plan::bounds(rules, &[], &args.again.exclude);
    let cancel = CancelToken::new();
    let tell = args.tell();
    watch_for_interrupt(&cancel, tell);
    let live = args.site.ask_again(&recording, &rules, &cancel)?;
    tell.line(&live.line);
    for glob in args.again.exclude.iter().filter(|glob| !live.excluded.contains_key(*glob)) {
        tell.line(&format!("--exclude: no link leads to `{glob}`"));
    }
    let (exit, outcome) = match (live.changes.is_empty(), live.n_unasked) {
        _ if cancel.is_cancelled() => (Exit::Interrupted, "interrupted"),
        (false, _) => (Exit::Drifted, "drifted"),
        (true, 0) => (Exit::Finished, "identical"),
        (true, _) => (Exit::PagesFailed, "identical in what was asked"),
    };
    let lines = match args.check {
        Some(_) => format!("{outcome}\n"),
        None => live.changes.iter().map(|change| format!("{change}\n")).collect(),
    };
    deliver("navigator", args.output.as_deref(), false, &lines.into())?;
    if live.changes.is_empty() && args.check.is_none() {
        tell.line(outcome);
    }
    Ok(exit)
}

/// Returns why a recording is not the one of a plan; `None` if it is, or the plan does not say.
fn other_recording(plan: &FlightPlan, recording: &Path) -> Result<Option<String>> {
    let Some(site) = plan.provenance.as_ref().and_then(|facts| facts.site.as_ref()) else {
        return Ok(None);
    };
    let found = recording_digest(recording)?;
    let is_same = found.as_ref() == Some(&site.recording);
    let drift =
        Drift { other_recording: Some((site.recording.clone(), found)), ..Drift::default() };
    Ok(if is_same { None } else { drift.hint() })
}
