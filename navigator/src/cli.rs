//! The command line: what the user typed becomes a plan and limits, and what was found goes to the right places.
//!
//! Standard output carries the context and nothing else.

#![expect(clippy::disallowed_methods, reason = "the rim: writes what a run leaves")]

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand, ValueEnum};
use repo_map::cli::{EXIT_CODES, Exit, SharedArgs, fail, path_within, say, say_drift, write_out};
use repo_map::plan::Rule;
use repo_map::scan::FileId;
use repo_map::{Error, FlightPlan, Format, Level, LevelRange, Options, Replay, Repo};
use serde_json::json;

use crate::decision_log;
use crate::explore::{Exploration, Limits, explore};
use crate::money::PicoUsd;
use crate::offline::OfflinePilot;
use crate::report::TurnReport;
use crate::run_folder;

/// Find the best context for a goal, within a token budget and a limit in USD, and leave a plan that rebuilds it.
#[derive(Debug, Parser)]
#[command(name = "navigator", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explore a repository for a goal: the context goes to standard output, plan and summary are kept.
    Explore(Box<ExploreArgs>),
    /// Rebuild the context of a flown plan, byte for byte, without a model.
    Replay(ReplayArgs),
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
struct ExploreArgs {
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    shared: SharedArgs,
    /// The most that may be spent, in USD. The offline pilot costs nothing.
    #[arg(long, value_name = "USD")]
    budget: Option<PicoUsd>,
    /// A plan of your own: its rules are bounds that no pilot passes.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Consider only paths that this glob matches. Repeatable. Rules of --plan win over it.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Never show paths that this glob matches. Repeatable.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Form of the context; json is its machine twin.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// The most turns.
    #[arg(long, value_name = "N", default_value_t = 20)]
    max_turns: u32,
    /// The most time: `90s`, `5m`, `1h`.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    max_time: Option<Duration>,
    /// Write the context to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the plan that rebuilds the context here.
    #[arg(long, value_name = "FILE")]
    plan_out: Option<PathBuf>,
    /// Write the summary here.
    #[arg(long, value_name = "FILE")]
    summary_out: Option<PathBuf>,
    /// Write the context's machine twin here.
    #[arg(long, value_name = "FILE")]
    json_out: Option<PathBuf>,
    /// Keep all that the run leaves in this folder instead of the state directory.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say nothing on standard error but errors.
    #[arg(short, long)]
    quiet: bool,
    /// Report each turn as a line of JSON on standard error.
    #[arg(long)]
    events: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
struct ReplayArgs {
    /// A flown plan.
    plan: PathBuf,
    /// The repository's folder.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Write the context to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print no context, only whether it would be identical, drifted or impossible.
    #[arg(long)]
    check: bool,
    /// When the repository has drifted, fit again with the plan's levels as ceilings.
    #[arg(long, conflicts_with = "check")]
    allow_drift: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Markdown,
    Xml,
    Json,
}

fn duration(text: &str) -> std::result::Result<Duration, String> {
    let wrong = || format!("`{text}` is not a time (`90s`, `5m`, `1h`)");
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..split].parse().map_err(|_| wrong())?;
    let seconds = match &text[split..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        _ => return Err(wrong()),
    };
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}

/// The whole program: parses the arguments, runs, and says how it went.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Explore(args) => run_explore(&args),
        Command::Replay(args) => run_replay(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => fail("navigator", &error),
    }
}

/// Where everything a run leaves goes.
struct Places {
    folder: Option<PathBuf>,
    context: Option<PathBuf>,
    plan: Option<PathBuf>,
    summary: Option<PathBuf>,
    report: Option<PathBuf>,
}

impl Places {
    fn of(args: &ExploreArgs) -> Result<Places> {
        let folder = match &args.out {
            Some(folder) => {
                fs::create_dir_all(folder).with_context(|| format!("making the folder {}", folder.display()))?;
                Some(folder.clone())
            }
            None => run_folder::create().context("making a folder for the run in the state directory (`--out DIR` puts it elsewhere)")?,
        };
        let place = |own: &Option<PathBuf>, name: &str| own.clone().or_else(|| Some(folder.as_ref()?.join(name)));
        Ok(Places {
            context: folder.as_ref().map(|folder| folder.join(run_folder::CONTEXT)),
            plan: place(&args.plan_out, run_folder::PLAN),
            summary: place(&args.summary_out, run_folder::SUMMARY),
            report: place(&args.json_out, run_folder::REPORT),
            folder,
        })
    }

