//! What was decided, turn by turn: append only, one JSON object a line.

use serde::Serialize;

use crate::money::PicoUsd;

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogEntry {
    /// The turn, counted from 1.
    pub step: u32,
    /// `update_flight_plan` or `finalize_context`.
    pub action: &'static str,
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
pub fn to_lines(log: &[LogEntry]) -> String {
    let line = |entry: &LogEntry| serde_json::to_string(entry).expect("an entry is plain data");
    log.iter().map(|entry| line(entry) + "\n").collect()
}
