//! Stage two: outlines and prices of the files that may matter, and the words of their items.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::outline::language::{self, Language};
use crate::outline::languages::Languages;
use crate::outline::{self, Item, ItemKind, Outline, Trouble};
use crate::render::{FilePrice, Page, Style, length_of_intro};
use crate::score::first_pass::{Lexicon, Phrases};
use crate::score::goal::Goal;
use crate::score::identifiers::{for_each_identifier, refers_to_code};
use crate::score::shown_code::shown_code;
#[cfg(feature = "word-vectors")]
use crate::score::word_vectors::TextVector;
use crate::score::{lesser, repeated};
use crate::source::cache::{self, Pack, PackKind};
use crate::source::progress::{CancelToken, ProgressCount, ProgressSink, Stage};
use crate::source::scan::{self, FileEntry, Mark, Source};
use crate::text::mask;
use crate::text::sanitize::Gate;

/// The index entry of one file. It does not contain the text.
#[derive(Debug)]
pub(crate) struct IndexEntry {
    pub(crate) digest: blake3::Hash,
    pub(crate) depth: Depth,
    /// For each item, what its own text has of the goal.
    pub(crate) item_words: Vec<ItemWords>,
    /// The sections of a page nearest to the goal in meaning, at most two; the shares add up to
    /// the page's nearness, between 0 and 1.
    pub(crate) nearest: Vec<(usize, f64)>,
    /// The price of the file at each level, once requested.
    price: OnceLock<FilePrice>,
    /// The parts that come unchanged from a pack.
    is_kept: IsKept,
}

/// What one item has of the goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct ItemWords {
    /// The counts of the goal's terms and pairs in the item's own text and name.
    pub(crate) terms: Vec<(u16, u32)>,
    /// The number of words in that text and name.
    pub(crate) n_words: u32,
    /// The goal's phrases in that text.
    pub(crate) phrases: Vec<u16>,
}

/// The parts of an entry that come from a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IsKept {
    Nothing,
    Depth,
    DepthAndPrice,
}

/// The data of a file's text that does not depend on a goal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Depth {
    pub(crate) mark: Option<Mark>,
    pub(crate) outline: Outline,
    /// For each item, the identifiers in its own text, by their positions among those of the file.
    item_uses: Vec<Vec<u32>>,
    /// For each item, the length of the part of its comment that level interface shows, in bytes.
    pub(crate) intros: Vec<u32>,
    /// The positions of the items that are marked deprecated, ascending.
    deprecated: Vec<usize>,
    /// The positions of the functions that only hand on, ascending.
    forwards: Vec<usize>,
    /// The positions of the sections that can repeat, ascending, with the digests of their words.
    sections: Vec<(usize, u64)>,
    /// The identifiers in the code that a README shows, by their positions, ascending.
    shown: Vec<u32>,
    /// The identifiers of the text with their counts, sorted.
    pub(crate) identifiers: Vec<(String, u32)>,
}

/// The data of a file in a pack: its depth, and its price in the last requested style.
type KeptEntry = (Depth, Option<(Style, FilePrice)>);

/// The maximum sum of the prices of a file in tokens, so that prices of many files can be added.
const MOST_TOKENS: u64 = 1 << 26;

/// The pack of outlines and prices.
pub(crate) const OUTLINES: PackKind =
    PackKind { name: "outlines", most: 64 << 20, one_in: cache::ANY };

/// Returns the inputs of outlines besides the text: queries, grammars, rules of masks and marks.
pub(crate) fn about_outlines(in_force: &Languages) -> Vec<u8> {
    let of_language = |language: &Language| {
        let grammar = language.grammar();
        format!(
            "{} {} {} {}\n{}",
            language.name,
            grammar.abi_version(),
            grammar.parse_state_count(),
            grammar.node_kind_count(),
            language.query
        )
    };
    let languages: String = language::all().iter().map(of_language).collect();
    let rules = [mask::RULE_SET, scan::MARK_RULES].join(" ");
    format!("{rules}\n{languages}{}", in_force.about()).into_bytes()
}

