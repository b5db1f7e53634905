//! The verdict of a plan's rules on a path: for each field the last match wins.

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::plan::globs::Globs;
use crate::plan::rule::{ItemRule, Rule};

/// The compiled rules of a plan.
#[derive(Debug, Clone)]
pub(crate) struct RuleSet<'a> {
    rules: &'a [Rule],
    globs: Globs,
}

/// The result of matching the rules on one path. Each field comes from the last rule that matches
/// and sets it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Verdict<'a> {
    pub(crate) level: Option<LevelRange>,
    /// The position of the rule that gave the level.
    pub(crate) rule: Option<usize>,
    pub(crate) items: &'a [ItemRule],
    /// The position of the rule that gave the items.
    pub(crate) items_rule: Option<usize>,
    pub(crate) requested: Option<Level>,
    pub(crate) mark: Option<&'a str>,
}

impl<'a> RuleSet<'a> {
    /// Compiles the rules.
    ///
    /// # Errors
    /// [`Error::Plan`] when a rule's glob does not compile; plans that were read have been checked.
    pub(crate) fn new(rules: &'a [Rule]) -> Result<RuleSet<'a>> {
        let globs = Globs::new(rules.iter().map(|rule| rule.path.as_str()))
            .map_err(|error| Error::rule("rules", error))?;
        Ok(RuleSet { rules, globs })
    }

    /// Returns the positions of the rules that match, in order.
    pub(crate) fn matching(&self, path: &str) -> Vec<usize> {
        self.globs.matches(path)
    }

    pub(crate) fn verdict(&self, path: &str) -> Verdict<'a> {
        let mut verdict = Verdict::default();
        for position in self.matching(path) {
            let rule = &self.rules[position];
            if rule.level.is_some() {
                verdict.level = rule.level;
                verdict.rule = Some(position);
                verdict.requested = rule.requested;
                verdict.mark = rule.mark.as_deref();
            }
            if let Some(items) = &rule.items {
                verdict.items = items;
                verdict.items_rule = Some(position);
            }
        }
        verdict
    }
}

/// What rules exclude, for those who ask before there are documents.
#[derive(Debug, Clone, Default)]
pub struct ExcludedPaths {
    rules: Vec<Rule>,
    globs: Globs,
}

impl ExcludedPaths {
    /// Compiles the rules. One that excludes all paths is what others raise some from, and does not
    /// count.
    ///
    /// # Errors
    /// [`Error::Plan`] when a rule's glob does not compile.
    pub fn of(rules: &[Rule]) -> Result<ExcludedPaths> {
        let counts = |rule: &&Rule| rule.path != "**" || !is_excluding(rule);
        let rules: Vec<Rule> = rules.iter().filter(counts).cloned().collect();
        let globs = RuleSet::new(&rules)?.globs;
        Ok(ExcludedPaths { rules, globs })
    }

    /// Returns the glob of the rule that excludes a path.
    pub fn glob(&self, path: &str) -> Option<&str> {
        self.globs(path).first().copied()
    }

    /// Returns the globs of all rules that would exclude a path which is excluded, the one that
    /// does first.
    pub fn globs(&self, path: &str) -> Vec<&str> {
        let matching = self.globs.matches(path);
        let latest = matching.into_iter().rev().map(|at| &self.rules[at]);
        let mut latest = latest.filter(|rule| rule.level.is_some()).peekable();
        if !latest.peek().is_some_and(|rule| is_excluding(rule)) {
            return Vec::new();
        }
        latest.filter(|rule| is_excluding(rule)).map(|rule| rule.path.as_str()).collect()
    }
}

fn is_excluding(rule: &Rule) -> bool {
    rule.level.is_some_and(|range| range.ceiling == Level::Exclude)
}

/// Returns the range of the last rule that matches a path and sets a level; `None` without one, and
/// for rules that do not compile.
pub fn range_of(rules: &[Rule], path: &str) -> Option<LevelRange> {
    RuleSet::new(rules).ok()?.verdict(path).level
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::FlightPlan;

    #[test]
    fn each_field_is_last_match_wins_on_its_own() {
        let yaml = "version: 1\nrules:\n- {path: '**', level: ..outline}\n- {path: src, level: \
            full}\n\
                    - {path: src/a.rs, items: [{name: f, level: full}]}\n";
        let plan = FlightPlan::from_yaml("p", yaml).unwrap();
        let rules = RuleSet::new(&plan.rules).unwrap();
        let verdict = rules.verdict("src/a.rs");
        assert_eq!(
            (verdict.level, verdict.rule),
            (Some(LevelRange::exactly(Level::Full)), Some(1))
        );
        assert_eq!(verdict.items[0].name, "f");
        assert_eq!(rules.verdict("x").rule, Some(0));
    }

    #[test]
    fn all_globs_that_exclude_a_path_are_known_and_the_last_rule_decides() {
        let rule = |path: &str, level| Rule::new(path, LevelRange::exactly(level));
        let (out, full) = (Level::Exclude, Level::Full);
        let rules = [rule("**", out), rule("old/", out), rule("a.html", full), rule("/old/*", out)];
        let excluded = ExcludedPaths::of(&rules).unwrap();
        assert_eq!(excluded.globs("old/a.html"), ["/old/*", "old/"]);
        assert_eq!(excluded.glob("old/a.html"), Some("/old/*"));
        assert!(ExcludedPaths::of(&rules[..3]).unwrap().globs("old/a.html").is_empty());
    }
}
