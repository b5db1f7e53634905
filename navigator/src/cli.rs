//! The command line: what the user typed becomes a plan and limits, and what was found goes to the right places.
//!
//! Standard output carries the context and nothing else.

#![expect(clippy::disallowed_methods, reason = "the rim: writes what a run leaves")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};
use repo_map::cli::{EXIT_CODES, Exit, SharedArgs, fail, path_within, say, say_drift, write_out};
use repo_map::plan::Rule;
use repo_map::scan::FileId;
use repo_map::{FlightPlan, Format, Level, LevelRange, Options, Replay, Repo};
use serde_json::{Value, json};

use crate::ask::Retries;
use crate::explore::{Exploration, Limits, Observer, Standing, Wish, draft, explore};
use crate::ledger::{Journal, Ledger, Line};
use crate::model_pilot::{self, LEAST_OUTPUT_TOKENS, LEAST_REASONING_OUTPUT_TOKENS, ModelPilot, OUTPUT_TOKENS, REASONING_OUTPUT_TOKENS};
use crate::money::PicoUsd;
use crate::offline::OfflinePilot;
use crate::patience::{GLANCE, Patience};
use crate::pilot::{Pilot, Turn};
use crate::price::Price;
use crate::provider::{PROVIDERS, Provider, Target};
use crate::remote::Remote;
use crate::report::TurnReport;
use crate::run_folder::{self, Asked, RunFolder};
use crate::settings::{self, ModelArgs, Settings, usage};
use crate::state::{self, State};
use crate::stop::Stop;
use crate::terminal;

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
    /// List the runs that are kept, oldest first.
    Runs(ListArgs),
    /// List models with their prices, windows, and whether there is a key for them.
    Models(ModelsArgs),
    /// Show the settings in force, and where each comes from.
    Config(Box<ConfigArgs>),
}

/// What a run that is continued has settled.
const RESUME_HAS: [&str; 13] = [
    "path",
    "plan",
    "include",
    "exclude",
    "out",
    "goal",
    "goal_file",
    "tokenizer",
    "line_numbers",
    "hidden",
    "no_ignore",
    "no_mask",
    "no_history",
];

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
struct ExploreArgs {
    /// The repository's folder. [default: .]
    path: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedArgs,
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
    /// Report after each turn, and ask what comes next. Nothing is spent without a yes.
    #[arg(short, long)]
    interactive: bool,
    /// Print the first request and what it would cost, and send nothing.
    #[arg(long, conflicts_with_all = ["interactive", "resume", "out", "output", "plan_out", "summary_out", "json_out"])]
    dry_run: bool,
    /// Go on with a run that ended early or was killed: its number, or its folder. Flags for model and limits win over the run's.
    #[arg(long, value_name = "RUN", conflicts_with_all = RESUME_HAS)]
    resume: Option<String>,
    #[command(flatten)]
    model: ModelArgs,
    /// Write the context to a file instead of standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the plan that rebuilds the context here.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    plan_out: Option<PathBuf>,
    /// Write the summary here.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    summary_out: Option<PathBuf>,
    /// Write the context's machine twin here.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    json_out: Option<PathBuf>,
    /// Keep all that the run leaves in this folder instead of the state directory.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say nothing on standard error but errors.
    #[arg(help_heading = "Output", short, long)]
    quiet: bool,
    /// Report what happens as lines of JSON on standard error.
    #[arg(help_heading = "Output", long, conflicts_with = "interactive")]
    events: bool,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
struct ReplayArgs {
    /// A flown plan, or a run by its number or folder.
    plan: PathBuf,
    /// The repository's folder. [default: the run's, else .]
    path: Option<PathBuf>,
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

#[derive(Debug, Args)]
struct ListArgs {
    /// Form of the output: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct ModelsArgs {
    /// Only models whose name has this in it.
    #[arg(default_value = "")]
    filter: String,
    /// Another price list (TOML).
    #[arg(long, value_name = "FILE")]
    prices: Option<String>,
    /// Form of the output: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct ConfigArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Form of the output: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Markdown,
    Xml,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    Text,
    Json,
}

/// The whole program: parses the arguments, runs, and says how it went.
pub fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Explore(args) => run_explore(&args),
        Command::Replay(args) => run_replay(&args),
        Command::Runs(args) => run_runs(&args),
        Command::Models(args) => run_models(&args),
        Command::Config(args) => run_config(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => fail("navigator", &error),
    }
}

/// Where what a run leaves goes besides its folder.
struct Places {
    plan: Option<PathBuf>,
    summary: Option<PathBuf>,
    report: Option<PathBuf>,
}

impl Places {
    fn of(args: &ExploreArgs) -> Places {
        Places { plan: args.plan_out.clone(), summary: args.summary_out.clone(), report: args.json_out.clone() }
    }

