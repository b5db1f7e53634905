//! `navigator replay`: rebuilds the context of a flown plan or a run, byte for byte.

pub(super) mod args;
mod live;
mod rerun;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use repo_map::cli::{
    Exit, check_distinct, deliver, path_within, plan_name, plan_within, read_plan, say, say_drift,
    write_file, write_out,
};
use repo_map::html::{self, PageInput};
use repo_map::plan::Rule;
use repo_map::scan::FileId;
use repo_map::{Refit, Replay, ReplayOutcome, RuleLayers, Sanitized};

use crate::app::cli::browse;
use crate::app::cli::listing::root_of;
use crate::app::cli::replay::args::{Check, ReplayArgs};
use crate::app::cli::replay::live::RecordedSite;
use crate::app::cli::walk::run::WalkRequest;
use crate::app::run_folder::{self, RECORDING};
use crate::app::settings::usage;
use crate::app::source::documents::RunSource;
use crate::run::state::State;
use crate::walk::state::WalkState;

/// Replays, and returns the exit code.
pub(super) fn run(args: &ReplayArgs) -> Result<Exit> {
    check_outputs(args)?;
    if args.rerun {
        return taken_again(args);
    }
    if let Some(place) = gone(args) {
        return impossible(args, &format!("`{}`, which the run read, is gone", place.display()));
    }
    if args.again.live {
        return live::run(args, recorded_site(args)?);
    }
    if let Some(flag) = args.site.given() {
        return Err(usage(flag, "a replay sends no request (`--live` asks the site)".to_owned()));
    }
    if let Some(folder) = walk_of(args) {
        return browse::replay(&folder, args.check.is_some(), args.output.as_deref());
    }
    let (file, source) = flown(args)?;
    let plan = read_plan(&file, source.place())?;
    let ignored = source.folder().map(|folder| own_files(args, folder, &file)).unwrap_or_default();
    let name = plan_name(&file);
    let pages = source.documents(None, args.tell().reader_watcher().as_ref())?.pages(&plan)?;
    let replay = match &pages {
        Some(pages) => Replay::of(&plan).over(pages),
        None => Replay::of(&plan).at(source.place()),
    };
    let replay = replay.named(&name).ignoring(&ignored).stdout(FileId::of_stdout());
    let replayed = replay.run()?;
    let page = match args.report {
        Some(_) => html::page_of_replay(&replayed, &told())?,
        None => None,
    };
    match replayed.outcome {
        ReplayOutcome::Identical { text, .. } => {
            write_page(args, page)?;
            match args.check {
                Some(_) => write_out(None, &"identical\n".into())?,
                None => deliver("navigator", args.output.as_deref(), args.copy, &text)?,
            }
            Ok(Exit::Finished)
        }
        ReplayOutcome::ShownIdentical(_) if args.check == Some(Check::Shown) => {
            write_out(None, &"identical in what is shown\n".into())?;
            Ok(Exit::Finished)
        }
        ReplayOutcome::ShownIdentical(drift) | ReplayOutcome::Drifted(drift) => {
            say_drift("navigator", &drift, source.place());
            if args.allow_drift {
                let Refit { judged, map, plan } = replay.refit()?;
                if args.report.is_some() {
                    let told = PageInput { notes: vec![drifted(pages.is_some())], ..told() };
                    let layers = RuleLayers { person: &plan.rules, pilot: &[] };
                    write_page(args, Some(html::page(&judged, &map, layers, &told)?))?;
                }
                deliver("navigator", args.output.as_deref(), args.copy, &map.text)?;
                args.tell().line(&format!(
                    "fitted again: {} of {} tokens, the plan's levels as ceilings",
                    map.tokens, map.budget
                ));
                return Ok(Exit::Finished);
            }
            if args.check.is_some() {
                if drift.is_elsewhere() {
                    args.tell().line(
                        "all that the map shows is as it was (`--check=shown` ignores the rest)",
                    );
                }
                write_out(None, &"drifted\n".into())?;
            } else {
                args.tell().line(
                    "no context printed (`--allow-drift` fits again with the plan's levels as \
                     ceilings)",
                );
            }
            Ok(Exit::Drifted)
        }
        ReplayOutcome::Impossible(why) => impossible(args, &why),
    }
}

/// Checks that no output is a file that is read.
fn check_outputs(args: &ReplayArgs) -> Result<()> {
    let outputs = [("--output", args.output.as_deref()), ("--report", args.report.as_deref())];
    let read = args.path.as_deref().into_iter().chain(args.site.files());
    #[cfg(feature = "browser")]
    let read = read.chain(args.pages.files());
    check_distinct(&outputs, Some(&args.plan), &read.collect::<Vec<_>>())
}

fn impossible(args: &ReplayArgs, why: &str) -> Result<Exit> {
    say(format!("navigator: impossible: {why}"));
    if args.check.is_some() {
        write_out(None, &"impossible\n".into())?;
    }
    Ok(Exit::Impossible)
}

fn taken_again(args: &ReplayArgs) -> Result<Exit> {
    if walk_of(args).is_none() {
        let message = "only walks are taken again (`--live` asks the site of a plan again)";
        return Err(usage("--rerun", message.to_owned()));
    }
    rerun::run(args)
}

