//! Signals for files and items, and their weights: one function for each signal, which returns the
//! causes of one file's score.
//!
//! A score is the sum of its causes, so that an explanation shows exactly what was counted.
//! `docs/relevance.md` has the formulas and constants, `docs/relevance-experiments.md` the
//! measurements behind them. A new signal is a variant and a weight in `kinds.rs`, a function
//! beside the others and an arm in `files.rs`.

mod causes;
mod commits;
mod files;
mod items;
mod kinds;
mod neighbours;
mod quotes;
mod uses;
mod words;

pub(crate) use causes::{Cause, Causes, Scores, max_normed, total};
pub(crate) use commits::changed_with;
pub(crate) use files::{FileSignals, Sources};
pub(crate) use items::{ItemPart, ItemSignals};
pub use kinds::Signal;
pub(crate) use uses::UsedNames;
