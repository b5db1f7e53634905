//! JSON for embedding in a page, within limits: rows that do not fit are counted and never cut in
//! the middle.

use serde::Serialize;

use crate::text::sanitize::Sanitized;

/// The maximum size of a page in bytes, for any repository.
pub const MAX_PAGE_BYTES: usize = 4_950_000;

/// The maximum size of each part of a document in bytes. Texts have the remainder, up to their own
/// limit.
pub(crate) const TREE_BYTES: usize = 2_600_000;
pub(crate) const RANKING_BYTES: usize = 500_000;
pub(crate) const RULES_BYTES: usize = 150_000;
pub(crate) const STEPS_BYTES: usize = 400_000;
pub(crate) const LEVELS_BYTES: usize = 300_000;
pub(crate) const LIST_BYTES: usize = 50_000;
pub(crate) const TEXTS_BYTES: usize = 1_500_000;
/// The maximum length of a text from the caller or the plan, in characters; a byte of it takes at
/// most six bytes in the page.
pub(crate) const LONGEST: usize = 4_000;

/// Returns a value as JSON that no HTML parser can leave: besides the gate's characters, those that
/// begin and end markup are escaped. They occur only within strings, so the value does not change.
pub(crate) fn json(value: &impl Serialize) -> String {
    let plain = Sanitized::json(value).expect("a document is plain data");
    let mut safe = String::with_capacity(plain.len());
    for c in plain.chars() {
        match c {
            '<' | '>' | '&' => safe.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => safe.push(c),
        }
    }
    safe
}

/// Returns the first rows that fit into a number of bytes, as a JSON list, and the number of the
/// others.
pub(crate) fn rows<T: Serialize>(
    all: impl IntoIterator<Item = T>,
    bytes: usize,
) -> (String, usize) {
    let mut list = String::from("[");
    let mut n_left_out = 0;
    for row in all {
        let row = if n_left_out == 0 { json(&row) } else { String::new() };
        if n_left_out > 0 || list.len() + row.len() + 2 > bytes {
            n_left_out += 1;
            continue;
        }
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&row);
    }
    list.push(']');
    (list, n_left_out)
}

/// Shortens a text to a number of characters, with a mark if it was longer.
pub(crate) fn cut(text: &str, n: usize) -> String {
    match text.char_indices().nth(n) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// A JSON object being built: fixed names, and values that are JSON already.
pub(crate) struct Object(String);

impl Object {
    pub(crate) fn new() -> Object {
        Object(String::from("{"))
    }

    /// Adds a field.
    pub(crate) fn put(&mut self, name: &str, value: &impl Serialize) {
        self.put_json(name, &json(value));
    }

    /// Adds a field whose value is JSON already.
    pub(crate) fn put_json(&mut self, name: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&format!("\"{name}\":{value}"));
    }

    /// Adds a list of rows within a number of bytes, and the number of omitted ones under the same
    /// name with `_left_out`.
    pub(crate) fn put_rows<T: Serialize>(
        &mut self,
        name: &str,
        all: impl IntoIterator<Item = T>,
        bytes: usize,
    ) {
        let (list, n_left_out) = rows(all, bytes);
        self.put_json(name, &list);
        self.put(&format!("{name}_left_out"), &n_left_out);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn done(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_stays_within_its_string() {
        let hostile = "</script><!--<script>&\u{2028}\u{2029}";
        let safe = json(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }

    #[test]
    fn rows_that_do_not_fit_are_counted() {
        assert_eq!(rows(["a", "bb", "c"], 10), ("[\"a\",\"bb\"]".to_owned(), 1));
        assert_eq!(rows(["a", "bb", "c"], 2), ("[]".to_owned(), 3));
        assert_eq!(rows(Vec::<u32>::new(), 0), ("[]".to_owned(), 0));
    }
}
