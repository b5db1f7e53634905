//! What rules ask for of a file, and what is shown of it while there is no room for all of that.

use crate::fit::blocks::has_named_block;
use crate::fit::problem::{FitCandidate, Valuation};
use crate::fit::running::{Running, Upgrade};
use crate::fit::value::{ItemWorths, item_value, level_tokens, steeper};
use crate::level::Level;
use crate::outline::Outline;
use crate::render::Choice;
use crate::score::index::IndexEntry;

/// A step to what rules ask for, with the tokens of the file and the value of its items after it.
pub(super) struct PinnedStep {
    pub(super) upgrade: Upgrade,
    pub(super) tokens: u32,
    pub(super) value: u64,
}

/// Returns the items that rules keep out, also of a part.
pub(super) fn kept_out(candidate: &FitCandidate<'_>) -> Vec<(usize, Level)> {
    let is_out = |(_, level): &&(usize, Level)| *level < Level::Outline;
    candidate.pinned.iter().filter(is_out).copied().collect()
}

/// Returns the steps that show the items of rules one by one, without the last one, after which all
/// are shown: first their signatures, then more of them, best first.
pub(super) fn steps(
    candidate: &FitCandidate<'_>,
    worths: &ItemWorths,
    entry: &IndexEntry,
    valuation: Valuation,
) -> Vec<PinnedStep> {
    // A floor of the whole file is met or not.
    if candidate.floor > Level::Path {
        return Vec::new();
    }
    let in_order = |from: Level, most: Level| {
        let asked = candidate.pinned.iter().map(|(item, level)| (*item, (*level).min(most)));
        let mut steps: Vec<(u64, u32, Upgrade)> = asked
            .filter(|(_, level)| *level >= Level::Outline && *level > from)
            .map(|(item, level)| {
                let value = |level| item_value(worths.at(item), entry, item, level, valuation);
                let tokens = |level| level_tokens(entry, item, level);
                let gain = value(level).saturating_sub(value(from));
                (gain, tokens(level).saturating_sub(tokens(from)), Upgrade::Item(item, level))
            })
            .collect();
        steps.sort_by(|a, b| steeper(b.0, b.1, a.0, a.1));
        steps
    };
    let outline = &entry.depth.outline;
    let kept_out = kept_out(candidate);
    let mut running = Running::new(outline, entry, &Choice::nothing(outline), &kept_out);
    let mut value = 0;
    let signatures = in_order(Level::Exclude, Level::Interface);
    let rest = in_order(Level::Interface, Level::Full);
    let step = |(gain, _, upgrade): (u64, u32, Upgrade)| {
        running.apply(upgrade);
        value += gain;
        PinnedStep { upgrade, tokens: running.tokens(), value }
    };
    let mut steps: Vec<PinnedStep> = signatures.into_iter().chain(rest).map(step).collect();
    steps.pop();
    steps
}

/// Returns the items that the floor and the rules ask for, with what is around them.
pub(super) fn base_choice(candidate: &FitCandidate<'_>, outline: &Outline) -> Choice {
    let is_opened = |at| has_named_block(candidate, outline, at);
    let mut base = match candidate.floor {
        Level::Outline | Level::Interface | Level::Body => {
            Choice::uniform(outline, candidate.floor)
        }
        // A file at level full except some items: the items around a shown item are named.
        Level::Full if !candidate.pinned.is_empty() => {
            let of = |at: usize| match outline.items[at].has_children || is_opened(at) {
                true => Level::Interface,
                false => Level::Full,
            };
            Choice { items: (0..outline.items.len()).map(of).collect(), doc: true }
        }
        Level::Full => Choice::uniform(outline, Level::Interface),
        Level::Exclude | Level::Fold | Level::Path => Choice::nothing(outline),
    };
    for (item, level) in &candidate.pinned {
        base.items[*item] = *level;
    }
    base.name_containers(outline, &candidate.pinned);
    base
}
