//! The outputs of a run: the context first, then the other files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use repo_map::cli::{
    Exit, OutputFormat, check_distinct, deliver, path_within, plan_within, say, write_file,
};
use repo_map::{Judged, RepoMap, Sanitized};
use serde_json::json;

use super::listing::{DocumentRun, RunRequest};
use super::progress::Tell;
use crate::app::cli::explore::args::ExploreArgs;
use crate::app::run_folder::{self, RunFolder};
use crate::app::settings::usage;
use crate::app::source::site_report::SiteReport;
use crate::run::explore::Exploration;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::run::terrain::Terrain;
use crate::terrain::site::DocumentTerrain;

/// The paths of outputs besides the run's folder.
#[derive(Default)]
pub(super) struct OutputPaths {
    pub(super) plan: Option<PathBuf>,
    summary: Option<PathBuf>,
    report: Option<PathBuf>,
    pub(super) page: Option<PathBuf>,
}

impl OutputPaths {
    pub(super) fn of(args: &ExploreArgs) -> OutputPaths {
        OutputPaths {
            plan: args.plan_out.clone(),
            summary: args.summary_out.clone(),
            report: args.json_out.clone(),
            page: args.report.clone(),
        }
    }

    /// Returns the paths of all outputs in a folder, in the notation of the map.
    pub(super) fn within(
        &self,
        root: &Path,
        args: &ExploreArgs,
        folder: Option<&DocumentRun>,
    ) -> Vec<String> {
        let names = || run_folder::FILES.into_iter().chain([run_folder::IGNORE]);
        let own = folder.into_iter().flat_map(|folder| names().map(|name| folder.path.join(name)));
        let asked = [&self.plan, &self.summary, &self.report, &self.page, &args.output];
        own.chain(asked.into_iter().flatten().cloned())
            .filter_map(|file| path_within(root, &file))
            .chain(args.plan.as_deref().and_then(|plan| plan_within(root, plan)))
            .collect()
    }
}

/// Checks that the outputs are files of their own and their folders exist, before money is spent.
pub(super) fn check_outputs(args: &ExploreArgs) -> Result<()> {
    let outputs = [
        ("--output", args.output.as_deref()),
        ("--plan-out", args.plan_out.as_deref()),
        ("--summary-out", args.summary_out.as_deref()),
        ("--json-out", args.json_out.as_deref()),
        ("--report", args.report.as_deref()),
    ];
    let read = [&args.path, &args.shared.goal.goal_file].into_iter().flatten();
    let read = read.map(PathBuf::as_path).chain(args.known.file()).chain(args.site.files());
    check_distinct(&outputs, args.plan.as_deref(), &read.collect::<Vec<_>>())?;
    for (flag, path) in outputs.into_iter().filter_map(|(flag, path)| Some((flag, path?))) {
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_made = args.out.as_deref() == Some(folder);
        if path.is_dir() || !folder.is_dir() && !is_made {
            return Err(usage(
                flag,
                format!(
                    "{} cannot be written: there is no such folder, or it is one",
                    path.display()
                ),
            ));
        }
    }
    Ok(())
}

/// What a run found.
pub(super) struct Findings<'a, T: Terrain> {
    pub(super) repo: &'a Judged,
    pub(super) found: &'a Exploration<T>,
    /// What came of reading a site.
    pub(super) site: Option<&'a SiteReport>,
}

/// Delivers the result; returns the exit code and the result of each output. The context comes
/// first, and an output that fails does not prevent the others.
pub(super) fn finish(
    args: &ExploreArgs,
    findings: &Findings<'_, DocumentTerrain>,
    places: &OutputPaths,
    folder: Option<&DocumentRun>,
    may_be_lost: bool,
    tell: Tell,
) -> (Exit, Vec<Result<()>>) {
    let found = findings.found;
    let limit = findings.site.and_then(SiteReport::way_out);
    let of_site = (findings.repo.tree().root.is_none(), limit);
    if found.stop == Stop::Quit {
        let kept =
            tell.kept(may_be_lost, folder.map_or(Ok(()), |folder| Ok(folder.keep(&found.state)?)));
        tell.ended(found, None, None, of_site);
        return (found.stop.exit(), vec![kept.map(drop)]);
    }
    let delivered = match args.format {
        Some(OutputFormat::Json) => map_report(findings)
            .and_then(|text| deliver("navigator", args.output.as_deref(), args.copy, &text)),
        _ => deliver("navigator", args.output.as_deref(), args.copy, &found.map.text),
    };
    let kept = tell.kept(may_be_lost, folder.map_or(Ok(()), |folder| keep(folder, findings)));
    let planned = write_to(places.plan.as_ref(), || Ok(found.map.flown.to_yaml()));
    let summarised = write_to(places.summary.as_ref(), || Ok(found.summary.clone()));
    let reported = write_to(places.report.as_ref(), || map_report(findings));
    tell.ended(
        found,
        places.plan.as_ref().filter(|_| planned.is_ok()),
        folder.filter(|_| matches!(kept, Ok(Some(())))),
        of_site,
    );
    let exit = match (&found.map.conflict, found.stop.exit()) {
        (Some(_), Exit::Finished) => Exit::Conflict,
        (_, exit) => exit,
    };
    (exit, vec![delivered, kept.map(drop), planned, summarised, reported])
}

/// Returns the first error, and reports the others.
pub(super) fn first_error(done: impl IntoIterator<Item = Result<()>>) -> Result<()> {
    let mut errors = done.into_iter().filter_map(Result::err);
    let first = errors.next();
    errors.for_each(|error| say(format!("navigator: {error:#}")));
    first.map_or(Ok(()), Err)
}

/// Writes a file, if it was requested.
pub(super) fn write_to(
    place: Option<&PathBuf>,
    text: impl FnOnce() -> Result<Sanitized>,
) -> Result<()> {
    place.map_or(Ok(()), |path| write_file(path, &text()?))
}

/// Writes the outputs in the folder of the run.
pub(super) fn keep<T: Terrain<Map = RepoMap>>(
    folder: &RunFolder<RunRequest, State<T::Plan>>,
    findings: &Findings<'_, T>,
) -> Result<()> {
    let found = findings.found;
    let (plan, report) = (found.map.flown.to_yaml(), map_report(findings)?);
    let files = [
        (run_folder::CONTEXT, &found.map.text),
        (run_folder::PLAN, &plan),
        (run_folder::SUMMARY, &found.summary),
        (run_folder::REPORT, &report),
    ];
    folder.leave(&files, &found.state)
}

fn map_report<T: Terrain<Map = RepoMap>>(findings: &Findings<'_, T>) -> Result<Sanitized> {
    let Findings { repo, found, site } = findings;
    let mut map_report =
        serde_json::to_value(repo_map::report::json::map_report(repo, &found.map)?)?;
    map_report["tool"] = json!(concat!("navigator ", env!("CARGO_PKG_VERSION")));
    map_report["stop"] = json!(found.stop.as_str());
    map_report["stop_line"] = json!(found.stop.line());
    map_report["turns"] = json!(found.state.turns);
    map_report["purse"] = json!(found.purse);
    map_report["saving"] = json!(found.state.saving());
    map_report["summary"] = json!(found.summary);
    map_report["decisions"] = json!(found.state.log);
    if let Some(site) = site {
        map_report["site"] = json!(site);
    }
    Ok(Sanitized::json_pretty(&map_report)?)
}
