//! The pages that a knowledge has seen links to, with the names of the places that they stand in;
//! and those of them that promise an answer to a goal.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use crate::walk::known::KnownPlace;
use crate::walk::pilot::evidence::{WalkGoal, evidence_words};
use crate::walk::screen::Screen;

/// The largest number of places that are kept; an index of a large manual has more.
const MAX_PLACES: usize = 50_000;
/// The number of places that a goal is given.
const FOR_GOAL: usize = 30;

/// The places that screens show, by their addresses.
#[derive(Debug, Clone, Default)]
pub struct SeenPlaces(BTreeMap<String, KnownPlace>);

impl SeenPlaces {
    /// Takes note of what a screen of a recording shows of other pages, and of itself.
    pub fn look(&mut self, screen: &Screen, record: usize) {
        let own = [(screen.address.as_str(), screen.place().into_iter().map(str::to_owned))];
        let own = own.map(|(address, place)| (address, place.collect()));
        let way = screen.ways();
        let entries = screen.entries.iter();
        let links = entries.filter_map(|entry| Some((entry.target.as_deref()?, way(entry))));
        for (address, way) in links.chain(own) {
            if self.0.len() >= MAX_PLACES {
                return;
            }
            if !self.0.contains_key(address) {
                let place = KnownPlace { address: address.to_owned(), way, record: Some(record) };
                self.0.insert(address.to_owned(), place);
            }
        }
    }

    /// Returns the places in the order of their addresses.
    pub fn into_places(self) -> Vec<KnownPlace> {
        self.0.into_values().collect()
    }
}

/// Returns the places of a site that promise most for a goal, best first. A name in the goal (a
/// word with a digit or a capital) has to be in the place: of two vehicles, the one that is known
/// is no answer for the other.
pub fn places_for(places: &[KnownPlace], goal: &str, site: &Url) -> Vec<KnownPlace> {
    let weights = WalkGoal::of(goal).equal();
    let names = names_of(goal);
    let mut scored: Vec<(f64, &KnownPlace)> = places
        .iter()
        .filter(|place| is_of(&place.address, site))
        .filter_map(|place| {
            let words = evidence_words(&place.way.join(" "));
            let last = place.way.last().map(String::as_str).unwrap_or_default();
            let share = weights.share_of_place(&words, last);
            (share > 0.0 && names.is_subset(&words)).then_some((share, place))
        })
        .collect();
    // Of equals the shorter way says less else.
    let length = |place: &KnownPlace| place.way.iter().map(String::len).sum::<usize>();
    scored.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a).then(length(one).cmp(&length(other))).then(one.address.cmp(&other.address))
    });
    // A walk has no records: their positions mean nothing to it.
    let bare = |place: &KnownPlace| KnownPlace { record: None, ..place.clone() };
    scored.into_iter().take(FOR_GOAL).map(|(_, place)| bare(place)).collect()
}

/// Reports whether an address lies on the server of a site.
fn is_of(address: &str, site: &Url) -> bool {
    Url::parse(address).is_ok_and(|one| {
        one.scheme() == site.scheme()
            && one.host() == site.host()
            && one.port_or_known_default() == site.port_or_known_default()
    })
}

/// Returns the words of a goal that are names: those with a digit, and those with a capital that
/// begin no sentence.
fn names_of(goal: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut begins = true;
    for word in goal.split_whitespace() {
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        let has_capital = word.starts_with(|c: char| c.is_uppercase()) && !begins;
        if has_digit || has_capital {
            names.extend(evidence_words(word));
        }
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str, way: &[&str]) -> KnownPlace {
        KnownPlace {
            address: address.to_owned(),
            way: way.iter().map(|name| (*name).to_owned()).collect(),
            record: Some(0),
        }
    }

    #[test]
    fn a_place_of_another_name_is_no_answer() {
        let places = [
            place("http://a.example/1", &["2008 Brixley", "Brake Pad", "Specifications"]),
            place("http://a.example/2", &["2009 Brixley", "Brake Pad", "Specifications"]),
            place("http://a.example/3", &["2008 Averon", "Brake Pad"]),
            place("http://b.example/1", &["2008 Brixley", "Brake Pad"]),
        ];
        let site = Url::parse("http://a.example/").unwrap();
        let found = places_for(&places, "Which brake pad has a 2008 Brixley?", &site);
        let found: Vec<&str> = found.iter().map(|one| one.address.as_str()).collect();
        assert_eq!(found, ["http://a.example/1"]);
    }
}
