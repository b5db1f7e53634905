//! What a pilot of a walk may do.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::placeholder::{names_in, placeholder};

/// One action of a walk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum WalkAction {
    /// Click an entry of the screen.
    Click {
        /// The entry's number, from 1.
        number: usize,
        /// The entry's label.
        label: String,
    },
    /// Leave the open folder, or return to the page before.
    Back,
    /// Go to an address that was seen in a link.
    Open {
        /// The address.
        address: String,
    },
    /// Operate a control of a live page.
    Operate {
        /// The number of the control's entry, from 1; 0 is the page itself.
        number: usize,
        /// The label of the entry.
        label: String,
        /// What is done.
        #[serde(flatten)]
        operation: ControlOperation,
    },
    /// Read more of the site, and find the places that have most of some words.
    Search {
        /// The words.
        words: String,
    },
    /// Take sections of the page as they stand.
    Extract {
        /// The numbers of the sections, from 1; empty for the whole text.
        sections: Vec<usize>,
    },
    /// End with an answer that rests on extracts.
    Finish {
        /// The answer.
        answer: String,
        /// Words of the extracts that the answer rests on.
        citations: Vec<String>,
    },
    /// End without an answer.
    GiveUp {
        /// The reason.
        reason: String,
    },
}

/// What a person can do with a control beside clicking it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ControlOperation {
    /// Click a place of it, in pixels from its left upper corner.
    ClickAt {
        /// To the right.
        right: i32,
        /// Down.
        down: i32,
    },
    /// Click twice.
    DoubleClick,
    /// Click with the right button.
    RightClick,
    /// Move the mouse over it.
    Hover,
    /// Write a text in the place of what is there; an empty one clears it.
    Fill {
        /// The text.
        text: String,
    },
    /// Choose from a list.
    Select {
        /// The names of the options.
        options: Vec<String>,
    },
    /// Check or uncheck.
    Check {
        /// It is checked afterwards.
        on: bool,
    },
    /// Press keys, one after the other: `Enter`, `Tab`, `Control+a`.
    Press {
        /// The keys, with spaces between them.
        keys: String,
    },
    /// Drag it, or draw on it.
    Drag {
        /// Where it is dropped.
        to: DragEnd,
    },
    /// Select a text of the page, or of a control.
    SelectText {
        /// The text as it stands there, or its first and last words with `…` between them; empty
        /// for all of the control's.
        text: String,
    },
    /// Scroll what it lies in.
    Scroll {
        /// The direction.
        to: ScrollTo,
    },
    /// Wait until a text is there.
    Wait {
        /// The text; empty for any change.
        text: String,
    },
    /// Set the answer to the next dialog of the page, which else is no.
    Dialog {
        /// The answer to a question for words.
        text: String,
    },
    /// Give a file to a field.
    Upload {
        /// The file, as the person named it.
        file: String,
    },
}

/// Where something that is dragged is dropped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DragEnd {
    /// On the entry of this number, from 1.
    Entry(usize),
    /// So many pixels away: to the right, and down.
    By(i32, i32),
    /// Through these places, in pixels from the left upper corner of the control: a path is drawn.
    Path(Vec<(i32, i32)>),
}

/// Where something is scrolled to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrollTo {
    /// A page up.
    Up,
    /// A page down.
    Down,
    /// The beginning.
    Top,
    /// The end.
    Bottom,
}

impl ScrollTo {
    /// Returns what a word means; `None` for another word.
    pub(crate) fn of(word: &str) -> Option<ScrollTo> {
        let all = [ScrollTo::Up, ScrollTo::Down, ScrollTo::Top, ScrollTo::Bottom];
        all.into_iter().find(|one| one.as_str() == word)
    }

    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        match self {
            ScrollTo::Up => "up",
            ScrollTo::Down => "down",
            ScrollTo::Top => "top",
            ScrollTo::Bottom => "bottom",
        }
    }
}

impl WalkAction {
    /// Reports whether the action ends the walk.
    pub fn is_end(&self) -> bool {
        matches!(self, WalkAction::Finish { .. } | WalkAction::GiveUp { .. })
    }
}

