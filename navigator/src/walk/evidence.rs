//! How much of a goal a text has: its words, by their rarity on the page.

use std::collections::{BTreeMap, BTreeSet};

use crate::shared::topic_words;

/// What a word of the same stem counts beside the word itself.
const OF_STEM: f64 = 0.7;
/// The shortest stem.
const LEAST_STEM: usize = 4;
/// The longest difference of two words of one stem, in characters.
const MOST_ENDING: usize = 4;

/// The words of a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoalWords(BTreeSet<String>);

impl GoalWords {
    pub(crate) fn of(goal: &str) -> GoalWords {
        GoalWords(words_of(goal))
    }

    /// Weighs the words by their rarity among texts: the inverse document frequency of BM25.
    pub(crate) fn weighed(&self, texts: &[BTreeSet<String>]) -> GoalWeights {
        let n = texts.len() as f64;
        let weight = |word: &String| {
            let n_with = texts.iter().filter(|text| share(word, text) > 0.0).count() as f64;
            ((n - n_with + 0.5) / (n_with + 0.5) + 1.0).ln()
        };
        GoalWeights(self.0.iter().map(|word| (word.clone(), weight(word))).collect())
    }

    /// Weighs all words the same.
    pub(crate) fn equal(&self) -> GoalWeights {
        GoalWeights(self.0.iter().map(|word| (word.clone(), 1.0)).collect())
    }
}

/// The words of a goal with their weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GoalWeights(BTreeMap<String, f64>);

impl GoalWeights {
    /// Returns the share of the goal that a text has, between 0 and 1.
    pub(crate) fn share(&self, text: &BTreeSet<String>) -> f64 {
        let all: f64 = self.0.values().sum();
        let has: f64 = self.0.iter().map(|(word, weight)| weight * share(word, text)).sum();
        if all > 0.0 { has / all } else { 0.0 }
    }

    /// Returns the words of the goal that a text lacks.
    pub(crate) fn missing(&self, text: &BTreeSet<String>) -> Vec<&str> {
        let lacks = |word: &&String| share(word, text) == 0.0;
        self.0.keys().filter(lacks).map(String::as_str).collect()
    }
}

/// Returns the words of a text that can be evidence: those of a topic, and all with a digit.
pub(crate) fn words_of(text: &str) -> BTreeSet<String> {
    let numbers = text
        .split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
        .map(|word| word.trim_matches(['.', '-']).to_lowercase())
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    topic_words(text).into_iter().chain(numbers).collect()
}

/// Returns how much of a word a text has: all of it, or one with the same stem.
fn share(word: &str, text: &BTreeSet<String>) -> f64 {
    if text.contains(word) {
        return 1.0;
    }
    let Some(stem) = word.get(..LEAST_STEM).filter(|_| !word.contains(|c: char| c.is_numeric()))
    else {
        return 0.0;
    };
    let has_stem = |other: &String| {
        let same = word.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        word.len().max(other.len()) - same <= MOST_ENDING
    };
    let similar = text.range(stem.to_owned()..).take_while(|other| other.starts_with(stem));
    if similar.into_iter().any(has_stem) { OF_STEM } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_whole_and_words_by_their_stem() {
        let goal = GoalWords::of("coolant capacity of the 2012 Liberty 3.7");
        let weights = goal.equal();
        assert_eq!(weights.share(&words_of("2012 Liberty 3.7: coolant, capacity")), 1.0);
        assert!(weights.share(&words_of("Cooling System")) > 0.0);
        assert_eq!(weights.share(&words_of("2013 Librarian 3.8")), 0.0);
        assert_eq!(
            weights.missing(&words_of("the coolant of a Liberty, 2012")),
            ["3.7", "capacity"]
        );
    }
}
