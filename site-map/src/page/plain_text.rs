//! What a block says outside of links and of names of images, and how much in them.

/// The fewest letters beside a link that say something: "See also" and "Next:" do not.
const MIN_LETTERS: usize = 15;

/// What a block says outside of links and of names of images.
#[derive(Debug, Default)]
pub(super) struct PlainText {
    n_letters: usize,
    has_digit: bool,
    has_link: bool,
    /// The length of what stands in links, in bytes.
    pub(super) n_linked: usize,
}

impl PlainText {
    pub(super) fn add(&mut self, text: &str) {
        self.n_letters += text.chars().filter(|c| c.is_alphabetic()).count();
        self.has_digit |= text.contains(|c: char| c.is_numeric());
    }

    /// Adds text of a link, or the name of an image.
    pub(super) fn add_linked(&mut self, text: &str) {
        self.has_link |= !text.trim().is_empty();
        let length: usize = text.split_whitespace().map(|word| word.len() + 1).sum();
        self.n_linked += length.saturating_sub(1);
    }

    /// Adds a part of which it is known whether it is data, and how much of it stands in links.
    pub(super) fn add_part(&mut self, is_data: bool, n_linked: usize) {
        self.n_linked += n_linked;
        match is_data {
            true => self.n_letters = self.n_letters.max(MIN_LETTERS),
            false => self.has_link = true,
        }
    }

    /// Reports whether this is a value or a sentence.
    pub(super) fn is_data(&self) -> bool {
        let fewest = if self.has_link { MIN_LETTERS } else { 1 };
        self.has_digit || self.n_letters >= fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_data_and_a_link_with_a_word_beside_it_is_none() {
        let check = |plain: &str, linked: &str, is_data: bool| {
            let mut text = PlainText::default();
            text.add(plain);
            text.add_linked(linked);
            assert_eq!(text.is_data(), is_data, "{plain} [{linked}]");
        };
        check("12 N·m", "", true);
        check("Left fender.", "", true);
        check("See also", "Oil pump", false);
        check("Drain it before you work on the", "oil pump", true);
        check(" | ", "", false);
    }
}
