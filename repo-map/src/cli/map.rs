//! `repo-map` without a command: makes a map, prints prices, or replays a flown plan.

use std::path::Path;

use anyhow::Result;

use crate::Error;
use crate::FileReport;
use crate::Judged;
use crate::Replay;
use crate::ReplayOutcome;
use crate::RepoMap;
use crate::RuleLayers;
use crate::cli::args::{MapArgs, OutputFormat, first_given};
use crate::cli::input::{path_within, plan_name, plan_within};
use crate::cli::output::{
    changed_since, deliver, nothing_found, nothing_matches, only_lines_are_seen, say, say_drift,
    write_out,
};
use crate::cli::whole::{check_distinct, write_file};
use crate::exit::Exit;
use crate::level::Level;
use crate::plan::{FlightPlan, Format};
use crate::report::html::{self, PageInput};
use crate::report::json;
use crate::report::prices::{PathPrice, prices};
use crate::report::unmatched::{closed_items, excludes_all};
use crate::source::scan::FileId;
use crate::text::counts::n_of;
use crate::text::sanitize::Sanitized;

/// The number of problems with files that are not in a map up to which each is told.
const MOST_OTHERS: usize = 3;

/// Makes the map and delivers it.
pub(super) fn run(args: MapArgs) -> Result<Exit> {
    let outputs = [
        ("--output", args.output.as_deref()),
        ("--plan-out", args.plan_out.as_deref()),
        ("--report", args.report.as_deref()),
    ];
    check_distinct(&outputs, args.request.plan.as_deref(), &args.request.files())?;
    let outputs = outputs.into_iter().filter_map(|(_, file)| file);
    let plan_file = args.request.plan.as_deref().and_then(|plan| plan_within(&args.path, plan));
    let ignored: Vec<String> =
        outputs.filter_map(|file| path_within(&args.path, file)).chain(plan_file).collect();
    let format = match args.format {
        Some(OutputFormat::Markdown) => Some(Format::Markdown),
        Some(OutputFormat::Xml) => Some(Format::Xml),
        Some(OutputFormat::Json) | None => None,
    };
    let plan_path = args.request.plan.clone();
    let (plan, mut options) = args.request.plan(&args.path, format)?;
    if let (true, Some(file)) = (plan.is_flown(), plan_path) {
        if let Some(flag) = beyond_replay(&args) {
            let message = format!(
                "a flown plan is replayed as it is, without {flag} (`navigator explore --plan` \
                 flies it anew)"
            );
            return Err(Error::Plan { file: plan_name(&file), line: None, message }.into());
        }
        return replay_flown(&args, &file, &plan, &ignored);
    }
    options.ignored = ignored;
    let repo = args.request.open(&args.path, &plan, &options)?;
    if args.sizes {
        let table = sizes(&prices(&repo), args.format == Some(OutputFormat::Json))?;
        write_out(args.output.as_deref(), &table)?;
        repo.save_cache();
        return Ok(Exit::Finished);
    }
    let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] })?;
    if repo.n_files() == 0 {
        say(nothing_found(&args.path));
    }
    let n_problems = say_problems(&repo, &map);
    if let Some(conflict) = &map.conflict {
        say(format!("repo-map: {}", conflict.message));
    }
    let closed = closed_items(&repo)?.map_or_else(|| excludes_all(&repo), |one| Ok(Some(one)))?;
    let notes = [map.lacking(), closed, repo.without_outlines()];
    for note in notes.into_iter().flatten() {
        say(format!("repo-map: {note}"));
    }
    if args.strict && is_lacking(&map, n_problems) {
        return Ok(Exit::Conflict);
    }
    if let Some(path) = &args.plan_out {
        write_file(path, &map.flown.to_yaml())?;
    }
    if let Some(path) = &args.report {
        let layers = RuleLayers { person: &plan.rules, pilot: &[] };
        let page = html::page(&repo, &map, layers, &page_input())?;
        write_file(path, &page)?;
    }
    let report = match args.format {
        Some(OutputFormat::Json) => Some(Sanitized::json_pretty(&json::map_report(&repo, &map)?)?),
        _ => None,
    };
    deliver("repo-map", args.output.as_deref(), args.copy, report.as_ref().unwrap_or(&map.text))?;
    repo.save_cache();
    if let (Some(revision), Some(changed)) = (&args.request.shared.diff, repo.changed()) {
        say(format!("repo-map: {}", changed_since(revision, &changed)));
    }
    summarise(&repo, &map, plan.goal.is_some(), args.output.as_deref());
    if map.conflict.is_some() {
        return Ok(Exit::Conflict);
    }
    Ok(if repo.has_evidence() { Exit::Finished } else { Exit::NothingRelevant })
}

/// Prints the problems with files, and returns their number. Those that do not concern the map are
/// only counted if they are many.
fn say_problems(repo: &Judged, map: &RepoMap) -> usize {
    let (problems, others) = repo.problems_in(map);
    let told = if others.len() <= MOST_OTHERS { &others[..] } else { &[] };
    for problem in problems.iter().chain(told) {
        say(format!("repo-map: {problem}"));
    }
    if others.len() > told.len() {
        say(format!(
            "repo-map: {} files that this map does not show were outlined in part (`--format json` \
             lists them)",
            others.len()
        ));
    }
    problems.len() + others.len()
}

