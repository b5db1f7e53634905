//! What a recorded screen says beside its text, at the end of its HTML.

use serde::{Deserialize, Serialize};

use super::control::PageControl;

/// What the facts stand between. No other script is in the text, and no text has a bare `<`.
const BEGIN: &str = "<script type=\"application/json\" id=\"navigator-screen\">";
const END: &str = "</script>";

/// A form of a page. Controls are named by their numbers, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct LiveForm {
    /// What people call it; empty if it has no name of its own.
    pub(crate) name: String,
    /// What takes a value.
    pub(crate) fields: Vec<usize>,
    /// What sends it.
    pub(crate) sent_by: Vec<usize>,
}

/// What a recorded screen says beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct ScreenFacts {
    /// The address of the page.
    #[serde(default)]
    pub(crate) address: String,
    /// The addresses that going back leads to, the last one next.
    #[serde(default)]
    pub(crate) trail: Vec<String>,
    pub(crate) controls: Vec<PageControl>,
    /// The forms, with their controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) forms: Vec<LiveForm>,
    /// The names of the dialogs that are open.
    pub(crate) dialogs: Vec<String>,
    /// The number of characters that nobody sees.
    pub(crate) n_hidden: usize,
    /// The number of controls that nobody sees.
    pub(crate) n_hidden_controls: usize,
    /// What else is to be said of the page.
    pub(crate) notes: Vec<String>,
    /// The names of the other tabs. They are entries after the controls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tabs: Vec<String>,
    /// The page goes on below the window.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) goes_on_below: bool,
    /// The number of the control that has the focus, from 1; `None` if none has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) focused: Option<usize>,
    /// The text that is selected, or its length in brackets if it is long.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) selected: String,
    /// A dialog of the page asked something, and the answer was no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) has_asked: bool,
}

impl ScreenFacts {
    /// Reads the facts of a recorded screen; `None` if it is none.
    pub(crate) fn of(html: &[u8]) -> Option<ScreenFacts> {
        let text = std::str::from_utf8(html).ok()?;
        let (_, facts) = text.rsplit_once(BEGIN)?;
        serde_json::from_str(facts.split_once(END)?.0).ok()
    }
}

/// Adds the facts to the end of the HTML.
pub(super) fn with_facts(html: &str, facts: &ScreenFacts) -> String {
    // Facts are data with text keys, which JSON always holds.
    let facts = serde_json::to_string(facts).unwrap_or_default().replace('<', "\\u003c");
    format!("{html}{BEGIN}{facts}{END}\n")
}
