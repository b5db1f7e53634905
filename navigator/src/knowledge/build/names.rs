//! The identifiers and names of screens.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::build::cluster::{SightingGroup, names_state};
use crate::knowledge::build::sighting::ScreenSighting;
use crate::knowledge::model::feature::{Feature, FeatureKind};
use crate::shared::lower_words;

/// Gives screens their identifiers and names.
pub(super) struct ScreenNames<'a> {
    sightings: &'a [ScreenSighting],
    /// In how many screens a feature is.
    n_with: BTreeMap<&'a Feature, usize>,
    /// How many screens have a sighting with a title.
    n_titled: BTreeMap<&'a str, usize>,
    taken: BTreeSet<String>,
    /// The last number of each identifier that several screens would have.
    numbers: BTreeMap<String, usize>,
}

impl<'a> ScreenNames<'a> {
    pub(super) fn new(
        sightings: &'a [ScreenSighting],
        groups: &[SightingGroup],
    ) -> ScreenNames<'a> {
        let mut n_with: BTreeMap<&Feature, usize> = BTreeMap::new();
        let mut n_titled: BTreeMap<&str, usize> = BTreeMap::new();
        for group in groups {
            let titles: BTreeSet<&str> =
                group.members.iter().map(|at| sightings[*at].screen.title.as_str()).collect();
            titles.into_iter().for_each(|title| *n_titled.entry(title).or_default() += 1);
            let all: BTreeSet<&Feature> =
                group.members.iter().flat_map(|at| &sightings[*at].features).collect();
            all.into_iter().for_each(|feature| *n_with.entry(feature).or_default() += 1);
        }
        let (taken, numbers) = (BTreeSet::new(), BTreeMap::new());
        ScreenNames { sightings, n_with, n_titled, taken, numbers }
    }

    /// Returns the identifier and the name of the next screen.
    pub(super) fn next(&mut self, group: &SightingGroup) -> (String, String) {
        let name = self.name(group);
        let slug = slug(&name, 48);
        let number = self.numbers.entry(slug.clone()).or_insert(0);
        let id = loop {
            *number += 1;
            let id = if *number == 1 { slug.clone() } else { format!("{slug}_{number}") };
            if self.taken.insert(id.clone()) {
                break id;
            }
        };
        let name = if *number == 1 { name } else { format!("{name} ({number})") };
        (id, name)
    }

    /// Names a screen by its dialog or selected tab, and the title that all its sightings have,
    /// with a heading that no other screen has if others have the title; one of many, by what its
    /// address says.
    fn name(&self, group: &SightingGroup) -> String {
        let first = &self.sightings[group.members[0]];
        let in_all = |feature: &&Feature| {
            group.members.iter().all(|at| self.sightings[*at].features.contains(*feature))
        };
        let mut common: Vec<&Feature> = first.features.iter().filter(in_all).collect();
        common.sort_by_key(|feature| (self.n_with.get(*feature).copied().unwrap_or(1), *feature));
        let state = common.iter().find(|feature| names_state(feature.kind));
        let title = words_or(&first.screen.title, || first.screen.address.clone());
        let is_same_title =
            group.members.iter().all(|at| self.sightings[*at].screen.title == first.screen.title);
        let place = if is_same_title {
            let heading = common.iter().find(|feature| {
                feature.kind == FeatureKind::Heading && self.n_with[**feature] == 1
            });
            let is_shared = self.n_titled[first.screen.title.as_str()] > 1;
            match heading.filter(|_| is_shared && state.is_none()) {
                Some(heading) if heading.words != title.to_lowercase() => {
                    format!("{title} · {}", heading.words)
                }
                _ => title,
            }
        } else {
            let template = group.templates.first().unwrap_or(&first.template);
            words_or(template.last_name(), || title)
        };
        match state {
            Some(state) => format!("{place} · {}", state.words),
            None => place,
        }
    }
}

fn words_or(text: &str, other: impl FnOnce() -> String) -> String {
    if text.trim().is_empty() { other() } else { text.trim().to_owned() }
}

/// Returns a text as a part of an identifier.
pub(crate) fn slug(text: &str, most: usize) -> String {
    let all = lower_words(text).collect::<Vec<_>>().join("_");
    let cut: String = all.chars().take(most).collect();
    words_or(cut.trim_matches('_'), || "screen".to_owned())
}
