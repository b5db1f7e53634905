//! The role of an element: by its name, its type, or what it declares.

use super::control::ControlRole;
use super::dom::{Dom, DomNode};

/// What an element is to a person who operates the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementRole {
    /// A control of this kind.
    Control(ControlRole),
    /// It may be a control, if something of it takes clicks.
    Custom,
    /// It is none.
    No,
}

/// Returns the role of an element.
pub(super) fn role_of(dom: &Dom<'_>, node: usize) -> ElementRole {
    let element = &dom.nodes[node];
    let tag = element.tag();
    if matches!(tag, "" | "html" | "body" | "head" | "label" | "option" | "optgroup" | "iframe") {
        return ElementRole::No;
    }
    let declared = element.attribute("role").and_then(of_words);
    let native = of_tag(element);
    match declared.or(native) {
        Some(role) => ElementRole::Control(role),
        None if is_editable(element) => ElementRole::Control(ControlRole::Field),
        None => ElementRole::Custom,
    }
}

fn of_tag(element: &DomNode<'_>) -> Option<ControlRole> {
    let has = |name: &str| element.attribute(name).is_some();
    Some(match element.tag() {
        "a" | "area" if has("href") => ControlRole::Link,
        "button" | "summary" => ControlRole::Button,
        "textarea" => ControlRole::Field,
        "select" => ControlRole::Select,
        "canvas" => ControlRole::Canvas,
        "input" => {
            match element.attribute("type").unwrap_or("text").to_ascii_lowercase().as_str() {
                "hidden" => return None,
                "button" | "submit" | "reset" | "image" => ControlRole::Button,
                "checkbox" => ControlRole::Checkbox,
                "radio" => ControlRole::Radio,
                "range" => ControlRole::Slider,
                "file" => ControlRole::File,
                _ => ControlRole::Field,
            }
        }
        _ => return None,
    })
}

/// Returns the first role of an attribute that is one of a control.
fn of_words(roles: &str) -> Option<ControlRole> {
    roles.split_whitespace().find_map(|role| {
        Some(match role.to_ascii_lowercase().as_str() {
            "link" => ControlRole::Link,
            "button" => ControlRole::Button,
            "checkbox" | "switch" | "menuitemcheckbox" => ControlRole::Checkbox,
            "radio" | "menuitemradio" => ControlRole::Radio,
            "textbox" | "searchbox" | "spinbutton" => ControlRole::Field,
            "combobox" => ControlRole::Combobox,
            "slider" => ControlRole::Slider,
            "tab" => ControlRole::Tab,
            "menuitem" => ControlRole::MenuItem,
            "option" => ControlRole::Option,
            "treeitem" => ControlRole::TreeItem,
            _ => return None,
        })
    })
}

/// Reports whether a person can write into an element.
fn is_editable(element: &DomNode<'_>) -> bool {
    let editable = element.attribute("contenteditable");
    editable.is_some_and(|value| matches!(value, "" | "true" | "plaintext-only"))
}

/// Reports whether an element that is no control by itself takes clicks: it has a listener, a
/// cursor of its own that says so, or can be reached by the keyboard.
pub(super) fn takes_clicks(dom: &Dom<'_>, node: usize) -> bool {
    let element = &dom.nodes[node];
    let cursor = element.style("cursor");
    let around = element.parent.map_or("", |parent| dom.nodes[parent].style("cursor"));
    let invites = matches!(
        cursor,
        "pointer" | "grab" | "move" | "crosshair" | "cell" | "copy" | "se-resize" | "nwse-resize"
    );
    let is_own_cursor = cursor != around && invites;
    element.is_clickable
        || is_own_cursor
        || element.attribute("onclick").is_some()
        || element.attribute("draggable") == Some("true")
        || element.attribute("tabindex").is_some_and(|index| !index.starts_with('-'))
}

/// Reports whether an element holds no content, but ways to other places.
pub(super) fn is_menu(element: &DomNode<'_>) -> bool {
    let role = element.attribute("role").unwrap_or_default();
    matches!(element.tag(), "nav" | "footer") || matches!(role, "navigation" | "contentinfo")
}
