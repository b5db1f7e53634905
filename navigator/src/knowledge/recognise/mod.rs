//! Which screen a page is: the rarer a feature on this site, the more it says, and what a screen
//! always has and this page lacks speaks against it.

pub(crate) mod pattern;
pub(crate) mod profile;
mod renamed;
pub mod rule;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use crate::knowledge::evidence::{Evidence, PageReading};
use crate::knowledge::model::feature::{Feature, FeatureKind, is_menu};
use crate::knowledge::model::{Knowledge, KnownScreen, Thresholds};
use crate::knowledge::recognise::pattern::JoinedPatterns;
use crate::knowledge::recognise::profile::{AddressFit, AddressPlace, LeftOut, Profile};
use crate::knowledge::recognise::renamed::RenamedControls;

/// The share of a score that the address gives, where it is known; the rest is of the features.
const ADDRESS: f64 = 0.35;
/// What is left of the score of the features under an address that the screen never had.
const ELSEWHERE: f64 = 0.6;
/// The weight of a control that no screen has, beside one that is missing: it may be named after
/// what the page is about. Elsewhere it counts in full: the page may be of a kind never seen.
const NOVEL: f64 = 0.5;
/// The confidence in a screen that nothing but its address shows.
const BY_ADDRESS_ALONE: f64 = 0.7;
/// The number of parts that an explanation has.
const MAX_PARTS: usize = 40;

/// Which screen a page is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recognition {
    /// The screen; `None` if no screen fits well enough.
    pub screen_id: Option<String>,
    /// The best score, between 0 and 1.
    pub confidence: f64,
    /// The difference to the score of the next screen.
    pub margin: f64,
    /// The screens with the best scores.
    pub candidates: Vec<ScoredScreen>,
    /// Why it is this screen, or none.
    pub reason: String,
}

/// The score of a screen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredScreen {
    /// The screen.
    pub screen_id: String,
    /// The score, between 0 and 1.
    pub score: f64,
}

/// How the score of a screen comes about: `score = address + features`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ScreenScore {
    /// The screen.
    pub screen_id: String,
    /// The score, between 0 and 1.
    pub score: f64,
    /// What the address gives.
    pub address: f64,
    /// What the features give: `present / (present + missing + foreign + novel)`, in its share, and
    /// less of it where the page is in another state.
    pub features: f64,
    /// The weight of the features that are there.
    pub present: f64,
    /// The weight of those that the screen has and the page lacks.
    pub missing: f64,
    /// The weight of those that only other screens have.
    pub foreign: f64,
    /// The weight of controls that no screen was ever seen with.
    pub novel: f64,
    /// The features with the largest weights.
    pub parts: Vec<ScorePart>,
}

/// How a feature speaks for or against a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartRole {
    /// The screen has it, and the page too.
    Present,
    /// The screen has it, and the page lacks it.
    Missing,
    /// Only other screens have it, and the page has it.
    Foreign,
}

impl PartRole {
    /// Returns the word that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            PartRole::Present => "present",
            PartRole::Missing => "missing",
            PartRole::Foreign => "foreign",
        }
    }
}

/// A feature in a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScorePart {
    /// Whether it speaks for the screen.
    pub role: PartRole,
    /// The feature.
    pub feature: Feature,
    /// Its weight.
    pub weight: f64,
}

/// Recognises the screens of a knowledge.
#[derive(Debug)]
pub struct Recogniser<'k> {
    screens: Vec<&'k KnownScreen>,
    features: Vec<Feature>,
    numbers: HashMap<Feature, usize>,
    /// The features that have these words.
    of_words: HashMap<String, Vec<usize>>,
    profiles: Vec<Profile>,
    /// What others wrote in the place of templates of addresses.
    patterns: JoinedPatterns,
    /// For each feature, the number of screens that it is stable in.
    n_with: Vec<usize>,
    /// How much each feature says.
    weights: Vec<f64>,
    thresholds: Thresholds,
    text_thresholds: Thresholds,
}

