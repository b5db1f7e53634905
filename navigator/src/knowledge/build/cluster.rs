//! From what was seen to screens: pages and states of one template that look alike.

use std::collections::{BTreeMap, BTreeSet};

use crate::knowledge::build::families::{SightingFamily, families_of};
use crate::knowledge::build::sighting::ScreenSighting;
use crate::knowledge::model::feature::{Feature, FeatureKind};
use crate::knowledge::model::template::AddressTemplate;

/// How alike a sighting and a screen are at least, from 0 to 1. Below it they are two screens.
const ALIKE: f64 = 0.3;

/// A screen, as its sightings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SightingGroup {
    /// The positions of its sightings, in order.
    pub(super) members: Vec<usize>,
    /// The templates of its addresses.
    pub(super) templates: Vec<AddressTemplate>,
}

/// Puts sightings together that show the same screen. The order of groups is that of their first
/// sightings.
pub(super) fn groups_of(sightings: &[ScreenSighting]) -> Vec<SightingGroup> {
    let rarity = Rarity::of(sightings);
    let mut of_template: BTreeMap<&str, Vec<Growing>> = BTreeMap::new();
    for (at, sighting) in sightings.iter().enumerate() {
        let groups = of_template.entry(sighting.template.as_str()).or_default();
        let best = groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.is_in_state_of(&sighting.features))
            .map(|(place, group)| (group.likeness(&sighting.features, &rarity), place))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match best {
            Some((likeness, place)) if likeness >= ALIKE => {
                groups[place].add(at, &sighting.features)
            }
            _ => groups.push(Growing::new(at, sighting)),
        }
    }
    let of_template =
        of_template.into_values().flat_map(|groups| one_if_names_vary(groups, sightings));
    let single = of_template.map(|group| group.family).collect();
    let mut groups: Vec<SightingGroup> = families_of(single)
        .into_iter()
        .map(|family| SightingGroup { members: family.members, templates: family.templates })
        .collect();
    groups.sort_unstable_by(|a, b| a.members.cmp(&b.members));
    groups
}

/// Joins what each recording saw once at most, with other names for the same controls: the names
/// are data. Two screens of one recording are told apart by their names.
fn one_if_names_vary(groups: Vec<Growing>, sightings: &[ScreenSighting]) -> Vec<Growing> {
    let mut kept: Vec<(Growing, BTreeSet<usize>)> = Vec::new();
    let mut of_shape: BTreeMap<PageShape<'_>, Vec<usize>> = BTreeMap::new();
    for group in groups {
        let members = &group.family.members;
        let records: BTreeSet<usize> = members.iter().map(|at| sightings[*at].record).collect();
        if records.len() < members.len() {
            kept.push((group, records));
            continue;
        }
        let shape = PageShape::of(&sightings[members[0]].features);
        let alike = of_shape.entry(shape).or_default();
        match alike.iter().find(|at| kept[**at].1.is_disjoint(&records)) {
            Some(at) => {
                let (one, of_one) = &mut kept[*at];
                members.iter().for_each(|at| one.add(*at, &sightings[*at].features));
                of_one.extend(records);
            }
            None => {
                alike.push(kept.len());
                kept.push((group, records));
            }
        }
    }
    kept.into_iter().map(|(group, _)| group).collect()
}

/// What a page has beside the names of its controls: how many there are of each kind, and all else.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PageShape<'a> {
    controls: BTreeMap<FeatureKind, usize>,
    rest: BTreeSet<&'a Feature>,
}

impl<'a> PageShape<'a> {
    fn of(features: &'a BTreeSet<Feature>) -> PageShape<'a> {
        let mut shape = PageShape { controls: BTreeMap::new(), rest: BTreeSet::new() };
        for feature in features {
            match feature.kind {
                // How many things a list has is data.
                FeatureKind::Item => {
                    shape.controls.insert(FeatureKind::Item, 1);
                }
                kind if kind.is_control() => *shape.controls.entry(kind).or_default() += 1,
                _ => {
                    shape.rest.insert(feature);
                }
            }
        }
        shape
    }
}

/// In how many sightings a feature was.
struct Rarity<'a> {
    n: BTreeMap<&'a Feature, usize>,
    n_sightings: usize,
}

