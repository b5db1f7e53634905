//! What a pilot can do in a turn.

use repo_map::plan::{ItemRule, Rule, exact_glob, exact_path};
use repo_map::{Level, LevelRange};
use serde::{Deserialize, Serialize};

/// A pilot's decision.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Change levels, then look again.
    UpdateFlightPlan {
        /// The rules to add, in order; later ones win.
        changes: Vec<RuleChange>,
        /// Why, in a sentence or two.
        reasoning: String,
    },
    /// The map is the context.
    FinalizeContext {
        /// What the context holds and which trade-offs were made.
        summary: String,
        /// The areas that matter, and why.
        focus: Vec<Focus>,
    },
}

/// One change of level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "ChangeRecord", try_from = "ChangeRecord")]
pub struct RuleChange {
    /// What changes.
    pub target: Change,
    /// The evidence for it.
    pub why: String,
}

/// What a change is about, and to which level.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The paths that a gitignore-style glob matches: a level, or the range the fit may choose
    /// from.
    Paths(String, LevelRange),
    /// An item of one file.
    Item(String, ItemRule),
}

impl RuleChange {
    /// A change of the paths that a glob matches.
    pub fn paths(glob: impl Into<String>, level: LevelRange, why: impl Into<String>) -> RuleChange {
        RuleChange { target: Change::Paths(glob.into(), level), why: why.into() }
    }

    /// A change of an item of the file at `path`.
    pub fn item(
        path: impl Into<String>,
        name: impl Into<String>,
        level: Level,
        why: impl Into<String>,
    ) -> RuleChange {
        RuleChange {
            target: Change::Item(path.into(), ItemRule { name: name.into(), level }),
            why: why.into(),
        }
    }

    /// What it is about, as reports name it.
    pub fn name(&self) -> String {
        match &self.target {
            // A path that stands for itself is named as maps name it.
            Change::Paths(glob, _) => exact_path(glob).unwrap_or_else(|| glob.clone()),
            Change::Item(path, item) => format!("{path}#{}", item.name),
        }
    }

    /// The same as a rule.
    pub fn rule(&self) -> Rule {
        let why = Some(self.why.clone()).filter(|why| !why.is_empty());
        match &self.target {
            Change::Paths(glob, level) => Rule { why, ..Rule::new(glob, *level) },
            Change::Item(path, item) => Rule {
                level: None,
                items: Some(vec![item.clone()]),
                why,
                ..Rule::new(exact_glob(path), LevelRange::ANY)
            },
        }
    }
}

/// A change as the decision log has it, in the notation of a plan's rules.
#[derive(Serialize, Deserialize)]
struct ChangeRecord {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<String>,
    level: LevelRange,
    why: String,
}

impl From<RuleChange> for ChangeRecord {
    fn from(change: RuleChange) -> ChangeRecord {
        let (path, item, level) = match change.target {
            Change::Paths(glob, level) => (glob, None, level),
            Change::Item(path, item) => {
                (exact_glob(&path), Some(item.name), LevelRange::exactly(item.level))
            }
        };
        ChangeRecord { path, item, level, why: change.why }
    }
}

impl TryFrom<ChangeRecord> for RuleChange {
    type Error = String;

    fn try_from(line: ChangeRecord) -> Result<RuleChange, String> {
        let Some(item) = line.item else {
            return Ok(RuleChange::paths(line.path, line.level, line.why));
        };
        let path = exact_path(&line.path)
            .ok_or_else(|| format!("`{}` with an item is not the path of one file", line.path))?;
        if line.level.floor != line.level.ceiling {
            return Err(format!(
                "`{path}#{item}`: `{}` is a range, and an item has one level",
                line.level
            ));
        }
        Ok(RuleChange::item(path, item, line.level.floor, line.why))
    }
}

/// An area of the context, and why it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// A path of the map.
    pub path: String,
    /// The evidence for it.
    pub why: String,
}