impl<'k> Recogniser<'k> {
    /// Prepares the screens of a knowledge that can be navigated to.
    pub fn new(knowledge: &'k Knowledge) -> Recogniser<'k> {
        let screens: Vec<&KnownScreen> =
            knowledge.screens.iter().filter(|screen| screen.is_used()).collect();
        let mut recogniser = Recogniser {
            profiles: Vec::with_capacity(screens.len()),
            screens: Vec::new(),
            features: Vec::new(),
            numbers: HashMap::new(),
            of_words: HashMap::new(),
            patterns: JoinedPatterns::default(),
            n_with: Vec::new(),
            weights: Vec::new(),
            thresholds: knowledge.thresholds,
            text_thresholds: knowledge.text_thresholds,
        };
        for screen in &screens {
            let profile = recogniser.profile(screen);
            recogniser.add(profile);
        }
        recogniser.patterns.join();
        recogniser.screens = screens;
        recogniser.weights =
            (0..recogniser.features.len()).map(|feature| recogniser.weight_of(feature)).collect();
        recogniser
    }

    fn add(&mut self, profile: Profile) {
        for (feature, _) in &profile.stable {
            self.n_with[*feature] += 1;
        }
        self.profiles.push(profile);
    }

    fn number(&mut self, feature: &Feature) -> usize {
        if let Some(number) = self.numbers.get(feature) {
            return *number;
        }
        let number = self.features.len();
        self.features.push(feature.clone());
        self.numbers.insert(feature.clone(), number);
        self.of_words.entry(feature.words.clone()).or_default().push(number);
        self.n_with.push(0);
        number
    }

    fn profile(&mut self, screen: &KnownScreen) -> Profile {
        let patterns = screen.url_patterns.iter().filter(|_| screen.templates.is_empty());
        let mut profile = Profile {
            templates: screen.templates.clone(),
            addresses: screen.addresses.iter().map(|one| one.address.clone()).collect(),
            patterns: patterns.filter_map(|pattern| self.patterns.add(pattern)).collect(),
            is_seen: screen.times_seen > 0,
            has_menu: screen.features.iter().any(|known| is_menu(&known.feature)),
            ..Profile::default()
        };
        let n = f64::from(screen.times_seen.max(1));
        for known in &screen.features {
            let number = self.number(&known.feature);
            profile.add(number, known.share, n, known.feature.kind);
        }
        profile
    }

    /// Returns how much a feature says: its kind, and how few screens have it.
    fn weight_of(&self, feature: usize) -> f64 {
        let n = self.profiles.len() as f64;
        let with = self.n_with[feature] as f64;
        let rarity = ((n + 1.0) / (with + 0.5)).ln() / (n + 1.0).ln().max(1.0);
        self.features[feature].kind.weight() * rarity.clamp(0.0, 1.0)
    }

    /// Recognises a page.
    pub fn recognise(&self, evidence: &Evidence) -> Recognition {
        self.recognise_without(evidence, &LeftOut::Nothing)
    }

    /// Recognises a page as if something had not been seen.
    pub(crate) fn recognise_without(&self, evidence: &Evidence, without: &LeftOut) -> Recognition {
        let Some(seen) = &evidence.seen else { return self.by_address(evidence) };
        let mut scored = self.scores(evidence, &self.seen(seen), without);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let best = scored.first().map_or(0.0, |one| one.1);
        let margin = best - scored.get(1).map_or(0.0, |one| one.1);
        let thresholds = match seen {
            PageReading::Words(_) => self.text_thresholds,
            PageReading::Features(_) | PageReading::Snapshot { .. } => self.thresholds,
        };
        let fits = best >= thresholds.score && margin >= thresholds.margin;
        let reason = if fits {
            "its address and features fit".to_owned()
        } else if best < thresholds.score {
            format!("no screen scores {:.2} or more", thresholds.score)
        } else {
            format!("two screens are less than {:.2} apart", thresholds.margin)
        };
        let id = |at: usize| self.screens[at].screen_id.clone();
        Recognition {
            screen_id: scored.first().filter(|_| fits).map(|one| id(one.0)),
            confidence: rounded(best),
            margin: rounded(margin),
            candidates: scored
                .iter()
                .take(3)
                .filter(|one| one.1 > 0.0)
                .map(|one| ScoredScreen { screen_id: id(one.0), score: rounded(one.1) })
                .collect(),
            reason,
        }
    }

    /// Recognises a page by its address: the only screen of its template, if there is one.
    fn by_address(&self, evidence: &Evidence) -> Recognition {
        let profiles = self.profiles.iter().enumerate();
        let all = profiles.clone().map(|(_, profile)| profile);
        let place = AddressPlace::of(evidence, &self.patterns, all, false);
        let found: Vec<usize> =
            profiles.filter(|(_, profile)| place.is_of(profile)).map(|(at, _)| at).collect();
        let id = |at: &usize| self.screens[*at].screen_id.clone();
        let is_one = found.len() == 1;
        let confidence = if found.is_empty() { 0.0 } else { BY_ADDRESS_ALONE / found.len() as f64 };
        Recognition {
            screen_id: found.first().filter(|_| is_one).map(id),
            confidence: rounded(confidence),
            margin: if is_one { rounded(confidence) } else { 0.0 },
            candidates: found
                .iter()
                .take(10)
                .map(|at| ScoredScreen { screen_id: id(at), score: rounded(confidence) })
                .collect(),
            reason: match found.len() {
                0 => "no screen has such an address".to_owned(),
                1 => "no other screen has such an address".to_owned(),
                n => format!("{n} screens have such an address: send a text of the page, too"),
            },
        }
    }

    /// Returns the score of each screen that has anything in common with the page.
    fn scores(
        &self,
        evidence: &Evidence,
        seen: &SeenPage<'_>,
        without: &LeftOut,
    ) -> Vec<(usize, f64)> {
        let profiles = self.profiles.iter().enumerate().filter_map(|(at, profile)| match without {
            LeftOut::Screen(one) if *one == at => None,
            LeftOut::ScreenSighting(one, rest) if *one == at => Some((at, rest)),
            _ => Some((at, profile)),
        });
        let all = profiles.clone().map(|(_, profile)| profile);
        let place = AddressPlace::of(evidence, &self.patterns, all, seen.reading.has_menu());
        let scored = profiles.map(|(at, profile)| {
            let fit = place.fit(profile);
            let sums = self.sums(profile, fit, seen);
            (at, self.total(profile, fit, seen, &sums).0)
        });
        scored.filter(|one| one.1 > 0.0).collect()
    }

    /// Returns the position of a screen.
    pub(crate) fn position(&self, screen_id: &str) -> Option<usize> {
        self.screens.iter().position(|screen| screen.screen_id == screen_id)
    }

    /// Leaves a sighting out of a screen that was seen more than once.
    pub(crate) fn without_sighting(
        &self,
        at: usize,
        address: &str,
        features: &BTreeSet<Feature>,
    ) -> LeftOut {
        let screen = self.screens[at];
        let n = f64::from(screen.times_seen);
        let mut rest = Profile {
            templates: screen.templates.clone(),
            addresses: self.profiles[at].addresses.clone(),
            is_seen: true,
            has_menu: self.profiles[at].has_menu,
            ..Profile::default()
        };
        rest.addresses.remove(address);
        for known in &screen.features {
            let had = f64::from(u8::from(features.contains(&known.feature)));
            let n_with = known.share * n - had;
            if n_with > 0.5
                && let Some(number) = self.numbers.get(&known.feature)
            {
                rest.add(*number, n_with / (n - 1.0), n - 1.0, known.feature.kind);
            }
        }
        LeftOut::ScreenSighting(at, rest)
    }

    /// Looks up what a page shows.
    fn seen<'e>(&self, reading: &'e PageReading) -> SeenPage<'e> {
        let numbers: Vec<usize> = match reading {
            PageReading::Features(features) | PageReading::Snapshot { features, .. } => {
                features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect()
            }
            PageReading::Words(runs) => {
                let found = runs.iter().filter_map(|run| self.of_words.get(run)).flatten();
                found.copied().filter(|at| reading.shows(self.features[*at].kind)).collect()
            }
        };
        let mut novel: BTreeMap<FeatureKind, u32> = BTreeMap::new();
        // Most words of a text are no controls.
        let new = reading.features().into_iter().flatten();
        let is_new =
            |one: &&Feature| !self.numbers.contains_key(*one) && reading.foreign(one) > 0.0;
        for feature in new.filter(is_new) {
            *novel.entry(feature.kind).or_default() += 1;
        }
        let known = numbers.into_iter().map(|feature| (feature, self.weights[feature])).collect();
        SeenPage { reading, known, novel }
    }

    /// Hands on each feature that speaks for or against a screen, with its weight.
    fn each_part(
        &self,
        profile: &Profile,
        seen: &SeenPage<'_>,
        renamed: &RenamedControls,
        mut part: impl FnMut(PartRole, usize, f64),
    ) {
        for (feature, share) in &profile.stable {
            let kind = self.features[*feature].kind;
            match seen.known.get(feature) {
                Some(weight) => part(PartRole::Present, *feature, weight * share),
                None if seen.reading.shows(kind) => {
                    let varies = profile.varying.contains_key(feature);
                    let left = if varies { renamed.of_missing(kind) } else { 1.0 };
                    part(PartRole::Missing, *feature, self.weights[*feature] * share * left);
                }
                None => {}
            }
        }
        for (feature, weight) in &seen.known {
            if self.n_with[*feature] > 0 && !profile.ever.contains(feature) {
                let one = &self.features[*feature];
                let left = renamed.of_new(one.kind);
                part(PartRole::Foreign, *feature, seen.reading.foreign(one) * weight * left);
            }
        }
    }

    /// Finds the controls of a page that stand where a screen had others at other times.
    fn renamed(&self, profile: &Profile, seen: &SeenPage<'_>) -> RenamedControls {
        let mut renamed = RenamedControls::default();
        if seen.reading.features().is_none() {
            return renamed;
        }
        for (feature, share) in &profile.varying {
            if !seen.known.contains_key(feature) {
                renamed.add_missing(self.features[*feature].kind, *share);
            }
        }
        let foreign = seen.known.keys().filter(|feature| !profile.ever.contains(feature));
        for kind in foreign.map(|feature| self.features[*feature].kind) {
            renamed.add_new(kind, 1.0);
        }
        for (kind, n) in &seen.novel {
            renamed.add_new(*kind, f64::from(*n));
        }
        renamed
    }

    fn sums(&self, profile: &Profile, fit: AddressFit, seen: &SeenPage<'_>) -> ScoreSums {
        let renamed = self.renamed(profile, seen);
        let built = seen.novel.iter().filter(|(kind, _)| kind.is_built());
        let share = if fit == AddressFit::Other { 1.0 } else { NOVEL };
        let novel =
            built.map(|(kind, n)| share * kind.weight() * f64::from(*n) * renamed.of_new(*kind));
        let mut sums = ScoreSums { novel: novel.sum(), ..ScoreSums::default() };
        self.each_part(profile, seen, &renamed, |role, _, weight| match role {
            PartRole::Present => sums.present += weight,
            PartRole::Missing => sums.missing += weight,
            PartRole::Foreign => sums.foreign += weight,
        });
        sums
    }

    /// Returns the score of a screen, and the parts of its address and its features.
    fn total(
        &self,
        profile: &Profile,
        fit: AddressFit,
        seen: &SeenPage<'_>,
        sums: &ScoreSums,
    ) -> (f64, f64, f64) {
        let all = sums.present + sums.missing + sums.foreign + sums.novel;
        let state = self.in_state_of(profile, seen);
        let features = state * if all > 0.0 { sums.present / all } else { 0.0 };
        let (address, share) = match fit {
            AddressFit::Own => (state * ADDRESS, 1.0 - ADDRESS),
            AddressFit::Other => (0.0, ELSEWHERE),
            AddressFit::Unknown => (0.0, 1.0),
        };
        (address + share * features, address, share * features)
    }

    /// Returns what is left of the score of a screen that is in another state than the page. What
    /// others wrote says nothing of states.
    fn in_state_of(&self, profile: &Profile, seen: &SeenPage<'_>) -> f64 {
        let of_screen = profile.stable.iter().map(|(number, _)| &self.features[*number]);
        if profile.is_seen { seen.reading.in_state_of(of_screen) } else { 1.0 }
    }

    /// Takes the score of a screen apart.
    pub fn explain(&self, screen_id: &str, evidence: &Evidence) -> Option<ScreenScore> {
        let at = self.position(screen_id)?;
        let profile = &self.profiles[at];
        let has_menu = evidence.seen.as_ref().is_some_and(PageReading::has_menu);
        let place = AddressPlace::of(evidence, &self.patterns, self.profiles.iter(), has_menu);
        let Some(seen) = evidence.seen.as_ref().map(|seen| self.seen(seen)) else {
            let address = if place.is_of(profile) { ADDRESS } else { 0.0 };
            let screen_id = screen_id.to_owned();
            return Some(ScreenScore { screen_id, score: address, address, ..Default::default() });
        };
        let fit = place.fit(profile);
        let sums = self.sums(profile, fit, &seen);
        let (score, address, features) = self.total(profile, fit, &seen, &sums);
        let mut parts: Vec<ScorePart> = Vec::new();
        let renamed = self.renamed(profile, &seen);
        self.each_part(profile, &seen, &renamed, |role, feature, weight| {
            let feature = self.features[feature].clone();
            parts.push(ScorePart { role, feature, weight: rounded(weight) });
        });
        parts.retain(|part| part.weight > 0.0);
        parts.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.feature.cmp(&b.feature)));
        parts.truncate(MAX_PARTS);
        Some(ScreenScore {
            screen_id: screen_id.to_owned(),
            score: rounded(score),
            address: rounded(address),
            features: rounded(features),
            present: rounded(sums.present),
            missing: rounded(sums.missing),
            foreign: rounded(sums.foreign),
            novel: rounded(sums.novel),
            parts,
        })
    }
}

/// The weights of the features that are there, missing, and of other screens alone.
#[derive(Debug, Clone, Copy, Default)]
struct ScoreSums {
    present: f64,
    missing: f64,
    foreign: f64,
    novel: f64,
}

/// What is there of a page.
struct SeenPage<'e> {
    reading: &'e PageReading,
    /// The features that some screen has, with their weights.
    known: BTreeMap<usize, f64>,
    /// How many features of each kind no screen has.
    novel: BTreeMap<FeatureKind, u32>,
}

/// Rounds to three digits: a score is read by people, and the same everywhere.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
