//! Stage one: what every file of the tree says of the goal, counted over its raw bytes. Nothing is
//! parsed.
//!
//! What a file is and says whatever the goal is its [`Record`]; a goal is then looked up in the
//! records. So a goal never seen before reads no file again whose record is known. Lines that look
//! like imports are kept for the graph of files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::score::bag_of_words::{self, Counter};
use crate::score::goal::Goal;
use crate::score::role::Role;
use crate::score::words;
use crate::source::cache::{Pack, PackKind};
use crate::source::progress::{Cancelled, ProgressCount, ProgressSink, Stage};
use crate::source::scan::{self, FileEntry, Mark, Tree};
use crate::text::mask;

/// The most import lines kept of a file, and the longest that is looked at, in bytes.
const MAX_IMPORTS: usize = 200;
const LONGEST_IMPORT: usize = 400;

/// What one file says, without a parser.
#[derive(Debug, Clone, Default)]
pub(crate) struct FileFacts {
    pub(crate) role: Option<Role>,
    pub(crate) mark: Option<Mark>,
    /// How many words the file has.
    pub(crate) n_words: u32,
    /// Occurrences of the goal's terms, by the term's position in the goal.
    pub(crate) terms: Vec<(u16, u32)>,
    /// Occurrences of the goal's terms in names that the file seems to define.
    pub(crate) named: Vec<(u16, u32)>,
    /// The goal's identifiers that stand in the file, and those the file seems to define.
    pub(crate) mentions: Vec<u16>,
    pub(crate) defines: Vec<u16>,
    /// The goal's phrases that stand in the file.
    pub(crate) phrases: Vec<u16>,
    /// What the file imports, as written, a line each.
    pub(crate) imports: String,
}

impl FileFacts {
    pub(crate) fn role(&self) -> Role {
        self.role.unwrap_or(Role::Data)
    }
}

/// The goal's terms and pairs, to be looked for in a text of which no record is kept: an item, a
/// message, a path.
pub(crate) struct Lexicon<'a> {
    terms: HashMap<&'a [u8], u16, BuildHasherDefault<Fnv>>,
    /// Counted after the terms: the first pair has the number that follows the last term's.
    pairs: HashMap<(u16, u16), u16, BuildHasherDefault<Fnv>>,
    /// Which lengths and first letters any term has: most words of a file are told apart by these.
    shapes: [u64; 256],
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
        Lexicon { terms, pairs, shapes }
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
    /// pair.
    pub(crate) fn for_each_term(&self, text: &[u8], mut see: impl FnMut(u16)) -> u32 {
        let mut n_words = 0;
        let mut reader = FactReader::default();
        words::for_each_word(text, |word, _| {
            n_words += 1;
            reader.read(self, word, &mut see);
        });
        n_words
    }

    /// How many terms and pairs there are.
    fn n_terms(&self) -> usize {
        self.terms.len() + self.pairs.len()
    }

    /// The terms and pairs of the text with how often each stands there, sorted, and the number of
    /// words.
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

/// A small fast hash for short keys; the maps are only asked, never walked.
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

/// What a file is and says whatever the goal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record<'a> {
    mark: Option<Mark>,
    /// What the file imports, as written, a line each.
    #[serde(borrow)]
    imports: Cow<'a, str>,
    /// How many words the file has, and which: a packed bag.
    n_words: u32,
    #[serde(borrow, serialize_with = "as_bytes")]
    bag: Cow<'a, [u8]>,
}

/// Not one byte after the other, as a list is.
fn as_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl Record<'_> {
    fn of(path: &str, bytes: &[u8], counter: Option<&mut Counter>) -> Record<'static> {
        let mark = scan::mark_of(path, bytes);
        if mark.is_some_and(|mark| !mark.has_text()) {
            return Record { mark, ..Record::default() };
        }
        let (bag, n_words) = counter.map(|counter| counter.count(bytes)).unwrap_or_default();
        Record {
            mark,
            imports: Cow::Owned(mask::mask(&imports(bytes).join("\n")).0.into_owned()),
            n_words,
            bag: Cow::Owned(bag),
        }
    }
}

/// Where records are kept.
pub(crate) const WORDS: PackKind = PackKind { name: "words", most: 512 << 20, one_in: 100 };

