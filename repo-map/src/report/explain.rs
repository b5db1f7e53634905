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
use crate::map::items::{addresses, as_shown, item_levels, items_named};
use crate::map::judged::Judged;
use crate::plan::{ItemRule, Rule, RuleSet, as_typed, exact_glob};
use crate::report::cost::tokens_at_levels;
use crate::report::json::{self, of_one};
use crate::score::index::IndexEntry;
use crate::score::judge::Reason;
use crate::score::signals::Cause;

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

/// Explains `target`: a path, or `path#item`. `None` when the tree has no such path;
/// [`paths_like`](crate::unmatched::paths_like) has the nearest ones.
///
/// # Errors
/// When a glob does not compile.
pub fn explain(
    judged: &Judged,
    target: &str,
    layers: RuleLayers<'_>,
) -> Result<Option<Explanation>> {
    let (path, item) = split_target(judged, target);
    let Some(file) = judged.position(path) else { return Ok(None) };
    let map = judged.map(layers)?;
    let entry = judged.priced(file);
    let item = match item {
        Some(item) => match items_named(&entry.depth.outline, item).first() {
            Some(position) => Some(*position),
            None => return Ok(None),
        },
        None => None,
    };
    Explainer { judged, layers, file, entry, item, map }.explanation().map(Some)
}

/// The path and the item of a target. A path may itself have a `#`.
pub fn split_target<'t>(judged: &Judged, target: &'t str) -> (&'t str, Option<&'t str>) {
    let target = target.trim_start_matches("./");
    if judged.has_path(target) {
        return (target, None);
    }
    let mut marks = target.match_indices('#').map(|(at, _)| at);
    match marks.clone().find(|at| judged.has_path(&target[..*at])).or_else(|| marks.next()) {
        Some(at) => (&target[..at], Some(&target[at + 1..])),
        None => (target, None),
    }
}

/// One file, or one item of it, to be explained in one map.
struct Explainer<'a> {
    judged: &'a Judged,
    layers: RuleLayers<'a>,
    file: usize,
    entry: &'a IndexEntry,
    item: Option<usize>,
    map: RepoMap,
}

