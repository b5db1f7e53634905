//! Reads a model's changes of a repository: paths, items and levels become changes, or complaints
//! that go back to the model.

use repo_map::plan::{Rule, check_glob, exact_glob};
use repo_map::{Judged, Level, LevelRange, cost, explain, meant, unmatched};
use serde_json::Value;

use super::change::RuleChange;
use crate::pilot::answer::text;
use crate::pilot::briefing::ReadChange;
use crate::run::terrain::Nouns;
use crate::run::text::one_line;
use crate::shared::suggest::did_you_mean;

/// Reads changes: what they are of, in which words a complaint speaks of it, and what a person's
/// rules keep out.
pub(super) struct ChangeReader<'r> {
    pub(super) repo: &'r Judged,
    pub(super) nouns: Nouns,
    pub(super) bounds: &'r [Rule],
}

impl ChangeReader<'_> {
    /// Reads a change of a path or an item that exists, or that a wrong name can only mean.
    pub(super) fn read(&self, change: &Value) -> Result<ReadChange<RuleChange>, String> {
        let named = text(change, "path");
        let (path, item) = address_of_line(&named, self.repo);
        if path.is_empty() {
            return Err(format!("a change has no `path`: {}", short(&change.to_string())));
        }
        let said = text(change, "level");
        let level: Level = said.trim().to_lowercase().parse().map_err(|_| {
            format!(
                "`{}` for `{}` is not a level (exclude, fold, path, outline, interface, body, \
                 full)",
                short(&said),
                short(path)
            )
        })?;
        let why = text(change, "why");
        match item {
            Some(item) => self.of_item(path, item, level, &why),
            None => self.of_path(path, level, &why),
        }
    }

    fn of_path(
        &self,
        path: &str,
        level: Level,
        why: &str,
    ) -> Result<ReadChange<RuleChange>, String> {
        let level = LevelRange::exactly(level);
        let tree = self.repo.tree();
        let glob = glob_of(path, self.repo);
        check_glob(&glob).map_err(|error| error.to_string())?;
        let reach = cost::reach(tree, &Rule::new(&glob, level), &[]);
        if reach.map_err(|error| error.to_string())?.n_files > 0 {
            return Ok(RuleChange::paths(glob, level, why).into());
        }
        let meant = meant::path(tree, path, self.bounds).map_err(|error| error.to_string())?;
        let Some(meant) = meant else {
            let (place, near) = (self.nouns.place, self.similar_paths(path));
            return Err(format!("`{}` matches no {place}{near}", short(path)));
        };
        let note = Some(read_as(path, &meant));
        Ok(ReadChange { change: RuleChange::paths(exact_glob(&meant), level, why), note })
    }

    fn of_item(
        &self,
        file: &str,
        item: &str,
        level: Level,
        why: &str,
    ) -> Result<ReadChange<RuleChange>, String> {
        // An item is shown by name, by signature or in full; a level below its name hides it.
        let level = match level {
            Level::Fold | Level::Path => Level::Exclude,
            level => level,
        };
        let as_said = [item.to_owned(), as_address(item)];
        if let Some(item) = as_said.iter().find(|item| cost::has_item(self.repo, file, item)) {
            return Ok(RuleChange::item(file, item, level, why).into());
        }
        let meant = meant::item(self.repo, file, item, self.bounds);
        let Some((meant_file, meant_item)) = meant.map_err(|error| error.to_string())? else {
            return Err(self.no_item(file, item));
        };
        let note = Some(read_as(&format!("{file}#{item}"), &format!("{meant_file}#{meant_item}")));
        Ok(ReadChange { change: RuleChange::item(meant_file, meant_item, level, why), note })
    }

    /// Returns the complaint about an item that does not exist, or whose file does not.
    fn no_item(&self, file: &str, item: &str) -> String {
        let Nouns { place, part, world, .. } = self.nouns;
        if !self.repo.has_path(file) {
            let near = self.similar_paths(file);
            return format!("`{}` is no {place} of the {world}{near}", short(file));
        }
        let similar = unmatched::similar_items(self.repo, file, item);
        let similar: Vec<&str> = similar.iter().map(String::as_str).collect();
        format!("`{file}` has no {part} `{}`{}", short(item), did_you_mean(&similar))
    }

    /// Returns a question with the paths similar to an unknown one, without those that the person
    /// excludes.
    fn similar_paths(&self, path: &str) -> String {
        let tree = self.repo.tree();
        let kept_out = cost::kept_out(tree, self.bounds).unwrap_or_default();
        let mut similar = unmatched::paths_like(tree, path);
        similar.retain(|similar| !kept_out.contains(similar));
        did_you_mean(&similar)
    }
}

/// Returns the address of an item with its number as an excerpt draws it: `Session [@2 full]`.
fn as_address(drawn: &str) -> String {
    let marked = drawn.strip_suffix(']').and_then(|drawn| drawn.rsplit_once("[@"));
    let numbered = marked.map(|(name, mark)| {
        let number = mark.split(' ').next().unwrap_or(mark);
        format!("{}@{number}", name.trim_end())
    });
    numbered.unwrap_or_else(|| drawn.to_owned())
}

