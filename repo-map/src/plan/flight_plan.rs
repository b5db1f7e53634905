//! The Flight Plan: what was asked of a map. One schema for the plan a person writes, the plan a
//! pilot edits and the plan a run leaves behind; its YAML, its checks, its defaults, and how its
//! rules are matched.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{Error, Result};
use crate::level::{Level, LevelRange};
use crate::outline::languages::{LanguageRule, Languages};
use crate::text::mask;
use crate::text::sanitize::{self, Gate, Sanitized};
use crate::text::suggest::nearest;
use crate::text::tokens::Tokenizer;

/// The version of the plan schema this crate reads and writes.
pub const VERSION: u32 = 1;
/// The token budget where none is given.
pub const DEFAULT_TOKENS: u32 = 8_000;
/// A plan larger than this many bytes is refused before it is parsed.
pub(crate) const MAX_PLAN_BYTES: u64 = 8 << 20;

/// What is wanted of a map: a goal, a budget and a level for every path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "a plan: fields and their values, `version: 1` among them"
)]
pub struct FlightPlan {
    /// The version of this schema: 1.
    #[serde(deserialize_with = "supported_version")]
    pub version: u32,
    /// What the map is for, in words. It directs what is worth its tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub goal: Option<Sanitized>,
    /// The budget and the form of the map.
    #[serde(default)]
    pub context: Context,
    /// What counts as part of the repository.
    #[serde(default, skip_serializing_if = "Scan::is_default")]
    pub scan: Scan,
    /// Languages refined, or more of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageRule>,
    /// A level for paths; later rules win over earlier ones, field by field.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// What the plan was flown over. Written by the tools; replay needs it.
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
    /// The most tokens the map's text may have.
    pub tokens: u32,
    /// What a token is.
    pub tokenizer: Tokenizer,
    /// The form of the map's text.
    pub format: Format,
    /// Print the source's line numbers.
    #[serde(skip_serializing_if = "is_false")]
    pub line_numbers: bool,
}

impl Default for Context {
    fn default() -> Context {
        Context {
            tokens: DEFAULT_TOKENS,
            tokenizer: Tokenizer::default(),
            format: Format::default(),
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

/// What counts as part of the repository.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields and their values, as in `hidden: true`", default)]
pub struct Scan {
    /// Hidden files and folders too (never `.git`).
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// What ignore rules hide, too.
    #[serde(skip_serializing_if = "is_false")]
    pub no_ignore: bool,
    /// Which secrets are masked before anything is counted.
    #[serde(skip_serializing_if = "Masking::is_default")]
    pub mask: Masking,
    /// What becomes of invisible characters in the text.
    #[serde(skip_serializing_if = "Invisible::is_default")]
    pub invisible: Invisible,
    /// Files that are no part of the repository: a run's own outputs and the plan itself.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "sanitize::lines")]
    pub ignored: Vec<String>,
    /// What ignore rules from outside the tree took away when the plan was flown; folders end with
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

    /// What the gate does to the text of files.
    pub(crate) fn gate(&self) -> Gate {
        Gate {
            masks: self.mask != Masking::Off,
            shows_invisible: self.invisible == Invisible::Shown,
        }
    }
}

/// Which secrets are masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Masking {
    /// Keys and tokens of well-known formats, private key blocks, passwords in URLs.
    #[default]
    #[serde(rename = "secrets-3")]
    Secrets3,
    /// None: the text is shown as it stands.
    #[serde(rename = "off")]
    Off,
}

impl Masking {
    fn is_default(&self) -> bool {
        *self == Masking::default()
    }
}

/// What becomes of characters that nobody sees: tags, zero-width and direction characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Invisible {
    /// They are written out, as `\u{202e}`.
    #[default]
    Shown,
    /// They stay as they are.
    Kept,
}

impl Invisible {
    fn is_default(&self) -> bool {
        *self == Invisible::default()
    }
}

/// A level for the paths that a glob matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a rule: a `path` and a `level`")]
pub struct Rule {
    /// A gitignore-style glob: `/src/**`, `*.md`, `tests/`. A folder stands for all that is in it.
    #[serde(deserialize_with = "valid_glob")]
    pub path: String,
    /// A level (`interface`), or a floor and a ceiling (`outline..full`, `path..`, `..outline`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub level: Option<LevelRange>,
    /// Levels for items inside the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ItemRule>>,
    /// The reason, for whoever reads the plan.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "sanitize::optional_text"
    )]
    pub why: Option<String>,
    /// In a flown plan: the level that was asked for and did not fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub was: Option<Level>,
    /// In a flown plan: why the file is kept at level path (binary, generated, …).
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "sanitize::optional_text"
    )]
    pub mark: Option<String>,
}

