//! The guard: judges each request, in the browser and in the proxy, by policy, permits and whether
//! the wire is open; keeps what was tried and writes the security log.

use std::collections::BTreeSet;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use site_map::source::http::public_address::is_public;
use url::Url;

use crate::browser::guard::attempt::{
    WaitingRequest, WireAttempt, WireAttempts, WireLayer, WireVerdict,
};
use crate::browser::guard::permit::RequestPermits;
use crate::browser::guard::policy::WirePolicy;
use crate::browser::guard::request::{WireBody, WireRequest};
use crate::browser::guard::security_log::{SecurityEvent, SecurityLog};
use crate::browser::guard::warned_addresses::WarnedAddresses;
use crate::browser::guard::warned_reads::{ReadVerdict, WarnedReads};
use crate::browser::protocol::locked;
use crate::browser::secrets::store::SecretStore;

/// The number of attempts that are kept; more are counted.
const KEPT_ATTEMPTS: usize = 500;
/// The most requests that wait for an answer at a time; more are stopped.
const MAX_WAITING: usize = 8;
/// The same of those that only read, of which a new page may begin many.
const MAX_READS_WAITING: usize = 200;
/// The most bytes that the addresses of all that waits have.
const MAX_WAITING_BYTES: usize = 8 << 20;

/// The most requests that a step had stopped and the log lists; more are counted.
const MOST_LISTED: u64 = 10_000;

/// The reason that a request, or its answer, goes no further.
const BYTES_REACHED: &str = "the limit of bytes is reached";

/// What the log calls a request that a rule let go.
const RULE: &str = "rule";
/// The reason that a step which is taken again does not send a request.
pub(crate) const NOT_SENT_BEFORE: &str = "the step did not send it in the walk";

/// A guard. Clones are the same guard.
#[derive(Debug, Clone)]
pub struct WireGuard {
    state: Arc<Mutex<GuardState>>,
}

#[derive(Debug)]
struct GuardState {
    policy: WirePolicy,
    permits: RequestPermits,
    is_closed: bool,
    /// Requests above reading wait for an answer, in place of being stopped.
    is_asking: bool,
    /// Which GETs count as more than reading.
    reads: WarnedReads,
    waiting: Vec<WaitingRequest>,
    /// Methods and addresses that are stopped without a question.
    never: BTreeSet<(String, String)>,
    /// A step is taken again: of what is above reading, it may send these methods and addresses
    /// alone. `None` if it is taken for the first time.
    again: Option<BTreeSet<(String, String)>>,
    /// The number of requests that may still leave; `None` without a limit.
    requests_left: Option<u64>,
    /// The number of requests that left.
    n_requests: u64,
    /// The number of bytes that may still be received; `None` without a limit.
    bytes_left: Option<u64>,
    /// The number of bytes that were received.
    n_bytes: u64,
    tried: WireAttempts,
    refused: WireAttempts,
    /// What a rule let go above reading since it was last taken; as many as attempts are kept.
    left: Vec<WireRequest>,
    log: Option<SecurityLog>,
    /// The number of requests that were stopped since the step began.
    n_stopped: u64,
    /// The log could not be written: nothing above reading leaves any more.
    log_failed: bool,
}

impl WireGuard {
    /// A guard with a policy, and a log of what it decides.
    pub fn new(policy: WirePolicy, log: Option<SecurityLog>) -> WireGuard {
        let state = GuardState {
            policy,
            permits: RequestPermits::default(),
            is_closed: false,
            is_asking: false,
            reads: WarnedReads::default(),
            waiting: Vec::new(),
            never: BTreeSet::new(),
            again: None,
            requests_left: None,
            n_requests: 0,
            bytes_left: None,
            n_bytes: 0,
            tried: WireAttempts::default(),
            refused: WireAttempts::default(),
            left: Vec::new(),
            log,
            n_stopped: 0,
            log_failed: false,
        };
        WireGuard { state: Arc::new(Mutex::new(state)) }
    }

    /// Closes the wire for good: nothing leaves, reading neither. The end of a browser closes it.
    pub fn close_wire(&self) {
        let mut state = locked(&self.state);
        state.is_closed = true;
        state.count_stopped();
    }

    /// Begins a step, in which GETs to these addresses count as more than reading.
    pub(crate) fn warn_of(&self, warned: WarnedAddresses) {
        locked(&self.state).reads.begin_step(warned);
    }

    /// From now on, requests that a permit could let go wait in the browser.
    pub(crate) fn begin_asking(&self) {
        locked(&self.state).is_asking = true;
    }

