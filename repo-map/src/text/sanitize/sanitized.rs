//! The type of text that has passed the gate. Only such text is written.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize};

use crate::text::mask;
use crate::text::sanitize::hidden::{
    escaped, escaped_json, hidden, is_line_layout, visible, with_line_feeds,
};

/// The effects of the gate on the text of documents: all of them, unless a plan turns some off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// Masks secrets.
    pub masks: bool,
    /// Escapes invisible characters.
    pub shows_invisible: bool,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate { masks: true, shows_invisible: true }
    }
}

/// Text that has passed the gate: no control character but line breaks and tabs, no invisible
/// character without a use, and no secret of a known format. JSON and YAML are only escaped: their
/// values are masked where they are made. The text of files passes as the plan says ([`Gate`]).
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Sanitized(String);

impl Sanitized {
    /// Sanitizes text of any number of lines.
    pub fn text(foreign: &str) -> Sanitized {
        let (masked, _) = mask::mask(foreign);
        Sanitized(visible(&with_line_feeds(&masked), is_line_layout).0.into_owned())
    }

    /// Sanitizes text that stays on one line: line breaks and tabs are escaped too.
    pub fn line(foreign: &str) -> Sanitized {
        let (masked, _) = mask::mask(foreign);
        Sanitized(visible(&with_line_feeds(&masked), |_| false).0.into_owned())
    }

    /// Returns a value as JSON on one line. Characters within its strings are escaped by JSON's
    /// rules, so the value does not change; secrets are masked where the value is made.
    ///
    /// # Errors
    /// When the value cannot be serialized as JSON.
    pub fn json(value: &impl Serialize) -> serde_json::Result<Sanitized> {
        Ok(Sanitized(escaped_json(serde_json::to_string(value)?)))
    }

    /// Returns a value as [`Sanitized::json`] does, indented, with a line break at its end.
    ///
    /// # Errors
    /// When the value cannot be serialized as JSON.
    pub fn json_pretty(value: &impl Serialize) -> serde_json::Result<Sanitized> {
        Ok(Sanitized(escaped_json(serde_json::to_string_pretty(value)?) + "\n"))
    }

    /// Returns one JSON value a line.
    ///
    /// # Errors
    /// When a value cannot be serialized as JSON.
    pub fn json_lines<T: Serialize>(
        values: impl IntoIterator<Item = T>,
    ) -> serde_json::Result<Sanitized> {
        Ok(Sanitized::lines(
            values
                .into_iter()
                .map(|value| Sanitized::json(&value))
                .collect::<serde_json::Result<Vec<_>>>()?,
        ))
    }

    /// Joins texts, each followed by a line break.
    pub fn lines(texts: impl IntoIterator<Item = Sanitized>) -> Sanitized {
        Sanitized(texts.into_iter().map(|text| text.0 + "\n").collect())
    }

