//! One question to a model: reserve, send, settle, and retry where a retry may help. Each attempt
//! has its own reservation.

use std::time::Duration;

use crate::model::request::{Failure, Model, Reply};
use crate::money::ledger::{Bound, CallOutcome, Ledger};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;

/// The number of attempts and the waits between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// The maximum number of calls for one question.
    pub attempts: u32,
    /// The wait after the first failure; it doubles with each further failure.
    pub first_wait: Duration,
    /// The longest wait. If the server requests a longer one, the run ends.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Retries {
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
        }
    }
}

/// The reason why a question has no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The run ends.
    Stop(Stop),
    /// The request is longer than the model's window; ask again with less.
    TooLong {
        /// The message of the server.
        message: String,
        /// The window in tokens, if the server names it.
        window: Option<u32>,
    },
    /// The server does not support this form of JSON output; the model's next body uses another.
    UnsupportedFormat,
}

/// One call of a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelCall<'a> {
    /// The turn of the call.
    pub turn: u32,
    /// The body from [`Model::body`].
    pub body: &'a str,
    /// The upper bound of the call.
    pub bound: Bound,
}

/// Calls the model until there is a reply or a retry cannot help.
///
/// # Errors
/// The reason why there is no reply.
pub(crate) fn ask(
    model: &mut dyn Model,
    question: ModelCall<'_>,
    ledger: &mut Ledger<'_>,
    retries: Retries,
    deadline: &Deadline,
    tell: &mut dyn FnMut(&str),
) -> Result<Reply, CallError> {
    let ModelCall { turn, body, bound } = question;
    let mut attempt = 1;
    let mut failed: Option<String> = None;
    loop {
        if let Some(stop) = deadline.expired() {
            return Err(CallError::Stop(stop));
        }
        ledger
            .reserve(turn, attempt, bound)
            .map_err(|refused| CallError::Stop(stop_after(failed.take(), refused.into())))?;
        let answered = model.send(body, deadline);
        let (outcome, from) = match &answered {
            Ok(reply) => {
                if let Some(why) = &reply.repriced {
                    tell(&format!(
                        "the reply came on other terms than the price is for ({why}); the dearer \
                         of both counts"
                    ));
                }
                (outcome_of(reply), reply.model.as_deref())
            }
            Err(failure) => (outcome_of_failure(failure), None),
        };
        let settled = ledger
            .settle(&outcome, from)
            .map_err(|error| CallError::Stop(Stop::LedgerFailed(error.to_string())))?;
        if settled.breach {
            return Err(CallError::Stop(Stop::ProviderBreach {
                reserved: settled.reserved,
                spent: settled.spent,
            }));
        }
        let (message, wait) = match answered {
            Ok(reply) => return Ok(reply),
            Err(Failure::Interrupted) => {
                return Err(CallError::Stop(deadline.expired().unwrap_or(Stop::Interrupted)));
            }
            Err(Failure::TooLong { message, window, .. }) => {
                return Err(CallError::TooLong { message, window });
            }
            Err(Failure::UnsupportedFormat { .. }) => return Err(CallError::UnsupportedFormat),
            Err(Failure::Permanent { message, .. }) => {
                return Err(CallError::Stop(Stop::ProviderFailed(message)));
            }
            Err(Failure::Transient { message, retry_after, .. }) => {
                (message, retry_after.unwrap_or_else(|| backoff(attempt, retries)))
            }
        };
        if attempt >= retries.attempts {
            return Err(CallError::Stop(Stop::ProviderFailed(format!(
                "{message} ({attempt} tries)"
            ))));
        }
        if wait > retries.longest_wait {
            let message = format!("{message} (it asks to wait {} s)", wait.as_secs());
            return Err(CallError::Stop(Stop::ProviderFailed(message)));
        }
        tell(&format!("{message}; trying again in {:.1} s", wait.as_secs_f64()));
        deadline.wait(wait);
        failed = Some(message);
        attempt += 1;
    }
}

/// Returns the end of a call that has failed and cannot be paid for again: the cause is the
/// failure, and not a budget that its reservation has used.
fn stop_after(failed: Option<String>, stop: Stop) -> Stop {
    match (stop, failed) {
        (
            Stop::SpendLimit { needed, left } | Stop::PurseLimit { needed, left, .. },
            Some(message),
        ) => Stop::ProviderFailed(format!(
            "{message} (not tried again: the failed call counts as spent up to its reservation, \
             another could cost {}, {} is left)",
            needed.rounded(),
            left.rounded_down()
        )),
        (stop, _) => stop,
    }
}

fn outcome_of(reply: &Reply) -> CallOutcome {
    match (&reply.usage, &reply.repriced) {
        (Some(usage), None) => CallOutcome::Reported(*usage),
        (Some(usage), Some(why)) => CallOutcome::ReportedElsewise {
            usage: *usage,
            price: reply.price.clone(),
            why: why.clone(),
        },
        (None, _) => CallOutcome::Unknown("the reply reports no usage".to_owned()),
    }
}

fn outcome_of_failure(failure: &Failure) -> CallOutcome {
    let (message, not_billed) = match failure {
        Failure::Transient { message, not_billed, .. }
        | Failure::Permanent { message, not_billed }
        | Failure::TooLong { message, not_billed, .. }
        | Failure::UnsupportedFormat { message, not_billed } => (message.clone(), *not_billed),
        Failure::Interrupted => ("the run ended while the call was under way".to_owned(), false),
    };
    if not_billed { CallOutcome::NotBilled(message) } else { CallOutcome::Unknown(message) }
}

/// Returns the wait before the next attempt: doubling, plus up to as much again at random, so that
/// many clients do not return at once.
#[expect(clippy::disallowed_methods, reason = "the rim: chance spreads the retries")]
fn backoff(attempt: u32, retries: Retries) -> Duration {
    const MOST: Duration = Duration::from_secs(8);
    let wait = retries.first_wait.saturating_mul(1 << (attempt - 1).min(10)).min(MOST);
    let mut byte = [0];
    // Without randomness the waits are merely not spread.
    let _ = getrandom::fill(&mut byte);
    wait + wait.mul_f64(f64::from(byte[0]) / 512.0)
}