    /// Takes note of what a page reads by itself from an address that warns.
    pub(crate) fn reads_by_itself(&self, request: &WireRequest) {
        locked(&self.state).reads.add(request);
    }

    /// Takes note of a request that waited and goes on.
    pub(crate) fn goes_on(&self, held: &WaitingRequest) {
        locked(&self.state).reads.goes_on(held);
    }

    /// Ends that, and returns those that still wait.
    pub(crate) fn end_asking(&self) -> Vec<WaitingRequest> {
        let mut state = locked(&self.state);
        state.is_asking = false;
        std::mem::take(&mut state.waiting)
    }

    /// Stops requests of this method to this address from now on, without a question.
    pub(crate) fn never_ask(&self, request: &WireRequest) {
        locked(&self.state).never.insert(place_of(request));
    }

    /// Lets nothing above reading go but what a step has sent, by method and address, because it is
    /// taken again; `None` ends that.
    pub(crate) fn take_again(&self, sent: Option<BTreeSet<(String, String)>>) {
        locked(&self.state).again = sent;
    }

    /// Reports whether a step that is taken again has not sent a request.
    pub(crate) fn is_new(&self, request: &WireRequest) -> bool {
        locked(&self.state).is_new(request)
    }

    /// Reports whether a request waits for an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        !locked(&self.state).waiting.is_empty()
    }

    /// Takes the request that has waited longest.
    pub(crate) fn next_waiting(&self) -> Option<WaitingRequest> {
        let mut state = locked(&self.state);
        (!state.waiting.is_empty()).then(|| state.waiting.remove(0))
    }

    /// Limits the requests that leave from now on, those of pages that nobody asked for included.
    pub fn limit_requests(&self, most: u64) {
        locked(&self.state).requests_left = Some(most);
    }

    /// Returns the number of requests that left so far. Inside TLS, where the proxy sees none, it
    /// is that of those that were let go in the browser: one that its cache answers counts, and a
    /// browser's own question before a request to another origin (a preflight) does not.
    pub fn n_requests(&self) -> u64 {
        locked(&self.state).n_requests
    }

    /// Limits the bytes that are received from now on. What is over is one read of a connection.
    pub fn limit_bytes(&self, most: u64) {
        locked(&self.state).bytes_left = Some(most);
    }

    /// Returns the number of bytes that were received so far, as they came over the wire.
    pub fn n_bytes(&self) -> u64 {
        locked(&self.state).n_bytes
    }

    /// Returns the requests of pages and workers that were stopped since the last call: those that
    /// were held, and WebSockets.
    pub fn tried(&self) -> WireAttempts {
        std::mem::take(&mut locked(&self.state).tried)
    }

    /// Returns what the proxy refused since the last call: the calls of the browser itself, and
    /// whatever else no page's request was held for.
    pub fn refused(&self) -> WireAttempts {
        std::mem::take(&mut locked(&self.state).refused)
    }

    /// Returns what rules let go above reading since the last call.
    pub(crate) fn left(&self) -> Vec<WireRequest> {
        std::mem::take(&mut locked(&self.state).left)
    }

    /// Permits a request once: the same method, address and body. Returns `false` for a request
    /// whose body cannot be seen, since no other could be told from it.
    pub fn permit(&self, request: &WireRequest) -> bool {
        let mut state = locked(&self.state);
        let body = match &request.body {
            // The digest of a short value tells the value to those who try all.
            WireBody::Seen { digest, .. } if request.secrets.is_empty() => Some(digest.clone()),
            WireBody::Seen { .. } | WireBody::None | WireBody::Unseen => None,
        };
        let origin = request.url.origin().ascii_serialization();
        let event = SecurityEvent::Permitted { origin, request: request.to_string(), body };
        state.write(&event);
        state.permits.add(request.clone())
    }

    /// Takes the permits back that were not used; for the end of a step.
    pub fn revoke_permits(&self) {
        let mut state = locked(&self.state);
        let n = state.permits.revoke();
        if n > 0 {
            state.write(&SecurityEvent::Revoked { n });
        }
    }

    /// Changes the policy, for example after a person named another origin.
    pub fn change_policy(&self, change: impl FnOnce(WirePolicy) -> WirePolicy) {
        let mut state = locked(&self.state);
        state.policy = change(std::mem::take(&mut state.policy));
    }

    /// Goes on with the security log in a new file, with all that it has.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub fn move_log(&self, path: &Path) -> io::Result<()> {
        locked(&self.state).log.as_mut().map_or(Ok(()), |log| log.move_to(path))
    }

    /// Writes a question, an answer or another event to the security log.
    pub fn write(&self, event: &SecurityEvent) {
        locked(&self.state).write(event);
    }

    /// Judges a request that is held in the browser. One that waits is kept here.
    pub(crate) fn judge_held(&self, mut held: WaitingRequest) -> WireVerdict {
        let mut state = locked(&self.state);
        let is_read = state.policy.reads_from(&held.request.url);
        match state.reads.verdict(&held, state.is_asking) {
            ReadVerdict::Warns if is_read => held.request = held.request.warning(true),
            ReadVerdict::ByPage if is_read => state.reads.add(&held.request),
            _ => {}
        }
        if state.may_wait(&held) {
            state.waiting.push(held);
            return WireVerdict::Waits;
        }
        match state.judge(&held.request, WireLayer::Browser, RequestPermits::release) {
            true => {
                state.reads.goes_on(&held);
                WireVerdict::GoesOn
            }
            false => WireVerdict::Stopped,
        }
    }

    /// Reports whether an address may be read without a question.
    pub(crate) fn reads_from(&self, address: &Url) -> bool {
        locked(&self.state).policy.reads_from(address)
    }

    /// Returns the secrets of the walk.
    pub fn secrets(&self) -> SecretStore {
        locked(&self.state).policy.secrets().clone()
    }

    /// Returns why no permit lets a request go; `None` if one can.
    pub fn forbids(&self, request: &WireRequest) -> Option<&'static str> {
        locked(&self.state).policy.forbids(request)
    }

    /// Judges a request that is held in the browser: whether it may go on.
    pub(crate) fn may_start(&self, request: &WireRequest) -> bool {
        let mut state = locked(&self.state);
        state.judge(request, WireLayer::Browser, RequestPermits::release)
    }

    /// Judges a request that reached the proxy.
    pub(crate) fn may_leave(&self, request: &WireRequest) -> bool {
        let mut state = locked(&self.state);
        state.judge(request, WireLayer::Proxy, RequestPermits::pass)
    }

    /// Judges a tunnel through the proxy.
    pub(crate) fn may_open_tunnel(&self, host: &str, port: u16) -> bool {
        let state = locked(&self.state);
        state.bytes_left != Some(0)
            && (state.policy.allows_tunnel(host, port) || state.permits.needs_tunnel(host, port))
    }

    /// Takes note of bytes that were received for a request, and reports whether more may be.
    pub(crate) fn receives(&self, request: &WireRequest, n: u64) -> bool {
        let mut state = locked(&self.state);
        state.n_bytes += n;
        state.bytes_left = state.bytes_left.map(|left| left.saturating_sub(n));
        let goes_on = state.bytes_left != Some(0);
        if !goes_on {
            state.stop(request, WireLayer::Proxy, BYTES_REACHED);
        }
        goes_on
    }

    /// Takes note of a request that was stopped elsewhere.
    pub(crate) fn stopped(&self, request: &WireRequest, layer: WireLayer, reason: &str) {
        locked(&self.state).stop(request, layer, reason);
    }

    /// Judges an address of a host: public, or of a host that a person named.
    pub(crate) fn may_connect(&self, host: &str, address: IpAddr) -> bool {
        is_public(address) || locked(&self.state).policy.is_named(host)
    }
}

