//! Rules in the notation of the command line: a glob, or items of files after a `#`.

use crate::level::{Level, LevelRange};
use crate::plan::globs::{RuleError, check_glob};
use crate::plan::rule::{ItemRule, Rule};

/// Parses the target of a rule: a glob for paths, or items of the matching files after a `#`. A `#`
/// in a path is written `\\#`.
///
/// # Errors
/// When the target is invalid, or the range is not one for items.
pub fn typed_rule(target: &str, range: LevelRange) -> std::result::Result<Rule, RuleError> {
    let mark =
        target.match_indices('#').map(|(at, _)| at).find(|at| !target[..*at].ends_with('\\'));
    let (glob, item) = mark.map_or((target, None), |at| (&target[..at], Some(&target[at + 1..])));
    check_glob(glob)?;
    let Some(name) = item else { return Ok(Rule::new(glob, range)) };
    if name.trim().is_empty() {
        return Err(RuleError::NoItem { target: target.to_owned() });
    }
    if range.floor != range.ceiling || matches!(range.floor, Level::Fold | Level::Path) {
        return Err(RuleError::ItemLevel { range });
    }
    let item = ItemRule { name: name.to_owned(), level: range.floor };
    Ok(Rule { level: None, items: Some(vec![item]), ..Rule::new(glob, range) })
}

/// Merges rules typed one after the other. Rules for items of one glob become one rule at the place
/// of the last, because a later list of items replaces an earlier one.
pub fn typed_rules(typed: Vec<Rule>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for mut rule in typed {
        let is_list = |other: &Rule| other.level.is_none() && other.path == rule.path;
        if let Some(at) = rules.iter().position(is_list).filter(|_| rule.level.is_none()) {
            let before = rules.remove(at).items.into_iter().flatten();
            rule.items = Some(before.chain(rule.items.into_iter().flatten()).collect());
        }
        rules.push(rule);
    }
    rules
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

/// Returns a rule in the command line's notation, the inverse of [`typed_rule`]: one target and
/// level for the paths, and one for each item.
pub(crate) fn as_typed(rule: &Rule) -> Vec<String> {
    let of_item = |item: &ItemRule| format!("{}#{}={}", rule.path, item.name, item.level);
    let of_paths = rule.level.map(|level| format!("{}={level}", rule.path));
    of_paths.into_iter().chain(rule.items.iter().flatten().map(of_item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_reads_back_as_it_is_typed() {
        let typed = |targets: &[&str]| {
            let rule = |target: &&str| {
                target
                    .rsplit_once('=')
                    .map(|(glob, level)| typed_rule(glob, level.parse().unwrap()))
                    .unwrap()
            };
            Ok::<_, RuleError>(typed_rules(
                targets.iter().map(rule).collect::<std::result::Result<Vec<_>, RuleError>>()?,
            ))
        };
        let targets = [
            "**=exclude..full",
            "/c\\#/a=b.cs=full",
            "/it's.rs#A::b@2=full",
            "/it's.rs#C# #1=outline",
            "/it's.rs=path..full",
        ];
        let rules = typed(&targets).unwrap();
        assert_eq!(
            rules.iter().map(|rule| rule.path.as_str()).collect::<Vec<_>>(),
            ["**", "/c\\#/a=b.cs", "/it's.rs", "/it's.rs"]
        );
        assert_eq!(rules.iter().flat_map(as_typed).collect::<Vec<_>>(), targets);
        let mixed = typed(&["a.rs#x=full", "*.rs#y=full", "a.rs#z=full"]).unwrap();
        assert_eq!(
            mixed.iter().flat_map(as_typed).collect::<Vec<_>>(),
            ["*.rs#y=full", "a.rs#x=full", "a.rs#z=full"]
        );
        assert_eq!(
            typed(&["a.rs#f=path"]).unwrap_err().to_string(),
            "`path`: an item takes exclude, outline, interface, body or full"
        );
        assert_eq!(
            typed(&["a.rs#=full"]).unwrap_err().to_string(),
            "`a.rs#` names no item after its `#`"
        );
    }
}
