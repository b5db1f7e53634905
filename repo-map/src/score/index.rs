//! Stage two: outlines and prices of the files that can matter, and the words of their items.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::outline::language::{self, Language};
use crate::outline::languages::Languages;
use crate::outline::{self, Item, Outline, Trouble};
use crate::render::{FilePrice, Page, Style};
use crate::score::first_pass::Lexicon;
use crate::score::goal::Goal;
use crate::score::words;
use crate::source::cache::{self, Pack, PackKind};
use crate::source::progress::{CancelToken, ProgressCount, ProgressSink, Stage};
use crate::source::scan::{self, FileEntry, Mark, Source, Tree};
use crate::text::mask;
use crate::text::sanitize::Gate;

/// What is known of one file in depth. The text itself is not kept.
#[derive(Debug, Clone)]
pub(crate) struct IndexEntry {
    pub(crate) digest: blake3::Hash,
    pub(crate) depth: Depth,
    /// For each item, how often the goal's terms stand in its own text, and how many words that
    /// has.
    pub(crate) item_words: Vec<(Vec<(u16, u32)>, u32)>,
    /// Whether `depth` says something that no pack does.
    is_new: bool,
}

/// What the text of a file says whatever the goal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Depth {
    pub(crate) mark: Option<Mark>,
    pub(crate) outline: Outline,
    /// For each item, the identifiers in its own text, by their positions among those of the file.
    item_uses: Vec<Vec<u32>>,
    /// Identifiers of the text with their number, sorted.
    pub(crate) identifiers: Vec<(String, u32)>,
    /// What the file costs at each level, in the style it was asked for last.
    price: Option<(Style, FilePrice)>,
}

/// What prices add up to at most, so that those of many files can be added up, too.
const MOST_TOKENS: u64 = 1 << 26;

/// Where what is known in depth is kept.
pub(crate) const OUTLINES: PackKind =
    PackKind { name: "outlines", most: 64 << 20, one_in: cache::ANY };

/// What outlines depend on besides the text: queries, grammars and what is masked.
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
    format!("{}\n{languages}{}", mask::RULE_SET, in_force.about()).into_bytes()
}

/// Reads files in depth, or finds them in packs.
#[derive(Clone, Copy)]
pub(crate) struct OutlineReader<'a> {
    pub(crate) words: &'a Pack,
    pub(crate) outlines: &'a Pack,
    pub(crate) languages: &'a Languages,
    pub(crate) gate: Gate,
    pub(crate) watcher: Option<&'a ProgressSink>,
    pub(crate) cancelled: &'a CancelToken,
}

impl OutlineReader<'_> {
    /// Outlines files in parallel and counts the goal's words in their items; the result stands in
    /// the order of `files`. Nothing is priced: of the files judged in depth few come into a map.
    /// Cancelled, it is not to be used.
    pub(crate) fn judged(&self, files: &[&FileEntry], goal: &Goal) -> Vec<IndexEntry> {
        let lexicon = Lexicon::of(goal);
        let count = ProgressCount::new(self.watcher, Stage::Outline, Some(files.len()));
        let one = |file: &&FileEntry| {
            if self.cancelled.is_cancelled() {
                return IndexEntry {
                    digest: blake3::hash(b""),
                    depth: Depth::default(),
                    item_words: Vec::new(),
                    is_new: false,
                };
            }
            if goal.is_empty()
                && let Some((digest, depth)) = self.unchanged(file)
            {
                let item_words = vec![Default::default(); depth.outline.items.len()];
                count.one(true);
                return IndexEntry { digest, depth, item_words, is_new: false };
            }
            let source = scan::read(file, self.gate);
            let (depth, is_new) = match self.kept_of(file, &source) {
                Some(depth) => (depth, false),
                None => (Depth::of(self.languages, &file.path, &source), true),
            };
            let words = |(item, text): (&Item, String)| words_of_item(item, &text, &lexicon);
            let item_words = own_texts(&depth.outline, &source.text).map(words).collect();
            count.one(!is_new);
            IndexEntry { digest: source.digest, depth, item_words, is_new }
        };
        files.par_iter().with_max_len(8).map(one).collect()
    }

    /// Entries with prices, from those that are there or from the start. A file that was changed
    /// since it was judged is read anew: nothing of what was known of its items holds any more.
    pub(crate) fn priced(
        &self,
        files: Vec<(&FileEntry, Option<IndexEntry>)>,
        style: Style,
    ) -> Vec<IndexEntry> {
        let count = ProgressCount::new(self.watcher, Stage::Price, Some(files.len()));
        let one = |(file, known): (&FileEntry, Option<IndexEntry>)| {
            let known = known.or_else(|| {
                let (digest, depth) = self.unchanged(file)?;
                Some(IndexEntry { digest, depth, item_words: Vec::new(), is_new: false })
            });
            let known = match known {
                Some(entry) if entry.is_priced(style) => {
                    count.one(true);
                    return entry;
                }
                known => known,
            };
            let source = scan::read(file, self.gate);
            let mut entry =
                known.filter(|entry| entry.is_of(&source)).unwrap_or_else(|| IndexEntry {
                    digest: source.digest,
                    depth: self
                        .kept_of(file, &source)
                        .unwrap_or_else(|| Depth::of(self.languages, &file.path, &source)),
                    item_words: Vec::new(),
                    is_new: false,
                });
            if !entry.is_priced(style) {
                let page = Page::new(
                    &file.path,
                    self.languages.of(&file.path, &source),
                    &source.text,
                    &entry.depth.outline,
                );
                entry.depth.price = Some((style, page.price(style)));
                entry.is_new = true;
            }
            count.one(!entry.is_new);
            entry
        };
        files.into_par_iter().with_max_len(8).map(one).collect()
    }

    fn unchanged(&self, file: &FileEntry) -> Option<(blake3::Hash, Depth)> {
        let digest = self.words.unchanged(&file.path, file.stamp)?;
        Some((digest, self.kept(file, &digest)?))
    }

    /// Nothing is known of a file that was not read: it has no content, and the digest of none.
    fn kept_of(&self, file: &FileEntry, source: &Source) -> Option<Depth> {
        let is_read = source.mark.is_none_or(Mark::has_text);
        self.kept(file, &source.digest)
            .filter(|_| is_read)
            .filter(|depth| depth.outline.fits(&source.text))
    }

    /// Packs know masked text only.
    fn kept(&self, file: &FileEntry, digest: &blake3::Hash) -> Option<Depth> {
        let depth: Depth = postcard::from_bytes(
            self.outlines.get(&file.path, digest).filter(|_| self.gate == Gate::default())?,
        )
        .ok()?;
        depth.is_sound().then_some(depth)
    }
}

