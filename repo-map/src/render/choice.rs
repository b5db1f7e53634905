//! The choice of levels for the items of a file.

use crate::level::Level;
use crate::outline::{Item, Outline};

/// A level for each item of a file; [`Level::Exclude`] for those that are not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) items: Vec<Level>,
    /// Whether the comment that describes the whole file is shown.
    pub(crate) doc: bool,
}

/// Reports for each item whether any item nested in it is shown.
pub(crate) fn shown_children(outline: &Outline, choice: &Choice) -> Vec<bool> {
    let mut shown = vec![false; outline.items.len()];
    for at in (0..outline.items.len()).rev() {
        if let Some(parent) = outline.items[at].parent {
            shown[parent] |= shown[at] || choice.items[at] >= Level::Outline;
        }
    }
    shown
}

pub(super) fn ancestors(outline: &Outline, item: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(outline.items[item].parent, |ancestor| outline.items[*ancestor].parent)
}

/// Reports whether an item around this one is shown with its nested items, and so includes it.
pub(super) fn is_covered(outline: &Outline, choice: &Choice, item: usize) -> bool {
    ancestors(outline, item)
        .any(|ancestor| outline.items[ancestor].covers_children(choice.items[ancestor]))
}

impl Choice {
    /// Returns a choice with every item at the level of its file.
    pub(crate) fn uniform(outline: &Outline, level: Level) -> Choice {
        let of = |item: &Item| {
            if level < item.kind.shown_from() { Level::Exclude } else { level }
        };
        Choice { items: outline.items.iter().map(of).collect(), doc: level >= Level::Interface }
    }

    /// Returns a choice without any item.
    pub(crate) fn nothing(outline: &Outline) -> Choice {
        Choice { items: vec![Level::Exclude; outline.items.len()], doc: false }
    }

    /// Raises the items around a shown item to their [`header_level`] at least: a nested item is
    /// shown within them.
    pub(crate) fn name_containers(&mut self, outline: &Outline, pinned: &[(usize, Level)]) {
        for at in (0..outline.items.len()).rev() {
            if self.items[at] >= Level::Outline
                && let Some(parent) = outline.items[at].parent
            {
                let header = header_level(outline, parent, self.items[at], pinned);
                self.items[parent] = self.items[parent].max(header);
            }
        }
    }
}

/// The maximum size of a type's head with its doc comment beside a full item, in bytes: some forty
/// tokens. Longer ones cost bodies that are worth more.
const MOST_HEADER: usize = 160;

/// Returns the least level of an item around one shown at a level: its name, or the head of a type
/// around a full item, unless it is long or a rule gives the type's level.
pub(crate) fn header_level(
    outline: &Outline,
    container: usize,
    nested: Level,
    pinned: &[(usize, Level)],
) -> Level {
    let item = &outline.items[container];
    let n_bytes = item.head.len() + item.doc.as_ref().map_or(0, |doc| doc.len());
    let has_header = item.kind.is_type() && item.body.is_some() && n_bytes <= MOST_HEADER;
    let is_pinned = || pinned.iter().any(|(item, _)| *item == container);
    if nested == Level::Full && has_header && !is_pinned() {
        Level::Interface
    } else {
        Level::Outline
    }
}
