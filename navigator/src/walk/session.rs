//! The interface between a walk and its world: one page at a time.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::money::effect::{Effect, ResourceLimits, Resources, SentField};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::run::text::one_line;
use crate::walk::action::{ControlOperation, WalkAction};
use crate::walk::guarded::StoppedRequest;
use crate::walk::known::KnownPlace;
use crate::walk::outcome::StepOutcome;
use crate::walk::screen::Screen;

/// How a result tells of what went away: `gone: 'Delete', 'Bread'`.
pub(crate) const GONE: &str = "gone";

/// Where a page or folder was opened by a move that did nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opened {
    /// In the place of the one before.
    Here,
    /// In a tab of its own.
    NewTab,
}

/// The result of a step that changed nothing that can be seen.
pub(crate) const NOTHING_CHANGED: &str = "nothing changed";

/// Moves the walk from one screen to another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Move {
    /// Goes to the first page.
    Start,
    /// Clicks the entry of this number, from 1.
    Click(usize),
    /// Leaves the open folder, or returns to the page before.
    Back,
    /// Goes to an address.
    Open(String),
    /// Operates the control of this number, from 1; 0 is the page itself.
    Operate(usize, ControlOperation),
    /// Stays on the page: reads more of the world, and finds the places that have most of some
    /// words.
    Search {
        /// The words.
        words: String,
        /// What it may use.
        within: ResourceLimits,
    },
}

impl Move {
    /// Returns the move of an action; `None` for those that stay on the page.
    pub(crate) fn of(action: &WalkAction) -> Option<Move> {
        match action {
            WalkAction::Click { number, .. } => Some(Move::Click(*number)),
            WalkAction::Back => Some(Move::Back),
            WalkAction::Open { address } => Some(Move::Open(address.clone())),
            WalkAction::Operate { number, operation, .. } => {
                Some(Move::Operate(*number, operation.clone()))
            }
            WalkAction::Search { .. }
            | WalkAction::Extract { .. }
            | WalkAction::Finish { .. }
            | WalkAction::GiveUp { .. } => None,
        }
    }
}

/// What came of a move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// What came of it in a word.
    pub outcome: StepOutcome,
    /// A screen was taken up. If not, the walk is where it was.
    pub is_shown: bool,
    /// What happened, in words: `opened folder 'Engine'`, `status 404`.
    pub result: String,
    /// Where it opened a page or folder; `None` if it did more than that, or something else.
    pub opened: Option<Opened>,
    /// The resources used since the last move or answer, steps apart.
    pub used: Resources,
    /// A request above reading was sent, or was stopped, as the result tells.
    pub sends: bool,
    /// The places that a search found, best first.
    pub found: Vec<KnownPlace>,
    /// What the move would do next, and does only after a yes. [`WalkSession::answer`] ends it.
    pub question: Option<Effect>,
    /// What it would send then.
    pub fields: Vec<SentField>,
    /// The narrowest rule that would allow it without a question, as `--allow` takes it.
    pub rule: Option<String>,
    /// What was refused in this move, and was no effect of it: the page sent it by itself.
    pub beside: Vec<Effect>,
    /// The requests that the guard of a browser stopped.
    pub stopped: Vec<StoppedRequest>,
}

impl Moved {
    /// A move that came out as asked, and showed a screen.
    pub(crate) fn done(result: String) -> Moved {
        Moved { outcome: StepOutcome::Done, is_shown: true, result, ..Moved::default() }
    }

    /// Reports whether it was done.
    pub fn is_done(&self) -> bool {
        self.outcome.is_done()
    }
}

/// The answer to the question whether a step may have its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectAnswer {
    /// Yes, once.
    Yes,
    /// Not this time.
    No,
    /// No, and not in this walk: it is not asked again.
    Never,
}

/// The longest name of what a step destroys, in characters.
const MAX_DESTROYED: usize = 120;

/// Returns the effect of a step that destroys what a control of this name stands for.
pub(crate) fn destroys(name: &str) -> Effect {
    Effect::Destroys { what: one_line(name, MAX_DESTROYED) }
}

/// A world that is walked page by page.
pub trait WalkSession: fmt::Debug {
    /// The reason why the world cannot be used any more.
    type Error: Error + Send + Sync + 'static;

    /// Returns the current screen; an empty one before [`Move::Start`]. Its texts have passed the
    /// gate.
    fn screen(&self) -> &Screen;

    /// Returns the effect of a move on the world.
    fn effect(&self, step: &Move) -> Effect;

    /// Reports whether the person allowed reading from a host by naming it.
    fn is_named(&self, host: &str) -> bool;

    /// Returns the most that a move can use, steps apart.
    fn needs(&self, step: &Move) -> Resources;

    /// Takes note of the step that is about to be made, for a record of what each step does to the
    /// world.
    fn begin_step(&mut self, _number: u32, _action: &str) {}

    /// Reports whether the world can be searched.
    fn can_search(&self) -> bool {
        false
    }

    /// Returns the names of the secrets that can be typed, without their values.
    fn secrets(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the names of the files that the person gave, which can be given to a page.
    fn files(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes a move. This is the only method that may affect the world. A move that fails is a
    /// result, and not an error.
    ///
    /// # Errors
    /// If the world cannot be used any more.
    fn go(&mut self, step: &Move, deadline: &Deadline) -> Result<Moved, Self::Error>;

    /// Goes on with a move that has a question, as the person answered it.
    ///
    /// # Errors
    /// If the world cannot be used any more.
    fn answer(
        &mut self,
        _answer: EffectAnswer,
        _deadline: &Deadline,
    ) -> Result<Moved, Self::Error> {
        Ok(Moved::default())
    }

    /// Returns the end of the walk that an error means: what there is so far is delivered.
    /// `None` for errors after which nothing is.
    fn ended_by(_error: &Self::Error) -> Option<Stop> {
        None
    }

    /// Receives each question to the person, and then the answer to it.
    fn log_question(&mut self, _question: &str, _is_yes: Option<bool>) {}
}
