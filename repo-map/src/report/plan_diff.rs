//! Compares two plans: levels, rules, and files.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::level::Level;
use crate::map::tree_facts::unpacked;
use crate::plan::{FlightPlan, ItemRule, Rule, RuleSet};

/// The differences between two plans. Paths are sorted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PlanDiff {
    /// Changed requests, before and after: goal, budget, tokenizer, format, scan options.
    pub asked: BTreeMap<&'static str, (String, String)>,
    /// The sizes of the maps in tokens, if both plans were flown.
    pub tokens: Option<(u32, u32)>,
    /// The maps have different bytes; only if both plans were flown.
    pub other_bytes: bool,
    /// Paths at another level, if both plans were flown.
    pub levels: Vec<LevelChange>,
    /// Rules that only the first plan has, if one was not flown.
    pub removed: Vec<Rule>,
    /// Rules that only the second plan has.
    pub added: Vec<Rule>,
    /// Files that both maps show, with different bytes.
    pub changed: Vec<String>,
    /// Paths that only the second tree has.
    pub appeared: Vec<String>,
    /// Paths that only the first tree has.
    pub gone: Vec<String>,
}

/// The levels of one path before and after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelChange {
    /// The path.
    pub path: String,
    /// The level in the first map.
    pub from: Level,
    /// The level in the second map.
    pub to: Level,
    /// Items whose level differs, if it is not the file's in at least one of them: `None` is the
    /// file's level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<(String, Option<Level>, Option<Level>)>,
}

impl PlanDiff {
    /// Reports whether both plans request the same and give the same map.
    pub fn is_none(&self) -> bool {
        let same_size = self.tokens.is_none_or(|(before, after)| before == after);
        same_size && PlanDiff { tokens: None, ..self.clone() } == PlanDiff::default()
    }
}

/// Compares two plans, without a repository.
///
/// # Errors
/// If a glob does not compile, or a flown plan's paths cannot be unpacked.
pub fn diff(before: &FlightPlan, after: &FlightPlan) -> Result<PlanDiff> {
    let mut diff = PlanDiff { asked: asked(before, after), ..PlanDiff::default() };
    let (Some(then), Some(now)) = (&before.provenance, &after.provenance) else {
        let only = |these: &FlightPlan, those: &FlightPlan| -> Vec<Rule> {
            these.rules.iter().filter(|rule| !those.rules.contains(rule)).cloned().collect()
        };
        (diff.removed, diff.added) = (only(before, after), only(after, before));
        // The same rules in another order give another map, because later ones win.
        if diff.removed.is_empty() && diff.added.is_empty() && before.rules != after.rules {
            diff.asked.insert("rules", ("one order".to_owned(), "another order".to_owned()));
        }
        return Ok(diff);
    };
    diff.tokens = Some((then.map.tokens, now.map.tokens));
    diff.other_bytes = then.map.digest != now.map.digest;
    let (shown_then, shown_now) = (levels(before)?, levels(after)?);
    for (path, (from, items)) in &shown_then {
        let Some((to, items_now)) = shown_now.get(path) else {
            diff.gone.push(path.clone());
            continue;
        };
        let items = changed_items(items, items_now);
        if from != to || !items.is_empty() {
            diff.levels.push(LevelChange { path: path.clone(), from: *from, to: *to, items });
        }
        let differs = |digest: &String| now.files.get(path).is_some_and(|other| other != digest);
        diff.changed.extend(then.files.get(path).is_some_and(differs).then(|| path.clone()));
    }
    diff.appeared.extend(shown_now.keys().filter(|path| !shown_then.contains_key(*path)).cloned());
    Ok(diff)
}

fn asked(before: &FlightPlan, after: &FlightPlan) -> BTreeMap<&'static str, (String, String)> {
    let of = |plan: &FlightPlan| {
        let languages =
            plan.languages.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>().join(" ");
        [
            ("goal", plan.goal.clone().unwrap_or_default().into_string()),
            ("budget", plan.context.tokens.to_string()),
            ("tokenizer", plan.context.tokenizer.as_str().to_owned()),
            ("format", format!("{:?}", plan.context.format).to_lowercase()),
            ("line_numbers", plan.context.line_numbers.to_string()),
            ("hidden", plan.scan.hidden.to_string()),
            ("no_ignore", plan.scan.no_ignore.to_string()),
            ("mask", format!("{:?}", plan.scan.mask).to_lowercase()),
            ("languages", languages),
            ("ignored", plan.scan.ignored.join(" ")),
            ("outside", plan.scan.outside.iter().flatten().cloned().collect::<Vec<_>>().join(" ")),
        ]
    };
    let mut asked: BTreeMap<_, _> = of(before)
        .into_iter()
        .zip(of(after))
        .filter(|(a, b)| a != b)
        .map(|((name, a), (_, b))| (name, (a, b)))
        .collect();
    if before.languages != after.languages {
        asked
            .entry("languages")
            .or_insert_with(|| ("one query".to_owned(), "another query".to_owned()));
    }
    asked
}

type Levels = BTreeMap<String, (Level, Vec<ItemRule>)>;

/// Returns the level of every path in the tree of a flown plan.
fn levels(plan: &FlightPlan) -> Result<Levels> {
    let broken = || Error::Plan {
        file: "the plan".to_owned(),
        line: None,
        message: "provenance.tree.paths: cannot be unpacked".to_owned(),
    };
    let paths = plan
        .provenance
        .as_ref()
        .and_then(|provenance| unpacked(&provenance.tree))
        .ok_or_else(broken)?;
    let rules = RuleSet::new(&plan.rules)?;
    let of_path = |path: String| {
        let verdict = rules.verdict(&path);
        let level = verdict.level.map_or(Level::Fold, |range| range.ceiling);
        (path.clone(), (level, verdict.items.to_vec()))
    };
    Ok(paths.into_iter().map(of_path).collect())
}

fn changed_items(
    then: &[ItemRule],
    now: &[ItemRule],
) -> Vec<(String, Option<Level>, Option<Level>)> {
    let of = |items: &[ItemRule]| -> BTreeMap<String, Level> {
        items.iter().map(|item| (item.name.clone(), item.level)).collect()
    };
    let (then, now) = (of(then), of(now));
    let names: std::collections::BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    let pair = |name: &String| (name.clone(), then.get(name).copied(), now.get(name).copied());
    names.into_iter().map(pair).filter(|(_, from, to)| from != to).collect()
}
