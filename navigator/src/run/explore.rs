//! The loop: show the map, decide, apply, record, report, until the pilot finalizes, a limit is
//! reached or the person stops.

use std::time::Duration;

use crate::money::effect::{Permit, ResourceLimits, Resources};
use crate::money::effect_ledger::EffectLedger;
use crate::money::pico_usd::PicoUsd;
use crate::run::action::Action;
use crate::run::admission::Admission;
use crate::run::deadline::Deadline;
use crate::run::decision_log::{ActionKind, LogEntry, LoggedPlan, NOT_FINALIZED};
use crate::run::observer::{Checkpoint, Directive, Observer};
use crate::run::pilot::{Decision, Pilot, Projection, Spend, Turn};
use crate::run::plan::Change as _;
use crate::run::plan::Plan;
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::stop::{MOST_UNUSABLE, Stop};
use crate::run::summary::summary;
use crate::run::terrain::{Candidate, ChangeOf, Terrain, TerrainMap};
use crate::shared::{CancelToken, Sanitized};

/// Limits that end an exploration before the pilot finalizes.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum number of turns.
    pub turns: u32,
    /// The maximum time.
    pub time: Option<Duration>,
    /// Ends the run at once, with the best context so far.
    pub cancel: CancelToken,
    /// Limits of the resources that effects use.
    pub resources: ResourceLimits,
    /// Effects that happen without a question.
    pub allow: Vec<Permit>,
}

/// The most turns of a run, where nothing else is set.
pub(crate) const DEFAULT_TURNS: u32 = 20;

impl Default for Limits {
    fn default() -> Self {
        Limits {
            turns: DEFAULT_TURNS,
            time: None,
            cancel: CancelToken::new(),
            resources: ResourceLimits::default(),
            allow: Vec::new(),
        }
    }
}

/// The result of an exploration.
#[derive(Debug)]
pub struct Exploration<T: Terrain> {
    /// The context, its sizes, and the plan that rebuilds it.
    pub map: T::Map,
    /// The reason for the end.
    pub stop: Stop,
    /// The final state: decisions of every turn, plan, feedback.
    pub state: State<T::Plan>,
    /// The spend.
    pub purse: Spend,
    /// The resources that effects used, those of earlier processes included.
    pub used: Resources,
    /// The contents of the context, the omissions and the reasons for both, as Markdown.
    pub summary: Sanitized,
}

/// Explores a terrain for its goal, starting from a state. Every map stays within the state's
/// bounds.
///
/// # Errors
/// If the state's plan or bounds cannot be used.
pub(crate) fn explore<T: Terrain>(
    terrain: &mut T,
    state: State<T::Plan>,
    pilot: &mut dyn Pilot<T>,
    limits: &Limits,
    effects: EffectLedger<'_>,
    observer: &mut dyn Observer<T>,
) -> Result<Exploration<T>, T::Error> {
    let deadline = Deadline::new(limits.time, limits.cancel.clone());
    let mut run = Run::new(terrain, state, limits, effects, &deadline)?;
    run.state.ended = None;
    observer.on_map(&run.state, &run.map);
    let stop = run.run(pilot, observer)?;
    run.account(&stop, pilot);
    run.state.ended = Some(stop.as_str().to_owned());
    let Run { terrain, state, map, goal, effects, .. } = run;
    let summary = summary::<T>(&goal, pilot, &stop, &state, &map);
    let focus = state.finalized.as_ref().map(|(_, focus)| focus.as_slice()).unwrap_or_default();
    let map = terrain.deliver(map, focus);
    Ok(Exploration { map, stop, purse: pilot.purse(), used: effects.used(), state, summary })
}

/// Shows the next turn as a pilot would see it, without taking the turn.
///
/// # Errors
/// If the state's plan or bounds cannot be used.
pub(crate) fn preview<T: Terrain, R>(
    terrain: &mut T,
    state: State<T::Plan>,
    limits: &Limits,
    see: impl FnOnce(&mut Turn<'_, T>) -> R,
) -> Result<R, T::Error> {
    let deadline = Deadline::new(limits.time, limits.cancel.clone());
    let mut run = Run::new(terrain, state, limits, EffectLedger::default(), &deadline)?;
    Ok(see(&mut run.turn()))
}

/// A run between its first map and its end.
pub(crate) struct Run<'a, T: Terrain> {
    pub(super) terrain: &'a mut T,
    goal: String,
    candidates: Vec<Candidate>,
    pub(super) state: State<T::Plan>,
    /// The number of log entries when this run began or resumed.
    pub(super) n_before: usize,
    map: T::Map,
    /// The map that the pilot saw in the turn before.
    map_before: Option<T::Map>,
    pub(super) limits: &'a Limits,
    pub(super) effects: EffectLedger<'a>,
    pub(super) deadline: &'a Deadline,
}

