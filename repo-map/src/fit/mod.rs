//! Scores and prices → a level for every file and item, within the budget.
//!
//! Each file becomes a `ladder` of states with prices and values; `knapsack` picks one state of
//! each. A file without a line of its own may be covered by a line for its folder (`folders`,
//! `fold_lines`).

mod blocks;
mod climb;
mod exchange;
mod fold_lines;
pub(crate) mod folders;
mod knapsack;
mod ladder;
mod pinned;
mod problem;
mod running;
mod value;

pub(crate) use fold_lines::fold_text;
pub(crate) use knapsack::fit;
pub(crate) use problem::{FitCandidate, FitProblem, Fitted, Shortage, Shown, Valuation};
pub(crate) use value::divisor;
