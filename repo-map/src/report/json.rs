//! The JSON report of a map for programs: every path with its level, size, score and rule.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::error::Result;
use crate::level::Level;
use crate::map::flown;
use crate::map::judged::Judged;
use crate::map::{FileReport, PartKind, RepoMap, RuleOrigin};
use crate::plan::Fill;
use crate::score::judge::{FileScore, ONE};
use crate::source::scan::UnreadPages;

/// A map as a report. Sizes are tokens; scores are between 0 and 1.
#[derive(Debug, Serialize)]
pub struct MapReport<'a> {
    /// The tool that made the map, with its version.
    pub tool: &'static str,
    /// The plan's goal.
    pub goal: Option<&'a str>,
    /// The maximum size of the map, in tokens.
    pub budget: u32,
    /// The size of the map, in tokens.
    pub tokens: u32,
    /// The name of the tokenizer.
    pub tokenizer: &'static str,
    /// The remaining tokens of the budget.
    pub free: u32,
    /// How much of the budget the fit uses.
    pub fill: Fill,
    /// The reason why some of the plan's floors do not hold, if there is one.
    pub conflict: Option<ReportedConflict<'a>>,
    /// The number of secrets masked in the shown text.
    pub masked: u32,
    /// The number of invisible characters escaped in the shown text.
    pub invisible: u32,
    /// Files that could not be read.
    pub problems: Vec<String>,
    /// Pages of a site that are only known from links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<&'a UnreadPages>,
    /// The blocks of the map in order; their tokens add up to the map's.
    pub parts: Vec<ReportedPart<'a>>,
    /// Every file of the repository, in the order of maps.
    pub files: Vec<ReportedFile<'a>>,
    /// The map itself.
    pub map: &'a str,
}

/// A conflict between floors and budget.
#[derive(Debug, Serialize)]
pub struct ReportedConflict<'a> {
    /// The message, with the way out.
    pub message: &'a str,
    /// The smallest budget for all floors, in tokens.
    pub needed: u32,
    /// The paths that show less than their floor.
    pub below_floor: &'a [String],
}

/// A block of the map.
#[derive(Debug, Serialize)]
pub struct ReportedPart<'a> {
    /// `header`, `file`, `folder`, `strays` or `footer`.
    pub kind: &'static str,
    /// The path it shows; empty if it shows none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub path: &'a str,
    /// The size in tokens.
    pub tokens: u32,
}

/// A file and its levels.
#[derive(Debug, Serialize)]
pub struct ReportedFile<'a> {
    /// The path.
    pub path: &'a str,
    /// The level shown.
    pub level: Level,
    /// The requested level, if it did not fit the budget.
    #[serde(rename = "was", skip_serializing_if = "Option::is_none")]
    pub requested: Option<Level>,
    /// The size of its block in tokens; 0 if it has none.
    pub tokens: u32,
    /// The score for the goal.
    pub worth: f64,
    /// The rule that gave its level: `rules[3]`, `pilot[0]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The reason why it is at most a path: `binary`, `generated`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Items at another level than the file, with their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ReportedItem<'a>>,
    /// The lines whose text is shown, first and last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<(u32, u32)>,
}

/// An item at another level than its file.
#[derive(Debug, Serialize)]
pub struct ReportedItem<'a> {
    /// The name.
    pub name: &'a str,
    /// The level.
    pub level: Level,
    /// The first and last line, from 1.
    pub lines: (u32, u32),
}

/// Makes the JSON report of a map.
///
/// # Errors
/// If the map is of another tree.
pub fn map_report<'a>(judged: &'a Judged, map: &'a RepoMap) -> Result<MapReport<'a>> {
    judged.check_map(map)?;
    let plan = judged.plan();
    Ok(MapReport {
        tool: flown::TOOL,
        goal: plan.goal.as_deref(),
        budget: map.budget,
        tokens: map.tokens,
        tokenizer: plan.context.tokenizer.as_str(),
        free: map.budget.saturating_sub(map.tokens),
        fill: map.flown.context.fill,
        conflict: map.conflict.as_ref().map(|conflict| ReportedConflict {
            message: &conflict.message,
            needed: conflict.needed,
            below_floor: &conflict.below_floor,
        }),
        masked: map.n_masked,
        invisible: map.n_invisible,
        problems: judged.problems().iter().map(ToString::to_string).collect(),
        unread: judged.tree().site.as_ref().map(|site| &site.unread).filter(|all| !all.is_empty()),
        parts: map
            .parts
            .iter()
            .map(|part| ReportedPart {
                kind: kind(part.kind),
                path: &part.path,
                tokens: part.tokens,
            })
            .collect(),
        files: map.files.iter().map(reported_file).collect(),
        map: &map.text,
    })
}

fn kind(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Header => "header",
        PartKind::File => "file",
        PartKind::Folder => "folder",
        PartKind::RestOfFolder => "strays",
        PartKind::Footer => "footer",
    }
}

fn reported_file(file: &FileReport) -> ReportedFile<'_> {
    ReportedFile {
        path: &file.path,
        level: file.level,
        requested: file.requested,
        tokens: file.tokens,
        worth: of_one(file.worth),
        rule: file.rule.map(rule),
        mark: file.mark,
        items: file
            .items
            .iter()
            .map(|item| ReportedItem { name: &item.name, level: item.level, lines: item.lines })
            .collect(),
        spans: file.spans.clone(),
    }
}

/// Names a rule by its position: `rules[3]`, `pilot[0]`.
pub(crate) fn rule(origin: RuleOrigin) -> String {
    match origin {
        RuleOrigin::Person(at) => format!("rules[{at}]"),
        RuleOrigin::Pilot(at) => format!("pilot[{at}]"),
    }
}

pub(crate) fn of_one(millionths: u32) -> f64 {
    f64::from(millionths) / f64::from(ONE)
}

/// One ranked file: its score and each part of it, between 0 and 1.
#[derive(Debug, Serialize)]
pub struct Ranked<'a> {
    /// The path.
    pub path: &'a str,
    /// The weighted sum of the parts times the factor for the file's role, divided by the best
    /// file's.
    pub score: f64,
    /// Each signal of the file.
    pub parts: BTreeMap<&'static str, f64>,
}

/// Returns a line of the ranking.
pub fn ranked<'a>(path: &'a str, worth: &FileScore) -> Ranked<'a> {
    Ranked { path, score: of_one(worth.score), parts: parts(worth) }
}

pub(crate) fn parts(worth: &FileScore) -> BTreeMap<&'static str, f64> {
    worth.parts.iter().map(|(signal, part)| (signal.as_str(), of_one(*part))).collect()
}
