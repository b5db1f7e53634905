//! The pilot of a walk that tries what a knowledge does not have: it goes the known way to each
//! gap, and takes the step that nobody has taken. What comes of it is in the recording of the walk.

use std::collections::{BTreeSet, VecDeque};

use crate::knowledge::actions::{is_like, step_on, step_on_page};
use crate::knowledge::evidence::Evidence;
use crate::knowledge::feature::features_of;
use crate::knowledge::gaps::gaps_of;
use crate::knowledge::model::{EffectClass, Knowledge, KnownAction};
use crate::knowledge::query::KnowledgeBase;
use crate::knowledge::recognise::Recognition;
use crate::knowledge::route::{RouteEnd, RouteStep};
use crate::money::pico_usd::PicoUsd;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::action::WalkAction;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};
use crate::walk::screen::Screen;

/// The reason for the steps of a way.
const ON_THE_WAY: &str = "the known way to what nobody tried";

/// The pilot of a walk that fills gaps.
#[derive(Debug)]
pub struct GapWalker<'k> {
    knowledge: &'k Knowledge,
    base: KnowledgeBase<'k>,
    /// What is still to be tried.
    todo: VecDeque<Untried<'k>>,
    /// The way to the gap that is tried now, and the step that nobody has taken.
    way: VecDeque<WayStep<'k>>,
    limit: PicoUsd,
}

/// An action that nobody has taken.
#[derive(Debug, Clone)]
struct Untried<'k> {
    screen_id: String,
    action: &'k KnownAction,
    why: String,
    /// It was taken on another screen.
    is_known_elsewhere: bool,
}

/// A step of a way.
#[derive(Debug, Clone)]
enum WayStep<'k> {
    Open(&'k str),
    /// On a screen, by its identifier.
    Take {
        screen_id: String,
        action: Option<&'k KnownAction>,
        kind: &'k str,
        label: Option<&'k str>,
        value: Option<&'k str>,
        why: String,
    },
}

impl<'k> GapWalker<'k> {
    /// Makes a pilot for the gaps of a knowledge. It reports a limit of spend, of which it uses
    /// nothing.
    pub fn new(knowledge: &'k Knowledge, limit: PicoUsd) -> GapWalker<'k> {
        let action = |screen_id: &str, action_id: &str| {
            knowledge.screen(screen_id).and_then(|screen| screen.action(action_id))
        };
        let sites = knowledge.sites();
        let gaps = gaps_of(knowledge).into_iter().filter_map(|gap| {
            let action = action(&gap.screen_id, gap.action_id.as_deref()?)?;
            let is_here = action.leads_to.as_ref().is_none_or(|to| to.is_of(&sites));
            let why = gap.kind.as_str().to_owned();
            let screen_id = gap.screen_id;
            is_here.then_some(Untried { screen_id, action, why, is_known_elsewhere: false })
        });
        GapWalker {
            knowledge,
            base: KnowledgeBase::new(knowledge),
            todo: gaps.chain(elsewhere(knowledge)).collect(),
            way: VecDeque::new(),
            limit,
        }
    }

    /// Chooses the next gap, one of this screen first, and the way there. One that no known way
    /// leads to, without destroying anything, is left out.
    fn choose(&mut self, turn: &WalkTurn<'_>) -> bool {
        let here = self.recognise(turn.screen).screen_id;
        while !self.todo.is_empty() {
            let is_here = |gap: &Untried<'_>| {
                // What nobody took anywhere can be taken wherever it is.
                let on_screen = here.as_deref().and_then(|id| self.knowledge.screen(id));
                on_screen.is_some_and(|screen| {
                    screen.screen_id == gap.screen_id
                        || !gap.is_known_elsewhere && screen.action(&gap.action.action_id).is_some()
                })
            };
            let nearest = self.todo.iter().position(is_here);
            let Some(mut gap) = self.todo.remove(nearest.unwrap_or(0)) else { break };
            if let (Some(_), Some(here)) = (nearest, &here) {
                gap.screen_id.clone_from(here);
            }
            let mut taken = turn.state.path.iter().filter(|step| step.is_done);
            if !gap.is_known_elsewhere && taken.any(|step| is_like(&step.action, gap.action)) {
                continue;
            }
            let end = RouteEnd { screen_id: &gap.screen_id, address: None };
            let Some(way) = self.base.routes().find(here.as_deref(), end) else { continue };
            if way.iter().any(destroys) {
                continue;
            }
            self.way = way.iter().flat_map(steps_of).collect();
            self.way.push_back(WayStep::Take {
                screen_id: gap.screen_id,
                kind: &gap.action.action_type,
                action: Some(gap.action),
                label: None,
                value: None,
                why: gap.why,
            });
            return true;
        }
        false
    }

