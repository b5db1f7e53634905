//! What must not be in a text that a program puts out.

use serde_json::Value;

/// Returns the first character that a terminal obeys or nobody sees, with what stands before it.
pub fn raw_in(text: &str) -> Option<String> {
    let is_unseen = |c: char| {
        matches!(
            c,
            '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{e0000}'..='\u{e0fff}'
        )
    };
    let is_raw = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || is_unseen(c);
    let (at, c) = text.char_indices().find(|(_, c)| is_raw(*c))?;
    let start = text[..at].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
    Some(format!("U+{:04X} after {:?}", u32::from(c), &text[start..at]))
}

/// Adds every text in a JSON value, names of fields too.
pub fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|one| texts(one, found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.push(name.clone());
            texts(value, found);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
