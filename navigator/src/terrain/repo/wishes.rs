//! The pilot's wishes: levels that its changes name, and what became of each in the context.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::plan::{Rule, exact_path};
use repo_map::{FileReport, ItemCost, Judged, Level, RuleOrigin, cost};

use super::rules::{ITEMS_ALONE, asked_for};

/// A level that a change named, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WishStanding {
    /// The level asked for.
    pub level: Level,
    /// What became of it.
    pub outcome: WishOutcome,
}

/// What became of a wish in the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WishOutcome {
    /// The context has that level.
    Met,
    /// The budget of the context was too small.
    DidNotFit,
    /// The person's rules keep it at another level.
    KeptByPerson,
    /// A later change covers it.
    Covered,
    /// There is nothing to show at that level: the reason.
    Impossible(&'static str),
    /// It is shown with what it lies in.
    WithinOther,
    /// Its header and all that lies in it are shown.
    InParts,
    /// Changes of its items lower it.
    LoweredByItems,
    /// Changes of its items raise it.
    RaisedByItems,
}

impl WishStanding {
    /// Formats the wish for a line of a view.
    pub fn text(&self, part: &str) -> String {
        let asked = format!("asked {}", self.level);
        match self.outcome {
            WishOutcome::Met => asked,
            WishOutcome::DidNotFit => format!("{asked}, did not fit"),
            WishOutcome::KeptByPerson => format!("{asked}, kept there by the person's rules"),
            WishOutcome::Covered => format!("{asked}, a later change covers it"),
            WishOutcome::Impossible(reason) => format!("{asked}, not possible: {reason}"),
            WishOutcome::WithinOther => format!("{asked}, shown with what it lies in"),
            WishOutcome::InParts => format!("{asked}, all that lies in it is"),
            WishOutcome::LoweredByItems => format!("{asked}, wishes for its {part}s lower it"),
            WishOutcome::RaisedByItems => format!("{asked}, wishes for its {part}s raise it"),
        }
    }
}

/// The wishes of a plan.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    /// The levels of files.
    pub(super) files: BTreeMap<String, Level>,
    /// The levels of items by file; each item by its address.
    pub(super) items: BTreeMap<String, BTreeMap<String, Level>>,
    /// The levels of globs and folders, in the order of the plan.
    pub(super) globs: Vec<(String, Level)>,
}

impl Wishes {
    pub(super) fn of(rules: &[Rule], repo: &Judged) -> Wishes {
        let mut wishes = Wishes::default();
        for (glob, item, level) in asked_for(rules) {
            let path = exact_path(glob).filter(|path| repo.has_path(path));
            match (path, item) {
                (Some(path), None) => {
                    wishes.files.insert(path, level);
                }
                (Some(path), Some(item)) => {
                    let of_file = wishes.items.entry(path.clone()).or_default();
                    for name in cost::named_items(repo, &path, item) {
                        of_file.insert(name, level);
                    }
                }
                (None, _) => wishes.globs.push((glob.to_owned(), level)),
            }
        }
        wishes
    }

