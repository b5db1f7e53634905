//! Playwright MCP, as its version 0.0.83 names its tools. It takes a locator for a control, so that
//! no snapshot is needed.

use serde_json::{Value, json};

use super::{ActionWords, Counterpart, NO_POINT, number};
use crate::walk::pilot::operate::parse_point;

/// Returns what Playwright MCP has for a kind of action; `None` for an unknown kind.
pub(super) fn counterpart(action: &ActionWords<'_>) -> Option<Counterpart> {
    let value = action.value.unwrap_or_default();
    let on = |more: Value| on_control(action, more);
    let key = |key: &str| Counterpart::Tool("browser_press_key", json!({ "key": key }));
    let script =
        |function: &str| Counterpart::Tool("browser_evaluate", json!({ "function": function }));
    let media =
        |code: &str| script(&format!("() => {{ document.querySelector('video, audio').{code} }}"));
    Some(match action.kind {
        "navigate" => Counterpart::Tool("browser_navigate", json!({ "url": value })),
        "new_tab" => Counterpart::Tool("browser_tabs", json!({ "action": "new", "url": value })),
        "switch" => tabs("select", action.value),
        "close" => tabs("close", action.value),
        "click" => Counterpart::Tool("browser_click", on(json!({}))),
        "check" => set_checked(action, true),
        "uncheck" => set_checked(action, false),
        "double_click" => Counterpart::Tool("browser_click", on(json!({ "doubleClick": true }))),
        "right_click" => Counterpart::Tool("browser_click", on(json!({ "button": "right" }))),
        "click_at" => match parse_point(value) {
            Some((x, y)) => Counterpart::Tool("browser_mouse_click_xy", json!({ "x": x, "y": y })),
            None => Counterpart::None(NO_POINT),
        },
        "hover" => Counterpart::Tool("browser_hover", on(json!({}))),
        "input" => Counterpart::Tool("browser_type", on(json!({ "text": value }))),
        "type_slowly" => {
            Counterpart::Tool("browser_type", on(json!({ "text": value, "slowly": true })))
        }
        "clear" => Counterpart::Tool("browser_type", on(json!({ "text": "" }))),
        "select_dropdown" => {
            let values: Vec<&str> = value.lines().collect();
            Counterpart::Tool("browser_select_option", on(json!({ "values": values })))
        }
        "upload_file" => Counterpart::Tool("browser_file_upload", json!({ "paths": [value] })),
        "send_keys" => key(value),
        "select_all" => key("Control+a"),
        "copy" => key("Control+c"),
        "cut" => key("Control+x"),
        "paste" => key("Control+v"),
        "submit_form" => key("Enter"),
        "scroll" => key(match value {
            "up" => "PageUp",
            "top" => "Home",
            "bottom" => "End",
            _ => "PageDown",
        }),
        "scroll_to_text" | "extract" => Counterpart::Tool("browser_find", json!({ "text": value })),
        "wait" => {
            Counterpart::Tool("browser_wait_for", json!({ "time": number(action.value, 3.0) }))
        }
        "wait_for_text" => Counterpart::Tool("browser_wait_for", json!({ "text": value })),
        "go_back" => Counterpart::Tool("browser_navigate_back", json!({})),
        "go_forward" => script("() => history.forward()"),
        "refresh" => script("() => location.reload()"),
        "dialog" => Counterpart::Tool(
            "browser_handle_dialog",
            json!({ "accept": true, "promptText": value }),
        ),
        "screenshot" => Counterpart::Tool("browser_take_screenshot", json!({})),
        "evaluate" => script(&format!("() => {{ {value} }}")),
        "play_video" => media("play()"),
        "pause_video" => media("pause()"),
        "seek_video" => media(&format!("currentTime = {}", number(action.value, 0.0))),
        "adjust_volume" => {
            media(&format!("volume = {}", number(action.value, 1.0).clamp(0.0, 1.0)))
        }
        "toggle_mute" => {
            script("() => { const m = document.querySelector('video, audio'); m.muted = !m.muted }")
        }
        "select_text" => Counterpart::None("it drags from one control to another alone"),
        "drag_drop" => Counterpart::None("where it was dropped is not kept"),
        "fill_form" => Counterpart::None("each field is an action here"),
        "reset_form" => Counterpart::None("it clicks the button of the form"),
        "search" => Counterpart::None("it begins at an address"),
        "done" => Counterpart::None("the agent ends by itself"),
        _ => return None,
    })
}

fn tabs(action: &str, index: Option<&str>) -> Counterpart {
    let index = index.and_then(|index| index.parse::<u64>().ok());
    Counterpart::Tool("browser_tabs", json!({ "action": action, "index": index }))
}

/// Checks or unchecks a control. A click would uncheck a checkbox that is already checked;
/// `browser_fill_form` sets its state.
fn set_checked(action: &ActionWords<'_>, is_checked: bool) -> Counterpart {
    let role = if action.role == "radio" { "radio" } else { "checkbox" };
    let field = json!({
        "name": format!("{} \"{}\"", action.role, action.name),
        "target": locator(action),
        "type": role,
        "value": is_checked.to_string(),
    });
    Counterpart::Tool("browser_fill_form", json!({ "fields": [field] }))
}

