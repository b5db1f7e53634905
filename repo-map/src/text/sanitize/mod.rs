//! The one gate for text from outside: what passes it is safe to print, to keep, to send and to
//! hand on.
//!
//! Names and contents of files, commit messages, goals, plans, answers of models and messages of
//! servers are data. In them secrets are masked, and characters that a terminal obeys or that
//! nobody sees are written out (`\u{1b}`, `\u{202e}`). Everything that writes takes a
//! [`Sanitized`], so text that has not passed does not compile.

mod hidden;
mod sanitized;

pub(crate) use hidden::{is_line_layout, replace_hidden, visible};
pub use sanitized::{Gate, Sanitized};
pub(crate) use sanitized::{kept, lines, optional_lines, optional_text};
