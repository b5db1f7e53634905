//! Addresses of items, and the levels of items that follow from the level of their file.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::fit::Shown;
use crate::level::Level;
use crate::map::{FileReport, ItemReport};
use crate::outline::{Item, ItemKind, Outline};
use crate::plan::ItemRule;
use crate::render::Choice;
use crate::score::words::is_definition_keyword;
use crate::text::words::lower_words;

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
        let whole = levels.get(&at).copied().filter(|level| *level >= Level::Body);
        let has_parts = outline.items[at].has_children || outline.has_blocks(at);
        let Some(whole) = whole.filter(|_| has_parts) else { continue };
        let is_lower =
            |(inner, level): &(usize, Level)| *level < Level::Body && lies_in(*inner, at);
        if !named.iter().any(is_lower) {
            continue;
        }
        levels.insert(at, Level::Interface);
        for child in at + 1..outline.items.len() {
            if outline.items[child].parent == Some(at) {
                levels.entry(child).or_insert(whole);
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
    /// The items by the labels that outlines draw, for names that address no item.
    labels: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'o> ItemNames<'o> {
    pub(crate) fn of(outline: &'o Outline) -> ItemNames<'o> {
        let plain: Vec<String> = outline.items.iter().map(|item| plain(&item.qualified)).collect();
        let mut by_end: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, name) in plain.iter().enumerate() {
            by_end.entry(end_of(name).to_owned()).or_default().push(at);
        }
        let (declared, headings, labels) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        ItemNames { outline, plain, by_end, declared, headings, labels }
    }

    /// Returns the items that a name addresses: all with that qualified name, else all whose name
    /// ends with it, else all that declare it among others, else all that a map draws so, else the
    /// one heading that reads the same; one of them with `@n`.
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
        let mut found = self.drawn_as(&wanted);
        found.retain(|at| is_nth(*at));
        if !found.is_empty() {
            return found;
        }
        self.heading_read_as(&wanted).filter(|_| nth.is_none()).into_iter().collect()
    }

    /// Returns the items that a map draws so: as an outline does (`fn refresh`, `impl Display for
    /// Session`), or as their source begins (`def refresh`, `pub struct Session`).
    fn drawn_as(&self, drawn: &str) -> Vec<usize> {
        let labels = self.labels.get_or_init(|| labels(self.outline, &self.plain));
        let mut rest = drawn;
        loop {
            if let Some(found) = labels.get(rest) {
                return found.clone();
            }
            match rest.split_once(' ') {
                Some((word, after)) if is_keyword(word) => rest = after.trim_start(),
                _ if rest.len() == drawn.len() => return Vec::new(),
                _ => break,
            }
        }
        // A signature goes on behind the name.
        let name = rest.split(['(', '<', '{']).next().unwrap_or(rest).trim_end_matches([':', ' ']);
        self.matching(name, |at| ends_with(&self.plain[at], name))
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
        match headings.get(&lower_words(wanted).collect::<Vec<_>>()).map(Vec::as_slice) {
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

/// What else stands before names in the source of a definition.
const MODIFIERS: [&str; 18] = [
    "abstract",
    "async",
    "default",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "macro",
    "method",
    "open",
    "override",
    "private",
    "protected",
    "pub",
    "public",
    "unsafe",
    "virtual",
];

/// Reports whether a word stands before names in the source; `pub(crate)` does as `pub`.
fn is_keyword(word: &str) -> bool {
    let word = word.split('(').next().unwrap_or(word);
    is_definition_keyword(word.as_bytes()) || MODIFIERS.contains(&word)
}

/// Returns the items by what an outline draws of them: the label of their kind before the title or
/// the name, and the title alone.
fn labels(outline: &Outline, plain_names: &[String]) -> HashMap<String, Vec<usize>> {
    let mut labels: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, item) in outline.items.iter().enumerate() {
        let (label, title) = (item.kind.label(), plain(&item.title));
        let mut drawn = vec![format!("{label} {title}")];
        // A title of its own tells apart what has one name.
        match item.title == item.name {
            true => drawn.push(format!("{label} {}", plain_names[at])),
            false => drawn.push(title),
        }
        for drawn in drawn {
            let same = labels.entry(drawn).or_default();
            if same.last() != Some(&at) {
                same.push(at);
            }
        }
    }
    labels
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
        let names = names.into_iter().flatten().map(|name| lower_words(name).collect::<Vec<_>>());
        for words in names.filter(|words| !words.is_empty()) {
            let same = headings.entry(words).or_default();
            if same.last() != Some(&at) {
                same.push(at);
            }
        }
    }
    headings
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
        own.unwrap_or_else(|| outline.items[at].level_in_file(report.level))
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
    [Level::Path, Level::Outline, Level::Interface, Level::Body]
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
        Level::Outline | Level::Interface | Level::Body => Choice::uniform(outline, level),
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
        check_in("markdown", text, name, expected);
    }

    fn check_in(language: &str, text: &str, name: &str, expected: &[&str]) {
        let outline = crate::outline::outline(language::named(language).unwrap(), text);
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

    #[test]
    fn what_a_map_draws_of_an_item_addresses_it() {
        let rust = "pub struct Bytes;\n\nimpl Bytes {\n    pub fn from(n: u8) -> Bytes {\n        \
            Bytes\n    }\n}\n\nimpl From<BytesMut> for Bytes {\n    fn from(of: BytesMut) -> Bytes \
            {\n        Bytes\n    }\n}\n\nimpl fmt::Display for Bytes {}\n\npub(crate) const fn \
            make_mut<T>(of: T) -> u8 {\n    0\n}\n";
        for (name, expected) in [
            ("struct Bytes", &["Bytes@1"][..]),
            ("pub struct Bytes", &["Bytes@1"]),
            ("impl From<BytesMut> for Bytes", &["Bytes@3"]),
            ("From<BytesMut> for Bytes", &["Bytes@3"]),
            ("impl fmt::Display for Bytes", &["Bytes@4"]),
            ("impl Bytes", &["Bytes@2"]),
            ("fn from", &["Bytes::from@1", "Bytes::from@2"]),
            ("fn from@2", &["Bytes::from@2"]),
            ("fn Bytes::from", &["Bytes::from@1", "Bytes::from@2"]),
            ("fn make_mut", &["make_mut"]),
            ("pub(crate) const fn make_mut<T>(of: T) -> u8", &["make_mut"]),
            ("enum Bytes", &["Bytes@1", "Bytes@2", "Bytes@3", "Bytes@4"]),
            ("the make_mut", &[]),
            ("fn", &[]),
        ] {
            check_in("rust", rust, name, expected);
        }
        let python =
            "class Session(Base):\n    def close(self):\n        pass\n\ndef close():\n    pass\n";
        for (name, expected) in [
            ("class Session", &["Session"][..]),
            ("class Session(Base):", &["Session"]),
            ("def close", &["Session.close", "close"]),
            ("fn close", &["Session.close", "close"]),
            ("def Session.close(self):", &["Session.close"]),
        ] {
            check_in("python", python, name, expected);
        }
    }
}