/// The method of a request, and its address without the query, as they are shown: without secrets.
fn place_of(request: &WireRequest) -> (String, String) {
    let origin = request.url.origin().ascii_serialization();
    (request.method.clone(), origin + &request.path())
}

impl GuardState {
    /// Reports whether a request waits for an answer: no rule and no permit lets it go, and a
    /// permit could. Of what only reads, that is the page of a tab.
    fn may_wait(&self, held: &WaitingRequest) -> bool {
        let request = &held.request;
        self.is_asking
            && !self.is_closed
            && !self.log_failed
            && self.requests_left != Some(0)
            && self.bytes_left != Some(0)
            && self.has_room_for(request)
            && (held.tab.is_some() || !request.is_reading())
            && request.body != WireBody::Unseen
            && !self.never.contains(&place_of(request))
            && self.policy.forbids(request).is_none()
            && (self.is_new(request) || !self.policy.allows(request))
            && !self.permits.has(request)
    }

    /// Reports whether one more request of its kind may wait.
    fn has_room_for(&self, request: &WireRequest) -> bool {
        let is_alike = |held: &&WaitingRequest| held.request.warns() == request.warns();
        let most = if request.warns() { MAX_READS_WAITING } else { MAX_WAITING };
        let requests = self.waiting.iter().map(|held| &held.request).chain([request]);
        let n_bytes: usize = requests.map(|one| one.url.as_str().len()).sum();
        n_bytes <= MAX_WAITING_BYTES && self.waiting.iter().filter(is_alike).count() < most
    }

