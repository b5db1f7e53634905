//! The signals of files: the statistics over all files, and the causes of one file's score.
//!
//! BM25 and its idf are those of Robertson and Zaragoza 2009.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::score::first_pass::{FileFacts, Lexicon};
use crate::score::goal::Goal;
use crate::score::graph::Graph;
use crate::score::history::Commit;
use crate::score::index::IndexEntry;
use crate::score::signals::causes::{Cause, Causes, Scores, max_normed, total};
use crate::score::signals::kinds::Signal;
use crate::score::words::idf;
use crate::source::changes::ChangedLines;
use crate::source::scan::Tree;

/// The inputs of the signals.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a [FileFacts],
    pub(crate) goal: &'a Goal,
    pub(crate) commits: &'a [Commit],
    pub(crate) graph: &'a Graph,
    /// The lines changed since the revision that the user names, by file.
    pub(crate) changes: &'a BTreeMap<usize, ChangedLines>,
    /// The files in which packages and programs begin, by their text; without a goal only.
    pub(crate) entry_points: &'a BTreeSet<usize>,
    /// Outlined files; empty in the first pass.
    pub(crate) entries: &'a BTreeMap<usize, IndexEntry>,
}

/// The inputs, and the statistics over all of them.
pub(crate) struct FileSignals<'a> {
    pub(super) sources: Sources<'a>,
    /// ln(1 + (n − df + ½) / (df + ½)) of each term over the files that have words, of each pair
    /// over those judged in depth.
    pub(super) idf: Scores,
    /// The number of those files that contain each term or pair.
    pub(super) df: Vec<u32>,
    /// The mean number of words in a file that has any.
    pub(super) words_of_a_file: f64,
    /// The mean number of words in an item judged in depth.
    pub(super) words_of_an_item: f64,
    /// The goal's terms in each path, with their counts.
    pub(super) paths: Vec<Vec<(u16, f64)>>,
    /// The rarity of each identifier of the goal among definitions and mentions, between 0 and 1.
    pub(super) rarity: Scores,
    /// The number of files that contain each phrase.
    pub(super) phrase_df: Vec<u32>,
    /// The file of each stack frame, if exactly one fits.
    pub(super) framed: Vec<Option<usize>>,
    /// For each of those files, its innermost frame and the value of that frame.
    pub(super) frames: BTreeMap<usize, (usize, f64)>,
    /// For each file, the quoted path that matches it and the confidence.
    quoted: BTreeMap<usize, (usize, f64)>,
    /// For each file, the commits similar to the goal that changed it.
    votes: BTreeMap<usize, Causes>,
    /// For each file that changed files depend on, those changed files.
    pub(super) changed_users: BTreeMap<usize, Vec<usize>>,
    /// For each file judged in depth, the scores of its items for the goal's words and its title's.
    pub(super) item_scores: BTreeMap<usize, Vec<ItemScore>>,
}

/// The scores of one item for the goal's words.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ItemScore {
    /// BM25 of the whole goal over items.
    pub(crate) words: f64,
    /// BM25 of the title alone.
    pub(crate) title: f64,
    /// The weighted number of the goal's pairs in it.
    pub(crate) pairs: f64,
}

