//! What files and items are worth for a goal: words, graph, history and changes become signals,
//! signals become a score.
//!
//! Two passes: `first_pass` looks at every file without parsing, `index` outlines the most
//! promising, `judge` adds up. A new signal is a function and a weight in `signals/`.

pub(crate) mod bag_of_words;
pub(crate) mod first_pass;
pub(crate) mod goal;
pub(crate) mod graph;
pub(crate) mod history;
pub(crate) mod index;
pub mod judge;
pub mod role;
pub(crate) mod signals;
pub(crate) mod words;
