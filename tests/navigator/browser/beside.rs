//! What a page sends beside a step is stopped, told, and no failure of the step. What a control
//! sends when it is pressed is its effect, however it is sent.

use std::collections::BTreeSet;
use std::fs;

use navigator::walk::session::{EffectAnswer, Move, Moved, WalkSession as _};
use navigator::walk::words::WarningWords;
use navigator::{BrowserSession, BrowserWalk, CancelToken, Deadline, Effect};
use serde_json::{Value, json};
use test_support::{Ran, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// Pages: a way to others, with what each sends.
fn page(path: &str) -> Option<(String, String)> {
    Some(html(match path {
        "/" => {
            "<title>Shop</title><a href=/orders>Orders</a> <a href=/onwards>Onwards</a>
            <p id=out>-</p><button onclick=\"fetch('/own', { method: 'POST', body: 'x' })\">
            Keep</button>
            <button onclick=\"navigator.sendBeacon('/like', '1')\">Like</button>
            <button onclick=\"navigator.sendBeacon('/seen', '1'); out.textContent = 'shown'\">Show
            </button><button onclick=\"fetch('/own', { method: 'POST', body: 'y' });
            navigator.sendBeacon('/seen', '2'); out.textContent = 'both'\">Both</button>
            <button onclick=\"fetch('/beat', { method: 'POST', body: 'b' })\">Beat</button>
            <button onclick=\"fetch('/beat', { method: 'POST', body: 'b' });
            out.textContent = 'beaten'\">Work</button>
            <script>fetch('/beat', { method: 'POST', body: 'b' })</script>"
        }
        "/orders" => {
            "<title>Orders</title><h1>Orders</h1><p>Two books.</p><script>
            fetch('/track', { method: 'POST', body: 'a=' + Math.random() });
            navigator.sendBeacon('/viewed', 'orders');</script>"
        }
        "/onwards" => {
            "<title>Onwards</title><form method=post action=/pay><input name=n value=1></form>
            <script>document.forms[0].submit()</script>"
        }
        _ => return None,
    }))
}

/// Walks without anybody to ask. Returns what the program said, its security log and its summary.
fn walked(server: &WireServer, goal: &str) -> (Ran, String, String) {
    let (at, navigator) = (repo(""), sealed(env!("CARGO_BIN_EXE_navigator")));
    let url = server.url("/");
    let args = ["browse", &url, "--browser", "--goal", goal, "--out", "run", "--format", "json"];
    let ran = navigator.run(at.path(), &args);
    let file =
        |name: &str| fs::read_to_string(at.path().join("run").join(name)).unwrap_or_default();
    (ran, file("security.jsonl"), file("summary.md"))
}

#[test]
fn a_new_page_that_sends_by_itself_does_not_fail_the_step() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| Box::new(page));
    let (ran, log, summary) = walked(&server, "Click on the \"Orders\" link.");
    assert_eq!((ran.code, server.sent().len()), (0, 0), "{}", ran.stderr);
    let told = format!("stopped before it was sent to 127.0.0.1:{}: POST /track (", server.port);
    assert!(ran.stdout.contains(&told) && ran.stdout.contains(", by the page itself"), "{ran:?}");
    let stopped = log.lines().filter(|line| line.contains("\"stopped\""));
    let of_page = stopped.filter(|line| line.contains("to what a new page sends by itself"));
    let of_page: Vec<&str> = of_page.collect();
    assert_eq!(of_page.len(), 2, "{log}");
    assert!(of_page.iter().any(|line| line.contains("POST /track")), "{log}");
    assert!(of_page.iter().any(|line| line.contains("POST /viewed")), "{log}");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let guard = &report["guard"];
    let of = |step: u32, request: &str| {
        let is_it = |one: &&Value| {
            one["step"] == step && one["request"].as_str().unwrap().starts_with(request)
        };
        guard["stopped"].as_array().unwrap().iter().find(is_it).cloned()
    };
    let beat = of(0, "POST /beat").unwrap();
    let host = format!("127.0.0.1:{}", server.port);
    assert_eq!((&beat["host"], &beat["reason"]), (&json!(host), &json!("it was not permitted")));
    assert!(of(1, "POST /track").is_some() && of(1, "POST /viewed").is_some(), "{guard}");
    assert_eq!((&guard["n_stopped"], &guard["n_yes"]), (&json!(3), &json!(0)), "{guard}");
    assert!(guard["questions"].as_array().unwrap().iter().all(|one| one["yes"] == false));
    let n_asked = guard["n_questions"].as_u64().unwrap();
    assert!(n_asked > 0, "{guard}");
    let counts = format!(
        "{n_asked} question{} (0 yes), 3 requests stopped",
        if n_asked == 1 { "" } else { "s" }
    );
    assert!(ran.stderr.contains(&counts), "{}", ran.stderr);
    assert!(summary.contains(&format!("- Guard: {counts}\n")), "{summary}");
    assert!(
        summary.contains("\n## Asked\n\n- step 1: `click 1 'Orders'` sends POST /"),
        "{summary}"
    );
    let page = format!("\n- first page: POST /beat (1 bytes) to `{host}`: it was not permitted\n");
    assert!(summary.contains(&page), "{summary}");
}

