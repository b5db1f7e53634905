//! Which screen a page is: the rarer a feature on this site, the more it says, and what a screen
//! always has and this page lacks speaks against it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regex::{Regex, RegexBuilder};
use serde::Serialize;

use crate::knowledge::evidence::{Evidence, PageEvidence};
use crate::knowledge::feature::{Feature, FeatureKind};
use crate::knowledge::model::{Knowledge, KnownScreen, Thresholds};
use crate::knowledge::template::AddressTemplate;

/// The share of a score that the address gives, where it is known; the rest is of the features.
const ADDRESS: f64 = 0.35;
/// What is left of the score of the features under an address that the screen never had.
const ELSEWHERE: f64 = 0.6;
/// The lowest share of the times seen that makes a feature one of a screen.
const STABLE: f64 = 0.5;
/// The confidence in a screen that nothing but its address shows.
const BY_ADDRESS_ALONE: f64 = 0.7;
/// The largest size of a compiled pattern, in bytes.
const MAX_PATTERN: usize = 1 << 16;
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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScreenScore {
    /// The screen.
    pub screen_id: String,
    /// The score, between 0 and 1.
    pub score: f64,
    /// What the address gives.
    pub address: f64,
    /// What the features give: `present / (present + missing + foreign)`, in its share.
    pub features: f64,
    /// The weight of the features that are there.
    pub present: f64,
    /// The weight of those that the screen has and the page lacks.
    pub missing: f64,
    /// The weight of those that only other screens have.
    pub foreign: f64,
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

/// The features of one screen, as the recogniser holds them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Profile {
    /// Each stable feature with its share.
    stable: Vec<(usize, f64)>,
    /// All features that it was ever seen with.
    ever: BTreeSet<usize>,
    templates: Vec<AddressTemplate>,
    addresses: BTreeSet<String>,
    /// What others wrote in the place of templates.
    patterns: Vec<Regex>,
}

/// Returns the patterns of a screen that has no templates. One that is too large fits nothing.
fn patterns(screen: &KnownScreen) -> Vec<Regex> {
    let given = if screen.templates.is_empty() { screen.url_patterns.as_slice() } else { &[] };
    let compiled = given.iter().map(|one| RegexBuilder::new(one).size_limit(MAX_PATTERN).build());
    compiled.filter_map(Result::ok).collect()
}

impl Profile {
    /// Reports whether the screen was seen under an address, or under one like it.
    fn has_address(&self, address: Option<&str>, template: &AddressTemplate) -> bool {
        self.templates.contains(template)
            || address.is_some_and(|address| {
                self.addresses.contains(address)
                    || self.patterns.iter().any(|pattern| pattern.is_match(address))
            })
    }

