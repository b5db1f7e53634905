//! Explains the level of a path: rank, evidence, prices, the deciding rule, and the cheapest edit
//! that raises the level.
//!
//! The numbers are those of the map: prices come from the renderer, and an edit is offered only
//! after a map was made with it.

mod edits;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::level::Level;
use crate::map::effective::{EffectiveRule, RuleLayers};
use crate::map::items::{ItemNames, addresses, as_shown, item_levels, items_named};
use crate::map::judged::Judged;
use crate::map::{RepoMap, RuleOrigin};
use crate::plan::{ItemRule, Rule, RuleSet};
use crate::report::cost::tokens_at_levels;
use crate::report::item_room::ItemRoom;
use crate::report::json::{self, of_one};
use crate::score::index::IndexEntry;
use crate::score::judge::Reason;
use crate::score::signals::Cause;

/// The explanation of the level of a file or an item.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The file, in map notation.
    pub path: String,
    /// The item, if the target names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The file's place in the ranking, from 1.
    pub rank: usize,
    /// The number of ranked files.
    pub of: usize,
    /// The score, between 0 and 1.
    pub score: f64,
    /// The role of the path: `source`, `test`, `docs`, …
    pub role: &'static str,
    /// Each signal of the file or item, largest contribution first.
    pub parts: Vec<ExplainedPart>,
    /// The factor for the file's role, applied to the sum of value × weight.
    pub factor: f64,
    /// The sum of the best file or item, by which the others are divided.
    pub best: f64,
    /// The file was parsed and judged in depth.
    pub judged: bool,
    /// The level in the map.
    pub level: Level,
    /// The rule that gave the level of the file or the item, in words.
    pub rule: String,
    /// The reason why the file is at most a path: `binary`, `generated`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// The room that an item needs to be shown in full, if nothing else keeps it lower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<ItemRoom>,
    /// The size at each level that the path or item has, in tokens.
    pub tokens: BTreeMap<&'static str, u32>,
    /// A tested edit for each higher level, cheapest first.
    pub edits: Vec<Edit>,
    /// The items of the file with their scores, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ExplainedItem>,
}

/// A signal and its contribution.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedPart {
    /// The name of the signal in reports.
    pub signal: &'static str,
    /// The value, between 0 and 1.
    pub value: f64,
    /// The weight of the value.
    pub weight: f64,
    /// The causes of the value, largest first.
    pub causes: Vec<ExplainedCause>,
}

/// A cause of a value.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedCause {
    /// A word, a name, a commit's first line, another file, …
    pub what: String,
    /// The share of the value; the shares add up to it. 0 if the cause has no share.
    pub share: f64,
}

/// An item of the file.
#[derive(Debug, Clone, Serialize)]
pub struct ExplainedItem {
    /// The qualified name, as in `path#name`.
    pub name: String,
    /// The kind of item: `function`, `struct`, …
    pub kind: &'static str,
    /// The level in the map.
    pub level: Level,
    /// The first and last line, from 1.
    pub lines: (u32, u32),
    /// The score, between 0 and 1.
    pub worth: f64,
}

/// An edit of a plan, and its effect on the map.
#[derive(Debug, Clone, Serialize)]
pub struct Edit {
    /// The rules of the edit. They follow those of the plan in force.
    pub rules: Vec<Rule>,
    /// No rule is in force, so the rules are a whole plan: they keep all other files, which rules
    /// for an existing plan would fold.
    pub is_plan: bool,
    /// The same rules for the command line, each a `--level`.
    pub levels: Vec<String>,
    /// The requested level.
    pub to: Level,
    /// The resulting level of the path or item: the fit may give a higher level than requested, and
    /// a lower one if the budget is too small.
    pub level: Level,
    /// The resulting size of the map, in tokens.
    pub tokens: u32,
    /// Files that then show less than before.
    pub lowers: Vec<String>,
    /// Items that then show less, by file; without the items of lowered files.
    pub lowers_items: BTreeMap<String, Vec<String>>,
    /// The smallest sufficient budget in tokens, if the current one is too small.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<u32>,
}

/// Explains `target`: a path, or `path#item`. `None` if the tree has no such path;
/// [`paths_like`](crate::unmatched::paths_like) returns similar ones.
///
/// # Errors
/// If a glob does not compile.
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

/// Splits a target into path and item. A path may contain `#` too.
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

