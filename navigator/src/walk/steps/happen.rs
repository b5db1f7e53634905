//! A move of a walk: asked about, reserved in writing before it, settled after it.

use crate::money::effect::{Effect, Permit, Resources};
use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::walk::action::ControlOperation;
use crate::walk::screen::ScreenEntry;
use crate::walk::session::{EffectAnswer, Move, Moved, WalkSession};
use crate::walk::state::WalkState;
use crate::walk::steps::limits::WalkLimits;
use crate::walk::steps::observer::WalkObserver;

/// A step that is taken: its number, 0 for the first page, and its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepName<'a> {
    pub(crate) number: u32,
    pub(crate) name: &'a str,
    /// The text around the control that it operates, where others have the same name.
    pub(crate) beside: Option<&'a str>,
}

/// Returns the text around the control that a move operates, where others have the same name.
pub(crate) fn beside<S: WalkSession>(session: &S, to: &Move) -> Option<String> {
    let (Move::Click(number) | Move::Operate(number, _)) = to else { return None };
    session.screen().entry(*number)?.control.as_ref()?.beside.clone()
}

/// Returns the text around the control that a move presses, where it stands beside no other one of
/// the name: rows may be alike, also in the part of them that is kept.
fn own_row<S: WalkSession>(session: &S, to: &Move) -> Option<String> {
    if matches!(to, Move::Operate(_, ControlOperation::Drag { .. })) {
        return None;
    }
    let row = beside(session, to).filter(|row| !row.ends_with('…'))?;
    let (Move::Click(number) | Move::Operate(number, _)) = to else { return None };
    let own = session.screen().entry(*number)?;
    let is_like = |other: &&ScreenEntry| {
        let text = other.control.as_ref().and_then(|control| control.beside.as_deref());
        (other.kind, &other.label, text) == (own.kind, &own.label, Some(&*row))
    };
    (session.screen().entries.iter().filter(is_like).count() == 1).then_some(row)
}

/// Returns the rule that allows the effect of a move in its row alone, if there can be one.
fn rule_of_row<S: WalkSession>(session: &S, to: &Move, effect: &Effect) -> Option<String> {
    let is_destroying = matches!(effect, Effect::Destroys { .. }) && session.effect(to) == *effect;
    let beside = Some(own_row(session, to).filter(|_| is_destroying)?);
    Some(Permit { beside, ..effect.permit()? }.to_string())
}

/// Reports whether an effect is allowed, of any control or of the one in a row.
fn is_allowed(effect: &Effect, row: Option<&str>, limits: &WalkLimits) -> bool {
    limits.allow.iter().any(|permit| permit.allows(effect, row))
}

/// What bounds a move, and answers for the person.
pub(crate) struct MoveBounds<'a, 'j> {
    pub(crate) limits: &'a WalkLimits,
    pub(crate) effects: &'a mut EffectLedger<'j>,
    pub(crate) deadline: &'a Deadline,
    pub(crate) observer: &'a mut dyn WalkObserver,
    /// The walk, which keeps what is asked and stopped.
    pub(crate) state: &'a mut WalkState,
    /// What is refused without a question.
    pub(crate) refused: &'a [Effect],
}

/// What came of a move.
#[derive(Debug)]
pub(crate) struct MoveOutcome {
    pub(crate) moved: Moved,
    /// What it would have done, and was refused.
    pub(crate) refused: Vec<Effect>,
}

/// Returns the question whether a step may have an effect, as a predicate.
pub(crate) fn question(name: &str, effect: &Effect) -> String {
    format!("`{name}` {effect}")
}

/// Returns what a step would have done and was refused last, in words.
pub(crate) fn refusal(name: &str, refused: &[Effect]) -> Option<String> {
    refused.last().map(|effect| question(name, effect))
}

/// Returns the effect of a move, unless it has none or it is allowed already.
pub(crate) fn not_allowed<S: WalkSession>(
    session: &S,
    to: &Move,
    state: &WalkState,
    limits: &WalkLimits,
) -> Option<Effect> {
    let effect = session.effect(to);
    let is_known = match &effect {
        Effect::None => true,
        Effect::Reads { host } => session.is_named(host) || state.allowed.contains(host),
        Effect::Sends { .. } | Effect::Destroys { .. } => false,
    };
    let is_allowed = || is_allowed(&effect, own_row(session, to).as_deref(), limits);
    (!is_known && !is_allowed()).then_some(effect)
}

