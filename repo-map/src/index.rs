//! Stage two: outlines and prices of the files that can matter, and the words of their items.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::goal::Goal;
use crate::language::{self, Language};
use crate::outline::{self, Item, Outline};
use crate::render::{FilePrice, Page, Style};
use crate::scan::{self, FileEntry, Mark, Source};
use crate::survey::Lexicon;
use crate::words;

/// What is known of one file in depth. The text itself is not kept.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) mark: Option<Mark>,
    pub(crate) outline: Outline,
    pub(crate) price: FilePrice,
    /// For each item, how often the goal's terms stand in its own text, and how many words that has.
    pub(crate) item_words: Vec<(Vec<(u16, u32)>, u32)>,
    /// Identifiers of the text with their number, for the graph of references.
    pub(crate) identifiers: Vec<(String, u32)>,
}

/// What is asked of stage two besides outlines and prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Outlines and prices alone.
    Prices,
    /// The words of items and the identifiers of the text too.
    Words,
}

/// Reads, outlines and prices files in parallel; the result stands in the order of `files`.
pub(crate) fn index(files: &[(&FileEntry, Depth)], goal: &Goal, style: Style, unmasked: bool) -> Vec<Entry> {
    let lexicon = Lexicon::of(goal);
    files
        .par_iter()
        .with_max_len(8)
        .map(|(file, depth)| {
            let source = scan::read(file, unmasked);
            entry(&file.path, source, *depth, &lexicon, style)
        })
        .collect()
}

/// The outline of a file's text, and the language it is in.
pub(crate) fn outline_of(path: &str, source: &Source) -> (Option<&'static Language>, Outline) {
    let language = language::of_path(path).or_else(|| language_of_shebang(&source.text));
    let language = if path.ends_with(".h") && is_cpp_header(&source.text) { language::named("cpp") } else { language };
    match language {
        // A file without text has no outline either, but that is not its language's fault.
        Some(language) => (Some(language), outline::outline(language, &source.text)),
        None => (None, Outline::default()),
    }
}

/// `.h` is C unless the text says otherwise.
fn is_cpp_header(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        let declares = |word: &str| line.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '<', ':']));
        declares("namespace")
            || declares("template")
            || declares("class") && !line.ends_with(';')
            || line.starts_with("public:")
            || line.starts_with("private:")
    })
}

fn language_of_shebang(text: &str) -> Option<&'static Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let program = line.split(['/', ' ']).rfind(|word| !word.is_empty() && !word.starts_with('-'))?;
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "zsh" | "dash" | "ksh" => language::named("bash"),
        "node" => language::named("javascript"),
        other => language::named(other),
    }
}

fn entry(path: &str, source: Source, depth: Depth, lexicon: &Lexicon<'_>, style: Style) -> Entry {
    let (language, outline) = outline_of(path, &source);
    let page = Page::new(path, language, &source.text, &outline);
    let price = page.price(style);
    let (item_words, identifiers) = match depth {
        Depth::Prices => (Vec::new(), Vec::new()),
        Depth::Words => {
            (own_texts(&outline, &source.text).map(|(item, text)| words_of_item(item, &text, lexicon)).collect(), identifiers(&source.text))
        }
    };
    Entry { mark: source.mark, outline, price, item_words, identifiers }
}

/// How much more a word in the item's own name weighs.
const NAME_WEIGHT: u32 = 3;

fn words_of_item(item: &Item, text: &str, lexicon: &Lexicon<'_>) -> (Vec<(u16, u32)>, u32) {
    let (mut terms, n_words) = lexicon.count(text.as_bytes());
    let (name_terms, n_name_words) = lexicon.count(item.qualified.as_bytes());
    for (term, n) in name_terms {
        match terms.binary_search_by_key(&term, |(term, _)| *term) {
            Ok(at) => terms[at].1 += NAME_WEIGHT * n,
            Err(at) => terms.insert(at, (term, NAME_WEIGHT * n)),
        }
    }
    (terms, n_words + NAME_WEIGHT * n_name_words)
}

/// Each item with the text that is its own: without that of the items nested in it.
fn own_texts<'a>(outline: &'a Outline, text: &'a str) -> impl Iterator<Item = (&'a Item, String)> {
    outline.items.iter().enumerate().map(move |(at, item)| {
        let mut own = String::new();
        let mut from = item.span.start;
        if item.has_children {
            let nested = outline.items[at + 1..].iter().take_while(|other| other.span.start < item.span.end);
            for child in nested.filter(|other| other.parent == Some(at)) {
                own.push_str(text.get(from..child.span.start).unwrap_or_default());
                from = from.max(child.span.end);
            }
        }
        own.push_str(text.get(from..item.span.end).unwrap_or_default());
        (item, own)
    })
}

fn identifiers(text: &str) -> Vec<(String, u32)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    words::for_each_word(text.as_bytes(), |word, _| {
        if word.len() >= 3
            && let Ok(word) = std::str::from_utf8(word)
        {
            *counts.entry(word).or_default() += 1;
        }
    });
    counts.into_iter().map(|(word, n)| (word.to_owned(), n)).collect()
}

impl Entry {
    /// The names that this file defines.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.outline.items.iter().map(|item| item.name.as_str()).collect()
    }
}
