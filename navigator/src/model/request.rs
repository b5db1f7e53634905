//! The model as the loop sees it: it takes a request and returns a reply or a failure.

use std::time::Duration;

use crate::shared::Sanitized;
use serde_json::Value;

use crate::money::price::{Price, Usage};
use crate::run::deadline::Deadline;

/// The window of an unlisted model, in tokens: that of most small local models.
pub(crate) const UNKNOWN_WINDOW: u32 = 8_192;

/// One complete request. Models keep no conversation between requests.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The part that stays the same in every turn: instructions and goal. Providers cache it.
    pub stable: Sanitized,
    /// The part for this turn.
    pub turn: Sanitized,
    /// The JSON schema of the reply.
    pub schema: Value,
    /// The maximum output including reasoning, in tokens.
    pub output_tokens: u32,
    /// The maximum of input and output together, in tokens.
    pub window: u32,
}

/// The reply of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The answer, without reasoning.
    pub text: String,
    /// The usage that the provider reports.
    pub usage: Option<Usage>,
    /// The name of the model in its reply.
    pub model: Option<String>,
    /// The answer was cut off at the maximum output.
    pub is_cut: bool,
    /// The text of a refusal to answer.
    pub refusal: Option<String>,
    /// The difference of the terms from those of the price: another service tier, another region,
    /// another model.
    pub repriced: Option<String>,
    /// The price of the model that answered, if another model than the requested one answered and
    /// its price is listed.
    pub price: Option<Price>,
}

/// The reason why a call has no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// A retry may succeed: too many requests, an overloaded server, a lost connection.
    Transient {
        /// The cause.
        message: String,
        /// The wait that the server requests.
        retry_after: Option<Duration>,
        /// The server rejected the call before any work.
        not_billed: bool,
    },
    /// The request is longer than the model's window.
    TooLong {
        /// The message of the server.
        message: String,
        /// The window in tokens, if the server names it.
        window: Option<u32>,
        /// The server rejected the call before any work.
        not_billed: bool,
    },
    /// The server does not support this form of JSON output; the next body uses another form.
    UnsupportedFormat {
        /// The message of the server.
        message: String,
        /// The server rejected the call before any work.
        not_billed: bool,
    },
    /// A retry cannot succeed.
    Permanent {
        /// The cause.
        message: String,
        /// The server rejected the call before any work.
        not_billed: bool,
    },
    /// The person cancelled, or the deadline expired.
    Interrupted,
}

/// A model that answers requests.
pub trait Model: Send {
    /// Returns `provider/name`.
    fn name(&self) -> &str;

    /// Returns the exact bytes of a request; their number bounds the cost of the call. The default,
    /// for a model without a wire format, is the text of the request.
    fn body(&self, request: &Request) -> String {
        format!("{}\n{}", request.stable, request.turn)
    }

    /// Sends a body from [`Model::body`] once. Retries are made by the
    /// [`ModelPilot`](crate::ModelPilot), which reserves money for each call. A model that waits
    /// should check `deadline`.
    ///
    /// # Errors
    /// If there is no reply to read.
    fn send(&mut self, body: &str, deadline: &Deadline) -> Result<Reply, Failure>;
}
