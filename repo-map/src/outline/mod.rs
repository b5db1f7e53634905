//! Text → items: the table of languages, their queries, and the parsers with their limits.
//!
//! A new language is a row in `language.rs`, a query in `queries/` and a fixture in
//! `tests/languages/`. `extract` processes one text: `parse` it, `capture` the query's matches,
//! `assemble` items.

mod asciidoc;
mod assemble;
mod blocks;
mod capture;
pub(crate) mod catch_panic;
mod exports;
mod extract;
mod grammar;
mod heading;
mod html_headings;
mod imports;
mod item;
pub mod language;
pub mod language_files;
pub(crate) mod languages;
mod macros;
mod names;
mod notation;
pub(crate) mod parse;
mod parse_limits;
mod parsed_length;
mod parts;
mod prose;
mod regions;
mod rst;
mod spans;
mod trouble;
pub(crate) mod worker;

pub(crate) use capture::checked_query;
pub use extract::outline;
pub(crate) use extract::outline_with;
pub(crate) use item::MAX_ITEMS;
pub use item::{Item, ItemKind, Outline, Visibility};
pub(crate) use item::{LineStarts, joined_lines};
pub use trouble::Trouble;
