//! A known way as the steps of a walk. Each is taken only on the screen that was seen.

use crate::knowledge::ask::route::RouteStep;
use crate::knowledge::build::actions::{step_on, step_on_page};
use crate::knowledge::evidence::Evidence;
use crate::knowledge::model::feature::features_of;
use crate::knowledge::model::{EffectClass, KnownAction};
use crate::knowledge::recognise::{Recogniser, Recognition};
use crate::walk::action::WalkAction;
use crate::walk::screen::Screen;

/// A step of a way.
#[derive(Debug, Clone)]
pub(super) enum WayStep<'k> {
    Open(&'k str),
    /// On a screen, by its identifier.
    Take {
        screen_id: String,
        action: Option<&'k KnownAction>,
        kind: &'k str,
        label: Option<&'k str>,
        value: Option<&'k str>,
    },
}

impl<'k> WayStep<'k> {
    /// Returns the steps of a walk that go a step of a route.
    pub(super) fn of(step: &RouteStep<'k>) -> Vec<WayStep<'k>> {
        match step {
            RouteStep::Open { address, .. } => vec![WayStep::Open(address)],
            RouteStep::Take { transition, from, action, .. } => {
                let take =
                    |id: &'k str, action: Option<&'k KnownAction>, label, value| WayStep::Take {
                        screen_id: from.screen_id.clone(),
                        kind: action.map_or(id, |one| one.action_type.as_str()),
                        action,
                        label,
                        value,
                    };
                let prepared = transition.prepared.iter().map(|one| {
                    take(&one.action_id, from.action(&one.action_id), None, one.value.as_deref())
                });
                let id = transition.action_id.as_deref().unwrap_or_default();
                let label = transition.label.as_deref();
                let last = take(id, *action, label, transition.value.as_deref());
                prepared.chain([last]).collect()
            }
        }
    }

    /// Returns the action of the step; `None` if the screen is another one, or lacks the control.
    pub(super) fn on(&self, screen: &Screen, recogniser: &Recogniser<'_>) -> Option<WalkAction> {
        match self {
            WayStep::Open(address) => Some(WalkAction::Open { address: (*address).to_owned() }),
            WayStep::Take { screen_id, action, kind, label, value } => {
                let found = recognised(screen, recogniser);
                let is_there =
                    found.candidates.first().is_some_and(|best| best.screen_id == *screen_id);
                let taken = match action {
                    Some(action) => step_on(screen, action, *label, *value),
                    None => step_on_page(kind, *value),
                };
                taken.filter(|_| is_there)
            }
        }
    }
}

/// Returns which screen of a knowledge a page of a walk is.
pub(super) fn recognised(screen: &Screen, recogniser: &Recogniser<'_>) -> Recognition {
    recogniser.recognise(&Evidence::of_features(&screen.address, features_of(screen)))
}

/// Returns the largest effect that a step of a route is known to have.
pub(super) fn effect_of(step: &RouteStep<'_>) -> EffectClass {
    let RouteStep::Take { transition, from, .. } = step else { return EffectClass::Reads };
    let effects = transition.actions().filter_map(|id| from.action(id)).map(|one| one.effect);
    effects.max().unwrap_or(EffectClass::Reads)
}
