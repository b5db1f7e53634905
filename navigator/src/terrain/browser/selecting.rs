//! Selecting a text of a page: with the mouse, and in fields with keys.

use serde::Deserialize;
use serde_json::{Value, json};

use super::gesture::{GestureResult, Hands, press};
use super::live::CALL;
use super::mouse::{self, WindowPoint};
use super::news::MAX_NAME;
use crate::browser::error::BrowserError;
use crate::browser::snapshot::ControlPlace;
use crate::run::text::one_line;
use crate::shared::Sanitized;

/// Finds a text, scrolls to it, and returns where it is.
const SELECT_TEXT: &str = include_str!("select_text.js");
/// The group of objects that a search holds, until it is over.
const GROUP: &str = "navigator-select";
/// The most keys that a selection takes.
const MAX_KEYS: usize = 2_000;

/// Where a text is.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct FoundText {
    /// How often it is there. Only of one that is there once the rest is known.
    n: usize,
    /// It is the text of a field.
    field: Option<FoundInField>,
    /// The places in the window where it begins and ends.
    start: (f64, f64),
    end: (f64, f64),
    /// Both are in sight.
    is_seen: bool,
    /// Something lies over the beginning.
    is_covered: bool,
}

/// Where a text is in a field, in letters as keys go over them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct FoundInField {
    before: usize,
    length: usize,
    is_area: bool,
}

impl Hands<'_> {
    /// Selects a text of a control, or of the page.
    pub(super) fn select_text(
        &mut self,
        control: Option<ControlPlace>,
        text: &str,
    ) -> GestureResult {
        let sessions = match control {
            Some(place) => place.session..place.session + 1,
            None => 0..self.tab.n_sessions(),
        };
        let (mut n_there, mut only) = (0, None);
        for session in sessions {
            let found = self.find(session, control, text)?;
            n_there += found.n;
            only = only.or((found.n == 1).then_some((session, found)));
        }
        let shown = one_line(Sanitized::line(text).as_ref(), MAX_NAME);
        let Some((session, found)) = only.filter(|_| n_there == 1) else {
            return Ok(Err(match n_there {
                0 => format!("the text `{shown}` is not there"),
                n => format!(
                    "the text `{shown}` is there {n} times: take more of it, or name the control"
                ),
            }));
        };
        if let (Some(field), Some(place)) = (&found.field, control) {
            return self.select_in_field(place, field, text.trim().is_empty());
        }
        let (dx, dy) = mouse::offset(self.tab, session)?;
        let at = |(x, y): (f64, f64)| WindowPoint { x: x + dx, y: y + dy };
        let (start, end) = (at(found.start), at(found.end));
        if !found.is_seen {
            return Ok(Err("not all of the text is in sight: select it in parts".to_owned()));
        }
        if found.is_covered {
            return Ok(Err("something lies over the text: that has to go first".to_owned()));
        }
        // The mouse is pressed and released over it, which may be a click.
        let (around, warns) = self.pressed_at(session, start)?;
        if let Some(name) = warns {
            return Ok(Err(format!("the text is in '{name}': name that control, which asks")));
        }
        // A text that is selected would be dragged away.
        if !self.page.facts.selected.is_empty() && around.is_none() {
            mouse::click(self.tab, start, "left", 1, 0)?;
        }
        mouse::drag(self.tab, &[start, end])?;
        Ok(Ok(()))
    }

    fn find(
        &mut self,
        session: usize,
        control: Option<ControlPlace>,
        text: &str,
    ) -> Result<FoundText, BrowserError> {
        let session = self.tab.session(session);
        let world = session.own_world()?;
        let mut params = json!({
            "functionDeclaration": SELECT_TEXT,
            "arguments": [{ "value": text }],
            "returnByValue": true,
            "objectGroup": GROUP,
        });
        match control {
            Some(place) => {
                let named = json!({
                    "backendNodeId": place.node,
                    "executionContextId": world,
                    "objectGroup": GROUP,
                });
                let node = session.call("DOM.resolveNode", named, CALL)?;
                params["objectId"] = node["object"]["objectId"].clone();
            }
            None => params["executionContextId"] = world,
        }
        let mut answer = session.call("Runtime.callFunctionOn", params, CALL)?;
        session.call("Runtime.releaseObjectGroup", json!({ "objectGroup": GROUP }), CALL)?;
        let found: Value = answer["result"]["value"].take();
        Ok(serde_json::from_value(found).unwrap_or_default())
    }

    /// Selects a text of a field, key by key.
    fn select_in_field(
        &mut self,
        place: ControlPlace,
        field: &FoundInField,
        is_all: bool,
    ) -> GestureResult {
        if field.before + field.length > MAX_KEYS && !is_all {
            return Ok(Err(format!("it takes more than {MAX_KEYS} keys to select that")));
        }
        let focus = json!({ "backendNodeId": place.node });
        self.tab.session(place.session).call("DOM.focus", focus, CALL)?;
        let begin = if field.is_area { "Control+Home" } else { "Home" };
        let keys = match is_all {
            true => "Control+a".to_owned(),
            false => format!(
                "{begin}{}{}",
                " ArrowRight".repeat(field.before),
                " Shift+ArrowRight".repeat(field.length)
            ),
        };
        press(self.tab, self.words, &keys)
    }
}