impl Rule {
    /// A rule of a glob and a range.
    pub fn new(path: impl Into<String>, level: LevelRange) -> Rule {
        Rule {
            path: sanitized_glob(&path.into()),
            level: Some(level),
            items: None,
            why: None,
            was: None,
            mark: None,
        }
    }
}

/// A level for items of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a `name` and a `level`")]
pub struct ItemRule {
    /// The item: its qualified name or the end of it (`Session::refresh`, `refresh`), `@2` for the
    /// second of a name.
    #[serde(deserialize_with = "item_name")]
    pub name: String,
    /// `exclude`, `outline`, `interface` or `full`.
    #[serde(deserialize_with = "item_level")]
    #[schemars(with = "String")]
    pub level: Level,
}

/// What a plan was flown over, so that a replay can say whether it still is the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "what a run leaves here")]
pub struct Provenance {
    /// The tool that flew it, with its version.
    pub tool: String,
    /// The map it gave.
    pub map: MapFacts,
    /// The paths of the tree.
    pub tree: TreeFacts,
    /// BLAKE3 of the bytes of every file shown above level path.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// The map a plan gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "what a run leaves here")]
pub struct MapFacts {
    /// Its size in the plan's tokenizer.
    pub tokens: u32,
    /// BLAKE3 of its text.
    pub digest: String,
}

/// The paths of the tree a plan was flown over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "what a run leaves here")]
pub struct TreeFacts {
    /// How many files.
    pub files: usize,
    /// BLAKE3 of all paths.
    pub digest: String,
    /// All paths, front-coded, deflated, in base64, so that a replay can name what came and went.
    pub paths: String,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn supported_version<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(serde::de::Error::custom(format!(
            "this tool reads plans of version {VERSION}, not {other}"
        ))),
    }
}

fn valid_glob<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    let glob = sanitized_glob(&String::deserialize(deserializer)?);
    match globs_of(&glob) {
        Ok(_) => Ok(glob),
        Err(message) => Err(serde::de::Error::custom(message)),
    }
}

fn item_name<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<String, D::Error> {
    // As it stands in the text of the file: a plan may keep what the gate would change.
    let name = String::deserialize(deserializer)?;
    if name.trim().is_empty() {
        return Err(serde::de::Error::custom(
            "an item's name cannot be empty (`repo-map explain PATH` lists them)",
        ));
    }
    Ok(name)
}

fn item_level<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Level, D::Error> {
    match Level::deserialize(deserializer)? {
        level @ (Level::Fold | Level::Path) => Err(serde::de::Error::custom(format!(
            "`{level}` is a level for paths; an item takes exclude, outline, interface or full"
        ))),
        level => Ok(level),
    }
}

impl FlightPlan {
    /// Reads a plan file.
    ///
    /// # Errors
    /// [`Error::Plan`] with file, line and field when it cannot be read or does not hold.
    #[expect(clippy::disallowed_methods, reason = "the one place where a plan comes from disk")]
    pub fn read(path: &Path) -> Result<FlightPlan> {
        let file = path.display().to_string();
        let mut text = Vec::new();
        let open = fs::File::open(path)
            .and_then(|plan| plan.take(MAX_PLAN_BYTES + 1).read_to_end(&mut text));
        open.map_err(|source| Error::Plan {
            file: file.clone(),
            line: None,
            message: format!("cannot be read: {source}"),
        })?;
        if text.len() as u64 > MAX_PLAN_BYTES {
            let message = format!("too large for a plan (the most is {MAX_PLAN_BYTES} bytes)");
            return Err(Error::Plan { file, line: None, message });
        }
        match String::from_utf8(text) {
            Ok(text) => FlightPlan::from_yaml(&file, &text),
            Err(_) => Err(Error::Plan { file, line: None, message: "not UTF-8 text".to_owned() }),
        }
    }