    fn recognise(&self, screen: &Screen) -> Recognition {
        let evidence = Evidence::of_features(&screen.address, features_of(screen));
        self.base.recogniser().recognise(&evidence)
    }

    /// Returns the action of a step; `None` if the screen is another one, or lacks the control.
    fn taken(&self, step: &WayStep<'k>, screen: &Screen) -> Option<(WalkAction, String)> {
        match step {
            WayStep::Open(address) => {
                let action = WalkAction::Open { address: (*address).to_owned() };
                Some((action, ON_THE_WAY.to_owned()))
            }
            WayStep::Take { screen_id, action, kind, label, value, why } => {
                let found = self.recognise(screen);
                let is_there =
                    found.candidates.first().is_some_and(|best| best.screen_id == *screen_id);
                let taken = match action {
                    Some(action) => step_on(screen, action, *label, *value),
                    None => step_on_page(kind, *value),
                };
                taken.filter(|_| is_there).map(|taken| (taken, why.clone()))
            }
        }
    }
}

impl WalkPilot for GapWalker<'_> {
    fn name(&self) -> &str {
        "offline"
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn purse(&self) -> Spend {
        Spend { limit_pico_usd: self.limit, ..Spend::default() }
    }

    fn prepare(&mut self, _turn: &WalkTurn<'_>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    fn decide(&mut self, turn: &WalkTurn<'_>) -> Result<WalkDecision, Stop> {
        loop {
            let Some(step) = self.way.pop_front() else {
                if self.choose(turn) {
                    continue;
                }
                return Err(Stop::Finished);
            };
            if let Some((action, why)) = self.taken(&step, turn.screen) {
                return Ok(WalkDecision { actions: vec![action], why, ..WalkDecision::default() });
            }
            // The way does not lead where it led: its gap is left out.
            self.way.clear();
        }
    }
}

/// Returns what is known to do something on one screen, and was never taken on another that has it:
/// buttons first, then links to pages that were seen. What a link does is less of a question.
fn elsewhere(knowledge: &Knowledge) -> impl Iterator<Item = Untried<'_>> {
    let taken: BTreeSet<(&str, &str)> = knowledge
        .transitions
        .iter()
        .filter_map(|one| Some((one.from_screen_id.as_str(), one.action_id.as_deref()?)))
        .collect();
    let of_screens = |is_link: bool| {
        let taken = taken.clone();
        let screens = knowledge.screens.iter().filter(|screen| screen.is_used());
        screens.flat_map(|screen| screen.actions.iter().map(move |action| (screen, action))).filter(
            move |(screen, action)| {
                action.action_type == "click"
                    && action.leads_to.is_some() == is_link
                    && (action.times_done > 0 || is_link)
                    && action.effect < EffectClass::Sends
                    && !taken.contains(&(screen.screen_id.as_str(), action.action_id.as_str()))
            },
        )
    };
    of_screens(false).chain(of_screens(true)).map(|(screen, action)| Untried {
        screen_id: screen.screen_id.clone(),
        action,
        why: "nobody took it from here".to_owned(),
        is_known_elsewhere: true,
    })
}

/// Reports whether a step is known to destroy something.
fn destroys(step: &RouteStep<'_>) -> bool {
    let RouteStep::Take { transition, from, .. } = step else { return false };
    let mut effects = transition.actions().filter_map(|id| from.action(id)).map(|one| one.effect);
    effects.any(|effect| effect == EffectClass::Destroys)
}

/// Returns the steps of a walk that go a step of a route.
fn steps_of<'k>(step: &RouteStep<'k>) -> Vec<WayStep<'k>> {
    match step {
        RouteStep::Open { address, .. } => vec![WayStep::Open(address)],
        RouteStep::Take { transition, from, action } => {
            let take = |id: &'k str, action: Option<&'k KnownAction>, label, value| WayStep::Take {
                screen_id: from.screen_id.clone(),
                kind: action.map_or(id, |one| one.action_type.as_str()),
                action,
                label,
                value,
                why: ON_THE_WAY.to_owned(),
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
