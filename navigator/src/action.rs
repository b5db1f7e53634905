//! What a pilot can do in a turn.

use repo_map::LevelRange;
use serde::Serialize;

/// A pilot's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Change levels, then look again.
    UpdateFlightPlan {
        /// The rules to add, in order; later ones win.
        changes: Vec<RuleChange>,
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

/// One change of level.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleChange {
    /// A gitignore-style glob.
    pub path: String,
    /// The level, or the range the fit may choose from.
    pub level: LevelRange,
    /// The evidence for it.
    pub why: String,
}

/// An area of the context, and why it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Focus {
    /// A path of the map.
    pub path: String,
    /// The evidence for it.
    pub why: String,
}