/// Reads files in depth, or finds their data in packs.
#[derive(Clone, Copy)]
pub(crate) struct OutlineReader<'a> {
    pub(crate) words: &'a Pack,
    pub(crate) outlines: &'a Pack,
    pub(crate) languages: &'a Languages,
    pub(crate) gate: Gate,
    /// The style of prices.
    pub(crate) style: Style,
    pub(crate) watcher: Option<&'a ProgressSink>,
    pub(crate) cancelled: &'a CancelToken,
}

impl OutlineReader<'_> {
    /// Outlines files in parallel and counts the goal's words in their items; the results are in
    /// the order of `files`. Prices are not computed, because few of these files come into a map.
    /// After a cancellation the result is incomplete and must not be used.
    pub(crate) fn judged(&self, files: &[&FileEntry], goal: &Goal) -> Vec<IndexEntry> {
        let lexicon = Lexicon::of(goal);
        let phrases = Phrases::of(goal);
        #[cfg(feature = "word-vectors")]
        let meaning = files
            .first()
            .filter(|file| file.is_page() && !goal.is_empty())
            .map(|_| TextVector::of_goal(&goal.text));
        let count = ProgressCount::new(self.watcher, Stage::Outline, Some(files.len()));
        let one = |file: &&FileEntry| {
            if self.cancelled.is_cancelled() {
                return IndexEntry::fresh(blake3::hash(b""), Depth::default());
            }
            if goal.is_empty()
                && let Some(mut entry) = self.unchanged(file)
            {
                entry.item_words = vec![Default::default(); entry.depth.outline.items.len()];
                count.one(true);
                return entry;
            }
            let source = scan::read(file, self.gate);
            let mut entry = self.entry_of(file, &source);
            let words =
                |(item, text): (&Item, String)| words_of_item(item, &text, &lexicon, &phrases);
            entry.item_words = own_texts(&entry.depth.outline, &source.text).map(words).collect();
            #[cfg(feature = "word-vectors")]
            if let Some(meaning) = &meaning {
                entry.nearest = nearest(meaning, &entry.depth.outline, &source.text);
            }
            count.one(entry.is_kept != IsKept::Nothing);
            entry
        };
        files.par_iter().with_max_len(8).map(one).collect()
    }

    /// Prices files in parallel. Returns an entry for each file that has none, and for each that
    /// changed since it was judged, because the data of its items is out of date.
    pub(crate) fn price(
        &self,
        files: &[(&FileEntry, Option<&IndexEntry>)],
    ) -> Vec<Option<IndexEntry>> {
        let count = ProgressCount::new(self.watcher, Stage::Price, Some(files.len()));
        let one = |(file, known): &(&FileEntry, Option<&IndexEntry>)| {
            let found = if known.is_none() { self.unchanged(file) } else { None };
            if known.or(found.as_ref()).is_some_and(IndexEntry::is_priced) {
                count.one(true);
                return found;
            }
            let source = scan::read(file, self.gate);
            if let Some(known) = known.filter(|entry| entry.is_of(&source)) {
                count.one(false);
                self.price_one(file, known, &source);
                return None;
            }
            let entry = found
                .filter(|entry| entry.is_of(&source))
                .unwrap_or_else(|| self.entry_of(file, &source));
            count.one(entry.is_priced());
            self.price_one(file, &entry, &source);
            Some(entry)
        };
        files.par_iter().with_max_len(8).map(one).collect()
    }

    fn price_one(&self, file: &FileEntry, entry: &IndexEntry, source: &Source) {
        if entry.is_priced() {
            return;
        }
        let language = self.languages.of(&file.path, source);
        let page = Page::new(&file.path, language, &source.text, &entry.depth.outline);
        // Another thread may have computed the same price meanwhile.
        let _ = entry.price.set(page.price(self.style));
    }

    /// Returns the entry of a text from a pack, or computes it.
    fn entry_of(&self, file: &FileEntry, source: &Source) -> IndexEntry {
        // A file that was not read has no content, and the digest of an empty one.
        let is_read = source.mark.is_none_or(Mark::has_text);
        let kept = self.kept(file, source.digest).filter(|_| is_read);
        kept.filter(|entry| entry.depth.outline.fits(&source.text)).unwrap_or_else(|| {
            IndexEntry::fresh(source.digest, Depth::of(self.languages, &file.path, source))
        })
    }

    fn unchanged(&self, file: &FileEntry) -> Option<IndexEntry> {
        self.kept(file, self.words.unchanged(&file.path, file.stamp)?)
    }

    /// Returns the entry from the pack. Packs contain masked text only.
    fn kept(&self, file: &FileEntry, digest: blake3::Hash) -> Option<IndexEntry> {
        let kept =
            self.outlines.get(&file.path, &digest).filter(|_| self.gate == Gate::default())?;
        let (depth, price): KeptEntry = postcard::from_bytes(kept).ok()?;
        if !depth.is_sound() || !price.iter().all(|(_, price)| is_sound_for(price, &depth)) {
            return None;
        }
        let price = price.filter(|(style, _)| *style == self.style).map(|(_, price)| price);
        Some(IndexEntry {
            is_kept: if price.is_some() { IsKept::DepthAndPrice } else { IsKept::Depth },
            price: price.map(OnceLock::from).unwrap_or_default(),
            ..IndexEntry::fresh(digest, depth)
        })
    }
}

