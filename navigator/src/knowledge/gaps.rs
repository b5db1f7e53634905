//! What a knowledge does not have: links that nobody followed, controls that nobody tried, and
//! screens that followed each other without a cause that was seen.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::knowledge::model::{Knowledge, KnownAction, KnownScreen};
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
