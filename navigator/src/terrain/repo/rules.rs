//! Rules as the plan of a repository: taking in changes, checking what is in force, the initial
//! rules.

use repo_map::plan::{ItemRule, Rule, exact_glob, exact_path};
use repo_map::{Level, LevelRange};

use super::change::{RuleChange, RuleTarget};
use crate::run::plan::Plan;

impl Plan for Vec<Rule> {
    type Change = RuleChange;

    /// Takes in the changes of one reply. A rule for the same paths replaces an earlier one, even
    /// of the same reply; a level for a file removes earlier changes of its items. An item in the
    /// reply wins over its file in either order.
    fn take(&mut self, changes: &[RuleChange]) {
        for change in changes {
            if let RuleTarget::Paths(glob, _) = &change.target {
                self.retain(|rule| rule.path != *glob);
                self.push(change.rule());
            }
        }
        for change in changes {
            if let RuleTarget::Item(path, item) = &change.target {
                take_item(self, exact_glob(path), item, change);
            }
        }
    }

    /// Reports whether a change would alter neither a rule nor the order of rules that overlap:
    /// only the latest of those is certainly in force.
    fn holds(&self, change: &RuleChange) -> bool {
        let path = match &change.target {
            RuleTarget::Paths(glob, _) => glob.clone(),
            RuleTarget::Item(path, _) => exact_glob(path),
        };
        let covers = |rule: &Rule| {
            rule.path.contains(['*', '?', '[']) || path.starts_with(rule.path.trim_end_matches('/'))
        };
        let after = |at: usize| !self[at + 1..].iter().any(covers);
        match &change.target {
            RuleTarget::Paths(glob, level) => {
                let same =
                    self.iter().position(|rule| rule.path == *glob && rule.level == Some(*level));
                same.is_some_and(after)
            }
            RuleTarget::Item(path, item) => {
                let has_it = |rule: &Rule| {
                    rule.path == exact_glob(path)
                        && rule.items.iter().flatten().any(|one| one == item)
                };
                self.iter().position(has_it).is_some_and(after)
            }
        }
    }

    fn opened(&self) -> Vec<String> {
        self.iter().filter_map(|rule| exact_path(&rule.path)).collect()
    }

    fn added_since(&self, earlier: &Vec<Rule>) -> Vec<String> {
        let is_new = |rule: &&Rule| !earlier.contains(rule);
        self.iter().filter(is_new).map(|rule| rule.path.clone()).collect()
    }
}

/// Adds an item to the one rule that holds the levels of a file and its items, and moves that rule
/// to the end: an item shows only if its file may.
fn take_item(rules: &mut Vec<Rule>, glob: String, item: &ItemRule, change: &RuleChange) {
    let (of_file, others): (Vec<Rule>, Vec<Rule>) =
        std::mem::take(rules).into_iter().partition(|rule| rule.path == glob);
    *rules = others;
    let level = of_file
        .iter()
        .rev()
        .find_map(|rule| rule.level)
        .filter(|level| level.ceiling >= Level::Path);
    let level = level.unwrap_or(LevelRange { floor: Level::Exclude, ceiling: Level::Full });
    let mut items: Vec<ItemRule> =
        of_file.into_iter().filter_map(|rule| rule.items).next_back().unwrap_or_default();
    items.retain(|one| one.name != item.name);
    items.push(item.clone());
    rules.push(Rule { level: Some(level), items: Some(items), ..change.rule() });
}

/// Returns the levels that the pilot requested by name, as path or glob, item and level. Ranges for
/// the fit are left out.
pub(super) fn asked_for(rules: &[Rule]) -> Vec<(&str, Option<&str>, Level)> {
    let mut asked = Vec::new();
    for rule in rules {
        if let Some(level) = rule.level.filter(|level| level.floor == level.ceiling) {
            asked.push((rule.path.as_str(), None, level.floor));
        }
        asked.extend(
            rule.items
                .iter()
                .flatten()
                .map(|item| (rule.path.as_str(), Some(item.name.as_str()), item.level)),
        );
    }
    asked
}

/// Returns the rules of the overview: folders as lines, and names in the files that matter most.
pub fn overview_rules() -> Vec<Rule> {
    vec![Rule::new("**", LevelRange { floor: Level::Exclude, ceiling: Level::Outline })]
}

