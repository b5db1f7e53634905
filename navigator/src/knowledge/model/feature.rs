//! What a screen is recognised by: the words of its controls and headings, and where its links
//! lead. Values, and numbers in words, do not count.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::knowledge::model::template::AddressTemplate;
use crate::shared::lower_words;
use crate::walk::screen::{DIALOG, EntryKind, Screen, ScreenEntry};

/// The most words of a feature; the rest of a longer text is left out.
const MAX_WORDS: usize = 10;
/// The largest number of features of a screen. An index of a large manual has more links.
const MAX_FEATURES: usize = 400;
/// So many controls of one kind under one heading are a list, whose labels are its data.
const LIST: usize = 4;

/// One thing that a screen is recognised by.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Feature {
    /// What has the words.
    pub kind: FeatureKind,
    /// The words in lower case, with `#` for numbers; of `leads_to` the template of an address.
    pub words: String,
}

/// What has the words of a feature.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// The title of the page.
    Title,
    /// A heading.
    Heading,
    /// The name of an open dialog.
    Dialog,
    /// Links lead to addresses of this template.
    LeadsTo,
    /// A link of the content.
    Link,
    /// A link of a menu, a header or a footer.
    MenuLink,
    /// A button.
    Button,
    /// A field to write into.
    Field,
    /// A box to check, or one of several to choose from.
    Choice,
    /// A list to choose from.
    Select,
    /// A tab.
    Tab,
    /// The tab that is selected.
    SelectedTab,
    /// A choice of a menu.
    MenuItem,
    /// A control that has opened something.
    Expanded,
    /// Something else that takes clicks.
    Item,
    /// What the page shows now, beside its words: it lists things, or a menu is open.
    State,
}

/// The state of a page that lists things. Without them it is the page with an empty list.
pub(crate) const LISTS: &str = "lists";
/// The state of a page with an open menu.
pub(crate) const MENU: &str = "menu";
/// The state of a page that is a tree of folders.
pub(crate) const TREE: &str = "tree";

impl FeatureKind {
    /// Returns how much a feature says of its screen, before its rarity counts. Set on the screens
    /// of the generated manual and of three applications; the order matters, the figures hardly.
    pub fn weight(self) -> f64 {
        match self {
            FeatureKind::Dialog | FeatureKind::SelectedTab => 2.0,
            FeatureKind::Expanded => 1.5,
            FeatureKind::Button
            | FeatureKind::Field
            | FeatureKind::Select
            | FeatureKind::State
            | FeatureKind::MenuItem => 1.0,
            FeatureKind::Heading | FeatureKind::Choice => 0.8,
            FeatureKind::Tab | FeatureKind::LeadsTo => 0.6,
            FeatureKind::Title => 0.5,
            FeatureKind::Item | FeatureKind::Link | FeatureKind::MenuLink => 0.3,
        }
    }

    /// Returns the probability that a feature that was seen once belongs to its screen, and is no
    /// data on it.
    pub fn prior(self) -> f64 {
        match self {
            FeatureKind::Dialog
            | FeatureKind::SelectedTab
            | FeatureKind::Button
            | FeatureKind::Field
            | FeatureKind::Select
            | FeatureKind::Tab
            | FeatureKind::MenuItem
            | FeatureKind::State
            | FeatureKind::MenuLink => 0.9,
            FeatureKind::Expanded | FeatureKind::LeadsTo | FeatureKind::Choice => 0.7,
            FeatureKind::Heading | FeatureKind::Title => 0.5,
            FeatureKind::Item | FeatureKind::Link => 0.2,
        }
    }

    /// Reports whether a page is built of such things. Titles, headings, links and items name what
    /// it is about.
    pub(crate) fn is_built(self) -> bool {
        match self {
            FeatureKind::Dialog
            | FeatureKind::Button
            | FeatureKind::Field
            | FeatureKind::Choice
            | FeatureKind::Select
            | FeatureKind::Tab
            | FeatureKind::SelectedTab
            | FeatureKind::MenuItem => true,
            FeatureKind::Title
            | FeatureKind::Heading
            | FeatureKind::LeadsTo
            | FeatureKind::Link
            | FeatureKind::MenuLink
            | FeatureKind::Expanded
            | FeatureKind::Item
            | FeatureKind::State => false,
        }
    }

    /// Reports whether the words are the name of a control or of a thing on the page, which may be
    /// another one the next time.
    pub(crate) fn is_control(self) -> bool {
        self.is_built() && !matches!(self, FeatureKind::Dialog | FeatureKind::SelectedTab)
            || self == FeatureKind::Item
    }

    /// Reports whether the words stand in a text of the page.
    pub fn is_text(self) -> bool {
        !matches!(self, FeatureKind::LeadsTo | FeatureKind::State)
    }

