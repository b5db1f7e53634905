//! `navigator explore`: from flags, or a run that is continued, to a context in the right place.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use repo_map::cli::{Exit, add_languages, changed_since, check_stdin, deliver, path_within, read_plan, say, write_out};
use repo_map::plan::Rule;
use repo_map::scan::FileId;
use repo_map::{FlightPlan, Format, Layers, Level, LevelRange, Options, Repo, RepoMap};
use serde_json::json;

use super::tell::Tell;
use super::{ExploreArgs, OutputFormat};
use crate::explore::{Exploration, Limits, Observer, Standing, Wish, draft, explore, peek};
use crate::ledger::{Journal, Ledger, Line};
use crate::model_pilot::{ModelPilot, Terms};
use crate::money::PicoUsd;
use crate::offline::OfflinePilot;
use crate::patience::{GLANCE, Patience};
use crate::pilot::Pilot;
use crate::price::Price;
use crate::provider::Target;
use crate::remote::Remote;
use crate::report::TurnReport;
use crate::run_folder::{self, Asked, RunFolder};
use crate::settings::{self, Settings, usage};
use crate::state::{self, State};
use crate::stop::Stop;
use crate::story::{Bounds, Story};
use crate::terminal;

/// Where what a run leaves goes besides its folder.
#[derive(Default)]
pub(super) struct Places {
    plan: Option<PathBuf>,
    summary: Option<PathBuf>,
    report: Option<PathBuf>,
    page: Option<PathBuf>,
}

impl Places {
    fn of(args: &ExploreArgs) -> Places {
        Places { plan: args.plan_out.clone(), summary: args.summary_out.clone(), report: args.json_out.clone(), page: args.report.clone() }
    }

    /// Every file that will be written, in the notation of the map when it lies in the repository.
    fn within(&self, root: &Path, args: &ExploreArgs, folder: Option<&RunFolder>) -> Vec<String> {
        let own = folder.into_iter().flat_map(|folder| run_folder::FILES.map(|name| folder.path.join(name)));
        let asked = [&self.plan, &self.summary, &self.report, &self.page, &args.output, &args.plan];
        own.chain(asked.into_iter().flatten().cloned()).filter_map(|file| path_within(root, &file)).collect()
    }
}

/// What is asked of a run: by the flags, or by the run that is continued.
pub(super) struct Task {
    pub(super) root: PathBuf,
    pub(super) plan: FlightPlan,
    pub(super) no_history: bool,
    pub(super) diff: Option<String>,
    pub(super) settings: Settings,
    /// Where a run that is continued stands.
    pub(super) state: Option<State>,
}

impl Task {
    fn new(args: &ExploreArgs) -> Result<Task> {
        let settings = Settings::read(&args.model, args.shared.tokens, None)?;
        let root = args.path.clone().unwrap_or_else(|| PathBuf::from("."));
        let plan_file = args.plan.clone().or_else(|| settings.text("plan").map(PathBuf::from));
        check_stdin(&[plan_file.as_ref(), args.shared.goal_file.as_ref()])?;
        let mut plan = match &plan_file {
            Some(path) => read_plan(path, &root)?,
            None => FlightPlan::default(),
        };
        // A plan that was flown before is flown anew: what it was flown over does not bind.
        plan.provenance = None;
        plan.scan.outside = None;
        if let Some(tokens) = settings.tokens()?.filter(|_| plan_file.is_none() || settings.is_chosen("tokens")) {
            plan.context.tokens = tokens;
        }
        args.shared.apply(&mut plan)?;
        add_languages("navigator", &mut plan, &root);
        if let (None, Some(revision)) = (&plan.goal, &args.shared.diff) {
            plan.goal = Some(format!("review what changed since {revision}"));
        }
        if plan.goal.as_deref().is_none_or(|goal| goal.trim().is_empty()) {
            return Err(usage(
                "explore",
                "no goal (give `--goal TEXT` or `--goal-file FILE`; `repo-map` makes a map without one)".to_owned(),
            ));
        }
        set_format(args, &mut plan);
        for glob in args.include.iter().chain(&args.exclude) {
            repo_map::plan::check_glob(glob).map_err(|message| usage("--include/--exclude", message))?;
        }
        plan.rules = state::bounds(std::mem::take(&mut plan.rules), &args.include, &args.exclude);
        Ok(Task { root, plan, no_history: args.shared.read.no_history, diff: args.shared.diff.clone(), settings, state: None })
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
        Ok(Task { root: asked.root, plan, no_history: asked.no_history, diff: asked.diff, settings, state: Some(state) })
    }