    /// Reports whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.items.is_empty() && self.globs.is_empty()
    }

    /// Reports whether any of them asks for text. The others only lower.
    pub(super) fn ask_for_text(&self) -> bool {
        let of_globs = self.globs.iter().map(|(_, level)| level);
        let mut of_items = self.items.values().flat_map(BTreeMap::values);
        self.files.values().chain(of_globs).any(|level| *level >= Level::Path)
            || of_items.any(|level| *level > Level::Exclude)
    }

    /// Reports whether a file or one of its items is wished in full.
    pub(super) fn wants_full(&self, path: &str) -> bool {
        let items = self.items.get(path).into_iter().flat_map(BTreeMap::values);
        self.files.get(path).into_iter().chain(items).any(|level| *level >= Level::Body)
    }

    /// Reports whether an item, or what it lies in, is wished in full.
    pub(super) fn is_item_in_full(&self, path: &str, item: &ItemCost) -> bool {
        let level = |name: &String| self.items.get(path)?.get(name).copied();
        let container = item.container.as_ref().and_then(level);
        level(&item.name).or(container) >= Some(Level::Body)
    }

    /// Returns the files with a wish of their own or for one of their items.
    pub(super) fn paths(&self) -> BTreeSet<&str> {
        self.files.keys().chain(self.items.keys()).map(String::as_str).collect()
    }

    /// Returns the wish for a file and what became of it, if the file can be shown at `levels`.
    pub(super) fn of_file(
        &self,
        file: &FileReport,
        levels: &[Level],
        rules: &[Rule],
        bounds: &[Rule],
    ) -> Option<WishStanding> {
        let level = *self.files.get(&file.path)?;
        let is_in_force = rule_of(file, rules)
            .is_none_or(|rule| exact_path(&rule.path).as_deref() == Some(&*file.path));
        let has_items = self.items.contains_key(&file.path);
        let outcome = if file.level == level {
            WishOutcome::Met
        } else if is_in_force && file.level > level && has_items {
            WishOutcome::RaisedByItems
        } else if !is_in_force {
            WishOutcome::Covered
        } else if is_bounded(file, level, bounds) {
            WishOutcome::KeptByPerson
        } else if let Some(mark) = file.mark {
            WishOutcome::Impossible(mark)
        } else if level > Level::Path && !levels.contains(&level) {
            WishOutcome::Impossible("it has no outline")
        } else if has_items && file.level >= Level::Path && file.requested.is_none() {
            WishOutcome::LoweredByItems
        } else {
            WishOutcome::DidNotFit
        };
        Some(WishStanding { level, outcome })
    }

    /// Returns what became of the wish for an item that the context has at `shown`, given the items
    /// that lie in it.
    pub(super) fn of_item(
        &self,
        file: &FileReport,
        (name, shown): (&str, Level),
        inside: &[&ItemCost],
        rules: &[Rule],
        bounds: &[Rule],
    ) -> Option<WishStanding> {
        let of_file = self.items.get(&file.path)?;
        let level = *of_file.get(name)?;
        let is_lowered = |one: &&ItemCost| of_file.get(&one.name).is_some_and(|one| *one < level);
        let is_whole = !inside.is_empty() && inside.iter().all(|one| one.level >= Level::Body);
        let is_covered = file.level < Level::Path
            && rule_of(file, rules)
                .is_some_and(|rule| exact_path(&rule.path).as_deref() != Some(&*file.path));
        let outcome = if shown == level {
            WishOutcome::Met
        } else if shown > level {
            WishOutcome::WithinOther
        } else if shown == Level::Interface && is_whole {
            WishOutcome::InParts
        } else if is_covered {
            WishOutcome::Covered
        } else if is_bounded(file, level, bounds) {
            WishOutcome::KeptByPerson
        } else if let Some(mark) = file.mark {
            WishOutcome::Impossible(mark)
        } else if shown == Level::Interface && inside.iter().any(is_lowered) {
            WishOutcome::LoweredByItems
        } else {
            WishOutcome::DidNotFit
        };
        Some(WishStanding { level, outcome })
    }

    /// Returns the level that a change in force names for a file, by its path or by a glob.
    pub(super) fn level_of(&self, file: &FileReport, rules: &[Rule]) -> Option<Level> {
        let level = rule_of(file, rules)?.level?;
        // A folded file in which items are named has this level in place of the fold.
        if level == ITEMS_ALONE {
            return Some(Level::Fold);
        }
        (level.floor == level.ceiling).then_some(level.floor)
    }

    /// Returns the glob or folder of the change that gave a file its level, if neither the file nor
    /// an item of it is named.
    pub(super) fn glob_of(&self, file: &FileReport, rules: &[Rule]) -> Option<String> {
        let glob = &rule_of(file, rules)?.path;
        let is_named = self.files.contains_key(&file.path) || self.items.contains_key(&file.path);
        let is_of_glob = self.globs.iter().any(|(one, _)| one == glob);
        (is_of_glob && !is_named).then(|| glob.clone())
    }

    /// Reports whether the pilot asked for anything of a file that is shown.
    pub(super) fn has(&self, file: &FileReport, rules: &[Rule]) -> bool {
        self.files.contains_key(&file.path)
            || self.items.contains_key(&file.path)
            || self.level_of(file, rules).is_some_and(|level| level >= Level::Path)
    }
}

/// Returns the pilot's rule that gave a file its level.
fn rule_of<'r>(file: &FileReport, rules: &'r [Rule]) -> Option<&'r Rule> {
    match file.rule {
        Some(RuleOrigin::Pilot(at)) => rules.get(at),
        _ => None,
    }
}

/// Reports whether the person's rules allow this level for a file.
fn is_bounded(file: &FileReport, level: Level, bounds: &[Rule]) -> bool {
    let range = file.bound.and_then(|at| bounds.get(at)?.level);
    range.is_some_and(|range| level > range.ceiling || level < range.floor)
}
