//! Receives the progress of a walk, stores its state, and may end it.

use std::io;

use crate::money::effect::{Effect, Resources, SentField};
use crate::run::pilot::{Projection, Spend};
use crate::walk::screen::Screen;
use crate::walk::session::EffectAnswer;
use crate::walk::state::{PathStep, WalkState};
use crate::walk::steps::turn_report::WalkTurnReport;

/// The walk before a turn.
#[derive(Debug)]
pub struct WalkCheckpoint<'a> {
    /// The page.
    pub screen: &'a Screen,
    /// The state.
    pub state: &'a WalkState,
    /// The spend.
    pub purse: Spend,
    /// The projected cost of the turn.
    pub projection: Projection,
    /// The number of steps left.
    pub steps_left: u32,
}

/// The choice before a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkDirective {
    /// Continue.
    GoOn,
    /// End with what was extracted.
    StopHere,
    /// Say something to the pilot.
    Say(String),
    /// End without a result.
    Quit,
    /// End at once, with what was extracted.
    Interrupt,
}

/// Receives the progress of a walk. By default the walk goes on and nothing is asked.
pub trait WalkObserver {
    /// Stores a changed state that must survive a crash.
    ///
    /// # Errors
    /// If the state cannot be stored; the walk then ends.
    fn keep(&mut self, _state: &WalkState) -> io::Result<()> {
        Ok(())
    }

    /// Receives what a search may use, before it is made: it may take a while.
    fn searching(&mut self, _needs: Resources) {}

    /// Receives a finished step and the screen after it.
    fn step(&mut self, _step: &PathStep, _screen: &Screen) {}

    /// Receives the report of a finished turn.
    fn turn(&mut self, _report: &WalkTurnReport) {}

    /// Receives what was wrong with an answer of the pilot.
    fn complaint(&mut self, _complaint: &str) {}

    /// Receives the fields of the request that is asked about next.
    fn fields(&mut self, _fields: &[SentField]) {}

    /// Receives the narrowest rule that would allow the request that is asked about next, as
    /// `--allow` takes it, if one can.
    fn rule(&mut self, _rule: Option<&str>) {}

    /// Receives the text around the control of the step that is asked about next, where other
    /// controls have the same name: the row of a table.
    fn beside(&mut self, _beside: Option<&str>) {}

    /// Decides whether a step may have its effect. The default, without a person to ask, is no.
    fn approve(&mut self, _step: &str, _effect: &Effect) -> EffectAnswer {
        EffectAnswer::Never
    }

    /// Chooses what follows, before a turn.
    fn next(&mut self, _checkpoint: &WalkCheckpoint<'_>) -> WalkDirective {
        WalkDirective::GoOn
    }
}

/// An observer that does nothing.
impl WalkObserver for () {}
