//! A walk in a browser: each state of a page is a screen, and is recorded.

use std::collections::BTreeSet;

use site_map::address::host_of;
use site_map::source::recording::RecordingWriter;
use url::Url;

use super::awaited::wait_for;
use super::begun_step::BegunStep;
use super::cursor::capture_with_cursor;
use super::error::BrowserWalkError;
use super::gesture::{GestureResult, Hands};
use super::news::{LOADS_MORE, ScreenNews, UNSETTLED, loads_more};
use super::refused::{NextWaiting, RequestsOfPages, SENT, effects, next_waiting, stopped};
use super::screen::{response_of, screen_of};
use super::start::BrowserWalk;
use super::tabs::{FrontDocument, WalkTabs};
use super::warnings::WalkWarnings;
use super::watch::{QUIET, QUIET_AFTER_TYPING};
use crate::browser::error::BrowserError;
use crate::browser::guard::attempt::WaitingRequest;
use crate::browser::guard::dialogs::DialogAnswer;
use crate::browser::guard::judge::NOT_SENT_BEFORE;
use crate::browser::guard::policy::AllowRule;
use crate::browser::guard::security_log::SecurityEvent;
use crate::browser::guard::sent::{SentStep, places_of};
use crate::browser::launch::Browser;
use crate::browser::snapshot::ScreenPage;
use crate::money::effect::{Effect, Resources};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
use crate::shared::Sanitized;
use crate::walk::action::ControlOperation;
use crate::walk::outcome::StepOutcome;
use crate::walk::screen::Screen;
use crate::walk::session::{EffectAnswer, Move, Moved, WalkSession, destroys};

/// Why an address is not opened from a page of the web.
const NO_WEB: &str = "it is no web address (http or https)";

/// A walk in a browser.
#[derive(Debug)]
pub struct BrowserSession {
    tabs: WalkTabs,
    walk: BrowserWalk,
    page: ScreenPage,
    /// The document that the page was seen in.
    document: FrontDocument,
    screen: Screen,
    /// The number of screens so far.
    n_screens: usize,
    /// The step that waits for an answer.
    begun: Option<BegunStep>,
    /// The question of the last dialog that was dismissed.
    asked: Option<String>,
    warnings: WalkWarnings,
    /// The page had more after it was scrolled.
    loads_more: bool,
    of_pages: RequestsOfPages,
    /// What the walk has sent, while its steps are taken again.
    sent: Option<Vec<SentStep>>,
    /// The number of requests that were reported as used.
    n_reported: u64,
    /// The number of bytes that were reported as used.
    n_bytes_reported: u64,
    /// Dropped last: it ends the browser.
    browser: Browser,
}