    /// Every file that will be written, in the notation of the map when it lies in the repository.
    fn within(&self, root: &Path, args: &ExploreArgs) -> Vec<String> {
        let in_folder = |name: &str| self.folder.as_ref().map(|folder| folder.join(name));
        let all = [
            self.context.clone(),
            self.plan.clone(),
            self.summary.clone(),
            self.report.clone(),
            in_folder(run_folder::DECISION_LOG),
            in_folder(run_folder::LEDGER),
            args.output.clone(),
            args.plan.clone(),
        ];
        all.iter().flatten().filter_map(|file| path_within(root, file)).collect()
    }
}

fn run_explore(args: &ExploreArgs) -> Result<Exit> {
    let places = Places::of(args)?;
    let mut plan = match &args.plan {
        Some(path) => FlightPlan::read(path)?,
        None => FlightPlan::default(),
    };
    // A plan that was flown before is flown anew: what it was flown over does not bind.
    plan.provenance = None;
    plan.scan.outside = None;
    args.shared.apply(&mut plan)?;
    if plan.goal.as_deref().is_none_or(|goal| goal.trim().is_empty()) {
        let message = "no goal (give `--goal TEXT` or `--goal-file FILE`; `repo-map` makes a map without one)".to_owned();
        return Err(Error::Plan { file: "explore".to_owned(), line: None, message }.into());
    }
    match args.format {
        Some(OutputFormat::Markdown) => plan.context.format = Format::Markdown,
        Some(OutputFormat::Xml) => plan.context.format = Format::Xml,
        Some(OutputFormat::Json) | None => {}
    }
    plan.rules = bounds(std::mem::take(&mut plan.rules), &args.include, &args.exclude)?;

    let interrupted = Arc::new(AtomicBool::new(false));
    watch_for_interrupt(&interrupted);
    let tell = Tell { quiet: args.quiet, events: args.events };
    let limit = args.budget.unwrap_or(PicoUsd::DEFAULT_LIMIT);
    tell.started(limit);
    let options = Options {
        ignored: places.within(&args.path, args),
        without_history: args.shared.no_history,
        stdout: if args.output.is_none() { FileId::of_stdout() } else { None },
        ..Options::default()
    };
    let mut repo = Repo::open(&args.path, &plan, &options)?;
    tell.scanned(&repo);
    if repo.n_files() == 0 {
        say(&format!("navigator: {}", repo_map::cli::nothing_found(&args.path)));
    }
    let limits = Limits { turns: args.max_turns, time: args.max_time, interrupted: Some(&interrupted) };
    let found = explore(&mut repo, &plan, &mut OfflinePilot::default(), &limits, &mut |report| tell.turn(report))?;
    keep(&places, &repo, &found, limit)?;
    let text = if args.format == Some(OutputFormat::Json) { twin(&repo, &found)? } else { found.map.text.clone() };
    write_out(args.output.as_deref(), &text)?;
    tell.ended(&found, &places, &args.path);
    Ok(match (&found.map.conflict, found.stop.exit()) {
        (Some(_), Exit::Finished) => Exit::Conflict,
        (_, exit) => exit,
    })
}

/// The rules of `--plan`, with what `--include` and `--exclude` say before and after them.
fn bounds(rules: Vec<Rule>, include: &[String], exclude: &[String]) -> Result<Vec<Rule>> {
    let mut bounds = Vec::new();
    if !include.is_empty() {
        bounds.push(Rule::new("**", LevelRange::exactly(Level::Exclude)));
        bounds.extend(include.iter().map(|glob| Rule::new(glob, LevelRange::ANY)));
    }
    bounds.extend(rules);
    bounds.extend(exclude.iter().map(|glob| Rule::new(glob, LevelRange::exactly(Level::Exclude))));
    for glob in include.iter().chain(exclude) {
        repo_map::plan::check_glob(glob).map_err(|message| Error::Plan { file: "--include/--exclude".to_owned(), line: None, message })?;
    }
    Ok(bounds)
}

/// The first Ctrl-C asks for the best so far, the second ends the program.
fn watch_for_interrupt(interrupted: &Arc<AtomicBool>) {
    let flag = Arc::clone(interrupted);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        say("navigator: finishing what is in hand; Ctrl-C again ends at once, without a context");
    };
    if ctrlc::set_handler(handler).is_err() {
        say("navigator: Ctrl-C cannot be watched; it will end the program without a context");
    }
}

/// Writes what the run leaves.
fn keep(places: &Places, repo: &Repo, found: &Exploration, limit: PicoUsd) -> Result<()> {
    let write = |place: &Option<PathBuf>, text: &str| match place {
        Some(path) => fs::write(path, text).with_context(|| format!("writing {}", path.display())),
        None => Ok(()),
    };
    let in_folder = |name: &str| places.folder.as_ref().map(|folder| folder.join(name));
    let ledger = json!({ "calls": 0, "limit_pico_usd": limit, "reserved_pico_usd": 0, "spent_pico_usd": 0 });
    write(&places.context, &found.map.text)?;
    write(&places.plan, &found.map.flown.to_yaml())?;
    write(&places.summary, &found.summary)?;
    write(&places.report, &twin(repo, found)?)?;
    write(&in_folder(run_folder::DECISION_LOG), &decision_log::to_lines(&found.log))?;
    write(&in_folder(run_folder::LEDGER), &format!("{ledger}\n"))
}

