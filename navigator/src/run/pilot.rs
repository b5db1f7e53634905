//! Who decides: one interface, the same for every kind of pilot.

use serde::Serialize;

use crate::money::effect::ResourceLimits;
use crate::money::pico_usd::PicoUsd;
use crate::run::action::Action;
use crate::run::deadline::Deadline;
use crate::run::plan::Plan;
use crate::run::state::{State, TurnTokens};
use crate::run::stop::Stop;
use crate::run::terrain::{Candidate, Terrain};

/// All that a pilot sees in a turn.
#[derive(Debug)]
pub struct Turn<'a, T: Terrain> {
    /// The turn, counted from 1.
    pub step: u32,
    /// The goal.
    pub goal: &'a str,
    /// The map as the plan stands now.
    pub map: &'a T::Map,
    /// What evidence says of each place that the person's bounds let be shown, best first.
    pub candidates: &'a [Candidate],
    /// What was decided so far, and what came of it.
    pub state: &'a State<T::Plan>,
    /// How many turns are left after this one.
    pub turns_left: u32,
    /// What effects may still use up.
    pub resources_left: ResourceLimits,
    /// For another look: at prices, or at the same plan in fewer tokens.
    pub terrain: &'a mut T,
    /// How long it may take.
    pub deadline: &'a Deadline,
}

/// What the next turn will cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Projection {
    /// What it probably costs.
    pub projected_pico_usd: PicoUsd,
    /// What one call of it can cost at most.
    pub at_most_pico_usd: PicoUsd,
    /// The size of the request, in tokens by the map's tokenizer.
    pub request_tokens: u32,
    /// The size of the view in it.
    pub view_tokens: u32,
}

/// What a pilot made of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision<P: Plan> {
    /// What it does; nothing when its answer could not be used.
    pub action: Option<Action<P>>,
    /// What was wrong with its answer.
    pub complaints: Vec<String>,
    /// What was sent and received.
    pub traffic: Option<TurnTokens>,
}

impl<P: Plan> Default for Decision<P> {
    fn default() -> Self {
        Decision { action: None, complaints: Vec::new(), traffic: None }
    }
}

impl<P: Plan> From<Action<P>> for Decision<P> {
    /// A decision without complaints, by a pilot that sent nothing.
    fn from(action: Action<P>) -> Decision<P> {
        Decision { action: Some(action), ..Decision::default() }
    }
}

/// Money of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spend {
    /// The most that may be spent.
    pub limit_pico_usd: PicoUsd,
    /// What was spent.
    pub spent_pico_usd: PicoUsd,
    /// How many calls were made.
    pub calls: u32,
}

impl Spend {
    /// What is left.
    pub fn left(&self) -> PicoUsd {
        PicoUsd(self.limit_pico_usd.0.saturating_sub(self.spent_pico_usd.0))
    }
}

/// Decides, turn by turn.
pub trait Pilot<T: Terrain>: Send {
    /// The name in logs and reports.
    fn name(&self) -> &str;

    /// What was spent so far in the run: what no entry of its log accounts for is the cost of the
    /// next. A pilot that spends nothing says nothing.
    fn purse(&self) -> Spend {
        Spend::default()
    }

    /// Makes the next turn ready without spending anything, and says what it will cost. A pilot
    /// without costs has nothing to make ready.
    ///
    /// # Errors
    /// Why there can be no next turn.
    fn prepare(&mut self, _turn: &mut Turn<'_, T>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    /// The next action. `prepare` was called for the same turn before.
    ///
    /// # Errors
    /// Why there is none.
    fn decide(&mut self, turn: &mut Turn<'_, T>) -> Result<Decision<T::Plan>, Stop>;
}
