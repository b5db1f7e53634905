//! The observer of a run: it receives progress, stores the state, and answers questions between
//! turns and before a change has an effect.

use std::io;

use crate::money::effect::Effect;
use crate::run::pilot::{Projection, Spend};
use crate::run::plan::Plan;
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::terrain::{ChangeOf, Terrain};

/// A point between two turns, or after the last one.
#[derive(Debug)]
pub struct Checkpoint<'a, T: Terrain> {
    /// The state.
    pub state: &'a State<T::Plan>,
    /// The map of the current plan.
    pub map: &'a T::Map,
    /// The spend so far.
    pub purse: Spend,
    /// The projected cost of the next turn; `None` when the pilot has finalized.
    pub projection: Option<Projection>,
}

/// A change that needs approval because of its effect.
#[derive(Debug)]
pub struct EffectQuestion<'a, T: Terrain> {
    /// The change.
    pub change: &'a ChangeOf<T>,
    /// The effect of the change.
    pub effect: &'a Effect,
    /// The state before the turn.
    pub state: &'a State<T::Plan>,
}

/// The next step that a person chooses.
#[derive(Debug, Clone, PartialEq)]
pub enum Directive<P: Plan> {
    /// Continue; or accept the context, when the pilot has finalized.
    GoOn,
    /// Accept the current context.
    StopHere,
    /// Send a message to the pilot.
    Feedback(String),
    /// Replace the plan.
    Edit {
        /// The new bounds.
        bounds: P,
        /// The pilot's new plan.
        rules: P,
    },
    /// End without a context.
    Quit,
    /// End at once, with the current context.
    Interrupt,
}

/// Receives the progress of a run, stores its state, and may end the run or send feedback to the
/// pilot. By default the run continues.
pub trait Observer<T: Terrain> {
    /// Stores a changed state that must survive a crash.
    ///
    /// # Errors
    /// If the state cannot be stored; the run then ends.
    fn keep(&mut self, _state: &State<T::Plan>) -> io::Result<()> {
        Ok(())
    }

    /// Receives the map before the first turn and after each change by the person.
    fn on_map(&mut self, _state: &State<T::Plan>, _map: &T::Map) {}

    /// Receives the report of a finished turn and the map after it.
    fn turn(&mut self, _report: &TurnReport, _map: &T::Map) {}

    /// Decides whether a change may have its effect. The default, without a person to ask, is no.
    fn approve(&mut self, _question: &EffectQuestion<'_, T>) -> bool {
        false
    }

    /// Chooses the next step, before a turn or after the pilot has finalized.
    fn next(&mut self, _checkpoint: &Checkpoint<'_, T>) -> Directive<T::Plan> {
        Directive::GoOn
    }
}

/// An observer that does nothing.
impl<T: Terrain> Observer<T> for () {}
