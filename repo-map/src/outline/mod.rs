//! Text → items: the table of languages, their queries, and the parsers with their limits.
//!
//! A new language is a row in `language.rs`, a query in `queries/` and a fixture in
//! `tests/languages/`.

pub(crate) mod catch_panic;
mod extract;
pub mod language;
pub mod language_files;
pub(crate) mod languages;
pub(crate) mod parse;
mod parse_limits;
pub(crate) mod worker;

pub use extract::{Item, ItemKind, Outline, Trouble, Visibility, outline};
pub(crate) use extract::{LineStarts, MAX_ITEMS, checked_query, outline_with};
