//! Pages and browsers that crash, hang or are killed cost at most a deadline.

use std::process::Command;
use std::time::{Duration, Instant};

use navigator::browser::error::BrowserError;
use navigator::browser::launch::BrowserOptions;
use serde_json::json;

use super::{LONG, evaluated, launched};

const SHORT: Duration = Duration::from_millis(400);

#[test]
fn a_page_that_hangs_or_crashes_fails_a_call_and_nothing_else() {
    let Some(browser) = launched(&BrowserOptions::default()) else { return };
    let tab = browser.open_tab(LONG).unwrap();
    assert_eq!(evaluated(&tab, "1 + 1"), Ok(json!(2)));

    let hang = json!({ "expression": "while (true) {}" });
    let error = tab.call("Runtime.evaluate", hang, SHORT).unwrap_err();
    assert!(matches!(error, BrowserError::Deadline { .. }), "{error}");
    tab.stop_scripts(LONG).unwrap();
    assert_eq!(evaluated(&tab, "2 + 2"), Ok(json!(4)));

    let error = tab.call("Page.crash", json!({}), LONG).unwrap_err();
    assert_eq!(error, BrowserError::Crashed);
    assert_eq!(evaluated(&tab, "3"), Err(BrowserError::Crashed));
    assert!(!error.is_of_browser());

    let second = browser.open_tab(LONG).unwrap();
    assert_eq!(evaluated(&second, "4"), Ok(json!(4)));
    second.clone().close(LONG).unwrap();
    assert_eq!(evaluated(&second, "5"), Err(BrowserError::Closed));
}

#[test]
fn a_browser_that_is_killed_ends_every_call_at_once() {
    let Some(browser) = launched(&BrowserOptions::default()) else { return };
    let tab = browser.open_tab(LONG).unwrap();
    let start = Instant::now();
    let id = browser.process_id().to_string();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        Command::new("kill").args(["-KILL", &id]).status().unwrap()
    });
    let error = evaluated(&tab, "new Promise(() => {})").unwrap_err();
    assert!(killer.join().unwrap().success());
    assert!(error.is_of_browser() && browser.has_ended(), "{error}");
    assert!(start.elapsed() < LONG / 3);
    assert!(browser.open_tab(LONG).unwrap_err().is_of_browser());
}