impl Depth {
    fn of(languages: &Languages, path: &str, source: &Source) -> Depth {
        let (language, outline) = languages.outline_of(path, source);
        let identifiers = match refers_to_code(path) {
            true => identifiers(&source.text, language),
            false => Vec::new(),
        };
        let positions =
            identifiers.iter().zip(0..).map(|((word, _), at)| (word.as_bytes(), at)).collect();
        let mut sections = Vec::new();
        let item_uses = own_texts(&outline, &source.text)
            .enumerate()
            .map(|(at, (item, text))| {
                sections.extend(repeated::digest_of(item, &text).map(|digest| (at, digest)));
                uses(&text, language, &positions)
            })
            .collect();
        let deprecated = lesser::deprecated(&outline, &source.text);
        let forwards = lesser::forwards(&outline, &source.text);
        let intro = |item: &Item| length_of_intro(item.doc.as_ref(), &source.text);
        let intros = outline.items.iter().map(intro).collect();
        let shown = uses(&shown_code(path, &source.text), None, &positions);
        let mark = source.mark;
        Depth {
            mark,
            outline,
            item_uses,
            intros,
            deprecated,
            forwards,
            sections,
            shown,
            identifiers,
        }
    }

    /// Checks that the data is consistent: a pack may contain anything.
    fn is_sound(&self) -> bool {
        let Depth { outline: Outline { items, .. }, item_uses, intros, shown, identifiers, .. } =
            self;
        items.len() <= outline::MAX_ITEMS
            && items.iter().enumerate().all(|(at, item)| {
                item.parent.is_none_or(|parent| parent < at)
                    && item.lines.0 <= item.lines.1
                    && item.lines.1 < u32::MAX
            })
            && item_uses.len() == items.len()
            && intros.len() == items.len()
            && item_uses.iter().flatten().chain(shown).all(|at| (*at as usize) < identifiers.len())
    }
}

/// Checks that a price is consistent with the outline.
fn is_sound_for(price: &FilePrice, depth: &Depth) -> bool {
    price.items.len() == depth.outline.items.len() && price.of_everything() <= MOST_TOKENS
}

/// The weight of a word in the item's own name, and in those of its containers: these are the same
/// for every member, so they say little about one of them.
const NAME_WEIGHT: u32 = 3;
const CONTAINER_WEIGHT: u32 = 1;

fn words_of_item(item: &Item, text: &str, lexicon: &Lexicon<'_>, phrases: &Phrases) -> ItemWords {
    // What a file imports says what is in the other file.
    let text = if item.kind == ItemKind::Imports { "" } else { text };
    let (terms, n_words) = lexicon.count(text.as_bytes());
    let mut words = ItemWords { terms, n_words, phrases: phrases.find(text.as_bytes()) };
    // The name of text between items is no word of it.
    if item.kind.is_between() {
        return words;
    }
    let container = item.qualified.strip_suffix(item.name.as_str()).unwrap_or_default();
    words.add(lexicon, &item.name, NAME_WEIGHT);
    words.add(lexicon, container, CONTAINER_WEIGHT);
    words
}

