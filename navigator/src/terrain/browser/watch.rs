//! What a tab loads, changes and opens, in all its frames: until it is quiet.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::error::BrowserError;
use crate::browser::events::{BrowserEvent, BrowserEvents};
use crate::browser::guard::attempt::WaitingRequest;
use crate::browser::guard::judge::WireGuard;
use crate::browser::session::{Tab, TargetSession};
use crate::run::deadline::Deadline;
use crate::shared::CancelToken;

/// A page is settled when nothing was loaded and nothing changed for so long.
pub(super) const QUIET: Duration = Duration::from_millis(150);
/// The same after typing: suggestions come when it has paused. (jQuery UI waits for 300 ms.)
pub(super) const QUIET_AFTER_TYPING: Duration = Duration::from_millis(400);
/// The longest wait for a page to settle.
const LONGEST: Duration = Duration::from_secs(8);
/// A request that is open for so long is one that waits for news.
const LONG_POLL: Duration = Duration::from_secs(3);
/// The deadline of a call that prepares a tab.
const PREPARE: Duration = Duration::from_secs(20);
/// The most documents that are looked through for what is not watched yet.
const MAX_WORLDS: usize = 200;
/// The most requests, documents and tabs of a step that are known.
const MAX_KNOWN: usize = 10_000;
/// The most frames with a process of their own that are watched.
const MAX_SESSIONS: usize = 200;

/// The events that say what a tab loads, changes and opens.
const EVENTS: [&str; 16] = [
    "Input.dragIntercepted",
    "Inspector.targetCrashed",
    "Network.loadingFailed",
    "Network.loadingFinished",
    "Network.requestServedFromCache",
    "Network.requestWillBeSent",
    "Page.frameDetached",
    "Page.frameNavigated",
    "Page.frameStartedLoading",
    "Page.frameStoppedLoading",
    "Page.navigatedWithinDocument",
    "Page.windowOpen",
    "Runtime.bindingCalled",
    "Runtime.executionContextCreated",
    "Runtime.executionContextDestroyed",
    "Runtime.executionContextsCleared",
];

/// Tells of every change of a document and of the open shadow roots in it, in a world of its own
/// that the page does not see.
const OBSERVER: &str = include_str!("observer.js");
/// The name of that world.
pub(super) const WORLD: &str = "navigator";
/// Watches shadow roots that were attached since, and returns how many there are.
const LOOK: &str = "globalThis.navigatorLook ? navigatorLook() : 0";

/// What a tab loads, changes and opens.
#[derive(Debug)]
pub(super) struct TabWatch {
    tab: Tab,
    guard: WireGuard,
    events: BrowserEvents,
    /// The sessions of frames that are watched, by their ids.
    frames: BTreeMap<String, TargetSession>,
    /// Our worlds in documents: the session, and the number that it knows the world by.
    worlds: BTreeSet<(String, i64)>,
    /// The requests that are open, with the time that they began.
    open: BTreeMap<String, Deadline>,
    /// The frames that load, with their sessions.
    loading: BTreeMap<String, String>,
    /// The tabs that the page opened since they were last taken: their addresses, and whether they
    /// know the page.
    opened: Vec<(String, bool)>,
    /// What is dragged, as the browser has it.
    dragged: Option<Value>,
    /// The documents that sent the requests of this step, by the ids of the requests.
    senders: BTreeMap<String, String>,
    /// The documents of pages that this step led to.
    new_documents: BTreeSet<String>,
    /// How often the page was replaced by another document.
    n_replaced: u64,
}

/// The calls that make a session tell what it loads and changes.
fn preparations() -> [(&'static str, Value); 4] {
    let buffers = json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0 });
    let binding = json!({ "name": "navigatorChanged", "executionContextName": WORLD });
    let observer = json!({ "source": OBSERVER, "worldName": WORLD, "runImmediately": true });
    [
        ("Network.enable", buffers),
        ("Runtime.enable", json!({})),
        ("Runtime.addBinding", binding),
        ("Page.addScriptToEvaluateOnNewDocument", observer),
    ]
}

