//! The facts of one file about the goal, and the lookup of a goal in a record.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::score::goal::Goal;
use crate::score::role::Role;
use crate::score::signed_words::signed_word;
use crate::score::words;
use crate::source::scan::Mark;

/// The facts of one file, found without a parser.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileFacts {
    pub(crate) role: Option<Role>,
    pub(crate) mark: Option<Mark>,
    /// The number of words in the file.
    pub(crate) n_words: u32,
    /// Occurrences of the goal's terms, by the term's position in the goal.
    pub(crate) terms: Vec<(u16, u32)>,
    /// Occurrences of the goal's terms in names that the file seems to define.
    pub(crate) named: Vec<(u16, u32)>,
    /// The goal's identifiers that occur in the file, and those the file seems to define.
    pub(crate) mentions: Vec<u16>,
    pub(crate) defines: Vec<u16>,
    /// The goal's phrases that occur in the file.
    pub(crate) phrases: Vec<u16>,
    /// Without a goal: the hashes of the types that files are called by, those that the file seems
    /// to define and the others that it names; of tests and examples alone.
    pub(crate) defines_types: Vec<u64>,
    pub(crate) names_types: Vec<u64>,
    /// The file's imports as written, one a line.
    pub(crate) imports: String,
    /// The name of the package that the file says it is of, or nothing.
    pub(crate) package: String,
}

impl FileFacts {
    pub(crate) fn role(&self) -> Role {
        self.role.unwrap_or(Role::Data)
    }
}

/// The goal's terms and pairs, for a search in a text without a record: an item, a message, a path.
pub(crate) struct Lexicon<'a> {
    terms: HashMap<&'a [u8], u16, BuildHasherDefault<Fnv>>,
    /// Numbered after the terms: the first pair follows the last term.
    pairs: HashMap<(u16, u16), u16, BuildHasherDefault<Fnv>>,
    /// For each first byte, the lengths of terms as bits: this rules out most words of a file.
    shapes: [u64; 256],
    /// Whether a term ends in signs.
    has_signs: bool,
}

impl<'a> Lexicon<'a> {
    pub(crate) fn of(goal: &'a Goal) -> Lexicon<'a> {
        let terms =
            goal.terms.iter().zip(0..).map(|(term, at)| (term.word.as_bytes(), at)).collect();
        let pairs = goal
            .pairs
            .iter()
            .zip(goal.terms.len() as u16..)
            .map(|(pair, at)| (pair.terms, at))
            .collect();
        let mut shapes = [0; 256];
        for word in goal.terms.iter().map(|term| term.word.as_bytes()) {
            shapes[usize::from(word[0])] |= 1 << word.len().min(63);
        }
        let has_signs = goal.terms.iter().any(|term| term.word.ends_with(['+', '#']));
        Lexicon { terms, pairs, shapes, has_signs }
    }

    fn term(&self, word: &[u8], buffer: &mut Vec<u8>) -> Option<u16> {
        if word.len() > 64 {
            return None;
        }
        let word = words::normal_form(word, buffer);
        let shape = self.shapes[usize::from(*word.first()?)];
        if shape & (1 << word.len().min(63)) == 0 {
            return None;
        }
        self.terms.get(word).copied()
    }

    /// Calls `see` with every term in the text, of whole words and of their parts, and with every
    /// pair. Returns the number of words.
    pub(crate) fn for_each_term(&self, text: &[u8], mut see: impl FnMut(u16)) -> u32 {
        let mut n_words = 0;
        let mut reader = FactReader::default();
        words::for_each_word(text, |word, start| {
            n_words += 1;
            reader.read(self, word, &mut see);
            if self.has_signs
                && let Some(name) = signed_word(text, start, word)
            {
                self.term(name, &mut reader.buffer).into_iter().for_each(&mut see);
            }
        });
        n_words
    }

    /// Returns the number of terms and pairs.
    fn n_terms(&self) -> usize {
        self.terms.len() + self.pairs.len()
    }

    /// Returns the terms and pairs of the text with their counts, sorted, and the number of words.
    pub(crate) fn count(&self, text: &[u8]) -> (Vec<(u16, u32)>, u32) {
        let mut counts = vec![0; self.n_terms()];
        let n_words = self.for_each_term(text, |term| counts[usize::from(term)] += 1);
        (sparse(&counts), n_words)
    }
}

/// Reads words one after the other and remembers the term before, for pairs.
#[derive(Default)]
struct FactReader {
    before: Option<u16>,
    buffer: Vec<u8>,
}

impl FactReader {
    fn read(&mut self, lexicon: &Lexicon<'_>, word: &[u8], mut see: impl FnMut(u16)) {
        let whole = lexicon.term(word, &mut self.buffer);
        whole.into_iter().for_each(&mut see);
        let mut has_parts = false;
        words::for_each_part(word, |part| {
            has_parts = true;
            let term = lexicon.term(part, &mut self.buffer);
            term.into_iter().for_each(&mut see);
            self.follow(lexicon, part, term, &mut see);
        });
        if !has_parts {
            self.follow(lexicon, word, whole, &mut see);
        }
    }

    fn follow(
        &mut self,
        lexicon: &Lexicon<'_>,
        word: &[u8],
        term: Option<u16>,
        see: &mut impl FnMut(u16),
    ) {
        if let (Some(before), Some(term)) = (self.before, term)
            && let Some(pair) = lexicon.pairs.get(&(before, term))
        {
            see(*pair);
        }
        let is_skipped = term.is_none()
            && self.before.is_some()
            && std::str::from_utf8(words::normal_form(word, &mut self.buffer))
                .is_ok_and(words::is_stop_word);
        if !is_skipped {
            self.before = term;
        }
    }
}

fn sparse(counts: &[u32]) -> Vec<(u16, u32)> {
    counts
        .iter()
        .zip(0..)
        .filter(|(count, _)| **count > 0)
        .map(|(count, at)| (at, *count))
        .collect()
}

/// A fast hash for short keys. Its maps are only looked up, never iterated.
#[derive(Default)]
pub(crate) struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
