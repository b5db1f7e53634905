//! Why a path is where it is: rank, evidence, prices, the rule that won, and the cheapest edit that would raise it.
//!
//! The numbers are those of the map: prices come from the renderer, and an edit is only offered after a map was made
//! with it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::ask::Layers;
use crate::error::Result;
use crate::evidence::Cause;
use crate::items::items_named;
use crate::level::{Level, LevelRange};
use crate::map::RepoMap;
use crate::plan::{ItemRule, Rule, exact_glob};
use crate::render;
use crate::render::Choice;
use crate::repo::Repo;
use crate::report::{self, of_one};
use crate::scan::Mark;
use crate::worth::Reason;

/// Why a file, or an item in it, is shown as it is.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The file, as maps write it.
    pub path: String,
    /// The item, where one was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The file's place in the ranking, counted from 1.
    pub rank: usize,
    /// How many files are ranked.
    pub of: usize,
    /// Between 0 and 1.
    pub score: f64,
    /// What the path is for: `source`, `test`, `docs`, …
    pub role: &'static str,
    /// Each signal that speaks for the file (or item), in the order of what it adds.
    pub parts: Vec<ExplainedPart>,
    /// What the sum of value × weight is multiplied with for the file's role.
    pub factor: f64,
    /// The sum of the best file (or item), which the others are divided by.
    pub best: f64,
    /// Whether the file was parsed and judged in depth.
    pub judged: bool,
    /// The level in the map.
    pub level: Level,
    /// The rule that gave it, in words.
    pub rule: String,
    /// Why the file is no more than a path at most: `binary`, `generated`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// The size at each level that the path or item has, in tokens.
    pub tokens: BTreeMap<&'static str, u32>,
    /// An edit for each level above, tried out, the cheapest first.
    pub edits: Vec<Edit>,
    /// The items of the file with their worth, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ExplainedItem>,
}

/// A signal, and what it adds.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedPart {
    /// The signal, by the word in reports.
    pub signal: &'static str,
    /// Between 0 and 1.
    pub value: f64,
    /// What the value is multiplied with.
    pub weight: f64,
    /// What the value comes from, most first.
    pub causes: Vec<ExplainedCause>,
}

/// What a value comes from.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedCause {
    /// A word, a name, a commit's first line, another file, …
    pub what: String,
    /// Its part of the value; the parts add up to it. 0 where it has no part of its own.
    pub share: f64,
}

/// An item of the file.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedItem {
    /// Its qualified name, as `path#name` takes it.
    pub name: String,
    /// What kind of thing it is: `function`, `struct`, …
    pub kind: &'static str,
    /// Its level in the map.
    pub level: Level,
    /// Its first and last line, counted from 1.
    pub lines: (u32, u32),
    /// Between 0 and 1.
    pub worth: f64,
}

/// An edit and what a map made with it shows.
#[derive(Debug, Clone, Serialize)]
pub struct Edit {
    /// The rule to add, as YAML on one line.
    pub rule: String,
    /// The level that is asked for.
    pub to: Level,
    /// The level the path or item then has: the fit may give more than was asked, and less when there is no room.
    pub level: Level,
    /// The size of the map then.
    pub tokens: u32,
    /// Files that then show less than before.
    pub lowers: Vec<String>,
    /// The least budget that has room for it, where this one has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u32>,
}

