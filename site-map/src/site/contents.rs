//! Tables of contents that no tool marks: lists of links whose words are the headings of the page.

use std::collections::HashSet;
use std::ops::Range;

use repo_map::spaced_words;

use crate::page::{BlockKind, PageBlock, PageTree, TreeNode};

/// The fewest headings that such a list names.
const MIN_NAMES: usize = 3;
/// The share of its items that are headings, as a fraction: a heading may be said in other words.
const SHARE: (usize, usize) = (4, 5);
/// What stands above such a list where it is no heading.
const TITLES: [&str; 5] =
    ["contents", "table of contents", "on this page", "in this page", "sections"];

/// Drops the lists that only name the headings of their page, and what is above them alone: the
/// headings say the same where their sections are.
pub(super) fn drop_contents(blocks: &[PageBlock], dropped: &mut [bool]) {
    let headings: HashSet<String> = blocks.iter().filter_map(title).map(name).collect();
    let mut at = 0;
    while at < blocks.len() {
        let list = at..at + n_of_list(&blocks[at..], &headings);
        at = list.end;
        if !dropped[list.start] && names_headings(&blocks[list.clone()], &headings) {
            dropped[list.clone()].fill(true);
            drop_title(blocks, &list, dropped);
        }
    }
}

/// The share of a list that stands in links, from which it is a table of contents, as a fraction.
const LINKED: (usize, usize) = (3, 5);

/// Returns a nested list of links as a tree; `None` for any other block.
pub(super) fn tree_of(list: &PageBlock) -> Option<PageTree> {
    if list.kind != BlockKind::List || list.n_linked * LINKED.1 < list.text.len() * LINKED.0 {
        return None;
    }
    let mut indents: Vec<usize> = Vec::new();
    let mut nodes = Vec::new();
    for line in list.text.lines() {
        let item = line.trim_start();
        let indent = line.len() - item.len();
        let number = item.trim_start_matches(|c: char| c.is_ascii_digit());
        let label = item.strip_prefix("- ").or_else(|| number.strip_prefix(". "))?;
        indents.retain(|above| *above < indent);
        let depth = indents.len() as u16;
        indents.push(indent);
        // A number at its beginning would be that of an item.
        let label = label.replacen("\\. ", ". ", 1);
        nodes.push(TreeNode { depth, label, anchor: None, link: None });
    }
    let is_nested = nodes.iter().any(|node| node.depth > 0);
    is_nested.then_some(PageTree { block: 0, under: None, nodes, is_whole: true })
}

/// Returns how many blocks from the first one on are one list: a list is one, and paragraphs of
/// links are one for each entry, from the first to the last that names a heading.
fn n_of_list(blocks: &[PageBlock], headings: &HashSet<String>) -> usize {
    let is_entry = |block: &PageBlock| block.kind == BlockKind::Paragraph && !block.is_data;
    let names = |block: &PageBlock| is_entry(block) && headings.contains(&name(&block.text));
    if !blocks.first().is_some_and(names) {
        return 1;
    }
    let n_entries = blocks.iter().take_while(|block| is_entry(block)).count();
    blocks[..n_entries].iter().rposition(names).map_or(1, |last| last + 1)
}

fn title(block: &PageBlock) -> Option<&str> {
    match &block.kind {
        BlockKind::Heading(heading) => Some(&heading.title),
        BlockKind::Paragraph | BlockKind::Code | BlockKind::List | BlockKind::Table => None,
    }
}

/// Reports whether blocks are a list of links, and nearly all of its items are headings.
fn names_headings(list: &[PageBlock], headings: &HashSet<String>) -> bool {
    let is_of_links = |block: &PageBlock| {
        matches!(block.kind, BlockKind::List | BlockKind::Paragraph) && !block.is_data
    };
    if !list.iter().all(is_of_links) {
        return false;
    }
    let (mut n_items, mut n_names) = (0, 0);
    for line in list.iter().flat_map(|block| block.text.lines()) {
        let words = line.trim_start().trim_start_matches("- ");
        n_items += 1;
        n_names += usize::from(headings.contains(&name(words)));
    }
    n_names >= MIN_NAMES && n_names * SHARE.1 >= n_items * SHARE.0
}

fn is_title(words: &str) -> bool {
    TITLES.contains(&name(words).as_str())
}

/// Reports whether a block is below a heading of this level: text, or a heading of a lower rank.
fn is_below(block: &PageBlock, level: u8) -> bool {
    match &block.kind {
        BlockKind::Heading(heading) => heading.level > level,
        BlockKind::Paragraph | BlockKind::Code | BlockKind::List | BlockKind::Table => true,
    }
}

/// Drops the title of a list that was dropped: a heading that nothing else is below, or words that
/// say what the list was.
fn drop_title(blocks: &[PageBlock], list: &Range<usize>, dropped: &mut [bool]) {
    let Some(above) = (0..list.start).rev().find(|at| !dropped[*at]) else { return };
    let next = (list.end..blocks.len()).find(|at| !dropped[*at]);
    dropped[above] = match &blocks[above].kind {
        BlockKind::Heading(heading) => {
            let is_alone = || next.is_none_or(|next| !is_below(&blocks[next], heading.level));
            heading.level > 1 && (is_title(&heading.title) || is_alone())
        }
        BlockKind::Paragraph => is_title(&blocks[above].text),
        BlockKind::Code | BlockKind::List | BlockKind::Table => false,
    };
}

/// Returns a heading as it is compared: without its number, marks and case.
fn name(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || ".) \\".contains(c));
    spaced_words(title)
}
