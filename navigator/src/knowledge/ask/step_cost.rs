//! What a step of a way costs, in tenths of a step.

use crate::knowledge::model::{EffectClass, KnownScreen, Transition};

/// The cost of a step.
const STEP: u64 = 10;
/// What an effect above reading costs more: a person is asked.
const SENDS: u64 = 60;
/// What a step that destroys something costs more.
const DESTROYS: u64 = 600;
/// What a control costs more that was never on the screen; less the more often it was.
pub(super) const ABSENT: u64 = 80;
/// What a control costs more whose name the walk wrote itself: it may not be there.
const OWN_DATA: u64 = 90;

/// Returns the cost of a transition, without what is unsure.
pub(super) fn cost_of(from: &KnownScreen, transition: &Transition) -> u64 {
    let effects = transition.actions().map(|id| from.action(id).map(|one| one.effect));
    let dear = effects.flatten().map(|effect| match effect {
        EffectClass::Sends => SENDS,
        EffectClass::Destroys => DESTROYS,
        _ => 0,
    });
    let n_steps = 1 + transition.prepared.len() as u64;
    let own_data = if transition.is_of_own_data { OWN_DATA } else { 0 };
    let first = transition.actions().next().and_then(|id| from.action(id));
    let absent = first.map_or(0, |action| {
        // What appeared only after a step is rare on the screen too.
        let n_seen = u64::from(from.times_seen.max(1));
        let n_there = u64::from(action.times_there).min(n_seen);
        if n_there == 0 { 0 } else { ABSENT * (n_seen - n_there) / n_seen }
    });
    STEP * n_steps + dear.sum::<u64>() + own_data + absent
}
