//! A tab that is watched: calls to it and its frames, which end with the step, and its snapshot.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::watch::{TabWatch, WORLD};
use crate::browser::error::BrowserError;
use crate::browser::guard::judge::WireGuard;
use crate::browser::session::{Tab, TargetSession};
use crate::browser::snapshot::{FrameCapture, PageSnapshot, STYLES, ScreenPage};
use crate::run::deadline::Deadline;
use crate::shared::CancelToken;

/// The deadline of one call.
pub(super) const CALL: Duration = Duration::from_secs(20);
/// The deadline of a snapshot: a page may be large.
const SNAPSHOT: Duration = Duration::from_secs(60);
/// The time that a call gets however short the step is: what came of it is still seen.
const LEAST: Duration = Duration::from_secs(1);
/// The deadline of stopping the scripts of a page that hangs.
const STOP: Duration = Duration::from_secs(2);
/// How often the history is asked for again, and the time between.
const HISTORY_TRIES: u32 = 10;
const HISTORY_PAUSE: Duration = Duration::from_millis(50);
/// The most sessions of frames that a snapshot takes.
const MAX_FRAMES: usize = 200;
/// The most that the snapshots of a page and its frames take together, in bytes.
const MAX_SNAPSHOTS: usize = 64 << 20;

/// A tab that is watched.
#[derive(Debug)]
pub(super) struct LiveTab {
    pub(super) tab: Tab,
    guard: WireGuard,
    /// What it loads, changes and opens.
    pub(super) watch: TabWatch,
    /// The time that is left of the step.
    clock: Deadline,
    /// The sessions of the frames, as the last snapshot names them.
    sessions: Vec<TargetSession>,
    /// Of each session but the first, the session around it, and the node of its element there.
    owners: Vec<(usize, i64)>,
}

/// A session of a tab, whose calls end with the step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepSession<'t> {
    tab: &'t LiveTab,
    session: &'t TargetSession,
}

impl StepSession<'_> {
    /// Calls a method. A page that cannot answer because a request of it waits for a person gives
    /// null. If there is no answer in time, the scripts that run are stopped.
    pub(super) fn call(
        self,
        method: &str,
        params: Value,
        longest: Duration,
    ) -> Result<Value, BrowserError> {
        self.call_for(method, params, longest)
    }

    /// Calls a method, as [`StepSession::call`] does, and reads what is needed of the answer.
    fn call_for<T: DeserializeOwned + Default>(
        self,
        method: &str,
        params: Value,
        longest: Duration,
    ) -> Result<T, BrowserError> {
        let left = self.tab.clock.left();
        let time = left.map_or(longest, |left| left.clamp(LEAST.min(longest), longest));
        let guard = &self.tab.guard;
        let answer = self.session.call_unless(method, params, time, &|| guard.is_waiting());
        let answer = answer.map(Option::unwrap_or_default);
        if matches!(answer, Err(BrowserError::Deadline { .. })) {
            // A page whose process does not answer either stays as it is.
            let _ = self.tab.tab.stop_scripts(STOP);
            let _ = self.session.call("Runtime.terminateExecution", json!({}), STOP);
        }
        answer
    }

    /// Returns the number of our own world in the document: scripts of the page cannot change what
    /// is seen from there.
    pub(super) fn own_world(self) -> Result<Value, BrowserError> {
        let frames = self.call("Page.getFrameTree", json!({}), CALL)?;
        let frame = &frames["frameTree"]["frame"]["id"];
        let world = json!({ "frameId": frame, "worldName": WORLD });
        let mut world = self.call("Page.createIsolatedWorld", world, CALL)?;
        Ok(world["executionContextId"].take())
    }

    /// Takes a snapshot.
    fn snapshot(self) -> Result<PageSnapshot, BrowserError> {
        let params = json!({ "computedStyles": STYLES, "includePaintOrder": true });
        self.call_for("DOMSnapshot.captureSnapshot", params, SNAPSHOT)
    }
}

impl LiveTab {
    /// Watches a tab from now on.
    pub(super) fn new(tab: Tab, guard: &WireGuard) -> Result<LiveTab, BrowserError> {
        let watch = TabWatch::new(&tab, guard)?;
        let sessions = vec![tab.session().clone()];
        let clock = Deadline::new(None, CancelToken::new());
        let guard = guard.clone();
        Ok(LiveTab { tab, guard, watch, clock, sessions, owners: Vec::new() })
    }

    /// Begins a part of a step. Its calls end with the step.
    pub(super) fn begin(&mut self, deadline: &Deadline) {
        self.clock = Deadline::new(deadline.left(), CancelToken::new());
    }

    /// Reports whether a request waits for a person. The page may answer nothing meanwhile.
    pub(super) fn is_asked(&self) -> bool {
        self.guard.is_waiting()
    }

