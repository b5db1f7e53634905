//! What a knowledge does not have: links that nobody followed, controls that nobody tried, and
//! screens that followed each other without a cause that was seen.

mod gap_question;
pub mod proposal;
pub mod proposer;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use crate::knowledge::model::feature::feature_words;
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{EffectClass, Knowledge, KnownAction, KnownScreen, Transition};

/// The most actions that are tried for a transition whose action nobody saw.
const MAX_CAUSES: usize = 8;

/// Something that a knowledge does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct KnowledgeGap {
    /// The kind.
    pub kind: GapKind,
    /// The screen.
    pub screen_id: String,
    /// The action whose end is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_id: Option<String>,
    /// What it is called.
    pub name: String,
    /// The screen that followed, if no action led there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_screen_id: Option<String>,
}

/// The kinds of gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GapKind {
    /// A link that was never followed, to a page that was never seen.
    LinkNeverFollowed,
    /// A control that was never tried.
    ControlNeverTried,
    /// Two screens that followed each other.
    TransitionWithoutAction,
}

impl GapKind {
    /// Returns the words that people read.
    pub fn as_str(self) -> &'static str {
        match self {
            GapKind::LinkNeverFollowed => "link never followed",
            GapKind::ControlNeverTried => "control never tried",
            GapKind::TransitionWithoutAction => "transition without an action",
        }
    }
}

/// Lists the gaps of a knowledge. An action that many screens have is a gap of the first one alone;
/// one that was done on any of them is none.
pub fn gaps_of(knowledge: &Knowledge) -> Vec<KnowledgeGap> {
    gaps_with(&GapActions::of(knowledge))
}

/// Lists the gaps of a knowledge, as [`gaps_of`] does.
pub(super) fn gaps_with(actions: &GapActions<'_>) -> Vec<KnowledgeGap> {
    let knowledge = actions.knowledge;
    let used = || knowledge.screens.iter().filter(|screen| screen.is_used());
    let seen: HashSet<&AddressTemplate> = used().flat_map(|screen| &screen.templates).collect();
    let mut known: HashSet<&str> = used()
        .flat_map(|screen| &screen.actions)
        .filter(|action| action.times_done > 0)
        .map(|action| action.action_id.as_str())
        .collect();
    let mut gaps = Vec::new();
    for screen in used() {
        for action in screen.actions.iter().filter(|action| action.times_done == 0) {
            if let Some(kind) = gap(action, &seen)
                && known.insert(&action.action_id)
            {
                gaps.push(of_action(kind, screen, action));
            }
        }
    }
    gaps.extend(without_action(actions).into_iter().map(|(from, to)| KnowledgeGap {
        kind: GapKind::TransitionWithoutAction,
        screen_id: from.to_owned(),
        action_id: None,
        name: to.to_owned(),
        to_screen_id: Some(to.to_owned()),
    }));
    gaps.sort();
    gaps
}

/// Returns the ends of the transitions that nobody saw an action of, as others write them, where
/// something is left that may be it.
fn without_action<'k>(actions: &GapActions<'k>) -> BTreeSet<(&'k str, &'k str)> {
    let knowledge = actions.knowledge;
    let unseen = knowledge.transitions.iter().filter(|one| one.action_id.is_none());
    let mut open: BTreeSet<(&str, &str)> = unseen.map(Transition::ends).collect();
    if open.is_empty() {
        return open;
    }
    // What was seen to lead there is the action.
    let seen = knowledge.transitions.iter().filter(|one| one.is_repeatable());
    seen.map(Transition::ends).for_each(|ends| {
        open.remove(&ends);
    });
    open.retain(|(from, to)| actions.leading(from, to).next().is_some());
    open
}

/// What can be tried for the gaps of a knowledge.
#[derive(Debug)]
pub(super) struct GapActions<'k> {
    knowledge: &'k Knowledge,
    screens: BTreeMap<&'k str, &'k KnownScreen>,
    /// What was taken on each screen. Only a transition without an action asks.
    taken: OnceCell<BTreeSet<(&'k str, &'k str)>>,
}

