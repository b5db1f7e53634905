//! A permit lets exactly one request go, once; pages that try to use it for another one get
//! nothing.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use navigator::browser::guard::attempt::WireAttempt;
use navigator::browser::guard::dialogs::DialogAnswer;
use navigator::browser::guard::judge::WireGuard;
use navigator::browser::guard::policy::WirePolicy;
use navigator::browser::guard::security_log::SecurityLog;
use navigator::browser::launch::Browser;
use navigator::browser::session::Tab;
use serde_json::{Value, json};
use url::Url;

use super::wire_server::{WireServer, html, redirect, within};
use super::{LONG, evaluated, guard, launched, opened, stopped};

const PAGE: &str = r#"
<form method=post action=/orders><input name=item value=3><input name=card value=4111></form>
<input type=file id=file>
<script>
let n = 0;
const send = (path, body) => fetch(path, { method: 'POST', body }).then(r => r.ok, () => false);
const press = () => send('/orders', 'a=1');
const swapped = () => send('/orders', n++ ? 'all=1' : 'a=1');
const moved = () => send(n++ ? '/delete-all' : '/orders', 'a=1');
const twice = () => Promise.all([press(), press(), press()]).then(all => all.filter(x => x).length);
const upload = () => {
    const form = new FormData();
    form.append('file', document.getElementById('file').files[0] ?? new Blob(['secret']));
    return send('/upload', form);
};
</script>"#;

fn server() -> WireServer {
    WireServer::start(|_| {
        Box::new(|path| match path {
            "/page" => Some(html(PAGE)),
            "/moved-307" => Some(redirect(307, "/orders")),
            "/moved-308" => Some(redirect(308, "/orders")),
            "/to-itself" => Some(redirect(307, "/to-itself")),
            _ => None,
        })
    })
}

/// Presses, and returns the one request that was stopped.
fn pressed(browser: &Browser, tab: &Tab, press: &str) -> WireAttempt {
    assert_eq!(evaluated(tab, press), Ok(Value::Bool(false)));
    let mut tried = browser.guard().tried().attempts;
    assert_eq!(tried.len(), 1, "{tried:?}");
    tried.remove(0)
}

#[test]
fn a_permitted_request_arrives_once() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let tried = pressed(&browser, &tab, "press()");
    assert_eq!(tried.request.to_string(), "POST /orders (3 bytes)");
    assert!(browser.guard().permit(&tried.request));
    assert_eq!(evaluated(&tab, "twice()"), Ok(1.into()));
    assert_eq!(evaluated(&tab, "press()"), Ok(false.into()), "timers and later presses");
    let orders = [("POST /orders".to_owned(), "a=1".to_owned())];
    assert_eq!(server.sent(), orders);

    // A permit that was not used does not outlive its step.
    browser.guard().permit(&tried.request);
    browser.guard().revoke_permits();
    assert_eq!(evaluated(&tab, "press()"), Ok(false.into()));
    assert_eq!(server.sent(), orders);
}

#[test]
fn a_page_that_swaps_the_request_after_the_question_sends_nothing() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    for press in ["swapped()", "moved()"] {
        let tab = opened(&browser, &server.url("/page"));
        let tried = pressed(&browser, &tab, press);
        browser.guard().permit(&tried.request);
        let other = pressed(&browser, &tab, press);
        assert_ne!(other.request, tried.request);
        browser.guard().revoke_permits();
    }
    assert_eq!(server.sent(), []);
}

#[test]
fn a_redirect_takes_a_permitted_request_nowhere_else() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    for path in ["/moved-307", "/moved-308", "/to-itself"] {
        let press = format!("send('{path}', 'a=1')");
        let tried = pressed(&browser, &tab, &press);
        browser.guard().permit(&tried.request);
        pressed(&browser, &tab, &press);
    }
    let sent: Vec<String> = server.sent().into_iter().map(|(line, _)| line).collect();
    assert_eq!(sent, ["POST /moved-307", "POST /moved-308", "POST /to-itself"]);
}

#[test]
fn a_form_is_held_as_it_is_sent_and_reloading_sends_it_no_second_time() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let submit = "document.forms[0].submit()";
    evaluated(&tab, submit).unwrap();
    let tried = stopped(&browser).request;
    assert_eq!(tried.to_string(), "POST /orders (fields: item, card; 16 bytes)");
    assert_eq!(evaluated(&tab, "location.pathname"), Ok("/page".into()), "the page stays");

    browser.guard().permit(&tried);
    let events = tab.events(&["Page.loadEventFired"]);
    evaluated(&tab, submit).unwrap();
    server.wait_for("POST /orders");
    assert!(events.next_within(LONG).is_some());
    evaluated(&tab, "setTimeout(() => location.reload())").unwrap();
    assert_eq!(stopped(&browser).request, tried);
    assert_eq!(server.sent().len(), 1);
}