    /// Reads a plan from text; `file` is the name that errors give.
    ///
    /// # Errors
    /// [`Error::Plan`] with file, line and field.
    pub fn from_yaml(file: &str, yaml: &str) -> Result<FlightPlan> {
        if yaml.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            let message = "the plan is empty (the least is `version: 1`)".to_owned();
            return Err(Error::Plan { file: file.to_owned(), line: None, message });
        }
        if let Some(message) = costly(yaml) {
            return Err(Error::Plan {
                file: file.to_owned(),
                line: None,
                message: message.to_owned(),
            });
        }
        let plan: FlightPlan =
            serde_path_to_error::deserialize(serde_yaml::Deserializer::from_str(yaml))
                .map_err(|error| plan_error(file, yaml, &error))?;
        for (position, rule) in plan.rules.iter().enumerate() {
            if rule.level.is_none() && rule.items.is_none() {
                return Err(Error::Plan {
                    file: file.to_owned(),
                    line: Some(line_of_entry(yaml, "rules", position)),
                    message: format!("rules[{position}]: a rule needs a `level`, or `items`"),
                });
            }
        }
        plan.languages_in_force().map_err(|(position, message)| Error::Plan {
            file: file.to_owned(),
            line: Some(line_of_entry(yaml, "languages", position)),
            message,
        })?;
        Ok(plan)
    }

    /// The languages, with what the plan says of them.
    pub(crate) fn languages_in_force(&self) -> std::result::Result<Languages, (usize, String)> {
        Languages::new(&self.languages)
            .map_err(|(position, message)| (position, format!("languages[{position}].{message}")))
    }

    /// The plan as YAML, the same bytes for the same plan.
    pub fn to_yaml(&self) -> Sanitized {
        Sanitized::yaml(self)
    }

    /// Whether a run left this plan behind.
    pub fn is_flown(&self) -> bool {
        self.provenance.is_some()
    }
}

/// Why a text is refused before it is parsed: the parser takes time by the square of the nesting,
/// and memory by what aliases multiply.
fn costly(yaml: &str) -> Option<&'static str> {
    const MOST_NESTING: usize = 1_000;
    const MOST_ALIASES: usize = 1_000;
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in yaml.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    let is_alias = |word: &&str| {
        let name = word
            .trim_start_matches(['[', '{', ',', '-'])
            .strip_prefix('*')
            .map(|name| name.trim_end_matches([',', ']', '}']));
        name.is_some_and(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        })
    };
    let aliases = yaml.split_whitespace().filter(is_alias).count();
    if deepest > MOST_NESTING {
        Some("nested too deep for a plan (the most is 1000 brackets)")
    } else if aliases > MOST_ALIASES {
        Some(
            "too many YAML aliases for a plan (the most is 1000; globs that begin with `*` need \
             quotes)",
        )
    } else {
        None
    }
}

/// The line on which an entry of a list begins; of a list in another style than block, the line
/// that names it, or the first.
fn line_of_entry(yaml: &str, list: &str, position: usize) -> usize {
    let begins = yaml.lines().position(|line| line.starts_with(list));
    let begin = begins.or_else(|| yaml.lines().position(|line| line.contains(list))).unwrap_or(0);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_its = |(_, line): &(usize, &str)| line.is_empty() || line.starts_with([' ', '-', '#']);
    let lines = yaml.lines().enumerate().skip(begin + 1).take_while(is_its);
    let mut dashes = lines.filter(|(_, line)| line.trim_start().starts_with("- ")).peekable();
    let width = dashes.peek().map(|(_, line)| indent(line));
    let entry = dashes.filter(|(_, line)| Some(indent(line)) == width).nth(position);
    1 + entry.map_or(begin, |(at, _)| at)
}