fn twin(repo: &Repo, found: &Exploration) -> Result<String> {
    let mut twin = serde_json::to_value(repo_map::report::twin(repo, &found.map))?;
    twin["stop"] = json!(found.stop.as_str());
    twin["summary"] = json!(found.summary);
    twin["decisions"] = serde_json::to_value(&found.log)?;
    Ok(serde_json::to_string_pretty(&twin)? + "\n")
}

/// What is said while it runs: lines for people, JSON for scripts, or nothing.
struct Tell {
    quiet: bool,
    events: bool,
}

impl Tell {
    fn started(&self, limit: PicoUsd) {
        self.line(&format!("offline pilot: no model, no network, no cost (limit {limit})"));
        self.event(&json!({ "event": "started", "pilot": "offline", "limit_pico_usd": limit }));
    }

    fn scanned(&self, repo: &Repo) {
        let problems: Vec<String> = repo.problems().iter().map(ToString::to_string).collect();
        problems.iter().for_each(|problem| self.line(problem));
        self.line(&format!("scanned {} files", repo.n_files()));
        self.event(&json!({ "event": "scanned", "files": repo.n_files(), "problems": problems }));
    }

    fn turn(&self, report: &TurnReport) {
        self.line(&report.line());
        if self.events
            && let Ok(report) = serde_json::to_value(report)
        {
            self.event(&report);
        }
    }

    fn ended(&self, found: &Exploration, places: &Places, root: &Path) {
        if let Some(conflict) = &found.map.conflict {
            self.line(&conflict.message);
        }
        if found.map.n_masked > 0 {
            self.line(&format!("secrets masked: {} (`--no-mask` shows them)", found.map.n_masked));
        }
        self.line(&format!("{}: {} of {} tokens, $0.00", found.stop.line(), found.map.tokens, found.map.budget));
        if let Some(plan) = &places.plan {
            let root = if root == Path::new(".") { String::new() } else { format!(" {}", root.display()) };
            self.line(&format!("replay it: navigator replay {}{root}", plan.display()));
        }
        self.event(&json!({
            "event": "ended",
            "stop": found.stop.as_str(),
            "tokens": found.map.tokens,
            "budget": found.map.budget,
            "masked": found.map.n_masked,
            "conflict": found.map.conflict.as_ref().map(|conflict| &conflict.message),
            "total_pico_usd": 0,
            "plan": places.plan.as_ref().map(|plan| plan.display().to_string()),
        }));
    }

    fn line(&self, line: &str) {
        if self.quiet || self.events {
            return;
        }
        let width = if io::stderr().is_terminal() { 160 } else { usize::MAX };
        let cut: String = line.chars().take(width).collect();
        say(&format!("navigator: {cut}{}", if cut.len() < line.len() { "…" } else { "" }));
    }

    fn event(&self, event: &serde_json::Value) {
        if self.events {
            // A reader that went away does not end the run.
            let _ = writeln!(io::stderr(), "{event}");
        }
    }
}

fn run_replay(args: &ReplayArgs) -> Result<Exit> {
    let plan = FlightPlan::read(&args.plan)?;
    let own = [Some(&args.plan), args.output.as_ref()];
    let ignored: Vec<String> = own.into_iter().flatten().filter_map(|file| path_within(&args.path, file)).collect();
    let name = args.plan.display().to_string();
    match repo_map::replay(&args.path, &name, &plan, &ignored, FileId::of_stdout())? {
        Replay::Identical { text, .. } => {
            write_out(args.output.as_deref().filter(|_| !args.check), if args.check { "identical\n" } else { &text })?;
            Ok(Exit::Finished)
        }
        Replay::Drifted(drift) => {
            say_drift("navigator", &drift);
            if args.allow_drift {
                let map = repo_map::refit(&args.path, &plan, &ignored, FileId::of_stdout())?;
                write_out(args.output.as_deref(), &map.text)?;
                say(&format!("navigator: fitted again: {} of {} tokens, the plan's levels as ceilings", map.tokens, map.budget));
                return Ok(Exit::Finished);
            }
            if args.check {
                write_out(None, "drifted\n")?;
            } else {
                say("navigator: no context printed (`--allow-drift` fits again with the plan's levels as ceilings)");
            }
            Ok(Exit::Drifted)
        }
        Replay::Impossible(why) => {
            say(&format!("navigator: impossible: {why}"));
            if args.check {
                write_out(None, "impossible\n")?;
            }
            Ok(Exit::Impossible)
        }
    }
}
