//! Why a path is where it is: rank, evidence, prices, the rule that won, and the cheapest edit that
//! would raise it.
//!
//! The numbers are those of the map: prices come from the renderer, and an edit is only offered
//! after a map was made with it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::level::{Level, LevelRange};
use crate::map::RepoMap;
use crate::map::effective::RuleLayers;
use crate::map::items::{addresses, as_shown, items_named, level_as_file};
use crate::map::repo::Repo;
use crate::plan::{ItemRule, Rule, RuleSet, as_typed, exact_glob};
use crate::render;
use crate::render::Choice;
use crate::report::json::{self, of_one};
use crate::score::judge::Reason;
use crate::score::signals::Cause;
use crate::source::scan::Mark;

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
    /// The rules that make it. They go after those of the plan in force.
    pub rules: Vec<Rule>,
    /// No rule is in force: the rules are a plan by themselves. Rules for a plan in force would
    /// fold all else without it.
    pub is_plan: bool,
    /// The same for the command line, each a `--level`.
    pub levels: Vec<String>,
    /// The level that is asked for.
    pub to: Level,
    /// The level the path or item then has: the fit may give more than was asked, and less when
    /// there is no room.
    pub level: Level,
    /// The size of the map then.
    pub tokens: u32,
    /// Files that then show less than before.
    pub lowers: Vec<String>,
    /// Items that then show less, by file; not of those that are lowered as a whole.
    pub lowers_items: BTreeMap<String, Vec<String>>,
    /// The least budget that has room for it, where this one has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u32>,
}