impl<'a> Rarity<'a> {
    fn of(sightings: &'a [ScreenSighting]) -> Rarity<'a> {
        let mut n: BTreeMap<&Feature, usize> = BTreeMap::new();
        for feature in sightings.iter().flat_map(|sighting| &sighting.features) {
            *n.entry(feature).or_default() += 1;
        }
        Rarity { n, n_sightings: sightings.len() }
    }

    /// Returns how much a feature says of whether two sightings are one screen. What all have says
    /// nothing; what was seen once is data, unless it is a control.
    fn weight(&self, feature: &Feature) -> f64 {
        let n = self.n.get(feature).copied().unwrap_or(1);
        let is_data = n == 1 && feature.kind.prior() < 0.6;
        if is_data || self.n_sightings > 3 && n == self.n_sightings {
            return 0.0;
        }
        let rarity = (1.0 + self.n_sightings as f64 / n as f64).ln();
        feature.kind.weight() * rarity.min(3.0)
    }
}

/// A screen that grows.
struct Growing {
    family: SightingFamily,
    /// What its sightings show beside their words.
    states: BTreeSet<Feature>,
}

impl Growing {
    fn new(at: usize, sighting: &ScreenSighting) -> Growing {
        let family = SightingFamily {
            members: Vec::new(),
            templates: vec![sighting.template.clone()],
            n_with: BTreeMap::new(),
        };
        let mut group = Growing { family, states: states(&sighting.features).cloned().collect() };
        group.add(at, &sighting.features);
        group
    }

    fn add(&mut self, at: usize, features: &BTreeSet<Feature>) {
        self.family.members.push(at);
        for feature in features {
            *self.family.n_with.entry(feature.clone()).or_default() += 1;
        }
    }

    /// Reports whether a sighting has the state of the screen: what can be done with the things of
    /// a list cannot be done where the list is empty.
    fn is_in_state_of(&self, features: &BTreeSet<Feature>) -> bool {
        states(features).eq(&self.states)
    }

    /// Returns the weight of what both have over the weight of what one has.
    fn likeness(&self, features: &BTreeSet<Feature>, rarity: &Rarity<'_>) -> f64 {
        let n_with = &self.family.n_with;
        let n = self.family.members.len() as f64;
        let (mut both, mut all) = (0.0, 0.0);
        for (feature, n_with) in n_with {
            let share = *n_with as f64 / n;
            let weight = rarity.weight(feature);
            if features.contains(feature) {
                both += weight * share;
                all += weight;
            } else {
                all += weight * share;
            }
        }
        let new = features.iter().filter(|feature| !n_with.contains_key(*feature));
        all += new.map(|feature| rarity.weight(feature)).sum::<f64>();
        if all == 0.0 { 1.0 } else { both / all }
    }
}

/// Returns what a page shows beside its words.
pub(super) fn states(features: &BTreeSet<Feature>) -> impl Iterator<Item = &Feature> {
    features.iter().filter(|feature| feature.kind == FeatureKind::State)
}

/// Returns the kind whose words name a state of a page, and not the page.
pub(super) fn names_state(kind: FeatureKind) -> bool {
    matches!(kind, FeatureKind::Dialog | FeatureKind::SelectedTab | FeatureKind::Expanded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::screen::{EntryKind, Screen, ScreenEntry};

    /// A page with a button, a field and a heading, as a recording saw it.
    fn sighting(record: usize, button: &str, field: &str) -> ScreenSighting {
        let entry = |kind, label: &str| ScreenEntry::new(kind, label);
        let screen = Screen {
            address: "http://a.example/task".to_owned(),
            title: "Task".to_owned(),
            entries: vec![entry(EntryKind::Button, button), entry(EntryKind::Field, field)],
            ..Screen::default()
        };
        ScreenSighting::new(record, screen, true)
    }

    fn groups(sightings: &[ScreenSighting]) -> Vec<Vec<usize>> {
        groups_of(sightings).into_iter().map(|group| group.members).collect()
    }

    #[test]
    fn names_that_differ_in_every_recording_are_data() {
        let seen =
            [sighting(0, "okay", "ilka"), sighting(1, "no", "flora"), sighting(2, "go", "e")];
        assert_eq!(groups(&seen), [[0, 1, 2]]);
    }

    #[test]
    fn names_that_differ_within_a_recording_are_those_of_two_screens() {
        let seen = [sighting(0, "next", "street"), sighting(0, "pay", "card")];
        assert_eq!(groups(&seen), [[0], [1]]);
        let again = [sighting(1, "next", "street"), sighting(1, "pay", "card")];
        let seen: Vec<ScreenSighting> = seen.into_iter().chain(again).collect();
        assert_eq!(groups(&seen), [[0, 2], [1, 3]]);
    }
}
