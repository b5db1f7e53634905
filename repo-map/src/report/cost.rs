//! What changing the level of a path would cost: the price list that a pilot chooses from.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::map::corpus::Corpus;
use crate::map::items::{item_levels, items_named};
use crate::map::judged::Judged;
use crate::map::{FileReport, Part, PartKind, RepoMap};
use crate::plan::{Globs, Rule, RuleSet};
use crate::render::{self, Choice};
use crate::score::index::IndexEntry;
use crate::source::scan::{Mark, Tree};

/// What a file costs now and what it would cost at other levels, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCosts {
    /// The path.
    pub path: String,
    /// Its level in the map. For a file of which some items differ, the level of the others.
    pub level: Level,
    /// How many of its items differ from that level.
    pub items_apart: usize,
    /// The level that a rule requested and that did not fit.
    #[serde(rename = "was")]
    pub requested: Option<Level>,
    /// What it costs in the map.
    pub tokens: u32,
    /// What it costs at each level it has, ascending.
    pub prices: Vec<(Level, u32)>,
    /// Items of the file that can be shown in full by themselves, best first.
    pub items: Vec<ItemCost>,
}

/// What an item costs in full, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemCost {
    /// The item's address within its file.
    pub name: String,
    /// Its level in the map.
    pub level: Level,
    /// What it costs in full.
    pub full: u32,
}

/// What it costs to show a folder's files by path, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FolderCost {
    /// The folder, with a slash at its end.
    pub path: String,
    /// How many of its files are folded.
    pub n_files: usize,
    /// All of them as lines.
    pub paths: u32,
}

/// What a rule reaches in a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    /// How many files its glob matches.
    pub n_files: usize,
    /// One of them.
    pub first: Option<String>,
    /// Files that a person's rule keeps from its level, each with the range that is allowed.
    pub beyond: Vec<(String, LevelRange)>,
}

/// The prices of one file, with those of its `n_items` best items. `None` when the tree has no
/// such path.
///
/// # Errors
/// When the map is of another tree.
pub fn file_costs(
    judged: &Judged,
    path: &str,
    map: &RepoMap,
    n_items: usize,
) -> Result<Option<FileCosts>> {
    let Some(file) = judged.position(path) else { return Ok(None) };
    let report = judged.report_in(map, file)?;
    let entry = judged.priced(file);
    let levels = tokens_at_levels(judged, file, entry);
    let prices = Level::ALL
        .into_iter()
        .filter_map(|level| Some((level, *levels.get(level.as_str())?)))
        .collect();
    Ok(Some(FileCosts {
        path: path.to_owned(),
        level: report.level,
        items_apart: report.items.len(),
        requested: report.requested,
        tokens: report.tokens,
        prices,
        items: item_costs(judged, file, entry, report, n_items),
    }))
}

fn item_costs(
    judged: &Judged,
    file: usize,
    entry: &IndexEntry,
    report: &FileReport,
    n: usize,
) -> Vec<ItemCost> {
    let Some(worth) = judged.item_worth(file, entry) else { return Vec::new() };
    let outlined = &entry.depth.outline.items;
    let shown = item_levels(&entry.depth.outline, report);
    let mut order: Vec<usize> = (0..worth.len()).filter(|item| worth[*item] > 0).collect();
    order.sort_by(|a, b| worth[*b].cmp(&worth[*a]).then(a.cmp(b)));
    let mut offered = BTreeSet::new();
    let mut items = Vec::new();
    for item in order {
        // An item and one inside it would be the same tokens offered twice.
        let mut outer = outlined[item].parent;
        while outer.is_some_and(|one| !offered.contains(&one)) {
            outer = outer.and_then(|one| outlined[one].parent);
        }
        if outer.is_some() || outlined[item].has_children {
            continue;
        }
        offered.insert(item);
        items.push(ItemCost {
            name: outlined[item].address(),
            level: shown[item],
            full: entry.price().items[item].full,
        });
        if items.len() == n {
            break;
        }
    }
    items
}