impl TabWatch {
    /// Watches a tab from now on.
    pub(super) fn new(tab: &Tab, guard: &WireGuard) -> Result<TabWatch, BrowserError> {
        let events = tab.events(&EVENTS);
        for (method, params) in preparations() {
            tab.call(method, params, PREPARE)?;
        }
        Ok(TabWatch {
            tab: tab.clone(),
            guard: guard.clone(),
            events,
            frames: BTreeMap::new(),
            worlds: BTreeSet::new(),
            open: BTreeMap::new(),
            loading: BTreeMap::new(),
            opened: Vec::new(),
            dragged: None,
            senders: BTreeMap::new(),
            new_documents: BTreeSet::new(),
            n_replaced: 0,
        })
    }

    /// Begins a step: the page that is there is not one that it led to.
    pub(super) fn begin_step(&mut self) {
        self.take_events();
        // Of a tab in the background nobody has taken them, and they are none of this step's.
        self.opened.clear();
        self.senders.clear();
        self.new_documents.clear();
    }

    /// Returns how often the page was replaced by another document so far.
    pub(super) fn n_replaced(&mut self) -> u64 {
        self.take_events();
        self.n_replaced
    }

    /// Reports whether a request comes from a page that this step led to.
    pub(super) fn is_of_new_page(&self, waiting: &WaitingRequest) -> bool {
        let sender = waiting.network_id.as_ref().and_then(|id| self.senders.get(id));
        sender.is_some_and(|document| self.new_documents.contains(document))
    }

    /// Reports whether a request only reads data or a frame for a page that this step led to. That
    /// its address warns is no reason to ask: nothing was pressed there.
    pub(super) fn is_read_by_new_page(&self, waiting: &WaitingRequest) -> bool {
        let is_frame = waiting.is_navigation && waiting.tab.is_none();
        let is_of_new_page = match waiting.is_navigation {
            true => is_frame && !self.new_documents.is_empty(),
            false => self.is_of_new_page(waiting),
        };
        waiting.request.warns() && is_of_new_page
    }

    /// Returns the tabs that the page opened since the last call: their addresses, and whether they
    /// know the page.
    pub(super) fn take_opened(&mut self) -> Vec<(String, bool)> {
        std::mem::take(&mut self.opened)
    }

    /// Returns what is dragged, if the page lets the browser drag it.
    pub(super) fn take_dragged(&mut self) -> Option<Value> {
        self.take_events();
        self.dragged.take()
    }

    /// Waits until the page is quiet, or its requests wait for an answer. Returns whether it is.
    pub(super) fn settle(&mut self, quiet: Duration, deadline: &Deadline) -> bool {
        let longest = deadline.left().map_or(LONGEST, |left| left.min(LONGEST));
        let clock = Deadline::new(Some(longest), CancelToken::new());
        loop {
            // What is there already is no sign of quiet.
            self.take_events();
            let is_new = self.watch_frames();
            let is_loading = !self.loading.is_empty() || self.has_open_requests();
            match self.events.next_within(quiet) {
                Some(event) => self.take(&event),
                None if self.guard.is_waiting() => return true,
                None if is_loading || is_new => {}
                None if !self.finds_more(&clock) => return true,
                None => {}
            }
            if clock.expired().is_some() || deadline.expired().is_some() {
                return false;
            }
        }
    }

    /// Waits for something to happen, at most for a time.
    pub(super) fn wait(&mut self, time: Duration) {
        if let Some(event) = self.events.next_within(time) {
            self.take(&event);
        }
    }

    /// Watches frames that got a process of their own, and forgets those that are gone. Returns
    /// whether any is new.
    fn watch_frames(&mut self) -> bool {
        let mut known = std::mem::take(&mut self.frames);
        let mut is_new = false;
        for (_, session) in self.tab.frames().into_iter().take(MAX_SESSIONS) {
            if known.remove(session.id()).is_none() {
                is_new = true;
                self.events.hear_also(session.id());
                for (method, params) in preparations() {
                    session.post(method, params);
                }
            }
            self.frames.insert(session.id().to_owned(), session);
        }
        for gone in known.keys() {
            self.events.hear_no_more(gone);
            self.worlds.retain(|(session, _)| session != gone);
            self.loading.retain(|_, session| session != gone);
        }
        is_new
    }

    /// Returns a session that is watched: the page's own, or that of a frame.
    fn session(&self, id: &str) -> Option<&TargetSession> {
        let page = self.tab.session();
        if page.id() == id { Some(page) } else { self.frames.get(id) }
    }

