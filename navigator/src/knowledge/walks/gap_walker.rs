//! The pilot of a walk that tries what a knowledge does not have: it goes the known way to each
//! gap, and takes the step that nobody has taken. What a model proposed goes first. What comes of
//! it is in the recording of the walk.

use std::collections::{BTreeSet, VecDeque};

use crate::knowledge::ask::query::KnowledgeBase;
use crate::knowledge::ask::route::RouteEnd;
use crate::knowledge::build::actions::is_like;
use crate::knowledge::gaps::{UntriedAction, untried_actions};
use crate::knowledge::model::{
    EffectClass, InferredTransition, Knowledge, KnownAction, Preparation,
};
use crate::knowledge::walks::way::{WayStep, effect_of, recognised};
use crate::money::pico_usd::PicoUsd;
use crate::run::pilot::{Projection, Spend};
use crate::run::stop::Stop;
use crate::walk::pilot::{WalkDecision, WalkPilot, WalkTurn};

/// The reason for the steps of a way.
const ON_THE_WAY: &str = "the known way to what nobody tried";

/// The pilot of a walk that fills gaps.
#[derive(Debug)]
pub struct GapWalker<'k> {
    knowledge: &'k Knowledge,
    base: KnowledgeBase<'k>,
    /// What a model proposed and was not tried yet, the surest first. It goes before all else.
    proposed: VecDeque<ActionToTry<'k>>,
    /// What is still to be tried.
    todo: VecDeque<ActionToTry<'k>>,
    /// The way to the gap that is tried now, and the step that nobody has taken, with reasons.
    way: VecDeque<(WayStep<'k>, String)>,
    /// What was chosen so far: a screen, and an action of it.
    tried: BTreeSet<(String, &'k str)>,
    /// The ends of the transition whose action is looked for now.
    looked_for: Option<(String, String)>,
    limit: PicoUsd,
}

/// An action to try.
#[derive(Debug, Clone)]
struct ActionToTry<'k> {
    screen_id: String,
    action: &'k KnownAction,
    /// What is written into fields first.
    prepared: &'k [Preparation],
    why: String,
    /// It is tried on its screen alone.
    is_of_screen: bool,
    /// Nobody took it on any screen.
    is_new: bool,
    /// The screen that it may lead to: one of several actions does.
    to_screen_id: Option<String>,
}

impl<'k> GapWalker<'k> {
    /// Makes a pilot for the gaps of a knowledge. It reports a limit of spend, of which it uses
    /// nothing.
    pub fn new(knowledge: &'k Knowledge, limit: PicoUsd) -> GapWalker<'k> {
        let mut proposed: Vec<&InferredTransition> = knowledge.inferred.iter().collect();
        proposed.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        let proposed = proposed.into_iter().filter_map(|one| {
            let screen = knowledge.screen(&one.from_screen_id)?;
            Some(ActionToTry {
                screen_id: one.from_screen_id.clone(),
                action: screen.action(&one.action_id)?,
                prepared: &one.prepared,
                why: format!("proposed to lead to {}", one.to_screen_id),
                is_of_screen: true,
                is_new: false,
                to_screen_id: None,
            })
        });
        // What is known to send something is tried elsewhere only if it was proposed.
        let sends = |gap: &UntriedAction<'_>| gap.action.effect >= EffectClass::Sends;
        let mut gaps = untried_actions(knowledge);
        gaps.retain(|gap| !(gap.is_of_screen && sends(gap)));
        let gaps = gaps.into_iter().map(|gap| ActionToTry {
            screen_id: gap.screen_id,
            action: gap.action,
            prepared: &[],
            why: gap.why.to_owned(),
            is_of_screen: gap.is_of_screen,
            is_new: !gap.is_of_screen,
            to_screen_id: gap.to_screen_id,
        });
        GapWalker {
            knowledge,
            base: KnowledgeBase::new(knowledge),
            proposed: proposed.collect(),
            todo: gaps.collect(),
            way: VecDeque::new(),
            tried: BTreeSet::new(),
            looked_for: None,
            limit,
        }
    }

    /// Chooses the next gap, one of this screen first, and the way there. One that no known way
    /// leads to, without destroying anything, is left out.
    fn choose(&mut self, turn: &WalkTurn<'_>) -> bool {
        let here = recognised(turn.screen, self.base.recogniser()).screen_id;
        let knowledge = self.knowledge;
        if let Some((from, to)) = self.looked_for.take()
            && here.as_ref() == Some(&to)
        {
            // The action is found: the others that might have been it are not needed.
            let is_same = |gap: &ActionToTry<'_>| {
                gap.screen_id == from && gap.to_screen_id.as_ref() == Some(&to)
            };
            self.todo.retain(|gap| !is_same(gap));
        }
        while !(self.proposed.is_empty() && self.todo.is_empty()) {
            let todo = if self.proposed.is_empty() { &mut self.todo } else { &mut self.proposed };
            let is_here = |gap: &ActionToTry<'_>| {
                // What nobody took anywhere can be taken wherever it is.
                let on_screen = here.as_deref().and_then(|id| knowledge.screen(id));
                on_screen.is_some_and(|screen| {
                    screen.screen_id == gap.screen_id
                        || !gap.is_of_screen && screen.action(&gap.action.action_id).is_some()
                })
            };
            let nearest = todo.iter().position(is_here);
            let Some(mut gap) = todo.remove(nearest.unwrap_or(0)) else { break };
            if let (Some(_), Some(here)) = (nearest, &here) {
                gap.screen_id.clone_from(here);
            }
            let mut taken = turn.state.path.iter().filter(|step| step.outcome.is_done());
            if gap.is_new && taken.any(|step| is_like(&step.action, gap.action)) {
                continue;
            }
            // A proposal and a gap may be about one action.
            if !self.tried.insert((gap.screen_id.clone(), &gap.action.action_id)) {
                continue;
            }
            let ends = gap.to_screen_id.take().map(|to| (gap.screen_id.clone(), to));
            let end = RouteEnd { screen_id: &gap.screen_id, address: None };
            let Some(way) = self.base.routes().find(here.as_deref(), end) else { continue };
            if way.iter().any(|step| effect_of(step) == EffectClass::Destroys) {
                continue;
            }
            self.looked_for = ends;
            let way = way.iter().flat_map(WayStep::of);
            self.way = way.map(|step| (step, ON_THE_WAY.to_owned())).collect();
            let screen = knowledge.screen(&gap.screen_id);
            let fields = gap.prepared.iter().filter_map(|one| {
                let field = screen.and_then(|screen| screen.action(&one.action_id))?;
                Some((field, one.value.as_deref()))
            });
            for (action, value) in fields.chain([(gap.action, None)]) {
                let step = WayStep::Take {
                    screen_id: gap.screen_id.clone(),
                    kind: &action.action_type,
                    action: Some(action),
                    label: None,
                    value,
                };
                self.way.push_back((step, gap.why.clone()));
            }
            return true;
        }
        false
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
            let Some((step, why)) = self.way.pop_front() else {
                if self.choose(turn) {
                    continue;
                }
                return Err(Stop::Finished);
            };
            if let Some(action) = step.on(turn.screen, self.base.recogniser()) {
                // Nobody asks for a gap: one that is refused ends no walk.
                let is_guess = true;
                let actions = vec![action];
                return Ok(WalkDecision { actions, why, is_guess, ..WalkDecision::default() });
            }
            // The way does not lead where it led: its gap is left out, and nothing was tried.
            self.way.clear();
            self.looked_for = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::knowledge::build::sighting::ScreenSighting;
    use crate::knowledge::build::{SeenSite, build};
    use crate::money::effect::ResourceLimits;
    use crate::run::deadline::Deadline;
    use crate::shared::CancelToken;
    use crate::walk::action::WalkAction;
    use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
    use crate::walk::state::WalkState;

