//! Levels of detail, one ordered set, and the range of levels that a rule allows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::suggest::nearest;

/// The detail at which the map shows a path or an item. The order is the order of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing; the path is still counted in the footer's summary of the rest.
    Exclude,
    /// A whole directory as one line; its files are counted.
    Fold,
    /// One line for the file.
    Path,
    /// The file's items by name.
    Outline,
    /// Complete signatures with the first paragraph of their doc comments; bodies elided.
    Interface,
    /// The items with their bodies, of doc comments above them the first paragraph alone.
    Body,
    /// The complete text, unchanged.
    Full,
}

impl Level {
    /// Every level, from least to most detail.
    pub const ALL: [Level; 7] = [
        Level::Exclude,
        Level::Fold,
        Level::Path,
        Level::Outline,
        Level::Interface,
        Level::Body,
        Level::Full,
    ];

    /// Returns the word used in plans, on the command line and in maps.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Exclude => "exclude",
            Level::Fold => "fold",
            Level::Path => "path",
            Level::Outline => "outline",
            Level::Interface => "interface",
            Level::Body => "body",
            Level::Full => "full",
        }
    }

    /// Reports whether a file is shown by its items at this level, and so needs an outline.
    pub(crate) fn needs_outline(self) -> bool {
        matches!(self, Level::Outline | Level::Interface | Level::Body)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that is neither a level nor a range of levels.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The word is not a level.
    #[error("`{word}` is not a level ({})", hint(word))]
    Unknown {
        /// The word.
        word: String,
    },
    /// The floor of a range is above its ceiling.
    #[error(
        "`{floor}..{ceiling}` is an impossible range: its floor is above its ceiling (did you mean \
         `{ceiling}..{floor}`?)"
    )]
    Reversed {
        /// The level before the dots.
        floor: Level,
        /// The level after the dots.
        ceiling: Level,
    },
}

fn hint(word: &str) -> String {
    match nearest_level(word) {
        Some(level) => format!("did you mean `{level}`?"),
        None => format!("one of {}", Level::ALL.map(Level::as_str).join(", ")),
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(word: &str) -> Result<Level, LevelError> {
        Level::ALL
            .into_iter()
            .find(|level| level.as_str() == word)
            .ok_or_else(|| LevelError::Unknown { word: word.to_owned() })
    }
}

/// Returns the level meant by a word that other tools use, or else the level spelled most like it.
fn nearest_level(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "signature" | "signatures" | "api" | "doc" | "docs" | "compress" | "compressed" => {
            Some("interface")
        }
        "names" | "symbols" | "structure" | "skeleton" | "items" => Some("outline"),
        "content" | "contents" | "all" | "source" | "everything" => Some("full"),
        "name" | "file" | "existence" => Some("path"),
        "directory" | "dir" | "folder" | "collapse" => Some("fold"),
        "ignore" | "hide" | "hidden" | "none" | "skip" | "omit" => Some("exclude"),
        _ => nearest(&word, Level::ALL.map(Level::as_str)),
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The levels a rule allows, from a floor to a ceiling, both included: `interface`,
/// `outline..full`, `path..`, `..outline`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelRange {
    /// The lowest level allowed.
    pub floor: Level,
    /// The highest level allowed.
    pub ceiling: Level,
}

impl LevelRange {
    /// The range that allows every level.
    pub const ANY: LevelRange = LevelRange { floor: Level::Exclude, ceiling: Level::Full };

    /// Returns the range of one level.
    pub fn exactly(level: Level) -> LevelRange {
        LevelRange { floor: level, ceiling: level }
    }

    /// Returns the level of this range nearest to `level`.
    pub fn clamp(self, level: Level) -> Level {
        level.clamp(self.floor, self.ceiling)
    }

    /// Returns the level nearest to `level` that an item of a file in this range may have. An item
    /// has no level between exclude and outline: a floor between them raises none, and a ceiling
    /// between them shows none.
    pub(crate) fn of_item(self, level: Level) -> Level {
        let floor = if self.floor >= Level::Outline { self.floor } else { Level::Exclude };
        level.max(floor).min(self.ceiling)
    }

    /// Returns this range moved inside `bounds`: a pilot's rule under a user's bounds.
    pub fn within(self, bounds: LevelRange) -> LevelRange {
        LevelRange { floor: bounds.clamp(self.floor), ceiling: bounds.clamp(self.ceiling) }
    }
}

impl fmt::Display for LevelRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.floor == self.ceiling {
            self.floor.fmt(f)
        } else {
            write!(f, "{}..{}", self.floor, self.ceiling)
        }
    }
}

impl FromStr for LevelRange {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<LevelRange, LevelError> {
        let Some((floor, ceiling)) = text.split_once("..") else {
            return text.trim().parse().map(LevelRange::exactly);
        };
        let side = |word: &str, open: Level| match word.trim() {
            "" => Ok(open),
            word => word.parse(),
        };
        let range = LevelRange {
            floor: side(floor, Level::Exclude)?,
            ceiling: side(ceiling, Level::Full)?,
        };
        if range.floor > range.ceiling {
            return Err(LevelError::Reversed { floor: range.floor, ceiling: range.ceiling });
        }
        Ok(range)
    }
}

impl Serialize for LevelRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for LevelRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LevelRange, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_level_names_the_nearest_right_word() {
        let message = |word: &str| word.parse::<LevelRange>().unwrap_err().to_string();
        assert_eq!(
            message("signatures"),
            "`signatures` is not a level (did you mean `interface`?)"
        );
        assert_eq!(message("Body"), "`Body` is not a level (did you mean `body`?)");
        assert_eq!(message("interfce"), "`interfce` is not a level (did you mean `interface`?)");
        assert_eq!(
            message("7"),
            "`7` is not a level (one of exclude, fold, path, outline, interface, body, full)"
        );
        assert_eq!(
            message("full..path"),
            "`full..path` is an impossible range: its floor is above its ceiling (did you mean \
             `path..full`?)"
        );
    }

    #[test]
    fn a_range_reads_back_as_it_is_written() {
        for floor in Level::ALL {
            for ceiling in Level::ALL.into_iter().filter(|ceiling| *ceiling >= floor) {
                let range = LevelRange { floor, ceiling };
                assert_eq!(range.to_string().parse(), Ok(range));
            }
        }
        assert_eq!(
            "outline..".parse(),
            Ok(LevelRange { floor: Level::Outline, ceiling: Level::Full })
        );
        assert_eq!(
            "..path".parse(),
            Ok(LevelRange { floor: Level::Exclude, ceiling: Level::Path })
        );
    }
}