impl<'a, T: Terrain> Run<'a, T> {
    fn new(
        terrain: &'a mut T,
        state: State<T::Plan>,
        limits: &'a Limits,
        effects: EffectLedger<'a>,
        deadline: &'a Deadline,
    ) -> Result<Run<'a, T>, T::Error> {
        let goal = terrain.goal().to_owned();
        if let Some(free) = state.free {
            terrain.use_free_tokens(free);
        }
        terrain.hold(state.held.clone());
        if !state.feedback.is_empty() {
            listen(terrain, &goal, &state)?;
        }
        let map = terrain.map(&state.bounds, &state.rules, None)?;
        let candidates = terrain.candidates(&map, &state.bounds);
        let n_before = state.log.len();
        let map_before = None;
        Ok(Run {
            terrain,
            goal,
            candidates,
            state,
            n_before,
            map,
            map_before,
            limits,
            effects,
            deadline,
        })
    }

    fn run(
        &mut self,
        pilot: &mut dyn Pilot<T>,
        observer: &mut dyn Observer<T>,
    ) -> Result<Stop, T::Error> {
        loop {
            // A resumed run may have finalized already, before its person was asked.
            if self.state.finalized.is_some() {
                match self.ask(pilot, None, observer)? {
                    PersonAnswer::GoOn => return Ok(self.stop_of_finalized()),
                    PersonAnswer::Again => {}
                    PersonAnswer::Stop(stop) => return Ok(stop),
                }
            }
            if let Some(stop) = self.deadline.expired() {
                return Ok(stop);
            }
            if self.state.turns >= self.limits.turns {
                return Ok(Stop::TurnLimit);
            }
            let projection = match pilot.prepare(&mut self.turn()) {
                Ok(projection) => projection,
                Err(stop) => return Ok(stop),
            };
            match self.ask(pilot, Some(projection), observer)? {
                PersonAnswer::GoOn => {}
                PersonAnswer::Again => continue,
                PersonAnswer::Stop(stop) => return Ok(stop),
            }
            let decision = match pilot.decide(&mut self.turn()) {
                Ok(decision) => decision,
                Err(stop) => return Ok(stop),
            };
            let (report, stop) = self.apply_decision(decision, projection, pilot, observer)?;
            if let Err(error) = observer.keep(&self.state) {
                return Ok(Stop::StateFailed(error.to_string()));
            }
            observer.turn(&report, &self.map);
            if let Some(stop) = stop.or_else(|| self.stop_of_refused()) {
                return Ok(stop);
            }
            if self.n_unusable() >= MOST_UNUSABLE {
                let last =
                    self.state.complaints.first().map_or("no reason was given", String::as_str);
                return Ok(Stop::UnusableAnswers(last.to_owned()));
            }
        }
    }

    /// Returns the number of unusable replies in a row since the run began or resumed.
    fn n_unusable(&self) -> usize {
        self.state.log[self.n_before..]
            .iter()
            .rev()
            .take_while(|entry| entry.action == ActionKind::NoUsableAnswer)
            .count()
    }

    fn turn(&mut self) -> Turn<'_, T> {
        let step = self.state.turns + 1;
        Turn {
            step,
            goal: &self.goal,
            map: &self.map,
            map_before: self.map_before.as_ref(),
            candidates: &self.candidates,
            state: &self.state,
            turns_left: self.limits.turns.saturating_sub(step),
            resources_left: self.limits.resources.left(self.effects.used()),
            terrain: self.terrain,
            deadline: self.deadline,
        }
    }

    /// Applies a decision to the state and updates the map.
    fn apply_decision(
        &mut self,
        decision: Decision<T::Plan>,
        projection: Projection,
        pilot: &dyn Pilot<T>,
        observer: &mut dyn Observer<T>,
    ) -> Result<(TurnReport, Option<Stop>), T::Error> {
        self.state.traffic.extend(decision.traffic);
        let mut before = self.map.clone();
        let mut entry = LogEntry {
            step: self.state.turns + 1,
            complaints: decision.complaints,
            find: decision.find,
            free: decision.free,
            ..self.entry(ActionKind::NoUsableAnswer)
        };
        let stop = match decision.action {
            Some(action) => {
                let acted = self.act(action, &mut entry, observer)?;
                before = acted.before;
                acted.stop
            }
            None => None,
        };
        self.state.record(&entry);
        self.state.complaints.clone_from(&entry.complaints);
        entry.cost_pico_usd = self.unaccounted(pilot);
        let used = (self.effects.used(), self.limits.resources);
        let (nouns, purse) = (self.terrain.nouns(), pilot.purse());
        let report =
            TurnReport::of::<T>(&entry, &before, &self.map, projection, purse, nouns, used);
        self.map_before = Some(before);
        self.log(entry);
        Ok((report, stop))
    }

    /// Applies the effects of an action, makes the map of the changes that fit, and writes into the
    /// entry what came of it. A last change that does not come out as asked keeps the run going.
    fn act(
        &mut self,
        action: Action<T::Plan>,
        entry: &mut LogEntry<T::Plan>,
        observer: &mut dyn Observer<T>,
    ) -> Result<AppliedAction<T>, T::Error> {
        let (changes, end);
        (changes, entry.reasoning, end) = match action {
            Action::UpdateFlightPlan { changes, reasoning } => (changes, reasoning, None),
            Action::FinalizeContext { changes, summary, focus } => (changes, summary, Some(focus)),
        };
        entry.action = ActionKind::UpdateFlightPlan;
        let had = self.let_happen(changes, observer)?;
        let (has_done, has_read, stop) = (had.has_done(), had.has_read(), had.stop);
        let State { bounds, rules, .. } = &self.state;
        if has_done {
            // The map of the same plan over what is known now: what differs is the changes' work.
            self.map = self.terrain.map(bounds, rules, None)?;
        }
        if let Some(free) = entry.free {
            self.terrain.use_free_tokens(free);
        }
        let before = self.map.clone();
        let Admission { changes, refused } = self.terrain.admit(bounds, rules, had.changes)?;
        let is_all = refused.is_empty() && had.complaints.is_empty() && stop.is_none();
        (entry.changes, entry.refused, entry.effects) = (changes, refused, had.effects);
        entry.complaints.extend(had.complaints);
        entry.paths = entry.changes.iter().map(|change| change.name()).collect();
        let ends = end.is_some() && is_all && !has_read;
        let is_new = !entry.changes.is_empty() || entry.free.is_some();
        entry.held = if is_new { self.held_to(&before, entry) } else { self.state.held.clone() };
        if !ends || is_new {
            let mut rules = rules.clone();
            rules.take(&entry.changes);
            self.terrain.hold(entry.held.clone());
            self.map = self.terrain.map(bounds, &rules, None)?;
            entry.fell = T::fallen(&before, &self.map, &entry.changes);
            let place = self.terrain.nouns().place;
            let changes = &entry.changes;
            entry.complaints.extend(disappointments::<T>(&before, &self.map, changes, place));
        }
        if !entry.effects.is_empty() {
            self.candidates = self.terrain.candidates(&self.map, &self.state.bounds);
        }
        match end {
            Some(focus) if ends => {
                entry.action = ActionKind::FinalizeContext;
                entry.paths.extend(focus.iter().map(|area| area.path.clone()));
                entry.focus = focus;
            }
            Some(_) if is_all => {
                entry.complaints.push(format!("{NOT_FINALIZED}: first see what was read"))
            }
            Some(_) => entry.complaints.push(format!(
                "{NOT_FINALIZED}, because not every change came out as asked: change something \
                 else, or finalize without changes"
            )),
            None => {}
        }
        Ok(AppliedAction { before, stop })
    }

    /// Returns what the map of an entry is held to: what the map before shows, and what changes
    /// leave to the fit. A pilot that leaves every level to the fit is held to nothing, unless it
    /// asked for that.
    fn held_to(&self, before: &T::Map, entry: &LogEntry<T::Plan>) -> Option<T::Plan> {
        let (exact, open): (Vec<_>, Vec<_>) =
            entry.changes.iter().cloned().partition(|change| change.is_exact());
        let is_asked = entry.free.or(self.state.free).is_some() || !exact.is_empty();
        let mut held = self.terrain.shown(before).filter(|_| is_asked)?;
        held.take(&open);
        Some(held)
    }

    /// Returns a log entry without results.
    fn entry(&self, action: ActionKind) -> LogEntry<T::Plan> {
        LogEntry::of(self.state.turns, action, self.map.tokens())
    }

    fn log(&mut self, entry: LogEntry<T::Plan>) {
        self.state.log.push(LogEntry { tokens_after: self.map.tokens(), ..entry });
    }

    /// Returns the spend that no entry has yet: the costs of all entries add up to the whole spend,
    /// including a call that a crash cut off.
    fn unaccounted(&self, pilot: &dyn Pilot<T>) -> PicoUsd {
        let logged = self
            .state
            .log
            .iter()
            .fold(PicoUsd::default(), |sum, entry| sum.plus(entry.cost_pico_usd));
        PicoUsd(pilot.purse().spent_pico_usd.0.saturating_sub(logged.0))
    }

    /// Adds an entry for a turn that ended the run, if it cost something.
    fn account(&mut self, stop: &Stop, pilot: &dyn Pilot<T>) {
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

    /// Asks the person, if there is one, and applies the answer to the state.
    fn ask(
        &mut self,
        pilot: &dyn Pilot<T>,
        projection: Option<Projection>,
        observer: &mut dyn Observer<T>,
    ) -> Result<PersonAnswer, T::Error> {
        let checkpoint =
            Checkpoint { state: &self.state, map: &self.map, purse: pilot.purse(), projection };
        // The time of the person's answer does not count.
        let directive = self.deadline.pausing(|| observer.next(&checkpoint));
        match directive {
            Directive::GoOn => return Ok(PersonAnswer::GoOn),
            Directive::StopHere => return Ok(PersonAnswer::Stop(Stop::StoppedByPerson)),
            Directive::Quit => return Ok(PersonAnswer::Stop(Stop::Quit)),
            Directive::Interrupt => return Ok(PersonAnswer::Stop(Stop::Interrupted)),
            Directive::Feedback(text) => {
                self.apply_feedback(LogEntry {
                    reasoning: Sanitized::text(&text).into_string(),
                    ..self.entry(ActionKind::PersonFeedback)
                })?;
            }
            Directive::Edit { bounds, rules } => {
                self.apply_feedback(LogEntry {
                    paths: bounds.added_since(&self.state.bounds),
                    edit: Some(LoggedPlan { bounds, rules }),
                    reasoning: "the person edited the plan".to_owned(),
                    ..self.entry(ActionKind::PersonEdit)
                })?;
            }
        }
        observer.on_map(&self.state, &self.map);
        match observer.keep(&self.state) {
            Ok(()) => Ok(PersonAnswer::Again),
            Err(error) => Ok(PersonAnswer::Stop(Stop::StateFailed(error.to_string()))),
        }
    }

    /// Applies the person's feedback or edit to the state and updates the map.
    fn apply_feedback(&mut self, entry: LogEntry<T::Plan>) -> Result<(), T::Error> {
        self.state.record(&entry);
        if entry.action == ActionKind::PersonFeedback {
            listen(self.terrain, &self.goal, &self.state)?;
        }
        self.terrain.hold(None);
        self.map = self.terrain.map(&self.state.bounds, &self.state.rules, None)?;
        self.candidates = self.terrain.candidates(&self.map, &self.state.bounds);
        self.log(entry);
        Ok(())
    }

    /// Returns the end of a run that was finalized. What was refused earlier counts only if the
    /// last decision that asked for anything was refused some of it: what it no longer asked for,
    /// it no longer wanted.
    fn stop_of_finalized(&self) -> Stop {
        let asks =
            |entry: &&LogEntry<T::Plan>| !entry.changes.is_empty() || !entry.refused.is_empty();
        let last = self.state.log.iter().rev().find(asks);
        let is_short = last.is_some_and(|entry| !entry.refused.is_empty())
            || self.map.places().any(|place| place.requested.is_some());
        if is_short { Stop::TokenLimit } else { Stop::Finished }
    }
}

