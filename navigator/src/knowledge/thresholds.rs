//! From which score a screen is recognised: set on what was seen, each sighting left out in turn.

use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::{Knowledge, Thresholds};
use crate::knowledge::recognise::{LeftOut, Recogniser};
use crate::knowledge::sighting::ScreenSighting;

/// The largest number of sightings that are left out in turn; of more, some in even steps.
const MAX_TRIED: usize = 200;
/// The fewest trials of each kind that set thresholds.
const MIN_TRIED: usize = 4;
/// What is added to the best wrong score: the next page is not one of those seen.
const SAFETY: f64 = 0.03;
/// The margins that are tried.
const MARGINS: [f64; 4] = [0.02, 0.05, 0.08, 0.12];
/// The bounds of the lowest score.
const SCORES: (f64, f64) = (0.5, 0.9);

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

/// Sets the thresholds: no wrong answer among the trials, and as many right ones as possible.
/// `screens` has the screen of each sighting.
pub(super) fn thresholds_of(
    knowledge: &Knowledge,
    sightings: &[ScreenSighting],
    screens: &[String],
) -> Thresholds {
    let trials = trials(knowledge, sightings, screens);
    let n_right = trials.iter().filter(|trial| trial.is_right).count();
    if n_right < MIN_TRIED || trials.len() - n_right < MIN_TRIED {
        return Thresholds::default();
    }
    let found = MARGINS.map(|margin| {
        let wrong = trials.iter().filter(|trial| !trial.is_right && trial.margin >= margin);
        let worst = wrong.map(|trial| trial.score).fold(0.0, f64::max);
        let score = (worst + SAFETY).clamp(SCORES.0, SCORES.1);
        let score = (score * 1000.0).round() / 1000.0;
        let fits = |trial: &&RecognitionTrial| trial.score >= score && trial.margin >= margin;
        let n = trials.iter().filter(|trial| trial.is_right).filter(fits).count();
        (n, Thresholds { score, margin })
    });
    let best = found.into_iter().rev().max_by_key(|(n, _)| *n);
    best.map(|(_, thresholds)| thresholds).unwrap_or_default()
}

/// Leaves sightings out in turn: of a screen that was seen again, the sighting alone; and the whole
/// screen, after which any answer is wrong.
fn trials(
    knowledge: &Knowledge,
    sightings: &[ScreenSighting],
    screens: &[String],
) -> Vec<RecognitionTrial> {
    let recogniser = Recogniser::new(knowledge);
    let step = sightings.len().div_ceil(MAX_TRIED).max(1);
    let mut trials = Vec::new();
    for (sighting, screen) in sightings.iter().zip(screens).step_by(step) {
        let Some(at) = recogniser.position(screen) else { continue };
        let address = &sighting.screen.address;
        let evidence = Evidence::of_features(address, sighting.features.clone());
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
