//! browser-use, as its version 0.13 names its actions. It knows a control by its index in the state
//! of the browser. A knowledge has no such index unless the caller sent the state; without it,
//! `index` is null and `element` says which control is meant.

use serde_json::{Value, json};

use super::{ActionWords, Counterpart, number, place};

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
        "click_at" => {
            let (x, y) = place(action.value);
            Counterpart::Tool("click", json!({ "coordinate_x": x, "coordinate_y": y }))
        }
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
