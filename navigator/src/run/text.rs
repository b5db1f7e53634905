//! Text helpers: counts with nouns, and shortening to one line.

use crate::shared::{Sanitized, cut};

/// Formats a count with its noun.
pub(crate) fn n_of(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// Shortens a text to one line of at most `most` characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    cut(&Sanitized::text(text).replace(['\n', '\t'], " "), most).into_owned()
}
