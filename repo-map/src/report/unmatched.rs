//! Rules without effect, and suggestions for unknown paths, globs and items.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::map::and_more;
use crate::map::items::items_named;
use crate::map::judged::Judged;
use crate::plan::{Globs, Rule, RuleSet, Verdict};
use crate::source::location::DocumentKind;
use crate::source::scan::{self, ScanOptions, Tree};
use crate::text::suggest::{did_you_mean, similar, similar_paths};

/// The reason why a rule has no effect in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The missing name and the nearest existing one.
    pub message: String,
    /// The path exists in the folder, but is not part of the scanned repository.
    pub is_hidden: bool,
}

/// The paths of a repository's folder with those that ignore rules hide. The folder is walked at
/// most once, when a glob matches no file.
#[derive(Debug, Default)]
pub struct HiddenPaths(OnceCell<Vec<String>>);

impl HiddenPaths {
    fn get(&self, judged: &Judged) -> Result<&[String]> {
        if let Some(paths) = self.0.get() {
            return Ok(paths);
        }
        let everything = ScanOptions { hidden: true, no_ignore: true, ..ScanOptions::default() };
        let walked = judged.tree().root.as_ref().map(|root| scan::walk(root, &everything));
        let files = walked.transpose()?.map(|tree| tree.files).unwrap_or_default();
        let paths = files.into_iter().map(|file| file.path).collect();
        Ok(self.0.get_or_init(|| paths))
    }
}

/// Returns the reason why a rule has no effect. `None` if its glob matches a file and each of its
/// items is in one of them, if it excludes pages that were not read, and for a repository without
/// files.
///
/// # Errors
/// If its glob does not compile.
pub fn unmatched(judged: &Judged, rule: &Rule, hidden: &HiddenPaths) -> Result<Option<Unmatched>> {
    let tree = judged.tree();
    let glob = Globs::new([rule.path.as_str()]).map_err(|error| Error::rule("rule", error))?;
    let files: Vec<usize> =
        (0..tree.files.len()).filter(|file| glob.is_match(&tree.files[*file].path)).collect();
    if tree.files.is_empty() || tree.excluding_unread.contains(&rule.path) {
        return Ok(None);
    }
    if files.is_empty() {
        return no_file(judged, rule, &glob, hidden).map(Some);
    }
    let Some(items) = &rule.items else { return Ok(None) };
    judged.price(&files);
    let missing = items.iter().find(|item| !has_item(judged, &files, &item.name));
    Ok(missing.map(|item| Unmatched {
        message: no_item(judged, &files, &rule.path, &item.name),
        is_hidden: false,
    }))
}

fn has_item(judged: &Judged, files: &[usize], name: &str) -> bool {
    let outlines = files.iter().filter_map(|file| judged.entries.get(*file));
    outlines.map(|entry| &entry.depth.outline).any(|one| !items_named(one, name).is_empty())
}

/// Returns a sentence if the rules of the plan exclude every file, which nobody means.
///
/// # Errors
/// If a glob does not compile.
pub fn excludes_all(judged: &Judged) -> Result<Option<String>> {
    let files = &judged.tree().files;
    let rules = RuleSet::new(&judged.plan().rules)?;
    let is_excluded =
        |path: &str| rules.verdict(path).level.is_some_and(|range| range.ceiling == Level::Exclude);
    let excludes_all = !files.is_empty() && files.iter().all(|file| is_excluded(&file.path));
    Ok(excludes_all.then(|| {
        let n = files.len();
        format!("the rules exclude every file ({n} in all; of several for a path the last wins)")
    }))
}

