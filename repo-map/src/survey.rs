//! Stage one: what every file of the tree says of the goal, counted over its raw bytes. Nothing is parsed.
//!
//! Words are counted for the goal's terms only, so memory grows with the tree by a few numbers a file. Lines that look
//! like imports are kept for the graph of files.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use rayon::prelude::*;

use crate::goal::Goal;
use crate::role::Role;
use crate::scan::{self, Mark, Tree};
use crate::words;

/// The most import lines kept of a file, and the longest that is looked at, in bytes.
const MAX_IMPORTS: usize = 200;
const LONGEST_IMPORT: usize = 400;

/// What one file says, without a parser.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
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
    /// What the file imports, as written.
    pub(crate) imports: Vec<String>,
}

impl Facts {
    pub(crate) fn role(&self) -> Role {
        self.role.unwrap_or(Role::Data)
    }
}

/// Counts over every file, in parallel; the result stands in the order of the tree.
pub(crate) fn survey(tree: &Tree, goal: &Goal) -> Vec<Facts> {
    let lexicon = Lexicon::of(goal);
    tree.files.par_iter().map(|file| survey_file(file, &lexicon)).collect()
}

/// What is looked for.
pub(crate) struct Lexicon<'a> {
    terms: HashMap<&'a [u8], u16, BuildHasherDefault<Fnv>>,
    identifiers: HashMap<&'a [u8], u16, BuildHasherDefault<Fnv>>,
    phrases: Option<AhoCorasick>,
    /// Counted after the terms: the first pair has the number that follows the last term's.
    pairs: HashMap<(u16, u16), u16, BuildHasherDefault<Fnv>>,
    /// Which lengths and first letters any term has: most words of a file are told apart by these.
    shapes: [u64; 256],
}

