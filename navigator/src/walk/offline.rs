//! The pilot of a walk without a model: the best evidence first, with backtracking.
//!
//! It clicks what leads to most words of the goal, takes the section with most of them, and ends
//! when no other place that it has seen promises more.

use std::collections::BTreeSet;

use crate::money::pico_usd::PicoUsd;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::action::WalkAction;
use crate::walk::evidence::{GoalWeights, GoalWords, words_of};
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::screen::{EntryKind, Screen};
use crate::walk::state::before;

/// The smallest difference that counts, so that rounding decides nothing.
const EPSILON: f64 = 1e-9;

/// The pilot of a walk without a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfflineWalker {
    limit: PicoUsd,
}

impl OfflineWalker {
    /// Makes a pilot that reports a limit of spend, of which it uses nothing.
    pub fn new(limit: PicoUsd) -> OfflineWalker {
        OfflineWalker { limit }
    }
}

impl WalkPilot for OfflineWalker {
    fn name(&self) -> &str {
        "offline"
    }

    fn purse(&self) -> Spend {
        Spend { limit_pico_usd: self.limit, ..Spend::default() }
    }

    fn prepare(&mut self, _turn: &WalkTurn<'_>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        let (action, why) = choose(turn);
        Ok(WalkDecision { actions: vec![action], why, ..WalkDecision::default() })
    }
}

/// A place that the walk could go to.
struct Promise {
    share: f64,
    /// The number of words of the way that the goal does not have.
    n_idle: usize,
    action: WalkAction,
    way: String,
}

fn choose(turn: &WalkTurn<'_>) -> (WalkAction, String) {
    let goal = GoalWords::of(&format!("{}\n{}", turn.goal, turn.state.feedback.join("\n")));
    let weights = goal.equal();
    let taken = best_extract(turn, &weights);
    let next = best_promise(turn, &weights);
    let here = answer_of(turn.screen, &weights);
    let is_last = turn.steps_left <= 1;
    if let Some((share, section)) = here {
        let action = WalkAction::Extract { sections: vec![section] };
        let is_new = !turn.state.has_tried(&before(turn.screen, &action), &action);
        let is_better = taken.as_ref().is_none_or(|(best, _)| share > best + EPSILON);
        if is_new && is_better {
            return (action, format!("this section has {:.0} % of the goal", 100.0 * share));
        }
    }
    match (taken, next) {
        (Some((best, text)), next) => {
            if let Some(next) = next.filter(|next| !is_last && next.share > best + EPSILON) {
                return (next.action, format!("`{}` may have more of the goal", next.way));
            }
            let citations = vec![text.clone()];
            let why = "no place that was seen promises more".to_owned();
            (WalkAction::Finish { answer: text, citations }, why)
        }
        (None, Some(next)) => {
            let why = format!("`{}` has {:.0} % of the goal", next.way, 100.0 * next.share);
            (next.action, why)
        }
        (None, None) => {
            let reason = "no page that was seen has words of the goal in its text".to_owned();
            (WalkAction::GiveUp { reason: reason.clone() }, reason)
        }
    }
}

/// Returns the extract with most of the goal, and its share.
fn best_extract(turn: &WalkTurn<'_>, weights: &GoalWeights) -> Option<(f64, String)> {
    let mut best: Option<(f64, String)> = None;
    for extract in &turn.state.extracts {
        let share =
            weights.share(&words_of(&format!("{} {}", extract.place.join(" "), extract.text)));
        if best.as_ref().is_none_or(|(most, _)| share > most + EPSILON) {
            best = Some((share, extract.text.clone()));
        }
    }
    best
}

/// Returns the section of a page with most of the goal, with the names of the places above it.
fn answer_of(screen: &Screen, weights: &GoalWeights) -> Option<(f64, usize)> {
    if !screen.has_data {
        return None;
    }
    let place = screen.place().join(" ");
    let mut best: Option<(f64, usize)> = None;
    for (section, number) in screen.sections.iter().zip(1..) {
        if section.text.trim().is_empty() {
            continue;
        }
        let text = format!("{place} {} {}", section.title, section.text);
        let share = weights.share(&words_of(&text));
        if best.is_none_or(|(most, _)| share > most + EPSILON) {
            best = Some((share, number));
        }
    }
    best
}

/// Returns the way on that promises most: an entry of this page, or a place seen before.
fn best_promise(turn: &WalkTurn<'_>, weights: &GoalWeights) -> Option<Promise> {
    let (screen, path) = (turn.screen, &turn.state.path);
    let mut been: BTreeSet<&str> = path.iter().map(|step| step.address.as_str()).collect();
    been.insert(screen.address.as_str());
    been.extend(path.iter().filter_map(|step| match &step.action {
        WalkAction::Open { address } => Some(address.as_str()),
        _ => None,
    }));
    let promise = |way: Vec<String>, action: WalkAction| {
        let words = words_of(&way.join(" "));
        let share = weights.share(&words);
        Promise { share, n_idle: words.len(), action, way: way.join(" › ") }
    };
    let here = screen.entries.iter().zip(1..).filter_map(|(entry, number)| {
        // A folder is opened by what lies in it: its pages are entries themselves.
        let target = entry.target.as_deref().filter(|_| entry.kind == EntryKind::Link)?;
        let action = WalkAction::Click { number, label: entry.label.clone() };
        let is_new =
            !been.contains(target) && !turn.state.has_tried(&before(screen, &action), &action);
        is_new.then(|| promise(screen.way(entry), action))
    });
    let seen = turn.state.seen.iter().filter(|(address, _)| !been.contains(address.as_str()));
    let seen = seen
        .map(|(address, way)| promise(way.clone(), WalkAction::Open { address: address.clone() }));
    let here = best_of(here);
    let elsewhere = best_of(seen);
    match (here, elsewhere) {
        // The way on from here is shorter to tell.
        (Some(here), Some(there)) if there.share > here.share + EPSILON => Some(there),
        (Some(here), _) => Some(here),
        (None, there) => there,
    }
}

/// Returns the promise with most of the goal; of equals the one with the fewest other words, the
/// first one of these.
fn best_of(promises: impl Iterator<Item = Promise>) -> Option<Promise> {
    promises.reduce(|best, next| {
        let is_equal = (next.share - best.share).abs() <= EPSILON;
        let is_better = next.share > best.share + EPSILON || is_equal && next.n_idle < best.n_idle;
        if is_better { next } else { best }
    })
}
