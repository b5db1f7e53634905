//! Small texts: numbers of things in words, and long texts on one line.

use crate::shared::Sanitized;

/// A number of things, in words.
pub(crate) fn n_of(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// A text as one line of at most so many characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let text = Sanitized::text(text).replace(['\n', '\t'], " ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
