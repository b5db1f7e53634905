//! The targets of a browser: tabs and popups, frames with a process of their own, workers. Each is
//! attached before it runs, and runs only once its session is set up.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::error::BrowserError;
use crate::browser::events::BrowserEvent;
use crate::browser::protocol::{CallResult, Connection, locked};

/// The kind of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetKind {
    /// A tab, or a window that a page opened.
    Page,
    /// A frame with a process of its own.
    Frame,
    /// A worker of one page.
    Worker,
    /// A worker that pages share.
    SharedWorker,
    /// A worker between pages and the network.
    ServiceWorker,
    /// Any other kind, by the name that the browser gives it.
    Other(String),
}

impl TargetKind {
    fn new(name: &str) -> TargetKind {
        match name {
            "page" => TargetKind::Page,
            "iframe" => TargetKind::Frame,
            "worker" => TargetKind::Worker,
            "shared_worker" => TargetKind::SharedWorker,
            "service_worker" => TargetKind::ServiceWorker,
            name => TargetKind::Other(name.to_owned()),
        }
    }

    pub(crate) fn has_document(&self) -> bool {
        matches!(self, TargetKind::Page | TargetKind::Frame)
    }
}

impl fmt::Display for TargetKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetKind::Page => "page",
            TargetKind::Frame => "frame",
            TargetKind::Worker => "worker",
            TargetKind::SharedWorker => "shared worker",
            TargetKind::ServiceWorker => "service worker",
            TargetKind::Other(name) => name,
        })
    }
}

/// A target and its session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrowserTarget {
    /// The session that calls to the target name.
    pub session: String,
    /// The target; of a page or a frame also the id of its main frame.
    pub id: String,
    /// The kind.
    pub kind: TargetKind,
    /// The address as the browser gave it last.
    pub url: String,
    /// The session that the target belongs to, for example that of the page of a frame.
    pub parent: Option<String>,
    /// The target that opened this one.
    pub opener: Option<String>,
    /// Whether the target runs: its session is set up.
    pub is_running: bool,
    /// Whether its page has crashed.
    pub has_crashed: bool,
    /// The place in the order in which targets were attached.
    order: u64,
}

/// A call that sets up a session before its target runs. If a required one fails, the target never
/// runs.
pub(crate) struct SetupStep {
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    pub(crate) is_required: bool,
}

/// The targets that are attached, by their sessions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Targets {
    shared: Arc<SharedTargets>,
}

#[derive(Debug, Default)]
struct SharedTargets {
    attached: Mutex<AttachedTargets>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct AttachedTargets {
    by_session: BTreeMap<String, BrowserTarget>,
    n_attached: u64,
}

/// The browser attaches the targets of a session by itself and lets them wait. Workers that
/// outlive pages belong to the browser's own session: a target has one session.
fn auto_attach(is_of_browser: bool) -> Value {
    let mut filter = vec![
        json!({ "type": "browser", "exclude": true }),
        json!({ "type": "tab", "exclude": true }),
    ];
    if !is_of_browser {
        let kinds = ["page", "shared_worker", "service_worker"];
        filter.extend(kinds.map(|kind| json!({ "type": kind, "exclude": true })));
    }
    filter.push(json!({}));
    json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": filter,
    })
}

impl Targets {
    /// Attaches all targets of the browser, now and later.
    pub(crate) fn attach_all(
        &self,
        connection: &Connection,
        deadline: Duration,
    ) -> Result<(), BrowserError> {
        connection.call(
            None,
            "Target.setDiscoverTargets",
            json!({ "discover": true }),
            deadline,
        )?;
        connection.call(None, "Target.setAutoAttach", auto_attach(true), deadline)?;
        Ok(())
    }

    /// Takes note of an event. Runs in the thread that reads.
    pub(crate) fn take(
        &self,
        connection: &Connection,
        event: &BrowserEvent,
        setup: impl FnOnce(&TargetKind) -> Vec<SetupStep>,
    ) {
        match event.method.as_str() {
            "Target.attachedToTarget" => {
                if let Some(target) = self.add(event) {
                    let steps = setup(&target.kind);
                    self.set_up(connection, &target, steps);
                }
            }
            "Target.detachedFromTarget" => {
                let session = event.params["sessionId"].as_str().unwrap_or_default();
                self.change(|targets| targets.by_session.remove(session));
                connection.forget_crash(session);
                connection.fail_calls(session, &BrowserError::Closed);
            }
            "Target.targetInfoChanged" => {
                let info = &event.params["targetInfo"];
                let url = info["url"].as_str().unwrap_or_default();
                self.change_target(info, |target| url.clone_into(&mut target.url));
            }
            "Inspector.targetCrashed" => self.crash(connection, event, true),
            "Inspector.targetReloadedAfterCrash" => self.crash(connection, event, false),
            _ => {}
        }
    }

