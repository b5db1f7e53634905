//! The parsed goal: weighted terms, pairs, identifiers, and quotes of code.

use std::collections::BTreeSet;

use crate::score::words::{for_each_word, is_stop_word};

/// A parsed goal.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Goal {
    /// The words in normal form.
    pub(crate) terms: Vec<Term>,
    /// The identifiers in their spelling.
    pub(crate) identifiers: Vec<Identifier>,
    /// The paths and file names in their spelling, `/` between the parts.
    pub(crate) paths: Vec<String>,
    /// The frames of stack traces, the innermost first.
    pub(crate) frames: Vec<Frame>,
    /// The verbatim phrases of messages and quoted code.
    pub(crate) phrases: Vec<String>,
    /// The positions of those phrases that the goal's title has, sorted.
    pub(crate) title_phrases: Vec<u16>,
    /// The words of a goal that is short enough to be the name of a thing; else none.
    pub(crate) name: BTreeSet<String>,
    /// The pairs of terms that follow each other.
    pub(crate) pairs: Vec<Pair>,
    /// The text, without logs and templates.
    #[cfg(feature = "word-vectors")]
    pub(crate) text: String,
    /// Every word of the goal's title, lower case, singular; for detecting goals about tests,
    /// documentation and so on.
    pub(super) title_words: Vec<String>,
}

/// A quoted place of code: a frame of a stack trace, or `path:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) path: String,
    pub(crate) line: u32,
    /// The name of the function, where the frame has it.
    pub(crate) function: Option<String>,
}

/// A word of the goal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) word: String,
    /// ln(1 + weighted occurrences).
    pub(crate) weight: f64,
    /// ln(1 + occurrences in the title); 0 for a word that is not in it.
    pub(crate) title_weight: f64,
}

/// Two terms that follow each other in the goal, by their positions among the terms. Stop words
/// between them are skipped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    pub(crate) terms: (u16, u16),
    /// ln(1 + weighted occurrences), as for one term.
    pub(crate) weight: f64,
}

/// An identifier of the goal, compared in its exact spelling.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identifier {
    pub(crate) word: String,
    /// ln(1 + weighted mentions) times the confidence that the word is an identifier.
    pub(crate) weight: f64,
    /// Whether it looks like code: an item of that name then gets a signal of its own.
    pub(crate) is_code: bool,
}

impl Goal {
    /// Returns the number of terms and pairs. Positions of terms come first, then those of pairs.
    pub(crate) fn n_terms(&self) -> usize {
        self.terms.len() + self.pairs.len()
    }

    /// Reports whether a position is a term's.
    pub(crate) fn is_term(&self, at: u16) -> bool {
        usize::from(at) < self.terms.len()
    }

    /// Returns the weight of a term or a pair.
    pub(crate) fn weight(&self, at: u16) -> f64 {
        let at = usize::from(at);
        self.terms
            .get(at)
            .map_or_else(|| self.pairs[at - self.terms.len()].weight, |term| term.weight)
    }

    /// Returns the weight of a term in the title; 0 for pairs.
    pub(crate) fn title_weight(&self, at: u16) -> f64 {
        self.terms.get(usize::from(at)).map_or(0.0, |term| term.title_weight)
    }

    /// Returns a term or a pair in words.
    pub(crate) fn term_in_words(&self, at: u16) -> String {
        let word = |at: u16| self.terms[usize::from(at)].word.as_str();
        match self.is_term(at) {
            true => word(at).to_owned(),
            false => {
                let (first, second) = self.pairs[usize::from(at) - self.terms.len()].terms;
                format!("{} {}", word(first), word(second))
            }
        }
    }

    /// Reports whether the goal has each word of a name in its spelling, stop words aside, and one
    /// of them as code.
    pub(crate) fn has_name(&self, name: &str) -> bool {
        let is_alone = self.identifiers.len() == 1;
        let (mut has_all, mut has_code) = (true, false);
        for_each_word(name.as_bytes(), |word, _| {
            let known = self.identifiers.iter().find(|one| one.word.as_bytes() == word);
            has_all &= known.is_some() || is_stop_word(&String::from_utf8_lossy(word));
            has_code |= known.is_some_and(|one| one.is_code || is_alone);
        });
        has_all && has_code
    }

    /// Reports whether the goal has nothing to search for.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.identifiers.is_empty() && self.paths.is_empty()
    }

    /// Reports whether the goal's title has one of these words (lower case, singular).
    pub(crate) fn title_mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.title_words.iter().any(|known| known == word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_has_a_name_as_code_or_as_its_only_word() {
        let has = |goal: &str, name: &str| Goal::read(goal).has_name(name);
        assert!(!has("ConfigParser.get", "configparser.ConfigParser.get"));
        assert!(has("ConfigParser.get", "ConfigParser.get"));
        assert!(has("why is create_engine slow", "create_engine") && has("redeem", "redeem"));
        assert!(!has("how is a session refreshed", "session"));
        assert!(!has("create_engine", "create_pool") && !has("redeem", "get"));
    }
}
