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
#[derive(Debug, Clone, PartialEq)]
pub struct RuleChange {
    /// What changes.
    pub target: Change,
    /// The evidence for it.
    pub why: String,
}

/// What a change is about, and to which level.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The paths that a gitignore-style glob matches: a level, or the range the fit may choose from.
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
    pub fn item(path: impl Into<String>, name: impl Into<String>, level: Level, why: impl Into<String>) -> RuleChange {
        RuleChange { target: Change::Item(path.into(), ItemRule { name: name.into(), level }), why: why.into() }
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
            Change::Item(path, item) => {
                Rule { level: None, items: Some(vec![item.clone()]), why, ..Rule::new(exact_glob(path), LevelRange::ANY) }
            }
        }
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