    /// Every file that will be written, in the notation of the map when it lies in the repository.
    fn within(&self, root: &Path, args: &ExploreArgs, folder: Option<&RunFolder>) -> Vec<String> {
        let own = folder.into_iter().flat_map(|folder| run_folder::FILES.map(|name| folder.path.join(name)));
        let asked = [&self.plan, &self.summary, &self.report, &args.output, &args.plan];
        own.chain(asked.into_iter().flatten().cloned()).filter_map(|file| path_within(root, &file)).collect()
    }
}

/// What is asked of a run: by the flags, or by the run that is continued.
struct Task {
    root: PathBuf,
    plan: FlightPlan,
    no_history: bool,
    settings: Settings,
    /// Where a run that is continued stands.
    state: Option<State>,
}

impl Task {
    fn new(args: &ExploreArgs) -> Result<Task> {
        let settings = Settings::read(&args.model, args.shared.tokens, None)?;
        let mut plan = match &args.plan {
            Some(path) => FlightPlan::read(path)?,
            None => FlightPlan::default(),
        };
        // A plan that was flown before is flown anew: what it was flown over does not bind.
        plan.provenance = None;
        plan.scan.outside = None;
        if let Some(tokens) = settings.tokens()?.filter(|_| args.plan.is_none() || args.shared.tokens.is_some()) {
            plan.context.tokens = tokens;
        }
        args.shared.apply(&mut plan)?;
        if plan.goal.as_deref().is_none_or(|goal| goal.trim().is_empty()) {
            return Err(usage(
                "explore",
                "no goal (give `--goal TEXT` or `--goal-file FILE`; `repo-map` makes a map without one)".to_owned(),
            ));
        }
        set_format(args, &mut plan);
        plan.rules = bounds(std::mem::take(&mut plan.rules), &args.include, &args.exclude)?;
        Ok(Task {
            root: args.path.clone().unwrap_or_else(|| PathBuf::from(".")),
            plan,
            no_history: args.shared.no_history,
            settings,
            state: None,
        })
    }

    fn resumed(args: &ExploreArgs, folder: &RunFolder) -> Result<Task> {
        let (asked, mut state) = folder.resume()?;
        let has_finished = state.finalized.is_some() && state.ended.as_deref().is_some_and(|ended| ended != Stop::Quit.as_str());
        if has_finished && !args.interactive {
            let name = folder.name();
            let message = format!("run {0} has finished (`navigator replay {0}` prints its context)", name.display());
            return Err(usage("--resume", message));
        }
        // It goes on: should it be killed, it has not ended.
        state.ended = None;
        let settings = Settings::read(&args.model, args.shared.tokens, Some(&asked.settings))?;
        let mut plan = FlightPlan::from_yaml("asked.json: plan", &asked.plan)?;
        plan.context.tokens = args.shared.tokens.unwrap_or(plan.context.tokens);
        set_format(args, &mut plan);
        Ok(Task { root: asked.root, plan, no_history: asked.no_history, settings, state: Some(state) })
    }