    /// Returns the word that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            FeatureKind::Title => "title",
            FeatureKind::Heading => "heading",
            FeatureKind::Dialog => "dialog",
            FeatureKind::LeadsTo => "leads to",
            FeatureKind::Link => "link",
            FeatureKind::MenuLink => "menu link",
            FeatureKind::Button => "button",
            FeatureKind::Field => "field",
            FeatureKind::Choice => "choice",
            FeatureKind::Select => "select",
            FeatureKind::Tab => "tab",
            FeatureKind::SelectedTab => "selected tab",
            FeatureKind::MenuItem => "menu item",
            FeatureKind::Expanded => "expanded",
            FeatureKind::Item => "item",
            FeatureKind::State => "state",
        }
    }
}

/// Reports whether a feature is the state of a page with an open menu.
pub(crate) fn is_menu(feature: &Feature) -> bool {
    feature.kind == FeatureKind::State && feature.words == MENU
}

/// Returns the features of a screen. Controls that something covers cannot be used, and are none.
pub fn features_of(screen: &Screen) -> BTreeSet<Feature> {
    let mut features = BTreeSet::new();
    let mut add = |kind: FeatureKind, text: &str| {
        let words = feature_words(text);
        if !words.is_empty() && features.len() < MAX_FEATURES {
            features.insert(Feature { kind, words });
        }
    };
    add(FeatureKind::Title, &screen.title);
    for section in &screen.sections {
        // A heading may be a link, as those of manuals are.
        let title = screen.without_marks(&section.title);
        match title.strip_prefix(DIALOG) {
            Some(dialog) => add(FeatureKind::Dialog, dialog),
            None => add(FeatureKind::Heading, &title),
        }
    }
    let lists = lists_of(screen);
    for entry in screen.entries.iter().filter(|entry| !entry.is("covered")) {
        let is_listed = lists.contains(&group_of(entry));
        match kind_of(entry, is_listed) {
            Some(kind) => add(kind, name_of_control(screen, entry)),
            None => continue,
        }
        if entry.is("expanded") {
            add(FeatureKind::Expanded, &entry.label);
        }
        if entry.kind == EntryKind::Tab && entry.is("selected") {
            add(FeatureKind::SelectedTab, &entry.label);
        }
    }
    let page = Url::parse(&screen.address).ok();
    for target in screen.entries.iter().filter_map(|entry| entry.target.as_deref()) {
        let Some(address) = Url::parse(target).ok() else { continue };
        let Some(template) = AddressTemplate::of(target) else { continue };
        if template.has_parameters() {
            let page = page.as_ref().unwrap_or(&address);
            let words = AddressTemplate::seen_from(page, &address).unwrap_or_default();
            features.insert(Feature { kind: FeatureKind::LeadsTo, words });
        }
    }
    let in_sight = || screen.entries.iter().filter(|entry| !entry.is("covered"));
    let is_listed = |entry: &ScreenEntry| is_of_list(entry, &lists);
    let states = [
        (in_sight().any(is_listed), LISTS),
        (in_sight().any(|entry| entry.kind == EntryKind::MenuItem), MENU),
        (in_sight().any(|entry| entry.kind == EntryKind::Folder), TREE),
    ];
    features.extend(
        states
            .into_iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, words)| Feature { kind: FeatureKind::State, words: words.to_owned() }),
    );
    features
}

/// Reports whether an entry is one of the things that a page lists, and no control of the page: it
/// leads to one of many, or has no role of its own.
fn is_of_list(entry: &ScreenEntry, lists: &BTreeSet<ControlGroup<'_>>) -> bool {
    match kind_of(entry, lists.contains(&group_of(entry))) {
        Some(kind) => {
            kind == FeatureKind::Item
                && !matches!(entry.kind, EntryKind::Canvas | EntryKind::Checkbox | EntryKind::Radio)
        }
        None => entry.is_content,
    }
}

/// The heading and the kind of a control.
type ControlGroup<'a> = (Option<&'a str>, EntryKind);

fn group_of(entry: &ScreenEntry) -> ControlGroup<'_> {
    (entry.under.as_deref(), entry.kind)
}

/// Returns the groups of controls that are long enough to be lists.
fn lists_of(screen: &Screen) -> BTreeSet<ControlGroup<'_>> {
    let mut groups: Vec<ControlGroup<'_>> = screen.entries.iter().map(group_of).collect();
    groups.sort_unstable();
    let runs = groups.chunk_by(|a, b| a == b).filter(|run| run.len() >= LIST);
    runs.map(|run| run[0]).collect()
}

/// The largest count that a label ends with, in digits, where no brackets are around it.
const COUNT_DIGITS: usize = 3;