    /// Looks for what is not watched yet, or has happened meanwhile.
    fn finds_more(&mut self, clock: &Deadline) -> bool {
        let mut n_found = 0;
        for (session, world) in self.worlds.iter().take(MAX_WORLDS) {
            let Some(session) = self.session(session) else { continue };
            let look = json!({ "expression": LOOK, "contextId": world, "returnByValue": true });
            let is_over = || self.guard.is_waiting();
            // A document may have gone, or hang.
            let left = clock.left().unwrap_or_default();
            let found: Result<Option<Value>, _> =
                session.call_unless("Runtime.evaluate", look, left, &is_over);
            let found = found.ok().flatten().unwrap_or_default();
            n_found += found["result"]["value"].as_u64().unwrap_or_default();
        }
        match self.events.next_now() {
            Some(event) => {
                self.take(&event);
                true
            }
            None => n_found > 0,
        }
    }

    fn has_open_requests(&self) -> bool {
        self.open.values().any(|clock| clock.expired().is_none())
    }

    fn take_events(&mut self) {
        while let Some(event) = self.events.next_now() {
            self.take(&event);
        }
        // The end of what was begun may be among those that are lost.
        if self.events.has_lost() {
            self.forget_loading();
        }
    }

    /// Takes the page for loaded: quiet alone says that it is settled.
    fn forget_loading(&mut self) {
        self.open.clear();
        self.loading.clear();
    }

    fn take(&mut self, event: &BrowserEvent) {
        let text = |name: &str| event.params[name].as_str().unwrap_or_default().to_owned();
        let session = event.session.clone().unwrap_or_default();
        match event.method.as_str() {
            "Network.requestWillBeSent" => {
                if self.senders.len() < MAX_KNOWN {
                    self.senders.insert(text("requestId"), text("loaderId"));
                }
                // What is in the address itself is no request.
                let address = event.params["request"]["url"].as_str().unwrap_or_default();
                let is_local = address.starts_with("data:") || address.starts_with("blob:");
                if !is_local && event.params["type"] != "EventSource" {
                    let clock = Deadline::new(Some(LONG_POLL), CancelToken::new());
                    self.open.insert(text("requestId"), clock);
                }
            }
            "Network.loadingFinished"
            | "Network.loadingFailed"
            | "Network.requestServedFromCache" => drop(self.open.remove(&text("requestId"))),
            "Page.frameStartedLoading" => drop(self.loading.insert(text("frameId"), session)),
            "Page.frameStoppedLoading" | "Page.frameDetached" => {
                self.loading.remove(&text("frameId"));
            }
            "Page.frameNavigated" => {
                let frame = &event.params["frame"];
                let is_page = frame["parentId"].is_null() && session == self.tab.session().id();
                self.n_replaced += u64::from(is_page);
                // A frame of the page that was there belongs to what was pressed.
                let is_of_new = !self.new_documents.is_empty();
                if (is_page || is_of_new) && self.new_documents.len() < MAX_KNOWN {
                    self.new_documents.extend(frame["loaderId"].as_str().map(str::to_owned));
                }
            }
            "Page.windowOpen" => {
                let features = event.params["windowFeatures"].as_array().into_iter().flatten();
                let has_opener = !features.into_iter().any(|one| one == "noopener");
                if self.opened.len() < MAX_KNOWN {
                    self.opened.push((text("url"), has_opener));
                }
            }
            "Inspector.targetCrashed" => self.forget_loading(),
            "Input.dragIntercepted" => self.dragged = Some(event.params["data"].clone()),
            "Runtime.executionContextCreated" => {
                let context = &event.params["context"];
                let is_own = context["name"] == WORLD && self.session(&session).is_some();
                if let Some(world) = context["id"].as_i64().filter(|_| is_own) {
                    self.worlds.insert((session, world));
                }
            }
            "Runtime.executionContextDestroyed" => {
                let world = event.params["executionContextId"].as_i64().unwrap_or_default();
                self.worlds.remove(&(session, world));
            }
            "Runtime.executionContextsCleared" => self.worlds.retain(|(one, _)| *one != session),
            _ => {}
        }
    }
}
