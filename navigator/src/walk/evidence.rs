//! How much of a goal a text has: its words, by their rarity on the page.

use std::collections::{BTreeMap, BTreeSet};

use crate::shared::{idf, topic_words};

/// What a word of the same stem counts beside the word itself.
const OF_STEM: f64 = 0.7;
/// The shortest stem.
const LEAST_STEM: usize = 4;
/// What two words of one stem end with after what they have in common: `coolant` and `cooling`, and
/// not `contact` and `control`. The families of words of `repo-map` have fewer endings, since it
/// counts each possible word in all files.
const ENDINGS: [&str; 47] = [
    "", "able", "age", "al", "ally", "ance", "ant", "ary", "ate", "ated", "ation", "d", "e", "ed",
    "en", "ence", "ent", "er", "ers", "es", "ful", "ible", "ic", "ied", "ies", "ing", "ion",
    "ions", "ism", "ist", "ity", "ive", "ize", "less", "ly", "ment", "ness", "nt", "or", "ors",
    "ory", "r", "s", "tion", "tions", "ure", "y",
];

/// What a kind of question counts beside a word of the goal.
const OF_KIND: f64 = 1.0;

/// How manuals head the answers to a kind of question: words of the question, and words of the
/// headings, in normal form. Any one of them is enough.
const KINDS: [(&[&str], &[&str]); 9] = [
    (&["where ", "in which place", "in what place"], &["location", "position"]),
    (&["how much", "how many", "capacity", "capacities"], &["capacity", "quantity", "amount"]),
    (
        &["how do i ", "how can i ", "how to ", "what are the steps", "replace", "remove"],
        &["procedure", "service", "repair", "replacement", "removal", "installation"],
    ),
    (&["how hard", "torque", "tighten", "wrench"], &["torque", "specification"]),
    (&["should i buy", "what sort", "which sort", "what kind", "what type"], &["type"]),
    (&["known trouble", "notice", "bulletin", "recall"], &["bulletin", "notice", "recall"]),
    (&["plug", "connector", "wire", "wiring", "pin "], &["diagram", "connector", "wiring"]),
    (&["measure", "meter show", "test "], &["testing", "inspection", "test", "diagnosis"]),
    (&["how far", "which gap", "adjust"], &["adjustment", "clearance"]),
];
/// Where values stand that none of the kinds above names.
const VALUES: (&[&str], &[&str]) =
    (&["value", "reading", "specif"], &["specification", "reference", "data"]);

/// The words of a goal, and the kinds of question that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WalkGoal {
    words: BTreeSet<String>,
    kinds: Vec<&'static [&'static str]>,
}

impl WalkGoal {
    pub(crate) fn of(goal: &str) -> WalkGoal {
        let text = format!("{} ", goal.to_lowercase());
        let asks = |(questions, _): &&(&[&str], &[&str])| {
            questions.iter().any(|question| text.contains(question))
        };
        let mut kinds: Vec<&'static [&'static str]> =
            KINDS.iter().filter(asks).map(|(_, headings)| *headings).collect();
        if kinds.is_empty() && asks(&&VALUES) {
            kinds.push(VALUES.1);
        }
        WalkGoal { words: words_of(goal), kinds }
    }

    /// Weighs the words by their rarity among texts.
    pub(crate) fn weighed(&self, texts: &[BTreeSet<String>]) -> GoalWeights {
        let n = texts.len() as f64;
        let weight = |word: &String| {
            let n_with = texts.iter().filter(|text| share(word, text) > 0.0).count();
            idf(n, n_with as u32)
        };
        let words = self.words.iter().map(|word| (word.clone(), weight(word))).collect();
        GoalWeights { words, kinds: self.kinds.clone() }
    }

    /// Weighs all words the same.
    pub(crate) fn equal(&self) -> GoalWeights {
        let words = self.words.iter().map(|word| (word.clone(), 1.0)).collect();
        GoalWeights { words, kinds: self.kinds.clone() }
    }
}

