//! A walk in a browser: each state of a page is a screen, and is recorded.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use site_map::Response;
use site_map::source::recording::RecordingWriter;
use url::Url;

use super::changes::changes;
use super::error::BrowserWalkError;
use super::gesture::{GestureResult, Hands};
use super::live::LiveTab;
use super::screen::{screen_address, screen_of};
use crate::browser::error::BrowserError;
use crate::browser::guard::dialogs::{DialogAnswer, PageDialog};
use crate::browser::guard::request::WireRequest;
use crate::browser::guard::words::WarningWords;
use crate::browser::launch::Browser;
use crate::browser::snapshot::ScreenPage;
use crate::money::effect::{Effect, Resources};
use crate::run::deadline::Deadline;
use crate::run::text::one_line;
use crate::shared::{CancelToken, Sanitized};
use crate::walk::action::ControlOperation;
use crate::walk::screen::Screen;
use crate::walk::session::{Move, Moved, WalkSession};

/// The deadline for a new tab.
const TAB: Duration = Duration::from_secs(20);
/// The longest wait for a tab that a page opened.
const OPENING: Duration = Duration::from_secs(5);
/// The longest wait for a text or a change.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How long a wait looks for news before it takes a snapshot.
const LOOK: Duration = Duration::from_millis(250);
/// The most requests that a result names.
const MAX_STOPPED: usize = 3;
/// The longest name in a result, in characters.
const MAX_NAME: usize = 120;
/// The type of the content of a recorded screen.
const SCREEN_TYPE: &str = "text/html; charset=utf-8";

/// What a walk in a browser begins with.
#[derive(Debug)]
pub struct BrowserWalk {
    /// The address of the first page.
    pub start: Url,
    /// The hosts that the person named beside that of the first page.
    pub named_hosts: BTreeSet<String>,
    /// The words of names that the person is asked about before such a control is pressed.
    pub words: WarningWords,
    /// The files that the person named: a page gets no other.
    pub files: Vec<PathBuf>,
    /// Where the screens are recorded.
    pub recording: Option<RecordingWriter>,
}

/// A walk in a browser.
#[derive(Debug)]
pub struct BrowserSession {
    tabs: Vec<LiveTab>,
    current: usize,
    walk: BrowserWalk,
    page: ScreenPage,
    screen: Screen,
    /// The number of screens so far.
    n_screens: usize,
    /// The last step that the guard stopped, with what it tried to send. A person who allows the
    /// effect of the step allows exactly that.
    held: Option<(Move, Vec<WireRequest>)>,
    /// Dropped last: it ends the browser.
    browser: Browser,
}

impl BrowserSession {
    /// Prepares a walk; opens no page.
    pub fn new(browser: Browser, walk: BrowserWalk) -> BrowserSession {
        BrowserSession {
            tabs: Vec::new(),
            current: 0,
            walk,
            page: ScreenPage::default(),
            screen: Screen::default(),
            n_screens: 0,
            held: None,
            browser,
        }
    }

    /// Returns the browser.
    pub fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Records what follows in another file, which has what was recorded so far.
    pub fn record_in(&mut self, recording: RecordingWriter) {
        self.walk.recording = Some(recording);
    }

    fn tab(&mut self) -> Result<&mut LiveTab, BrowserError> {
        self.tabs.get_mut(self.current).ok_or(BrowserError::Closed)
    }

    /// Makes a move, without looking at what came of it.
    fn act(&mut self, step: &Move, deadline: &Deadline) -> GestureResult {
        match step {
            Move::Start => {
                let tab = self.browser.open_tab(TAB)?;
                self.tabs.push(LiveTab::new(tab)?);
                let start = self.walk.start.to_string();
                self.tab()?.go(&start)
            }
            Move::Open(address) => {
                let address = address.clone();
                self.tab()?.go(&address)
            }
            Move::Back => self.back(),
            Move::Click(number) => {
                let n_controls = self.page.facts.controls.len();
                match number.checked_sub(n_controls + 1) {
                    Some(other) => Ok(self.switch(other)),
                    None => self.hands(|mut hands| hands.click(*number)),
                }
            }
            Move::Operate(_, ControlOperation::Wait { text }) => self.wait_for(text, deadline),
            Move::Operate(_, ControlOperation::Dialog { text }) => {
                let answer = DialogAnswer { accept: true, text: Some(text.clone()) };
                self.browser.answer_next_dialog(Some(answer));
                Ok(Ok(()))
            }
            Move::Operate(number, operation) => {
                self.hands(|mut hands| hands.operate(*number, operation))
            }
        }
    }