    fn asked(&self) -> Result<Asked> {
        let root = fs::canonicalize(&self.root).with_context(|| format!("reading the folder {}", self.root.display()))?;
        let mut settings = self.settings.values();
        if let Some(prices) = settings.get_mut("prices") {
            // The run may be continued from elsewhere.
            *prices = fs::canonicalize(&*prices).map_or_else(|_| prices.clone(), |path| path.display().to_string());
        }
        Ok(Asked { root, plan: self.plan.to_yaml(), no_history: self.no_history, settings })
    }
}

/// The longest that a call may take: most answers of a provider come within half a minute.
const CALL_TIME: Duration = Duration::from_secs(120);
/// The same for a server of one's own, which may have no more than a processor.
const OWN_CALL_TIME: Duration = Duration::from_secs(600);
/// The most time of a run with a model, where nothing else is said.
const TIME_WITH_MODEL: Duration = Duration::from_secs(300);

fn set_format(args: &ExploreArgs, plan: &mut FlightPlan) {
    match args.format {
        Some(OutputFormat::Markdown) => plan.context.format = Format::Markdown,
        Some(OutputFormat::Xml) => plan.context.format = Format::Xml,
        Some(OutputFormat::Json) | None => {}
    }
}

/// Who decides, and by which limits: settled before anything is read or written.
struct Terms {
    target: Option<Target>,
    remote: Option<Remote>,
    limit: Option<PicoUsd>,
    turns: u32,
    time: Option<Duration>,
}

impl Terms {
    fn of(args: &ExploreArgs, settings: &Settings) -> Result<Terms> {
        let target = settings.target()?;
        let (time, call_time) = settings.times()?;
        let key = target.as_ref().and_then(|target| settings::key(&target.keys));
        match &target {
            Some(target) if target.is_vendor && !target.is_local && key.is_none() && !args.dry_run => {
                return Err(usage("--model", format!("no key for {} (set {})", target.name, target.key_names())));
            }
            None if args.dry_run => {
                return Err(usage("--dry-run", "the offline pilot sends nothing (`--model PROVIDER/NAME` asks a model)".to_owned()));
            }
            _ => {}
        }
        let is_own = target.as_ref().is_some_and(|target| !target.is_vendor || target.is_local);
        let call_time = call_time.unwrap_or(if is_own { OWN_CALL_TIME } else { CALL_TIME });
        let remote = target.clone().map(|target| Remote::new(target, key, call_time)).transpose();
        Ok(Terms {
            remote: remote.map_err(|message| usage("--model", message))?,
            limit: settings.budget()?,
            turns: settings.max_turns()?,
            time: time.or(target.is_some().then_some(TIME_WITH_MODEL)),
            target,
        })
    }
}

fn run_explore(args: &ExploreArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the run goes by its limits alone");
        return Ok(Exit::NoTerminal);
    }
    check_outputs(args)?;
    let resumed = args.resume.as_deref().map(RunFolder::open).transpose()?;
    let task = match &resumed {
        Some(folder) => Task::resumed(args, folder)?,
        None => Task::new(args)?,
    };
    let mut terms = Terms::of(args, &task.settings)?;
    let tell = Tell { quiet: args.quiet, events: args.events };
    let mut folder = match resumed {
        Some(folder) => Some(folder),
        None if args.dry_run => None,
        None => match &args.out {
            Some(path) => Some(RunFolder::at(path)?),
            None => RunFolder::create().context("making a folder for the run in the state directory (`--out DIR` puts it elsewhere)")?,
        },
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    watch_for_interrupt(&interrupted, tell);
    tell.started(terms.target.as_ref(), terms.limit);
    let patience = Patience::new(terms.time, Some(&interrupted));
    let places = Places::of(args);
    let options = Options {
        ignored: places.within(&task.root, args, folder.as_ref()),
        without_history: task.no_history,
        stdout: if args.output.is_none() { FileId::of_stdout() } else { None },
        ..Options::default()
    };
    let opened_repo = open(&task, options, &patience).and_then(|opened| match opened {
        Ok(repo) => check_includes(args, &repo).map(|()| Ok(repo)),
        Err(stop) => Ok(Err(stop)),
    });
    if !matches!(opened_repo, Ok(Ok(_)))
        && let Some(folder) = folder.take_if(|_| task.state.is_none())
    {
        folder.give_up();
    }
    let mut repo = match opened_repo? {
        Ok(repo) => repo,
        Err(stop) => {
            tell.waiting(&format!("{} during the scan: there is no context yet", stop.as_str().replace('_', " ")));
            return Ok(stop.exit());
        }
    };
    tell.scanned(&repo);
    if repo.n_files() == 0 {
        tell.line(&repo_map::cli::nothing_found(&task.root));
    }
    let state = match task.state.clone() {
        Some(state) => state,
        None => {
            let rules = if terms.remote.is_some() { draft(&mut repo, &task.plan)? } else { State::from_above() };
            State::new(state::boundary(), task.plan.rules.clone(), rules)
        }
    };
    let (lines, mut journal): (Vec<Line>, Box<dyn Journal>) = match &folder {
        Some(folder) => {
            folder.begin(&task.asked()?, &state, task.state.is_none())?;
            folder.ledger()?
        }
        None => (Vec::new(), Box::new(Vec::new())),
    };
    let limit = terms.limit.unwrap_or(PicoUsd::DEFAULT_LIMIT);
    let price = terms.target.as_ref().map(|target| target.price.clone()).unwrap_or_default();
    let mut ledger = Ledger::new(limit, price, &lines, journal.as_mut());
    ledger.note(&opened(terms.target.as_ref(), limit)).context("writing the ledger")?;
    let mut pilot: Box<dyn Pilot + '_> = match (terms.remote.take(), &terms.target) {
        (Some(remote), Some(target)) => {
            let pilot = ModelPilot::new(Box::new(remote), ledger, asking(target), Box::new(|line| tell.waiting(line)));
            if args.dry_run {
                return dry_run(pilot, &mut repo, &task.plan, state, terms.turns);
            }
            Box::new(pilot)
        }
        _ => Box::new(OfflinePilot::new(limit)),
    };
    let limits = Limits { turns: terms.turns, time: patience.left(), interrupted: Some(&interrupted) };
    let mut host = Host {
        tell: &tell,
        folder: folder.as_ref(),
        plan: &task.plan,
        interactive: args.interactive,
        asked_before: false,
        interrupted: &interrupted,
    };
    let found = explore(&mut repo, &task.plan, state, pilot.as_mut(), &limits, &mut host)?;
    deliver(args, &repo, &found, &places, folder.as_ref(), tell)
}