/// Combines a person's rules: included globs before them, excluded globs after them.
pub fn bounds(rules: Vec<Rule>, include: &[String], exclude: &[String]) -> Vec<Rule> {
    let mut bounds = Vec::new();
    if !include.is_empty() {
        bounds.push(Rule::new("**", LevelRange::exactly(Level::Exclude)));
        bounds.extend(include.iter().map(|glob| Rule::new(glob, LevelRange::ANY)));
    }
    bounds.extend(rules);
    bounds.extend(exclude.iter().map(|glob| Rule::new(glob, LevelRange::exactly(Level::Exclude))));
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::state::State;

    #[test]
    fn a_later_rule_replaces_an_earlier_one() {
        let mut state = State::new(String::new(), Vec::new(), Vec::new());
        let exactly = LevelRange::exactly;
        state.apply(&[
            RuleChange::paths("/a.rs", exactly(Level::Full), ""),
            RuleChange::item("a.rs", "f", Level::Full, ""),
        ]);
        state.apply(&[
            RuleChange::item("a.rs", "g", Level::Outline, ""),
            RuleChange::item("a.rs", "f", Level::Exclude, ""),
        ]);
        let items = |state: &State<Vec<Rule>>| -> Vec<String> {
            let rules = state.rules.iter().filter_map(|rule| rule.items.as_ref()).flatten();
            rules.map(|item| format!("{} {}", item.name, item.level)).collect()
        };
        assert_eq!(items(&state), ["g outline", "f exclude"]);
        assert_eq!(state.rules[0].level, Some(exactly(Level::Full)), "the file keeps its level");
        state.apply(&[RuleChange::paths("/a.rs", exactly(Level::Path), "")]);
        assert_eq!(state.rules.len(), 1, "{:?}", state.rules);
        assert!(items(&state).is_empty());
    }

    #[test]
    fn in_one_answer_an_item_wins_over_its_file_and_the_last_of_two_levels_holds() {
        let level = |glob: &str, level| RuleChange::paths(glob, LevelRange::exactly(level), "");
        let file = level("/a.rs", Level::Path);
        let item = RuleChange::item("a.rs", "f", Level::Full, "");
        let fold = level("src/**", Level::Fold);
        let rules = |changes: &[&RuleChange]| {
            let mut state = State::new(
                String::new(),
                Vec::new(),
                vec![Rule::new("/a.rs", LevelRange::exactly(Level::Full))],
            );
            state.apply(&changes.iter().copied().cloned().collect::<Vec<_>>());
            let items = |rule: &Rule| {
                rule.items
                    .iter()
                    .flatten()
                    .map(|item| format!(" #{} {}", item.name, item.level))
                    .collect::<String>()
            };
            state
                .rules
                .iter()
                .map(|rule| format!("{} {}{}", rule.path, rule.level.unwrap(), items(rule)))
                .collect::<Vec<_>>()
        };
        assert_eq!(rules(&[&file, &item]), ["/a.rs path #f full"]);
        assert_eq!(rules(&[&item, &file]), ["/a.rs path #f full"]);
        assert_eq!(rules(&[&item, &fold]), ["src/** fold", "/a.rs full #f full"]);
        assert_eq!(
            rules(&[&level("/a.rs", Level::Full), &fold, &file]),
            ["src/** fold", "/a.rs path"]
        );
    }

    #[test]
    fn a_change_that_a_later_one_covers_is_not_in_force() {
        let mut state = State::new(
            String::new(),
            Vec::new(),
            vec![Rule::new("**", LevelRange::exactly(Level::Fold))],
        );
        let file = RuleChange::paths("/src/a.rs", LevelRange::exactly(Level::Full), "");
        let item = RuleChange::item("src/a.rs", "f", Level::Full, "");
        state.apply(&[file.clone(), item.clone()]);
        assert!(state.rules.holds(&file) && state.rules.holds(&item));
        for glob in ["src/**", "/src", "/src/", "**"] {
            let mut covered = state.clone();
            covered.apply(&[RuleChange::paths(glob, LevelRange::exactly(Level::Fold), "")]);
            assert!(!covered.rules.holds(&file) && !covered.rules.holds(&item), "{glob}");
            covered.apply(std::slice::from_ref(&item));
            assert!(covered.rules.holds(&item), "{glob}");
        }
    }
}
