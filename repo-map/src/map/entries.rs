//! The index entries of files: those judged for the goal, and those priced later.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::map::corpus::Corpus;
use crate::score::index::IndexEntry;
use crate::score::judge::TreeScores;
use crate::source::progress::CancelToken;

/// The entries of a tree. Prices and entries of other files are added on demand. Each is made once
/// and never moved, so that references to it stay valid.
#[derive(Debug)]
pub(crate) struct Entries {
    judged: BTreeMap<usize, IndexEntry>,
    /// The entry of each file of the tree that was not judged or has changed since.
    later: Vec<OnceLock<Box<IndexEntry>>>,
}

impl Entries {
    pub(crate) fn new(judged: BTreeMap<usize, IndexEntry>, n_files: usize) -> Entries {
        Entries { judged, later: (0..n_files).map(|_| OnceLock::new()).collect() }
    }

    /// Returns the files judged in depth, in their state at that time: the source of the scores.
    pub(crate) fn judged(&self) -> &BTreeMap<usize, IndexEntry> {
        &self.judged
    }

    /// Returns the current entry of a file.
    pub(crate) fn get(&self, file: usize) -> Option<&IndexEntry> {
        self.later[file].get().map(Box::as_ref).or_else(|| self.judged.get(&file))
    }

    /// Returns the current entry of each file, in the order of the tree.
    pub(crate) fn now(&self) -> Vec<Option<&IndexEntry>> {
        (0..self.later.len()).map(|file| self.get(file)).collect()
    }

    /// Returns all current entries, in the order of the tree.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &IndexEntry)> {
        (0..self.later.len()).filter_map(|file| Some((file, self.get(file)?)))
    }

    /// Returns the scores of a file's items; `None` for a file that was not judged, or changed
    /// since then and has other items.
    pub(crate) fn item_worth<'s>(
        &self,
        scores: &'s TreeScores,
        file: usize,
        entry: &IndexEntry,
    ) -> Option<&'s [u32]> {
        let is_as_judged = self.judged.get(&file).is_some_and(|judged| std::ptr::eq(judged, entry));
        Some(scores.items.get(&file)?.as_slice()).filter(|_| is_as_judged)
    }

    /// Outlines and prices those of the files that have no price yet.
    pub(crate) fn price(&self, files: &[usize], corpus: &Corpus) {
        let is_unpriced = |file: &usize| self.get(*file).is_none_or(|entry| !entry.is_priced());
        let mut missing: Vec<usize> = files.iter().copied().filter(is_unpriced).collect();
        missing.sort_unstable();
        missing.dedup();
        let known: Vec<_> =
            missing.iter().map(|file| (&corpus.tree.files[*file], self.get(*file))).collect();
        let (words, outlines) = (corpus.caches.words.now(), corpus.caches.outlines.now());
        let never = CancelToken::new();
        let reader = corpus.reader(&words, &outlines, &never);
        for (file, entry) in missing.iter().zip(reader.price(&known)) {
            if let Some(entry) = entry {
                // Another thread may have made the same entry meanwhile.
                let _ = self.later[*file].set(Box::new(entry));
            }
        }
    }
}