/// What was found goes to where it was asked to go. The context comes first, and what cannot be written keeps nothing else back.
fn deliver(args: &ExploreArgs, repo: &Repo, found: &Exploration, places: &Places, folder: Option<&RunFolder>, tell: Tell) -> Result<Exit> {
    if found.stop == Stop::Quit {
        folder.map_or(Ok(()), |folder| folder.keep(&found.state))?;
        tell.ended(found, places, None);
        return Ok(found.stop.exit());
    }
    let text = if args.format == Some(OutputFormat::Json) { twin(repo, found)? } else { found.map.text.clone() };
    let written = write_out(args.output.as_deref(), &text);
    let kept = keep(places, folder, repo, found);
    tell.ended(found, places, folder);
    written.and(kept)?;
    Ok(match (&found.map.conflict, found.stop.exit()) {
        (Some(_), Exit::Finished) => Exit::Conflict,
        (_, exit) => exit,
    })
}

/// Whether there are folders for the files that are to be written: better said before money is spent.
fn check_outputs(args: &ExploreArgs) -> Result<()> {
    let outputs =
        [("--output", &args.output), ("--plan-out", &args.plan_out), ("--summary-out", &args.summary_out), ("--json-out", &args.json_out)];
    for (flag, path) in outputs.into_iter().filter_map(|(flag, path)| Some((flag, path.as_ref()?))) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_made = args.out.as_deref() == Some(folder);
        if path.is_dir() || !folder.is_dir() && !is_made {
            return Err(usage(flag, format!("{} cannot be written: there is no such folder, or it is one", path.display())));
        }
    }
    Ok(())
}

/// Whether there is anything that `--include` lets in.
fn check_includes(args: &ExploreArgs, repo: &Repo) -> Result<()> {
    let mut n_files = 0;
    for glob in &args.include {
        n_files += repo.reach(&Rule::new(glob, LevelRange::ANY), &[])?.n_files;
    }
    if !args.include.is_empty() && n_files == 0 {
        return Err(usage("--include", format!("no file matches `{}`", args.include.join("`, `"))));
    }
    Ok(())
}

/// Scans the repository, in a thread of its own, so that neither a person nor the clock has to wait for a huge tree.
fn open(task: &Task, options: Options, patience: &Patience<'_>) -> Result<std::result::Result<Repo, Stop>> {
    let (send, receive) = mpsc::channel();
    let (root, plan) = (task.root.clone(), task.plan.clone());
    // Nobody listens any more when the run ended first.
    thread::spawn(move || drop(send.send(Repo::open(&root, &plan, &options))));
    loop {
        match receive.recv_timeout(GLANCE) {
            Ok(opened) => return Ok(Ok(opened?)),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(stop) = patience.over() {
                    return Ok(Err(stop));
                }
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the scan of {} broke off", task.root.display()),
        }
    }
}

/// The first line of a ledger, or of a part of it that goes on.
fn opened(target: Option<&Target>, limit: PicoUsd) -> Line {
    let soft = target.and_then(Target::soft_hold);
    Line::Opened {
        pilot: target.map_or("offline", |target| target.name.as_str()).to_owned(),
        limit_pico_usd: limit,
        prices_as_of: target.and_then(|target| target.prices_as_of.clone()),
        price: target.map_or_else(Price::default, |target| target.price.clone()),
        hold: soft.map_or_else(|| "hard".to_owned(), |why| format!("soft: {why}")),
    }
}

