//! The arguments of a call and their checks. An error names the argument and the way out.

use std::fmt::Display;
use std::str::FromStr;

use repo_map::plan::{Rule, check_glob, typed_rule, typed_rules};
use repo_map::{Fill, Level, LevelError, LevelRange, Sanitized};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::CallRefused;
use crate::money::pico_usd::PicoUsd;
use crate::run::text::one_line;
use crate::shared::suggest;

/// The arguments of one call of a tool.
pub(super) struct ToolCall {
    tool: String,
    fields: JsonObject,
}

/// The maximum size of a goal, in bytes.
const MAX_GOAL_BYTES: usize = 1 << 20;
/// The most characters of a caller's text that an error repeats.
pub(super) const MAX_SHOWN: usize = 40;

impl ToolCall {
    /// Takes the arguments of a call; any that `known` does not name is an error.
    pub(super) fn new(
        tool: &str,
        known: &[&str],
        fields: JsonObject,
    ) -> Result<ToolCall, CallRefused> {
        if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
            let hint = suggest::nearest(name, known.iter().copied()).map_or_else(
                || format!("one of {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(CallRefused(format!(
                "`{tool}` takes no `{}` ({hint})",
                one_line(name, MAX_SHOWN)
            )));
        }
        // Some clients send null for an omitted argument.
        let fields = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
        Ok(ToolCall { tool: tool.to_owned(), fields })
    }

    /// Returns a text that is not empty.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, CallRefused> {
        match self.fields.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(Value::String(_)) => Ok(None),
            Some(other) => Err(refused(name, format!("{} is no text", shown(other)))),
        }
    }

    /// Returns a required text.
    pub(super) fn needed(&self, name: &str) -> Result<&str, CallRefused> {
        self.text(name)?.ok_or_else(|| CallRefused(format!("`{}` needs `{name}`", self.tool)))
    }

    /// Returns the arguments without some of them.
    pub(super) fn fields_without(&self, names: &[&str]) -> JsonObject {
        let mut fields = self.fields.clone();
        fields.retain(|name, _| !names.contains(&name.as_str()));
        fields
    }

    /// Returns the goal of the map.
    pub(super) fn goal(&self) -> Result<Option<Sanitized>, CallRefused> {
        match self.text("goal")? {
            Some(goal) if goal.len() > MAX_GOAL_BYTES => Err(refused(
                "goal",
                format!("{} bytes are too many (the most is {MAX_GOAL_BYTES})", goal.len()),
            )),
            goal => Ok(goal.map(|goal| goal.trim().into())),
        }
    }

    /// Returns the maximum size of the result, in tokens.
    pub(super) fn tokens(&self) -> Result<Option<u32>, CallRefused> {
        self.number("tokens", repo_map::cli::tokens)
    }

    /// Returns the maximum number of requests of the call.
    pub(super) fn max_requests(&self) -> Result<Option<u64>, CallRefused> {
        self.number("max_requests", u64::from_str)
    }

    /// Returns the limit of spend of the call.
    pub(super) fn budget(&self) -> Result<Option<PicoUsd>, CallRefused> {
        self.number("budget", PicoUsd::from_str)
    }

    /// Returns a number, given as a number or as text.
    fn number<T, E: Display>(
        &self,
        name: &str,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<T>, CallRefused> {
        let text = match self.fields.get(name) {
            None => return Ok(None),
            // JSON numbers may have an exponent, amounts may not.
            Some(Value::Number(number)) => number.as_u64().map_or_else(
                || number.as_f64().unwrap_or(f64::NAN).to_string(),
                |whole| whole.to_string(),
            ),
            Some(Value::String(text)) => text.clone(),
            Some(other) => return Err(refused(name, format!("{} is no number", shown(other)))),
        };
        parse(&text).map(Some).map_err(|error| refused(name, error.to_string()))
    }

    /// Returns one of some words; the first if none is given.
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

    /// Returns the use of the tokens that nothing asks for.
    pub(super) fn fill(&self) -> Result<Option<Fill>, CallRefused> {
        let Some(word) = self.text("fill")? else { return Ok(None) };
        let words = Fill::ALL.map(Fill::as_str);
        let fill = Fill::ALL.into_iter().find(|fill| fill.as_str() == word.trim());
        let unknown = || refused("fill", format!("`{word}` is not one of {}", words.join(", ")));
        fill.map(Some).ok_or_else(unknown)
    }

    /// Returns globs, given as a list or as one text.
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

    /// Returns `levels` as rules. Levels for items of one path are one rule: a later list of items
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

/// Makes an error that names the argument.
pub(super) fn refused(name: &str, message: impl Display) -> CallRefused {
    CallRefused(format!("{name}: {message}"))
}

/// Adds all levels to a message about a level, unless it already lists them.
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

/// Returns a value in the caller's notation, shortened.
fn shown(value: &Value) -> String {
    format!("`{}`", one_line(&value.to_string(), MAX_SHOWN))
}
