//! What the caller tells of how a map came about, in words and numbers.

use crate::level::Level;

/// What the caller tells of how the map came about: this crate knows neither pilots nor money.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageInput {
    /// The command that made the map, as its name stands in the help.
    pub command: String,
    /// Rows of the overview, each a name and what it is.
    pub facts: Vec<(String, String)>,
    /// Sentences that belong to the whole.
    pub notes: Vec<String>,
    /// What the amounts of a step are, in their order.
    pub amounts: Vec<String>,
    /// What the amounts must not pass.
    pub limit: Option<Amount>,
    /// The level of every file before the first step whose changes are known, in map order.
    pub start: Option<Vec<Level>>,
    /// How many steps came before that level was known: those of a run that was continued.
    pub start_at: usize,
    /// What the map had in tokens before the first step that is known.
    pub start_tokens: u32,
    /// What was decided, step by step.
    pub steps: Vec<PageTurn>,
}

/// One decision, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTurn {
    /// What it was.
    pub title: String,
    /// Why, in the words of whoever decided.
    pub text: String,
    /// What went wrong.
    pub notes: Vec<String>,
    /// The paths and globs it is about.
    pub paths: Vec<String>,
    /// The size of the map afterwards, in tokens.
    pub tokens: u32,
    /// What it took, as [`PageInput::amounts`] names them.
    pub amounts: Vec<Amount>,
    /// The files whose level changed, by their place in map order; none where that is not known.
    pub changes: Option<Vec<(u32, Level)>>,
}

/// An amount as a number, to be compared with others, and as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amount {
    /// In any unit that all amounts of a page share.
    pub value: u64,
    /// For people.
    pub text: String,
}