/// Looks the goal up in every file, in parallel; the result stands in the order of the tree. A file
/// is read when its record is not in the pack, or to see whether a phrase stands in it whose words
/// all do. Cancelled, it is not to be used.
pub(crate) fn survey(
    tree: &Tree,
    goal: &Goal,
    pack: &mut Pack,
    watcher: Option<&ProgressSink>,
    cancelled: Cancelled<'_>,
) -> Vec<FileFacts> {
    let wanted = Wanted::of(goal);
    // Words that nobody asks for, now or later, are not counted.
    let with_words = pack.is_kept() || !wanted.words.is_empty();
    let n_bytes = AtomicUsize::new(0);
    let count = ProgressCount::new(watcher, Stage::Read, Some(tree.files.len()));
    let one = |counter: &mut Counter, file: &FileEntry| {
        if cancelled.is_set() {
            return (FileFacts::default(), News::None);
        }
        let (facts, news) = survey_file(file, &wanted, pack, with_words.then_some(counter));
        count.one(
            matches!(news, News::None) && pack.is_kept() && scan::mark_of_entry(file).is_none(),
        );
        match news {
            // A pack takes no more; what it has no room for is found out again.
            News::Record(_, record)
                if WORDS.most < n_bytes.fetch_add(record.len(), Ordering::Relaxed) =>
            {
                (facts, News::None)
            }
            news => (facts, news),
        }
    };
    let surveyed: Vec<(FileFacts, News)> =
        tree.files.par_iter().map_init(Counter::default, one).collect();
    let mut facts = Vec::with_capacity(surveyed.len());
    for (file, (of_file, news)) in tree.files.iter().zip(surveyed) {
        match news {
            News::None => {}
            News::Stamp => pack.touch(&file.path, file.stamp),
            News::Record(digest, record) => pack.put(&file.path, file.stamp, digest, record),
        }
        facts.push(of_file);
    }
    facts
}

/// What the paths alone say: nothing is read.
pub(crate) fn from_above(tree: &Tree) -> Vec<FileFacts> {
    let one = |file: &FileEntry| FileFacts {
        role: Some(Role::of(&file.path)),
        mark: scan::mark_of_entry(file),
        ..FileFacts::default()
    };
    tree.files.iter().map(one).collect()
}

/// What the pack does not have yet.
enum News {
    None,
    Stamp,
    Record(blake3::Hash, Vec<u8>),
}

fn survey_file(
    file: &FileEntry,
    wanted: &Wanted,
    pack: &Pack,
    counter: Option<&mut Counter>,
) -> (FileFacts, News) {
    let role = Some(Role::of(&file.path));
    if let Some(mark) = scan::mark_of_entry(file) {
        return (FileFacts { role, mark: Some(mark), ..FileFacts::default() }, News::None);
    }
    let known = |digest: &blake3::Hash| {
        postcard::from_bytes::<Record<'_>>(pack.get(&file.path, digest)?).ok()
    };
    if let Some(record) = pack.unchanged(&file.path, file.stamp).and_then(|digest| known(&digest)) {
        return (
            FileFacts { role, ..wanted.look_up(&record, || scan::read_bytes(file).ok()) },
            News::None,
        );
    }
    let bytes = match scan::read_bytes(file) {
        Ok(bytes) => bytes,
        Err(mark) => {
            return (FileFacts { role, mark: Some(mark), ..FileFacts::default() }, News::None);
        }
    };
    let digest = blake3::hash(&bytes);
    if let Some(record) = known(&digest) {
        return (FileFacts { role, ..wanted.look_up(&record, || Some(bytes)) }, News::Stamp);
    }
    let record = Record::of(&file.path, &bytes, counter);
    let news = match pack.is_kept() {
        true => News::Record(digest, postcard::to_stdvec(&record).unwrap_or_default()),
        false => News::None,
    };
    (FileFacts { role, ..wanted.look_up(&record, || Some(bytes)) }, news)
}