impl Repo {
    /// Explains `target`: a path, or `path#item`. `None` when the tree has no such path; [`Repo::similar_paths`]
    /// has the nearest ones.
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
            Some(item) => match items_named(&self.entries[&file].depth.outline, item).first() {
                Some(position) => Some(*position),
                None => return Ok(None),
            },
            None => None,
        };
        let edits = self.edits(file, position, &map, layers)?;
        let (parts, factor, best) = self.parts(file, position);
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
            item: position.map(|at| self.entries[&file].depth.outline.items[at].address()),
            rank: better.count() + 1,
            of: self.tree.files.len(),
            score: of_one(position.map_or(worth.score, |at| self.worth.items.get(&file).map_or(0, |items| items[at]))),
            role: self.facts[file].role().as_str(),
            parts,
            factor,
            best,
            judged: self.worth.items.contains_key(&file)
                || self.entries.get(&file).is_some_and(|entry| entry.depth.outline.items.is_empty()),
            level: position.map_or(report.level, |at| self.item_level(file, at, &map)),
            rule,
            mark: report.mark,
            tokens: self.tokens_at_levels(file, position),
            edits,
            items: if position.is_some() { Vec::new() } else { self.explained_items(file, &map) },
        }))
    }

    pub(crate) fn item_level(&self, file: usize, item: usize, map: &RepoMap) -> Level {
        let report = &map.files[file];
        let address = self.entries[&file].depth.outline.items[item].address();
        if let Some(own) = report.items.iter().find(|one| one.name == address) {
            return own.level;
        }
        let is_member = self.entries[&file].depth.outline.items[item].kind.is_member();
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
        tokens.insert("path", style.tokenizer.count(&render::path_line(path, entry.depth.mark.map(Mark::as_str), style)));
        if entry.depth.mark.is_some_and(|mark| !mark.has_text()) {
            return tokens;
        }
        if !entry.depth.outline.items.is_empty() {
            for level in [Level::Outline, Level::Interface] {
                tokens.insert(level.as_str(), entry.price().of(&entry.depth.outline, &Choice::uniform(&entry.depth.outline, level)));
            }
        }
        tokens.insert("full", entry.price().full);
        tokens
    }

    fn explained_items(&self, file: usize, map: &RepoMap) -> Vec<ExplainedItem> {
        let items = &self.entries[&file].depth.outline.items;
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

    /// For each level above, the rule that gives it, with the map that was made with it.
    fn edits(&mut self, file: usize, item: Option<usize>, map: &RepoMap, layers: Layers<'_>) -> Result<Vec<Edit>> {
        let now = item.map_or(map.files[file].level, |item| self.item_level(file, item, map));
        let levels = self.tokens_at_levels(file, item);
        let mut edits: Vec<Edit> = Vec::new();
        for level in Level::ALL.into_iter().filter(|level| *level > now && levels.contains_key(level.as_str())) {
            // The fit may have given this level to the edit before.
            if edits.last().is_none_or(|edit| edit.needed.is_some() || edit.level < level) {
                edits.push(self.edit(file, item, level, map, layers)?);
            }
        }
        Ok(edits)
    }

    fn edit(&mut self, file: usize, item: Option<usize>, level: Level, map: &RepoMap, layers: Layers<'_>) -> Result<Edit> {
        let address = item.map(|item| self.entries[&file].depth.outline.items[item].address());
        let glob = exact_glob(&self.tree.files[file].path);
        let (rule, words) = match address {
            None => {
                (Rule::new(&glob, LevelRange { floor: level, ceiling: Level::Full }), format!("{{path: '{glob}', level: {level}..full}}"))
            }
            Some(name) => {
                let words = format!("{{path: '{glob}', level: path..full, items: [{{name: '{name}', level: {level}}}]}}");
                let mut rule = Rule::new(&glob, LevelRange { floor: Level::Path, ceiling: Level::Full });
                rule.items = Some(vec![ItemRule { name, level }]);
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
        let then = item.map_or(after.files[file].level, |item| self.item_level(file, item, &after));
        Ok(Edit {
            rule: words,
            to: level,
            level: then,
            tokens: after.tokens,
            lowers: lowers.collect(),
            needed: after.conflict.map(|conflict| conflict.needed),
        })
    }

    /// The parts of a score, what their sum is multiplied with, and what it is divided by.
    fn parts(&self, file: usize, item: Option<usize>) -> (Vec<ExplainedPart>, f64, f64) {
        let judge = self.judge_of(&self.entries);
        let has_reasons = self.entries[&file].is_judged() && !self.goal.is_empty();
        let reasons = match item {
            None => judge.reasons(file),
            Some(item) if has_reasons => judge.item_reasons(file, item),
            Some(_) => return (Vec::new(), 1.0, 1.0),
        };
        let mut parts: Vec<ExplainedPart> = reasons.parts.into_iter().map(|reason| self.explained_part(file, reason)).collect();
        parts.sort_by(|a, b| (b.value * b.weight).total_cmp(&(a.value * a.weight)));
        (parts, reasons.factor, reasons.best)
    }

    fn explained_part(&self, file: usize, reason: Reason) -> ExplainedPart {
        let cause = |(cause, share): &(Cause, f64)| ExplainedCause { what: self.in_words(file, *cause), share: *share };
        ExplainedPart {
            signal: reason.signal,
            value: reason.value,
            weight: reason.weight,
            causes: reason.causes.iter().map(cause).collect(),
        }
    }

    fn in_words(&self, file: usize, cause: Cause) -> String {
        let item = |file: usize, item: usize| self.entries[&file].depth.outline.items[item].address();
        let path = |file: usize| self.tree.files[file].path.clone();
        match cause {
            Cause::Term(term) => self.goal.term_in_words(term),
            Cause::Identifier(at) => self.goal.identifiers[usize::from(at)].word.clone(),
            Cause::Path(at) => self.goal.paths[at].clone(),
            Cause::Phrase(at) => format!("“{}”", self.goal.phrases[usize::from(at)]),
            Cause::Frame(at) => format!("{}:{}", self.goal.frames[at].0, self.goal.frames[at].1),
            Cause::Commit(at) => format!("“{}”", self.commits[at].message.lines().next().unwrap_or_default()),
            Cause::Item(at) => item(file, at),
            Cause::File(at) => path(at),
            Cause::Lines(_, u32::MAX) => "all lines".to_owned(),
            Cause::Lines(first, last) => format!("lines {first}-{last}"),
            Cause::Use(user, at) => format!("{}#{}", path(user), item(user, at)),
        }
    }
}
