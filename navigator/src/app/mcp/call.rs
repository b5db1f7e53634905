//! The arguments of a call, checked: a wrong one is answered with its name and the way out.

use std::fmt::Display;
use std::str::FromStr;

use repo_map::plan::{Rule, check_glob, typed_rule, typed_rules};
use repo_map::{Level, LevelError, LevelRange, Sanitized};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::CallRefused;
use crate::money::pico_usd::PicoUsd;

/// The arguments of one call of a tool.
pub(super) struct ToolCall {
    tool: String,
    fields: JsonObject,
}

/// A goal larger than this is no goal.
const MAX_GOAL_BYTES: usize = 1 << 20;

impl ToolCall {
    /// Takes the arguments that `known` names; any other is refused.
    pub(super) fn new(
        tool: &str,
        known: &[&str],
        fields: JsonObject,
    ) -> Result<ToolCall, CallRefused> {
        if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
            let hint = nearest(name, known).map_or_else(
                || format!("one of {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(CallRefused(format!("`{tool}` takes no `{name}` ({hint})")));
        }
        // Some clients send null for what is not given.
        let fields = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
        Ok(ToolCall { tool: tool.to_owned(), fields })
    }

    /// A text that is not empty.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, CallRefused> {
        match self.fields.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(Value::String(_)) => Ok(None),
            Some(other) => Err(refused(name, format!("{} is no text", shown(other)))),
        }
    }

    /// A text without which the tool does nothing.
    pub(super) fn needed(&self, name: &str) -> Result<&str, CallRefused> {
        self.text(name)?.ok_or_else(|| CallRefused(format!("`{}` needs `{name}`", self.tool)))
    }

    /// What the map is for.
    pub(super) fn goal(&self) -> Result<Option<Sanitized>, CallRefused> {
        match self.text("goal")? {
            Some(goal) if goal.len() > MAX_GOAL_BYTES => Err(refused(
                "goal",
                format!("{} bytes are too many (the most is {MAX_GOAL_BYTES})", goal.len()),
            )),
            goal => Ok(goal.map(|goal| goal.trim().into())),
        }
    }

    /// The most tokens of the result.
    pub(super) fn tokens(&self) -> Result<Option<u32>, CallRefused> {
        self.number("tokens", repo_map::cli::tokens)
    }

    /// The most that the call may spend.
    pub(super) fn budget(&self) -> Result<Option<PicoUsd>, CallRefused> {
        self.number("budget", PicoUsd::from_str)
    }

    /// A number, or a text of one.
    fn number<T, E: Display>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, CallRefused> {
        let text = match self.fields.get(name) {
            None => return Ok(None),
            // Without an exponent, which JSON may have and amounts have not.
            Some(Value::Number(number)) => number.as_u64().map_or_else(
                || number.as_f64().unwrap_or(f64::NAN).to_string(),
                |whole| whole.to_string(),
            ),
            Some(Value::String(text)) => text.clone(),
            Some(other) => return Err(refused(name, format!("{} is no number", shown(other)))),
        };
        parse(&text).map(Some).map_err(|error| refused(name, error.to_string()))
    }

    /// One of some words; the first where none is given.
    pub(super) fn word(
        &self,
        name: &str,
        words: &[&'static str],
    ) -> Result<&'static str, CallRefused> {
        let Some(word) = self.text(name)? else { return Ok(words[0]) };
        let found = words.iter().find(|one| **one == word);
        found
            .copied()
            .ok_or_else(|| refused(name, format!("`{word}` is none of {}", words.join(", "))))
    }

    /// Globs: a list, or one.
    pub(super) fn globs(&self, name: &str) -> Result<Vec<String>, CallRefused> {
        let globs = match self.fields.get(name) {
            None => Vec::new(),
            Some(Value::String(glob)) => vec![glob.clone()],
            Some(Value::Array(globs)) => {
                let text = |glob: &Value| {
                    glob.as_str()
                        .map(str::to_owned)
                        .ok_or_else(|| refused(name, format!("{} is no glob", shown(glob))))
                };
                globs.iter().map(text).collect::<Result<_, _>>()?
            }
            Some(other) => {
                return Err(refused(name, format!("{} is no list of globs", shown(other))));
            }
        };
        for glob in &globs {
            check_glob(glob).map_err(|error| refused(name, error.to_string()))?;
        }
        Ok(globs)
    }

    /// `levels` as rules. What is said of items of one path is one rule: a later list of items
    /// replaces an earlier one.
    pub(super) fn levels(&self) -> Result<Vec<Rule>, CallRefused> {
        let levels = match self.fields.get("levels") {
            None => return Ok(Vec::new()),
            Some(Value::Object(levels)) => levels,
            Some(other) => {
                return Err(refused(
                    "levels",
                    format!("{} is no object of globs and levels", shown(other)),
                ));
            }
        };
        let rule = |(target, level): (&String, &Value)| {
            let wrong = |message: String| refused(&format!("levels.{target}"), message);
            let level = level
                .as_str()
                .ok_or_else(|| wrong(format!("{} is no level ({})", shown(level), all_levels())))?;
            let range: LevelRange =
                level.parse().map_err(|error: LevelError| wrong(with_levels(error.to_string())))?;
            typed_rule(target, range).map_err(|error| wrong(error.to_string()))
        };
        Ok(typed_rules(levels.iter().map(rule).collect::<Result<Vec<_>, _>>()?))
    }
}

/// A refusal that names the argument.
pub(super) fn refused(name: &str, message: impl Display) -> CallRefused {
    CallRefused(format!("{name}: {message}"))
}

/// A message about a level, with all of them where it does not have them yet.
fn with_levels(message: String) -> String {
    if message.contains("one of") {
        message
    } else {
        format!("{message}; levels: {}", all_levels())
    }
}

fn all_levels() -> String {
    Level::ALL.map(Level::as_str).join(", ")
}

/// A value as it was sent, but not all of a long one.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() { format!("`{short}…`") } else { format!("`{text}`") }
}

/// The candidate nearest to a word, when it is near enough to be what was meant.
pub(super) fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let near = candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), *candidate));
    near.filter(|(edits, candidate)| *edits <= 1 + candidate.len() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}