/// Returns a sentence about the items that rules of the plan ask for, and that are only in files
/// that other rules fold or exclude; `None` if there are none.
///
/// # Errors
/// If a glob does not compile.
pub fn closed_items(judged: &Judged) -> Result<Option<String>> {
    let (tree, plan) = (judged.tree(), judged.plan());
    if plan.rules.iter().all(|rule| rule.items.is_none()) {
        return Ok(None);
    }
    let rules = RuleSet::new(&plan.rules)?;
    let verdicts: Vec<Verdict<'_>> =
        tree.files.iter().map(|file| rules.verdict(&file.path)).collect();
    let is_open =
        |file: &usize| verdicts[*file].level.is_none_or(|range| range.ceiling >= Level::Path);
    let mut closed: Vec<String> = Vec::new();
    for (at, rule) in plan.rules.iter().enumerate().filter(|(_, rule)| rule.items.is_some()) {
        let of_rule = (0..tree.files.len()).filter(|file| verdicts[*file].items_rule == Some(at));
        let (open, shut): (Vec<usize>, Vec<usize>) = of_rule.partition(is_open);
        let Some(by) = shut.first().and_then(|file| verdicts[*file].rule) else { continue };
        judged.price(&[&open[..], &shut].concat());
        let by = &plan.rules[by];
        let range = by.level.unwrap_or(LevelRange::ANY);
        let wanted = rule.items.iter().flatten().filter(|item| item.level > Level::Exclude);
        let lost = wanted.filter(|item| {
            !has_item(judged, &open, &item.name) && has_item(judged, &shut, &item.name)
        });
        closed.extend(lost.map(|item| {
            format!(
                "`{}#{}` shows nothing, `{}={range}` wins for its file",
                rule.path, item.name, by.path
            )
        }));
    }
    let more = and_more(closed.len(), 1);
    let sentence = |first: &String| {
        format!("{first} (drop that rule, or give the file `path` after it){more}")
    };
    Ok(closed.first().map(sentence))
}

/// Returns a sentence about the rules of a plan that match no file, with the number of those after
/// the first; `None` if there are none. A pattern without a name to misspell, such as `**/*.pem`,
/// may match nothing: it is written for many repositories. So may a rule that hides, unless a
/// similar glob matches something.
///
/// # Errors
/// If a glob does not compile.
pub fn idle_rules<'r>(
    judged: &Judged,
    rules: impl IntoIterator<Item = &'r Rule>,
) -> Result<Option<String>> {
    const MOST_SUGGESTED: usize = 20;
    let tree = judged.tree();
    let rules: Vec<Rule> = rules.into_iter().cloned().collect();
    let set = RuleSet::new(&rules)?;
    let matching: BTreeSet<usize> =
        tree.files.iter().flat_map(|file| set.matching(&file.path)).collect();
    let is_idle =
        |at: &usize| !matching.contains(at) && !tree.excluding_unread.contains(&rules[*at].path);
    let paths: Vec<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let mut idle = Vec::new();
    for (n, at) in (0..rules.len()).filter(is_idle).enumerate().take_while(|_| !paths.is_empty()) {
        let rule = &rules[at];
        let near = if n < MOST_SUGGESTED { similar_globs(&rule.path, &paths) } else { Vec::new() };
        let hides = rule.level.is_some_and(|range| range.ceiling < Level::Path);
        let below_root = rule.path.trim_start_matches('/');
        let names_a_path = !below_root.starts_with(['*', '?', '[', '{']);
        if !near.is_empty() || names_a_path && !hides {
            idle.push(format!("`{}` matches nothing{}", rule.path, did_you_mean(&near)));
        }
    }
    let more = and_more(idle.len(), 1);
    Ok(idle.first().map(|first| format!("{first}{more}")))
}

/// Returns the globs that match no file.
///
/// # Errors
/// If one does not compile.
#[cfg(feature = "cli")]
pub(crate) fn without_match<'g>(tree: &Tree, globs: &'g [String]) -> Result<Vec<&'g str>> {
    let set = Globs::new(globs.iter().map(String::as_str))
        .map_err(|error| Error::rule("globs", error))?;
    let found: BTreeSet<usize> =
        tree.files.iter().flat_map(|file| set.matches(&file.path)).collect();
    Ok(globs
        .iter()
        .enumerate()
        .filter(|(at, _)| !found.contains(at))
        .map(|(_, glob)| glob.as_str())
        .collect())
}

fn no_file(judged: &Judged, rule: &Rule, glob: &Globs, hidden: &HiddenPaths) -> Result<Unmatched> {
    // The run itself writes the ignored ones.
    let mut hidden = hidden.get(judged)?.iter().chain(&judged.plan().scan.ignored);
    if hidden.any(|path| glob.is_match(path)) {
        let message = format!(
            "`{}` is no part of the repository as it was scanned (ignore rules hide it)",
            rule.path
        );
        return Ok(Unmatched { message, is_hidden: true });
    }
    let paths: Vec<&str> = judged.tree().files.iter().map(|file| file.path.as_str()).collect();
    let matches = |glob: &str| {
        Globs::new([glob]).is_ok_and(|globs| paths.iter().any(|path| globs.is_match(path)))
    };
    let of_items = rule
        .items
        .iter()
        .flatten()
        .map(|item| format!("{}\\#{}", rule.path, item.name))
        .find(|glob| matches(glob));
    let hint = match (of_items, rule.path.split_once('#')) {
        (Some(glob), _) => format!(" (did you mean the path `{glob}`?)"),
        (None, Some((path, _))) if matches(path) => {
            format!(" (no item can be named here: did you mean `{path}`?)")
        }
        _ => did_you_mean(&similar_globs(&rule.path, &paths)),
    };
    let (noun, place) = match judged.tree().kind() {
        DocumentKind::File => ("file", "the repository's folder"),
        DocumentKind::Page => ("page", "the start of the site"),
    };
    let begin = || format!(" (paths begin at {place})");
    let hint = if hint.is_empty() { begin() } else { hint };
    let message = format!("no {noun} matches `{}`{hint}", rule.path);
    Ok(Unmatched { message, is_hidden: false })
}

