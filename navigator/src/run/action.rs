//! The actions that a pilot can take in a turn.

use serde::{Deserialize, Serialize};

use crate::run::plan::Plan;

/// A pilot's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<P: Plan> {
    /// Change levels, then take another turn.
    UpdateFlightPlan {
        /// The changes, the most important first.
        changes: Vec<P::Change>,
        /// The reason, in a sentence or two.
        reasoning: String,
    },
    /// Deliver the map as the context, after some last changes. If one of these does not come out
    /// as asked, the run goes on as after an update.
    FinalizeContext {
        /// The last changes, the most important first.
        changes: Vec<P::Change>,
        /// A description of the context and its trade-offs.
        summary: String,
        /// The areas that matter, with reasons.
        focus: Vec<Focus>,
    },
}

/// The use of tokens that no wish takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FreeTokens {
    /// They stay free.
    None,
    /// They go to what is worth showing.
    Near,
    /// They go to anything with evidence.
    All,
}

impl FreeTokens {
    /// Every use, from least to most text.
    pub const ALL: [FreeTokens; 3] = [FreeTokens::None, FreeTokens::Near, FreeTokens::All];

    /// Returns the word in answers and logs.
    pub fn as_str(self) -> &'static str {
        match self {
            FreeTokens::None => "none",
            FreeTokens::Near => "near",
            FreeTokens::All => "all",
        }
    }
}

/// An area of the context and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The name of a place on the map.
    pub path: String,
    /// The evidence for the area.
    pub why: String,
}
