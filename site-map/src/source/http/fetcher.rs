//! A polite fetcher: rules for robots, a delay per origin, retries, redirects, private addresses,
//! and limits that are reserved before each request.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use url::{Host, Url};

use crate::address::is_same_origin;
use crate::source::http::client::{PinnedClient, ResponseLimits};
use crate::source::http::earlier_answers::EarlierAnswers;
use crate::source::http::error::{FetchError, is_momentary, retry_after};
use crate::source::http::options::FetchOptions;
use crate::source::http::platform::{Platform, SystemPlatform};
use crate::source::http::public_address::is_public;
use crate::source::http::redirect_chain::RedirectChain;
use crate::source::http::robots::{MAX_ROBOTS, RobotRules};
use crate::source::recording::Recording;
use crate::source::response::{MAX_REDIRECTS, ROBOTS, Response};

pub use crate::source::http::client::USER_AGENT;

/// The same for `/robots.txt`, by RFC 9309.
const MAX_ROBOTS_REDIRECTS: usize = 5;
/// The longest wait that a server may ask for.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// The wait before the first retry; it doubles.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// Fetches one address at a time.
#[derive(Debug)]
pub struct Fetcher<P = SystemPlatform> {
    options: FetchOptions,
    platform: P,
    client: PinnedClient,
    origins: BTreeMap<String, OriginState>,
    n_requests: u64,
    n_bytes: u64,
    passed: Vec<Response>,
    /// What was answered to requests that were sent ahead, by address.
    ahead: BTreeMap<String, Result<Response, FetchError>>,
    /// What was answered before, to a run that goes on.
    before: Option<EarlierAnswers>,
    /// The time on the platform's clock at which no request may run any more.
    end: Option<Duration>,
}

/// What is known of an origin.
#[derive(Debug, Default)]
struct OriginState {
    /// The next request may be sent at this time.
    next: Duration,
    rules: Option<RobotRules>,
    /// The server asked to wait for longer than a run does: the status and the time.
    asked: Option<(u16, Duration)>,
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FetchPurpose {
    Page,
    Robots,
    /// A list of addresses, such as a sitemap.
    Listing,
}

impl Fetcher {
    /// Prepares a fetcher; sends nothing.
    ///
    /// # Errors
    /// If TLS or the proxy cannot be set up.
    pub fn new(options: FetchOptions) -> Result<Fetcher, FetchError> {
        Fetcher::on(SystemPlatform::start(), options)
    }
}

impl<P: Platform> Fetcher<P> {
    /// Prepares a fetcher with a clock and a DNS of the caller's; sends nothing.
    ///
    /// # Errors
    /// If TLS or the proxy cannot be set up.
    pub fn on(platform: P, options: FetchOptions) -> Result<Fetcher<P>, FetchError> {
        let client = PinnedClient::new(&options)?;
        if let Some(proxy) = &options.proxy {
            pin_proxy(&platform, &client, proxy)?;
        }
        Ok(Fetcher {
            options,
            platform,
            client,
            origins: BTreeMap::new(),
            n_requests: 0,
            n_bytes: 0,
            passed: Vec::new(),
            ahead: BTreeMap::new(),
            before: None,
            end: None,
        })
    }

    /// Returns the options.
    pub fn options(&self) -> &FetchOptions {
        &self.options
    }

    /// Sets the limits of requests and bytes, those used before included.
    pub fn limit(&mut self, max_requests: u64, max_bytes: u64) {
        (self.options.max_requests, self.options.max_bytes) = (max_requests, max_bytes);
    }

    /// Ends all requests and waits after this time; without one they have their own times alone.
    pub fn finish_within(&mut self, time: Option<Duration>) {
        self.end = time.map(|time| self.platform.now() + time);
    }

    /// Takes what a recording has for answers, as if they came now: a run that goes on does what it
    /// did, and its requests count. Failures of a moment are asked for again, with the retries that
    /// remain. The limit of bytes holds for what is received from now on: a recording does not say
    /// how many bytes travelled.
    pub fn go_on_after(&mut self, recording: Recording) {
        self.before = Some(EarlierAnswers::of(recording));
    }

    /// Reports whether an address is answered from the recording that the run goes on after.
    pub(crate) fn is_answered_before(&self, address: &Url) -> bool {
        self.before.as_ref().is_some_and(|before| before.is_final(address, &self.options))
    }

    /// Returns the number of requests that were sent.
    pub fn requests(&self) -> u64 {
        self.n_requests
    }

    /// Returns the bytes of bodies that were received, as they travelled; those that a recording
    /// had, as it has them.
    pub fn bytes(&self) -> u64 {
        self.n_bytes + self.before.as_ref().map_or(0, |before| before.n_bytes)
    }

