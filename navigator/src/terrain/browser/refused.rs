//! What a step would have sent and was refused: its own effect, or what its page sends beside it.
//!
//! What a control tries to send when it is pressed is its effect. Two kinds of requests are known
//! not to be: those of a page that the step led to, in which nothing was pressed yet; and, if the
//! step did something else, beacons, whose answer no script sees, data that a script reads with a
//! GET whose address warns (a timer may do so at any time), and what a page tried to send, byte for
//! byte, before anything was pressed. A request that loads a document is always the effect: it goes
//! on with what was pressed. Nothing of this lets a request go.

use std::collections::BTreeSet;

use site_map::address::host_of;

use super::watch::TabWatch;
use crate::browser::guard::attempt::{WaitingRequest, WireAttempt, WireAttempts};
use crate::browser::guard::policy::AllowRule;
use crate::browser::guard::request::{WireBody, WireRequest};
use crate::browser::launch::Browser;
use crate::money::effect::Effect;
use crate::walk::guarded::StoppedRequest;
use crate::walk::session::Move;

/// How a result tells of a request above reading: it was, or was not, `sent to HOST`.
pub(super) const SENT: &str = "sent to ";

/// The most requests that are known to be of pages.
const MAX_KNOWN: usize = 200;
/// The most requests of one kind that a result names.
const MAX_STOPPED: usize = 3;

/// Who sends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestSender {
    /// The control that was pressed, as far as can be known.
    Control,
    /// The page, if the step did something else.
    Beside,
    /// The page.
    Page,
}

/// Requests that were refused in a step.
#[derive(Debug, Default)]
pub(super) struct RefusedRequests {
    refused: Vec<(WireRequest, RequestSender)>,
}

/// What pages tried to send by themselves.
#[derive(Debug, Default)]
pub(super) struct RequestsOfPages {
    known: Vec<WireRequest>,
}

impl RequestsOfPages {
    /// Takes note of a request that a page tried to send before anything was pressed.
    pub(super) fn add(&mut self, request: &WireRequest) {
        if self.known.len() < MAX_KNOWN && !self.has(request) {
            self.known.push(request.clone());
        }
    }

    fn has(&self, request: &WireRequest) -> bool {
        self.known.iter().any(|one| one.is_same(request))
    }

    /// Finds out who sends a request, and takes note of it if it is the page.
    fn sender(&mut self, waiting: &WaitingRequest, watch: &TabWatch) -> RequestSender {
        if waiting.is_navigation {
            return RequestSender::Control;
        }
        if watch.is_of_new_page(waiting) {
            self.add(&waiting.request);
            return RequestSender::Page;
        }
        match waiting.is_beacon || waiting.request.warns() || self.has(&waiting.request) {
            true => RequestSender::Beside,
            false => RequestSender::Control,
        }
    }
}

/// What waits for an answer.
pub(super) enum NextWaiting {
    /// A request that is asked about.
    Asks(Box<WaitingRequest>),
    /// Requests of a new page that only read: they were let go.
    Reads,
    None,
}

/// Lets go what a new page only reads, and returns the first request that is asked about; nothing
/// if no more may be answered.
pub(super) fn next_waiting(may_ask: bool, browser: &Browser, watch: &TabWatch) -> NextWaiting {
    let mut next = NextWaiting::None;
    while let Some(waiting) = may_ask.then(|| browser.guard().next_waiting()).flatten() {
        if !watch.is_read_by_new_page(&waiting) {
            return NextWaiting::Asks(Box::new(waiting));
        }
        browser.let_read(waiting);
        next = NextWaiting::Reads;
    }
    next
}

impl RefusedRequests {
    pub(super) fn is_empty(&self) -> bool {
        self.refused.is_empty()
    }

    /// Takes note of a request that was refused. Returns the reason for the log.
    pub(super) fn add(
        &mut self,
        waiting: &WaitingRequest,
        of_pages: &mut RequestsOfPages,
        watch: &TabWatch,
    ) -> &'static str {
        let sender = of_pages.sender(waiting, watch);
        self.refused.push((waiting.request.judged(), sender));
        match sender {
            RequestSender::Control => "the answer was no",
            RequestSender::Beside if waiting.is_beacon => "the answer was no, to a beacon",
            RequestSender::Beside if waiting.request.warns() => {
                "the answer was no, to data that a script reads"
            }
            RequestSender::Beside => "the answer was no, to what the page tried before",
            RequestSender::Page => "the answer was no, to what a new page sends by itself",
        }
    }

    /// Returns the requests that the page sent by itself. `is_alone` if nothing else came of the
    /// step.
    pub(super) fn of_page(&self, is_alone: bool) -> Vec<&WireRequest> {
        let is_of_page = |sender: RequestSender| match sender {
            RequestSender::Control => false,
            RequestSender::Beside => !is_alone,
            RequestSender::Page => true,
        };
        let of_page = self.refused.iter().filter(|(_, sender)| is_of_page(*sender));
        of_page.map(|(request, _)| request).collect()
    }
}

/// Returns the effects of requests.
pub(super) fn effects(requests: &[&WireRequest]) -> Vec<Effect> {
    requests.iter().map(|request| request.effect()).collect()
}

/// Tells of a request that was stopped. One whose body cannot be seen is not asked about.
fn told_stopped(request: &WireRequest) -> String {
    let rule = AllowRule::only(request).filter(|_| request.body == WireBody::Unseen);
    let way = rule.map_or_else(String::new, |rule| format!("; the rule `{rule}` lets it go"));
    format!("stopped before it was {SENT}{}: {request}{way}", host_of(&request.url))
}

/// Tells of a WebSocket that a page did not get.
fn told_socket(request: &WireRequest) -> String {
    format!("no WebSocket to {}{}", host_of(&request.url), request.path())
}

