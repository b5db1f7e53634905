//! The plan's `fill` against the scores: how far the fit may show a file that no rule asks for.

use crate::level::{Level, LevelRange};
use crate::map::effective::EffectiveRule;
use crate::map::surveyed::Surveyed;
use crate::plan::Fill;
use crate::score::judge::{FileScore, ONE, Signal, TreeScores};

/// The budget of a map, and how much of it is used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapBudget {
    pub(crate) tokens: u32,
    pub(crate) fill: Fill,
}

/// The files that the fit may show, besides those that rules ask for.
#[derive(Clone, Copy)]
pub(crate) struct FillLimit<'a> {
    fill: Fill,
    /// The least score of a file that is shown unasked; `None` if no such file is.
    least: Option<u32>,
    /// Whether rules ask for a file, in place of all that they do not ask for.
    asked: &'a [bool],
    scores: &'a [FileScore],
}

impl<'a> FillLimit<'a> {
    /// Returns the limit where rules ask for these files; `before` are the rules before the pilot
    /// lowered anything.
    pub(crate) fn of(
        surveyed: &Surveyed,
        scores: &'a TreeScores,
        asked: &'a [bool],
        before: &[EffectiveRule],
        fill: Fill,
    ) -> FillLimit<'a> {
        let is_guess = surveyed.goal.is_empty() || !scores.has_evidence;
        let fill = match fill {
            // Without evidence no file is nearer than another.
            Fill::Near if is_guess => Fill::All,
            fill => fill,
        };
        let files = scores.files.as_slice();
        let has_request = asked.contains(&true) || files.iter().any(is_pointed_at);
        // The measure is the best file that may be shown and that no person points at. What a pilot
        // lowers stays a measure, so that nothing weaker comes in its place.
        let measures = files
            .iter()
            .zip(before)
            .filter(|(score, rule)| rule.range.ceiling >= Level::Path && !is_pointed_at(score));
        let best = measures.map(|(score, _)| score.score).max().unwrap_or(ONE);
        let least = (u64::from(fill.threshold()) * u64::from(best)).div_ceil(u64::from(ONE)) as u32;
        let least = (fill != Fill::None || !has_request).then_some(least.max(1));
        FillLimit { fill, least, asked, scores: files }
    }

    /// Returns the levels that the fit may choose for a file.
    pub(crate) fn range(&self, file: usize, rule: &EffectiveRule) -> LevelRange {
        let range = rule.range;
        match self.fill {
            Fill::None if self.asked[file] || self.is_below(file) => {
                LevelRange::exactly(range.floor)
            }
            Fill::Near if self.is_weak(file, rule) => {
                LevelRange { ceiling: range.ceiling.min(Level::Fold), ..range }
            }
            Fill::None | Fill::Near | Fill::All => range,
        }
    }

    /// Returns the score that a file needs to be shown, if it has evidence and not as much. One
    /// that its rule keeps below its path is shown with no score.
    pub(crate) fn needs(&self, file: usize, rule: &EffectiveRule) -> Option<u32> {
        let may_be_shown = rule.range.ceiling >= Level::Path;
        let is_left_out = may_be_shown && self.scores[file].score > 0 && self.is_weak(file, rule);
        is_left_out.then_some(self.least.unwrap_or(ONE))
    }

    fn is_weak(&self, file: usize, rule: &EffectiveRule) -> bool {
        self.fill != Fill::All && !rule.asks_for_text() && self.is_below(file)
    }

    fn is_below(&self, file: usize) -> bool {
        let score = &self.scores[file];
        !is_pointed_at(score) && self.least.is_none_or(|least| score.score < least)
    }
}

/// Reports whether a file is in focus or changed.
fn is_pointed_at(score: &FileScore) -> bool {
    [Signal::Focus, Signal::Changed].iter().any(|signal| score.parts.contains_key(signal))
}
