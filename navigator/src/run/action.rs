//! What a pilot can do in a turn.

use serde::{Deserialize, Serialize};

use crate::run::plan::Plan;

/// A pilot's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Action<P: Plan> {
    /// Change levels, then look again.
    UpdateFlightPlan {
        /// The changes, in order; later ones win.
        changes: Vec<P::Change>,
        /// Why, in a sentence or two.
        reasoning: String,
    },
    /// The map is the context.
    FinalizeContext {
        /// What the context holds and which trade-offs were made.
        summary: String,
        /// The areas that matter, and why.
        focus: Vec<Focus>,
    },
}

/// An area of the context, and why it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// A place of the map.
    pub path: String,
    /// The evidence for it.
    pub why: String,
}
