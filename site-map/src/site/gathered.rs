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
    /// What other pages have of it, by their positions.
    shared: Vec<(usize, Vec<blake3::Hash>)>,
}

impl LargePage {
    /// Takes note of what another page has of it.
    fn compare(&mut self, page: usize, digests: &HashSet<blake3::Hash>) {
        let found = digests.iter().filter(|digest| self.blocks.contains_key(*digest));
        let found: Vec<blake3::Hash> = found.copied().collect();
        if !found.is_empty() {
            self.shared.push((page, found));
        }
    }

    /// Reports whether it says what others say that are not left out themselves.
    fn is_gathering(&self, left_out: &HashSet<usize>) -> bool {
        let length = |digests: &mut dyn Iterator<Item = &blake3::Hash>| {
            digests.map(|digest| self.blocks[digest]).sum::<usize>()
        };
        let all: usize = self.blocks.values().sum();
        let kept = || self.shared.iter().filter(|(page, _)| !left_out.contains(page));
        let most_with_one = kept().map(|(_, found)| length(&mut found.iter())).max();
        let common: HashSet<&blake3::Hash> = kept().flat_map(|(_, found)| found).collect();
        100 * length(&mut common.into_iter()) >= COMMON * all
            && 100 * most_with_one.unwrap_or(0) <= WITH_ONE * all
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
        shared: Vec::new(),
    };
    let mut candidates: Vec<LargePage> = large.iter().take(MOST).map(large_page).collect();
    if candidates.is_empty() {
        return HashSet::new();
    }
    for (at, page) in pages.iter().enumerate() {
        let digests: HashSet<blake3::Hash> = page.iter().map(digest).collect();
        candidates
            .iter_mut()
            .filter(|one| one.page != at)
            .for_each(|one| one.compare(at, &digests));
    }
    // Where two pages say the same, the second one must not be left out for the sake of the first.
    let mut left_out = HashSet::new();
    for candidate in &candidates {
        if candidate.is_gathering(&left_out) {
            left_out.insert(candidate.page);
        }
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::BlockKind;

    /// A page of texts of 8 KB each.
    fn page(texts: &[usize]) -> Vec<PageBlock> {
        let block = |text: &usize| PageBlock {
            kind: BlockKind::Paragraph,
            text: format!("{text:>8}").repeat(1 << 10),
            is_data: true,
            n_linked: 0,
            resumes: None,
        };
        texts.iter().map(block).collect()
    }

    fn check(pages: &[&[usize]], expected: &[usize]) {
        let pages: Vec<Vec<PageBlock>> = pages.iter().map(|texts| page(texts)).collect();
        let pages: Vec<&[PageBlock]> = pages.iter().map(Vec::as_slice).collect();
        assert_eq!(gathered(&pages), expected.iter().copied().collect());
    }

    #[test]
    fn a_manual_in_one_page_is_left_out_beside_its_chapters() {
        let manual: Vec<usize> = (0..9).collect();
        check(&[&manual, &manual[..3], &manual[3..6], &manual[6..]], &[0]);
        check(&[&manual, &manual[..8]], &[]);
        check(&[&manual[..4], &manual[..2], &manual[2..4]], &[]);
    }

    #[test]
    fn no_text_is_left_out_everywhere() {
        let texts: Vec<usize> = (0..27).collect();
        let tag = |of: usize| (0..9).map(|at| 3 * at + of).collect::<Vec<usize>>();
        let tags = [tag(0), tag(1), tag(2)];
        let months = texts.chunks(9);
        let pages: Vec<&[usize]> = months.chain(tags.iter().map(Vec::as_slice)).collect();
        check(&pages, &[3, 4, 5]);
    }
}
