//! One change of level, for the paths that a glob matches or for an item.

use repo_map::plan::{ItemRule, Rule, exact_glob, exact_path};
use repo_map::{Level, LevelRange};
use serde::{Deserialize, Serialize};

use crate::run::plan::Change;

/// One change of level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "ChangeRecord", try_from = "ChangeRecord")]
pub struct RuleChange {
    /// The target and its new level.
    pub target: RuleTarget,
    /// The evidence for the change.
    pub why: String,
}

/// The target of a change, with the new level.
#[derive(Debug, Clone, PartialEq)]
pub enum RuleTarget {
    /// The paths that a gitignore-style glob matches, with a level or a range from which the fit
    /// chooses.
    Paths(String, LevelRange),
    /// An item of one file.
    Item(String, ItemRule),
}

impl RuleChange {
    /// Makes a change of the paths that a glob matches.
    pub fn paths(glob: impl Into<String>, level: LevelRange, why: impl Into<String>) -> RuleChange {
        RuleChange { target: RuleTarget::Paths(glob.into(), level), why: why.into() }
    }

    /// Makes a change of an item in the file at `path`.
    pub fn item(
        path: impl Into<String>,
        name: impl Into<String>,
        level: Level,
        why: impl Into<String>,
    ) -> RuleChange {
        RuleChange {
            target: RuleTarget::Item(path.into(), ItemRule { name: name.into(), level }),
            why: why.into(),
        }
    }

    /// Returns the name of the target for reports.
    pub fn name(&self) -> String {
        match &self.target {
            // A glob for one literal path is shown as that path.
            RuleTarget::Paths(glob, _) => exact_path(glob).unwrap_or_else(|| glob.clone()),
            RuleTarget::Item(path, item) => format!("{path}#{}", item.name),
        }
    }

    /// Returns the change as a rule.
    pub fn rule(&self) -> Rule {
        let why = Some(self.why.clone()).filter(|why| !why.is_empty());
        match &self.target {
            RuleTarget::Paths(glob, level) => Rule { why, ..Rule::new(glob, *level) },
            RuleTarget::Item(path, item) => Rule {
                level: None,
                items: Some(vec![item.clone()]),
                why,
                ..Rule::new(exact_glob(path), LevelRange::ANY)
            },
        }
    }
}

/// A change in the decision log, in the notation of a plan's rules.
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
            RuleTarget::Paths(glob, level) => (glob, None, level),
            RuleTarget::Item(path, item) => {
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

impl Change for RuleChange {
    fn name(&self) -> String {
        RuleChange::name(self)
    }

    fn is_about_same(&self, other: &RuleChange) -> bool {
        match (&self.target, &other.target) {
            (RuleTarget::Paths(one, _), RuleTarget::Paths(other, _)) => one == other,
            (RuleTarget::Item(one, item), RuleTarget::Item(other, same)) => {
                one == other && item.name == same.name
            }
            _ => false,
        }
    }

    fn does_same(&self, other: &RuleChange) -> bool {
        self.target == other.target
    }

    fn asks_for(&self) -> Option<(String, String)> {
        if self.why.is_empty() {
            return None;
        }
        match &self.target {
            RuleTarget::Paths(glob, level) => {
                let is_asked = self.is_exact() && level.floor >= Level::Path;
                let path = exact_path(glob).filter(|_| is_asked)?;
                Some((path, self.why.clone()))
            }
            RuleTarget::Item(path, item) => {
                let why = format!("`{}`: {}", item.name, self.why);
                let is_asked = item.level > Level::Exclude;
                is_asked.then(|| (path.clone(), why))
            }
        }
    }

    /// A range lets the fit choose, so an unchanged map can be its correct result.
    fn is_exact(&self) -> bool {
        match self.target {
            RuleTarget::Paths(_, range) => range.floor == range.ceiling,
            RuleTarget::Item(..) => true,
        }
    }
}
