//! The effective rule of a file, resolved from the rules of both layers.

use crate::level::{Level, LevelRange};
use crate::map::RuleOrigin;
use crate::plan::{ItemRule, Rule, Verdict, exact_path};
use crate::source::scan::Tree;

/// The two layers of rules for a map.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleLayers<'a> {
    /// The person's rules: bounds.
    pub person: &'a [Rule],
    /// The pilot's rules, clamped to the bounds.
    pub pilot: &'a [Rule],
}

impl RuleLayers<'_> {
    /// Returns the pilot's rules as they were before it lowered files or items; `None` if it
    /// lowered nothing.
    pub(crate) fn before_lowerings(&self, tree: &Tree) -> Option<Vec<Rule>> {
        let before: Vec<Rule> =
            self.pilot.iter().filter_map(|rule| before_lowering(rule, tree)).collect();
        (before != self.pilot).then_some(before)
    }
}

/// Returns a rule without what it lowers; `None` if it does nothing else.
fn before_lowering(rule: &Rule, tree: &Tree) -> Option<Rule> {
    let is_low = |level: &LevelRange| level.floor == level.ceiling && level.ceiling < Level::Path;
    let is_file = || exact_path(&rule.path).is_some_and(|path| tree.position(&path).is_some());
    let level = match rule.level.filter(is_low) {
        None => rule.level,
        // It took the place of the rule that opened this file.
        Some(_) => is_file().then_some(LevelRange::ANY),
    };
    let items = rule.items.iter().flatten().filter(|item| item.level > Level::Exclude).cloned();
    let items = Some(items.collect::<Vec<_>>()).filter(|items| !items.is_empty());
    (level.is_some() || items.is_some()).then(|| Rule { level, items, ..rule.clone() })
}

/// The effective rule of one file.
#[derive(Debug, Clone)]
pub(crate) struct EffectiveRule {
    pub(crate) range: LevelRange,
    pub(crate) rule: Option<RuleOrigin>,
    /// The position of the person's rule that bounds the range.
    pub(crate) bound: Option<usize>,
    pub(crate) items: Vec<ItemRule>,
    pub(crate) is_explicit: bool,
    /// Whether evidence alone decides if it is shown: no rule of the person's, and no level that a
    /// pilot named, keeps it below its path.
    pub(crate) is_open: bool,
    /// A person's floor holds even if a pilot's rule won.
    pub(crate) is_bounded: bool,
}

impl EffectiveRule {
    pub(crate) fn of(
        person: Verdict<'_>,
        pilot: Verdict<'_>,
        without_rules: bool,
    ) -> EffectiveRule {
        let origin =
            |verdict: Verdict<'_>, origin: fn(usize) -> RuleOrigin| verdict.rule.map(origin);
        let (range, rule, is_explicit) = match (person.level, pilot.level) {
            (Some(bounds), Some(wish)) => {
                (wish.within(bounds), origin(pilot, RuleOrigin::Pilot), true)
            }
            (Some(bounds), None) => (bounds, origin(person, RuleOrigin::Person), true),
            (None, Some(wish)) => (wish, origin(pilot, RuleOrigin::Pilot), true),
            (None, None) if without_rules => (LevelRange::ANY, None, false),
            // A rule that names only items shows those items.
            (None, None) if !person.items.is_empty() || !pilot.items.is_empty() => {
                (LevelRange::exactly(Level::Path), None, true)
            }
            // By default a file appears only in the line for its folder, and that line is dropped
            // when the budget is too small.
            (None, None) => {
                (LevelRange { floor: Level::Exclude, ceiling: Level::Fold }, None, false)
            }
        };
        // An excluded file stays excluded even if its items are requested, and a person's bounds
        // apply to a pilot's items too.
        let bounds =
            person.level.unwrap_or(LevelRange { floor: Level::Exclude, ceiling: Level::Full });
        let clamped = |rule: &ItemRule| ItemRule {
            name: rule.name.clone(),
            level: bounds.of_item(rule.level),
        };
        let items = match (range.ceiling < Level::Path, person.items.is_empty()) {
            (true, _) => Vec::new(),
            (false, false) => person.items.to_vec(),
            (false, true) if bounds.ceiling <= Level::Path || bounds.floor == Level::Full => {
                Vec::new()
            }
            (false, true) => pilot.items.iter().map(clamped).collect(),
        };
        let is_kept_low = |level: LevelRange| level.ceiling < Level::Path;
        let is_named_low = |level: LevelRange| is_kept_low(level) && level.floor == level.ceiling;
        let is_open = match (person.level, pilot.level) {
            (Some(bounds), _) if is_kept_low(bounds) => false,
            (_, Some(wish)) => !is_named_low(wish),
            (Some(_), None) => true,
            (None, None) => !is_kept_low(range),
        };
        let is_bounded = person.level.is_some_and(|bounds| bounds.floor == range.floor);
        EffectiveRule { range, rule, bound: person.rule, items, is_explicit, is_open, is_bounded }
    }

    /// Reports whether it asks for something to be shown.
    pub(crate) fn asks_for_text(&self) -> bool {
        self.range.floor >= Level::Path || self.items.iter().any(|item| item.level > Level::Exclude)
    }

    /// Returns the lowest level that an explicit rule accepts.
    pub(crate) fn wanted(&self) -> Option<Level> {
        self.is_explicit.then_some(self.range.floor).filter(|level| *level >= Level::Path)
    }
}
