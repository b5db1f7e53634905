//! The loop: look, decide, apply, record, report, until the pilot finalizes, a limit is reached, or
//! the person stops.

use std::collections::BTreeSet;
use std::io;
use std::time::Duration;

use repo_map::plan::Rule;
use repo_map::{CancelToken, FlightPlan, Level, Repo, RepoMap, RuleLayers, Sanitized};

use crate::money::pico_usd::PicoUsd;
use crate::pilot::offline::OfflinePilot;
use crate::run::action::{Action, Change, Focus, RuleChange};
use crate::run::deadline::Deadline;
use crate::run::decision_log::{ActionKind, LogEntry, LoggedChange};
use crate::run::pilot::{Decision, Hint, Pilot, Projection, Spend, Turn};
use crate::run::report::{self, TurnReport};
use crate::run::state::State;
use crate::run::stop::{MOST_UNUSABLE, Stop};

/// What ends an exploration before the pilot does.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The most turns.
    pub turns: u32,
    /// The most time.
    pub time: Option<Duration>,
    /// Ends the run now, with the best so far.
    pub cancel: CancelToken,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { turns: 20, time: None, cancel: CancelToken::new() }
    }
}

/// What an exploration found.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The context, its sizes and the flown plan.
    pub map: RepoMap,
    /// Why it ended.
    pub stop: Stop,
    /// What was decided, turn by turn, and all else there is to know of the run.
    pub state: State,
    /// What was spent.
    pub purse: Spend,
    /// What is in and why, what is left out and why, as Markdown.
    pub summary: Sanitized,
}

/// Where the run stands, before a turn or after the last.
#[derive(Debug)]
pub struct Checkpoint<'a> {
    /// The state.
    pub state: &'a State,
    /// The map as the plan stands now.
    pub map: &'a RepoMap,
    /// What was spent so far.
    pub purse: Spend,
    /// What the next turn will cost; none when the pilot has finalized.
    pub projection: Option<Projection>,
}

/// What a person wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum Directive {
    /// Go on; or take the context, when the pilot has finalized.
    GoOn,
    /// Take the context as it stands.
    StopHere,
    /// Tell the pilot something.
    Feedback(String),
    /// Go by other rules: the person's, and the pilot's.
    Edit {
        /// The person's rules from now on.
        bounds: Vec<Rule>,
        /// The pilot's rules from now on.
        rules: Vec<Rule>,
    },
    /// End without a context.
    Quit,
    /// End now, with the context.
    Interrupt,
}

/// Whoever is told how a run goes, keeps it, and may be asked. Without an answer the run goes on.
pub trait Observer {
    /// Something changed in the state that must not be lost.
    ///
    /// # Errors
    /// When it cannot be kept; the run goes no further.
    fn keep(&mut self, _state: &State) -> io::Result<()> {
        Ok(())
    }

    /// The map before the first turn, and whenever the person changed it.
    fn looked(&mut self, _state: &State, _map: &RepoMap) {}

    /// A turn was taken, and this is the map now.
    fn turn(&mut self, _report: &TurnReport, _map: &RepoMap) {}

    /// A turn is about to be taken, or the pilot has finalized.
    fn wish(&mut self, _standing: &Checkpoint<'_>) -> Directive {
        Directive::GoOn
    }
}

/// An observer that looks away.
impl Observer for () {}

