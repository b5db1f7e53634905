//! Parsing of a goal: its words, and its quotes of code.
//!
//! A goal is two words ("auth middleware") or a whole issue with logs and templates. Text that is
//! not about code is dropped first (`template`); then words, identifiers, paths, stack frames and
//! verbatim phrases are extracted from the rest (`weigh`, `quotes`, `frames`).

mod frames;
mod logs;
mod quotes;
mod template;
mod value;
mod weigh;

pub(crate) use value::{Frame, Goal};
