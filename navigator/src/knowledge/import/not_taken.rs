//! What an import does not take of a file, and why: one entry for each kind.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::run::text::one_line;

/// The largest number of kinds that are told apart; a hostile file has as many as it likes.
const MAX_KINDS: usize = 30;
/// The longest name of a field that is repeated, in characters.
const MAX_NAME: usize = 60;

/// Parts of a file that were not taken, all of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotTaken {
    /// What they are.
    pub what: String,
    /// Why they were not taken.
    pub why: &'static str,
    /// How many they are.
    pub n: usize,
}

/// The parts of a file that were not taken, as they are found.
#[derive(Debug, Default)]
pub(super) struct NotTakenParts(BTreeMap<(String, &'static str), usize>);

impl NotTakenParts {
    /// Takes note of parts of one kind; without any, of nothing.
    pub(super) fn add(&mut self, what: &str, why: &'static str, n: usize) {
        if n == 0 {
            return;
        }
        let kind = (what.to_owned(), why);
        let is_known = self.0.contains_key(&kind) || self.0.len() < MAX_KINDS;
        let kind = if is_known { kind } else { ("other parts".to_owned(), "there are many kinds") };
        *self.0.entry(kind).or_default() += n;
    }

    /// Takes note of the fields that a value has, and its schema has not.
    pub(super) fn add_unknown_fields(&mut self, value: &Value, schema: &Value) {
        self.look(value, schema, &schema["$defs"], "the file");
    }

    fn look(&mut self, value: &Value, schema: &Value, defs: &Value, place: &str) {
        let schema = resolved(schema, defs);
        match value {
            Value::Array(list) => {
                list.iter().for_each(|one| self.look(one, &schema["items"], defs, place));
            }
            Value::Object(fields) => {
                let Some(known) = schema["properties"].as_object() else { return };
                self.look_in(fields, known, defs, place);
            }
            _ => {}
        }
    }

    fn look_in(
        &mut self,
        fields: &Map<String, Value>,
        known: &Map<String, Value>,
        defs: &Value,
        place: &str,
    ) {
        for (name, value) in fields {
            match known.get(name) {
                Some(schema) => self.look(value, schema, defs, &format!("`{name}`")),
                None => {
                    let what = format!("`{}` of {place}", one_line(name, MAX_NAME));
                    let n = value.as_array().map_or(1, |list| list.len().max(1));
                    self.add(&what, "unknown field", n);
                }
            }
        }
    }

    /// Returns what was found, in the order of its words.
    pub(super) fn into_list(self) -> Vec<NotTaken> {
        self.0.into_iter().map(|((what, why), n)| NotTaken { what, why, n }).collect()
    }
}

/// Returns the schema that a reference, or a value that may be missing, stands for.
fn resolved<'s>(schema: &'s Value, defs: &'s Value) -> &'s Value {
    let some =
        schema["anyOf"].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null"));
    let schema = some.unwrap_or(schema);
    let name = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
    name.map_or(schema, |name| &defs[name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_and_bounded() {
        let mut parts = NotTakenParts::default();
        for n in 0..100 {
            parts.add(&format!("kind {}", n % 40), "why", 1);
        }
        let list = parts.into_list();
        assert_eq!(list.len(), MAX_KINDS + 1);
        assert_eq!(list.iter().map(|one| one.n).sum::<usize>(), 100);
    }
}
