//! Nearness in meaning: a vector for each word, learned from a language model once and kept as a
//! table, so that a question finds a page that says the same in other words.
//!
//! A text's vector is the normed sum of its word pieces' vectors, each times √tf; two texts are as
//! near as the cosine of their vectors. No model runs here: the table holds what one said of many
//! texts.

mod table;
mod wordpiece;

use table::{DIMENSIONS, Table};

/// The number of words of a section that make its vector.
const WORDS_OF_A_SECTION: usize = 180;
/// The weight of a word after the first line of a goal, next to one in it.
const WEIGHT_OF_BODY: f64 = 0.5;
/// The factor for a page with one section, which has no second one to confirm the first.
const ONE_SECTION: f64 = 0.97;

/// The direction of a text in the space of meaning, of length 1; of length 0 for a text without
/// known words.
#[derive(Debug, Clone, PartialEq)]
pub struct TextVector([f64; DIMENSIONS]);

impl TextVector {
    /// Returns the vector of a goal, whose first line counts twice.
    pub fn of_goal(goal: &str) -> TextVector {
        let (title, body) = goal.split_once('\n').unwrap_or((goal, ""));
        TextVector::of(&[(title, 1.0), (body, WEIGHT_OF_BODY)])
    }

    /// Returns the vector of a section of a page, whose text starts with its heading, or of a link
    /// with the words of the heading above it.
    pub fn of_section(title: &str, text: &str) -> TextVector {
        let mut n_words = WORDS_OF_A_SECTION;
        let parts = [title, text].map(|part| (first_words(part, &mut n_words), 1.0));
        TextVector::of(&parts)
    }

    fn of(parts: &[(&str, f64)]) -> TextVector {
        let table = Table::get();
        let mut pieces: Vec<(u16, f64)> = Vec::new();
        for (text, weight) in parts {
            wordpiece::for_each_piece(text, table, |piece| pieces.push((piece, *weight)));
        }
        pieces.sort_by_key(|(piece, _)| *piece);
        let mut vector = [0.0; DIMENSIONS];
        for same in pieces.chunk_by(|a, b| a.0 == b.0) {
            let tf: f64 = same.iter().map(|(_, weight)| weight).sum();
            let (row, scale) = table.row(same[0].0);
            let scale = scale * libm::sqrt(tf);
            for (sum, value) in vector.iter_mut().zip(row) {
                *sum += scale * f64::from(value.cast_signed());
            }
        }
        let length = libm::sqrt(vector.iter().map(|value| value * value).sum());
        if length > 0.0 {
            vector.iter_mut().for_each(|value| *value /= length);
        }
        TextVector(vector)
    }

    /// Returns the cosine of two vectors.
    pub fn cosine(&self, other: &TextVector) -> f64 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }

    /// Returns the two sections of a page that are nearest, by their positions. The shares are half
    /// of their cosines, so that they add up to the mean, which is the nearness of the page.
    pub(crate) fn nearest(&self, sections: impl Iterator<Item = TextVector>) -> Vec<(usize, f64)> {
        let cosines = sections.map(|section| self.cosine(&section).clamp(0.0, 1.0));
        let mut nearest: Vec<(usize, f64)> = cosines.enumerate().collect();
        let share = if nearest.len() == 1 { ONE_SECTION } else { 0.5 };
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        nearest.truncate(2);
        nearest.iter_mut().for_each(|(_, cosine)| *cosine *= share);
        nearest.retain(|(_, share)| *share > 0.0);
        nearest
    }
}

/// Returns the text up to its `n`th word, and takes the words from `n`.
fn first_words<'t>(text: &'t str, n: &mut usize) -> &'t str {
    let mut end = 0;
    for word in text.split_whitespace().take(*n) {
        *n -= 1;
        end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearness(goal: &str, section: &str) -> f64 {
        let section = TextVector::of_section("Manual", section);
        let nearest = TextVector::of_goal(goal).nearest([section].into_iter());
        nearest.iter().map(|(_, share)| share).sum()
    }

    #[test]
    fn other_words_of_the_same_meaning_are_near() {
        let goal = "delete a folder with everything inside";
        let near = nearness(goal, "Remove an entire directory tree and all its files.");
        let far = nearness(goal, "Open a socket and listen for connections on a port.");
        assert!(near > far + 0.2, "{near} {far}");
    }

    #[test]
    fn a_text_without_known_words_is_near_to_nothing() {
        assert_eq!(TextVector::of_goal("??? ...").nearest(std::iter::empty()), []);
        assert_eq!(nearness("??? ...", "Remove a directory."), 0.0);
    }

    #[test]
    fn the_two_nearest_sections_make_the_nearness_of_a_page() {
        let texts = ["Open a socket.", "Delete a folder.", "Remove a directory."];
        let sections = texts.map(|text| TextVector::of_section("", text));
        let nearest = TextVector::of_goal("delete a folder").nearest(sections.into_iter());
        assert_eq!(nearest.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1, 2]);
        assert!((nearest[0].1 - 0.5).abs() < 1e-9, "{nearest:?}");
    }

    #[test]
    fn only_the_first_words_of_a_section_count() {
        let long = "word ".repeat(WORDS_OF_A_SECTION - 1);
        let longer = format!("{long} directory");
        let of = |text: &str| TextVector::of_section("one", text);
        assert_eq!(of(&long), of(&longer));
        assert_eq!(first_words(" a b ", &mut 1), " a");
    }
}
