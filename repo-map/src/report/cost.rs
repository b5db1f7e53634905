//! What changing the level of a path would cost: the price list that a pilot chooses from.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::map::items::items_named;
use crate::map::repo::Repo;
use crate::map::{Part, PartKind, RepoMap};
use crate::plan::{Globs, Rule, RuleSet};
use crate::render;

/// What a file costs now and what it would cost at other levels, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCosts {
    /// The path.
    pub path: String,
    /// Its level in the map. For a file of which some items differ, the level of the others.
    pub level: Level,
    /// How many of its items differ from that level.
    pub items_apart: usize,
    /// The level that was asked for and did not fit.
    pub was: Option<Level>,
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

impl Repo {
    /// The prices of one file, with those of its `n_items` best items. `None` when the tree has no
    /// such path.
    pub fn file_costs(&mut self, path: &str, map: &RepoMap, n_items: usize) -> Option<FileCosts> {
        let file = self.position(path)?;
        self.price(&[file]);
        let report = &map.files[file];
        let levels = self.tokens_at_levels(file, None);
        let prices = Level::ALL
            .into_iter()
            .filter_map(|level| Some((level, *levels.get(level.as_str())?)))
            .collect();
        Some(FileCosts {
            path: path.to_owned(),
            level: report.level,
            items_apart: report.items.len(),
            was: report.was,
            tokens: report.tokens,
            prices,
            items: self.item_costs(file, map, n_items),
        })
    }

    fn item_costs(&self, file: usize, map: &RepoMap, n: usize) -> Vec<ItemCost> {
        let Some(worth) = self.worth.items.get(&file) else { return Vec::new() };
        let entry = &self.entries[&file];
        let mut order: Vec<usize> = (0..worth.len()).filter(|item| worth[*item] > 0).collect();
        order.sort_by(|a, b| worth[*b].cmp(&worth[*a]).then(a.cmp(b)));
        let mut offered = BTreeSet::new();
        let mut items = Vec::new();
        for item in order {
            // An item and one inside it would be the same tokens offered twice.
            let mut outer = entry.depth.outline.items[item].parent;
            while outer.is_some_and(|one| !offered.contains(&one)) {
                outer = outer.and_then(|one| entry.depth.outline.items[one].parent);
            }
            if outer.is_some() || entry.depth.outline.items[item].has_children {
                continue;
            }
            offered.insert(item);
            let name = entry.depth.outline.items[item].address();
            items.push(ItemCost {
                name,
                level: self.item_level(file, item, map),
                full: entry.price().items[item].full,
            });
            if items.len() == n {
                break;
            }
        }
        items
    }

    /// The prices of opening each folder that the map shows as a line: all files in it, or those
    /// beside shown ones.
    pub fn folder_costs(&self, map: &RepoMap) -> Vec<FolderCost> {
        let style = self.style();
        let offer = |part: &Part| {
            let folder = self.folders.list.iter().find(|folder| folder.path == part.path)?;
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
                style.tokenizer.count(&render::path_line(&self.tree.files[*file].path, None, style))
            };
            Some(FolderCost {
                path: part.path.clone(),
                n_files: files.len(),
                paths: files.iter().map(line).sum(),
            })
        };
        map.parts.iter().filter_map(offer).collect()
    }

    /// What a rule matches, and what of it `person`'s rules forbid.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn reach(&self, rule: &Rule, person: &[Rule]) -> Result<Reach> {
        let wrong = |message| Error::Plan { file: "rule".to_owned(), line: None, message };
        let glob = Globs::new([rule.path.as_str()]).map_err(wrong)?;
        let bounds = RuleSet::new(person)?;
        let mut reach = Reach::default();
        for file in self.tree.files.iter().filter(|file| glob.is_match(&file.path)) {
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
    pub fn kept_out(&self, person: &[Rule]) -> Result<Vec<&str>> {
        let bounds = RuleSet::new(person)?;
        let is_out = |path: &&str| {
            bounds.verdict(path).level.is_some_and(|range| range.ceiling < Level::Fold)
        };
        Ok(self.tree.files.iter().map(|file| file.path.as_str()).filter(is_out).collect())
    }

    /// Whether the tree has this very path.
    pub fn has_path(&self, path: &str) -> bool {
        self.position(path).is_some()
    }

    /// Whether a file has an item that this name addresses.
    pub fn has_item(&mut self, path: &str, item: &str) -> bool {
        let Some(file) = self.position(path) else { return false };
        self.price(&[file]);
        !items_named(&self.entries[&file].depth.outline, item).is_empty()
    }

    /// The level at which a map shows a file, or one of its items. `None` when there is no such
    /// path or item.
    pub fn shown(&mut self, path: &str, item: Option<&str>, map: &RepoMap) -> Option<Level> {
        let file = self.position(path)?;
        let Some(item) = item else { return Some(map.files[file].level) };
        self.price(&[file]);
        let position = *items_named(&self.entries[&file].depth.outline, item).first()?;
        Some(self.item_level(file, position, map))
    }
}
