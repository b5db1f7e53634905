//! The state of a run: plan, decision log, complaints, feedback. A few kilobytes for any terrain;
//! with `fill: none` also the rules of a whole map for each turn.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::versioned;
use crate::run::action::{Focus, FreeTokens};
use crate::run::admission::{Fall, Refusal};
use crate::run::decision_log::{ActionKind, LogEntry, LoggedPlan};
use crate::run::plan::{Change as _, Plan};
use crate::shared::Sanitized;

/// The format version of stored states. Before version 3 there are no refused changes, falls and
/// searches.
const VERSION: u32 = 3;

/// The state of an exploration between two turns. [`to_json`] and [`from_json`] store it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct State<P: Plan> {
    /// The fence around text of the terrain in requests. Drawn at random for each run, so that no
    /// file can contain it.
    pub boundary: String,
    /// The number of turns taken.
    pub turns: u32,
    /// The person's bounds, which limit every pilot.
    pub bounds: P,
    /// The pilot's plan; a map clamps it to the bounds.
    pub rules: P,
    /// The decision log.
    pub log: Vec<LogEntry<P>>,
    /// Errors in the last reply, and results that differ from its request.
    pub complaints: Vec<String>,
    /// The changes that did not fit, until another one has their name.
    #[serde(default = "Vec::new")]
    pub refused: Vec<Refusal<P>>,
    /// What the last changes made fall without naming it.
    #[serde(default)]
    pub fell: Vec<Fall>,
    /// The names that the pilot searches for.
    #[serde(default)]
    pub find: Vec<String>,
    /// The use of free tokens that the pilot set.
    #[serde(rename = "fill", default)]
    pub free: Option<FreeTokens>,
    /// What the map before the last changes showed, if their map is held to it.
    #[serde(default = "Option::default")]
    pub held: Option<P>,
    /// The person's feedback.
    pub feedback: Vec<Feedback>,
    /// The sizes of request and reply of each turn.
    pub traffic: Vec<TurnTokens>,
    /// The summary and the focus areas; set when the pilot finalized.
    pub finalized: Option<(String, Vec<Focus>)>,
    /// The reason for the end as a word for machines; `None` while the run continues.
    pub ended: Option<String>,
}

/// A message of the person to the pilot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The turn before it; 0 before the first turn.
    pub after: u32,
    /// The text.
    pub text: Sanitized,
}

/// The sizes of a turn's requests and replies, in tokens of the map's tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTokens {
    /// The turn.
    pub turn: u32,
    /// The part that is the same in each turn.
    pub stable: u32,
    /// The part for this turn.
    pub own: u32,
    /// The reply.
    pub reply: u32,
}

/// The tokens that a run sent, compared with requests that repeat the whole history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Saving {
    /// The tokens sent from the third turn on.
    pub sent: u64,
    /// The tokens from the third turn on if each request had repeated the history.
    pub with_history: u64,
}

impl<P: Plan> State<P> {
    /// Returns the state before the first turn: the person's bounds and an initial plan.
    pub fn new(boundary: String, bounds: P, rules: P) -> State<P> {
        State {
            boundary,
            turns: 0,
            bounds,
            rules,
            log: Vec::new(),
            complaints: Vec::new(),
            refused: Vec::new(),
            fell: Vec::new(),
            find: Vec::new(),
            free: None,
            held: None,
            feedback: Vec::new(),
            traffic: Vec::new(),
            finalized: None,
            ended: None,
        }
    }

    /// Returns the state before the first turn on a terrain: its bounds and its overview.
    ///
    /// # Panics
    /// If the system provides no randomness.
    pub(crate) fn first(bounds: P, overview: P) -> State<P> {
        State::new(boundary(), bounds, overview)
    }

    /// Rebuilds a state from the initial bounds, the initial plan and the log. The sizes of
    /// requests are not rebuilt.
    pub fn replay(bounds: P, rules: P, log: &[LogEntry<P>]) -> State<P> {
        let mut state = State::new(String::new(), bounds, rules);
        for entry in log {
            state.record(entry);
            state.log.push(entry.clone());
        }
        state
    }

