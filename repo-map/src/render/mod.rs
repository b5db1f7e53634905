//! Selection → text: the form of a file, an item or a folder at each level, and its price in
//! tokens.
//!
//! A price is the token count of the printed text itself, so that sizes add up. Blocks end where no
//! tokenizer merges across: each ends with a line break and begins with neither a line break nor a
//! slash (o200k_base merges punctuation with both, as in `}\n//`).

mod choice;
mod first_paragraph;
mod group;
mod indents;
mod lines;
mod page;
mod price;
mod style;

pub(crate) use choice::{CheapImports, Choice, header_level};
pub(crate) use first_paragraph::length_of_intro;
pub(crate) use lines::{NO_OUTLINE, fold_line, footer, header, path_line, rest_of_folder_line};
pub(crate) use page::{Page, PageNotes};
pub(crate) use price::FilePrice;
pub(crate) use style::Style;