/// Tells of requests that were sent.
pub(super) fn told_sent(requests: &[WireRequest]) -> Vec<String> {
    let line = |request: &WireRequest| format!("{SENT}{}: {request}", host_of(&request.url));
    let mut told: Vec<String> = requests.iter().take(MAX_STOPPED).map(line).collect();
    if let Some(n_more @ 1..) = requests.len().checked_sub(MAX_STOPPED) {
        told.push(format!("{n_more} more were sent"));
    }
    told
}

/// Tells of downloads that were refused, by their addresses.
fn told_downloads(addresses: &[String]) -> Vec<String> {
    let line = |address: &String| format!("the download of {address} was refused");
    let mut told: Vec<String> = addresses.iter().take(MAX_STOPPED).map(line).collect();
    if let Some(n_more @ 1..) = addresses.len().checked_sub(MAX_STOPPED) {
        told.push(format!("{n_more} more downloads were refused"));
    }
    told
}

/// What the guard stopped since it was last asked.
pub(super) struct StoppedNews {
    /// What would have been sent or saved, in words for the path and the page.
    pub(super) told: Vec<String>,
    /// What was not read, in such words.
    pub(super) unread: Vec<String>,
    /// The requests, for the report.
    pub(super) stopped: Vec<StoppedRequest>,
    /// One of them was above reading.
    pub(super) sends: bool,
    /// What the step is for was stopped without a question: a download, or what it sends.
    pub(super) is_own: bool,
}

impl StoppedNews {
    /// Says of requests that were refused that the page sent them by itself.
    pub(super) fn tell_of_page(&mut self, of_page: &[&WireRequest]) {
        let lines: Vec<String> = of_page.iter().map(|one| told_stopped(one)).collect();
        for line in self.told.iter_mut().filter(|line| lines.contains(line)) {
            line.push_str(", by the page itself");
        }
    }

    /// Returns all of it in words.
    pub(super) fn lines(&self) -> Vec<String> {
        self.told.iter().chain(&self.unread).cloned().collect()
    }
}

/// Takes up what the guard stopped, and tells it. `of_pages` takes note of it, where nothing was
/// pressed yet.
pub(super) fn stopped(
    browser: &Browser,
    of_pages: Option<&mut RequestsOfPages>,
    step: &Move,
) -> StoppedNews {
    let guard = browser.guard();
    guard.refused();
    let WireAttempts { attempts, n_more } = guard.tried();
    let secrets = guard.secrets();
    let for_report = |attempt: &WireAttempt| StoppedRequest {
        host: secrets.masked(&host_of(&attempt.request.url)).into_owned(),
        request: attempt.request.to_string(),
        reason: attempt.reason.clone(),
        n: 1,
    };
    let mut stopped: Vec<StoppedRequest> = attempts.iter().map(for_report).collect();
    if n_more > 0 {
        stopped.push(StoppedRequest::unnamed(n_more));
    }
    let is_limited = |attempt: &&WireAttempt| {
        attempt.request.is_reading() && guard.reads_from(&attempt.request.url)
    };
    let limited: BTreeSet<&str> =
        attempts.iter().filter(is_limited).map(|attempt| attempt.reason.as_str()).collect();
    let limited: Vec<String> = limited.into_iter().map(|why| format!("not read: {why}")).collect();
    let attempts = attempts.into_iter().map(|attempt| attempt.request);
    let (sockets, attempts): (Vec<WireRequest>, Vec<WireRequest>) =
        attempts.partition(WireRequest::is_web_socket);
    let attempts = attempts.into_iter();
    let (requests, forbidden): (Vec<WireRequest>, Vec<WireRequest>) =
        attempts.partition(|request| guard.forbids(request).is_none());
    let (read, sent): (Vec<WireRequest>, Vec<WireRequest>) =
        requests.into_iter().partition(WireRequest::is_reading);
    if let Some(of_pages) = of_pages {
        sent.iter().for_each(|request| of_pages.add(request));
    }
    let sends = !sent.is_empty() || !forbidden.is_empty();
    let mut told = Vec::new();
    for sent in forbidden.iter().take(MAX_STOPPED) {
        let (host, why) = (host_of(&sent.url), guard.forbids(sent));
        told.push(format!("never {SENT}{host}: {sent}; {}", why.unwrap_or_default()));
    }
    told.extend(sent.iter().take(MAX_STOPPED).map(told_stopped));
    let downloads = browser.downloads();
    told.extend(told_downloads(&downloads));
    let sockets: BTreeSet<String> = sockets.iter().map(told_socket).collect();
    let n_more =
        n_more + sent.len().saturating_sub(MAX_STOPPED) + sockets.len().saturating_sub(MAX_STOPPED);
    let mut unread: Vec<String> = sockets.into_iter().take(MAX_STOPPED).collect();
    if n_more > 0 {
        unread.push(format!("{n_more} more were stopped"));
    }
    unread.extend(limited);
    let others = read.iter().filter(|one| !guard.reads_from(&one.url));
    let hosts: BTreeSet<String> = others.map(|one| host_of(&one.url)).collect();
    if !hosts.is_empty() {
        let hosts: Vec<String> = hosts.into_iter().take(MAX_STOPPED).collect();
        unread.push(format!("not read, other hosts: {}", hosts.join(", ")));
    }
    let is_own = sends && may_send(step) || !downloads.is_empty();
    StoppedNews { told, unread, stopped, sends, is_own }
}

/// Reports whether a step operates a control, which may send something.
fn may_send(step: &Move) -> bool {
    match step {
        Move::Click(_) => true,
        Move::Operate(_, operation) => !operation.only_looks(),
        Move::Start | Move::Back | Move::Open(_) | Move::Search { .. } => false,
    }
}
