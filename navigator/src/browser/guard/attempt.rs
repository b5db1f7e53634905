//! A request on its way to its judgement: what holds it, what becomes of it, and what is kept of
//! one that was stopped.

use serde_json::Value;

use crate::browser::guard::request::WireRequest;

/// The layer that holds a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireLayer {
    /// In the browser, before anything is sent.
    Browser,
    /// In the proxy, on its way out.
    Proxy,
}

/// A request that was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireAttempt {
    /// The request. A permit can be given for it.
    pub request: WireRequest,
    /// The reason.
    pub reason: String,
}

/// What was stopped at one layer since it was last taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WireAttempts {
    /// The attempts, in order.
    pub attempts: Vec<WireAttempt>,
    /// The number of further ones that were not kept.
    pub n_more: usize,
}

/// What becomes of a request that is held in the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireVerdict {
    /// It goes on.
    GoesOn,
    /// It is stopped.
    Stopped,
    /// It waits for an answer.
    Waits,
}

/// A request that waits in the browser for an answer.
#[derive(Debug, Clone)]
pub(crate) struct WaitingRequest {
    /// What the browser knows it by.
    pub(crate) id: Value,
    /// It would load a document.
    pub(crate) is_navigation: bool,
    /// The tab whose page it would load.
    pub(crate) tab: Option<String>,
    /// No script of the page can see an answer to it.
    pub(crate) is_beacon: bool,
    /// A document or a script asks for it: it is no part of a page, such as an image, and no
    /// address that a server leads on to.
    pub(crate) is_begun_here: bool,
    /// What the network of its tab knows it by.
    pub(crate) network_id: Option<String>,
    pub(crate) request: WireRequest,
}
