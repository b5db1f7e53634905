//! The blocks of long functions as steps of a ladder, beside the functions as a whole.

use std::collections::{HashMap, HashSet};

use crate::fit::problem::FitCandidate;
use crate::fit::running::Upgrade;
use crate::level::Level;
use crate::outline::Outline;
use crate::score::index::IndexEntry;

/// A function that takes at most one part in so many of a map is shown whole or not at all.
const SHARE_OF_FUNCTION: u32 = 6;

/// Reports whether an item is a step in a map of so many tokens. A function that has room there is
/// one, and not its blocks. One with a block that a rule names is shown by its blocks alone.
pub(super) fn has_step(
    candidate: &FitCandidate<'_>,
    entry: &IndexEntry,
    at: usize,
    tokens: u32,
) -> bool {
    let outline = &entry.depth.outline;
    let is_large = |at: usize| entry.price().items[at].full > tokens / SHARE_OF_FUNCTION;
    match outline.function_of_block(at) {
        Some(function) => is_large(function) || has_named_block(candidate, outline, function),
        None => !has_named_block(candidate, outline, at),
    }
}

/// Reports whether a rule names a block of a function.
pub(super) fn has_named_block(
    candidate: &FitCandidate<'_>,
    outline: &Outline,
    function: usize,
) -> bool {
    candidate.pinned.iter().any(|(at, _)| outline.function_of_block(*at) == Some(function))
}

/// The gains of the blocks that are shown, by their function: what a function gains as a whole is
/// beyond these.
#[derive(Default)]
pub(super) struct BlockGains {
    shown: HashMap<usize, u64>,
    whole: HashSet<usize>,
}

impl BlockGains {
    /// Returns the gain of an upgrade after those before it, given that without them.
    pub(super) fn beyond(&mut self, outline: &Outline, upgrade: Upgrade, gain: u64) -> u64 {
        let Upgrade::Item(at, level) = upgrade else { return gain };
        match outline.function_of_block(at) {
            Some(function) if self.whole.contains(&function) => 0,
            Some(function) => {
                *self.shown.entry(function).or_default() += gain;
                gain
            }
            None if level >= Level::Body => {
                self.whole.insert(at);
                gain.saturating_sub(self.shown.get(&at).copied().unwrap_or(0))
            }
            None => gain,
        }
    }
}
