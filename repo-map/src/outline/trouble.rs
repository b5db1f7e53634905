//! The reasons for a missing or incomplete outline.

use serde::{Deserialize, Serialize};

use crate::outline::parse::NoTree;
use crate::outline::worker::Lost;

/// The reason for a missing or incomplete outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Trouble {
    /// The parser exceeded the work allowed for the size of the text.
    Stopped,
    /// The text is nested too deeply to be parsed.
    TooDeep,
    /// More than 5 000 items.
    TooManyItems,
    /// Only the head of the text was parsed.
    Cut,
    /// Much of the text could not be parsed in its language.
    Broken,
    /// This program panicked on the file.
    Failed,
    /// The parser stopped making progress and was abandoned.
    Hung,
    /// The file was not parsed, because too many parsers had been abandoned before.
    Refused,
}

impl From<NoTree> for Trouble {
    fn from(why: NoTree) -> Trouble {
        match why {
            NoTree::Stopped => Trouble::Stopped,
            NoTree::Lost(Lost::Hung) => Trouble::Hung,
            NoTree::Lost(Lost::Refused) => Trouble::Refused,
            NoTree::Lost(Lost::Panicked) => Trouble::Failed,
        }
    }
}

impl Trouble {
    /// Reports whether the trouble depends on the text alone, so that another run has the same
    /// result.
    pub(crate) fn is_of_the_text(self) -> bool {
        self != Trouble::Refused
    }

    /// Returns the description in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Trouble::Stopped => {
                "the parser was stopped, the text takes more work than its size allows; its \
                 outline may be incomplete"
            }
            Trouble::TooDeep => "nested too deep to be parsed; it has no outline",
            Trouble::Cut => {
                "only its head was parsed, the rest would take too much work; its outline may \
                 miss items"
            }
            Trouble::Failed => "internal error while outlining; it has no outline",
            Trouble::Broken => "much of it could not be parsed; its outline may miss items",
            Trouble::TooManyItems => {
                "has more items than an outline holds; the last ones are left out"
            }
            Trouble::Hung => "its parser does not come back; it has no outline",
            Trouble::Refused => {
                "was not parsed, since too many parsers did not come back; it has no outline"
            }
        }
    }
}
