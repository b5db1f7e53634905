//! From which score a screen is recognised: set on what was seen, each sighting left out in turn.

use crate::knowledge::build::sighting::ScreenSighting;
use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::{Knowledge, Thresholds};
use crate::knowledge::recognise::Recogniser;
use crate::knowledge::recognise::profile::LeftOut;

/// The largest number of sightings that are left out in turn; of more, some in even steps.
const MAX_TRIED: usize = 200;
/// The fewest trials of each kind that set thresholds.
const MIN_TRIED: usize = 4;
/// What is added to the best wrong score: the next page is not one of those seen.
const SAFETY: f64 = 0.03;
/// The margins that are tried.
const MARGINS: [f64; 4] = [0.02, 0.05, 0.08, 0.12];
/// The bounds of the lowest score.
const SCORES: (f64, f64) = (0.55, 0.9);

/// What came of a sighting that was left out.
#[derive(Debug, Clone, Copy)]
struct RecognitionTrial {
    /// The best score.
    score: f64,
    /// The difference to the next one.
    margin: f64,
    /// The best screen is the right one.
    is_right: bool,
}

/// What is known of a sighting that is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrialEvidence {
    of: fn(&ScreenSighting) -> Evidence,
    /// How many right answers a wrong one costs.
    wrong: f64,
}

/// What our browser sees. No wrong answer is worth any number of right ones.
pub(super) const BY_FEATURES: TrialEvidence = TrialEvidence { of: by_features, wrong: 1_000.0 };
/// What another agent sends. A text has the words of what a dialog covers, so some states cannot be
/// told apart by any score.
pub(super) const BY_TEXT: TrialEvidence = TrialEvidence { of: by_text, wrong: 3.0 };

fn by_features(sighting: &ScreenSighting) -> Evidence {
    Evidence::of_features(&sighting.screen.address, sighting.features.clone())
}

/// Returns the words of headings, texts and controls.
fn by_text(sighting: &ScreenSighting) -> Evidence {
    let screen = &sighting.screen;
    let sections = screen.sections.iter().flat_map(|section| [&section.title, &section.text]);
    let controls = screen.entries.iter().filter(|entry| !entry.is("covered"));
    let lines: Vec<&str> =
        sections.chain(controls.map(|entry| &entry.label)).map(String::as_str).collect();
    Evidence::of_text(Some(&screen.address), Some(&lines.join("\n")))
}

/// Sets the thresholds: as many right answers among the trials as possible, less what wrong ones
/// cost.
/// `screens` has the screen of each sighting.
pub(super) fn thresholds_of(
    knowledge: &Knowledge,
    sightings: &[ScreenSighting],
    screens: &[String],
    evidence: TrialEvidence,
) -> Thresholds {
    let trials = trials(knowledge, sightings, screens, evidence);
    let n_right = trials.iter().filter(|trial| trial.is_right).count();
    if n_right < MIN_TRIED || trials.len() - n_right < MIN_TRIED {
        return Thresholds::default();
    }
    let found = MARGINS.map(|margin| {
        let apart = || trials.iter().filter(move |trial| trial.margin >= margin);
        let wrong = apart().filter(|trial| !trial.is_right).map(|trial| trial.score + SAFETY);
        let scores = wrong.chain([SCORES.0]).map(|score| score.clamp(SCORES.0, SCORES.1));
        let worth = |score: f64| -> f64 {
            let fits = apart().filter(|trial| trial.score >= score);
            fits.map(|trial| if trial.is_right { 1.0 } else { -evidence.wrong }).sum()
        };
        let best = scores.map(|score| ((score * 1000.0).round() / 1000.0, worth(score)));
        let best = best.max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
        let (score, worth) = best.unwrap_or((SCORES.1, 0.0));
        (worth, Thresholds { score, margin })
    });
    let best = found.into_iter().rev().max_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, thresholds)| thresholds).unwrap_or_default()
}

/// Leaves sightings out in turn: of a screen that was seen again, the sighting alone; and the whole
/// screen, after which any answer is wrong.
fn trials(
    knowledge: &Knowledge,
    sightings: &[ScreenSighting],
    screens: &[String],
    evidence: TrialEvidence,
) -> Vec<RecognitionTrial> {
    let recogniser = Recogniser::new(knowledge);
    let step = sightings.len().div_ceil(MAX_TRIED).max(1);
    let mut trials = Vec::new();
    for (sighting, screen) in sightings.iter().zip(screens).step_by(step) {
        let Some(at) = recogniser.position(screen) else { continue };
        let address = &sighting.screen.address;
        let evidence = (evidence.of)(sighting);
        let mut leave_out = |without: &LeftOut, right: Option<&str>| {
            let found = recogniser.recognise_without(&evidence, without);
            let best = found.candidates.first().map(|one| one.screen_id.as_str());
            let is_right = right.is_some() && best == right;
            trials.push(RecognitionTrial {
                score: found.confidence,
                margin: found.margin,
                is_right,
            });
        };
        if knowledge.screen(screen).is_some_and(|one| one.times_seen > 1) {
            let without = recogniser.without_sighting(at, address, &sighting.features);
            leave_out(&without, Some(screen));
        }
        leave_out(&LeftOut::Screen(at), None);
    }
    trials
}
