//! Asks a model where the untried actions of a knowledge lead: request, upper bound, call, reply.

use crate::knowledge::gaps::gap_question::{ASKED_AT_ONCE, instructions, question, schema};
use crate::knowledge::gaps::proposal::{ReadProposals, read_proposals};
use crate::knowledge::gaps::{UntriedAction, untried_actions};
use crate::knowledge::model::{InferredTransition, Knowledge};
use crate::model::request::{Model, Reply, Request};
use crate::model::retry::{CallError, ModelCall};
use crate::money::ledger::{Bound, Ledger};
use crate::pilot::caller::{ModelCaller, ReadyRequest, RequestSize};
use crate::pilot::model_pilot::ModelLimits;
use crate::run::deadline::Deadline;
use crate::run::pilot::Spend;
use crate::run::stop::Stop;

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
                let n = ready.content as usize;
                let reply = self.ask(&ready, found.n_requests + 1, deadline)?;
                Ok(reply.map(|reply| (n, read_proposals(&reply, knowledge, &left[..n]))))
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
    fn ready(
        &self,
        knowledge: &Knowledge,
        left: &[UntriedAction<'_>],
        boundary: &str,
    ) -> Result<ReadyRequest, Stop> {
        let window = self.limits.window;
        let size = RequestSize {
            output: self.limits.output_tokens,
            least_output: LEAST_OUTPUT_TOKENS.max(self.limits.least_output_tokens / 4),
            content: left.len().min(ASKED_AT_ONCE) as u32,
            least_content: 1,
        };
        self.caller.fit(size, window, "the screens of the knowledge", |size| {
            Ok(Request {
                stable: instructions(boundary),
                turn: question(knowledge, &left[..size.content as usize], boundary),
                schema: schema(),
                output_tokens: size.output,
                window,
            })
        })
    }

    /// Sends a request; `None` if it has to be made again.
    fn ask(
        &mut self,
        ready: &ReadyRequest,
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
                let window = self.limits.narrowed(ready.tokens, window);
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
