//! Our own walks: the answer of a model to `navigator browse`, `{action, target, value}`.

use serde_json::{Value, json};

use super::{ActionWords, Counterpart};

const NO_SCRIPTS: &str = "a walk runs no scripts of others";
const NO_MEDIA: &str = "a walk does not play media";
const NO_CLIPBOARD: &str = "a walk has no clipboard";

/// Returns what a walk does for a kind of action; `None` for an unknown kind.
pub(super) fn counterpart(action: &ActionWords<'_>) -> Option<Counterpart> {
    let on_control = |word: &'static str| Counterpart::Tool(word, with(action.name, action.value));
    let on_page = |word: &'static str, value: &str| Counterpart::Tool(word, with(value, None));
    let value = action.value.unwrap_or_default();
    Some(match action.kind {
        "navigate" | "new_tab" => on_page("open", value),
        "click" => Counterpart::Tool("click", with(action.name, None)),
        "click_at" => on_control("click"),
        "input" | "type_slowly" => on_control("fill"),
        "clear" => Counterpart::Tool("fill", with(action.name, Some(""))),
        "select_dropdown" => on_control("select"),
        "check" => Counterpart::Tool("check", with(action.name, None)),
        "uncheck" => Counterpart::Tool("uncheck", with(action.name, None)),
        "upload_file" => on_control("upload"),
        "send_keys" => Counterpart::Tool("press", with(action.name, action.value)),
        "select_all" => Counterpart::Tool("press", with(action.name, Some("Control+a"))),
        "double_click" => Counterpart::Tool("double_click", with(action.name, None)),
        "right_click" => Counterpart::Tool("right_click", with(action.name, None)),
        "hover" => Counterpart::Tool("hover", with(action.name, None)),
        "drag_drop" if action.value.is_some() => on_control("drag"),
        "drag_drop" => Counterpart::None("where it was dropped is not kept"),
        "select_text" => on_control("select_text"),
        "scroll" => on_control("scroll"),
        // It waits until the page is still, however many seconds others say.
        "wait" => Counterpart::Tool("wait", with("", None)),
        "wait_for_text" => Counterpart::Tool("wait", with("", action.value)),
        "go_back" => Counterpart::Tool("back", json!({})),
        "submit_form" => Counterpart::Tool("press", with(action.name, Some("Enter"))),
        "switch" => on_page("click", value),
        "dialog" => Counterpart::Tool("dialog", with("", action.value)),
        "extract" => Counterpart::Tool("extract", json!({})),
        "done" => Counterpart::Tool("finish", json!({ "answer": value })),
        "copy" | "cut" | "paste" => Counterpart::None(NO_CLIPBOARD),
        "scroll_to_text" => Counterpart::None("a walk sees the whole page"),
        "go_forward" | "refresh" => Counterpart::None("a walk opens the address again"),
        "fill_form" => Counterpart::None("a walk fills one field a step"),
        "reset_form" => Counterpart::None("a walk presses the button of the form"),
        "close" => Counterpart::None("a walk leaves its tabs open"),
        "screenshot" => Counterpart::None("a walk reads text"),
        "search" => Counterpart::None("a walk begins at an address"),
        "evaluate" => Counterpart::None(NO_SCRIPTS),
        "play_video" | "pause_video" | "seek_video" | "adjust_volume" | "toggle_mute" => {
            Counterpart::None(NO_MEDIA)
        }
        _ => return None,
    })
}

fn with(target: &str, value: Option<&str>) -> Value {
    match value {
        Some(value) => json!({ "target": target, "value": value }),
        None => json!({ "target": target }),
    }
}
