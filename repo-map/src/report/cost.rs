//! The costs of changing the level of a path: the price list for a pilot.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::map::items::{addresses, as_shown, item_levels, items_named};
use crate::map::judged::Judged;
use crate::map::{FileReport, RepoMap};
use crate::plan::{Globs, Rule, RuleSet};
use crate::render::{self, Choice};
use crate::score::index::IndexEntry;
use crate::source::scan::{Mark, Tree};

/// The current cost of a file and its costs at other levels, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCosts {
    /// The path.
    pub path: String,
    /// The level in the map. If some items differ from it, the level of the others.
    pub level: Level,
    /// The number of items that differ from that level.
    pub items_apart: usize,
    /// The level that a rule requested and that did not fit.
    #[serde(rename = "was")]
    pub requested: Option<Level>,
    /// The cost in the map, in tokens.
    pub tokens: u32,
    /// The cost at each level that the file has, in tokens, ascending.
    pub prices: Vec<(Level, u32)>,
    /// Items that can be shown in full without the rest of the file, best first.
    pub items: Vec<ItemCost>,
}

/// The costs of an item at its levels, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ItemCost {
    /// The item's address within its file.
    pub name: String,
    /// The address of the item that it lies in.
    pub container: Option<String>,
    /// The level in the map.
    pub level: Level,
    /// The score in millionths of the best item's; 0 if the file was not judged in depth.
    pub worth: u32,
    /// The cost of its signature, in tokens.
    pub interface: u32,
    /// The cost with its body and the first paragraph of its doc comment, in tokens.
    pub body: u32,
    /// The cost in full, in tokens.
    pub full: u32,
}

impl ItemCost {
    /// Returns the cost of an item that the map shows with its body, in tokens.
    pub fn with_body(&self) -> u32 {
        if self.level == Level::Body { self.body } else { self.full }
    }
}

/// The reach of a rule in a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reach {
    /// The number of files that its glob matches.
    pub n_files: usize,
    /// One of them.
    pub first: Option<String>,
    /// Files that a person's rule keeps from the requested level, each with the allowed range.
    pub beyond: Vec<(String, LevelRange)>,
}

/// Returns the costs of one file, with those of its `n_items` best items. `None` if the tree has no
/// such path.
///
/// # Errors
/// If the map is of another tree.
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
    let mut order: Vec<usize> = (0..worth.len()).filter(|item| worth[*item] > 0).collect();
    order.sort_by(|a, b| worth[*b].cmp(&worth[*a]).then(a.cmp(b)));
    let all = all_item_costs(judged, file, entry, report);
    let mut offered = BTreeSet::new();
    let mut items = Vec::new();
    for item in order {
        // An item and one nested in it would offer the same tokens twice.
        let mut outer = outlined[item].parent;
        while outer.is_some_and(|one| !offered.contains(&one)) {
            outer = outer.and_then(|one| outlined[one].parent);
        }
        if outer.is_some() || outlined[item].has_children {
            continue;
        }
        offered.insert(item);
        let cost = &all[item];
        if cost.level == Level::Interface && cost.interface == cost.full {
            // The signature is the whole text.
            continue;
        }
        items.push(cost.clone());
        if items.len() == n {
            break;
        }
    }
    items
}

fn all_item_costs(
    judged: &Judged,
    file: usize,
    entry: &IndexEntry,
    report: &FileReport,
) -> Vec<ItemCost> {
    let outline = &entry.depth.outline;
    let addresses = addresses(outline);
    let levels = as_shown(outline, item_levels(outline, report));
    let worth = judged.item_worth(file, entry);
    let cost = |at: usize| {
        let price = entry.price().items[at];
        ItemCost {
            name: addresses[at].clone(),
            container: outline.items[at].parent.map(|parent| addresses[parent].clone()),
            level: levels[at],
            worth: worth.map_or(0, |worth| worth[at]),
            interface: price.closed,
            body: price.body,
            full: price.full,
        }
    };
    (0..outline.items.len()).map(cost).collect()
}

/// Returns the cost of a file at each level that it has, in tokens.
pub(crate) fn tokens_at_levels(
    judged: &Judged,
    file: usize,
    entry: &IndexEntry,
) -> BTreeMap<&'static str, u32> {
    let (style, outline) = (judged.style(), &entry.depth.outline);
    let mark = entry.depth.mark.map(Mark::as_str);
    let path = &judged.tree().files[file].path;
    let line = render::path_line(path, judged.tree().title(path), mark, style);
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

/// Returns the files that a rule matches, and those of them that `person`'s rules keep from its
/// level.
///
/// # Errors
/// If a glob does not compile.
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

/// Returns the paths that a person's rules keep out of every map.
///
/// # Errors
/// If a glob does not compile.
pub fn kept_out<'t>(tree: &'t Tree, person: &[Rule]) -> Result<Vec<&'t str>> {
    let bounds = RuleSet::new(person)?;
    let is_out =
        |path: &&str| bounds.verdict(path).level.is_some_and(|range| range.ceiling < Level::Fold);
    Ok(tree.files.iter().map(|file| file.path.as_str()).filter(is_out).collect())
}

/// Reports whether a file has an item with this address.
pub fn has_item(judged: &Judged, path: &str, item: &str) -> bool {
    let entry = judged.position(path).map(|file| judged.priced(file));
    entry.is_some_and(|entry| !items_named(&entry.depth.outline, item).is_empty())
}

/// Returns the level at which a map shows a file or one of its items: the lowest level of the items
/// that the name addresses. `None` if there is no such path or item.
///
/// # Errors
/// If the map is of another tree.
pub fn shown(
    judged: &Judged,
    path: &str,
    item: Option<&str>,
    map: &RepoMap,
) -> Result<Option<Level>> {
    let Some(item) = item else {
        let Some(file) = judged.position(path) else { return Ok(None) };
        return Ok(Some(judged.report_in(map, file)?.level));
    };
    let named = named_items(judged, path, item);
    let items = items_shown(judged, path, map)?;
    Ok(items.iter().filter(|one| named.contains(&one.name)).map(|one| one.level).min())
}

/// Returns the addresses of the items of a file that a name addresses.
pub fn named_items(judged: &Judged, path: &str, item: &str) -> Vec<String> {
    let Some(file) = judged.position(path) else { return Vec::new() };
    let outline = &judged.priced(file).depth.outline;
    let addresses = addresses(outline);
    items_named(outline, item).into_iter().map(|at| addresses[at].clone()).collect()
}

/// Returns every item of a file with its level in a map, as a reader sees it: an item nested in one
/// shown in full is shown in full. Empty if there is no such path.
///
/// # Errors
/// If the map is of another tree.
pub fn items_shown(judged: &Judged, path: &str, map: &RepoMap) -> Result<Vec<ItemCost>> {
    let Some(file) = judged.position(path) else { return Ok(Vec::new()) };
    let report = judged.report_in(map, file)?;
    Ok(all_item_costs(judged, file, judged.priced(file), report))
}
