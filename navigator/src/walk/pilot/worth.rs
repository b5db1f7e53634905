//! What sections and extracts are worth for a goal, for the pilot without a model.

use std::collections::BTreeSet;

use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::evidence::{GoalWeights, WalkGoal, evidence_words};
use crate::walk::pilot::kinds::{headings, headings_by_kind};
use crate::walk::pilot::phrases::topic_of;
use crate::walk::pilot::release_notes;
use crate::walk::screen::Screen;
use crate::walk::state::PageExtract;

/// The fewest names by which the rarity of a word can be told.
const LEAST_NAMES: usize = 10;
/// The smallest difference that counts, so that rounding decides nothing.
pub(super) const EPSILON: f64 = 1e-9;
/// The length of a section from which on it counts less, in bytes.
const LONG_SECTION: f64 = 4_000.0;
/// What the words of a text count beside those of its place.
const OF_TEXT: f64 = 0.9;
/// What the heading of a section counts once more, beside the other sections of its page.
const OF_OWN_HEADING: f64 = 0.5;
/// What a text counts beside others that lacks what the goal is about.
const OF_LACKING: f64 = 0.5;
/// The fewest kinds of question by which a site heads its pages, if it does at all.
const LEAST_KINDS: usize = 2;

/// Weighs the words of the goal by their rarity among the names of the places that were seen: most
/// pages of a manual are about a word such as `file` or `use`.
fn weights_of(turn: &WalkTurn<'_>, goal: &WalkGoal) -> GoalWeights {
    let seen = turn.state.seen.values().filter_map(|way| way.last());
    let here = turn.screen.entries.iter().map(|entry| &entry.label);
    let names: Vec<BTreeSet<String>> = seen.chain(here).map(|name| evidence_words(name)).collect();
    if names.len() < LEAST_NAMES { goal.equal() } else { goal.weighed(&names) }
}

/// What texts and places are measured by in one turn.
pub(super) struct Measure {
    /// What the goal is about.
    pub(super) topic: String,
    /// The words of that, and of what the person said.
    pub(super) goal: WalkGoal,
    pub(super) weights: GoalWeights,
    /// Earlier walks have named the pages of the site that promise most.
    pub(super) knows_site: bool,
    /// A text that lacks what the goal is about counts less. On a known site what its words promise
    /// is known, and what was done to a page needs no text.
    pub(super) looks_for_names: bool,
}

/// What a text has of the goal.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    pub(super) share: f64,
    /// What counts beside other texts, and beside what places promise.
    pub(super) value: f64,
    /// It has none of the names of code in the goal.
    pub(super) is_unnamed: bool,
    /// It is unnamed, or lacks one of the rarest words, which an index may have.
    pub(super) is_lacking: bool,
}

/// The best extract.
pub(super) struct TakenText<'t> {
    pub(super) worth: Worth,
    pub(super) extract: &'t PageExtract,
}

impl Measure {
    pub(super) fn of(turn: &WalkTurn<'_>) -> Measure {
        let knows_site = !turn.state.known.is_empty();
        let has_operated = turn.screen.is_live && turn.state.has_operated();
        let topic = topic_of(turn.goal, turn.screen.is_live);
        let goal = WalkGoal::of(&format!("{topic}\n{}", turn.state.feedback.join("\n")));
        let weights = weights_of(turn, &goal);
        let looks_for_names = !knows_site && !has_operated;
        Measure { topic, goal, weights, knows_site, looks_for_names }
    }

    /// Reports whether the goal is the name of a section, but for the signs around it.
    pub(super) fn is_called(&self, title: &str) -> bool {
        let bare = |name: &str| name.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let name = bare(title);
        !name.is_empty() && name == bare(&self.topic)
    }

    /// Measures an extract.
    pub(super) fn taken<'t>(&self, extract: &'t PageExtract) -> TakenText<'t> {
        let text = format!("{}\n{}", extract.place.join(" "), extract.text);
        let evidence = self.goal.evidence_of(&extract.text);
        let words = evidence_words(&format!("{}\n{evidence}", extract.place.join(" ")));
        let share = match extract.place.last().filter(|_| self.knows_site) {
            Some(last) => self.weights.share_of_place(&words, last),
            None => self.weights.share(&words),
        };
        let mut worth = self.worth(share, &text, &words);
        worth.value *= release_notes::factor(&self.topic, &extract.address);
        TakenText { worth, extract }
    }

    /// Measures a text that has a share of the goal with the names of its place.
    fn worth(&self, share: f64, text: &str, words: &BTreeSet<String>) -> Worth {
        let is_unnamed = self.looks_for_names && self.goal.is_unnamed_in(text);
        let is_lacking = is_unnamed || self.looks_for_names && self.weights.lacks_rarest(words);
        // A word that no place is called by may be one of the question alone.
        let counts_less = is_unnamed || is_lacking && self.weights.lacks_rarest_seen(words);
        let value = if counts_less { OF_LACKING * share } else { share };
        Worth { share, value, is_unnamed, is_lacking }
    }
}

