//! One question: reserve, send, settle, and try again where that may help. Each try is money of its
//! own.

use std::time::Duration;

use crate::model::request::{Failure, Model, Reply};
use crate::money::ledger::{Bound, CallOutcome, Ledger, Refused, Settled};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;

/// How often and how patiently a call that failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// The most calls for one question.
    pub attempts: u32,
    /// The wait after the first failure; it doubles from there.
    pub first_wait: Duration,
    /// The longest wait, also where the server asks for a longer one: then the run ends.
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

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallError {
    /// The run ends.
    Stop(Stop),
    /// The request is longer than the model's window: ask with less.
    TooLong {
        /// What the server said.
        message: String,
        /// The window in tokens, where the server names it.
        window: Option<u32>,
    },
    /// The request has to be put in another form: the model's next body is.
    UnsupportedFormat,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelCall<'a> {
    /// The turn it is for.
    pub turn: u32,
    /// What [`Model::body`] gave.
    pub body: &'a str,
    /// What it can come to.
    pub bound: Bound,
}

/// Asks until there is an answer or no point in asking.
///
/// # Errors
/// Why there is no answer.
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
    loop {
        if let Some(stop) = deadline.expired() {
            return Err(CallError::Stop(stop));
        }
        ledger.reserve(turn, attempt, bound).map_err(|refused| {
            CallError::Stop(match refused {
                Refused::Limit { needed, left } => Stop::SpendLimit { needed, left },
                Refused::Breach(Settled { reserved, spent, .. }) => {
                    Stop::ProviderBreach { reserved, spent }
                }
                Refused::Journal(error) => Stop::LedgerFailed(error.to_string()),
            })
        })?;
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
        attempt += 1;
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

/// Doubling, with up to as much again by chance, so that many clients do not come back at once.
#[expect(clippy::disallowed_methods, reason = "the rim: chance spreads the retries")]
fn backoff(attempt: u32, retries: Retries) -> Duration {
    const MOST: Duration = Duration::from_secs(8);
    let wait = retries.first_wait.saturating_mul(1 << (attempt - 1).min(10)).min(MOST);
    let mut byte = [0];
    // Without randomness all that is lost is the spreading.
    let _ = getrandom::fill(&mut byte);
    wait + wait.mul_f64(f64::from(byte[0]) / 512.0)
}
