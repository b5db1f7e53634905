//! The actions that a pilot can take in a turn.

use serde::{Deserialize, Serialize};

use crate::run::plan::Plan;

/// A pilot's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<P: Plan> {
    /// Change levels, then take another turn.
    UpdateFlightPlan {
        /// The changes, in order; later ones win.
        changes: Vec<P::Change>,
        /// The reason, in a sentence or two.
        reasoning: String,
    },
    /// Deliver the current map as the context.
    FinalizeContext {
        /// A description of the context and its trade-offs.
        summary: String,
        /// The areas that matter, with reasons.
        focus: Vec<Focus>,
    },
}

/// An area of the context and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The name of a place on the map.
    pub path: String,
    /// The evidence for the area.
    pub why: String,
}
