//! What repeats on most pages of a site is no content: banners, menus that no rule knows, notices.

use std::collections::{HashMap, HashSet};

use crate::page::PageBlock;

/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;

/// The blocks that stand on more than half of the pages, by their digest.
#[derive(Debug, Default)]
pub(super) struct Repeated(HashSet<blake3::Hash>);

impl Repeated {
    /// Finds the blocks that repeat. One page under several addresses is one page: what it says
    /// repeats nowhere.
    pub(super) fn of<'p>(pages: impl Iterator<Item = &'p [PageBlock]>) -> Repeated {
        let mut counts: HashMap<blake3::Hash, usize> = HashMap::new();
        let mut known: HashSet<blake3::Hash> = HashSet::new();
        let mut n_pages = 0;
        for blocks in pages {
            let digests: Vec<blake3::Hash> = blocks.iter().map(digest).collect();
            let of_all: Vec<u8> = digests.iter().flat_map(|digest| *digest.as_bytes()).collect();
            if !known.insert(blake3::hash(&of_all)) {
                continue;
            }
            n_pages += 1;
            let mut of_page: HashSet<blake3::Hash> = HashSet::new();
            for digest in &digests {
                if of_page.insert(*digest) {
                    *counts.entry(*digest).or_default() += 1;
                }
            }
        }
        if n_pages < MIN_PAGES {
            return Repeated::default();
        }
        let most = counts.into_iter().filter(|(_, n)| 2 * n > n_pages);
        Repeated(most.map(|(digest, _)| digest).collect())
    }

    /// Reports whether a block repeats.
    pub(super) fn has(&self, block: &PageBlock) -> bool {
        self.0.contains(&digest(block))
    }
}

fn digest(block: &PageBlock) -> blake3::Hash {
    blake3::hash(block.text.as_bytes())
}