fn no_item(judged: &Judged, files: &[usize], glob: &str, item: &str) -> String {
    match files {
        [file] => {
            let path = &judged.tree().files[*file].path;
            let similar = similar_items(judged, path, item);
            format!("`{path}` has no item `{item}`{}", did_you_mean(&similar))
        }
        _ => {
            format!("none of the {} files that `{glob}` matches has an item `{item}`", files.len())
        }
    }
}

/// Returns paths of a tree similar to an unknown one.
pub fn paths_like<'t>(tree: &'t Tree, path: &str) -> Vec<&'t str> {
    similar_paths(path, tree.files.iter().map(|file| file.path.as_str()))
}

/// Returns the names of a file's items similar to an unknown one.
pub fn similar_items(judged: &Judged, path: &str, item: &str) -> Vec<String> {
    let Some(file) = judged.position(path) else { return Vec::new() };
    let items = &judged.priced(file).depth.outline.items;
    // A name may have its container in itself: `res.send`.
    let last = |name: &'_ str| name.rsplit(['.', ':']).next().unwrap_or(name).to_owned();
    let names: BTreeSet<String> = items.iter().map(|one| last(&one.name)).collect();
    let near = similar(&last(item), names.iter().map(String::as_str));
    let of_name =
        |name: &str| items.iter().find(|one| last(&one.name) == name).map(|one| one.address());
    near.into_iter().filter_map(of_name).collect()
}

/// Returns suggestions for a glob that matches none of these paths: the glob with unknown names
/// replaced by the nearest ones, else similar paths and folders.
pub(crate) fn similar_globs(glob: &str, paths: &[&str]) -> Vec<String> {
    let matches = |glob: &str| {
        Globs::new([glob]).is_ok_and(|globs| paths.iter().any(|path| globs.is_match(path)))
    };
    let is_literal = |part: &str| !part.is_empty() && !part.contains(['*', '?', '[', '{', '\\']);
    let names: BTreeSet<&str> = paths.iter().flat_map(|path| path.split('/')).collect();
    let right = |part: &str| match is_literal(part) && !names.contains(part) {
        true => similar(part, names.iter().copied()).first().map_or(part, |near| near).to_owned(),
        false => part.to_owned(),
    };
    let here = glob.trim_start_matches("./");
    let renamed = here.split('/').map(right).collect::<Vec<_>>().join("/");
    if let Some(found) = [here.to_owned(), glob.replace('\\', "/"), renamed]
        .into_iter()
        .find(|one| one != glob && matches(one))
    {
        return vec![found];
    }
    let literal = here.trim_start_matches('/').trim_end_matches(['*', '/']);
    if !literal.split('/').all(is_literal) {
        return Vec::new();
    }
    let files = similar_paths(literal, paths.iter().copied());
    if !files.is_empty() {
        return files.into_iter().map(str::to_owned).collect();
    }
    let folders: BTreeSet<&str> =
        paths.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..=at])).collect();
    similar_paths(literal, folders).into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_that_matches_nothing_finds_what_was_meant() {
        let paths = ["README.md", "secrets/key.txt", "service/src/lib/session.rs", "src/main.rs"];
        for (glob, meant) in [
            ("srcc/**", "src/**"),
            ("/srcc/**/*.rs", "/src/**/*.rs"),
            ("secretz/", "secrets/"),
            ("src/mian.rs", "src/main.rs"),
            ("readme.md", "README.md"),
            ("./src/*.rs", "src/*.rs"),
            ("src\\main.rs", "src/main.rs"),
            ("src/session.rs", "service/src/lib/session.rs"),
            ("src/lib/**", "service/src/lib/"),
        ] {
            assert_eq!(similar_globs(glob, &paths), [meant], "{glob}");
        }
        assert_eq!(similar_globs("*.py", &paths), [""; 0]);
        assert_eq!(similar_globs("zygomorphic", &paths), [""; 0]);
    }
}
