//! What a walk sees: one page, with what can be clicked on it.

pub mod field_rules;
pub(crate) mod label;
pub(crate) mod marks;

use serde::Serialize;

use crate::walk::screen::field_rules::FieldRules;

/// How much text an article has at least for each letter of its links; an index has less.
const TEXT_OF_ARTICLES: usize = 3;

/// How the title of a section of a dialog begins.
pub(crate) const DIALOG: &str = "Dialog: ";
/// The state of the control that has the focus: where keys go. It is no part of what a page shows.
pub(crate) const FOCUSED: &str = "focused";

/// One page, as a walk sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Screen {
    /// The address of the page.
    pub address: String,
    /// The title of the page.
    pub title: String,
    /// The names of the places above the page, outermost first.
    pub breadcrumb: Vec<String>,
    /// The open folders of a tree within the page, outermost first.
    pub folders: Vec<String>,
    /// What can be clicked. An entry's number is its position, from 1.
    pub entries: Vec<ScreenEntry>,
    /// The forms of a live page, with their entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<ScreenForm>,
    /// The forms of a page over HTTP: they say what the page asks for, and a walk fills in none.
    #[serde(skip)]
    pub plain_forms: Vec<PlainForm>,
    /// The text, in parts. A section's number is its position, from 1.
    pub sections: Vec<ScreenSection>,
    /// The position of the section that the link to the page led to. It is no part of what a page
    /// shows.
    #[serde(skip)]
    pub led_to: Option<usize>,
    /// The page says something beside links and headings.
    pub has_data: bool,
    /// What the page has that a walk does not see, in words.
    pub notes: Vec<String>,
    /// The addresses that going back leads to, the last one next.
    pub trail: Vec<String>,
    /// The page is live: its controls can be operated. The text has a mark for each of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_live: bool,
    /// A dialog of the page asked something, and the answer was no.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_asked: bool,
    /// The page goes on below the window: a walk sees that, and more may load there on scrolling.
    /// It is no part of what a page shows.
    #[serde(skip)]
    pub goes_on_below: bool,
    /// The text that is selected, cut, or its length in brackets if it is long.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub selected: String,
}

/// Something that can be clicked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScreenEntry {
    /// The kind of entry.
    pub kind: EntryKind,
    /// The words of the entry.
    pub label: String,
    /// The closed folders of a tree that it lies in, outermost first; empty if it is in sight.
    pub folders: Vec<String>,
    /// The heading above it, or of a number the term that it stands beside: `vacuum, 9.4`.
    pub under: Option<String>,
    /// The address that it leads to; `None` for a folder, which opens in place.
    pub target: Option<String>,
    /// It stands in the content, and not in a menu, a header or a footer.
    pub is_content: bool,
    /// Neither its address nor its declared type is that of an archive, an image or a document of
    /// another kind.
    #[serde(skip)]
    pub is_page: bool,
    /// What is known of a control of a live page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<EntryControl>,
}

/// What is known of a control of a live page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct EntryControl {
    /// The value of a field; never that of a password.
    pub value: Option<String>,
    /// Its states, in words: `checked`, `disabled`, `covered`, `focused`, …
    pub states: Vec<String>,
    /// The options of a list.
    pub options: Vec<String>,
    /// The text around it, where several controls have the same label.
    pub beside: Option<String>,
    /// What a field takes. It is no part of what is seen.
    #[serde(skip)]
    pub rules: Option<FieldRules>,
}

/// A form of a live page. Entries are named by their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ScreenForm {
    /// What people call it, or the heading above it; empty if there is neither.
    pub name: String,
    /// What takes a value.
    pub fields: Vec<usize>,
    /// What sends it.
    pub sent_by: Vec<usize>,
}

/// A form of a page over HTTP, with its fields as a browser would show them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainForm {
    /// What people call it; empty without a name.
    pub name: String,
    /// What takes a value.
    pub fields: Vec<ScreenEntry>,
}

