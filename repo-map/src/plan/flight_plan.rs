//! The Flight Plan, field by field, with its defaults. One schema for the plan a person writes, the
//! plan a pilot edits and the plan a run leaves behind.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::outline::languages::LanguageRule;
use crate::plan::rule::Rule;
use crate::source::scan::{PageFacts, SiteFacts};
use crate::text::sanitize::{self, Gate, Sanitized};
use crate::text::tokens::{Tokenizer, parse_tokens};

/// The version of the plan schema this crate reads and writes.
pub const VERSION: u32 = 1;
/// The default token budget.
pub const DEFAULT_TOKENS: u32 = 8_000;

/// A request for a map: a goal, a budget and a level for every path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a plan: fields and their values, `version: 1` among them"
)]
pub struct FlightPlan {
    /// The version of this schema: 1.
    #[serde(deserialize_with = "supported_version")]
    pub version: u32,
    /// What the map is for, in words. The fit prefers files and items that match it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub goal: Option<Sanitized>,
    /// The budget and the form of the map.
    #[serde(default)]
    pub context: Context,
    /// The files read, and the treatment of their text.
    #[serde(default, skip_serializing_if = "Scan::is_default")]
    pub scan: Scan,
    /// Changes to built-in languages, and additional languages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageRule>,
    /// A level for paths; later rules win over earlier ones, field by field.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// The state of the repository the plan was flown over. Written by the tools; replay needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

impl Default for FlightPlan {
    fn default() -> FlightPlan {
        FlightPlan {
            version: VERSION,
            goal: None,
            context: Context::default(),
            scan: Scan::default(),
            languages: Vec::new(),
            rules: Vec::new(),
            provenance: None,
        }
    }
}

/// The budget and the form of the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields and their values, as in `tokens: 8000`", default)]
pub struct Context {
    /// The maximum size of the map's text, in tokens; `8k` is 8000.
    #[serde(deserialize_with = "tokens")]
    #[schemars(with = "TokensAsWritten")]
    pub tokens: u32,
    /// The tokenizer that counts.
    pub tokenizer: Tokenizer,
    /// The form of the map's text.
    pub format: Format,
    /// How much of the budget the fit uses.
    pub fill: Fill,
    /// Print the source's line numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub line_numbers: bool,
}

impl Default for Context {
    fn default() -> Context {
        Context {
            tokens: DEFAULT_TOKENS,
            tokenizer: Tokenizer::default(),
            format: Format::default(),
            fill: Fill::default(),
            line_numbers: false,
        }
    }
}

/// The form of the map's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Headings and fenced blocks.
    #[default]
    Markdown,
    /// Elements with CDATA sections.
    Xml,
}

/// How much of the budget the fit uses. The budget is a ceiling in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fill {
    /// Only what was asked for: floors, items with a level, paths in focus, changed files. If
    /// nothing was, the files that match the goal best.
    None,
    /// Also what comes near the best match of the goal; the rest of the budget stays free.
    #[default]
    Near,
    /// Everything with evidence, best first, until the budget is used.
    All,
}

impl Fill {
    /// Every value, from least to most.
    pub const ALL: [Fill; 3] = [Fill::None, Fill::Near, Fill::All];

    /// Returns the word used in plans and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Fill::None => "none",
            Fill::Near => "near",
            Fill::All => "all",
        }
    }

    /// Returns the least score, in millionths of the best file's, of a file that is shown although
    /// no rule asks for it. `item` is the score of its best item in millionths of the best one's;
    /// `None` for a page, and for a file without items.
    ///
    /// With `near` a file of middling score is shown for one strong item, and is noise without one:
    /// its score and four fifths of its item's have to be 1 000 000 together.
    /// `docs/relevance-experiments.md` has the measurements.
    pub fn threshold(self, item: Option<u32>) -> u32 {
        match self {
            Fill::None => 800_000,
            Fill::Near => item.map_or(500_000, |item| 1_000_000 - item.min(1_000_000) / 5 * 4),
            Fill::All => 1,
        }
    }

    /// Returns the least score of an item that is shown in a file that no rule asks for, in
    /// millionths of the best one's. On public issues it costs no changed line; a large budget
    /// would else take whatever a file near the goal has.
    pub fn item_threshold(self) -> u32 {
        match self {
            Fill::None | Fill::Near => 300_000,
            Fill::All => 0,
        }
    }
}

