//! Headings that are read from the lines of a text, without a grammar: of AsciiDoc, RDoc and
//! reStructuredText.

use std::ops::Range;

use crate::outline::capture::Captured;
use crate::outline::item::ItemKind;

/// Returns a heading. `node` is all of it, with the lines under and over its title; its signature
/// ends at `end`.
pub(super) fn heading(
    node: Range<usize>,
    title: Range<usize>,
    end: usize,
    rank: usize,
) -> Captured {
    let mut heading = Captured::new(ItemKind::Heading, node, 0);
    heading.name = Some(title);
    heading.signature_end = Some(end);
    heading.section = Some(u8::try_from(rank).unwrap_or(u8::MAX));
    heading
}

/// Returns the lines of a text, without white space at their ends.
pub(super) fn lines_of(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let line = |line: &str| {
        let range = start..start + line.trim_end().len();
        start += line.len();
        range
    };
    text.split_inclusive('\n').map(line).collect()
}
