//! A page that tries every channel out of a browser: nothing but reading from allowed origins
//! arrives.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use navigator::browser::guard::attempt::WireAttempts;
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;

use super::wire_server::{UdpTrap, WireServer, html, of_type, redirect, within};
use super::{LONG, evaluated, guard, launched, opened};

/// Every way to send to the page's own origin. `mark` tells the server that a way was tried.
const SENDING: &str = include_str!("sending.js");

/// Every way to read from an origin that is not allowed.
const READING: &str = include_str!("reading.js");

/// The domains that Chromium calls by itself.
const MAKER: [&str; 3] = [".google.com", ".googleapis.com", ".gvt1.com"];

const RUN: &str = "for (const name of Object.keys(ALL)) { try { ALL[name](); } catch {} }";

fn answer(path: &str, script: &str) -> Option<(String, String)> {
    let script_of = |text: &str| of_type("text/javascript", text.to_owned());
    Some(match path {
        "/page" => html(&format!("<script>{script}</script>")),
        "/nested.js" => script_of("new Worker('/worker.js?nested')"),
        path if path.starts_with("/worker.js") => script_of(
            "const name = location.search.slice(1); \
             fetch('/sent/' + name, { method: 'POST', body: 'x' }).catch(() => {}) \
             .then(() => fetch('/mark/' + name))",
        ),
        path if path.starts_with("/inner") => html(
            "<script>const name = location.search.slice(1); \
             fetch('/sent/' + name, { method: 'POST', body: 'x' }).catch(() => {}) \
             .then(() => fetch('/mark/' + name))</script>",
        ),
        "/csp" => {
            let policy = "Content-Security-Policy: img-src 'none'; report-uri /sent/csp\r\n";
            let (head, body) = html("<img src=/x.png>");
            (head + policy, body)
        }
        "/unload" => html(
            "<script>addEventListener('pagehide', () => navigator.sendBeacon('/sent/unload', 'x'));\
             location = '/mark/unload'</script>",
        ),
        _ => return None,
    })
}

#[test]
fn no_channel_sends_to_an_allowed_origin() {
    let server = WireServer::start(|_| Box::new(|path| answer(path, SENDING)));
    let other = format!("http://localhost:{}/", server.port);
    let Some(browser) = launched(guard(&[&server.url("/"), &other])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    evaluated(&tab, &RUN.replace("ALL", "channels")).unwrap();
    for name in names() {
        server.wait_for(&format!("GET /mark/{name}"));
    }
    // The requests that nobody waits for are stopped a moment later.
    let expected: BTreeSet<String> = names().map(|name| format!("/sent/{name}")).collect();
    let stopped = RefCell::new(BTreeSet::new());
    let all_are_stopped = || {
        stopped.borrow_mut().extend(paths(browser.guard().tried()));
        stopped.borrow().is_superset(&expected)
    };
    within(LONG, all_are_stopped);
    let stopped = stopped.into_inner();
    assert_eq!(stopped, expected);
    assert_eq!(server.sent(), []);
    let all = server.arrived();
    assert!(!all.iter().any(|(line, _)| line.contains("/sent/")), "{all:?}");
}

/// Without this, a channel that the page does not know how to use would count as held.
#[test]
fn the_same_page_sends_through_every_channel_that_a_rule_allows() {
    let server = WireServer::start(|_| Box::new(|path| answer(path, SENDING)));
    let other = format!("http://localhost:{}/", server.port);
    let named = WirePolicy::nothing()
        .with_named(&server.url("/").parse().unwrap())
        .with_named(&other.parse().unwrap());
    let policy = ["POST", "PUT", "DELETE"].iter().fold(named, |policy, method| {
        let below = |origin: &str| format!("{method}:{origin}sent/").parse().unwrap();
        policy.with_rule(below(&server.url("/"))).with_rule(below(&other))
    });
    let Some(browser) = launched(WireGuard::new(policy, None)) else { return };
    let tab = opened(&browser, &server.url("/page"));
    evaluated(&tab, &RUN.replace("ALL", "channels")).unwrap();
    for name in names().filter(|name| *name != "websocket") {
        let method = match name {
            "put" => "PUT",
            "delete" => "DELETE",
            _ => "POST",
        };
        server.wait_for(&format!("{method} /sent/{name}"));
    }
}

#[test]
fn no_channel_reaches_an_origin_that_is_not_allowed() {
    let foreign = WireServer::start(|_| Box::new(|_| None));
    let udp = UdpTrap::open();
    let script = READING
        .replace("FOREIGN", &foreign.port.to_string())
        .replace("UDP", &udp.port().to_string());
    let away = foreign.url("/read/");
    let server = WireServer::start(|_| {
        Box::new(move |path| match path {
            "/refresh" => {
                Some(html(&format!("<meta http-equiv=refresh content='0; url={away}refresh'>")))
            }
            "/redirect-away" => Some(redirect(302, &format!("{away}redirect"))),
            path => answer(path, &script),
        })
    });
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    evaluated(&tab, &RUN.replace("ALL", "reads")).unwrap();
    // Those are held where the page asks for them; the others go no further than the proxy.
    let expected = [
        "fetch",
        "image",
        "style",
        "background",
        "script",
        "module",
        "frame",
        "object",
        "preload",
        "events",
        "refresh",
        "redirect",
        "popup",
        "prefetch",
    ];
    let stopped = RefCell::new(BTreeSet::new());
    let all_are_stopped = || {
        stopped.borrow_mut().extend(paths(browser.guard().tried()));
        expected.iter().all(|name| stopped.borrow().contains(&format!("/read/{name}")))
    };
    assert!(within(LONG, all_are_stopped), "{stopped:?}");
    assert!(!within(Duration::from_millis(500), || udp.has_caught()), "a packet by UDP");
    assert_eq!(foreign.arrived(), []);
}

#[test]
fn the_calls_of_the_browser_itself_are_refused() {
    let server = WireServer::start(|_| Box::new(|_| Some(html(""))));
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let _tab = opened(&browser, &server.url("/page"));
    let refused = RefCell::new(Vec::new());
    let has_called = || {
        refused.borrow_mut().extend(browser.guard().refused().attempts);
        !refused.borrow().is_empty()
    };
    // It calls its maker at once. One that does not has nothing to be refused.
    within(Duration::from_secs(3), has_called);
    for call in refused.into_inner() {
        let host = call.request.url.host_str().unwrap_or_default().to_owned();
        let is_of_maker = MAKER.iter().any(|domain| host.ends_with(domain));
        // It asks for updates without TLS, too.
        let call = (call.request.method.as_str(), call.reason.as_str());
        let is_refused = matches!(
            call,
            ("CONNECT", "no tunnel to this host") | ("POST", "it was not permitted")
        );
        assert!(is_of_maker && is_refused, "{host}: {call:?}");
    }
    assert_eq!((browser.guard().tried().attempts, browser.guard().n_requests()), (vec![], 1));
    assert_eq!(server.arrived(), [("GET /page".to_owned(), String::new())]);
}

fn paths(attempts: WireAttempts) -> Vec<String> {
    attempts.attempts.into_iter().map(|one| one.request.url.path().to_owned()).collect()
}

/// The names of the ways to send.
fn names() -> impl Iterator<Item = &'static str> {
    let lines = SENDING.lines().filter_map(|line| line.strip_prefix("    ")?.split_once(": () =>"));
    lines.map(|(name, _)| name).filter(|name| !name.starts_with(' '))
}