    fn screen(title: &str, buttons: &[&str]) -> Screen {
        let entry = |label: &&str| ScreenEntry::new(EntryKind::Button, *label);
        Screen {
            address: format!("http://a.example/{title}"),
            title: title.to_owned(),
            entries: buttons.iter().map(entry).collect(),
            is_live: true,
            ..Screen::default()
        }
    }

    /// A knowledge of two screens that followed each other.
    fn followed(shop: &Screen, cart: &Screen) -> Knowledge {
        let sightings = [shop, cart].map(|one| ScreenSighting::new(0, one.clone(), true));
        let seen = SeenSite { sightings: sightings.into(), ..SeenSite::default() };
        let mut built = build(seen);
        let way = json!({
            "from_screen_id": built.screen_ids[0], "to_screen_id": built.screen_ids[1],
            "address": "", "times_seen": 0, "last_seen": [0, 0],
        });
        built.knowledge.transitions.push(serde_json::from_value(way).unwrap());
        built.knowledge
    }

    /// Returns what is done on a screen, and why.
    fn decided(walker: &mut GapWalker<'_>, screen: &Screen) -> (WalkAction, String) {
        let (state, deadline) = (WalkState::first(), Deadline::new(None, CancelToken::new()));
        let mut decision = walker
            .decide(&WalkTurn {
                turn: 1,
                goal: "gaps",
                screen,
                state: &state,
                steps_left: 9,
                resources_left: ResourceLimits::default(),
                view_tokens: 1_500,
                secrets: Vec::new(),
                files: Vec::new(),
                destroying: BTreeSet::new(),
                can_search: false,
                deadline: &deadline,
            })
            .unwrap();
        (decision.actions.remove(0), decision.why)
    }

    #[test]
    fn what_may_lead_to_a_screen_that_followed_is_tried_first() {
        let shop = screen("shop", &["About", "Help", "Open the cart"]);
        let knowledge = followed(&shop, &screen("cart", &["Pay", "Empty", "Back"]));
        let mut walker = GapWalker::new(&knowledge, PicoUsd::default());
        let label = "Open the cart".to_owned();
        let click = WalkAction::Click { number: 3, label };
        let why = "transition without an action".to_owned();
        assert_eq!(decided(&mut walker, &shop), (click, why));
    }

    #[test]
    fn an_action_that_was_not_tried_is_not_found() {
        let (shop, cart) = (screen("shop", &["About", "Help"]), screen("cart", &["Pay", "Empty"]));
        let knowledge = followed(&shop, &cart);
        let mut walker = GapWalker::new(&knowledge, PicoUsd::default());
        walker.todo.retain(|gap| gap.to_screen_id.is_some());
        // The shop leads to the cart by itself, so there is nothing to take of it.
        let open = (WalkAction::Open { address: shop.address.clone() }, ON_THE_WAY.to_owned());
        assert_eq!(decided(&mut walker, &cart), open);
        assert_eq!(decided(&mut walker, &cart), open, "for the next action that may lead there");
    }
}
