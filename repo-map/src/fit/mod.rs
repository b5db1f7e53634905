//! Scores and prices → a level for every file and item, within the budget.

pub(crate) mod folders;
mod knapsack;

pub(crate) use knapsack::{Candidate, FitProblem, Shortage, Shown, fit, fold_text};