    /// Takes the responses on the way to what [`get`](Self::get) and [`send`](Self::send) returned,
    /// in order: `/robots.txt`, redirects, and failures that were repeated.
    pub fn take_passed(&mut self) -> Vec<Response> {
        std::mem::take(&mut self.passed)
    }

    /// Fetches an address and follows its redirects, each of which is checked as the address is.
    /// The response has the address that the redirects lead to.
    ///
    /// # Errors
    /// If there is no response. A failed status is a response.
    pub fn get(&mut self, address: &Url) -> Result<Response, FetchError> {
        self.follow(address, MAX_REDIRECTS, Fetcher::send)
    }

    /// Fetches an address, and returns a redirect as it is.
    ///
    /// # Errors
    /// If there is no response. A failed status is a response.
    pub fn send(&mut self, address: &Url) -> Result<Response, FetchError> {
        self.check_address(address)?;
        self.check_robots(address)?;
        self.request(address, None, FetchPurpose::Page)
    }

    /// Returns how many addresses [`send_ahead`](Self::send_ahead) takes now: none while answers
    /// wait, or near a limit, which is then held by one request at a time.
    pub(crate) fn room_ahead(&self) -> usize {
        let FetchOptions { concurrency, max_requests, max_bytes, page_bytes, .. } = self.options;
        let n = concurrency as u64;
        let is_near = max_requests - self.n_requests.min(max_requests) < n
            || max_bytes - self.n_bytes.min(max_bytes) < n.saturating_mul(page_bytes);
        if concurrency < 2 || is_near || !self.ahead.is_empty() { 0 } else { concurrency }
    }