/// The words of a goal with their weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GoalWeights {
    words: BTreeMap<String, f64>,
    kinds: Vec<&'static [&'static str]>,
}

impl GoalWeights {
    /// Returns the share of the goal's words that a text has, between 0 and 1.
    pub(crate) fn share(&self, text: &BTreeSet<String>) -> f64 {
        let all: f64 = self.words.values().sum();
        let has: f64 = self.words.iter().map(|(word, weight)| weight * share(word, text)).sum();
        if all > 0.0 { has / all } else { 0.0 }
    }

    /// Returns the share of the goal that a place has, between 0 and 1: its words, and the kind of
    /// question, which its last name alone decides.
    pub(crate) fn share_of_place(&self, place: &BTreeSet<String>, last: &str) -> f64 {
        // A word counts by its weight, a kind of question as a word does on the average.
        let n_words = self.words.len() as f64;
        let n_kinds = self.kinds.len() as f64;
        let last = words_of(last);
        let is_of = |kind: &&&[&str]| kind.iter().any(|word| last.contains(*word));
        let of_words = self.share(place);
        // The heading of a kind alone is that of any topic.
        let n_of_kind = self.kinds.iter().filter(is_of).count() as f64;
        let has = if of_words > 0.0 { n_of_kind } else { 0.0 };
        let all = n_words + OF_KIND * n_kinds;
        let share = if all > 0.0 { (n_words * of_words + OF_KIND * has) / all } else { 0.0 };
        // In millionths, so that no last digit of a logarithm decides an order.
        (share * 1e6).round() / 1e6
    }

    /// Returns the words of the goal that a text lacks.
    pub(crate) fn missing(&self, text: &BTreeSet<String>) -> Vec<&str> {
        let lacks = |word: &&String| share(word, text) == 0.0;
        self.words.keys().filter(lacks).map(String::as_str).collect()
    }
}

/// Returns the words of a text that can be evidence: those of a topic, all with a digit, and those
/// that head the answers to a kind of question, some of which say nothing elsewhere.
pub(crate) fn words_of(text: &str) -> BTreeSet<String> {
    let plain = text
        .split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
        .map(|word| word.trim_matches(['.', '-']).to_lowercase())
        .filter_map(|word| {
            let singular = word.strip_suffix('s').unwrap_or(&word);
            let is_heading = |heading: &&str| *heading == word || *heading == singular;
            let heading = headings().find(is_heading).map(str::to_owned);
            let has_digit = word.contains(|c: char| c.is_ascii_digit());
            heading.or_else(|| has_digit.then(|| word.clone()))
        });
    topic_words(text).into_iter().chain(plain).collect()
}

/// Returns the words that head the answers to any kind of question.
fn headings() -> impl Iterator<Item = &'static str> {
    KINDS.iter().chain([&VALUES]).flat_map(|(_, headings)| headings.iter().copied())
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
        let is_ending = |one: &str| one.get(same..).is_some_and(|end| ENDINGS.contains(&end));
        is_ending(word) && is_ending(other)
    };
    let similar = text.range(stem.to_owned()..).take_while(|other| other.starts_with(stem));
    if similar.into_iter().any(has_stem) { OF_STEM } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_whole_and_words_by_their_stem() {
        let goal = WalkGoal::of("coolant capacity of the 2012 Liberty 3.7");
        let weights = goal.equal();
        assert_eq!(weights.share(&words_of("2012 Liberty 3.7: coolant, capacity")), 1.0);
        assert!(weights.share(&words_of("Cooling System")) > 0.0);
        let of = |goal: &str, text: &str| WalkGoal::of(goal).equal().share(&words_of(text));
        assert_eq!(of("change the contact", "Window Channel, Engine Control"), 0.0);
        assert!(of("adjust the pressure", "Pressing: adjustment") > 0.5);
        assert_eq!(weights.share(&words_of("2013 Librarian 3.8")), 0.0);
        assert_eq!(
            weights.missing(&words_of("the coolant of a Liberty, 2012")),
            ["3.7", "capacity"]
        );
    }
}