    /// Returns the session of a frame, as the last snapshot names it.
    pub(super) fn session(&self, number: usize) -> StepSession<'_> {
        StepSession { tab: self, session: self.sessions.get(number).unwrap_or(self.tab.session()) }
    }

    /// Returns the session of the page.
    fn page(&self) -> StepSession<'_> {
        StepSession { tab: self, session: self.tab.session() }
    }

    /// Returns the session around that of a frame, and the node of the frame's element there.
    pub(super) fn owner(&self, number: usize) -> Option<(usize, i64)> {
        self.owners.get(number.checked_sub(1)?).copied()
    }

    /// Calls the page.
    pub(super) fn call(&self, method: &str, params: Value) -> Result<Value, BrowserError> {
        self.page().call(method, params, CALL)
    }

    /// Goes to an address. The error is a sentence of the browser.
    pub(super) fn go(&self, address: &str) -> Result<Result<(), String>, BrowserError> {
        let answer = self.call("Page.navigate", json!({ "url": address }))?;
        Ok(match answer["errorText"].as_str() {
            None => Ok(()),
            Some(why) => Err(why.to_owned()),
        })
    }

    /// Waits until the page is quiet, or its requests wait for an answer. Returns whether it is.
    pub(super) fn settle(&mut self, quiet: Duration, deadline: &Deadline) -> bool {
        self.begin(deadline);
        self.watch.settle(quiet, deadline)
    }

    /// Takes a snapshot of the page with its frames. Of a page that is too large it has the name.
    pub(super) fn capture(&mut self) -> Result<ScreenPage, BrowserError> {
        let snapshot = match self.page().snapshot() {
            Err(error @ BrowserError::TooLarge { .. }) => return self.unseen(&error),
            snapshot => snapshot?,
        };
        let mut room = MAX_SNAPSHOTS.saturating_sub(snapshot.n_bytes());
        let mut sessions = vec![self.tab.session().clone()];
        // Each frame with the one that it lies in, and the node of the element there.
        let mut inner: Vec<(usize, i64, PageSnapshot)> = Vec::new();
        for (target, session) in self.tab.frames().into_iter().take(MAX_FRAMES) {
            let is_parent = |one: &TargetSession| Some(one.id()) == target.parent.as_deref();
            let Some(parent) = sessions.iter().position(is_parent) else { continue };
            let owner = json!({ "frameId": target.id });
            // A frame may go while its page is read.
            let around = StepSession { tab: self, session: &sessions[parent] };
            let Ok(owner) = around.call("DOM.getFrameOwner", owner, CALL) else { continue };
            let inside = StepSession { tab: self, session: &session };
            let Some(snapshot) = inside.snapshot().ok().filter(|one| one.n_bytes() <= room) else {
                continue;
            };
            room -= snapshot.n_bytes();
            let owner = owner["backendNodeId"].as_i64().unwrap_or_default();
            sessions.push(session);
            inner.push((parent, owner, snapshot));
        }
        self.owners = inner.iter().map(|(parent, owner, _)| (*parent, *owner)).collect();
        let snapshots = inner.into_iter().map(|(_, _, snapshot)| snapshot);
        let mut captures: Vec<FrameCapture> = std::iter::once(snapshot)
            .chain(snapshots)
            .enumerate()
            .map(|(session, snapshot)| FrameCapture { session, snapshot, frames: BTreeMap::new() })
            .collect();
        // Inner frames come after those around them.
        for (parent, owner) in self.owners.iter().rev() {
            if let Some(frame) = captures.pop() {
                captures[*parent].frames.insert(*owner, frame);
            }
        }
        self.sessions = sessions;
        let window = self.window()?;
        Ok(captures.first().map(|page| ScreenPage::of(page, window)).unwrap_or_default())
    }

    /// Returns the number of the session of a frame, by the session around it and the node of its
    /// element there, as the last snapshot names them.
    pub(super) fn frame_of(&self, owner: (usize, i64)) -> Option<usize> {
        self.owners.iter().position(|one| *one == owner).map(|at| at + 1)
    }

    /// Returns the number of sessions of the page and its frames.
    pub(super) fn n_sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Returns the screen of a page that cannot be shown.
    fn unseen(&mut self, why: &BrowserError) -> Result<ScreenPage, BrowserError> {
        let history = self.navigation_history()?;
        let current = history["currentIndex"].as_u64().and_then(|at| usize::try_from(at).ok());
        let entry = &history["entries"][current.unwrap_or_default()];
        let text = |name: &str| entry[name].as_str().unwrap_or_default();
        self.sessions.truncate(1);
        self.owners.clear();
        Ok(ScreenPage::unseen(text("url"), text("title"), why.to_string()))
    }

    /// Returns the width and height of what is in sight of the page, in pixels.
    pub(super) fn window(&self) -> Result<(f64, f64), BrowserError> {
        let metrics = self.call("Page.getLayoutMetrics", json!({}))?;
        let side = |name: &str| metrics["cssLayoutViewport"][name].as_f64().unwrap_or_default();
        Ok((side("clientWidth"), side("clientHeight")))
    }

    /// Returns the history of the tab. A page that is just replaced by another has none for a
    /// moment.
    fn navigation_history(&self) -> Result<Value, BrowserError> {
        for _ in 0..HISTORY_TRIES {
            match self.call("Page.getNavigationHistory", json!({})) {
                Err(BrowserError::Refused { .. }) => self.clock.wait(HISTORY_PAUSE),
                answer => return answer,
            }
        }
        self.call("Page.getNavigationHistory", json!({}))
    }

    /// Returns the addresses of the history up to this page, and the number of this entry's
    /// predecessor.
    pub(super) fn history(&self) -> Result<(Vec<String>, Option<i64>), BrowserError> {
        let history = self.navigation_history()?;
        let entries = history["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
        let current = history["currentIndex"].as_u64().unwrap_or_default();
        let current = usize::try_from(current).unwrap_or_default().min(entries.len());
        // A tab begins with an empty page.
        let is_page = |entry: &&Value| entry["url"] != "about:blank";
        let before: Vec<&Value> = entries[..current].iter().filter(is_page).collect();
        let addresses = before.iter().filter_map(|entry| entry["url"].as_str());
        let addresses = addresses.map(str::to_owned).collect();
        Ok((addresses, before.last().and_then(|entry| entry["id"].as_i64())))
    }
}
