//! Where what a run finds goes: the context first, then all else that it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use repo_map::cli::{Exit, deliver, path_within};
use repo_map::{Repo, Sanitized};
use serde_json::json;

use super::tell::Tell;
use super::{ExploreArgs, OutputFormat};
use crate::explore::Exploration;
use crate::ledger::{Journal, Line};
use crate::run_folder::{self, RunFolder};
use crate::settings::usage;
use crate::stop::Stop;

/// Where what a run leaves goes besides its folder.
#[derive(Default)]
pub(super) struct Places {
    pub(super) plan: Option<PathBuf>,
    summary: Option<PathBuf>,
    report: Option<PathBuf>,
    pub(super) page: Option<PathBuf>,
}

impl Places {
    pub(super) fn of(args: &ExploreArgs) -> Places {
        Places { plan: args.plan_out.clone(), summary: args.summary_out.clone(), report: args.json_out.clone(), page: args.report.clone() }
    }

    /// Every file that will be written, in the notation of the map when it lies in the repository.
    pub(super) fn within(&self, root: &Path, args: &ExploreArgs, folder: Option<&RunFolder>) -> Vec<String> {
        let own = folder.into_iter().flat_map(|folder| run_folder::FILES.map(|name| folder.path.join(name)));
        let asked = [&self.plan, &self.summary, &self.report, &self.page, &args.output, &args.plan];
        own.chain(asked.into_iter().flatten().cloned()).filter_map(|file| path_within(root, &file)).collect()
    }
}

/// Where a run's money is written down: in its folder, or nowhere but in memory. With what stands there already.
pub(super) fn journal(folder: Option<&RunFolder>) -> Result<(Vec<Line>, Box<dyn Journal>)> {
    folder.map_or_else(|| Ok((Vec::new(), Box::new(Vec::new()) as Box<dyn Journal>)), RunFolder::ledger)
}

/// Whether there are folders for the files that are to be written: better said before money is spent.
pub(super) fn check_outputs(args: &ExploreArgs) -> Result<()> {
    let outputs = [
        ("--output", &args.output),
        ("--plan-out", &args.plan_out),
        ("--summary-out", &args.summary_out),
        ("--json-out", &args.json_out),
        ("--report", &args.report),
    ];
    for (flag, path) in outputs.into_iter().filter_map(|(flag, path)| Some((flag, path.as_ref()?))) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_made = args.out.as_deref() == Some(folder);
        if path.is_dir() || !folder.is_dir() && !is_made {
            return Err(usage(flag, format!("{} cannot be written: there is no such folder, or it is one", path.display())));
        }
    }
    Ok(())
}

/// What was found goes to where it was asked to go. The context comes first, and what cannot be written keeps nothing else back.
pub(super) fn finish(
    args: &ExploreArgs,
    repo: &Repo,
    found: &Exploration,
    places: &Places,
    folder: Option<&RunFolder>,
    tell: Tell,
) -> Result<Exit> {
    if found.stop == Stop::Quit {
        folder.map_or(Ok(()), |folder| folder.keep(&found.state))?;
        tell.ended(found, None, None);
        return Ok(found.stop.exit());
    }
    let text = if args.format == Some(OutputFormat::Json) { twin(repo, found)? } else { found.map.text.clone() };
    let written = deliver("navigator", args.output.as_deref(), args.copy, &text);
    let kept = keep(places, folder, repo, found);
    tell.ended(found, places.plan.as_ref(), folder);
    written.and(kept)?;
    Ok(match (&found.map.conflict, found.stop.exit()) {
        (Some(_), Exit::Finished) => Exit::Conflict,
        (_, exit) => exit,
    })
}

/// Writes what the run leaves: in its folder, and where else it was asked to.
pub(super) fn keep(places: &Places, folder: Option<&RunFolder>, repo: &Repo, found: &Exploration) -> Result<()> {
    let (plan, report) = (found.map.flown.to_yaml(), twin(repo, found)?);
    if let Some(folder) = folder {
        let files = [
            (run_folder::CONTEXT, &found.map.text),
            (run_folder::PLAN, &plan),
            (run_folder::SUMMARY, &found.summary),
            (run_folder::REPORT, &report),
        ];
        for (name, text) in files {
            folder.write(name, text).with_context(|| format!("writing {name} in {}", folder.path.display()))?;
        }
        folder.keep(&found.state)?;
    }
    for (place, text) in [(&places.plan, &plan), (&places.summary, &found.summary), (&places.report, &report)] {
        if let Some(path) = place {
            fs::write(path, text.as_str()).with_context(|| format!("writing {}", path.display()))?;
        }
    }
    Ok(())
}

fn twin(repo: &Repo, found: &Exploration) -> Result<Sanitized> {
    let mut twin = serde_json::to_value(repo_map::report::twin(repo, &found.map))?;
    twin["stop"] = json!(found.stop.as_str());
    twin["stop_line"] = json!(found.stop.line());
    twin["turns"] = json!(found.state.turns);
    twin["purse"] = json!(found.purse);
    twin["saving"] = json!(found.state.saving());
    twin["summary"] = json!(found.summary);
    twin["decisions"] = json!(found.state.log);
    Ok(Sanitized::json_pretty(&twin)?)
}
