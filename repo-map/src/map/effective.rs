//! What the rules of both layers ask of one file.

use crate::level::{Level, LevelRange};
use crate::map::RuleOrigin;
use crate::plan::{ItemRule, Rule, Verdict};

/// The bounds and the wishes a map is made by.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleLayers<'a> {
    /// A person's rules: bounds.
    pub person: &'a [Rule],
    /// A pilot's rules, clamped to the bounds.
    pub pilot: &'a [Rule],
}

/// What the rules of both layers ask of one file.
#[derive(Debug, Clone)]
pub(crate) struct EffectiveRule {
    pub(crate) range: LevelRange,
    pub(crate) rule: Option<RuleOrigin>,
    /// The person's rule that bounds the range: its position.
    pub(crate) bound: Option<usize>,
    pub(crate) items: Vec<ItemRule>,
    pub(crate) is_explicit: bool,
    /// A person's floor holds, whoever's rule won.
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
            // A rule that only names items shows those items.
            (None, None) if !person.items.is_empty() || !pilot.items.is_empty() => {
                (LevelRange::exactly(Level::Path), None, true)
            }
            // Never full by default; the line for the folder itself gives way when there is no
            // room.
            (None, None) => {
                (LevelRange { floor: Level::Exclude, ceiling: Level::Fold }, None, false)
            }
        };
        // An excluded file stays excluded, whatever is wanted of its items, and a person's bounds
        // bind a pilot's items too.
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
        let is_bounded = person.level.is_some_and(|bounds| bounds.floor == range.floor);
        EffectiveRule { range, rule, bound: person.rule, items, is_explicit, is_bounded }
    }

    /// The least that a rule asked for; a range is content with any of its levels.
    pub(crate) fn wanted(&self) -> Option<Level> {
        self.is_explicit.then_some(self.range.floor).filter(|level| *level >= Level::Path)
    }
}
