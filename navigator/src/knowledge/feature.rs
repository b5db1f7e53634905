//! What a screen is recognised by: the words of its controls and headings, and where its links
//! lead. Values, and numbers in words, do not count.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::knowledge::template::AddressTemplate;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};

/// The most words of a feature; the rest of a longer text is left out.
const MAX_WORDS: usize = 10;
/// The largest number of features of a screen. An index of a large manual has more links.
const MAX_FEATURES: usize = 400;
/// So many controls of one kind under one heading are a list, whose labels are its data.
const LIST: usize = 4;
/// How the title of a section of a dialog begins.
const DIALOG: &str = "Dialog: ";

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
}

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
            | FeatureKind::MenuLink => 0.9,
            FeatureKind::Expanded | FeatureKind::LeadsTo | FeatureKind::Choice => 0.7,
            FeatureKind::Heading | FeatureKind::Title => 0.5,
            FeatureKind::Item | FeatureKind::Link => 0.2,
        }
    }

    /// Reports whether the words stand in a text of the page.
    pub fn is_text(self) -> bool {
        self != FeatureKind::LeadsTo
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
        }
    }
}

/// Returns the features of a screen. Controls that something covers cannot be used, and are none.
pub fn features_of(screen: &Screen) -> BTreeSet<Feature> {
    let mut features = BTreeSet::new();
    let mut add = |kind: FeatureKind, text: &str| {
        let words = words_of(text);
        if !words.is_empty() && features.len() < MAX_FEATURES {
            features.insert(Feature { kind, words });
        }
    };
    add(FeatureKind::Title, &screen.title);
    for section in &screen.sections {
        match section.title.strip_prefix(DIALOG) {
            Some(dialog) => add(FeatureKind::Dialog, dialog),
            None => add(FeatureKind::Heading, &section.title),
        }
    }
    let lists = lists_of(screen);
    for entry in screen.entries.iter().filter(|entry| !entry.is("covered")) {
        let is_listed = lists.contains(&group_of(entry));
        match kind_of(entry, is_listed) {
            Some(kind) => add(kind, &entry.label),
            None => continue,
        }
        if entry.is("expanded") {
            add(FeatureKind::Expanded, &entry.label);
        }
        if entry.kind == EntryKind::Tab && entry.is("selected") {
            add(FeatureKind::SelectedTab, &entry.label);
        }
    }
    for entry in &screen.entries {
        let template = entry.target.as_deref().and_then(AddressTemplate::of);
        if let Some(template) = template.filter(AddressTemplate::has_parameters) {
            let words = template.to_string();
            features.insert(Feature { kind: FeatureKind::LeadsTo, words });
        }
    }
    features
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

/// Returns the kind of an entry's feature; `None` where the label is data.
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
        EntryKind::Checkbox | EntryKind::Radio => FeatureKind::Choice,
        EntryKind::Select => FeatureKind::Select,
        EntryKind::Tab => FeatureKind::Tab,
        EntryKind::MenuItem => FeatureKind::MenuItem,
        EntryKind::Option | EntryKind::TreeItem | EntryKind::Canvas | EntryKind::Item => {
            FeatureKind::Item
        }
    })
}

/// Returns words in lower case, with `#` for each number and single spaces between them.
pub fn words_of(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let word = if is_number { "#".to_owned() } else { word.to_lowercase() };
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