/// Explores `repo` for the plan's goal from a state on. No pilot passes the state's bounds.
///
/// # Errors
/// When a glob of the plan or the state does not compile.
pub fn explore(
    repo: &mut Repo,
    plan: &FlightPlan,
    state: State,
    pilot: &mut dyn Pilot,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> repo_map::Result<Exploration> {
    let deadline = Deadline::new(limits.time, limits.cancel.clone());
    let mut run = Run::new(repo, plan, state, limits.turns, &deadline)?;
    run.state.ended = None;
    observer.looked(&run.state, &run.map);
    let stop = run.fly(pilot, observer)?;
    run.account(&stop, pilot);
    run.state.ended = Some(stop.as_str().to_owned());
    let Run { state, map, .. } = run;
    let goal = plan.goal.as_deref().unwrap_or_default();
    let summary = report::summary(goal, pilot, &stop, &state, &map);
    let focus = state.finalized.as_ref().map(|(_, focus)| focus.as_slice()).unwrap_or_default();
    let map = with_reasons(map, focus);
    Ok(Exploration { map, stop, purse: pilot.purse(), state, summary })
}

/// What a pilot would see in the next turn, without taking it: for
/// [`ModelPilot::first_request`](crate::ModelPilot::first_request), which says what would be sent
/// and what it could cost.
///
/// # Errors
/// When a glob of the plan or the state does not compile.
pub fn peek<T>(
    repo: &mut Repo,
    plan: &FlightPlan,
    state: State,
    limits: &Limits,
    see: impl FnOnce(&mut Turn<'_>) -> T,
) -> repo_map::Result<T> {
    let deadline = Deadline::new(limits.time, limits.cancel.clone());
    let mut run = Run::new(repo, plan, state, limits.turns, &deadline)?;
    Ok(see(&mut run.turn()))
}

/// Where a model starts: the rules by which the offline pilot would draw the map.
///
/// # Errors
/// When a glob of the plan does not compile.
pub fn draft(repo: &mut Repo, plan: &FlightPlan) -> repo_map::Result<Vec<Rule>> {
    let state = State::new(String::new(), plan.rules.clone(), State::from_above());
    let found =
        explore(repo, plan, state, &mut OfflinePilot::default(), &Limits::default(), &mut ())?;
    Ok(found.state.rules)
}

/// A run between its first look and its end.
struct Run<'a> {
    repo: &'a mut Repo,
    goal: &'a str,
    hints: Vec<Hint>,
    state: State,
    /// How many entries the log had when it began or went on.
    n_before: usize,
    map: RepoMap,
    turns: u32,
    deadline: &'a Deadline,
}

impl<'a> Run<'a> {
    fn new(
        repo: &'a mut Repo,
        plan: &'a FlightPlan,
        state: State,
        turns: u32,
        deadline: &'a Deadline,
    ) -> repo_map::Result<Run<'a>> {
        let goal = plan.goal.as_deref().unwrap_or_default();
        if !state.feedback.is_empty() {
            listen(repo, goal, &state)?;
        }
        let map = look(repo, &state)?;
        let hints = hints(repo, &map, &state.bounds);
        let n_before = state.log.len();
        Ok(Run { repo, goal, hints, state, n_before, map, turns, deadline })
    }

    fn fly(
        &mut self,
        pilot: &mut dyn Pilot,
        observer: &mut dyn Observer,
    ) -> repo_map::Result<Stop> {
        loop {
            // A run that is continued may have finalized before, and its person not been asked.
            if self.state.finalized.is_some() {
                match self.asked(pilot, None, observer)? {
                    PersonAnswer::GoOn => return Ok(self.stop_of_finalized()),
                    PersonAnswer::Again => {}
                    PersonAnswer::Stop(stop) => return Ok(stop),
                }
            }
            if let Some(stop) = self.deadline.expired() {
                return Ok(stop);
            }
            if self.state.turns >= self.turns {
                return Ok(Stop::TurnLimit);
            }
            let projection = match pilot.prepare(&mut self.turn()) {
                Ok(projection) => projection,
                Err(stop) => return Ok(stop),
            };
            match self.asked(pilot, Some(projection), observer)? {
                PersonAnswer::GoOn => {}
                PersonAnswer::Again => continue,
                PersonAnswer::Stop(stop) => return Ok(stop),
            }
            let report = match pilot.decide(&mut self.turn()) {
                Ok(decision) => self.take(decision, projection, pilot)?,
                Err(stop) => return Ok(stop),
            };
            if let Err(error) = observer.keep(&self.state) {
                return Ok(Stop::StateFailed(error.to_string()));
            }
            observer.turn(&report, &self.map);
            if self.n_unusable() >= MOST_UNUSABLE {
                let last =
                    self.state.complaints.first().map_or("no reason was given", String::as_str);
                return Ok(Stop::UnusableAnswers(last.to_owned()));
            }
        }
    }

    /// How many answers in a row could not be used since the run began or went on.
    fn n_unusable(&self) -> usize {
        self.state.log[self.n_before..]
            .iter()
            .rev()
            .take_while(|entry| entry.action == ActionKind::NoUsableAnswer)
            .count()
    }

    fn turn(&mut self) -> Turn<'_> {
        let step = self.state.turns + 1;
        Turn {
            step,
            goal: self.goal,
            map: &self.map,
            hints: &self.hints,
            state: &self.state,
            turns_left: self.turns.saturating_sub(step),
            repo: self.repo,
            deadline: self.deadline,
        }
    }

    /// Takes a decision in: the state changes, and with it the map.
    fn take(
        &mut self,
        decision: Decision,
        projection: Projection,
        pilot: &dyn Pilot,
    ) -> repo_map::Result<TurnReport> {
        self.state.traffic.extend(decision.traffic);
        let before = self.map.clone();
        let mut entry = LogEntry {
            step: self.state.turns + 1,
            complaints: decision.complaints,
            ..self.entry(ActionKind::NoUsableAnswer)
        };
        match decision.action {
            Some(Action::FinalizeContext { summary, focus }) => {
                entry.action = ActionKind::FinalizeContext;
                entry.paths = focus.iter().map(|area| area.path.clone()).collect();
                (entry.reasoning, entry.focus) = (summary, focus);
            }
            Some(Action::UpdateFlightPlan { changes, reasoning }) => {
                entry.action = ActionKind::UpdateFlightPlan;
                entry.paths = changes.iter().map(RuleChange::name).collect();
                (entry.reasoning, entry.changes) = (reasoning, changes);
            }
            None => {}
        }
        self.state.take(&entry);
        if entry.action == ActionKind::UpdateFlightPlan {
            self.map = look(self.repo, &self.state)?;
            entry.complaints.extend(disappointments(&before, &self.map, &entry.changes));
        }
        self.state.complaints.clone_from(&entry.complaints);
        entry.cost_pico_usd = self.unaccounted(pilot);
        let report = TurnReport::of(&entry, &before, &self.map, projection, pilot.purse());
        self.log(entry);
        Ok(report)
    }

    /// An entry of the log in which nothing happened yet.
    fn entry(&self, action: ActionKind) -> LogEntry {
        LogEntry {
            step: self.state.turns,
            action,
            paths: Vec::new(),
            changes: Vec::new(),
            focus: Vec::new(),
            edit: None,
            reasoning: String::new(),
            complaints: Vec::new(),
            tokens_before: self.map.tokens,
            tokens_after: self.map.tokens,
            cost_pico_usd: PicoUsd::default(),
        }
    }

    fn log(&mut self, entry: LogEntry) {
        self.state.log.push(LogEntry { tokens_after: self.map.tokens, ..entry });
    }

    /// What was spent and stands in no entry yet: the costs of all entries add up to what was
    /// spent, a call that a crash cut off included.
    fn unaccounted(&self, pilot: &dyn Pilot) -> PicoUsd {
        let logged = self
            .state
            .log
            .iter()
            .fold(PicoUsd::default(), |sum, entry| sum.plus(entry.cost_pico_usd));
        PicoUsd(pilot.purse().spent_pico_usd.0.saturating_sub(logged.0))
    }

    /// A turn that ended the run has an entry too, when it cost something.
    fn account(&mut self, stop: &Stop, pilot: &dyn Pilot) {
        let cost_pico_usd = self.unaccounted(pilot);
        if cost_pico_usd > PicoUsd::default() {
            let step = self.state.turns + 1;
            self.log(LogEntry {
                step,
                reasoning: stop.line(),
                cost_pico_usd,
                ..self.entry(ActionKind::Stopped)
            });
        }
    }

    /// Asks the person, if there is one, and does what concerns the state.
    fn asked(
        &mut self,
        pilot: &dyn Pilot,
        projection: Option<Projection>,
        observer: &mut dyn Observer,
    ) -> repo_map::Result<PersonAnswer> {
        let standing =
            Checkpoint { state: &self.state, map: &self.map, purse: pilot.purse(), projection };
        // The person's time is not the run's.
        let wish = self.deadline.pausing(|| observer.wish(&standing));
        match wish {
            Directive::GoOn => return Ok(PersonAnswer::GoOn),
            Directive::StopHere => return Ok(PersonAnswer::Stop(Stop::StoppedByPerson)),
            Directive::Quit => return Ok(PersonAnswer::Stop(Stop::Quit)),
            Directive::Interrupt => return Ok(PersonAnswer::Stop(Stop::Interrupted)),
            Directive::Feedback(text) => {
                self.person(LogEntry {
                    reasoning: Sanitized::text(&text).into_string(),
                    ..self.entry(ActionKind::PersonFeedback)
                })?;
            }
            Directive::Edit { bounds, rules } => {
                let is_new = |rule: &&Rule| !self.state.bounds.contains(rule);
                let paths = bounds.iter().filter(is_new).map(|rule| rule.path.clone()).collect();
                let reasoning = "the person edited the plan".to_owned();
                self.person(LogEntry {
                    paths,
                    edit: Some(LoggedChange { bounds, rules }),
                    reasoning,
                    ..self.entry(ActionKind::PersonEdit)
                })?;
            }
        }
        observer.looked(&self.state, &self.map);
        match observer.keep(&self.state) {
            Ok(()) => Ok(PersonAnswer::Again),
            Err(error) => Ok(PersonAnswer::Stop(Stop::StateFailed(error.to_string()))),
        }
    }

    /// Takes in what the person did: the state changes, and with it the map.
    fn person(&mut self, entry: LogEntry) -> repo_map::Result<()> {
        self.state.take(&entry);
        if entry.action == ActionKind::PersonFeedback {
            listen(self.repo, self.goal, &self.state)?;
        }
        self.map = look(self.repo, &self.state)?;
        self.hints = hints(self.repo, &self.map, &self.state.bounds);
        self.log(entry);
        Ok(())
    }

    fn stop_of_finalized(&self) -> Stop {
        let is_short = self.map.files.iter().any(|file| file.was.is_some());
        if is_short { Stop::TokenLimit } else { Stop::Finished }
    }
}