    pub(super) fn asked(&self) -> Result<Asked> {
        let root = fs::canonicalize(&self.root).with_context(|| format!("reading the folder {}", self.root.display()))?;
        let mut settings = self.settings.values();
        if let Some(prices) = settings.get_mut("prices") {
            // The run may be continued from elsewhere.
            *prices = fs::canonicalize(&*prices).map_or_else(|_| prices.clone(), |path| path.display().to_string());
        }
        Ok(Asked { root, plan: self.plan.to_yaml(), no_history: self.no_history, diff: self.diff.clone(), settings })
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
pub(super) struct Setup {
    pub(super) target: Option<Target>,
    pub(super) remote: Option<Remote>,
    limit: Option<PicoUsd>,
    pub(super) turns: u32,
    pub(super) time: Option<Duration>,
}

impl Setup {
    pub(super) fn of(settings: &Settings, is_dry_run: bool) -> Result<Setup> {
        let target = settings.target()?;
        let (time, call_time) = settings.times()?;
        let key = target.as_ref().and_then(|target| settings::key(&target.keys));
        match &target {
            Some(target) if target.is_vendor && !target.is_local && key.is_none() && !is_dry_run => {
                return Err(usage("--model", format!("no key for {} (set {})", target.name, target.key_names())));
            }
            None if is_dry_run => {
                return Err(usage("--dry-run", "the offline pilot sends nothing (`--model PROVIDER/NAME` asks a model)".to_owned()));
            }
            _ => {}
        }
        let is_own = target.as_ref().is_some_and(|target| !target.is_vendor || target.is_local);
        let call_time = call_time.unwrap_or(if is_own { OWN_CALL_TIME } else { CALL_TIME });
        let remote = target.clone().map(|target| Remote::new(target, key, call_time)).transpose();
        Ok(Setup {
            remote: remote.map_err(|message| usage("--model", message))?,
            limit: settings.budget()?,
            turns: settings.max_turns()?,
            time: time.or(target.is_some().then_some(TIME_WITH_MODEL)),
            target,
        })
    }

    /// The most that may be spent.
    pub(super) fn limit(&self) -> PicoUsd {
        self.limit.unwrap_or(PicoUsd::DEFAULT_LIMIT)
    }

    /// The ledger of a run, which says by what prices it begins or goes on.
    pub(super) fn ledger<'j>(&self, limit: PicoUsd, lines: &[Line], journal: &'j mut dyn Journal) -> Result<Ledger<'j>> {
        let price = self.target.as_ref().map(|target| target.price.clone()).unwrap_or_default();
        let mut ledger = Ledger::new(limit, price, lines, journal);
        ledger.note(&opened(self.target.as_ref(), limit)).context("writing the ledger")?;
        Ok(ledger)
    }
}

/// Where a run's money is written down: in its folder, or nowhere but in memory. With what stands there already.
pub(super) fn journal(folder: Option<&RunFolder>) -> Result<(Vec<Line>, Box<dyn Journal>)> {
    folder.map_or_else(|| Ok((Vec::new(), Box::new(Vec::new()) as Box<dyn Journal>)), RunFolder::ledger)
}

