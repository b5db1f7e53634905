//! The project's relevance benchmark: how well rankings and maps find what a fix has to change, on
//! real issues.

mod answers;
mod bm25;
mod checkout;
mod instance;
mod lines;
mod measure;
mod pack;
mod run;
mod score;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Parser;
use repo_map::cli::{say, write_out};
use serde::Serialize;

use crate::instance::{Filter, Instance};
use crate::lines::JsonLines;
use crate::measure::{BenchTask, Measured};
use crate::run::BenchRun;
use crate::score::InstanceOutcome;
use crate::table::ResultRow;

/// Measure how well rankings and maps find what a fix has to change, on issues whose fixes are
/// known.
#[derive(Debug, Parser)]
struct Args {
    /// The instances, one JSON object a line.
    instances: PathBuf,
    /// Where the repositories are: FOLDER/INSTANCE_ID is a checkout, or FOLDER/GITDIR a git
    /// directory that has the commit.
    #[arg(required_unless_present = "from")]
    folder: Option<PathBuf>,
    /// Budgets of the maps.
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "2000,4000,8000,16000,32000"
    )]
    tokens: Vec<u32>,
    /// Only instances of this subset.
    #[arg(long, value_name = "NAME")]
    subset: Option<String>,
    /// Only instances of this language.
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Only instances of this repository.
    #[arg(long, value_name = "OWNER/NAME")]
    repo: Option<String>,
    /// Only the first instances of those.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How many instances are measured at a time [default: one a core].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Make trees in this folder and keep them for the next run, which must not be at the same
    /// time.
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Keep outcomes in this file; what it has already is not measured again.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Print the tables of the outcomes in this file, and measure nothing.
    #[arg(long, value_name = "RESULTS", conflicts_with_all = [
        "folder", "jobs", "work", "results", "answers", "parts", "no_history", "rank_only",
    ])]
    from: Option<PathBuf>,
    /// Write ranked files, ranked functions and the lines of the largest map to this file, for a
    /// scorer.
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Write the parts of the scores of each instance's files to this file, for learning weights.
    #[arg(long, value_name = "FILE")]
    parts: Option<PathBuf>,
    /// Do not ask git what earlier commits say.
    #[arg(long)]
    no_history: bool,
    /// Rank, and make no map.
    #[arg(long)]
    rank_only: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            say(format!("relevance: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<ExitCode> {
    let filter = Filter {
        subset: args.subset.clone(),
        language: args.language.clone(),
        repo: args.repo.clone(),
        limit: args.limit,
    };
    let instances =
        instance::read(&args.instances.display().to_string(), &lines::read_text(&args.instances)?)?;
    let instances = filter.choose(instances)?;
    let found = match (&args.from, &args.folder) {
        (None, Some(folder)) => measure_all(args, folder, &instances)?,
        (from, _) => Known {
            outcomes: lines::read(from.as_deref().unwrap_or(Path::new("")))?,
            ..Known::default()
        },
    };
    write_out(None, &found.page(&instances).into())?;
    Ok(if found.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure_all(args: &Args, folder: &Path, instances: &[Instance]) -> Result<Known> {
    let task = BenchTask {
        budgets: budgets(&args.tokens)?,
        with_history: !args.no_history,
        rank_only: args.rank_only,
    };
    let open = |path: &Option<PathBuf>| path.as_deref().map(JsonLines::open).transpose();
    let (mut results, mut answers, mut parts) =
        (open(&args.results)?, open(&args.answers)?, open(&args.parts)?);
    let mut found = Known {
        outcomes: results.as_ref().map_or(Ok(BTreeMap::new()), JsonLines::values)?,
        ..Known::default()
    };
    let is_done =
        |id: &str| [&results, &answers, &parts].into_iter().flatten().all(|lines| lines.has(id));
    found.outcomes.retain(|id, _| is_done(id));
    check_same_task(&found.outcomes, &task)?;

    let todo: Vec<Instance> = instances
        .iter()
        .filter(|instance| !found.outcomes.contains_key(&instance.instance_id))
        .cloned()
        .collect();
    let own =
        tempfile::tempdir().context("cannot make a temporary folder; name one with `--work`")?;
    let work = args.work.clone().unwrap_or_else(|| own.path().to_owned());
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
    let run = BenchRun { folder: folder.to_owned(), work, jobs: jobs.max(1), task };
    let mut n_done = 0;
    run.measure_all(&todo, |(instance, done)| {
        n_done += 1;
        let id = &instance.instance_id;
        say(format!("[{n_done}/{}] {id}: {}", todo.len(), said(&done)));
        match done {
            Ok(Some(measured)) => {
                add(&mut answers, id, &measured.answer)?;
                add(&mut parts, id, &measured.parts)?;
                add(&mut results, id, &measured.outcome)?;
                found.outcomes.insert(id.clone(), measured.outcome);
            }
            Ok(None) => found.without_checkout.push(id.clone()),
            Err(_) => found.failed.push(id.clone()),
        }
        Ok(())
    })?;
    found.without_checkout.sort();
    found.failed.sort();
    [results, answers, parts].into_iter().flatten().try_for_each(JsonLines::sort)?;
    Ok(found)
}

/// The budgets in ascending order, each once.
fn budgets(tokens: &[u32]) -> Result<Vec<u32>> {
    ensure!(!tokens.contains(&0), "--tokens: a map of 0 tokens shows nothing");
    Ok(BTreeSet::from_iter(tokens.iter().copied()).into_iter().collect())
}

/// Outcomes of different tasks do not belong in one table.
fn check_same_task(outcomes: &BTreeMap<String, InstanceOutcome>, task: &BenchTask) -> Result<()> {
    let budgets: &[u32] = if task.rank_only { &[] } else { &task.budgets };
    let is_same = |outcome: &InstanceOutcome| {
        outcome.with_history == task.with_history
            && outcome.budgets.iter().map(|at| at.tokens).eq(budgets.iter().copied())
    };
    match outcomes.values().find(|outcome| !is_same(outcome)) {
        None => Ok(()),
        Some(other) => {
            bail!(
                "--results: `{}` was measured with other flags; give the same `--tokens`, \
                 `--no-history` and `--rank-only`, or another file",
                other.instance_id
            )
        }
    }
}

fn add(lines: &mut Option<JsonLines>, id: &str, value: &impl Serialize) -> Result<()> {
    lines.as_mut().map_or(Ok(()), |lines| lines.add(id, value))
}

fn said(done: &Result<Option<Measured>>) -> String {
    match done {
        Ok(Some(measured)) => format!("{:.1} s", measured.answer.seconds),
        Ok(None) => "without a checkout".to_owned(),
        Err(error) => format!("failed: {error:#}"),
    }
}

/// What is known of the instances by id.
#[derive(Debug, Default)]
struct Known {
    outcomes: BTreeMap<String, InstanceOutcome>,
    without_checkout: Vec<String>,
    failed: Vec<String>,
}

impl Known {
    /// The tables, and which instances are not in them.
    fn page(&self, instances: &[Instance]) -> String {
        let row = |instance| {
            Some(ResultRow { instance, outcome: self.outcomes.get(&instance.instance_id)? })
        };
        let rows: Vec<ResultRow<'_>> = instances.iter().filter_map(row).collect();
        let mut page = format!("{} of {} instances measured\n", rows.len(), instances.len());
        for (names, what) in
            [(&self.without_checkout, "without a checkout"), (&self.failed, "failed")]
        {
            if !names.is_empty() {
                page.push_str(&format!("{} instances {what}: {}\n", names.len(), names.join(", ")));
            }
        }
        if !rows.is_empty() {
            page.push_str(&format!("\n{}", table::report(&rows)));
        }
        page
    }
}
