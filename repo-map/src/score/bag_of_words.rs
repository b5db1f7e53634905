//! The bag of words of a text: its words with their counts, independent of a goal. Stage one stores
//! one for each file.
//!
//! A word is identified by 40 bits of its hash, with a cache and without. So a bag is a third of
//! the size of its text, a goal is compared with it by one walk over two sorted lists, and the
//! result does not depend on the origin of the bag. Among ten million different words, a goal of a
//! hundred words has a false match once in a thousand times.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::score::signed_words::signed_word;
use crate::score::words;

/// The number of hash bits that are kept.
const HASH_BITS: u32 = 40;
/// The initial number of slots for a text: most texts have fewer than half as many different words.
const FEW_SLOTS: usize = 1 << 12;
/// The maximum length in bytes of a word that is split into parts: longer ones are data.
const LONGEST_IDENTIFIER: usize = 64;

/// One word of a bag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    /// The word's [`hash`].
    pub(crate) hash: u64,
    /// The number of occurrences in the text, in any form, as a word or as a part of one.
    pub(crate) n: u32,
    /// The number of occurrences in a name that the text seems to define.
    pub(crate) named: u32,
    /// Whether it occurs as a whole word, in exactly this spelling.
    pub(crate) is_verbatim: bool,
    /// Whether the text seems to define it, in exactly this spelling.
    pub(crate) is_defined: bool,
}

/// Returns the hash that identifies a word: FNV-1a, its bits mixed, the upper ones kept.
pub(crate) fn hash(word: &[u8]) -> u64 {
    mixed(word.iter().fold(FNV_OFFSET, |hash, byte| fnv(hash, *byte))) >> (u64::BITS - HASH_BITS)
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Mixes the bits: the finalizer of MurmurHash3 (Appleby).
fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// Counts the words of texts, one text after the other.
///
/// A text repeats its words: each is split into parts once.
pub(crate) struct Counter {
    /// Positions in `seen`, plus one; 0 is free. A power of two, at least twice as many as `seen`.
    slots: Vec<u32>,
    seen: Vec<Seen>,
    /// Random for each process, so that no text can be crafted to fill few slots. The result does
    /// not depend on it.
    salt: u64,
    buffer: Vec<u8>,
    bag: Vec<Word>,
}

/// A word in the spelling of the text.
#[derive(Clone, Copy)]
struct Seen {
    hash: u64,
    start: u32,
    len: u32,
    n: u32,
    named: u32,
    is_keyword: bool,
}

impl Default for Counter {
    #[expect(
        clippy::disallowed_methods,
        reason = "the rim: chance, so that no text can be made whose words collide"
    )]
    fn default() -> Self {
        let salt = RandomState::new().hash_one(0) | 1;
        Counter { slots: Vec::new(), seen: Vec::new(), salt, buffer: Vec::new(), bag: Vec::new() }
    }
}

impl Counter {
    /// Returns the bag of a text in its packed form, and the number of words. The text is smaller
    /// than 4 GiB.
    pub(crate) fn count(&mut self, text: &[u8]) -> (Vec<u8>, u32) {
        self.see_words(text);
        let n_words = self.seen.iter().map(|word| word.n).sum();
        self.take_apart(text);
        (packed(&self.bag), n_words)
    }

    /// Returns the same for prose, which has words with signs: `C++`. They are no further words.
    pub(crate) fn count_prose(&mut self, text: &[u8]) -> (Vec<u8>, u32) {
        self.see_words(text);
        let n_words = self.seen.iter().map(|word| word.n).sum();
        words::for_each_word(text, |word, start| {
            if let Some(name) = signed_word(text, start, word) {
                let hash = name.iter().fold(FNV_OFFSET, |hash, byte| fnv(hash, *byte));
                self.see(name, mixed(hash), start).n += 1;
            }
        });
        self.take_apart(text);
        (packed(&self.bag), n_words)
    }

