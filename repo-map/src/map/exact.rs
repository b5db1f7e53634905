//! What the exact rules of a flown plan show of a file.

use std::borrow::Cow;

use crate::fit::Shown;
use crate::level::Level;
use crate::map::items::{base_choice, pinned};
use crate::outline::Outline;
use crate::plan::Verdict;

/// Reports whether exact rules show a file by its items.
pub(crate) fn shows_items(verdict: &Verdict<'_>) -> bool {
    match exact_level(verdict) {
        Level::Exclude | Level::Fold | Level::Full => false,
        Level::Path => !verdict.items.is_empty(),
        Level::Outline | Level::Interface => true,
    }
}

/// Returns what exact rules show of a file; it has an outline if it is shown by its items.
pub(crate) fn shown_exactly<'o>(
    verdict: &Verdict<'_>,
    outline: impl FnOnce() -> Cow<'o, Outline>,
) -> Shown {
    let level = exact_level(verdict);
    match level {
        _ if shows_items(verdict) => {
            let outline = outline();
            let mut choice = base_choice(&outline, level);
            for (item, level) in pinned(&outline, verdict.items) {
                choice.items[item] = level;
            }
            Shown::Items(choice)
        }
        Level::Exclude => Shown::Exclude,
        Level::Fold => Shown::Fold,
        Level::Full => Shown::Full,
        Level::Path | Level::Outline | Level::Interface => Shown::Path,
    }
}

/// Returns the level of a file by exact rules. A path that they do not name is folded.
pub(crate) fn exact_level(verdict: &Verdict<'_>) -> Level {
    verdict.level.map_or(Level::Fold, |range| range.ceiling)
}
