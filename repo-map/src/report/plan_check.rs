//! Checks which paths each rule of a plan matches in a repository.

use std::path::Path;

use crate::error::Result;
use crate::level::{Level, LevelRange};
use crate::map::corpus::{in_force, scan_options};
use crate::map::items::items_named;
use crate::plan::{FlightPlan, RuleSet};
use crate::report::unmatched::similar_globs;
use crate::source::scan::{self, Tree};

/// The result of checking a plan against a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The number of files in the repository.
    pub n_files: usize,
    /// The number of files to which no rule gives a level.
    pub unmatched: usize,
    /// One entry per rule.
    pub rules: Vec<CheckedRule>,
}

/// The effect of one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedRule {
    /// The number of files that its glob matches.
    pub matches: usize,
    /// The number of files for which its level, or its list of items, is the one that counts.
    pub wins: usize,
    /// Similar globs, if it matches no file.
    pub similar: Vec<String>,
    /// Names of items that none of its files has.
    pub missing_items: Vec<String>,
    /// Names of items that only files below level path have, which show no items.
    pub closed_items: Vec<String>,
}

/// The maximum number of rules for which similar globs are searched: a plan of another repository
/// has thousands without a match.
const MOST_SUGGESTED: usize = 20;

/// Checks a plan against the repository at `root`. `ignored` are paths that are not part of it,
/// such as the plan itself.
///
/// # Errors
/// If `root` cannot be read or a glob does not compile.
pub fn check(root: &Path, plan: &FlightPlan, ignored: &[String]) -> Result<Checked> {
    let mut options = scan_options(plan);
    options.ignored.extend(ignored.iter().cloned());
    check_tree(&scan::walk(root, &options)?, plan)
}

/// Checks a plan against a tree.
///
/// # Errors
/// If a glob does not compile.
pub fn check_tree(tree: &Tree, plan: &FlightPlan) -> Result<Checked> {
    let (rules, languages) = (RuleSet::new(&plan.rules)?, in_force(plan)?);
    let mut checked = Checked {
        n_files: tree.files.len(),
        unmatched: 0,
        rules: vec![CheckedRule::default(); plan.rules.len()],
    };
    // For each item, the highest level that a file which has it may have.
    let mut found = plan
        .rules
        .iter()
        .map(|rule| vec![None; rule.items.as_ref().map_or(0, Vec::len)])
        .collect::<Vec<_>>();
    for file in &tree.files {
        let matching = rules.matching(&file.path);
        let last_with =
            |has: &dyn Fn(usize) -> bool| matching.iter().rev().copied().find(|rule| has(*rule));
        let by_level = last_with(&|rule| plan.rules[rule].level.is_some());
        let by_items = last_with(&|rule| plan.rules[rule].items.is_some());
        checked.unmatched += usize::from(by_level.is_none());
        for rule in &matching {
            checked.rules[*rule].matches += 1;
            checked.rules[*rule].wins += usize::from(
                by_level == Some(*rule)
                    || plan.rules[*rule].level.is_none() && by_items == Some(*rule),
            );
        }
        if let Some(rule) = by_items {
            let source = scan::read(file, plan.scan.gate());
            let (_, outline) = languages.outline_of(&file.path, &source);
            let range = by_level.and_then(|rule| plan.rules[rule].level);
            let ceiling = range.unwrap_or(LevelRange::ANY).ceiling;
            for (item, found) in plan.rules[rule].items.iter().flatten().zip(&mut found[rule]) {
                if !items_named(&outline, &item.name).is_empty() {
                    *found = (*found).max(Some(ceiling));
                }
            }
        }
    }
    let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let mut n_suggested = 0;
    for (at, rule) in plan.rules.iter().enumerate() {
        if checked.rules[at].matches == 0 && n_suggested < MOST_SUGGESTED {
            n_suggested += 1;
            checked.rules[at].similar = similar_globs(&rule.path, &paths);
        }
        for (item, found) in rule.items.iter().flatten().zip(&found[at]) {
            let names = match found {
                None => &mut checked.rules[at].missing_items,
                Some(ceiling) if *ceiling < Level::Path => &mut checked.rules[at].closed_items,
                Some(_) => continue,
            };
            names.push(item.name.clone());
        }
    }
    Ok(checked)
}