    /// Reports whether a step that is taken again has not sent a request.
    fn is_new(&self, request: &WireRequest) -> bool {
        let again = self.again.as_ref();
        !request.is_reading() && again.is_some_and(|sent| !sent.contains(&place_of(request)))
    }

    fn judge(
        &mut self,
        request: &WireRequest,
        layer: WireLayer,
        permitted: impl FnOnce(&mut RequestPermits, &WireRequest) -> bool,
    ) -> bool {
        let passes = self.decide(request, layer, permitted);
        // Inside TLS the proxy sees none; without it, it also sees what no page asked for.
        if passes && (layer == WireLayer::Proxy || request.url.scheme() == "https") {
            self.n_requests += 1;
            self.requests_left = self.requests_left.map(|left| left.saturating_sub(1));
        }
        passes
    }

    fn decide(
        &mut self,
        request: &WireRequest,
        layer: WireLayer,
        permitted: impl FnOnce(&mut RequestPermits, &WireRequest) -> bool,
    ) -> bool {
        let is_allowed = self.policy.allows(request);
        let reason = if self.is_closed {
            "the wire is closed"
        } else if let Some(why) = self.policy.forbids(request) {
            why
        } else if self.requests_left == Some(0) {
            "the limit of requests is reached"
        } else if self.bytes_left == Some(0) {
            BYTES_REACHED
        } else if self.is_new(request) {
            NOT_SENT_BEFORE
        } else if self.log_failed && !request.is_reading() {
            "the security log cannot be written"
        } else if is_allowed && request.is_reading() {
            return true;
        } else if is_allowed {
            return self.release(request, layer, RULE);
        } else if permitted(&mut self.permits, request) {
            return self.release(request, layer, "permit");
        } else if self.permits.is_asked_before(request) {
            return true;
        } else if request.is_reading() {
            "the origin is not allowed"
        } else {
            "it was not permitted"
        };
        self.stop(request, layer, reason);
        false
    }

    /// Lets a request go, once that is written down.
    fn release(&mut self, request: &WireRequest, layer: WireLayer, by: &'static str) -> bool {
        if layer == WireLayer::Browser {
            let origin = request.url.origin().ascii_serialization();
            self.write(&SecurityEvent::Released { origin, request: request.to_string(), by });
        }
        if self.log_failed {
            self.stop(request, layer, "the security log cannot be written");
        } else if by == RULE && layer == WireLayer::Browser && self.left.len() < KEPT_ATTEMPTS {
            self.left.push(request.judged());
        }
        !self.log_failed
    }

    fn stop(&mut self, request: &WireRequest, layer: WireLayer, reason: &str) {
        let attempts = match layer {
            WireLayer::Browser => &mut self.tried,
            WireLayer::Proxy => &mut self.refused,
        };
        if attempts.attempts.len() < KEPT_ATTEMPTS {
            let (request, reason) = (request.judged(), reason.to_owned());
            attempts.attempts.push(WireAttempt { request, reason });
        } else {
            attempts.n_more += 1;
        }
        let origin = request.url.origin().ascii_serialization();
        let stopped = SecurityEvent::Stopped {
            origin,
            request: request.to_string(),
            reason: reason.to_owned(),
        };
        self.write(&stopped);
    }

    fn write(&mut self, event: &SecurityEvent) {
        match event {
            SecurityEvent::Began { .. } | SecurityEvent::Step { .. } => self.count_stopped(),
            SecurityEvent::Stopped { .. } | SecurityEvent::Download { .. } => {
                self.n_stopped += 1;
                if self.n_stopped > MOST_LISTED {
                    return;
                }
            }
            _ => {}
        }
        self.append(event);
    }

    /// Writes how many requests were stopped and not listed, and counts anew. A page can try more
    /// than a disk has room for.
    fn count_stopped(&mut self) {
        let n = std::mem::take(&mut self.n_stopped).saturating_sub(MOST_LISTED);
        if n > 0 {
            self.append(&SecurityEvent::StoppedMore { n });
        }
    }

    fn append(&mut self, event: &SecurityEvent) {
        if let Some(log) = &mut self.log {
            self.log_failed |= log.append(event, self.policy.secrets()).is_err();
        }
    }
}

#[cfg(test)]
mod tests;