/// serde's message, with the place in front where ours have it and the nearest right word for an
/// unknown field.
fn plan_error(
    file: &str,
    yaml: &str,
    error: &serde_path_to_error::Error<serde_yaml::Error>,
) -> Error {
    let inner = error.inner();
    let mut message = inner.to_string();
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    let field = error.path().to_string();
    // The parser's own messages begin with a path of their own, up to the mapping around the field.
    if let Some((place, rest)) = message.split_once(": ")
        && (field.starts_with(place) || place.starts_with(&field))
    {
        message = rest.to_owned();
    }
    if let Some(hint) = unknown_field_hint(&message) {
        message.push_str(&format!(" (did you mean `{hint}`?)"));
    }
    if field != "." {
        message = format!("{field}: {message}");
    }
    let line = inner.location().map(|location| line_of_field(yaml, location.line(), &field));
    Error::Plan { file: file.to_owned(), line, message }
}

/// The parser places an error at the mapping that holds the field; the field itself is at or below
/// that line. At the end of a text it names the line behind, and lines of YAML can end where those
/// of an editor do not.
fn line_of_field(yaml: &str, from: usize, field: &str) -> usize {
    let key = format!("{}:", field.rsplit('.').next().unwrap_or(field));
    let is_here = |line: &str| line.trim_start().trim_start_matches("- ").starts_with(&key);
    let below = yaml.lines().skip(from.saturating_sub(1)).take(50).position(is_here);
    below.map_or(from, |below| from + below).min(yaml.lines().count())
}

fn unknown_field_hint(message: &str) -> Option<String> {
    let (_, rest) = message
        .split_once("unknown field `")
        .or_else(|| message.split_once("unknown variant `"))?;
    let (field, expected) = rest.split_once('`')?;
    let candidates: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    let known = match field {
        "pattern" | "glob" | "paths" | "file" => {
            candidates.iter().find(|candidate| **candidate == "path").copied()
        }
        "reason" | "comment" => candidates.iter().find(|candidate| **candidate == "why").copied(),
        "budget" | "max_tokens" => {
            candidates.iter().find(|candidate| **candidate == "tokens").copied()
        }
        _ => None,
    };
    known.or_else(|| nearest(field, candidates)).map(str::to_owned)
}

/// A gitignore-style glob as globs over whole paths: anchored when it holds a slash before its end,
/// and a folder stands for all that is in it.
fn globs_of(pattern: &str) -> std::result::Result<Vec<globset::Glob>, String> {
    if pattern.trim().is_empty() {
        return Err("an empty glob matches nothing (`**` matches every path)".to_owned());
    }
    if let Some(rest) = pattern.strip_prefix('!') {
        return Err(format!(
            "`{pattern}`: a plan has no negated globs (give `{rest}` the level `exclude` instead)"
        ));
    }
    let is_folder = pattern.ends_with('/');
    let trimmed = pattern.trim_end_matches('/');
    let body = trimmed.trim_start_matches('/');
    let anchored = trimmed.starts_with('/') || body.contains('/');
    if body.is_empty() {
        return Err(format!("`{pattern}` matches nothing (`**` matches every path)"));
    }
    let base = if anchored || body == "**" { body.to_owned() } else { format!("**/{body}") };
    let mut globs = Vec::new();
    if !is_folder {
        globs.push(base.clone());
    }
    if !base.ends_with("**") {
        globs.push(format!("{base}/**"));
    }
    globs
        .iter()
        .map(|glob| {
            GlobBuilder::new(glob)
                .literal_separator(true)
                .backslash_escape(true)
                .build()
                .map_err(|error| format!("`{pattern}` is not a valid glob: {}", error.kind()))
        })
        .collect()
}

/// Whether a glob can stand in a rule.
///
/// # Errors
/// A sentence that says why not.
pub fn check_glob(glob: &str) -> std::result::Result<(), String> {
    globs_of(glob).map(|_| ())
}