fn asking(target: &Target) -> model_pilot::Terms {
    let reasons = target.listed.as_ref().is_some_and(|listed| listed.reasons);
    let most = target.listed.as_ref().and_then(|listed| listed.max_output).unwrap_or(u32::MAX);
    let (output_tokens, least_output_tokens) = match reasons {
        true => (REASONING_OUTPUT_TOKENS, LEAST_REASONING_OUTPUT_TOKENS),
        false => (OUTPUT_TOKENS, LEAST_OUTPUT_TOKENS),
    };
    model_pilot::Terms { window: target.window, output_tokens: output_tokens.min(most), least_output_tokens, retries: Retries::default() }
}

/// Prints the first request as a person would read it. Nothing is sent.
fn dry_run(mut pilot: ModelPilot<'_>, repo: &mut Repo, plan: &FlightPlan, state: State, turns: u32) -> Result<Exit> {
    let hints = crate::explore::hints(repo);
    let map = repo.map(repo_map::Layers { person: &state.bounds, pilot: &state.rules })?;
    let patience = Patience::new(None, None);
    let goal = plan.goal.as_deref().unwrap_or_default();
    let turns_left = turns.saturating_sub(1);
    let mut turn = Turn { step: 1, goal, map: &map, hints: &hints, state: &state, turns_left, repo, patience: &patience };
    match pilot.first_request(&mut turn) {
        Ok((request, body, bound)) => {
            write_out(None, &format!("{}\n{}", request.stable, request.turn))?;
            say(&format!(
                "navigator: nothing was sent to {}: a request of {} bytes, about {}, at most {} ({} tokens of input and {} of output)",
                pilot.name(),
                body.len(),
                bound.projected_pico_usd.rounded(),
                bound.reserved_pico_usd.rounded(),
                bound.input_tokens,
                bound.output_tokens
            ));
            Ok(Exit::Finished)
        }
        Err(Stop::SpendLimit { needed, left }) => {
            let (needed, left) = (needed.rounded(), left.rounded_down());
            say(&format!("navigator: no request would be sent: it could cost {needed}, the limit is {left} (raise `--budget`)"));
            Ok(Exit::SpendLimit)
        }
        Err(stop) => {
            say(&format!("navigator: no request would be sent: {}", stop.line()));
            Ok(stop.exit())
        }
    }
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
        repo_map::plan::check_glob(glob).map_err(|message| usage("--include/--exclude", message))?;
    }
    Ok(bounds)
}

/// The first Ctrl-C asks for the best so far, the second ends the program. A terminal that goes away interrupts too, and may
/// say so several times at once: what follows at once is the same interrupt.
fn watch_for_interrupt(interrupted: &Arc<AtomicBool>, tell: Tell) {
    const AT_ONCE: Duration = Duration::from_millis(300);
    let flag = Arc::clone(interrupted);
    let mut first: Option<Instant> = None;
    let handler = move || {
        flag.store(true, Ordering::Relaxed);
        match first {
            None => {
                first = Some(Instant::now());
                tell.waiting("finishing what is in hand; Ctrl-C again ends at once, without a context");
            }
            Some(first) if first.elapsed() < AT_ONCE => {}
            Some(_) => std::process::exit(Exit::Interrupted as i32),
        }
    };
    if ctrlc::set_handler(handler).is_err() {
        tell.waiting("Ctrl-C cannot be watched; it will end the program without a context");
    }
}

/// Writes what the run leaves: in its folder, and where else it was asked to.
fn keep(places: &Places, folder: Option<&RunFolder>, repo: &Repo, found: &Exploration) -> Result<()> {
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
            fs::write(path, text).with_context(|| format!("writing {}", path.display()))?;
        }
    }
    Ok(())
}

fn twin(repo: &Repo, found: &Exploration) -> Result<String> {
    let mut twin = serde_json::to_value(repo_map::report::twin(repo, &found.map))?;
    twin["stop"] = json!(found.stop.as_str());
    twin["stop_line"] = json!(found.stop.line());
    twin["turns"] = json!(found.state.turns);
    twin["purse"] = json!(found.purse);
    twin["saving"] = json!(found.state.saving());
    twin["summary"] = json!(found.summary);
    twin["decisions"] = json!(found.state.log);
    Ok(serde_json::to_string_pretty(&twin)? + "\n")
}

/// Keeps the run, tells of it, and asks the person where there is one to ask.
struct Host<'a> {
    tell: &'a Tell,
    folder: Option<&'a RunFolder>,
    plan: &'a FlightPlan,
    interactive: bool,
    asked_before: bool,
    interrupted: &'a AtomicBool,
}

