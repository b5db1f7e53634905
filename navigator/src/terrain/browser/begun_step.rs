//! A step between what it did on the page and what came of it.

use super::refused::{RefusedRequests, told_sent};
use crate::browser::guard::attempt::WaitingRequest;
use crate::browser::guard::request::WireRequest;
use crate::walk::session::Move;

/// The most questions of one step; what else waits is stopped.
const MAX_QUESTIONS: usize = 8;
/// How often requests of one step are answered, those too that a new page reads by itself.
const MAX_ROUNDS: usize = 20;

/// A step between what it did on the page and what came of it.
#[derive(Debug)]
pub(super) struct BegunStep {
    pub(super) step: Move,
    /// The sentence of an action that failed.
    pub(super) done: Result<(), String>,
    /// The request that waits for an answer.
    pub(super) waiting: Option<WaitingRequest>,
    pub(super) n_questions: usize,
    /// How often requests were answered.
    n_rounds: usize,
    /// What was sent, for the path, and what was allowed and did not leave.
    pub(super) sent: Vec<String>,
    pub(super) has_sent: bool,
    pub(super) refused: RefusedRequests,
}

impl BegunStep {
    /// A step that was done, or failed with a sentence, and has not asked anything yet.
    pub(super) fn new(step: Move, done: Result<(), String>) -> BegunStep {
        let (sent, refused) = (Vec::new(), RefusedRequests::default());
        let (waiting, has_sent) = (None, false);
        BegunStep { step, done, waiting, n_questions: 0, n_rounds: 0, sent, has_sent, refused }
    }

    /// Takes note of requests above reading that left.
    pub(super) fn add_sent(&mut self, requests: &[WireRequest]) {
        self.has_sent |= !requests.is_empty();
        self.sent.extend(told_sent(requests));
    }

    /// Begins one more round of answers, and reports whether there may be one: a page can ask
    /// without an end.
    pub(super) fn begin_round(&mut self) -> bool {
        self.n_rounds += 1;
        self.n_questions < MAX_QUESTIONS && self.n_rounds <= MAX_ROUNDS
    }
}
