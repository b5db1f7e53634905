//! What links promise for a goal: by the words that they share with it, and by nearness in meaning.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{TextVector, idf, topic_terms};

/// What the words of the first line of a goal, which is its title, count beside the others.
const OF_TITLE: f64 = 2.0;
/// What a link counts that means the same as the goal: so many words of mean rarity.
///
/// Measured on two manuals with 30 requests and 8 000 tokens. The page with the answer was shown
/// for so many of 45 questions about Django and of 70 about Python, in percent: 57.8 and 47.1 for
/// 0, 71.1 and 54.3 for 3 and 4, 68.9 and 55.7 for 6. The title of the link alone gives 71.1 and
/// 51.4 for 4. Of all 223 questions about Python it is 55.6 for 4 and 54.7 for 0.
const OF_MEANING: f64 = 4.0;

/// What the links to a page promise for a goal. The unit of both parts is the rarity of a word.
///
/// The sum says which page is read first. By meaning every link promises a little, so whether links
/// say anything of the goal at all, and whether a page is worth a request, the words alone say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LinkPromise {
    /// What the words promise that links, headings and the address share with the goal.
    pub(super) by_words: f64,
    /// What nearness in meaning promises.
    pub(super) by_meaning: f64,
}

impl LinkPromise {
    pub(super) fn sum(self) -> f64 {
        self.by_words + self.by_meaning
    }
}

/// The words of a goal with their weights, and what it means.
#[derive(Debug)]
pub(super) struct WantedWords {
    words: BTreeMap<String, WantedWord>,
    meaning: TextVector,
}

/// A word of a goal.
#[derive(Debug, Default)]
pub(super) struct WantedWord {
    /// The normal form of the word, or of a part of an identifier.
    form: String,
    /// The identifiers in the goal that it is a part of, as they stand in texts without capitals.
    wholes: BTreeSet<String>,
    weight: f64,
}

impl WantedWord {
    /// Reports whether words of a text have it, or an identifier that it is a part of.
    pub(super) fn is_in(&self, words: &BTreeSet<String>) -> bool {
        words.contains(&self.form) || self.wholes.iter().any(|whole| words.contains(whole))
    }
}

impl WantedWords {
    pub(super) fn of(goal: &str) -> WantedWords {
        let mut words: BTreeMap<String, WantedWord> = BTreeMap::new();
        let (title, body) = goal.trim().split_once('\n').unwrap_or((goal, ""));
        for (text, weight) in [(title, OF_TITLE), (body, 1.0)] {
            for term in topic_terms(text) {
                for form in term.words {
                    let known = words.entry(form.clone()).or_default();
                    known.form = form;
                    known.wholes.extend(term.whole.clone());
                    known.weight = known.weight.max(weight);
                }
            }
        }
        WantedWords { words, meaning: TextVector::of_goal(goal) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns how near a link is to the goal in meaning, from 0 to 1, by its text and the words of
    /// the heading above it.
    pub(super) fn nearness(&self, text: &str, of_heading: &BTreeSet<String>) -> f64 {
        // A goal without words of its own promises nothing by meaning.
        if self.is_empty() {
            return 0.0;
        }
        let heading: Vec<&str> = of_heading.iter().map(String::as_str).collect();
        let link = TextVector::of_section(text, &heading.join(" "));
        self.meaning.cosine(&link).clamp(0.0, 1.0)
    }

    /// Returns the rarity of each word among so many pages; `n_with` says how many have it.
    pub(super) fn rarity(
        &self,
        n_pages: usize,
        n_with: impl Fn(&WantedWord) -> usize,
    ) -> Vec<(&WantedWord, f64)> {
        let n = n_pages as f64;
        let words = self.words.values();
        words.map(|word| (word, word.weight * idf(n, n_with(word) as u32))).collect()
    }
}

/// Returns what nearness in meaning promises, in the unit of words: the mean rarity of the goal's
/// words times the square of the nearness, since any two texts are a little near.
pub(super) fn by_meaning(nearness: f64, rarity: &[(&WantedWord, f64)]) -> f64 {
    if rarity.is_empty() {
        return 0.0;
    }
    let sum: f64 = rarity.iter().map(|(_, rarity)| rarity).sum();
    OF_MEANING * nearness * nearness * sum / rarity.len() as f64
}

/// Returns what is promised in thousandths, so that equals are equal.
pub(super) fn in_thousandths(promised: f64) -> u64 {
    (1_000.0 * promised) as u64
}

#[cfg(test)]
mod tests {
    use repo_map::topic_words;

    use super::*;

    fn nearness(goal: &str, text: &str, of_heading: &str) -> f64 {
        WantedWords::of(goal).nearness(text, &topic_words(of_heading).into_iter().collect())
    }

    #[test]
    fn a_link_is_near_that_says_the_same_in_other_words() {
        let goal = "delete a folder with everything inside";
        let near = nearness(goal, "Remove an entire directory tree", "");
        assert!(near > nearness(goal, "Open a socket on a port", "") + 0.2, "{near}");
        // What the heading says counts too.
        let below = |heading: &str| nearness(goal, "Functions", heading);
        assert!(below("Remove directories") > below("Open sockets") + 0.1);
    }

    #[test]
    fn a_goal_or_a_link_without_words_promises_nothing_by_meaning() {
        for (goal, text) in [("", "Folder"), ("what is it?", "What is it?"), ("folder", "???")] {
            assert_eq!(nearness(goal, text, ""), 0.0, "{goal}");
        }
        assert_eq!(by_meaning(1.0, &[]), 0.0);
        assert_eq!(by_meaning(0.0, &[(&WantedWord::default(), 2.0)]), 0.0);
    }

    #[test]
    fn nearness_counts_as_words_of_mean_rarity() {
        let word = WantedWord::default();
        let rarity = [(&word, 3.0), (&word, 1.0)];
        assert_eq!(by_meaning(1.0, &rarity), OF_MEANING * 2.0);
        assert_eq!(by_meaning(0.5, &rarity), OF_MEANING * 0.5);
    }
}
