//! Rules: globs with levels for files, and levels for items of those files.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::level::{Level, LevelRange};
use crate::plan::globs::{globs_of, sanitized_glob};
use crate::text::sanitize;

/// A level for the paths that a glob matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a rule: a `path` and a `level`")]
pub struct Rule {
    /// A gitignore-style glob: `/src/**`, `*.md`, `tests/`. A folder matches everything in it.
    #[serde(deserialize_with = "valid_glob")]
    pub path: String,
    /// A level (`interface`), or a floor and a ceiling (`outline..full`, `path..`, `..outline`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub level: Option<LevelRange>,
    /// Levels for items inside the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ItemRule>>,
    /// The reason, for readers of the plan.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "sanitize::optional_text"
    )]
    pub why: Option<String>,
    /// In a flown plan: the requested level, where it did not fit.
    #[serde(rename = "was", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub requested: Option<Level>,
    /// In a flown plan: why the file is kept at level path (binary, generated, …).
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "sanitize::optional_text"
    )]
    pub mark: Option<String>,
}

impl Rule {
    /// Returns a rule with a glob and a range.
    pub fn new(path: impl Into<String>, level: LevelRange) -> Rule {
        Rule {
            path: sanitized_glob(&path.into()),
            level: Some(level),
            items: None,
            why: None,
            requested: None,
            mark: None,
        }
    }
}

/// A level for items of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a `name` and a `level`")]
pub struct ItemRule {
    /// The item: its qualified name or the end of it (`Session::refresh`, `refresh`); `@2` selects
    /// the second item of a name.
    #[serde(deserialize_with = "item_name")]
    pub name: String,
    /// `exclude`, `outline`, `interface`, `body` or `full`.
    #[serde(deserialize_with = "item_level")]
    #[schemars(with = "String")]
    pub level: Level,
}

fn valid_glob<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    let glob = sanitized_glob(&String::deserialize(deserializer)?);
    match globs_of(&glob) {
        Ok(_) => Ok(glob),
        Err(message) => Err(serde::de::Error::custom(message)),
    }
}

fn item_name<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    // Unchanged from the text of the file: a plan may keep characters that the gate would escape.
    let name = String::deserialize(deserializer)?;
    if name.trim().is_empty() {
        return Err(serde::de::Error::custom("an item's name cannot be empty"));
    }
    Ok(name)
}

fn item_level<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Level, D::Error> {
    match Level::deserialize(deserializer)? {
        level @ (Level::Fold | Level::Path) => Err(serde::de::Error::custom(format!(
            "`{level}` is a level for paths; an item takes exclude, outline, interface, body or \
             full"
        ))),
        level => Ok(level),
    }
}
