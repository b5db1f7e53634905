//! Messages about unknown names in a call, with suggestions.

use std::collections::BTreeSet;

use repo_map::{Judged, unmatched};

use super::CallRefused;
use super::call::nearest;

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
        let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let plain = path.trim_end_matches(['*', '/']);
        let mut scored: Vec<(usize, &str)> = folders
            .into_iter()
            .map(|folder| (strsim::damerau_levenshtein(&last(folder), &last(plain)), folder))
            .collect();
        scored.sort_unstable();
        near.extend(
            scored
                .into_iter()
                .filter(|(edits, _)| *edits <= 1 + plain.len() / 4)
                .take(3)
                .map(|(_, folder)| format!("{folder}/")),
        );
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
    let near = nearest(item, &names).or_else(|| {
        let near = nearest(item, &lasts)?;
        names.iter().copied().find(|name| last(name) == near)
    });
    let hint = near.map_or_else(
        || format!("`explain` of `{path}` lists its items"),
        |near| format!("did you mean `{near}`?"),
    );
    CallRefused(format!("`{path}` has no item `{item}` ({hint})"))
}
