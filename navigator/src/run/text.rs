//! Texts shortened to one line.

use crate::shared::{Sanitized, cut};

/// Shortens a text to one line of at most `most` characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    cut(&Sanitized::text(text).replace(['\n', '\t'], " "), most).into_owned()
}
