//! The imports of a file: the first lines that import, up to other code. As an item they can be
//! addressed, and stand above an item that is shown in full.

use std::ops::Range;

use crate::outline::notation::{Notation, n_open};

/// Finds the imports in the text between two items.
pub(super) fn find(notation: &Notation, text: &str, gap: Range<usize>) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    // The brackets that an import leaves open, and whether its last line goes on.
    let (mut open, mut goes_on) = (0, false);
    let mut start = gap.start;
    for line in text[gap].split_inclusive('\n') {
        let words = line.trim();
        let begin = start + (line.len() - line.trim_start().len());
        let end = start + line.trim_end().len();
        start += line.len();
        // An import within a condition is not one of the whole file.
        let is_first = begin == start - line.len() && notation.is_import(words);
        if open > 0 || goes_on || is_first {
            open = (open + n_open(words)).max(0);
            goes_on = words.ends_with('\\');
            found = Some(found.map_or(begin, |found| found.start)..end);
        } else if found.is_some() && !words.is_empty() && !notation.is_comment(words) {
            break;
        }
    }
    found
}