impl<'a> FileSignals<'a> {
    pub(crate) fn of(sources: Sources<'a>) -> FileSignals<'a> {
        let Sources { facts, goal, .. } = sources;
        let n = facts.iter().filter(|facts| facts.n_words > 0).count() as f64;
        let n_words: f64 = facts.iter().map(|facts| f64::from(facts.n_words)).sum();
        let mut df = vec![0; goal.n_terms()];
        facts
            .iter()
            .flat_map(|facts| &facts.terms)
            .for_each(|(term, _)| df[usize::from(*term)] += 1);
        let mut phrase_df = vec![0; goal.phrases.len()];
        facts
            .iter()
            .flat_map(|facts| &facts.phrases)
            .for_each(|phrase| phrase_df[usize::from(*phrase)] += 1);
        let mut file_signals = FileSignals {
            sources,
            idf: df.iter().map(|df| idf(n, *df)).collect(),
            df,
            words_of_a_file: (n_words / n.max(1.0)).max(1.0),
            words_of_an_item: 1.0,
            paths: terms_of_paths(sources.tree, goal),
            rarity: Vec::new(),
            phrase_df,
            framed: Vec::new(),
            frames: BTreeMap::new(),
            quoted: BTreeMap::new(),
            votes: BTreeMap::new(),
            changed_users: BTreeMap::new(),
            item_scores: BTreeMap::new(),
        };
        file_signals.changed_users = file_signals.changed_users();
        file_signals.rarity = file_signals.rarity();
        file_signals.framed = file_signals.framed();
        file_signals.frames = file_signals.frames();
        file_signals.quoted = file_signals.quoted();
        file_signals.votes = file_signals.votes();
        file_signals
    }

    /// Returns the signals with the files judged in depth, which the sources now contain.
    pub(crate) fn in_depth<'b>(self, sources: Sources<'b>) -> FileSignals<'b>
    where
        'a: 'b,
    {
        let mut file_signals: FileSignals<'b> = FileSignals { sources, ..self };
        let lengths = || {
            sources
                .entries
                .values()
                .flat_map(|entry| entry.defined_words().map(|(_, words)| f64::from(words.n_words)))
        };
        file_signals.words_of_an_item =
            (lengths().sum::<f64>() / lengths().count().max(1) as f64).max(1.0);
        // A pair is searched for only in the items of files judged in depth, so its frequency is
        // counted among those.
        let judged = sources.entries.values().filter(|entry| entry.is_judged());
        let n_judged = judged.clone().count() as f64;
        judged
            .flat_map(IndexEntry::terms)
            .filter(|term| !sources.goal.is_term(*term))
            .for_each(|pair| file_signals.df[usize::from(pair)] += 1);
        for pair in sources.goal.terms.len()..file_signals.df.len() {
            file_signals.idf[pair] = idf(n_judged, file_signals.df[pair]);
        }
        file_signals.rarity = file_signals.rarity();
        // References between files judged in depth are edges, too.
        file_signals.changed_users = file_signals.changed_users();
        file_signals.item_scores = file_signals.item_scores();
        file_signals
    }

    /// Returns the score of every file by a signal that depends on no other, between 0 and 1.
    pub(crate) fn scores(&self, signal: Signal) -> Scores {
        let scores = (0..self.n_files())
            .into_par_iter()
            .map(|file| total(&self.causes(signal, file)))
            .collect();
        match signal {
            // The values of these signals are absolute, so they are not divided by the largest.
            Signal::Message | Signal::Path | Signal::Trace | Signal::Changed | Signal::Meaning => {
                scores
            }
            _ => max_normed(scores),
        }
    }

    /// Returns the causes of a signal for one file, before division by the largest sum. Signals
    /// about neighbouring files have functions of their own.
    pub(crate) fn causes(&self, signal: Signal, file: usize) -> Causes {
        match signal {
            Signal::Words => self.words(file),
            Signal::Items => self.best_items(file, 1, |score| score.words),
            Signal::Title => self.best_items(file, 3, |score| score.title),
            Signal::Pairs => self.best_items(file, 1, |score| score.pairs),
            Signal::Rare => self.rare(file),
            Signal::Definitions => self.definitions(file),
            Signal::Name => self.name(file),
            Signal::Phrase => self.phrases(file),
            Signal::Message => self.message(&self.sources.facts[file].phrases),
            Signal::History => self.votes.get(&file).cloned().unwrap_or_default(),
            Signal::Path => self
                .quoted
                .get(&file)
                .map(|(path, value)| (Cause::Path(*path), *value))
                .into_iter()
                .collect(),
            Signal::Trace => self
                .frames
                .get(&file)
                .map(|(frame, value)| (Cause::Frame(*frame), *value))
                .into_iter()
                .collect(),
            Signal::Changed => self.changed(file),
            Signal::Near => self.near(file),
            Signal::Meaning => self.meaning(file),
            Signal::Tests | Signal::Folder | Signal::Focus | Signal::Landmark => Vec::new(),
            Signal::Rank => self.users(file),
        }
    }

    pub(super) fn n_files(&self) -> usize {
        self.sources.tree.files.len()
    }
}

/// Returns the goal's terms in every path; those of the file's own name count twice.
fn terms_of_paths(tree: &Tree, goal: &Goal) -> Vec<Vec<(u16, f64)>> {
    let lexicon = Lexicon::of(goal);
    let count = |path: &str| {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut tf: BTreeMap<u16, f64> = BTreeMap::new();
        lexicon.for_each_term(folders.as_bytes(), |term| *tf.entry(term).or_default() += 1.0);
        lexicon.for_each_term(stem.as_bytes(), |term| *tf.entry(term).or_default() += 2.0);
        tf.into_iter().collect()
    };
    tree.files.par_iter().map(|file| count(&file.path)).collect()
}
