//! The interface of pilots. It is the same for every kind of pilot.

use serde::Serialize;

use crate::money::effect::ResourceLimits;
use crate::money::pico_usd::PicoUsd;
use crate::run::action::{Action, FreeTokens};
use crate::run::deadline::Deadline;
use crate::run::plan::Plan;
use crate::run::state::{State, TurnTokens};
use crate::run::stop::Stop;
use crate::run::terrain::{Candidate, Terrain};

/// The input of a pilot in one turn.
#[derive(Debug)]
pub struct Turn<'a, T: Terrain> {
    /// The turn, from 1.
    pub step: u32,
    /// The goal.
    pub goal: &'a str,
    /// The map of the current plan.
    pub map: &'a T::Map,
    /// The map of the turn before; `None` in the first turn since the run began or resumed.
    pub map_before: Option<&'a T::Map>,
    /// The places that the person's bounds allow, with their evidence, best first.
    pub candidates: &'a [Candidate],
    /// The state: decisions so far and their results.
    pub state: &'a State<T::Plan>,
    /// The number of turns left after this one.
    pub turns_left: u32,
    /// The resources that effects may still use.
    pub resources_left: ResourceLimits,
    /// The terrain, for prices or for a map of the same plan in fewer tokens.
    pub terrain: &'a mut T,
    /// The deadline of the run.
    pub deadline: &'a Deadline,
}

/// The projected cost of the next turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Projection {
    /// The probable cost, in pico-USD.
    pub projected_pico_usd: PicoUsd,
    /// The maximum cost of one call in the turn, in pico-USD.
    pub at_most_pico_usd: PicoUsd,
    /// The size of the request, in tokens of the map's tokenizer.
    pub request_tokens: u32,
    /// The size of the view within the request, in tokens.
    pub view_tokens: u32,
}

/// The result of a turn of a pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<P: Plan> {
    /// The action; `None` if the reply could not be used.
    pub action: Option<Action<P>>,
    /// Names to search for; the next turn shows what has them.
    pub find: Vec<String>,
    /// The new use of free tokens.
    pub free: Option<FreeTokens>,
    /// Errors in the reply.
    pub complaints: Vec<String>,
    /// The sizes of request and reply.
    pub traffic: Option<TurnTokens>,
}

impl<P: Plan> Default for Decision<P> {
    fn default() -> Self {
        Decision {
            action: None,
            find: Vec::new(),
            free: None,
            complaints: Vec::new(),
            traffic: None,
        }
    }
}

impl<P: Plan> From<Action<P>> for Decision<P> {
    /// Returns a decision without complaints, for a pilot that sent nothing.
    fn from(action: Action<P>) -> Decision<P> {
        Decision { action: Some(action), ..Decision::default() }
    }
}

/// The spend of a run and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spend {
    /// The limit of spend, in pico-USD.
    pub limit_pico_usd: PicoUsd,
    /// The spend so far, in pico-USD.
    pub spent_pico_usd: PicoUsd,
    /// The number of calls.
    pub calls: u32,
}

impl Spend {
    /// Returns the remainder of the limit.
    pub fn left(&self) -> PicoUsd {
        PicoUsd(self.limit_pico_usd.0.saturating_sub(self.spent_pico_usd.0))
    }
}

/// A pilot: it decides in every turn.
pub trait Pilot<T: Terrain>: Send {
    /// Returns the name in logs and reports.
    fn name(&self) -> &str;

    /// Returns the spend of the run so far. The part that no log entry has is the cost of the next
    /// entry. Pilots without cost use the default.
    fn purse(&self) -> Spend {
        Spend::default()
    }

    /// Prepares the next turn without spending anything and returns its projected cost. Pilots
    /// without cost use the default.
    ///
    /// # Errors
    /// The reason why there can be no next turn.
    fn prepare(&mut self, _turn: &mut Turn<'_, T>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    /// Decides the next action, after `prepare` for the same turn.
    ///
    /// # Errors
    /// The reason why there is no decision.
    fn decide(&mut self, turn: &mut Turn<'_, T>) -> Result<Decision<T::Plan>, Stop>;
}
