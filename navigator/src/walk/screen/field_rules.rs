//! What a field takes, as its page says.

use serde::{Deserialize, Serialize};

use crate::shared::Sanitized;

/// The longest text of a rule, in bytes. A longer one is left out: a part of a pattern is another
/// pattern.
const MAX_TEXT: usize = 500;

/// What a field takes, as its page says: in the words of HTML.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "sites", derive(schemars::JsonSchema))]
pub struct FieldRules {
    /// The type: `text`, `email`, `number`, `date`, `textarea`, `select`, …
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The fewest characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// The most characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The least number, or the first date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// The largest number, or the last date or time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// The difference between two values, or `any`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// The regular expression of JavaScript that the whole value matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The files that it takes: endings, or types of media.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accept: Option<String>,
    /// The hint in it while it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
}

impl FieldRules {
    /// Returns the rules of a field by its attributes, whose names are in lower case.
    pub fn of<'a>(kind: &str, attribute: impl Fn(&str) -> Option<&'a str>) -> FieldRules {
        let text = |name| attribute(name).map(str::trim).map(str::to_owned);
        let number = |name| attribute(name)?.trim().parse().ok();
        let rules = FieldRules {
            kind: Some(kind.to_owned()),
            min_length: number("minlength"),
            max_length: number("maxlength"),
            min: text("min"),
            max: text("max"),
            step: text("step"),
            pattern: text("pattern"),
            accept: text("accept"),
            placeholder: text("placeholder"),
        };
        rules.gated()
    }

    /// Returns the rules with their texts past the gate, without those that are empty or too long.
    pub fn gated(mut self) -> FieldRules {
        for text in self.texts() {
            let kept = text.take().filter(|text| !text.is_empty() && text.len() <= MAX_TEXT);
            *text = kept.map(|text| Sanitized::line(&text).into_string());
        }
        self
    }

    /// Leaves out what another sighting of the field does not say too.
    pub fn keep_common(&mut self, mut other: FieldRules) {
        for (own, other) in self.texts().into_iter().zip(other.texts()) {
            if own != other {
                *own = None;
            }
        }
        for (own, other) in
            [(&mut self.min_length, other.min_length), (&mut self.max_length, other.max_length)]
        {
            if *own != other {
                *own = None;
            }
        }
    }

    fn texts(&mut self) -> [&mut Option<String>; 7] {
        [
            &mut self.kind,
            &mut self.min,
            &mut self.max,
            &mut self.step,
            &mut self.pattern,
            &mut self.accept,
            &mut self.placeholder,
        ]
    }
}