/// Puts what was found out since the pack was opened into it.
pub(crate) fn keep(pack: &mut Pack, tree: &Tree, entries: &mut BTreeMap<usize, IndexEntry>) {
    for (file, entry) in entries {
        let path = &tree.files[*file].path;
        let is_lasting = entry.depth.outline.trouble.is_none_or(Trouble::is_of_the_text);
        match std::mem::take(&mut entry.is_new)
            && entry.depth.mark.is_none_or(Mark::has_text)
            && is_lasting
        {
            true => pack.put(
                path,
                None,
                entry.digest,
                postcard::to_stdvec(&entry.depth).unwrap_or_default(),
            ),
            false => pack.touch(path, None),
        }
    }
}

impl Depth {
    fn of(languages: &Languages, path: &str, source: &Source) -> Depth {
        let (_, outline) = languages.outline_of(path, source);
        let identifiers = identifiers(&source.text);
        let positions =
            identifiers.iter().zip(0..).map(|((word, _), at)| (word.as_bytes(), at)).collect();
        let item_uses =
            own_texts(&outline, &source.text).map(|(_, text)| uses(&text, &positions)).collect();
        Depth { mark: source.mark, outline, item_uses, identifiers, price: None }
    }

    /// Whether it could be that of some text: what was read from a pack may be anything.
    fn is_sound(&self) -> bool {
        let Depth { outline: Outline { items, .. }, item_uses, identifiers, price, .. } = self;
        items.len() <= outline::MAX_ITEMS
            && items.iter().enumerate().all(|(at, item)| {
                item.parent.is_none_or(|parent| parent < at) && item.lines.1 < u32::MAX
            })
            && item_uses.len() == items.len()
            && item_uses.iter().flatten().all(|at| (*at as usize) < identifiers.len())
            && price.iter().all(|(_, price)| {
                price.items.len() == items.len() && price.of_everything() <= MOST_TOKENS
            })
    }
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

fn uses(text: &str, positions: &HashMap<&[u8], u32>) -> Vec<u32> {
    let mut uses = Vec::new();
    words::for_each_word(text.as_bytes(), |word, _| uses.extend(positions.get(word)));
    uses.sort_unstable();
    uses.dedup();
    uses
}

/// Each item with the text that is its own: without that of the items nested in it.
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

fn identifiers(text: &str) -> Vec<(String, u32)> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    words::for_each_word(text.as_bytes(), |word, _| {
        if word.len() >= 3
            && let Ok(word) = std::str::from_utf8(word)
        {
            *counts.entry(word).or_default() += 1;
        }
    });
    let mut identifiers: Vec<(String, u32)> =
        counts.into_iter().map(|(word, n)| (word.to_owned(), n)).collect();
    identifiers.sort_unstable();
    identifiers
}

impl IndexEntry {
    /// What the file costs at each level.
    pub(crate) fn price(&self) -> &FilePrice {
        &self.depth.price.as_ref().expect("a file is priced before it is offered to the fit").1
    }

    /// Whether what is known can be said of this text.
    pub(crate) fn is_of(&self, source: &Source) -> bool {
        self.digest == source.digest && self.depth.outline.fits(&source.text)
    }

    pub(crate) fn is_priced(&self, style: Style) -> bool {
        self.depth.price.as_ref().is_some_and(|(of, _)| *of == style)
    }

    /// Whether the goal's words were counted in its items.
    pub(crate) fn is_judged(&self) -> bool {
        !self.item_words.is_empty()
    }

    /// The goal's terms and pairs that stand in any of its items.
    pub(crate) fn terms(&self) -> BTreeSet<u16> {
        self.item_words.iter().flat_map(|(terms, _)| terms).map(|(term, _)| *term).collect()
    }

    /// The identifiers in the text of one item.
    pub(crate) fn uses_of(&self, item: usize) -> impl Iterator<Item = &str> {
        self.depth.item_uses[item].iter().map(|at| self.depth.identifiers[*at as usize].0.as_str())
    }

    /// The names that this file defines.
    pub(crate) fn names(&self) -> BTreeSet<&str> {
        self.depth.outline.items.iter().map(|item| item.name.as_str()).collect()
    }
}
