//! The reasons for the end of an exploration, each with an exit code, a line for people and a word
//! for machines.

use crate::money::effect_ledger::{EffectRefusal, ResourceShortage};
use crate::money::ledger::{Refused, Settled};
use crate::money::pico_usd::PicoUsd;
use crate::shared::Exit;

/// The reason for the end of an exploration. Every one except [`Stop::Quit`] delivers the best
/// context so far.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The pilot finalized.
    Finished,
    /// The pilot finalized, and some of its changes did not fit.
    TokenLimit,
    /// Nothing matches the goal; advice on what to try.
    NothingRelevant(&'static str),
    /// The next call could pass the limit.
    SpendLimit {
        /// The lowest maximum cost of a useful call.
        needed: PicoUsd,
        /// The remainder of the limit.
        left: PicoUsd,
    },
    /// The next call could pass the limit of the purse that the run spends from.
    PurseLimit {
        /// The name of the purse.
        purse: String,
        /// The lowest maximum cost of a useful call.
        needed: PicoUsd,
        /// The remainder of the purse.
        left: PicoUsd,
    },
    /// The purse does not answer, so nothing is spent; the reason.
    PurseAway(String),
    /// The limit of turns is reached.
    TurnLimit,
    /// The limit of time is reached.
    TimeLimit,
    /// The next effect could pass the limit of requests.
    RequestLimit(ResourceShortage),
    /// The next effect could pass the limit of bytes.
    ByteLimit(ResourceShortage),
    /// The next effect could pass the limit of steps.
    StepLimit(ResourceShortage),
    /// An effect that the goal needs was refused; the effect in words.
    EffectRefused(String),
    /// The pilot of a walk ended it without an answer; its reason.
    GivenUp(String),
    /// The person accepted the current context.
    StoppedByPerson,
    /// The person quit without a context.
    Quit,
    /// The person pressed Ctrl-C.
    Interrupted,
    /// The provider failed; the message.
    ProviderFailed(String),
    /// Three replies of the pilot in a row could not be used; the last complaint.
    UnusableAnswers(String),
    /// The provider billed more than the maximum it was given.
    ProviderBreach {
        /// The amount reserved for the call.
        reserved: PicoUsd,
        /// The cost by the provider's report.
        spent: PicoUsd,
    },
    /// The browser of a walk has ended; the reason.
    BrowserEnded(String),
    /// The ledger cannot be written, so nothing more is spent.
    LedgerFailed(String),
    /// The state cannot be stored, so a crash would lose it.
    StateFailed(String),
}

/// The end of the line for each stop that delivers less than the pilot wanted.
const BEST: &str = "this is the best context so far";

fn over_limit(one: &str, shortage: ResourceShortage, best: &str) -> String {
    format!("stopped at the {one} limit: {}; {best}", lacking(one, shortage))
}

/// Says what the next change lacks.
fn lacking(one: &str, ResourceShortage { needed, left }: ResourceShortage) -> String {
    match left {
        0 => format!("no {one} is left"),
        left => format!("the next change could need {needed} {one}s, with {left} left"),
    }
}

/// The maximum number of unusable replies in a row, each of which is paid for.
pub(crate) const MOST_UNUSABLE: usize = 3;

impl From<EffectRefusal> for Stop {
    fn from(refusal: EffectRefusal) -> Stop {
        match refusal {
            EffectRefusal::Requests(shortage) => Stop::RequestLimit(shortage),
            EffectRefusal::Bytes(shortage) => Stop::ByteLimit(shortage),
            EffectRefusal::Steps(shortage) => Stop::StepLimit(shortage),
            EffectRefusal::Journal(error) => Stop::LedgerFailed(error.to_string()),
        }
    }
}

impl From<Refused> for Stop {
    fn from(refused: Refused) -> Stop {
        match refused {
            Refused::Limit { needed, left } => Stop::SpendLimit { needed, left },
            Refused::PurseLimit { purse, needed, left } => Stop::PurseLimit { purse, needed, left },
            Refused::PurseAway(why) => Stop::PurseAway(why),
            Refused::Breach(Settled { reserved, spent, .. }) => {
                Stop::ProviderBreach { reserved, spent }
            }
            Refused::Journal(error) => Stop::LedgerFailed(error.to_string()),
        }
    }
}