impl ItemWords {
    /// Adds the terms of a name, each `weight` times.
    fn add(&mut self, lexicon: &Lexicon<'_>, name: &str, weight: u32) {
        let (terms, n_words) = lexicon.count(name.as_bytes());
        self.n_words += weight * n_words;
        for (term, n) in terms {
            match self.terms.binary_search_by_key(&term, |(term, _)| *term) {
                Ok(at) => self.terms[at].1 += weight * n,
                Err(at) => self.terms.insert(at, (term, weight * n)),
            }
        }
    }
}

/// Returns the sections of a page nearest to a goal, with their shares. The title is that of the
/// first section, and belongs to each.
#[cfg(feature = "word-vectors")]
fn nearest(goal: &TextVector, outline: &Outline, text: &str) -> Vec<(usize, f64)> {
    let first = outline.items.iter().find(|item| !item.kind.is_between());
    let title = first.map_or("", |item| &item.name);
    let sections = own_texts(outline, text);
    goal.nearest(sections.map(|(_, text)| TextVector::of_section(title, &text)))
}

fn uses(
    text: &str,
    language: Option<&'static Language>,
    positions: &HashMap<&[u8], u32>,
) -> Vec<u32> {
    let mut uses = Vec::new();
    for_each_identifier(text, language, |word| uses.extend(positions.get(word)));
    uses.sort_unstable();
    uses.dedup();
    uses
}

/// Returns each item with its own text, without the text of items nested in it.
fn own_texts<'a>(outline: &'a Outline, text: &'a str) -> impl Iterator<Item = (&'a Item, String)> {
    outline.items.iter().enumerate().map(move |(at, item)| {
        let mut own = String::new();
        let mut from = item.span.start;
        if item.has_children {
            let nested =
                outline.items[at + 1..].iter().take_while(|other| other.span.start < item.span.end);
            for child in nested.filter(|other| other.parent == Some(at)) {
                own.push_str(text.get(from..child.span.start).unwrap_or_default());
                from = from.max(child.span.end);
            }
        }
        own.push_str(text.get(from..item.span.end).unwrap_or_default());
        (item, own)
    })
}

fn identifiers(text: &str, language: Option<&'static Language>) -> Vec<(String, u32)> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for_each_identifier(text, language, |word| {
        // Two small letters name something else in every function; `DB` and `IO` are types.
        let is_long = word.len() >= 3 || word.len() == 2 && word[0].is_ascii_uppercase();
        if is_long && let Ok(word) = std::str::from_utf8(word) {
            *counts.entry(word).or_default() += 1;
        }
    });
    let mut identifiers: Vec<(String, u32)> =
        counts.into_iter().map(|(word, n)| (word.to_owned(), n)).collect();
    identifiers.sort_unstable();
    identifiers
}

impl IndexEntry {
    fn fresh(digest: blake3::Hash, depth: Depth) -> IndexEntry {
        let (item_words, nearest) = (Vec::new(), Vec::new());
        let (price, is_kept) = (OnceLock::new(), IsKept::Nothing);
        IndexEntry { digest, depth, item_words, nearest, price, is_kept }
    }

    /// Returns the price of the file at each level.
    pub(crate) fn price(&self) -> &FilePrice {
        self.price.get().expect("a file is priced before it is offered to the fit")
    }

    /// Stores the results since the pack was opened in the pack. A repeated call changes nothing.
    pub(crate) fn keep(&self, pack: &mut Pack, path: &str, style: Style) {
        let is_lasting = self.depth.outline.trouble.is_none_or(Trouble::is_of_the_text);
        if !self.is_new() || !self.depth.mark.is_none_or(Mark::has_text) || !is_lasting {
            return pack.touch(path, None);
        }
        let price = self.price.get().map(|price| (style, price));
        let bytes = postcard::to_stdvec(&(&self.depth, price)).unwrap_or_default();
        match pack.get(path, &self.digest) == Some(&bytes[..]) {
            true => pack.touch(path, None),
            false => pack.put(path, None, self.digest, bytes),
        }
    }