    fn hands(&mut self, act: impl FnOnce(Hands<'_>) -> GestureResult) -> GestureResult {
        let secrets = self.browser.guard().secrets();
        let tab = self.tabs.get_mut(self.current).ok_or(BrowserError::Closed)?;
        act(Hands { tab, page: &self.page, files: &self.walk.files, secrets: &secrets })
    }

    /// Goes to another tab, by its position among the others.
    fn switch(&mut self, other: usize) -> Result<(), String> {
        let others: Vec<usize> = (0..self.tabs.len()).filter(|at| *at != self.current).collect();
        let at = others.get(other).ok_or_else(|| "there is no such tab".to_owned())?;
        self.current = *at;
        Ok(())
    }

    /// Goes back in the history of the tab; a tab without one is closed.
    fn back(&mut self) -> GestureResult {
        let (_, last) = self.tab()?.history()?;
        if let Some(entry) = last {
            let params = serde_json::json!({ "entryId": entry });
            self.tab()?.call("Page.navigateToHistoryEntry", params)?;
            return Ok(Ok(()));
        }
        if self.tabs.len() < 2 {
            return Ok(Err("this is the first page".to_owned()));
        }
        let closed = self.tabs.remove(self.current);
        closed.tab.close(TAB)?;
        self.current = self.tabs.len() - 1;
        Ok(Ok(()))
    }

    /// Waits until a text is there, or until anything has changed.
    fn wait_for(&mut self, text: &str, deadline: &Deadline) -> GestureResult {
        let longest = deadline.left().map_or(LONGEST_WAIT, |left| left.min(LONGEST_WAIT));
        let clock = Deadline::new(Some(longest), CancelToken::new());
        let before = self.page.html();
        loop {
            let page = self.tab()?.capture()?.masked(&self.browser.guard().secrets());
            let is_there = match text {
                "" => page.html() != before,
                text => page.has_text(text),
            };
            if is_there {
                return Ok(Ok(()));
            }
            if clock.expired().is_some() || deadline.expired().is_some() {
                let seconds = longest.as_secs();
                return Ok(Err(match text {
                    "" => format!("nothing changed within {seconds} s"),
                    text => format!("`{text}` did not appear within {seconds} s"),
                }));
            }
            self.tab()?.wait(LOOK);
        }
    }

    /// Takes up tabs that pages opened, the newest in front, and drops those that are gone. Returns
    /// how many are new.
    fn update_tabs(&mut self, step: &Move) -> Result<usize, BrowserError> {
        let opened = self.tab()?.take_opened();
        let n_apart = opened.iter().filter(|(_, has_opener)| !has_opener).count();
        let n_opened = opened.len() - n_apart;
        let wanted = self.browser.tabs().len().max(self.tabs.len()) + n_opened;
        // A tab that a page opens is attached before it runs, which takes a moment.
        let clock = Deadline::new(Some(OPENING), CancelToken::new());
        while self.browser.tabs().len() < wanted.min(self.tabs.len() + 1)
            && clock.expired().is_none()
        {
            self.tab()?.wait(LOOK);
        }
        // A tab that does not know its opener waits for its guard without end: what the link leads
        // to is opened in one of ours.
        let target = self.target(step).map(String::from).filter(|_| n_apart > 0);
        if let Some((address, _)) = opened.iter().find(|(one, _)| Some(one) == target.as_ref()) {
            let tab = LiveTab::new(self.browser.open_tab(TAB)?)?;
            // One that cannot be opened shows the browser's own page, which says why.
            let _ = tab.go(address)?;
            self.tabs.push(tab);
            self.current = self.tabs.len() - 1;
            return Ok(1);
        }
        let open = self.browser.tabs();
        let is_open = |one: &LiveTab| open.iter().any(|tab| tab.target() == one.tab.target());
        let in_front = self.tabs.get(self.current).map(|tab| tab.tab.target().to_owned());
        self.tabs.retain(is_open);
        let n_known = self.tabs.len();
        for tab in open {
            if !self.tabs.iter().any(|one| one.tab.target() == tab.target()) {
                self.tabs.push(LiveTab::new(tab)?);
            }
        }
        let last = self.tabs.len().checked_sub(1).ok_or(BrowserError::Closed)?;
        let is_in_front = |one: &LiveTab| Some(one.tab.target()) == in_front.as_deref();
        self.current = match self.tabs.iter().position(is_in_front) {
            Some(at) if n_known == self.tabs.len() => at,
            _ => last,
        };
        Ok(self.tabs.len() - n_known)
    }

    /// Waits for the page, and takes it up as the new screen.
    fn look(&mut self, step: &Move, deadline: &Deadline) -> Result<ScreenNews, BrowserWalkError> {
        let mut is_settled = self.tab()?.settle(deadline);
        let n_new_tabs = self.update_tabs(step)?;
        if n_new_tabs > 0 {
            is_settled = self.tab()?.settle(deadline);
        }
        let mut page = self.tab()?.capture()?;
        let dialogs = self.browser.dialogs().dialogs;
        let stopped = self.stopped(step);
        page.facts.notes.extend(stopped.iter().cloned());
        if !is_settled {
            page.facts.notes.push("the page goes on changing or loading".to_owned());
        }
        page.facts.has_asked = dialogs.iter().any(|one| one.kind != "alert" && !one.accepted);
        page.facts.tabs = self.other_tabs();
        (page.facts.trail, _) = self.tab()?.history()?;
        page.facts.address.clone_from(&page.address);
        let page = page.masked(&self.browser.guard().secrets()); // Before a file has it.
        let address = screen_address(&page.address, self.n_screens + 1);
        let response = Response {
            address: address.ok_or_else(|| {
                let method = "DOMSnapshot.captureSnapshot".to_owned();
                BrowserError::Answer { method, field: "documentURL".to_owned() }
            })?,
            status: 200,
            headers: vec![("content-type".to_owned(), SCREEN_TYPE.to_owned())],
            body: page.html().into_bytes(),
        };
        let screen = screen_of(&response);
        self.page = page;
        Ok(ScreenNews { screen, response, dialogs, stopped, n_new_tabs })
    }

    /// Shows a new screen, and records it.
    fn show(&mut self, news: ScreenNews) -> Result<(), BrowserWalkError> {
        if let Some(recording) = &mut self.walk.recording {
            recording.append(&news.response)?;
        }
        self.n_screens += 1;
        self.screen = news.screen;
        Ok(())
    }

    /// Returns what a step tried to send, when it was taken last.
    fn held_of(&self, step: &Move) -> &[WireRequest] {
        match &self.held {
            Some((held, requests)) if held == step => requests,
            _ => &[],
        }
    }

    /// Returns the name of the control that a step presses, or its address, if a word in it warns.
    /// What a press asks of a script, or with a GET, no wire can tell.
    fn warned(&self, step: &Move) -> Option<&str> {
        let number = match step {
            Move::Click(number)
            | Move::Operate(
                number,
                ControlOperation::DoubleClick
                | ControlOperation::ClickAt { .. }
                | ControlOperation::Press { .. },
            ) => *number,
            _ => return None,
        };
        let control = self.page.facts.controls.get(number.checked_sub(1)?)?;
        let path = control.target.as_deref().filter(|target| target.starts_with("http"));
        let warns = |text: &&str| !self.walk.words.found_in(text).is_empty();
        control.role.is_pressed().then_some(())?;
        Some(control.name.as_str()).filter(warns).or(path.filter(warns))
    }

    /// Permits what the effect of a step is: it was allowed before the step is taken.
    fn permit(&mut self, step: &Move) {
        let guard = self.browser.guard();
        for request in self.held_of(step).iter().filter(|request| !request.is_reading()) {
            guard.permit(request);
        }
        if let Effect::Reads { .. } = self.effect(step)
            && let Some(target) = self.target(step)
        {
            guard.change_policy(|policy| policy.with_origin(&target));
        }
        self.held = None;
    }

    /// Returns the address that a step goes to, as far as the page says.
    fn target(&self, step: &Move) -> Option<Url> {
        match step {
            Move::Start => Some(self.walk.start.clone()),
            Move::Open(address) => Url::parse(address).ok(),
            Move::Click(number) => {
                let control = self.page.facts.controls.get(number.checked_sub(1)?)?;
                Url::parse(control.target.as_ref()?).ok()
            }
            Move::Back | Move::Operate(..) => None,
        }
    }

    /// Takes up what the guard stopped, and tells it.
    fn stopped(&mut self, step: &Move) -> Vec<String> {
        let guard = self.browser.guard();
        let attempts = guard.tried().attempts.into_iter().map(|attempt| attempt.request);
        let (requests, forbidden): (Vec<WireRequest>, Vec<WireRequest>) =
            attempts.partition(|request| guard.forbids(request).is_none());
        let mut told = Vec::new();
        for sent in forbidden.iter().take(MAX_STOPPED) {
            let (host, why) = (sent.url.host_str().unwrap_or_default(), guard.forbids(sent));
            told.push(format!("never sent to {host}: {sent}; {}", why.unwrap_or_default()));
        }
        for sent in requests.iter().filter(|request| !request.is_reading()).take(MAX_STOPPED) {
            let host = sent.url.host_str().unwrap_or_default();
            told.push(format!("stopped before it was sent to {host}: {sent}; done again, it asks"));
        }
        let reading = requests.iter().filter(|request| request.is_reading());
        let hosts: BTreeSet<&str> = reading.filter_map(|one| one.url.host_str()).collect();
        if !hosts.is_empty() {
            let hosts: Vec<&str> = hosts.into_iter().take(MAX_STOPPED).collect();
            told.push(format!("not read, other hosts: {}", hosts.join(", ")));
        }
        if requests.iter().any(|request| !request.is_reading()) {
            self.held = Some((step.clone(), requests));
        }
        told
    }

    fn other_tabs(&self) -> Vec<String> {
        let others = self.browser.targets().into_iter().filter(|target| {
            let is_it =
                |(at, one): (usize, &LiveTab)| at != self.current && one.tab.target() == target.id;
            self.tabs.iter().enumerate().any(is_it)
        });
        others.map(|target| one_line(&target.url, MAX_NAME)).collect()
    }

    fn host(&self) -> Option<String> {
        let page = Url::parse(&self.page.address).ok();
        page.and_then(|page| page.host_str().map(str::to_owned))
    }
}

/// What came of a move, beside the new screen.
struct ScreenNews {
    screen: Screen,
    response: Response,
    dialogs: Vec<PageDialog>,
    /// What the guard stopped.
    stopped: Vec<String>,
    n_new_tabs: usize,
}

impl ScreenNews {
    /// Tells what happened, for the path; `None` if nothing did.
    fn told(&self, step: &Move, before: &Screen, is_done: bool) -> Option<String> {
        let after = &self.screen;
        let mut told: Vec<String> = self.dialogs.iter().map(dialog).collect();
        told.extend(self.stopped.iter().cloned());
        if self.n_new_tabs > 0 {
            told.push("opened a new tab".to_owned());
        }
        let place = one_line(after.place().last().unwrap_or(&"a page"), MAX_NAME);
        told.extend(match step {
            _ if !is_done => changes(before, after),
            Move::Start => Some(format!("page '{place}'")),
            Move::Back => Some(format!("back on '{place}'")),
            _ => changes(before, after),
        });
        (!told.is_empty()).then(|| told.join("; "))
    }
}

fn dialog(dialog: &PageDialog) -> String {
    let message = Sanitized::line(&dialog.message);
    let message = one_line(message.as_ref(), MAX_NAME);
    match (dialog.kind.as_str(), dialog.accepted) {
        ("alert", _) => format!("the page said '{message}'"),
        ("beforeunload", _) => "left the page".to_owned(),
        (_, true) => format!("the page asked '{message}', the answer was yes"),
        (_, false) => format!("the page asked '{message}', the answer was no"),
    }
}

impl WalkSession for BrowserSession {
    type Error = BrowserWalkError;

