//! What repeats on most pages of a site: banners, menus that no rule knows, notices, footers.
//!
//! Pages of one kind have headings and short sentences in common too: `Parameters`, `Returns`,
//! `Never NULL.`. Those are content. So a block is dropped by its place: at the edge of its page,
//! or in a run of blocks that repeat.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::page::{BlockKind, PageBlock};

/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;
/// The fewest blocks in a row that are dropped amid the content of a page.
const MIN_RUN: usize = 3;
/// The rank of the title of a page, or of the name of a site above all of them.
const TITLE_RANK: u8 = 1;

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

    /// Returns for each block of a page whether it is dropped.
    pub(super) fn dropped(&self, blocks: &[PageBlock]) -> Vec<bool> {
        let mut dropped: Vec<bool> =
            blocks.iter().map(|block| self.0.contains(&digest(block))).collect();
        let first_kept =
            |dropped: &[bool]| dropped.iter().position(|one| !one).unwrap_or(blocks.len());
        // What follows a menu at the beginning is not below the menu's heading.
        let n_leading = first_kept(&dropped);
        for at in (n_leading.saturating_sub(1)..blocks.len()).rev() {
            dropped[at] &= rank(&blocks[at]).is_none() || !heads_content(blocks, &dropped, at);
        }
        let first = first_kept(&dropped);
        let mut start = 0;
        for run in dropped.clone().chunk_by(|one, other| one == other) {
            let range = start..start + run.len();
            start = range.end;
            let is_below_title = range.start == first + 1 && rank(&blocks[first]).is_some();
            if run[0] && !is_below_title && !is_apart(blocks, &range) {
                dropped[range].fill(false);
            }
        }
        dropped
    }
}

fn rank(block: &PageBlock) -> Option<u8> {
    match &block.kind {
        BlockKind::Heading(heading) => Some(heading.level),
        BlockKind::Paragraph | BlockKind::Code | BlockKind::List | BlockKind::Table => None,
    }
}

/// Reports whether a heading has content below it that stays. Below the name of the site stands
/// the whole page: only the text before the next heading counts.
fn heads_content(blocks: &[PageBlock], dropped: &[bool], at: usize) -> bool {
    let own = rank(&blocks[at]);
    let is_name = at == 0 || own == Some(TITLE_RANK);
    let below = blocks.iter().zip(dropped).skip(at + 1);
    below
        .take_while(|(block, _)| rank(block).is_none() || !is_name && rank(block) > own)
        .any(|(_, dropped)| !dropped)
}

/// Reports whether a run of repeated blocks stands at an edge of its page, has nothing but links,
/// or is too long for a sentence of the content.
fn is_apart(blocks: &[PageBlock], run: &Range<usize>) -> bool {
    let of_run = &blocks[run.clone()];
    let is_menu =
        of_run.iter().all(|block| !block.is_data) && of_run.iter().any(|one| rank(one).is_none());
    run.start == 0 || run.end == blocks.len() || run.len() >= MIN_RUN || is_menu
}

/// Returns the digest of what a block says.
pub(super) fn digest(block: &PageBlock) -> blake3::Hash {
    blake3::hash(block.text.as_bytes())
}
