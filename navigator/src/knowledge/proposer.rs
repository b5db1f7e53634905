//! Asks a model where the untried actions of a knowledge lead: request, upper bound, call, reply.

use crate::knowledge::gap_question::{ASKED_AT_ONCE, instructions, question, schema};
use crate::knowledge::gaps::{UntriedAction, untried_actions};
use crate::knowledge::model::{InferredTransition, Knowledge};
use crate::knowledge::proposal::{ReadProposals, read_proposals};
use crate::model::request::{Model, Reply, Request};
use crate::model::retry::{CallError, ModelCall};
use crate::money::ledger::{Bound, Ledger};
use crate::pilot::caller::ModelCaller;
use crate::pilot::model_pilot::ModelLimits;
use crate::run::deadline::Deadline;
use crate::run::pilot::Spend;
use crate::run::stop::Stop;
use crate::shared::Tokenizer;

/// The expected size of the first reply, in tokens.
const USUAL_ANSWER_TOKENS: u64 = 600;
/// The minimum output, in tokens.
const LEAST_OUTPUT_TOKENS: u32 = 512;

/// A model that is asked about the gaps of a knowledge.
#[derive(Debug)]
pub struct GapProposer<'j> {
    caller: ModelCaller<'j>,
    limits: ModelLimits,
}

/// What a model proposed.
#[derive(Debug, Default, PartialEq)]
pub struct GapProposals {
    /// The proposals that count.
    pub taken: Vec<InferredTransition>,
    /// Why others do not, one line each.
    pub refused: Vec<String>,
    /// The number of actions that were asked about.
    pub n_asked: usize,
    /// The number of requests that were answered.
    pub n_requests: u32,
    /// Why not all was asked; `None` if it was.
    pub stop: Option<Stop>,
}

/// A request about some actions.
#[derive(Debug)]
struct ReadyQuestion<'k> {
    asked: Vec<UntriedAction<'k>>,
    request: Request,
    body: String,
    tokens: u32,
    bound: Bound,
}

impl<'j> GapProposer<'j> {
    /// Takes a model that is paid from `ledger`. Waits are reported through `tell`.
    pub fn new(
        model: Box<dyn Model + 'j>,
        ledger: Ledger<'j>,
        limits: ModelLimits,
        tell: Box<dyn FnMut(&str) + Send + 'j>,
    ) -> GapProposer<'j> {
        GapProposer { caller: ModelCaller::new(model, ledger, USUAL_ANSWER_TOKENS, tell), limits }
    }

    /// Returns `provider/name`.
    pub fn name(&self) -> &str {
        self.caller.name()
    }

    /// Returns the limit and the spend so far.
    pub fn purse(&self) -> Spend {
        self.caller.purse()
    }

    /// Returns the first request, its bytes and its upper bound; `None` if there is nothing to ask.
    /// Sends nothing.
    ///
    /// # Errors
    /// The reason why it would not be sent.
    pub fn first_request(
        &self,
        knowledge: &Knowledge,
        boundary: &str,
    ) -> Result<Option<(Request, String, Bound)>, Stop> {
        let all = untried_actions(knowledge);
        if all.is_empty() {
            return Ok(None);
        }
        let ready = self.ready(knowledge, &all, boundary)?;
        Ok(Some((ready.request, ready.body, ready.bound)))
    }

    /// Asks about all actions of a knowledge that nobody has taken, in at most so many requests.
    pub fn propose(
        &mut self,
        knowledge: &Knowledge,
        boundary: &str,
        max_requests: u32,
        deadline: &Deadline,
    ) -> GapProposals {
        let mut found = GapProposals::default();
        let all = untried_actions(knowledge);
        let mut left = all.as_slice();
        while !left.is_empty() {
            if found.n_requests == max_requests {
                found.stop = Some(Stop::TurnLimit);
                break;
            }
            let answered = self.ready(knowledge, left, boundary).and_then(|ready| {
                let n = ready.asked.len();
                let reply = self.ask(&ready, found.n_requests + 1, deadline)?;
                Ok(reply.map(|reply| (n, read_proposals(&reply, knowledge, &ready.asked))))
            });
            match answered {
                // The request is made again: in another form, or with a smaller window.
                Ok(None) => {}
                Ok(Some((n, ReadProposals { taken, refused }))) => {
                    found.n_requests += 1;
                    found.n_asked += n;
                    found.taken.extend(taken);
                    found.refused.extend(refused);
                    left = &left[n..];
                }
                Err(stop) => {
                    found.stop = Some(stop);
                    break;
                }
            }
        }
        found
    }

    /// Makes the request about the first of some actions; about fewer where window or money are
    /// short.
    fn ready<'k>(
        &self,
        knowledge: &Knowledge,
        left: &[UntriedAction<'k>],
        boundary: &str,
    ) -> Result<ReadyQuestion<'k>, Stop> {
        let tokenizer = Tokenizer::default();
        let window = self.limits.window;
        let least = LEAST_OUTPUT_TOKENS.max(self.limits.least_output_tokens / 4);
        let (mut n, mut output) = (left.len().min(ASKED_AT_ONCE), self.limits.output_tokens);
        loop {
            let asked = left[..n].to_vec();
            let request = Request {
                stable: instructions(boundary),
                turn: question(knowledge, &asked, boundary),
                schema: schema(),
                output_tokens: output,
                window,
            };
            let tokens = tokenizer.count(&request.stable) + tokenizer.count(&request.turn);
            let counted = u64::from(tokens) * self.caller.per_thousand() / 1_000;
            let body = self.caller.body(&request);
            let bound = self.caller.bound(&body, tokens, output);
            let money = self.caller.left();
            let has_room = counted + u64::from(output) <= u64::from(window);
            if has_room && bound.reserved_pico_usd <= money {
                return Ok(ReadyQuestion { asked, request, body, tokens, bound });
            }
            if output > least {
                output = (output / 2).max(least);
            } else if n > 1 {
                n /= 2;
            } else if has_room {
                return Err(self.caller.shortage(bound.reserved_pico_usd));
            } else {
                return Err(Stop::ProviderFailed(format!(
                    "a window of {window} tokens has no room for the screens of the knowledge"
                )));
            }
        }
    }

    /// Sends a request; `None` if it has to be made again.
    fn ask(
        &mut self,
        ready: &ReadyQuestion<'_>,
        turn: u32,
        deadline: &Deadline,
    ) -> Result<Option<Reply>, Stop> {
        let call = ModelCall { turn, body: &ready.body, bound: ready.bound };
        match self.caller.call(call, ready.tokens, self.limits.retries, deadline) {
            Ok(reply) => Ok(Some(reply)),
            Err(CallError::UnsupportedFormat) => {
                self.caller.tell("the server does not know a parameter; asking in another way");
                Ok(None)
            }
            Err(CallError::TooLong { message, window }) => {
                let guess = self.limits.window.min(ready.tokens) / 4 * 3;
                let window = window.filter(|window| *window < self.limits.window).unwrap_or(guess);
                if window <= 2 * LEAST_OUTPUT_TOKENS {
                    return Err(Stop::ProviderFailed(message));
                }
                self.caller.tell(&format!("{message}; asking about less"));
                self.limits.window = window;
                Ok(None)
            }
            Err(CallError::Stop(stop)) => Err(stop),
        }
    }
}