    /// Adds a feature that was there in this share of `n` times.
    fn add(&mut self, number: usize, share: f64, n: f64, kind: FeatureKind) {
        self.ever.insert(number);
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

/// Recognises the screens of a knowledge.
#[derive(Debug)]
pub struct Recogniser<'k> {
    screens: Vec<&'k KnownScreen>,
    features: Vec<Feature>,
    numbers: HashMap<Feature, usize>,
    /// The features that have these words.
    of_words: HashMap<String, Vec<usize>>,
    profiles: Vec<Profile>,
    /// For each feature, the number of screens that it is stable in.
    n_with: Vec<usize>,
    /// How much each feature says.
    weights: Vec<f64>,
    thresholds: Thresholds,
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
            n_with: Vec::new(),
            weights: Vec::new(),
            thresholds: knowledge.thresholds,
        };
        for screen in &screens {
            let profile = recogniser.profile(screen);
            recogniser.add(profile);
        }
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
        let mut profile = Profile {
            templates: screen.templates.clone(),
            addresses: screen.addresses.iter().map(|one| one.address.clone()).collect(),
            patterns: patterns(screen),
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
        if matches!(evidence.seen, PageEvidence::Nothing) {
            return self.by_address(evidence);
        }
        let mut scored = self.scores(evidence, without);
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let best = scored.first().map_or(0.0, |one| one.1);
        let margin = best - scored.get(1).map_or(0.0, |one| one.1);
        let fits = best >= self.thresholds.score && margin >= self.thresholds.margin;
        let reason = if fits {
            "its address and features fit".to_owned()
        } else if best < self.thresholds.score {
            format!("no screen scores {:.2} or more", self.thresholds.score)
        } else {
            format!("two screens are less than {:.2} apart", self.thresholds.margin)
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
        let fits = |profile: &Profile| {
            let template = evidence.template.as_ref();
            template.is_some_and(|one| profile.has_address(evidence.address.as_deref(), one))
        };
        let found: Vec<usize> = self
            .profiles
            .iter()
            .enumerate()
            .filter(|(_, profile)| fits(profile))
            .map(|(at, _)| at)
            .collect();
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
    fn scores(&self, evidence: &Evidence, without: &LeftOut) -> Vec<(usize, f64)> {
        let seen = self.seen(evidence);
        let scored = self.profiles.iter().enumerate().filter_map(|(at, profile)| {
            let profile = match without {
                LeftOut::Screen(one) if *one == at => return None,
                LeftOut::ScreenSighting(one, rest) if *one == at => rest,
                _ => profile,
            };
            let sums = self.sums(profile, evidence, &seen);
            Some((at, self.total(profile, evidence, &sums).0)).filter(|one| one.1 > 0.0)
        });
        scored.collect()
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

    /// Returns the weights of the known features that are there.
    fn seen(&self, evidence: &Evidence) -> BTreeMap<usize, f64> {
        let numbers: Vec<usize> = match &evidence.seen {
            PageEvidence::Nothing => Vec::new(),
            PageEvidence::Features(features) => {
                features.iter().filter_map(|feature| self.numbers.get(feature).copied()).collect()
            }
            PageEvidence::Words(runs) => {
                let found = runs.iter().filter_map(|run| self.of_words.get(run)).flatten();
                found.copied().filter(|at| evidence.shows(self.features[*at].kind)).collect()
            }
        };
        numbers.into_iter().map(|feature| (feature, self.weights[feature])).collect()
    }

    /// Hands on each feature that speaks for or against a screen, with its weight.
    fn each_part(
        &self,
        profile: &Profile,
        evidence: &Evidence,
        seen: &BTreeMap<usize, f64>,
        mut part: impl FnMut(PartRole, usize, f64),
    ) {
        for (feature, share) in &profile.stable {
            match seen.get(feature) {
                Some(weight) => part(PartRole::Present, *feature, weight * share),
                None if evidence.shows(self.features[*feature].kind) => {
                    part(PartRole::Missing, *feature, self.weights[*feature] * share);
                }
                None => {}
            }
        }
        for (feature, weight) in seen {
            if self.n_with[*feature] > 0 && !profile.ever.contains(feature) {
                part(PartRole::Foreign, *feature, evidence.foreign() * weight);
            }
        }
    }

    fn sums(
        &self,
        profile: &Profile,
        evidence: &Evidence,
        seen: &BTreeMap<usize, f64>,
    ) -> ScoreSums {
        let mut sums = ScoreSums::default();
        self.each_part(profile, evidence, seen, |role, _, weight| match role {
            PartRole::Present => sums.present += weight,
            PartRole::Missing => sums.missing += weight,
            PartRole::Foreign => sums.foreign += weight,
        });
        sums
    }

    /// Returns the score of a screen, and the parts of its address and its features.
    fn total(&self, profile: &Profile, evidence: &Evidence, sums: &ScoreSums) -> (f64, f64, f64) {
        let all = sums.present + sums.missing + sums.foreign;
        let features = if all > 0.0 { sums.present / all } else { 0.0 };
        let Some(template) = &evidence.template else {
            return (features, 0.0, features);
        };
        if profile.templates.is_empty() && profile.patterns.is_empty() {
            return (features, 0.0, features);
        }
        if profile.has_address(evidence.address.as_deref(), template) {
            let features = (1.0 - ADDRESS) * features;
            return (ADDRESS + features, ADDRESS, features);
        }
        (ELSEWHERE * features, 0.0, ELSEWHERE * features)
    }

    /// Takes the score of a screen apart.
    pub fn explain(&self, screen_id: &str, evidence: &Evidence) -> Option<ScreenScore> {
        let at = self.position(screen_id)?;
        let profile = &self.profiles[at];
        let seen = self.seen(evidence);
        let sums = self.sums(profile, evidence, &seen);
        let (score, address, features) = self.total(profile, evidence, &sums);
        let mut parts: Vec<ScorePart> = Vec::new();
        self.each_part(profile, evidence, &seen, |role, feature, weight| {
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
}

/// Rounds to three digits: a score is read by people, and the same everywhere.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
