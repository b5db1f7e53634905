//! What is known of a page that shall be recognised: an address, and what was seen.

mod accessibility;
pub(crate) mod element_list;
mod page_text;

use std::collections::BTreeSet;

use crate::knowledge::evidence::page_text::PageText;
use crate::knowledge::model::feature::{
    Feature, FeatureKind, LISTS, MENU, TREE, feature_words, features_of, is_menu,
};
use crate::knowledge::model::template::AddressTemplate;

/// The weight of a feature that only other screens have, beside one that is missing.
const FOREIGN: f64 = 0.7;
/// The same of a text: the words of a control can stand anywhere in it.
const FOREIGN_WORDS: f64 = 0.3;
/// What is left of the score of a screen in another state: with things in its list, or without.
const OTHER_STATE: f64 = 0.6;
/// The same of a snapshot, where things of a list may have no roles, and links of a menu look like
/// such things.
const OTHER_LISTS: f64 = 0.8;
/// The longest run of words of a text that is compared with features.
const MAX_RUN: usize = 10;
/// The most words of a text that are compared.
const MAX_TEXT_WORDS: usize = 50_000;

/// What is known of a page that shall be recognised.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub(super) address: Option<String>,
    pub(super) template: Option<AddressTemplate>,
    /// What was seen; `None` if nothing was.
    pub(super) seen: Option<PageReading>,
}

/// What was seen of a page.
#[derive(Debug, Clone)]
pub(super) enum PageReading {
    /// Its features.
    Features(BTreeSet<Feature>),
    /// Its features as an accessibility snapshot or a list of elements has them.
    Snapshot {
        /// All of them.
        features: BTreeSet<Feature>,
        /// Those that say nothing against a screen: of controls outside of an open dialog, which
        /// may cover them, of links, which may be of a menu or not, of things of a list without
        /// roles, and of texts, which may be names of fields.
        neutral: BTreeSet<Feature>,
        /// The kinds that it does not show.
        unseen: &'static [FeatureKind],
    },
    /// A text of unknown form: its runs of words.
    Words(BTreeSet<String>),
}

impl Evidence {
    /// Takes the features of a screen.
    pub fn of_features(address: &str, features: BTreeSet<Feature>) -> Evidence {
        Evidence {
            template: AddressTemplate::of(address),
            address: Some(address.to_owned()),
            seen: Some(PageReading::Features(features)),
        }
    }

    /// Takes the features of a screen whose address is not known.
    pub(in crate::knowledge) fn of_features_alone(features: BTreeSet<Feature>) -> Evidence {
        let seen = Some(PageReading::Features(features));
        Evidence { address: None, template: None, seen }
    }

    /// Takes an address and a text of a page, as another agent has them.
    pub fn of_text(address: Option<&str>, text: Option<&str>) -> Evidence {
        let text = text.filter(|text| !text.trim().is_empty());
        Evidence {
            template: address.and_then(AddressTemplate::of),
            address: address.map(str::to_owned),
            seen: text.map(|text| PageReading::of(address, text)),
        }
    }
}

impl PageReading {
    fn of(address: Option<&str>, text: &str) -> PageReading {
        let Some(page) = page_text_of(address, text) else {
            return PageReading::Words(runs_of(text));
        };
        let PageText { screen, may_list, texts, of_texts, unseen, .. } = &page;
        let mut features = features_of(screen);
        let mut neutral = BTreeSet::new();
        if let Some(dialog) = page.last_dialog() {
            neutral = features.difference(&features_of(&dialog)).cloned().collect();
        }
        let links = [FeatureKind::Link, FeatureKind::MenuLink];
        for link in features.iter().filter(|one| links.contains(&one.kind)) {
            neutral.extend(links.map(|kind| Feature { kind, words: link.words.clone() }));
        }
        for words in texts.iter().map(|text| feature_words(text)).filter(|words| !words.is_empty())
        {
            let kinds = of_texts.iter();
            neutral.extend(kinds.map(|kind| Feature { kind: *kind, words: words.clone() }));
        }
        features.extend(neutral.iter().cloned());
        if *may_list {
            neutral.insert(Feature { kind: FeatureKind::State, words: LISTS.to_owned() });
        }
        PageReading::Snapshot { features, neutral, unseen }
    }