/// What is looked for in records: the goal's terms, identifiers, and the words of its phrases, by
/// their hashes, sorted.
struct Wanted {
    words: Vec<(u64, Want)>,
    phrases: Phrases,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Want {
    Term(u16),
    Identifier(u16),
    /// A word of a phrase, by its position among all of them.
    OfPhrase(u16),
}

impl Wanted {
    fn of(goal: &Goal) -> Wanted {
        let phrases = Phrases::of(goal);
        let terms = goal
            .terms
            .iter()
            .zip(0..)
            .map(|(term, at)| (bag_of_words::hash(term.word.as_bytes()), Want::Term(at)));
        let identifiers = goal
            .identifiers
            .iter()
            .zip(0..)
            .map(|(one, at)| (bag_of_words::hash(one.word.as_bytes()), Want::Identifier(at)));
        let of_phrases =
            phrases.words.iter().zip(0..).map(|(word, at)| (*word, Want::OfPhrase(at)));
        let mut words: Vec<(u64, Want)> = terms.chain(identifiers).chain(of_phrases).collect();
        words.sort_unstable();
        Wanted { words, phrases }
    }

    fn look_up(&self, record: &Record<'_>, text: impl FnOnce() -> Option<Vec<u8>>) -> FileFacts {
        let imports = record.imports.clone().into_owned();
        let mut facts = FileFacts {
            mark: record.mark,
            n_words: record.n_words,
            imports,
            ..FileFacts::default()
        };
        let mut has_word = vec![false; self.phrases.words.len()];
        let mut wanted = &self.words[..];
        for word in bag_of_words::words_of(&record.bag) {
            while let [(hash, want), rest @ ..] = wanted
                && *hash <= word.hash
            {
                wanted = rest;
                if *hash < word.hash {
                    continue;
                }
                match want {
                    Want::Term(at) => {
                        facts.terms.push((*at, word.n));
                        facts.named.extend((word.named > 0).then_some((*at, word.named)));
                    }
                    Want::Identifier(at) => {
                        facts.mentions.extend(word.is_verbatim.then_some(*at));
                        facts.defines.extend(word.is_defined.then_some(*at));
                    }
                    Want::OfPhrase(at) => has_word[usize::from(*at)] = word.is_verbatim,
                }
            }
            if wanted.is_empty() {
                break;
            }
        }
        facts.terms.sort_unstable();
        facts.named.sort_unstable();
        facts.mentions.sort_unstable();
        facts.defines.sort_unstable();
        if self.phrases.may_stand(&has_word) {
            facts.phrases = text().map(|text| self.phrases.find(&text)).unwrap_or_default();
        }
        facts
    }
}

/// The goal's phrases. A phrase stands in a text where it does so between whole words.
#[derive(Default)]
struct Phrases {
    automaton: Option<AhoCorasick>,
    /// The words of all phrases by their hashes, sorted, and of each phrase the positions of its
    /// own among them.
    words: Vec<u64>,
    of_phrase: Vec<Vec<u16>>,
}

impl Phrases {
    fn of(goal: &Goal) -> Phrases {
        let words_of = |phrase: &String| {
            let mut words = Vec::new();
            words::for_each_word(phrase.as_bytes(), |word, _| words.push(bag_of_words::hash(word)));
            words
        };
        let of_phrase: Vec<Vec<u64>> = goal.phrases.iter().map(words_of).collect();
        let mut words = of_phrase.concat();
        words.sort_unstable();
        words.dedup();
        let position = |word: &u64| words.binary_search(word).ok().map(|at| at as u16);
        let of_phrase =
            of_phrase.iter().map(|words| words.iter().filter_map(position).collect()).collect();
        let automaton =
            AhoCorasickBuilder::new().match_kind(MatchKind::Standard).build(&goal.phrases).ok();
        Phrases { automaton, words, of_phrase }
    }

    /// Whether all words of one of the phrases are there. A phrase without a word is never looked
    /// for.
    fn may_stand(&self, has_word: &[bool]) -> bool {
        self.of_phrase
            .iter()
            .any(|words| !words.is_empty() && words.iter().all(|word| has_word[usize::from(*word)]))
    }

