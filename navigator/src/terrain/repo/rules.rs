//! Rules as the plan of a repository: taking in changes, checking what is in force, the initial
//! rules.
//!
//! A rule with one exact level is a wish for what it names; a rule with a range leaves the level to
//! the fit. Wishes stand in the order from the general to the specific, so that the last match,
//! which wins, is the most specific one. A later wish for a folder therefore leaves alone what was
//! named inside it, and replaces what was left to the fit.

use repo_map::plan::{ItemRule, Rule, exact_glob, exact_path, range_of};
use repo_map::{Level, LevelRange};

use super::change::{RuleChange, RuleTarget};
use crate::run::plan::Plan;

impl Plan for Vec<Rule> {
    type Change = RuleChange;

    /// Takes in the changes of one reply. The specific wins over the general in any order: an item
    /// over its type and its file, a file over its folder. Of two rules for the same paths the
    /// later counts. A level for a file is one for all its items, whatever the fit shows of them.
    /// Items that were named keep their level with outline and interface; a level that shows no
    /// single items (exclude, fold, path, full) replaces theirs too.
    fn take(&mut self, changes: &[RuleChange]) {
        for change in changes {
            if let RuleTarget::Paths(..) = &change.target {
                take_paths(self, change.rule());
            }
        }
        for change in changes {
            if let RuleTarget::Item(path, item) = &change.target {
                take_item(self, exact_glob(path), item, change);
            }
        }
        show_items_of_folded(self);
    }