/// Returns the name of a control: its label, without a count at the end of it (`Cart 2`,
/// `Inbox (17)`), which is none where other controls of the screen differ by the number alone.
pub(crate) fn name_of_control<'e>(screen: &Screen, entry: &'e ScreenEntry) -> &'e str {
    let can_count = matches!(
        entry.kind,
        EntryKind::Link
            | EntryKind::Folder
            | EntryKind::Button
            | EntryKind::Tab
            | EntryKind::MenuItem
            | EntryKind::TreeItem
            | EntryKind::Item
    );
    let name = without_count(&entry.label).filter(|_| can_count);
    let Some(name) = name else { return &entry.label };
    let is_other = |other: &&ScreenEntry| {
        other.kind == entry.kind
            && other.label != entry.label
            && (entry.target.is_none() || other.target != entry.target)
    };
    let mut others = screen.entries.iter().filter(is_other);
    let is_number = others.any(|other| {
        other.label.starts_with(name) && without_count(&other.label).unwrap_or(&other.label) == name
    });
    if is_number { &entry.label } else { name }
}

/// Returns a label without the count at its end, if it may have one.
pub(crate) fn without_count(label: &str) -> Option<&str> {
    let label = label.trim_end();
    let bracketed = label.strip_suffix([')', ']']);
    let number = bracketed.unwrap_or(label).trim_end().trim_end_matches('+');
    let bare = number.trim_end_matches(|c: char| c.is_ascii_digit());
    let n_digits = number.len() - bare.len();
    let name = match bracketed {
        Some(_) => bare.trim_end().strip_suffix(['(', '[']),
        None if n_digits > COUNT_DIGITS => None,
        // `mp3` and `1.5` are no counts.
        None => Some(bare).filter(|bare| bare.ends_with(char::is_whitespace)),
    };
    let name = name.filter(|_| n_digits > 0)?.trim_end().trim_end_matches([':', '·']).trim_end();
    name.contains(char::is_alphabetic).then_some(name)
}

/// Returns the kind of an entry's feature; `None` where the label is data, or none of the page's.
fn kind_of(entry: &ScreenEntry, is_listed: bool) -> Option<FeatureKind> {
    let leads_to_one_of_many = || {
        let template = entry.target.as_deref().and_then(AddressTemplate::of);
        template.is_some_and(|template| template.has_parameters())
    };
    Some(match entry.kind {
        EntryKind::Link | EntryKind::Folder if leads_to_one_of_many() => return None,
        EntryKind::Link | EntryKind::Folder if entry.is_content => FeatureKind::Link,
        EntryKind::Link | EntryKind::Folder => FeatureKind::MenuLink,
        EntryKind::Button if is_listed => FeatureKind::Item,
        EntryKind::Button => FeatureKind::Button,
        EntryKind::Field | EntryKind::File | EntryKind::Slider => FeatureKind::Field,
        EntryKind::Checkbox | EntryKind::Radio if is_listed => FeatureKind::Item,
        EntryKind::Checkbox | EntryKind::Radio => FeatureKind::Choice,
        EntryKind::Select => FeatureKind::Select,
        EntryKind::Tab => FeatureKind::Tab,
        EntryKind::OtherTab => return None,
        EntryKind::MenuItem => FeatureKind::MenuItem,
        EntryKind::Option | EntryKind::TreeItem | EntryKind::Canvas | EntryKind::Item => {
            FeatureKind::Item
        }
    })
}

/// Returns words in lower case, with `#` for each number and single spaces between them.
pub fn feature_words(text: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    for word in lower_words(text) {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let word = if is_number { "#".to_owned() } else { word };
        // `12,99` is one number.
        if word != "#" || found.last().is_none_or(|last| last != "#") {
            found.push(word);
        }
        if found.len() == MAX_WORDS {
            break;
        }
    }
    found.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::screen::ScreenSection;

    #[test]
    fn a_heading_that_is_a_link_has_the_words_of_the_link_alone() {
        let title = "⟦44 link \"The view\"⟧".to_owned();
        let section = ScreenSection { title, level: 2, text: String::new() };
        let screen = Screen { sections: vec![section], is_live: true, ..Screen::default() };
        let heading = Feature { kind: FeatureKind::Heading, words: "the view".to_owned() };
        assert_eq!(features_of(&screen), [heading].into());
    }

    #[test]
    fn a_count_at_the_end_of_a_label_is_no_part_of_the_name() {
        for (label, name) in [
            ("Cart 2", Some("Cart")),
            ("Inbox (17)", Some("Inbox")),
            ("Messages 99+", Some("Messages")),
            ("Cart", None),
            ("mp3", None),
            ("Order 1002", None),
            ("Version 1.5", None),
            ("3", None),
        ] {
            assert_eq!(without_count(label), name, "{label}");
        }
        let link = |label: &str, target: &str| ScreenEntry {
            target: Some(target.to_owned()),
            ..ScreenEntry::new(EntryKind::Link, label)
        };
        let entries = [("Chapter 1", "/1"), ("Chapter 2", "/2"), ("Cart 2", "/cart")];
        let entries = entries.map(|(label, target)| link(label, target)).to_vec();
        let screen = Screen { entries, ..Screen::default() };
        let names: Vec<&str> =
            screen.entries.iter().map(|entry| name_of_control(&screen, entry)).collect();
        assert_eq!(names, ["Chapter 1", "Chapter 2", "Cart"]);
    }
}
