//! The value of showing a file or item of worth `w` in `t` tokens: `w³ · t^¾`.
//!
//! The first tokens about a thing are the most useful, and a thing half as likely to matter is
//! worth an eighth. On public issues (8 000 tokens) these exponents put most of the functions that
//! a fix changed into the map with their bodies. Values are integers.

use std::cmp::Ordering;

use crate::fit::problem::FitCandidate;
use crate::level::Level;
use crate::render::Choice;
use crate::score::index::IndexEntry;
use crate::score::judge::ONE;

/// Returns `w³ · t^¾`, in integers.
pub(super) fn value(worth: u32, tokens: u32, factor: f64) -> u64 {
    let worth = f64::from(worth) / f64::from(ONE);
    let root = libm::sqrt(f64::from(tokens));
    // The linear part keeps the value of things with very low worth above zero: showing them beats
    // an unused budget.
    let weight = worth * worth * worth + worth * 1e-4;
    (weight * root * libm::sqrt(root) * factor * 1e12) as u64
}

/// Compares the gain per token of two steps, `gain_a` for `tokens_a` with `gain_b` for `tokens_b`.
pub(super) fn steeper(gain_a: u64, tokens_a: u32, gain_b: u64, tokens_b: u32) -> Ordering {
    (u128::from(gain_a) * u128::from(tokens_b.max(1)))
        .cmp(&(u128::from(gain_b) * u128::from(tokens_a.max(1))))
}

pub(super) fn item_worth(candidate: &FitCandidate<'_>, at: usize) -> u32 {
    candidate.item_worth.and_then(|items| items.get(at).copied()).unwrap_or(candidate.worth / 2)
}

pub(super) fn level_tokens(entry: &IndexEntry, at: usize, level: Level) -> u32 {
    let price = entry.price().items[at];
    match level {
        Level::Exclude | Level::Fold | Level::Path => 0,
        Level::Outline => price.outline,
        Level::Interface => price.closed,
        Level::Full => price.full,
    }
}

pub(super) fn item_value(
    worth: u32,
    entry: &IndexEntry,
    at: usize,
    level: Level,
    body_value: f64,
) -> u64 {
    let tokens = level_tokens(entry, at, level);
    let item = &entry.depth.outline.items[at];
    let factor = if item.kind.is_member() { 0.3 } else { 1.0 };
    if level == Level::Full {
        let signature = entry.price().items[at].closed.min(tokens);
        let of_signature = value(worth, signature, factor);
        return of_signature
            + (value(worth, tokens, factor).saturating_sub(of_signature) as f64 * body_value)
                as u64;
    }
    value(worth, tokens, factor)
}

pub(super) fn value_of_choice(
    candidate: &FitCandidate<'_>,
    entry: &IndexEntry,
    choice: &Choice,
    body_value: f64,
) -> u64 {
    let items = choice.items.iter().enumerate();
    let of_items: u64 = items
        .map(|(at, level)| item_value(item_worth(candidate, at), entry, at, *level, body_value))
        .sum();
    of_items + if choice.doc { value(candidate.worth / 2, entry.price().doc, 1.0) } else { 0 }
}

/// Returns the value of the full text: that of its items plus a little for the text between them.
pub(super) fn full_value(candidate: &FitCandidate<'_>, entry: &IndexEntry, body_value: f64) -> u64 {
    if entry.depth.outline.items.is_empty() {
        return (value(candidate.worth, entry.price().full, 1.0) as f64 * body_value) as u64;
    }
    let mut of_items = 0;
    let mut tokens = 0;
    for (at, item) in entry.depth.outline.items.iter().enumerate() {
        let level = if item.has_children { Level::Interface } else { Level::Full };
        of_items += item_value(item_worth(candidate, at), entry, at, level, body_value);
        tokens += level_tokens(entry, at, level);
    }
    of_items + value(candidate.worth / 2, entry.price().full.saturating_sub(tokens), body_value)
}