impl Repo {
    /// Explains `target`: a path, or `path#item`. `None` when the tree has no such path;
    /// [`Repo::similar_paths`] has the nearest ones.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn explain(&mut self, target: &str, layers: RuleLayers<'_>) -> Result<Option<Explanation>> {
        let (path, item) = self.target(target);
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
        let better = self.worth.files.iter().enumerate().filter(|(at, other)| {
            other.score > worth.score || other.score == worth.score && *at < file
        });
        let report = &map.files[file];
        let rule = match report.rule {
            Some(origin) => json::rule(origin),
            None if layers.person.is_empty() && layers.pilot.is_empty() => {
                "no rule: the fit decides".to_owned()
            }
            None => "no rule matches: at most `fold`".to_owned(),
        };
        Ok(Some(Explanation {
            path: self.tree.files[file].path.clone(),
            item: position.map(|at| addresses(&self.entries[&file].depth.outline).swap_remove(at)),
            rank: better.count() + 1,
            of: self.tree.files.len(),
            score: of_one(position.map_or(worth.score, |at| {
                self.worth.items.get(&file).map_or(0, |items| items[at])
            })),
            role: self.facts[file].role().as_str(),
            parts,
            factor,
            best,
            judged: self.worth.items.contains_key(&file)
                || self
                    .entries
                    .get(&file)
                    .is_some_and(|entry| entry.depth.outline.items.is_empty()),
            level: position.map_or(report.level, |at| self.item_level(file, at, &map)),
            rule,
            mark: report.mark,
            tokens: self.tokens_at_levels(file, position),
            edits,
            items: if position.is_some() { Vec::new() } else { self.explained_items(file, &map) },
        }))
    }

    /// The path and the item of a target. A path may itself have a `#`.
    pub fn target<'t>(&self, target: &'t str) -> (&'t str, Option<&'t str>) {
        let target = target.trim_start_matches("./");
        if self.has_path(target) {
            return (target, None);
        }
        let mut marks = target.match_indices('#').map(|(at, _)| at);
        match marks.clone().find(|at| self.has_path(&target[..*at])).or_else(|| marks.next()) {
            Some(at) => (&target[..at], Some(&target[at + 1..])),
            None => (target, None),
        }
    }

    pub(crate) fn item_level(&self, file: usize, item: usize, map: &RepoMap) -> Level {
        self.item_levels(file, map)[item]
    }

    /// The level of each item of a file in a map.
    fn item_levels(&self, file: usize, map: &RepoMap) -> Vec<Level> {
        let (report, outline) = (&map.files[file], &self.entries[&file].depth.outline);
        let own: BTreeMap<&str, Level> =
            report.items.iter().map(|item| (item.name.as_str(), item.level)).collect();
        let level = |(at, address): (usize, String)| {
            own.get(address.as_str())
                .copied()
                .unwrap_or_else(|| level_as_file(outline, at, report.level))
        };
        addresses(outline).into_iter().enumerate().map(level).collect()
    }

    pub(crate) fn tokens_at_levels(
        &self,
        file: usize,
        item: Option<usize>,
    ) -> BTreeMap<&'static str, u32> {
        let entry = &self.entries[&file];
        let mut tokens = BTreeMap::new();
        if let Some(item) = item {
            let price = entry.price().items[item];
            tokens.extend([
                ("outline", price.outline),
                ("interface", price.closed),
                ("full", price.full),
            ]);
            return tokens;
        }
        let style = self.style();
        let path = &self.tree.files[file].path;
        tokens.insert(
            "path",
            style.tokenizer.count(&render::path_line(
                path,
                entry.depth.mark.map(Mark::as_str),
                style,
            )),
        );
        if entry.depth.mark.is_some_and(|mark| !mark.has_text()) {
            return tokens;
        }
        if !entry.depth.outline.items.is_empty() {
            for level in [Level::Outline, Level::Interface] {
                tokens.insert(
                    level.as_str(),
                    entry
                        .price()
                        .of(&entry.depth.outline, &Choice::uniform(&entry.depth.outline, level)),
                );
            }
        }
        tokens.insert("full", entry.price().full);
        tokens
    }

    fn explained_items(&self, file: usize, map: &RepoMap) -> Vec<ExplainedItem> {
        let outline = &self.entries[&file].depth.outline;
        let worth = self.worth.items.get(&file);
        let explained = |(at, (name, level)): (usize, (String, Level))| ExplainedItem {
            name,
            kind: outline.items[at].kind.as_str(),
            level,
            lines: outline.items[at].lines,
            worth: of_one(worth.and_then(|worth| worth.get(at).copied()).unwrap_or(0)),
        };
        let mut items: Vec<ExplainedItem> = addresses(outline)
            .into_iter()
            .zip(self.item_levels(file, map))
            .enumerate()
            .map(explained)
            .collect();
        items.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        items
    }

    /// For each level above, the rule that gives it, with the map that was made with it.
    fn edits(
        &mut self,
        file: usize,
        item: Option<usize>,
        map: &RepoMap,
        layers: RuleLayers<'_>,
    ) -> Result<Vec<Edit>> {
        let now = item.map_or(map.files[file].level, |item| self.item_level(file, item, map));
        let levels = self.tokens_at_levels(file, item);
        let mut edits: Vec<Edit> = Vec::new();
        for level in Level::ALL
            .into_iter()
            .filter(|level| *level > now && levels.contains_key(level.as_str()))
        {
            // The fit may have given this level to the edit before.
            if edits.last().is_none_or(|edit| edit.needed.is_some() || edit.level < level) {
                edits.push(self.edit(file, item, level, map, layers)?);
            }
        }
        Ok(edits)
    }

    fn edit(
        &mut self,
        file: usize,
        item: Option<usize>,
        level: Level,
        map: &RepoMap,
        layers: RuleLayers<'_>,
    ) -> Result<Edit> {
        let is_plan = layers.person.is_empty() && layers.pilot.is_empty();
        // Without any rule the fit may show every path; the edit must not take that away.
        let mut rules = Vec::from_iter(is_plan.then(|| Rule::new("**", LevelRange::ANY)));
        rules.push(match item {
            None => Rule::new(
                exact_glob(&self.tree.files[file].path),
                LevelRange { floor: level, ceiling: Level::Full },
            ),
            Some(item) => self.rule_of_item(file, item, level, layers)?,
        });
        let levels = rules.last().map(as_typed).unwrap_or_default();
        let person = [layers.person, &rules].concat();
        let after =
            self.map_judged_by(&rules, RuleLayers { person: &person, pilot: layers.pilot }, file)?;
        let (lowers, lowers_items) = self.lowered(map, &after);
        let then = item.map_or(after.files[file].level, |item| self.item_level(file, item, &after));
        let needed = after.conflict.map(|conflict| conflict.needed);
        Ok(Edit {
            rules,
            is_plan,
            levels,
            to: level,
            level: then,
            tokens: after.tokens,
            lowers,
            lowers_items,
            needed,
        })
    }

    /// The map that a plan with these rules more gives. A file that a plan keeps low is not judged;
    /// one that raises it judges it.
    fn map_judged_by(
        &mut self,
        rules: &[Rule],
        layers: RuleLayers<'_>,
        file: usize,
    ) -> Result<RepoMap> {
        let bounds = RuleSet::new(&self.plan.rules)?.verdict(&self.tree.files[file].path).level;
        match bounds.is_some_and(|range| range.ceiling < Level::Outline) {
            true => self.with_rules(rules, |repo| repo.map(layers)),
            false => self.map(layers),
        }
    }

    /// The rule that gives an item a level. A list of items replaces the one before it, so those
    /// named already are named again.
    fn rule_of_item(
        &self,
        file: usize,
        item: usize,
        level: Level,
        layers: RuleLayers<'_>,
    ) -> Result<Rule> {
        let (path, outline) = (&self.tree.files[file].path, &self.entries[&file].depth.outline);
        let bounds = RuleSet::new(layers.person)?;
        let before = bounds.verdict(path);
        let mut items: Vec<ItemRule> = before
            .items
            .iter()
            .filter(|rule| items_named(outline, &rule.name) != [item])
            .cloned()
            .collect();
        items.push(ItemRule { name: addresses(outline).swap_remove(item), level });
        // Nothing of a file below level path is shown.
        let opens = before
            .level
            .filter(|range| range.ceiling < Level::Path)
            .map(|_| LevelRange { floor: Level::Path, ceiling: Level::Full });
        Ok(Rule {
            level: opens,
            items: Some(items),
            ..Rule::new(exact_glob(path), LevelRange::ANY)
        })
    }

    /// What a map shows less of than one before: files, and items of the other files.
    fn lowered(
        &self,
        before: &RepoMap,
        after: &RepoMap,
    ) -> (Vec<String>, BTreeMap<String, Vec<String>>) {
        let (mut files, mut items) = (Vec::new(), BTreeMap::new());
        for (at, (before_file, after_file)) in before.files.iter().zip(&after.files).enumerate() {
            if before_file.level <= Level::Path && before_file.items.is_empty() {
                files.extend(
                    (after_file.level < before_file.level).then(|| before_file.path.clone()),
                );
                continue;
            }
            let outline = &self.entries[&at].depth.outline;
            let shown = |map| as_shown(outline, self.item_levels(at, map));
            let lower: Vec<usize> = shown(before)
                .into_iter()
                .zip(shown(after))
                .enumerate()
                .filter(|(_, (before, after))| after < before)
                .map(|(item, _)| item)
                .collect();
            // The level of a file is that of most of its items: it may be lower and the items not.
            let is_whole = before_file.level == Level::Full || !lower.is_empty();
            if after_file.level < before_file.level && is_whole {
                files.push(before_file.path.clone());
                continue;
            }
            if !lower.is_empty() {
                let names = addresses(outline);
                items.insert(
                    before_file.path.clone(),
                    lower.into_iter().map(|item| names[item].clone()).collect(),
                );
            }
        }
        (files, items)
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
        let mut parts: Vec<ExplainedPart> =
            reasons.parts.into_iter().map(|reason| self.explained_part(file, reason)).collect();
        parts.sort_by(|a, b| (b.value * b.weight).total_cmp(&(a.value * a.weight)));
        (parts, reasons.factor, reasons.best)
    }

    fn explained_part(&self, file: usize, reason: Reason) -> ExplainedPart {
        let cause = |(cause, share): &(Cause, f64)| ExplainedCause {
            what: self.in_words(file, *cause),
            share: *share,
        };
        ExplainedPart {
            signal: reason.signal,
            value: reason.value,
            weight: reason.weight,
            causes: reason.causes.iter().map(cause).collect(),
        }
    }

    fn in_words(&self, file: usize, cause: Cause) -> String {
        let item =
            |file: usize, item: usize| self.entries[&file].depth.outline.items[item].address();
        let path = |file: usize| self.tree.files[file].path.clone();
        match cause {
            Cause::Term(term) => self.goal.term_in_words(term),
            Cause::Identifier(at) => self.goal.identifiers[usize::from(at)].word.clone(),
            Cause::Path(at) => self.goal.paths[at].clone(),
            Cause::Phrase(at) => format!("“{}”", self.goal.phrases[usize::from(at)]),
            Cause::Frame(at) => format!("{}:{}", self.goal.frames[at].0, self.goal.frames[at].1),
            Cause::Commit(at) => {
                format!("“{}”", self.commits[at].message.lines().next().unwrap_or_default())
            }
            Cause::Item(at) => item(file, at),
            Cause::File(at) => path(at),
            Cause::Lines(_, u32::MAX) => "all lines".to_owned(),
            Cause::Lines(first, last) => format!("lines {first}-{last}"),
            Cause::Use(user, at) => format!("{}#{}", path(user), item(user, at)),
        }
    }
}
