//! The one gate for text from outside: text that has passed is safe to print, to store and to send.
//!
//! Names and contents of files, commit messages, goals, plans, replies of models and messages of
//! servers are data. The gate masks secrets in them, and escapes terminal control characters and
//! invisible characters (`\u{1b}`, `\u{202e}`). Every function that writes takes a [`Sanitized`],
//! so text that has not passed does not compile.

mod hidden;
mod sanitized;

pub(crate) use hidden::{is_line_layout, replace_hidden, visible};
pub use sanitized::{Gate, Sanitized};
pub(crate) use sanitized::{kept, line, lines, named_lines, optional_lines, optional_text};