fn read_as(said: &str, meant: &str) -> String {
    format!("`{}` read as `{meant}`", short(said))
}

/// Extracts the path and the item from a line of the map or of prices, because models copy whole
/// lines: `- tests/ (42 files: py 15)`, `- src/ +14 files`, `src/a.rs#Session: now outline; …`. A
/// name of an item may contain the same marks, so it is cut only where the file has no such item.
fn address_of_line<'l>(line: &'l str, repo: &Judged) -> (&'l str, Option<&'l str>) {
    let line = line.trim().trim_start_matches("./");
    if repo.has_path(line) {
        return (line, None);
    }
    let address = line.strip_prefix("- ").unwrap_or(line).trim_start_matches("./");
    match split_address(address, repo) {
        (file, Some(item)) => {
            let said = item.rsplit_once(": now ").map(|(said, _)| said);
            let is_line =
                |said: &&str| cost::has_item(repo, file, said) && !cost::has_item(repo, file, item);
            (file, Some(said.filter(is_line).unwrap_or(item)))
        }
        (path, None) => (before_facts(path), None),
    }
}

/// Splits an address of a model. A `#` after facts of a line (`- src/ (1 file: #)`) and in a glob
/// that matches files begins no item.
fn split_address<'l>(address: &'l str, repo: &Judged) -> (&'l str, Option<&'l str>) {
    let plain = address.trim_start_matches('/');
    let (file, item) = explain::split_target(repo, plain);
    let is_place = || {
        let path = before_facts(plain);
        let rule = Rule::new(glob_of(path, repo), LevelRange::ANY);
        cost::reach(repo.tree(), &rule, &[]).is_ok_and(|reach| reach.n_files > 0)
    };
    match item {
        Some(_) if !repo.has_path(file) && is_place() => (address, None),
        Some(item) if repo.has_path(file) => (file, Some(item)),
        Some(item) => (before_facts(file), Some(item)),
        None => (address, None),
    }
}

/// Returns the part of a line before the facts about its path.
fn before_facts(line: &str) -> &str {
    let end =
        [" (", " +", ": now"].iter().filter_map(|end| line.find(end)).min().unwrap_or(line.len());
    line[..end].trim_end()
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
    let (file, _) = explain::split_target(repo, said.trim_start_matches("./"));
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

#[cfg(test)]
mod tests {
    use repo_map::{Document, FlightPlan, Options, Tree};

    use super::*;
    use crate::run::terrain::Terrain;
    use crate::terrain::repo::Repository;

    #[test]
    fn an_address_is_read_with_marks_of_lines_in_its_name() {
        let documents = vec![
            Document::new("README.md", *b"# Tool\n\n## Usage\n\na\n\n## Usage (CLI)\n\nb\n"),
            Document::new("style.css", *b"@media (max-width: 600px) {\n  p { margin: 0 }\n}\n"),
            Document::new("src/c#/Parser.cs", *b"class Parser { }\n"),
        ];
        let tree = Tree::of_documents(documents).unwrap();
        let repo =
            repo_map::open_tree(tree, &[], &FlightPlan::default(), &Options::default()).unwrap();
        for (line, path, item) in [
            ("README.md#Tool.Usage (CLI)", "README.md", Some("Tool.Usage (CLI)")),
            ("README.md#Usage (Web)", "README.md", Some("Usage (Web)")),
            ("README.md#Usage: now outline; full 12", "README.md", Some("Usage")),
            ("- README.md (full)", "README.md", None),
            ("style.css#@media (max-width: 600px)", "style.css", Some("@media (max-width: 600px)")),
            ("src/c#/Parser.cs", "src/c#/Parser.cs", None),
            ("./src/c#/Parser.cs#Parser", "src/c#/Parser.cs", Some("Parser")),
            ("/src/c#/Parser.cs#Parser", "src/c#/Parser.cs", Some("Parser")),
            ("- src/c#/ (1 file: cs 1)", "src/c#/", None),
            ("src/c#/*.cs", "src/c#/*.cs", None),
            ("src/Parser.cs#Parser", "src/Parser.cs", Some("Parser")),
        ] {
            assert_eq!(address_of_line(line, &repo), (path, item), "{line}");
        }
    }

    #[test]
    fn a_focus_area_is_a_path_with_a_mark_of_items() {
        let tree = Tree::of_documents(vec![Document::new("c#/a.cs", *b"class A { }\n")]).unwrap();
        let repo =
            repo_map::open_tree(tree, &[], &FlightPlan::default(), &Options::default()).unwrap();
        for said in ["c#/a.cs", "./c#/a.cs#A"] {
            assert_eq!(read_focus(said, &repo, Repository::NOUNS), Ok("c#/a.cs".to_owned()));
        }
    }
}
