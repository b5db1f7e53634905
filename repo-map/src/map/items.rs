//! Addresses of items, and the levels of items that follow from the level of their file.

use std::collections::BTreeMap;

use crate::fit::Shown;
use crate::level::Level;
use crate::map::{FileReport, ItemReport};
use crate::outline::{Item, ItemKind, Outline};
use crate::plan::ItemRule;
use crate::render::Choice;

/// Returns the items to which rules give a level, by position. A name matches a qualified name or
/// its end.
pub(crate) fn pinned(outline: &Outline, rules: &[ItemRule]) -> Vec<(usize, Level)> {
    let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
    for rule in rules {
        for item in items_named(outline, &rule.name) {
            levels.insert(item, rule.level);
        }
    }
    levels.into_iter().collect()
}

/// Returns levels of items in which an item in full does not cover those named inside it: its
/// header is shown, and around the named ones every other part of it in full.
pub(crate) fn open_around_named(
    outline: &Outline,
    pinned: Vec<(usize, Level)>,
) -> Vec<(usize, Level)> {
    let mut levels: BTreeMap<usize, Level> = pinned.into_iter().collect();
    let named: Vec<(usize, Level)> = levels.iter().map(|(at, level)| (*at, *level)).collect();
    let lies_in = |at: usize, outer: usize| {
        let parent = |at: &usize| outline.items[*at].parent;
        std::iter::successors(parent(&at), parent).any(|ancestor| ancestor == outer)
    };
    // An item comes before those nested in it.
    for at in 0..outline.items.len() {
        let is_whole = levels.get(&at) == Some(&Level::Full) && outline.items[at].has_children;
        let is_lower =
            |(inner, level): &(usize, Level)| *level < Level::Full && lies_in(*inner, at);
        if !is_whole || !named.iter().any(is_lower) {
            continue;
        }
        levels.insert(at, Level::Interface);
        for child in at + 1..outline.items.len() {
            if outline.items[child].parent == Some(at) {
                levels.entry(child).or_insert(Level::Full);
            }
        }
    }
    levels.into_iter().collect()
}

/// Returns the items that a name addresses: all with that qualified name, else all whose name ends
/// with it, else the one heading that reads the same; one of them with `@n`.
pub(crate) fn items_named(outline: &Outline, name: &str) -> Vec<usize> {
    // A name may itself look like an address, so an exact match comes first.
    let items = || outline.items.iter().enumerate();
    let addressed: Vec<usize> = items()
        .filter(|(_, item)| format!("{}@{}", item.qualified, item.nth) == name)
        .map(|(at, _)| at)
        .collect();
    if !addressed.is_empty() {
        return addressed;
    }
    let whole: Vec<usize> =
        items().filter(|(_, item)| item.qualified == name).map(|(at, _)| at).collect();
    if !whole.is_empty() {
        return whole;
    }
    let (name, nth) = match name
        .rsplit_once('@')
        .and_then(|(name, nth)| Some((name, nth.parse::<u32>().ok()?)))
    {
        Some((name, nth)) => (name, Some(nth)),
        None => (name, None),
    };
    let plain = |name: &str| name.replace("::", ".");
    let wanted = plain(name);
    let matches = |whole: bool| -> Vec<usize> {
        let is_it = |qualified: &str| {
            let qualified = plain(qualified);
            qualified == wanted
                || !whole
                    && qualified.strip_suffix(&wanted).is_some_and(|before| before.ends_with('.'))
        };
        let items = outline.items.iter().enumerate();
        items
            .filter(|(_, item)| is_it(&item.qualified) && nth.is_none_or(|nth| item.nth == nth))
            .map(|(at, _)| at)
            .collect()
    };
    let mut found = matches(true);
    if found.is_empty() {
        found = matches(false);
    }
    if found.is_empty() {
        found.extend(heading_read_as(outline, &wanted).filter(|_| nth.is_none()));
    }
    found
}

/// Returns the only heading that is `wanted` for a reader, who keeps no case and no punctuation in
/// mind, and may leave out what stands in parentheses at the end.
fn heading_read_as(outline: &Outline, wanted: &str) -> Option<usize> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let wanted = words(wanted);
    let reads_same = |item: &Item| {
        let short = item.name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
        let short = short.map(|(short, _)| short);
        [Some(item.name.as_str()), Some(item.qualified.as_str()), short]
            .into_iter()
            .flatten()
            .any(|name| words(name) == wanted)
    };
    let headings = outline.items.iter().enumerate();
    let mut same = headings
        .filter(|(_, item)| item.kind == ItemKind::Heading && reads_same(item))
        .map(|(at, _)| at);
    same.next().filter(|_| !wanted.is_empty() && same.next().is_none())
}