impl Observer for Host<'_> {
    fn keep(&mut self, state: &State) -> io::Result<()> {
        self.folder.map_or(Ok(()), |folder| folder.keep(state))
    }

    fn turn(&mut self, report: &TurnReport) {
        self.tell.turn(report, self.interactive);
    }

    fn wish(&mut self, standing: &Standing<'_>) -> Wish {
        let sends_nothing = standing.projection.is_some_and(|next| next.request_tokens == 0);
        // The first turn needs no yes where nothing leaves the machine.
        let is_first = !std::mem::replace(&mut self.asked_before, true);
        if !self.interactive || sends_nothing && is_first {
            self.tell.projected(standing);
            return Wish::GoOn;
        }
        let scratch = self.folder.map_or_else(std::env::temp_dir, |folder| folder.path.clone());
        terminal::ask(standing, self.plan, &scratch, self.interrupted)
    }
}

/// What is said while it runs: lines for people, JSON for scripts, or nothing.
#[derive(Clone, Copy)]
struct Tell {
    quiet: bool,
    events: bool,
}

impl Tell {
    fn started(&self, target: Option<&Target>, limit: Option<PicoUsd>) {
        let named =
            limit.map_or_else(|| format!("limit {} (`--budget` sets it)", PicoUsd::DEFAULT_LIMIT), |limit| format!("limit {limit}"));
        let line = match target {
            None => format!(
                "offline pilot: no model, no network, no cost (limit {}); `--model PROVIDER/NAME` asks a model, `navigator models` lists them",
                limit.unwrap_or(PicoUsd::DEFAULT_LIMIT)
            ),
            Some(target) => {
                let price = match &target.prices_as_of {
                    _ if target.price.is_free() => "costs nothing".to_owned(),
                    Some(day) => format!("{named}, prices of {day}"),
                    None => format!("{named}, price given by hand"),
                };
                format!("{} at {}: {price}", target.name, target.base_url)
            }
        };
        self.line(&line);
        if let Some(why) = target.and_then(Target::soft_hold) {
            self.line(&format!("the limit is soft: {why}"));
        }
        self.event(&json!({
            "event": "started",
            "pilot": target.map_or("offline", |target| target.name.as_str()),
            "limit_pico_usd": limit.unwrap_or(PicoUsd::DEFAULT_LIMIT),
            "soft": target.and_then(Target::soft_hold),
        }));
    }

    fn scanned(&self, repo: &Repo) {
        let problems: Vec<String> = repo.problems().iter().map(ToString::to_string).collect();
        problems.iter().for_each(|problem| self.line(problem));
        self.line(&format!("scanned {} files", repo.n_files()));
        self.event(&json!({ "event": "scanned", "files": repo.n_files(), "problems": problems }));
    }

    fn projected(&self, standing: &Standing<'_>) {
        let Some(next) = standing.projection else { return };
        let turn = standing.state.turns + 1;
        if next.request_tokens > 0 {
            let cost = match next.at_most_pico_usd {
                PicoUsd(0) => String::new(),
                at_most => format!(
                    ", about {}, at most {} a call of {} left",
                    next.projected_pico_usd.rounded(),
                    at_most.rounded(),
                    standing.purse.left().rounded_down()
                ),
            };
            self.line(&format!("turn {turn}: asking with {} tokens{cost}", next.request_tokens));
        }
        self.event(&json!({ "event": "projected", "step": turn, "projection": next, "left_pico_usd": standing.purse.left() }));
    }

    fn waiting(&self, line: &str) {
        self.line(line);
        self.event(&json!({ "event": "waiting", "message": line }));
    }

    fn turn(&self, report: &TurnReport, in_full: bool) {
        if in_full {
            say(&report.text(textwrap::termwidth().clamp(40, 100)));
        } else {
            self.line(&report.line());
        }
        self.event(&json!(report));
    }

