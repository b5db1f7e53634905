//! The value of showing a file or item of worth `w` in `t` tokens: `w⁴ · t^¾`, and `w³ · t^¾` in
//! an overview. For pages that match a goal it is `w⁸ · √t`: an answer stands in one section of
//! many that could have it.
//!
//! The first tokens about a thing are the most useful, and a file half as likely to matter is
//! worth a sixteenth. On public issues these exponents put most of the functions that a fix changed
//! into the map with their bodies. Values are integers.

use std::cmp::{Ordering, Reverse};

use crate::fit::problem::{FitCandidate, FitProblem, Valuation};
use crate::level::Level;
use crate::outline::{Item, ItemKind, Outline};
use crate::render::Choice;
use crate::score::index::IndexEntry;
use crate::score::judge::ONE;

/// The factor in an overview for much text between items, and for sections with many badges: it is
/// licences, badges and imports.
const ASIDE: f64 = 0.02;

/// Compares the gain per token of two steps, `gain_a` for `tokens_a` with `gain_b` for `tokens_b`.
pub(super) fn steeper(gain_a: u64, tokens_a: u32, gain_b: u64, tokens_b: u32) -> Ordering {
    (u128::from(gain_a) * u128::from(tokens_b.max(1)))
        .cmp(&(u128::from(gain_b) * u128::from(tokens_a.max(1))))
}

/// The worth of an item, and the factor for its values.
#[derive(Clone, Copy)]
pub(super) struct ItemWorth {
    worth: u32,
    /// The worth of its signature: the greatest for the best item of a file that the goal names.
    of_signature: u32,
    /// 0 for what is too weak to be shown unless a rule asks for it.
    factor: f64,
}

impl ItemWorth {
    fn is_weak(self) -> bool {
        self.factor == 0.0
    }

    /// Returns the value of showing so many tokens of the item.
    pub(super) fn value(self, tokens: u32, valuation: Valuation) -> u64 {
        valuation.of(self.worth, tokens, self.factor)
    }

    fn value_of_signature(self, tokens: u32, valuation: Valuation) -> u64 {
        valuation.of(self.of_signature, tokens, self.factor)
    }
}

/// The worth of a file's items beside each other: each further item counts less, so that a file
/// with many good items leaves room for others.
pub(super) struct ItemWorths(Vec<ItemWorth>);

impl ItemWorths {
    /// What each better item of the file adds to the divisor, in thousandths: an item in place 50
    /// counts half.
    const FURTHER: u64 = 20;
    /// The factor for a detail of what is around it: a field, a variant.
    const MEMBER: f64 = 0.3;
    /// What the worth of an item is divided by for the least worth of its parts.
    const POOR: u32 = 4;

    pub(super) fn of(
        problem: &FitProblem<'_>,
        candidate: &FitCandidate<'_>,
        entry: &IndexEntry,
    ) -> ItemWorths {
        let items = &entry.depth.outline.items;
        let has_evidence = problem.valuation.has_evidence;
        let scores = candidate.item_worth.filter(|scores| scores.len() == items.len());
        let worths = match scores {
            Some(scores) if has_evidence => {
                beside_each_other(scores, |at| items[at].kind == ItemKind::Block)
            }
            Some(scores) => scores.to_vec(),
            None => vec![candidate.worth / 2; items.len()],
        };
        // What matches a goal best in a file counts whole, be it a field.
        let best = scores.filter(|_| has_evidence).and_then(|scores| {
            let whole = (0..items.len()).filter(|at| items[*at].kind != ItemKind::Block);
            whole.max_by_key(|at| (scores[*at], Reverse(*at)))
        });
        let is_detail = |item: &Item| item.kind.is_member() && item.kind != ItemKind::Block;
        let of_item = |(at, item): (usize, &Item)| {
            let is_best = best == Some(at);
            let is_named = is_best && candidate.is_named;
            let is_weak = scores.is_some_and(|scores| scores[at] < candidate.least_item);
            let factor = match (is_weak && !is_named, is_detail(item) && !is_best) {
                (true, _) => 0.0,
                (false, true) => Self::MEMBER,
                (false, false) => 1.0,
            };
            let worth = worths[at];
            ItemWorth { worth, of_signature: if is_named { ONE } else { worth }, factor }
        };
        ItemWorths(items.iter().enumerate().map(of_item).collect())
    }

    pub(super) fn at(&self, item: usize) -> ItemWorth {
        self.0[item]
    }

    /// Reports whether an item holds one that is worth much less: all of it would show that too.
    pub(super) fn has_poor_part(&self, outline: &Outline, at: usize) -> bool {
        let least = self.0[at].worth / Self::POOR;
        let inside = outline.items[at + 1..].iter().take_while(|one| one.parent >= Some(at));
        inside.zip(&self.0[at + 1..]).any(|(_, part)| part.worth < least)
    }

    /// Reports whether the items that no rule asks for and that are too weak to be shown have less
    /// than half of the file's tokens.
    pub(super) fn is_mostly_near(&self, entry: &IndexEntry) -> bool {
        let items = entry.depth.outline.items.iter().zip(&entry.price().items).zip(&self.0);
        let weak = items.filter(|((item, _), one)| {
            one.is_weak() && item.has_own_code() && item.kind != ItemKind::Block
        });
        let weak: u64 = weak.map(|((_, price), _)| u64::from(price.full)).sum();
        2 * weak < u64::from(entry.price().full).max(1)
    }
}

