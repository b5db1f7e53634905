//! Tables of contents that no tool marks: lists of links whose words are the headings of the page.

use std::collections::HashSet;

use crate::page::{BlockKind, PageBlock};

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
    for at in 0..blocks.len() {
        if !dropped[at] && names_headings(&blocks[at], &headings) {
            dropped[at] = true;
            drop_title(blocks, at, dropped);
        }
    }
}

fn title(block: &PageBlock) -> Option<&str> {
    match &block.kind {
        BlockKind::Heading(heading) => Some(&heading.title),
        BlockKind::Paragraph | BlockKind::Code | BlockKind::List | BlockKind::Table => None,
    }
}

/// Reports whether a block is a list of links, and nearly all of its items are headings.
fn names_headings(block: &PageBlock, headings: &HashSet<String>) -> bool {
    if block.kind != BlockKind::List || block.is_data {
        return false;
    }
    let (mut n_items, mut n_names) = (0, 0);
    for line in block.text.lines() {
        let words = line.trim_start().trim_start_matches("- ");
        n_items += 1;
        n_names += usize::from(headings.contains(&name(words)));
    }
    n_names >= MIN_NAMES && n_names * SHARE.1 >= n_items * SHARE.0
}

/// Drops the title of a list that was dropped: a heading that nothing else is below, or words that
/// say what the list was.
fn drop_title(blocks: &[PageBlock], list: usize, dropped: &mut [bool]) {
    let Some(above) = (0..list).rev().find(|at| !dropped[*at]) else { return };
    let next = (list + 1..blocks.len()).find(|at| !dropped[*at]);
    dropped[above] = match &blocks[above].kind {
        BlockKind::Heading(heading) => {
            heading.level > 1 && next.is_none_or(|next| title(&blocks[next]).is_some())
        }
        BlockKind::Paragraph => TITLES.contains(&name(&blocks[above].text).as_str()),
        BlockKind::Code | BlockKind::List | BlockKind::Table => false,
    };
}

/// Returns a heading as it is compared: without its number, marks and case.
fn name(title: &str) -> String {
    let title = title.trim_start_matches(|c: char| c.is_ascii_digit() || ".) \\".contains(c));
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