#[test]
fn what_a_control_sends_is_its_effect_however_it_is_sent() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let server = WireServer::start(|_| Box::new(page));
    for (goal, effect) in [
        ("Click on the \"Keep\" button.", "POST /own"),
        ("Click on the \"Like\" button.", "POST /like"),
        ("Click on the \"Both\" button.", "POST /own"),
        ("Click on the \"Beat\" button.", "POST /beat"),
        // A page that goes on by itself with what was pressed.
        ("Click on the \"Onwards\" link.", "POST /pay"),
    ] {
        let (ran, _, _) = walked(&server, goal);
        assert_eq!((ran.code, server.sent().len()), (12, 0), "{goal}: {ran:?}");
        assert!(ran.stderr.contains(effect), "{goal}: {ran:?}");
    }
}

/// Presses a control of the page, and says no to all that it would send.
fn pressed(session: &mut BrowserSession, label: &str) -> Moved {
    let deadline = Deadline::new(None, CancelToken::new());
    let entries = &session.screen().entries;
    let number = entries.iter().position(|entry| entry.label == label).unwrap() + 1;
    let mut moved = session.go(&Move::Click(number), &deadline).unwrap();
    while moved.question.is_some() {
        moved = session.answer(EffectAnswer::No, &deadline).unwrap();
    }
    moved
}

#[test]
fn a_beacon_is_beside_a_step_that_did_something_else() {
    let server = WireServer::start(|_| Box::new(page));
    let start: url::Url = server.url("/").parse().unwrap();
    let Some(browser) = launched(guard(&[start.as_str()])) else { return };
    let (named_hosts, words) = (BTreeSet::new(), WarningWords::default());
    let walk = BrowserWalk { start, named_hosts, words, files: Vec::new(), recording: None };
    let mut session = BrowserSession::new(browser, walk);
    session.go(&Move::Start, &Deadline::new(None, CancelToken::new())).unwrap();
    let sends = |what: &str| Effect::Sends {
        host: format!("127.0.0.1:{}", server.port),
        what: what.to_owned(),
    };
    let host = format!("127.0.0.1:{}", server.port);
    let seen = format!("stopped before it was sent to {host}: POST /seen (1 bytes)");
    let moved = pressed(&mut session, "Show");
    assert_eq!(moved.beside, [sends("POST /seen (1 bytes)")], "{moved:?}");
    assert_eq!(moved.result, format!("{seen}, by the page itself; new text: 'shown'"));
    let moved = pressed(&mut session, "Both");
    assert_eq!(moved.beside, [sends("POST /seen (1 bytes)")], "{moved:?}");
    let moved = pressed(&mut session, "Work");
    assert_eq!(moved.beside, [sends("POST /beat (1 bytes)")], "what it tried at first: {moved:?}");
    for label in ["Keep", "Like", "Beat"] {
        let moved = pressed(&mut session, label);
        assert_eq!(moved.beside, [], "{label}: {moved:?}");
        assert!(!moved.result.contains("by the page itself"), "{moved:?}");
    }
    assert_eq!(server.sent(), []);
}