/// Returns the scores of a file's items as worths beside each other. A part of another item takes
/// no place.
fn beside_each_other(scores: &[u32], is_part: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by_key(|at| (Reverse(scores[*at]), *at));
    let mut worths = vec![0; scores.len()];
    let mut place = 0;
    for at in order {
        worths[at] = (u64::from(scores[at]) * 1_000 / divisor(place)) as u32;
        place += usize::from(!is_part(at));
    }
    worths
}

/// Returns what the score of an item is divided by, in thousandths, after so many better ones of
/// its file.
pub(crate) fn divisor(place: usize) -> u64 {
    1_000 + ItemWorths::FURTHER * place as u64
}

pub(super) fn level_tokens(entry: &IndexEntry, at: usize, level: Level) -> u32 {
    entry.price().items[at].at(level)
}

pub(super) fn item_value(
    worth: ItemWorth,
    entry: &IndexEntry,
    at: usize,
    level: Level,
    valuation: Valuation,
) -> u64 {
    let tokens = level_tokens(entry, at, level);
    if level >= Level::Body {
        let closed = entry.price().items[at].closed.min(tokens);
        let value = |tokens| worth.value(tokens, valuation);
        let of_body = value(tokens).saturating_sub(value(closed));
        let of_signature = worth.value_of_signature(closed, valuation);
        let is_aside = !valuation.has_evidence && entry.depth.outline.items[at].has_badges;
        let factor = valuation.body * if is_aside { ASIDE } else { 1.0 };
        return of_signature + (of_body as f64 * factor) as u64;
    }
    worth.value_of_signature(tokens, valuation)
}

pub(super) fn value_of_choice(
    candidate: &FitCandidate<'_>,
    worths: &ItemWorths,
    entry: &IndexEntry,
    choice: &Choice,
    valuation: Valuation,
) -> u64 {
    let items = choice.items.iter().enumerate();
    let of_items: u64 =
        items.map(|(at, level)| item_value(worths.at(at), entry, at, *level, valuation)).sum();
    of_items
        + if choice.doc { valuation.of(candidate.worth / 2, entry.price().doc, 1.0) } else { 0 }
}

/// Returns the value of the full text: that of its items plus a little for the text between them.
pub(super) fn full_value(
    candidate: &FitCandidate<'_>,
    worths: &ItemWorths,
    entry: &IndexEntry,
    valuation: Valuation,
) -> u64 {
    if entry.depth.outline.items.is_empty() {
        return (valuation.of(candidate.worth, entry.price().full, 1.0) as f64 * valuation.body)
            as u64;
    }
    let mut of_items = 0;
    let mut tokens = 0;
    let items = entry.depth.outline.items.iter().enumerate();
    // What is in a block is in its function, too.
    for (at, item) in items.filter(|(_, item)| item.kind != ItemKind::Block) {
        let level = match item.has_children {
            true => Level::Interface,
            false => entry.price().items[at].whole(),
        };
        of_items += item_value(worths.at(at), entry, at, level, valuation);
        tokens += level_tokens(entry, at, level);
    }
    let rest = entry.price().full.saturating_sub(tokens);
    let of_text = rest.saturating_sub(entry.price().frame);
    let is_aside = !valuation.has_evidence && of_text > entry.price().full / 4;
    let factor = valuation.body * if is_aside { ASIDE } else { 1.0 };
    of_items + valuation.of(candidate.worth / 2, rest, factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::location::DocumentKind;

    #[test]
    fn a_thing_half_as_likely_is_worth_a_sixteenth() {
        let kind = DocumentKind::File;
        let ratio = |has_evidence| {
            let valuation = Valuation { body: 1.0, has_evidence, kind };
            valuation.of(ONE, 100, 1.0) as f64 / valuation.of(ONE / 2, 100, 1.0) as f64
        };
        assert!((15.9..=16.0).contains(&ratio(true)), "{}", ratio(true));
        assert!((7.9..=8.0).contains(&ratio(false)), "{}", ratio(false));
    }

    #[test]
    fn four_times_the_tokens_of_a_page_are_worth_twice_as_much() {
        let ratio = |kind| {
            let valuation = Valuation { body: 1.0, has_evidence: true, kind };
            valuation.of(ONE, 400, 1.0) as f64 / valuation.of(ONE, 100, 1.0) as f64
        };
        assert!((1.99..=2.01).contains(&ratio(DocumentKind::Page)));
        assert!((2.82..=2.84).contains(&ratio(DocumentKind::File)));
    }

    #[test]
    fn each_further_item_of_a_file_counts_less() {
        assert_eq!(
            beside_each_other(&[500_000, 1_000_000, 500_000], |_| false),
            [490_196, 1_000_000, 480_769]
        );
        let many = beside_each_other(&[600_000; 51], |_| false);
        assert_eq!((many[0], many[50]), (600_000, 300_000));
        assert!(many.windows(2).all(|pair| pair[0] > pair[1]));
    }
}