/// The files read, and the treatment of their text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields and their values, as in `hidden: true`", default)]
pub struct Scan {
    /// Include hidden files and folders (never `.git`).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Include files that ignore rules hide.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_ignore: bool,
    /// Masking of secrets, before anything is counted.
    #[serde(skip_serializing_if = "Masking::is_default")]
    pub mask: Masking,
    /// Treatment of invisible characters in the text.
    #[serde(skip_serializing_if = "Invisible::is_default")]
    pub invisible: Invisible,
    /// Files that are not part of the repository: the run's own outputs and the plan itself.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "sanitize::lines")]
    pub ignored: Vec<String>,
    /// Paths hidden by ignore rules from outside the tree when the plan was flown; folders end with
    /// a slash.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "sanitize::optional_lines"
    )]
    pub outside: Option<Vec<String>>,
}

impl Scan {
    fn is_default(&self) -> bool {
        *self == Scan::default()
    }

    /// Returns the gate for the text of files.
    pub(crate) fn gate(&self) -> Gate {
        Gate {
            masks: self.mask != Masking::Off,
            shows_invisible: self.invisible == Invisible::Shown,
        }
    }
}

/// A rule set for masking secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Masking {
    /// Keys and tokens of well-known formats, private key blocks, passwords in URLs.
    #[default]
    #[serde(rename = "secrets-3")]
    Secrets3,
    /// None: secrets are shown.
    #[serde(rename = "off")]
    Off,
}

impl Masking {
    fn is_default(&self) -> bool {
        *self == Masking::default()
    }
}

/// Treatment of characters that nobody sees: tags, zero-width and direction characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Invisible {
    /// They are escaped, as `\u{202e}`.
    #[default]
    Shown,
    /// They are kept.
    Kept,
}

impl Invisible {
    fn is_default(&self) -> bool {
        *self == Invisible::default()
    }
}

/// The state that a plan was flown over, so that a replay can detect changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct Provenance {
    /// The tool that wrote the plan, with its version.
    pub tool: String,
    /// The resulting map.
    pub map: MapFacts,
    /// The paths of the tree.
    pub tree: TreeFacts,
    /// The site that the pages come from, if a server was asked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteFacts>,
    /// What the map says of pages beside their text.
    #[serde(default, skip_serializing_if = "PageFacts::is_empty")]
    pub pages: PageFacts,
    /// BLAKE3 of the bytes of every file shown above level path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// Facts of the map that a plan gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct MapFacts {
    /// Its size, in tokens of the plan's tokenizer.
    pub tokens: u32,
    /// BLAKE3 of its text.
    pub digest: String,
}

/// The paths of the tree that a plan was flown over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct TreeFacts {
    /// The number of files.
    pub files: usize,
    /// BLAKE3 of all paths.
    pub digest: String,
    /// All paths, front-coded, deflated, in base64, so that a replay can name added and removed
    /// paths.
    pub paths: String,
}

fn supported_version<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(de::Error::custom(format!(
            "this tool reads plans of version {VERSION}, not {other}"
        ))),
    }
}

/// How a person writes a number of tokens.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "the schema of a field")]
enum TokensAsWritten {
    Number(u32),
    Text(String),
}

/// Reads a number of tokens in the spelling of the command line.
fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<u32, D::Error> {
    struct Spelling;
    impl Visitor<'_> for Spelling {
        type Value = u32;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number of tokens (`8000`, `8k`)")
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<u32, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<u32, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> std::result::Result<u32, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<u32, E> {
            parse_tokens(text).map_err(E::custom)
        }
    }
    deserializer.deserialize_any(Spelling)
}
