//! The interface of pilots of a walk.

pub mod asked;
mod choice;
mod equal_controls;
pub(crate) mod evidence;
pub mod first_steps;
pub(crate) mod form;
mod goal_names;
mod kinds;
pub(crate) mod literal;
mod loading;
pub mod offline;
pub(crate) mod operate;
pub(crate) mod orders;
pub(crate) mod phrases;
mod promise;
mod release_notes;
pub(crate) mod reply;
mod search;
mod verbs;
pub mod view;
pub(crate) mod worth;

use std::collections::BTreeSet;

use crate::money::effect::ResourceLimits;
use crate::run::deadline::Deadline;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::action::WalkAction;
use crate::walk::screen::Screen;
use crate::walk::state::{WalkState, WalkTokens};

/// The input of a pilot in one turn.
#[derive(Debug)]
pub struct WalkTurn<'a> {
    /// The turn, from 1.
    pub turn: u32,
    /// The goal.
    pub goal: &'a str,
    /// The page.
    pub screen: &'a Screen,
    /// The path so far, and what was taken.
    pub state: &'a WalkState,
    /// The number of steps left.
    pub steps_left: u32,
    /// What effects may still use.
    pub resources_left: ResourceLimits,
    /// The maximum size of the view, in tokens.
    pub view_tokens: u32,
    /// The names of the secrets that can be typed. A placeholder stands for the value:
    /// `{{secret:NAME}}`.
    pub secrets: Vec<String>,
    /// The names of the files that can be given to a page.
    pub files: Vec<String>,
    /// The numbers of the entries that would destroy something, of those that share their names:
    /// their rows say what.
    pub destroying: BTreeSet<usize>,
    /// The world can be searched.
    pub can_search: bool,
    /// The deadline of the walk.
    pub deadline: &'a Deadline,
}

/// The result of a turn of a pilot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WalkDecision {
    /// What to do; several actions are taken in order, until one fails. Empty if the answer cannot
    /// be used.
    pub actions: Vec<WalkAction>,
    /// The reason.
    pub why: String,
    /// The goal says literally to do this.
    pub is_of_goal: bool,
    /// The actions are only tried: the walk goes on if it may not read another host.
    pub is_guess: bool,
    /// What was wrong with the answer.
    pub complaints: Vec<String>,
    /// The tokens of request and reply.
    pub tokens: WalkTokens,
}

/// Decides in each turn of a walk.
pub trait WalkPilot {
    /// Returns `offline`, or `provider/name`.
    fn name(&self) -> &str;

    /// Reports whether the pilot may take a step again on the same screen: one that goes known ways
    /// does, and the limit of steps alone ends it.
    fn may_repeat(&self) -> bool {
        false
    }

    /// Returns the limit and the spend so far.
    fn purse(&self) -> Spend;

    /// Prepares a turn and returns what it will cost. Sends nothing.
    ///
    /// # Errors
    /// The reason why there is no next turn.
    fn prepare(&mut self, turn: &WalkTurn<'_>) -> Result<Projection, Stop>;

    /// Decides.
    ///
    /// # Errors
    /// The reason why the walk ends.
    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop>;
}
