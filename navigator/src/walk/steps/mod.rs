//! The loop of a walk: look, decide, act, record, until the pilot ends it or a limit is reached.

mod end;
pub(crate) mod happen;
pub mod limits;
pub mod observer;
pub mod turn_report;

use std::collections::{BTreeMap, BTreeSet};

use crate::money::effect::{Effect, ResourceLimits, Resources};
use crate::money::effect_ledger::{EffectLedger, ResourceShortage};
use crate::money::pico_usd::PicoUsd;
use crate::run::deadline::Deadline;
use crate::run::pilot::{Projection, Spend};
use crate::run::report::ResourceReport;
use crate::run::stop::{MOST_UNUSABLE, Stop};
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::action::WalkAction;
use crate::walk::extract::extract_of;
use crate::walk::pilot::evidence::evidence_words;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::screen::{EntryKind, Screen};
use crate::walk::session::{EffectAnswer, Move, Moved, WalkSession};
use crate::walk::state::{PageExtract, PathStep, WalkEnd, WalkState, before};
use crate::walk::steps::happen::{MoveBounds, MoveOutcome, StepName};
use crate::walk::steps::happen::{beside, not_allowed, question, refusal};
use crate::walk::steps::limits::WalkLimits;
use crate::walk::steps::observer::{WalkCheckpoint, WalkDirective, WalkObserver};
use crate::walk::steps::turn_report::WalkTurnReport;

/// The longest result of a step, in characters.
const MAX_RESULT: usize = 300;

/// The end of a walk.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked {
    /// The final state.
    pub state: WalkState,
    /// The reason for the end.
    pub stop: Stop,
    /// The spend.
    pub purse: Spend,
    /// The requests and bytes used.
    pub used: Resources,
}

impl Walked {
    /// Ends a walk, for a reason of its own or that of the stop.
    pub(crate) fn ended(mut state: WalkState, stop: Stop, purse: Spend, used: Resources) -> Walked {
        let end = state.ended.get_or_insert_with(|| end_of(&stop, &state.extracts));
        end.cost_pico_usd = purse.spent_pico_usd;
        Walked { state, stop, purse, used }
    }
}

/// Walks towards a goal, from a state.
///
/// # Errors
/// If the world cannot be used any more, or the steps of the state do not lead where they led.
pub fn walk<S: WalkSession>(
    session: &mut S,
    goal: &str,
    state: WalkState,
    pilot: &mut dyn WalkPilot,
    limits: &WalkLimits,
    effects: EffectLedger<'_>,
    observer: &mut dyn WalkObserver,
) -> Result<Walked, S::Error> {
    let deadline = Deadline::new(limits.time, limits.cancel.clone());
    let last = state.path.last();
    let refused = last.and_then(|step| refusal(&step.action.to_string(), &step.refused));
    let mut walk = Walk {
        session,
        goal,
        state,
        limits,
        effects,
        deadline: &deadline,
        was_refused_last: refused.is_some(),
        refused,
        may_repeat: pilot.may_repeat(),
    };
    walk.state.ended = None;
    let stop = match walk.begin(observer)? {
        Some(stop) => stop,
        None => walk.run(pilot, observer)?,
    };
    let Walk { state, effects, .. } = walk;
    Ok(Walked::ended(state, stop, pilot.purse(), effects.used()))
}

/// What a walk delivers that ends before its pilot ends it.
const BEST: &str = "this is what was extracted so far";
const NOTHING: &str = "nothing was extracted";

fn end_of(stop: &Stop, extracts: &[PageExtract]) -> WalkEnd {
    WalkEnd {
        stop: stop.as_str().to_owned(),
        line: stop.line_with(if extracts.is_empty() { NOTHING } else { BEST }),
        answer: None,
        citations: Vec::new(),
        cost_pico_usd: Default::default(),
    }
}

/// A walk between its first page and its end.
struct Walk<'a, S> {
    session: &'a mut S,
    goal: &'a str,
    state: WalkState,
    limits: &'a WalkLimits,
    effects: EffectLedger<'a>,
    deadline: &'a Deadline,
    /// The effect that was asked about last, if it was refused.
    refused: Option<String>,
    /// Nothing was done after that.
    was_refused_last: bool,
    may_repeat: bool,
}

/// Where a walk was when a turn began.
struct TurnBegin {
    n_steps: usize,
    n_questions: usize,
    spent: PicoUsd,
    projection: Projection,
}

