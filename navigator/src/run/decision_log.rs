//! The decision log: append only, one JSON object per line, one entry per turn. Together with the
//! initial bounds and plan it rebuilds the final ones ([`State::replay`](crate::State::replay)).

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::effect::Effect;
use crate::money::pico_usd::PicoUsd;
use crate::money::versioned;
use crate::run::action::{Focus, FreeTokens};
use crate::run::admission::{Fall, Refusal};
use crate::run::plan::Plan;
use crate::shared::Sanitized;

/// The format version of a line. Version 1 has no changes, focus areas or rules; before version 3
/// a finalized context has no changes.
pub(crate) const VERSION: u32 = 3;

/// The beginning of the complaint about an answer that finalizes and could not.
pub(crate) const NOT_FINALIZED: &str = "not finalized";

/// The kind of a log entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionKind {
    /// The pilot changed levels.
    UpdateFlightPlan,
    /// The pilot finalized the context.
    FinalizeContext,
    /// The pilot's reply could not be used.
    NoUsableAnswer,
    /// The run stopped after spend that no turn accounts for: on a call that failed, or that a
    /// crash cut off.
    Stopped,
    /// The person changed the plan.
    PersonEdit,
    /// The person sent feedback to the pilot.
    PersonFeedback,
}

impl ActionKind {
    /// Returns the name in logs and reports.
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

    /// Reports whether the entry is the pilot's result of a turn: each turn has one such entry.
    pub(crate) fn is_turn(self) -> bool {
        matches!(
            self,
            ActionKind::UpdateFlightPlan | ActionKind::FinalizeContext | ActionKind::NoUsableAnswer
        )
    }
}

/// One entry: a turn, or an event between two turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LogEntry<P: Plan> {
    /// The turn, from 1. An action of the person has the number of the turn before it.
    pub step: u32,
    /// The kind of entry.
    pub action: ActionKind,
    /// The places concerned, by name.
    pub paths: Vec<String>,
    /// The changes of levels, in the order of the reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<P::Change>,
    /// The changes that did not fit, and changed nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refusal<P>>,
    /// What fell though no change names it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fell: Vec<Fall>,
    /// The names to search for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub find: Vec<String>,
    /// The new use of free tokens.
    #[serde(rename = "fill", default, skip_serializing_if = "Option::is_none")]
    pub free: Option<FreeTokens>,
    /// What the map before shows, if this turn's map is held to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<P>,
    /// The focus areas of a finalized context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub focus: Vec<Focus>,
    /// The effects of the changes, including those that did not happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<LoggedEffect>,
    /// The plan after an edit by the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edit: Option<LoggedPlan<P>>,
    /// The reason; for a finalized context its summary, for feedback its text, for a stop its line.
    pub reasoning: String,
    /// Errors in the reply, and results that differ from the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complaints: Vec<String>,
    /// The size of the map before, in tokens.
    pub tokens_before: u32,
    /// The size of the map after, in tokens.
    pub tokens_after: u32,
    /// The cost of the entry. The costs of all entries add up to the spend in the ledger.
    pub cost_pico_usd: PicoUsd,
}

impl<P: Plan> LogEntry<P> {
    /// Reports whether the answer finalizes and could not, so that another turn follows.
    pub(crate) fn is_not_finalized(&self) -> bool {
        self.complaints.iter().any(|complaint| complaint.starts_with(NOT_FINALIZED))
    }

    /// Makes an entry without results, on a map of so many tokens.
    pub(crate) fn of(step: u32, action: ActionKind, tokens: u32) -> LogEntry<P> {
        LogEntry {
            step,
            action,
            paths: Vec::new(),
            changes: Vec::new(),
            refused: Vec::new(),
            fell: Vec::new(),
            find: Vec::new(),
            free: None,
            held: None,
            focus: Vec::new(),
            effects: Vec::new(),
            edit: None,
            reasoning: String::new(),
            complaints: Vec::new(),
            tokens_before: tokens,
            tokens_after: tokens,
            cost_pico_usd: PicoUsd::default(),
        }
    }
}

/// An effect of a change, whether it happened or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEffect {
    /// The change, by name. Changes taken into the plan are also among the entry's changes.
    pub change: String,
    /// The effect.
    pub does: Effect,
    /// The outcome of the effect.
    pub outcome: EffectOutcome,
    /// What came of it, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result: String,
}

/// The outcome of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectOutcome {
    /// It happened.
    Done,
    /// It was tried and failed.
    Failed,
    /// The person refused it, or there was no person to ask.
    Refused,
    /// It could have passed a limit.
    OverLimit,
}

impl LoggedEffect {
    /// Formats the effect: `7 reads from `numbers`: done, 2 children`.
    pub(crate) fn line(&self) -> String {
        let LoggedEffect { change, does, outcome, result } = self;
        let result = if result.is_empty() { String::new() } else { format!(", {result}") };
        format!("{change} {does}: {}{result}", outcome.as_str())
    }
}

impl EffectOutcome {
    /// Returns the name in logs and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            EffectOutcome::Done => "done",
            EffectOutcome::Failed => "failed",
            EffectOutcome::Refused => "refused",
            EffectOutcome::OverLimit => "over the limit",
        }
    }
}

/// A plan after an edit by the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct LoggedPlan<P: Plan> {
    /// The person's bounds.
    pub bounds: P,
    /// The pilot's plan.
    pub rules: P,
}

/// Returns the log in its format on disk.
pub fn to_lines<P: Plan>(log: &[LogEntry<P>]) -> Sanitized {
    Sanitized::lines(log.iter().map(|entry| versioned::to_json(VERSION, entry)))
}

/// Reads a log from its format on disk.
///
/// # Errors
/// [`Error::Format`] with the number of the line that cannot be read.
pub fn lines<P: Plan>(text: &str) -> Result<Vec<LogEntry<P>>, Error> {
    let entry = |(at, line): (usize, &str)| {
        versioned::from_json(VERSION, line)
            .map_err(|message| Error::Format { line: Some(at + 1), message })
    };
    text.lines().enumerate().map(entry).collect()
}
