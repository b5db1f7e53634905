//! The builder for programs that embed the loop: a terrain, a pilot, and named options.

use std::fmt;

use crate::money::effect_ledger::EffectLedger;
use crate::pilot::offline::offline_rules;
use crate::run::explore::{Exploration, Limits, explore, preview};
use crate::run::observer::Observer;
use crate::run::pilot::{Pilot, Turn};
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// An exploration being set up. By default it starts from the overview, takes up to 20 turns and
/// reports to no observer.
#[must_use]
pub struct Navigator<'a, T: Terrain> {
    terrain: &'a mut T,
    start: Start<T>,
    limits: Limits,
    effects: EffectLedger<'a>,
    observer: Option<&'a mut dyn Observer<T>>,
}

/// The start of the first turn.
enum Start<T: Terrain> {
    Overview,
    Offline,
    At(Box<State<T::Plan>>),
}

impl<'a, T: Terrain> Navigator<'a, T> {
    /// Sets up an exploration of a terrain for its goal, within its bounds.
    pub fn new(terrain: &'a mut T) -> Navigator<'a, T> {
        Navigator {
            terrain,
            start: Start::Overview,
            limits: Limits::default(),
            effects: EffectLedger::default(),
            observer: None,
        }
    }

    /// Starts from the final map of the offline pilot. This is best for a model: its first turn
    /// corrects a map instead of making one, and the best context is never worse than the offline
    /// one.
    pub fn from_offline(self) -> Self {
        Navigator { start: Start::Offline, ..self }
    }

    /// Resumes from a state: that of an earlier [`Exploration`], or one that an [`Observer`]
    /// stored.
    pub fn from_state(self, state: State<T::Plan>) -> Self {
        Navigator { start: Start::At(Box::new(state)), ..self }
    }

    /// Sets limits that end the exploration before the pilot finalizes.
    pub fn limits(self, limits: Limits) -> Self {
        Navigator { limits, ..self }
    }

    /// Sets the ledger in which effects are written before they happen. By default it is in memory.
    pub fn effects(self, effects: EffectLedger<'a>) -> Self {
        Navigator { effects, ..self }
    }

    /// Sets the observer, which receives each turn and may end the run or send feedback to the
    /// pilot.
    pub fn observer(self, observer: &'a mut dyn Observer<T>) -> Self {
        Navigator { observer: Some(observer), ..self }
    }

    /// Explores until the pilot finalizes, a limit is reached or the observer ends the run. Blocks
    /// the thread.
    ///
    /// # Errors
    /// If bounds or plan cannot be used. A failing provider or a reached limit is not an error but
    /// the [`Stop`](crate::Stop) of the result.
    ///
    /// # Panics
    /// If the system provides no randomness.
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

    /// Shows the first turn as a pilot would see it, without taking it. For
    /// [`ModelPilot::first_request`](crate::ModelPilot::first_request), which returns the request
    /// and its maximum cost.
    ///
    /// # Errors
    /// As [`Navigator::explore`].
    ///
    /// # Panics
    /// If the system provides no randomness.
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