/// What a file costs at each level that it has.
pub(crate) fn tokens_at_levels(
    judged: &Judged,
    file: usize,
    entry: &IndexEntry,
) -> BTreeMap<&'static str, u32> {
    let (style, outline) = (judged.style(), &entry.depth.outline);
    let mark = entry.depth.mark.map(Mark::as_str);
    let line = render::path_line(&judged.tree().files[file].path, mark, style);
    let mut tokens = BTreeMap::from([("path", style.tokenizer.count(&line))]);
    if entry.depth.mark.is_some_and(|mark| !mark.has_text()) {
        return tokens;
    }
    if !outline.items.is_empty() {
        tokens.extend([Level::Outline, Level::Interface].map(|level| {
            (level.as_str(), entry.price().of(outline, &Choice::uniform(outline, level)))
        }));
    }
    tokens.insert("full", entry.price().full);
    tokens
}

/// The prices of opening each folder that the map shows as a line: all files in it, or those
/// beside shown ones.
///
/// # Errors
/// When the map is of another tree.
pub fn folder_costs(judged: &Judged, map: &RepoMap) -> Result<Vec<FolderCost>> {
    judged.check_map(map)?;
    let Corpus { tree, folders, .. } = judged.corpus();
    let style = judged.style();
    let cost = |part: &Part| {
        let folder = folders.list.iter().find(|folder| folder.path == part.path)?;
        let files: Vec<usize> = match part.kind {
            PartKind::Folder => folder.files.clone().collect(),
            PartKind::RestOfFolder => folder
                .direct
                .iter()
                .copied()
                .filter(|file| map.files[*file].level == Level::Fold)
                .collect(),
            PartKind::Header | PartKind::File | PartKind::Footer => return None,
        };
        let line = |file: &usize| {
            style.tokenizer.count(&render::path_line(&tree.files[*file].path, None, style))
        };
        Some(FolderCost {
            path: part.path.clone(),
            n_files: files.len(),
            paths: files.iter().map(line).sum(),
        })
    };
    Ok(map.parts.iter().filter_map(cost).collect())
}

/// What a rule matches, and what of it `person`'s rules forbid.
///
/// # Errors
/// When a glob does not compile.
pub fn reach(tree: &Tree, rule: &Rule, person: &[Rule]) -> Result<Reach> {
    let glob = Globs::new([rule.path.as_str()]).map_err(|error| Error::rule("rule", error))?;
    let bounds = RuleSet::new(person)?;
    let mut reach = Reach::default();
    for file in tree.files.iter().filter(|file| glob.is_match(&file.path)) {
        reach.n_files += 1;
        reach.first.get_or_insert_with(|| file.path.clone());
        let level = |range: LevelRange| match &rule.items {
            Some(items) => items.iter().any(|item| range.of_item(item.level) != item.level),
            None => rule.level.is_some_and(|wish| wish.within(range) != wish),
        };
        if let Some(range) = bounds.verdict(&file.path).level.filter(|range| level(*range)) {
            reach.beyond.push((file.path.clone(), range));
        }
    }
    Ok(reach)
}

/// The paths that a person's rules keep out of the map, whatever a pilot wants.
///
/// # Errors
/// When a glob does not compile.
pub fn kept_out<'t>(tree: &'t Tree, person: &[Rule]) -> Result<Vec<&'t str>> {
    let bounds = RuleSet::new(person)?;
    let is_out =
        |path: &&str| bounds.verdict(path).level.is_some_and(|range| range.ceiling < Level::Fold);
    Ok(tree.files.iter().map(|file| file.path.as_str()).filter(is_out).collect())
}

/// Whether a file has an item that this name addresses.
pub fn has_item(judged: &Judged, path: &str, item: &str) -> bool {
    let entry = judged.position(path).map(|file| judged.priced(file));
    entry.is_some_and(|entry| !items_named(&entry.depth.outline, item).is_empty())
}

/// The level at which a map shows a file, or one of its items. `None` when there is no such path
/// or item.
///
/// # Errors
/// When the map is of another tree.
pub fn shown(
    judged: &Judged,
    path: &str,
    item: Option<&str>,
    map: &RepoMap,
) -> Result<Option<Level>> {
    let Some(file) = judged.position(path) else { return Ok(None) };
    let report = judged.report_in(map, file)?;
    let Some(item) = item else { return Ok(Some(report.level)) };
    let outline = &judged.priced(file).depth.outline;
    let position = items_named(outline, item).first().copied();
    Ok(position.map(|position| item_levels(outline, report)[position]))
}
