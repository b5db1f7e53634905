//! What a text of another agent shows of a page, within bounds: a page decides what is in it.

use url::Url;

use crate::knowledge::model::feature::FeatureKind;
use crate::walk::screen::{EntryControl, EntryKind, Screen, ScreenEntry, ScreenSection};

/// The largest numbers of controls, of headings and of texts that are kept: a screen has at most
/// 400 features.
pub(super) const MAX_KEPT: usize = 2_000;
/// The longest name that is kept, in characters: ten words count.
pub(super) const MAX_NAME: usize = 300;
/// The longest address that is read, in bytes.
const MAX_ADDRESS: usize = 8_192;

/// What a text shows of a page.
#[derive(Debug)]
pub(super) struct PageText {
    /// The screen. Its entries have kinds, labels, targets and the states `expanded`, `selected`.
    pub(super) screen: Screen,
    /// For each entry, the number of the dialog that it stands in, from 1; 0 outside of all.
    dialogs: Vec<usize>,
    n_dialogs: usize,
    /// The content has a list, whose things may have no roles of their own.
    pub(super) may_list: bool,
    /// The texts that are no controls.
    pub(super) texts: Vec<String>,
    /// What such a text may be, as the name of a field that has none.
    pub(super) of_texts: &'static [FeatureKind],
    /// What the text cannot show.
    pub(super) unseen: &'static [FeatureKind],
    page: Option<Url>,
}

impl PageText {
    pub(super) fn new(
        address: Option<&str>,
        of_texts: &'static [FeatureKind],
        unseen: &'static [FeatureKind],
    ) -> PageText {
        let address = address.filter(|address| address.len() <= MAX_ADDRESS);
        PageText {
            screen: Screen { address: address.unwrap_or_default().to_owned(), ..Screen::default() },
            dialogs: Vec::new(),
            n_dialogs: 0,
            may_list: false,
            texts: Vec::new(),
            of_texts,
            unseen,
            page: address.and_then(|address| Url::parse(address).ok()),
        }
    }

    /// Adds a control. Returns its position, if it has room.
    pub(super) fn add_entry(
        &mut self,
        kind: EntryKind,
        label: &str,
        states: Vec<String>,
        dialog: usize,
    ) -> Option<usize> {
        let at = self.screen.entries.len();
        if at == MAX_KEPT {
            return None;
        }
        self.screen.entries.push(ScreenEntry {
            under: self.screen.sections.last().map(|section| section.title.clone()),
            control: Some(EntryControl { states, ..EntryControl::default() }),
            ..ScreenEntry::new(kind, cut(label))
        });
        self.dialogs.push(dialog);
        Some(at)
    }

    /// Names a control that has no name yet.
    pub(super) fn name_entry(&mut self, at: usize, label: &str) {
        if let Some(entry) = self.screen.entries.get_mut(at).filter(|one| one.label.is_empty()) {
            entry.label = cut(label);
        }
    }

    /// Takes note of where a control leads.
    pub(super) fn leads_to(&mut self, at: usize, address: &str) {
        let address = Some(address).filter(|address| address.len() <= MAX_ADDRESS);
        let target = address.and_then(|address| match &self.page {
            Some(page) => page.join(address).ok(),
            None => Url::parse(address).ok(),
        });
        if let Some(entry) = self.screen.entries.get_mut(at) {
            entry.target = target.map(String::from);
        }
    }

    /// Adds a heading, or the name of a dialog with its mark.
    pub(super) fn add_section(&mut self, mark: &str, name: &str) {
        if self.screen.sections.len() < MAX_KEPT {
            let title = format!("{mark}{}", cut(name));
            self.screen.sections.push(ScreenSection { title, level: 1, text: String::new() });
        }
    }

    /// Sets the title of the page, which a page in a frame has too.
    pub(super) fn set_title(&mut self, title: &str) {
        if self.screen.title.is_empty() {
            self.screen.title = cut(title.trim());
        }
    }

    /// Adds a text that is no control.
    pub(super) fn add_text(&mut self, text: &str) {
        if self.texts.len() < MAX_KEPT {
            self.texts.push(cut(text));
        }
    }

    /// Begins a dialog. Returns its number.
    pub(super) fn begin_dialog(&mut self) -> usize {
        self.n_dialogs += 1;
        self.n_dialogs
    }

    /// Returns the screen with the controls of the last dialog alone, if there are any.
    pub(super) fn last_dialog(&self) -> Option<Screen> {
        let entries = self.screen.entries.iter().zip(&self.dialogs);
        let inside = entries.filter(|(_, dialog)| **dialog > 0 && **dialog == self.n_dialogs);
        let entries: Vec<ScreenEntry> = inside.map(|(entry, _)| entry.clone()).collect();
        (!entries.is_empty()).then(|| Screen { entries, ..self.screen.clone() })
    }
}

/// Returns a name within its bound.
fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}
