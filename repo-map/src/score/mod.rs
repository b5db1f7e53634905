//! The scores of files and items for a goal: words, graph, history and changes become signals,
//! signals become a score.
//!
//! Two passes: `first_pass` counts words in every file without parsing, `index` outlines the most
//! promising files, `judge` adds up the signals. A new signal is a function and a weight in
//! `signals`.

pub(crate) mod bag_of_words;
mod copies;
pub(crate) mod data_paths;
pub(crate) mod defined;
pub(crate) mod entry_points;
mod families;
pub(crate) mod first_pass;
pub(crate) mod goal;
pub(crate) mod graph;
pub(crate) mod guide;
pub(crate) mod history;
pub(crate) mod identifiers;
mod includes;
pub(crate) mod index;
pub mod judge;
pub(crate) mod landmark;
mod lesser;
pub(crate) mod overview;
mod packages;
mod reach;
pub(crate) mod repeated;
mod resolver;
pub mod role;
mod sections;
mod shown_code;
pub(crate) mod signals;
pub(crate) mod signed_words;
mod surface;
mod test_paths;
#[cfg(feature = "word-vectors")]
pub(crate) mod word_vectors;
pub(crate) mod words;
