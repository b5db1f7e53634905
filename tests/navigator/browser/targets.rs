//! Tabs, popups and frames with a process of their own.

use std::time::Duration;

use navigator::browser::targets::TargetKind;
use serde_json::json;

use super::wire_server::{WireServer, html, within};
use super::{LONG, evaluated, guard, launched, opened};

#[test]
fn popups_are_tabs_and_frames_of_other_origins_have_sessions() {
    let server = WireServer::start(|port| {
        Box::new(move |path| {
            (path == "/page").then(|| html(&format!("<iframe src='http://localhost:{port}/in'>")))
        })
    });
    let other = format!("http://localhost:{}/", server.port);
    let Some(browser) = launched(guard(&[&server.url("/"), &other])) else { return };
    let tab = opened(&browser, &server.url("/page"));
    assert!(within(LONG, || tab.frames().iter().any(|(frame, _)| frame.is_running)));
    let (frame, session) = tab.frames().remove(0);
    assert_eq!(
        (frame.kind, frame.parent.as_deref()),
        (TargetKind::Frame, Some(tab.session().id()))
    );
    let place = json!({ "expression": "location.host", "returnByValue": true });
    let host = session.call("Runtime.evaluate", place, LONG).unwrap();
    assert_eq!(host["result"]["value"], format!("localhost:{}", server.port));

    evaluated(&tab, "!!open('/popup')").unwrap();
    assert!(within(LONG, || browser.tabs().len() == 2));
    let popup = browser.tabs().remove(1);
    let opened_by =
        browser.targets().into_iter().find(|target| target.id == popup.target()).unwrap().opener;
    assert_eq!(opened_by.as_deref(), Some(tab.target()));
    assert!(within(LONG, || evaluated(&popup, "location.pathname") == Ok(json!("/popup"))));
    popup.close(LONG).unwrap();
    assert!(within(LONG, || browser.tabs().len() == 1));
    assert!(tab.events(&["Page.loadEventFired"]).next_within(Duration::ZERO).is_none());
}
