//! Who is told how a run goes, keeps it, and may be asked: between turns, and before a change has
//! an effect on the world.

use std::io;

use crate::money::effect::Effect;
use crate::run::pilot::{Projection, Spend};
use crate::run::plan::Plan;
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::terrain::{ChangeOf, Terrain};

/// Where the run stands, before a turn or after the last.
#[derive(Debug)]
pub struct Checkpoint<'a, T: Terrain> {
    /// The state.
    pub state: &'a State<T::Plan>,
    /// The map as the plan stands now.
    pub map: &'a T::Map,
    /// What was spent so far.
    pub purse: Spend,
    /// What the next turn will cost; none when the pilot has finalized.
    pub projection: Option<Projection>,
}

/// A change that waits for a yes, because of what it does to the world.
#[derive(Debug)]
pub struct EffectQuestion<'a, T: Terrain> {
    /// The change.
    pub change: &'a ChangeOf<T>,
    /// What it does.
    pub effect: &'a Effect,
    /// The state before the turn.
    pub state: &'a State<T::Plan>,
}

/// What a person wants next.
#[derive(Debug, Clone, PartialEq)]
pub enum Directive<P: Plan> {
    /// Go on; or take the context, when the pilot has finalized.
    GoOn,
    /// Take the context as it stands.
    StopHere,
    /// Tell the pilot something.
    Feedback(String),
    /// Go by another plan.
    Edit {
        /// The person's bounds from now on.
        bounds: P,
        /// The pilot's plan from now on.
        rules: P,
    },
    /// End without a context.
    Quit,
    /// End now, with the context.
    Interrupt,
}

/// Hears how a run goes, keeps it, and may end it or speak to the pilot. Without an answer the run
/// goes on.
pub trait Observer<T: Terrain> {
    /// Something changed in the state that must not be lost.
    ///
    /// # Errors
    /// When it cannot be kept; the run goes no further.
    fn keep(&mut self, _state: &State<T::Plan>) -> io::Result<()> {
        Ok(())
    }

    /// The map before the first turn, and whenever the person changed it.
    fn on_map(&mut self, _state: &State<T::Plan>, _map: &T::Map) {}

    /// A turn was taken, and this is the map now.
    fn turn(&mut self, _report: &TurnReport, _map: &T::Map) {}

    /// Whether a change may have its effect on the world. Nobody who could be asked is a no.
    fn approve(&mut self, _question: &EffectQuestion<'_, T>) -> bool {
        false
    }

    /// A turn is about to be taken, or the pilot has finalized.
    fn next(&mut self, _checkpoint: &Checkpoint<'_, T>) -> Directive<T::Plan> {
        Directive::GoOn
    }
}

/// An observer that does nothing.
impl<T: Terrain> Observer<T> for () {}
