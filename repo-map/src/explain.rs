//! Why a path is where it is: rank, evidence, prices, the rule that won, and the cheapest edit that would raise it.
//!
//! The numbers are those of the map: prices come from the renderer, and an edit is only offered after a map was made
//! with it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::level::{Level, LevelRange};
use crate::map::{self, Layers, Repo, RepoMap};
use crate::plan::{ItemRule, Rule, exact_glob};
use crate::render;
use crate::render::Choice;
use crate::report::{self, of_one};
use crate::scan::Mark;
use crate::worth::Signal;

/// Why a file, or an item in it, is shown as it is.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Explanation {
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The file's place in the ranking, counted from 1, of how many.
    pub rank: usize,
    pub of: usize,
    /// Between 0 and 1.
    pub score: f64,
    pub role: &'static str,
    /// Each signal: its value between 0 and 1, its weight in the sum, and what caused it.
    pub parts: Vec<ExplainedPart>,
    /// Whether the file was parsed and judged in depth.
    pub judged: bool,
    /// The level in the map.
    pub level: Level,
    /// The rule that gave it, in words.
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// The size at each level that the path or item has, in tokens.
    pub tokens: BTreeMap<&'static str, u32>,
    /// The least edit that raises it by a level, tried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// The items of the file with their worth, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ExplainedItem>,
}

#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct ExplainedPart {
    pub signal: &'static str,
    pub value: f64,
    pub weight: f64,
    pub because: String,
}

#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct ExplainedItem {
    pub name: String,
    pub kind: &'static str,
    pub level: Level,
    pub lines: (u32, u32),
    pub worth: f64,
}

/// An edit and what a map made with it shows.
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs)]
pub struct Edit {
    /// The rule to add, as YAML on one line.
    pub rule: String,
    /// The level the path or item then has.
    pub level: Level,
    /// The size of the map then; within the budget unless there is a conflict.
    pub tokens: u32,
    /// Files that then show less than before.
    pub lowers: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
}

impl Repo {
    /// Explains `target`: a path, or `path#item`. `None` when the tree has no such path; the nearest ones are in the error
    /// list of [`Repo::similar_paths`].
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn explain(&mut self, target: &str, layers: Layers<'_>) -> Result<Option<Explanation>> {
        let (path, item) = match target.split_once('#') {
            Some((path, item)) => (path, Some(item)),
            None => (target, None),
        };
        let path = path.trim_start_matches("./");
        let Some(file) = self.position(path) else { return Ok(None) };
        let map = self.map(layers)?;
        self.price(&[file]);
        let position = match item {
            Some(item) => match map::items_named(&self.entries[&file].outline, item).first() {
                Some(position) => Some(*position),
                None => return Ok(None),
            },
            None => None,
        };
        let edit = self.cheapest_edit(file, position, &map, layers)?;
        let worth = &self.worth.files[file];
        let better =
            self.worth.files.iter().enumerate().filter(|(at, other)| other.score > worth.score || other.score == worth.score && *at < file);
        let report = &map.files[file];
        let rule = match report.rule {
            Some(origin) => report::rule(origin),
            None if layers.person.is_empty() && layers.pilot.is_empty() => "no rule: the fit decides".to_owned(),
            None => "no rule matches: at most `fold`".to_owned(),
        };
        Ok(Some(Explanation {
            path: path.to_owned(),
            item: position.map(|at| self.entries[&file].outline.items[at].address()),
            rank: better.count() + 1,
            of: self.tree.files.len(),
            score: of_one(worth.score),
            role: self.facts[file].role().as_str(),
            parts: worth
                .parts
                .iter()
                .map(|(signal, value)| ExplainedPart {
                    signal: signal.as_str(),
                    value: of_one(*value),
                    weight: signal.weight(),
                    because: self.because(file, *signal),
                })
                .collect(),
            judged: self.worth.items.contains_key(&file),
            level: position.map_or(report.level, |at| self.item_level(file, at, &map)),
            rule,
            mark: report.mark,
            tokens: self.tokens_at_levels(file, position),
            edit,
            items: if position.is_some() { Vec::new() } else { self.explained_items(file, &map) },
        }))
    }

