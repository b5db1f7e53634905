//! The running price of a growing choice of items: a ladder's prices are exact without rendering.

use crate::level::Level;
use crate::outline::Outline;
use crate::render::Choice;
use crate::score::index::IndexEntry;

/// A step that shows more of a file: an item at a level, or its doc comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Upgrade {
    Item(usize, Level),
    Doc,
}

/// The price of a choice, exact after every upgrade.
pub(super) struct Running<'a> {
    outline: &'a Outline,
    entry: &'a IndexEntry,
    levels: Vec<Level>,
    n_shown_children: Vec<u32>,
    n_hidden: usize,
    sum: u32,
}

impl<'a> Running<'a> {
    pub(super) fn new(outline: &'a Outline, entry: &'a IndexEntry, base: &Choice) -> Running<'a> {
        let mut running = Running {
            outline,
            entry,
            levels: vec![Level::Exclude; outline.items.len()],
            n_shown_children: vec![0; outline.items.len()],
            n_hidden: outline.items.iter().filter(|item| !item.kind.is_member()).count(),
            sum: entry.price().frame + if base.doc { entry.price().doc } else { 0 },
        };
        // Containers come before the items nested in them, so an item at level full covers the
        // items that follow inside it.
        for (at, level) in base.items.iter().enumerate() {
            let silenced = std::iter::successors(outline.items[at].parent, |parent| {
                outline.items[*parent].parent
            })
            .any(|ancestor| outline.items[ancestor].covers_children(base.items[ancestor]));
            if silenced {
                running.n_hidden -= usize::from(!outline.items[at].kind.is_member());
            } else if *level >= Level::Outline {
                running.raise(at, *level);
            }
        }
        running
    }

    pub(super) fn tokens(&self) -> u32 {
        self.sum + if self.n_hidden > 0 { self.entry.price().gap } else { 0 }
    }

    fn price(&self, at: usize) -> u32 {
        let price = self.entry.price().items[at];
        match self.levels[at] {
            Level::Exclude | Level::Fold | Level::Path => 0,
            Level::Outline => price.outline,
            Level::Interface if self.n_shown_children[at] > 0 => price.open,
            Level::Interface => price.closed,
            Level::Full => price.full,
        }
    }

    pub(super) fn apply(&mut self, upgrade: Upgrade) {
        match upgrade {
            Upgrade::Doc => self.sum += self.entry.price().doc,
            Upgrade::Item(at, level) => {
                if std::iter::successors(self.outline.items[at].parent, |parent| {
                    self.outline.items[*parent].parent
                })
                .any(|ancestor| self.outline.items[ancestor].covers_children(self.levels[ancestor]))
                {
                    return;
                }
                self.raise(at, level);
            }
        }
    }

    fn raise(&mut self, at: usize, level: Level) {
        if self.levels[at] >= level {
            return;
        }
        let was_hidden = self.levels[at] < Level::Outline;
        self.sum -= self.price(at);
        self.levels[at] = level;
        self.sum += self.price(at);
        if was_hidden {
            self.n_hidden -= usize::from(!self.outline.items[at].kind.is_member());
            if let Some(parent) = self.outline.items[at].parent {
                self.raise(parent, Level::Outline);
                self.sum -= self.price(parent);
                self.n_shown_children[parent] += 1;
                self.sum += self.price(parent);
            }
        }
    }
}