impl<'k> GapActions<'k> {
    pub(super) fn of(knowledge: &'k Knowledge) -> GapActions<'k> {
        let screens = knowledge.screens.iter().map(|one| (one.screen_id.as_str(), one)).collect();
        GapActions { knowledge, screens, taken: OnceCell::new() }
    }

    fn taken(&self) -> &BTreeSet<(&'k str, &'k str)> {
        self.taken.get_or_init(|| taken_on(self.knowledge))
    }

    /// Returns the actions of a gap: its own, or those that may lead from its screen to the other
    /// one, which are few: links to it first, then what has words of its name.
    pub(super) fn of_gap(&self, gap: &KnowledgeGap) -> Vec<&'k KnownAction> {
        let Some(to) = gap.to_screen_id.as_deref() else {
            let screen = self.screens.get(gap.screen_id.as_str()).copied();
            let action = screen.zip(gap.action_id.as_deref());
            return action.and_then(|(screen, id)| screen.action(id)).into_iter().collect();
        };
        let end = self.screens.get(to).copied();
        let name = end.map(|screen| feature_words(&screen.name)).unwrap_or_default();
        let words: BTreeSet<&str> = name.split(' ').collect();
        let is_named = |action: &KnownAction| {
            feature_words(&action.name).split(' ').any(|one| words.contains(one))
        };
        let mut found: Vec<&KnownAction> = self.leading(&gap.screen_id, to).collect();
        found.sort_by_cached_key(|action| (action.leads_to.is_none(), !is_named(action)));
        found.truncate(MAX_CAUSES);
        found
    }

    /// Returns the actions of a screen that may lead to another one: nobody took them there, and
    /// they are not known to send anything.
    fn leading(&self, from: &str, to: &str) -> impl Iterator<Item = &'k KnownAction> {
        let used = |id: &str| self.screens.get(id).copied().filter(|screen| screen.is_used());
        let ends = used(from).zip(used(to));
        let taken = self.taken();
        ends.into_iter().flat_map(move |(from, to)| {
            from.actions.iter().filter(move |action| {
                let is_there = |template| to.templates.contains(template);
                action.action_type == "click"
                    && action.effect < EffectClass::Sends
                    && action.leads_to.as_ref().is_none_or(is_there)
                    && !taken.contains(&(from.screen_id.as_str(), action.action_id.as_str()))
            })
        })
    }
}

/// Returns the actions that were taken, with their screens.
fn taken_on(knowledge: &Knowledge) -> BTreeSet<(&str, &str)> {
    let taken = knowledge
        .transitions
        .iter()
        .filter_map(|one| Some((one.from_screen_id.as_str(), one.action_id.as_deref()?)));
    taken.collect()
}

/// An action that nobody has taken on a screen.
#[derive(Debug, Clone)]
pub struct UntriedAction<'k> {
    /// The screen.
    pub screen_id: String,
    /// The action.
    pub action: &'k KnownAction,
    /// Why it is a gap.
    pub why: &'static str,
    /// It is tried on its screen alone: it was taken on another one, or may lead to a known one.
    pub is_of_screen: bool,
    /// The screen that it may lead to.
    pub to_screen_id: Option<String>,
}

/// Lists the actions that nobody has taken: those that may lead from one known screen to another,
/// those of other gaps on pages of the site, then those that were taken elsewhere alone.
pub fn untried_actions(knowledge: &Knowledge) -> Vec<UntriedAction<'_>> {
    let sites = knowledge.sites();
    let actions = GapActions::of(knowledge);
    let (leading, others): (Vec<_>, Vec<_>) =
        gaps_with(&actions).into_iter().partition(|gap| gap.to_screen_id.is_some());
    let gaps = leading.into_iter().chain(others).flat_map(|gap| {
        let found = actions.of_gap(&gap).into_iter();
        found.map(move |action| UntriedAction {
            screen_id: gap.screen_id.clone(),
            action,
            why: gap.kind.as_str(),
            is_of_screen: gap.to_screen_id.is_some(),
            to_screen_id: gap.to_screen_id.clone(),
        })
    });
    let is_here =
        |one: &UntriedAction<'_>| one.action.leads_to.as_ref().is_none_or(|to| to.is_of(&sites));
    let mut all: Vec<UntriedAction<'_>> = gaps.filter(is_here).chain(elsewhere(&actions)).collect();
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert((one.screen_id.clone(), &one.action.action_id)));
    all
}