/// A rule as a person types it: for the paths that a glob matches, or for items of those files
/// after a `#`. A `#` of a path is written `\\#`.
///
/// # Errors
/// A sentence that says why it is none.
pub fn typed_rule(target: &str, range: LevelRange) -> std::result::Result<Rule, String> {
    let mark =
        target.match_indices('#').map(|(at, _)| at).find(|at| !target[..*at].ends_with('\\'));
    let (glob, item) = mark.map_or((target, None), |at| (&target[..at], Some(&target[at + 1..])));
    check_glob(glob)?;
    let Some(name) = item else { return Ok(Rule::new(glob, range)) };
    if name.trim().is_empty() {
        return Err(format!("`{target}` names no item after its `#`"));
    }
    if range.floor != range.ceiling || matches!(range.floor, Level::Fold | Level::Path) {
        return Err(format!("`{range}`: an item takes exclude, outline, interface or full"));
    }
    let item = ItemRule { name: name.to_owned(), level: range.floor };
    Ok(Rule { level: None, items: Some(vec![item]), ..Rule::new(glob, range) })
}

/// Rules as they were typed one after the other. What is said of items of one glob is one rule,
/// where the last of it was said: a later list of items replaces an earlier one.
pub fn typed_rules(typed: Vec<Rule>) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for mut rule in typed {
        let is_list = |other: &Rule| other.level.is_none() && other.path == rule.path;
        if let Some(at) = rules.iter().position(is_list).filter(|_| rule.level.is_none()) {
            let before = rules.remove(at).items.into_iter().flatten();
            rule.items = Some(before.chain(rule.items.into_iter().flatten()).collect());
        }
        rules.push(rule);
    }
    rules
}

/// A rule as one types it: the inverse of [`typed_rule`], one target and level for the paths and
/// one for each item.
pub(crate) fn as_typed(rule: &Rule) -> Vec<String> {
    let of_item = |item: &ItemRule| format!("{}#{}={}", rule.path, item.name, item.level);
    let of_paths = rule.level.map(|level| format!("{}={level}", rule.path));
    of_paths.into_iter().chain(rule.items.iter().flatten().map(of_item)).collect()
}

/// A path as a glob that matches that path alone.
pub fn exact_glob(path: &str) -> String {
    let mut glob = String::from("/");
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | '#') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// A glob past the gate: what stands in paths as it is written out stands so in globs.
fn sanitized_glob(glob: &str) -> String {
    let (masked, _) = mask::mask(glob);
    let masked = MASK.replace_all(&masked, r"\[masked: $1\]");
    sanitize::replace_hidden(
        &masked,
        |_| false,
        |written_out| exact_glob(written_out)[1..].to_owned(),
    )
    .0
    .into_owned()
}

/// What stands for a secret.
static MASK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\[masked: ([a-z0-9-]+)\]").expect("the pattern is valid"));

/// The path that a glob made by [`exact_glob`] stands for; none for other globs.
pub fn exact_path(glob: &str) -> Option<String> {
    let mut path = String::new();
    let mut chars = glob.strip_prefix('/')?.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => path.push(chars.next()?),
            '*' | '?' | '[' | ']' | '{' | '}' => return None,
            c => path.push(c),
        }
    }
    Some(path)
}

/// Globs compiled into one matcher.
#[derive(Debug, Clone)]
pub(crate) struct Globs {
    set: GlobSet,
    /// The pattern each compiled glob came from.
    owners: Vec<usize>,
}

impl Globs {
    /// # Errors
    /// A sentence that names the pattern that is no glob, or that there are too many.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = &'a str>,
    ) -> std::result::Result<Globs, String> {
        let mut builder = GlobSetBuilder::new();
        let mut owners = Vec::new();
        for (owner, pattern) in patterns.into_iter().enumerate() {
            for glob in globs_of(pattern)? {
                builder.add(glob);
                owners.push(owner);
            }
        }
        Ok(Globs { set: builder.build().map_err(|error| error.to_string())?, owners })
    }

    /// The positions of the patterns that match, in order.
    pub(crate) fn matches(&self, path: &str) -> Vec<usize> {
        let mut owners: Vec<usize> =
            self.set.matches(path).into_iter().map(|glob| self.owners[glob]).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    pub(crate) fn is_match(&self, path: &str) -> bool {
        self.set.is_match(path)
    }
}

/// Rules ready to be asked about paths.
#[derive(Debug, Clone)]
pub(crate) struct RuleSet<'a> {
    rules: &'a [Rule],
    globs: Globs,
}

