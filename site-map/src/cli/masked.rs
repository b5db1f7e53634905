//! What pages say, in JSON: secrets are masked and invisible characters written out in each string.

use anyhow::Result;
use repo_map::Sanitized;
use serde::Serialize;
use serde_json::Value;

/// Returns a value whose strings have passed the gate.
pub(super) fn masked(value: &impl Serialize) -> Result<Value> {
    Ok(through_gate(serde_json::to_value(value)?))
}

/// Returns values as JSON, one a line, whose strings have passed the gate.
pub(super) fn masked_lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Result<Sanitized> {
    let values: Vec<Value> = values.into_iter().map(|one| masked(&one)).collect::<Result<_>>()?;
    Ok(Sanitized::json_lines(values)?)
}

fn through_gate(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(Sanitized::text(&text).to_string()),
        Value::Array(values) => values.into_iter().map(through_gate).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, through_gate(value))).collect()
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_at_any_depth_are_masked() {
        let secret = "ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2";
        let value = masked(&serde_json::json!({ "a": [{ "b": secret }], "n": 1 })).unwrap();
        assert_eq!(value, serde_json::json!({ "a": [{ "b": "[masked: github-token]" }], "n": 1 }));
    }
}