/// Returns the extract with most of the goal. On a known site its share is what its place promised
/// at least: a place that promises no more is not worth a walk.
pub(super) fn best_extract<'t>(turn: &WalkTurn<'t>, measure: &Measure) -> Option<TakenText<'t>> {
    let mut best: Option<TakenText<'t>> = None;
    for extract in &turn.state.extracts {
        let taken = measure.taken(extract);
        if best.as_ref().is_none_or(|best| taken.worth.value > best.worth.value + EPSILON) {
            best = Some(taken);
        }
    }
    best
}

/// Reports whether a text is of another kind than the goal: the site heads its pages by kinds of
/// question, and neither the heading of the text nor the text has a word of those of the goal.
///
/// Measured on 60 questions about a generated manual, a page a folder: of 14 walks that ended with
/// a text as an answer 7 still do, among them the 4 that have it.
pub(super) fn is_of_other_kind(turn: &WalkTurn<'_>, measure: &Measure, text: &PageExtract) -> bool {
    let heading = text.place.last().map_or("", String::as_str);
    measure.goal.lacks_kinds(&evidence_words(&format!("{heading}\n{}", text.text)))
        && heads_by_kinds(turn)
}

/// Reports whether places that were seen are called by kinds of question alone: `Locations`,
/// `Service and Repair`.
fn heads_by_kinds(turn: &WalkTurn<'_>) -> bool {
    let seen = turn.state.seen.values().filter_map(|way| way.last());
    let names = seen.chain(turn.screen.entries.iter().map(|entry| &entry.label));
    let names = names.map(|name| evidence_words(name.rsplit(": ").next().unwrap_or(name)));
    let is_heading = |word: &String| headings().any(|heading| heading == word);
    let found: BTreeSet<String> =
        names.filter(|name| name.iter().all(is_heading)).flatten().collect();
    let is_found = |kind: &&[&str]| kind.iter().any(|word| found.contains(*word));
    headings_by_kind().filter(is_found).count() >= LEAST_KINDS
}

/// Measures a section with the names of its place.
fn worth_of(measure: &Measure, place: &[&str], text: &str) -> Worth {
    let weights = &measure.weights;
    let last = place.iter().rfind(|name| !name.is_empty()).copied().unwrap_or_default();
    let names = place.join(" ");
    let of_place = weights.share_of_place(&evidence_words(&names), last);
    let all = format!("{names}\n{text}");
    let evidence = measure.goal.evidence_of(text);
    let words = evidence_words(&format!("{names}\n{evidence}"));
    let of_all = weights.share_of_place(&words, last);
    // A long text has more words by chance.
    let length = (LONG_SECTION / evidence.len().max(1) as f64).min(1.0).sqrt();
    let share = of_place + OF_TEXT * (of_all - of_place).max(0.0) * length;
    measure.worth(share, &all, &words)
}

/// Returns the section of a page with most of the goal, with the names of the places above it.
pub(super) fn answer_of(screen: &Screen, measure: &Measure) -> Option<(Worth, usize)> {
    if !screen.has_data || !screen.is_article() {
        return None;
    }
    let place = screen.place();
    let mut best: Option<(f64, Worth, usize)> = None;
    for (section, number) in screen.sections.iter().zip(1..) {
        if section.text.trim().is_empty() {
            continue;
        }
        let names: Vec<&str> = place.iter().copied().chain([section.title.as_str()]).collect();
        let mut worth = worth_of(measure, &names, &section.text);
        worth.value *= release_notes::factor(&measure.topic, &screen.address);
        // The names of the page are those of all its sections.
        let own = measure.weights.share(&evidence_words(&section.title));
        // A mention is less than a heading. Where the goal has no name of code, all headings gain.
        let own = match () {
            () if measure.is_called(&section.title) => own + 2.0,
            () if measure.goal.is_named_in(&section.title) => own + 1.0,
            () => own,
        };
        let rank = worth.value + OF_OWN_HEADING * own;
        if best.is_none_or(|(most, ..)| rank > most + EPSILON) {
            best = Some((rank, worth, number));
        }
    }
    best.map(|(_, worth, number)| (worth, number))
}
