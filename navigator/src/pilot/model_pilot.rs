//! The pilot that asks a model: view, request, upper bound, call, reply.

use std::fmt;

#[cfg(feature = "models")]
use crate::model::endpoint::ModelEndpoint;
use crate::model::request::{Model, Request, UNKNOWN_WINDOW};
use crate::model::retry::{CallError, ModelCall, Retries};
use crate::money::ledger::{Bound, Ledger};
use crate::pilot::answer;
use crate::pilot::briefing::Briefing;
use crate::pilot::caller::{ModelCaller, ReadyRequest, RequestSize, no_room};
use crate::pilot::prompt;
use crate::run::pilot::{Decision, Pilot, Projection, Spend, Turn};
use crate::run::state::TurnTokens;
use crate::run::stop::Stop;
use crate::run::terrain::TerrainMap;
use crate::shared::Tokenizer;

/// The minimum size of a view, in tokens: a smaller one shows too little for a decision.
const LEAST_VIEW: u32 = 1_500;
/// The maximum size of a view, in tokens, even if the window is larger: a larger one costs more
/// than it adds.
const MOST_VIEW: u32 = 6_000;

/// The limits for requests to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelLimits {
    /// The maximum of input and output together, in tokens.
    pub window: u32,
    /// The maximum output including reasoning, in tokens, if money and window allow it.
    pub output_tokens: u32,
    /// The minimum output, in tokens: with less, a call is not worth its cost.
    pub least_output_tokens: u32,
    /// The rules for retries.
    pub retries: Retries,
}

impl Default for ModelLimits {
    /// Returns the limits for an unlisted model: a window of 8 192 tokens, replies of at most 2
    /// 048.
    fn default() -> Self {
        ModelLimits {
            window: UNKNOWN_WINDOW,
            output_tokens: OUTPUT_TOKENS,
            least_output_tokens: LEAST_OUTPUT_TOKENS,
            retries: Retries::default(),
        }
    }
}

impl ModelLimits {
    /// Returns the window in tokens after a server refused a request of so many as too long: what
    /// the server names, or a guess from that request if it is smaller than the assumed window.
    pub(crate) fn narrowed(&self, refused: u32, named: Option<u32>) -> u32 {
        let guess = self.window.min(refused) / 4 * 3;
        named.filter(|window| *window < self.window).unwrap_or(guess)
    }
}

#[cfg(feature = "models")]
impl ModelLimits {
    /// Returns the limits for a model behind a server.
    pub fn of(target: &ModelEndpoint) -> ModelLimits {
        let reasons = target.listed.as_ref().is_some_and(|listed| listed.reasons);
        let most = target.listed.as_ref().and_then(|listed| listed.max_output).unwrap_or(u32::MAX);
        let usual = match reasons {
            true => ModelLimits {
                output_tokens: REASONING_OUTPUT_TOKENS,
                least_output_tokens: LEAST_REASONING_OUTPUT_TOKENS,
                ..ModelLimits::default()
            },
            false => ModelLimits::default(),
        };
        ModelLimits { window: target.window, output_tokens: usual.output_tokens.min(most), ..usual }
    }
}

/// The maximum output of a model without reasoning, in tokens. Twenty changes with reasons have
/// some 1 200 tokens.
const OUTPUT_TOKENS: u32 = 2_048;
/// The maximum output of a reasoning model, in tokens.
#[cfg(feature = "models")]
const REASONING_OUTPUT_TOKENS: u32 = 8_192;
/// The minimum output, in tokens: with less, a reply is cut off.
const LEAST_OUTPUT_TOKENS: u32 = 1_024;
/// The minimum output of a reasoning model, in tokens: with less, nothing remains for the reply.
#[cfg(feature = "models")]
const LEAST_REASONING_OUTPUT_TOKENS: u32 = 4_096;
/// The smallest usable window, in tokens: it barely holds instructions, the smallest view and a
/// reply.
const LEAST_WINDOW: u32 = 3_072;

/// The usual size of the state in a request, in tokens: log, complaints, feedback and headings.
const STATE_TOKENS: u32 = 400;

/// The expected size of the first reply, in tokens.
const USUAL_ANSWER_TOKENS: u64 = 500;
/// What a window needs room for.
const PURPOSE: &str = "a view worth deciding by";

/// The pilot that asks a model.
pub struct ModelPilot<'j> {
    caller: ModelCaller<'j>,
    terms: ModelLimits,
    ready: Option<ReadyTurn>,
    /// The size of the part that is the same in each request, in tokens.
    stable_tokens: Option<u32>,
}

/// The request of a turn, ready to send.
struct ReadyTurn {
    request: ReadyRequest,
    /// The size of the view in it, in tokens.
    view_tokens: u32,
}