/// Returns the plan and the outputs that lie in the folder of the documents.
fn own_files(args: &ReplayArgs, folder: &Path, plan: &Path) -> Vec<String> {
    let outputs = [args.output.as_ref(), args.report.as_ref()].into_iter().flatten();
    let outputs = outputs.filter_map(|file| path_within(folder, file));
    outputs.chain(plan_within(folder, plan)).collect()
}

/// Returns the note on the page of a map that was fitted again.
fn drifted(is_site: bool) -> String {
    let world = if is_site { "site" } else { "repository" };
    format!(
        "The {world} is not the one the plan was flown over: the map was fitted again, with the \
         plan's levels as ceilings."
    )
}

fn told() -> PageInput {
    PageInput { command: "navigator replay".to_owned(), ..PageInput::default() }
}

fn write_page(args: &ReplayArgs, page: Option<Sanitized>) -> Result<()> {
    match (&args.report, page) {
        (Some(path), Some(page)) => write_file(path, &page),
        _ => Ok(()),
    }
}

/// Returns the folder of the walk that is replayed; `None` for a plan or an exploration.
fn walk_of(args: &ReplayArgs) -> Option<PathBuf> {
    let folder = run_folder::find(args.plan.to_str()?).ok()?;
    run_folder::stored::<WalkRequest, WalkState>(&folder).is_ok().then_some(folder)
}

/// Returns what a run read, if that is gone and nothing is named in its place.
fn gone(args: &ReplayArgs) -> Option<PathBuf> {
    if args.path.is_some() || args.plan.is_file() {
        return None;
    }
    let folder = run_folder::find(args.plan.to_str()?).ok()?;
    let walk = run_folder::stored::<WalkRequest, WalkState>(&folder);
    let root = walk.map_or_else(|_| root_of(&folder), |(request, _)| Ok(request.site));
    RunSource::gone(&root.ok()?, &folder)
}

/// Returns the plan's file and its documents. A name without such a file denotes a run.
fn flown(args: &ReplayArgs) -> Result<(PathBuf, RunSource)> {
    let here = || RunSource::of(args.path.as_deref().unwrap_or(Path::new(".")));
    if args.plan.is_file() || args.plan.as_os_str() == "-" {
        let source = match recording_beside(args)? {
            Some(recording) => RunSource::Recording(recording),
            None => here()?,
        };
        return Ok((args.plan.clone(), source));
    }
    let name = args.plan.to_str().unwrap_or_default();
    let folder = match run_folder::find(name) {
        Ok(folder) => folder,
        Err(error) if name.parse::<u32>().is_ok() => return Err(error),
        // A name that looks like a file name is treated as a file.
        Err(_) => return Ok((args.plan.clone(), here()?)),
    };
    let has = |file: &str| folder.join(file).is_file();
    if !has(run_folder::PLAN) && !has(run_folder::STATE) {
        bail!(
            "`{name}` is a folder without a run or a flown plan (`navigator runs` lists the runs; \
             `navigator replay PLAN FOLDER` replays a plan over a repository)"
        );
    }
    if !has(run_folder::PLAN) {
        bail!(
            "run {name} has left no context yet (`navigator explore --resume {name}` goes on with \
             it)"
        );
    }
    let source = match &args.path {
        Some(path) => RunSource::of(path)?,
        None => RunSource::of_stored(&root_of(&folder)?)?.of_run(&folder),
    };
    Ok((folder.join(run_folder::PLAN), source))
}

/// Returns the recording beside a plan in a file that was flown over a site, if no other place is
/// named.
fn recording_beside(args: &ReplayArgs) -> Result<Option<PathBuf>> {
    let beside = args.plan.with_file_name(RECORDING);
    if args.path.is_some() || !args.plan.is_file() || !beside.is_file() {
        return Ok(None);
    }
    let plan = read_plan(&args.plan, Path::new("."))?;
    let is_of_site = plan.provenance.is_some_and(|facts| facts.site.is_some());
    Ok(is_of_site.then_some(beside))
}

/// Returns the site that is asked again, with its recording.
fn recorded_site(args: &ReplayArgs) -> Result<RecordedSite> {
    let (source, plan, rules) = match walk_of(args) {
        Some(folder) => {
            let asked = run_folder::stored::<WalkRequest, WalkState>(&folder)?.0;
            (RunSource::of_stored(&asked.site)?.of_run(&folder), None, Vec::new())
        }
        None => {
            let (file, source) = flown(args)?;
            let plan = read_plan(&file, source.place())?;
            // A flown plan has no rules of pages that were left out; the run's folder has them.
            let run = file.parent().and_then(run_folder::state_in::<State<Vec<Rule>>>);
            let rules = run.map_or_else(|| plan.rules.clone(), |state| state.bounds);
            (source, Some(plan), rules)
        }
    };
    match source {
        RunSource::Recording(recording) => Ok(RecordedSite { recording, plan, rules }),
        other => {
            let message = format!(
                "`{}` is no recording of a site (`navigator replay PLAN RECORDING --live`)",
                other.name()
            );
            Err(usage("--live", message))
        }
    }
}
