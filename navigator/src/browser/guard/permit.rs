//! Permits: a person's yes to exactly one request, once.
//!
//! A request is held twice: in the browser, where the one that a permit is for is let go, and, as
//! plain HTTP, in the proxy, which lets nothing go that was not let go before.

use crate::browser::guard::policy::is_tls_at;
use crate::browser::guard::request::{WireBody, WireRequest};

/// Permits that were given, and what of them is still to happen.
#[derive(Debug, Default)]
pub(crate) struct RequestPermits {
    /// Requests that may be let go in the browser.
    open: Vec<WireRequest>,
    /// Requests that were let go there, and must still pass the proxy.
    released: Vec<WireRequest>,
}

impl RequestPermits {
    /// Permits a request once; reports whether it can be recognised at all.
    pub(crate) fn add(&mut self, request: WireRequest) -> bool {
        let can_be_seen = request.body != WireBody::Unseen;
        if can_be_seen {
            self.open.push(request);
        }
        can_be_seen
    }

    /// Takes back all permits, and returns the number of those that were not used.
    pub(crate) fn revoke(&mut self) -> usize {
        let n = self.open.len();
        *self = RequestPermits::default();
        n
    }

    /// Reports whether a request may be let go in the browser.
    pub(crate) fn has(&self, request: &WireRequest) -> bool {
        self.open.iter().any(|one| one.is_same(request))
    }

    /// Uses the permit of a request in the browser.
    pub(crate) fn release(&mut self, request: &WireRequest) -> bool {
        let Some(permitted) = taken(&mut self.open, request) else { return false };
        self.released.push(permitted);
        true
    }

    /// Lets a request pass the proxy that was let go in the browser.
    pub(crate) fn pass(&mut self, request: &WireRequest) -> bool {
        taken(&mut self.released, request).is_some()
    }

    /// Reports whether a request asks, as browsers do before a request to another origin, whether a
    /// permitted one would be welcome.
    pub(crate) fn is_asked_before(&self, request: &WireRequest) -> bool {
        let mut all = self.open.iter().chain(&self.released);
        request.method == "OPTIONS"
            && request.body == WireBody::None
            && all.any(|permitted| permitted.address() == request.address())
    }

    /// Reports whether a request that was let go needs a tunnel to a host. Inside it the proxy sees
    /// nothing.
    pub(crate) fn needs_tunnel(&self, host: &str, port: u16) -> bool {
        let mut all = self.open.iter().chain(&self.released);
        all.any(|permitted| is_tls_at(&permitted.url.origin(), host, port))
    }
}

fn taken(requests: &mut Vec<WireRequest>, request: &WireRequest) -> Option<WireRequest> {
    let at = requests.iter().position(|one| one.is_same(request))?;
    Some(requests.remove(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, body: &str) -> WireRequest {
        let url = "http://a.example/orders".parse().unwrap();
        WireRequest::new(method, url, "", Some(body.as_bytes()))
    }

    #[test]
    fn a_permit_is_for_one_request_once_at_each_layer() {
        let mut permits = RequestPermits::default();
        assert!(permits.add(request("POST", "a=1")));
        assert!(permits.is_asked_before(&request("OPTIONS", "")));
        assert!(!permits.pass(&request("POST", "a=1")), "it was not let go in the browser");
        assert!(!permits.release(&request("POST", "a=2")));
        assert!(!permits.release(&request("PUT", "a=1")));
        assert!(permits.release(&request("POST", "a=1")));
        assert!(!permits.release(&request("POST", "a=1")), "once");
        assert!(permits.pass(&request("POST", "a=1")));
        assert!(!permits.pass(&request("POST", "a=1")), "once");
    }

    #[test]
    fn what_is_not_used_can_be_taken_back_and_what_cannot_be_seen_is_not_permitted() {
        let mut permits = RequestPermits::default();
        permits.add(request("POST", "a=1"));
        assert_eq!(permits.revoke(), 1);
        assert!(!permits.release(&request("POST", "a=1")));
        let url = "http://a.example/".parse().unwrap();
        assert!(!permits.add(WireRequest::new("POST", url, "", None)));
    }
}