fn on_control(action: &ActionWords<'_>, mut more: Value) -> Value {
    let beside = action.beside.map(|beside| format!(" beside \"{beside}\"")).unwrap_or_default();
    more["element"] = json!(format!("{} \"{}\"{beside}", action.role, action.name));
    more["target"] = json!(locator(action));
    more
}

/// Returns the locator of a control: its role with its name; of a field its label too, since a
/// field for a date has no role. A label around a list has the words of its options.
fn locator(action: &ActionWords<'_>) -> String {
    let name = match action.has_count {
        true => counted(action.name),
        false => quoted(action.name),
    };
    let by_role = |role: &str| format!("getByRole('{role}', {{ name: {name}, exact: true }})");
    let in_row = |role: &str| match action.beside {
        Some(beside) => row_of(action.name, beside, &by_role(role)),
        None => by_role(role),
    };
    let label = format!("getByLabel({name}, {{ exact: true }})");
    match action.role {
        "link" => in_row("link"),
        "button" => in_row("button"),
        "checkbox" => in_row("checkbox"),
        "radio" => in_row("radio"),
        "tab" => in_row("tab"),
        "menu item" => in_row("menuitem"),
        "tree item" => in_row("treeitem"),
        "option" => in_row("option"),
        "slider" => in_row("slider"),
        "select" => format!("{}.or({})", by_role("combobox"), by_role("listbox")),
        "field" => {
            let roles = ["searchbox", "spinbutton", "combobox"].map(by_role);
            format!("{}.or({}).or({label})", by_role("textbox"), roles.join(").or("))
        }
        "file" => label,
        _ => format!("getByText({name}, {{ exact: true }})"),
    }
}

/// What rows are drawn with.
const ROWS: &str = "tr, li, dd, p, div, section, article, [role=row], [role=listitem]";

/// Returns the locator of one of several controls with a name, by the text beside it: within the
/// innermost row that has such a control and begins with the text, or with the control and the
/// text. Where two rows begin so, it finds both, and Playwright refuses to choose.
fn row_of(name: &str, beside: &str, control: &str) -> String {
    let rows = format!("locator('{ROWS}').filter({{ has: {control} }})");
    // A long text is cut, in a word perhaps; other controls may stand between its words.
    let whole = match beside.strip_suffix('…') {
        Some(cut) => cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole),
        None => beside,
    };
    let words: Vec<String> = whole.split_whitespace().map(escaped_pattern).collect();
    let words = words.join("[^]*?");
    let text = format!("/^\\W*({}\\W*)?{words}(?![a-z\\d])/", escaped_pattern(name));
    format!("{rows}.filter({{ hasNot: {rows} }}).filter({{ hasText: {text} }}).{control}")
}

fn escaped_pattern(text: &str) -> String {
    regex::escape(text).replace('/', "\\/")
}

/// Returns a pattern for a name that a count may follow.
fn counted(name: &str) -> String {
    let name = escaped_pattern(name);
    format!("/^{name}\\W*(\\d+\\W*)?$/")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_with_a_name_is_found_by_its_row() {
        let action = ActionWords {
            kind: "click",
            role: "button",
            name: "Delete",
            beside: Some("Lamp 12/b"),
            ..ActionWords::default()
        };
        let Some(Counterpart::Tool("browser_click", params)) = counterpart(&action) else {
            panic!("a click is a click");
        };
        assert_eq!(params["element"], "button \"Delete\" beside \"Lamp 12/b\"");
        let control = "getByRole('button', { name: 'Delete', exact: true })";
        let rows = format!("locator('{ROWS}').filter({{ has: {control} }})");
        let text = r"/^\W*(Delete\W*)?Lamp[^]*?12\/b(?![a-z\d])/";
        let expected =
            format!("{rows}.filter({{ hasNot: {rows} }}).filter({{ hasText: {text} }}).{control}");
        assert_eq!(params["target"], expected);
    }

    #[test]
    fn a_checkbox_is_set_and_not_clicked() {
        let action =
            |kind, role| ActionWords { kind, role, name: "I agree", ..ActionWords::default() };
        let field = |kind, role| match counterpart(&action(kind, role)) {
            Some(Counterpart::Tool("browser_fill_form", params)) => params["fields"][0].clone(),
            _ => panic!("{kind} {role}"),
        };
        let target = "getByRole('checkbox', { name: 'I agree', exact: true })";
        let expected = json!({
            "name": "checkbox \"I agree\"", "target": target, "type": "checkbox", "value": "true",
        });
        assert_eq!(field("check", "checkbox"), expected);
        assert_eq!(field("uncheck", "checkbox")["value"], "false");
        assert_eq!(field("check", "radio")["type"], "radio");
    }
}