    /// Paths of the tree that resemble one that is not there.
    pub fn similar_paths(&self, path: &str) -> Vec<&str> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut scored: Vec<(usize, &str)> = self
            .tree
            .files
            .iter()
            .map(|file| {
                let own = file.path.rsplit('/').next().unwrap_or(&file.path);
                let edits = strsim::damerau_levenshtein(own, name) * 10 + strsim::damerau_levenshtein(&file.path, path).min(9);
                (edits, file.path.as_str())
            })
            .filter(|(edits, _)| *edits <= 10 * (1 + name.len() / 4))
            .collect();
        scored.sort_unstable();
        scored.into_iter().take(3).map(|(_, path)| path).collect()
    }

    pub(crate) fn item_level(&self, file: usize, item: usize, map: &RepoMap) -> Level {
        let report = &map.files[file];
        let address = self.entries[&file].outline.items[item].address();
        if let Some(own) = report.items.iter().find(|one| one.name == address) {
            return own.level;
        }
        let is_member = self.entries[&file].outline.items[item].kind.is_member();
        match report.level {
            Level::Outline if is_member => Level::Exclude,
            Level::Exclude | Level::Fold | Level::Path => Level::Exclude,
            level => level,
        }
    }

    pub(crate) fn tokens_at_levels(&self, file: usize, item: Option<usize>) -> BTreeMap<&'static str, u32> {
        let entry = &self.entries[&file];
        let mut tokens = BTreeMap::new();
        if let Some(item) = item {
            let price = entry.price().items[item];
            tokens.extend([("outline", price.outline), ("interface", price.closed), ("full", price.full)]);
            return tokens;
        }
        let style = self.style();
        let path = &self.tree.files[file].path;
        tokens.insert("path", style.tokenizer.count(&render::path_line(path, entry.mark.map(Mark::as_str), style)));
        if entry.mark.is_some_and(|mark| !mark.has_text()) {
            return tokens;
        }
        if !entry.outline.items.is_empty() {
            for level in [Level::Outline, Level::Interface] {
                tokens.insert(level.as_str(), entry.price().of(&entry.outline, &Choice::uniform(&entry.outline, level)));
            }
        }
        tokens.insert("full", entry.price().full);
        tokens
    }

    fn explained_items(&self, file: usize, map: &RepoMap) -> Vec<ExplainedItem> {
        let items = &self.entries[&file].outline.items;
        let worth = self.worth.items.get(&file);
        let mut list: Vec<(u32, usize)> =
            (0..items.len()).map(|at| (worth.and_then(|worth| worth.get(at).copied()).unwrap_or(0), at)).collect();
        list.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        list.into_iter()
            .map(|(worth, at)| ExplainedItem {
                name: items[at].address(),
                kind: items[at].kind.as_str(),
                level: self.item_level(file, at, map),
                lines: items[at].lines,
                worth: of_one(worth),
            })
            .collect()
    }

    /// The rule that raises the file (or item) by one level, and the map that it gives.
    fn cheapest_edit(&mut self, file: usize, item: Option<usize>, map: &RepoMap, layers: Layers<'_>) -> Result<Option<Edit>> {
        let address = item.map(|item| self.entries[&file].outline.items[item].address());
        let now = item.map_or(map.files[file].level, |item| self.item_level(file, item, map));
        let levels = self.tokens_at_levels(file, item);
        let Some(next) = Level::ALL.into_iter().filter(|level| *level > now).find(|level| levels.contains_key(level.as_str())) else {
            return Ok(None);
        };
        let glob = exact_glob(&self.tree.files[file].path);
        let (rule, words) = match address {
            None => {
                (Rule::new(&glob, LevelRange { floor: next, ceiling: Level::Full }), format!("{{path: '{glob}', level: {next}..full}}"))
            }
            Some(name) => {
                let words = format!("{{path: '{glob}', level: path..full, items: [{{name: '{name}', level: {next}}}]}}");
                let mut rule = Rule::new(&glob, LevelRange { floor: Level::Path, ceiling: Level::Full });
                rule.items = Some(vec![ItemRule { name, level: next }]);
                (rule, words)
            }
        };
        let mut person = layers.person.to_vec();
        if person.is_empty() && layers.pilot.is_empty() {
            // Without any rule the fit may show every path; the edit must not take that away.
            person.push(Rule::new("**", LevelRange::ANY));
        }
        person.push(rule);
        let after = self.map(Layers { person: &person, pilot: layers.pilot })?;
        let lowers =
            map.files.iter().zip(&after.files).filter(|(before, after)| after.level < before.level).map(|(before, _)| before.path.clone());
        let level = item.map_or(after.files[file].level, |item| self.item_level(file, item, &after));
        Ok(Some(Edit {
            rule: words,
            level,
            tokens: after.tokens,
            lowers: lowers.collect(),
            conflict: after.conflict.map(|conflict| conflict.message),
        }))
    }

    /// What caused a part of a score, in a few words.
    fn because(&self, file: usize, signal: Signal) -> String {
        let facts = &self.facts[file];
        let quoted = |words: Vec<String>| {
            let n = words.len();
            let more = if n > 8 { format!(", {} more", n - 8) } else { String::new() };
            format!("{}{more}", words.into_iter().take(8).collect::<Vec<_>>().join(", "))
        };
        match signal {
            Signal::Words => {
                let mut terms: Vec<(&(u16, u32), f64)> =
                    facts.terms.iter().map(|one| (one, self.goal.terms[usize::from(one.0)].weight * f64::from(one.1))).collect();
                terms.sort_by(|a, b| b.1.total_cmp(&a.1));
                quoted(terms.iter().map(|((term, n), _)| format!("{} ×{n}", self.goal.terms[usize::from(*term)].word)).collect())
            }
            Signal::Name => {
                let path = self.tree.files[file].path.to_lowercase();
                quoted(self.goal.terms.iter().filter(|term| path.contains(&term.word)).map(|term| term.word.clone()).collect())
            }
            Signal::Definitions => {
                let names = self.entries.get(&file).map(|entry| entry.names());
                let defines = |at: usize| match &names {
                    Some(names) if !names.is_empty() => names.contains(self.goal.identifiers[at].word.as_str()),
                    _ => facts.defines.iter().any(|one| usize::from(*one) == at),
                };
                quoted(
                    (0..self.goal.identifiers.len()).filter(|at| defines(*at)).map(|at| self.goal.identifiers[at].word.clone()).collect(),
                )
            }
            Signal::Phrase => quoted(facts.phrases.iter().map(|at| format!("“{}”", self.goal.phrases[usize::from(*at)])).collect()),
            Signal::Path => {
                let path = &self.tree.files[file].path;
                let name = path.rsplit('/').next().unwrap_or(path);
                quoted(self.goal.paths.iter().filter(|one| one.ends_with(name) || path.ends_with(one.as_str())).cloned().collect())
            }
            Signal::Trace => {
                let path = &self.tree.files[file].path;
                let name = path.rsplit('/').next().unwrap_or(path);
                quoted(self.goal.frames.iter().filter(|(one, _)| one.ends_with(name)).map(|(one, line)| format!("{one}:{line}")).collect())
            }
            Signal::History => {
                let path = &self.tree.files[file].path;
                let n = self.commits.iter().filter(|commit| commit.paths.iter().any(|one| one == path)).count();
                format!("{n} of the last {} commits changed it", self.commits.len())
            }
            Signal::Title => self.best_items(file),
            Signal::Graph | Signal::Rank => {
                let users: Vec<String> = self
                    .graph
                    .edges
                    .iter()
                    .zip(&self.tree.files)
                    .filter(|(edges, _)| edges.iter().any(|(target, _)| *target as usize == file))
                    .map(|(_, user)| user.path.clone())
                    .collect();
                format!("{} files lean on it: {}", users.len(), quoted(users))
            }
        }
    }

    fn best_items(&self, file: usize) -> String {
        let (Some(entry), Some(worth)) = (self.entries.get(&file), self.worth.items.get(&file)) else { return String::new() };
        let mut items: Vec<(u32, &str)> =
            entry.outline.items.iter().zip(worth).map(|(item, worth)| (*worth, item.qualified.as_str())).collect();
        items.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        items.iter().take(3).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    }
}