/// The result of an action.
struct AppliedAction<T: Terrain> {
    /// The map before its changes and after its effects.
    before: T::Map,
    /// The reason to end the run, if there is one.
    stop: Option<Stop>,
}

/// The result of asking the person.
enum PersonAnswer {
    GoOn,
    /// The state changed: the turn has to be prepared again.
    Again,
    Stop(Stop),
}

/// Adds the person's feedback to the words of the goal, so that it counts as evidence for every
/// pilot.
fn listen<T: Terrain>(terrain: &mut T, goal: &str, state: &State<T::Plan>) -> Result<(), T::Error> {
    let said: String = state.feedback.iter().map(|one| format!("\n{}", one.text)).collect();
    terrain.set_goal(&format!("{goal}{said}"))
}

/// Returns complaints about changes without their full result, or about a decision without any.
fn disappointments<T: Terrain>(
    before: &T::Map,
    after: &T::Map,
    changes: &[ChangeOf<T>],
    place: &str,
) -> Vec<String> {
    const MOST: usize = 8;
    let mut said = Vec::new();
    let mut n_short = 0;
    for place in after.places() {
        let Some(requested) = place.requested else { continue };
        n_short += 1;
        if n_short <= MOST {
            said.push(format!(
                "`{}` did not fit at {requested} and is shown at {}",
                place.name, place.level
            ));
        }
    }
    if n_short > MOST {
        said.push(format!("{} more {place}s did not fit at the level asked for", n_short - MOST,));
    }
    if before.text() == after.text() && changes.iter().any(|change| change.is_exact()) {
        said.push("these changes changed nothing in the map".to_owned());
    }
    said
}