    /// Fills a template of this program with sanitized values: `{name}` is replaced by the value of
    /// that name. One pass: a value that looks like a placeholder is not replaced.
    pub fn fill(template: &'static str, values: &[(&str, &Sanitized)]) -> Sanitized {
        let mut filled = String::new();
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            let (before, after) = rest.split_at(open);
            filled.push_str(before);
            let named = values.iter().find(|(name, _)| {
                after[1..].strip_prefix(name).is_some_and(|end| end.starts_with('}'))
            });
            match named {
                Some((name, value)) => {
                    filled.push_str(value);
                    rest = &after[name.len() + 2..];
                }
                None => {
                    filled.push('{');
                    rest = &after[1..];
                }
            }
        }
        Sanitized(filled + rest)
    }

    /// Returns a value as YAML, escaped by YAML's rules, so that the value does not change. Nothing
    /// is masked here.
    pub(crate) fn yaml(value: &impl Serialize) -> Sanitized {
        let yaml = serde_yaml::to_string(value).expect("a plan is plain data");
        if hidden(&yaml, |c| c.is_control() && !is_line_layout(c)).is_empty() {
            return Sanitized(yaml);
        }
        // Only strings in double quotes have escapes, those of JSON. JSON is YAML except for
        // surrogate pairs.
        let json = serde_json::to_string_pretty(value).expect("a plan is plain data");
        Sanitized(escaped(json, |c| format!("\\U{:08x}", u32::from(c))) + "\n")
    }

    /// Joins text whose parts passed when they were read, under the plan's [`Gate`]. It may contain
    /// characters or secrets that the plan keeps.
    pub(crate) fn made_of_documents(text: String) -> Sanitized {
        Sanitized(text)
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl Deref for Sanitized {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Sanitized {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sanitized {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Sanitized {
    fn from(foreign: &str) -> Sanitized {
        Sanitized::text(foreign)
    }
}

impl From<String> for Sanitized {
    fn from(foreign: String) -> Sanitized {
        Sanitized::text(&foreign)
    }
}

impl From<Sanitized> for String {
    fn from(text: Sanitized) -> String {
        text.0
    }
}

impl PartialEq<Sanitized> for String {
    fn eq(&self, other: &Sanitized) -> bool {
        *self == other.0
    }
}

impl PartialEq<str> for Sanitized {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Sanitized {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Deserializes text from this program's cache, which passed before it was stored.
pub(crate) fn kept<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Sanitized, D::Error> {
    String::deserialize(deserializer).map(Sanitized)
}

/// Deserializes an optional text of a plan, sanitized, as a `String`.
pub(crate) fn optional_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    Ok(Option::<Sanitized>::deserialize(deserializer)?.map(Sanitized::into_string))
}

/// Deserializes a one-line text, sanitized.
pub(crate) fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let line = String::deserialize(deserializer)?;
    Ok(Sanitized::line(&line).into_string())
}

/// Deserializes one-line texts by their names, sanitized.
pub(crate) fn named_lines<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    let lines = BTreeMap::<String, String>::deserialize(deserializer)?;
    let sanitized = |(name, line): (String, String)| (name, Sanitized::line(&line).into_string());
    Ok(lines.into_iter().map(sanitized).collect())
}

/// Deserializes a list of one-line texts, sanitized.
pub(crate) fn lines<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let lines = Vec::<String>::deserialize(deserializer)?;
    Ok(lines.iter().map(|line| Sanitized::line(line).into_string()).collect())
}

/// Deserializes an optional list of one-line texts, sanitized.
pub(crate) fn optional_lines<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    let lines = Option::<Vec<String>>::deserialize(deserializer)?;
    Ok(lines.map(|lines| lines.iter().map(|line| Sanitized::line(line).into_string()).collect()))
}

/// Sanitizes on reading: the file may have been written by another program.
impl<'de> Deserialize<'de> for Sanitized {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sanitized, D::Error> {
        Ok(Sanitized::text(&String::deserialize(deserializer)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_passing_twice_changes_nothing() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let once = Sanitized::text(&format!("use {token}\u{7}"));
        assert_eq!(once, "use [masked: github-token]\\u{7}");
        assert_eq!(Sanitized::text(&once), once);
    }

    #[test]
    fn json_is_escaped_and_says_the_same() {
        let value = ["a\u{202e}b", "\u{e0041}", "\u{7f}\u{85}", "plain"];
        let json = Sanitized::json(&value).unwrap();
        assert_eq!(json, "[\"a\\u202eb\",\"\\udb40\\udc41\",\"\\u007f\\u0085\",\"plain\"]");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), value);
    }

    #[test]
    fn a_value_that_looks_like_a_name_stays_as_it_is() {
        let (a, b) = (Sanitized::text("{b}"), Sanitized::text("B"));
        assert_eq!(
            Sanitized::fill("{a} {\"b\": 1} {b}", &[("a", &a), ("b", &b)]),
            "{b} {\"b\": 1} B"
        );
    }

    #[test]
    fn what_a_terminal_obeys_and_what_nobody_sees_is_written_out() {
        let planted = "a\u{1b}[31mb\r\n\u{202e}c\u{200b}\u{e0041}\u{9b}2J\tend";
        assert_eq!(
            Sanitized::text(planted),
            "a\\u{1b}[31mb\n\\u{202e}c\\u{200b}\\u{e0041}\\u{9b}2J\tend"
        );
        assert_eq!(Sanitized::line("a\nb\tc"), "a\\u{a}b\\u{9}c");
    }

    #[test]
    fn scripts_and_pictures_keep_their_joiners() {
        for text in ["می‌خواهم", "क्‍ष", "👩‍💻 ❤️‍🔥 1️⃣", "naïve — “quoted” ünïcödé"]
        {
            assert_eq!(Sanitized::text(text), text, "{text}");
        }
        // Between Latin letters, in a row, or behind nothing they could carry hidden data.
        assert_eq!(
            Sanitized::text("a\u{200d}é ❤\u{fe0f}\u{fe0f} 葛\u{e0100}"),
            "a\\u{200d}é ❤\u{fe0f}\\u{fe0f} 葛\\u{e0100}"
        );
    }
}
