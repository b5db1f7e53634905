//! A session of a target: calls to it and its events. A tab is a page with the frames in it.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::browser::error::BrowserError;
use crate::browser::events::BrowserEvents;
use crate::browser::protocol::Connection;
use crate::browser::targets::{BrowserTarget, TargetKind, Targets};

/// A session of a page, a frame or a worker.
#[derive(Debug, Clone)]
pub struct TargetSession {
    connection: Connection,
    id: String,
}

impl TargetSession {
    /// Returns the id of the session.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Calls a method of the DevTools protocol.
    ///
    /// # Errors
    /// If the browser refuses it, the deadline passes, or the page or the browser has ended.
    pub fn call(
        &self,
        method: &str,
        params: Value,
        deadline: Duration,
    ) -> Result<Value, BrowserError> {
        self.connection.call(Some(&self.id), method, params, deadline)
    }

    /// Calls a method whose answer does not matter.
    pub(crate) fn post(&self, method: &str, params: Value) {
        self.connection.post(Some(&self.id), method, params);
    }

    /// Calls a method, and waits until it answers or something else is to be done first: `None`.
    pub(crate) fn call_unless<T: DeserializeOwned + Default>(
        &self,
        method: &str,
        params: Value,
        deadline: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<T>, BrowserError> {
        self.connection.call_unless(Some(&self.id), method, params, deadline, is_over)
    }

    /// Listens to events of this session, by their names. Enable their domain first.
    pub fn events(&self, methods: &[&str]) -> BrowserEvents {
        self.connection.listen(Some(&self.id), methods)
    }
}

/// A tab. Dropping it leaves it open.
#[derive(Debug, Clone)]
pub struct Tab {
    session: TargetSession,
    target: String,
    targets: Targets,
}

impl Tab {
    pub(crate) fn new(connection: &Connection, targets: &Targets, target: &BrowserTarget) -> Tab {
        Tab {
            session: TargetSession { connection: connection.clone(), id: target.session.clone() },
            target: target.id.clone(),
            targets: targets.clone(),
        }
    }

    /// Returns the id of the target, which is also the id of the page's main frame.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// Returns the session of the page.
    pub fn session(&self) -> &TargetSession {
        &self.session
    }

    /// Returns the frames that have a process of their own, with their sessions. The id of such a
    /// target is the id of its frame.
    pub fn frames(&self) -> Vec<(BrowserTarget, TargetSession)> {
        let all = self.targets.all();
        let mut inside = vec![self.session.id.clone()];
        let mut frames = Vec::new();
        // A frame is attached after the page or frame that it lies in.
        for target in all {
            let is_inside = target.parent.as_ref().is_some_and(|parent| inside.contains(parent));
            if is_inside && target.kind == TargetKind::Frame {
                inside.push(target.session.clone());
                let connection = self.session.connection.clone();
                let session = TargetSession { connection, id: target.session.clone() };
                frames.push((target, session));
            }
        }
        frames
    }

    /// Calls a method of the DevTools protocol on the page.
    ///
    /// # Errors
    /// See [`TargetSession::call`].
    pub fn call(
        &self,
        method: &str,
        params: Value,
        deadline: Duration,
    ) -> Result<Value, BrowserError> {
        self.session.call(method, params, deadline)
    }

    /// Listens to events of the page, by their names. Enable their domain first.
    pub fn events(&self, methods: &[&str]) -> BrowserEvents {
        self.session.events(methods)
    }

    /// Stops the scripts that run now; for pages that hang.
    ///
    /// # Errors
    /// See [`TargetSession::call`].
    pub fn stop_scripts(&self, deadline: Duration) -> Result<(), BrowserError> {
        self.call("Runtime.terminateExecution", json!({}), deadline)?;
        Ok(())
    }

    /// Closes the tab, without a question of the page.
    ///
    /// # Errors
    /// See [`TargetSession::call`].
    pub fn close(self, deadline: Duration) -> Result<(), BrowserError> {
        let params = json!({ "targetId": self.target });
        self.session.connection.call(None, "Target.closeTarget", params, deadline)?;
        Ok(())
    }
}