/// Reports whether a map shows less than requested, and prints a line if so.
fn is_lacking(map: &RepoMap, n_problems: usize) -> bool {
    let is_lower = |file: &&FileReport| file.requested.is_some() || !file.lacking.is_empty();
    let demoted = map.files.iter().filter(is_lower).count();
    let is_lacking = demoted > 0 || n_problems > 0 || map.conflict.is_some();
    if is_lacking {
        say(format!(
            "repo-map: --strict: {} demoted, {n_problems} unreadable; nothing written",
            n_of(demoted, "file"),
        ));
    }
    is_lacking
}

/// Prints notes about the map, and one line of figures at a terminal.
fn summarise(repo: &Judged, map: &RepoMap, has_goal: bool, output: Option<&Path>) {
    if has_goal && !repo.has_evidence() {
        say(format!("repo-map: {}", nothing_matches("the map is an overview")));
    }
    if map.n_masked > 0 {
        say(format!("repo-map: secrets masked: {} (`--no-mask` shows them)", map.n_masked));
    }
    if map.n_invisible > 0 {
        say(format!(
            "repo-map: invisible characters written out: {} (`--keep-invisible` leaves them as \
             they are)",
            map.n_invisible
        ));
    }
    if only_lines_are_seen(output) {
        let shown = map.files.iter().filter(|file| file.level >= Level::Path).count();
        say(format!(
            "repo-map: {} of {} tokens, {shown} of {} files shown",
            map.tokens,
            map.budget,
            repo.n_files()
        ));
        if let Some(unused) = map.unused() {
            say(format!("repo-map: {unused}"));
        }
    }
}

/// Returns what the page shows of the run: the command, which decides nothing by itself.
fn page_input() -> PageInput {
    PageInput { command: "repo-map".to_owned(), ..PageInput::default() }
}

/// Replays a flown plan: prints the same bytes or the reason.
fn replay_flown(
    args: &MapArgs,
    file: &Path,
    plan: &FlightPlan,
    ignored: &[String],
) -> Result<Exit> {
    let (file, stdout) = (plan_name(file), FileId::of_stdout());
    let replay = Replay::of(plan).at(&args.path).ignoring(ignored).stdout(stdout).named(&file);
    let report = replay.run()?;
    if let Some(path) = &args.report
        && let Some(page) = html::page_of_replay(&report, &page_input())?
    {
        write_file(path, &page)?;
    }
    match report.outcome {
        ReplayOutcome::Identical { text, .. } => {
            deliver("repo-map", args.output.as_deref(), args.copy, &text)?;
            Ok(Exit::Finished)
        }
        ReplayOutcome::ShownIdentical(drift) | ReplayOutcome::Drifted(drift) => {
            say_drift("repo-map", &drift, &args.path);
            if args.request.plan.as_deref().is_some_and(|plan| plan != Path::new("-")) {
                let path = args.path.display();
                say(format!(
                    "repo-map: `navigator replay {file} {path} --allow-drift` draws the map all \
                     the same"
                ));
            }
            Ok(Exit::Drifted)
        }
        ReplayOutcome::Impossible(why) => {
            say(format!("repo-map: impossible: {why}"));
            Ok(Exit::Impossible)
        }
    }
}

/// Returns a given option that a replay cannot honour.
fn beyond_replay(args: &MapArgs) -> Option<&'static str> {
    let shared = &args.request.shared;
    let given = first_given(&[
        (args.sizes, "--sizes"),
        (args.format.is_some(), "--format"),
        (args.plan_out.is_some(), "--plan-out"),
        (shared.diff.is_some(), "--diff"),
        (!args.request.levels.is_empty(), "--level"),
        (!args.request.include.is_empty(), "--include"),
        (!args.request.exclude.is_empty(), "--exclude"),
        (!args.request.focus.is_empty() || args.request.focus_from.is_some(), "--focus"),
        (shared.read.line_numbers, "--line-numbers"),
        (shared.read.hidden, "--hidden"),
        (shared.read.no_ignore, "--no-ignore"),
    ]);
    given.or_else(|| shared.goal.given()).or_else(|| shared.read.text.given())
}

/// Formats prices: a table, or one JSON object a line.
///
/// # Errors
/// When they cannot be serialized.
pub fn sizes(prices: &[PathPrice], as_json: bool) -> Result<Sanitized> {
    if as_json {
        return Ok(Sanitized::json_lines(prices)?);
    }
    let mut out = String::new();
    out.push_str(&format!(
        "{:>7} {:>7} {:>8} {:>9} {:>9}\n",
        "fold", "path", "outline", "interface", "full"
    ));
    for price in prices {
        let cell = |level: Level| price.tokens.get(&level).map_or("-".to_owned(), u32::to_string);
        out.push_str(&format!(
            "{:>7} {:>7} {:>8} {:>9} {:>9}  {}\n",
            cell(Level::Fold),
            cell(Level::Path),
            cell(Level::Outline),
            cell(Level::Interface),
            cell(Level::Full),
            price.path
        ));
    }
    Ok(out.into())
}
