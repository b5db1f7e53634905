//! Pages and browsers that crash, hang or are killed cost at most a deadline.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use navigator::browser::error::BrowserError;
use serde_json::json;

use super::wire_server::{WireServer, html, within};
use super::{LONG, evaluated, guard, launched, opened, visit};

const SHORT: Duration = Duration::from_millis(400);

#[test]
fn a_page_that_hangs_or_crashes_fails_a_call_and_nothing_else() {
    let Some(browser) = launched(guard(&[])) else { return };
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
    visit(&tab, "data:text/html,<title>again</title>");
    assert_eq!(evaluated(&tab, "document.title"), Ok(json!("again")));

    let second = browser.open_tab(LONG).unwrap();
    assert_eq!(evaluated(&second, "4"), Ok(json!(4)));
    second.clone().close(LONG).unwrap();
    assert_eq!(evaluated(&second, "5"), Err(BrowserError::Closed));
}

#[test]
fn a_browser_that_is_killed_ends_every_call_at_once() {
    let Some(browser) = launched(guard(&[])) else { return };
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

#[test]
fn a_storm_of_dialogs_and_an_endless_navigation_cost_a_deadline() {
    let server = WireServer::start(|_| {
        Box::new(|path| {
            path.starts_with("/next").then(|| {
                html("<script>location = '/next?' + (+location.search.slice(1) + 1)</script>")
            })
        })
    });
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let storm = json!({ "expression": "while (true) alert('x')" });
    let error = tab.call("Runtime.evaluate", storm, SHORT).unwrap_err();
    assert!(matches!(error, BrowserError::Deadline { .. }), "{error}");
    tab.stop_scripts(LONG).unwrap();
    assert_eq!(evaluated(&tab, "1"), Ok(json!(1)));
    let dialogs = browser.dialogs();
    assert!(dialogs.dialogs.len() + dialogs.n_more > 1);

    tab.call("Page.navigate", json!({ "url": server.url("/next?1") }), LONG).unwrap();
    server.wait_for("GET /next?5");
    let page = json!({ "url": server.url("/page") });
    let leaves = || {
        tab.call("Page.navigate", page.clone(), LONG).is_ok()
            && evaluated(&tab, "location.pathname") == Ok(json!("/page"))
    };
    assert!(within(LONG, leaves));
}

/// The variable that makes the test below hold a browser until it is killed.
const HOLDER: &str = "NAVIGATOR_TEST_HOLDS_BROWSER";

#[test]
fn a_browser_ends_when_we_are_killed_and_the_next_one_removes_its_profile() {
    let Some(browser) = launched(guard(&[])) else { return };
    if let Some(file) = std::env::var_os(HOLDER) {
        std::fs::write(file, browser.process_id().to_string()).unwrap();
        std::thread::sleep(LONG);
        panic!("it was not killed");
    }
    drop(browser);
    let folder = tempfile::tempdir().unwrap();
    let mut profiles = Vec::new();
    for run in ["one", "two"] {
        let file = folder.path().join(run);
        let mut holder = held_by_a_child(&file, folder.path());
        let id = || std::fs::read_to_string(&file).unwrap_or_default();
        assert!(within(LONG, || !id().is_empty()));
        profiles.push(profiles_in(folder.path()));
        holder.kill().unwrap();
        holder.wait().unwrap();
        let runs = || Command::new("kill").args(["-0", &id()]).output().unwrap().status.success();
        assert!(within(LONG, || !runs()), "the browser outlived us");
    }
    assert_eq!((profiles[0].len(), profiles[1].len()), (1, 1));
    assert_ne!(profiles[0], profiles[1]);
}

fn held_by_a_child(file: &Path, temporary: &Path) -> Child {
    let name = "a_browser_ends_when_we_are_killed_and_the_next_one_removes_its_profile";
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("browser::faults::{name}")])
        .env(HOLDER, file)
        .env("TMPDIR", temporary)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn profiles_in(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    names.filter(|name| name.starts_with("navigator-browser-")).collect()
}
