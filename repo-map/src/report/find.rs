//! A search for definitions by name, over all files of a repository.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use crate::error::Result;
use crate::level::Level;
use crate::map::RepoMap;
use crate::map::items::{addresses, as_shown, item_levels};
use crate::map::judged::Judged;
use crate::outline::Item;
use crate::plan::{Rule, RuleSet};
use crate::source::scan;
use crate::text::suggest::similar;

/// A definition with its level in a map and its prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The file.
    pub path: String,
    /// The item's address within its file.
    pub item: String,
    /// The level in the map.
    pub level: Level,
    /// The cost of its signature, in tokens.
    pub interface: u32,
    /// The cost in full, in tokens.
    pub full: u32,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundDefinitions {
    /// What has the name: exactly, then but for case and underscores, then as a part of its name;
    /// files and items of more worth first.
    pub definitions: Vec<Definition>,
    /// Known names that are similar, if nothing has the name.
    pub nearest: Vec<String>,
    /// Where the name stands in a text, if nothing has it: the path and the innermost item around
    /// it, files of more worth first.
    pub mentions: Vec<(String, Option<String>)>,
}

/// The maximum number of files outlined for a search, those of most worth.
const MOST_FILES: usize = 400;
/// The maximum number of places in texts.
const MOST_MENTIONS: usize = 4;
/// The maximum length of a name in characters.
const LONGEST: usize = 200;

