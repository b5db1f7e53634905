//! Sections of pages that stand in another page too, word for word: a map shows them once.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use crate::outline::{Item, ItemKind};

/// The factor for a section whose words another page has.
const REPEATED: f64 = 0.2;
/// The fewest letters of a section that are no formula: `Parameters: none.`
const LEAST_LETTERS: usize = 80;

/// The sections whose words a better page has, by file and position.
#[derive(Debug, Default)]
pub(crate) struct RepeatedSections(BTreeSet<(usize, usize)>);

impl RepeatedSections {
    /// Finds the repeated sections of pages, each with its score and the digests of its sections.
    /// The page with the highest score keeps a section; of equal ones the first.
    pub(crate) fn of<'p>(
        pages: impl Iterator<Item = (usize, u32, &'p [(usize, u64)])>,
    ) -> RepeatedSections {
        let mut pages: Vec<_> = pages.collect();
        pages.sort_by_key(|(file, score, _)| (Reverse(*score), *file));
        let mut keepers: HashMap<u64, usize> = HashMap::new();
        let mut repeated = BTreeSet::new();
        for (file, _, sections) in pages {
            for (at, digest) in sections {
                if *keepers.entry(*digest).or_insert(file) != file {
                    repeated.insert((file, *at));
                }
            }
        }
        RepeatedSections(repeated)
    }

    /// Returns the factor for an item.
    pub(crate) fn factor(&self, file: usize, at: usize) -> f64 {
        if self.0.contains(&(file, at)) { REPEATED } else { 1.0 }
    }
}

/// Returns the digest of the words of a section, without the marks of its rank; `None` for other
/// items, and for those of few words.
pub(crate) fn digest_of(item: &Item, text: &str) -> Option<u64> {
    if item.kind != ItemKind::Heading {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    let mut n_letters = 0;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        n_letters += word.len();
        hasher.update(word.as_bytes()).update(b" ");
    }
    let digest = hasher.finalize();
    let first = digest.as_bytes().first_chunk().copied().unwrap_or_default();
    (n_letters >= LEAST_LETTERS).then(|| u64::from_le_bytes(first))
}
