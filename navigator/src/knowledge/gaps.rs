//! What a knowledge does not have: links that nobody followed, controls that nobody tried, and
//! screens that followed each other without a cause that was seen.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::knowledge::model::{EffectClass, Knowledge, KnownAction, KnownScreen};
use crate::knowledge::template::AddressTemplate;

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
    let used = || knowledge.screens.iter().filter(|screen| screen.is_used());
    let seen: BTreeSet<&AddressTemplate> = used().flat_map(|screen| &screen.templates).collect();
    let mut known: BTreeSet<&str> = used()
        .flat_map(|screen| &screen.actions)
        .filter(|action| action.times_done > 0)
        .map(|action| action.action_id.as_str())
        .collect();
    let mut gaps = Vec::new();
    for screen in used() {
        for action in &screen.actions {
            if let Some(kind) = gap(action, &seen)
                && known.insert(&action.action_id)
            {
                gaps.push(of_action(kind, screen, action));
            }
        }
    }
    let without = knowledge.transitions.iter().filter(|one| one.action_id.is_none());
    gaps.extend(without.map(|one| KnowledgeGap {
        kind: GapKind::TransitionWithoutAction,
        screen_id: one.from_screen_id.clone(),
        action_id: None,
        name: one.to_screen_id.clone(),
        to_screen_id: Some(one.to_screen_id.clone()),
    }));
    gaps.sort();
    gaps
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
    /// It was taken on another screen.
    pub is_known_elsewhere: bool,
}

/// Lists the actions that nobody has taken: those of gaps on pages of the site, then those that
/// were taken elsewhere alone.
pub fn untried_actions(knowledge: &Knowledge) -> Vec<UntriedAction<'_>> {
    let sites = knowledge.sites();
    let gaps = gaps_of(knowledge).into_iter().filter_map(|gap| {
        let screen = knowledge.screen(&gap.screen_id)?;
        let action = screen.action(gap.action_id.as_deref()?)?;
        let is_here = action.leads_to.as_ref().is_none_or(|to| to.is_of(&sites));
        let (screen_id, why) = (gap.screen_id, gap.kind.as_str());
        is_here.then_some(UntriedAction { screen_id, action, why, is_known_elsewhere: false })
    });
    gaps.chain(elsewhere(knowledge)).collect()
}

/// Returns what is known to do something on one screen, and was never taken on another that has it:
/// buttons first, then links to pages that were seen. What a link does is less of a question.
fn elsewhere(knowledge: &Knowledge) -> impl Iterator<Item = UntriedAction<'_>> {
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
                    && action.effect < EffectClass::Destroys
                    && !taken.contains(&(screen.screen_id.as_str(), action.action_id.as_str()))
            },
        )
    };
    of_screens(false).chain(of_screens(true)).map(|(screen, action)| UntriedAction {
        screen_id: screen.screen_id.clone(),
        action,
        why: "nobody took it from here",
        is_known_elsewhere: true,
    })
}

fn of_action(kind: GapKind, screen: &KnownScreen, action: &KnownAction) -> KnowledgeGap {
    KnowledgeGap {
        kind,
        screen_id: screen.screen_id.clone(),
        action_id: Some(action.action_id.clone()),
        name: action.name.clone(),
        to_screen_id: None,
    }
}

/// Returns the kind of gap that an action is, if nobody took it. Writing into a field leads
/// nowhere by itself.
fn gap(action: &KnownAction, seen: &BTreeSet<&AddressTemplate>) -> Option<GapKind> {
    match (&action.leads_to, action.action_type.as_str()) {
        (Some(template), _) if seen.contains(template) => None,
        (Some(_), _) => Some(GapKind::LinkNeverFollowed),
        (None, "click") => Some(GapKind::ControlNeverTried),
        (None, _) => None,
    }
}
