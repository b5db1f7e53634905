//! The screens of a knowledge as the recogniser holds them, and which of them the address of a page
//! is of.

use std::collections::{BTreeMap, BTreeSet};

use regex_automata::{PatternID, PatternSet};

use crate::knowledge::evidence::Evidence;
use crate::knowledge::feature::FeatureKind;
use crate::knowledge::pattern::JoinedPatterns;
use crate::knowledge::shared_text::SharedText;
use crate::knowledge::template::AddressTemplate;

/// The lowest share of the times seen that makes a feature one of a screen.
const STABLE: f64 = 0.5;

/// The features of one screen, as the recogniser holds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Profile {
    /// Each stable feature with its share.
    pub(super) stable: Vec<(usize, f64)>,
    /// All features that it was ever seen with.
    pub(super) ever: BTreeSet<usize>,
    /// The controls that it had at some times alone, with the share of the times.
    pub(super) varying: BTreeMap<usize, f64>,
    pub(super) templates: Vec<AddressTemplate>,
    pub(super) addresses: BTreeSet<SharedText>,
    /// The numbers of the patterns that others wrote in the place of templates.
    pub(super) patterns: Vec<usize>,
    /// The screen was seen: what others wrote says nothing of lists and menus.
    pub(super) is_seen: bool,
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
        if kind.is_control() && share < 0.999 {
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

/// The address of a page, and whether a screen was seen under it. If none was, screens count whose
/// addresses vary.
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
    ) -> AddressPlace<'e> {
        let (address, template) = (evidence.address.as_deref(), evidence.template.as_ref());
        let fitting = patterns.fitting(address.unwrap_or_default());
        let mut place = AddressPlace { address, template, fitting, is_known: false };
        place.is_known = template.is_some_and(|template| {
            profiles.into_iter().any(|profile| profile.has_address(&place, template))
        });
        place
    }

    fn has_pattern(&self, number: usize) -> bool {
        PatternID::new(number).is_ok_and(|number| self.fitting.contains(number))
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.template.is_none()
    }

    pub(super) fn is_of(&self, profile: &Profile) -> bool {
        self.template.is_some_and(|template| match self.is_known {
            true => profile.has_address(self, template),
            false => profile.may_have_address(template),
        })
    }
}