/// Returns what is known to do something on one screen, and was never taken on another that has it:
/// buttons first, then links to pages that were seen. What a link does is less of a question.
fn elsewhere<'k>(actions: &GapActions<'k>) -> impl Iterator<Item = UntriedAction<'k>> {
    let taken = actions.taken();
    let of_screens = move |is_link: bool| {
        let screens = actions.knowledge.screens.iter().filter(|screen| screen.is_used());
        screens.flat_map(|screen| screen.actions.iter().map(move |action| (screen, action))).filter(
            move |(screen, action)| {
                action.action_type == "click"
                    && action.leads_to.is_some() == is_link
                    && (action.times_done > 0 || is_link)
                    && action.effect < EffectClass::Destroys
                    && !taken.contains(&(screen.screen_id.as_str(), action.action_id.as_str()))
            },
        )
    };
    of_screens(false).chain(of_screens(true)).map(|(screen, action)| UntriedAction {
        screen_id: screen.screen_id.clone(),
        action,
        why: "nobody took it from here",
        is_of_screen: true,
        to_screen_id: None,
    })
}

fn of_action(kind: GapKind, screen: &KnownScreen, action: &KnownAction) -> KnowledgeGap {
    KnowledgeGap {
        kind,
        screen_id: screen.screen_id.clone(),
        action_id: Some(action.action_id.to_string()),
        name: action.name.to_string(),
        to_screen_id: None,
    }
}

/// Returns the kind of gap that an action is, if nobody took it. Writing into a field leads
/// nowhere by itself.
fn gap(action: &KnownAction, seen: &HashSet<&AddressTemplate>) -> Option<GapKind> {
    match (&action.leads_to, action.action_type.as_str()) {
        (Some(template), _) if seen.contains(template) => None,
        (Some(_), _) => Some(GapKind::LinkNeverFollowed),
        (None, "click") => Some(GapKind::ControlNeverTried),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Two screens that followed each other, as others say.
    fn knowledge() -> Knowledge {
        let action = |id: &str, name: &str, more: serde_json::Value| {
            let mut action = json!({ "action_id": id, "action_type": "click", "name": name });
            action.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            action
        };
        let screen = |id: &str, actions: serde_json::Value| {
            json!({
                "screen_id": id, "name": id, "content_type": "web_ui", "is_actionable": true,
                "templates": [format!("http://a.example/{id}")], "actions": actions,
                "addresses": [
                    { "address": format!("http://a.example/{id}"), "title": id, "opens": true },
                ],
            })
        };
        let cart = screen("cart", json!([]));
        let shop = screen(
            "shop",
            json!([
                action("help", "Help", json!({ "leads_to": "http://a.example/help" })),
                action("menu", "Menu", json!({})),
                action("open", "Open the cart", json!({})),
                action("link", "See it", json!({ "leads_to": "http://a.example/cart" })),
                action("buy", "Cart", json!({ "effect": "sends" })),
                action("note", "Cart note", json!({ "action_type": "input" })),
            ]),
        );
        let way = json!({
            "from_screen_id": "shop", "to_screen_id": "cart", "address": "", "times_seen": 0,
            "last_seen": [0, 0],
        });
        let value = json!({ "version": 1, "screens": [cart, shop], "transitions": [way, way] });
        serde_json::from_value(value).unwrap()
    }

    fn without_actions(knowledge: &Knowledge) -> usize {
        let gaps = gaps_of(knowledge).into_iter();
        gaps.filter(|gap| gap.kind == GapKind::TransitionWithoutAction).count()
    }

    #[test]
    fn what_may_lead_from_one_screen_to_the_next_is_tried_first() {
        let knowledge = knowledge();
        let tried: Vec<(&str, Option<String>)> = untried_actions(&knowledge)
            .into_iter()
            .take(3)
            .map(|one| (one.action.action_id.as_str(), one.to_screen_id))
            .collect();
        let to = |id| (id, Some("cart".to_owned()));
        assert_eq!(tried, [to("link"), to("open"), to("menu")]);
        assert_eq!(without_actions(&knowledge), 1);
    }

    #[test]
    fn a_transition_is_no_gap_once_its_action_was_seen_or_all_were_tried() {
        let mut seen = knowledge();
        let mut way = seen.transitions[0].clone();
        way.action_id = Some("open".into());
        seen.transitions.push(way.clone());
        assert_eq!(without_actions(&seen), 0);

        let mut tried = knowledge();
        for id in ["link", "open", "menu"] {
            way.action_id = Some(id.into());
            way.to_screen_id = "shop".into();
            assert_eq!(without_actions(&tried), 1);
            tried.transitions.push(way.clone());
        }
        assert_eq!(without_actions(&tried), 0);
    }
}
