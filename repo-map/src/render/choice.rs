//! The choice of levels for the items of a file.

use crate::level::Level;
use crate::outline::{Item, ItemKind, Outline};

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

/// Returns the number of items that are not shown, as the line in their place has it. Fields and
/// variants count where others of their type are shown.
pub(super) fn n_hidden(outline: &Outline, choice: &Choice) -> usize {
    let is_shown = |at: usize| choice.items[at] >= Level::Outline;
    let mut shows_members = vec![false; outline.items.len()];
    for (at, item) in outline.items.iter().enumerate() {
        if let Some(parent) = item.parent.filter(|_| item.kind.is_member() && is_shown(at)) {
            shows_members[parent] = true;
        }
    }
    let is_counted = |item: &Item| {
        !item.kind.is_member() || item.parent.is_some_and(|parent| shows_members[parent])
    };
    let items = outline.items.iter().enumerate();
    items
        .filter(|(at, item)| {
            !is_shown(*at) && is_counted(item) && !is_covered(outline, choice, *at)
        })
        .count()
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
        let items = outline.items.iter().map(|item| item.level_in_file(level)).collect();
        Choice { items, doc: level >= Level::Interface }
    }

    /// Returns a choice without any item.
    pub(crate) fn nothing(outline: &Outline) -> Choice {
        Choice { items: vec![Level::Exclude; outline.items.len()], doc: false }
    }

    /// Raises the items around a shown item to their [`header_level`] at least: a nested item is
    /// shown within them.
    /// With a full item come the file's imports, if they are cheap.
    pub(crate) fn name_containers(&mut self, outline: &Outline, pinned: &[(usize, Level)]) {
        if let Some(imports) = CheapImports::of(outline, pinned) {
            let mut items = outline.items.iter().zip(&self.items);
            if items.any(|(item, level)| *level >= Level::Body && imports.come_with(item)) {
                self.items[imports.at] = Level::Full;
            }
        }
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

/// The maximum size of the imports beside a full item, in bytes: some sixty tokens.
const MOST_IMPORTS: usize = 240;
/// An item in full brings imports of at most one part in so many of its own size.
const SHARE_OF_IMPORTS: usize = 4;

/// The imports of a file, which come with an item in full where they are cheap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheapImports {
    /// The position of their item.
    pub(crate) at: usize,
    n_bytes: usize,
}

impl CheapImports {
    /// Returns the imports of a file, unless they are long or a rule gives them a level.
    pub(crate) fn of(outline: &Outline, pinned: &[(usize, Level)]) -> Option<CheapImports> {
        let at = outline.items.iter().position(|item| item.kind == ItemKind::Imports)?;
        let n_bytes = outline.items[at].span.len();
        let is_pinned = pinned.iter().any(|(item, _)| *item == at);
        (n_bytes <= MOST_IMPORTS && !is_pinned).then_some(CheapImports { at, n_bytes })
    }

    /// Reports whether an item in full brings them.
    pub(crate) fn come_with(self, item: &Item) -> bool {
        item.kind != ItemKind::Imports && self.n_bytes <= item.span.len() / SHARE_OF_IMPORTS
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
    // Statements below a name alone would not read as parts of a function.
    let is_opened = nested >= Level::Body && (has_header || outline.has_blocks(container));
    if is_opened && !is_pinned() { Level::Interface } else { Level::Outline }
}
