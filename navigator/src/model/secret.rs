//! A key for a provider. It is sent in one header and never shown.

use std::fmt;

/// A key that no message shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Stores a key without surrounding white space.
    pub fn new(key: &str) -> Secret {
        Secret(key.trim().to_owned())
    }

    /// Returns the key itself, for the header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Removes the key from a text. Long parts of it are removed too, because providers quote keys
    /// with their middle cut out. A key so short that it may be a word (`test`, `lm-studio`) is
    /// left: it protects nothing, and removing it would damage replies.
    pub fn scrub(&self, text: &str) -> String {
        const WORD: usize = 12;
        const LONG: usize = 24;
        const PART: usize = 8;
        if self.0.len() < WORD {
            return text.to_owned();
        }
        if self.0.len() < LONG {
            return text.replace(&self.0, "[key]");
        }
        let is_word = |c: char| {
            !c.is_whitespace() && !matches!(c, '"' | '\'' | '`' | ',' | ';' | '<' | '>' | '(' | ')')
        };
        let mut scrubbed = text.replace(&self.0, "[key]");
        let ends = [self.0.get(..PART), self.0.get(self.0.len() - PART..)];
        for end in ends.into_iter().flatten() {
            let mut clean = String::new();
            let mut rest = scrubbed.as_str();
            while let Some(at) = rest.find(end) {
                let word = rest[..at].trim_end_matches(is_word).len();
                clean.push_str(&rest[..word]);
                clean.push_str("[key]");
                rest = rest[at + end.len()..].trim_start_matches(is_word);
            }
            scrubbed = clean + rest;
        }
        scrubbed
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_scrubbed_whole_or_cut() {
        let key = Secret::new("sk-planted-0123456789abcdef\n");
        assert_eq!(key.scrub("bad key sk-planted-0123456789abcdef."), "bad key [key].");
        assert_eq!(
            key.scrub("Incorrect API key provided: sk-plant********cdef"),
            "Incorrect API key provided: [key]"
        );
        assert_eq!(key.scrub("ends in 89abcdef, see"), "ends in [key], see");
        assert_eq!(key.scrub("no key here"), "no key here");
        let quoted = Secret::new("\"sk-abcdefghijklmnopqrstuv\"");
        assert_eq!(quoted.scrub("bad key \"sk-abcd****\", sorry"), "bad key [key]\", sorry");
        assert_eq!(Secret::new("lib").scrub("src/lib.rs"), "src/lib.rs");
        assert_eq!(format!("{key:?}"), "[key]");
    }
}