    fn ended(&self, found: &Exploration, places: &Places, folder: Option<&RunFolder>) {
        if self.quiet && matches!(found.stop, Stop::ProviderFailed(_) | Stop::ProviderBreach { .. } | Stop::LedgerFailed(_)) {
            say(&format!("navigator: {}", found.stop.line()));
        }
        if let Some(conflict) = &found.map.conflict {
            self.line(&conflict.message);
        }
        if found.map.n_masked > 0 {
            self.line(&format!("secrets masked: {} (`--no-mask` shows them)", found.map.n_masked));
        }
        let spent = found.purse.spent_pico_usd;
        self.line(&format!("{}: {} of {} tokens, {}", found.stop.line(), found.map.tokens, found.map.budget, spent.rounded()));
        let plan = places.plan.clone().or_else(|| folder.map(RunFolder::name));
        if let Some(plan) = plan.filter(|_| found.stop != Stop::Quit) {
            self.line(&format!("replay it: navigator replay {}", plan.display()));
        }
        self.event(&json!({
            "event": "ended",
            "stop": found.stop.as_str(),
            "stop_line": found.stop.line(),
            "tokens": found.map.tokens,
            "budget": found.map.budget,
            "masked": found.map.n_masked,
            "conflict": found.map.conflict.as_ref().map(|conflict| &conflict.message),
            "purse": found.purse,
            "saving": found.state.saving(),
            "plan": places.plan.clone().or_else(|| Some(folder?.path.join(run_folder::PLAN))),
            "folder": folder.map(|folder| folder.path.display().to_string()),
        }));
    }

    fn line(&self, line: &str) {
        if self.quiet || self.events {
            return;
        }
        if !io::stderr().is_terminal() {
            return say(&format!("navigator: {line}"));
        }
        // Two lines of the terminal are enough for progress; the summary has all of it.
        let width = textwrap::termwidth();
        let most = 2 * width.saturating_sub(12);
        let cut: String = line.chars().take(most).collect();
        let line = if cut.len() < line.len() { cut + "…" } else { cut };
        say(&textwrap::fill(&line, textwrap::Options::new(width).initial_indent("navigator: ").subsequent_indent("           ")));
    }

    fn event(&self, event: &Value) {
        if self.events {
            // A reader that went away does not end the run.
            let _ = writeln!(io::stderr(), "{event}");
        }
    }
}

fn run_runs(args: &ListArgs) -> Result<Exit> {
    let runs = run_folder::list()?;
    let row = |run: &run_folder::Listing| {
        let tokens = run.tokens.map_or_else(|| "-".to_owned(), |tokens| tokens.to_string());
        vec![
            run.run.clone(),
            run.stop.clone(),
            run.pilot.clone(),
            run.turns.to_string(),
            tokens,
            run.spent_pico_usd.rounded(),
            run.root.clone(),
            run.goal.clone(),
        ]
    };
    print_rows(
        args.format,
        &["run", "stop", "pilot", "turns", "tokens", "spent", "repository", "goal"],
        runs.iter().map(row).collect(),
        &runs,
    )
}

/// A model in the list of models.
#[derive(serde::Serialize)]
struct ModelRow {
    model: String,
    price_in_usd: String,
    price_out_usd: String,
    /// What a larger request costs, from which size on.
    tiers: String,
    context_window: Option<u32>,
    key: String,
    note: String,
}

fn run_models(args: &ModelsArgs) -> Result<Exit> {
    let model = ModelArgs { prices: args.prices.clone(), ..ModelArgs::default() };
    let prices = Settings::read(&model, None, None)?.prices()?;
    let per_million = |rate: PicoUsd| PicoUsd(rate.0.saturating_mul(1_000_000)).to_string();
    let rows: Vec<ModelRow> = prices
        .models
        .iter()
        .map(|listed| {
            let provider = PROVIDERS.iter().find(|provider| provider.name == listed.provider);
            let keys: Vec<String> = provider.map_or(&[][..], |provider| provider.keys).iter().map(|key| (*key).to_owned()).collect();
            let key = match (provider.is_some_and(Provider::is_local), settings::key(&keys)) {
                (true, _) => "not needed".to_owned(),
                (false, Some(_)) => "yes".to_owned(),
                (false, None) => format!("no ({})", keys.join(", ")),
            };
            let tier = |(above, rates): &(u64, crate::price::Rates)| {
                format!(">{above}: {}/{}", per_million(rates.input), per_million(rates.output))
            };
            let ends = listed.ends.as_ref().map(|day| format!("ends {day}"));
            let notes: Vec<String> = listed.note.clone().into_iter().chain(ends).collect();
            ModelRow {
                model: format!("{}/{}", listed.provider, listed.name),
                price_in_usd: per_million(listed.price.rates.input),
                price_out_usd: per_million(listed.price.rates.output),
                tiers: listed.price.tiers.iter().map(tier).collect::<Vec<_>>().join(" "),
                context_window: listed.context_window,
                key,
                note: notes.join("; "),
            }
        })
        .filter(|row| row.model.contains(&args.filter))
        .collect();
    if rows.is_empty() {
        bail!("no listed model has `{}` in its name (`--price-in`, `--price-out` and `--free` price others)", args.filter);
    }
    let row = |row: &ModelRow| {
        let window = row.context_window.map_or_else(|| "-".to_owned(), |window| window.to_string());
        let notes: Vec<&str> = [row.tiers.as_str(), row.note.as_str()].into_iter().filter(|note| !note.is_empty()).collect();
        vec![row.model.clone(), row.price_in_usd.clone(), row.price_out_usd.clone(), window, row.key.clone(), notes.join("; ")]
    };
    let head = ["model", "input", "output", "window", "key", "notes"];
    let exit = print_rows(args.format, &head, rows.iter().map(row).collect(), &rows)?;
    say(&format!(
        "navigator: USD per million tokens, as listed on {}; other models with `--price-in` and `--price-out`, own servers with `--free`",
        prices.as_of
    ));
    Ok(exit)
}

