//! The known way to the screen that a goal names, for a walk of an application that is known.

use std::collections::VecDeque;

use crate::knowledge::ask::query::KnowledgeBase;
use crate::knowledge::ask::route::{RouteEnd, RouteStep};
use crate::knowledge::model::feature::{self, Feature, FeatureKind};
use crate::knowledge::model::{EffectClass, Knowledge, KnownAction, KnownScreen};
use crate::knowledge::walks::way::{WayStep, effect_of, recognised};
use crate::shared::spaced_words;
use crate::walk::action::WalkAction;
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::evidence::{GoalWeights, WalkGoal, evidence_words};

/// The smallest share of the goal that a screen has which is gone to.
const LEAST_SHARE: f64 = 0.34;
/// How much more it has than the screen that the walk is on, and than any page whose address is
/// known: a way that leads astray has to be gone back.
const TO_LEAVE: f64 = 0.1;

/// The way from where a walk begins to the screen that has most of its goal. Nothing on it sets a
/// value or sends anything.
#[derive(Debug)]
pub struct NamedWay<'k> {
    knowledge: &'k Knowledge,
    base: KnowledgeBase<'k>,
    /// The rest of the way, with the name of the screen at its end; `None` before the first turn.
    rest: Option<(VecDeque<WayStep<'k>>, String)>,
}

impl<'k> NamedWay<'k> {
    /// Prepares a knowledge.
    pub fn new(knowledge: &'k Knowledge) -> NamedWay<'k> {
        NamedWay { knowledge, base: KnowledgeBase::new(knowledge), rest: None }
    }

    /// Returns the next step, with the reason for it; `None` at the end of the way, or where it
    /// does not lead where it led.
    pub fn next(&mut self, turn: &WalkTurn<'_>) -> Option<(WalkAction, String)> {
        let (mut rest, end) = self.rest.take().or_else(|| self.choose(turn))?;
        let taken = rest.pop_front().and_then(|step| step.on(turn.screen, self.base.recogniser()));
        if taken.is_none() {
            rest.clear();
        }
        let why = format!("the known way to `{end}`, which the goal names");
        self.rest = Some((rest, end));
        taken.map(|action| (action, why))
    }

    /// Chooses the screen with most of the goal, and the way there.
    fn choose(&self, turn: &WalkTurn<'_>) -> Option<(VecDeque<WayStep<'k>>, String)> {
        let here = recognised(turn.screen, self.base.recogniser()).screen_id?;
        let weights = WalkGoal::of(turn.goal).equal();
        let here = self.knowledge.screen(&here)?;
        let pages = turn.state.known.iter().map(|place| {
            let last = place.way.last().map(String::as_str).unwrap_or_default();
            weights.share_of_place(&evidence_words(&place.way.join(" ")), last)
        });
        let had = pages.fold(share_of(here, &weights), f64::max);
        let least = (had + TO_LEAVE).max(LEAST_SHARE);
        let screens = self.knowledge.screens.iter().filter(|screen| screen.is_used());
        let mut promising: Vec<(f64, &KnownScreen)> = screens
            .map(|screen| (share_of(screen, &weights), screen))
            .filter(|(share, _)| *share >= least)
            .collect();
        // Of equals the one with the fewest words says least else.
        let n_words = |screen: &KnownScreen| screen.business_words.len();
        promising.sort_by(|(a, one), (b, other)| {
            (b.total_cmp(a).then(n_words(one).cmp(&n_words(other))))
                .then(one.screen_id.cmp(&other.screen_id))
        });
        promising.into_iter().find_map(|(_, screen)| {
            let end = RouteEnd { screen_id: &screen.screen_id, address: None };
            let way = self.base.routes().find(Some(&here.screen_id), end)?;
            let is_plain = way.iter().all(|step| is_plain(step, turn.goal));
            // What was set before a step was set for another goal.
            let steps = way.iter().filter_map(|step| WayStep::of(step).pop());
            is_plain.then(|| (steps.collect(), screen.name.clone()))
        })
    }
}

/// Returns the share of a goal that the names on a screen have.
fn share_of(screen: &KnownScreen, weights: &GoalWeights) -> f64 {
    let names = screen.business_words.join(" ");
    weights.share_of_place(&evidence_words(&format!("{} {names}", screen.name)), &screen.name)
}

/// Reports whether a step may be taken for a goal: it sends nothing and writes no value of an
/// earlier walk, and what it clicks is a control of its screen or is named by the goal.
fn is_plain(step: &RouteStep<'_>, goal: &str) -> bool {
    let RouteStep::Take { transition, from, action, .. } = step else { return true };
    let goal = format!(" {} ", spaced_words(goal));
    let is_named = |name: &str| {
        let name = spaced_words(name);
        !name.is_empty() && goal.contains(&format!(" {name} "))
    };
    matches!(effect_of(step), EffectClass::None | EffectClass::Reads)
        && transition.value.is_none()
        && transition.label.as_deref().is_none_or(is_named)
        && action.is_some_and(|action| !is_data(action, from) || is_named(&action.name))
}

/// Reports whether a control is one of the things that a screen lists, or is there less than half
/// of the times.
fn is_data(action: &KnownAction, screen: &KnownScreen) -> bool {
    let name = feature::feature_words(&action.name);
    let is_it = |one: &Feature| one.kind == FeatureKind::Item && one.words == name;
    2 * action.times_there < screen.times_seen
        || screen.features.iter().any(|known| is_it(&known.feature))
}
