//! The size of each file: the tokens of a map that shows as much of it as possible.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::page_source::PageSource;
use super::texts::Detail;
use crate::level::Level;
use crate::map::FileReport;
use crate::outline::Outline;
use crate::render::{self, Page};
use crate::source::scan::{self, Mark};

/// The maximum number of bytes read for counting, best files first; the sizes of the others are
/// estimates.
const COUNTED_BYTES: u64 = 64 << 20;

/// The size of one file.
pub(super) struct Size {
    pub(super) tokens: u32,
    /// Counted, not estimated from bytes.
    pub(super) is_exact: bool,
    /// The mark of a file without text: only its path can be shown.
    pub(super) textless: Option<Mark>,
}

/// Returns the size of every file, as `repo-map tree` counts it in full.
pub(super) fn sizes(
    subject: &PageSource<'_>,
    order: &[usize],
    details: &BTreeMap<usize, Detail>,
) -> Vec<Size> {
    let mut bytes = 0;
    let mut is_counted = vec![false; order.len()];
    for file in order.iter().filter(|file| !details.contains_key(file)) {
        bytes += subject.tree.files[*file].bytes.min(scan::MAX_FILE_BYTES);
        is_counted[*file] = bytes <= COUNTED_BYTES;
    }
    let size = |(file, report): (usize, &FileReport)| match details.get(&file) {
        Some(detail) => Size { tokens: detail.whole, is_exact: true, textless: detail.textless },
        None if is_counted[file] => counted(subject, file),
        None => estimated(subject, file, report),
    };
    subject.files.par_iter().enumerate().with_max_len(8).map(size).collect()
}

fn counted(subject: &PageSource<'_>, file: usize) -> Size {
    let (entry, style) = (&subject.tree.files[file], subject.style());
    let source = scan::read(entry, subject.plan.scan.gate());
    match source.mark.filter(|mark| !mark.has_text()) {
        Some(mark) => without_text(subject, file, mark),
        None => {
            // A text in full does not depend on its outline.
            let outline = Outline::default();
            let page = Page::new(
                &entry.path,
                subject.languages.of(&entry.path, &source),
                &source.text,
                &outline,
            );
            Size {
                tokens: style.tokenizer.count(&page.full(style)),
                is_exact: true,
                textless: None,
            }
        }
    }
}

/// Returns the size without reading the file; it assumes four bytes per token.
fn estimated(subject: &PageSource<'_>, file: usize, report: &FileReport) -> Size {
    let known = || Mark::ALL.into_iter().find(|mark| report.mark == Some(mark.as_str()));
    let entry = &subject.tree.files[file];
    match scan::mark_of_entry(entry).or_else(known).filter(|mark| !mark.has_text()) {
        Some(mark) => without_text(subject, file, mark),
        None if report.level == Level::Full => {
            Size { tokens: report.tokens, is_exact: true, textless: None }
        }
        None => Size {
            tokens: u32::try_from(entry.bytes.div_ceil(4)).unwrap_or(u32::MAX),
            is_exact: false,
            textless: None,
        },
    }
}

fn without_text(subject: &PageSource<'_>, file: usize, mark: Mark) -> Size {
    let style = subject.style();
    let path = &subject.tree.files[file].path;
    let line = render::path_line(path, subject.tree.title(path), Some(mark.as_str()), style);
    Size { tokens: style.tokenizer.count(&line), is_exact: true, textless: Some(mark) }
}

/// Returns the number of files without text for each mark, in the order of the marks.
pub(super) fn textless(sizes: &[Size]) -> Vec<(&'static str, usize)> {
    let n = |mark: Mark| sizes.iter().filter(|size| size.textless == Some(mark)).count();
    Mark::ALL.into_iter().map(|mark| (mark.as_str(), n(mark))).filter(|(_, n)| *n > 0).collect()
}
