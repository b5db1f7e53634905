//! Unknown names in a call: checks, and messages with suggestions.

use std::collections::BTreeSet;

use repo_map::plan::{Rule, exact_path};
use repo_map::plan_check::check_tree;
use repo_map::{FlightPlan, Judged, RuleLayers, cost, explain, unmatched};

use super::CallRefused;
use crate::shared::suggest;

/// Checks that each rule of a caller matches something.
pub(super) fn check_reach(repo: &Judged, rules: &[Rule]) -> Result<(), CallRefused> {
    for rule in rules {
        if cost::reach(repo.tree(), rule, &[])?.n_files == 0 {
            let path = exact_path(&rule.path).unwrap_or_else(|| rule.path.clone());
            return Err(CallRefused(no_path(repo, &path)));
        }
    }
    Ok(())
}

/// Checks that each item named by a caller exists.
pub(super) fn check_items(
    repo: &Judged,
    plan: &FlightPlan,
    levels: &[Rule],
) -> Result<(), CallRefused> {
    let of_items: Vec<Rule> = levels.iter().filter(|rule| rule.items.is_some()).cloned().collect();
    if of_items.is_empty() {
        return Ok(());
    }
    let of_levels = FlightPlan { rules: of_items.clone(), ..plan.clone() };
    let checked = check_tree(repo.tree(), &of_levels)?;
    let mut missing = of_items
        .iter()
        .zip(&checked.rules)
        .filter_map(|(rule, checked)| Some((&rule.path, checked.missing_items.first()?)));
    let Some((path, item)) = missing.next() else { return Ok(()) };
    let path = path.trim_start_matches('/');
    let of_file = explain::explain(repo, path, RuleLayers::default())?
        .map(|file| file.items)
        .unwrap_or_default();
    Err(no_item(path, item, of_file.iter().map(|item| item.name.as_str())))
}

/// Returns the message about an unknown path or glob, with similar ones.
pub(super) fn no_path(repo: &Judged, path: &str) -> String {
    let mut near: Vec<String> =
        unmatched::paths_like(repo.tree(), path).into_iter().map(str::to_owned).collect();
    if near.is_empty() {
        let files = repo.ranking();
        let folders: BTreeSet<&str> = files
            .iter()
            .flat_map(|(path, _)| path.match_indices('/').map(|(at, _)| &path[..at]))
            .collect();
        let plain = path.trim_end_matches(['*', '/']);
        near.extend(suggest::similar_paths(plain, folders).iter().map(|one| format!("{one}/")));
    }
    let hint = if near.is_empty() {
        "or ignore rules hide it; `map` shows what there is".to_owned()
    } else {
        format!("did you mean `{}`?", near.join("`, `"))
    };
    format!("no file matches `{path}` ({hint})")
}

/// Returns the message about an unknown item, with similar ones.
pub(super) fn no_item<'a>(
    path: &str,
    item: &str,
    names: impl Iterator<Item = &'a str>,
) -> CallRefused {
    let names: Vec<&str> = names.collect();
    let last = |name: &'a str| name.rsplit([':', '.']).next().unwrap_or(name);
    let lasts: Vec<&str> = names.iter().map(|name| last(name)).collect();
    let near = suggest::nearest(item, names.iter().copied()).or_else(|| {
        let near = suggest::nearest(item, lasts)?;
        names.iter().copied().find(|name| last(name) == near)
    });
    let hint = near.map_or_else(
        || format!("`explain` of `{path}` lists its items"),
        |near| format!("did you mean `{near}`?"),
    );
    CallRefused(format!("`{path}` has no item `{item}` ({hint})"))
}
