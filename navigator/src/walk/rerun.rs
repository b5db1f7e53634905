//! Takes the steps of a recorded walk again in the live world, and compares each screen with the
//! recorded one. The number of a control is its position, and means the same control only on the
//! same screen: so the first screen that differs ends it.

use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::walk::changes::differences;
use crate::walk::happen::{MoveBounds, StepName, not_allowed};
use crate::walk::limits::WalkLimits;
use crate::walk::observer::WalkObserver;
use crate::walk::session::{Move, Moved, WalkSession};
use crate::walk::state::WalkState;
use crate::walk::steps::move_of;

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
    let moves = state.path.iter().enumerate().filter_map(|(at, step)| {
        Some((at + 1, step.action.to_string(), move_of(&step.action)?, step.is_done))
    });
    let first = (0, "start".to_owned(), Move::Start, true);
    let moves: Vec<(usize, String, Move, bool)> = [first].into_iter().chain(moves).collect();
    for (step, name, to, was_done) in moves {
        if let Some(stop) = deadline.expired() {
            return Ok(Retaken::Stopped { step, stop });
        }
        let mut bounds = MoveBounds { limits, effects, deadline, observer };
        if let Some(effect) = not_allowed(live, &to, state, limits) {
            if let (_, Some(refused)) = bounds.ask(live, &name, &effect) {
                return Ok(Retaken::Stopped { step, stop: Stop::EffectRefused(refused) });
            }
            state.allow(effect);
        }
        let number = u32::try_from(step).unwrap_or(u32::MAX);
        let happened = bounds.happen(live, &to, StepName { number, name: &name })?;
        let moved = match happened {
            Ok(happened) => happened.moved,
            Err(stop) => return Ok(Retaken::Stopped { step, stop }),
        };
        if was_done {
            recorded.go(&to, deadline)?;
        }
        if let Some(how) = difference(live, recorded, &moved, was_done) {
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

/// Tells how what came of a step differs from what was recorded; `None` if it does not.
fn difference<S: WalkSession>(
    live: &S,
    recorded: &S,
    moved: &Moved,
    was_done: bool,
) -> Option<String> {
    let (now, then) = (live.screen(), recorded.screen());
    match (moved.is_done, was_done) {
        (false, true) => Some(format!("it fails now: {}", moved.result)),
        (true, false) => Some(format!("it failed then, and now: {}", moved.result)),
        _ if now.digest() == then.digest() => None,
        _ => Some(differences(then, now)),
    }
}

/// Returns the number of screens that the steps of a state have shown.
pub fn n_screens(state: &WalkState) -> usize {
    let shows = state.path.iter().filter(|step| step.is_done && move_of(&step.action).is_some());
    usize::from(!state.start.is_empty()) + shows.count()
}