impl Explainer<'_> {
    fn explanation(&self) -> Result<Explanation> {
        let Explainer { judged, layers, file, entry, item, .. } = *self;
        let edits = self.edits()?;
        let (parts, factor, best) = self.parts();
        let scores = &judged.scores.files;
        let score = scores[file].score;
        let better = scores
            .iter()
            .enumerate()
            .filter(|(at, other)| other.score > score || other.score == score && *at < file);
        let report = &self.map.files[file];
        let rule = match report.rule {
            Some(origin) => json::rule(origin),
            None if layers.person.is_empty() && layers.pilot.is_empty() => {
                "no rule: the fit decides".to_owned()
            }
            None => "no rule matches: at most `fold`".to_owned(),
        };
        let outline = &entry.depth.outline;
        let item_worth = judged.item_worth(file, entry);
        Ok(Explanation {
            path: judged.tree().files[file].path.clone(),
            item: item.map(|at| addresses(outline).swap_remove(at)),
            rank: better.count() + 1,
            of: judged.n_files(),
            score: of_one(item.map_or(score, |at| item_worth.map_or(0, |items| items[at]))),
            role: judged.facts()[file].role().as_str(),
            parts,
            factor,
            best,
            judged: item_worth.is_some() || outline.items.is_empty(),
            level: self.level_in(&self.map),
            rule,
            mark: report.mark,
            tokens: self.tokens(),
            edits,
            items: if item.is_some() { Vec::new() } else { self.explained_items() },
        })
    }

    /// The level of the file, or the item, in a map.
    fn level_in(&self, map: &RepoMap) -> Level {
        let report = &map.files[self.file];
        let levels = |item: usize| item_levels(&self.entry.depth.outline, report)[item];
        self.item.map_or(report.level, levels)
    }

    fn tokens(&self) -> BTreeMap<&'static str, u32> {
        let Some(item) = self.item else {
            return tokens_at_levels(self.judged, self.file, self.entry);
        };
        let price = self.entry.price().items[item];
        BTreeMap::from([
            ("outline", price.outline),
            ("interface", price.closed),
            ("full", price.full),
        ])
    }

    fn explained_items(&self) -> Vec<ExplainedItem> {
        let outline = &self.entry.depth.outline;
        let worth = self.judged.item_worth(self.file, self.entry);
        let explained = |(at, (name, level)): (usize, (String, Level))| ExplainedItem {
            name,
            kind: outline.items[at].kind.as_str(),
            level,
            lines: outline.items[at].lines,
            worth: of_one(worth.and_then(|worth| worth.get(at).copied()).unwrap_or(0)),
        };
        let mut items: Vec<ExplainedItem> = addresses(outline)
            .into_iter()
            .zip(item_levels(outline, &self.map.files[self.file]))
            .enumerate()
            .map(explained)
            .collect();
        items.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        items
    }

    /// For each level above, the rule that gives it, with the map that was made with it.
    fn edits(&self) -> Result<Vec<Edit>> {
        let (now, levels) = (self.level_in(&self.map), self.tokens());
        let mut edits: Vec<Edit> = Vec::new();
        for level in Level::ALL
            .into_iter()
            .filter(|level| *level > now && levels.contains_key(level.as_str()))
        {
            // The fit may have given this level to the edit before.
            if edits.last().is_none_or(|edit| edit.needed.is_some() || edit.level < level) {
                edits.push(self.edit(level)?);
            }
        }
        Ok(edits)
    }

    fn edit(&self, level: Level) -> Result<Edit> {
        let Explainer { judged, layers, file, item, .. } = *self;
        let is_plan = layers.person.is_empty() && layers.pilot.is_empty();
        // Without any rule the fit may show every path; the edit must not take that away.
        let mut rules = Vec::from_iter(is_plan.then(|| Rule::new("**", LevelRange::ANY)));
        rules.push(match item {
            None => Rule::new(
                exact_glob(&judged.tree().files[file].path),
                LevelRange { floor: level, ceiling: Level::Full },
            ),
            Some(item) => self.rule_of_item(item, level)?,
        });
        let levels = rules.last().map(as_typed).unwrap_or_default();
        let after = self.map_judged_by(&rules)?;
        let (lowers, lowers_items) = lowered(judged, &self.map, &after);
        Ok(Edit {
            rules,
            is_plan,
            levels,
            to: level,
            level: self.level_in(&after),
            tokens: after.tokens,
            lowers,
            lowers_items,
            needed: after.conflict.map(|conflict| conflict.needed),
        })
    }

    /// The map that a plan with these rules more gives. A file that a plan keeps low is not judged;
    /// one that raises it judges it.
    fn map_judged_by(&self, rules: &[Rule]) -> Result<RepoMap> {
        let judged = self.judged;
        let person = [self.layers.person, rules].concat();
        let layers = RuleLayers { person: &person, pilot: self.layers.pilot };
        let path = &judged.tree().files[self.file].path;
        let bounds = RuleSet::new(&judged.plan().rules)?.verdict(path).level;
        match bounds.is_some_and(|range| range.ceiling < Level::Outline) {
            true => judged.with_rules(rules)?.map(layers),
            false => judged.map(layers),
        }
    }

    /// The rule that gives an item a level. A list of items replaces the one before it, so those
    /// named already are named again.
    fn rule_of_item(&self, item: usize, level: Level) -> Result<Rule> {
        let path = &self.judged.tree().files[self.file].path;
        let outline = &self.entry.depth.outline;
        let bounds = RuleSet::new(self.layers.person)?;
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

    /// The parts of a score, what their sum is multiplied with, and what it is divided by.
    fn parts(&self) -> (Vec<ExplainedPart>, f64, f64) {
        let Explainer { judged, file, entry, .. } = *self;
        let has_reasons = entry.is_judged() && !judged.goal().is_empty();
        let reasons = match self.item {
            None => judged.judge().reasons(file),
            Some(item) if has_reasons => judged.judge().item_reasons(file, item),
            Some(_) => return (Vec::new(), 1.0, 1.0),
        };
        let mut parts: Vec<ExplainedPart> =
            reasons.parts.into_iter().map(|reason| self.explained_part(reason)).collect();
        parts.sort_by(|a, b| (b.value * b.weight).total_cmp(&(a.value * a.weight)));
        (parts, reasons.factor, reasons.best)
    }

    fn explained_part(&self, reason: Reason) -> ExplainedPart {
        let cause = |(cause, share): &(Cause, f64)| ExplainedCause {
            what: self.in_words(*cause),
            share: *share,
        };
        ExplainedPart {
            signal: reason.signal,
            value: reason.value,
            weight: reason.weight,
            causes: reason.causes.iter().map(cause).collect(),
        }
    }

    fn in_words(&self, cause: Cause) -> String {
        let (judged, goal) = (self.judged, self.judged.goal());
        let entries = judged.entries.judged();
        let item = |file: usize, item: usize| entries[&file].depth.outline.items[item].address();
        let path = |file: usize| judged.tree().files[file].path.clone();
        match cause {
            Cause::Term(term) => goal.term_in_words(term),
            Cause::Identifier(at) => goal.identifiers[usize::from(at)].word.clone(),
            Cause::Path(at) => goal.paths[at].clone(),
            Cause::Phrase(at) => format!("“{}”", goal.phrases[usize::from(at)]),
            Cause::Frame(at) => format!("{}:{}", goal.frames[at].0, goal.frames[at].1),
            Cause::Commit(at) => {
                let message = &judged.commits()[at].message;
                format!("“{}”", message.lines().next().unwrap_or_default())
            }
            Cause::Item(at) => item(self.file, at),
            Cause::File(at) => path(at),
            Cause::Lines(_, u32::MAX) => "all lines".to_owned(),
            Cause::Lines(first, last) => format!("lines {first}-{last}"),
            Cause::Use(user, at) => format!("{}#{}", path(user), item(user, at)),
        }
    }
}

/// What a map shows less of than one before: files, and items of the other files.
fn lowered(
    judged: &Judged,
    before: &RepoMap,
    after: &RepoMap,
) -> (Vec<String>, BTreeMap<String, Vec<String>>) {
    let (mut files, mut items) = (Vec::new(), BTreeMap::new());
    for (at, (before, after)) in before.files.iter().zip(&after.files).enumerate() {
        let is_low = before.level <= Level::Path && before.items.is_empty();
        let entry = judged.entries.get(at).filter(|_| !is_low);
        let Some(outline) = entry.map(|entry| &entry.depth.outline) else {
            files.extend((after.level < before.level).then(|| before.path.clone()));
            continue;
        };
        let shown = |report| as_shown(outline, item_levels(outline, report));
        let lower: Vec<usize> = shown(before)
            .into_iter()
            .zip(shown(after))
            .enumerate()
            .filter(|(_, (before, after))| after < before)
            .map(|(item, _)| item)
            .collect();
        // The level of a file is that of most of its items: it may be lower and the items not.
        let is_whole = before.level == Level::Full || !lower.is_empty();
        if after.level < before.level && is_whole {
            files.push(before.path.clone());
            continue;
        }
        if !lower.is_empty() {
            let names = addresses(outline);
            let names = lower.into_iter().map(|item| names[item].clone()).collect();
            items.insert(before.path.clone(), names);
        }
    }
    (files, items)
}