fn run_config(args: &ConfigArgs) -> Result<Exit> {
    let settings = Settings::read(&args.model, None, None)?;
    #[derive(serde::Serialize)]
    struct Row {
        setting: &'static str,
        value: String,
        from: String,
    }
    let rows: Vec<Row> = settings.table().into_iter().map(|(setting, value, from)| Row { setting, value, from }).collect();
    let row = |row: &Row| vec![row.setting.to_owned(), row.value.clone(), row.from.clone()];
    let exit = print_rows(args.format, &["setting", "value", "from"], rows.iter().map(row).collect(), &rows)?;
    match &settings.file {
        Some(file) if file.is_file() => say(&format!("navigator: the file is {}", file.display())),
        Some(file) => say(&format!("navigator: there is no {}", file.display())),
        None => {}
    }
    // What is wrong with the values is better said here than at the first exploration.
    settings.target()?;
    settings.budget()?;
    settings.times()?;
    settings.max_turns()?;
    settings.tokens()?;
    Ok(exit)
}

/// A table for people, aligned, or JSON lines for programs.
fn print_rows<T: serde::Serialize>(format: TableFormat, head: &[&str], rows: Vec<Vec<String>>, items: &[T]) -> Result<Exit> {
    let mut out = String::new();
    if format == TableFormat::Json {
        for item in items {
            out.push_str(&serde_json::to_string(item)?);
            out.push('\n');
        }
    } else {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let widths: BTreeMap<usize, usize> =
            (0..rows[0].len()).map(|at| (at, rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))).collect();
        for row in &rows {
            let cells: Vec<String> = row.iter().enumerate().map(|(at, cell)| format!("{cell:<width$}", width = widths[&at])).collect();
            out.push_str(cells.join("  ").trim_end());
            out.push('\n');
        }
    }
    write_out(None, &out)?;
    Ok(Exit::Finished)
}

fn run_replay(args: &ReplayArgs) -> Result<Exit> {
    let (file, root) = flown(args)?;
    let plan = FlightPlan::read(&file)?;
    let own = [Some(&file), args.output.as_ref()];
    let ignored: Vec<String> = own.into_iter().flatten().filter_map(|file| path_within(&root, file)).collect();
    let name = file.display().to_string();
    match repo_map::replay(&root, &name, &plan, &ignored, FileId::of_stdout())? {
        Replay::Identical { text, .. } => {
            write_out(args.output.as_deref().filter(|_| !args.check), if args.check { "identical\n" } else { &text })?;
            Ok(Exit::Finished)
        }
        Replay::Drifted(drift) => {
            say_drift("navigator", &drift);
            if args.allow_drift {
                let map = repo_map::refit(&root, &plan, &ignored, FileId::of_stdout())?;
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

/// The plan's file and the repository's folder: those of a run, where one is named and no file has that name.
fn flown(args: &ReplayArgs) -> Result<(PathBuf, PathBuf)> {
    let here = || args.path.clone().unwrap_or_else(|| PathBuf::from("."));
    if args.plan.is_file() {
        return Ok((args.plan.clone(), here()));
    }
    let name = args.plan.to_str().unwrap_or_default();
    let folder = match run_folder::find(name) {
        Ok(folder) => folder,
        Err(error) if name.parse::<u32>().is_ok() => return Err(error),
        // A name that looks like a file's was meant as one.
        Err(_) => return Ok((args.plan.clone(), here())),
    };
    if !folder.join(run_folder::PLAN).is_file() {
        bail!("run {name} has left no context yet (`navigator explore --resume {name}` goes on with it)");
    }
    let root = match &args.path {
        Some(path) => path.clone(),
        None => run_folder::root_of(&folder)?,
    };
    Ok((folder.join(run_folder::PLAN), root))
}
