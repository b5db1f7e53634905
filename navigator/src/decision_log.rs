//! What was decided, turn by turn: append only, one JSON object a line.

use repo_map::Sanitized;
use serde::{Deserialize, Serialize};

use crate::money::PicoUsd;

/// What kind of decision it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The pilot changed levels.
    UpdateFlightPlan,
    /// The pilot said that the map is the context.
    FinalizeContext,
    /// The person changed the plan.
    PersonEdit,
}

impl Kind {
    /// The word in logs and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::UpdateFlightPlan => "update_flight_plan",
            Kind::FinalizeContext => "finalize_context",
            Kind::PersonEdit => "person_edit",
        }
    }
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The turn, counted from 1. A person's edit stands with the turn before it.
    pub step: u32,
    /// What kind of decision it was.
    pub action: Kind,
    /// The globs or paths it is about.
    pub paths: Vec<String>,
    /// Why.
    pub reasoning: String,
    /// The size of the map before, in tokens.
    pub tokens_before: u32,
    /// The size of the map after, in tokens.
    pub tokens_after: u32,
    /// What the turn cost.
    pub cost_pico_usd: PicoUsd,
}

/// The log as it is kept on disk.
pub fn to_lines(log: &[LogEntry]) -> Sanitized {
    Sanitized::json_lines(log).expect("an entry is plain data")
}