#[test]
fn history_sends_a_permitted_form_no_second_time() {
    let server = WireServer::start(|_| {
        Box::new(|path| match path {
            "/page" => Some(html(PAGE)),
            // Nothing of it is kept, so going to it again would have to ask again.
            "/orders" => {
                let (head, body) = html("<h1>Ordered</h1>");
                Some((head + "Cache-Control: no-store\r\n", body))
            }
            _ => None,
        })
    });
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let submit = "document.forms[0].submit()";
    evaluated(&tab, submit).unwrap();
    let tried = stopped(&browser).request;
    browser.guard().permit(&tried);
    let events = tab.events(&["Page.loadEventFired"]);
    evaluated(&tab, submit).unwrap();
    server.wait_for("POST /orders");
    assert!(events.next_within(LONG).is_some());
    evaluated(&tab, "setTimeout(() => history.go(0))").unwrap();
    assert_eq!(stopped(&browser).request, tried);
    let shown = tab.events(&["Page.frameNavigated"]);
    for (go, sends) in [
        ("back()", false),
        ("forward()", true),
        ("go(1)", true),
        ("go(0)", false),
        ("go(-1)", false),
    ] {
        evaluated(&tab, &format!("setTimeout(() => history.{go})")).unwrap();
        match sends {
            true => assert_eq!(stopped(&browser).request, tried, "{go}"),
            false => assert!(shown.next_within(LONG).is_some(), "{go} shows a page"),
        }
        assert!(!within(Duration::from_millis(400), || server.sent().len() > 1), "{go}");
    }
    assert_eq!(server.sent().len(), 1, "{:?}", server.sent());
}

#[test]
fn timers_send_a_permitted_request_no_second_time() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let tried = pressed(&browser, &tab, "press()");
    browser.guard().permit(&tried.request);
    evaluated(&tab, "setInterval(press, 10); setTimeout(press, 0); setTimeout(press, 25)").unwrap();
    server.wait_for("POST /orders");
    let n_stopped = Cell::new(0);
    let goes_on = || {
        let attempts = browser.guard().tried().attempts;
        assert!(attempts.iter().all(|one| one.request == tried.request), "{attempts:?}");
        n_stopped.set(n_stopped.get() + attempts.len());
        n_stopped.get() >= 10
    };
    assert!(within(LONG, goes_on), "the timers go on");
    browser.guard().revoke_permits();
    assert_eq!(server.sent(), [("POST /orders".to_owned(), "a=1".to_owned())]);
}

