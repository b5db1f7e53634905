//! The price of a file and its items at each level, in tokens, counted on the printed blocks.

use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::outline::Outline;
use crate::render::choice::{Choice, is_covered, shown_children};

/// The prices of a file's parts, in tokens. The price of any choice of levels is a sum of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilePrice {
    pub(crate) full: u32,
    /// Header and fences around the items.
    pub(crate) frame: u32,
    /// The line in the place of items that are not shown.
    pub(crate) gap: u32,
    /// The comment that describes the whole file, shown at level interface.
    pub(crate) doc: u32,
    pub(crate) items: Vec<ItemPrice>,
}

/// The prices of one item at each level, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ItemPrice {
    pub(crate) outline: u32,
    /// Level interface, when none of its nested items is shown.
    pub(crate) closed: u32,
    /// Level interface, around nested items.
    pub(crate) open: u32,
    pub(crate) full: u32,
}

impl FilePrice {
    /// Returns an upper bound of the price of any choice.
    pub(crate) fn of_everything(&self) -> u64 {
        let of_item = |item: &ItemPrice| [item.outline, item.closed, item.open, item.full];
        let items = self.items.iter().flat_map(of_item);
        [self.full, self.frame, self.gap, self.doc].into_iter().chain(items).map(u64::from).sum()
    }

    /// Returns the price of a choice: the sum of the blocks that [`Page::partial`] renders for it.
    pub(crate) fn of(&self, outline: &Outline, choice: &Choice) -> u32 {
        let shown_children = shown_children(outline, choice);
        let mut tokens = self.frame + if choice.doc { self.doc } else { 0 };
        let mut has_gap = false;
        for (at, item) in outline.items.iter().enumerate() {
            if is_covered(outline, choice, at) {
                continue;
            }
            let price = self.items[at];
            tokens += match choice.items[at] {
                Level::Outline => price.outline,
                Level::Interface if shown_children[at] => price.open,
                Level::Interface => price.closed,
                Level::Full => price.full,
                Level::Exclude | Level::Fold | Level::Path => {
                    has_gap |= !item.kind.is_member();
                    0
                }
            };
        }
        tokens + if has_gap { self.gap } else { 0 }
    }
}

/// The line in the place of the items of a file that are not shown.
pub(super) const GAP: &str = "…\n";