/// The kinds of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryKind {
    /// A link to a page.
    Link,
    /// A folder of a tree within the page.
    Folder,
    /// A button.
    Button,
    /// A field to write into.
    Field,
    /// A box to check.
    Checkbox,
    /// One of several to choose from.
    Radio,
    /// A list to choose from.
    Select,
    /// A choice of a list that the page draws itself.
    Option,
    /// A value between two ends.
    Slider,
    /// A field for a file.
    File,
    /// A tab of the page.
    Tab,
    /// Another tab of the browser.
    OtherTab,
    /// A choice of a menu.
    MenuItem,
    /// A node of a tree that the page draws itself.
    TreeItem,
    /// An area that a script draws on.
    Canvas,
    /// Something else that takes clicks.
    Item,
}

impl EntryKind {
    /// Returns the word that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            EntryKind::Link => "link",
            EntryKind::Folder => "folder",
            EntryKind::Button => "button",
            EntryKind::Field => "field",
            EntryKind::Checkbox => "checkbox",
            EntryKind::Radio => "radio",
            EntryKind::Select => "select",
            EntryKind::Option => "option",
            EntryKind::Slider => "slider",
            EntryKind::File => "file",
            EntryKind::Tab | EntryKind::OtherTab => "tab",
            EntryKind::MenuItem => "menu item",
            EntryKind::TreeItem => "tree item",
            EntryKind::Canvas => "canvas",
            EntryKind::Item => "item",
        }
    }
}

/// A heading with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScreenSection {
    /// The heading; empty for text above the first one.
    pub title: String,
    /// The rank of the heading: 1 to 6, 0 for text above the first one.
    pub level: u8,
    /// The text as Markdown, without the heading.
    pub text: String,
}

impl Screen {
    /// Returns an entry by its number.
    pub fn entry(&self, number: usize) -> Option<&ScreenEntry> {
        self.entries.get(number.checked_sub(1)?)
    }

    /// Returns a section by its number.
    pub fn section(&self, number: usize) -> Option<&ScreenSection> {
        self.sections.get(number.checked_sub(1)?)
    }

    /// Returns a text of the screen without the marks of controls, which live pages alone have.
    pub(crate) fn without_marks(&self, text: &str) -> String {
        if self.is_live { marks::without(text) } else { text.to_owned() }
    }

