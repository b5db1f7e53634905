//! A key: it goes into one header and nowhere else.

use std::fmt;

/// A key that no message shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a key; white space around it is no part of it.
    pub fn new(key: &str) -> Secret {
        Secret(key.trim().to_owned())
    }

    /// The key itself, for the header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text without the key, whoever put it there. Parts of it count too: providers quote keys with their middle cut out.
    pub fn scrub(&self, text: &str) -> String {
        const PART: usize = 8;
        if self.0.len() < PART {
            return if self.0.is_empty() { text.to_owned() } else { text.replace(&self.0, "[key]") };
        }
        let mut scrubbed = text.replace(&self.0, "[key]");
        let ends = [self.0.get(..PART), self.0.get(self.0.len() - PART..)];
        for end in ends.into_iter().flatten() {
            while let Some(at) = scrubbed.find(end) {
                let is_word = |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`' | ',' | ';' | '<' | '>' | '(' | ')');
                let from =
                    scrubbed[..at].rfind(|c| !is_word(c)).map_or(0, |at| at + scrubbed[at..].chars().next().map_or(1, char::len_utf8));
                let to = scrubbed[at..].find(|c| !is_word(c)).map_or(scrubbed.len(), |end| at + end);
                scrubbed.replace_range(from..to, "[key]");
            }
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
        assert_eq!(key.scrub("Incorrect API key provided: sk-plant********cdef"), "Incorrect API key provided: [key]");
        assert_eq!(key.scrub("ends in 89abcdef, see"), "ends in [key], see");
        assert_eq!(key.scrub("no key here"), "no key here");
        assert_eq!(format!("{key:?}"), "[key]");
    }
}
