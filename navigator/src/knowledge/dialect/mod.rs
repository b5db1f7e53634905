//! Actions in the words of other browser agents: one file each, with the whole table of kinds.

mod browser_use;
mod playwright_mcp;
mod walk;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// All kinds of actions that a knowledge can hold, in the words of browser agents.
pub const KINDS: [&str; 44] = [
    "navigate",
    "click",
    "click_at",
    "input",
    "type_slowly",
    "clear",
    "select_dropdown",
    "check",
    "uncheck",
    "upload_file",
    "send_keys",
    "select_all",
    "copy",
    "cut",
    "paste",
    "double_click",
    "right_click",
    "hover",
    "drag_drop",
    "select_text",
    "scroll",
    "scroll_to_text",
    "wait",
    "wait_for_text",
    "go_back",
    "go_forward",
    "refresh",
    "fill_form",
    "submit_form",
    "reset_form",
    "new_tab",
    "switch",
    "close",
    "dialog",
    "extract",
    "screenshot",
    "evaluate",
    "play_video",
    "pause_video",
    "seek_video",
    "adjust_volume",
    "toggle_mute",
    "done",
    "search",
];

/// A browser agent whose actions are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AgentDialect {
    /// Walks of `navigator browse`.
    #[default]
    Walk,
    /// browser-use.
    BrowserUse,
    /// Playwright MCP.
    PlaywrightMcp,
}

/// An action to write in a dialect.
#[derive(Debug, Clone, Copy, Default)]
pub struct ActionWords<'a> {
    /// The kind: one of [`KINDS`].
    pub kind: &'a str,
    /// The role of the control.
    pub role: &'a str,
    /// The label may have a count after the name.
    pub has_count: bool,
    /// The name of the control.
    pub name: &'a str,
    /// The heading above the control.
    pub under: Option<&'a str>,
    /// The text beside the control.
    pub beside: Option<&'a str>,
    /// What is written, chosen, pressed or opened.
    pub value: Option<&'a str>,
    /// The number that the agent has for the control, where it sent a list of them.
    pub index: Option<u64>,
}

/// An action as an agent runs it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentToolCall {
    /// The name of the tool.
    pub tool: &'static str,
    /// Its parameters.
    pub params: Value,
    /// What the tool does not do of the action, and what the agent has to heed.
    #[serde(skip)]
    pub caveat: Option<&'static str>,
}

/// Returns the kind of action that a call of browser-use stands for, and its value; `None` for a
/// tool that stands for none.
pub(super) fn of_browser_use(
    tool: &str,
    params: &Map<String, Value>,
) -> Option<(&'static str, Option<String>)> {
    browser_use::kind_of(tool, params)
}

/// Reports whether a kind of action needs no control of the page.
pub(super) fn is_of_page(kind: &str) -> bool {
    matches!(
        kind,
        "navigate"
            | "new_tab"
            | "search"
            | "send_keys"
            | "scroll"
            | "scroll_to_text"
            | "wait"
            | "go_back"
            | "switch"
            | "close"
            | "extract"
            | "screenshot"
            | "evaluate"
            | "done"
    )
}

/// Reports whether the value of a kind of action is code that a page runs.
pub fn runs_code(kind: &str) -> bool {
    kind == "evaluate"
}

/// Reports whether the value of a kind of action is an address that is opened.
pub fn opens(kind: &str) -> bool {
    matches!(kind, "navigate" | "new_tab")
}

/// What a dialect has for a kind of action.
pub(super) enum Counterpart {
    /// A tool with parameters.
    Tool(&'static str, Value),
    /// A tool with parameters that does not do all of it, and what has to be heeded.
    Near(&'static str, Value, &'static str),
    /// Nothing, and why.
    None(&'static str),
}

impl AgentDialect {
    /// All dialects.
    pub const ALL: [AgentDialect; 3] =
        [AgentDialect::Walk, AgentDialect::BrowserUse, AgentDialect::PlaywrightMcp];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            AgentDialect::Walk => "walk",
            AgentDialect::BrowserUse => "browser-use",
            AgentDialect::PlaywrightMcp => "playwright-mcp",
        }
    }

    /// Writes an action.
    ///
    /// # Errors
    /// The reason why the agent cannot do it.
    pub fn call(self, action: &ActionWords<'_>) -> Result<AgentToolCall, String> {
        let found = match self {
            AgentDialect::Walk => walk::counterpart(action),
            AgentDialect::BrowserUse => browser_use::counterpart(action),
            AgentDialect::PlaywrightMcp => playwright_mcp::counterpart(action),
        };
        match found {
            Some(Counterpart::Tool(tool, params)) => {
                Ok(AgentToolCall { tool, params, caveat: None })
            }
            Some(Counterpart::Near(tool, params, caveat)) => {
                Ok(AgentToolCall { tool, params, caveat: Some(caveat) })
            }
            Some(Counterpart::None(why)) => {
                Err(format!("`{}` has no counterpart in {self}: {why}", action.kind))
            }
            None => Err(format!("`{}` is no kind of action", action.kind)),
        }
    }
}

