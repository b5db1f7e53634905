//! A browser: its start, its tabs and its end.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use crate::browser::error::BrowserError;
use crate::browser::flags::flags;
use crate::browser::guard::attempt::WaitingRequest;
use crate::browser::guard::dialogs::{DialogAnswer, DialogHandler, PageDialogs};
use crate::browser::guard::downloads::RefusedDownloads;
use crate::browser::guard::held;
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::proxy::GuardProxy;
use crate::browser::process::{BrowserProcess, find_browser};
use crate::browser::protocol::{Connection, EventHandler};
use crate::browser::session::Tab;
use crate::browser::targets::{BrowserTarget, TargetKind, Targets};

/// The deadline for a held request to be let go.
const RELEASE: Duration = Duration::from_secs(10);

/// How a browser is started.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// The program; `None` finds one (see [`find_browser`]).
    pub program: Option<PathBuf>,
    /// Whether its windows are shown.
    pub is_headed: bool,
    /// The width and height of its windows, in pixels.
    pub window: (u32, u32),
    /// The deadline of the start.
    pub start: Duration,
}

impl Default for BrowserOptions {
    fn default() -> BrowserOptions {
        BrowserOptions {
            program: None,
            is_headed: false,
            window: (1280, 900),
            start: Duration::from_secs(30),
        }
    }
}

/// A running browser. Dropping it ends it.
#[derive(Debug)]
pub struct Browser {
    connection: Connection,
    targets: Targets,
    guard: WireGuard,
    dialogs: DialogHandler,
    downloads: RefusedDownloads,
    /// Its drop waits for the end of the browser.
    process: BrowserProcess,
    /// Closed before the browser ends, and dropped after it.
    _proxy: GuardProxy,
}

impl Browser {
    /// Starts a browser without a tab, behind a guard.
    ///
    /// # Errors
    /// If there is none, or it does not answer in time.
    pub fn launch(options: &BrowserOptions, guard: WireGuard) -> Result<Browser, BrowserError> {
        let program = find_browser(options.program.as_deref())?;
        let proxy = GuardProxy::start(guard.clone())
            .map_err(|error| BrowserError::Guard { message: error.to_string() })?;
        let flags = flags(options.is_headed, options.window, proxy.address());
        let (mut process, pipe) = BrowserProcess::start(&program, &flags)?;
        let targets = Targets::default();
        let dialogs = DialogHandler::default();
        let downloads = RefusedDownloads::default();
        let handler = handler(targets.clone(), guard.clone(), dialogs.clone(), downloads.clone());
        // Nothing leaves a browser whose requests are held no more.
        let (wire, sockets) = (guard.clone(), proxy.sockets());
        let close_wire = move || {
            wire.close_wire();
            sockets.close();
        };
        let connection = Connection::start(pipe, handler, Box::new(close_wire));
        let prepared = prepare(&connection, &targets, options.start).map_err(|error| {
            let message = format!("{error}; it says: {}", process.last_errors());
            BrowserError::Launch { message }
        });
        match prepared {
            Ok(()) => {
                let _proxy = proxy;
                Ok(Browser { connection, targets, guard, dialogs, downloads, process, _proxy })
            }
            Err(error) => {
                connection.close();
                Err(error)
            }
        }
    }

    /// Returns the guard.
    pub fn guard(&self) -> &WireGuard {
        &self.guard
    }

    /// Holds requests that a permit could let go, until [`Browser::end_asking`].
    pub(crate) fn begin_asking(&self) {
        self.guard.begin_asking();
    }

    /// Lets a request go that waits because its address warns, if reading from there is allowed: it
    /// is of a page in which nothing was pressed.
    pub(crate) fn let_read(&self, mut waiting: WaitingRequest) {
        waiting.request = waiting.request.warning(false);
        self.guard.reads_by_itself(&waiting.request);
        held::release(&self.connection, &self.guard, &waiting, RELEASE);
    }

