//! Who decides: one interface, the same for every kind of pilot.

use repo_map::{Repo, RepoMap};
use serde::Serialize;

use crate::money::pico_usd::PicoUsd;
use crate::run::action::Action;
use crate::run::deadline::Deadline;
use crate::run::state::{State, TurnTokens};
use crate::run::stop::Stop;

/// All that a pilot sees in a turn.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The turn, counted from 1.
    pub step: u32,
    /// The goal.
    pub goal: &'a str,
    /// The map as the plan stands now.
    pub map: &'a RepoMap,
    /// What evidence says of each path that the person's rules let be shown, best first.
    pub hints: &'a [Hint],
    /// What was decided so far, and what came of it.
    pub state: &'a State,
    /// How many turns are left after this one.
    pub turns_left: u32,
    /// For another look: at prices, or at the same plan in fewer tokens.
    pub repo: &'a mut Repo,
    /// How long it may take.
    pub deadline: &'a Deadline,
}

/// What evidence says of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Hint {
    /// The path.
    pub path: String,
    /// Between 0 and 1.
    pub score: f64,
    /// Each kind of evidence that counts, between 0 and 1; what adds most to the score first.
    pub parts: Vec<(&'static str, f64)>,
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
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decision {
    /// What it does; nothing when its answer could not be used.
    pub action: Option<Action>,
    /// What was wrong with its answer.
    pub complaints: Vec<String>,
    /// What was sent and received.
    pub traffic: Option<TurnTokens>,
}

impl From<Action> for Decision {
    /// A decision without complaints, by a pilot that sent nothing.
    fn from(action: Action) -> Decision {
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
pub trait Pilot: Send {
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
    fn prepare(&mut self, _turn: &mut Turn<'_>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    /// The next action. `prepare` was called for the same turn before.
    ///
    /// # Errors
    /// Why there is none.
    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<Decision, Stop>;
}
