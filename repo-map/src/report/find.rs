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
pub struct Found {
    /// What has the name: exactly, then but for case and underscores, then as a part of its name;
    /// files of more worth first.
    pub definitions: Vec<Definition>,
    /// Known names that are similar, if nothing has the name.
    pub nearest: Vec<String>,
}

/// The maximum number of files outlined for a search, those of most worth.
const MOST_FILES: usize = 400;
/// The maximum length of a name in characters.
const LONGEST: usize = 200;

/// Searches for definitions by name. `A::b` and `a.b` are names too. Files that a person's rules
/// keep below their path are left out.
///
/// # Errors
/// If the map is of another tree, or a glob does not compile.
pub fn find(judged: &Judged, name: &str, map: &RepoMap, person: &[Rule]) -> Result<Found> {
    judged.check_map(map)?;
    let wanted = WantedName::of(name);
    let Some(pattern) = wanted.last_pattern() else { return Ok(Found::default()) };
    let bounds = RuleSet::new(person)?;
    let tree = judged.tree();
    let is_open = |file: &usize| {
        let range = bounds.verdict(&tree.files[*file].path).level;
        range.is_none_or(|range| range.ceiling >= Level::Path)
    };
    let open: Vec<usize> = (0..tree.files.len()).filter(is_open).collect();
    let mentions = |file: &usize| {
        scan::read_bytes(&tree.files[*file]).is_ok_and(|text| pattern.is_match(&text))
    };
    let mut files: Vec<usize> = open.par_iter().copied().filter(mentions).collect();
    files.sort_by_key(|file| (Reverse(map.files[*file].worth), *file));
    files.truncate(MOST_FILES);
    judged.price(&files);

    let mut found = Vec::new();
    for (rank, file) in files.iter().enumerate() {
        let entry = judged.priced(*file);
        let outline = &entry.depth.outline;
        let names = addresses(outline);
        let levels = as_shown(outline, item_levels(outline, &map.files[*file]));
        for (at, item) in outline.items.iter().enumerate() {
            let Some(agrees) = wanted.matches(item) else { continue };
            let price = entry.price().items[at];
            let definition = Definition {
                path: tree.files[*file].path.clone(),
                item: names[at].clone(),
                level: levels[at],
                interface: price.closed,
                full: price.full,
            };
            found.push(((agrees, rank, at), definition));
        }
    }
    found.sort_by_key(|(order, _)| *order);
    let definitions: Vec<Definition> = found.into_iter().map(|(_, one)| one).collect();
    let is_missing = definitions.is_empty();
    let nearest = if is_missing { nearest(judged, &wanted, &is_open) } else { Vec::new() };
    Ok(Found { definitions, nearest })
}

/// How much of a name agrees, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameMatch {
    Exact,
    Folded,
    Part,
}

/// A name to search for.
struct WantedName {
    /// The name with `.` between its parts.
    name: String,
    /// The same without case and underscores.
    folded: String,
}

impl WantedName {
    fn of(name: &str) -> WantedName {
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
        whole.contains(&self.folded).then_some(NameMatch::Part)
    }
}

fn dotted(name: &str) -> String {
    name.replace("::", ".")
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Returns known names that are similar.
fn nearest(judged: &Judged, wanted: &WantedName, is_open: &dyn Fn(&usize) -> bool) -> Vec<String> {
    let known = judged.entries.iter().filter(|(file, _)| is_open(file));
    let names: BTreeSet<&str> = known
        .flat_map(|(_, entry)| entry.depth.outline.items.iter().map(|item| item.name.as_str()))
        .collect();
    let last = wanted.name.rsplit('.').next().unwrap_or_default();
    similar(last, names).into_iter().map(str::to_owned).collect()
}
