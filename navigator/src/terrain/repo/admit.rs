//! Holds the wishes of a decision against the budget: one that does not fit is refused alone.

use std::collections::BTreeSet;

use repo_map::plan::{Rule, exact_glob, exact_path};
use repo_map::{
    FileReport, Judged, Level, Part, PartKind, RepoMap, RuleLayers, RuleOrigin, cost, rule_cost,
};

use super::change::{RuleChange, RuleTarget};
use crate::run::admission::{Admission, Refusal};
use crate::run::plan::Plan as _;

/// The inputs of the maps in which wishes are tried.
struct Trial<'a> {
    repo: &'a Judged,
    tokens: u32,
    bounds: &'a [Rule],
    plan: &'a [Rule],
    changes: Vec<RuleChange>,
}

/// Sorts changes by whether they fit: those that lower something always do; then named items and
/// files in their order, then folders and globs. A wish is refused where it, or a wish admitted
/// before, would come out lower.
///
/// # Errors
/// If the rules cannot be used.
pub(super) fn admit(
    repo: &Judged,
    tokens: u32,
    bounds: &[Rule],
    plan: &[Rule],
    changes: Vec<RuleChange>,
) -> repo_map::Result<Admission<Vec<Rule>>> {
    if !changes.iter().any(asks_for_text) {
        return Ok(Admission { changes, refused: Vec::new() });
    }
    let trial = Trial { repo, tokens, bounds, plan, changes };
    let mut is_in = trial.lowerings()?;
    let mut order: Vec<usize> = (0..is_in.len()).filter(|at| !is_in[*at]).collect();
    let (rules, map) = trial.map(&is_in)?;
    let short = trial.short(&rules, &map)?;
    let (rules, map) = trial.map(&vec![true; is_in.len()])?;
    if trial.short(&rules, &map)?.is_subset(&short) {
        return Ok(Admission { changes: trial.changes, refused: Vec::new() });
    }
    order.sort_by_key(|at| !names_one_file(repo, &trial.changes[*at]));
    for at in order {
        is_in[at] = true;
        let (rules, map) = trial.map(&is_in)?;
        is_in[at] = trial.short(&rules, &map)?.is_subset(&short);
    }
    let (rules, map) = trial.map(&is_in)?;
    let mut admission = Admission { changes: Vec::new(), refused: Vec::new() };
    for (change, is_in) in trial.changes.into_iter().zip(is_in) {
        if is_in {
            admission.changes.push(change);
        } else {
            admission.refused.push(refusal(repo, &rules, &map, change)?);
        }
    }
    Ok(admission)
}