impl MoveBounds<'_, '_> {
    /// Asks whether a step may have its effect; the time of the answer does not count.
    pub(crate) fn ask<S: WalkSession>(
        &mut self,
        session: &mut S,
        to: &Move,
        step: StepName<'_>,
        effect: &Effect,
    ) -> EffectAnswer {
        if self.refused.contains(effect) {
            return EffectAnswer::No;
        }
        let question = question(step.name, effect);
        session.log_question(&question, None);
        self.observer.beside(step.beside);
        if let Some(rule) = rule_of_row(session, to, effect) {
            self.observer.rule(Some(&rule));
        }
        let answer = self.deadline.pausing(|| self.observer.approve(step.name, effect));
        let is_yes = answer == EffectAnswer::Yes;
        session.log_question(&question, Some(is_yes));
        self.state.guarded.asked(step.number, &question, is_yes);
        if !is_yes {
            self.state.refuse(session.screen(), to, step.name, effect);
        }
        answer
    }

    /// Reserves, makes and settles a move. What it would send on the way is asked about, and
    /// reserved before it leaves. A move in which the world ends stays reserved: nobody knows what
    /// it used.
    pub(crate) fn happen<S: WalkSession>(
        &mut self,
        session: &mut S,
        to: &Move,
        step: StepName<'_>,
    ) -> Result<Result<MoveOutcome, Stop>, S::Error> {
        let happened = self.happen_whole(session, to, step);
        happened.or_else(|error| S::ended_by(&error).map(Err).ok_or(error))
    }

    fn happen_whole<S: WalkSession>(
        &mut self,
        session: &mut S,
        to: &Move,
        step: StepName<'_>,
    ) -> Result<Result<MoveOutcome, Stop>, S::Error> {
        let steps = u64::from(step.number.min(1));
        let mut needs = Resources { steps, ..session.needs(to) };
        if let Err(stop) = self.reserve(step, &session.effect(to), needs) {
            return Ok(Err(stop));
        }
        session.begin_step(step.number, step.name);
        let mut moved = session.go(to, self.deadline)?;
        let mut refused: Vec<Effect> = Vec::new();
        loop {
            self.state.guarded.stopped(step.number, &moved.stopped);
            let used = Resources { steps: needs.steps, ..moved.used };
            if let Err(error) = self.effects.settle(used, moved.is_done()) {
                return Ok(Err(Stop::LedgerFailed(error.to_string())));
            }
            let Some(effect) = moved.question.take() else {
                for effect in &moved.beside {
                    let at = refused.iter().position(|one| one == effect);
                    at.map(|at| refused.remove(at));
                }
                return Ok(Ok(MoveOutcome { moved, refused }));
            };
            // A control that warns was asked about before.
            let answer = match is_allowed(&effect, None, self.limits) {
                true => EffectAnswer::Yes,
                false => {
                    self.observer.fields(&moved.fields);
                    self.observer.rule(moved.rule.as_deref());
                    self.ask(session, to, step, &effect)
                }
            };
            // What a no leads to is a part of the step that was settled.
            let is_yes = answer == EffectAnswer::Yes;
            if !is_yes {
                refused.push(effect.clone());
            }
            let effect = if is_yes { effect } else { Effect::None };
            needs = Resources { requests: u64::from(is_yes), ..Resources::default() };
            if let Err(stop) = self.reserve(step, &effect, needs) {
                session.answer(EffectAnswer::No, self.deadline)?;
                return Ok(Err(stop));
            }
            moved = session.answer(answer, self.deadline)?;
        }
    }

    fn reserve(
        &mut self,
        step: StepName<'_>,
        effect: &Effect,
        needs: Resources,
    ) -> Result<(), Stop> {
        let limits = &self.limits.resources;
        self.effects.reserve(step.number, step.name, effect, needs, limits).map_err(Stop::from)
    }
}