impl TurnBegin {
    fn of(state: &WalkState, projection: Projection, purse: Spend) -> TurnBegin {
        let (n_steps, n_questions) = (state.path.len(), state.guarded.n_questions);
        TurnBegin { n_steps, n_questions, spent: purse.spent_pico_usd, projection }
    }
}

/// What came of an action.
enum Acted {
    /// The walk goes on with the next action.
    Done,
    /// The rest of the decision is dropped, and the pilot is told why.
    Refused(String),
    /// The same, of what the pilot only tried: it goes on with something else.
    Passed(String),
    /// The walk ends.
    Ended(Stop),
}

impl<S: WalkSession> Walk<'_, S> {
    /// Goes to the first page, unless the walk is there already.
    fn begin(&mut self, observer: &mut dyn WalkObserver) -> Result<Option<Stop>, S::Error> {
        if !self.state.start.is_empty() {
            return Ok(None);
        }
        let moved = match self.happen(&Move::Start, 0, "start", observer)? {
            Ok(happened) => happened.moved,
            Err(stop) => return Ok(Some(stop)),
        };
        if !moved.is_done() {
            return Ok(Some(Stop::ProviderFailed(moved.result)));
        }
        self.state.start = self.session.screen().digest();
        self.state.look(self.session.screen());
        Ok(self.keep(observer))
    }

    fn run(
        &mut self,
        pilot: &mut dyn WalkPilot,
        observer: &mut dyn WalkObserver,
    ) -> Result<Stop, S::Error> {
        loop {
            if let Some(stop) = self.deadline.expired() {
                return Ok(stop);
            }
            if self.state.turns >= self.limits.turns {
                return Ok(Stop::TurnLimit);
            }
            if self.state.n_unusable as usize >= MOST_UNUSABLE {
                let last = self.state.complaints.last().cloned().unwrap_or_default();
                return Ok(match self.refused.take() {
                    Some(effect) => Stop::EffectRefused(effect),
                    None => Stop::UnusableAnswers(last),
                });
            }
            let projection = match pilot.prepare(&self.turn()) {
                Ok(projection) => projection,
                Err(stop) => return Ok(stop),
            };
            let checkpoint = WalkCheckpoint {
                screen: self.session.screen(),
                state: &self.state,
                purse: pilot.purse(),
                projection,
                steps_left: self.steps_left(),
            };
            // The time of the person's answer does not count.
            match self.deadline.pausing(|| observer.next(&checkpoint)) {
                WalkDirective::GoOn => {}
                WalkDirective::StopHere => return Ok(Stop::StoppedByPerson),
                WalkDirective::Quit => return Ok(Stop::Quit),
                WalkDirective::Interrupt => return Ok(Stop::Interrupted),
                WalkDirective::Say(words) => {
                    self.state.feedback.push(Sanitized::text(&words).into_string());
                    if let Some(stop) = self.keep(observer) {
                        return Ok(stop);
                    }
                    continue;
                }
            }
            let begun = TurnBegin::of(&self.state, projection, pilot.purse());
            let decision = match pilot.decide(&self.turn()) {
                Ok(decision) => decision,
                Err(stop) => return Ok(stop),
            };
            let why = Sanitized::text(&decision.why).into_string();
            let stop = self.take(decision, &why, observer)?;
            observer.turn(&self.report(begun, why, pilot.purse()));
            if let Some(stop) = stop {
                return Ok(stop);
            }
            if let Some(stop) = self.keep(observer) {
                return Ok(stop);
            }
        }
    }

    fn turn(&self) -> WalkTurn<'_> {
        WalkTurn {
            turn: self.state.turns + 1,
            goal: self.goal,
            screen: self.session.screen(),
            state: &self.state,
            steps_left: self.steps_left(),
            resources_left: self.limits.resources.left(self.effects.used()),
            view_tokens: self.limits.view_tokens,
            secrets: self.session.secrets(),
            files: self.session.files(),
            destroying: self.destroying(),
            can_search: self.session.can_search(),
            deadline: self.deadline,
        }
    }

    /// Returns which of the entries that share their names would destroy something.
    fn destroying(&self) -> BTreeSet<usize> {
        let entries = &self.session.screen().entries;
        let mut named: BTreeMap<(EntryKind, String), Vec<usize>> = BTreeMap::new();
        for (entry, number) in entries.iter().zip(1..) {
            named.entry((entry.kind, entry.label.to_lowercase())).or_default().push(number);
        }
        let destroys = |number: &usize| {
            matches!(self.session.effect(&Move::Click(*number)), Effect::Destroys { .. })
        };
        named.into_values().filter(|same| same.len() > 1).flatten().filter(destroys).collect()
    }

    fn steps_left(&self) -> u32 {
        self.limits.steps.saturating_sub(self.state.n_steps())
    }

    /// Reports the turn that is over.
    fn report(&self, begun: TurnBegin, why: String, purse: Spend) -> WalkTurnReport {
        let (state, screen) = (&self.state, self.session.screen());
        let steps = state.path.iter().skip(begun.n_steps);
        let spent = purse.spent_pico_usd.0.saturating_sub(begun.spent.0);
        let limits =
            ResourceLimits { steps: Some(u64::from(self.limits.steps)), ..self.limits.resources };
        let used = Resources { steps: u64::from(state.n_steps()), ..self.effects.used() };
        WalkTurnReport {
            turn: state.turns,
            why,
            steps: steps.map(|step| format!("{} → {}", step.action, step.result)).collect(),
            complaints: state.complaints.clone(),
            asked: state.guarded.asked_after(begun.n_questions),
            place: format!("{} ({})", screen.place().join(" › "), screen.address),
            cost_pico_usd: PicoUsd(spent),
            projection: begun.projection,
            purse,
            resources: ResourceReport { used, limits },
        }
    }

    /// Takes the actions of a decision, until one is refused.
    fn take(
        &mut self,
        decision: WalkDecision,
        why: &str,
        observer: &mut dyn WalkObserver,
    ) -> Result<Option<Stop>, S::Error> {
        self.state.turns = self.state.turns.saturating_add(1);
        self.state.tokens = self.state.tokens.plus(decision.tokens);
        self.state.complaints = decision.complaints;
        let mut is_usable = false;
        for action in decision.actions {
            match self.act(action, why, (decision.is_of_goal, decision.is_guess), observer)? {
                Acted::Done => is_usable = true,
                Acted::Ended(stop) => return Ok(Some(stop)),
                Acted::Refused(complaint) => {
                    self.state.complaints.push(complaint);
                    break;
                }
                Acted::Passed(complaint) => {
                    is_usable = true;
                    self.state.complaints.push(complaint);
                    break;
                }
            }
        }
        self.state.complaints.iter().for_each(|complaint| observer.complaint(complaint));
        self.state.n_unusable = if is_usable { 0 } else { self.state.n_unusable.saturating_add(1) };
        Ok(None)
    }

    fn act(
        &mut self,
        action: WalkAction,
        why: &str,
        (is_of_goal, is_guess): (bool, bool),
        observer: &mut dyn WalkObserver,
    ) -> Result<Acted, S::Error> {
        if action.is_end() {
            return Ok(self.end(action));
        }
        let screen = before(self.session.screen(), &action);
        if !self.may_repeat && self.state.has_tried(&screen, &action) {
            return Ok(Acted::Refused(format!(
                "`{action}` was done on this page before, with the same page: do something else"
            )));
        }
        if self.steps_left() == 0 {
            let none = ResourceShortage { needed: 1, left: 0 };
            return Ok(Acted::Ended(Stop::StepLimit(none)));
        }
        let (number, name) = (self.state.n_steps() + 1, action.to_string());
        let by_link = clicks_link(self.session.screen(), &action);
        let MoveOutcome { moved, refused } = match (&action, Move::of(&action)) {
            (WalkAction::Search { words }, _) => {
                let within = self.limits.resources.left(self.effects.used());
                let search = Move::Search { words: words.clone(), within };
                observer.searching(self.session.needs(&search));
                match self.happen(&search, number, &name, observer)? {
                    Ok(happened) => happened,
                    Err(stop) => return Ok(Acted::Ended(stop)),
                }
            }
            (_, None) => MoveOutcome { moved: self.extract(&action), refused: Vec::new() },
            (_, Some(to)) => {
                if let Some(refused) = self.disallowed(&action, &to, is_guess, observer) {
                    return Ok(refused);
                }
                match self.happen(&to, number, &name, observer)? {
                    Ok(happened) => {
                        let MoveOutcome { moved, refused } = &happened;
                        let is_here = before(self.session.screen(), &action) == screen;
                        if is_here && !moved.is_done() && refused.is_empty() {
                            self.state.fail(self.session.screen(), &to);
                        }
                        happened
                    }
                    Err(stop) => return Ok(Acted::Ended(stop)),
                }
            }
        };
        let now = self.session.screen();
        self.state.look(now);
        self.state.know(&moved.found);
        let step = PathStep {
            action,
            result: one_line(&moved.result, MAX_RESULT),
            outcome: moved.outcome,
            is_shown: moved.is_shown,
            opened: moved.opened,
            by_link,
            found: moved.found,
            sends: moved.sends,
            refused,
            why: why.to_owned(),
            is_of_goal,
            before: screen,
            after: now.digest(),
            address: now.address.clone(),
        };
        observer.step(&step, now);
        self.state.path.push(step);
        Ok(match self.keep(observer) {
            Some(stop) => Acted::Ended(stop),
            None => Acted::Done,
        })
    }

    /// Asks about an effect that nobody has allowed yet. Returns the complaint if it is refused.
    fn disallowed(
        &mut self,
        action: &WalkAction,
        to: &Move,
        is_guess: bool,
        observer: &mut dyn WalkObserver,
    ) -> Option<Acted> {
        let effect = not_allowed(self.session, to, &self.state, self.limits)?;
        let name = action.to_string();
        if is_guess && matches!(&effect, Effect::Destroys { what } if !self.is_about(what)) {
            self.state.leave_out(self.session.screen(), to, &name, &effect);
            return Some(Acted::Passed(format!(
                "`{name}` was left out: it {effect}, of which the goal says nothing"
            )));
        }
        let beside = beside(self.session, to);
        let number = self.state.n_steps() + 1;
        let step = StepName { number, name: &name, beside: beside.as_deref() };
        let Walk { limits, effects, deadline, session, state, .. } = self;
        let mut bounds = MoveBounds { limits, effects, deadline, observer, state, refused: &[] };
        if bounds.ask(*session, to, step, &effect) != EffectAnswer::Yes {
            let complaint = format!("`{name}` was refused: it {effect}");
            // A host that only may lead on is nothing that the goal needs.
            let is_named = |host: &str| self.goal.to_lowercase().contains(host);
            if is_guess && matches!(&effect, Effect::Reads { host } if !is_named(host)) {
                return Some(Acted::Passed(complaint));
            }
            self.refused = Some(question(&name, &effect));
            self.was_refused_last = true;
            return Some(Acted::Refused(complaint));
        }
        self.refused = None;
        self.state.allow(effect);
        None
    }

    /// Reports whether the goal has a word of a text.
    fn is_about(&self, text: &str) -> bool {
        !evidence_words(self.goal).is_disjoint(&evidence_words(text))
    }

    /// Reserves, makes and settles a move.
    fn happen(
        &mut self,
        to: &Move,
        number: u32,
        name: &str,
        observer: &mut dyn WalkObserver,
    ) -> Result<Result<MoveOutcome, Stop>, S::Error> {
        let Walk { limits, effects, deadline, session, state, .. } = self;
        let mut bounds = MoveBounds { limits, effects, deadline, observer, state, refused: &[] };
        let beside = beside(*session, to);
        let step = StepName { number, name, beside: beside.as_deref() };
        let happened = bounds.happen(*session, to, step)?;
        Ok(happened.inspect(|happened| {
            let refused = refusal(name, &happened.refused);
            self.was_refused_last = refused.is_some();
            self.refused = refused.or_else(|| self.refused.take());
        }))
    }

    fn extract(&mut self, action: &WalkAction) -> Moved {
        let WalkAction::Extract { sections } = action else { return Moved::default() };
        let extract = extract_of(self.session.screen(), sections);
        if extract.text.is_empty() {
            let result = "this page has no text to extract".to_owned();
            return Moved { result, ..Moved::default() };
        }
        let result =
            format!("extracted {} characters{}", extract.text.chars().count(), extract.rest());
        self.state.extracts.push(extract);
        Moved::done(result)
    }

    fn keep(&self, observer: &mut dyn WalkObserver) -> Option<Stop> {
        observer.keep(&self.state).err().map(|error| Stop::StateFailed(error.to_string()))
    }
}

fn clicks_link(screen: &Screen, action: &WalkAction) -> bool {
    let WalkAction::Click { number, .. } = action else { return false };
    screen.entry(*number).is_some_and(|entry| entry.kind == EntryKind::Link)
}