impl fmt::Display for AgentDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns a value as a number; a default if it is none.
pub(super) fn number(value: Option<&str>, default: f64) -> f64 {
    value.and_then(|value| value.trim().parse().ok()).unwrap_or(default)
}

/// Why a click at a point has no counterpart.
pub(super) const NO_POINT: &str = "its value is no point, such as `40,12`";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::pilot::reply;

    #[test]
    fn each_dialect_knows_each_kind() {
        for dialect in AgentDialect::ALL {
            for kind in KINDS {
                let action =
                    ActionWords { kind, role: "button", name: "Save", ..ActionWords::default() };
                match dialect.call(&action) {
                    Ok(call) => {
                        assert!(call.params.is_object(), "{dialect} {kind}");
                        let is_word = reply::words().any(|word| word == call.tool);
                        assert!(dialect != AgentDialect::Walk || is_word, "{kind}: {call:?}");
                    }
                    Err(why) => assert!(why.contains("no counterpart"), "{dialect} {kind}: {why}"),
                }
            }
            let action = ActionWords { kind: "fly", ..ActionWords::default() };
            assert_eq!(dialect.call(&action).unwrap_err(), "`fly` is no kind of action");
        }
    }

    #[test]
    fn a_value_becomes_a_script_or_an_address_of_the_kinds_that_say_so_alone() {
        for (dialect, kind) in
            AgentDialect::ALL.into_iter().flat_map(|dialect| KINDS.map(|kind| (dialect, kind)))
        {
            let action = ActionWords { kind, value: Some("MARK"), ..ActionWords::default() };
            let Ok(call) = dialect.call(&action) else { continue };
            let params = call.params.to_string();
            if call.tool.contains("evaluate") {
                assert_eq!(params.contains("MARK"), runs_code(kind), "{dialect} {kind}");
            }
            let is_opened = call.tool == "open" || params.contains("\"url\":\"MARK\"");
            assert_eq!(is_opened, opens(kind), "{dialect} {kind}");
        }
    }

    #[test]
    fn a_call_of_browser_use_is_read_as_the_kind_that_it_was_written_for() {
        for (kind, value) in [
            ("navigate", "https://a.example/"),
            ("new_tab", "https://a.example/"),
            ("search", "lamps"),
            ("click", ""),
            ("click_at", "3,4"),
            ("input", "Ada"),
            ("clear", ""),
            ("select_dropdown", "Peru"),
            ("send_keys", "Enter"),
            ("scroll", "up"),
            ("scroll", "down"),
            ("scroll", "top"),
            ("scroll", "bottom"),
            ("scroll_to_text", "Price"),
            ("wait", "2"),
            ("go_back", ""),
            ("switch", "a1"),
            ("close", "a1"),
            ("extract", "prices"),
            ("screenshot", ""),
            ("evaluate", "1"),
            ("done", "yes"),
        ] {
            let value = (!value.is_empty()).then_some(value);
            let action = ActionWords { kind, value, ..ActionWords::default() };
            let call = AgentDialect::BrowserUse.call(&action).unwrap();
            let params = call.params.as_object().unwrap();
            let read = of_browser_use(call.tool, params);
            assert_eq!(read, Some((kind, value.map(str::to_owned))), "{call:?}");
        }
        assert_eq!(of_browser_use("write_file", &Map::new()), None);
    }

    #[test]
    fn what_a_tool_does_not_do_of_an_action_is_said() {
        let caveat = |kind: &str| {
            let action = ActionWords { kind, name: "Agree", ..ActionWords::default() };
            AgentDialect::BrowserUse.call(&action).unwrap().caveat.unwrap_or_default()
        };
        assert_eq!(caveat("check"), "only if it is not checked: it clicks");
        assert_eq!(caveat("uncheck"), "only if it is checked: it clicks");
        assert!(!caveat("type_slowly").is_empty() && !caveat("wait_for_text").is_empty());
        assert_eq!(caveat("click"), "");
    }

    #[test]
    fn a_name_with_quotes_stays_one_name() {
        let action = ActionWords {
            kind: "click",
            role: "button",
            name: "Say 'hi' \\ \"ho\"",
            ..ActionWords::default()
        };
        let call = AgentDialect::PlaywrightMcp.call(&action).unwrap();
        assert_eq!(
            call.params["target"],
            r#"getByRole('button', { name: 'Say \'hi\' \\ "ho"', exact: true })"#
        );
    }
}
