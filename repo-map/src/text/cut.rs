//! The beginnings of long texts, with a mark where they are cut.

use std::borrow::Cow;

/// What stands in the place of the rest of a text.
const REST: char = '…';

/// Returns a text of at most so many characters; a longer one ends with `…` after them.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}{REST}", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Does the same, without white space before the `…`.
pub fn cut_trimmed(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}{REST}", text[..end].trim_end())),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_after_its_last_character() {
        for (most, plain, trimmed) in
            [(0, "…", "…"), (2, "é …", "é…"), (3, "é b…", "é b…"), (4, "é bc", "é bc")]
        {
            assert_eq!(cut("é bc", most), plain);
            assert_eq!(cut_trimmed("é bc", most), trimmed);
        }
    }
}