    /// Lets a request go that waits: the answer was yes. Returns whether it has left.
    pub(crate) fn release_waiting(&self, waiting: &WaitingRequest) -> bool {
        if waiting.request.is_reading() {
            self.guard.change_policy(|policy| policy.with_origin(&waiting.request.url));
        }
        held::release(&self.connection, &self.guard, waiting, RELEASE)
    }

    /// Stops a request that waits, for a reason.
    pub(crate) fn stop_waiting(&self, waiting: &WaitingRequest, reason: &str) {
        held::stop(&self.connection, &self.guard, waiting, reason);
    }

    /// Stops the requests that still wait, and holds no more.
    pub(crate) fn end_asking(&self) {
        for waiting in self.guard.end_asking() {
            held::stop(&self.connection, &self.guard, &waiting, "too many wait");
        }
    }

    /// Sets the answer to the next dialog of a text; `None` dismisses it, as all others.
    pub fn answer_next_dialog(&self, answer: Option<DialogAnswer>) {
        self.dialogs.prepare(answer);
    }

    /// Returns the dialogs that pages showed since the last call.
    pub fn dialogs(&self) -> PageDialogs {
        self.dialogs.take()
    }

    /// Returns the addresses of the downloads that were refused since the last call, as they are
    /// shown: without queries and secrets.
    pub fn downloads(&self) -> Vec<String> {
        self.downloads.take()
    }

    /// Returns the id of its process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Reports whether the browser uses its own sandbox. It cannot when it runs as root.
    pub fn is_sandboxed(&self) -> bool {
        self.process.is_sandboxed()
    }

    /// Reports whether the browser has ended by itself.
    pub fn has_ended(&self) -> bool {
        self.connection.has_ended()
    }

    /// Opens an empty tab.
    ///
    /// # Errors
    /// If the browser has ended or does not answer in time.
    pub fn open_tab(&self, deadline: Duration) -> Result<Tab, BrowserError> {
        let method = "Target.createTarget";
        let answer =
            self.connection.call(None, method, json!({ "url": "about:blank" }), deadline)?;
        let Some(id) = answer["targetId"].as_str() else {
            let (method, field) = (method.to_owned(), "targetId".to_owned());
            return Err(BrowserError::Answer { method, field });
        };
        let target = self.targets.wait_until_running(id, deadline)?;
        Ok(Tab::new(&self.connection, &self.targets, &target))
    }

    /// Returns the tabs in the order in which they were opened, those that pages opened included.
    pub fn tabs(&self) -> Vec<Tab> {
        let is_tab = |target: &BrowserTarget| target.kind == TargetKind::Page && target.is_running;
        let tab = |target: &BrowserTarget| Tab::new(&self.connection, &self.targets, target);
        self.targets.all().iter().filter(|target| is_tab(target)).map(tab).collect()
    }

    /// Returns all targets.
    pub fn targets(&self) -> Vec<BrowserTarget> {
        self.targets.all()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its pipe.
        self.connection.close();
    }
}

/// Takes note of events in the thread that reads.
fn handler(
    targets: Targets,
    guard: WireGuard,
    dialogs: DialogHandler,
    downloads: RefusedDownloads,
) -> EventHandler {
    Box::new(move |connection, event| {
        held::answer(connection, &guard, &targets, event);
        dialogs.answer(connection, &guard, event);
        downloads.note(&guard, event);
        targets.take(connection, event, held::without_sockets);
    })
}

/// Makes a started browser ready.
fn prepare(
    connection: &Connection,
    targets: &Targets,
    deadline: Duration,
) -> Result<(), BrowserError> {
    let deny = json!({ "behavior": "deny", "eventsEnabled": true });
    connection.call(None, "Browser.setDownloadBehavior", deny, deadline)?;
    held::hold_requests(connection, deadline)?;
    targets.attach_all(connection, deadline)
}
