//! The signals of each item of the files judged in depth.

use std::collections::{BTreeMap, BTreeSet};

use crate::outline::{Item, Outline};
use crate::score::goal::Frame;
use crate::score::index::IndexEntry;
use crate::score::signals::causes::{Cause, Causes, Scores, of_lines, saturated, total};
use crate::score::signals::files::{FileSignals, ItemScore, Sources};
use crate::score::signals::kinds::ItemSignal;
use crate::score::words::topic_words;
use crate::source::location::DocumentKind;

/// The factor for what an item has of its file and its length, if nothing in it is of the goal.
const ALONE: f64 = 0.5;

/// One signal of an item: its weight in the item's score, and its value between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemPart {
    pub(crate) signal: ItemSignal,
    pub(crate) weight: f64,
    pub(crate) value: f64,
}

/// The signals of the items of the files judged in depth.
pub(crate) struct ItemSignals<'e, 'a> {
    pub(super) file_signals: &'e FileSignals<'a>,
    pub(super) files: &'e Scores,
    best: ItemScore,
    /// The largest sum of phrases.
    most_phrases: f64,
    /// For an item that frames pass through, the innermost one and its value.
    traced: BTreeMap<(usize, usize), (usize, f64)>,
    /// For an item that other items use, the strongest user and the value of that use.
    used: BTreeMap<(usize, usize), ((usize, usize), f64)>,
}

impl<'e, 'a> ItemSignals<'e, 'a> {
    /// Computes the signals; `files` are the scores of the files, between 0 and 1.
    pub(crate) fn of(file_signals: &'e FileSignals<'a>, files: &'e Scores) -> ItemSignals<'e, 'a> {
        let most = |of: fn(&ItemScore) -> f64| {
            let of_file = |(file, scores): (&usize, &Vec<ItemScore>)| {
                let entry = &file_signals.sources.entries[file];
                let scores = scores.iter().enumerate().filter(|(at, _)| !entry.is_between(*at));
                scores.map(|(_, score)| of(score)).fold(1e-9, f64::max)
            };
            file_signals.item_scores.iter().map(of_file).fold(1e-9, f64::max)
        };
        let best = ItemScore {
            words: most(|score| score.words),
            title: most(|score| score.title),
            pairs: most(|score| score.pairs),
        };
        let mut items = ItemSignals {
            file_signals,
            files,
            best,
            most_phrases: 1e-9,
            traced: BTreeMap::new(),
            used: BTreeMap::new(),
        };
        let phrases = |(file, entry): (&usize, &IndexEntry)| {
            let sums = (0..entry.item_words.len()).map(|at| total(&items.phrases(*file, at)));
            sums.fold(1e-9, f64::max)
        };
        items.most_phrases = file_signals.sources.entries.iter().map(phrases).fold(1e-9, f64::max);
        items.traced = items.traced_items();
        items.used = items.used();
        items
    }

    /// Returns the signals of an item; its score is the sum of weight × value.
    pub(crate) fn parts(&self, file: usize, at: usize) -> [ItemPart; ItemSignal::ALL.len()] {
        let mut parts = ItemSignal::ALL.map(|signal| ItemPart {
            signal,
            weight: signal.weight(),
            value: self.value(signal, file, at),
        });
        // A section of a page can answer in other words.
        let is_code = self.file_signals.sources.tree.kind() == DocumentKind::File;
        if is_code && !parts.iter().any(|part| part.signal.is_of_goal() && part.value > 0.0) {
            parts.iter_mut().for_each(|part| part.weight *= ALONE);
        }
        parts
    }

    /// Returns the value of a signal for an item, between 0 and 1.
    pub(super) fn value(&self, signal: ItemSignal, file: usize, at: usize) -> f64 {
        let score = || {
            self.file_signals
                .item_scores
                .get(&file)
                .and_then(|scores| scores.get(at))
                .copied()
                .unwrap_or_default()
        };
        match signal {
            ItemSignal::File => self.files[file],
            ItemSignal::Words => (score().words / self.best.words).min(1.0),
            ItemSignal::Title => (score().title / self.best.title).min(1.0),
            ItemSignal::Named => self.named(file, at),
            ItemSignal::Phrase => total(&self.phrases(file, at)) / self.most_phrases,
            ItemSignal::Message => total(&self.message(file, at)),
            ItemSignal::Used => self.used.get(&(file, at)).map_or(0.0, |(_, value)| value.min(1.0)),
            ItemSignal::Trace => self.traced(file, at).map_or(0.0, |(_, value)| value),
            ItemSignal::Changed => f64::from(u8::from(!self.changed(file, at).is_empty())),
            ItemSignal::Length => {
                let item = self.item(file, at);
                let is_section = self.file_signals.sources.tree.kind() == DocumentKind::Page;
                // e⁶ is some 400 lines.
                if item.has_children || is_section {
                    0.0
                } else {
                    (libm::log1p(f64::from(item.lines.1 - item.lines.0)) / 6.0).min(1.0)
                }
            }
        }
    }

