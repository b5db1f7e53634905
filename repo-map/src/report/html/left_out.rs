//! The omissions of the map, as far as the levels of the tree do not show them.

use std::collections::BTreeMap;

use serde_json::json;

use super::json_budget::{LIST_BYTES, LONGEST, Object, cut};
use super::page_source::PageSource;
use super::texts::Detail;

/// Adds demoted files, items at other levels, masked secrets, unreadable files, and the conflict.
pub(super) fn put(
    document: &mut Object,
    subject: &PageSource<'_>,
    details: &BTreeMap<usize, Detail>,
    place: &impl Fn(usize) -> Option<u32>,
) {
    let files = || subject.files.iter().enumerate();
    let demoted = files().filter_map(|(at, file)| Some((place(at)?, file.requested?)));
    document.put_rows("demoted", demoted, LIST_BYTES);
    let apart = files().filter(|(_, file)| !file.items.is_empty());
    let apart = apart.filter_map(|(at, file)| {
        let items: Vec<_> = file
            .items
            .iter()
            .map(|item| json!([item.name, item.level, item.lines.0, item.lines.1]))
            .collect();
        Some((place(at)?, items))
    });
    document.put_rows("items", apart, 2 * LIST_BYTES);
    document.put("n_masked", &subject.n_masked);
    let masked = details.iter().filter(|(_, detail)| detail.n_masked > 0);
    document.put_rows(
        "masked",
        masked.filter_map(|(at, detail)| Some((place(*at)?, detail.n_masked))),
        LIST_BYTES,
    );
    let problems = subject
        .problems
        .iter()
        .map(|problem| (cut(&problem.path, LONGEST), cut(&problem.message, LONGEST)));
    document.put_rows("problems", problems, LIST_BYTES);
    document.put("conflict", &subject.conflict.map(|conflict| cut(&conflict.message, LONGEST)));
    let below =
        subject.conflict.map(|conflict| conflict.below_floor.as_slice()).unwrap_or_default();
    document.put_rows("below_floor", below, LIST_BYTES);
}
