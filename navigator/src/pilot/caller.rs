//! A model with its purse: the highest cost of a request, estimates of the next one, and the call
//! with its reservations.

use std::collections::VecDeque;
use std::fmt;

use crate::model::request::{Model, Reply, Request};
use crate::model::retry::{CallError, ModelCall, Retries, ask};
use crate::money::ledger::{Bound, Ledger};
use crate::money::pico_usd::PicoUsd;
use crate::money::price::Usage;
use crate::run::deadline::Deadline;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::shared::Tokenizer;

/// The upper bound of a provider's own template around a request, in tokens, in addition to the
/// bytes sent: role marks, and the schema once more in another form. One small tool was observed to
/// add 390 tokens.
const TEMPLATE_TOKENS: u64 = 2_048;

/// The number of recent replies from which the size of the next is estimated.
const RECENT: usize = 4;

/// How large a request may be, and how small it may become when the window or the money is short.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSize {
    /// The maximum reply, in tokens.
    pub(crate) output: u32,
    /// The smallest reply that is worth its cost, in tokens.
    pub(crate) least_output: u32,
    /// What the request is about: tokens of a view, or a number of questions.
    pub(crate) content: u32,
    /// The least of it that is worth asking about.
    pub(crate) least_content: u32,
}

impl RequestSize {
    /// Halves the reply, then the content. Returns `None` when both are at their least.
    fn smaller(self) -> Option<RequestSize> {
        if self.output > self.least_output {
            let output = (self.output / 2).max(self.least_output);
            return Some(RequestSize { output, ..self });
        }
        let content = (self.content / 2).max(self.least_content);
        (content < self.content).then_some(RequestSize { content, ..self })
    }
}

/// A request that is ready to send.
#[derive(Debug)]
pub(crate) struct ReadyRequest {
    pub(crate) request: Request,
    /// The exact bytes.
    pub(crate) body: String,
    /// The size of the request by our count, in tokens.
    pub(crate) tokens: u32,
    pub(crate) bound: Bound,
    /// How much of the content it has.
    pub(crate) content: u32,
}

impl ReadyRequest {
    /// Returns the projection of its cost, with a view of so many tokens.
    pub(crate) fn projection(&self, view_tokens: u32) -> Projection {
        Projection {
            projected_pico_usd: self.bound.projected_pico_usd,
            at_most_pico_usd: self.bound.reserved_pico_usd,
            request_tokens: self.tokens,
            view_tokens,
        }
    }
}

/// A model, and the ledger that pays for its calls.
pub(crate) struct ModelCaller<'j> {
    model: Box<dyn Model + 'j>,
    ledger: Ledger<'j>,
    /// The provider's token count per thousand tokens of our count, from the last call.
    per_thousand: u64,
    answers: VecDeque<u64>,
    /// The expected size of the first reply, in tokens.
    first_answer: u64,
    tell: Box<dyn FnMut(&str) + Send + 'j>,
}

impl fmt::Debug for ModelCaller<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelCaller")
            .field("model", &self.model.name())
            .field("ledger", &self.ledger)
            .finish_non_exhaustive()
    }
}

