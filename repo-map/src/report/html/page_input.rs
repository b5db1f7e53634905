//! The caller's input for a page: the history of the map in words and numbers.

use crate::level::Level;

/// The caller's account of the steps that led to the map. This crate knows neither pilots nor
/// money.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageInput {
    /// The name of the command that made the map, as in the help.
    pub command: String,
    /// Rows of the overview: a name and a value.
    pub facts: Vec<(String, String)>,
    /// Remarks on the whole.
    pub notes: Vec<String>,
    /// The labels of a step's amounts, in their order.
    pub amounts: Vec<String>,
    /// The limit of the amounts.
    pub limit: Option<Amount>,
    /// The level of every file before the first step with known changes, in map order.
    pub start: Option<Vec<Level>>,
    /// The number of steps before that: those of a resumed run.
    pub start_at: usize,
    /// The size of the map before the first known step, in tokens.
    pub start_tokens: u32,
    /// The decisions, step by step.
    pub steps: Vec<PageTurn>,
}

/// One decision and its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageTurn {
    /// The kind of decision.
    pub title: String,
    /// The reason, in the pilot's words.
    pub text: String,
    /// Problems.
    pub notes: Vec<String>,
    /// The paths and globs concerned.
    pub paths: Vec<String>,
    /// The size of the map after the step, in tokens.
    pub tokens: u32,
    /// The amounts, labelled by [`PageInput::amounts`].
    pub amounts: Vec<Amount>,
    /// The files whose level changed, by their place in map order; `None` if unknown.
    pub changes: Option<Vec<(u32, Level)>>,
}

/// An amount as a number for comparisons, and as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amount {
    /// The number, in one unit for all amounts of a page.
    pub value: u64,
    /// The text for people.
    pub text: String,
}