/// One file, or one item of it, in one map.
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
        let of_item = item.map(|item| self.rule_in_force(item)).transpose()?.flatten();
        let rule = match (of_item, report.rule) {
            (Some(rule), _) => rule,
            (None, Some(origin)) => json::rule(origin),
            (None, None) if layers.person.is_empty() && layers.pilot.is_empty() => {
                "no rule: the fit decides".to_owned()
            }
            (None, None) => "no rule matches: at most `fold`".to_owned(),
        };
        let outline = &entry.depth.outline;
        let item_worth = judged.item_worth(file, entry);
        let score_of = |item: usize| item_worth.map_or(0, |items| items[item]);
        let rule = match self.lacks(item.map(score_of)) {
            Some(lacks) => format!("{rule}; {lacks}"),
            None => rule,
        };
        let level = self.level_in(&self.map);
        let room = |item| ItemRoom::of(judged, layers, &self.map, (file, entry), (item, level));
        let room = item.map(room).transpose()?.flatten();
        Ok(Explanation {
            path: judged.tree().files[file].path.clone(),
            item: item.map(|at| addresses(outline).swap_remove(at)),
            rank: better.count() + 1,
            of: judged.n_files(),
            score: of_one(item.map_or(score, score_of)),
            role: judged.facts()[file].role().as_str(),
            parts,
            factor,
            best,
            judged: item_worth.is_some() || outline.items.is_empty(),
            level,
            rule,
            mark: report.mark,
            room,
            tokens: self.tokens(),
            edits,
            items: if item.is_some() { Vec::new() } else { self.explained_items() },
        })
    }

    /// Returns what the plan's `fill` asks of the file, or else of the item, if that has less.
    fn lacks(&self, item_score: Option<u32>) -> Option<String> {
        let report = &self.map.files[self.file];
        let fill = self.map.flown.context.fill.as_str();
        let (what, needs, has) = match (report.needs, item_score) {
            (Some(needs), _) => ("file", needs, report.worth),
            (None, Some(score)) if score < report.item_needs => ("item", report.item_needs, score),
            (None, _) if report.needs_body && report.level < Level::Path => {
                return Some(format!(
                    "`fill: {fill}` shows a file of this score only with the body of an item"
                ));
            }
            (None, _) => return None,
        };
        let (has, needs) = told_apart(has, needs);
        Some(format!("`fill: {fill}` asks this {what} for a score of {needs}, it has {has}"))
    }

    /// Returns the rule that names an item and gives it a level: `rules[2].items[0]`; `None` if the
    /// item follows its file.
    fn rule_in_force(&self, item: usize) -> Result<Option<String>> {
        let path = &self.judged.tree().files[self.file].path;
        let person = RuleSet::new(self.layers.person)?.verdict(path);
        let pilot = RuleSet::new(self.layers.pilot)?.verdict(path);
        let origin = match person.items.is_empty() {
            true => pilot.items_rule.map(RuleOrigin::Pilot),
            false => person.items_rule.map(RuleOrigin::Person),
        };
        let in_force = EffectiveRule::of(person, pilot, false).items;
        let items = ItemNames::of(&self.entry.depth.outline);
        let names = |rule: &ItemRule| items.named(&rule.name).contains(&item);
        let at = in_force.iter().rposition(names);
        Ok(origin.zip(at).map(|(origin, at)| format!("{}.items[{at}]", json::rule(origin))))
    }

    /// Returns the level of the file or the item in a map.
    fn level_in(&self, map: &RepoMap) -> Level {
        let report = &map.files[self.file];
        let outline = &self.entry.depth.outline;
        let levels = |item: usize| as_shown(outline, item_levels(outline, report))[item];
        self.item.map_or(report.level, levels)
    }

    fn tokens(&self) -> BTreeMap<&'static str, u32> {
        let Some(item) = self.item else {
            return tokens_at_levels(self.judged, self.file, self.entry);
        };
        let price = self.entry.price().items[item];
        let mut tokens = BTreeMap::from([
            ("outline", price.outline),
            ("interface", price.closed),
            ("full", price.full),
        ]);
        // Without a long doc comment it is the whole item.
        if price.whole() == Level::Body {
            tokens.insert("body", price.body);
        }
        tokens
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
            .zip(as_shown(outline, item_levels(outline, &self.map.files[self.file])))
            .enumerate()
            .map(explained)
            .collect();
        items.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        items
    }

    /// Returns the parts of a score, the factor for their sum, and the divisor.
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
            Cause::Frame(at) => format!("{}:{}", goal.frames[at].path, goal.frames[at].line),
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

/// Formats two scores in millionths with as many digits as tell them apart, two at least.
pub fn told_apart(score: u32, other: u32) -> (String, String) {
    let with = |digits: usize| {
        let text = |millionths: u32| format!("{:.digits$}", of_one(millionths));
        (text(score), text(other))
    };
    (2..6).map(with).find(|(score, other)| score != other).unwrap_or_else(|| with(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_scores_have_as_many_digits_as_tell_them_apart() {
        let of = |score, other| {
            let (score, other) = told_apart(score, other);
            format!("{score} {other}")
        };
        assert_eq!(of(540_000, 610_000), "0.54 0.61");
        assert_eq!(of(540_010, 540_160), "0.5400 0.5402");
        assert_eq!(of(540_010, 540_010), "0.540010 0.540010");
    }
}
