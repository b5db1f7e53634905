//! What is known of a page that shall be recognised: an address, and what was seen.

use std::collections::BTreeSet;

use crate::knowledge::feature::{Feature, FeatureKind, words_of};
use crate::knowledge::template::AddressTemplate;

/// The weight of a feature that only other screens have, beside one that is missing.
const FOREIGN: f64 = 0.7;
/// The same of a text: the words of a control can stand anywhere in it.
const FOREIGN_WORDS: f64 = 0.3;
/// The longest run of words of a text that is compared with features.
const MAX_RUN: usize = 10;

/// What is known of a page that shall be recognised.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    pub(super) address: Option<String>,
    pub(super) template: Option<AddressTemplate>,
    pub(super) seen: PageEvidence,
}

/// What was seen of a page.
#[derive(Debug, Clone, Default)]
pub(super) enum PageEvidence {
    /// Nothing.
    #[default]
    Nothing,
    /// Its features.
    Features(BTreeSet<Feature>),
    /// A text of unknown form: its runs of words.
    Words(BTreeSet<String>),
}

impl Evidence {
    /// Takes the features of a screen.
    pub fn of_features(address: &str, features: BTreeSet<Feature>) -> Evidence {
        Evidence {
            template: AddressTemplate::of(address),
            address: Some(address.to_owned()),
            seen: PageEvidence::Features(features),
        }
    }

    /// Takes an address and a text of a page, as another agent has them.
    pub fn of_text(address: Option<&str>, text: Option<&str>) -> Evidence {
        let text = text.filter(|text| !text.trim().is_empty());
        Evidence {
            template: address.and_then(AddressTemplate::of),
            address: address.map(str::to_owned),
            seen: text.map_or(PageEvidence::Nothing, |text| PageEvidence::Words(runs_of(text))),
        }
    }

    /// Returns the weight of a feature that only other screens have.
    pub(super) fn foreign(&self) -> f64 {
        match &self.seen {
            PageEvidence::Words(_) => FOREIGN_WORDS,
            PageEvidence::Nothing | PageEvidence::Features(_) => FOREIGN,
        }
    }

    /// Reports whether such features can be seen at all.
    pub(super) fn shows(&self, kind: FeatureKind) -> bool {
        match &self.seen {
            PageEvidence::Nothing => false,
            PageEvidence::Features(_) => true,
            // A text does not say what is selected or open, nor where links lead.
            PageEvidence::Words(_) => {
                kind.is_text() && !matches!(kind, FeatureKind::SelectedTab | FeatureKind::Expanded)
            }
        }
    }
}

/// Returns all runs of words of a text, line by line and across lines.
fn runs_of(text: &str) -> BTreeSet<String> {
    let mut runs = BTreeSet::new();
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(words_of)
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
