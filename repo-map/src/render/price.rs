//! The price of a file and its items at each level, in tokens, counted on the printed blocks.

use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::outline::Outline;
use crate::render::choice::{Choice, is_covered, n_hidden, shown_children};

/// The prices of a file's parts, in tokens. The price of any choice of levels is a sum of these.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilePrice {
    pub(crate) full: u32,
    /// Header and fences around the items.
    pub(crate) frame: u32,
    /// The line in the place of items that are not shown.
    pub(crate) gap: GapPrice,
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
    pub(crate) body: u32,
    pub(crate) full: u32,
}

impl ItemPrice {
    /// Returns the price at a level, with no nested item shown.
    pub(crate) fn at(self, level: Level) -> u32 {
        match level {
            Level::Exclude | Level::Fold | Level::Path => 0,
            Level::Outline => self.outline,
            Level::Interface => self.closed,
            Level::Body => self.body,
            Level::Full => self.full,
        }
    }

    /// Returns the level that shows all of the item but what follows the first paragraph of its doc
    /// comment.
    pub(crate) fn whole(self) -> Level {
        if self.body < self.full { Level::Body } else { Level::Full }
    }
}

impl FilePrice {
    /// Returns an upper bound of the price of any choice.
    pub(crate) fn of_everything(&self) -> u64 {
        let of_item =
            |item: &ItemPrice| [item.outline, item.closed, item.open, item.body, item.full];
        let items = self.items.iter().flat_map(of_item);
        let whole = [self.full, self.frame, self.gap.most(), self.doc];
        whole.into_iter().chain(items).map(u64::from).sum()
    }

    /// Returns the price of a choice: the sum of the blocks that [`Page::partial`] renders for it.
    pub(crate) fn of(&self, outline: &Outline, choice: &Choice) -> u32 {
        let shown_children = shown_children(outline, choice);
        let mut tokens = self.frame + if choice.doc { self.doc } else { 0 };
        for (at, shows_children) in shown_children.into_iter().enumerate() {
            if is_covered(outline, choice, at) {
                continue;
            }
            let price = self.items[at];
            tokens += match choice.items[at] {
                Level::Outline => price.outline,
                Level::Interface if shows_children => price.open,
                Level::Interface => price.closed,
                Level::Body => price.body,
                Level::Full => price.full,
                Level::Exclude | Level::Fold | Level::Path => 0,
            };
        }
        tokens + self.gap.of(n_hidden(outline, choice))
    }
}

/// The price of the line in the place of hidden items. It depends on the digits of their number
/// alone: tokenizers take up to three digits as one token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GapPrice([u32; GapPrice::MOST_DIGITS]);

impl GapPrice {
    /// An outline has at most 5 000 items.
    const MOST_DIGITS: usize = 4;

    pub(super) fn counted(count: impl Fn(&str) -> u32) -> GapPrice {
        GapPrice(std::array::from_fn(|at| count(&gap(10_usize.pow(at as u32), ""))))
    }

    /// Returns the price of the line for this number of hidden items; 0 for none.
    pub(crate) fn of(self, n_hidden: usize) -> u32 {
        let Some(log) = n_hidden.checked_ilog10() else { return 0 };
        self.0[(log as usize).min(GapPrice::MOST_DIGITS - 1)]
    }

    fn most(self) -> u32 {
        self.0.into_iter().max().unwrap_or(0)
    }
}

/// Renders the line in the place of the items of a file that are not shown, with a note at its end.
pub(super) fn gap(n_hidden: usize, note: &str) -> String {
    format!("… {n_hidden} more{note}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::MAX_ITEMS;
    use crate::text::tokens::Tokenizer;

    #[test]
    fn the_price_of_a_gap_is_the_count_of_its_line() {
        for tokenizer in [Tokenizer::O200kBase, Tokenizer::Cl100kBase, Tokenizer::BytesDiv4] {
            let price = GapPrice::counted(|text| tokenizer.count(text));
            assert_eq!(price.of(0), 0);
            for n_hidden in 1..=MAX_ITEMS {
                assert_eq!(price.of(n_hidden), tokenizer.count(&gap(n_hidden, "")), "{n_hidden}");
            }
        }
    }
}
