//! The imports of a file: the first lines that import, up to other code. As an item they can be
//! addressed, and stand above an item that is shown in full.

use std::ops::Range;

use crate::outline::notation::{LineKind, LineKinds, Notation};

/// Finds the imports in the text between two items.
pub(super) fn find(notation: &Notation, text: &str, gap: Range<usize>) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let mut kinds = LineKinds::of(notation);
    let mut start = gap.start;
    for line in text[gap].split_inclusive('\n') {
        let (begin, end) = (start, start + line.trim_end().len());
        start += line.len();
        if begin == end {
            continue;
        }
        // An import within a condition is not one of the whole file.
        let is_indented = line.starts_with([' ', '\t']);
        match (kinds.next(line.trim()), &mut found) {
            (LineKind::Import, Some(found)) => found.end = end,
            (LineKind::Import, None) if !is_indented => found = Some(begin..end),
            (LineKind::Silent | LineKind::Code, Some(_)) => break,
            _ => {}
        }
    }
    found
}
