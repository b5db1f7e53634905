//! What fell between two maps though no change names it.

use std::cmp::Reverse;

use repo_map::plan::{Rule, range_of};
use repo_map::{FileReport, Level, RepoMap};

use super::change::{RuleChange, RuleTarget};
use crate::run::admission::{Fall, MOST_FALLS};

/// Returns the files whose level fell and the items whose text vanished, though none of the changes
/// names them, their file or their folder; most tokens first.
pub(super) fn fallen(before: &RepoMap, after: &RepoMap, changes: &[RuleChange]) -> Vec<Fall> {
    let is_of_paths = |change: &&RuleChange| matches!(change.target, RuleTarget::Paths(..));
    let rules: Vec<Rule> = changes.iter().filter(is_of_paths).map(RuleChange::rule).collect();
    let names_file = |path: &str| range_of(&rules, path).is_some();
    let names_item = |path: &str, item: &str| {
        changes.iter().any(|change| match &change.target {
            RuleTarget::Item(file, named) => file == path && named.name == item,
            RuleTarget::Paths(..) => false,
        })
    };
    let mut falls: Vec<(u32, Fall)> = Vec::new();
    for (from, to) in before.files.iter().zip(&after.files) {
        let lost = from.tokens.saturating_sub(to.tokens);
        let is_same = from.level == to.level && from.items == to.items;
        if is_same || from.path != to.path || names_file(&from.path) {
            continue;
        }
        if to.level < from.level && from.level >= Level::Path {
            let (name, from, to) = (from.path.clone(), from.level, to.level);
            falls.push((lost, Fall { name, from, to }));
            continue;
        }
        for (item, from, level) in items_lost(from, to) {
            if !names_item(&to.path, item) {
                let name = format!("{}#{item}", to.path);
                falls.push((lost, Fall { name, from, to: level }));
            }
        }
    }
    falls.sort_by_key(|(lost, _)| Reverse(*lost));
    falls.into_iter().map(|(_, fall)| fall).take(MOST_FALLS).collect()
}

/// Returns the items whose bodies were shown and are not any more, with their old and new levels.
fn items_lost<'f>(from: &'f FileReport, to: &FileReport) -> Vec<(&'f str, Level, Level)> {
    let is_shown =
        |lines: (u32, u32)| to.spans.iter().any(|span| span.0 <= lines.0 && lines.1 <= span.1);
    let level_now = |name: &str| {
        let own = to.items.iter().find(|item| item.name == name).map(|item| item.level);
        own.unwrap_or(if to.level >= Level::Outline { to.level } else { Level::Exclude })
    };
    let were_shown = from.items.iter().filter(|item| item.level >= Level::Body);
    let lost = were_shown.filter(|item| to.level < Level::Full && !is_shown(item.lines));
    lost.map(|item| (item.name.as_str(), item.level, level_now(&item.name)))
        .filter(|(.., level)| *level < Level::Body)
        .collect()
}
