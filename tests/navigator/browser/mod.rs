//! A real browser. A person without one is told so, and the tests pass; CI has one.

mod faults;

use std::io::Write as _;
use std::time::Duration;

use navigator::browser::error::BrowserError;
use navigator::browser::launch::{Browser, BrowserOptions};
use navigator::browser::session::Tab;
use serde_json::{Value, json};

/// Longer than any call takes on a busy machine.
const LONG: Duration = Duration::from_secs(30);

/// Starts a browser; `None`, and a line for the person, if this machine has none.
fn launched(options: &BrowserOptions) -> Option<Browser> {
    match Browser::launch(options) {
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

/// The value of an expression in a page.
fn evaluated(tab: &Tab, expression: &str) -> Result<Value, BrowserError> {
    let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
    Ok(tab.call("Runtime.evaluate", params, LONG)?["result"]["value"].take())
}
