//! What a model is to the loop: a request goes out, a reply or a failure comes back.

use std::time::Duration;

use crate::shared::Sanitized;
use serde_json::Value;

use crate::money::price::{Price, Usage};
use crate::run::deadline::Deadline;

/// The window of a model of which nothing is known: that of most small local models.
pub(crate) const UNKNOWN_WINDOW: u32 = 8_192;

/// One question. Models keep no conversation: it says all there is to know.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What stays the same from turn to turn: instructions and goal. Providers cache it.
    pub stable: Sanitized,
    /// What this turn is about.
    pub turn: Sanitized,
    /// The JSON schema of the answer.
    pub schema: Value,
    /// The most output, reasoning included, in tokens.
    pub output_tokens: u32,
    /// The most tokens of input and output together.
    pub window: u32,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The answer, without reasoning.
    pub text: String,
    /// What the provider says it used.
    pub usage: Option<Usage>,
    /// The model that answered, by its own account.
    pub model: Option<String>,
    /// Whether the answer was cut at the most output.
    pub is_cut: bool,
    /// The model declined to answer.
    pub refusal: Option<String>,
    /// Terms that differ from those the price holds for: another tier of service, another region,
    /// another model.
    pub repriced: Option<String>,
    /// The price of the model that answered, where it is another than was asked and has a listed
    /// price.
    pub price: Option<Price>,
}

/// Why there is no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// It may pass: too many requests, an overloaded server, a broken connection.
    Transient {
        /// What happened.
        message: String,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
        /// Whether the call was turned away before any work.
        not_billed: bool,
    },
    /// The request is longer than the model's window.
    TooLong {
        /// What the server said.
        message: String,
        /// The window in tokens, where the server names it.
        window: Option<u32>,
        /// Whether the call was turned away before any work.
        not_billed: bool,
    },
    /// The server does not know this way to ask for JSON; the next body asks in another.
    UnsupportedFormat {
        /// What the server said.
        message: String,
        /// Whether the call was turned away before any work.
        not_billed: bool,
    },
    /// Trying again would not help.
    Permanent {
        /// What happened.
        message: String,
        /// Whether the call was turned away before any work.
        not_billed: bool,
    },
    /// The person or the clock ended the wait.
    Interrupted,
}

/// Answers requests.
pub trait Model: Send {
    /// `provider/name`.
    fn name(&self) -> &str;

    /// The exact bytes that would be sent: what a call can cost is reckoned from their number.
    /// Without a wire format of its own a model reads the words of the request.
    fn body(&self, request: &Request) -> String {
        format!("{}\n{}", request.stable, request.turn)
    }

    /// Sends what `body` gave, once: trying again is for the [`ModelPilot`](crate::ModelPilot),
    /// which reserves for each call. A model that waits should look at `deadline` meanwhile.
    ///
    /// # Errors
    /// When there is no reply to read.
    fn send(&mut self, body: &str, deadline: &Deadline) -> Result<Reply, Failure>;
}