/// Explores, and gives the exit code.
pub(super) fn run(args: &ExploreArgs) -> Result<Exit> {
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
    let mut setup = Setup::of(&task.settings, args.dry_run)?;
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
    tell.started(setup.target.as_ref(), setup.limit);
    let patience = Patience::new(setup.time, Some(&interrupted));
    let places = Places::of(args);
    let options = Options {
        cache: args.shared.read.cache(),
        watcher: tell.watcher(),
        ignored: places.within(&task.root, args, folder.as_ref()),
        diff: task.diff.clone(),
        without_history: task.no_history,
        stdout: if args.output.is_none() { FileId::of_stdout() } else { None },
        ..Options::default()
    };
    let scanned = scan(args, &task, options.clone(), &patience).and_then(|scanned| match scanned {
        Err(stop) if task.state.is_none() && !args.dry_run => {
            tell.waiting(&format!("{} during the scan: the context shows the repository from above", stop.as_str().replace('_', " ")));
            setup.remote = None;
            Ok(Ok((Repo::open(&task.root, &from_above(&task.plan), &Options { watcher: None, diff: None, ..options })?, true)))
        }
        scanned => Ok(scanned.map(|repo| (repo, false))),
    });
    // Without a repository the run never began.
    let has_begun = matches!(scanned, Ok(Ok(_))) || task.state.is_some();
    if let Some(folder) = folder.take_if(|_| !has_begun) {
        folder.give_up();
    }
    let (mut repo, is_from_above) = match scanned? {
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
    if let (Some(revision), Some(changed)) = (&task.diff, repo.changed()) {
        tell.line(&changed_since(revision, changed));
    }
    let state = match task.state.clone() {
        Some(state) => state,
        None if is_from_above => State::new(state::boundary(), task.plan.rules.clone(), from_above(&task.plan).rules),
        None => {
            let rules = if setup.remote.is_some() { draft(&mut repo, &task.plan)? } else { State::from_above() };
            State::new(state::boundary(), task.plan.rules.clone(), rules)
        }
    };
    if let Some(folder) = &folder {
        folder.begin(&task.asked()?, &state, task.state.is_none())?;
    }
    let (lines, mut journal) = journal(folder.as_ref())?;
    let limit = setup.limit();
    let ledger = setup.ledger(limit, &lines, journal.as_mut())?;
    let mut pilot: Box<dyn Pilot + '_> = match (setup.remote.take(), &setup.target) {
        (Some(remote), Some(target)) => {
            let pilot = ModelPilot::new(Box::new(remote), ledger, Terms::of(target), Box::new(|line| tell.waiting(line)));
            if args.dry_run {
                let exit = dry_run(pilot, &mut repo, &task.plan, state, setup.turns);
                repo.remember();
                return exit;
            }
            Box::new(pilot)
        }
        _ => Box::new(OfflinePilot::new(limit)),
    };
    let limits = Limits { turns: setup.turns, time: patience.left(), interrupted: Some(&interrupted) };
    let mut host = Host {
        tell: &tell,
        folder: folder.as_ref(),
        plan: &task.plan,
        interactive: args.interactive,
        asked_before: false,
        interrupted: &interrupted,
        story: args.report.as_ref().map(|_| Story::default()),
    };
    let mut found = explore(&mut repo, &task.plan, state, pilot.as_mut(), &limits, &mut host)?;
    // A view from above is opened without the goal; its plan says what it was for all the same.
    found.map.flown.goal.clone_from(&task.plan.goal);
    let story = host.story;
    let exit = finish(args, &repo, &found, &places, folder.as_ref(), tell);
    // The context is delivered by now, whatever becomes of the page.
    if let (Some(path), Some(story)) = (&places.page, story.filter(|_| found.stop != Stop::Quit)) {
        let told = story.told(&found, pilot.name(), Bounds { turns: setup.turns, time: setup.time }, &lines);
        let page = repo.page(&found.map, Layers { person: &found.state.bounds, pilot: &found.state.rules }, &told)?;
        fs::write(path, page).with_context(|| format!("writing {}", path.display()))?;
    }
    repo.remember();
    exit
}

/// What was found goes to where it was asked to go. The context comes first, and what cannot be written keeps nothing else back.
fn finish(args: &ExploreArgs, repo: &Repo, found: &Exploration, places: &Places, folder: Option<&RunFolder>, tell: Tell) -> Result<Exit> {
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

/// Whether there are folders for the files that are to be written: better said before money is spent.
fn check_outputs(args: &ExploreArgs) -> Result<()> {
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

/// Scans the repository, in a thread of its own, so that neither a person nor the clock has to wait for a huge tree.
fn scan(args: &ExploreArgs, task: &Task, options: Options, patience: &Patience<'_>) -> Result<std::result::Result<Repo, Stop>> {
    let (send, receive) = mpsc::channel();
    let (root, plan) = (task.root.clone(), task.plan.clone());
    let cancelled = Arc::new(AtomicBool::new(false));
    let options = Options { cancelled: Some(Arc::clone(&cancelled)), ..options };
    // Nobody listens any more when the run ended first.
    thread::spawn(move || drop(send.send(Repo::open(&root, &plan, &options))));
    loop {
        match receive.recv_timeout(GLANCE) {
            Ok(opened) => {
                let repo = opened?;
                check_includes(args, &repo)?;
                return Ok(Ok(repo));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(stop) = patience.over() {
                    cancelled.store(true, Ordering::Relaxed);
                    return Ok(Err(stop));
                }
            }
            Err(RecvTimeoutError::Disconnected) => bail!("the scan of {} broke off", task.root.display()),
        }
    }
}

/// The plan of a map for which nothing is read.
fn from_above(plan: &FlightPlan) -> FlightPlan {
    let paths = LevelRange { floor: Level::Exclude, ceiling: Level::Path };
    FlightPlan { goal: None, rules: vec![Rule::new("**", paths)], ..plan.clone() }
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

/// Prints the first request as a person would read it. Nothing is sent.
fn dry_run(mut pilot: ModelPilot<'_>, repo: &mut Repo, plan: &FlightPlan, state: State, turns: u32) -> Result<Exit> {
    let limits = Limits { turns, ..Limits::default() };
    match peek(repo, plan, state, &limits, |turn| pilot.first_request(turn))? {
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
    /// What the page will tell; none where none was asked for.
    story: Option<Story>,
}

impl Observer for Host<'_> {
    fn keep(&mut self, state: &State) -> io::Result<()> {
        self.folder.map_or(Ok(()), |folder| folder.keep(state))
    }

    fn looked(&mut self, state: &State, map: &RepoMap) {
        if let Some(story) = &mut self.story {
            story.looked(state, map);
        }
    }

    fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
        if let Some(story) = &mut self.story {
            story.turn(report, map);
        }
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
