//! What was decided, turn by turn: append only, one JSON object a line. With the bounds and
//! the plan that a run began with, it rebuilds those it ended with
//! ([`State::replay`](crate::State::replay)).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::effect::Effect;
use crate::money::pico_usd::PicoUsd;
use crate::money::versioned;
use crate::run::action::Focus;
use crate::run::plan::Plan;
use crate::shared::Sanitized;

/// The version of a line's format. Lines of version 1 have none of the changes, areas and rules.
pub(crate) const VERSION: u32 = 2;

/// What kind of entry it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// The pilot changed levels.
    UpdateFlightPlan,
    /// The pilot said that the map is the context.
    FinalizeContext,
    /// The pilot's answer could not be used.
    NoUsableAnswer,
    /// The run stopped after it had spent money that no turn accounts for: on a call that failed,
    /// or that a crash cut off.
    Stopped,
    /// The person changed the plan.
    PersonEdit,
    /// The person told the pilot something.
    PersonFeedback,
}

impl ActionKind {
    /// The word in logs and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            ActionKind::UpdateFlightPlan => "update_flight_plan",
            ActionKind::FinalizeContext => "finalize_context",
            ActionKind::NoUsableAnswer => "no_usable_answer",
            ActionKind::Stopped => "stopped",
            ActionKind::PersonEdit => "person_edit",
            ActionKind::PersonFeedback => "person_feedback",
        }
    }

    /// Whether it is what a pilot made of a turn: each turn has one such entry.
    pub(crate) fn is_turn(self) -> bool {
        matches!(
            self,
            ActionKind::UpdateFlightPlan | ActionKind::FinalizeContext | ActionKind::NoUsableAnswer
        )
    }
}

/// One entry: a turn, or what happened between two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LogEntry<P: Plan> {
    /// The turn, counted from 1. What the person did stands with the turn before it.
    pub step: u32,
    /// What kind of entry it is.
    pub action: ActionKind,
    /// What it is about, by name.
    pub paths: Vec<String>,
    /// The changes of levels, in the order of the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<P::Change>,
    /// The areas that matter, of a context that was finalized.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<Focus>,
    /// The effects on the world that the changes had, or would have had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<LoggedEffect>,
    /// The plan from here on, where the person edited the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<LoggedPlan<P>>,
    /// Why; of a context that was finalized its summary, of feedback the words, of a stop its line.
    pub reasoning: String,
    /// What was wrong with the answer, or did not come out as it was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complaints: Vec<String>,
    /// The size of the map before, in tokens.
    pub tokens_before: u32,
    /// The size of the map after, in tokens.
    pub tokens_after: u32,
    /// What it cost. The costs of all entries add up to what the ledger has spent.
    pub cost_pico_usd: PicoUsd,
}

/// An effect that a change had, or would have had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEffect {
    /// The change, by name. Those that were taken into the plan are among the entry's changes.
    pub change: String,
    /// What it does.
    pub does: Effect,
    /// What became of it.
    pub outcome: EffectOutcome,
}

/// What became of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectOutcome {
    /// It happened.
    Done,
    /// It was tried, and did not come out.
    Failed,
    /// The person refused it, or nobody could be asked.
    Refused,
    /// It could have passed a limit.
    OverLimit,
}

impl EffectOutcome {
    /// The word in logs and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            EffectOutcome::Done => "done",
            EffectOutcome::Failed => "failed",
            EffectOutcome::Refused => "refused",
            EffectOutcome::OverLimit => "over the limit",
        }
    }
}

/// A plan as the person left it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LoggedPlan<P: Plan> {
    /// The person's bounds.
    pub bounds: P,
    /// The pilot's plan.
    pub rules: P,
}

/// The log as it is kept on disk.
pub fn to_lines<P: Plan>(log: &[LogEntry<P>]) -> Sanitized {
    Sanitized::lines(log.iter().map(|entry| versioned::to_json(VERSION, entry)))
}

/// Reads a log that was kept on disk.
///
/// # Errors
/// A sentence with the line that cannot be read.
pub fn lines<P: Plan>(text: &str) -> Result<Vec<LogEntry<P>>, Error> {
    let entry = |(at, line): (usize, &str)| {
        versioned::from_json(VERSION, line)
            .map_err(|message| Error::Format { line: Some(at + 1), message })
    };
    text.lines().enumerate().map(entry).collect()
}