    /// Returns the targets in the order in which they were attached.
    pub(crate) fn all(&self) -> Vec<BrowserTarget> {
        let attached = locked(&self.shared.attached);
        let mut all: Vec<BrowserTarget> = attached.by_session.values().cloned().collect();
        all.sort_unstable_by_key(|target| target.order);
        all
    }

    /// Waits until a target runs.
    pub(crate) fn wait_until_running(
        &self,
        id: &str,
        deadline: Duration,
    ) -> Result<BrowserTarget, BrowserError> {
        let running = |attached: &AttachedTargets| {
            let mut all = attached.by_session.values();
            all.find(|target| target.id == id && target.is_running).cloned()
        };
        let attached = locked(&self.shared.attached);
        let (attached, _) = self
            .shared
            .changed
            .wait_timeout_while(attached, deadline, |attached| running(attached).is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let method = "Target.attachedToTarget".to_owned();
        running(&attached).ok_or(BrowserError::Deadline { method, deadline })
    }

    fn add(&self, event: &BrowserEvent) -> Option<BrowserTarget> {
        let info = &event.params["targetInfo"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let mut target = BrowserTarget {
            session: text(&event.params["sessionId"])?,
            id: text(&info["targetId"])?,
            kind: TargetKind::new(info["type"].as_str()?),
            url: text(&info["url"]).unwrap_or_default(),
            parent: event.session.clone(),
            opener: text(&info["openerId"]),
            is_running: false,
            has_crashed: false,
            order: 0,
        };
        self.change(|targets| {
            targets.n_attached += 1;
            target.order = targets.n_attached;
            targets.by_session.insert(target.session.clone(), target.clone());
        });
        Some(target)
    }

    /// Sets a session up; when the last call is answered, the target runs.
    fn set_up(&self, connection: &Connection, target: &BrowserTarget, steps: Vec<SetupStep>) {
        let own = |method, params, is_required| SetupStep { method, params, is_required };
        let mut steps = steps;
        // Some kinds have no targets of their own, and no documents.
        steps.push(own("Target.setAutoAttach", auto_attach(false), false));
        if target.kind.has_document() {
            steps.push(own("Inspector.enable", json!({}), true));
            steps.push(own("Page.enable", json!({}), true));
        }
        // Calls that wait for an answer, and whether all required ones came out well.
        let progress = Arc::new(Mutex::new((steps.len(), true)));
        for step in steps {
            let progress = Arc::clone(&progress);
            let (targets, starting) = (self.clone(), connection.clone());
            let session = target.session.clone();
            let is_required = step.is_required;
            let then = move |result: CallResult| {
                let mut progress = locked(&progress);
                progress.0 -= 1;
                progress.1 &= result.is_ok() || !is_required;
                if *progress == (0, true) {
                    targets.run(&starting, &session);
                }
            };
            connection.call_then(Some(&target.session), step.method, step.params, then);
        }
    }

    fn run(&self, connection: &Connection, session: &str) {
        connection.post(Some(session), "Runtime.runIfWaitingForDebugger", json!({}));
        self.change(|targets| {
            if let Some(target) = targets.by_session.get_mut(session) {
                target.is_running = true;
            }
        });
    }

    fn crash(&self, connection: &Connection, event: &BrowserEvent, has_crashed: bool) {
        let Some(session) = &event.session else { return };
        if has_crashed {
            connection.crash(session);
        } else {
            connection.forget_crash(session);
        }
        self.change(|targets| {
            if let Some(target) = targets.by_session.get_mut(session) {
                target.has_crashed = has_crashed;
            }
        });
    }

    fn change_target(&self, info: &Value, change: impl Fn(&mut BrowserTarget)) {
        self.change(|targets| {
            for target in targets.by_session.values_mut().filter(|one| info["targetId"] == one.id) {
                change(target);
            }
        });
    }

    fn change<T>(&self, change: impl FnOnce(&mut AttachedTargets) -> T) -> T {
        let result = change(&mut locked(&self.shared.attached));
        self.shared.changed.notify_all();
        result
    }
}