    /// Returns the features, unless there are words alone.
    pub(super) fn features(&self) -> Option<&BTreeSet<Feature>> {
        match self {
            PageReading::Features(features) | PageReading::Snapshot { features, .. } => {
                Some(features)
            }
            PageReading::Words(_) => None,
        }
    }

    /// Reports whether a menu is open, as far as it can be seen.
    pub(super) fn has_menu(&self) -> bool {
        self.features().is_some_and(|features| features.iter().any(is_menu))
    }

    /// Returns the weight of a feature that the screen never has.
    pub(super) fn foreign(&self, feature: &Feature) -> f64 {
        match self {
            PageReading::Words(_) => FOREIGN_WORDS,
            PageReading::Snapshot { neutral, .. } if neutral.contains(feature) => 0.0,
            PageReading::Features(_) | PageReading::Snapshot { .. } => FOREIGN,
        }
    }

    /// Reports whether such features can be seen at all.
    pub(super) fn shows(&self, kind: FeatureKind) -> bool {
        match self {
            PageReading::Features(_) => true,
            PageReading::Snapshot { unseen, .. } => !unseen.contains(&kind),
            // A text does not say what is selected or open, nor where links lead.
            PageReading::Words(_) => {
                kind.is_text() && !matches!(kind, FeatureKind::SelectedTab | FeatureKind::Expanded)
            }
        }
    }

    /// Returns what is left of the score of a screen that is in another state than the page: with
    /// things in its list, an open menu or a tree, or without; of a snapshot also with an open
    /// dialog where the screen has none. Words alone say nothing of that.
    pub(super) fn in_state_of<'f>(&self, screen: impl Iterator<Item = &'f Feature>) -> f64 {
        let Some(features) = self.features() else { return 1.0 };
        let (page, screen) = (states_of(features.iter()), states_of(screen));
        let is_other = |state: &str| page.contains(state) != screen.contains(state);
        match self {
            PageReading::Snapshot { neutral, .. } => {
                let has_dialog = page.contains(OPEN_DIALOG) && !screen.contains(OPEN_DIALOG);
                if has_dialog || is_other(MENU) {
                    OTHER_STATE
                } else if is_other(LISTS) && !states_of(neutral.iter()).contains(LISTS) {
                    OTHER_LISTS
                } else {
                    1.0
                }
            }
            _ if [LISTS, MENU, TREE].into_iter().any(is_other) => OTHER_STATE,
            _ => 1.0,
        }
    }
}

/// The state of a page with an open dialog.
const OPEN_DIALOG: &str = "dialog";

/// Returns the states that features tell of.
fn states_of<'f>(features: impl Iterator<Item = &'f Feature>) -> BTreeSet<&'f str> {
    let states = features.filter_map(|one| match one.kind {
        FeatureKind::State => Some(one.words.as_str()),
        FeatureKind::Dialog => Some(OPEN_DIALOG),
        _ => None,
    });
    states.collect()
}

/// Reads a text whose form is known: an accessibility snapshot or a list of elements.
fn page_text_of(address: Option<&str>, text: &str) -> Option<PageText> {
    accessibility::read(address, text).or_else(|| element_list::read(text))
}

