//! The running price of a growing choice of items: a ladder's prices are exact without rendering.

use crate::level::Level;
use crate::outline::Outline;
use crate::render::{CheapImports, Choice, header_level};
use crate::score::index::IndexEntry;

/// A step that shows more of a file: an item at a level, or its doc comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Upgrade {
    Item(usize, Level),
    Doc,
}

impl Upgrade {
    /// Returns the upgrade of the same item to another level.
    pub(super) fn at(self, level: Level) -> Upgrade {
        match self {
            Upgrade::Item(item, _) => Upgrade::Item(item, level),
            Upgrade::Doc => Upgrade::Doc,
        }
    }
}

/// Returns a choice with some upgrades, and the names of what is around them.
pub(super) fn upgraded(
    mut choice: Choice,
    upgrades: impl Iterator<Item = Upgrade>,
    outline: &Outline,
    pinned: &[(usize, Level)],
) -> Choice {
    for upgrade in upgrades {
        match upgrade {
            Upgrade::Item(item, level) => choice.items[item] = choice.items[item].max(level),
            Upgrade::Doc => choice.doc = true,
        }
    }
    choice.name_containers(outline, pinned);
    choice
}

/// The price of a choice, exact after every upgrade.
pub(super) struct Running<'a> {
    outline: &'a Outline,
    entry: &'a IndexEntry,
    levels: Vec<Level>,
    /// An item around this one is shown with its nested items.
    is_covered: Vec<bool>,
    /// Items whose level a rule gives: nothing raises their headers.
    pinned: &'a [(usize, Level)],
    imports: Option<CheapImports>,
    n_shown_children: Vec<u32>,
    /// Fields and variants by the type that they are in: those that are shown, and all.
    members: Vec<Members>,
    n_hidden: usize,
    sum: u32,
}

#[derive(Clone, Copy, Default)]
struct Members {
    n_shown: usize,
    n_all: usize,
}

impl<'a> Running<'a> {
    pub(super) fn new(
        outline: &'a Outline,
        entry: &'a IndexEntry,
        base: &Choice,
        pinned: &'a [(usize, Level)],
    ) -> Running<'a> {
        let mut members = vec![Members::default(); outline.items.len()];
        for item in outline.items.iter().filter(|item| item.kind.is_member()) {
            if let Some(parent) = item.parent {
                members[parent].n_all += 1;
            }
        }
        let mut running = Running {
            outline,
            entry,
            levels: vec![Level::Exclude; outline.items.len()],
            is_covered: vec![false; outline.items.len()],
            pinned,
            imports: CheapImports::of(outline, pinned),
            n_shown_children: vec![0; outline.items.len()],
            members,
            n_hidden: outline.items.iter().filter(|item| !item.kind.is_member()).count(),
            sum: entry.price().frame + if base.doc { entry.price().doc } else { 0 },
        };
        // Containers come before the items nested in them.
        for (at, level) in base.items.iter().enumerate() {
            if *level >= Level::Outline {
                running.raise(at, *level);
            }
        }
        running
    }

    pub(super) fn tokens(&self) -> u32 {
        self.sum + self.entry.price().gap.of(self.n_hidden)
    }

    fn price(&self, at: usize) -> u32 {
        let price = self.entry.price().items[at];
        match self.levels[at] {
            Level::Exclude | Level::Fold | Level::Path => 0,
            Level::Outline => price.outline,
            Level::Interface if self.n_shown_children[at] > 0 => price.open,
            Level::Interface => price.closed,
            Level::Body => price.body,
            Level::Full => price.full,
        }
    }

    pub(super) fn apply(&mut self, upgrade: Upgrade) {
        match upgrade {
            Upgrade::Doc => self.sum += self.entry.price().doc,
            Upgrade::Item(at, level) => self.raise(at, level),
        }
    }

    fn raise(&mut self, at: usize, level: Level) {
        if self.is_covered[at] || self.levels[at] >= level {
            return;
        }
        let was_hidden = self.levels[at] < Level::Outline;
        self.sum -= self.price(at);
        self.levels[at] = level;
        self.sum += self.price(at);
        if was_hidden {
            self.count_shown(at);
        }
        if self.outline.items[at].covers_children(level) {
            self.cover_children(at);
        }
        if level >= Level::Body
            && let Some(imports) =
                self.imports.filter(|imports| imports.come_with(&self.outline.items[at]))
        {
            self.raise(imports.at, Level::Full);
        }
        if let Some(parent) = self.outline.items[at].parent {
            self.raise(parent, header_level(self.outline, parent, level, self.pinned));
            if was_hidden {
                self.sum -= self.price(parent);
                self.n_shown_children[parent] += 1;
                self.sum += self.price(parent);
            }
        }
    }

    /// Reports whether an item counts among the hidden ones: a field does where others of its type
    /// are shown.
    fn is_counted(&self, at: usize) -> bool {
        let item = &self.outline.items[at];
        let shows_others = || item.parent.is_some_and(|parent| self.members[parent].n_shown > 0);
        !item.kind.is_member() || shows_others()
    }

    /// Takes a hidden item out of the count. The first field of a type that is shown brings in the
    /// others.
    fn count_shown(&mut self, at: usize) {
        self.n_hidden -= usize::from(self.is_counted(at));
        let item = &self.outline.items[at];
        if let Some(parent) = item.parent.filter(|_| item.kind.is_member()) {
            let members = &mut self.members[parent];
            if members.n_shown == 0 {
                self.n_hidden += members.n_all - 1;
            }
            members.n_shown += 1;
        }
    }

    /// Takes the items nested in a shown one out of the sum: its text includes theirs.
    fn cover_children(&mut self, container: usize) {
        // Nested items follow their container, and no other item stands between them.
        let is_inside =
            |at: &usize| self.outline.items[*at].parent.is_some_and(|parent| parent >= container);
        let inside = (container + 1..self.outline.items.len()).take_while(is_inside).count();
        for at in container + 1..container + 1 + inside {
            if std::mem::replace(&mut self.is_covered[at], true) {
                continue;
            }
            if self.levels[at] >= Level::Outline {
                self.sum -= self.price(at);
            } else {
                self.n_hidden -= usize::from(self.is_counted(at));
            }
        }
    }
}