    fn screen(&self) -> &Screen {
        &self.screen
    }

    fn effect(&self, step: &Move) -> Effect {
        if let Some(sent) = self.held_of(step).iter().find(|sent| !sent.is_reading()) {
            return sent.effect();
        }
        if let Some(name) = self.warned(step) {
            return Effect::Destroys { what: one_line(name, MAX_NAME) };
        }
        let target = self.target(step);
        let host = target.and_then(|target| target.host_str().map(str::to_owned));
        match host {
            Some(host) if self.host().as_ref() != Some(&host) => Effect::Reads { host },
            _ => Effect::None,
        }
    }

    fn is_named(&self, host: &str) -> bool {
        self.walk.start.host_str() == Some(host) || self.walk.named_hosts.contains(host)
    }

    fn needs(&self, step: &Move) -> Resources {
        // The first page is there; what a step asks for beyond this, the guard counts and stops.
        if matches!(step, Move::Start) && self.n_screens > 0 {
            return Resources::default();
        }
        Resources { requests: 1, bytes: 1, steps: 0 }
    }

    fn go(&mut self, step: &Move, deadline: &Deadline) -> Result<Moved, BrowserWalkError> {
        // The first page is there, and is not asked for again.
        if matches!(step, Move::Start) && self.n_screens > 0 {
            let result = "the first page".to_owned();
            return Ok(Moved { is_done: true, result, ..Moved::default() });
        }
        let n_before = self.browser.guard().n_requests();
        self.permit(step);
        let done = match self.act(step, deadline) {
            Ok(done) => done,
            Err(error) if error.is_of_browser() => return Err(error.into()),
            // The page hangs or has crashed: a step that failed.
            Err(error) => Err(error.to_string()),
        };
        let seen = match self.look(step, deadline) {
            Ok(news) => Ok((news.told(step, &self.screen, done.is_ok()), news)),
            Err(BrowserWalkError::Browser(error)) if !error.is_of_browser() => {
                Err(error.to_string())
            }
            Err(error) => return Err(error),
        };
        self.browser.guard().revoke_permits();
        let bytes = self.tabs.iter_mut().map(LiveTab::take_bytes).sum();
        let requests = self.browser.guard().n_requests() - n_before;
        let used = Resources { requests, bytes, steps: 0 };
        let (is_done, result) = match (done, seen) {
            (Err(why), Ok((None, _)) | Err(_)) | (Ok(()), Err(why)) => (false, why),
            (Err(why), Ok((Some(told), news))) => {
                self.show(news)?;
                (true, format!("{why}; {told}"))
            }
            (Ok(()), Ok((told, news))) => {
                self.show(news)?;
                let is_set = matches!(step, Move::Operate(_, ControlOperation::Dialog { .. }));
                let quiet = if is_set { "the next answer is yes" } else { "nothing changed" };
                (true, told.unwrap_or_else(|| quiet.to_owned()))
            }
        };
        let result = self.browser.guard().secrets().masked(&result).into_owned();
        Ok(Moved { is_done, result, used })
    }

    fn secrets(&self) -> Vec<String> {
        self.browser.guard().secrets().names()
    }
}
