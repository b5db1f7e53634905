//! All that a turn needs to know: plan, decision log, complaints, feedback. A few kilobytes,
//! whatever the terrain.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::money::versioned;
use crate::run::action::Focus;
use crate::run::decision_log::{ActionKind, LogEntry, LoggedPlan};
use crate::run::plan::Plan;
use crate::shared::Sanitized;

/// The version of the format in which states are kept.
const VERSION: u32 = 2;

/// The state of an exploration between two turns. [`to_json`] and [`from_json`] keep it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct State<P: Plan> {
    /// Fences text of the terrain in requests; drawn once a run, so that no file can know it.
    pub boundary: String,
    /// How many turns were taken.
    pub turns: u32,
    /// The person's bounds, which no pilot passes.
    pub bounds: P,
    /// The pilot's plan, clamped to the bounds when a map is made of it.
    pub rules: P,
    /// What was decided so far.
    pub log: Vec<LogEntry<P>>,
    /// What was wrong with the last reply, or did not come out as it was asked.
    pub complaints: Vec<String>,
    /// What the person said.
    pub feedback: Vec<Feedback>,
    /// What each turn sent and got.
    pub traffic: Vec<TurnTokens>,
    /// Set when the pilot finalized: what it said, and its focus areas.
    pub finalized: Option<(String, Vec<Focus>)>,
    /// Why the run ended, in the word for machines; none while it goes on.
    pub ended: Option<String>,
}

/// What a person said, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// The turn it followed; 0 before the first.
    pub after: u32,
    /// The words.
    pub text: Sanitized,
}

/// The size of what a turn sent and got, in tokens by the map's tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTokens {
    /// The turn.
    pub turn: u32,
    /// What is the same in each turn.
    pub stable: u32,
    /// What the turn added.
    pub own: u32,
    /// The answer.
    pub reply: u32,
}

/// What the requests of a run came to, and what they would have with the whole history in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Saving {
    /// What was sent from the third turn on, in tokens.
    pub sent: u64,
    /// What full history would have sent from the third turn on.
    pub with_history: u64,
}

impl<P: Plan> State<P> {
    /// The state before the first turn: a person's bounds, and a plan to start from.
    pub fn new(boundary: String, bounds: P, rules: P) -> State<P> {
        State {
            boundary,
            turns: 0,
            bounds,
            rules,
            log: Vec::new(),
            complaints: Vec::new(),
            feedback: Vec::new(),
            traffic: Vec::new(),
            finalized: None,
            ended: None,
        }
    }

    /// The state before the first turn of a run.
    pub(crate) fn first(bounds: P, overview: P) -> State<P> {
        State::new(boundary(), bounds, overview)
    }

    /// The state that a log leads to, from the bounds and the plan that its run began with: all
    /// that is decided, not what was sent.
    pub fn replay(bounds: P, rules: P, log: &[LogEntry<P>]) -> State<P> {
        let mut state = State::new(String::new(), bounds, rules);
        for entry in log {
            state.record(entry);
            state.log.push(entry.clone());
        }
        state
    }

    /// Takes in what an entry of the log says. This alone changes bounds and plan, so that the log
    /// rebuilds them.
    pub(crate) fn record(&mut self, entry: &LogEntry<P>) {
        if entry.action.is_turn() {
            self.turns = entry.step;
        }
        match entry.action {
            ActionKind::UpdateFlightPlan => self.apply(&entry.changes),
            ActionKind::FinalizeContext => {
                self.finalized = Some((entry.reasoning.clone(), entry.focus.clone()))
            }
            ActionKind::NoUsableAnswer | ActionKind::Stopped => {}
            ActionKind::PersonEdit => {
                self.finalized = None;
                if let Some(LoggedPlan { bounds, rules }) = entry.edit.clone() {
                    (self.bounds, self.rules) = (bounds, rules);
                }
            }
            ActionKind::PersonFeedback => {
                self.finalized = None;
                self.feedback
                    .push(Feedback { after: entry.step, text: entry.reasoning.as_str().into() });
            }
        }
    }

    /// Takes the changes of one answer into the plan.
    pub fn apply(&mut self, changes: &[P::Change]) {
        self.rules.take(changes);
    }

    /// What was sent, against what a conversation would have sent: each turn all that was said
    /// before it.
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

/// A state as it is kept on disk: one line, with the version of its format.
pub fn to_json<P: Plan>(state: &State<P>) -> Sanitized {
    versioned::to_json(VERSION, state)
}

/// Reads a state that was kept on disk.
///
/// # Errors
/// A sentence, when it cannot be read or a newer navigator has written it.
pub fn from_json<P: Plan>(text: &str) -> Result<State<P>, Error> {
    versioned::from_json(VERSION, text).map_err(|message| Error::Format { line: None, message })
}

/// A boundary that no text can have been written to imitate.
///
/// # Panics
/// When the system has no randomness to give.
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
