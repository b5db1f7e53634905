//! Where the cursor of a page is, and which text is selected. Snapshots have neither.

use serde_json::{Value, json};

use super::live::{CALL, LiveTab};
use crate::browser::error::BrowserError;
use crate::browser::snapshot::ScreenPage;

/// Returns the element that has the focus.
const FOCUSED: &str = include_str!("focused.js");
/// Returns the text that is selected.
const SELECTED: &str = include_str!("selected.js");
/// The group of objects that a look holds, until it is over.
const GROUP: &str = "navigator-cursor";

/// The cursor of a page.
#[derive(Debug, Default)]
struct PageCursor {
    /// The node that has the focus, with its session.
    focused: Option<(usize, i64)>,
    /// The text that is selected, or its length in brackets.
    selected: String,
}

/// Takes a snapshot of a page, with its cursor.
pub(super) fn capture_with_cursor(tab: &mut LiveTab) -> Result<ScreenPage, BrowserError> {
    let page = tab.capture()?;
    let cursor = match cursor_of(tab) {
        Err(error) if error.is_of_browser() => return Err(error),
        // A page that goes on changing has none that could be told.
        cursor => cursor.unwrap_or_default(),
    };
    Ok(page.with_cursor(cursor.focused, cursor.selected))
}

/// Returns the session that keys go to, as the last snapshot names it.
pub(super) fn focused_session(tab: &LiveTab) -> Result<usize, BrowserError> {
    let mut session = 0;
    loop {
        let world = tab.session(session).own_world()?;
        let node = focused_node(tab, session, &world)?;
        let inner = node.and_then(|node| tab.frame_of((session, node)));
        match inner.filter(|inner| *inner > session) {
            Some(inner) => session = inner,
            None => return Ok(session),
        }
    }
}

/// Finds the cursor, as the last snapshot names the sessions.
fn cursor_of(tab: &LiveTab) -> Result<PageCursor, BrowserError> {
    let mut cursor = PageCursor::default();
    let mut inner = Some(0);
    // A frame of another site has the focus for the page around it, and a cursor of its own.
    while let Some(session) = inner {
        inner = None;
        let world = tab.session(session).own_world()?;
        if let Some(node) = focused_node(tab, session, &world)? {
            cursor.focused = Some((session, node));
            inner = tab.frame_of((session, node)).filter(|frame| *frame > session);
        }
        if inner.is_none() {
            cursor.selected = selected_text(tab, session, &world)?;
        }
    }
    Ok(cursor)
}

fn focused_node(tab: &LiveTab, session: usize, world: &Value) -> Result<Option<i64>, BrowserError> {
    let session = tab.session(session);
    let params = json!({ "expression": FOCUSED, "contextId": world, "objectGroup": GROUP });
    let found = session.call("Runtime.evaluate", params, CALL)?;
    let object = &found["result"]["objectId"];
    if object.is_null() {
        return Ok(None);
    }
    let described = session.call("DOM.describeNode", json!({ "objectId": object }), CALL)?;
    session.call("Runtime.releaseObjectGroup", json!({ "objectGroup": GROUP }), CALL)?;
    Ok(described["node"]["backendNodeId"].as_i64())
}

fn selected_text(tab: &LiveTab, session: usize, world: &Value) -> Result<String, BrowserError> {
    let params = json!({ "expression": SELECTED, "contextId": world, "returnByValue": true });
    let found = tab.session(session).call("Runtime.evaluate", params, CALL)?;
    Ok(match &found["result"]["value"] {
        Value::String(text) => text.clone(),
        Value::Number(length) => format!("({length} characters)"),
        _ => String::new(),
    })
}