    /// Reports whether a change would alter neither a rule nor what overlapping rules do.
    fn holds(&self, change: &RuleChange) -> bool {
        match &change.target {
            RuleTarget::Paths(glob, level) => {
                let is_it = |rule: &Rule| rule.path == *glob && rule.level == Some(*level);
                let Some(at) = self.iter().position(is_it) else { return false };
                let (rule, later) = (&self[at], &self[at + 1..]);
                !later.iter().any(|one| !is_wish_within(one, rule) && overlaps(one, rule))
            }
            RuleTarget::Item(path, item) => {
                let glob = exact_glob(path);
                let of_file = self.iter().filter(|rule| rule.path == glob);
                of_file.flat_map(|rule| rule.items.iter().flatten()).any(|one| one == item)
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

/// Reports whether a rule leaves the level to the fit.
fn is_range(rule: &Rule) -> bool {
    rule.level.is_none_or(|level| level.floor != level.ceiling)
}

/// Returns the path that a glob names, and what is in it; `None` for other globs.
fn place_of(glob: &str) -> Option<String> {
    // A name without a slash matches in every folder.
    let anchored = Some(glob).filter(|glob| glob.trim_end_matches('/').contains('/'))?;
    let place = anchored.strip_suffix("/**").unwrap_or(anchored);
    exact_path(&format!("/{}", place.trim_matches('/'))).filter(|place| !place.is_empty())
}

/// Reports whether every path of the first glob is certainly a path of the second, and not the
/// reverse.
fn is_within(glob: &str, outer: &str) -> bool {
    match (place_of(glob), place_of(outer)) {
        (Some(place), Some(outer)) => {
            place.strip_prefix(&outer).is_some_and(|rest| rest.starts_with('/'))
        }
        (Some(place), None) => covers(outer, &place),
        // The part before the first wildcard lies in the folder.
        (None, Some(outer)) => {
            let start = glob.trim_start_matches('/');
            let start = &start[..start.find(['*', '?', '[', '{']).unwrap_or(start.len())];
            glob.contains('/') && start.starts_with(&format!("{outer}/"))
        }
        (None, None) => glob != outer && outer.trim_start_matches('/') == "**",
    }
}

fn covers(glob: &str, path: &str) -> bool {
    range_of(&[Rule::new(glob, LevelRange::ANY)], path).is_some()
}

/// Reports whether a rule is a wish, or has wishes for items, within the paths of another rule.
fn is_wish_within(rule: &Rule, outer: &Rule) -> bool {
    (!is_range(rule) || rule.items.is_some()) && is_within(&rule.path, &outer.path)
}

/// Reports whether two rules may have a path in common.
fn overlaps(rule: &Rule, other: &Rule) -> bool {
    let within = |one: &Rule, other: &Rule| match (place_of(&one.path), place_of(&other.path)) {
        (Some(one), Some(other)) => {
            one == other || is_within(&format!("/{one}"), &format!("/{other}"))
        }
        (Some(place), None) => covers(&other.path, &place),
        (None, _) => false,
    };
    let has_place = |rule: &Rule| place_of(&rule.path).is_some();
    // Without a place on either side nothing rules a common path out.
    !has_place(rule) || !has_place(other) || within(rule, other) || within(other, rule)
}

/// Adds a rule for paths, before the wishes within them: they are more specific.
fn take_paths(rules: &mut Vec<Rule>, mut new: Rule) {
    let shows_items = new.level.is_some_and(|level| match (level.floor, level.ceiling) {
        (floor, ceiling) if floor == ceiling => {
            matches!(floor, Level::Outline | Level::Interface | Level::Body)
        }
        (_, ceiling) => ceiling >= Level::Path,
    });
    let replaced = rules.iter().rev().find(|rule| rule.path == new.path);
    new.items = replaced.and_then(|rule| rule.items.clone()).filter(|_| shows_items);
    rules.retain(|rule| rule.path != new.path);
    let (mut within, mut rest): (Vec<Rule>, Vec<Rule>) =
        std::mem::take(rules).into_iter().partition(|rule| is_wish_within(rule, &new));
    // Items keep their levels; what was left to the fit of their file follows the new rule.
    for rule in within.iter_mut().filter(|rule| is_range(rule)) {
        rule.level = None;
    }
    rest.push(new);
    rest.append(&mut within);
    *rules = rest;
}

/// Adds an item to the rule of its file, which moves to the end.
fn take_item(rules: &mut Vec<Rule>, glob: String, item: &ItemRule, change: &RuleChange) {
    let own = rules.iter().rposition(|rule| rule.path == glob && rule.level.is_some());
    // A later rule covers what the file's own rule leaves to the fit.
    let own = own.filter(|at| {
        let is_covered = |path: String| range_of(&rules[at + 1..], &path).is_some();
        !is_range(&rules[*at]) || !exact_path(&glob).is_some_and(is_covered)
    });
    // A file that its own rule keeps below its path shows the item alone.
    let level = own
        .and_then(|at| rules[at].level)
        .map(|level| if level.ceiling < Level::Path { ITEMS_ALONE } else { level });
    let (of_file, others): (Vec<Rule>, Vec<Rule>) =
        std::mem::take(rules).into_iter().partition(|rule| rule.path == glob);
    *rules = others;
    let mut items: Vec<ItemRule> =
        of_file.into_iter().filter_map(|rule| rule.items).next_back().unwrap_or_default();
    items.retain(|one| one.name != item.name);
    items.push(item.clone());
    // The last match wins among items too: a whole name over its end, the second of a name over all
    // of that name.
    items.sort_by_key(|item| (item.name.contains('@'), item.name.split(['.', ':']).count()));
    rules.push(Rule { level, items: Some(items), ..change.rule() });
}

/// The level of a file that shows nothing but the items named in it.
pub(super) const ITEMS_ALONE: LevelRange =
    LevelRange { floor: Level::Exclude, ceiling: Level::Path };

/// Gives a level to files with items where other rules fold them: only the items are shown.
fn show_items_of_folded(rules: &mut [Rule]) {
    for at in 0..rules.len() {
        if rules[at].items.is_none() || rules[at].level.is_some() {
            continue;
        }
        let Some(path) = exact_path(&rules[at].path) else { continue };
        let range = range_of(rules, &path);
        if range.is_none_or(|range| range.ceiling < Level::Path) {
            rules[at].level = Some(ITEMS_ALONE);
        }
    }
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

/// Reports whether a rule is that of an excluded glob.
pub fn is_exclusion(rule: &Rule) -> bool {
    rule.path != "**" && rule.level == Some(LevelRange::exactly(Level::Exclude))
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

    fn level(glob: &str, level: Level) -> RuleChange {
        RuleChange::paths(glob, LevelRange::exactly(level), "")
    }

    fn item(name: &str, level: Level) -> RuleChange {
        RuleChange::item("src/a.rs", name, level, "")
    }

    /// The rules after answers, one after the other, to a plan that leaves `/src/a.rs` to the fit.
    fn rules(answers: &[&[RuleChange]]) -> Vec<String> {
        let open = Rule::new("/src/a.rs", LevelRange::ANY);
        let fold = Rule::new("**", LevelRange { floor: Level::Exclude, ceiling: Level::Fold });
        let draft = vec![fold, open];
        let mut state = State::new(String::new(), Vec::new(), draft.clone());
        for answer in answers {
            state.apply(answer);
        }
        let line = |rule: &Rule| {
            let level = rule.level.map(|level| format!(" {level}")).unwrap_or_default();
            let items = rule.items.iter().flatten();
            let items = items.map(|item| format!(" #{} {}", item.name, item.level));
            format!("{}{level}{}", rule.path, items.collect::<String>())
        };
        state.rules.iter().filter(|rule| !draft.contains(rule)).map(line).collect()
    }

    /// The changes in both orders.
    fn either_way(changes: &[RuleChange]) -> Vec<String> {
        let reversed: Vec<RuleChange> = changes.iter().rev().cloned().collect();
        let [one, other] = [changes, &reversed].map(|changes| rules(&[changes]));
        assert_eq!(one, other);
        one
    }

    #[test]
    fn in_one_answer_the_specific_wins_over_the_general_in_any_order() {
        use Level::{Fold, Full, Interface, Outline, Path};
        let file = |to| level("/src/a.rs", to);
        for folder in ["/src", "/src/", "src/**", "**", "**/*.rs"] {
            assert_eq!(
                either_way(&[level(folder, Fold), file(Full)]),
                [format!("{folder} fold"), "/src/a.rs full".to_owned()]
            );
        }
        assert_eq!(either_way(&[file(Path), item("f", Full)]), ["/src/a.rs path #f full"]);
        assert_eq!(
            either_way(&[file(Fold), item("f", Full)]),
            ["/src/a.rs exclude..path #f full"],
            "the item alone"
        );
        assert_eq!(
            either_way(&[level("/src", Fold), item("f", Full)]),
            ["/src fold", "/src/a.rs exclude..path #f full"],
            "the item alone"
        );
        assert_eq!(
            either_way(&[level("/src", Outline), item("f", Full)]),
            ["/src outline", "/src/a.rs #f full"],
            "the rest of the file as its folder"
        );
        assert_eq!(
            either_way(&[level("/src/deep/", Interface), level("/src", Fold), level("**", Path)]),
            ["** path", "/src fold", "/src/deep/ interface"]
        );
        assert_eq!(
            either_way(&[item("S@2", Outline), item("S", Full), item("S::f", Interface)]),
            ["/src/a.rs exclude..full #S full #S::f interface #S@2 outline"]
        );
    }

    #[test]
    fn a_later_answer_changes_what_it_names_and_leaves_what_was_named_inside() {
        use Level::{Fold, Full, Outline, Path};
        let named = [level("/src/b.rs", Full), item("f", Full)];
        let fold = [level("/src/", Fold)];
        assert_eq!(
            rules(&[&named, &fold]),
            ["/src/ fold", "/src/b.rs full", "/src/a.rs exclude..path #f full"]
        );
        assert_eq!(
            rules(&[&named, &fold, &[level("/src/b.rs", Path)], &[level("/src", Outline)]]),
            ["/src/ fold", "/src outline", "/src/a.rs #f full", "/src/b.rs path"]
        );
        assert_eq!(
            rules(&[&named, &[level("/src/a.rs", Fold)]]),
            ["/src/b.rs full", "/src/a.rs fold"],
            "a folded file takes its items along"
        );
        assert_eq!(
            rules(&[&named, &[level("/src/a.rs", Outline)]]),
            ["/src/b.rs full", "/src/a.rs outline #f full"]
        );
    }

    #[test]
    fn a_change_is_in_force_until_what_it_names_is_changed() {
        use Level::{Fold, Full, Path};
        let (file, item) = (level("/src/a.rs", Full), item("f", Level::Interface));
        let mut state = State::new(String::new(), Vec::new(), Vec::new());
        state.apply(&[file.clone(), item.clone()]);
        assert!(state.rules.holds(&file) && state.rules.holds(&item));
        for glob in ["src/**", "/src", "/src/", "**"] {
            let fold = level(glob, Fold);
            let mut folded = state.clone();
            folded.apply(std::slice::from_ref(&fold));
            assert!(
                [&fold, &file, &item].map(|one| folded.rules.holds(one)) == [true; 3],
                "{glob}"
            );
            folded.apply(&[level("/src/a.rs", Path)]);
            assert!(
                [&fold, &file, &item].map(|one| folded.rules.holds(one)) == [true, false, false]
            );
        }
        let mut both = state.clone();
        let (tests, source) = (level("*_test.rs", Fold), level("/src/", Path));
        both.apply(&[tests.clone(), source.clone()]);
        assert!(both.rules.holds(&source) && !both.rules.holds(&tests), "they may overlap");
    }
}
