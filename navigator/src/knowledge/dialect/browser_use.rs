//! browser-use, as its version 0.13 names its actions. It knows a control by its index in the state
//! of the browser. A knowledge has no such index unless the caller sent the state; without it,
//! `index` is null and `element` says which control is meant.

use serde_json::{Map, Value, json};

use super::{ActionWords, Counterpart, NO_POINT, number};
use crate::walk::pilot::operate::parse_point;

const NO_MOUSE: &str = "it only clicks";

/// Returns what browser-use has for a kind of action; `None` for an unknown kind.
pub(super) fn counterpart(action: &ActionWords<'_>) -> Option<Counterpart> {
    let value = action.value.unwrap_or_default();
    let indexed = |more: Value| on_control(action, more);
    let written = indexed(json!({ "text": value, "clear": true }));
    let keys = |keys: &str| Counterpart::Tool("send_keys", json!({ "keys": keys }));
    let script = |code: &str| Counterpart::Tool("evaluate", json!({ "code": code }));
    let media = |code: &str| script(&format!("document.querySelector('video, audio').{code}"));
    Some(match action.kind {
        "navigate" => Counterpart::Tool("navigate", json!({ "url": value, "new_tab": false })),
        "new_tab" => Counterpart::Tool("navigate", json!({ "url": value, "new_tab": true })),
        "search" => Counterpart::Tool("search", json!({ "query": value })),
        "click" => Counterpart::Tool("click", indexed(json!({}))),
        "check" => {
            Counterpart::Near("click", indexed(json!({})), "only if it is not checked: it clicks")
        }
        "uncheck" => {
            Counterpart::Near("click", indexed(json!({})), "only if it is checked: it clicks")
        }
        "click_at" => match parse_point(value) {
            Some((x, y)) => {
                Counterpart::Tool("click", json!({ "coordinate_x": x, "coordinate_y": y }))
            }
            None => Counterpart::None(NO_POINT),
        },
        "input" => Counterpart::Tool("input", written),
        "type_slowly" => Counterpart::Near("input", written, "all at once: it does not type"),
        "clear" => Counterpart::Tool("input", indexed(json!({ "text": "", "clear": true }))),
        "select_dropdown" => {
            Counterpart::Tool("select_dropdown", indexed(json!({ "text": value })))
        }
        "upload_file" => Counterpart::Tool("upload_file", indexed(json!({ "path": value }))),
        "send_keys" => keys(value),
        "select_all" => keys("Control+a"),
        "copy" => keys("Control+c"),
        "cut" => keys("Control+x"),
        "paste" => keys("Control+v"),
        "submit_form" => keys("Enter"),
        "scroll" => Counterpart::Tool("scroll", scrolled(value)),
        "scroll_to_text" => Counterpart::Tool("find_text", json!({ "text": value })),
        "wait" => Counterpart::Tool("wait", json!({ "seconds": number(action.value, 3.0) })),
        "wait_for_text" => Counterpart::Near(
            "wait",
            json!({ "seconds": 3 }),
            "look whether the text is there: it waits for no text",
        ),
        "go_back" => Counterpart::Tool("go_back", json!({})),
        "go_forward" => script("history.forward()"),
        "refresh" => script("location.reload()"),
        "switch" => Counterpart::Tool("switch", json!({ "tab_id": value })),
        "close" => Counterpart::Tool("close", json!({ "tab_id": value })),
        "extract" => Counterpart::Tool("extract", json!({ "query": value })),
        "screenshot" => Counterpart::Tool("screenshot", json!({})),
        "evaluate" => script(value),
        "play_video" => media("play()"),
        "pause_video" => media("pause()"),
        "seek_video" => media(&format!("currentTime = {}", number(action.value, 0.0))),
        "adjust_volume" => {
            media(&format!("volume = {}", number(action.value, 1.0).clamp(0.0, 1.0)))
        }
        "toggle_mute" => {
            script("(m => { m.muted = !m.muted })(document.querySelector('video, audio'))")
        }
        "done" => Counterpart::Tool("done", json!({ "text": value, "success": true })),
        "double_click" | "right_click" | "hover" | "drag_drop" | "select_text" => {
            Counterpart::None(NO_MOUSE)
        }
        "fill_form" => Counterpart::None("it fills one field an action"),
        "reset_form" => Counterpart::None("it clicks the button of the form"),
        "dialog" => Counterpart::None("it accepts dialogs by itself"),
        _ => return None,
    })
}