    fn see_words(&mut self, text: &[u8]) {
        self.slots.clear();
        self.slots.resize(FEW_SLOTS, 0);
        self.seen.clear();
        let mut after_keyword: Option<usize> = None;
        let mut at = 0;
        while at < text.len() {
            if !IS_WORD[usize::from(text[at])] {
                at += 1;
                continue;
            }
            let start = at;
            let mut hash = FNV_OFFSET;
            while at < text.len() && IS_WORD[usize::from(text[at])] {
                hash = fnv(hash, text[at]);
                at += 1;
            }
            // `def refresh`, `class Session`, `fn open`: the word after the keyword, with only
            // blanks, `*` or `&` between.
            let is_name = after_keyword.take().is_some_and(|end| {
                text[end..start].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'*' | b'&'))
            });
            let word = self.see(&text[start..at], mixed(hash), start);
            word.n += 1;
            word.named += u32::from(is_name);
            if word.is_keyword {
                after_keyword = Some(at);
            }
        }
    }

    /// Returns the entry of a word, added if it is new.
    fn see(&mut self, word: &[u8], hash: u64, start: usize) -> &mut Seen {
        if self.slots.len() < 2 * (self.seen.len() + 1) {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = self.slot(hash);
        let at = loop {
            match self.slots[slot] {
                0 => {
                    let is_keyword = words::is_definition_keyword(word);
                    self.seen.push(Seen {
                        hash,
                        start: start as u32,
                        len: word.len() as u32,
                        n: 0,
                        named: 0,
                        is_keyword,
                    });
                    self.slots[slot] = self.seen.len() as u32;
                    break self.seen.len() - 1;
                }
                at if self.seen[at as usize - 1].hash == hash => break at as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        };
        &mut self.seen[at]
    }

    fn slot(&self, hash: u64) -> usize {
        ((hash ^ self.salt).wrapping_mul(self.salt) >> (u64::BITS - self.slots.len().ilog2()))
            as usize
    }

    fn grow(&mut self) {
        let n_slots = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(n_slots, 0);
        let mask = self.slots.len() - 1;
        for at in 0..self.seen.len() {
            let mut slot = self.slot(self.seen[at].hash);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
    }

    /// Puts into the bag every word in its spelling, in its normal form, and its parts in theirs.
    fn take_apart(&mut self, text: &[u8]) {
        let Counter { seen, buffer, bag, .. } = self;
        bag.clear();
        for Seen { start, len, n, named, .. } in seen.iter().copied() {
            let word = &text[start as usize..][..len as usize];
            let part = |hash| Word { hash, n, named, is_verbatim: false, is_defined: false };
            let normal_form = words::normal_form(word, buffer);
            let is_normal = normal_form == word;
            bag.push(Word {
                is_verbatim: is_normal,
                is_defined: is_normal && named > 0,
                ..part(hash(normal_form))
            });
            if !is_normal {
                // No normal form has this spelling: the entry is this word's alone.
                bag.push(Word { is_verbatim: true, is_defined: named > 0, ..part(hash(word)) });
            }
            if word.len() <= LONGEST_IDENTIFIER {
                words::for_each_part(word, |one| {
                    bag.push(part(hash(words::normal_form(one, buffer))))
                });
            }
        }
        bag.sort_unstable_by_key(|word| word.hash);
        bag.dedup_by(|later, earlier| {
            let is_same = later.hash == earlier.hash;
            if is_same {
                earlier.n += later.n;
                earlier.named += later.named;
                earlier.is_verbatim |= later.is_verbatim;
                earlier.is_defined |= later.is_defined;
            }
            is_same
        });
    }
}

static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = words::is_word_byte(byte as u8);
        byte += 1;
    }
    table
};

/// The bytes of a packed word: its hash and, in the last byte, its count (up to [`MOST`]) with two
/// flags. A word with a greater count, or one that is a name, has [`MORE_BYTES`] after all words,
/// which hold both numbers.
const WORD_BYTES: usize = HASH_BITS as usize / 8 + 1;
const MORE_BYTES: usize = 4;
const MOST: u32 = 63;
const HAS_MORE: u8 = 1;
const IS_VERBATIM: u8 = 2;