/// What came of asking the person.
enum PersonAnswer {
    GoOn,
    /// The state changed: the turn has to be made ready anew.
    Again,
    Stop(Stop),
}

fn look(repo: &mut Repo, state: &State) -> repo_map::Result<RepoMap> {
    repo.map(RuleLayers { person: &state.bounds, pilot: &state.rules })
}

/// What the person says counts as words of the goal: as evidence, whoever the pilot is.
fn listen(repo: &mut Repo, goal: &str, state: &State) -> repo_map::Result<()> {
    let said: String = state.feedback.iter().map(|one| format!("\n{}", one.text)).collect();
    repo.judge_for(&format!("{goal}{said}"))
}

/// What a pilot asked for and did not get; or that nothing came of it.
fn disappointments(before: &RepoMap, after: &RepoMap, changes: &[RuleChange]) -> Vec<String> {
    const MOST: usize = 8;
    let short: Vec<_> = after.files.iter().filter(|file| file.was.is_some()).collect();
    let of_file = |file: &&repo_map::FileReport| {
        let was = file.was.map_or("more", Level::as_str);
        format!("`{}` did not fit at {was} and is shown at {}", file.path, file.level)
    };
    let mut said: Vec<String> = short.iter().take(MOST).map(of_file).collect();
    if short.len() > MOST {
        said.push(format!("{} more files did not fit at the level asked for", short.len() - MOST));
    }
    // What a range leaves to the fit may well come out as it was.
    let is_exact = |change: &RuleChange| match change.target {
        Change::Paths(_, range) => range.floor == range.ceiling,
        Change::Item(..) => true,
    };
    if before.text == after.text && changes.iter().any(is_exact) {
        said.push("these changes changed nothing in the map".to_owned());
    }
    said
}

