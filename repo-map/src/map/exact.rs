//! What the exact rules of a flown plan show of a file, and a map that is held to it.

use std::borrow::Cow;

use crate::fit::{FitCandidate, Shown};
use crate::level::Level;
use crate::map::items::{as_shown, base_choice, pinned};
use crate::outline::Outline;
use crate::plan::Verdict;
use crate::render::Choice;

/// Reports whether exact rules show a file by its items.
pub(crate) fn shows_items(verdict: &Verdict<'_>) -> bool {
    match exact_level(verdict) {
        Level::Exclude | Level::Fold | Level::Full => false,
        Level::Path => !verdict.items.is_empty(),
        Level::Outline | Level::Interface | Level::Body => true,
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
        Level::Path | Level::Outline | Level::Interface | Level::Body => Shown::Path,
    }
}

/// Returns the level of a file by exact rules. A path that they do not name is folded.
pub(crate) fn exact_level(verdict: &Verdict<'_>) -> Level {
    verdict.level.map_or(Level::Fold, |range| range.ceiling)
}

/// Keeps a candidate at what another map shows of its file at most, beside what rules ask for.
pub(crate) fn held_at<'a>(mut candidate: FitCandidate<'a>, shown: &Shown) -> FitCandidate<'a> {
    let most = match shown {
        Shown::Exclude => Level::Exclude,
        Shown::Fold => Level::Fold,
        Shown::Path => Level::Path,
        Shown::Items(_) | Shown::Full => Level::Full,
    };
    // That map has what is weak, if it was asked for.
    candidate.least_item = 0;
    candidate.needs_body = false;
    candidate.needs_items = false;
    candidate.ceiling = candidate.ceiling.min(most.max(candidate.floor));
    if let (Shown::Items(choice), Some(entry)) = (shown, candidate.entry)
        && candidate.floor < Level::Full
    {
        let items = as_shown(&entry.depth.outline, choice.items.clone());
        candidate.most = Some(Choice { items, doc: choice.doc });
    }
    candidate
}
