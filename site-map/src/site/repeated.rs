//! What repeats on most pages of a site: banners, menus that no rule knows, notices, footers.
//!
//! Pages of one kind have headings and short sentences in common too: `Parameters`, `Returns`,
//! `Never NULL.`. Those are content. So a block is dropped by its place: at the edge of its page,
//! or in a run of blocks that repeat. Definitions that most pages repeat are inherited members:
//! they stay on one page, that to which most pages link.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::page::{BlockKind, PageBlock, PageForm, TITLE_RANK};

/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;
/// The fewest blocks in a row that are dropped amid the content of a page.
const MIN_RUN: usize = 3;
/// The lowest rank of the sections of a page.
const SECTION_RANK: u8 = 2;

/// The blocks that stand on more than half of the pages, by their digest.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    blocks: HashSet<blake3::Hash>,
    /// Of each member among them its own page, by the digest of that page.
    owners: HashMap<blake3::Hash, blake3::Hash>,
}

impl Repeated {
    /// Finds the blocks that repeat on pages, each with the number of pages that link to it. One
    /// page under several addresses is one page: what it says repeats nowhere.
    pub(super) fn of<'p>(pages: impl Iterator<Item = (&'p [PageBlock], usize)>) -> Repeated {
        let mut counts: HashMap<blake3::Hash, usize> = HashMap::new();
        let mut known: HashSet<blake3::Hash> = HashSet::new();
        let mut n_pages = 0;
        let mut owners: HashMap<blake3::Hash, (usize, blake3::Hash)> = HashMap::new();
        for (blocks, n_links) in pages {
            let digests: Vec<blake3::Hash> = blocks.iter().map(digest).collect();
            let page = of_all(&digests);
            if !known.insert(page) {
                continue;
            }
            n_pages += 1;
            for (_, member) in blocks.iter().zip(&digests).filter(|(one, _)| is_member(one)) {
                let owner = owners.entry(*member).or_insert((n_links, page));
                if n_links > owner.0 {
                    *owner = (n_links, page);
                }
            }
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
        let blocks: HashSet<blake3::Hash> = most.map(|(digest, _)| digest).collect();
        let owners = owners.into_iter().filter(|(member, _)| blocks.contains(member));
        let owners = owners.map(|(member, (_, page))| (member, page)).collect();
        Repeated { blocks, owners }
    }

    /// Returns for each block of a page whether it is dropped.
    pub(super) fn dropped(&self, blocks: &[PageBlock]) -> Vec<bool> {
        let digests: Vec<blake3::Hash> = blocks.iter().map(digest).collect();
        let mut dropped: Vec<bool> =
            digests.iter().map(|digest| self.blocks.contains(digest)).collect();
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
        self.keep_own_members(blocks, &digests, &mut dropped);
        dropped
    }

    /// Keeps the members whose own page this is, with the text below them.
    fn keep_own_members(
        &self,
        blocks: &[PageBlock],
        digests: &[blake3::Hash],
        dropped: &mut [bool],
    ) {
        let mut own_page = None;
        let mut is_kept = false;
        for at in 0..blocks.len() {
            if let Some(owner) = self.owners.get(&digests[at]).filter(|_| is_member(&blocks[at])) {
                is_kept = own_page.get_or_insert_with(|| of_all(digests)) == owner;
            } else if rank(&blocks[at]).is_some() {
                is_kept = false;
            }
            dropped[at] &= !is_kept;
        }
    }
}

fn rank(block: &PageBlock) -> Option<u8> {
    match &block.kind {
        BlockKind::Heading(heading) => Some(heading.level),
        BlockKind::Paragraph | BlockKind::Code | BlockKind::List | BlockKind::Table => None,
    }
}

/// Reports whether a heading has content below it that stays. Below the name of the site stands
/// the whole page: only the text before the next heading counts. What stands after a form goes on
/// with the section around it.
fn heads_content(blocks: &[PageBlock], dropped: &[bool], at: usize) -> bool {
    let own = rank(&blocks[at]);
    let is_name = at == 0 || own == Some(TITLE_RANK);
    let below = blocks.iter().zip(dropped).skip(at + 1);
    below
        .take_while(|(block, _)| rank(block).is_none() || !is_name && rank(block) > own)
        .take_while(|(block, _)| block.resumes.is_none() || is_name || block.resumes > own)
        .any(|(_, dropped)| !dropped)
}

/// Reports whether a run of repeated blocks stands at an edge of its page, has a form or nothing
/// but links, or is too long for a sentence of the content.
fn is_apart(blocks: &[PageBlock], run: &Range<usize>) -> bool {
    let of_run = &blocks[run.clone()];
    let is_menu =
        of_run.iter().all(|block| !block.is_data) && of_run.iter().any(|one| rank(one).is_none());
    let has_form = of_run.iter().any(is_form);
    run.start == 0 || run.end == blocks.len() || run.len() >= MIN_RUN || is_menu || has_form
}

/// Reports whether a block is the heading of the fields of a form.
fn is_form(block: &PageBlock) -> bool {
    let BlockKind::Heading(heading) = &block.kind else { return false };
    heading.is_definition && PageForm::is_title(&heading.title)
}

/// Reports whether a block is the heading of a definition, or one deep in its page that links can
/// lead to: generators that no rule knows head their members so. A form on most pages is a menu.
fn is_member(block: &PageBlock) -> bool {
    let BlockKind::Heading(heading) = &block.kind else { return false };
    let is_deep = heading.level > SECTION_RANK && !heading.anchors.is_empty();
    (heading.is_definition || is_deep) && !PageForm::is_title(&heading.title)
}

fn of_all(digests: &[blake3::Hash]) -> blake3::Hash {
    let mut all = blake3::Hasher::new();
    for digest in digests {
        all.update(digest.as_bytes());
    }
    all.finalize()
}

/// Returns the digest of what a block says.
pub(super) fn digest(block: &PageBlock) -> blake3::Hash {
    blake3::hash(block.text.as_bytes())
}