impl<'a> Lexicon<'a> {
    pub(crate) fn of(goal: &'a Goal) -> Lexicon<'a> {
        let terms = goal.terms.iter().zip(0..).map(|(term, at)| (term.word.as_bytes(), at)).collect();
        let identifiers = goal.identifiers.iter().zip(0..).map(|(one, at)| (one.word.as_bytes(), at)).collect();
        let phrases = (!goal.phrases.is_empty())
            .then(|| AhoCorasickBuilder::new().match_kind(MatchKind::Standard).build(&goal.phrases).ok())
            .flatten();
        let pairs = goal.pairs.iter().zip(goal.terms.len() as u16..).map(|(pair, at)| (pair.terms, at)).collect();
        let mut shapes = [0; 256];
        for word in goal.terms.iter().map(|term| term.word.as_bytes()) {
            shapes[usize::from(word[0])] |= 1 << word.len().min(63);
        }
        Lexicon { terms, identifiers, phrases, pairs, shapes }
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

    /// Calls `see` with every term in the text, of whole words and of their parts, and with every pair.
    pub(crate) fn for_each_term(&self, text: &[u8], mut see: impl FnMut(u16)) -> u32 {
        let mut n_words = 0;
        let mut reader = Reader::default();
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

    /// The phrases that stand in the text, sorted.
    pub(crate) fn phrases_in(&self, text: &[u8]) -> Vec<u16> {
        let Some(phrases) = &self.phrases else { return Vec::new() };
        let mut found: Vec<u16> = phrases.find_overlapping_iter(text).map(|one| one.pattern().as_u32() as u16).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The terms and pairs of the text with how often each stands there, sorted, and the number of words.
    pub(crate) fn count(&self, text: &[u8]) -> (Vec<(u16, u32)>, u32) {
        let mut counts = vec![0; self.n_terms()];
        let n_words = self.for_each_term(text, |term| counts[usize::from(term)] += 1);
        (sparse(&counts), n_words)
    }
}

/// Reads words one after the other and remembers the term before, for pairs.
#[derive(Default)]
struct Reader {
    before: Option<u16>,
    buffer: Vec<u8>,
}

impl Reader {
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

    fn follow(&mut self, lexicon: &Lexicon<'_>, word: &[u8], term: Option<u16>, see: &mut impl FnMut(u16)) {
        if let (Some(before), Some(term)) = (self.before, term)
            && let Some(pair) = lexicon.pairs.get(&(before, term))
        {
            see(*pair);
        }
        let is_skipped = term.is_none()
            && self.before.is_some()
            && std::str::from_utf8(words::normal_form(word, &mut self.buffer)).is_ok_and(words::is_stop_word);
        if !is_skipped {
            self.before = term;
        }
    }
}

fn sparse(counts: &[u32]) -> Vec<(u16, u32)> {
    counts.iter().zip(0..).filter(|(count, _)| **count > 0).map(|(count, at)| (at, *count)).collect()
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

fn survey_file(file: &scan::FileEntry, lexicon: &Lexicon<'_>) -> Facts {
    let mut facts = Facts { role: Some(Role::of(&file.path)), ..Facts::default() };
    let bytes = match scan::read_bytes(file) {
        Ok(bytes) => bytes,
        Err(mark) => {
            facts.mark = Some(mark);
            return facts;
        }
    };
    facts.mark = scan::mark_of(&file.path, &bytes);
    if facts.mark.is_some_and(|mark| !mark.has_text()) {
        return facts;
    }
    facts.imports = imports(&bytes);
    if lexicon.terms.is_empty() && lexicon.identifiers.is_empty() {
        return facts;
    }
    count_words(&bytes, lexicon, &mut facts);
    facts.phrases = lexicon.phrases_in(&bytes);
    facts
}

fn count_words(bytes: &[u8], lexicon: &Lexicon<'_>, facts: &mut Facts) {
    let mut terms = vec![0; lexicon.n_terms()];
    let mut named = vec![0; lexicon.n_terms()];
    let mut mentions = vec![false; lexicon.identifiers.len()];
    let mut defines = vec![false; lexicon.identifiers.len()];
    let mut reader = Reader::default();
    let mut after_keyword = None;
    words::for_each_word(bytes, |word, at| {
        facts.n_words += 1;
        // `def refresh`, `class Session`, `fn open`: the word after the keyword, with no more than blanks between.
        let is_name =
            after_keyword.take().is_some_and(|end: usize| bytes[end..at].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'*' | b'&')));
        reader.read(lexicon, word, |term| {
            terms[usize::from(term)] += 1;
            if is_name {
                named[usize::from(term)] += 1;
            }
        });
        if let Some(identifier) = lexicon.identifiers.get(word) {
            mentions[usize::from(*identifier)] = true;
            if is_name {
                defines[usize::from(*identifier)] = true;
            }
        }
        if is_definition_keyword(word) {
            after_keyword = Some(at + word.len());
        }
    });
    facts.terms = sparse(&terms);
    facts.named = sparse(&named);
    let positions = |flags: &[bool]| flags.iter().zip(0..).filter(|(flag, _)| **flag).map(|(_, at)| at).collect();
    facts.mentions = positions(&mentions);
    facts.defines = positions(&defines);
}

/// Words that stand before a name being defined, in any of the languages.
fn is_definition_keyword(word: &[u8]) -> bool {
    word.len() <= 11
        && matches!(
            word,
            b"def"
                | b"class"
                | b"fn"
                | b"struct"
                | b"enum"
                | b"trait"
                | b"interface"
                | b"func"
                | b"function"
                | b"type"
                | b"module"
                | b"namespace"
                | b"const"
                | b"static"
                | b"object"
                | b"record"
                | b"union"
                | b"impl"
                | b"macro_rules"
                | b"protocol"
                | b"extension"
                | b"defmodule"
                | b"defp"
                | b"defmacro"
                | b"fun"
                | b"define"
                | b"sub"
                | b"package"
                | b"let"
                | b"val"
                | b"typedef"
                | b"message"
                | b"service"
                | b"table"
                | b"TABLE"
                | b"mod"
                | b"var"
        )
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

/// The names of files or modules in an import line. `from a.b import c` names `a.b` and perhaps `a.b.c`.
fn targets(line: &str, imports: &mut Vec<String>) {
    let mut push = |target: &str| {
        if target.len() > 1 {
            imports.push(target.to_owned());
        }
    };
    let quoted = line.split(['"', '\'']).skip(1).step_by(2).collect::<Vec<_>>();
    if let Some(include) = line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).filter(|_| line.starts_with('#')) {
        push(include.0);
    } else if !quoted.is_empty() {
        quoted.iter().for_each(|target| push(target));
    } else if let Some((module, names)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
        let module = module.trim();
        push(module);
        for name in names.trim_matches(['(', ')', ' ']).split(',') {
            let name = name.split_whitespace().next().unwrap_or_default();
            let dot = if module.ends_with('.') { "" } else { "." };
            push(&format!("{module}{dot}{name}"));
        }
    } else {
        let words = line.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '{' | '}' | '(' | ')'));
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
        let text = "from django.db import models, router\nimport os.path\nuse crate::scan::{walk, Tree};\n\
                    #include <linux/fs.h>\n#include \"a.h\"\nconst x = require('./lib/x');\nimport { y } from '../y';\nprint(1)\n";
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
