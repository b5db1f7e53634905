//! Requests that are held in the browser: each is let go or stopped, as the guard judges.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use url::Url;

use crate::browser::error::BrowserError;
use crate::browser::events::BrowserEvent;
use crate::browser::guard::attempt::{WaitingRequest, WireLayer, WireVerdict};
use crate::browser::guard::judge::WireGuard;
use crate::browser::guard::request::WireRequest;
use crate::browser::protocol::Connection;
use crate::browser::secrets::store::SecretStore;
use crate::browser::targets::{SetupStep, TargetKind, Targets};

/// Lets a held request go.
const CONTINUE: &str = "Fetch.continueRequest";
/// Stops a held request.
const FAIL: &str = "Fetch.failRequest";
/// The types of requests that a page sends without seeing an answer: beacons, pings of links, and
/// reports.
const BEACONS: [&str; 2] = ["Ping", "CSPViolationReport"];
/// The types of requests by which a document is opened, or a script asks for data.
const BEGUN: [&str; 4] = ["Document", "EventSource", "Fetch", "XHR"];
/// Schemes of addresses that no wire is needed for.
const LOCAL_SCHEMES: [&str; 3] = ["about", "blob", "data"];

/// No session holds a WebSocket, and inside TLS the proxy cannot see one. So each asks for a host
/// that the proxy refuses: its constructor is replaced in every page and worker before the first
/// script, and no other way leads to that of the browser.
const NO_WEB_SOCKETS: &str = include_str!("no_web_sockets.js");

/// Makes the browser hold the requests of all targets. They are held in its own session, which ends
/// with it: a browser lets go what a session held that ends, and pages end theirs when they close
/// a window or remove a frame.
pub(crate) fn hold_requests(
    connection: &Connection,
    deadline: Duration,
) -> Result<(), BrowserError> {
    let all = json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] });
    connection.call(None, "Fetch.enable", all, deadline)?;
    Ok(())
}

/// The calls that leave a target no WebSockets.
pub(crate) fn without_sockets(kind: &TargetKind) -> Vec<SetupStep> {
    let (method, params) = if kind.has_document() {
        let params = json!({ "source": NO_WEB_SOCKETS, "runImmediately": true });
        ("Page.addScriptToEvaluateOnNewDocument", params)
    } else {
        ("Runtime.evaluate", json!({ "expression": NO_WEB_SOCKETS }))
    };
    vec![SetupStep { method, params, is_required: true }]
}

/// Answers a held request. Runs in the thread that reads.
pub(crate) fn answer(
    connection: &Connection,
    guard: &WireGuard,
    targets: &Targets,
    event: &BrowserEvent,
) {
    if event.method != "Fetch.requestPaused" {
        return;
    }
    let id = &event.params["requestId"];
    let kind = &event.params["resourceType"];
    let is_navigation = *kind == "Document";
    let is_redirected = event.params["redirectedRequestId"].is_string();
    // The main frame of a tab has the id of its target.
    let is_main_frame = |frame: &&str| {
        let all = targets.all();
        all.iter().any(|one| one.id == **frame && one.kind == TargetKind::Page)
    };
    let frame = event.params["frameId"].as_str().filter(|_| is_navigation);
    let request = &event.params["request"];
    let url = request["url"].as_str().and_then(|url| Url::parse(url).ok());
    let verdict = match url {
        None => WireVerdict::Stopped,
        Some(url) if LOCAL_SCHEMES.contains(&url.scheme()) => WireVerdict::GoesOn,
        Some(url) => guard.judge_held(WaitingRequest {
            id: id.clone(),
            is_navigation,
            tab: frame.filter(is_main_frame).map(str::to_owned),
            is_beacon: BEACONS.iter().any(|one| kind == one),
            is_begun_here: !is_redirected && BEGUN.iter().any(|one| kind == one),
            network_id: event.params["networkId"].as_str().map(str::to_owned),
            request: described(url, request, &guard.secrets()),
        }),
    };
    match verdict {
        WireVerdict::GoesOn => {
            connection.post(None, CONTINUE, json!({ "requestId": id }));
        }
        WireVerdict::Stopped => connection.post(None, FAIL, failure(id, is_navigation)),
        WireVerdict::Waits => {}
    }
}

/// Lets a request go that waits, once: there is a permit for exactly it. Returns whether it went.
pub(crate) fn release(
    connection: &Connection,
    guard: &WireGuard,
    waiting: &WaitingRequest,
    deadline: Duration,
) -> bool {
    let is_permitted = waiting.request.is_reading() || guard.permit(&waiting.request);
    if !is_permitted || !guard.may_start(&waiting.request) {
        connection.post(None, FAIL, failure(&waiting.id, waiting.is_navigation));
        return false;
    }
    guard.goes_on(waiting);
    // A page may have given the request up while it waited.
    let params = json!({ "requestId": waiting.id });
    connection.call(None, CONTINUE, params, deadline).is_ok()
}

/// Stops a request that waits.
pub(crate) fn stop(
    connection: &Connection,
    guard: &WireGuard,
    waiting: &WaitingRequest,
    reason: &str,
) {
    guard.stopped(&waiting.request, WireLayer::Browser, reason);
    let params = failure(&waiting.id, waiting.is_navigation);
    connection.post(None, FAIL, params);
}

/// A navigation that is blocked would show an error in the place of the page; one that is aborted
/// leaves the page as it is.
fn failure(id: &Value, is_navigation: bool) -> Value {
    let reason = if is_navigation { "Aborted" } else { "BlockedByClient" };
    json!({ "requestId": id, "errorReason": reason })
}

fn described(url: Url, request: &Value, secrets: &SecretStore) -> WireRequest {
    let headers = request["headers"].as_object();
    let content_type = headers.and_then(|headers| {
        let mut all = headers.iter();
        all.find(|(name, _)| name.eq_ignore_ascii_case("content-type"))?.1.as_str()
    });
    let method = request["method"].as_str().unwrap_or_default();
    let body = body(request);
    let headers = headers.into_iter().flatten();
    let lines = headers.map(|(name, value)| format!("{name}: {}", value.as_str().unwrap_or("")));
    let lines = lines.collect::<Vec<_>>().join("\n");
    WireRequest::new(method, url, content_type.unwrap_or_default(), body.as_deref())
        .carrying(secrets, &[lines.as_bytes(), body.as_deref().unwrap_or_default()])
}

/// The body of a request; `None` if the browser does not show all of it.
fn body(request: &Value) -> Option<Vec<u8>> {
    if request["hasPostData"] != true {
        return Some(Vec::new());
    }
    let mut body = Vec::new();
    let entries = request["postDataEntries"].as_array().filter(|entries| !entries.is_empty())?;
    for entry in entries {
        body.extend(STANDARD.decode(entry["bytes"].as_str()?).ok()?);
    }
    Some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_seen_whole_or_not_at_all() {
        assert_eq!(body(&json!({})), Some(Vec::new()));
        let two = json!([{ "bytes": "YT0=" }, { "bytes": "MQ==" }]);
        let seen = json!({ "hasPostData": true, "postDataEntries": two });
        assert_eq!(body(&seen), Some(b"a=1".to_vec()));
        let file = json!({ "hasPostData": true, "postDataEntries": [{ "bytes": "YQ==" }, {}] });
        assert_eq!(body(&file), None);
        assert_eq!(body(&json!({ "hasPostData": true, "postData": "a" })), None);
    }
}
