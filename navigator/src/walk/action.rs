//! What a pilot of a walk may do.

use std::fmt;

use serde::{Deserialize, Serialize};

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
            WalkAction::Back => f.write_str("back"),
            WalkAction::Open { address } => write!(f, "open {address}"),
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
