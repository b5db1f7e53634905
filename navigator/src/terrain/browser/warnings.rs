//! Words that warn, in the names of what a step would press.

use serde_json::{Value, json};

use super::live::{CALL, LiveTab};
use crate::browser::error::BrowserError;
use crate::browser::snapshot::ScreenPage;
use crate::walk::action::ControlOperation;
use crate::walk::session::Move;
use crate::walk::words::WarningWords;

/// Returns the texts of what Enter or the space bar would press: of what has the focus, and of the
/// button that sends its form. `null` if that lies in a frame that cannot be looked into.
const PRESSED_BY_KEY: &str = include_str!("pressed_by_key.js");

/// Returns the name of the control that a step presses, or its address, if a word in it warns. What
/// a press asks of a script, or with a GET, no wire can tell.
pub(super) fn warned<'p>(
    page: &'p ScreenPage,
    words: &WarningWords,
    step: &Move,
) -> Option<&'p str> {
    let number = match step {
        Move::Click(number)
        | Move::Operate(
            number,
            ControlOperation::DoubleClick
            | ControlOperation::RightClick
            | ControlOperation::ClickAt { .. }
            | ControlOperation::Drag { .. }
            | ControlOperation::SelectText { .. }
            | ControlOperation::Press { .. },
        ) => *number,
        _ => return None,
    };
    let control = page.facts.controls.get(number.checked_sub(1)?)?;
    let path = control.target.as_deref().filter(|target| target.starts_with("http"));
    let warns = |text: &&str| !words.found_in(text).is_empty();
    // The name of a field says what is written there. A page chooses roles, and not what a link
    // is.
    let name = Some(control.name.as_str()).filter(|_| path.is_some() || control.role.is_pressed());
    name.filter(warns).or(path.filter(warns))
}

/// Returns the text of what Enter or the space bar would press now, if a word in it warns.
///
/// # Errors
/// If the browser cannot be used, or does not say it. The inner one is the complaint.
pub(super) fn warned_of_key(
    tab: &LiveTab,
    session: usize,
    words: &WarningWords,
) -> Result<Result<Option<String>, String>, BrowserError> {
    let session = tab.session(session);
    let expression = json!({
        "expression": PRESSED_BY_KEY,
        "contextId": session.own_world()?,
        "returnByValue": true,
    });
    let mut answer = session.call("Runtime.evaluate", expression, CALL)?;
    let Value::Array(texts) = answer["result"]["value"].take() else {
        let is_main = session.id() == tab.tab.session().id();
        let complaint = "the cursor is in a frame of another site: name the control to press";
        return Ok(if is_main { Err(complaint.to_owned()) } else { Ok(None) });
    };
    let texts = texts.into_iter().filter_map(|text| text.as_str().map(str::to_owned));
    Ok(Ok(texts.into_iter().find(|text| !words.found_in(text).is_empty())))
}
