//! Addresses of items, and the levels of items that follow from the level of their file.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::fit::Shown;
use crate::level::Level;
use crate::map::{FileReport, ItemReport};
use crate::outline::{Item, ItemKind, Outline};
use crate::plan::ItemRule;
use crate::render::Choice;

/// Returns the items to which rules give a level, by position. A name matches a qualified name or
/// its end.
pub(crate) fn pinned(outline: &Outline, rules: &[ItemRule]) -> Vec<(usize, Level)> {
    if rules.is_empty() {
        return Vec::new();
    }
    let names = ItemNames::of(outline);
    let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
    for rule in rules {
        for item in names.named(&rule.name) {
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

/// Returns the items that a name addresses, as [`ItemNames::named`] does.
pub(crate) fn items_named(outline: &Outline, name: &str) -> Vec<usize> {
    ItemNames::of(outline).named(name)
}

/// The items of an outline by their names.
pub(crate) struct ItemNames<'o> {
    outline: &'o Outline,
    /// The qualified name of each item, with `.` between its parts.
    plain: Vec<String>,
    /// The items by the last part of that name.
    by_end: HashMap<String, Vec<usize>>,
    /// The items that declare several names, or a symbol, by the last part of each name: the whole
    /// name and the item. For names that address no item.
    declared: OnceCell<HashMap<String, Vec<(String, usize)>>>,
    /// The headings by their words, for names that address no item.
    headings: OnceCell<HashMap<Vec<String>, Vec<usize>>>,
}

impl<'o> ItemNames<'o> {
    pub(crate) fn of(outline: &'o Outline) -> ItemNames<'o> {
        let plain: Vec<String> = outline.items.iter().map(|item| plain(&item.qualified)).collect();
        let mut by_end: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, name) in plain.iter().enumerate() {
            by_end.entry(end_of(name).to_owned()).or_default().push(at);
        }
        let (declared, headings) = (OnceCell::new(), OnceCell::new());
        ItemNames { outline, plain, by_end, declared, headings }
    }

    /// Returns the items that a name addresses: all with that qualified name, else all whose name
    /// ends with it, else all that declare it among others, else the one heading that reads the
    /// same; one of them with `@n`.
    pub(crate) fn named(&self, name: &str) -> Vec<usize> {
        let numbered = name.rsplit_once('@');
        // A name may itself look like an address, so an exact match comes first.
        if let Some((qualified, nth)) = numbered {
            let addressed = self.matching(qualified, |at| {
                let item = &self.outline.items[at];
                item.qualified == qualified && item.nth.to_string() == nth
            });
            if !addressed.is_empty() {
                return addressed;
            }
        }
        let whole = self.matching(name, |at| self.outline.items[at].qualified == name);
        if !whole.is_empty() {
            return whole;
        }
        let numbered = numbered.and_then(|(name, nth)| Some((name, nth.parse::<u32>().ok()?)));
        let (name, nth) = numbered.map_or((name, None), |(name, nth)| (name, Some(nth)));
        let wanted = plain(name);
        let is_nth = |at: usize| nth.is_none_or(|nth| self.outline.items[at].nth == nth);
        let found = self.matching(name, |at| self.plain[at] == wanted && is_nth(at));
        if !found.is_empty() {
            return found;
        }
        let found = self.matching(name, |at| ends_with(&self.plain[at], &wanted) && is_nth(at));
        if !found.is_empty() {
            return found;
        }
        let declared = self.declared.get_or_init(|| declared_names(self.outline));
        let same_end = declared.get(end_of(&wanted)).map(Vec::as_slice).unwrap_or_default();
        let found: Vec<usize> = same_end
            .iter()
            .filter(|(name, at)| ends_with(name, &wanted) && is_nth(*at))
            .map(|(_, at)| *at)
            .collect();
        if !found.is_empty() {
            return found;
        }
        self.heading_read_as(&wanted).filter(|_| nth.is_none()).into_iter().collect()
    }

    /// Returns the items whose name has the same last part and that `is_it` accepts.
    fn matching(&self, name: &str, is_it: impl Fn(usize) -> bool) -> Vec<usize> {
        let same = self.by_end.get(end_of(&plain(name))).map(Vec::as_slice).unwrap_or_default();
        same.iter().copied().filter(|at| is_it(*at)).collect()
    }

    /// Returns the only heading that is `wanted` for a reader, who keeps no case and no punctuation
    /// in mind, and may leave out what stands in parentheses at the end.
    fn heading_read_as(&self, wanted: &str) -> Option<usize> {
        let headings = self.headings.get_or_init(|| headings_by_words(self.outline));
        match headings.get(&words_of(wanted)).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }
}

fn plain(name: &str) -> String {
    name.replace("::", ".")
}

fn end_of(plain: &str) -> &str {
    plain.rsplit('.').next().unwrap_or(plain)
}

fn ends_with(plain: &str, wanted: &str) -> bool {
    let before = plain.strip_suffix(wanted);
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Returns the names of items whose own name is a list of them (`:name, :size` of Ruby's
/// `attr_accessor`, `a, b` of Go's `var`) or a symbol.
fn declared_names(outline: &Outline) -> HashMap<String, Vec<(String, usize)>> {
    let mut declared: HashMap<String, Vec<(String, usize)>> = HashMap::new();
    for (at, item) in outline.items.iter().enumerate().filter(|(_, item)| item.kind.is_code()) {
        let Some(around) = item.qualified.strip_suffix(&item.name).map(plain) else { continue };
        let names = item.name.split(", ").map(|name| name.trim_start_matches(':'));
        for name in names.filter(|name| *name != item.name) {
            declared.entry(name.to_owned()).or_default().push((format!("{around}{name}"), at));
        }
    }
    declared
}

fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn headings_by_words(outline: &Outline) -> HashMap<Vec<String>, Vec<usize>> {
    let mut headings: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
    for (at, item) in outline.items.iter().enumerate() {
        if item.kind != ItemKind::Heading {
            continue;
        }
        let short = item.name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
        let short = short.map(|(short, _)| short);
        let names = [Some(item.name.as_str()), Some(item.qualified.as_str()), short];
        for words in names.into_iter().flatten().map(words_of).filter(|words| !words.is_empty()) {
            let same = headings.entry(words).or_default();
            if same.last() != Some(&at) {
                same.push(at);
            }
        }
    }
    headings
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

/// Returns the address of an item that is unique whatever other names there are.
fn numbered(item: &Item) -> String {
    format!("{}@{}", item.qualified, item.nth)
}

/// Returns the shortest unique address of each item.
pub(crate) fn addresses(outline: &Outline) -> Vec<String> {
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &outline.items {
        *times.entry(&item.qualified).or_default() += 1;
    }
    let has_mark = outline.items.iter().any(|item| item.qualified.contains('@'));
    let addressed: HashSet<String> =
        outline.items.iter().filter(|_| has_mark).map(numbered).collect();
    let is_alone = |name: &str| times[name] == 1 && !addressed.contains(name);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::language;

    fn check(text: &str, name: &str, expected: &[&str]) {
        let outline = crate::outline::outline(language::named("markdown").unwrap(), text);
        let addresses = addresses(&outline);
        let named = items_named(&outline, name).into_iter().map(|at| addresses[at].as_str());
        assert_eq!(named.collect::<Vec<_>>(), expected, "{name}");
    }

    #[test]
    fn a_name_addresses_an_item_by_its_whole_name_its_end_or_its_words() {
        let text = "# A\n\n## Use it\n\n# B\n\n## Use it\n\n## v1.2 (old)\n\n# v1.2@2\n\n# v1.2\n";
        for (name, expected) in [
            ("A", &["A"][..]),
            ("A.Use it", &["A.Use it"]),
            ("A::Use it", &["A.Use it"]),
            ("Use it", &["A.Use it", "B.Use it"]),
            ("Use it@1", &["A.Use it", "B.Use it"]),
            ("se it", &[]),
            ("b use it", &["B.Use it"]),
            ("use it", &[]),
            ("V1.2 (OLD)", &["B.v1.2 (old)"]),
            ("v1.2@2", &["v1.2@2"]),
            ("v1.2@1", &["v1.2"]),
        ] {
            check(text, name, expected);
        }
    }
}