/// What evidence says of the paths that the person's rules let be shown.
fn hints(repo: &Repo, map: &RepoMap, bounds: &[Rule]) -> Vec<Hint> {
    let kept_below: BTreeSet<&str> = map
        .files
        .iter()
        .filter(|file| report::kept_low(file, bounds).is_some())
        .map(|file| file.path.as_str())
        .collect();
    let of_one = |millionths: u32| f64::from(millionths) / f64::from(repo_map::worth::ONE);
    repo.ranking()
        .into_iter()
        .filter(|(path, _)| !kept_below.contains(path))
        .map(|(path, worth)| {
            let mut parts: Vec<_> =
                worth.parts.iter().map(|(signal, part)| (*signal, of_one(*part))).collect();
            parts.sort_by(|a, b| {
                (b.1 * b.0.weight()).total_cmp(&(a.1 * a.0.weight())).then(a.0.cmp(&b.0))
            });
            let counts =
                |(signal, part): &(repo_map::worth::Signal, f64)| signal.weight() * part >= 0.02;
            let parts = parts
                .into_iter()
                .filter(counts)
                .map(|(signal, part)| (signal.as_str(), part))
                .collect();
            Hint { path: path.to_owned(), score: of_one(worth.score), parts }
        })
        .collect()
}

/// The flown plan says why its focus areas are in.
fn with_reasons(mut map: RepoMap, focus: &[Focus]) -> RepoMap {
    for rule in &mut map.flown.rules {
        let is_shown = rule.level.is_some_and(|level| level.ceiling >= Level::Path);
        let area = focus
            .iter()
            .find(|area| is_shown && repo_map::plan::exact_glob(&area.path) == rule.path);
        rule.why = area.map(|area| area.why.clone());
    }
    map
}
