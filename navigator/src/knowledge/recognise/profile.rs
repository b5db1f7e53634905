//! The screens of a knowledge as the recogniser holds them, and which of them the address of a page
//! is of.

use std::collections::{BTreeMap, BTreeSet};

use regex_automata::{PatternID, PatternSet};

use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::feature::FeatureKind;
use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::recognise::pattern::JoinedPatterns;

/// The lowest share of the times seen that makes a feature one of a screen.
const STABLE: f64 = 0.5;

/// The features of one screen, as the recogniser holds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Profile {
    /// Each stable feature with its share.
    pub(super) stable: Vec<(usize, f64)>,
    /// All features that it was ever seen with.
    pub(super) ever: BTreeSet<usize>,
    /// What it had at some times alone and may have other words, with the share of the times:
    /// controls, and below an open menu titles and headings, since it opens over many pages.
    pub(super) varying: BTreeMap<usize, f64>,
    pub(super) templates: Vec<AddressTemplate>,
    pub(super) addresses: BTreeSet<SharedText>,
    /// The numbers of the patterns that others wrote in the place of templates.
    pub(super) patterns: Vec<usize>,
    /// The screen was seen: what others wrote says nothing of lists and menus.
    pub(super) is_seen: bool,
    /// A menu was open.
    pub(super) has_menu: bool,
}

impl Profile {
    /// Reports whether the screen was seen under an address, or under one like it.
    fn has_address(&self, place: &AddressPlace<'_>, template: &AddressTemplate) -> bool {
        self.templates.contains(template)
            || place.address.is_some_and(|address| self.addresses.contains(address))
            || self.patterns.iter().any(|number| place.has_pattern(*number))
    }

    /// Reports whether an address may be one more of the screen's: one that differs by a part that
    /// varies among those seen, or by the query where the screen was seen with several.
    fn may_have_address(&self, template: &AddressTemplate) -> bool {
        let path = template.without_query();
        let mut on_path = self.templates.iter().filter(|one| one.without_query().covers(&path));
        let first = on_path.next();
        on_path.next().is_some() || first.is_some_and(|one| one.covers(template))
    }

    /// Adds a feature that was there in this share of `n` times.
    pub(super) fn add(&mut self, number: usize, share: f64, n: f64, kind: FeatureKind) {
        self.ever.insert(number);
        // Shares are kept in thousandths.
        let is_below_menu =
            self.has_menu && matches!(kind, FeatureKind::Title | FeatureKind::Heading);
        if (kind.is_control() || is_below_menu) && share < 0.999 {
            self.varying.insert(number, share);
        }
        let share = (share * n + kind.prior()) / (n + 1.0);
        if share >= STABLE {
            self.stable.push((number, share));
        }
    }
}

/// What is taken as if it had not been seen.
#[derive(Debug, Clone, Default)]
pub(crate) enum LeftOut {
    #[default]
    Nothing,
    /// A screen, by its position.
    Screen(usize),
    /// One sighting of a screen, and what the others say.
    ScreenSighting(usize, Profile),
}

/// Whether the address of a page is one of a screen's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddressFit {
    Own,
    Other,
    /// The page has none, or the screen.
    Unknown,
}

/// The address of a page, and whether a screen was seen under it. If none was, screens count whose
/// addresses vary. Of a page with an open menu, screens that were seen without one say nothing: a
/// menu opens over pages that were seen without it.
pub(super) struct AddressPlace<'e> {
    address: Option<&'e str>,
    template: Option<&'e AddressTemplate>,
    /// The patterns that fit it.
    fitting: PatternSet,
    is_known: bool,
}

