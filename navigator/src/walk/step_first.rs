//! A pilot that takes one step first, which an earlier part of the walk was refused, and then goes
//! on as another pilot.

use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::action::WalkAction;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::state::PathStep;

/// A pilot whose first decision is made.
pub struct StepFirst<'p> {
    /// The step, until it is taken: its action and the reason for it.
    step: Option<(WalkAction, String)>,
    pilot: Box<dyn WalkPilot + 'p>,
}

impl<'p> StepFirst<'p> {
    /// Takes a step, and then lets a pilot decide.
    pub fn new(step: PathStep, pilot: Box<dyn WalkPilot + 'p>) -> StepFirst<'p> {
        StepFirst { step: Some((step.action, step.why)), pilot }
    }
}

impl WalkPilot for StepFirst<'_> {
    fn name(&self) -> &str {
        self.pilot.name()
    }

    fn may_repeat(&self) -> bool {
        self.pilot.may_repeat()
    }

    fn purse(&self) -> Spend {
        self.pilot.purse()
    }

    fn prepare(&mut self, turn: &WalkTurn<'_>) -> Result<Projection, Stop> {
        match &self.step {
            Some(_) => Ok(Projection::default()),
            None => self.pilot.prepare(turn),
        }
    }

    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        match self.step.take() {
            Some((action, why)) => {
                Ok(WalkDecision { actions: vec![action], why, ..WalkDecision::default() })
            }
            None => self.pilot.decide(turn),
        }
    }
}
