//! The changes of a decision after their wishes were held against the budget, and what fell without
//! a change that names it.

use serde::{Deserialize, Serialize};

use crate::run::plan::Plan;
use crate::shared::Level;

/// The changes of a decision, sorted by whether they fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Admission<P: Plan> {
    /// The changes to take into the plan, in the order of the decision.
    pub changes: Vec<P::Change>,
    /// The changes that do not fit beside the others and beside earlier ones.
    pub refused: Vec<Refusal<P>>,
}

/// A change that does not fit. It changes nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Refusal<P: Plan> {
    /// The change.
    pub change: P::Change,
    /// Its wish in words: the place and the level.
    pub wish: String,
    /// The tokens that it adds to the other wishes for its file.
    pub tokens: u32,
    /// The tokens that all other wishes leave beside the lines of folders.
    pub left: u32,
}

impl<P: Plan> Refusal<P> {
    /// Formats the refusal for pilot and person.
    pub fn line(&self) -> String {
        let Refusal { wish, tokens, left, .. } = self;
        if tokens <= left {
            return format!(
                "{wish}: refused, with its {tokens} tokens another of your wishes would come out \
                 lower; the other changes were made"
            );
        }
        format!(
            "{wish}: refused, it needs {tokens} tokens, and the other wishes and the lines of \
             folders leave {left}; the other changes were made"
        )
    }

    /// Formats the refusal in a later turn, in which other changes leave other tokens.
    pub(crate) fn earlier_line(&self) -> String {
        format!(
            "{}: refused earlier, it needs {} tokens; name it again if you still want it",
            self.wish, self.tokens
        )
    }
}

/// A place or part whose level fell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fall {
    /// Its name.
    pub name: String,
    /// The level before.
    pub from: Level,
    /// The level after.
    pub to: Level,
}

impl Fall {
    /// Formats the fall: `src/a.rs full to path`.
    pub fn line(&self) -> String {
        format!("{} {} to {}", self.name, self.from, self.to)
    }
}

/// The maximum number of falls in a log entry.
pub(crate) const MOST_FALLS: usize = 20;
