//! Who decides: one method, the same for every kind of pilot.

use repo_map::RepoMap;

use crate::action::Action;
use crate::decision_log::LogEntry;

/// All that a pilot sees in a turn.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The turn, counted from 1.
    pub step: u32,
    /// The goal.
    pub goal: &'a str,
    /// The map as the plan stands now.
    pub map: &'a RepoMap,
    /// What evidence says of each path, best first.
    pub hints: &'a [Hint],
    /// What was decided so far.
    pub log: &'a [LogEntry],
    /// How many turns are left after this one.
    pub turns_left: u32,
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

/// Decides, turn by turn.
pub trait Pilot {
    /// The name in logs and reports.
    fn name(&self) -> &str;

    /// The next action.
    fn decide(&mut self, turn: &Turn<'_>) -> Action;
}