impl Trial<'_> {
    /// Reports of each change whether it lowers what it names, or asks for no text.
    fn lowerings(&self) -> repo_map::Result<Vec<bool>> {
        let (_, map) = self.map(&vec![false; self.changes.len()])?;
        let lowers = |change: &RuleChange| {
            if !asks_for_text(change) {
                return Ok(true);
            }
            let (path, item, level) = match &change.target {
                RuleTarget::Paths(glob, level) => (exact_path(glob), None, level.ceiling),
                RuleTarget::Item(path, item) => (Some(path.clone()), Some(&*item.name), item.level),
            };
            let Some(path) = path else { return Ok(false) };
            let shown = cost::shown(self.repo, &path, item, &map)?;
            Ok(shown.is_some_and(|shown| shown > level))
        };
        self.changes.iter().map(lowers).collect()
    }

    /// Returns the rules with some of the changes, and their map.
    fn map(&self, is_in: &[bool]) -> repo_map::Result<(Vec<Rule>, RepoMap)> {
        let changes = self.changes.iter().zip(is_in).filter(|(_, is_in)| **is_in);
        let changes: Vec<RuleChange> = changes.map(|(change, _)| change.clone()).collect();
        let mut rules = self.plan.to_vec();
        rules.take(&changes);
        let layers = RuleLayers { person: self.bounds, pilot: &rules };
        let map = self.repo.map_within(layers, self.tokens)?;
        Ok((rules, map))
    }

    /// Returns the names of files and items that a map shows below the pilot's wish.
    fn short(&self, rules: &[Rule], map: &RepoMap) -> repo_map::Result<BTreeSet<String>> {
        let is_short = |file: &&FileReport| {
            file.requested.is_some() && matches!(file.rule, Some(RuleOrigin::Pilot(_)))
        };
        let mut short: BTreeSet<String> =
            map.files.iter().filter(is_short).map(|file| file.path.clone()).collect();
        for rule in rules {
            let (Some(path), Some(items)) = (exact_path(&rule.path), &rule.items) else { continue };
            let of_items = cost::items_shown(self.repo, &path, map)?;
            // The last match wins: what a later rule names as well is that one's.
            let mut of_later: BTreeSet<String> = BTreeSet::new();
            for item in items.iter().rev() {
                let alone = Rule { level: None, items: Some(vec![item.clone()]), ..rule.clone() };
                let mut own = cost::named_items(self.repo, &path, &item.name);
                own.retain(|name| !of_later.contains(name));
                let shown = of_items.iter().filter(|one| own.contains(&one.name));
                let shown = shown.map(|one| one.level).min();
                of_later.extend(own);
                // An item in full is open around others that are named inside it. The items of a
                // file fit together or not at all, so its header shows that they do.
                let is_open = shown == Some(Level::Interface)
                    && items.iter().any(|other| other.level < Level::Body);
                let is_low = item.level >= Level::Outline
                    && !is_open
                    && shown.is_some_and(|shown| shown < item.level)
                    // The person's rules keep it lower, at any budget.
                    && cost::reach(self.repo.tree(), &alone, self.bounds)?.beyond.is_empty();
                if is_low {
                    short.insert(format!("{path}#{}", item.name));
                }
            }
        }
        Ok(short)
    }
}

/// Reports whether a change is a wish that takes tokens.
fn asks_for_text(change: &RuleChange) -> bool {
    match &change.target {
        RuleTarget::Paths(_, level) => level.floor >= Level::Path,
        RuleTarget::Item(_, item) => item.level >= Level::Outline,
    }
}

fn names_one_file(repo: &Judged, change: &RuleChange) -> bool {
    match &change.target {
        RuleTarget::Paths(glob, _) => exact_path(glob).is_some_and(|path| repo.has_path(&path)),
        RuleTarget::Item(..) => true,
    }
}

/// Returns the refusal of a change, with what it adds to the wishes of its file and the tokens that
/// all wishes leave beside the lines of folders.
fn refusal(
    repo: &Judged,
    rules: &[Rule],
    map: &RepoMap,
    change: RuleChange,
) -> repo_map::Result<Refusal<Vec<Rule>>> {
    let (own, level) = match &change.target {
        RuleTarget::Paths(glob, level) => (glob.clone(), level.floor),
        RuleTarget::Item(path, item) => (exact_glob(path), item.level),
    };
    let is_wish = |rule: &&Rule| {
        rule.level.is_some_and(|level| level.floor == level.ceiling) || rule.items.is_some()
    };
    // What the wishes of its own file need, without and with the change.
    let of_own = |rules: &[Rule]| {
        let rule = rules.iter().filter(is_wish).find(|rule| rule.path == own);
        rule.map_or(Ok(0), |rule| rule_cost::tokens_of(repo, rule))
    };
    let mut with_it = rules.to_vec();
    with_it.take(std::slice::from_ref(&change));
    let (before, after) = (of_own(rules)?, of_own(&with_it)?);
    let is_taken = |part: &&Part| match part.kind {
        PartKind::File => {
            let glob = exact_glob(&part.path);
            glob != own && rules.iter().filter(is_wish).any(|rule| rule.path == glob)
        }
        _ => true,
    };
    let taken: u32 = map.parts.iter().filter(is_taken).map(|part| part.tokens).sum();
    Ok(Refusal {
        wish: format!("`{}` {level}", change.name()),
        tokens: after.saturating_sub(before),
        left: map.budget.saturating_sub(taken + before),
        change,
    })
}
