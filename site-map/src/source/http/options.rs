//! What a fetcher may do: its limits and manners.

use std::collections::BTreeSet;
use std::time::Duration;

use url::Url;

use crate::source::http::cookies::Cookies;
use crate::source::http::error::is_momentary;
use crate::source::http::headers::GivenHeaders;
use crate::source::response::asks_who_reads;

/// What a fetcher may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    /// The time between two requests to one origin; `Crawl-delay` may lengthen it.
    pub delay: Duration,
    /// The largest number of connections to one origin, at least 1. Requests begin `delay` apart on
    /// all of them.
    pub concurrency: usize,
    /// The time of one request, from the first byte sent to the last one received.
    pub request_time: Duration,
    /// The largest page in bytes, before and after decoding.
    pub page_bytes: u64,
    /// How often a request is repeated that failed for a moment.
    pub retries: u32,
    /// The largest number of requests: pages, redirects, retries and `/robots.txt`.
    pub max_requests: u64,
    /// The largest number of bytes of bodies, as they travel.
    pub max_bytes: u64,
    /// Hosts that the person named: they may lie in private networks.
    pub named_hosts: BTreeSet<String>,
    /// Cookies that the person gave.
    pub cookies: Cookies,
    /// Headers that the person gave, for one origin.
    pub headers: GivenHeaders,
    /// A proxy that the person named. It resolves the names of hosts, so that those in private
    /// networks are refused only if their addresses are literal.
    pub proxy: Option<Url>,
    /// The only origin that requests may go to, those that follow a redirect of `/robots.txt`
    /// included; `None` for any.
    pub origin: Option<Url>,
    /// Ignore the rules for robots of the named hosts.
    pub ignores_robots: bool,
}

impl Default for FetchOptions {
    fn default() -> FetchOptions {
        FetchOptions {
            delay: Duration::from_millis(250),
            concurrency: 1,
            request_time: Duration::from_secs(30),
            page_bytes: 20 << 20,
            retries: 3,
            max_requests: u64::MAX,
            max_bytes: u64::MAX,
            named_hosts: BTreeSet::new(),
            cookies: Cookies::default(),
            headers: GivenHeaders::default(),
            proxy: None,
            origin: None,
            ignores_robots: false,
        }
    }
}

impl FetchOptions {
    /// Reports whether what was answered with a status is asked for again by a run that goes on: a
    /// failure of a moment, and one of a reader whom the server did not know.
    pub(crate) fn ask_again(&self, status: u16) -> bool {
        let is_known = self.headers.origin().is_some();
        is_momentary(status) || is_known && asks_who_reads(status)
    }

    /// The defaults for an address that the person gave: its host may lie in a private network.
    pub fn of(start: &Url) -> FetchOptions {
        let named_hosts = start.host_str().map(str::to_owned).into_iter().collect();
        FetchOptions { named_hosts, ..FetchOptions::default() }
    }
}
