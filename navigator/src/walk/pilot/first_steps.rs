//! A pilot whose first steps are known, and which then goes on as another pilot.

use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};

/// What gives a decision in each turn, until it gives none.
pub type StepSource<'p> = Box<dyn FnMut(&WalkTurn<'_>) -> Option<WalkDecision> + 'p>;

/// A pilot whose first steps are known. They cost nothing.
pub struct FirstSteps<'p> {
    /// Where the steps come from, until it has given the last one.
    steps: Option<StepSource<'p>>,
    /// The step of this turn.
    next: Option<WalkDecision>,
    pilot: Box<dyn WalkPilot + 'p>,
}

impl<'p> FirstSteps<'p> {
    /// Takes steps as long as there are some, and then lets a pilot decide.
    pub fn new(steps: StepSource<'p>, pilot: Box<dyn WalkPilot + 'p>) -> FirstSteps<'p> {
        FirstSteps { steps: Some(steps), next: None, pilot }
    }
}

impl WalkPilot for FirstSteps<'_> {
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
        if let (Some(steps), None) = (&mut self.steps, &self.next) {
            self.next = steps(turn);
        }
        if self.next.is_some() {
            return Ok(Projection::default());
        }
        self.steps = None;
        self.pilot.prepare(turn)
    }

    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        match self.next.take() {
            Some(decision) => Ok(decision),
            None => self.pilot.decide(turn),
        }
    }
}