    /// The phrases that stand in the text, sorted.
    fn find(&self, text: &[u8]) -> Vec<u16> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let is_cut = |at: usize| {
            let is_word = |at: usize| text.get(at).is_some_and(|byte| words::is_word_byte(*byte));
            at > 0 && is_word(at - 1) && is_word(at)
        };
        let whole = automaton
            .find_overlapping_iter(text)
            .filter(|found| !is_cut(found.start()) && !is_cut(found.end()));
        let mut found: Vec<u16> = whole.map(|found| found.pattern().as_u32() as u16).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|phrase| !self.of_phrase[usize::from(*phrase)].is_empty());
        found
    }
}

/// Lines that name other files, as written: the part that names them.
fn imports(bytes: &[u8]) -> Vec<String> {
    let mut imports = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.len() > LONGEST_IMPORT || line.len() < 5 {
            continue;
        }
        let line = line.trim_ascii_start();
        if !looks_like_import(line) {
            continue;
        }
        let Ok(line) = std::str::from_utf8(line) else { continue };
        targets(line, &mut imports);
        if imports.len() >= MAX_IMPORTS {
            imports.truncate(MAX_IMPORTS);
            break;
        }
    }
    imports
}

fn looks_like_import(line: &[u8]) -> bool {
    let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
    match line.first() {
        Some(b'i') => starts(&[b"import ", b"import\t", b"include ", b"include("]),
        Some(b'f') => starts(&[b"from "]),
        Some(b'u') => starts(&[b"use ", b"using "]),
        Some(b'#') => starts(&[b"#include", b"# include", b"#import"]),
        Some(b'r') => starts(&[b"require ", b"require(", b"require_once", b"require_relative "]),
        Some(b'p') => starts(&[b"pub use ", b"pub mod ", b"pub(crate) use ", b"pub(crate) mod "]),
        Some(b'm') => starts(&[b"mod "]),
        Some(b'e') => starts(&[b"export * ", b"export {", b"extern crate "]),
        Some(b'@') => starts(&[b"@import"]),
        Some(b'a') => starts(&[b"alias "]),
        Some(b'"') => line.ends_with(b"\"") && line.len() > 3,
        Some(b'}') => starts(&[b"} from "]),
        Some(b'c' | b'l' | b'v') => memchr::memmem::find(line, b"require(").is_some(),
        _ => false,
    }
}

/// The names of files or modules in an import line. `from a.b import c` names `a.b` and perhaps
/// `a.b.c`.
fn targets(line: &str, imports: &mut Vec<String>) {
    let mut push = |target: &str| {
        if target.len() > 1 {
            imports.push(target.to_owned());
        }
    };
    let quoted = line.split(['"', '\'']).skip(1).step_by(2).collect::<Vec<_>>();
    if let Some(include) = line
        .split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .filter(|_| line.starts_with('#'))
    {
        push(include.0);
    } else if !quoted.is_empty() {
        quoted.iter().for_each(|target| push(target));
    } else if let Some((module, names)) =
        line.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
    {
        let module = module.trim();
        push(module);
        for name in names.trim_matches(['(', ')', ' ']).split(',') {
            let name = name.split_whitespace().next().unwrap_or_default();
            let dot = if module.ends_with('.') { "" } else { "." };
            push(&format!("{module}{dot}{name}"));
        }
    } else {
        let words = line
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '{' | '}' | '(' | ')'));
        words.filter(|word| !is_import_word(word)).for_each(push);
    }
}

fn is_import_word(word: &str) -> bool {
    matches!(
        word,
        "import"
            | "from"
            | "use"
            | "using"
            | "require"
            | "pub"
            | "pub(crate)"
            | "mod"
            | "as"
            | "crate"
            | "static"
            | "export"
            | "extern"
            | "alias"
            | "include"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_many_languages_are_recognised() {
        let text = "from django.db import models, router\nimport os.path\nuse \
            crate::scan::{walk, Tree};\n\
                    #include <linux/fs.h>\n#include \"a.h\"\nconst x = \
                    require('./lib/x');\nimport { y } from '../y';\nprint(1)\n";
        assert_eq!(
            imports(text.as_bytes()),
            [
                "django.db",
                "django.db.models",
                "django.db.router",
                "os.path",
                "crate::scan::",
                "walk",
                "Tree",
                "linux/fs.h",
                "a.h",
                "./lib/x",
                "../y"
            ]
        );
    }
}
