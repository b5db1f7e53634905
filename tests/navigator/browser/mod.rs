//! A real browser. A person without one is told so, and the tests pass; CI has one.

mod accessibility;
mod again;
mod app_tours;
mod asking;
mod beside;
mod certificate;
mod channels;
mod cursor;
#[cfg(unix)]
mod disk;
mod faults;
mod forms;
mod gaps;
mod injection;
mod knowledge;
mod large;
mod obeying;
mod orders;
mod outcomes;
mod own_pages;
mod permits;
#[cfg(unix)]
mod person;
mod program;
mod recognition;
mod restless;
mod script_reads;
mod scrolling;
mod secrets;
mod settling;
mod targets;
mod tunnels;
mod walks;
mod warned_names;
mod wire_server;

use std::cell::RefCell;
use std::io::Write as _;
use std::time::Duration;

use navigator::browser::error::BrowserError;
use navigator::browser::guard::attempt::WireAttempt;
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::launch::{Browser, BrowserOptions};
use navigator::browser::session::Tab;
use serde_json::{Value, json};

/// Longer than any call takes on a busy machine.
const LONG: Duration = Duration::from_secs(30);

/// Starts a browser; `None`, and a line for the person, if this machine has none.
fn launched(guard: WireGuard) -> Option<Browser> {
    match Browser::launch(&BrowserOptions::default(), guard) {
        Ok(browser) => Some(browser),
        Err(error @ BrowserError::NotFound) => {
            let in_ci = std::env::var_os("CI").is_some();
            assert!(!in_ci, "{error}");
            // Past the capture of the test harness, which shows nothing of tests that pass.
            let _ = writeln!(std::io::stderr(), "NOT CHECKED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A guard that lets the origins of addresses be read.
fn guard(named: &[&str]) -> WireGuard {
    let policy = named.iter().fold(WirePolicy::nothing(), |policy, address| {
        policy.with_named(&address.parse().unwrap())
    });
    WireGuard::new(policy, None)
}

/// Opens a page and waits until it is loaded.
fn opened(browser: &Browser, url: &str) -> Tab {
    let tab = browser.open_tab(LONG).unwrap();
    visit(&tab, url);
    tab
}

fn visit(tab: &Tab, url: &str) {
    let events = tab.events(&["Page.loadEventFired"]);
    tab.call("Page.navigate", json!({ "url": url }), LONG).unwrap();
    assert!(events.next_within(LONG).is_some(), "{url} was not loaded");
}

/// The value of an expression in a page, which counts as an act of the person.
fn evaluated(tab: &Tab, expression: &str) -> Result<Value, BrowserError> {
    let params = json!({
        "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
    });
    Ok(tab.call("Runtime.evaluate", params, LONG)?["result"]["value"].take())
}

/// The one request that is stopped next.
fn stopped(browser: &Browser) -> WireAttempt {
    let tried = RefCell::new(Vec::new());
    let has_tried = || {
        tried.borrow_mut().extend(browser.guard().tried().attempts);
        !tried.borrow().is_empty()
    };
    assert!(wire_server::within(LONG, has_tried), "nothing was stopped");
    let mut tried = tried.into_inner();
    assert_eq!(tried.len(), 1, "{tried:?}");
    tried.remove(0)
}