/// Returns all runs of words of a text, line by line and across lines.
fn runs_of(text: &str) -> BTreeSet<String> {
    let mut runs = BTreeSet::new();
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(MAX_TEXT_WORDS)
        .map(feature_words)
        .collect();
    let mut merged: Vec<&str> = Vec::new();
    for word in &words {
        if word != "#" || merged.last() != Some(&"#") {
            merged.push(word);
        }
    }
    for at in 0..merged.len() {
        let mut run = String::new();
        for word in merged[at..].iter().take(MAX_RUN) {
            if !run.is_empty() {
                run.push(' ');
            }
            run.push_str(word);
            runs.insert(run.clone());
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::evidence::page_text::{MAX_KEPT, MAX_NAME};
    use crate::walk::screen::Screen;

    fn feature(kind: FeatureKind, words: &str) -> Feature {
        Feature { kind, words: words.to_owned() }
    }

    fn read(text: &str) -> PageReading {
        Evidence::of_text(Some("https://app.ex/issues"), Some(text)).seen.unwrap()
    }

    #[test]
    fn a_snapshot_has_features_and_what_a_dialog_may_cover_speaks_against_nothing() {
        let page = "- heading \"Issues\"\n- button \"New issue\"\n- link \"Help\":\n\
                    \x20 - /url: /help\n- text: Name\n- textbox\n";
        let seen = read(page);
        let new = feature(FeatureKind::Button, "new issue");
        assert!(seen.features().unwrap().contains(&new));
        assert!(seen.foreign(&new) > 0.0);
        for (kind, words) in [
            (FeatureKind::Link, "help"),
            (FeatureKind::MenuLink, "help"),
            (FeatureKind::Field, "name"),
        ] {
            let one = feature(kind, words);
            assert!(seen.features().unwrap().contains(&one), "{one:?}");
            assert_eq!(seen.foreign(&one), 0.0, "{one:?}");
        }
        let seen = read(&format!("{page}- dialog \"Delete?\":\n  - button \"Yes\"\n"));
        assert_eq!(seen.foreign(&new), 0.0);
        assert!(seen.foreign(&feature(FeatureKind::Button, "yes")) > 0.0);
    }

    #[test]
    fn a_page_with_a_dialog_or_a_menu_is_in_another_state_and_one_with_things_of_no_role_may_be() {
        let dialog = feature(FeatureKind::Dialog, "delete");
        let [lists, menu] = [LISTS, MENU].map(|state| feature(FeatureKind::State, state));
        let page = "- heading \"Issues\"\n- button \"New issue\"\n";
        let left = |text: &str, screen: &[&Feature]| read(text).in_state_of(screen.iter().copied());
        assert_eq!(left(page, &[]), 1.0);
        assert_eq!(left(page, &[&lists]), OTHER_LISTS);
        assert_eq!(left(&format!("{page}- list:\n  - listitem: One\n"), &[&lists]), 1.0);
        assert_eq!(left(&format!("{page}- menuitem \"Cut\"\n"), &[]), OTHER_STATE);
        assert_eq!(left(&format!("{page}- menuitem \"Cut\"\n"), &[&menu]), 1.0);
        let with_dialog = format!("{page}- dialog \"Delete\":\n  - button \"Yes\"\n");
        assert_eq!(left(&with_dialog, &[]), OTHER_STATE);
        assert_eq!(left(&with_dialog, &[&dialog]), 1.0);
        assert_eq!(left("Issues, and a menu", &[&menu]), 1.0);
    }

    /// Texts that a hostile page could have another agent send.
    #[test]
    fn what_is_kept_of_a_text_is_bounded() {
        let long = "x".repeat(1 << 20);
        let many = |line: &str| (0..50_000).map(|n| format!("{line} {n}\"\n")).collect::<String>();
        let texts = [
            format!("- heading \"{long}\"\n{}", many("- tab \"a")),
            format!("{}{}", many("- tab \"a"), many("- dialog \"d")),
            many("- text: \"t"),
            format!("- link \"{long}\":\n  - /url: /{long}\n"),
            (0..50_000).map(|n| format!("[{n}]<button>b {n}</button>\ntext {n}\n")).collect(),
        ];
        for text in texts {
            let address = format!("https://a.ex/{long}");
            let Some(found) = page_text_of(Some(&address), &text) else {
                panic!("{} is not read", &text[..40]);
            };
            let Screen { entries, sections, address, .. } = &found.screen;
            assert!(address.is_empty());
            assert!(entries.len() <= MAX_KEPT && sections.len() <= MAX_KEPT);
            assert!(found.texts.len() <= MAX_KEPT);
            let names = entries.iter().map(|entry| &entry.label).chain(&found.texts);
            assert!(names.into_iter().all(|name| name.chars().count() <= MAX_NAME));
            assert!(entries.iter().all(|entry| entry.target.is_none()));
        }
    }

    #[test]
    fn of_nested_dialogs_the_last_one_counts() {
        let text = r#"- button "Menu"
- dialog "Edit":
  - button "Save"
  - dialog "Sure?":
    - button "Yes"
  - button "Cancel""#;
        let found = page_text_of(None, text).unwrap();
        let inside: Vec<String> =
            found.last_dialog().unwrap().entries.into_iter().map(|one| one.label).collect();
        assert_eq!(inside, ["Yes"]);
    }
}