/// Searches for definitions by name. `A::b` and `a.b` are names too. Files that a person's rules
/// keep below their path are left out.
///
/// # Errors
/// If the map is of another tree, or a glob does not compile.
pub fn find(
    judged: &Judged,
    name: &str,
    map: &RepoMap,
    person: &[Rule],
) -> Result<FoundDefinitions> {
    judged.check_map(map)?;
    let wanted = WantedName::of(name);
    let bounds = RuleSet::new(person)?;
    let mut files = wanted.files(judged, &bounds);
    files.truncate(MOST_FILES);
    judged.price(&files);

    let mut found = Vec::new();
    for (rank, file) in files.iter().enumerate() {
        let entry = judged.priced(*file);
        let outline = &entry.depth.outline;
        let names = addresses(outline);
        let levels = as_shown(outline, item_levels(outline, &map.files[*file]));
        let worth = judged.item_worth(*file, entry);
        for (at, item) in outline.items.iter().enumerate() {
            let Some(agrees) = wanted.matches(item) else { continue };
            let price = entry.price().items[at];
            let definition = Definition {
                path: judged.tree().files[*file].path.clone(),
                item: names[at].clone(),
                level: levels[at],
                interface: price.closed,
                full: price.full,
            };
            let worth = worth.map_or(0, |worth| worth[at]);
            found.push(((agrees, rank, Reverse(worth), at), definition));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    let definitions: Vec<Definition> = found.into_iter().map(|(_, one)| one).collect();
    if !definitions.is_empty() {
        return Ok(FoundDefinitions { definitions, ..FoundDefinitions::default() });
    }
    let nearest = nearest(judged, &wanted, &bounds);
    Ok(FoundDefinitions { definitions, nearest, mentions: wanted.mentions(judged, &files) })
}

/// Returns the paths and names of the items that have exactly this name; empty where too many files
/// mention it to be outlined. Files that a person's rules keep below their path are left out.
///
/// # Errors
/// If a glob does not compile.
pub(super) fn defined(
    judged: &Judged,
    name: &str,
    person: &[Rule],
) -> Result<BTreeSet<(String, String)>> {
    let wanted = WantedName::of(name);
    let files = wanted.files(judged, &RuleSet::new(person)?);
    if files.len() > MOST_FILES {
        return Ok(BTreeSet::new());
    }
    judged.price(&files);
    let of_file = |file: &usize| {
        let items = &judged.priced(*file).depth.outline.items;
        let named = items.iter().filter(|item| wanted.matches(item) == Some(NameMatch::Exact));
        let address =
            |item: &Item| (judged.tree().files[*file].path.clone(), item.qualified.clone());
        named.map(address).collect::<Vec<_>>()
    };
    Ok(files.iter().flat_map(of_file).collect())
}

/// Reports whether a person's rules leave a file at its path or above.
fn is_open(judged: &Judged, bounds: &RuleSet<'_>, file: usize) -> bool {
    let range = bounds.verdict(&judged.tree().files[file].path).level;
    range.is_none_or(|range| range.ceiling >= Level::Path)
}

/// How much of a name agrees, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameMatch {
    Exact,
    Folded,
    Part,
}

/// A name to search for.
pub(super) struct WantedName {
    /// The name with `.` between its parts.
    name: String,
    /// The same without case and underscores.
    folded: String,
}

impl WantedName {
    pub(super) fn of(name: &str) -> WantedName {
        let name: String = name.trim().chars().take(LONGEST).collect();
        // `path#Item` names the item.
        let name = name.rsplit('#').next().unwrap_or_default();
        let name = dotted(name.trim_end_matches("()"));
        WantedName { folded: folded(&name), name }
    }

    /// Returns a pattern for texts that have the last part of the name; `None` without one.
    fn last_pattern(&self) -> Option<Regex> {
        let last = self.folded.rsplit('.').next().filter(|last| !last.is_empty())?;
        let letters: Vec<String> = last.chars().map(|c| regex::escape(&c.to_string())).collect();
        RegexBuilder::new(&letters.join("_*")).case_insensitive(true).build().ok()
    }

    /// Returns the open files that mention the name, of most worth first.
    fn files(&self, judged: &Judged, bounds: &RuleSet<'_>) -> Vec<usize> {
        let Some(pattern) = self.last_pattern() else { return Vec::new() };
        let tree = judged.tree();
        let open = (0..tree.files.len()).filter(|file| is_open(judged, bounds, *file));
        let open: Vec<usize> = open.collect();
        let mentions = |file: &usize| {
            scan::read_bytes(&tree.files[*file]).is_ok_and(|text| pattern.is_match(&text))
        };
        let mut files: Vec<usize> = open.par_iter().copied().filter(mentions).collect();
        files.sort_by_key(|file| (Reverse(judged.scores.files[*file].score), *file));
        files
    }

    /// Returns where the name stands as a word in the texts of these files.
    fn mentions(&self, judged: &Judged, files: &[usize]) -> Vec<(String, Option<String>)> {
        let mut mentions = Vec::new();
        let Some(pattern) = self.word_pattern() else { return mentions };
        for file in files {
            let Ok(text) = scan::read_bytes(&judged.tree().files[*file]) else { continue };
            let outline = &judged.priced(*file).depth.outline;
            let names = addresses(outline);
            let (mut line, mut start, mut last) = (1, 0, 0);
            for found in pattern.find_iter(&text) {
                line += text[start..found.start()].iter().filter(|byte| **byte == b'\n').count();
                start = found.start();
                // A line stands in one item, however often it has the name.
                if std::mem::replace(&mut last, line) == line {
                    continue;
                }
                let item = innermost(&outline.items, line).map(|at| names[at].clone());
                let mention = (judged.tree().files[*file].path.clone(), item);
                if !mentions.contains(&mention) {
                    mentions.push(mention);
                }
                if mentions.len() == MOST_MENTIONS {
                    return mentions;
                }
            }
        }
        mentions
    }

    /// Returns a pattern for the name as a word of a text; `None` without one.
    fn word_pattern(&self) -> Option<Regex> {
        let parts: Vec<String> = self.name.split('.').map(regex::escape).collect();
        let name = Some(parts.join(r"(?:\.|::|->|#)")).filter(|name| !name.is_empty())?;
        Regex::new(&format!(r"\b{{start-half}}{name}\b{{end-half}}")).ok()
    }

    /// Reports whether an item has the name, but for case and underscores.
    pub(super) fn is_name_of(&self, item: &Item) -> bool {
        matches!(self.matches(item), Some(NameMatch::Exact | NameMatch::Folded))
    }

    fn matches(&self, item: &Item) -> Option<NameMatch> {
        let qualified = dotted(&item.qualified);
        let ends = |name: &str, end: &str| {
            name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        if item.name == self.name || ends(&qualified, &self.name) {
            return Some(NameMatch::Exact);
        }
        let (name, qualified) = (folded(&item.name), folded(&qualified));
        if name == self.folded || ends(&qualified, &self.folded) {
            return Some(NameMatch::Folded);
        }
        let whole = if self.folded.contains('.') { &qualified } else { &name };
        // The name of text in no definition is none of its own.
        let is_part = !item.kind.is_between() && whole.contains(&self.folded);
        is_part.then_some(NameMatch::Part)
    }
}

/// Returns the innermost item around a line. A file may have many of both.
fn innermost(items: &[Item], line: usize) -> Option<usize> {
    // Items are in the order of their first lines, so one that ends before the line has the one
    // that goes on around it.
    let begun = items.partition_point(|item| item.lines.0 as usize <= line);
    let mut around = std::iter::successors(begun.checked_sub(1), |at| items[*at].parent);
    around.find(|at| items[*at].lines.1 as usize >= line)
}

fn dotted(name: &str) -> String {
    name.replace("::", ".")
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Returns known names that are similar.
fn nearest(judged: &Judged, wanted: &WantedName, bounds: &RuleSet<'_>) -> Vec<String> {
    let known = judged.entries.iter().filter(|(file, _)| is_open(judged, bounds, *file));
    let names: BTreeSet<&str> = known
        .flat_map(|(_, entry)| entry.depth.outline.items.iter().map(|item| item.name.as_str()))
        .collect();
    let last = wanted.name.rsplit('.').next().unwrap_or_default();
    similar(last, names).into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::language::named;
    use crate::outline::outline;

    #[test]
    fn text_in_no_definition_has_no_name_to_find() {
        let body = "    step();\n".repeat(120);
        let items = outline(named("rust").unwrap(), &format!("fn blocks() {{\n{body}}}\n")).items;
        assert!(items.len() > 2);
        let found = items.iter().filter(|item| WantedName::of("block").matches(item).is_some());
        assert_eq!(found.map(|item| item.name.as_str()).collect::<Vec<_>>(), ["blocks"]);
    }

    #[test]
    fn the_innermost_item_around_each_line_is_the_last_one_that_has_it() {
        let text = "// first\nmod a {\n    /// B.\n    struct B {\n        c: u8,\n    }\n\n    \
                    // between\n    fn d() {\n    }\n} fn e() {\n}\n\nuse f;\n";
        let items = outline(named("rust").unwrap(), text).items;
        assert!(items.len() >= 4);
        for line in 1..=text.lines().count() + 1 {
            let has_it =
                |item: &Item| (item.lines.0 as usize..=item.lines.1 as usize).contains(&line);
            assert_eq!(innermost(&items, line), items.iter().rposition(has_it), "{line}");
        }
    }
}