    /// Sends requests for pages of one origin side by side, for [`send`](Self::send) to return what
    /// came. Addresses that may not be asked are left to it.
    pub(crate) fn send_ahead(&mut self, addresses: &[Url]) {
        let mut may_be_asked = |address: &&Url| {
            origin_of(address) == origin_of(&addresses[0])
                && self.check_address(address).is_ok()
                && self.check_robots(address).is_ok()
        };
        let allowed: Vec<&Url> = addresses.iter().filter(&mut may_be_asked).collect();
        let client = self.client.clone();
        let answers: Vec<(Result<Response, FetchError>, u64)> = thread::scope(|scope| {
            let mut requests = Vec::new();
            for address in &allowed {
                if self.asked_to_wait(address).is_some() {
                    break;
                }
                let Ok(time) = self.wait(address) else { break };
                self.keep_distance(address);
                self.n_requests += 1;
                // The limit of all bytes does not end a page that its own limit allows.
                let most = self.options.page_bytes.saturating_add(1);
                let limits = self.limits_of(FetchPurpose::Page, most, time);
                let client = &client;
                requests.push(scope.spawn(move || {
                    let mut received = 0;
                    (client.get(address, None, limits, &mut received), received)
                }));
            }
            let ended = requests.into_iter().map(ScopedJoinHandle::join);
            ended.map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        for (address, (answer, received)) in allowed.into_iter().zip(answers) {
            self.n_bytes += received;
            self.ahead.insert(address.to_string(), answer);
        }
    }

    /// Fetches a list of addresses, of any type: one request, without redirects and retries. Of a
    /// large one the beginning is enough.
    ///
    /// # Errors
    /// If there is no response. A failed status is a response.
    pub fn send_for_listing(&mut self, address: &Url) -> Result<Response, FetchError> {
        self.check_address(address)?;
        self.check_robots(address)?;
        self.request_once(address, None, FetchPurpose::Listing)
    }

    /// Returns the sitemaps that the rules for robots of an address's origin name, if they were
    /// fetched.
    pub fn sitemaps(&self, address: &Url) -> &[Url] {
        let state = self.origins.get(&origin_of(address));
        state.and_then(|state| state.rules.as_ref()).map_or(&[], RobotRules::sitemaps)
    }

    /// Asks whether the page of a known response has changed: the status 304 says that it has not.
    /// Servers without `ETag` and `Last-Modified` send the page again.
    ///
    /// # Errors
    /// If there is no response. A failed status is a response.
    pub fn send_if_changed(&mut self, known: &Response) -> Result<Response, FetchError> {
        self.check_address(&known.address)?;
        self.check_robots(&known.address)?;
        self.request(&known.address, Some(known), FetchPurpose::Page)
    }

    fn follow(
        &mut self,
        address: &Url,
        limit: usize,
        send: impl Fn(&mut Self, &Url) -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let mut chain = RedirectChain::of(address.clone());
        loop {
            let response = send(self, chain.last())?;
            let Some(target) = response.redirect() else { return Ok(response) };
            self.passed.push(response);
            chain.follow(target, limit)?;
        }
    }

    /// Refuses addresses without a server, those of other origins if there is only one, and those
    /// of private networks that nobody named.
    fn check_address(&self, address: &Url) -> Result<(), FetchError> {
        if !matches!(address.scheme(), "http" | "https") {
            return Err(FetchError::Scheme);
        }
        if self.options.origin.as_ref().is_some_and(|only| !is_same_origin(only, address)) {
            return Err(FetchError::OtherOrigin { origin: origin_of(address) });
        }
        let host = address.host_str().unwrap_or_default();
        let is_named = self.options.named_hosts.contains(host);
        let private = || FetchError::Private { host: host.to_owned() };
        let literal: Option<IpAddr> = match address.host() {
            None => return Err(FetchError::Scheme),
            Some(Host::Ipv4(address)) => Some(address.into()),
            Some(Host::Ipv6(address)) => Some(address.into()),
            Some(Host::Domain(_)) => None,
        };
        if let Some(literal) = literal {
            return if is_named || is_public(literal) { Ok(()) } else { Err(private()) };
        }
        // A proxy resolves names itself.
        if self.client.is_pinned(host) || self.options.proxy.is_some() {
            return Ok(());
        }
        let resolved = self.platform.resolve(host).map_err(|error| FetchError::Resolve {
            host: host.to_owned(),
            message: error.to_string(),
        })?;
        let allowed: Vec<IpAddr> =
            resolved.into_iter().filter(|address| is_named || is_public(*address)).collect();
        if allowed.is_empty() {
            return Err(private());
        }
        self.client.pin(host, allowed);
        Ok(())
    }

    /// Checks the rules for robots of the address's origin, and fetches them the first time.
    fn check_robots(&mut self, address: &Url) -> Result<(), FetchError> {
        let is_named =
            address.host_str().is_some_and(|host| self.options.named_hosts.contains(host));
        if self.options.ignores_robots && is_named {
            return Ok(());
        }
        let origin = origin_of(address);
        if self.origins.get(&origin).is_none_or(|state| state.rules.is_none()) {
            let rules = self.fetch_robots(address)?;
            self.origins.entry(origin.clone()).or_default().rules = Some(rules);
        }
        let rules = self.origins.get(&origin).and_then(|state| state.rules.as_ref());
        rules.map_or(Ok(()), |rules| rules.check(address))
    }

    fn fetch_robots(&mut self, address: &Url) -> Result<RobotRules, FetchError> {
        let Ok(location) = address.join(ROBOTS) else { return Err(FetchError::Scheme) };
        let answer = self.follow(&location, MAX_ROBOTS_REDIRECTS, |fetcher, hop| {
            fetcher.check_address(hop)?;
            fetcher.request(hop, None, FetchPurpose::Robots)
        });
        if let Err(error) = &answer
            && error.is_limit()
        {
            return Err(error.clone());
        }
        let rules = RobotRules::of(answer.as_ref());
        self.passed.extend(answer);
        if rules.delay() > MAX_WAIT {
            let seconds = rules.delay().as_secs();
            let reason =
                format!("robots.txt asks for {seconds} s between requests, which is too long");
            return Ok(RobotRules::forbidding(reason));
        }
        Ok(rules)
    }

    /// Returns how long the server of an address asked to wait, if that is longer than a run does.
    pub(crate) fn asked_to_wait(&self, address: &Url) -> Option<Duration> {
        self.origins.get(&origin_of(address))?.asked.map(|(_, wait)| wait)
    }

    /// Sends a request, and repeats it while the failure looks like one of a moment.
    fn request(
        &mut self,
        address: &Url,
        known: Option<&Response>,
        purpose: FetchPurpose,
    ) -> Result<Response, FetchError> {
        let mut backoff = FIRST_WAIT;
        let mut n_left = self.options.retries;
        if known.is_none()
            && let Some(before) = &mut self.before
        {
            self.n_requests += before.count(address);
            if let Some(response) = before.response(address, &self.options) {
                return Ok(response);
            }
            let n_before = before.times(address);
            n_left = n_left.saturating_sub(u32::try_from(n_before).unwrap_or(u32::MAX));
        }
        loop {
            let result = self.request_once(address, known, purpose);
            let wait = match &result {
                Ok(response) if is_momentary(response.status) => retry_after(response),
                Err(FetchError::Broken { .. } | FetchError::Unreachable { .. }) => None,
                Ok(_) | Err(_) => return result,
            };
            let asked = wait.filter(|wait| *wait > MAX_WAIT);
            if let (Some(wait), Ok(response)) = (asked, &result) {
                let status = response.status;
                let state = self.origins.entry(origin_of(address)).or_default();
                state.asked = Some((status, wait));
                self.passed.extend(result);
                return Err(FetchError::AskedToWait { status, wait });
            }
            let wait = wait.unwrap_or(backoff);
            let is_late = self.time_left().is_some_and(|left| left <= wait);
            if n_left == 0 || is_late || self.remaining().is_err() {
                return result;
            }
            n_left -= 1;
            backoff *= 2;
            self.passed.extend(result);
            // The whole origin waits, not only this address.
            let next = self.platform.now() + wait;
            let state = self.origins.entry(origin_of(address)).or_default();
            state.next = state.next.max(next);
            // The server may have moved.
            self.client.unpin(address.host_str().unwrap_or_default());
            self.check_address(address)?;
        }
    }

    fn request_once(
        &mut self,
        address: &Url,
        known: Option<&Response>,
        purpose: FetchPurpose,
    ) -> Result<Response, FetchError> {
        if purpose == FetchPurpose::Page
            && known.is_none()
            && let Some(answer) = self.ahead.remove(address.as_str())
        {
            return answer;
        }
        let remaining = self.remaining()?;
        let origin = self.origins.get(&origin_of(address));
        if let Some((status, wait)) = origin.and_then(|state| state.asked) {
            return Err(FetchError::AskedToWait { status, wait });
        }
        let time = self.wait(address)?;
        let limits = self.limits_of(purpose, remaining, time);
        self.n_requests += 1;
        let result = self.client.get(address, known, limits, &mut self.n_bytes);
        self.keep_distance(address);
        match result {
            Err(FetchError::Deadline { .. }) if time < self.options.request_time => {
                Err(FetchError::OutOfTime)
            }
            result => result,
        }
    }

    fn limits_of(&self, purpose: FetchPurpose, remaining: u64, time: Duration) -> ResponseLimits {
        ResponseLimits {
            body: match purpose {
                FetchPurpose::Robots => MAX_ROBOTS,
                FetchPurpose::Page | FetchPurpose::Listing => self.options.page_bytes,
            },
            remaining,
            time,
            is_beginning_enough: purpose != FetchPurpose::Page,
        }
    }

    /// Waits until a request may be sent to the address's origin, and returns the time it may take.
    fn wait(&mut self, address: &Url) -> Result<Duration, FetchError> {
        let state = self.origins.entry(origin_of(address)).or_default();
        let wait = state.next.saturating_sub(self.platform.now());
        let time_left = self.time_left().map(|left| left.saturating_sub(wait));
        if time_left.is_some_and(|left| left.is_zero()) {
            return Err(FetchError::OutOfTime);
        }
        if !wait.is_zero() {
            self.platform.sleep(wait);
        }
        Ok(self.options.request_time.min(time_left.unwrap_or(Duration::MAX)))
    }

    /// Sets when the next request may be sent to the address's origin.
    fn keep_distance(&mut self, address: &Url) {
        let state = self.origins.entry(origin_of(address)).or_default();
        let delay = state.rules.as_ref().map_or(Duration::ZERO, RobotRules::delay);
        state.next = self.platform.now() + self.options.delay.max(delay);
    }

    /// Returns the time that requests still have; `None` without an end.
    fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub(self.platform.now()))
    }

    /// Returns the bytes that may still be received.
    fn remaining(&self) -> Result<u64, FetchError> {
        let FetchOptions { max_requests, max_bytes, .. } = self.options;
        if self.n_requests >= max_requests {
            return Err(FetchError::MaxRequests { limit: max_requests });
        }
        if self.n_bytes >= max_bytes {
            return Err(FetchError::MaxBytes { limit: max_bytes });
        }
        Ok(max_bytes - self.n_bytes)
    }
}

/// Resolves the host of a proxy, which the person named.
fn pin_proxy(
    platform: &impl Platform,
    client: &PinnedClient,
    proxy: &Url,
) -> Result<(), FetchError> {
    if !matches!(proxy.scheme(), "http" | "https") {
        let message = "a proxy has an address of http or https".to_owned();
        return Err(FetchError::Client { message });
    }
    if let Some(Host::Domain(host)) = proxy.host() {
        let resolved = platform.resolve(host).map_err(|error| FetchError::Resolve {
            host: host.to_owned(),
            message: error.to_string(),
        })?;
        client.pin(host, resolved);
    }
    Ok(())
}

fn origin_of(address: &Url) -> String {
    address.origin().ascii_serialization()
}
