//! The accessibility snapshot of a page, as the browser's own accessibility tree has it, in the
//! form that Playwright gives to agents.

use std::collections::HashMap;
use std::fmt::Write as _;

use navigator::browser::session::Tab;
use serde_json::{Value, json};

use super::LONG;

/// Returns the snapshot of a tab.
pub(super) fn snapshot_of(tab: &Tab) -> String {
    tab.call("Accessibility.enable", json!({}), LONG).unwrap();
    let found = tab.call("Accessibility.getFullAXTree", json!({}), LONG).unwrap();
    tab.call("Accessibility.disable", json!({}), LONG).unwrap();
    let nodes = found["nodes"].as_array().unwrap();
    let by_id = nodes.iter().map(|node| (node["nodeId"].as_str().unwrap(), node)).collect();
    let mut text = String::new();
    write_node(&by_id, &nodes[0], 0, &mut text);
    text
}

/// Writes a node and those below it. What assistive technology ignores has no line.
fn write_node(nodes: &HashMap<&str, &Value>, node: &Value, depth: usize, text: &mut String) {
    let role = node["role"]["value"].as_str().unwrap_or_default();
    let name = node["name"]["value"].as_str().unwrap_or_default();
    let property = |name: &str| {
        let mut properties = node["properties"].as_array().into_iter().flatten();
        properties.find(|one| one["name"] == name).map(|one| &one["value"]["value"])
    };
    let indent = "  ".repeat(depth);
    let is_ignored = node["ignored"] == true || matches!(role, "none" | "InlineTextBox");
    match role {
        _ if is_ignored => {}
        "RootWebArea" => _ = writeln!(text, "- Page Title: {name}\n- generic:"),
        // A text stands on one line there, code too.
        "StaticText" => {
            let words: Vec<&str> = name.split_whitespace().collect();
            let _ = writeln!(text, "{indent}- text: {}", words.join(" "));
        }
        _ => {
            let _ = write!(text, "{indent}- {role}");
            if !name.is_empty() {
                let _ = write!(text, " {}", node["name"]["value"]);
            }
            for state in ["selected", "expanded", "disabled"] {
                if property(state) == Some(&Value::Bool(true)) {
                    let _ = write!(text, " [{state}]");
                }
            }
            text.push_str(":\n");
            if let Some(address) = property("url").filter(|_| role == "link") {
                let _ = writeln!(text, "{indent}  - /url: {}", address.as_str().unwrap());
            }
        }
    }
    // The text of a control is its name.
    let is_named = !is_ignored && !name.is_empty();
    let is_leaf = is_named && matches!(role, "link" | "button" | "tab");
    let below = node["childIds"].as_array().into_iter().flatten();
    for child in below.filter_map(|id| nodes.get(id.as_str().unwrap())).filter(|_| !is_leaf) {
        write_node(nodes, child, depth + usize::from(!is_ignored), text);
    }
}