    /// Applies a log entry. Bounds and plan change nowhere else, so that the log rebuilds them.
    pub(crate) fn record(&mut self, entry: &LogEntry<P>) {
        if entry.action.is_turn() {
            self.turns = entry.step;
        }
        match entry.action {
            ActionKind::UpdateFlightPlan => self.take(entry),
            ActionKind::FinalizeContext => {
                self.take(entry);
                self.finalized = Some((entry.reasoning.clone(), entry.focus.clone()))
            }
            ActionKind::NoUsableAnswer | ActionKind::Stopped => {}
            ActionKind::PersonEdit => {
                (self.finalized, self.held) = (None, None);
                if let Some(LoggedPlan { bounds, rules }) = entry.edit.clone() {
                    (self.bounds, self.rules) = (bounds, rules);
                }
            }
            ActionKind::PersonFeedback => {
                (self.finalized, self.held) = (None, None);
                self.feedback
                    .push(Feedback { after: entry.step, text: entry.reasoning.as_str().into() });
            }
        }
    }

    /// Opens a run that may have finalized again, with a plan for its pilot, as an edit of the
    /// person does.
    #[cfg(feature = "cli")]
    pub(crate) fn reopen(&mut self, rules: P, why: String) {
        let tokens = self.log.last().map_or(0, |entry| entry.tokens_after);
        let edit = Some(LoggedPlan { bounds: self.bounds.clone(), rules });
        let entry = LogEntry::of(self.turns, ActionKind::PersonEdit, tokens);
        let entry = LogEntry { edit, reasoning: why, ..entry };
        self.record(&entry);
        self.log.push(entry);
    }

    /// Takes in what a decision changed, and what became of the rest of it.
    fn take(&mut self, entry: &LogEntry<P>) {
        self.apply(&entry.changes);
        let is_new = |old: &Refusal<P>| {
            let refused = entry.refused.iter().map(|refusal| &refusal.change);
            !entry.changes.iter().chain(refused).any(|change| change.is_about_same(&old.change))
        };
        self.refused.retain(is_new);
        self.refused.extend(entry.refused.iter().cloned());
        self.fell.clone_from(&entry.fell);
        self.find.clone_from(&entry.find);
        self.free = entry.free.or(self.free);
        self.held.clone_from(&entry.held);
    }

    /// Formats the changes that did not fit, each with the tokens that were left for it if the last
    /// decision asked for it.
    pub(crate) fn refusals(&self) -> Vec<String> {
        let last = self.log.last().map(|entry| entry.refused.as_slice()).unwrap_or_default();
        let line = |refusal: &Refusal<P>| {
            if last.contains(refusal) { refusal.line() } else { refusal.earlier_line() }
        };
        self.refused.iter().map(line).collect()
    }

    /// Takes the changes of one reply into the plan.
    pub fn apply(&mut self, changes: &[P::Change]) {
        self.rules.take(changes);
    }

    /// Compares the tokens sent with those of a conversation, where each turn repeats all earlier
    /// ones.
    pub fn saving(&self) -> Saving {
        saving_of(&self.traffic)
    }
}

fn saving_of(traffic: &[TurnTokens]) -> Saving {
    let mut saving = Saving::default();
    let mut history = 0;
    for (at, turn) in traffic.iter().enumerate() {
        let sent = u64::from(turn.stable) + u64::from(turn.own);
        if at >= 2 {
            saving.sent += sent;
            saving.with_history += history + sent;
        }
        history += u64::from(turn.own) + u64::from(turn.reply);
    }
    saving
}

/// Returns a state in its format on disk: one line, with the version of the format.
pub fn to_json<P: Plan>(state: &State<P>) -> Sanitized {
    versioned::to_json(VERSION, state)
}

/// Reads a state from its format on disk.
///
/// # Errors
/// [`Error::Format`], if it cannot be read or was written by a newer navigator.
pub fn from_json<P: Plan>(text: &str) -> Result<State<P>, Error> {
    versioned::from_json(VERSION, text).map_err(|message| Error::Format { line: None, message })
}

/// Returns a random boundary, which no text can have been written to imitate.
///
/// # Panics
/// If the system provides no randomness.
#[expect(clippy::disallowed_methods, reason = "the rim: chance draws the boundary")]
pub fn boundary() -> String {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_saving_counts_from_the_third_turn() {
        let traffic: Vec<TurnTokens> =
            (1..=4).map(|turn| TurnTokens { turn, stable: 10, own: 100, reply: 5 }).collect();
        assert_eq!(saving_of(&traffic), Saving { sent: 220, with_history: 110 + 210 + 110 + 315 });
    }
}
