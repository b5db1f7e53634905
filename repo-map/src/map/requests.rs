//! What a map shows lower than the rules ask for: files, items, and floors beyond the budget.

use std::collections::BTreeMap;

use crate::fit::folders::Low;
use crate::fit::{self, Shortage, Shown};
use crate::level::Level;
use crate::map::compose::Rendered;
use crate::map::corpus::Corpus;
use crate::map::effective::EffectiveRule;
use crate::map::fill::FillLimit;
use crate::map::items::{addresses, as_shown, level_of, open_around_named, pinned};
use crate::map::surveyed::Surveyed;
use crate::map::{Conflict, ConflictCause, ItemReport, PartKind};
use crate::outline::Outline;
use crate::render::{self, Choice};
use crate::score::index::IndexEntry;

/// What the rules ask for of each file, by position, and what the files have.
#[derive(Clone, Copy)]
pub(crate) struct Requests<'a> {
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) rules: &'a [EffectiveRule],
    pub(crate) limit: &'a FillLimit<'a>,
    /// The index entry of each file that has one.
    pub(crate) entries: &'a [Option<&'a IndexEntry>],
}

impl<'a> Requests<'a> {
    /// Returns the requested level of each file that is shown below it.
    pub(crate) fn demoted(&self, shown: &[Shown]) -> Vec<Option<Level>> {
        shown
            .iter()
            .zip(self.rules)
            .enumerate()
            .map(|(file, (shown, rule))| {
                let outline = self.outline(file);
                let level = level_of(shown, outline, rule.range.floor);
                let wanted = rule.wanted()?;
                let reachable = match self.surveyed.facts[file].mark {
                    Some(mark) if !mark.has_text() || rule.range.floor <= Level::Path => {
                        wanted.min(Level::Path)
                    }
                    _ if wanted.needs_outline()
                        && outline.is_some_and(|outline| outline.items.is_empty()) =>
                    {
                        Level::Path
                    }
                    _ => wanted,
                };
                let is_below = level < reachable && !self.is_as_items_ask(file, shown, wanted);
                is_below.then_some(wanted)
            })
            .collect()
    }

    /// Reports whether a file is below a level only because rules for its items are lower.
    fn is_as_items_ask(&self, file: usize, shown: &Shown, wanted: Level) -> bool {
        let rule = &self.rules[file];
        let Some(outline) = self.outline(file) else { return false };
        let choice = match shown {
            Shown::Items(choice) => choice.clone(),
            Shown::Path => Choice::nothing(outline),
            Shown::Exclude | Shown::Fold | Shown::Full => return false,
        };
        let of_rules: BTreeMap<usize, Level> = pinned(outline, &rule.items).into_iter().collect();
        let levels = as_shown(outline, choice.items);
        let base = Choice::uniform(outline, wanted);
        let is_met = |at: usize| match of_rules.get(&at) {
            Some(level) => levels[at] >= *level,
            // A type is never full around an item that is not.
            None if outline.items[at].has_children => {
                levels[at] >= base.items[at].min(Level::Interface)
            }
            None => levels[at] >= base.items[at],
        };
        !of_rules.is_empty() && (0..levels.len()).all(is_met)
    }

    /// Returns the items that rules ask for and that are shown lower.
    pub(crate) fn lacking(&self, file: usize, shown: &Shown) -> Vec<ItemReport> {
        let rules = &self.rules[file].items;
        let Some(outline) = self.outline(file).filter(|_| !rules.is_empty()) else {
            return Vec::new();
        };
        let levels = match shown {
            Shown::Full => return Vec::new(),
            Shown::Items(choice) => as_shown(outline, choice.items.clone()),
            Shown::Exclude | Shown::Fold | Shown::Path => vec![Level::Exclude; outline.items.len()],
        };
        let asked = open_around_named(outline, pinned(outline, rules));
        let lower = asked.into_iter().filter(|(at, level)| levels[*at] < *level);
        let names = addresses(outline);
        let report = |(at, level): (usize, Level)| {
            let lines = outline.items[at].lines;
            ItemReport { name: names[at].clone(), level, lines }
        };
        lower.map(report).collect()
    }

    /// Returns the conflict of rules and budget, if there is one: floors that need more than the
    /// budget, or not a line that fits.
    pub(crate) fn conflict(
        &self,
        rendered: &Rendered,
        shortage: Option<Shortage>,
        tokens: u32,
    ) -> Option<Conflict> {
        let tree = &self.corpus().tree;
        if let Some(shortage) = shortage {
            let below: Vec<String> =
                shortage.below_floor.iter().map(|file| tree.files[*file].path.clone()).collect();
            let dearest = shortage.dearest.map(|(file, cost)| self.floor_of(file, cost));
            return Some(Conflict::new(
                ConflictCause::Floors { dearest },
                tokens,
                shortage.needed,
                below,
            ));
        }
        let has_body = rendered
            .parts
            .iter()
            .any(|part| !matches!(part.kind, PartKind::Header | PartKind::Footer));
        if has_body {
            return None;
        }
        Some(Conflict::new(ConflictCause::Line, tokens, self.least_line()?, Vec::new()))
    }

    /// Returns a floor of a file that costs `cost` with its level and cost: of the items that rules
    /// name the dearest, where the file itself has none.
    fn floor_of(&self, file: usize, cost: u32) -> (String, Level, u32) {
        let (path, rule) = (&self.corpus().tree.files[file].path, &self.rules[file]);
        let Some(entry) = self.entries[file].filter(|_| rule.range.floor <= Level::Path) else {
            return (path.clone(), rule.range.floor, cost);
        };
        let outline = &entry.depth.outline;
        let prices = &entry.price().items;
        let items = pinned(outline, &rule.items).into_iter();
        let dearest =
            items.map(|(at, level)| (prices[at].at(level), std::cmp::Reverse(at), level)).max();
        match dearest {
            Some((cost, std::cmp::Reverse(at), level)) => {
                (format!("{path}#{}", addresses(outline)[at]), level, cost)
            }
            None => (path.clone(), rule.range.floor, cost),
        }
    }

    /// Returns the price of the cheapest line that the rules allow, in tokens; `None` if they allow
    /// none.
    fn least_line(&self) -> Option<u32> {
        let Corpus { tree, folders, .. } = self.corpus();
        let style = self.corpus().style();
        let n_files = self.rules.len();
        let may = |file: &usize, level: Level| {
            self.limit.range(*file, &self.rules[*file]).ceiling >= level
        };
        let paths = (0..n_files).filter(|file| may(file, Level::Path)).map(|file| {
            let path = &tree.files[file].path;
            style.tokenizer.count(&render::path_line(path, tree.title(path), None, style))
        });
        let low: Vec<Low> = (0..n_files)
            .map(|file| if may(&file, Level::Fold) { Low::Fold } else { Low::Exclude })
            .collect();
        let folds = folders
            .lines(&low)
            .into_iter()
            .map(|line| style.tokenizer.count(&fit::fold_text(tree, folders, line, &low, style)));
        paths.chain(folds).min()
    }

    fn outline(&self, file: usize) -> Option<&'a Outline> {
        self.entries[file].map(|entry| &entry.depth.outline)
    }

    fn corpus(&self) -> &'a Corpus {
        &self.surveyed.corpus
    }
}