    /// Returns the names of the places from the outermost one to the open folder or the page.
    pub fn place(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.breadcrumb.iter().map(String::as_str).collect();
        for name in [&self.title].into_iter().chain(&self.folders) {
            if !name.is_empty() && names.last() != Some(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the names of the places from the outermost one to a section, with those of the
    /// sections around it. A heading that the page is called by is no further place.
    pub(crate) fn place_of(&self, number: usize) -> Vec<&str> {
        let mut names = self.place();
        let last = names.last().copied().unwrap_or_default();
        let is_of_page = |section: &ScreenSection| {
            let is_first_rank = section.level == 1 && self.title.contains(&section.title);
            is_first_rank || section.title == self.title || section.title == last
        };
        let mut level = u8::MAX;
        let mut around: Vec<&str> = Vec::new();
        let until = number.min(self.sections.len());
        for section in self.sections[..until].iter().rev().filter(|one| !one.title.is_empty()) {
            if section.level < level {
                if is_of_page(section) {
                    break;
                }
                level = section.level;
                around.push(&section.title);
            }
        }
        names.extend(around.into_iter().rev());
        names
    }

    /// Returns the names that each entry promises: those of the heading and the folders above it;
    /// of a page that only leads on, those of its place too.
    pub(crate) fn ways(&self) -> impl Fn(&ScreenEntry) -> Vec<String> {
        let only_leads_on = !self.is_article();
        move |entry| self.way_on(entry, only_leads_on)
    }

    fn way_on(&self, entry: &ScreenEntry, only_leads_on: bool) -> Vec<String> {
        let is_of_place = entry.is_content && only_leads_on;
        let place = if is_of_place { self.place() } else { Vec::new() };
        let heading = entry.under.as_ref().filter(|heading| **heading != self.title);
        let labels = heading.into_iter().chain(&entry.folders).chain([&entry.label]);
        place.into_iter().chain(labels.map(String::as_str)).map(str::to_owned).collect()
    }

    /// Reports whether the text is what the page is for, and not its links.
    pub fn is_article(&self) -> bool {
        let n_text: usize = self.sections.iter().map(|section| section.text.len()).sum();
        // Of many links a few decide.
        // What stands behind tabs is text.
        let leads_on = |entry: &&ScreenEntry| entry.is_content && entry.kind != EntryKind::Tab;
        let mut links = self.entries.iter().filter(leads_on);
        let rest = links
            .try_fold(n_text, |rest, entry| rest.checked_sub(TEXT_OF_ARTICLES * entry.label.len()));
        self.has_data && rest.is_some_and(|rest| rest > 0)
    }

    /// Returns the number of the control that has the focus, from 1.
    pub fn focused(&self) -> Option<usize> {
        self.entries.iter().position(|entry| entry.is(FOCUSED)).map(|at| at + 1)
    }

    /// Returns the digest of what is seen. The way to the page, the focus and the selection do not
    /// count.
    pub fn digest(&self) -> String {
        let (trail, selected) = (Vec::new(), String::new());
        let mut seen = Screen { trail, selected, ..self.clone() };
        for control in seen.entries.iter_mut().filter_map(|entry| entry.control.as_mut()) {
            control.states.retain(|state| state != FOCUSED);
        }
        // A screen is data with text keys, which JSON always holds.
        let bytes = serde_json::to_vec(&seen).unwrap_or_default();
        blake3::hash(&bytes).to_hex()[..32].to_owned()
    }
}

impl ScreenEntry {
    /// Returns what stands behind its label: that it opens in place, or leads to no page.
    pub(crate) fn mark(&self) -> &'static str {
        match self.kind {
            EntryKind::Folder => "/",
            _ if !self.is_page => " (a file, no page)",
            _ => "",
        }
    }

    /// Makes an entry of the content that is in sight and leads nowhere.
    pub fn new(kind: EntryKind, label: impl Into<String>) -> ScreenEntry {
        ScreenEntry {
            kind,
            label: label.into(),
            folders: Vec::new(),
            under: None,
            target: None,
            is_content: true,
            is_page: true,
            control: None,
        }
    }

    /// Reports whether a control has a state, by its word.
    pub fn is(&self, state: &str) -> bool {
        self.control.as_ref().is_some_and(|control| control.states.iter().any(|one| one == state))
    }

    /// Returns the label with the folders that it lies in.
    pub fn path(&self) -> String {
        let names = self.folders.iter().chain([&self.label]);
        names.map(String::as_str).collect::<Vec<_>>().join(" › ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(n_links: usize, n_text: usize) -> Screen {
        let section = ScreenSection { title: String::new(), level: 0, text: "x".repeat(n_text) };
        Screen {
            title: "All".to_owned(),
            entries: vec![ScreenEntry::new(EntryKind::Link, "ten signs!"); n_links],
            sections: vec![section],
            has_data: true,
            ..Screen::default()
        }
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_place_of_a_section_names_the_sections_around_it() {
        let section = |level: u8, title: &str| ScreenSection {
            title: title.to_owned(),
            level,
            text: String::new(),
        };
        let sections = vec![
            section(0, ""),
            section(1, "Handbook"),
            section(2, "Tools"),
            section(3, "saw"),
            section(4, "-c"),
            section(3, "plane"),
            section(1, "Handbook"),
            section(1, "Index"),
        ];
        let title = "Handbook".to_owned();
        let breadcrumb = owned(&["Shelf"]);
        let screen = Screen { title, breadcrumb, sections, ..Screen::default() };
        for (number, place) in [
            (1, &["Shelf", "Handbook"][..]),
            (2, &["Shelf", "Handbook"]),
            (4, &["Shelf", "Handbook", "Tools", "saw"]),
            (5, &["Shelf", "Handbook", "Tools", "saw", "-c"]),
            (6, &["Shelf", "Handbook", "Tools", "plane"]),
            (7, &["Shelf", "Handbook"]),
            (8, &["Shelf", "Handbook", "Index"]),
        ] {
            assert_eq!(screen.place_of(number), place, "{number}");
        }
    }

    #[test]
    fn an_article_has_more_than_three_times_the_text_of_its_links() {
        for (n_links, n_text, is_article) in
            [(0, 1, true), (0, 0, false), (2, 60, false), (2, 61, true), (2, 59, false)]
        {
            let screen = screen(n_links, n_text);
            assert_eq!(screen.is_article(), is_article, "{n_links} {n_text}");
            let way = if is_article { vec!["ten signs!"] } else { vec!["All", "ten signs!"] };
            let ways = screen.ways();
            for entry in &screen.entries {
                assert_eq!(ways(entry), owned(&way));
            }
        }
    }
}
