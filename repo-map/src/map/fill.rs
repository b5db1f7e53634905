//! The plan's `fill` against the scores: how far the fit may show a file that no rule asks for.

use crate::level::{Level, LevelRange};
use crate::map::effective::EffectiveRule;
use crate::map::surveyed::Surveyed;
use crate::outline::Outline;
use crate::plan::Fill;
use crate::score::judge::{FileScore, ONE, Signal, TreeScores};
use crate::source::location::DocumentKind;

/// The least value of a quoted path or frame that shows its file. Every quoted path has more, and
/// the four innermost frames of a stack trace.
const QUOTED: u32 = 300_000;

/// The score, in millionths of the best file's, below which a file of code is shown only together
/// with the body of an item: what a middling file has by its signatures alone is mostly noise. For
/// the goals of two sets this raises F1 of the files at 4 000 tokens by 0.6 and 2.1 points
/// (`docs/relevance-experiments.md`).
const WITHOUT_BODY: u32 = 600_000;

/// The share of the budget, in hundredths, of which a map that uses less shows weaker files too.
const WELL_USED: u64 = 75;
/// What the threshold of `near` is then, in millionths of itself: a file that answers may have few
/// words of the goal. On 241 issues that are not Python this shows 1.3 points more of the functions
/// at 8 000 tokens, and of the files shown 2.2 points fewer are of the fix
/// (`docs/relevance-experiments.md`).
const WHERE_FREE: u32 = 780_000;

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
    /// The best score, which is the measure of all; `None` if no file is shown unasked.
    best: Option<BestScores>,
    /// Whether rules ask for a file, in place of all that they do not ask for.
    asked: &'a [bool],
    /// Whether the map is of what changed, and nobody asks for more.
    is_of_changes: bool,
    /// What counts of the threshold, in millionths.
    part: u32,
    scores: &'a TreeScores,
}

/// The best scores among the files that may be shown and that no person points at.
#[derive(Clone, Copy)]
struct BestScores {
    file: u32,
    /// That of an item of code; `None` for pages, whose sections were not measured.
    item: Option<u32>,
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
        let has_request = asked.contains(&true) || scores.files.iter().any(is_pointed_at);
        // What a pilot lowers stays a measure, so that nothing weaker comes in its place.
        let measures = || {
            let files = scores.files.iter().zip(before).enumerate();
            files.filter(|(_, (score, rule))| {
                rule.range.ceiling >= Level::Path && !is_pointed_at(score)
            })
        };
        let best = BestScores {
            file: measures().map(|(_, (score, _))| score.score).max().unwrap_or(ONE),
            item: match surveyed.corpus.tree.kind() {
                DocumentKind::File => {
                    measures().filter_map(|(file, _)| best_item(scores, file)).max()
                }
                DocumentKind::Page => None,
            },
        };
        let best = (fill != Fill::None || !has_request).then_some(best);
        let is_of_changes = !surveyed.corpus.has_goal && !surveyed.corpus.since.changes.is_empty();
        FillLimit { fill, best, asked, is_of_changes, part: ONE, scores }
    }

    /// Returns the limit for a second map where the first one left much of a budget free; `None` if
    /// it did not, or `fill` is not `near`, or of pages, for which this was not measured.
    pub(crate) fn where_free(self, used: u32, budget: u32) -> Option<FillLimit<'a>> {
        let is_free = u64::from(used) * 100 < u64::from(budget) * WELL_USED;
        let is_of_code = self.best.is_some_and(|best| best.item.is_some());
        let is_wider = is_free && is_of_code && self.fill == Fill::Near;
        is_wider.then_some(FillLimit { part: WHERE_FREE, ..self })
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

    /// Returns the least score with which the fit shows an item of a file.
    pub(crate) fn least_item(&self, file: usize, rule: &EffectiveRule) -> u32 {
        let is_asked = rule.asks_for_text() || is_pointed_at(&self.scores.files[file]);
        let best = self.best.and_then(|best| best.item).filter(|_| !is_asked).unwrap_or(0);
        (u64::from(self.fill.item_threshold()) * u64::from(best) / u64::from(ONE)) as u32
    }

    /// Reports whether a file that nobody asks for is shown only together with the body of an item.
    /// One of constants alone has none.
    pub(crate) fn needs_body(
        &self,
        file: usize,
        rule: &EffectiveRule,
        outline: Option<&Outline>,
    ) -> bool {
        let has_body = outline.is_some_and(|one| one.items.iter().any(|item| item.body.is_some()));
        let score = &self.scores.files[file];
        let is_asked = rule.asks_for_text() || is_pointed_at(score) || is_quoted(score);
        if self.fill != Fill::Near || is_asked || rule.range.ceiling < Level::Body || !has_body {
            return false;
        }
        let is_of_code = |best: &BestScores| best.item.is_some();
        self.best.filter(is_of_code).is_some_and(|best| {
            u64::from(score.score) * u64::from(ONE) < u64::from(WITHOUT_BODY) * u64::from(best.file)
        })
    }

    /// Reports whether the path alone says too little: of a file beside those that changed.
    pub(crate) fn needs_items(&self, file: usize) -> bool {
        self.is_of_changes && !is_pointed_at(&self.scores.files[file])
    }

    /// Returns the score that a file needs to be shown, if it has evidence and not as much. One
    /// that a rule keeps below its path is shown with no score.
    pub(crate) fn needs(&self, file: usize, rule: &EffectiveRule) -> Option<u32> {
        let has_evidence = self.scores.files[file].score > 0;
        let is_left_out = rule.is_open && has_evidence && self.is_weak(file, rule);
        is_left_out.then(|| self.least(file).unwrap_or(ONE))
    }

    /// Returns the least score with which a file is shown unasked; `None` if it never is.
    fn least(&self, file: usize) -> Option<u32> {
        let best = self.best?;
        let one = u64::from(ONE);
        let item = best
            .item
            .zip(best_item(self.scores, file))
            .map(|(best, item)| (u64::from(item) * one / u64::from(best.max(1))).min(one) as u32);
        let share = u64::from(self.fill.threshold(item)) * u64::from(self.part) / one;
        Some(((share * u64::from(best.file)).div_ceil(one) as u32).max(1))
    }

    fn is_weak(&self, file: usize, rule: &EffectiveRule) -> bool {
        self.fill != Fill::All && !rule.asks_for_text() && self.is_below(file)
    }

    fn is_below(&self, file: usize) -> bool {
        let score = &self.scores.files[file];
        !is_pointed_at(score)
            && !is_quoted(score)
            && self.least(file).is_none_or(|least| score.score < least)
    }
}

/// Returns the score of the best item of a file of code; `None` if it has none, or was not judged.
fn best_item(scores: &TreeScores, file: usize) -> Option<u32> {
    scores.items.get(&file)?.iter().copied().max()
}

/// Reports whether the goal quotes the file: its path, or a frame of a stack trace.
fn is_quoted(score: &FileScore) -> bool {
    let of = |signal| score.parts.get(signal).copied().unwrap_or(0);
    [Signal::Path, Signal::Trace].iter().any(|signal| of(signal) >= QUOTED)
}

/// Reports whether a file is in focus or changed.
fn is_pointed_at(score: &FileScore) -> bool {
    [Signal::Focus, Signal::Changed].iter().any(|signal| score.parts.contains_key(signal))
}