impl fmt::Debug for ModelPilot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelPilot").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl<'j> ModelPilot<'j> {
    /// Makes a pilot that pays from `ledger` and reports through `tell` when it waits for the
    /// provider.
    pub fn new(
        model: Box<dyn Model + 'j>,
        ledger: Ledger<'j>,
        terms: ModelLimits,
        tell: Box<dyn FnMut(&str) + Send + 'j>,
    ) -> ModelPilot<'j> {
        let caller = ModelCaller::new(model, ledger, USUAL_ANSWER_TOKENS, tell);
        ModelPilot { caller, terms, ready: None, stable_tokens: None }
    }

    /// Returns what was left of the purse when it last answered; `None` without a purse.
    #[cfg(feature = "mcp")]
    pub(crate) fn purse_left(&self) -> Option<crate::money::pico_usd::PicoUsd> {
        self.caller.purse_left()
    }

    /// Returns the request of a turn without sending it, with its maximum cost.
    ///
    /// # Errors
    /// The reason why it could not be sent.
    pub fn first_request<T: Briefing>(
        &mut self,
        turn: &mut Turn<'_, T>,
    ) -> Result<(Request, String, Bound), Stop> {
        let ReadyRequest { request, body, bound, .. } = self.make_ready(turn)?.request;
        Ok((request, body, bound))
    }

    fn make_ready<T: Briefing>(&mut self, turn: &mut Turn<'_, T>) -> Result<ReadyTurn, Stop> {
        let tokenizer = Tokenizer::default();
        let left = (!self.caller.is_free()).then(|| self.caller.left());
        let least_output = self.terms.least_output_tokens.min(self.terms.window / 2);
        let output = self.terms.output_tokens.min(self.terms.window / 4).max(least_output);
        let stable =
            *self.stable_tokens.get_or_insert_with(|| tokenizer.count(&prompt::stable(turn)));
        let failed = |error: T::Error| Stop::ProviderFailed(error.to_string());
        let notes = prompt::Notes::of(turn).map_err(failed)?;
        // The part of the window that remains after instructions, state and reply, by our count of
        // tokens.
        let room = u64::from(self.terms.window.saturating_sub(output)) * 900
            / self.caller.per_thousand().max(1_000);
        let room = u32::try_from(room)
            .unwrap_or(u32::MAX)
            .saturating_sub(stable + STATE_TOKENS + notes.found_tokens(tokenizer));
        let wanted = turn
            .map
            .tokens()
            .saturating_add(turn.map.tokens() / 2)
            .clamp(2 * LEAST_VIEW, MOST_VIEW);
        if room < LEAST_VIEW && turn.map.tokens() > room {
            let window = self.terms.window;
            return Err(no_room(window, PURPOSE));
        }
        let size = RequestSize {
            output,
            least_output,
            content: wanted.min(room),
            least_content: LEAST_VIEW,
        };
        let mut view_tokens = 0;
        let window = self.terms.window;
        let request = self.caller.fit(size, window, PURPOSE, |size| {
            let view = T::view(turn, size.content).map_err(failed)?;
            view_tokens = view.tokens;
            Ok(prompt::request(turn, &view, &notes, left, size.output, window))
        })?;
        Ok(ReadyTurn { request, view_tokens })
    }
}

impl<T: Briefing> Pilot<T> for ModelPilot<'_> {
    fn name(&self) -> &str {
        self.caller.name()
    }

    fn purse(&self) -> Spend {
        self.caller.purse()
    }

    fn prepare(&mut self, turn: &mut Turn<'_, T>) -> Result<Projection, Stop> {
        let ready = self.make_ready(turn)?;
        let projection = ready.request.projection(ready.view_tokens);
        self.ready = Some(ready);
        Ok(projection)
    }

    fn decide(&mut self, turn: &mut Turn<'_, T>) -> Result<Decision<T::Plan>, Stop> {
        loop {
            let ready = match self.ready.take() {
                Some(ready) => ready,
                None => self.make_ready(turn)?,
            };
            let ReadyRequest { request, body, tokens, bound, .. } = &ready.request;
            let question = ModelCall { turn: turn.step, body, bound: *bound };
            match self.caller.call(question, *tokens, self.terms.retries, turn.deadline) {
                Ok(reply) => {
                    let tokenizer = Tokenizer::default();
                    let stable = self.stable_tokens.unwrap_or_default();
                    let traffic = TurnTokens {
                        turn: turn.step,
                        stable,
                        own: tokens - stable,
                        reply: tokenizer.count(&reply.text),
                    };
                    let decision = answer::read(&reply, turn.terrain, turn.state);
                    return Ok(Decision { traffic: Some(traffic), ..decision });
                }
                // The next body uses another form of JSON output.
                Err(CallError::UnsupportedFormat) => {
                    self.caller.tell("the server does not know a parameter; asking in another way")
                }
                Err(CallError::TooLong { message, window }) => {
                    let refused = tokens.saturating_add(request.output_tokens);
                    let window = self.terms.narrowed(refused, window);
                    if window < LEAST_WINDOW {
                        return Err(Stop::ProviderFailed(message));
                    }
                    self.caller.tell(&format!(
                        "{message}; asking with a smaller view, for a window of {window} tokens"
                    ));
                    self.terms.window = window;
                }
                // The failed calls may leave enough money for a smaller request; preparing it
                // decides.
                Err(CallError::Stop(Stop::SpendLimit { .. } | Stop::PurseLimit { .. })) => {}
                Err(CallError::Stop(stop)) => return Err(stop),
            }
        }
    }
}
