//! The extent of items: sections of headings, items in several parts, and items that overlap.

use std::collections::HashMap;
use std::ops::Range;

use crate::outline::capture::Captured;
use crate::outline::item::{Item, LineStarts};

/// Ends each section, which has no node of its own, at the next heading of its rank or higher.
pub(super) fn end_sections(found: &mut [Captured], text: &str) {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for (at, item) in found.iter().enumerate() {
        let Some(rank) = item.section else { continue };
        while let Some((_, before)) = open.pop_if(|(other, _)| *other >= rank) {
            ends.push((before, item.node.start));
        }
        open.push((rank, at));
    }
    ends.extend(open.into_iter().map(|(_, at)| (at, text.len())));
    for (at, end) in ends {
        let start = found[at].node.start;
        let end = start + text[start..end].trim_end().len();
        found[at].node.end = end;
        // A heading in HTML may contain another.
        found[at].signature_end = found[at].signature_end.map(|signature| signature.min(end));
    }
}

/// Drops what begins in an aside. Both are in the order of the text.
pub(super) fn drop_asides(found: &mut Vec<Captured>, mut asides: Vec<Range<usize>>) {
    asides.sort_by_key(|aside| aside.start);
    let mut asides = asides.into_iter().peekable();
    let mut end = 0;
    found.retain(|item| {
        while let Some(aside) = asides.next_if(|aside| aside.start <= item.node.start) {
            end = end.max(aside.end);
        }
        end <= item.node.start
    });
}

/// Returns the first of some comments, joined with those that follow without a blank line.
pub(super) fn first_block(mut comments: Vec<Range<usize>>, text: &str) -> Option<Range<usize>> {
    comments.sort_by_key(|comment| (comment.start, comment.end));
    comments.into_iter().reduce(|block, next| {
        let gap = text.get(block.end..next.start).unwrap_or_default();
        let follows =
            gap.trim().is_empty() && gap.bytes().filter(|byte| *byte == b'\n').count() <= 1;
        if follows { block.start..block.end.max(next.end) } else { block }
    })
}

pub(super) fn continue_item(item: &mut Item, node: &Range<usize>, line_starts: &LineStarts) {
    item.span.end = item.span.end.max(node.end);
    if let Some(body) = &mut item.body {
        body.end = body.end.max(node.end);
    }
    item.lines.1 = line_starts.line(item.span.end.max(1) - 1);
}

/// Ends each item before its next sibling, and within its parent. Some grammars include in an item
/// the text above the next one, such as its comment, and in broken code a node can extend past its
/// parent.
pub(super) fn clip(items: &mut [Item], text: &str, line_starts: &LineStarts) {
    let mut last_of: HashMap<Option<usize>, usize> = HashMap::new();
    for at in 0..items.len() {
        let start = items[at].span.start;
        let Some(before) = last_of.insert(items[at].parent, at) else { continue };
        if items[before].head.end <= start {
            end_by(&mut items[before], start, text, line_starts);
        }
    }
    for at in 0..items.len() {
        let start = items[at].span.start;
        let around = std::iter::successors(items[at].parent, |parent| items[*parent].parent);
        let parent = around.into_iter().find(|parent| start < items[*parent].span.end);
        items[at].parent = parent;
        if let Some(parent) = parent {
            let kind = items[at].kind;
            items[parent].holds(kind);
            let end = items[parent].span.end;
            end_by(&mut items[at], end, text, line_starts);
        }
    }
}

/// Cuts an item at `end`, and drops the white space before that.
fn end_by(item: &mut Item, end: usize, text: &str, line_starts: &LineStarts) {
    if item.span.end <= end {
        return;
    }
    let end = item.span.start + text[item.span.start..end].trim_end().len();
    item.span.end = end;
    item.lines.1 = line_starts.line(end.max(1) - 1);
    item.head.end = item.head.end.min(end);
    let within = |range: Range<usize>| {
        Some(range.start..range.end.min(end)).filter(|range| range.start < range.end)
    };
    item.doc = item.doc.take().and_then(within);
    item.body = item.body.take().and_then(within);
}