impl Stop {
    /// Returns the word for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            Stop::Finished => "finished",
            Stop::TokenLimit => "token_limit",
            Stop::NothingRelevant(_) => "nothing_relevant",
            Stop::SpendLimit { .. } => "spend_limit",
            Stop::PurseLimit { .. } => "purse_limit",
            Stop::PurseAway(_) => "purse_away",
            Stop::TurnLimit => "turn_limit",
            Stop::TimeLimit => "time_limit",
            Stop::RequestLimit(_) => "request_limit",
            Stop::ByteLimit(_) => "byte_limit",
            Stop::StepLimit(_) => "step_limit",
            Stop::EffectRefused(_) => "effect_refused",
            Stop::GivenUp(_) => "given_up",
            Stop::StoppedByPerson => "stopped_by_person",
            Stop::Quit => "quit",
            Stop::Interrupted => "interrupted",
            Stop::ProviderFailed(_) => "provider_failed",
            Stop::UnusableAnswers(_) => "unusable_answers",
            Stop::ProviderBreach { .. } => "provider_breach",
            Stop::BrowserEnded(_) => "browser_ended",
            Stop::LedgerFailed(_) => "ledger_failed",
            Stop::StateFailed(_) => "state_failed",
        }
    }

    /// Returns what a change lacks that could pass a limit; `None` for other ends.
    pub(crate) fn shortage(&self) -> Option<String> {
        let (one, shortage) = match self {
            Stop::RequestLimit(shortage) => ("request", shortage),
            Stop::ByteLimit(shortage) => ("byte", shortage),
            Stop::StepLimit(shortage) => ("step", shortage),
            _ => return None,
        };
        Some(format!("it could pass the {one} limit: {}", lacking(one, *shortage)))
    }

    /// Returns the line for people.
    pub fn line(&self) -> String {
        self.line_with(BEST)
    }

    /// Returns the line for people, with words for what is delivered.
    pub(crate) fn line_with(&self, best: &str) -> String {
        match self {
            Stop::Finished => "finished".to_owned(),
            Stop::TokenLimit => {
                "finished: not all that the pilot wanted fits in the token budget".to_owned()
            }
            Stop::NothingRelevant(way_out) => format!(
                "nothing that may be shown matches the goal; the context is an overview (try \
                 {way_out})"
            ),
            Stop::SpendLimit { needed, left } => format!(
                "stopped at the spend limit: the next call could cost {}, {} is left; {best}",
                needed.rounded(),
                left.rounded_down()
            ),
            Stop::PurseLimit { purse, needed, left } => format!(
                "stopped at the limit of the purse `{purse}`: the next call could cost {}, {} is \
                 left; {best}",
                needed.rounded(),
                left.rounded_down()
            ),
            Stop::PurseAway(why) => {
                format!("the purse does not answer ({why}), so nothing more is sent; {best}")
            }
            Stop::TurnLimit => format!("stopped at the turn limit; {best}"),
            Stop::TimeLimit => format!("stopped at the time limit; {best}"),
            Stop::RequestLimit(shortage) => over_limit("request", *shortage, best),
            Stop::ByteLimit(shortage) => over_limit("byte", *shortage, best),
            Stop::StepLimit(shortage) => over_limit("step", *shortage, best),
            Stop::EffectRefused(what) => {
                format!("stopped because the goal needs what was refused ({what}); {best}")
            }
            Stop::GivenUp(why) if why.is_empty() => "given up without a reason".to_owned(),
            Stop::GivenUp(why) => format!("given up: {why}"),
            Stop::StoppedByPerson => format!("stopped here; {best}"),
            Stop::Quit => "quit; no context is printed".to_owned(),
            Stop::Interrupted => format!("interrupted; {best}"),
            Stop::ProviderFailed(why) | Stop::BrowserEnded(why) => format!("{why}; {best}"),
            Stop::UnusableAnswers(last) => {
                format!(
                    "stopped after {MOST_UNUSABLE} answers in a row that cannot be used (the \
                     last: {last}); {best}"
                )
            }
            Stop::ProviderBreach { reserved, spent } => format!(
                "the provider billed {} where at most {} was allowed; nothing more is sent, {best}",
                spent.rounded(),
                reserved.rounded()
            ),
            Stop::LedgerFailed(why) => format!(
                "the ledger cannot be written ({why}), so nothing \
                more is sent; {best}"
            ),
            Stop::StateFailed(why) => format!(
                "the state of the run cannot be written ({why}), so \
                it goes no further; {best}"
            ),
        }
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Stop::Finished | Stop::TokenLimit => Exit::Finished,
            Stop::NothingRelevant(_) | Stop::GivenUp(_) => Exit::NothingRelevant,
            Stop::SpendLimit { .. } | Stop::PurseLimit { .. } => Exit::SpendLimit,
            Stop::TurnLimit
            | Stop::TimeLimit
            | Stop::RequestLimit(_)
            | Stop::ByteLimit(_)
            | Stop::StepLimit(_) => Exit::LimitReached,
            Stop::EffectRefused(_) => Exit::EffectRefused,
            Stop::StoppedByPerson | Stop::Quit => Exit::StoppedByPerson,
            Stop::Interrupted => Exit::Interrupted,
            Stop::ProviderFailed(_) | Stop::UnusableAnswers(_) | Stop::ProviderBreach { .. } => {
                Exit::ProviderFailed
            }
            Stop::BrowserEnded(_) => Exit::PagesFailed,
            Stop::PurseAway(_) | Stop::LedgerFailed(_) | Stop::StateFailed(_) => Exit::Error,
        }
    }
}
