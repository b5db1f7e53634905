//! What a goal says: its words, and what it quotes of the code.
//!
//! A goal is two words ("auth middleware") or a whole issue with logs and templates. What tells
//! nothing about code is dropped first (`template`); then words, identifiers, paths, stack frames
//! and verbatim phrases are drawn from what is left (`weigh`, `quotes`).

mod quotes;
mod template;
mod value;
mod weigh;

pub(crate) use value::Goal;
