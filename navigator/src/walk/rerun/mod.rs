//! Takes the steps of a recorded walk again in the live world, and compares each screen with the
//! recorded one. The number of a control is its position, and means the same control only on the
//! same screen: so the first screen that differs ends it.
//!
//! A step that is taken again does nothing that it did not do in the walk. One that was refused
//! what it wanted, and may have it now, is no step to take again: the path ends before it.

pub(crate) mod changes;
pub mod retrace;

use crate::money::effect::Effect;
use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::walk::rerun::changes::differences;
use crate::walk::session::{EffectAnswer, Move, Moved, WalkSession};
use crate::walk::state::{PathStep, WalkState};
use crate::walk::steps::happen::{MoveBounds, StepName, beside, not_allowed, question};
use crate::walk::steps::limits::WalkLimits;
use crate::walk::steps::observer::WalkObserver;

/// What came of the steps of a walk that were taken again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retaken {
    /// All screens are as recorded.
    Same,
    /// A step shows another screen, or came out otherwise. No further step was taken.
    Differs {
        /// Its number, 0 for the first page.
        step: usize,
        /// How it differs.
        how: String,
    },
    /// A step was not taken: a limit was reached, or an effect not allowed.
    Stopped {
        /// Its number, 0 for the first page.
        step: usize,
        /// The reason.
        stop: Stop,
    },
}

/// The world that is walked again, and what was recorded of it.
#[derive(Debug)]
pub struct Beside<'a, S> {
    /// The live world, before its first page.
    pub live: &'a mut S,
    /// The recording, before its first page. It has all that the state names.
    pub recorded: &'a mut S,
}

/// Ends a path before its first step that was refused something that may happen now; or, where it
/// can be asked about again, before a last step that was refused. Returns that step, which is still
/// to be taken.
pub fn cut_before_refused(
    state: &mut WalkState,
    may_happen: impl Fn(&Effect) -> bool,
    can_ask: bool,
) -> Option<PathStep> {
    let is_allowed = |step: &PathStep| step.refused.iter().any(&may_happen);
    let is_last = |at: &usize| can_ask && !state.path[*at].refused.is_empty();
    let last = state.path.len().checked_sub(1).filter(is_last);
    let at = state.path.iter().position(is_allowed).or(last)?;
    state.extracts.truncate(state.path[..at].iter().filter(|step| step.takes()).count());
    state.path.drain(at..).next()
}

/// Takes the steps of a state again. What asked before asks again: a yes to read from a host holds
/// if the state has it, any other one was for its step alone.
///
/// # Errors
/// If the world cannot be used any more, or the recording cannot be read.
pub fn rerun<S: WalkSession>(
    worlds: Beside<'_, S>,
    state: &mut WalkState,
    limits: &WalkLimits,
    effects: &mut EffectLedger<'_>,
    deadline: &Deadline,
    observer: &mut dyn WalkObserver,
) -> Result<Retaken, S::Error> {
    let Beside { live, recorded } = worlds;
    for TakenStep { step, name, to, was_shown, refused } in taken_steps(state) {
        if let Some(stop) = deadline.expired() {
            return Ok(Retaken::Stopped { step, stop });
        }
        let number = u32::try_from(step).unwrap_or(u32::MAX);
        let beside = beside(live, &to);
        let taken = StepName { number, name: &name, beside: beside.as_deref() };
        let mut bounds =
            MoveBounds { limits, effects, deadline, observer, state, refused: &refused };
        let is_refused = |effect: &Effect| {
            let stop = Stop::EffectRefused(question(&name, effect));
            Ok(Retaken::Stopped { step, stop })
        };
        if let Some(effect) = not_allowed(live, &to, bounds.state, limits) {
            if bounds.ask(live, &to, taken, &effect) != EffectAnswer::Yes {
                return is_refused(&effect);
            }
            bounds.state.allow(effect);
        }
        let happened = bounds.happen(live, &to, taken)?;
        let happened = match happened {
            Ok(happened) => happened,
            Err(stop) => return Ok(Retaken::Stopped { step, stop }),
        };
        if let Some(effect) = happened.refused.iter().find(|effect| !refused.contains(effect)) {
            return is_refused(effect);
        }
        if was_shown {
            recorded.go(&to, deadline)?;
        } else if refused.is_empty() {
            state.fail(live.screen(), &to);
        }
        if let Some(how) = difference(live, recorded, &happened.moved, was_shown) {
            // What was cut short by Ctrl-C says nothing of the page.
            return Ok(match deadline.expired() {
                Some(stop) => Retaken::Stopped { step, stop },
                None => Retaken::Differs { step, how },
            });
        }
        state.look(live.screen());
    }
    Ok(Retaken::Same)
}

/// A step of a path, to take again.
struct TakenStep {
    /// Its number, 0 for the first page.
    step: usize,
    name: String,
    to: Move,
    was_shown: bool,
    refused: Vec<Effect>,
}

fn taken_steps(state: &WalkState) -> Vec<TakenStep> {
    let first = TakenStep {
        step: 0,
        name: "start".to_owned(),
        to: Move::Start,
        was_shown: true,
        refused: Vec::new(),
    };
    let of_path = (1..).zip(&state.path).filter_map(|(step, taken)| {
        Some(TakenStep {
            step,
            name: taken.action.to_string(),
            to: Move::of(&taken.action)?,
            was_shown: taken.is_shown,
            refused: taken.refused.clone(),
        })
    });
    [first].into_iter().chain(of_path).collect()
}

/// Tells how what came of a step differs from what was recorded; `None` if it does not.
fn difference<S: WalkSession>(
    live: &S,
    recorded: &S,
    moved: &Moved,
    was_shown: bool,
) -> Option<String> {
    let (now, then) = (live.screen(), recorded.screen());
    match (moved.is_shown, was_shown) {
        (false, true) => Some(format!("it fails now: {}", moved.result)),
        (true, false) => Some(format!("it failed then, and now: {}", moved.result)),
        _ if now.digest() == then.digest() => None,
        _ => Some(differences(then, now)),
    }
}

/// Returns the number of screens that the steps of a state have shown.
pub fn n_screens(state: &WalkState) -> usize {
    let shows = state.path.iter().filter(|step| step.is_shown && Move::of(&step.action).is_some());
    usize::from(!state.start.is_empty()) + shows.count()
}
