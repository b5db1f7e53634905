//! Text processing: sanitizing, masking of secrets, token counts, words, counts in words,
//! beginnings of long texts, suggestions for misspelled names.
//!
//! Everything that leaves the program is [`sanitize::Sanitized`]. Nothing here knows files or
//! plans.

pub(crate) mod counts;
pub(crate) mod cut;
pub(crate) mod mask;
mod mask_rules;
pub(crate) mod sanitize;
pub mod suggest;
pub(crate) mod tokens;
mod vocabulary;
pub(crate) mod words;
