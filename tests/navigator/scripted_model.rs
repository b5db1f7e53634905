//! A model that answers from a list, without a server.

use std::sync::{Arc, Mutex};

use navigator::{Deadline, Failure, Model, Reply, Request, Usage};
use serde_json::Value;

/// Answers from a list, and keeps the requests.
pub(crate) struct Scripted {
    pub(crate) answers: Vec<Value>,
    pub(crate) asked: Arc<Mutex<Vec<Request>>>,
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "test/scripted"
    }

    fn body(&self, request: &Request) -> String {
        self.asked.lock().unwrap().push(request.clone());
        format!("{}{}", request.stable, request.turn)
    }

    fn send(&mut self, body: &str, _deadline: &Deadline) -> Result<Reply, Failure> {
        let usage =
            Usage { input_tokens: body.len() as u64 / 4, output_tokens: 100, ..Usage::default() };
        Ok(Reply {
            text: self.answers.remove(0).to_string(),
            usage: Some(usage),
            ..Reply::default()
        })
    }
}
