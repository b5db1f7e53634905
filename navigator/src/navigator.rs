//! The loop for programs that embed it: terrain and pilot, and the rest said by name where it
//! differs.

use std::fmt;

use crate::money::effect_ledger::EffectLedger;
use crate::pilot::offline::offline_rules;
use crate::run::explore::{Exploration, Limits, explore, preview};
use crate::run::observer::Observer;
use crate::run::pilot::{Pilot, Turn};
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// An exploration that is being set up: without more it starts from above, takes up to 20 turns,
/// and reports to nobody.
#[must_use]
pub struct Navigator<'a, T: Terrain> {
    terrain: &'a mut T,
    start: Start<T>,
    limits: Limits,
    effects: EffectLedger<'a>,
    observer: Option<&'a mut dyn Observer<T>>,
}

/// Where the first turn is taken from.
enum Start<T: Terrain> {
    Overview,
    Offline,
    At(Box<State<T::Plan>>),
}

impl<'a, T: Terrain> Navigator<'a, T> {
    /// An exploration of a terrain for its goal, within its bounds.
    pub fn new(terrain: &'a mut T) -> Navigator<'a, T> {
        Navigator {
            terrain,
            start: Start::Overview,
            limits: Limits::default(),
            effects: EffectLedger::default(),
            observer: None,
        }
    }

    /// Starts from the map that the offline pilot would leave, as is best for a model: then its
    /// first turn corrects a map instead of making one, and the best so far is never worse than
    /// without it.
    pub fn from_offline(self) -> Self {
        Navigator { start: Start::Offline, ..self }
    }

    /// Goes on from a state: that of an earlier [`Exploration`], or one that an [`Observer`] kept.
    pub fn from_state(self, state: State<T::Plan>) -> Self {
        Navigator { start: Start::At(Box::new(state)), ..self }
    }

    /// What ends the exploration before the pilot does.
    pub fn limits(self, limits: Limits) -> Self {
        Navigator { limits, ..self }
    }

    /// Where effects are written down before they happen; without one in memory alone.
    pub fn effects(self, effects: EffectLedger<'a>) -> Self {
        Navigator { effects, ..self }
    }

    /// Hears of each turn, and may end the run or speak to the pilot.
    pub fn observer(self, observer: &'a mut dyn Observer<T>) -> Self {
        Navigator { observer: Some(observer), ..self }
    }

    /// Explores until the pilot finalizes, a limit is reached or the observer ends it. Blocks the
    /// thread meanwhile.
    ///
    /// # Errors
    /// When bounds or plan cannot be used. What goes wrong on the way (a provider that fails, a
    /// limit that is reached) is no error but the [`Stop`](crate::Stop) of what was found.
    ///
    /// # Panics
    /// When the system has no randomness to give.
    pub fn explore(self, pilot: &mut dyn Pilot<T>) -> Result<Exploration<T>, T::Error> {
        let state = state_of(self.start, self.terrain, &self.limits)?;
        explore(
            self.terrain,
            state,
            pilot,
            &self.limits,
            self.effects,
            self.observer.unwrap_or(&mut ()),
        )
    }

    /// What a pilot would see in the first turn, without taking it: for
    /// [`ModelPilot::first_request`](crate::ModelPilot::first_request), which says what would be
    /// sent and what it could cost.
    ///
    /// # Errors
    /// As [`Navigator::explore`].
    ///
    /// # Panics
    /// When the system has no randomness to give.
    pub fn preview<R>(self, see: impl FnOnce(&mut Turn<'_, T>) -> R) -> Result<R, T::Error> {
        let state = state_of(self.start, self.terrain, &self.limits)?;
        preview(self.terrain, state, &self.limits, see)
    }
}

fn state_of<T: Terrain>(
    start: Start<T>,
    terrain: &mut T,
    limits: &Limits,
) -> Result<State<T::Plan>, T::Error> {
    Ok(match start {
        Start::Overview => terrain.first_state(),
        Start::Offline => State { rules: offline_rules(terrain, limits)?, ..terrain.first_state() },
        Start::At(state) => *state,
    })
}

impl<T: Terrain> fmt::Debug for Navigator<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Navigator")
            .field("goal", &self.terrain.goal())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