/// Packs a bag: the number of words, the words sorted by hash, then the larger numbers. Counts are
/// capped at 65 535, those of names at 32 767.
fn packed(bag: &[Word]) -> Vec<u8> {
    let has_more = |word: &&Word| word.n > MOST || word.named > 0;
    let n_more = bag.iter().filter(has_more).count();
    let mut out =
        Vec::with_capacity(size_of::<u32>() + WORD_BYTES * bag.len() + MORE_BYTES * n_more);
    out.extend_from_slice(&(bag.len() as u32).to_le_bytes());
    for word in bag {
        out.extend_from_slice(&word.hash.to_le_bytes()[..WORD_BYTES - 1]);
        let flags = if has_more(&word) { HAS_MORE } else { 0 }
            | if word.is_verbatim { IS_VERBATIM } else { 0 };
        out.push((word.n.min(MOST) as u8) << 2 | flags);
    }
    for word in bag.iter().filter(has_more) {
        let named = word.named.min(u32::from(u16::MAX >> 1)) as u16;
        out.extend_from_slice(&(word.n.min(u32::from(u16::MAX)) as u16).to_le_bytes());
        out.extend_from_slice(&(named << 1 | u16::from(word.is_defined)).to_le_bytes());
    }
    out
}

/// Returns the words of a packed bag, sorted by hash; none if the bytes are not a valid bag.
pub(crate) fn unpacked(packed: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let (n, rest) = packed
        .split_first_chunk()
        .map_or((0, packed), |(n, rest)| (u32::from_le_bytes(*n) as usize, rest));
    let (words, more) = n
        .checked_mul(WORD_BYTES)
        .and_then(|bytes| rest.split_at_checked(bytes))
        .unwrap_or_default();
    let mut more = more.chunks_exact(MORE_BYTES);
    words.chunks_exact(WORD_BYTES).map(move |word| {
        let mut hash = [0; size_of::<u64>()];
        hash[..WORD_BYTES - 1].copy_from_slice(&word[..WORD_BYTES - 1]);
        let head = word[WORD_BYTES - 1];
        let (n, name) = match more.by_ref().take(usize::from(head & HAS_MORE)).next() {
            Some(more) => (
                u32::from(u16::from_le_bytes([more[0], more[1]])),
                u32::from(u16::from_le_bytes([more[2], more[3]])),
            ),
            None => (u32::from(head >> 2), 0),
        };
        let is_verbatim = head & IS_VERBATIM != 0;
        Word {
            hash: u64::from_le_bytes(hash),
            n,
            named: name >> 1,
            is_verbatim,
            is_defined: name & 1 == 1,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bag(text: &str) -> Vec<Word> {
        unpacked(&Counter::default().count(text.as_bytes()).0).collect()
    }

    fn word(text: &str, word: &str) -> Option<(u32, u32, bool, bool)> {
        let one = bag(text).into_iter().find(|one| one.hash == hash(word.as_bytes()))?;
        Some((one.n, one.named, one.is_verbatim, one.is_defined))
    }

    #[test]
    fn a_word_is_counted_whole_and_in_its_parts() {
        let text = "class HTTPSession:\n    def session_ids(self): return Sessions\n";
        assert_eq!(word(text, "session"), Some((3, 2, false, false)));
        assert_eq!(word(text, "HTTPSession"), Some((1, 1, true, true)));
        assert_eq!(word(text, "httpsession"), Some((1, 1, false, false)));
        assert_eq!(word(text, "session_ids"), Some((1, 1, true, true)));
        assert_eq!(word(text, "self"), Some((1, 0, true, false)));
        assert_eq!(word(text, "HTTP"), None);
        assert_eq!(Counter::default().count(text.as_bytes()).1, 7);
    }

    #[test]
    fn prose_has_words_with_signs() {
        let text = "C++ and C# here";
        let (prose, n_words) = Counter::default().count_prose(text.as_bytes());
        let found = |one: &str| unpacked(&prose).any(|word| word.hash == hash(one.as_bytes()));
        assert!(found("c++") && found("C++") && found("c#") && found("c") && !found("c++ "));
        assert_eq!((n_words, word(text, "c++")), (4, None));
    }

    #[test]
    fn many_words_find_their_place() {
        let text: String = (0..10_000).map(|at| format!("w{at}x {at}y\n")).collect();
        assert_eq!(word(&text, "w9999x"), Some((1, 0, true, false)));
        assert_eq!(word(&text, "w"), Some((10_000, 0, false, false)));
        let many = "fn a ".repeat(70_000);
        assert_eq!(word(&many, "a"), Some((65_535, 32_767, true, true)));
    }

    #[test]
    fn what_is_no_bag_ends() {
        for bytes in [&[0xff; 20][..], &[], &[1], &[1, 0, 0, 0, 9], &[0; 9]] {
            assert_eq!(unpacked(bytes).count(), 0);
        }
    }
}
