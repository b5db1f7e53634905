//! A goal as it is looked up: weighted terms, pairs, identifiers, and what it quotes.

/// A goal, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Goal {
    /// Words in normal form.
    pub(crate) terms: Vec<Term>,
    /// Identifiers as they are written.
    pub(crate) identifiers: Vec<Identifier>,
    /// Paths and file names as they are written, `/` between the parts.
    pub(crate) paths: Vec<String>,
    /// Frames of stack traces, the innermost first.
    pub(crate) frames: Vec<(String, u32)>,
    /// Verbatim pieces of messages and quoted code.
    pub(crate) phrases: Vec<String>,
    /// Two terms that follow each other.
    pub(crate) pairs: Vec<Pair>,
    /// Every word of the goal's title, lower case, singular: for asking whether it speaks of tests,
    /// docs, …
    pub(super) spoken: Vec<String>,
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

/// Two terms that follow each other in the goal, by their positions among the terms; stop words
/// between them do not count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    pub(crate) terms: (u16, u16),
    /// ln(1 + weighted occurrences), as for one term.
    pub(crate) weight: f64,
}

/// An identifier of the goal, compared as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identifier {
    pub(crate) word: String,
    /// ln(1 + weighted mentions) times how sure it is that the word is an identifier.
    pub(crate) weight: f64,
    /// Whether it looks like code at all: an item of that name deserves a place of its own.
    pub(crate) is_code: bool,
}

impl Goal {
    /// How many terms and pairs there are. A position is that of a term or, after the terms, of a
    /// pair.
    pub(crate) fn n_terms(&self) -> usize {
        self.terms.len() + self.pairs.len()
    }

    /// Whether a position is a term's.
    pub(crate) fn is_term(&self, at: u16) -> bool {
        usize::from(at) < self.terms.len()
    }

    /// The weight of a term or a pair.
    pub(crate) fn weight(&self, at: u16) -> f64 {
        let at = usize::from(at);
        self.terms
            .get(at)
            .map_or_else(|| self.pairs[at - self.terms.len()].weight, |term| term.weight)
    }

    /// The weight of a term in the title; pairs have none.
    pub(crate) fn title_weight(&self, at: u16) -> f64 {
        self.terms.get(usize::from(at)).map_or(0.0, |term| term.title_weight)
    }

    /// A term or a pair in words.
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

    /// Whether there is anything to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.identifiers.is_empty() && self.paths.is_empty()
    }

    /// Whether the goal uses one of these words (lower case, singular).
    pub(crate) fn speaks_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.spoken.iter().any(|spoken| spoken == word))
    }
}