fn on_control(action: &ActionWords<'_>, mut more: Value) -> Value {
    more["index"] = json!(action.index);
    if action.index.is_none() {
        more["element"] = json!({
            "role": action.role,
            "name": action.name,
            "under": action.under,
            "beside": action.beside,
        });
    }
    more
}

/// Returns how far is scrolled; ten pages are the end.
fn scrolled(to: &str) -> Value {
    let pages = if matches!(to, "top" | "bottom") { 10.0 } else { 1.0 };
    json!({ "down": !matches!(to, "up" | "top"), "pages": pages })
}

/// Returns the kind of action that a tool stands for, in its names of several versions, and its
/// value; `None` for a tool that stands for none. The file of an upload is of another machine.
pub(super) fn kind_of(
    tool: &str,
    params: &Map<String, Value>,
) -> Option<(&'static str, Option<String>)> {
    let text = |names: &[&str]| {
        let value = names.iter().find_map(|name| params.get(*name)).filter(|one| !one.is_null())?;
        let number = || value.as_f64().map(|number| number.to_string());
        Some(value.as_str().map(str::to_owned).or_else(number).unwrap_or_else(|| value.to_string()))
    };
    let is = |name: &str| params.get(name).and_then(Value::as_bool);
    Some(match tool {
        "navigate" | "go_to_url" if is("new_tab") == Some(true) => ("new_tab", text(&["url"])),
        "navigate" | "go_to_url" => ("navigate", text(&["url"])),
        "open_tab" => ("new_tab", text(&["url"])),
        "search" | "search_google" => ("search", text(&["query"])),
        "click" | "click_element" | "click_element_by_index" => {
            match text(&["coordinate_x"]).zip(text(&["coordinate_y"])) {
                Some((x, y)) => ("click_at", Some(format!("{x},{y}"))),
                None => ("click", None),
            }
        }
        "input" | "input_text" | "type" => match text(&["text"]).filter(|text| !text.is_empty()) {
            None => ("clear", None),
            text => ("input", text),
        },
        "select_dropdown" | "select_dropdown_option" => ("select_dropdown", text(&["text"])),
        "upload_file" => ("upload_file", None),
        "send_keys" => ("send_keys", text(&["keys"])),
        "scroll" | "scroll_down" | "scroll_up" => ("scroll", Some(direction(tool, params))),
        "scroll_to_text" | "find_text" => ("scroll_to_text", text(&["text"])),
        "wait" => ("wait", text(&["seconds"])),
        "go_back" => ("go_back", None),
        "switch" | "switch_tab" => ("switch", text(&["tab_id", "page_id"])),
        "close" | "close_tab" => ("close", text(&["tab_id", "page_id"])),
        "extract" | "extract_structured_data" => ("extract", text(&["query", "goal"])),
        "screenshot" => ("screenshot", None),
        "evaluate" => ("evaluate", text(&["code"])),
        "done" => ("done", text(&["text"])),
        _ => return None,
    })
}

/// Returns where a call scrolls to; ten pages are the end.
fn direction(tool: &str, params: &Map<String, Value>) -> String {
    let said = params.get("direction").and_then(Value::as_str);
    let is_up = said == Some("up")
        || tool == "scroll_up"
        || params.get("down").and_then(Value::as_bool) == Some(false);
    let is_far = params.get("pages").and_then(Value::as_f64).is_some_and(|pages| pages >= 10.0);
    let words = if is_far { ["bottom", "top"] } else { ["down", "up"] };
    words[usize::from(is_up)].to_owned()
}