    /// Returns the causes of a value.
    pub(crate) fn causes(&self, signal: ItemSignal, file: usize, at: usize) -> Causes {
        let goal = self.file_signals.sources.goal;
        let terms = |weight: &dyn Fn(u16) -> f64| -> Causes {
            let words = &self.file_signals.sources.entries[&file].item_words[at];
            let length = f64::from(words.n_words) / self.file_signals.words_of_an_item;
            let of_terms =
                words.terms.iter().filter(|(term, _)| goal.is_term(*term) && weight(*term) > 0.0);
            let share = |term: u16, n: u32| {
                weight(term)
                    * self.file_signals.idf[usize::from(term)]
                    * saturated(f64::from(n), length)
            };
            of_terms.map(|(term, n)| (Cause::Term(*term), share(*term, *n))).collect()
        };
        match signal {
            ItemSignal::Words => terms(&|term| goal.weight(term)),
            ItemSignal::Title => terms(&|term| goal.title_weight(term)),
            ItemSignal::Phrase => self.phrases(file, at),
            ItemSignal::Message => self.message(file, at),
            ItemSignal::Used => self
                .used
                .get(&(file, at))
                .map(|((file, item), value)| (Cause::Use(*file, *item), *value))
                .into_iter()
                .collect(),
            ItemSignal::Trace => self
                .traced(file, at)
                .map(|(frame, value)| (Cause::Frame(frame), value))
                .into_iter()
                .collect(),
            ItemSignal::Changed => {
                let lines = self.changed(file, at);
                if lines.is_empty() { Vec::new() } else { vec![(of_lines(lines.into_iter()), 1.0)] }
            }
            ItemSignal::File | ItemSignal::Named | ItemSignal::Length => Vec::new(),
        }
    }

    /// Returns the square of the share of the goal's words that the item's own name and the names
    /// around it have, if the goal has the own name as code, or is one word.
    fn named(&self, file: usize, at: usize) -> f64 {
        let (goal, item) = (self.file_signals.sources.goal, self.item(file, at));
        let (name, _) = item.name.split_once('(').unwrap_or((&item.name, ""));
        if goal.name.is_empty() || !goal.has_name(name) {
            return 0.0;
        }
        let path = &self.file_signals.sources.tree.files[file].path;
        let found = topic_words(&format!("{path} {} {name}", item.qualified));
        let found: BTreeSet<String> = found.into_iter().collect();
        let share = goal.name.intersection(&found).count() as f64 / goal.name.len() as f64;
        share * share
    }

    /// Returns the phrases that few files contain and the item has.
    fn phrases(&self, file: usize, at: usize) -> Causes {
        let words = &self.file_signals.sources.entries[&file].item_words;
        words.get(at).map_or_else(Vec::new, |words| self.file_signals.phrases_of(&words.phrases))
    }

    /// Returns the phrases of the title's message that the item has.
    fn message(&self, file: usize, at: usize) -> Causes {
        let words = self.file_signals.sources.entries[&file].item_words.get(at);
        words.map_or_else(Vec::new, |words| self.file_signals.message(&words.phrases))
    }

    /// Returns the innermost frame that passes through an item without nested items, and its value.
    pub(crate) fn traced(&self, file: usize, at: usize) -> Option<(usize, f64)> {
        self.traced.get(&(file, at)).copied()
    }

    /// Returns the items that frames pass through, each with the innermost one and its value.
    fn traced_items(&self) -> BTreeMap<(usize, usize), (usize, f64)> {
        let Sources { goal, entries, .. } = self.file_signals.sources;
        let mut traced = BTreeMap::new();
        let mut value = 1.0;
        for (position, (frame, file)) in
            goal.frames.iter().zip(&self.file_signals.framed).enumerate()
        {
            let Some(file) = file else { continue };
            let outline = entries.get(file).map(|entry| &entry.depth.outline);
            for at in outline.map_or_else(Vec::new, |outline| passed_through(outline, frame)) {
                traced.entry((*file, at)).or_insert((position, value));
            }
            value *= 0.7;
        }
        traced
    }

    /// Returns the changed lines of an item's own code.
    pub(super) fn changed(&self, file: usize, at: usize) -> Vec<&'a (u32, u32)> {
        let outline = &self.file_signals.sources.entries[&file].depth.outline;
        let lines = self.file_signals.sources.changes.get(&file).into_iter().flatten();
        lines.filter(|lines| outline.touches_own_code(at, **lines)).collect()
    }

    fn item(&self, file: usize, at: usize) -> &'a Item {
        &self.file_signals.sources.entries[&file].depth.outline.items[at]
    }
}

/// Returns the items of a file that a frame passes through: those with the name of its function, as
/// the lines may be those of another version, else those at its line, else the nearest one.
fn passed_through(outline: &Outline, frame: &Frame) -> Vec<usize> {
    let items = &outline.items;
    let with_code = || (0..items.len()).filter(|at| items[*at].has_own_code());
    let holds = |at: &usize| outline.touches_own_code(*at, (frame.line, frame.line));
    let is_named = |at: &usize| frame.function.as_deref() == Some(items[*at].used_name());
    let named: Vec<usize> = with_code().filter(is_named).collect();
    let of_line = |among: &[usize]| among.iter().copied().filter(holds).collect::<Vec<_>>();
    let found = match &named[..] {
        [] => of_line(&with_code().collect::<Vec<_>>()),
        named => of_line(named),
    };
    if !found.is_empty() {
        return found;
    }
    if !named.is_empty() {
        return named;
    }
    // Comments stand above their item, so of two at the same distance it is the one below.
    let distance = |at: &usize| {
        let (first, last) = items[*at].lines;
        (first.saturating_sub(frame.line).max(frame.line.saturating_sub(last)), last < frame.line)
    };
    with_code().min_by_key(distance).into_iter().collect()
}
