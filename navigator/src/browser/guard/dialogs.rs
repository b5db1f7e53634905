//! Dialogs of pages: each is answered at once, so that none holds a page up, and reported.

use std::sync::{Arc, Mutex};

use serde_json::json;

use crate::browser::events::BrowserEvent;
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::request::shown;
use crate::browser::guard::security_log::SecurityEvent;
use crate::browser::protocol::{Connection, locked};

/// The number of dialogs that are kept; more are counted.
const KEPT_DIALOGS: usize = 50;
/// The longest text of a dialog that is kept, in characters.
const LONGEST_MESSAGE: usize = 300;

/// A dialog that a page showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDialog {
    /// The session of the page.
    pub session: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its text.
    pub message: String,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// The answer to the next dialog of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialogAnswer {
    /// The text of the dialog, as an earlier one of the same text was reported.
    pub message: String,
    /// Whether it is accepted.
    pub accept: bool,
    /// The text for a prompt.
    pub text: Option<String>,
}

/// The dialogs since they were last taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageDialogs {
    /// The dialogs, in order.
    pub dialogs: Vec<PageDialog>,
    /// The number of further ones that were not kept.
    pub n_more: usize,
}

/// Answers dialogs. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct DialogHandler {
    state: Arc<Mutex<(PageDialogs, Option<DialogAnswer>)>>,
}

impl DialogHandler {
    /// Sets the answer to the next dialog.
    pub(crate) fn prepare(&self, answer: Option<DialogAnswer>) {
        locked(&self.state).1 = answer;
    }

    pub(crate) fn take(&self) -> PageDialogs {
        std::mem::take(&mut locked(&self.state).0)
    }

    /// Answers a dialog. Runs in the thread that reads.
    pub(crate) fn answer(&self, connection: &Connection, guard: &WireGuard, event: &BrowserEvent) {
        if event.method != "Page.javascriptDialogOpening" {
            return;
        }
        let kind = shown(event.params["type"].as_str().unwrap_or_default(), LONGEST_MESSAGE);
        let message = event.params["message"].as_str().unwrap_or_default();
        let message = shown(&guard.secrets().masked(message), LONGEST_MESSAGE);
        let mut state = locked(&self.state);
        // Leaving a page sends nothing that the guard does not hold, and was decided already.
        let leaves = kind == "beforeunload";
        let answer = state.1.take_if(|answer| !leaves && answer.message == message);
        let accepted = leaves || answer.as_ref().is_some_and(|answer| answer.accept);
        let is_agreed = accepted && !leaves;
        let mut params = json!({ "accept": accepted });
        if let Some(text) = answer.and_then(|answer| answer.text) {
            params["promptText"] = text.into();
        }
        connection.post(event.session.as_deref(), "Page.handleJavaScriptDialog", params);
        let has_room = state.0.dialogs.len() < KEPT_DIALOGS;
        if has_room || is_agreed {
            let (kind, message) = (kind.clone(), message.clone());
            guard.write(&SecurityEvent::Dialog { kind, message, accepted });
        }
        if !has_room {
            state.0.n_more += 1;
            return;
        }
        let session = event.session.clone().unwrap_or_default();
        state.0.dialogs.push(PageDialog { session, kind, message, accepted });
    }
}
