//! The loop for programs that embed it: what [`explore()`] takes all at once, said by name and only
//! where it differs.

use std::fmt;

use repo_map::{FlightPlan, Repo};

use crate::run::explore::{Exploration, Limits, Observer, draft, explore};
use crate::run::pilot::Pilot;
use crate::run::state::State;

/// An exploration that is being set up: without more it starts from above, takes up to 20 turns,
/// and tells nobody.
#[must_use]
pub struct Navigator<'a> {
    plan: &'a FlightPlan,
    start: Start,
    limits: Limits,
    observer: Option<&'a mut dyn Observer>,
}

/// Where the first turn is taken from.
enum Start {
    Above,
    Draft,
    At(Box<State>),
}

impl<'a> Navigator<'a> {
    /// An exploration for a plan's goal. The plan's rules are bounds that no pilot passes; the
    /// repository has to be opened by the same plan.
    pub fn new(plan: &'a FlightPlan) -> Navigator<'a> {
        Navigator { plan, start: Start::Above, limits: Limits::default(), observer: None }
    }

    /// Starts from the map that the offline pilot would leave, as is best for a model: then its
    /// first turn corrects a map instead of making one, and the best so far is never worse than
    /// without it.
    pub fn from_draft(self) -> Self {
        Navigator { start: Start::Draft, ..self }
    }

    /// Goes on from a state: that of an earlier [`Exploration`], or one that an [`Observer`] kept.
    pub fn from_state(self, state: State) -> Self {
        Navigator { start: Start::At(Box::new(state)), ..self }
    }

    /// What ends the exploration before the pilot does.
    pub fn limits(self, limits: Limits) -> Self {
        Navigator { limits, ..self }
    }

    /// Who is told of each turn, and may end the run or speak to the pilot.
    pub fn observer(self, observer: &'a mut dyn Observer) -> Self {
        Navigator { observer: Some(observer), ..self }
    }

    /// Explores `repo` until the pilot finalizes, a limit is reached or the observer ends it.
    /// Blocks the thread meanwhile.
    ///
    /// # Errors
    /// When a glob of the plan or the state does not compile. What goes wrong on the way (a
    /// provider that fails, a limit that is reached) is no error but the [`Stop`](crate::Stop) of
    /// what was found.
    ///
    /// # Panics
    /// When the system has no randomness to give.
    pub fn explore(self, repo: &mut Repo, pilot: &mut dyn Pilot) -> repo_map::Result<Exploration> {
        let state = match self.start {
            Start::Above => State::of(self.plan),
            Start::Draft => State { rules: draft(repo, self.plan)?, ..State::of(self.plan) },
            Start::At(state) => *state,
        };
        explore(repo, self.plan, state, pilot, &self.limits, self.observer.unwrap_or(&mut ()))
    }
}

impl fmt::Debug for Navigator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Navigator")
            .field("goal", &self.plan.goal)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