/// Returns the level of an item that follows from the level of its file.
fn level_as_file(outline: &Outline, at: usize, level: Level) -> Level {
    match level {
        level if level < outline.items[at].kind.shown_from() => Level::Exclude,
        level => level,
    }
}

/// Returns the levels of items as a reader sees them: an item nested in one shown in full is shown
/// in full too.
pub(crate) fn as_shown(outline: &Outline, mut levels: Vec<Level>) -> Vec<Level> {
    // An item comes before those nested in it.
    let mut is_whole = vec![false; levels.len()];
    for (at, item) in outline.items.iter().enumerate() {
        if item.parent.is_some_and(|parent| is_whole[parent]) {
            levels[at] = Level::Full;
        }
        is_whole[at] = item.covers_children(levels[at]);
    }
    levels
}

/// Returns the shortest unique address of each item.
pub(crate) fn addresses(outline: &Outline) -> Vec<String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &outline.items {
        *times.entry(&item.qualified).or_default() += 1;
    }
    let numbered = |item: &Item| format!("{}@{}", item.qualified, item.nth);
    let is_address =
        |name: &str| name.contains('@') && outline.items.iter().any(|item| numbered(item) == name);
    let is_alone = |name: &str| times[name] == 1 && !is_address(name);
    outline
        .items
        .iter()
        .map(|item| if is_alone(&item.qualified) { item.qualified.clone() } else { numbered(item) })
        .collect()
}

/// Returns the level of each item of a file in a map.
pub(crate) fn item_levels(outline: &Outline, report: &FileReport) -> Vec<Level> {
    let own: BTreeMap<&str, Level> =
        report.items.iter().map(|item| (item.name.as_str(), item.level)).collect();
    let level = |(at, address): (usize, String)| {
        let own = own.get(address.as_str()).copied();
        own.unwrap_or_else(|| level_as_file(outline, at, report.level))
    };
    addresses(outline).into_iter().enumerate().map(level).collect()
}

/// Returns the level of a shown file: with a choice of items, the level that most of them have.
pub(crate) fn level_of(shown: &Shown, outline: Option<&Outline>, asked: Level) -> Level {
    match shown {
        Shown::Exclude => Level::Exclude,
        Shown::Fold => Level::Fold,
        Shown::Path => Level::Path,
        Shown::Full => Level::Full,
        Shown::Items(choice) => {
            outline.map_or(Level::Path, |outline| base_level(outline, choice, asked))
        }
    }
}

/// Returns the file level from which the fewest items differ. Of several such levels it is the
/// requested one, else the lowest.
fn base_level(outline: &Outline, choice: &Choice, asked: Level) -> Level {
    [Level::Path, Level::Outline, Level::Interface]
        .into_iter()
        .min_by_key(|level| (differing(outline, choice, *level).count(), *level != asked, *level))
        .unwrap_or(Level::Path)
}

fn differing<'a>(
    outline: &'a Outline,
    choice: &'a Choice,
    level: Level,
) -> impl Iterator<Item = usize> + 'a {
    let base = base_choice(outline, level);
    // A doc comment of the file belongs to level interface alone and cannot be requested by an
    // item's name.
    let doc_differs = outline.doc.is_some() && base.doc != choice.doc;
    let many = if doc_differs { outline.items.len() + 1 } else { 0 };
    (0..outline.items.len())
        .filter(move |at| base.items[*at] != choice.items[*at])
        .chain(std::iter::repeat_n(usize::MAX, many))
}

/// Returns the choice of items that follows from the level of a file.
pub(crate) fn base_choice(outline: &Outline, level: Level) -> Choice {
    match level {
        Level::Outline | Level::Interface => Choice::uniform(outline, level),
        Level::Full => Choice::uniform(outline, Level::Interface),
        Level::Exclude | Level::Fold | Level::Path => Choice::nothing(outline),
    }
}

pub(crate) fn differing_items(outline: &Outline, choice: &Choice, level: Level) -> Vec<ItemReport> {
    let (items, addresses) = (
        differing(outline, choice, level).filter(|at| *at < outline.items.len()),
        addresses(outline),
    );
    items
        .map(|at| ItemReport {
            name: addresses[at].clone(),
            level: choice.items[at],
            lines: outline.items[at].lines,
        })
        .collect()
}
