//! Words of the goal in a file: its text, its items, its path, the identifiers it defines.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::score::index::ItemWords;
use crate::score::role::Role;
use crate::score::signals::causes::{Cause, Causes, Scores, saturated};
use crate::score::signals::files::{FileSignals, ItemScore};
use crate::score::signals::kinds::Signal;
use crate::source::location::DocumentKind;

/// The maximum number of files with a phrase, and with a rare term; more frequent ones are ignored.
const PHRASE_FILES: u32 = 30;
const RARE_FILES: u32 = 10;
/// The maximum number of files in which a message stands.
const MESSAGE_FILES: u32 = 3;

impl<'a> FileSignals<'a> {
    /// Returns √tf of each term, damped by the file's length; a word in a defined name counts two
    /// more, one in the path five.
    pub(super) fn words(&self, file: usize) -> Causes {
        let facts = &self.sources.facts[file];
        if facts.n_words == 0 {
            return Vec::new();
        }
        let mut tf: BTreeMap<u16, f64> =
            facts.terms.iter().map(|(term, n)| (*term, f64::from(*n))).collect();
        for (term, n) in &facts.named {
            *tf.entry(*term).or_default() += 2.0 * f64::from(*n);
        }
        for (term, n) in &self.paths[file] {
            *tf.entry(*term).or_default() += 5.0 * n;
        }
        let length = libm::sqrt(0.4 + 0.6 * f64::from(facts.n_words) / self.words_of_a_file);
        let of_terms = tf.into_iter().filter(|(term, _)| self.sources.goal.is_term(*term));
        of_terms
            .map(|(term, tf)| {
                (Cause::Term(term), self.weighted_idf(term) * libm::sqrt(tf) / length)
            })
            .collect()
    }

    /// Returns the terms that at most [`RARE_FILES`] files contain. Of the words of a question
    /// those that a site hardly has are seldom its subject.
    pub(super) fn rare(&self, file: usize) -> Causes {
        if self.sources.tree.kind() == DocumentKind::Page {
            return Vec::new();
        }
        let goal = self.sources.goal;
        let df = |term: u16| self.df[usize::from(term)];
        let terms = self.sources.facts[file].terms.iter().map(|(term, _)| *term);
        let rare = terms.filter(|term| goal.is_term(*term) && df(*term) <= RARE_FILES);
        rare.map(|term| (Cause::Term(term), goal.weight(term) / f64::from(df(term)))).collect()
    }

    /// Returns the terms in the path, saturated as in BM25; those of the file's own name count
    /// twice.
    pub(super) fn name(&self, file: usize) -> Causes {
        let terms = self.paths[file].iter().filter(|(term, _)| self.sources.goal.is_term(*term));
        terms
            .map(|(term, tf)| {
                (Cause::Term(*term), self.weighted_idf(*term) * tf * 2.2 / (tf + 1.2))
            })
            .collect()
    }

    /// Reports whether files can be near the goal in meaning: there is a goal, and they are pages.
    pub(crate) fn has_meaning(&self) -> bool {
        !self.sources.goal.is_empty() && self.sources.tree.kind() == DocumentKind::Page
    }

    /// Returns the nearness in meaning of each page, given the scores by all other signals. The
    /// page that those put first has the largest value, so that it stays first: nearness orders
    /// what words leave open, and is less reliable where they are clear.
    pub(crate) fn meanings(&self, scores: impl Iterator<Item = u32>) -> Scores {
        let mut meanings = self.scores(Signal::Meaning);
        let first = scores.enumerate().max_by_key(|(file, score)| (*score, Reverse(*file)));
        if let Some((first, _)) = first {
            meanings[first] = meanings.iter().copied().fold(0.0, f64::max);
        }
        meanings
    }

    /// Returns the two sections of a page nearest to the goal in meaning.
    pub(super) fn meaning(&self, file: usize) -> Causes {
        let nearest = self.sources.entries.get(&file).map(|entry| entry.nearest.iter());
        let sections = nearest.into_iter().flatten();
        sections.map(|(item, share)| (Cause::Item(*item), *share)).collect()
    }

    fn weighted_idf(&self, term: u16) -> f64 {
        self.sources.goal.weight(term) * self.idf[usize::from(term)]
    }

    /// Returns the identifiers of the goal that the file defines; rarer ones count more.
    pub(super) fn definitions(&self, file: usize) -> Causes {
        let identifiers = &self.sources.goal.identifiers;
        let one = |at: u16| {
            (
                Cause::Identifier(at),
                identifiers[usize::from(at)].weight * self.rarity[usize::from(at)],
            )
        };
        self.defined(file).into_iter().map(one).collect()
    }

    /// Returns the identifiers that the file defines by its outline, or by the survey's guess where
    /// there is no outline.
    fn defined(&self, file: usize) -> Vec<u16> {
        match self.sources.entries.get(&file).filter(|entry| entry.is_judged()) {
            Some(entry) => {
                let names = entry.names();
                let identifiers = self.sources.goal.identifiers.iter().zip(0..);
                identifiers
                    .filter(|(one, _)| names.contains(one.word.as_str()))
                    .map(|(_, at)| at)
                    .collect()
            }
            None => self.sources.facts[file].defines.clone(),
        }
    }