impl<'j> ModelCaller<'j> {
    /// Takes a model that is paid from `ledger`; `first_answer` is the expected size of the first
    /// reply in tokens. Waits are reported through `tell`.
    pub(crate) fn new(
        model: Box<dyn Model + 'j>,
        ledger: Ledger<'j>,
        first_answer: u64,
        tell: Box<dyn FnMut(&str) + Send + 'j>,
    ) -> ModelCaller<'j> {
        let answers = VecDeque::new();
        ModelCaller { model, ledger, per_thousand: 1_000, answers, first_answer, tell }
    }

    /// Returns `provider/name`.
    pub(crate) fn name(&self) -> &str {
        self.model.name()
    }

    /// Returns the limit and the spend so far.
    pub(crate) fn purse(&self) -> Spend {
        Spend {
            limit_pico_usd: self.ledger.limit(),
            spent_pico_usd: self.ledger.spent(),
            calls: self.ledger.n_calls(),
        }
    }

    /// Returns what is left of the limit.
    pub(crate) fn left(&self) -> PicoUsd {
        self.ledger.left()
    }

    /// Returns what was left of the purse when it last answered; `None` without a purse.
    #[cfg(feature = "mcp")]
    pub(crate) fn purse_left(&self) -> Option<PicoUsd> {
        self.ledger.purse_left()
    }

    /// Returns the end of a run whose next call could cost more than what is left.
    pub(crate) fn shortage(&self, needed: PicoUsd) -> Stop {
        self.ledger.shortage(needed).into()
    }

    /// Reports whether calls cost nothing.
    pub(crate) fn is_free(&self) -> bool {
        self.ledger.price().is_free()
    }

    /// Returns the provider's token count per thousand tokens of our count.
    pub(crate) fn per_thousand(&self) -> u64 {
        self.per_thousand
    }

    /// Returns the exact bytes of a request.
    pub(crate) fn body(&self, request: &Request) -> String {
        self.model.body(request)
    }

    /// Reports that something is waited for or tried again.
    pub(crate) fn tell(&mut self, line: &str) {
        (self.tell)(line);
    }

    /// Returns the upper bound of a body. A token of a byte-level tokenizer has at least one byte,
    /// so the bytes of the whole body bound its tokens.
    pub(crate) fn bound(&self, body: &str, request_tokens: u32, output: u32) -> Bound {
        let input_tokens = body.len() as u64 + TEMPLATE_TOKENS;
        let output_tokens = u64::from(output);
        let price = self.ledger.price();
        let usual = match self.answers.len() as u64 {
            0 => self.first_answer,
            n => self.answers.iter().sum::<u64>() / n,
        };
        let probable = u64::from(request_tokens) * self.per_thousand / 1_000;
        let reserved = price.at_most(input_tokens, output_tokens);
        let likely = Usage {
            input_tokens: probable.min(input_tokens),
            output_tokens: usual.min(output_tokens),
            ..Usage::default()
        };
        let projected = price.of(&likely).min(reserved);
        Bound {
            input_tokens,
            output_tokens,
            reserved_pico_usd: reserved,
            projected_pico_usd: projected,
        }
    }

    /// Makes the largest request that the window and the money allow. `make` gives the request of a
    /// content and an output; `purpose` completes "a window of n tokens has no room for".
    ///
    /// # Errors
    /// The error of `make`, or what even the smallest request lacks: room in the window, or money.
    pub(crate) fn fit(
        &self,
        mut size: RequestSize,
        window: u32,
        purpose: &str,
        mut make: impl FnMut(RequestSize) -> Result<Request, Stop>,
    ) -> Result<ReadyRequest, Stop> {
        let tokenizer = Tokenizer::default();
        loop {
            let request = make(size)?;
            let tokens = tokenizer.count(&request.stable) + tokenizer.count(&request.turn);
            let counted = u64::from(tokens) * self.per_thousand / 1_000;
            let body = self.body(&request);
            let bound = self.bound(&body, tokens, size.output);
            let has_room = counted + u64::from(size.output) <= u64::from(window);
            if has_room && bound.reserved_pico_usd <= self.left() {
                return Ok(ReadyRequest { request, body, tokens, bound, content: size.content });
            }
            size = match size.smaller() {
                Some(smaller) => smaller,
                None if has_room => return Err(self.shortage(bound.reserved_pico_usd)),
                None => return Err(no_room(window, purpose)),
            };
        }
    }

    /// Sends a body until there is a reply or a retry cannot help, and learns from the reply.
    ///
    /// # Errors
    /// The reason why there is no reply.
    pub(crate) fn call(
        &mut self,
        question: ModelCall<'_>,
        request_tokens: u32,
        retries: Retries,
        deadline: &Deadline,
    ) -> Result<Reply, CallError> {
        let ModelCaller { model, ledger, tell, .. } = self;
        let reply = ask(model.as_mut(), question, ledger, retries, deadline, tell)?;
        self.learn(&reply, request_tokens);
        Ok(reply)
    }

    /// Updates the estimates with the provider's counts.
    fn learn(&mut self, reply: &Reply, request_tokens: u32) {
        let Some(usage) = &reply.usage else { return };
        self.answers.push_back(usage.output_tokens.min(u64::from(u32::MAX)));
        if self.answers.len() > RECENT {
            self.answers.pop_front();
        }
        let counted = usage.all_input();
        if counted > 0 && request_tokens > 0 {
            self.per_thousand =
                (counted.saturating_mul(1_000) / u64::from(request_tokens)).clamp(500, 3_000);
        }
    }
}

/// Returns the end of a run whose smallest request is larger than the window.
pub(crate) fn no_room(window: u32, purpose: &str) -> Stop {
    Stop::ProviderFailed(format!("a window of {window} tokens has no room for {purpose}"))
}