#[test]
fn a_closed_wire_lets_nothing_go_and_the_page_stays() {
    let server = server();
    let Some(browser) = launched(guard(&[&server.url("/")])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    let n = server.arrived().len();
    browser.guard().close_wire();
    assert_eq!(evaluated(&tab, "fetch('/x').then(() => true, () => false)"), Ok(false.into()));
    assert_eq!(stopped(&browser).request.to_string(), "GET /x");
    evaluated(&tab, "location = '/next'").unwrap();
    assert_eq!(stopped(&browser).request.to_string(), "GET /next");
    assert_eq!(evaluated(&tab, "location.pathname"), Ok("/page".into()));
    assert_eq!(server.arrived().len(), n);
}

#[test]
fn a_rule_lets_its_requests_go_and_a_body_that_cannot_be_seen_is_not_permitted() {
    let server = server();
    let start = server.url("/").parse().unwrap();
    let rule = format!("POST:{}", server.url("/orders")).parse().unwrap();
    let policy = WirePolicy::nothing().with_named(&start).with_rule(rule);
    let Some(browser) = launched(WireGuard::new(policy, None)) else { return };
    let tab = opened(&browser, &server.url("/page"));
    assert_eq!(evaluated(&tab, "twice()"), Ok(3.into()));
    let tried = pressed(&browser, &tab, "send('/orders/7', 'a=1')");
    assert_eq!(tried.request.path(), "/orders/7");
    let typed = pressed(&browser, &tab, "upload()").request;
    assert!(typed.to_string().starts_with("POST /upload (fields: file; "), "{typed}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let expression = json!({ "expression": "document.getElementById('file')" });
    let input = tab.call("Runtime.evaluate", expression, LONG).unwrap();
    let files = json!({ "objectId": input["result"]["objectId"], "files": [file.path().to_str()] });
    tab.call("DOM.setFileInputFiles", files, LONG).unwrap();
    let upload = pressed(&browser, &tab, "upload()").request;
    assert_eq!(upload.to_string(), "POST /upload (a body that cannot be seen)");
    assert!(!browser.guard().permit(&upload));
    pressed(&browser, &tab, "upload()");
    assert_eq!(server.sent().len(), 3);
}

#[test]
fn dialogs_downloads_and_permissions_are_denied_and_logged() {
    let server = WireServer::start(|_| {
        Box::new(|path| {
            let (head, body) = html("<a href=/file id=a>x</a>");
            let attached = "Content-Disposition: attachment; filename=a.bin\r\n";
            Some(if path == "/file" { (head + attached, body) } else { (head, body) })
        })
    });
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("security.jsonl");
    let start: Url = server.url("/").parse().unwrap();
    let Some(browser) = launched(logged(&start, &log)) else { return };
    let tab = opened(&browser, &server.url("/page"));

    assert_eq!(evaluated(&tab, "confirm('Delete account?')"), Ok(false.into()));
    let answer =
        DialogAnswer { message: "Name?".to_owned(), accept: true, text: Some("Ann".to_owned()) };
    browser.answer_next_dialog(Some(answer));
    assert_eq!(evaluated(&tab, "prompt('Name?')"), Ok("Ann".into()));
    assert_eq!(evaluated(&tab, "prompt('Again?')"), Ok(Value::Null));
    let dialogs = browser.dialogs().dialogs;
    let shown: Vec<(&str, bool)> =
        dialogs.iter().map(|one| (one.message.as_str(), one.accepted)).collect();
    assert_eq!(shown, [("Delete account?", false), ("Name?", true), ("Again?", false)]);

    let ask = "Notification.requestPermission()";
    assert_eq!(evaluated(&tab, ask), Ok("denied".into()));
    let ask = "new Promise(r => navigator.geolocation.getCurrentPosition(() => r(1), () => r(0)))";
    assert_eq!(evaluated(&tab, ask), Ok(0.into()));
    let ask = "navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 1, () => 0)";
    assert_eq!(evaluated(&tab, ask), Ok(0.into()));

    evaluated(&tab, "document.getElementById('a').click()").unwrap();
    let logged = || fs::read_to_string(&log).unwrap();
    assert!(within(LONG, || logged().contains("\"download\"")), "{}", logged());
    assert_eq!(evaluated(&tab, "fetch('/x', { method: 'PUT' }).catch(() => 1)"), Ok(1.into()));
    let events: Vec<Value> =
        logged().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The calls of the browser itself are in the log too.
    let origin = start.origin().ascii_serialization();
    let is_of_page = |event: &&Value| event.get("origin").is_none_or(|one| *one == origin);
    let events: Vec<&Value> = events.iter().filter(is_of_page).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["dialog", "dialog", "dialog", "download", "stopped"]);
    assert!(events.iter().all(|event| event["time"].as_str().unwrap().ends_with('Z')));
}

/// A guard for the site of a page, with a log.
fn logged(start: &Url, log: &Path) -> WireGuard {
    let policy = WirePolicy::nothing().with_named(start);
    WireGuard::new(policy, Some(SecurityLog::open(log).unwrap()))
}

#[test]
fn a_dialog_that_was_accepted_is_logged_after_any_number_of_others() {
    let server = WireServer::start(|_| Box::new(|_| Some(html(""))));
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("security.jsonl");
    let start: Url = server.url("/").parse().unwrap();
    let Some(browser) = launched(logged(&start, &log)) else { return };
    let tab = opened(&browser, &server.url("/page"));
    evaluated(&tab, "for (let i = 0; i < 60; i++) confirm('Sure?')").unwrap();
    let answer = DialogAnswer { message: "Delete?".to_owned(), accept: true, text: None };
    browser.answer_next_dialog(Some(answer));
    assert_eq!(evaluated(&tab, "confirm('Delete?')"), Ok(true.into()));
    assert_eq!(browser.dialogs().n_more, 11);
    let logged = fs::read_to_string(&log).unwrap();
    assert_eq!(logged.matches("Sure?").count(), 50);
    let accepted = r#""message":"Delete?","accepted":true"#;
    assert!(logged.contains(accepted), "{logged}");
}
