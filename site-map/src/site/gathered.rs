//! Pages that gather what other pages say: a whole manual in one page, beside its chapters.

use std::collections::{HashMap, HashSet};

use crate::page::PageBlock;
use crate::site::repeated::digest;

/// The smallest page that can gather others, in bytes of Markdown. A smaller one crowds nothing.
const LEAST: usize = 64 << 10;
/// The most pages that are looked at, the largest ones.
const MOST: usize = 16;
/// The share of its text that a gathering page has in common with others, in percent.
const COMMON: usize = 90;
/// The largest share that it has in common with one of them, in percent. A page that is a part of a
/// gathering one has all of its text in common with it.
const WITH_ONE: usize = 50;

/// A page that may gather others.
struct LargePage {
    page: usize,
    /// Its blocks with their sizes.
    blocks: HashMap<blake3::Hash, usize>,
    /// What other pages have of it.
    common: HashSet<blake3::Hash>,
    most_with_one: usize,
}

impl LargePage {
    fn is_gathering(&self) -> bool {
        let length: usize = self.blocks.values().sum();
        let common: usize = self.common.iter().map(|digest| self.blocks[digest]).sum();
        100 * common >= COMMON * length && 100 * self.most_with_one <= WITH_ONE * length
    }

    /// Counts what another page has of it.
    fn compare(&mut self, digests: &HashSet<blake3::Hash>) {
        let found = digests.iter().filter(|digest| self.blocks.contains_key(*digest));
        let found: Vec<blake3::Hash> = found.copied().collect();
        let with_one = found.iter().map(|digest| self.blocks[digest]).sum();
        self.most_with_one = self.most_with_one.max(with_one);
        self.common.extend(found);
    }
}

/// Returns the positions of the pages that gather others.
pub(super) fn gathered(pages: &[&[PageBlock]]) -> HashSet<usize> {
    let length = |at: &usize| pages[*at].iter().map(|block| block.text.len()).sum::<usize>();
    let mut large: Vec<(usize, usize)> = (0..pages.len())
        .map(|at| (length(&at), at))
        .filter(|(length, _)| *length >= LEAST)
        .collect();
    large.sort_by(|one, other| other.cmp(one));
    let large_page = |(_, page): &(usize, usize)| LargePage {
        page: *page,
        blocks: pages[*page].iter().map(|block| (digest(block), block.text.len())).collect(),
        common: HashSet::new(),
        most_with_one: 0,
    };
    let mut candidates: Vec<LargePage> = large.iter().take(MOST).map(large_page).collect();
    if candidates.is_empty() {
        return HashSet::new();
    }
    for (at, page) in pages.iter().enumerate() {
        let digests: HashSet<blake3::Hash> = page.iter().map(digest).collect();
        candidates.iter_mut().filter(|one| one.page != at).for_each(|one| one.compare(&digests));
    }
    candidates.iter().filter(|one| one.is_gathering()).map(|one| one.page).collect()
}
