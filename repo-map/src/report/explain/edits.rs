//! The edits that raise the level of a path, each with the map made by it.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::level::{Level, LevelRange};
use crate::map::RepoMap;
use crate::map::effective::RuleLayers;
use crate::map::items::{ItemNames, addresses, as_shown, item_levels};
use crate::map::judged::Judged;
use crate::plan::{ItemRule, Rule, RuleSet, as_typed, exact_glob};
use crate::report::explain::{Edit, Explainer};

impl Explainer<'_> {
    /// Returns for each higher level the rule that gives it, with the map made by it.
    pub(super) fn edits(&self) -> Result<Vec<Edit>> {
        let (now, levels) = (self.level_in(&self.map), self.tokens());
        let mut edits: Vec<Edit> = Vec::new();
        for level in Level::ALL
            .into_iter()
            .filter(|level| *level > now && levels.contains_key(level.as_str()))
        {
            // The fit may have given this level to the previous edit already.
            if edits.last().is_none_or(|edit| edit.needed.is_some() || edit.level < level) {
                edits.push(self.edit(level)?);
            }
        }
        Ok(edits)
    }

    fn edit(&self, level: Level) -> Result<Edit> {
        let Explainer { judged, layers, file, item, .. } = *self;
        let is_plan = layers.person.is_empty() && layers.pilot.is_empty();
        // Without any rule the fit may show every path; the edit must keep that.
        let mut rules = Vec::from_iter(is_plan.then(|| Rule::new("**", LevelRange::ANY)));
        rules.push(match item {
            None => Rule::new(
                exact_glob(&judged.tree().files[file].path),
                LevelRange { floor: level, ceiling: Level::Full },
            ),
            Some(item) => self.rule_of_item(item, level)?,
        });
        let levels = rules.last().map(as_typed).unwrap_or_default();
        let after = self.map_judged_by(&rules)?;
        let (lowers, lowers_items) = lowered(judged, &self.map, &after);
        Ok(Edit {
            rules,
            is_plan,
            levels,
            to: level,
            level: self.level_in(&after),
            tokens: after.tokens,
            lowers,
            lowers_items,
            needed: after.conflict.map(|conflict| conflict.needed),
        })
    }

    /// Makes the map of a plan with additional rules. A file that a plan keeps low is not judged,
    /// but one that is raised is judged.
    fn map_judged_by(&self, rules: &[Rule]) -> Result<RepoMap> {
        let judged = self.judged;
        let person = [self.layers.person, rules].concat();
        let layers = RuleLayers { person: &person, pilot: self.layers.pilot };
        let path = &judged.tree().files[self.file].path;
        let bounds = RuleSet::new(&judged.plan().rules)?.verdict(path).level;
        match bounds.is_some_and(|range| range.ceiling < Level::Outline) {
            true => judged.with_rules(rules)?.map(layers),
            false => judged.map(layers),
        }
    }

    /// Returns the rule that gives an item a level. A list of items replaces the one before it, so
    /// the rule repeats those named already.
    fn rule_of_item(&self, item: usize, level: Level) -> Result<Rule> {
        let path = &self.judged.tree().files[self.file].path;
        let outline = &self.entry.depth.outline;
        let bounds = RuleSet::new(self.layers.person)?;
        let before = bounds.verdict(path);
        let names = ItemNames::of(outline);
        let mut items: Vec<ItemRule> =
            before.items.iter().filter(|rule| names.named(&rule.name) != [item]).cloned().collect();
        items.push(ItemRule { name: addresses(outline).swap_remove(item), level });
        // Nothing of a file below level path is shown.
        let opens = before
            .level
            .filter(|range| range.ceiling < Level::Path)
            .map(|_| LevelRange { floor: Level::Path, ceiling: Level::Full });
        Ok(Rule {
            level: opens,
            items: Some(items),
            ..Rule::new(exact_glob(path), LevelRange::ANY)
        })
    }
}

/// Lists the files that a map shows less of than an earlier one, and items of the other files.
fn lowered(
    judged: &Judged,
    before: &RepoMap,
    after: &RepoMap,
) -> (Vec<String>, BTreeMap<String, Vec<String>>) {
    let (mut files, mut items) = (Vec::new(), BTreeMap::new());
    for (at, (before, after)) in before.files.iter().zip(&after.files).enumerate() {
        let is_low = before.level <= Level::Path && before.items.is_empty();
        let entry = judged.entries.get(at).filter(|_| !is_low);
        let Some(outline) = entry.map(|entry| &entry.depth.outline) else {
            files.extend((after.level < before.level).then(|| before.path.clone()));
            continue;
        };
        let shown = |report| as_shown(outline, item_levels(outline, report));
        let lower: Vec<usize> = shown(before)
            .into_iter()
            .zip(shown(after))
            .enumerate()
            .filter(|(_, (before, after))| after < before)
            .map(|(item, _)| item)
            .collect();
        // The level of a file is that of most of its items, so it may be lower while its items are
        // not.
        let is_whole = before.level == Level::Full || !lower.is_empty();
        if after.level < before.level && is_whole {
            files.push(before.path.clone());
            continue;
        }
        if !lower.is_empty() {
            let names = addresses(outline);
            let names = lower.into_iter().map(|item| names[item].clone()).collect();
            items.insert(before.path.clone(), names);
        }
    }
    (files, items)
}