    /// Returns (ln(1 + n / definers) / ln(1 + n))² · ln(1 + n / mentions) / ln(1 + n) of every
    /// identifier.
    pub(super) fn rarity(&self) -> Scores {
        let n_identifiers = self.sources.goal.identifiers.len();
        let (mut defining, mut mentioning) = (vec![0u32; n_identifiers], vec![0u32; n_identifiers]);
        for (file, facts) in self.sources.facts.iter().enumerate() {
            self.defined(file).into_iter().for_each(|one| defining[usize::from(one)] += 1);
            facts.mentions.iter().for_each(|one| mentioning[usize::from(*one)] += 1);
        }
        let n = self.sources.facts.len() as f64;
        let rare = |count: u32| libm::log1p(n / f64::from(count.max(1))) / libm::log1p(n);
        defining
            .into_iter()
            .zip(mentioning)
            .map(|(defining, mentioning)| rare(defining) * rare(defining) * rare(mentioning))
            .collect()
    }

    /// Returns the phrases that few files contain.
    pub(super) fn phrases(&self, file: usize) -> Causes {
        self.phrases_of(&self.sources.facts[file].phrases)
    }

    /// Returns those of the phrases that few files contain; rarer ones count more.
    pub(super) fn phrases_of(&self, phrases: &[u16]) -> Causes {
        let n = self.n_files() as f64;
        let df = |phrase: u16| self.phrase_df[usize::from(phrase)];
        let few = phrases.iter().copied().filter(|phrase| df(*phrase) <= PHRASE_FILES);
        let value = |df: f64| libm::log1p(n / df.max(1.0)) / libm::sqrt(df);
        few.map(|phrase| (Cause::Phrase(phrase), value(f64::from(df(phrase))))).collect()
    }

    /// Returns those of the phrases that the goal's title has and few files have. Two make 1. Pages
    /// quote what others print.
    pub(super) fn message(&self, phrases: &[u16]) -> Causes {
        if self.sources.tree.kind() == DocumentKind::Page {
            return Vec::new();
        }
        let df = |phrase: u16| self.phrase_df[usize::from(phrase)];
        let of_title = |phrase: &u16| self.sources.goal.title_phrases.binary_search(phrase).is_ok();
        let mut found: Causes = phrases
            .iter()
            .copied()
            .filter(|phrase| of_title(phrase) && df(*phrase) <= MESSAGE_FILES)
            .map(|phrase| (Cause::Phrase(phrase), 1.0 / f64::from(df(phrase).max(1))))
            .collect();
        let sum = found.iter().map(|(_, value)| value).sum::<f64>().max(2.0);
        found.iter_mut().for_each(|(_, value)| *value /= sum);
        found
    }

    /// Returns BM25 (k1 1.5, b 0.75) of every item's own text, its name counted three times.
    pub(super) fn item_scores(&self) -> BTreeMap<usize, Vec<ItemScore>> {
        let goal = self.sources.goal;
        let score = |words: &ItemWords| {
            let length = f64::from(words.n_words) / self.words_of_an_item;
            let mut score = ItemScore::default();
            for (term, tf) in &words.terms {
                let (idf, tf) = (self.idf[usize::from(*term)], f64::from(*tf));
                if goal.is_term(*term) {
                    score.words += goal.weight(*term) * idf * saturated(tf, length);
                    score.title += goal.title_weight(*term) * idf * saturated(tf, length);
                } else {
                    score.pairs += goal.weight(*term) * idf * tf / (tf + 1.0);
                }
            }
            score
        };
        self.sources
            .entries
            .par_iter()
            .map(|(file, entry)| (*file, entry.item_words.iter().map(score).collect()))
            .collect()
    }

    /// Returns the items of a file with the highest scores. Those that are tests say less of it.
    pub(super) fn best_items(
        &self,
        file: usize,
        n: usize,
        of: impl Fn(&ItemScore) -> f64,
    ) -> Causes {
        let Some(scores) = self.item_scores.get(&file) else { return Vec::new() };
        let entry = &self.sources.entries[&file];
        // A file of tests has this factor already.
        let of_test = match self.sources.facts[file].role() {
            Role::Test => 1.0,
            _ => Role::Test.factor(Some(self.sources.goal)),
        };
        let factor = |at: usize| if entry.depth.outline.is_test(at) { of_test } else { 1.0 };
        let scores = scores.iter().map(of).enumerate();
        let mut items: Causes =
            scores.map(|(at, score)| (Cause::Item(at), score * factor(at))).collect();
        items.retain(|(cause, score)| {
            *score > 0.0 && !matches!(cause, Cause::Item(at) if entry.is_between(*at))
        });
        items.sort_by(|a, b| b.1.total_cmp(&a.1));
        items.truncate(n);
        items
    }
}
