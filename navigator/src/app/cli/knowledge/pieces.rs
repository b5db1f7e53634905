//! The file of a knowledge, piece by piece: its text and its values are never in memory together.
//!
//! `serde_json::from_reader` would do the same in a few lines, but goes byte by byte: 185 MB take
//! 0.85 to 1.0 s instead of 0.55 to 0.65 s, and a knowledge is to open in half a second. A field
//! that is added to `Knowledge` is added here, too; the test of pieces of any size fails without.

use std::collections::BTreeSet;
use std::io::Read;

use serde::de::DeserializeOwned;

use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::{Knowledge, VERSION};

/// The size of a piece, in bytes.
const PIECE: u64 = 1 << 20;

/// Reads a knowledge as this program writes it; `None` if the text is any other, or is damaged.
pub(in crate::app::cli) fn read(text: impl Read) -> Option<Knowledge> {
    read_by(PIECE, text)
}

fn read_by(size: u64, text: impl Read) -> Option<Knowledge> {
    let hasher = blake3::Hasher::new();
    let mut pieces =
        TextPieces { size, rest: text, text: Vec::new(), at: 0, whole: 0, is_last: false, hasher };
    SharedText::share(|| pieces.knowledge())
}

/// A text that is taken from its beginning on.
struct TextPieces<R> {
    size: u64,
    rest: R,
    /// What is in memory of the text.
    text: Vec<u8>,
    /// Where it is taken next.
    at: usize,
    /// Where the key or the value of a list begins that is being taken.
    whole: usize,
    /// The text in memory goes up to the end.
    is_last: bool,
    hasher: blake3::Hasher,
}

impl<R: Read> TextPieces<R> {
    fn knowledge(&mut self) -> Option<Knowledge> {
        let mut known = Knowledge::default();
        let mut keys = BTreeSet::new();
        self.expect(b'{')?;
        loop {
            self.whole = self.at;
            let key: String = self.value()?;
            self.expect(b':')?;
            match key.as_str() {
                "version" => known.version = self.value()?,
                "digest" => {
                    known.digest = self.value()?;
                    // The digest is of the rest.
                    self.hash();
                    self.text.drain(..self.at);
                    self.at = 0;
                }
                "records" => known.records = self.value()?,
                "thresholds" => known.thresholds = self.value()?,
                "text_thresholds" => known.text_thresholds = self.value()?,
                "screens" => known.screens = self.list()?,
                "transitions" => known.transitions = self.list()?,
                "tasks" => known.tasks = self.list()?,
                "inferred" => known.inferred = self.list()?,
                "places" => known.places = self.list()?,
                _ => return None,
            }
            if !keys.insert(key) {
                return None;
            }
            match self.byte()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        self.expect(b'\n')?;
        let has_all = ["version", "screens"].iter().all(|key| keys.contains(*key));
        let is_whole = self.byte().is_none() && has_all && known.version <= VERSION;
        self.whole = self.at;
        self.hash();
        let digest = self.hasher.finalize().to_hex();
        (is_whole && digest[..32] == known.digest).then_some(known)
    }

    fn list<T: DeserializeOwned>(&mut self) -> Option<Vec<T>> {
        self.expect(b'[')?;
        let mut list = Vec::new();
        if self.byte()? == b']' {
            return Some(list);
        }
        self.at -= 1;
        loop {
            list.push(self.value()?);
            self.whole = self.at;
            match self.byte()? {
                b',' => {}
                b']' => return Some(list),
                _ => return None,
            }
        }
    }

    fn value<T: DeserializeOwned>(&mut self) -> Option<T> {
        loop {
            let text = &self.text[self.at..];
            let mut values = serde_json::Deserializer::from_slice(text).into_iter();
            let value = values.next();
            let end = self.at + values.byte_offset();
            match value {
                // The next piece may go on with a number.
                Some(Ok(value)) if end < self.text.len() || self.is_last => {
                    self.at = end;
                    return Some(value);
                }
                Some(Err(error)) if !error.is_eof() => return None,
                _ if self.is_last => return None,
                _ => self.read_more()?,
            }
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.byte()? == byte).then_some(())
    }

    fn byte(&mut self) -> Option<u8> {
        if self.at == self.text.len() {
            self.read_more()?;
        }
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Reads the next piece: as much as there is of a value that is larger.
    fn read_more(&mut self) -> Option<()> {
        self.hash();
        let n = self.text.len();
        let size = self.size.max(n as u64);
        let n_read = self.rest.by_ref().take(size).read_to_end(&mut self.text).ok()?;
        self.is_last = n_read == 0;
        Some(())
    }

    /// Adds what was taken whole to the digest, and drops it.
    fn hash(&mut self) {
        self.hasher.update(&self.text[..self.whole]);
        self.text.drain(..self.whole);
        (self.at, self.whole) = (self.at - self.whole, 0);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::app::cli::knowledge::file::text;

    /// A knowledge with something in each of its lists but the last.
    fn knowledge() -> Knowledge {
        let way = |to: &str| {
            json!({
                "from_screen_id": "cart", "to_screen_id": to, "address": "http://a.example/ä",
                "times_seen": 1, "last_seen": [0, 1],
            })
        };
        let value = json!({
            "version": 1,
            "records": [{ "name": "walk", "digest": "17", "n_screens": 2 }],
            "screens": [
                { "screen_id": "cart", "name": "The \"cart\"", "url_patterns": ["^a$"] },
                { "screen_id": "home", "name": "Home", "times_seen": 23 },
            ],
            "transitions": [way("home"), way("cart")],
            "places": [],
        });
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_knowledge_is_the_same_in_pieces_of_any_size() {
        let text = text(knowledge()).unwrap();
        let whole: Knowledge = serde_json::from_str(&text).unwrap();
        for size in (1..80).chain([text.len() as u64, PIECE]) {
            assert_eq!(read_by(size, text.as_bytes()).as_ref(), Some(&whole), "{size}");
        }
    }

    #[test]
    fn what_is_damaged_is_not_read() {
        let text = text(knowledge()).unwrap();
        for end in 0..text.len() {
            assert_eq!(read_by(7, &text.as_bytes()[..end]), None, "{end}");
        }
        for changed in [
            text.replace("Home", "Hall"),
            format!("{}{{}}\n", text.as_str()),
            text.replace("\"version\":1", "\"version\":2"),
            text.replace("\"version\":1", "\"version\":1,\"version\":1"),
        ] {
            assert_eq!(read(changed.as_bytes()), None, "{changed}");
        }
    }
}
