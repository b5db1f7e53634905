//! All that a turn needs to know: the pilot's rules so far and the decision log. A few kilobytes, whatever the repository.

use repo_map::plan::Rule;

use crate::decision_log::LogEntry;

/// The state of an exploration between two turns.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The pilot's rules, clamped to the person's when they are applied.
    pub rules: Vec<Rule>,
    /// What was decided so far.
    pub log: Vec<LogEntry>,
}
