//! Reads a model's changes of a repository: paths, items and levels become changes, or complaints
//! that go back to the model.

use repo_map::plan::{Rule, check_glob, exact_glob};
use repo_map::{Judged, Level, LevelRange, cost, unmatched};
use serde_json::Value;

use super::change::RuleChange;
use crate::pilot::answer::text;
use crate::run::terrain::Nouns;
use crate::run::text::one_line;

/// Reads a change and checks that its path and item exist.
pub(super) fn read_change(
    change: &Value,
    repo: &Judged,
    nouns: Nouns,
    bounds: &[Rule],
) -> Result<RuleChange, String> {
    let named = text(change, "path");
    let path = path_of_line(named.trim(), repo).trim_start_matches("./");
    if path.is_empty() {
        return Err(format!("a change has no `path`: {}", short(&change.to_string())));
    }
    let said = text(change, "level");
    let level: Level = said.trim().to_lowercase().parse().map_err(|_| {
        format!(
            "`{}` for `{}` is not a level (exclude, fold, path, outline, interface, full)",
            short(&said),
            short(path)
        )
    })?;
    let why = text(change, "why");
    if let Some((file, item)) = path.split_once('#') {
        return item_change(file.trim_start_matches('/'), item, level, &why, (repo, nouns), bounds);
    }
    let glob = glob_of(path, repo);
    check_glob(&glob).map_err(|error| error.to_string())?;
    let rule = Rule::new(&glob, LevelRange::exactly(level));
    if cost::reach(repo.tree(), &rule, &[]).map_err(|error| error.to_string())?.n_files == 0 {
        return Err(format!(
            "`{}` matches no {}{}",
            short(path),
            nouns.place,
            did_you_mean(&similar_paths(path, repo, bounds))
        ));
    }
    Ok(RuleChange::paths(glob, LevelRange::exactly(level), why))
}

/// Extracts the path from a line of the map (`- tests/ (42 files: py 15)`, `- src/ +14 files`),
/// because models copy whole lines.
fn path_of_line<'l>(line: &'l str, repo: &Judged) -> &'l str {
    if repo.has_path(line) {
        return line;
    }
    let line = line.strip_prefix("- ").unwrap_or(line);
    let end =
        [" (", " +", ": now"].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    line[..end].trim_end()
}

fn item_change(
    file: &str,
    item: &str,
    level: Level,
    why: &str,
    (repo, nouns): (&Judged, Nouns),
    bounds: &[Rule],
) -> Result<RuleChange, String> {
    if !repo.has_path(file) {
        return Err(format!(
            "`{}` is no {} of the {}{}",
            short(file),
            nouns.place,
            nouns.world,
            did_you_mean(&similar_paths(file, repo, bounds))
        ));
    }
    if !cost::has_item(repo, file, item) {
        let similar = unmatched::similar_items(repo, file, item);
        let similar: Vec<&str> = similar.iter().map(String::as_str).collect();
        let (part, near) = (nouns.part, did_you_mean(&similar));
        return Err(format!("`{file}` has no {part} `{}`{near}", short(item)));
    }
    // An item is shown by name, by signature or in full; a level below its name hides it.
    let level = match level {
        Level::Fold | Level::Path => Level::Exclude,
        level => level,
    };
    Ok(RuleChange::item(file, item, level, why))
}

/// Returns the glob for a model's path: a file or folder of the tree is matched literally.
fn glob_of(path: &str, repo: &Judged) -> String {
    let plain = path.trim_start_matches('/');
    if repo.has_path(plain) || !plain.contains(['*', '?', '[', '{']) {
        return exact_glob(plain);
    }
    path.to_owned()
}

/// Returns the complaint about a change that the person's rules forbid.
pub(super) fn beyond(
    change: &RuleChange,
    repo: &Judged,
    place: &str,
    bounds: &[Rule],
) -> Option<String> {
    let reach = cost::reach(repo.tree(), &change.rule(), bounds).ok()?;
    let (path, range) = reach.beyond.first()?;
    let more = if reach.beyond.len() > 1 {
        format!(" and {} more {place}s", reach.beyond.len() - 1)
    } else {
        String::new()
    };
    Some(format!(
        "the person's rules keep `{path}`{more} at {range}: `{}` was clamped to that",
        change.name()
    ))
}

/// Reads a focus area; returns the path of its file.
pub(super) fn read_focus(said: &str, repo: &Judged, nouns: Nouns) -> Result<String, String> {
    let file = said.split('#').next().unwrap_or_default().trim_start_matches("./");
    if repo.has_path(file) {
        Ok(file.to_owned())
    } else {
        let Nouns { place, world, .. } = nouns;
        Err(format!("the focus area `{said}` is no {place} of the {world}"))
    }
}

fn short(text: &str) -> String {
    one_line(text, 120)
}

/// Returns paths similar to an unknown one, without those that the person excludes.
fn similar_paths<'r>(path: &str, repo: &'r Judged, bounds: &[Rule]) -> Vec<&'r str> {
    let kept_out = cost::kept_out(repo.tree(), bounds).unwrap_or_default();
    unmatched::paths_like(repo.tree(), path)
        .into_iter()
        .filter(|similar| !kept_out.contains(similar))
        .collect()
}

fn did_you_mean(similar: &[&str]) -> String {
    if similar.is_empty() {
        String::new()
    } else {
        format!(" (did you mean `{}`?)", similar.join("`, `"))
    }
}