impl BrowserSession {
    /// Prepares a walk; opens no page.
    pub fn new(browser: Browser, walk: BrowserWalk) -> BrowserSession {
        BrowserSession {
            tabs: WalkTabs::default(),
            walk,
            page: ScreenPage::default(),
            document: FrontDocument::default(),
            screen: Screen::default(),
            n_screens: 0,
            begun: None,
            asked: None,
            warnings: WalkWarnings::default(),
            loads_more: false,
            of_pages: RequestsOfPages::default(),
            sent: None,
            n_reported: 0,
            n_bytes_reported: 0,
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

    /// Takes steps again from now on: each sends no more than it has sent. `None` ends that.
    pub fn take_again(&mut self, sent: Option<Vec<SentStep>>) {
        self.browser.guard().take_again(sent.as_ref().map(|_| BTreeSet::new()));
        self.sent = sent;
    }

    /// Makes a move, without looking at what came of it.
    fn act(&mut self, step: &Move, deadline: &Deadline) -> GestureResult {
        if let Move::Operate(_, operation) = step
            && let Some(why) = operation.misplaced_secret()
        {
            return Ok(Err(why));
        }
        match step {
            Move::Start => {
                let start = self.walk.start.to_string();
                self.tabs.open(&self.browser)?.go(&start)
            }
            Move::Open(address) if self.leaves_web(address) => Ok(Err(NO_WEB.to_owned())),
            Move::Open(address) => self.tabs.front()?.go(address),
            Move::Back => self.tabs.back(),
            Move::Click(number) => {
                let n_controls = self.page.facts.controls.len();
                match number.checked_sub(n_controls + 1) {
                    Some(other) => Ok(self.tabs.switch(other)),
                    None => self.hands(step, |mut hands| hands.click(*number)),
                }
            }
            Move::Operate(_, ControlOperation::Wait { text }) => {
                let secrets = self.browser.guard().secrets();
                wait_for(self.tabs.front()?, &self.page, &secrets, text, deadline)
            }
            Move::Operate(_, ControlOperation::Dialog { text }) => {
                let Some(message) = self.asked.clone() else {
                    return Ok(Err("the page has not asked anything".to_owned()));
                };
                let answer = DialogAnswer { message, accept: true, text: Some(text.clone()) };
                self.browser.answer_next_dialog(Some(answer));
                Ok(Ok(()))
            }
            Move::Operate(number, operation) => {
                self.hands(step, |mut hands| hands.operate(*number, operation))
            }
            Move::Search { .. } => Ok(Err("pages in a browser are not searched".to_owned())),
        }
    }

    fn hands(
        &mut self,
        step: &Move,
        act: impl FnOnce(Hands<'_>) -> GestureResult,
    ) -> GestureResult {
        if let Move::Click(number) | Move::Operate(number, _) = step
            && !self.is_there(*number)?
        {
            return Ok(Err("the page was replaced by another one since it was seen".to_owned()));
        }
        let secrets = self.browser.guard().secrets();
        let tab = self.tabs.front()?;
        let is_asked = self.warnings.warned(&self.page, &self.walk.words, step).is_some();
        let words = (!is_asked).then_some(&self.walk.words);
        let (page, files) = (&self.page, self.walk.files.as_slice());
        act(Hands { tab, page, files, words, secrets: &secrets })
    }

    /// Reports whether a control is what it was when the page was seen; 0 is the page. A page that
    /// was replaced since is seen again: the browser names its nodes anew.
    fn is_there(&mut self, number: usize) -> Result<bool, BrowserError> {
        let document = self.tabs.document()?;
        if document == self.document {
            return Ok(true);
        }
        let now = capture_with_cursor(self.tabs.front()?)?;
        let now = now.masked(&self.browser.guard().secrets());
        let is_there = now.has_control_of(&self.page, number);
        if is_there {
            (self.page, self.document) = (now, document);
        }
        Ok(is_there)
    }

    /// Waits for the page to be quiet; one that waits for an answer has nothing else to do.
    fn settle(&mut self, step: &Move, deadline: &Deadline) -> Result<bool, BrowserError> {
        let quiet = match step {
            Move::Operate(_, ControlOperation::Fill { .. }) => QUIET_AFTER_TYPING,
            _ => QUIET,
        };
        Ok(self.tabs.front()?.settle(quiet, deadline))
    }

    /// Takes the page up as the new screen.
    fn look(
        &mut self,
        step: &Move,
        mut is_settled: bool,
        deadline: &Deadline,
    ) -> Result<ScreenNews, BrowserWalkError> {
        let front = self.tabs.front()?.tab.target().to_owned();
        let mut n_new_tabs = self.tabs.update(&self.browser, self.target(step).as_ref())?;
        if n_new_tabs > 0 {
            is_settled = self.settle(step, deadline)?;
        }
        let mut document = self.tabs.document()?;
        let mut page = capture_with_cursor(self.tabs.front()?)?;
        if n_new_tabs > 0 && page.address.is_empty() {
            self.tabs.close_front(&front)?;
            n_new_tabs -= 1;
            document = self.tabs.document()?;
            page = capture_with_cursor(self.tabs.front()?)?;
        }
        let dialogs = self.browser.dialogs();
        let of_pages = matches!(step, Move::Start).then_some(&mut self.of_pages);
        let stopped = stopped(&self.browser, of_pages, step);
        page.facts.notes.extend(stopped.lines());
        page.facts.notes.extend((!is_settled).then(|| UNSETTLED.to_owned()));
        let asked = dialogs.dialogs.iter().rfind(|one| one.kind != "alert" && !one.accepted);
        if !matches!(step, Move::Operate(_, ControlOperation::Dialog { .. })) {
            self.asked = asked.map(|dialog| dialog.message.clone());
            self.browser.answer_next_dialog(None);
        }
        page.facts.has_asked = asked.is_some();
        page.facts.tabs = self.tabs.others(&self.browser);
        (page.facts.trail, _) = self.tabs.front()?.history()?;
        page.facts.address.clone_from(&page.address);
        let mut page = page.masked(&self.browser.guard().secrets()); // Before a file has it.
        self.loads_more = loads_more(step, &self.page, &page, self.loads_more);
        page.facts.notes.extend(self.loads_more.then(|| LOADS_MORE.to_owned()));
        let response = response_of(&page, self.n_screens + 1)?;
        let screen = screen_of(&response);
        self.warnings.see(&page, &self.walk.words);
        (self.page, self.document) = (page, document);
        let (sent, has_sent) = (Vec::new(), false);
        Ok(ScreenNews { screen, response, dialogs, sent, has_sent, stopped, n_new_tabs })
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

    /// Reports whether an address leads from the web to a file or a script.
    fn leaves_web(&self, address: &str) -> bool {
        self.walk.start.scheme().starts_with("http") && !address.starts_with("http")
    }

    /// Allows reading where a step goes to: that was allowed before the step is taken.
    fn allow_target(&mut self, step: &Move) {
        if let Effect::Reads { .. } = self.effect(step)
            && let Some(target) = self.target(step)
        {
            self.browser.guard().change_policy(|policy| policy.with_origin(&target));
        }
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
            Move::Back | Move::Operate(..) | Move::Search { .. } => None,
        }
    }

    /// Goes on with a step: to its next question, or to its end.
    fn go_on(
        &mut self,
        mut begun: BegunStep,
        deadline: &Deadline,
    ) -> Result<Moved, BrowserWalkError> {
        loop {
            let is_settled = match self.settle(&begun.step, deadline) {
                Ok(is_settled) => is_settled,
                Err(error) if error.is_of_browser() => return Err(error.into()),
                Err(_) => false,
            };
            let watch = &self.tabs.front()?.watch;
            let waiting = match next_waiting(begun.begin_round(), &self.browser, watch) {
                NextWaiting::Asks(waiting) => *waiting,
                NextWaiting::Reads if is_settled => continue,
                NextWaiting::Reads | NextWaiting::None => {
                    self.browser.end_asking();
                    return self.end(begun, is_settled, deadline);
                }
            };
            begun.n_questions += 1;
            if self.browser.guard().is_new(&waiting.request) {
                self.refuse(&mut begun, &waiting)?;
                continue;
            }
            let (question, fields) = (Some(waiting.request.effect()), waiting.request.values());
            let rule = AllowRule::only(&waiting.request).map(|rule| rule.to_string());
            begun.waiting = Some(waiting);
            self.begun = Some(begun);
            return Ok(Moved { question, fields, rule, used: self.used(), ..Moved::default() });
        }
    }

    /// Stops a request that waits.
    fn refuse(
        &mut self,
        begun: &mut BegunStep,
        waiting: &WaitingRequest,
    ) -> Result<(), BrowserError> {
        let reason = begun.refused.add(waiting, &mut self.of_pages, &self.tabs.front()?.watch);
        let is_new = self.browser.guard().is_new(&waiting.request);
        self.browser.stop_waiting(waiting, if is_new { NOT_SENT_BEFORE } else { reason });
        Ok(())
    }

    /// Ends a step with the screen that it led to.
    fn end(
        &mut self,
        mut begun: BegunStep,
        is_settled: bool,
        deadline: &Deadline,
    ) -> Result<Moved, BrowserWalkError> {
        begun.add_sent(&self.browser.guard().left());
        let BegunStep { step, done, sent, has_sent, refused, .. } = begun;
        let mut moved = Moved { sends: has_sent || !refused.is_empty(), ..Moved::default() };
        let seen = match self.look(&step, is_settled, deadline) {
            Ok(mut news) => {
                (news.sent, news.has_sent) = (sent, has_sent);
                let has_changed = news.has_changed(&step, &self.screen);
                let of_page = refused.of_page(news.sent.is_empty() && !has_changed);
                news.stopped.tell_of_page(&of_page);
                moved.beside = effects(&of_page);
                moved.stopped = std::mem::take(&mut news.stopped.stopped);
                moved.sends |= news.stopped.sends;
                Ok((news, has_changed))
            }
            Err(BrowserWalkError::Browser(error)) if !error.is_of_browser() => {
                Err(error.to_string())
            }
            Err(error) => return Err(error),
        };
        self.browser.guard().revoke_permits();
        moved.used = self.used();
        match (done, seen) {
            (Err(why), Err(_)) | (Ok(()), Err(why)) => moved.result = why,
            // What the browser shows in the place of a first page is its own.
            (Err(why), Ok((news, _))) if matches!(step, Move::Start) => {
                moved.result = [vec![why], news.stopped.lines()].concat().join("; ");
            }
            (done, Ok((news, has_changed))) => {
                let told = news.told(&step, &self.screen, (done.is_ok(), has_changed));
                if done.is_ok() {
                    moved.outcome = news.outcome(&step, has_changed, !refused.is_empty());
                }
                moved.is_shown = moved.outcome != StepOutcome::Stopped && told.is_some();
                moved.result = done.err().into_iter().chain(told).collect::<Vec<_>>().join("; ");
                moved.opened = news.opened(&self.screen).filter(|_| moved.outcome.is_done());
                if moved.is_shown {
                    self.show(news)?;
                }
            }
        }
        moved.result = self.browser.guard().secrets().masked(&moved.result).into_owned();
        Ok(moved)
    }

    /// Returns what was used since the last call.
    fn used(&mut self) -> Resources {
        let n_requests = self.browser.guard().n_requests();
        let requests = n_requests - std::mem::replace(&mut self.n_reported, n_requests);
        let n_bytes = self.browser.guard().n_bytes();
        let bytes = n_bytes - std::mem::replace(&mut self.n_bytes_reported, n_bytes);
        Resources { requests, bytes, steps: 0 }
    }
}

impl WalkSession for BrowserSession {
    type Error = BrowserWalkError;

    fn screen(&self) -> &Screen {
        &self.screen
    }

    fn effect(&self, step: &Move) -> Effect {
        if let Move::Operate(_, ControlOperation::Dialog { .. }) = step {
            let secrets = self.browser.guard().secrets();
            let asked = self.asked.as_ref().map(|message| destroys(&secrets.masked(message)));
            return asked.unwrap_or(Effect::None);
        }
        if let Some(name) = self.warnings.warned(&self.page, &self.walk.words, step) {
            return destroys(name);
        }
        match self.target(step).filter(|target| !self.leaves_web(target.as_str())) {
            Some(target)
                if matches!(step, Move::Start) || !self.browser.guard().reads_from(&target) =>
            {
                Effect::Reads { host: host_of(&target) }
            }
            _ => Effect::None,
        }
    }

    fn is_named(&self, host: &str) -> bool {
        host_of(&self.walk.start) == host || self.walk.named_hosts.contains(host)
    }

    fn needs(&self, step: &Move) -> Resources {
        // The first page is there; what a step asks for beyond this, the guard counts and stops.
        if matches!(step, Move::Start) && self.n_screens > 0 {
            return Resources::default();
        }
        Resources { requests: 1, bytes: 1, steps: 0 }
    }

    fn begin_step(&mut self, number: u32, action: &str) {
        let action = Sanitized::line(action).into_string();
        if let Some(sent) = &self.sent {
            self.browser.guard().take_again(Some(places_of(sent, number, &action)));
        }
        self.browser.guard().write(&SecurityEvent::Step { step: number, action });
    }

    fn go(&mut self, step: &Move, deadline: &Deadline) -> Result<Moved, BrowserWalkError> {
        // The first page is there, and is not asked for again.
        if matches!(step, Move::Start) && self.n_screens > 0 {
            let result = "the first page".to_owned();
            return Ok(Moved::done(result));
        }
        self.allow_target(step);
        self.tabs.begin(deadline);
        self.warnings.keep_typed(step);
        self.browser.guard().warn_of(self.warnings.of_reads(&self.page, &self.walk.words, step));
        // The first page is asked for before there is anybody to ask.
        if !matches!(step, Move::Start) {
            self.browser.begin_asking();
        }
        let done = match self.act(step, deadline) {
            Ok(done) => done,
            Err(error) if error.is_of_browser() => return Err(error.into()),
            // The page hangs or has crashed: a step that failed.
            Err(error) => Err(error.to_string()),
        };
        self.go_on(BegunStep::new(step.clone(), done), deadline)
    }

    fn answer(
        &mut self,
        answer: EffectAnswer,
        deadline: &Deadline,
    ) -> Result<Moved, BrowserWalkError> {
        let Some(mut begun) = self.begun.take() else { return Ok(Moved::default()) };
        if let Some(waiting) = begun.waiting.take() {
            if answer == EffectAnswer::Never {
                self.browser.guard().never_ask(&waiting.request);
            }
            let is_yes = answer == EffectAnswer::Yes;
            let has_left = is_yes && self.browser.release_waiting(&waiting);
            if !is_yes {
                self.refuse(&mut begun, &waiting)?;
            }
            if is_yes && !has_left {
                let host = host_of(&waiting.request.url);
                begun.sent.push(format!("not {SENT}{host}: the page no longer asked for it"));
            } else if is_yes && !waiting.request.is_reading() {
                begun.add_sent(&[waiting.request]);
            }
        }
        self.go_on(begun, deadline)
    }

    fn ended_by(error: &BrowserWalkError) -> Option<Stop> {
        error.has_ended().then(|| Stop::BrowserEnded(error.to_string()))
    }

    fn log_question(&mut self, question: &str, is_yes: Option<bool>) {
        let question = question.to_owned();
        self.browser.guard().write(&match is_yes {
            None => SecurityEvent::Asked { question },
            Some(yes) => SecurityEvent::Answered { question, yes },
        });
    }

    fn files(&self) -> Vec<String> {
        let names = self.walk.files.iter().filter_map(|file| file.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    }

    fn secrets(&self) -> Vec<String> {
        self.browser.guard().secrets().names()
    }
}