impl<'e> AddressPlace<'e> {
    pub(super) fn of<'p>(
        evidence: &'e Evidence,
        patterns: &JoinedPatterns,
        profiles: impl IntoIterator<Item = &'p Profile>,
        has_menu: bool,
    ) -> AddressPlace<'e> {
        let (address, template) = (evidence.address.as_deref(), evidence.template.as_ref());
        let fitting = patterns.fitting(address.unwrap_or_default());
        let mut place = AddressPlace { address, template, fitting, is_known: false };
        place.is_known = template.is_some_and(|template| {
            let may_have_menu = |one: &&Profile| one.has_menu || !one.is_seen;
            let mut may_be = profiles.into_iter().filter(|one| !has_menu || may_have_menu(one));
            may_be.any(|profile| profile.has_address(&place, template))
        });
        place
    }

    fn has_pattern(&self, number: usize) -> bool {
        PatternID::new(number).is_ok_and(|number| self.fitting.contains(number))
    }

    /// Compares the address with those of a screen.
    pub(super) fn fit(&self, profile: &Profile) -> AddressFit {
        let has_none = profile.templates.is_empty() && profile.patterns.is_empty();
        if self.template.is_none() || has_none {
            AddressFit::Unknown
        } else if self.is_of(profile) {
            AddressFit::Own
        } else {
            AddressFit::Other
        }
    }

    pub(super) fn is_of(&self, profile: &Profile) -> bool {
        self.template.is_some_and(|template| match self.is_known {
            true => profile.has_address(self, template),
            false => profile.may_have_address(template),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::build::sighting::ScreenSighting;
    use crate::knowledge::build::{BuiltKnowledge, SeenSite, build};
    use crate::knowledge::model::feature::features_of;
    use crate::knowledge::recognise::Recogniser;
    use crate::walk::screen::{EntryKind, Screen, ScreenEntry, ScreenSection};

    const MENU: [&str; 3] = ["light", "dark", "sepia"];

    /// A page with headings after its name, and with controls.
    fn page(name: &str, controls: &[(EntryKind, &str)]) -> Screen {
        let section =
            |n: char| ScreenSection { title: format!("{name} {n}"), level: 2, text: String::new() };
        let entry = |(kind, label): &(EntryKind, &str)| ScreenEntry::new(*kind, *label);
        Screen {
            address: format!("http://a.example/{name}.html"),
            title: name.to_owned(),
            sections: ('a'..='t').map(section).collect(),
            entries: controls.iter().map(entry).collect(),
            ..Screen::default()
        }
    }

    fn with_menu(name: &str) -> Screen {
        page(name, &MENU.map(|label| (EntryKind::MenuItem, label)))
    }

    fn known(screens: Vec<Screen>) -> BuiltKnowledge {
        let sightings = screens.into_iter().map(|screen| ScreenSighting::new(0, screen, true));
        build(SeenSite { sightings: sightings.collect(), ..SeenSite::default() })
    }

    fn evidence(screen: &Screen) -> Evidence {
        Evidence::of_features(&screen.address, features_of(screen))
    }

    #[test]
    fn an_open_menu_is_recognised_over_a_page_that_was_seen_without_it() {
        let names = ["ada", "ben", "cleo", "dora", "eve"];
        let menus = names[1..].iter().map(|name| with_menu(name));
        let pages = menus.chain(names.iter().map(|name| page(name, &[])));
        let BuiltKnowledge { knowledge, screen_ids } = known(pages.collect());
        let found = Recogniser::new(&knowledge).recognise(&evidence(&with_menu("ada")));
        assert_eq!(found.screen_id.as_ref(), Some(&screen_ids[0]), "{found:?}");
        assert!(found.confidence > 0.8, "as under one of its own addresses: {found:?}");
        // The page itself is no menu.
        let found = Recogniser::new(&knowledge).recognise(&evidence(&page("ada", &[])));
        assert_eq!(found.screen_id.as_ref(), Some(&screen_ids[4]), "{found:?}");
    }

    #[test]
    fn a_new_control_under_the_address_of_a_screen_may_be_a_new_name_and_elsewhere_is_not() {
        let BuiltKnowledge { knowledge, screen_ids } =
            known(vec![page("map", &[(EntryKind::Button, "show")])]);
        let mut seen = page("map", &[(EntryKind::Button, "show"), (EntryKind::Button, "stop")]);
        let novel = |seen: &Screen| {
            let score = Recogniser::new(&knowledge).explain(&screen_ids[0], &evidence(seen));
            score.unwrap().novel
        };
        assert_eq!(novel(&seen), 0.5);
        seen.address = "http://a.example/run.html".to_owned();
        assert_eq!(novel(&seen), 1.0);
    }
}