impl fmt::Display for WalkAction {
    /// Writes the action as a path has it: `click 5 'Engine'`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WalkAction::Click { number, label } => write!(f, "click {number} '{label}'"),
            WalkAction::Operate { number: 0, operation, .. } => write!(f, "{operation}"),
            WalkAction::Operate { number, label, operation } => {
                let (verb, rest) = operation.words();
                write!(f, "{verb} {number} '{label}'{rest}")
            }
            WalkAction::Back => f.write_str("back"),
            WalkAction::Open { address } => write!(f, "open {address}"),
            WalkAction::Search { words } => write!(f, "search '{words}'"),
            WalkAction::Extract { sections } if sections.is_empty() => f.write_str("extract"),
            WalkAction::Extract { sections } => {
                let numbers: Vec<String> = sections.iter().map(ToString::to_string).collect();
                write!(f, "extract {}", numbers.join(", "))
            }
            WalkAction::Finish { .. } => f.write_str("finish"),
            WalkAction::GiveUp { .. } => f.write_str("give up"),
        }
    }
}

impl ControlOperation {
    /// Reports whether it does nothing to a page but to look at it.
    pub(crate) fn only_looks(&self) -> bool {
        matches!(
            self,
            ControlOperation::Hover
                | ControlOperation::Scroll { .. }
                | ControlOperation::Wait { .. }
        )
    }

    /// Reports whether it puts something into a field, which a button then takes.
    pub(crate) fn writes(&self) -> bool {
        matches!(self, ControlOperation::Fill { .. } | ControlOperation::Upload { .. })
    }

    /// Returns what is wrong with a secret that is named where none is typed: they go into fields
    /// alone, whose page and origin are known.
    pub(crate) fn misplaced_secret(&self) -> Option<String> {
        let (action, text) = match self {
            ControlOperation::Press { keys } => ("press", keys),
            ControlOperation::Dialog { text } => ("dialog", text),
            _ => return None,
        };
        let secret = placeholder(names_in(text).first()?);
        Some(format!("`{action}` types no secrets: write {secret} into a field with `fill`"))
    }

    /// Returns the verb, and what stands after the control.
    fn words(&self) -> (&'static str, String) {
        match self {
            ControlOperation::ClickAt { right, down } => ("click", format!(" at {right},{down}")),
            ControlOperation::DoubleClick => ("double_click", String::new()),
            ControlOperation::RightClick => ("right_click", String::new()),
            ControlOperation::Hover => ("hover", String::new()),
            ControlOperation::Fill { text } if text.is_empty() => ("clear", String::new()),
            ControlOperation::Fill { text } => ("fill", format!(" with '{text}'")),
            ControlOperation::Select { options } => {
                ("select", format!(" '{}'", options.join("', '")))
            }
            ControlOperation::Check { on: true } => ("check", String::new()),
            ControlOperation::Check { on: false } => ("uncheck", String::new()),
            ControlOperation::Press { keys } => ("press", format!(" {keys}")),
            ControlOperation::Drag { to: DragEnd::Entry(number) } => {
                ("drag", format!(" to {number}"))
            }
            ControlOperation::Drag { to: DragEnd::By(right, down) } => {
                ("drag", format!(" by {right},{down}"))
            }
            ControlOperation::Drag { to: DragEnd::Path(places) } => {
                let places = places.iter().map(|(right, down)| format!(" {right},{down}"));
                ("drag", format!(" through{}", places.collect::<String>()))
            }
            ControlOperation::SelectText { text } if text.is_empty() => {
                ("select_text", String::new())
            }
            ControlOperation::SelectText { text } => ("select_text", format!(" '{text}'")),
            ControlOperation::Scroll { to } => ("scroll", format!(" {}", to.as_str())),
            ControlOperation::Wait { text } if text.is_empty() => ("wait", String::new()),
            ControlOperation::Wait { text } => ("wait", format!(" for '{text}'")),
            ControlOperation::Dialog { text } if text.is_empty() => ("dialog", String::new()),
            ControlOperation::Dialog { text } => ("dialog", format!(" '{text}'")),
            ControlOperation::Upload { file } => ("upload", format!(" '{file}'")),
        }
    }
}

impl fmt::Display for ControlOperation {
    /// Writes the operation without its control: `press Enter`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, rest) = self.words();
        write!(f, "{verb}{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_written_and_read_back() {
        let action = WalkAction::Operate {
            number: 3,
            label: "Name".to_owned(),
            operation: ControlOperation::Drag { to: DragEnd::By(-5, 7) },
        };
        assert_eq!(action.to_string(), "drag 3 'Name' by -5,7");
        let text = serde_json::to_string(&action).unwrap();
        assert_eq!(
            text,
            r#"{"action":"operate","number":3,"label":"Name","operation":"drag","to":{"by":[-5,7]}}"#
        );
        assert_eq!(serde_json::from_str::<WalkAction>(&text).unwrap(), action);
    }
}