/// What rules say of one path. Each field comes from the last rule that matches and has it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Verdict<'a> {
    pub(crate) level: Option<LevelRange>,
    /// The position of the rule that gave the level.
    pub(crate) rule: Option<usize>,
    pub(crate) items: &'a [ItemRule],
    pub(crate) was: Option<Level>,
    pub(crate) mark: Option<&'a str>,
}

impl<'a> RuleSet<'a> {
    /// # Errors
    /// [`Error::Plan`] when a rule's glob does not compile; plans that were read have been checked.
    pub(crate) fn new(rules: &'a [Rule]) -> Result<RuleSet<'a>> {
        let globs = Globs::new(rules.iter().map(|rule| rule.path.as_str()))
            .map_err(|message| Error::Plan { file: "rules".to_owned(), line: None, message })?;
        Ok(RuleSet { rules, globs })
    }

    /// The positions of the rules that match, in order.
    pub(crate) fn matching(&self, path: &str) -> Vec<usize> {
        self.globs.matches(path)
    }

    pub(crate) fn verdict(&self, path: &str) -> Verdict<'a> {
        let mut verdict = Verdict::default();
        for position in self.matching(path) {
            let rule = &self.rules[position];
            if rule.level.is_some() {
                verdict.level = rule.level;
                verdict.rule = Some(position);
                verdict.was = rule.was;
                verdict.mark = rule.mark.as_deref();
            }
            if let Some(items) = &rule.items {
                verdict.items = items;
            }
        }
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(yaml: &str) -> String {
        FlightPlan::from_yaml("review.yaml", yaml).unwrap_err().to_string()
    }

    #[test]
    fn an_error_names_file_line_field_and_the_nearest_right_word() {
        assert_eq!(
            error(
                "version: 1\nrules:\n- path: src\n  level: full\n- path: docs\n  level: \
                 signatures\n"
            ),
            "review.yaml:6: rules[1].level: `signatures` is not a level (did you mean `interface`?)"
        );
        assert_eq!(
            error("version: 1\ncontxt:\n  tokens: 3\n"),
            "review.yaml:2: contxt: unknown field `contxt`, expected one of `version`, `goal`, \
             `context`, `scan`, `languages`, `rules`, `provenance` (did you mean `context`?)"
        );
        assert_eq!(
            error("version: 1\nrules:\n- path: ''\n  level: full\n"),
            "review.yaml:3: rules[0].path: an empty glob matches nothing (`**` matches every path)"
        );
        assert_eq!(
            error("version: 1\nrules:\n- path: 'a[b'\n  level: full\n"),
            "review.yaml:3: rules[0].path: `a[b` is not a valid glob: unclosed character class; \
             missing ']'"
        );
        assert_eq!(
            error("# nothing\n\n"),
            "review.yaml: the plan is empty (the least is `version: 1`)"
        );
        assert_eq!(
            error("version: 1\nrules:\n  - path: a\n    level: full\n  - path: b\n"),
            "review.yaml:5: rules[1]: a rule needs a `level`, or `items`"
        );
        assert_eq!(
            error("- path: src\n  level: full\n"),
            "review.yaml:1: invalid type: sequence, expected a plan: fields and their values, \
             `version: 1` among them"
        );
        assert_eq!(
            error("version: 1\nrules:\n- src=full\n"),
            "review.yaml:3: rules[0]: invalid type: string \"src=full\", expected a rule: a \
             `path` and a `level`"
        );
        assert_eq!(
            error("version: 3\n"),
            "review.yaml:1: version: this tool reads plans of version 1, not 3"
        );
    }

    #[test]
    fn a_yaml_bomb_and_deep_nesting_are_refused() {
        let mut bomb = String::from("version: 1\ngoal: &a0 lol\n");
        for layer in 1..12 {
            let references = vec![format!("*a{}", layer - 1); 10].join(", ");
            bomb.push_str(&format!("x{layer}: &a{layer} [{references}]\n"));
        }
        assert!(error(&bomb).starts_with("review.yaml"), "{}", error(&bomb));
        assert!(
            error(&format!("version: 1\nrules: {}", "[".repeat(20_000))).starts_with("review.yaml")
        );
    }

    #[test]
    fn globs_match_as_in_gitignore() {
        let matches = |glob: &str, path: &str| Globs::new([glob]).unwrap().is_match(path);
        for (glob, path) in [
            ("**", "a"),
            ("**", "a/b"),
            ("*.md", "docs/x.md"),
            ("docs", "docs/x.md"),
            ("docs", "a/docs/x.md"),
            ("/docs", "docs/x.md"),
            ("docs/", "a/docs/x.md"),
            ("src/**", "src/a/b.rs"),
            ("src/*.rs", "src/a.rs"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("*.{c,h}", "x.h"),
            ("/*", "a"),
            ("/*", "a/b"),
            ("**/x", "x"),
        ] {
            assert!(matches(glob, path), "{glob} should match {path}");
        }
        for (glob, path) in [
            ("/docs", "a/docs/x.md"),
            ("docs/", "docs"),
            ("src/*.rs", "src/a/b.rs"),
            ("src/**", "lib/src/a"),
            ("*.md", "md"),
            ("a/b", "x/a/b"),
        ] {
            assert!(!matches(glob, path), "{glob} should not match {path}");
        }
        assert!(matches(&exact_glob("a[1]/{b}*\\\\c#.rs"), "a[1]/{b}*\\\\c#.rs"));
    }

    #[test]
    fn a_rule_reads_back_as_it_is_typed() {
        let typed = |targets: &[&str]| {
            let rule = |target: &&str| {
                target
                    .rsplit_once('=')
                    .map(|(glob, level)| typed_rule(glob, level.parse().unwrap()))
                    .unwrap()
            };
            Ok::<_, String>(typed_rules(
                targets.iter().map(rule).collect::<std::result::Result<Vec<_>, String>>()?,
            ))
        };
        let targets = [
            "**=exclude..full",
            "/c\\#/a=b.cs=full",
            "/it's.rs#A::b@2=full",
            "/it's.rs#C# #1=outline",
            "/it's.rs=path..full",
        ];
        let rules = typed(&targets).unwrap();
        assert_eq!(
            rules.iter().map(|rule| rule.path.as_str()).collect::<Vec<_>>(),
            ["**", "/c\\#/a=b.cs", "/it's.rs", "/it's.rs"]
        );
        assert_eq!(rules.iter().flat_map(as_typed).collect::<Vec<_>>(), targets);
        let mixed = typed(&["a.rs#x=full", "*.rs#y=full", "a.rs#z=full"]).unwrap();
        assert_eq!(
            mixed.iter().flat_map(as_typed).collect::<Vec<_>>(),
            ["*.rs#y=full", "a.rs#x=full", "a.rs#z=full"]
        );
        assert_eq!(
            typed(&["a.rs#f=path"]).unwrap_err(),
            "`path`: an item takes exclude, outline, interface or full"
        );
        assert_eq!(typed(&["a.rs#=full"]).unwrap_err(), "`a.rs#` names no item after its `#`");
    }

    #[test]
    fn each_field_is_last_match_wins_on_its_own() {
        let yaml = "version: 1\nrules:\n- {path: '**', level: ..outline}\n- {path: src, level: \
            full}\n\
                    - {path: src/a.rs, items: [{name: f, level: full}]}\n";
        let plan = FlightPlan::from_yaml("p", yaml).unwrap();
        let rules = RuleSet::new(&plan.rules).unwrap();
        let verdict = rules.verdict("src/a.rs");
        assert_eq!(
            (verdict.level, verdict.rule),
            (Some(LevelRange::exactly(Level::Full)), Some(1))
        );
        assert_eq!(verdict.items[0].name, "f");
        assert_eq!(rules.verdict("x").rule, Some(0));
    }

    #[test]
    fn a_plan_written_out_and_read_back_is_the_same_plan() {
        let yaml = "version: 1\ngoal: |\n  two\n  lines\ncontext: {tokens: 200, tokenizer: \
            bytes/4, format: xml}\n\
                    rules:\n- {path: src, level: outline..full, why: because, items: [{name: \
                    'a::b@2', level: full}]}\n";
        let plan = FlightPlan::from_yaml("p", yaml).unwrap();
        assert_eq!(FlightPlan::from_yaml("p", &plan.to_yaml()).unwrap(), plan);
    }
}