    /// Reports whether the entry belongs to this text.
    pub(crate) fn is_of(&self, source: &Source) -> bool {
        self.digest == source.digest && self.depth.outline.fits(&source.text)
    }

    pub(crate) fn is_priced(&self) -> bool {
        self.price.get().is_some()
    }

    /// Reports whether the entry has data that no pack has.
    fn is_new(&self) -> bool {
        match self.is_kept {
            IsKept::Nothing => true,
            IsKept::Depth => self.is_priced(),
            IsKept::DepthAndPrice => false,
        }
    }

    /// Reports whether the goal's words were counted in its items.
    pub(crate) fn is_judged(&self) -> bool {
        !self.item_words.is_empty()
    }

    /// Returns the goal's terms and pairs that occur in any of its definitions.
    pub(crate) fn terms(&self) -> BTreeSet<u16> {
        self.defined_words().flat_map(|(_, words)| &words.terms).map(|(term, _)| *term).collect()
    }

    /// Returns the words of its items, by position, except those of the text between definitions:
    /// that text is as long as it happens to be, so it is no measure for definitions or files.
    pub(crate) fn defined_words(&self) -> impl Iterator<Item = (usize, &ItemWords)> {
        let items = self.item_words.iter().enumerate();
        items.filter(|(at, _)| !self.is_between(*at))
    }

    pub(crate) fn is_between(&self, at: usize) -> bool {
        self.depth.outline.items.get(at).is_some_and(|item| item.kind.is_between())
    }

    /// Returns the sections that can repeat, with the digests of their words.
    pub(crate) fn sections(&self) -> &[(usize, u64)] {
        &self.depth.sections
    }

    /// Reports whether an item, or one around it, is marked deprecated.
    pub(crate) fn is_deprecated(&self, at: usize) -> bool {
        let items = &self.depth.outline.items;
        std::iter::successors(Some(at), |at| items[*at].parent)
            .any(|at| self.depth.deprecated.binary_search(&at).is_ok())
    }

    /// Reports whether a function only hands its arguments on to another one of its name.
    pub(crate) fn forwards(&self, at: usize) -> bool {
        self.depth.forwards.binary_search(&at).is_ok()
    }

    /// Returns the identifiers in the text of one item.
    pub(crate) fn uses_of(&self, item: usize) -> impl Iterator<Item = &str> {
        self.depth.item_uses[item].iter().map(|at| self.depth.identifiers[*at as usize].0.as_str())
    }

    /// Returns the identifiers in the code that a README shows.
    pub(crate) fn shown_names(&self) -> impl Iterator<Item = &str> {
        self.depth.shown.iter().map(|at| self.depth.identifiers[*at as usize].0.as_str())
    }

    /// Returns the names that this file defines, as others use them.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.depth.outline.items.iter().map(Item::used_name).collect()
    }

    /// Returns the types of which this file has a part, each with whether that is the main one: the
    /// part with the comment.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&str, bool)> {
        let parts = self.depth.outline.items.iter().filter(|item| item.is_part);
        parts.map(|item| (item.used_name(), item.doc.is_some()))
    }

    /// Returns those of its names that other files can use: keys of data, rules of style sheets and
    /// elements of pages are none. Code and the heading that explains it share a name. A deprecated
    /// function without a body is none either: so a header of C forbids `free`.
    pub(crate) fn names_for_others(&self) -> BTreeSet<&str> {
        let is_for_others = |(at, item): &(usize, &Item)| match item.kind {
            ItemKind::Function => item.body.is_some() || !self.is_deprecated(*at),
            // Who uses a field names its type; `file` and `size` are words of every comment.
            ItemKind::Field => false,
            kind => kind.is_code() || kind == ItemKind::Heading,
        };
        let items = self.depth.outline.items.iter().enumerate().filter(is_for_others);
        items.map(|(_, item)| item.used_name()).collect()
    }
}
