//! `navigator explore`: from flags, or a run that is continued, to a context in the right place.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use repo_map::cli::{Exit, changed_since, check_flag, say, write_out};
use repo_map::plan::Rule;
use repo_map::scan::FileId;
use repo_map::{CancelToken, FlightPlan, Level, LevelRange, Options, Repo, RepoMap, RuleLayers};

use super::ExploreArgs;
use super::outcome::{OutputPaths, check_outputs, finish, first_error, write_to};
use super::progress::Tell;
use super::task::{Setup, Task};
use crate::app::recording::{Bounds, Story};
use crate::app::run_folder::RunFolder;
use crate::app::settings::usage;
use crate::app::terminal;
use crate::money::ledger::{Journal, LedgerLine};
use crate::pilot::model_pilot::{ModelLimits, ModelPilot};
use crate::pilot::offline::OfflinePilot;
use crate::run::deadline::{Deadline, POLL};
use crate::run::explore::{Checkpoint, Directive, Limits, Observer, draft, explore, peek};
use crate::run::pilot::Pilot;
use crate::run::report::TurnReport;
use crate::run::state::{self, State};
use crate::run::stop::Stop;

/// Explores, and gives the exit code.
pub(super) fn run(args: &ExploreArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the run goes \
             by its limits alone");
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
    // Without a model nothing is spent: what cannot be kept where nobody asked for it is worth a
    // word, not the context.
    let may_be_lost = setup.target.is_none() && args.out.is_none() && args.resume.is_none();
    let mut folder = match (resumed, &args.out) {
        (Some(folder), _) => Some(folder),
        (None, _) if args.dry_run => None,
        (None, Some(path)) => Some(RunFolder::at(path)?),
        (None, None) if may_be_lost => tell.kept(true, RunFolder::create())?,
        (None, None) => Some(RunFolder::create().map_err(|error| {
            anyhow!(
                "there is no place for the ledger, and a model is not asked without one: \
                {error:#} (`--out DIR` names a place)"
            )
        })?),
    };
    let interrupted = CancelToken::new();
    watch_for_interrupt(&interrupted, tell);
    tell.started(setup.target.as_ref(), setup.limit);
    let deadline = Deadline::new(setup.time, interrupted.clone());
    let places = OutputPaths::of(args);
    let options = Options {
        cache: args.shared.read.cache(),
        watcher: tell.watcher(),
        ignored: places.within(&task.root, args, folder.as_ref()),
        diff: task.diff.clone(),
        without_history: task.no_history,
        stdout: if args.output.is_none() { FileId::of_stdout() } else { None },
        ..Options::default()
    };
    let scanned = scan(&task, options.clone(), &deadline).and_then(|scanned| match scanned {
        Err(stop) if task.state.is_none() && !args.dry_run => {
            tell.waiting(&format!(
                "{} during the scan: the context shows the repository from above",
                stop.as_str().replace('_', " ")
            ));
            setup.remote = None;
            Ok(Ok((
                Repo::open(
                    &task.root,
                    &from_above(&task.plan),
                    &Options { watcher: None, diff: None, ..options },
                )?,
                true,
            )))
        }
        scanned => Ok(scanned.map(|repo| (repo, false))),
    });
    let scanned = scanned.and_then(|mut scanned| {
        if let Ok((repo, _)) = &mut scanned {
            check_globs(args, repo, &tell)?;
        }
        Ok(scanned)
    });
    // Without a repository the run never began.
    let has_begun = matches!(scanned, Ok(Ok(_))) || task.state.is_some();
    if let Some(folder) = folder.take_if(|_| !has_begun) {
        folder.give_up();
    }
    let (mut repo, is_from_above) = match scanned? {
        Ok(repo) => repo,
        Err(stop) => {
            tell.waiting(&format!(
                "{} during the scan: there is no context yet",
                stop.as_str().replace('_', " ")
            ));
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
        None if is_from_above => {
            State::new(state::boundary(), task.plan.rules.clone(), from_above(&task.plan).rules)
        }
        None => {
            let rules = if setup.remote.is_some() {
                draft(&mut repo, &task.plan)?
            } else {
                State::from_above()
            };
            State::new(state::boundary(), task.plan.rules.clone(), rules)
        }
    };
    let begun = folder.as_ref().map(|folder| begin(folder, &task, &state)).transpose();
    if let Some(folder) = folder.take_if(|_| begun.is_err()) {
        folder.give_up();
    }
    let begun = tell.kept(may_be_lost, begun)?.flatten();
    // What is not kept anywhere costs nothing.
    let (lines, mut journal) = begun.unwrap_or_else(|| (Vec::new(), Box::new(Vec::new())));
    let limit = setup.limit();
    let ledger = setup.ledger(limit, &lines, journal.as_mut());
    let mut pilot: Box<dyn Pilot + '_> = match (setup.remote.take(), &setup.target) {
        (Some(remote), Some(target)) => {
            let pilot = ModelPilot::new(
                Box::new(remote),
                ledger?,
                ModelLimits::of(target),
                Box::new(|line| tell.waiting(line)),
            );
            if args.dry_run {
                let exit = dry_run(pilot, &mut repo, &task.plan, state, setup.turns);
                repo.remember();
                return exit;
            }
            Box::new(pilot)
        }
        _ => {
            tell.kept(may_be_lost, ledger)?;
            Box::new(OfflinePilot::new(limit))
        }
    };
    let limits = Limits { turns: setup.turns, time: deadline.left(), cancel: interrupted.clone() };
    let mut host = CliObserver {
        tell: &tell,
        folder: folder.as_ref(),
        is_free: setup.target.is_none(),
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
    let (exit, mut written) =
        finish(args, &repo, &found, &places, folder.as_ref(), may_be_lost, tell);
    if let Some(story) = story.filter(|_| found.stop != Stop::Quit) {
        let told = story.told(
            &found,
            pilot.name(),
            Bounds { turns: setup.turns, time: setup.time },
            &lines,
        );
        let layers = RuleLayers { person: &found.state.bounds, pilot: &found.state.rules };
        written.push(write_to(places.page.as_ref(), || Ok(repo.page(&found.map, layers, &told)?)));
    }
    repo.remember();
    first_error(written)?;
    Ok(exit)
}

/// Writes down that a run begins, or goes on, and opens its ledger.
fn begin(
    folder: &RunFolder,
    task: &Task,
    state: &State,
) -> Result<(Vec<LedgerLine>, Box<dyn Journal>)> {
    folder.begin(&task.asked(state)?, state, task.state.is_none())?;
    folder.ledger()
}

/// Scans the repository, in a thread of its own, so that neither a person nor the clock has to wait
/// for a huge tree.
fn scan(
    task: &Task,
    options: Options,
    deadline: &Deadline,
) -> Result<std::result::Result<Repo, Stop>> {
    let (send, receive) = mpsc::channel();
    let (root, mut plan) = (task.root.clone(), task.plan.clone());
    plan.goal = plan.goal.filter(|_| !task.goal_is_synthetic);
    let cancel = CancelToken::new();
    let options = Options { cancel: cancel.clone(), ..options };
    // Nobody listens any more when the run ended first.
    thread::spawn(move || drop(send.send(Repo::open(&root, &plan, &options))));
    loop {
        match receive.recv_timeout(POLL) {
            Ok(opened) => {
                return Ok(Ok(opened?));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(stop) = deadline.expired() {
                    cancel.cancel();
                    return Ok(Err(stop));
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("the scan of {} broke off", task.root.display())
            }
        }
    }
}

/// The plan of a map for which nothing is read.
fn from_above(plan: &FlightPlan) -> FlightPlan {
    let paths = LevelRange { floor: Level::Exclude, ceiling: Level::Path };
    FlightPlan { goal: None, rules: vec![Rule::new("**", paths)], ..plan.clone() }
}

/// Whether what the flags name is there: a slip in `--exclude` would show what was to be hidden.
fn check_globs(args: &ExploreArgs, repo: &mut Repo, tell: &Tell) -> Result<()> {
    for glob in &args.include {
        check_flag(repo, "--include", &Rule::new(glob, LevelRange::ANY))?;
    }
    for glob in &args.exclude {
        match repo.unmatched(&Rule::new(glob, LevelRange::ANY))? {
            // It is kept out as it is.
            Some(unmatched) if unmatched.is_hidden => {
                tell.line(&format!("--exclude: {}", unmatched.message))
            }
            Some(unmatched) => return Err(usage("--exclude", unmatched.message)),
            None => {}
        }
    }
    Ok(())
}

/// Prints the first request as a person would read it. Nothing is sent.
fn dry_run(
    mut pilot: ModelPilot<'_>,
    repo: &mut Repo,
    plan: &FlightPlan,
    state: State,
    turns: u32,
) -> Result<Exit> {
    let limits = Limits { turns, ..Limits::default() };
    match peek(repo, plan, state, &limits, |turn| pilot.first_request(turn))? {
        Ok((request, body, bound)) => {
            write_out(None, &request.stable)?;
            write_out(None, &"\n".into())?;
            write_out(None, &request.turn)?;
            say(format!(
                "navigator: nothing was sent to {}: a request of {} bytes, about {}, at most {} \
                 ({} tokens of input and {} of output)",
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
            say(format!(
                "navigator: no request would be sent: it could cost {needed}, the limit is {left} \
                 (raise `--budget`)"
            ));
            Ok(Exit::SpendLimit)
        }
        Err(stop) => {
            say(format!("navigator: no request would be sent: {}", stop.line()));
            Ok(stop.exit())
        }
    }
}

/// The first Ctrl-C asks for the best so far, the second ends the program. A terminal that goes
/// away interrupts too, and may say so several times at once: what follows at once is the same
/// interrupt.
fn watch_for_interrupt(interrupted: &CancelToken, tell: Tell) {
    const AT_ONCE: Duration = Duration::from_millis(300);
    let interrupted = interrupted.clone();
    let mut first: Option<Instant> = None;
    let handler = move || {
        interrupted.cancel();
        match first {
            None => {
                first = Some(Instant::now());
                tell.waiting(
                    "finishing what is in hand; Ctrl-C again ends at once, without a context",
                );
            }
            Some(first) if first.elapsed() < AT_ONCE => {}
            Some(_) => std::process::exit(Exit::Interrupted as i32),
        }
    };
    if ctrlc::set_handler(handler).is_err() {
        tell.waiting("Ctrl-C cannot be watched; it will end the program without a context");
    }
}

/// Keeps the run, tells of it, and asks the person where there is one to ask.
struct CliObserver<'a> {
    tell: &'a Tell,
    folder: Option<&'a RunFolder>,
    /// Nothing is spent.
    is_free: bool,
    plan: &'a FlightPlan,
    interactive: bool,
    asked_before: bool,
    interrupted: &'a CancelToken,
    /// What the page will tell; none where none was asked for.
    story: Option<Story>,
}

impl Observer for CliObserver<'_> {
    fn keep(&mut self, state: &State) -> io::Result<()> {
        let kept = self.folder.map_or(Ok(()), |folder| folder.keep(state));
        // Without money at stake the run goes on: its end writes the same again, and says what it
        // cannot.
        if self.is_free { Ok(()) } else { kept }
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

    fn wish(&mut self, standing: &Checkpoint<'_>) -> Directive {
        let sends_nothing = standing.projection.is_some_and(|next| next.request_tokens == 0);
        // The first turn needs no yes where nothing leaves the machine.
        let is_first = !std::mem::replace(&mut self.asked_before, true);
        if !self.interactive || sends_nothing && is_first {
            self.tell.projected(standing);
            return Directive::GoOn;
        }
        let scratch = self.folder.map_or_else(std::env::temp_dir, |folder| folder.path.clone());
        terminal::ask(standing, self.plan, &scratch, self.interrupted)
    }
}
